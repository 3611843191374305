// SPDX-License-Identifier: Apache-2.0
// Reinitialisation of a level set (Olsson, Kreiss and Zahedi 2007): G_tau + div(G (1 - G) n) = div(eps (grad G . n) n) with
// normals that stay as they were at its start. Both fluxes are along n, so that only s = G (1 - G) - eps n.grad G is needed,
// and the components of n in the reference directions, m_d = n . grad r_d. The diffusion is discretised by the symmetric
// interior penalty method (Arnold 1982), the compression by the local Lax-Friedrichs flux.
// Arrays: normals[batch][point][d]: m_d; face_normals[batch][face][point][m_d .., n.N |J_face|], the last 0 on boundaries;
// geometry[batch][grad r_d .., 1/J]; face_geometry[batch][face][N |J_face| .., penalty, inner, open], N the outward normal; inner is
// 0 on boundaries, which nothing passes here; open is 0 on walls, which nothing passes at all.
// traces[batch][face][kind][mode]: kind 0 is G, kind 1 the integral of eps (n.grad G) (n.N) |J_face|.

#define FACE_ROW (DIM + 1)

// Traces of the physical gradient, for the normals on faces: kinds are its components.
KERNEL void traces_of_gradient(GLOBAL const scalar *q, GLOBAL scalar *traces, GLOBAL const scalar *geometry,
                               GLOBAL const scalar *tables)
{
  ITEMS(item)
  {
    PLACE(item);
    real g[MODES], slopes[DIM][MODES], along[DIM][FACE_MODES];
    for (int m = 0; m < MODES; ++m) g[m] = load(q + ROW(MODES, m));
    for (int d = 0; d < DIM; ++d) differentiate(tables, d, g, slopes[d]);
    for (int face = 0; face < FACES; ++face) {
      for (int d = 0; d < DIM; ++d) trace_of(tables, face, slopes[d], along[d]);
      for (int k = 0; k < DIM; ++k)
        for (int m = 0; m < FACE_MODES; ++m) {
          real sum = splat(0.0);
          for (int d = 0; d < DIM; ++d) sum += load(geometry + ROW(DIM * DIM + 1, d * DIM + k)) * along[d][m];
          store(traces + ROW(FACES * DIM * FACE_MODES, (face * DIM + k) * FACE_MODES + m), sum);
        }
    }
  }
}

// 1 / |gradient|, which goes to 0 where the gradient is far below that of the profile: there is no interface there, and
// the direction is noise. `least` is the square of the gradient at which that begins.
FUNCTION real inverse_length(const real *gradient, scalar least)
{
  real square = splat(least);
  for (int d = 0; d < DIM; ++d) square += gradient[d] * gradient[d];
  return 1.0 / sqrt(square);
}

// m_d = n . grad r_d
FUNCTION void components(const real *gradient, const real *grad, real scale, real *out)
{
  for (int d = 0; d < DIM; ++d) {
    real sum = splat(0.0);
    for (int k = 0; k < DIM; ++k) sum += grad[d * DIM + k] * gradient[k];
    out[d] = sum * scale;
  }
}

KERNEL void normals_of_state(GLOBAL const scalar *q, GLOBAL const scalar *traces, GLOBAL scalar *normals, GLOBAL scalar *face_normals,
                             GLOBAL const scalar *geometry, GLOBAL const scalar *face_geometry, GLOBAL const int *neighbour,
                             GLOBAL const scalar *tables, const scalar least)
{
  ITEMS(item)
  {
    PLACE(item);
    real grad[DIM * DIM], gradient[DIM], out[DIM];
    real g[MODES], modes[MODES], slopes[DIM][POINTS];
    for (int i = 0; i < DIM * DIM; ++i) grad[i] = load(geometry + ROW(DIM * DIM + 1, i));
    for (int m = 0; m < MODES; ++m) g[m] = load(q + ROW(MODES, m));
    for (int d = 0; d < DIM; ++d) {
      differentiate(tables, d, g, modes);
      modes_to_points(tables, modes, slopes[d]);
    }
    for (int p = 0; p < POINTS; ++p) {
      for (int k = 0; k < DIM; ++k) {
        real sum = splat(0.0);
        for (int d = 0; d < DIM; ++d) sum += grad[d * DIM + k] * slopes[d][p];
        gradient[k] = sum;
      }
      components(gradient, grad, inverse_length(gradient, least), out);
      for (int d = 0; d < DIM; ++d) store(normals + ROW(POINTS * DIM, p * DIM + d), out[d]);
    }
    for (int face = 0; face < FACES; ++face) {
      real own[FACE_MODES], behind[FACE_MODES], mean[DIM][FACE_POINTS];
      const real inner = load(face_geometry + ROW(FACES * FACE_GEOMETRY, face * FACE_GEOMETRY + DIM + 1));
      for (int k = 0; k < DIM; ++k) {
        trace_behind(traces, neighbour, tables, batch, column, face, DIM, k, behind);
        for (int m = 0; m < FACE_MODES; ++m)
          own[m] = 0.5 * (load(traces + ROW(FACES * DIM * FACE_MODES, (face * DIM + k) * FACE_MODES + m)) + behind[m]);
        face_to_points(tables, own, mean[k]);
      }
      for (int p = 0; p < FACE_POINTS; ++p) {
        for (int k = 0; k < DIM; ++k) gradient[k] = mean[k][p];
        const real scale = inverse_length(gradient, least);
        components(gradient, grad, scale, out);
        real through = splat(0.0);
        for (int k = 0; k < DIM; ++k) through += gradient[k] * load(face_geometry + ROW(FACES * FACE_GEOMETRY, face * FACE_GEOMETRY + k));
        const int row = (face * FACE_POINTS + p) * FACE_ROW;
        for (int d = 0; d < DIM; ++d) store(face_normals + ROW(FACES * FACE_POINTS * FACE_ROW, row + d), out[d]);
        store(face_normals + ROW(FACES * FACE_POINTS * FACE_ROW, row + DIM), through * scale * inner);
      }
    }
  }
}

KERNEL void traces_of_profile(GLOBAL const scalar *q, GLOBAL scalar *traces, GLOBAL const scalar *face_normals,
                              GLOBAL const scalar *tables, const scalar thickness)
{
  ITEMS(item)
  {
    PLACE(item);
    real g[MODES], slopes[DIM][MODES], trace[FACE_MODES], along[FACE_POINTS], values[FACE_POINTS];
    for (int m = 0; m < MODES; ++m) g[m] = load(q + ROW(MODES, m));
    for (int d = 0; d < DIM; ++d) differentiate(tables, d, g, slopes[d]);
    for (int face = 0; face < FACES; ++face) {
      trace_of(tables, face, g, trace);
      for (int m = 0; m < FACE_MODES; ++m) store(traces + ROW(FACES * 2 * FACE_MODES, face * 2 * FACE_MODES + m), trace[m]);
      for (int p = 0; p < FACE_POINTS; ++p) along[p] = splat(0.0);
      for (int d = 0; d < DIM; ++d) {
        trace_of(tables, face, slopes[d], trace);
        face_to_points(tables, trace, values);
        for (int p = 0; p < FACE_POINTS; ++p)
          along[p] += values[p] * load(face_normals + ROW(FACES * FACE_POINTS * FACE_ROW, (face * FACE_POINTS + p) * FACE_ROW + d));
      }
      for (int p = 0; p < FACE_POINTS; ++p)
        along[p] = along[p] * thickness *
                   load(face_normals + ROW(FACES * FACE_POINTS * FACE_ROW, (face * FACE_POINTS + p) * FACE_ROW + DIM));
      points_to_face(tables, along, trace);
      for (int m = 0; m < FACE_MODES; ++m)
        store(traces + ROW(FACES * 2 * FACE_MODES, (face * 2 + 1) * FACE_MODES + m), trace[m]);
    }
  }
}

// The terms of one face: sum += the integrals against modes, lifted[d] += those against derivatives.
FUNCTION void face_terms(GLOBAL const scalar *traces, GLOBAL const scalar *face_normals, GLOBAL const int *neighbour,
                         GLOBAL const scalar *tables, INDEX batch, int column, int face, scalar thickness, real penalty, real scale,
                         real *sum, real *lifted)
{
  real flux[FACE_MODES], modes[FACE_MODES], own[FACE_POINTS], behind[FACE_POINTS], values[FACE_POINTS];
  for (int m = 0; m < FACE_MODES; ++m) modes[m] = load(traces + ROW(FACES * 2 * FACE_MODES, face * 2 * FACE_MODES + m));
  face_to_points(tables, modes, own);
  trace_behind(traces, neighbour, tables, batch, column, face, 2, 0, modes);
  face_to_points(tables, modes, behind);
  for (int p = 0; p < FACE_POINTS; ++p) {
    const real through = load(face_normals + ROW(FACES * FACE_POINTS * FACE_ROW, (face * FACE_POINTS + p) * FACE_ROW + DIM));
    const real speed = fabs(through) * fmax(fabs(1.0 - 2.0 * own[p]), fabs(1.0 - 2.0 * behind[p]));
    const real jump = own[p] - behind[p];
    values[p] = -0.5 * through * (own[p] * (1.0 - own[p]) + behind[p] * (1.0 - behind[p])) - 0.5 * speed * jump -
                thickness * penalty * through * through * jump;
  }
  points_to_face(tables, values, flux);
  trace_behind(traces, neighbour, tables, batch, column, face, 2, 1, modes);
  for (int m = 0; m < FACE_MODES; ++m) {
    const real mine = load(traces + ROW(FACES * 2 * FACE_MODES, (face * 2 + 1) * FACE_MODES + m));
    flux[m] = (flux[m] + 0.5 * (mine - modes[m])) * scale;
  }
  add_from_face(tables, face, flux, sum);
  for (int d = 0; d < DIM; ++d) {
    for (int p = 0; p < FACE_POINTS; ++p) {
      const int row = (face * FACE_POINTS + p) * FACE_ROW;
      values[p] = 0.5 * thickness * (own[p] - behind[p]) * load(face_normals + ROW(FACES * FACE_POINTS * FACE_ROW, row + DIM)) *
                  load(face_normals + ROW(FACES * FACE_POINTS * FACE_ROW, row + d)) * scale;
    }
    points_to_face(tables, values, flux);
    add_from_face(tables, face, flux, lifted + d * MODES);
  }
}

KERNEL void reinitialise(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *traces,
                         GLOBAL const scalar *normals, GLOBAL const scalar *face_normals, GLOBAL const scalar *geometry,
                         GLOBAL const scalar *face_geometry, GLOBAL const int *neighbour, GLOBAL const scalar *tables,
                         const INDEX staged, const scalar thickness, const scalar a, const scalar b, const scalar dt)
{
  ITEMS(item)
  {
    PLACE(item);
    real g[MODES], modes[MODES], sum[MODES], lifted[DIM * MODES], values[POINTS], along[POINTS];
    for (int m = 0; m < MODES; ++m) g[m] = load(q + ROW(MODES, m));
    for (int m = 0; m < MODES; ++m) sum[m] = splat(0.0);
    for (int p = 0; p < POINTS; ++p) along[p] = splat(0.0);
    for (int d = 0; d < DIM; ++d) {
      differentiate(tables, d, g, modes);
      modes_to_points(tables, modes, values);
      for (int p = 0; p < POINTS; ++p) along[p] += values[p] * load(normals + ROW(POINTS * DIM, p * DIM + d));
    }
    modes_to_points(tables, g, values);
    for (int p = 0; p < POINTS; ++p) along[p] = values[p] * (1.0 - values[p]) - thickness * along[p];
    for (int d = 0; d < DIM; ++d) {
      for (int p = 0; p < POINTS; ++p) values[p] = along[p] * load(normals + ROW(POINTS * DIM, p * DIM + d));
      points_to_modes(tables, values, lifted + d * MODES);
    }
    const real scale = load(geometry + ROW(DIM * DIM + 1, DIM * DIM));
    for (int face = 0; face < FACES; ++face)
      face_terms(traces, face_normals, neighbour, tables, batch, column, face, thickness,
                 load(face_geometry + ROW(FACES * FACE_GEOMETRY, face * FACE_GEOMETRY + DIM)), scale, sum, lifted);
    for (int d = 0; d < DIM; ++d) add_differentiated(tables, d, lifted + d * MODES, sum);
    finish_modes(g, sum, next, residual, batch, column, staged, a, b, dt);
  }
}
