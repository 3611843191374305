// SPDX-License-Identifier: Apache-2.0
// What the texts of the operator share where threads are lanes. A group of threads takes BATCH elements whose state lies
// [element][node][field]; the values of a batch pass through shared memory. Plain C: OpenCL compiles it too.
// Arrays: neighbour[element][face][slot, code + 256 * material behind]; tables: face_node[face][i], then
// neighbour_node[code][i] in units of scalars of the neighbour's element. Where a group's material does not vary inside
// its elements: material[row][i] and material_face[element] = own row (integers); HOMOGENEOUS: there is one row, and its
// values are constants of the text.

#define ELEMENT (NODES * FIELDS)
#define TRACE (FACES * FACE_NODES)

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

// Own values of a batch in shared memory: an element has OWN_ROOM words, and LINE_PAD words more stand behind every line of
// LINE nodes, so that lines do not begin in the same bank.
#if SIMPLEX
#define LINE NODES
#endif
#define OWN_ROOM (ELEMENT + NODES / LINE * LINE_PAD)
FUNCTION int own_place(int i) { return i + i / (LINE * FIELDS) * LINE_PAD; }
FUNCTION int own_node(int node) { return node * FIELDS + node / LINE * LINE_PAD; }

// From global to shared memory; neighbouring threads read neighbouring words.
FUNCTION void load_batch(GLOBAL const scalar *from, LOCAL scalar *to)
{
  for (int i = THREAD; i < BATCH * ELEMENT; i += THREADS) {
    const int e = i / ELEMENT;
    to[e * OWN_ROOM + own_place(i - e * ELEMENT)] = from[i];
  }
}

// Splits a scaled normal into its length and the unit normal.
FUNCTION real unit_normal(const real *scaled, real *n)
{
  real square = scaled[0] * scaled[0] + scaled[1] * scaled[1];
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
FUNCTION void straight_normal(GLOBAL const scalar *g, int face, real *scaled)
{
  UNROLL for (int axis = 0; axis < DIM; ++axis) {
#if SIMPLEX
    real sum = g[axis] + g[DIM + axis];
#if DIM == 3
    sum += g[2 * DIM + axis];
#endif
    scaled[axis] = face == 0 ? sum : -g[(face > 0 ? face - 1 : 0) * DIM + axis];
#else
    const real one = g[face / 2 * DIM + axis];
    scaled[axis] = face % 2 == 0 ? -one : one;
#endif
  }
}

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

// The end of a stage at one scalar: residual = a residual + dt rate, next = q + b residual; or the rate alone.
FUNCTION void update_scalar(int update, real rate, real q, GLOBAL scalar *residual, GLOBAL scalar *next, scalar a, scalar b,
                            scalar dt)
{
  if (update) {
    const real r = a * *residual + dt * rate;
    *residual = r;
    *next = q + b * r;
  } else {
    *next = rate;
  }
}

// Of the matrix of the gradients of the reference coordinates: 1 / J of a straight element.
FUNCTION real determinant(const real *g)
{
#if DIM == 2
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
