// SPDX-License-Identifier: Apache-2.0
// Level sets on quadrilaterals and hexahedra: between modes, points and faces, one direction at a time. The triple
// products of Legendre polynomials factorise into those of the line, and a Gauss rule that is exact for the degree
// gives these: the same integrals as sparse triple products, for far less work.
// Tables: basis[point][mode], weighted[mode][point] (with the Gauss weights), slope[l][i] (the derivative of mode i),
// ends[side][mode] (values at -1 and +1), all of the line. `tables` holds the changes between orientations alone.

#define CHANGES 0

// Along one axis of an array [outer][from][inner]: out[outer][row][inner] = sum of matrix[row][i] in[outer][i][inner].
#define ALONG(NAME, MATRIX, FROM, TO)                                                     \
  FUNCTION void NAME(const real *in, real *out, int outer, int inner)                     \
  {                                                                                       \
    for (int o = 0; o < outer; ++o)                                                       \
      for (int k = 0; k < inner; ++k) {                                                   \
        real line[FROM];                                                                  \
        UNROLL for (int i = 0; i < FROM; ++i) line[i] = in[(o * FROM + i) * inner + k];   \
        UNROLL for (int row = 0; row < TO; ++row) {                                       \
          real sum = MATRIX[row][0] * line[0];                                            \
          UNROLL for (int i = 1; i < FROM; ++i) sum += MATRIX[row][i] * line[i];          \
          out[(o * TO + row) * inner + k] = sum;                                          \
        }                                                                                 \
      }                                                                                   \
  }
ALONG(line_to_points, basis, LINE, LINE_POINTS)
ALONG(line_to_modes, weighted, LINE_POINTS, LINE)

FUNCTION void modes_to_points(GLOBAL const scalar *tables, const real *modes, real *points)
{
#if DIM == 2
  real first[LINE * LINE_POINTS];
  line_to_points(modes, first, LINE, 1);
  line_to_points(first, points, 1, LINE_POINTS);
#else
  real first[LINE * LINE * LINE_POINTS], second[LINE * LINE_POINTS * LINE_POINTS];
  line_to_points(modes, first, LINE * LINE, 1);
  line_to_points(first, second, LINE, LINE_POINTS);
  line_to_points(second, points, 1, LINE_POINTS * LINE_POINTS);
#endif
}

FUNCTION void points_to_modes(GLOBAL const scalar *tables, const real *points, real *modes)
{
#if DIM == 2
  real first[LINE * LINE_POINTS];
  line_to_modes(points, first, 1, LINE_POINTS);
  line_to_modes(first, modes, LINE, 1);
#else
  real first[LINE * LINE * LINE_POINTS], second[LINE * LINE_POINTS * LINE_POINTS];
  line_to_modes(points, second, 1, LINE_POINTS * LINE_POINTS);
  line_to_modes(second, first, LINE, LINE_POINTS);
  line_to_modes(first, modes, LINE * LINE, 1);
#endif
}

FUNCTION void face_to_points(GLOBAL const scalar *tables, const real *modes, real *points)
{
#if DIM == 2
  line_to_points(modes, points, 1, 1);
#else
  real first[LINE * LINE_POINTS];
  line_to_points(modes, first, LINE, 1);
  line_to_points(first, points, 1, LINE_POINTS);
#endif
}

FUNCTION void points_to_face(GLOBAL const scalar *tables, const real *points, real *modes)
{
#if DIM == 2
  line_to_modes(points, modes, 1, 1);
#else
  real first[LINE * LINE_POINTS];
  line_to_modes(points, first, 1, LINE_POINTS);
  line_to_modes(first, modes, LINE, 1);
#endif
}

FUNCTION int stride_of(int axis) { return axis == 0 ? 1 : axis == 1 ? LINE : LINE * LINE; }

// The first mode of a line along the axis; the number of the line is the number of the face's mode.
FUNCTION int line_start(int axis, int line)
{
  const int stride = stride_of(axis);
  return line / stride * stride * LINE + line % stride;
}

// Modes of the derivative along a reference direction.
FUNCTION void differentiate(GLOBAL const scalar *tables, int axis, const real *modes, real *out)
{
  const int stride = stride_of(axis);
  for (int line = 0; line < FACE_MODES; ++line) {
    const int start = line_start(axis, line);
    for (int l = 0; l < LINE; ++l) {
      real sum = splat(0.0);
      for (int i = l + 1; i < LINE; i += 2) sum += slope[l][i] * modes[start + i * stride];
      out[start + l * stride] = sum;
    }
  }
}

// Integrals against derivatives of the test modes, from integrals against the modes.
FUNCTION void add_differentiated(GLOBAL const scalar *tables, int axis, const real *in, real *sum)
{
  const int stride = stride_of(axis);
  for (int line = 0; line < FACE_MODES; ++line) {
    const int start = line_start(axis, line);
    for (int l = 0; l < LINE; ++l) {
      const real value = in[start + l * stride];
      for (int i = l + 1; i < LINE; i += 2) sum[start + i * stride] += slope[l][i] * value;
    }
  }
}

FUNCTION void trace_of(GLOBAL const scalar *tables, int face, const real *modes, real *out)
{
  const int stride = stride_of(face / 2);
  for (int line = 0; line < FACE_MODES; ++line) {
    const int start = line_start(face / 2, line);
    real sum = ends[face % 2][0] * modes[start];
    for (int i = 1; i < LINE; ++i) sum += ends[face % 2][i] * modes[start + i * stride];
    out[line] = sum;
  }
}

FUNCTION void add_from_face(GLOBAL const scalar *tables, int face, const real *in, real *sum)
{
  const int stride = stride_of(face / 2);
  for (int line = 0; line < FACE_MODES; ++line) {
    const int start = line_start(face / 2, line);
    for (int i = 0; i < LINE; ++i) sum[start + i * stride] += ends[face % 2][i] * in[line];
  }
}

// The weight of a point in an integral over the element, up to a factor.
FUNCTION scalar weight_of(GLOBAL const scalar *tables, int p)
{
  scalar product = 1.0;
  for (int d = 0; d < DIM; ++d, p /= LINE_POINTS) product *= weighted[0][p % LINE_POINTS];
  return product;
}
