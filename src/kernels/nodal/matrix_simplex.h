// SPDX-License-Identifier: Apache-2.0
// Straight simplices and a linear model, by matrix (tensor) cores: the method of simt_simplex.h, with matrix_steps.h, and with
// matrix_adjusted.h where material varies inside.
// Elements come in octets. The 16 rows of a product are 8 elements x 2 fields, its 8 columns are nodes: lane l holds
// nodes 2 (l % 4) and 2 (l % 4) + 1 of a tile for all fields of element l / 4, so that the flux of the slopes needs no
// exchange. A warp has TILES tiles of nodes. [-D | LIFT] lies as fragments, [tile][step][axis][lane]. The traces behind
// the faces arrive while the volume is computed; the rates pass through shared memory so that the update moves whole lines.
// Constants: OCTETS, TILES, AXES (slopes kept at once), AHEAD (steps whose traces are on their way in registers; FUSED),
// BULK (state and residual come and go as blocks, updated in shared memory), PRELOAD (the matrix is in registers before the
// values that it multiplies are there). In shared memory elements lie as in global memory, an odd number of fields too.

// sum[pair][4] of one tile: the flux of the slopes along the axes. `known`: with PRELOAD, the fragments of the tile.
FUNCTION void volume_tile(LOCAL const scalar *own, const real *g, const real *m, GLOBAL const scalar *matrix, const Fragment *known,
                          int tile, LOCAL scalar *scratch, real *sum)
{
  UNROLL for (int i = 0; i < PAIRS * 4; ++i) sum[i] = 0.0;
  UNROLL for (int first = 0; first < DIM; first += AXES) {
    real slope[AXES * PAIRS * 4];
    UNROLL for (int i = 0; i < AXES * PAIRS * 4; ++i) slope[i] = 0.0;
#if PRELOAD
    UNROLL for (int step = 0; step < VOLUME_STEPS; ++step) {
      const Fragment *b = known + step * DIM + first;
#else
    Fragment next[AXES];
    GLOBAL const scalar *fragment = matrix + (tile * VOLUME_STEPS * DIM + first) * FRAGMENT_WORDS;
    UNROLL for (int d = 0; d < AXES; ++d) load_fragment(fragment + d * FRAGMENT_WORDS, next + d);
    ROLL for (int step = 0; step < VOLUME_STEPS; ++step) {
      Fragment b[AXES];
      UNROLL for (int d = 0; d < AXES; ++d) b[d] = next[d];
      if (step + 1 < VOLUME_STEPS)
        UNROLL for (int d = 0; d < AXES; ++d) load_fragment(fragment + ((step + 1) * DIM + d) * FRAGMENT_WORDS, next + d);
#endif
      UNROLL for (int p = 0; p < PAIRS; ++p) {
        Fragment low, high;
        load_rows(own, step, p, &low, &high);
        UNROLL for (int d = 0; d < AXES; ++d) matrix_step(slope + (d * PAIRS + p) * 4, &low, &high, b + d, scratch);
      }
    }
    UNROLL for (int d = 0; d < AXES; ++d)
      UNROLL for (int n = 0; n < 2; ++n) {
        real change[FIELDS], f[FIELDS];
        UNROLL for (int i = 0; i < FIELDS; ++i) change[i] = slope[(d * PAIRS + i / 2) * 4 + i % 2 * 2 + n];
        flux(change, m, g + (first + d) * DIM, f);
        UNROLL for (int i = 0; i < FIELDS; ++i) sum[i / 2 * 4 + i % 2 * 2 + n] += f[i];
      }
  }
}

// sum[tile][pair][4] += LIFT jump for the warp's tiles, which share the rows.
FUNCTION void lift_tiles(LOCAL const scalar *jump, GLOBAL const scalar *matrix, const Fragment *known, int first,
                         LOCAL scalar *scratch, real *sum)
{
#if PRELOAD
  UNROLL for (int step = 0; step < TRACE_STEPS; ++step) {
    const Fragment *b = known + step * TILES;
#else
  Fragment next[TILES];
  GLOBAL const scalar *fragment[TILES];
  UNROLL for (int j = 0; j < TILES; ++j) {
    const int tile = first + j < NODE_TILES ? first + j : NODE_TILES - 1;
    fragment[j] = matrix + LIFT_FRAGMENTS + tile * TRACE_STEPS * FRAGMENT_WORDS;
    load_fragment(fragment[j], next + j);
  }
  ROLL for (int step = 0; step < TRACE_STEPS; ++step) {
    Fragment b[TILES];
    UNROLL for (int j = 0; j < TILES; ++j) b[j] = next[j];
    if (step + 1 < TRACE_STEPS)
      UNROLL for (int j = 0; j < TILES; ++j) load_fragment(fragment[j] + (step + 1) * FRAGMENT_WORDS, next + j);
#endif
    UNROLL for (int p = 0; p < PAIRS; ++p) {
      Fragment low, high;
      load_rows(jump, step, p, &low, &high);
      UNROLL for (int j = 0; j < TILES; ++j) matrix_step(sum + (j * PAIRS + p) * 4, &low, &high, b + j, scratch);
    }
  }
}

#if PRELOAD
FUNCTION void load_volume_parts(GLOBAL const scalar *matrix, int first, Fragment *parts)
{
  UNROLL for (int j = 0; j < TILES; ++j) {
    const int tile = first + j < NODE_TILES ? first + j : NODE_TILES - 1;
    UNROLL for (int i = 0; i < VOLUME_STEPS * DIM; ++i)
      load_fragment(matrix + (tile * VOLUME_STEPS * DIM + i) * FRAGMENT_WORDS, parts + j * VOLUME_STEPS * DIM + i);
  }
}

FUNCTION void load_lift_parts(GLOBAL const scalar *matrix, int first, Fragment *parts)
{
  UNROLL for (int j = 0; j < TILES; ++j) {
    const int tile = first + j < NODE_TILES ? first + j : NODE_TILES - 1;
    UNROLL for (int step = 0; step < TRACE_STEPS; ++step)
      load_fragment(matrix + LIFT_FRAGMENTS + (tile * TRACE_STEPS + step) * FRAGMENT_WORDS, parts + step * TILES + j);
  }
}
#endif

#if FUSED
// The jumps for a warp that has all tiles of its octet: each lane makes the very jumps that it holds of the product's rows, and
// those pass from global memory to the product through registers alone. Lane l knows face l % 4 of its element.
FUNCTION void load_far(GLOBAL const scalar *q, GLOBAL const int *neighbour, GLOBAL const int *tables, int e, int slot_of_lane,
                       int word_of_lane, int step, real *far)
{
  UNROLL for (int s = 0; s < FRAGMENT_STEPS; ++s) {
    const int at = step * STEP + 4 * s + THREAD % 4, known = at < TRACE ? at : TRACE - 1;
    const int face = known / FACE_NODES, turn = THREAD % 32 / 4 * 4 + face;
    const int slot = FROM_LANE(slot_of_lane, turn, neighbour[(e * FACES + face) * 2]);
    const int code = code_of(FROM_LANE(word_of_lane, turn, neighbour[(e * FACES + face) * 2 + 1]));
    GLOBAL const scalar *from = q + (INDEX)slot * BEHIND + tables[TRACE + code * CODE_NODES + known - face * FACE_NODES];
#if FIELDS % 2 == 0
    UNROLL for (int p = 0; p < PAIRS; ++p) {
      const scalar2 both = ((GLOBAL const scalar2 *)from)[p];
      far[s * FIELDS + 2 * p] = both.x;
      far[s * FIELDS + 2 * p + 1] = both.y;
    }
#else
    UNROLL for (int i = 0; i < FIELDS; ++i) far[s * FIELDS + i] = from[i];
#endif
  }
}

FUNCTION void lift_fused(GLOBAL const scalar *q, LOCAL const scalar *own, LOCAL const scalar *normals, const real *inside,
                         GLOBAL const scalar *material, GLOBAL const int *neighbour, GLOBAL const int *tables,
                         GLOBAL const scalar *matrix, int e, int slot_of_lane, int word_of_lane, real *far, LOCAL scalar *scratch,
                         real *sum)
{
  UNROLL for (int step = 0; step < TRACE_STEPS; ++step) {
    real *ahead = far + step % AHEAD * FRAGMENT_STEPS * FIELDS;
    scalar rows[FRAGMENT_STEPS][2 * PAIRS];
    UNROLL for (int s = 0; s < FRAGMENT_STEPS; ++s) {
      const int at = step * STEP + 4 * s + THREAD % 4, known = at < TRACE ? at : TRACE - 1, face = known / FACE_NODES;
      LOCAL const scalar *normal = normals + (e * FACES + face) * 4;
      real ql[FIELDS], mr[MATERIALS], n[DIM], star[FIELDS], flow[FIELDS];
      load_own(own + e * OWN_ROOM, tables[known], ql);
      UNROLL for (int d = 0; d < DIM; ++d) n[d] = normal[d];
      const real scale = normal[3];
#if ADJUSTED
      real ml[MATERIALS];
      load_sides(material, 0, neighbour, e, face, ml, mr);
#else
      const real *ml = inside;
      load_material(material, material_row(neighbour[(e * FACES + face) * 2 + 1]), mr);
#endif
      numerical_flux(ql, ml, ahead + s * FIELDS, mr, n, star);
      flux(ql, ml, n, flow);
      rows[s][2 * PAIRS - 1] = 0.0;
      UNROLL for (int i = 0; i < FIELDS; ++i) rows[s][i] = at < TRACE ? scale * (flow[i] - star[i]) : (real)0.0;
    }
    if (step + AHEAD < TRACE_STEPS)
      load_far(q, neighbour, tables, e, slot_of_lane, word_of_lane, step + AHEAD, ahead);
    UNROLL for (int p = 0; p < PAIRS; ++p) {
      Fragment low, high;
      scalar x[FRAGMENT_STEPS], y[FRAGMENT_STEPS];
      UNROLL for (int s = 0; s < FRAGMENT_STEPS; ++s) {
        x[s] = rows[s][2 * p];
        y[s] = rows[s][2 * p + 1];
      }
      prepare_fragment(x, &low);
      prepare_fragment(y, &high);
      UNROLL for (int j = 0; j < TILES; ++j) {
        Fragment b;
        load_fragment(matrix + LIFT_FRAGMENTS + (j * TRACE_STEPS + step) * FRAGMENT_WORDS, &b);
        matrix_step(sum + (j * PAIRS + p) * 4, &low, &high, &b, scratch);
      }
    }
  }
}
#endif

// The rates of the warp's nodes go to shared memory, [node][field]; with BULK the update is made there, in place: the next
// state takes the place of the state and the new residual that of the residual.
FUNCTION void end_tiles(const int update, const real *sum, const real *moved, LOCAL scalar *own, const real *m,
                        GLOBAL const scalar *source, int first, LOCAL scalar *rates, scalar a, scalar b, scalar dt)
{
  UNROLL for (int j = 0; j < TILES; ++j)
    UNROLL for (int k = 0; k < 2; ++k) {
      const int node = (first + j) * 8 + 2 * (THREAD % 4) + k;
      if (node < NODES) {
        real total[FIELDS], old[FIELDS], rate[FIELDS];
        UNROLL for (int i = 0; i < FIELDS; ++i) total[i] = sum[(j * PAIRS + i / 2) * 4 + i % 2 * 2 + k];
        load_own(own, node, old);
#if HAS_SOURCE && !ADJUSTED
        UNROLL for (int i = 0; i < FIELDS; ++i) total[i] += source[node * FIELDS + i];
#endif
        balance_to_rate(m, old, total, rate);
#if ADJUSTED
        UNROLL for (int i = 0; i < MOVING; ++i) rate[MOVING_FIELD(i)] = moved[(j * MOVING_PAIRS + i / 2) * 4 + i % 2 * 2 + k];
#endif
#if BULK
        if (update) {
          real left[FIELDS];
          load_own(rates, node, left);
          UNROLL for (int i = 0; i < FIELDS; ++i) {
            left[i] = a * left[i] + dt * rate[i];
            rate[i] = old[i] + b * left[i];
          }
          store_rate(left, rates, node);
        }
        store_rate(rate, own, node);
#else
        store_rate(rate, rates, node);
#endif
      }
    }
}

#if BULK
#define BLOCK (ELEMENT * (int)sizeof(scalar))

// Begins to copy states and residuals of the batch, and the blocks of an element by one lane each.
FUNCTION void begin_blocks(const int update, GLOBAL const scalar *q, GLOBAL const scalar *residual, LOCAL scalar *own,
                           LOCAL scalar *left, LOCAL scalar *places)
{
  if (THREAD < 32) {
    if (THREAD == 0) {
      bulk_expect(places, BATCH * BLOCK);
      if (update) bulk_expect(places + 2, BATCH * BLOCK);
    }
    WARP_MEETS;
    if (THREAD < BATCH) {
      bulk_in(own + THREAD * OWN_ROOM, q + THREAD * ELEMENT, BLOCK, places);
      if (update) bulk_in(left + THREAD * OWN_ROOM, residual + THREAD * ELEMENT, BLOCK, places + 2);
    }
  }
}

FUNCTION void end_blocks(const int update, LOCAL const scalar *own, LOCAL const scalar *left, GLOBAL scalar *residual,
                         GLOBAL scalar *next)
{
  BULK_WRITTEN;
  BARRIER;
  if (THREAD < BATCH) {
    bulk_out(next + THREAD * ELEMENT, own + THREAD * OWN_ROOM, BLOCK);
    if (update) bulk_out(residual + THREAD * ELEMENT, left + THREAD * OWN_ROOM, BLOCK);
    bulk_finish();
  }
}
#endif

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, STAGE_PARAMETERS)
{
  const INDEX slot = (first + item) * ELEMENT;
  GLOBAL const scalar *shape = geometry + item * DIM * DIM;
  GLOBAL const int *material_of = (GLOBAL const int *)material_face + item, *around = neighbour + item * FACES * 2;
  GLOBAL const scalar *media = ADJUSTED ? material_face + item * MEDIA * MATERIALS : material;
  LOCAL scalar *own = memory, *jump = own + BATCH * OWN_ROOM, *unit = jump + BATCH * JUMP_ROOM,
               *rates = BULK ? unit + BATCH * NORMAL_ROOM : jump, *places = unit + BATCH * (NORMAL_ROOM + (BULK ? OWN_ROOM : 0)),
               *scratch = places + (BULK ? 4 : 0);
  const int warp = THREAD / 32, octet = warp / TILE_WARPS, tile = warp % TILE_WARPS * TILES, e = octet * 8 + THREAD % 32 / 4;
  real sum[TILES * PAIRS * 4], g[DIM * DIM], m[MATERIALS];
#if BULK
  begin_blocks(update, q + slot, residual + slot, own, rates, places);
#endif
  begin_batch(update, q, slot, residual, shape, around, tables, own, jump, unit);
  clear_rest(own, OWN_ROOM, NODES, VOLUME_STEPS);
  load_inside(media, material_of, e, m);
  Fragment volume_parts[PRELOAD ? TILES * VOLUME_STEPS * DIM : 1], lift_parts[PRELOAD ? TILES * TRACE_STEPS : 1];
#if PRELOAD
  load_volume_parts(matrix, tile, volume_parts);
#endif
#if FUSED
  const int face = THREAD % 4 < FACES ? THREAD % 4 : 0;
  const int slot_of_lane = around[(e * FACES + face) * 2], word_of_lane = around[(e * FACES + face) * 2 + 1];
  real far[AHEAD * FRAGMENT_STEPS * FIELDS];
  UNROLL for (int step = 0; step < AHEAD; ++step)
    load_far(q, around, tables, e, slot_of_lane, word_of_lane, step, far + step * FRAGMENT_STEPS * FIELDS);
  COPY_WAIT(0);
#else
  clear_rest(jump, JUMP_ROOM, TRACE, TRACE_STEPS);
  COPY_WAIT(1);
#endif
  BARRIER;
#if BULK
  bulk_wait(places);
#endif
  find_normals(unit);
  UNROLL for (int k = 0; k < DIM * DIM; ++k) g[k] = unit[BATCH * FACES * 4 + e * DIM * DIM + k];
#if FUSED
  BARRIER;
#endif
  UNROLL for (int j = 0; j < TILES; ++j)
    FOR_WARPS(tile + j < NODE_TILES)
      volume_tile(own + e * OWN_ROOM, g, m, matrix, volume_parts + (PRELOAD ? j * VOLUME_STEPS * DIM : 0),
                  tile + j < NODE_TILES ? tile + j : NODE_TILES - 1, scratch, sum + j * PAIRS * 4);
#if FUSED
  lift_fused(q, own, unit, m, media, around, tables, matrix, e, slot_of_lane, word_of_lane, far, scratch, sum);
#else
#if PRELOAD
  load_lift_parts(matrix, tile, lift_parts);
#endif
  COPY_WAIT(0);
  BARRIER;
  make_jumps(own, unit, media, material_of, around, tables, jump);
  BARRIER;
  lift_tiles(jump + e * JUMP_ROOM, matrix, lift_parts, tile, scratch, sum);
#endif
#if ADJUSTED
  real moved[TILES * MOVING_PAIRS * 4];
  BARRIER;
  store_balance(source + slot + e * ELEMENT, tile, sum, jump + e * JUMP_ROOM);
  clear_balance(jump);
  BARRIER;
  weigh_points(own + e * OWN_ROOM, jump + e * JUMP_ROOM, material + (item + e) * POINTS * WEIGHTS, matrix, warp % TILE_WARPS,
               jump + e * JUMP_ROOM + BALANCE_ROOM, scratch);
  BARRIER;
  project_points(jump + e * JUMP_ROOM + BALANCE_ROOM, matrix, tile, scratch, moved);
#else
  real moved[1];
#endif
#if BULK
  if (update) bulk_wait(places + 2);
#endif
#if FUSED || !BULK || ADJUSTED
  BARRIER;  // others may still read what is written now
#endif
  end_tiles(update, sum, moved, own + e * OWN_ROOM, m, source + slot + e * ELEMENT, tile, rates + e * RATE_ROOM, a, b, dt);
#if BULK
  end_blocks(update, own, rates, residual + slot, next + slot);
#else
  BARRIER;
  update_batch(update, own, rates, residual + slot, next + slot, a, b, dt);
#endif
}
