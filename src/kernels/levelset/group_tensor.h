// SPDX-License-Identifier: Apache-2.0
// The functions of quadrilaterals and hexahedra for kernels/levelset/group.h: one direction at a time, a line for each thread.
// The team is the lines of points along the last direction, so that these stay in registers between the ways there and back.
// Tables of the line as in kernels/levelset/tensor.h.

#define CHANGES 0
#define PLACES (CHANGES + ORIENTATIONS * FACE_MODES * FACE_MODES)
#define SPOTS LINE_POINTS

// Lines of an array [outer][FROM][inner] to one [outer][TO][inner], spread over the team.
#define LINES_OF_TEAM(NAME, MATRIX, FROM, TO)                                                        \
  FUNCTION void NAME(int t, LOCAL const scalar *in, LOCAL scalar *out, int outer, int inner)         \
  {                                                                                                  \
    for (int i = t; i < outer * inner; i += TEAM) {                                                  \
      const int o = i / inner, k = i - o * inner;                                                    \
      real line[FROM];                                                                               \
      UNROLL for (int j = 0; j < FROM; ++j) line[j] = in[(o * FROM + j) * inner + k];                \
      UNROLL for (int row = 0; row < TO; ++row) {                                                    \
        real sum = MATRIX[row][0] * line[0];                                                         \
        UNROLL for (int j = 1; j < FROM; ++j) sum += MATRIX[row][j] * line[j];                       \
        out[(o * TO + row) * inner + k] = sum;                                                       \
      }                                                                                              \
    }                                                                                                \
  }
LINES_OF_TEAM(lines_to_points, basis, LINE, LINE_POINTS)
LINES_OF_TEAM(lines_to_modes, weighted, LINE_POINTS, LINE)

FUNCTION int spot_of(int t, int i) { return i * TEAM + t; }

// Where the columns of the last direction lie: [field][LINE][TEAM].
#if DIM == 2
#define COLUMNS narrow
#else
#define COLUMNS wide
#endif

FUNCTION void to_spots(GLOBAL const scalar *tables, int t, int fields, LOCAL scalar *wide, LOCAL scalar *narrow, real *values)
{
#if DIM == 2
  lines_to_points(t, wide, narrow, fields * LINE, 1);
#else
  lines_to_points(t, wide, narrow, fields * LINE * LINE, 1);
  BARRIER;
  lines_to_points(t, narrow, wide, fields * LINE, LINE_POINTS);
#endif
  BARRIER;
  if (t >= TEAM) return;
  UNROLL for (int f = 0; f < fields; ++f) {
    real line[LINE];
    UNROLL for (int j = 0; j < LINE; ++j) line[j] = COLUMNS[(f * LINE + j) * TEAM + t];
    UNROLL for (int row = 0; row < LINE_POINTS; ++row) {
      real sum = basis[row][0] * line[0];
      UNROLL for (int j = 1; j < LINE; ++j) sum += basis[row][j] * line[j];
      values[f * SPOTS + row] = sum;
    }
  }
}

FUNCTION void from_spots(GLOBAL const scalar *tables, int t, int fields, LOCAL scalar *wide, LOCAL scalar *narrow, const real *values)
{
  if (t < TEAM)
    UNROLL for (int f = 0; f < fields; ++f)
      UNROLL for (int j = 0; j < LINE; ++j) {
        real sum = weighted[j][0] * values[f * SPOTS];
        UNROLL for (int row = 1; row < LINE_POINTS; ++row) sum += weighted[j][row] * values[f * SPOTS + row];
        COLUMNS[(f * LINE + j) * TEAM + t] = sum;
      }
  BARRIER;
#if DIM == 2
  lines_to_modes(t, narrow, wide, fields * LINE, 1);
#else
  lines_to_modes(t, wide, narrow, fields * LINE, LINE_POINTS);
  BARRIER;
  lines_to_modes(t, narrow, wide, fields * LINE * LINE, 1);
#endif
  BARRIER;
}

// Modes [own, behind, normal velocity][face][mode] in `wide`. A face of a quadrilateral is a line; on that of a hexahedron
// one direction goes by lines of the team, the other in the columns.
#define FACE_COLUMNS (FACE_POINTS / LINE_POINTS)
FUNCTION void through_faces(GLOBAL const scalar *tables, int t, scalar factor, LOCAL scalar *wide, LOCAL scalar *narrow,
                            LOCAL scalar *flux)
{
#if DIM == 2
  LOCAL const scalar *from = wide;
  LOCAL scalar *to = flux;
#else
  lines_to_points(t, wide, narrow, 3 * FACES * LINE, 1);
  BARRIER;
  LOCAL const scalar *from = narrow;
  LOCAL scalar *to = wide;
#endif
  for (int i = t; i < FACES * FACE_COLUMNS; i += TEAM) {
    const int face = i / FACE_COLUMNS, start = face * LINE * FACE_COLUMNS + i % FACE_COLUMNS, kind = FACES * LINE * FACE_COLUMNS;
    real own[LINE], behind[LINE], normal[LINE], back[LINE];
    UNROLL for (int j = 0; j < LINE; ++j) {
      own[j] = from[start + j * FACE_COLUMNS];
      behind[j] = from[kind + start + j * FACE_COLUMNS];
      normal[j] = from[2 * kind + start + j * FACE_COLUMNS];
      back[j] = 0.0;
    }
    UNROLL for (int row = 0; row < LINE_POINTS; ++row) {
      real mine = 0.0, other = 0.0, speed = 0.0;
      UNROLL for (int j = 0; j < LINE; ++j) {
        mine += basis[row][j] * own[j];
        other += basis[row][j] * behind[j];
        speed += basis[row][j] * normal[j];
      }
      const real through = -speed * (factor * speed > 0.0 ? mine : other);
      UNROLL for (int j = 0; j < LINE; ++j) back[j] += weighted[j][row] * through;
    }
    UNROLL for (int j = 0; j < LINE; ++j) to[start + j * FACE_COLUMNS] = back[j];
  }
  BARRIER;
#if DIM == 3
  lines_to_modes(t, wide, flux, FACES * LINE, 1);
  BARRIER;
#endif
}

FUNCTION void face_from_points(GLOBAL const scalar *tables, int t, LOCAL const scalar *points, LOCAL scalar *narrow, LOCAL scalar *modes)
{
#if DIM == 2
  lines_to_modes(t, points, modes, FACES, 1);
#else
  lines_to_modes(t, points, narrow, FACES, LINE_POINTS);
  BARRIER;
  lines_to_modes(t, narrow, modes, FACES * LINE, 1);
#endif
  BARRIER;
}

FUNCTION int stride_of(int axis) { return axis == 0 ? 1 : axis == 1 ? LINE : LINE * LINE; }

FUNCTION scalar derivative_mode(GLOBAL const scalar *tables, int axis, LOCAL const scalar *modes, int m)
{
  const int stride = stride_of(axis), l = m / stride % LINE;
  scalar sum = 0.0;
  for (int i = l + 1; i < LINE; i += 2) sum += slope[l][i] * modes[m + (i - l) * stride];
  return sum;
}

FUNCTION scalar test_derivative(GLOBAL const scalar *tables, int axis, LOCAL const scalar *modes, int m)
{
  const int stride = stride_of(axis), i = m / stride % LINE;
  scalar sum = 0.0;
  for (int l = (i + 1) % 2; l < i; l += 2) sum += slope[l][i] * modes[m + (l - i) * stride];
  return sum;
}

FUNCTION scalar trace_mode(GLOBAL const scalar *tables, int face, LOCAL const scalar *modes, int line)
{
  const int stride = stride_of(face / 2), start = line / stride * stride * LINE + line % stride;
  scalar sum = 0.0;
  for (int i = 0; i < LINE; ++i) sum += ends[face % 2][i] * modes[start + i * stride];
  return sum;
}

FUNCTION scalar from_face(GLOBAL const scalar *tables, int face, LOCAL const scalar *in, int m)
{
  const int stride = stride_of(face / 2);
  return ends[face % 2][m / stride % LINE] * in[m / (stride * LINE) * stride + m % stride];
}

// The weight of a point in an integral over the element, up to a factor.
FUNCTION scalar weight_of(GLOBAL const scalar *tables, int p)
{
  scalar product = 1.0;
  for (int d = 0; d < DIM; ++d, p /= LINE_POINTS) product *= weighted[0][p % LINE_POINTS];
  return product;
}
