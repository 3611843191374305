// SPDX-License-Identifier: Apache-2.0
/* model
name        poisson
about       Poisson's equation, at rest: div(k grad u) + f = 0.
dimensions  1 2 3
fields      scalar u
material    k = 1 positive
linear      yes
boundary    temperature T
boundary    flux q = 0
boundary    robin h, T
wall        flux
*/

FUNCTION void viscous_flux(const real *q, const real *dq, const real *m, const real *n, real *f)
{
  real slope = n[0] * dq[0];
  for (int d = 1; d < DIM; ++d) slope += n[d] * dq[d];
  f[u] = m[k] * slope;
}

// The value at the wall.
FUNCTION void state_temperature(const real *q, const real *m, const real *n, const real *data, real *state)
{
  state[u] = data[0];
}

// k times the derivative of u along the outward normal.
FUNCTION void gradient_flux(const real *q, const real *m, const real *n, const real *data, real *f)
{
  f[u] = data[0];
}

FUNCTION void gradient_robin(const real *q, const real *m, const real *n, const real *data, real *f)
{
  f[u] = data[0] * (data[1] - q[u]);
}
