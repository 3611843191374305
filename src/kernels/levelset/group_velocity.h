// SPDX-License-Identifier: Apache-2.0
// The velocity field of a level set and what is measured of a state, on GPUs: as in
// kernels/levelset/velocity.h. From PLACES on `tables` hold the reference points of the element, those of its faces, and the
// weights of the former.

#define FACE_PLACES (PLACES + POINTS * DIM)
#define POINT_WEIGHTS (FACE_PLACES + FACES * FACE_POINTS * DIM)

FUNCTION void velocity_at_place(GLOBAL const scalar *place, GLOBAL const scalar *affine, GLOBAL const int *region, INDEX batch, double t,
                                real *u)
{
  real at[3], reference[DIM];
  for (int d = 0; d < DIM; ++d) reference[d] = place[d];
  place_of(affine, batch, 0, reference, at);
  velocity_at(region[batch], at, t, u);
}

KERNEL void project_velocity(GLOBAL scalar *velocity, GLOBAL scalar *normal_velocity, GLOBAL const scalar *affine,
                             GLOBAL const scalar *geometry, GLOBAL const scalar *face_geometry, GLOBAL const int *region,
                             GLOBAL const scalar *tables, const double time)
{
  SHARED(memory);
  GROUP(item);
  BEGIN_TEAM(memory, item);
  real u[3], values[DIM * SPOTS];
  UNROLL for (int i = 0; i < SPOTS; ++i) {
    const int p = spot_of(t, i);
    if (p >= POINTS) continue;
    velocity_at_place(tables + PLACES + p * DIM, affine, region, batch, time, u);
    UNROLL for (int d = 0; d < DIM; ++d) {
      real sum = 0.0;
      UNROLL for (int k = 0; k < DIM; ++k) sum += geometry[ROW(DIM * DIM + 1, d * DIM + k)] * u[k];
      values[d * SPOTS + i] = sum;
    }
  }
  from_spots(tables, t, DIM, wide, narrow, values);
  FOR_TEAM(i, DIM * MODES) velocity[ROW(DIM * MODES, i)] = wide[i];
  BARRIER;
  FOR_TEAM(i, FACES * FACE_POINTS)
  {
    const int face = i / FACE_POINTS;
    velocity_at_place(tables + FACE_PLACES + i * DIM, affine, region, batch, time, u);
    real sum = 0.0;
    for (int k = 0; k < DIM; ++k) sum += FACE_NUMBER(face, k) * u[k];
    wide[i] = sum * geometry[ROW(DIM * DIM + 1, DIM * DIM)] * FACE_NUMBER(face, DIM + 2);
  }
  BARRIER;
  face_from_points(tables, t, wide, narrow, face_modes);
  FOR_TEAM(i, FACE_ROWS) normal_velocity[ROW(FACE_ROWS, i)] = face_modes[i];
}

KERNEL void largest_rates(GLOBAL scalar *out, GLOBAL const scalar *affine, GLOBAL const scalar *geometry, GLOBAL const int *region,
                          GLOBAL const scalar *tables, const double time)
{
  SHARED(memory);
  GROUP(item);
  BEGIN_TEAM(memory, item);
  real u[3], most = 0.0;
  FOR_TEAM(p, POINTS)
  {
    velocity_at_place(tables + PLACES + p * DIM, affine, region, batch, time, u);
    most = fmax(most, rate_of(geometry, batch, column, u));
  }
  if (t < TEAM) narrow[t] = most;
  BARRIER;
  if (t != 0) return;
  for (int i = 1; i < TEAM; ++i) most = fmax(most, narrow[i]);
  out[batch] = most;
}

KERNEL void measure(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *tables, GLOBAL scalar *out,
                    const INDEX slots, const scalar thickness)
{
  SHARED(memory);
  GROUP(item);
  BEGIN_TEAM(memory, item);
  real slopes[FIELDS * SPOTS], sums[SUMS];
  LOCAL scalar *g = face_modes;
  FOR_TEAM(m, MODES) g[m] = q[ROW(MODES, m)];
  BARRIER;
  FOR_TEAM(i, DIM * MODES) wide[i] = derivative_mode(tables, i / MODES, g, i % MODES);
  FOR_TEAM(m, MODES) wide[DIM * MODES + m] = g[m];
  BARRIER;
  to_spots(tables, t, FIELDS, wide, narrow, slopes);
  UNROLL for (int s = 0; s < SUMS; ++s) sums[s] = 0.0;
  UNROLL for (int i = 0; i < SPOTS; ++i) {
    const int p = spot_of(t, i);
    if (p >= POINTS) continue;
    real square = 0.0;
    UNROLL for (int k = 0; k < DIM; ++k) {
      real sum = 0.0;
      UNROLL for (int d = 0; d < DIM; ++d) sum += geometry[ROW(DIM * DIM + 1, d * DIM + k)] * slopes[d * SPOTS + i];
      square += sum * sum;
      sums[k] += tables[POINT_WEIGHTS + p] * sum;
    }
    sums[DIM] += tables[POINT_WEIGHTS + p] * sqrt(square);
    sums[DIM + 1] += tables[POINT_WEIGHTS + p] * compression(slopes[DIM * SPOTS + i]);
  }
  sum_of_team(t, narrow, sums);
  if (t != 0) return;
  real square = 0.0, whole = 0.0;
  for (int m = 0; m < MODES; ++m) square += g[m] * g[m];
  UNROLL for (int k = 0; k < DIM; ++k) whole += sums[k] * sums[k];
  const real volume = 1.0 / geometry[ROW(DIM * DIM + 1, DIM * DIM)], mass = g[0] * ROOT_MEASURE * volume;
  out[batch] = mass;
  out[slots + batch] = 0.5 * square * volume;
  out[2 * slots + batch] = mass - square * volume;
  out[3 * slots + batch] = sums[DIM] * volume;
  out[4 * slots + batch] = excess(thickness * thickness * whole, thickness * sums[DIM], sums[DIM + 1]) * volume;
}
