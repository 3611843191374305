// SPDX-License-Identifier: Apache-2.0
// Shared parts of the operator's kernels on GPUs. A group of threads takes BATCH elements whose state lies
// [element][node][field]; the values of a batch pass through shared memory. Plain C: OpenCL compiles it too. Arrays:
// neighbour[element][face][slot, code + 256 * material behind]; tables: face_node[face][i], then neighbour_node[code][i] in
// units of scalars of the neighbour's element. Where a group's material does not vary inside its elements: material[row][i] and
// material_face[element] = own row (integers); HOMOGENEOUS: there is one row, and its values are constants of the kernel
// source. ADJUSTED: material_face[element][face][side][i] with [i] of the element behind its faces, and material holds the
// weights of simt_adjusted.h. In shared memory a node has ROOM words; an element has OWN_ROOM words for its own values and
// JUMP_ROOM for its traces. PLANES: pairs of fields lie in planes, [pair][node], so that neighbouring nodes meet in no bank; with ROW_PAD,
// neighbouring rows of an even number of nodes do not either; JUMP_PAD does so for traces. WIDE and TRACE_WIDE scalars are
// copied at once. PAST: the residual, which no neighbour reads, leaves no trace in caches. With TEAMS a warp copies WARP_TEAMS
// traces at once, each by TEAM_THREADS threads.

#define JOIN_WORDS(a, b) a##b
#define JOIN(a, b) JOIN_WORDS(a, b)
#define COPY_OWN JOIN(copy_, WIDE)
#if CACHED
#define COPY_TRACE JOIN(copy_cached_, TRACE_WIDE)
#else
#define COPY_TRACE JOIN(copy_, TRACE_WIDE)
#endif

#if WIDE == 4
typedef scalar4 wide;
FUNCTION wide wide_sum(scalar a, wide x, scalar b, wide y)
{
  x.x = a * x.x + b * y.x;
  x.y = a * x.y + b * y.y;
  x.z = a * x.z + b * y.z;
  x.w = a * x.w + b * y.w;
  return x;
}
#elif WIDE == 2
typedef scalar2 wide;
FUNCTION wide wide_sum(scalar a, wide x, scalar b, wide y) { return pair_of(a * x.x + b * y.x, a * x.y + b * y.y); }
#else
typedef scalar wide;
FUNCTION wide wide_sum(scalar a, wide x, scalar b, wide y) { return a * x + b * y; }
#endif

#define ELEMENT (NODES * FIELDS)
#define BEHIND (BEHIND_NODES * FIELDS)  // of an address of what is behind a face
#define TRACE (FACES * FACE_NODES)
// Unit normals and scales; behind those of the batch, its geometry. The next array begins at 16 bytes.
#define NORMAL_ROOM (FACES * 4 + (DIM * DIM + 3) / 4 * 4)
#define ROUNDS(items) (((items) + THREADS - 1) / THREADS)

// Places of fields in shared memory, among an element's own values (or rates) and among its traces.
#if PLANES
#if ROW_PAD
#define PLANE_NODES (NODES + NODES / LINE)
#define PLANE_NODE(node) ((node) + (node) / LINE)
#else
#define PLANE_NODES NODES
#define PLANE_NODE(node) (node)
#endif
#if JUMP_PAD
#define TRACE_NODES (TRACE + TRACE / LINE)
#define TRACE_NODE(node) ((node) + (node) / LINE)
#else
#define TRACE_NODES TRACE
#define TRACE_NODE(node) (node)
#endif
FUNCTION int own_place(int node, int field) { return field / 2 * (2 * PLANE_NODES) + PLANE_NODE(node) * 2 + field % 2; }
FUNCTION int jump_place(int node, int field) { return field / 2 * (2 * TRACE_NODES) + TRACE_NODE(node) * 2 + field % 2; }
#define NEXT_OWN (2 * PLANE_NODES)
#define NEXT_JUMP (2 * TRACE_NODES)
#else
FUNCTION int own_place(int node, int field) { return node * ROOM + field; }
FUNCTION int jump_place(int node, int field) { return node * ROOM + field; }
#define NEXT_OWN 2
#define NEXT_JUMP 2
#endif
// The place of scalar i of an element as it lies in global memory.
FUNCTION int scalar_place(int i) { return ROOM == FIELDS && !PLANES ? i : own_place(i / FIELDS, i % FIELDS); }

FUNCTION int code_of(int word) { return word & 255; }
FUNCTION int material_row(int word) { return word >> 8; }

FUNCTION void load_material(GLOBAL const scalar *material, int row, real *m)
{
#if HOMOGENEOUS
  constant_material(m);
#else
  UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = material[(INDEX)row * MATERIALS + i];
#endif
}

// The materials of an element, and of both sides of one of its faces. ADJUSTED: `material` is material_face of the batch.
#define MEDIA (2 * FACES + 1)
FUNCTION void load_inside(GLOBAL const scalar *material, GLOBAL const int *material_of, int e, real *m)
{
#if ADJUSTED
  UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = material[(e * MEDIA + 2 * FACES) * MATERIALS + i];
#else
  load_material(material, material_of[e], m);
#endif
}
FUNCTION void load_sides(GLOBAL const scalar *material, GLOBAL const int *material_of, GLOBAL const int *neighbour, int e, int face,
                         real *ml, real *mr)
{
#if HOMOGENEOUS
  constant_material(ml);
  constant_material(mr);
#elif ADJUSTED
  UNROLL for (int i = 0; i < MATERIALS; ++i) {
    ml[i] = material[(e * MEDIA + 2 * face) * MATERIALS + i];
    mr[i] = material[(e * MEDIA + 2 * face + 1) * MATERIALS + i];
  }
#else
  load_material(material, material_of[e], ml);
  load_material(material, material_row(neighbour[(e * FACES + face) * 2 + 1]), mr);
#endif
}

// Splits a scaled normal into its length and the unit normal.
FUNCTION real unit_normal(const real *scaled, real *n)
{
#if DIM == 1
  real square = scaled[0] * scaled[0];
#else
  real square = scaled[0] * scaled[0] + scaled[1] * scaled[1];
#endif
#if DIM == 3
  square += scaled[2] * scaled[2];
#endif
  const real length = sqrt(square);
  const real inverse = 1.0 / length;
  UNROLL for (int d = 0; d < DIM; ++d) n[d] = scaled[d] * inverse;
  return length;
}

// Scaled outward normal of a face of a straight element from the gradients g[d][axis] of its reference coordinates; its
// length is the ratio of the surface's to the volume's Jacobian.
#if SIMPLEX
#if DIM == 1
#define ALL_AXES(g, axis) g[axis]
#else
#define ALL_AXES(g, axis) (g[axis] + g[DIM + axis] + (DIM == 3 ? g[(DIM - 1) * DIM + axis] : (real)0.0))
#endif
#define NORMAL_AXIS(g, face, axis) (face == 0 ? ALL_AXES(g, axis) : -g[(face > 0 ? face - 1 : 0) * DIM + axis])
#elif SIDES > 1
#define NORMAL_AXIS(g, face, axis) \
  (face_direction[face][0] * g[axis] + face_direction[face][1] * g[DIM + axis] + face_direction[face][2] * g[2 * DIM + axis])
#else
#define NORMAL_AXIS(g, face, axis) (face % 2 == 0 ? -g[face / 2 * DIM + axis] : g[face / 2 * DIM + axis])
#endif
FUNCTION void straight_normal(GLOBAL const scalar *g, int face, real *scaled)
{
  UNROLL for (int axis = 0; axis < DIM; ++axis) scaled[axis] = NORMAL_AXIS(g, face, axis);
}
FUNCTION void near_normal(LOCAL const scalar *g, int face, real *scaled)
{
  UNROLL for (int axis = 0; axis < DIM; ++axis) scaled[axis] = NORMAL_AXIS(g, face, axis);
}

// Begins to copy the batch's own values; neighbouring threads copy neighbouring words.
FUNCTION void copy_own(GLOBAL const scalar *from, LOCAL scalar *own)
{
  UNROLL_UPDATE for (int round = 0; round < ROUNDS(BATCH * ELEMENT / WIDE); ++round) {
    const int i = round * THREADS + THREAD, e = i / (ELEMENT / WIDE), k = (i - e * (ELEMENT / WIDE)) * WIDE;
    if (i < BATCH * ELEMENT / WIDE) COPY_OWN(own + e * OWN_ROOM + scalar_place(k), from + i * WIDE);
  }
}

// Begins to copy what is behind the faces, a face node by each thread; or, with TEAMS, the parts of one node by neighbouring
// threads, then the next node of the face: a warp touches fewer lines of memory, but has more to reckon.
#define NODE_PARTS (FIELDS / TRACE_WIDE)
#define FACE_PARTS (FACE_NODES * NODE_PARTS)
#if TEAMS
FUNCTION void copy_behind(GLOBAL const scalar *q, GLOBAL const int *neighbour, GLOBAL const int *tables, LOCAL scalar *jump)
{
  const int lane_number = THREAD % 32, team = lane_number / TEAM_THREADS, member = lane_number - team * TEAM_THREADS;
  for (int begin = THREAD / 32 * 32; begin < BATCH * FACES; begin += THREADS) {
    // Each lane asks for one face of the warp's next 32 before any of them is used.
    const int last = BATCH * FACES - begin < 32 ? BATCH * FACES - begin : 32, one = begin + (lane_number < last ? lane_number : 0);
    const int slot_of_one = neighbour[one * 2], word_of_one = neighbour[one * 2 + 1];
    UNROLL_UPDATE for (int at = 0; at < last; at += WARP_TEAMS) {
      const int turn = at + team, face = begin + turn;
      const int slot = FROM_LANE(slot_of_one, turn, neighbour[turn < last ? face * 2 : 0]);
      const int code = code_of(FROM_LANE(word_of_one, turn, neighbour[turn < last ? face * 2 + 1 : 0])), e = face / FACES;
      GLOBAL const scalar *from = q + (INDEX)slot * BEHIND;
      GLOBAL const int *far = tables + TRACE + code * CODE_NODES;
      const int trace = (face - e * FACES) * FACE_NODES;
      if (team < WARP_TEAMS && turn < last)
        UNROLL for (int first = 0; first < FACE_PARTS; first += TEAM_THREADS) {
          const int i = first + member, j = i / NODE_PARTS, part = (i - j * NODE_PARTS) * TRACE_WIDE;
          if (i < FACE_PARTS) COPY_TRACE(jump + e * JUMP_ROOM + jump_place(trace + j, part), from + far[j] + part);
        }
    }
  }
}
#else
FUNCTION void copy_behind(GLOBAL const scalar *q, GLOBAL const int *neighbour, GLOBAL const int *tables, LOCAL scalar *jump)
{
  UNROLL_UPDATE for (int round = 0; round < ROUNDS(BATCH * TRACE); ++round) {
    const int turn = round * THREADS + THREAD, i = turn < BATCH * TRACE ? turn : BATCH * TRACE - 1;
    const int e = i / TRACE, at = i - e * TRACE, face = at / FACE_NODES, j = at - face * FACE_NODES;
    const int slot = neighbour[(e * FACES + face) * 2], code = code_of(neighbour[(e * FACES + face) * 2 + 1]);
    GLOBAL const scalar *from = q + (INDEX)slot * BEHIND + tables[TRACE + code * CODE_NODES + j];
    if (turn < BATCH * TRACE)
      UNROLL for (int part = 0; part < FIELDS; part += TRACE_WIDE)
        COPY_TRACE(jump + e * JUMP_ROOM + jump_place(at, part), from + part);
  }
}
#endif

// The unit normal and the scale of every face of straight elements, normals[element][face][4], from their geometry.
FUNCTION void find_normals(LOCAL scalar *normals)
{
  LOCAL const scalar *geometry = normals + BATCH * FACES * 4;
  for (int i = THREAD; i < BATCH * FACES; i += THREADS) {
    real scaled[DIM], n[DIM];
    near_normal(geometry + i / FACES * DIM * DIM, i % FACES, scaled);
    normals[i * 4 + 3] = unit_normal(scaled, n);
    UNROLL for (int d = 0; d < DIM; ++d) normals[i * 4 + d] = n[d];
  }
}

// Begins everything that a batch of straight elements reads: geometry and own values, then what is behind the faces.
FUNCTION void begin_batch(const int update, GLOBAL const scalar *q, INDEX slot, GLOBAL const scalar *residual,
                          GLOBAL const scalar *geometry, GLOBAL const int *neighbour, GLOBAL const int *tables, LOCAL scalar *own,
                          LOCAL scalar *jump, LOCAL scalar *normals)
{
  for (int i = THREAD; i < BATCH * DIM * DIM; i += THREADS) copy_1(normals + BATCH * FACES * 4 + i, geometry + i);
#if !BULK
  copy_own(q + slot, own);
#endif
  COPY_CLOSE;
#if !BULK
  if (update)
    for (int i = THREAD * 128; i < BATCH * ELEMENT * (int)sizeof(scalar); i += THREADS * 128)
      ask_for((GLOBAL const char *)(residual + slot) + i);
#endif
#if !FUSED
  copy_behind(q, neighbour, tables, jump);
  COPY_CLOSE;
#endif
}

// All fields of a node in shared memory; `next` words lie between its pairs.
FUNCTION void load_node(LOCAL const scalar *from, int next, real *q)
{
#if ROOM % 2 == 0
  UNROLL for (int p = 0; p < FIELDS / 2; ++p) {
    const scalar2 both = *(LOCAL const scalar2 *)(from + p * next);
    q[2 * p] = both.x;
    q[2 * p + 1] = both.y;
  }
  if (FIELDS % 2 == 1) q[FIELDS - 1] = from[FIELDS - 1];
#else
  UNROLL for (int i = 0; i < FIELDS; ++i) q[i] = from[i];
#endif
}

FUNCTION void store_node(const real *q, LOCAL scalar *to, int next)
{
#if ROOM % 2 == 0
  UNROLL for (int p = 0; p < FIELDS / 2; ++p) *(LOCAL scalar2 *)(to + p * next) = pair_of(q[2 * p], q[2 * p + 1]);
  if (FIELDS % 2 == 1) to[FIELDS - 1] = q[FIELDS - 1];
#else
  UNROLL for (int i = 0; i < FIELDS; ++i) to[i] = q[i];
#endif
}

FUNCTION void load_own(LOCAL const scalar *own, int node, real *q) { load_node(own + own_place(node, 0), NEXT_OWN, q); }
FUNCTION void load_jump(LOCAL const scalar *jump, int node, real *q) { load_node(jump + jump_place(node, 0), NEXT_JUMP, q); }
FUNCTION void store_rate(const real *q, LOCAL scalar *rates, int node) { store_node(q, rates + own_place(node, 0), NEXT_OWN); }

// The state behind each face node, in `jump`, makes way for scale * (F(q).n - F*).
FUNCTION void make_jumps(LOCAL const scalar *own, LOCAL const scalar *normals, GLOBAL const scalar *material,
                         GLOBAL const int *material_of, GLOBAL const int *neighbour, GLOBAL const int *tables, LOCAL scalar *jump)
{
  for (int i = THREAD; i < BATCH * TRACE; i += THREADS) {
    const int e = i / TRACE, at = i - e * TRACE, face = at / FACE_NODES;
    LOCAL scalar *here = jump + e * JUMP_ROOM + jump_place(at, 0);
    LOCAL const scalar *normal = normals + (e * FACES + face) * 4;
    real ql[FIELDS], qr[FIELDS], ml[MATERIALS], mr[MATERIALS], n[DIM], star[FIELDS], flow[FIELDS];
    load_own(own + e * OWN_ROOM, tables[at], ql);
    load_node(here, NEXT_JUMP, qr);
    UNROLL for (int d = 0; d < DIM; ++d) n[d] = normal[d];
    const real scale = normal[3];
    load_sides(material, material_of, neighbour, e, face, ml, mr);
    numerical_flux(ql, ml, qr, mr, n, star);
    flux(ql, ml, n, flow);
    UNROLL for (int k = 0; k < FIELDS; ++k) flow[k] = scale * (flow[k] - star[k]);
    store_node(flow, here, NEXT_JUMP);
  }
}

// The end of a stage for a batch whose rates lie in shared memory as its own values do, RATE_ROOM words an element.
FUNCTION void update_batch(const int update, LOCAL const scalar *own, LOCAL const scalar *rates, GLOBAL scalar *residual,
                           GLOBAL scalar *next, scalar a, scalar b, scalar dt)
{
  UNROLL_UPDATE for (int round = 0; round < ROUNDS(BATCH * ELEMENT / WIDE); ++round) {
    const int i = round * THREADS + THREAD, e = i / (ELEMENT / WIDE), k = (i - e * (ELEMENT / WIDE)) * WIDE;
    if (i >= BATCH * ELEMENT / WIDE) break;
    LOCAL const wide *q = (LOCAL const wide *)(own + e * OWN_ROOM + scalar_place(k));
    LOCAL const wide *rate = (LOCAL const wide *)(rates + e * RATE_ROOM + scalar_place(k));
    GLOBAL wide *left = (GLOBAL wide *)residual + i, *to = (GLOBAL wide *)next + i;
    wide r = *rate;
    if (update) {
      const wide state = *q;
      r = wide_sum(a, *left, dt, r);
#if PAST
      store_past(left, r);
#else
      *left = r;
#endif
      r = wide_sum(1.0, state, b, r);
    }
    *to = r;
  }
}

// The parameters that the kernels stage and rate pass to elements(), which every kernel source defines.
#define STAGE_PARAMETERS                                                                                                  \
  GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *geometry,                    \
      GLOBAL const scalar *normals, GLOBAL const scalar *material, GLOBAL const scalar *material_face,                    \
      GLOBAL const int *neighbour, GLOBAL const scalar *matrix, GLOBAL const int *tables, GLOBAL const scalar *source,    \
      const INDEX first, const scalar a, const scalar b, const scalar dt

// From what the terms of the equation sum up to, at a node, to the rate of change of the fields.
FUNCTION void balance_to_rate(const real *m, const real *q, real *sum, real *rate)
{
#if HAS_REACTION
  real local[FIELDS];
  reaction(q, m, local);
  UNROLL for (int i = 0; i < FIELDS; ++i) sum[i] += local[i];
#endif
  inverse_mass(m, sum, rate);
}

// The determinant of the gradients of the reference coordinates: 1 / J of a straight element.
FUNCTION real determinant(const real *g)
{
#if DIM == 1
  return g[0];
#elif DIM == 2
  return g[0] * g[3] - g[1] * g[2];
#else
  return g[0] * (g[4] * g[8] - g[5] * g[7]) - g[1] * (g[3] * g[8] - g[5] * g[6]) + g[2] * (g[3] * g[7] - g[4] * g[6]);
#endif
}

// Adds up part[BATCH][rows] over the rows in a fixed order and writes one value for each element.
FUNCTION void write_sums(LOCAL const scalar *part, int rows, GLOBAL scalar *out)
{
  for (int e = THREAD; e < BATCH; e += THREADS) {
    real sum = 0.0;
    for (int i = 0; i < rows; ++i) sum += part[e * rows + i];
    out[e] = sum;
  }
}
