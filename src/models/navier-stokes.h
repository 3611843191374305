// SPDX-License-Identifier: Apache-2.0
/* model
name        navier-stokes
extends     euler
about       Compressible flow with friction and heat conduction (Navier-Stokes): an ideal gas.
dimensions  1 2 3
material    mu = 1 not-negative, Pr = 0.72 positive, Rgas = 1 positive, sutherland = 0 not-negative, T0 = 1 positive
boundary    noslip T = 0 not-negative, vector u = 0
*/

// The right-hand sides are 0, div tau, div(tau u + k grad T): tau = mu (grad u + grad u^T - 2/3 div u), k = mu c_p / Pr,
// p = rho Rgas T, c_p = gamma Rgas / (gamma - 1).

FUNCTION real temperature(const real *q, const real *m)
{
  return pressure(q, m) / (q[rho] * m[Rgas]);
}

// mu, or where `sutherland` is not 0 Sutherland's law (1893) with the constant sutherland T0, and mu at T0.
FUNCTION real viscosity(const real *q, const real *m)
{
  real ratio = temperature(q, m) / m[T0];
  real law = ratio * sqrt(ratio) * (1.0 + m[sutherland]) / (ratio + m[sutherland]);
  return m[mu] * (m[sutherland] > 0.0 ? law : splat(1.0));
}

FUNCTION void viscous_flux(const real *q, const real *dq, const real *m, const real *n, real *f)
{
  real du[DIM * DIM], thickness = viscosity(q, m), divergence = splat(0.0), work = splat(0.0), slope = splat(0.0);
  velocity_gradient(q, dq, du);
  for (int i = 0; i < DIM; ++i) divergence += du[i * DIM + i];
  f[rho] = splat(0.0);
  for (int i = 0; i < DIM; ++i) {
    real force = -2.0 / 3.0 * divergence * n[i];
    for (int a = 0; a < DIM; ++a) force += (du[i * DIM + a] + du[a * DIM + i]) * n[a];
    f[rhou + i] = thickness * force;
    work += f[rhou + i] * q[rhou + i] / q[rho];
  }
  // The gradient of E / rho - |u|^2 / 2, which is c_v T.
  for (int a = 0; a < DIM; ++a) {
    real inner = (dq[E * DIM + a] - q[E] / q[rho] * dq[rho * DIM + a]) / q[rho];
    for (int i = 0; i < DIM; ++i) inner -= q[rhou + i] / q[rho] * du[i * DIM + a];
    slope += inner * n[a];
  }
  f[E] = work + thickness * m[gamma] / m[Pr] * slope;
}

// The largest of the kinematic viscosity of compression and the diffusivity of heat.
FUNCTION real diffusivity(const real *q, const real *m)
{
  return viscosity(q, m) / q[rho] * fmax(splat(4.0 / 3.0), m[gamma] / m[Pr]);
}

// A wall that moves with the velocity data[1 ..] and has the temperature data[0], or where that is 0 lets no heat through. For the
// convective terms the velocity is mirrored there, and density and pressure stay.
FUNCTION void ghost_noslip(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  real kinetic = splat(0.0);
  ghost[rho] = q[rho];
  for (int d = 0; d < DIM; ++d) {
    ghost[rhou + d] = 2.0 * data[1 + d] * q[rho] - q[rhou + d];
    kinetic += 0.5 * ghost[rhou + d] * ghost[rhou + d] / q[rho];
  }
  ghost[E] = pressure(q, m) / (m[gamma] - 1.0) + kinetic;
}

FUNCTION void value_noslip(const real *q, const real *m, const real *n, const real *data, real *value)
{
  real kinetic = splat(0.0);
  value[rho] = q[rho];
  for (int d = 0; d < DIM; ++d) {
    value[rhou + d] = data[1 + d] * q[rho];
    kinetic += 0.5 * q[rho] * data[1 + d] * data[1 + d];
  }
  real inner = data[0] > 0.0 ? q[rho] * m[Rgas] * data[0] : pressure(q, m);
  value[E] = inner / (m[gamma] - 1.0) + kinetic;
}

FUNCTION void through_noslip(const real *q, const real *dq, const real *m, const real *n, const real *data, real *f)
{
  real work = splat(0.0);
  viscous_flux(q, dq, m, n, f);
  for (int d = 0; d < DIM; ++d) work += f[rhou + d] * data[1 + d];
  f[E] = data[0] > 0.0 ? f[E] : work;
}

// Neither friction nor heat.
FUNCTION void through_slip(const real *q, const real *dq, const real *m, const real *n, const real *data, real *f)
{
  for (int i = 0; i < FIELDS; ++i) f[i] = splat(0.0);
}
