// SPDX-License-Identifier: Apache-2.0
// The velocity field of a level set, projected in each element and on each face: velocity_at(region, x, y, z, t, u) is
// generated from the case. One item is one element. affine[batch][x of the centre .., dx/dr_d ..]; geometry and
// face_geometry as in kernels/levelset_reinit.h. Tables: point[p][d], face_point[face][p][d] in reference coordinates.

FUNCTION void place_of(GLOBAL const scalar *affine, INDEX batch, int column, const real *reference, real *at)
{
  at[2] = 0.0;
  for (int k = 0; k < DIM; ++k) {
    real sum = affine[ROW(DIM * (DIM + 1), k)];
    for (int d = 0; d < DIM; ++d) sum += affine[ROW(DIM * (DIM + 1), DIM * (d + 1) + k)] * reference[d];
    at[k] = sum;
  }
}

KERNEL void project_velocity(GLOBAL scalar *velocity, GLOBAL scalar *normal_velocity, GLOBAL const scalar *affine,
                             GLOBAL const scalar *geometry, GLOBAL const scalar *face_geometry, GLOBAL const int *region,
                             GLOBAL const scalar *tables, const double t)
{
  ITEMS(item)
  {
    PLACE(item);
    real at[3], u[3], reference[DIM], modes[MODES], values[DIM][POINTS];
    for (int p = 0; p < POINTS; ++p) {
      for (int d = 0; d < DIM; ++d) reference[d] = point[p][d];
      place_of(affine, batch, column, reference, at);
      velocity_at(region[item], at, t, u);
      for (int d = 0; d < DIM; ++d) {
        values[d][p] = 0.0;
        for (int k = 0; k < DIM; ++k) values[d][p] += geometry[ROW(DIM * DIM + 1, d * DIM + k)] * u[k];
      }
    }
    for (int d = 0; d < DIM; ++d) {
      points_to_modes(tables, values[d], modes);
      for (int m = 0; m < MODES; ++m) velocity[ROW(DIM * MODES, d * MODES + m)] = modes[m];
    }
    for (int face = 0; face < FACES; ++face) {
      real normal[FACE_POINTS], through[FACE_MODES];
      for (int p = 0; p < FACE_POINTS; ++p) {
        for (int d = 0; d < DIM; ++d) reference[d] = face_point[face][p][d];
        place_of(affine, batch, column, reference, at);
        velocity_at(region[item], at, t, u);
        normal[p] = 0.0;
        for (int k = 0; k < DIM; ++k) normal[p] += face_geometry[ROW(FACES * FACE_GEOMETRY, face * FACE_GEOMETRY + k)] * u[k];
        normal[p] = normal[p] * geometry[ROW(DIM * DIM + 1, DIM * DIM)] *
                    face_geometry[ROW(FACES * FACE_GEOMETRY, face * FACE_GEOMETRY + DIM + 2)];
      }
      points_to_face(tables, normal, through);
      for (int m = 0; m < FACE_MODES; ++m) normal_velocity[ROW(FACES * FACE_MODES, face * FACE_MODES + m)] = through[m];
    }
  }
}

// For each element the largest sum over the directions of |u . grad r_d| at the points.
KERNEL void largest_rates(GLOBAL scalar *out, GLOBAL const scalar *affine, GLOBAL const scalar *geometry, GLOBAL const int *region,
                          const double t)
{
  ITEMS(item)
  {
    PLACE(item);
    real at[3], u[3], reference[DIM], most = 0.0;
    for (int p = 0; p < POINTS; ++p) {
      for (int d = 0; d < DIM; ++d) reference[d] = point[p][d];
      place_of(affine, batch, column, reference, at);
      velocity_at(region[item], at, t, u);
      real sum = 0.0;
      for (int d = 0; d < DIM; ++d) {
        real along = 0.0;
        for (int k = 0; k < DIM; ++k) along += geometry[ROW(DIM * DIM + 1, d * DIM + k)] * u[k];
        sum += fabs(along);
      }
      most = fmax(most, sum);
    }
    out[item] = most;
  }
}

// out = ca a + cb b + cc c, `stride` numbers an item; only the first `terms` are read.
KERNEL void combine(GLOBAL scalar *out, GLOBAL const scalar *a, const scalar ca, GLOBAL const scalar *b, const scalar cb,
                    GLOBAL const scalar *c, const scalar cc, const INDEX stride, const INDEX terms)
{
  ITEMS(chunk)
  {
    for (INDEX i = chunk * stride; i < (chunk + 1) * stride; ++i) {
      scalar sum = ca * a[i];
      if (terms > 1) sum += cb * b[i];
      if (terms > 2) sum += cc * c[i];
      out[i] = sum;
    }
  }
}
