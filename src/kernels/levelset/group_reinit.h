// SPDX-License-Identifier: Apache-2.0
// Reinitialisation on GPUs: what it computes, and why so, is told in kernels/levelset/reinit.h. The normals
// lie [element][m_d .., w][point], so that neighbouring threads read neighbouring numbers.

#define NORMAL_ROW(d, p) ROW(POINTS * NORMAL, (d) * POINTS + (p))

// G into the last field of `wide`, and the modes of its derivatives into those before it.
FUNCTION void slopes_with_jumps(GLOBAL const scalar *q, GLOBAL const scalar *traces, GLOBAL const scalar *face_geometry,
                                GLOBAL const int *neighbour, GLOBAL const scalar *tables, INDEX batch, int column, int t,
                                int giving, LOCAL scalar *wide, LOCAL scalar *face_modes)
{
  FOR_TEAM(m, MODES) wide[DIM * MODES + m] = q[ROW(MODES, m)];
  FOR_TEAM(i, FACE_ROWS)
  {
    const int face = i / FACE_MODES;
    const scalar part = giving ? 1.0 - FACE_NUMBER(face, DIM + 3) : 0.5;
    face_modes[i] = part * (mode_behind(traces, neighbour, tables, batch, face, i % FACE_MODES) - traces[ROW(FACE_ROWS, i)]);
  }
  BARRIER;
  FOR_TEAM(m, MODES)
  {
    UNROLL for (int d = 0; d < DIM; ++d) {
      scalar sum = derivative_mode(tables, d, wide + DIM * MODES, m);
      UNROLL for (int face = 0; face < FACES; ++face) {
        const scalar normal = reference_normal(face, d);
        if (normal != 0.0) sum += normal * from_face(tables, face, face_modes + face * FACE_MODES, m);
      }
      wide[d * MODES + m] = sum;
    }
  }
  BARRIER;
}

KERNEL void normals_of_state(GLOBAL const scalar *q, GLOBAL const scalar *traces, GLOBAL scalar *normals,
                             GLOBAL const scalar *geometry, GLOBAL const scalar *face_geometry, GLOBAL const int *neighbour,
                             GLOBAL const scalar *tables, const scalar least, const scalar thickness, const INDEX both)
{
  SHARED(memory);
  GROUP(item);
  BEGIN_TEAM(memory, item);
  real grad[DIM * DIM], gradient[DIM], slopes[FIELDS * SPOTS], sums[SUMS];
  for (int i = 0; i < DIM * DIM; ++i) grad[i] = geometry[ROW(DIM * DIM + 1, i)];
  slopes_with_jumps(q, traces, face_geometry, neighbour, tables, batch, column, t, 0, wide, face_modes);
  to_spots(tables, t, FIELDS, wide, narrow, slopes);
  UNROLL for (int s = 0; s < SUMS; ++s) sums[s] = 0.0;
  UNROLL for (int i = 0; i < SPOTS; ++i) {
    const int p = spot_of(t, i);
    if (p >= POINTS) continue;
    const scalar weight = weight_of(tables, p);
    real square = 0.0;
    UNROLL for (int k = 0; k < DIM; ++k) {
      gradient[k] = 0.0;
      UNROLL for (int d = 0; d < DIM; ++d) gradient[k] += grad[d * DIM + k] * slopes[d * SPOTS + i];
      square += gradient[k] * gradient[k];
      sums[k] += weight * gradient[k];
    }
    sums[DIM] += weight * sqrt(square);
    sums[DIM + 1] += weight * compression(slopes[DIM * SPOTS + i]);
  }
  sum_of_team(t, narrow, sums);
  real whole = 0.0;
  UNROLL for (int k = 0; k < DIM; ++k) whole += sums[k] * sums[k];
  const real part = restored_part(thickness * thickness * whole, thickness * sums[DIM], sums[DIM + 1], both);
  UNROLL for (int i = 0; i < SPOTS; ++i) {
    const int p = spot_of(t, i);
    if (p >= POINTS) continue;
    real square = least;
    UNROLL for (int k = 0; k < DIM; ++k) {
      gradient[k] = 0.0;
      UNROLL for (int d = 0; d < DIM; ++d) gradient[k] += grad[d * DIM + k] * slopes[d * SPOTS + i];
      square += gradient[k] * gradient[k];
    }
    const real scale = part / sqrt(square);
    UNROLL for (int d = 0; d < DIM; ++d) {
      real sum = 0.0;
      UNROLL for (int k = 0; k < DIM; ++k) sum += grad[d * DIM + k] * gradient[k];
      normals[NORMAL_ROW(d, p)] = sum * scale;
    }
    normals[NORMAL_ROW(DIM, p)] = part * sqrt((square - least) / square);
  }
}

KERNEL void profile_fluxes(GLOBAL const scalar *q, GLOBAL const scalar *traces, GLOBAL const scalar *normals, GLOBAL scalar *fluxes,
                           GLOBAL scalar *flux_traces, GLOBAL const scalar *geometry, GLOBAL const scalar *face_geometry,
                           GLOBAL const int *neighbour, GLOBAL const scalar *tables, const scalar thickness)
{
  SHARED(memory);
  GROUP(item);
  BEGIN_TEAM(memory, item);
  real values[FIELDS * SPOTS];
  slopes_with_jumps(q, traces, face_geometry, neighbour, tables, batch, column, t, 1, wide, face_modes);
  to_spots(tables, t, FIELDS, wide, narrow, values);
  UNROLL for (int i = 0; i < SPOTS; ++i) {
    const int p = spot_of(t, i);
    if (p >= POINTS) continue;
    real normal[DIM], along = 0.0;
    UNROLL for (int d = 0; d < DIM; ++d) {
      normal[d] = normals[NORMAL_ROW(d, p)];
      along += values[d * SPOTS + i] * normal[d];
    }
    along = compression(values[DIM * SPOTS + i]) * normals[NORMAL_ROW(DIM, p)] - thickness * along;
    UNROLL for (int d = 0; d < DIM; ++d) values[d * SPOTS + i] = along * normal[d];
  }
  from_spots(tables, t, DIM, wide, narrow, values);
  FOR_TEAM(i, DIM * MODES) fluxes[ROW(DIM * MODES, i)] = wide[i];
  const scalar volume = 1.0 / geometry[ROW(DIM * DIM + 1, DIM * DIM)];
  FOR_TEAM(i, FACE_ROWS)
  {
    const int face = i / FACE_MODES;
    scalar sum = 0.0;
    UNROLL for (int d = 0; d < DIM; ++d) {
      const scalar normal = reference_normal(face, d);
      if (normal != 0.0) sum += normal * trace_mode(tables, face, wide + d * MODES, i % FACE_MODES);
    }
    flux_traces[ROW(FACE_ROWS, i)] = sum * volume * (1.0 - FACE_NUMBER(face, DIM + 3));
  }
}

KERNEL void reinitialise(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *traces,
                         GLOBAL const scalar *fluxes, GLOBAL const scalar *flux_traces, GLOBAL const scalar *geometry,
                         GLOBAL const scalar *face_geometry, GLOBAL const int *neighbour, GLOBAL const scalar *tables,
                         const INDEX ending, const scalar a, const scalar b, const scalar dt)
{
  SHARED(memory);
  GROUP(item);
  BEGIN_TEAM(memory, item);
  FOR_TEAM(i, DIM * MODES) wide[i] = fluxes[ROW(DIM * MODES, i)];
  const scalar scale = geometry[ROW(DIM * DIM + 1, DIM * DIM)];
  FOR_TEAM(i, FACE_ROWS)
  {
    const int face = i / FACE_MODES, m = i % FACE_MODES;
    const scalar jump = mode_behind(traces, neighbour, tables, batch, face, m) - traces[ROW(FACE_ROWS, i)];
    const scalar flux = mode_behind(flux_traces, neighbour, tables, batch, face, m) - flux_traces[ROW(FACE_ROWS, i)];
    face_modes[i] = scale * FACE_NUMBER(face, DIM + 1) * (0.5 * FACE_NUMBER(face, DIM) * jump + flux);
  }
  BARRIER;
  FOR_TEAM(m, MODES)
  {
    scalar sum = 0.0;
    for (int d = 0; d < DIM; ++d) sum += test_derivative(tables, d, wide + d * MODES, m);
    for (int face = 0; face < FACES; ++face) sum += from_face(tables, face, face_modes + face * FACE_MODES, m);
    const INDEX at = ROW(MODES, m);
    finish_mode(q[at], sum, next + at, residual + at, ending, a, b, dt);
  }
}
