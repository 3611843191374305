// SPDX-License-Identifier: Apache-2.0
// Straight simplices with one material each and a linear model, by matrix (tensor) cores: the method of simt_simplex.h.
// Elements come in octets. The 16 rows of a product are 8 elements x 2 fields, its 8 columns are nodes: lane l holds
// nodes 2 (l % 4) and 2 (l % 4) + 1 of a tile for all fields of element l / 4, so that the flux of the slopes needs no
// exchange. A warp has TILES tiles of nodes. [-D | LIFT] lies as fragments, [tile][step][axis][lane]. The traces behind
// the faces arrive while the volume is computed; the rates pass through shared memory so that the update moves whole lines.
// Constants: OCTETS, TILES, AXES (slopes kept at once), OWN_WORDS and JUMP_ROOM (words of an element in shared memory).

#define PAIRS ((FIELDS + 1) / 2)
#define ROOM (2 * PAIRS)
#define STEP (4 * FRAGMENT_STEPS)
#define VOLUME_STEPS ((NODES + STEP - 1) / STEP)
#define TRACE_STEPS ((TRACE + STEP - 1) / STEP)
#define NODE_TILES ((NODES + 7) / 8)
#define TILE_WARPS ((NODE_TILES + TILES - 1) / TILES)
#define LIFT_FRAGMENTS (NODE_TILES * VOLUME_STEPS * DIM * FRAGMENT_STEPS * 32)
#define MASS_MATRIX (LIFT_FRAGMENTS + NODE_TILES * TRACE_STEPS * FRAGMENT_STEPS * 32)
#define NORMAL_ROOM (FACES * 4)
#define WHOLE (FIELDS == ROOM)

// Place of scalar i of an element, [node][field], in shared memory.
FUNCTION int place_of(int i) { return WHOLE ? i : i / FIELDS * ROOM + i % FIELDS; }

FUNCTION void copy_own(GLOBAL const scalar *from, LOCAL scalar *own)
{
#if WHOLE
  for (int i = THREAD; i < BATCH * ELEMENT / 2; i += THREADS) {
    const int e = i / (ELEMENT / 2), k = i - e * (ELEMENT / 2);
    copy_pair((LOCAL scalar2 *)(own + e * OWN_WORDS) + k, (GLOBAL const scalar2 *)from + i);
  }
#else
  for (int i = THREAD; i < BATCH * ELEMENT; i += THREADS) {
    const int e = i / ELEMENT;
    copy_scalar(own + e * OWN_WORDS + place_of(i - e * ELEMENT), from + i);
  }
#endif
}

FUNCTION void copy_behind(GLOBAL const scalar *q, GLOBAL const int *neighbour, GLOBAL const int *tables, LOCAL scalar *jump)
{
  for (int i = THREAD; i < BATCH * TRACE; i += THREADS) {
    const int e = i / TRACE, at = i - e * TRACE, face = at / FACE_NODES, j = at - face * FACE_NODES;
    const int slot = neighbour[(e * FACES + face) * 2], word = neighbour[(e * FACES + face) * 2 + 1];
    GLOBAL const scalar *from = q + (INDEX)slot * ELEMENT + tables[TRACE + code_of(word) * FACE_NODES + j];
    LOCAL scalar *to = jump + e * JUMP_ROOM + at * ROOM;
#if WHOLE
    UNROLL for (int k = 0; k < PAIRS; ++k) copy_pair((LOCAL scalar2 *)to + k, (GLOBAL const scalar2 *)from + k);
#else
    UNROLL for (int k = 0; k < FIELDS; ++k) copy_scalar(to + k, from + k);
#endif
  }
}

// Zero where a step reaches beyond the last node: the matrix is zero there, but zero times what is not finite is not.
FUNCTION void clear_rest(LOCAL scalar *values, int room, int used, int steps)
{
  const int rest = steps * STEP * ROOM - used * ROOM;
  for (int i = THREAD; i < BATCH * rest; i += THREADS) values[i / rest * room + used * ROOM + i % rest] = 0.0;
}

FUNCTION void find_normals(GLOBAL const scalar *geometry, LOCAL scalar *normals)
{
  for (int i = THREAD; i < BATCH * FACES; i += THREADS) {
    real scaled[DIM], n[DIM];
    straight_normal(geometry + i / FACES * DIM * DIM, i % FACES, scaled);
    normals[i * 4 + 3] = unit_normal(scaled, n);
    UNROLL for (int d = 0; d < DIM; ++d) normals[i * 4 + d] = n[d];
  }
}

// One step's rows for the fields 2 pair and 2 pair + 1 of this lane's element.
FUNCTION void load_rows(LOCAL const scalar *values, int step, int pair, Fragment *low, Fragment *high)
{
  scalar x[FRAGMENT_STEPS], y[FRAGMENT_STEPS];
  UNROLL for (int s = 0; s < FRAGMENT_STEPS; ++s) {
    const scalar2 both = *(LOCAL const scalar2 *)(values + (step * STEP + 4 * s + THREAD % 4) * ROOM + 2 * pair);
    x[s] = both.x;
    y[s] = both.y;
  }
  prepare_fragment(x, low);
  prepare_fragment(y, high);
}

FUNCTION void load_entries(GLOBAL const scalar *from, scalar *out)
{
  UNROLL for (int s = 0; s < FRAGMENT_STEPS; ++s) out[s] = from[s * 32 + THREAD % 32];
}

// sum[pair][4] of one tile: the flux of the slopes along the axes.
FUNCTION void volume_tile(LOCAL const scalar *own, const real *g, const real *m, GLOBAL const scalar *matrix, int tile,
                          LOCAL scalar *scratch, real *sum)
{
  UNROLL for (int i = 0; i < PAIRS * 4; ++i) sum[i] = 0.0;
  UNROLL for (int first = 0; first < DIM; first += AXES) {
    real slope[AXES * PAIRS * 4];
    scalar next[AXES * FRAGMENT_STEPS];
    GLOBAL const scalar *fragment = matrix + (tile * VOLUME_STEPS * DIM + first) * FRAGMENT_STEPS * 32;
    UNROLL for (int i = 0; i < AXES * PAIRS * 4; ++i) slope[i] = 0.0;
    UNROLL for (int d = 0; d < AXES; ++d) load_entries(fragment + d * FRAGMENT_STEPS * 32, next + d * FRAGMENT_STEPS);
    ROLL for (int step = 0; step < VOLUME_STEPS; ++step) {
      Fragment b[AXES];
      UNROLL for (int d = 0; d < AXES; ++d) prepare_fragment(next + d * FRAGMENT_STEPS, b + d);
      if (step + 1 < VOLUME_STEPS)
        UNROLL for (int d = 0; d < AXES; ++d)
          load_entries(fragment + ((step + 1) * DIM + d) * FRAGMENT_STEPS * 32, next + d * FRAGMENT_STEPS);
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

// The state behind each face node, in `jump`, makes way for scale * (F(q).n - F*).
FUNCTION void make_jumps(LOCAL const scalar *own, LOCAL const scalar *normals, GLOBAL const scalar *material,
                         GLOBAL const int *material_of, GLOBAL const int *neighbour, GLOBAL const int *tables, LOCAL scalar *jump)
{
  for (int i = THREAD; i < BATCH * TRACE; i += THREADS) {
    const int e = i / TRACE, at = i - e * TRACE, face = at / FACE_NODES;
    LOCAL scalar *here = jump + e * JUMP_ROOM + at * ROOM;
    LOCAL const scalar *before = own + e * OWN_WORDS + tables[at] * ROOM, *normal = normals + (e * FACES + face) * 4;
    real ql[ROOM], qr[ROOM], ml[MATERIALS], mr[MATERIALS], n[DIM], star[FIELDS], flow[FIELDS];
    UNROLL for (int p = 0; p < PAIRS; ++p) {
      const scalar2 left = ((LOCAL const scalar2 *)before)[p], right = ((LOCAL const scalar2 *)here)[p];
      ql[2 * p] = left.x;
      ql[2 * p + 1] = left.y;
      qr[2 * p] = right.x;
      qr[2 * p + 1] = right.y;
    }
    UNROLL for (int d = 0; d < DIM; ++d) n[d] = normal[d];
    const real scale = normal[3];
#if HOMOGENEOUS
    constant_material(ml);
    constant_material(mr);
#else
    load_material(material, material_of[e], ml);
    load_material(material, material_row(neighbour[(e * FACES + face) * 2 + 1]), mr);
#endif
    numerical_flux(ql, ml, qr, mr, n, star);
    flux(ql, ml, n, flow);
    real out[ROOM];
    out[ROOM - 1] = 0.0;
    UNROLL for (int k = 0; k < FIELDS; ++k) out[k] = scale * (flow[k] - star[k]);
    UNROLL for (int p = 0; p < PAIRS; ++p) ((LOCAL scalar2 *)here)[p] = pair_of(out[2 * p], out[2 * p + 1]);
  }
}

// sum[tile][pair][4] += LIFT jump for the warp's tiles, which share the rows.
FUNCTION void lift_tiles(LOCAL const scalar *jump, GLOBAL const scalar *matrix, int first, LOCAL scalar *scratch, real *sum)
{
  scalar next[TILES * FRAGMENT_STEPS];
  GLOBAL const scalar *fragment[TILES];
  UNROLL for (int j = 0; j < TILES; ++j) {
    const int tile = first + j < NODE_TILES ? first + j : NODE_TILES - 1;
    fragment[j] = matrix + LIFT_FRAGMENTS + tile * TRACE_STEPS * FRAGMENT_STEPS * 32;
    load_entries(fragment[j], next + j * FRAGMENT_STEPS);
  }
  ROLL for (int step = 0; step < TRACE_STEPS; ++step) {
    Fragment b[TILES];
    UNROLL for (int j = 0; j < TILES; ++j) prepare_fragment(next + j * FRAGMENT_STEPS, b + j);
    if (step + 1 < TRACE_STEPS)
      UNROLL for (int j = 0; j < TILES; ++j)
        load_entries(fragment[j] + (step + 1) * FRAGMENT_STEPS * 32, next + j * FRAGMENT_STEPS);
    UNROLL for (int p = 0; p < PAIRS; ++p) {
      Fragment low, high;
      load_rows(jump, step, p, &low, &high);
      UNROLL for (int j = 0; j < TILES; ++j) matrix_step(sum + (j * PAIRS + p) * 4, &low, &high, b + j, scratch);
    }
  }
}

// Rates of the warp's nodes to shared memory, [node][field].
FUNCTION void stage_rates(const real *sum, LOCAL const scalar *own, const real *m, GLOBAL const scalar *source, int first,
                          LOCAL scalar *rates)
{
  UNROLL for (int j = 0; j < TILES; ++j)
    UNROLL for (int k = 0; k < 2; ++k) {
      const int node = (first + j) * 8 + 2 * (THREAD % 4) + k;
      if (node < NODES) {
        real total[FIELDS], old[FIELDS], out[ROOM];
        UNROLL for (int i = 0; i < FIELDS; ++i) total[i] = sum[(j * PAIRS + i / 2) * 4 + i % 2 * 2 + k];
        UNROLL for (int i = 0; i < FIELDS; ++i) old[i] = own[node * ROOM + i];
#if HAS_SOURCE
        UNROLL for (int i = 0; i < FIELDS; ++i) total[i] += source[node * FIELDS + i];
#endif
        out[ROOM - 1] = 0.0;
        balance_to_rate(m, old, total, out);
        UNROLL for (int p = 0; p < PAIRS; ++p)
          ((LOCAL scalar2 *)(rates + node * ROOM))[p] = pair_of(out[2 * p], out[2 * p + 1]);
      }
    }
}

FUNCTION void update_batch(const int update, LOCAL const scalar *own, LOCAL const scalar *rates, GLOBAL scalar *residual,
                           GLOBAL scalar *next, scalar a, scalar b, scalar dt)
{
#if WHOLE
  GLOBAL scalar2 *left = (GLOBAL scalar2 *)residual, *to = (GLOBAL scalar2 *)next;
  UNROLL_UPDATE for (int i = THREAD; i < BATCH * ELEMENT / 2; i += THREADS) {
    const int e = i / (ELEMENT / 2), k = i - e * (ELEMENT / 2);
    const scalar2 rate = ((LOCAL const scalar2 *)(rates + e * JUMP_ROOM))[k];
    if (update) {
      const scalar2 q = ((LOCAL const scalar2 *)(own + e * OWN_WORDS))[k], old = left[i];
      const scalar2 r = pair_of(a * old.x + dt * rate.x, a * old.y + dt * rate.y);
      left[i] = r;
      to[i] = pair_of(q.x + b * r.x, q.y + b * r.y);
    } else {
      to[i] = rate;
    }
  }
#else
  UNROLL_UPDATE for (int i = THREAD; i < BATCH * ELEMENT; i += THREADS) {
    const int e = i / ELEMENT, k = place_of(i - e * ELEMENT);
    update_scalar(update, rates[e * JUMP_ROOM + k], own[e * OWN_WORDS + k], residual + i, next + i, a, b, dt);
  }
#endif
}

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, GLOBAL const scalar *q, GLOBAL scalar *next,
                       GLOBAL scalar *residual, GLOBAL const scalar *geometry, GLOBAL const scalar *normals,
                       GLOBAL const scalar *material, GLOBAL const scalar *material_face, GLOBAL const int *neighbour,
                       GLOBAL const scalar *matrix, GLOBAL const int *tables, GLOBAL const scalar *source, const INDEX first,
                       const scalar a, const scalar b, const scalar dt)
{
  const INDEX slot = (first + item) * ELEMENT;
  GLOBAL const scalar *shape = geometry + item * DIM * DIM;
  GLOBAL const int *material_of = (GLOBAL const int *)material_face + item, *around = neighbour + item * FACES * 2;
  LOCAL scalar *own = memory, *jump = own + BATCH * OWN_WORDS, *unit = jump + BATCH * JUMP_ROOM,
               *scratch = unit + BATCH * NORMAL_ROOM;
  const int warp = THREAD / 32, octet = warp / TILE_WARPS, tile = warp % TILE_WARPS * TILES, e = octet * 8 + THREAD % 32 / 4;
  real sum[TILES * PAIRS * 4], g[DIM * DIM], m[MATERIALS];
  copy_own(q + slot, own);
  COPY_CLOSE;
  copy_behind(q, around, tables, jump);
  COPY_CLOSE;
  if (update)
    for (int i = THREAD * 128; i < BATCH * ELEMENT * (int)sizeof(scalar); i += THREADS * 128)
      ask_for((GLOBAL const char *)(residual + slot) + i);
  clear_rest(own, OWN_WORDS, NODES, VOLUME_STEPS);
  clear_rest(jump, JUMP_ROOM, TRACE, TRACE_STEPS);
  find_normals(shape, unit);
  UNROLL for (int k = 0; k < DIM * DIM; ++k) g[k] = shape[e * DIM * DIM + k];
  load_material(material, material_of[e], m);
  COPY_WAIT(1);
  BARRIER;
  UNROLL for (int j = 0; j < TILES; ++j)
    FOR_WARPS(tile + j < NODE_TILES)
      volume_tile(own + e * OWN_WORDS, g, m, matrix, tile + j < NODE_TILES ? tile + j : NODE_TILES - 1, scratch, sum + j * PAIRS * 4);
  COPY_WAIT(0);
  BARRIER;
  make_jumps(own, unit, material, material_of, around, tables, jump);
  BARRIER;
  lift_tiles(jump + e * JUMP_ROOM, matrix, tile, scratch, sum);
  BARRIER;
  stage_rates(sum, own + e * OWN_WORDS, m, source + slot + e * ELEMENT, tile, jump + e * JUMP_ROOM);
  BARRIER;
  update_batch(update, own, jump, residual + slot, next + slot, a, b, dt);
}
