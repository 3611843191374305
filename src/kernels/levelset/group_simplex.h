// SPDX-License-Identifier: Apache-2.0
// The functions of triangles and tetrahedra for kernels/levelset/group.h: by matrices, a row for each thread. They lie in
// `tables` one behind the other, so that neighbouring threads read neighbouring entries: the places of a row's entry are the
// threads.

#define CHANGES 0
#define BASIS (CHANGES + ORIENTATIONS * FACE_MODES * FACE_MODES)
#define WEIGHTED (BASIS + POINTS * MODES)
#define FACE_BASIS (WEIGHTED + POINTS * MODES)
#define FACE_WEIGHTED (FACE_BASIS + FACE_POINTS * FACE_MODES)
#define SLOPE (FACE_WEIGHTED + FACE_POINTS * FACE_MODES)
#define TRACE (SLOPE + DIM * MODES * MODES)
#define SLOPE_ACROSS (TRACE + FACES * FACE_MODES * MODES)
#define PLACES (SLOPE_ACROSS + DIM * MODES * MODES)
#define SPOTS ((POINTS + TEAM - 1) / TEAM)

FUNCTION int spot_of(int t, int i) { return i * TEAM + t; }

// The sum of rows of a matrix [i][count] times numbers, at one place of the rows.
FUNCTION scalar across(GLOBAL const scalar *matrix, int rows, int count, int place, LOCAL const scalar *in)
{
  scalar sum = 0.0;
  for (int i = 0; i < rows; ++i) sum += matrix[i * count + place] * in[i];
  return sum;
}

FUNCTION void to_spots(GLOBAL const scalar *tables, int t, int fields, LOCAL scalar *wide, LOCAL scalar *narrow, real *values)
{
  UNROLL for (int i = 0; i < SPOTS; ++i) {
    const int p = spot_of(t, i);
    UNROLL for (int f = 0; f < fields; ++f) values[f * SPOTS + i] = 0.0;
    if (p >= POINTS) continue;
    for (int m = 0; m < MODES; ++m) {
      const scalar value = tables[BASIS + m * POINTS + p];
      UNROLL for (int f = 0; f < fields; ++f) values[f * SPOTS + i] += value * wide[f * MODES + m];
    }
  }
}

FUNCTION void from_spots(GLOBAL const scalar *tables, int t, int fields, LOCAL scalar *wide, LOCAL scalar *narrow, const real *values)
{
  UNROLL for (int i = 0; i < SPOTS; ++i)
    if (spot_of(t, i) < POINTS)
      UNROLL for (int f = 0; f < fields; ++f) narrow[f * POINTS + spot_of(t, i)] = values[f * SPOTS + i];
  BARRIER;
  for (int m = t; m < MODES; m += TEAM)
    for (int f = 0; f < fields; ++f) wide[f * MODES + m] = across(tables + WEIGHTED, POINTS, MODES, m, narrow + f * POINTS);
  BARRIER;
}

FUNCTION void face_from_points(GLOBAL const scalar *tables, int t, LOCAL const scalar *points, LOCAL scalar *narrow, LOCAL scalar *modes)
{
  for (int i = t; i < FACES * FACE_MODES; i += TEAM)
    modes[i] = across(tables + FACE_WEIGHTED, FACE_POINTS, FACE_MODES, i % FACE_MODES, points + i / FACE_MODES * FACE_POINTS);
  BARRIER;
}

FUNCTION void through_faces(GLOBAL const scalar *tables, int t, scalar factor, LOCAL scalar *wide, LOCAL scalar *narrow,
                            LOCAL scalar *flux)
{
  for (int i = t; i < FACES * FACE_POINTS; i += TEAM) {
    const int face = i / FACE_POINTS, p = i - face * FACE_POINTS;
    LOCAL const scalar *own = wide + face * FACE_MODES, *behind = own + FACES * FACE_MODES, *normal = behind + FACES * FACE_MODES;
    const scalar speed = across(tables + FACE_BASIS, FACE_MODES, FACE_POINTS, p, normal);
    const scalar mine = across(tables + FACE_BASIS, FACE_MODES, FACE_POINTS, p, own);
    const scalar other = across(tables + FACE_BASIS, FACE_MODES, FACE_POINTS, p, behind);
    narrow[i] = -speed * (factor * speed > 0.0 ? mine : other);
  }
  BARRIER;
  face_from_points(tables, t, narrow, wide, flux);
}

FUNCTION scalar derivative_mode(GLOBAL const scalar *tables, int axis, LOCAL const scalar *modes, int m)
{
  return across(tables + SLOPE_ACROSS + axis * MODES * MODES, MODES, MODES, m, modes);
}

FUNCTION scalar test_derivative(GLOBAL const scalar *tables, int axis, LOCAL const scalar *modes, int m)
{
  return across(tables + SLOPE + axis * MODES * MODES, MODES, MODES, m, modes);
}

FUNCTION scalar trace_mode(GLOBAL const scalar *tables, int face, LOCAL const scalar *modes, int m)
{
  scalar sum = 0.0;
  for (int i = 0; i < MODES; ++i) sum += tables[TRACE + (face * FACE_MODES + m) * MODES + i] * modes[i];
  return sum;
}

FUNCTION scalar from_face(GLOBAL const scalar *tables, int face, LOCAL const scalar *in, int m)
{
  return across(tables + TRACE + face * FACE_MODES * MODES, FACE_MODES, MODES, m, in);
}

// The weight of a point in an integral over the element, up to a factor.
FUNCTION scalar weight_of(GLOBAL const scalar *tables, int p)
{
  return tables[WEIGHTED + p * MODES];
}
