// SPDX-License-Identifier: Apache-2.0
// The velocity field of a level set, projected in each element and on each face: velocity_at(region, x, y, z, t, u) is
// generated from the case. One item is one element. affine[batch][x of the centre .., dx/dr_d ..]; geometry and
// face_geometry as in kernels/levelset/reinit.h. Tables: point[p][d], face_point[face][p][d] in reference coordinates,
// point_weight[p]. Then what is measured of a state.

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

KERNEL void largest_rates(GLOBAL scalar *out, GLOBAL const scalar *affine, GLOBAL const scalar *geometry, GLOBAL const int *region,
                          GLOBAL const scalar *tables, const double t)
{
  ITEMS(item)
  {
    PLACE(item);
    real at[3], u[3], reference[DIM], most = 0.0;
    for (int p = 0; p < POINTS; ++p) {
      for (int d = 0; d < DIM; ++d) reference[d] = point[p][d];
      place_of(affine, batch, column, reference, at);
      velocity_at(region[item], at, t, u);
      most = fmax(most, rate_of(geometry, batch, column, u));
    }
    out[item] = most;
  }
}

// out[kind][slot]: the integrals of G, G^2 / 2, G (1 - G) and |grad G| over each element, and what G (1 - G) has above that of the
// profile where a reinitialisation would restore it.
KERNEL void measure(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *tables, GLOBAL scalar *out,
                    const INDEX slots, const scalar thickness)
{
  ITEMS(item)
  {
    PLACE(item);
    real g[MODES], modes[MODES], values[POINTS], slopes[DIM][POINTS], square = 0.0, surface = 0.0, spread = 0.0;
    real total[DIM], whole = 0.0;
    for (int k = 0; k < DIM; ++k) total[k] = 0.0;
    const real volume = 1.0 / geometry[ROW(DIM * DIM + 1, DIM * DIM)];
    for (int m = 0; m < MODES; ++m) {
      g[m] = q[ROW(MODES, m)];
      square += g[m] * g[m];
    }
    for (int d = 0; d < DIM; ++d) {
      differentiate(tables, d, g, modes);
      modes_to_points(tables, modes, slopes[d]);
    }
    for (int p = 0; p < POINTS; ++p) {
      real sum = 0.0;
      for (int k = 0; k < DIM; ++k) {
        real slope = 0.0;
        for (int d = 0; d < DIM; ++d) slope += geometry[ROW(DIM * DIM + 1, d * DIM + k)] * slopes[d][p];
        sum += slope * slope;
        total[k] += point_weight[p] * slope;
      }
      surface += point_weight[p] * sqrt(sum);
    }
    modes_to_points(tables, g, values);
    for (int p = 0; p < POINTS; ++p) spread += point_weight[p] * compression(values[p]);
    for (int k = 0; k < DIM; ++k) whole += total[k] * total[k];
    const real mass = g[0] * ROOT_MEASURE * volume;
    out[item] = mass;
    out[slots + item] = 0.5 * square * volume;
    out[2 * slots + item] = mass - square * volume;
    out[3 * slots + item] = surface * volume;
    out[4 * slots + item] = excess(thickness * thickness * whole, thickness * surface, spread) * volume;
  }
}
