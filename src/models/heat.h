// SPDX-License-Identifier: Apache-2.0
/* model
name        heat
about       Heat conduction: rhoC T_t = div(k grad T) + f.
dimensions  1 2 3
fields      scalar T
material    rhoC = 1 positive, k = 1 positive
linear      yes
boundary    temperature T
boundary    flux q = 0
boundary    robin h, T
wall        flux
*/

FUNCTION void mass(const real *m, const real *q, real *p)
{
  p[T] = m[rhoC] * q[T];
}

FUNCTION void inverse_mass(const real *m, const real *p, real *q)
{
  q[T] = p[T] / m[rhoC];
}

// Heat flows along n where the temperature, whose gradient is dq, rises along it.
FUNCTION void viscous_flux(const real *q, const real *dq, const real *m, const real *n, real *f)
{
  real slope = n[0] * dq[0];
  for (int d = 1; d < DIM; ++d) slope += n[d] * dq[d];
  f[T] = m[k] * slope;
}

// The temperature of the wall.
FUNCTION void state_temperature(const real *q, const real *m, const real *n, const real *data, real *state)
{
  state[T] = data[0];
}

// Heat that enters through the wall, for each unit of its area.
FUNCTION void gradient_flux(const real *q, const real *m, const real *n, const real *data, real *f)
{
  f[T] = data[0];
}

// Newton's law of cooling: a transfer data[0] to surroundings of the temperature data[1].
FUNCTION void gradient_robin(const real *q, const real *m, const real *n, const real *data, real *f)
{
  f[T] = data[0] * (data[1] - q[T]);
}
