// SPDX-License-Identifier: Apache-2.0
// Reinitialisation of a level set (Olsson, Kreiss and Zahedi 2007): G_tau + div(G (1 - G) n) = div(eps (grad G . n) n) with
// normals that stay as they were at its start. Both fluxes are along n, so that only s = G (1 - G) - eps n.grad G is needed
// and the components of n in the reference directions, m_d = n . grad r_d. The diffusion is discretised by local
// discontinuous Galerkin (Cockburn and Shu 1998): of the two sides of a face, one gives G for the gradient, the other the
// flux, so that whatever the normals are it only dissipates. Jumps of G are damped as by the Lax-Friedrichs flux.
// normals[batch][point][m_d .., w]; fluxes[batch][d][mode]: modes of s m_d. geometry[batch][grad r_d .., 1/J].
// face_geometry[batch][face][N |J_face| .., |J_face|, inner, open, gives]: inner is 0 on boundaries, which nothing passes
// here; open is 0 on walls, which nothing passes at all; gives is 1 on the side that gives G.
// flux_traces[batch][face][mode]: what this side adds to the flux through the face, along its outward normal.

// Modes of the derivatives along the reference directions, with the jumps to the neighbours: those of `giving` = 1 leave
// the value on a face to one side, those of 0 take the mean of both.
FUNCTION void slopes_with_jumps(const real *g, GLOBAL const scalar *traces, GLOBAL const scalar *face_geometry,
                                GLOBAL const int *neighbour, GLOBAL const scalar *tables, INDEX batch, int column, int giving,
                                real *slopes)
{
  for (int d = 0; d < DIM; ++d) differentiate(tables, d, g, slopes + d * MODES);
  for (int face = 0; face < FACES; ++face) {
    real behind[FACE_MODES], jump[FACE_MODES];
    const real part = giving ? 1.0 - FACE_NUMBER(face, DIM + 3) : splat(0.5);
    trace_behind(traces, neighbour, tables, batch, column, face, 1, 0, behind);
    for (int m = 0; m < FACE_MODES; ++m)
      behind[m] = part * (behind[m] - load(traces + ROW(FACES * FACE_MODES, face * FACE_MODES + m)));
    for (int d = 0; d < DIM; ++d) {
      const scalar normal = reference_normal(face, d);
      if (normal == 0.0) continue;
      for (int m = 0; m < FACE_MODES; ++m) jump[m] = normal * behind[m];
      add_from_face(tables, face, jump, slopes + d * MODES);
    }
  }
}

// Where the gradient is far below that of the profile there is no interface, and its direction is noise: there a part w
// goes to 0. With w n in the place of n, and w G (1 - G) in that of G (1 - G), both fluxes are w^2 of what they were, so that
// the profile is left alone as before. `least` is the square of the gradient at which w^2 is a half. The whole element has
// restored_part() of that; `both`: also where its profile is thinner than it should be.
KERNEL void normals_of_state(GLOBAL const scalar *q, GLOBAL const scalar *traces, GLOBAL scalar *normals,
                             GLOBAL const scalar *geometry, GLOBAL const scalar *face_geometry, GLOBAL const int *neighbour,
                             GLOBAL const scalar *tables, const scalar least, const scalar thickness, const INDEX both)
{
  ITEMS(item)
  {
    PLACE(item);
    real grad[DIM * DIM], gradient[DIM];
    real g[MODES], modes[DIM * MODES], slopes[DIM][POINTS], values[POINTS];
    for (int i = 0; i < DIM * DIM; ++i) grad[i] = load(geometry + ROW(DIM * DIM + 1, i));
    for (int m = 0; m < MODES; ++m) g[m] = load(q + ROW(MODES, m));
    slopes_with_jumps(g, traces, face_geometry, neighbour, tables, batch, column, 0, modes);
    for (int d = 0; d < DIM; ++d) modes_to_points(tables, modes + d * MODES, slopes[d]);
    modes_to_points(tables, g, values);
    real sum[DIM], surface = splat(0.0), spread = splat(0.0), whole = splat(0.0);
    for (int k = 0; k < DIM; ++k) sum[k] = splat(0.0);
    for (int p = 0; p < POINTS; ++p) {
      const scalar weight = weight_of(tables, p);
      real square = splat(0.0);
      for (int k = 0; k < DIM; ++k) {
        gradient[k] = splat(0.0);
        for (int d = 0; d < DIM; ++d) gradient[k] += grad[d * DIM + k] * slopes[d][p];
        square += gradient[k] * gradient[k];
        sum[k] += weight * gradient[k];
      }
      surface += weight * sqrt(square);
      spread += weight * compression(values[p]);
    }
    for (int k = 0; k < DIM; ++k) whole += sum[k] * sum[k];
    const real part = restored_part(thickness * thickness * whole, thickness * surface, spread, both);
    for (int p = 0; p < POINTS; ++p) {
      real square = splat(least);
      for (int k = 0; k < DIM; ++k) {
        gradient[k] = splat(0.0);
        for (int d = 0; d < DIM; ++d) gradient[k] += grad[d * DIM + k] * slopes[d][p];
        square += gradient[k] * gradient[k];
      }
      const real scale = part / sqrt(square);
      for (int d = 0; d < DIM; ++d) {
        real sum = splat(0.0);
        for (int k = 0; k < DIM; ++k) sum += grad[d * DIM + k] * gradient[k];
        store(normals + ROW(POINTS * NORMAL, p * NORMAL + d), sum * scale);
      }
      store(normals + ROW(POINTS * NORMAL, p * NORMAL + DIM), part * sqrt((square - least) / square));
    }
  }
}

// The fluxes of all elements, and their traces where the other side gives G. Compression and diffusion must go together:
// along a profile they cancel, whatever the normal's noise, and parts with different fluxes on faces would not.
KERNEL void profile_fluxes(GLOBAL const scalar *q, GLOBAL const scalar *traces, GLOBAL const scalar *normals, GLOBAL scalar *fluxes,
                           GLOBAL scalar *flux_traces, GLOBAL const scalar *geometry, GLOBAL const scalar *face_geometry,
                           GLOBAL const int *neighbour, GLOBAL const scalar *tables, const scalar thickness)
{
  ITEMS(item)
  {
    PLACE(item);
    real g[MODES], modes[DIM * MODES], values[POINTS], along[POINTS];
    for (int m = 0; m < MODES; ++m) g[m] = load(q + ROW(MODES, m));
    slopes_with_jumps(g, traces, face_geometry, neighbour, tables, batch, column, 1, modes);
    for (int p = 0; p < POINTS; ++p) along[p] = splat(0.0);
    for (int d = 0; d < DIM; ++d) {
      modes_to_points(tables, modes + d * MODES, values);
      for (int p = 0; p < POINTS; ++p) along[p] += values[p] * load(normals + ROW(POINTS * NORMAL, p * NORMAL + d));
    }
    modes_to_points(tables, g, values);
    for (int p = 0; p < POINTS; ++p)
      along[p] = compression(values[p]) * load(normals + ROW(POINTS * NORMAL, p * NORMAL + DIM)) - thickness * along[p];
    for (int d = 0; d < DIM; ++d) {
      for (int p = 0; p < POINTS; ++p) values[p] = along[p] * load(normals + ROW(POINTS * NORMAL, p * NORMAL + d));
      points_to_modes(tables, values, modes + d * MODES);
      for (int m = 0; m < MODES; ++m) store(fluxes + ROW(DIM * MODES, d * MODES + m), modes[d * MODES + m]);
    }
    const real volume = 1.0 / load(geometry + ROW(DIM * DIM + 1, DIM * DIM));
    for (int face = 0; face < FACES; ++face) {
      real sum[MODES], trace[FACE_MODES];
      for (int m = 0; m < MODES; ++m) {
        sum[m] = splat(0.0);
        for (int d = 0; d < DIM; ++d) sum[m] += reference_normal(face, d) * modes[d * MODES + m];
      }
      trace_of(tables, face, sum, trace);
      const real scale = volume * (1.0 - FACE_NUMBER(face, DIM + 3));
      for (int m = 0; m < FACE_MODES; ++m)
        store(flux_traces + ROW(FACES * FACE_MODES, face * FACE_MODES + m), trace[m] * scale);
    }
  }
}

KERNEL void reinitialise(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *traces,
                         GLOBAL const scalar *fluxes, GLOBAL const scalar *flux_traces, GLOBAL const scalar *geometry,
                         GLOBAL const scalar *face_geometry, GLOBAL const int *neighbour, GLOBAL const scalar *tables,
                         const INDEX ending, const scalar a, const scalar b, const scalar dt)
{
  ITEMS(item)
  {
    PLACE(item);
    real g[MODES], modes[MODES], sum[MODES];
    for (int m = 0; m < MODES; ++m) g[m] = load(q + ROW(MODES, m));
    for (int m = 0; m < MODES; ++m) sum[m] = splat(0.0);
    for (int d = 0; d < DIM; ++d) {
      for (int m = 0; m < MODES; ++m) modes[m] = load(fluxes + ROW(DIM * MODES, d * MODES + m));
      add_differentiated(tables, d, modes, sum);
    }
    const real scale = load(geometry + ROW(DIM * DIM + 1, DIM * DIM));
    for (int face = 0; face < FACES; ++face) {
      real behind[FACE_MODES], flux[FACE_MODES];
      const real area = FACE_NUMBER(face, DIM), inner = scale * FACE_NUMBER(face, DIM + 1);
      trace_behind(traces, neighbour, tables, batch, column, face, 1, 0, behind);
      // The wave speed |1 - 2 G| |n.N| is at most 1, so that this makes up for a compression taken from the wrong side.
      for (int m = 0; m < FACE_MODES; ++m)
        flux[m] = 0.5 * area * (behind[m] - load(traces + ROW(FACES * FACE_MODES, face * FACE_MODES + m)));
      trace_behind(flux_traces, neighbour, tables, batch, column, face, 1, 0, behind);
      for (int m = 0; m < FACE_MODES; ++m)
        flux[m] = inner * (flux[m] + behind[m] - load(flux_traces + ROW(FACES * FACE_MODES, face * FACE_MODES + m)));
      add_from_face(tables, face, flux, sum);
    }
    finish_modes(g, sum, next, residual, batch, column, ending, a, b, dt);
  }
}
