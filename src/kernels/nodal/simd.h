// SPDX-License-Identifier: Apache-2.0
// Shared parts of the operator's SIMD kernels. Lanes are elements: a batch is LANES elements whose values, stored
// [element][node][field], are turned into vectors on the way in and back on the way out. Constants: DIM, FIELDS, MATERIALS,
// NODES, FACES, FACE_NODES, TILE_ROWS, TILE_FIELDS, HAS_REACTION, HAS_SOURCE, STREAM. Tables: face_node[face][i],
// neighbour_node[code][i] (in units of scalars of the neighbour's element). Addresses of neighbours count slots of
// BEHIND_NODES nodes: those of an element, or single nodes where a mesh has elements of several shapes.

#define ELEMENT (NODES * FIELDS)
#define BEHIND (BEHIND_NODES * FIELDS)  // of an address of what is behind a face

// out[row][field] = sum over k of matrix * in[k][field], for ROWS rows and TILE of WIDTH fields, or with ADD added to it; the matrix is
// stored [k][row].
template <int ROWS, int K, bool ADD, int WIDTH = FIELDS, int TILE = TILE_FIELDS>
FUNCTION void multiply_tile(const scalar *RESTRICT matrix, const real *RESTRICT in, real *RESTRICT out)
{
  real sum[ROWS][TILE];
  UNROLL for (int r = 0; r < ROWS; ++r)
    UNROLL for (int c = 0; c < TILE; ++c) sum[r][c] = ADD ? out[r * WIDTH + c] : real{};
#pragma GCC unroll 2
  for (int k = 0; k < K; ++k) {
    real column[TILE];
    UNROLL for (int c = 0; c < TILE; ++c) column[c] = in[k * WIDTH + c];
    UNROLL for (int r = 0; r < ROWS; ++r) {
      const real entry = splat(matrix[k * ROWS + r]);
      UNROLL for (int c = 0; c < TILE; ++c) sum[r][c] += entry * column[c];
    }
  }
  UNROLL for (int r = 0; r < ROWS; ++r)
    UNROLL for (int c = 0; c < TILE; ++c) out[r * WIDTH + c] = sum[r][c];
}

// All fields of ROWS rows.
template <int ROWS, int K, bool ADD = false>
FUNCTION void multiply_rows(const scalar *RESTRICT matrix, const real *RESTRICT in, real *RESTRICT out)
{
  for (int c = 0; c < FIELDS; c += TILE_FIELDS) multiply_tile<ROWS, K, ADD>(matrix, in + c, out + c);
}

// The whole product: the matrix lies in blocks of TILE_ROWS rows, the last one with what is left.
template <int ROWS, int K>
FUNCTION void multiply(const scalar *RESTRICT matrix, const real *RESTRICT in, real *RESTRICT out)
{
  int row = 0;
  for (; row + TILE_ROWS <= ROWS; row += TILE_ROWS)
    multiply_rows<TILE_ROWS, K>(matrix + row * K, in, out + row * FIELDS);
  if constexpr (ROWS % TILE_ROWS != 0) multiply_rows<ROWS % TILE_ROWS, K>(matrix + row * K, in, out + row * FIELDS);
}

// Own values of a batch: q[node][field].
FUNCTION void load_batch(const scalar *from, real *q)
{
  const scalar *lane[LANES];
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = from + l * ELEMENT;
  for (int n = 0; n < NODES; ++n) {
    load_lanes<FIELDS>(lane, q + n * FIELDS);
    UNROLL for (int l = 0; l < LANES; ++l) lane[l] += FIELDS;
  }
}

// Where the values behind face f of each lane's element are.
struct Behind {
  const scalar *element[LANES];
  const int *node[LANES];
};

FUNCTION void look_behind(const scalar *q, const int *neighbour, int face, Behind *behind)
{
  UNROLL for (int l = 0; l < LANES; ++l) {
    behind->element[l] = q + (INDEX)neighbour[(2 * face) * LANES + l] * BEHIND;
    behind->node[l] = neighbour_node[neighbour[(2 * face + 1) * LANES + l]];
  }
}

FUNCTION void load_behind(const Behind *behind, int i, real *q)
{
  const scalar *lane[LANES];
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = behind->element[l] + behind->node[l][i];
  load_lanes<FIELDS>(lane, q);
}

// Asks for what the faces first .. last-1 of the next batch will read from its neighbours.
FUNCTION void prefetch_behind(const scalar *q, const int *neighbour, int first, int last)
{
  for (int i = first; i < last; ++i) {
    const int face = i / LANES, lane = i % LANES;
    const scalar *element = q + (INDEX)neighbour[(2 * face) * LANES + lane] * BEHIND;
    if (ELEMENT * sizeof(scalar) <= 1024) {
      for (int k = 0; k < ELEMENT; k += 64 / (int)sizeof(scalar)) prefetch(element + k);
    } else {
      const int *node = neighbour_node[neighbour[(2 * face + 1) * LANES + lane]];
      for (int k = 0; k < FACE_NODES; ++k) prefetch(element + node[k]);
    }
  }
}

// Asks for rows first .. last-1 (of NODES) of what the next batch will read and update of its own.
FUNCTION void prefetch_own(const scalar *from, const real *residual, int first, int last)
{
  for (int i = first * FIELDS; i < last * FIELDS; ++i) {
    prefetch(from + i * LANES);
    prefetch(residual + i);
  }
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
  for (int d = 0; d < DIM; ++d) n[d] = scaled[d] * inverse;
  return length;
}

// Scaled outward normal of face f of a straight element from the gradients g[d] of its reference coordinates; its length is
// the ratio of the surface's to the volume's Jacobian.
FUNCTION void straight_normal(const real *g, int face, real *scaled)
{
  for (int d = 0; d < DIM; ++d) {
#if SIMPLEX
    real sum = g[d];
#if DIM > 1
    sum += g[DIM + d];
#endif
#if DIM == 3
    sum += g[2 * DIM + d];
#endif
    scaled[d] = face == 0 ? sum : -g[(face - 1) * DIM + d];
#elif SIDES > 1
    scaled[d] = (scalar)face_direction[face][0] * g[d] + (scalar)face_direction[face][1] * g[DIM + d] +
                (scalar)face_direction[face][2] * g[2 * DIM + d];
#else
    scaled[d] = face % 2 == 0 ? -g[(face / 2) * DIM + d] : g[(face / 2) * DIM + d];
#endif
  }
}

// From what the terms of the equation sum up to, at a node, to the rate of change of the fields.
FUNCTION void balance_to_rate(const real *m, const real *q, real *sum, real *rate)
{
#if HAS_REACTION
  real local[FIELDS];
  reaction(q, m, local);
  for (int i = 0; i < FIELDS; ++i) sum[i] += local[i];
#endif
  inverse_mass(m, sum, rate);
}

// The end of a stage at node n of a batch: residual = a residual + dt rate, q_next = q + b residual; or the rate alone.
template <bool STAGE>
FUNCTION void update_node(const real *rate, const real *q, real *RESTRICT residual, scalar *RESTRICT next, int n, scalar a, scalar b,
                          scalar dt)
{
  real out[FIELDS];
  UNROLL for (int i = 0; i < FIELDS; ++i) {
    if (STAGE) {
      const real r = a * residual[i] + dt * rate[i];
      residual[i] = r;
      out[i] = q[i] + b * r;
    } else {
      out[i] = rate[i];
    }
  }
  scalar *lane[LANES];
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = next + l * ELEMENT + n * FIELDS;
  store_lanes<FIELDS>(lane, out);
}

// Sends a finished batch past the caches.
FUNCTION void stream_batch(const scalar *from, scalar *to)
{
  for (int i = 0; i < ELEMENT; ++i) stream_store((real *)to + i, ((const real *)from)[i]);
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
