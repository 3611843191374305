// SPDX-License-Identifier: Apache-2.0
// Simplices, prisms and pyramids that are not affine, or whose material varies inside them, on GPUs: the method and the arrays of
// quadrature.h, taken CHUNK points at a time so that any order fits into shared memory. Matrices lie [column][row].

#define TERMS (DIM * POINTS + TRACE_POINTS)
#define TRACE_POINTS (FACES * FACE_POINTS)
#define FACE_MATRIX (POINTS * NODES)
#define WEAK_MATRIX (FACE_MATRIX + SIDES * FACE_POINTS * FACE_NODES)
#define PROJECTION (WEAK_MATRIX + NODES * TERMS)
#define SLOPES (PROJECTION + NODES * POINTS + (MASS_ROWS ? (POINTS + NODES) * NODES : 0))
#define POINT_GEOMETRY (CURVED ? DIM * DIM + 1 : 0)
#define GEOMETRY (CURVED ? POINTS * POINT_GEOMETRY + NODES * MASS_ROWS : DIM * DIM)
#define BLOCK_VALUES (PROJECTION + NODES * POINTS)
#define BLOCK_NODES (BLOCK_VALUES + POINTS * NODES)

// Values of an element at a volume point.
FUNCTION void at_point(LOCAL const scalar *values, GLOBAL const scalar *to_points, int point, real *out)
{
  UNROLL for (int f = 0; f < FIELDS; ++f) out[f] = 0.0;
  for (int k = 0; k < NODES; ++k) {
    const real entry = to_points[k * POINTS + point];
    UNROLL for (int f = 0; f < FIELDS; ++f) out[f] += entry * values[k * FIELDS + f];
  }
}

// sum[element][node] += columns of a matrix times terms[element][column], with room for `room` columns.
FUNCTION void add_product(GLOBAL const scalar *columns, int count, LOCAL const scalar *terms, int room, LOCAL scalar *sum)
{
  for (int i = THREAD; i < BATCH * NODES; i += THREADS) {
    const int e = i / NODES, n = i - e * NODES;
    real total[FIELDS];
    UNROLL for (int f = 0; f < FIELDS; ++f) total[f] = sum[i * FIELDS + f];
    for (int c = 0; c < count; ++c) {
      const real entry = columns[c * NODES + n];
      UNROLL for (int f = 0; f < FIELDS; ++f) total[f] += entry * terms[(e * room + c) * FIELDS + f];
    }
    UNROLL for (int f = 0; f < FIELDS; ++f) sum[i * FIELDS + f] = total[f];
  }
}

FUNCTION void volume_part(LOCAL const scalar *own, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                          GLOBAL const scalar *matrix, LOCAL scalar *terms, LOCAL scalar *sum)
{
  for (int start = 0; start < POINTS; start += CHUNK) {
    const int count = POINTS - start < CHUNK ? POINTS - start : CHUNK;
    for (int i = THREAD; i < BATCH * count; i += THREADS) {
      const int e = i / count, c = i - e * count, at = start + c;
      real q[FIELDS], m[MATERIALS];
      at_point(own + e * ELEMENT, matrix, at, q);
      UNROLL for (int k = 0; k < MATERIALS; ++k) m[k] = material[((INDEX)e * POINTS + at) * MATERIALS + k];
      UNROLL for (int d = 0; d < DIM; ++d) {
        real g[DIM], f[FIELDS];
        UNROLL for (int axis = 0; axis < DIM; ++axis) g[axis] = geometry[e * GEOMETRY + at * POINT_GEOMETRY + d * DIM + axis];
        flux(q, m, g, f);
        UNROLL for (int k = 0; k < FIELDS; ++k) terms[((e * DIM + d) * CHUNK + c) * FIELDS + k] = SPLIT ? (scalar)0.5 * f[k] : f[k];
      }
    }
    BARRIER;
    for (int d = 0; d < DIM; ++d)
      add_product(matrix + WEAK_MATRIX + (d * POINTS + start) * NODES, count, terms + d * CHUNK * FIELDS, DIM * CHUNK, sum);
    BARRIER;
#if SPLIT
    // Half of div F at the points, back to the nodes.
    for (int i = THREAD; i < BATCH * count; i += THREADS) {
      const int e = i / count, c = i - e * count, at = start + c;
      real total[FIELDS], m[MATERIALS];
      UNROLL for (int k = 0; k < MATERIALS; ++k) m[k] = material[((INDEX)e * POINTS + at) * MATERIALS + k];
      UNROLL for (int k = 0; k < FIELDS; ++k) total[k] = 0.0;
      for (int d = 0; d < DIM; ++d) {
        real slope[FIELDS], g[DIM], f[FIELDS];
        at_point(own + e * ELEMENT, matrix + SLOPES + d * POINTS * NODES, at, slope);
        UNROLL for (int axis = 0; axis < DIM; ++axis) g[axis] = geometry[e * GEOMETRY + at * POINT_GEOMETRY + d * DIM + axis];
        flux(slope, m, g, f);
        UNROLL for (int k = 0; k < FIELDS; ++k) total[k] -= 0.5 * f[k];
      }
      UNROLL for (int k = 0; k < FIELDS; ++k) terms[(e * DIM * CHUNK + c) * FIELDS + k] = total[k];
    }
    BARRIER;
    add_product(matrix + PROJECTION + start * NODES, count, terms, DIM * CHUNK, sum);
    BARRIER;
#endif
  }
}

FUNCTION void surface_part(GLOBAL const scalar *all, LOCAL const scalar *own, GLOBAL const scalar *geometry,
                           GLOBAL const scalar *normals, GLOBAL const scalar *material_face, GLOBAL const int *neighbour,
                           GLOBAL const int *tables, GLOBAL const scalar *matrix, LOCAL scalar *terms, LOCAL scalar *sum)
{
  GLOBAL const scalar *to_points = matrix + FACE_MATRIX;
  for (int start = 0; start < TRACE_POINTS; start += DIM * CHUNK) {
    const int count = TRACE_POINTS - start < DIM * CHUNK ? TRACE_POINTS - start : DIM * CHUNK;
    for (int i = THREAD; i < BATCH * count; i += THREADS) {
      const int e = i / count, c = i - e * count, at = start + c, face = at / FACE_POINTS, point = at - face * FACE_POINTS;
      const int slot = neighbour[(e * FACES + face) * 2], word = neighbour[(e * FACES + face) * 2 + 1];
      GLOBAL const scalar *behind = all + (INDEX)slot * BEHIND;
      const int code = code_of(word);
      GLOBAL const int *near = tables + face * FACE_NODES, *far = tables + TRACE + code * CODE_NODES;
      real ql[FIELDS], qr[FIELDS], ml[MATERIALS], mr[MATERIALS], scaled[DIM], n[DIM], star[FIELDS];
      UNROLL for (int f = 0; f < FIELDS; ++f) ql[f] = qr[f] = 0.0;
      for (int j = 0; j < FACE_NODES; ++j) {
#if SIDES > 1
        const real entry = to_points[(face_side[0][face] * FACE_NODES + j) * FACE_POINTS + point];
#else
        const real entry = to_points[j * FACE_POINTS + point];
#endif
        UNROLL for (int f = 0; f < FIELDS; ++f) {
          ql[f] += entry * own[e * ELEMENT + near[j] * FIELDS + f];
          qr[f] += entry * behind[far[j] + f];
        }
      }
      if (code == POINT_CODE)
        UNROLL for (int f = 0; f < FIELDS; ++f) qr[f] = behind[point * FIELDS + f];
#if CURVED
      UNROLL for (int d = 0; d < DIM; ++d) scaled[d] = normals[((INDEX)e * TRACE_POINTS + at) * DIM + d];
#else
      straight_normal(geometry + e * DIM * DIM, face, scaled);
#endif
      const real scale = unit_normal(scaled, n);
      UNROLL for (int k = 0; k < MATERIALS; ++k) {
        ml[k] = material_face[((INDEX)e * TRACE_POINTS + at) * 2 * MATERIALS + k];
        mr[k] = material_face[(((INDEX)e * TRACE_POINTS + at) * 2 + 1) * MATERIALS + k];
      }
      numerical_flux(ql, ml, qr, mr, n, star);
#if SPLIT
      real half[FIELDS];
      flux(ql, ml, n, half);
      UNROLL for (int f = 0; f < FIELDS; ++f) star[f] -= 0.5 * half[f];
#endif
      UNROLL for (int f = 0; f < FIELDS; ++f) terms[(e * DIM * CHUNK + c) * FIELDS + f] = scale * star[f];
    }
    BARRIER;
    add_product(matrix + WEAK_MATRIX + (DIM * POINTS + start) * NODES, count, terms, DIM * CHUNK, sum);
    BARRIER;
  }
}

#if MASS_ROWS
// out = inverse blocks of the mass times what functions were tested with.
FUNCTION void solve_mass(GLOBAL const scalar *geometry, LOCAL const scalar *tested, LOCAL scalar *out)
{
  for (int i = THREAD; i < BATCH * NODES; i += THREADS) {
    const int e = i / NODES, n = i - e * NODES, first = n / MASS_ROWS * MASS_ROWS;
    GLOBAL const scalar *row = geometry + e * GEOMETRY + POINTS * POINT_GEOMETRY + n * MASS_ROWS;
    real total[FIELDS];
    UNROLL for (int f = 0; f < FIELDS; ++f) total[f] = 0.0;
    for (int c = 0; c < MASS_ROWS; ++c) {
      const real entry = row[c];
      UNROLL for (int f = 0; f < FIELDS; ++f) total[f] += entry * tested[(e * NODES + first + c) * FIELDS + f];
    }
    UNROLL for (int f = 0; f < FIELDS; ++f) out[i * FIELDS + f] = total[f];
  }
}
#endif

// From the weak form's sum to the rate, through the volume points.
FUNCTION void weight_adjust(LOCAL const scalar *own, LOCAL const scalar *sum, GLOBAL const scalar *geometry,
                            GLOBAL const scalar *material, GLOBAL const scalar *source, GLOBAL const scalar *matrix,
                            LOCAL scalar *terms, LOCAL scalar *rates)
{
  for (int start = 0; start < POINTS; start += CHUNK) {
    const int count = POINTS - start < CHUNK ? POINTS - start : CHUNK;
    for (int i = THREAD; i < BATCH * count; i += THREADS) {
      const int e = i / count, c = i - e * count, at = start + c;
      real q[FIELDS], balance[FIELDS], m[MATERIALS], rate[FIELDS];
      at_point(sum + e * ELEMENT, matrix + (MASS_ROWS ? BLOCK_VALUES : 0), at, balance);
      at_point(own + e * ELEMENT, matrix, at, q);
      UNROLL for (int k = 0; k < MATERIALS; ++k) m[k] = material[((INDEX)e * POINTS + at) * MATERIALS + k];
#if CURVED && !MASS_ROWS
      const real inverse = geometry[e * GEOMETRY + at * POINT_GEOMETRY + DIM * DIM];
      UNROLL for (int f = 0; f < FIELDS; ++f) balance[f] *= inverse;
#endif
#if HAS_SOURCE
      for (int k = 0; k < NODES; ++k)
        UNROLL for (int f = 0; f < FIELDS; ++f) balance[f] += matrix[k * POINTS + at] * source[e * ELEMENT + k * FIELDS + f];
#endif
      balance_to_rate(m, q, balance, rate);
#if MASS_ROWS
      const real size = 1.0 / geometry[e * GEOMETRY + at * POINT_GEOMETRY + DIM * DIM];
      UNROLL for (int f = 0; f < FIELDS; ++f) rate[f] *= size;
#endif
      UNROLL for (int f = 0; f < FIELDS; ++f) terms[(e * CHUNK + c) * FIELDS + f] = rate[f];
    }
    BARRIER;
    add_product(matrix + PROJECTION + start * NODES, count, terms, CHUNK, rates);
    BARRIER;
  }
}

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, STAGE_PARAMETERS)
{
  const INDEX slot = (first + item) * ELEMENT;
  GLOBAL const scalar *shape = geometry + item * GEOMETRY, *inside = material + item * POINTS * MATERIALS;
  LOCAL scalar *own = memory, *sum = own + BATCH * ELEMENT, *rates = sum + BATCH * ELEMENT, *terms = rates + BATCH * ELEMENT;
  copy_own(q + slot, own);
  COPY_CLOSE;
  for (int i = THREAD; i < BATCH * ELEMENT; i += THREADS) sum[i] = rates[i] = 0.0;
  COPY_WAIT(0);
  BARRIER;
  volume_part(own, shape, inside, matrix, terms, sum);
  surface_part(q, own, shape, normals + item * TRACE_POINTS * DIM, material_face + item * TRACE_POINTS * 2 * MATERIALS,
               neighbour + item * FACES * 2, tables, matrix, terms, sum);
#if MASS_ROWS
  solve_mass(shape, sum, rates);
  BARRIER;
  for (int i = THREAD; i < BATCH * ELEMENT; i += THREADS) sum[i] = 0.0;
  BARRIER;
  weight_adjust(own, rates, shape, inside, source + slot, matrix, terms, sum);
  solve_mass(shape, sum, rates);
  BARRIER;
  for (int i = THREAD; i < BATCH * ELEMENT; i += THREADS) sum[i] = 0.0;
  BARRIER;
  // From coefficients of the functions to nodes.
  add_product(matrix + BLOCK_NODES, NODES, rates, NODES, sum);
  BARRIER;
  update_batch(update, own, sum, residual + slot, next + slot, a, b, dt);
#else
  weight_adjust(own, sum, shape, inside, source + slot, matrix, terms, rates);
  update_batch(update, own, rates, residual + slot, next + slot, a, b, dt);
#endif
}

// Energy of each element, q . M(x) q / 2 integrated at the volume points.
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out,
                   const INDEX first, const INDEX slot)
{
  SHARED(memory);
  GROUP(item);
  LOCAL scalar *own = memory, *part = memory + BATCH * ELEMENT;
  copy_own(q + (first + item * BATCH) * ELEMENT, own);
  COPY_CLOSE;
  COPY_WAIT(0);
  BARRIER;
  // Each thread adds up some points of one element; how many threads an element has is fixed.
  for (int i = THREAD; i < BATCH * PARTS; i += THREADS) {
    const int e = i / PARTS;
    const INDEX element = item * BATCH + e;
    real sum = 0.0;
    for (int at = i - e * PARTS; at < POINTS; at += PARTS) {
      real values[FIELDS], moment[FIELDS], m[MATERIALS], density = 0.0;
      at_point(own + e * ELEMENT, matrix, at, values);
      UNROLL for (int k = 0; k < MATERIALS; ++k) m[k] = material[(element * POINTS + at) * MATERIALS + k];
      mass(m, values, moment);
      UNROLL for (int f = 0; f < FIELDS; ++f) density += 0.5 * values[f] * moment[f];
#if CURVED
      sum += point_weight[at] * density / geometry[element * GEOMETRY + at * POINT_GEOMETRY + DIM * DIM];
#else
      real g[DIM * DIM];
      UNROLL for (int k = 0; k < DIM * DIM; ++k) g[k] = geometry[element * GEOMETRY + k];
      sum += point_weight[at] * density / determinant(g);
#endif
    }
    part[i] = sum;
  }
  BARRIER;
  write_sums(part, PARTS, out + slot + item * BATCH);
}
