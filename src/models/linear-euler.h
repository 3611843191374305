// SPDX-License-Identifier: Apache-2.0
/* model
name        linear-euler
about       Sound in a flow: small disturbances rho, u, p of a steady mean flow rho0, u0, c0 (linearised Euler equations).
dimensions  1 2 3
fields      scalar rho, vector u, scalar p
material    rho0 = 1 positive, c0 = 1 positive, vector u*0 = 0, gamma = 1.4 positive
gradients   u*0
linear      yes
reaction    gradients
wall        rigid
*/

// Bogey, Bailly and Juve (2002), Computation of flow noise using source terms in linearized Euler's equations, eqs. (1)-(4):
//   rho_t      + div(rho u0 + rho0 u)               = 0
//   rho0 u_t   + div(rho0 u0 u) + grad p            = -(rho0 u + rho u0) . grad u0
//   p_t        + div(p u0 + rho0 c0^2 u)            = -(gamma - 1) (p div u0 - u . grad p0)
// for a mean flow that is steady: div(rho0 u0) = 0, grad p0 = -rho0 u0 . grad u0 and gamma p0 = rho0 c0^2.

FUNCTION real mean_along(const real *m, const real *n)
{
  real sum = n[0] * m[ux0];
  for (int d = 1; d < DIM; ++d) sum += n[d] * m[ux0 + d];
  return sum;
}

FUNCTION real disturbance_along(const real *q, const real *n)
{
  real sum = n[0] * q[ux];
  for (int d = 1; d < DIM; ++d) sum += n[d] * q[ux + d];
  return sum;
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  real carried = mean_along(m, n), flow = m[rho0] * disturbance_along(q, n);
  f[rho] = carried * q[rho] + flow;
  for (int d = 0; d < DIM; ++d) f[ux + d] = m[rho0] * carried * q[ux + d] + n[d] * q[p];
  f[p] = carried * q[p] + m[c0] * m[c0] * flow;
}

FUNCTION void mass(const real *m, const real *q, real *out)
{
  out[rho] = q[rho];
  for (int d = 0; d < DIM; ++d) out[ux + d] = m[rho0] * q[ux + d];
  out[p] = q[p];
}

FUNCTION void inverse_mass(const real *m, const real *q, real *out)
{
  real light = 1.0 / m[rho0];
  out[rho] = q[rho];
  for (int d = 0; d < DIM; ++d) out[ux + d] = light * q[ux + d];
  out[p] = q[p];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return fabs(mean_along(m, n)) + m[c0];
}

// d u0_i / d x_j is m[ux0_x + i * DIM + j].
FUNCTION void reaction(const real *q, const real *m, real *out)
{
  real work = 0.0 * m[rho0], divergence = 0.0 * m[rho0];
  for (int i = 0; i < DIM; ++i) {
    real sum = 0.0 * m[rho0], bend = 0.0 * m[rho0];
    for (int j = 0; j < DIM; ++j) {
      real slope = m[ux0_x + i * DIM + j];
      sum += (m[rho0] * q[ux + j] + q[rho] * m[ux0 + j]) * slope;
      bend += m[ux0 + j] * slope;
    }
    out[ux + i] = -sum;
    work -= m[rho0] * bend * q[ux + i];  // u . grad p0
    divergence += m[ux0_x + i * DIM + i];
  }
  out[rho] = splat(0.0);
  out[p] = (m[gamma] - 1.0) * (work - q[p] * divergence);
}

// The exact solution of the Riemann problem between two media. Sound carries the jumps of the pressure's and the normal velocity's
// fluxes; density and velocity across the normal come from the side that the flow comes from. Supersonic flow carries everything.
// Where two supersonic streams collide no wave leaves the face: what both bring meets there, and each side takes half of it.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real fl[FIELDS], fr[FIELDS];
  flux(ql, ml, n, fl);
  flux(qr, mr, n, fr);
  real cl = ml[c0], cr = mr[c0], flow = mean_along(ml, n) + mean_along(mr, n);
  real nl = disturbance_along(fl, n), nr = disturbance_along(fr, n);
  real share = 1.0 / (cl + cr);
  real left = cl * (fr[p] - fl[p] - cr * (nr - nl)) * share;   // the flux of p in the wave that runs to the left
  real right = -cr * (fr[p] - fl[p] + cl * (nr - nl)) * share;
  real along = nl - left / cl;
  // 1 where the flow runs to the right, 0 to the left, a half where it stands.
  real before = flow > 0.0 ? splat(1.0) : flow < 0.0 ? splat(0.0) : splat(0.5);
  f[rho] = before * (fl[rho] + left / (cl * cl)) + (1.0 - before) * (fr[rho] + right / (cr * cr));
  for (int d = 0; d < DIM; ++d)
    f[ux + d] = along * n[d] + before * (fl[ux + d] - nl * n[d]) + (1.0 - before) * (fr[ux + d] - nr * n[d]);
  f[p] = fl[p] + left;
  for (int i = 0; i < FIELDS; ++i) {
    real from_right = mean_along(ml, n) >= cl ? 0.5 * (fl[i] + fr[i]) : fr[i];
    f[i] = mean_along(ml, n) >= cl ? fl[i] : f[i];
    f[i] = -mean_along(mr, n) >= cr ? from_right : f[i];
  }
}

// A mirror: no velocity through the wall, along which the mean flow must run.
FUNCTION void ghost_rigid(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  real un = disturbance_along(q, n);
  ghost[rho] = q[rho];
  for (int d = 0; d < DIM; ++d) ghost[ux + d] = q[ux + d] - 2.0 * un * n[d];
  ghost[p] = q[p];
}

// No wave comes in: sound with the speeds u0 . n +- c0, entropy and vorticity with u0 . n.
FUNCTION void state_absorbing(const real *q, const real *m, const real *n, const real *data, real *state)
{
  real z = m[rho0] * m[c0], flow = mean_along(m, n), un = disturbance_along(q, n);
  real ahead = flow + m[c0] > 0.0 ? q[p] + z * un : splat(0.0);
  real back = flow - m[c0] > 0.0 ? q[p] - z * un : splat(0.0);
  real stay = flow > 0.0 ? splat(1.0) : splat(0.0);
  real square = 1.0 / (m[c0] * m[c0]);
  real pressure = 0.5 * (ahead + back), normal = 0.5 * (ahead - back) / z;
  state[rho] = pressure * square + stay * (q[rho] - q[p] * square);
  for (int d = 0; d < DIM; ++d) state[ux + d] = normal * n[d] + stay * (q[ux + d] - un * n[d]);
  state[p] = pressure;
}

FUNCTION real plane_wave_speed(const real *m, const real *direction, const real *polarisation)
{
  return mean_along(m, direction) + m[c0];
}

// Sound that runs along the direction.
FUNCTION void plane_wave(const real *m, const real *direction, const real *polarisation, real value, real *q)
{
  q[rho] = value / (m[c0] * m[c0]);
  for (int d = 0; d < DIM; ++d) q[ux + d] = direction[d] * value / (m[rho0] * m[c0]);
  q[p] = value;
}
