// SPDX-License-Identifier: Apache-2.0
// Level sets on triangles and tetrahedra: between modes, points and faces by matrices, which lie one behind the other
// in `tables`, each row by row.

#define CHANGES 0
#define BASIS (CHANGES + ORIENTATIONS * FACE_MODES * FACE_MODES)
#define WEIGHTED (BASIS + POINTS * MODES)
#define FACE_BASIS (WEIGHTED + POINTS * MODES)
#define FACE_WEIGHTED (FACE_BASIS + FACE_POINTS * FACE_MODES)
#define SLOPE (FACE_WEIGHTED + FACE_POINTS * FACE_MODES)
#define TRACE (SLOPE + DIM * MODES * MODES)

// Four rows at once, so that each value that is read serves four products.
FUNCTION void multiply(GLOBAL const scalar *matrix, int rows, int columns, const real *in, real *out)
{
  int row = 0;
  for (; row + 4 <= rows; row += 4) {
    real a = splat(0.0), b = splat(0.0), c = splat(0.0), d = splat(0.0);
    GLOBAL const scalar *m = matrix + row * columns;
    for (int i = 0; i < columns; ++i) {
      const real value = in[i];
      a += m[i] * value;
      b += m[columns + i] * value;
      c += m[2 * columns + i] * value;
      d += m[3 * columns + i] * value;
    }
    out[row] = a;
    out[row + 1] = b;
    out[row + 2] = c;
    out[row + 3] = d;
  }
  for (; row < rows; ++row) {
    real sum = splat(0.0);
    for (int i = 0; i < columns; ++i) sum += matrix[row * columns + i] * in[i];
    out[row] = sum;
  }
}

// sum += matrix^T in
FUNCTION void multiply_transposed(GLOBAL const scalar *matrix, int rows, int columns, const real *in, real *sum)
{
  for (int row = 0; row < rows; ++row) {
    const real value = in[row];
    for (int i = 0; i < columns; ++i) sum[i] += matrix[row * columns + i] * value;
  }
}

FUNCTION void modes_to_points(GLOBAL const scalar *tables, const real *modes, real *points)
{
  multiply(tables + BASIS, POINTS, MODES, modes, points);
}

FUNCTION void points_to_modes(GLOBAL const scalar *tables, const real *points, real *modes)
{
  multiply(tables + WEIGHTED, MODES, POINTS, points, modes);
}

FUNCTION void face_to_points(GLOBAL const scalar *tables, const real *modes, real *points)
{
  multiply(tables + FACE_BASIS, FACE_POINTS, FACE_MODES, modes, points);
}

FUNCTION void points_to_face(GLOBAL const scalar *tables, const real *points, real *modes)
{
  multiply(tables + FACE_WEIGHTED, FACE_MODES, FACE_POINTS, points, modes);
}

// Modes of the derivative along a reference direction.
FUNCTION void differentiate(GLOBAL const scalar *tables, int axis, const real *modes, real *out)
{
  multiply(tables + SLOPE + axis * MODES * MODES, MODES, MODES, modes, out);
}

// Integrals against derivatives of the test modes, from integrals against the modes.
FUNCTION void add_differentiated(GLOBAL const scalar *tables, int axis, const real *in, real *sum)
{
  multiply_transposed(tables + SLOPE + axis * MODES * MODES, MODES, MODES, in, sum);
}

FUNCTION void trace_of(GLOBAL const scalar *tables, int face, const real *modes, real *out)
{
  multiply(tables + TRACE + face * FACE_MODES * MODES, FACE_MODES, MODES, modes, out);
}

FUNCTION void add_from_face(GLOBAL const scalar *tables, int face, const real *in, real *sum)
{
  multiply_transposed(tables + TRACE + face * FACE_MODES * MODES, FACE_MODES, MODES, in, sum);
}

// The weight of a point in an integral over the element, up to a factor.
FUNCTION scalar weight_of(GLOBAL const scalar *tables, int p)
{
  return tables[WEIGHTED + p];
}
