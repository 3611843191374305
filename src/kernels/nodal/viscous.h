// SPDX-License-Identifier: Apache-2.0
// Shared parts of the viscous terms: the gradients of all fields, then the divergence of the viscous flux (Bassi and Rebay 1997).
//   (g, psi) = (grad q, psi) + <(q* - q) n, psi>,             q* the mean of both sides,
//   (s, phi) = -(F(q, g), grad phi) + <F* . n, phi>,          F* the mean of both sides' F(q, g + penalty (q_r - q_l) n),
// with one rule for both, so that they are adjoint and no energy grows. One source for all devices: on CPUs the SIMD lanes are
// elements and one thread does a batch of them; on GPUs a team of TEAM_THREADS threads has an element in shared memory. SHARE
// deals out a loop among the team, MEET ends it. A gradient is DIM arrays like a state, `plane` scalars apart. Behind boundaries
// lie, in the state, a mirror whose mean with the own value is that of the wall, and in the first plane of the gradient the flux
// through the wall. Constants, besides those of the operator: ROOM (words of a team), GHOST_CODE, ADD_SOURCE.

#if SIMT
#define TEAM LOCAL
#define SHARE(i, count) for (int i = THREAD % TEAM_THREADS; i < (count); i += TEAM_THREADS)
#define MEET BARRIER
#define FOR_TEAMS(element)                                                \
  SHARED(rooms);                                                          \
  GROUP(group_number);                                                    \
  LOCAL real *const room = rooms + THREAD / TEAM_THREADS * ROOM;          \
  const INDEX element = group_number * (THREADS / TEAM_THREADS) + THREAD / TEAM_THREADS;
#define ELEMENT (NODES * FIELDS)
#define BEHIND (BEHIND_NODES * FIELDS)
#define CODE_OF(word) ((word) & 255)

FUNCTION void load_values(GLOBAL const scalar *from, TEAM real *to)
{
  SHARE(i, ELEMENT) to[i] = from[i];
}

FUNCTION void load_trace(GLOBAL const scalar *all, GLOBAL const int *neighbour, int face, int j, real *out)
{
  GLOBAL const scalar *from = all + (INDEX)neighbour[2 * face] * BEHIND + neighbour_node[CODE_OF(neighbour[2 * face + 1])][j];
  for (int k = 0; k < FIELDS; ++k) out[k] = from[k];
}

FUNCTION void store_values(const real *values, int node, GLOBAL scalar *to)
{
  for (int k = 0; k < FIELDS; ++k) to[node * FIELDS + k] = values[k];
}

FUNCTION void load_source(GLOBAL const scalar *from, int node, real *out)
{
  for (int k = 0; k < FIELDS; ++k) out[k] = from[node * FIELDS + k];
}

// 1 where the face is on a boundary.
FUNCTION real at_wall(GLOBAL const int *neighbour, int face) { return CODE_OF(neighbour[2 * face + 1]) >= GHOST_CODE ? 1.0 : 0.0; }

// out[row] = sum over k of matrix[k][row] in[k], all fields.
#define PRODUCT(ROWS, COUNT, matrix, in, out)                                                              \
  do {                                                                                                     \
    SHARE(row_number, ROWS)                                                                                \
    {                                                                                                      \
      real row_sum[FIELDS];                                                                                \
      for (int k = 0; k < FIELDS; ++k) row_sum[k] = 0.0;                                                   \
      for (int term = 0; term < (COUNT); ++term) {                                                         \
        const real entry = (matrix)[(INDEX)term * (ROWS) + row_number];                                    \
        UNROLL for (int k = 0; k < FIELDS; ++k) row_sum[k] += entry * (in)[term * FIELDS + k];             \
      }                                                                                                    \
      for (int k = 0; k < FIELDS; ++k) (out)[row_number * FIELDS + k] = row_sum[k];                        \
    }                                                                                                      \
    MEET;                                                                                                  \
  } while (0)

FUNCTION real normal_length(const real *scaled, real *n)
{
  real square = scaled[0] * scaled[0];
  for (int a = 1; a < DIM; ++a) square += scaled[a] * scaled[a];
  const real length = sqrt(square);
  for (int a = 0; a < DIM; ++a) n[a] = scaled[a] / length;
  return length;
}

#else
#define TEAM
#define SHARE(i, count) for (int i = 0; i < (count); ++i)
#define MEET
#define FOR_TEAMS(element) \
  real room[ROOM];         \
  ITEMS(element)

FUNCTION void load_values(const scalar *from, real *to) { load_batch(from, to); }

FUNCTION void load_trace(const scalar *all, const int *neighbour, int face, int j, real *out)
{
  Behind behind;
  look_behind(all, neighbour, face, &behind);
  load_behind(&behind, j, out);
}

FUNCTION void store_values(const real *values, int node, scalar *to)
{
  scalar *lane[LANES];
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = to + l * ELEMENT + node * FIELDS;
  store_lanes<FIELDS>(lane, values);
}

FUNCTION void load_source(const scalar *from, int node, real *out)
{
  const scalar *lane[LANES];
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = from + l * ELEMENT + node * FIELDS;
  load_lanes<FIELDS>(lane, out);
}

FUNCTION real at_wall(const int *neighbour, int face)
{
  real wall = real{};
  for (int l = 0; l < LANES; ++l) set_lane(wall, l, neighbour[(2 * face + 1) * LANES + l] >= GHOST_CODE ? 1.0 : 0.0);
  return wall;
}

#define PRODUCT(ROWS, COUNT, matrix, in, out) multiply<ROWS, COUNT>(matrix, in, out)

FUNCTION real normal_length(const real *scaled, real *n) { return unit_normal(scaled, n); }
#endif

// Ghost traces at the points of faces (POINT_CODE) take the place of what was interpolated.
#if BY_POINTS
FUNCTION void take_points(GLOBAL const scalar *all, GLOBAL const int *neighbour, int face, const int points, TEAM real *values)
{
#if SIMT
  if (CODE_OF(neighbour[2 * face + 1]) == POINT_CODE) {
    GLOBAL const scalar *from = all + (INDEX)neighbour[2 * face] * BEHIND;
    SHARE(i, points * FIELDS) values[i] = from[i];
  }
#else
  for (int l = 0; l < LANES; ++l) {
    if (neighbour[(2 * face + 1) * LANES + l] != POINT_CODE) continue;
    const scalar *from = all + (INDEX)neighbour[2 * face * LANES + l] * BEHIND;
    for (int i = 0; i < points * FIELDS; ++i) set_lane(values[i], l, from[i]);
  }
#endif
}
#endif

// Material of the element, at one of its points where it varies, and on both sides of a face.
FUNCTION void own_material(GLOBAL const scalar *material, GLOBAL const scalar *material_face, INDEX element, int at, real *m)
{
#if VARYING
  GLOBAL const real *from = (GLOBAL const real *)material + (element * POINTS + at) * MATERIALS;
#elif SIMT
  GLOBAL const real *from = material + (INDEX)((GLOBAL const int *)material_face)[element] * MATERIALS;
#else
  const real *from = (const real *)material + element * MATERIALS;
#endif
  for (int i = 0; i < MATERIALS; ++i) m[i] = from[i];
}

FUNCTION void face_materials(GLOBAL const scalar *material, GLOBAL const scalar *material_face, GLOBAL const int *neighbour,
                             INDEX element, int face, int at, real *ml, real *mr)
{
#if VARYING
  GLOBAL const real *from =
      (GLOBAL const real *)material_face + ((element * FACES + face) * FACE_POINTS + at) * 2 * MATERIALS;
  for (int i = 0; i < MATERIALS; ++i) {
    ml[i] = from[i];
    mr[i] = from[MATERIALS + i];
  }
#else
  own_material(material, material_face, element, 0, ml);
#if SIMT
  GLOBAL const real *from = material + (INDEX)(neighbour[2 * face + 1] >> 8) * MATERIALS;
#else
  const real *from = (const real *)material_face + (element * FACES + face) * MATERIALS;
#endif
  for (int i = 0; i < MATERIALS; ++i) mr[i] = from[i];
#endif
}

// The gradients at a point, dq[field][axis], from planes `stride` words apart.
FUNCTION void load_gradient(TEAM const real *from, const int stride, real *dq)
{
  for (int a = 0; a < DIM; ++a)
    for (int k = 0; k < FIELDS; ++k) dq[k * DIM + a] = from[a * stride + k];
}

// Half of the difference across a face: q* - q.
FUNCTION void half_jump(TEAM const real *own, const real *behind, real *out)
{
  for (int k = 0; k < FIELDS; ++k) out[k] = 0.5 * (behind[k] - own[k]);
}

// F* . n; where `wall` is 1 the flux through the wall, which lies in the first gradients behind it.
FUNCTION void face_flux(const real *ql, real *dl, const real *ml, const real *qr, real *dr, const real *mr, const real *n,
                        const real penalty, const real wall, real *f)
{
  real through[FIELDS], right[FIELDS];
  for (int k = 0; k < FIELDS; ++k) {
    const real jump = penalty * (qr[k] - ql[k]);
    through[k] = dr[k * DIM];
    for (int a = 0; a < DIM; ++a) {
      dl[k * DIM + a] += jump * n[a];
      dr[k * DIM + a] += jump * n[a];
    }
  }
  viscous_flux(ql, dl, ml, n, f);
  viscous_flux(qr, dr, mr, n, right);
  for (int k = 0; k < FIELDS; ++k) f[k] = wall > 0.5 ? through[k] : 0.5 * (f[k] + right[k]);
}

// The divergence at a node joins the source of the stage.
FUNCTION void write_source(const real *values, int node, GLOBAL scalar *source)
{
  real sum[FIELDS];
#if ADD_SOURCE
  load_source(source, node, sum);
  for (int k = 0; k < FIELDS; ++k) sum[k] += values[k];
#else
  for (int k = 0; k < FIELDS; ++k) sum[k] = values[k];
#endif
  store_values(sum, node, source);
}
