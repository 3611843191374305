// SPDX-License-Identifier: Apache-2.0
/* model
name        euler
about       Compressible flow without friction: mass, momentum and energy of an ideal gas.
dimensions  1 2 3
fields      scalar rho, vector rhou, scalar E
variables   scalar rho, vector u, scalar p
material    gamma = 1.4 positive
linear      no
wall        wall
admissible  rho p
*/

FUNCTION real dot(const real *a, const real *b)
{
  real sum = a[0] * b[0];
  for (int d = 1; d < DIM; ++d) sum += a[d] * b[d];
  return sum;
}

FUNCTION real pressure(const real *q, const real *m)
{
  return (m[gamma] - 1.0) * (q[E] - 0.5 * dot(q + rhoux, q + rhoux) / q[rho]);
}

FUNCTION real sound(const real *q, const real *m)
{
  return sqrt(m[gamma] * pressure(q, m) / q[rho]);
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  real un = dot(q + rhoux, n) / q[rho], pr = pressure(q, m);
  f[rho] = q[rho] * un;
  for (int d = 0; d < DIM; ++d) f[rhoux + d] = q[rhoux + d] * un + pr * n[d];
  f[E] = (q[E] + pr) * un;
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return fabs(dot(q + rhoux, n) / q[rho]) + sound(q, m);
}

// Harten, Lax and van Leer (1983), with the speeds of both sides (Davis 1988).
FUNCTION void flux_hll(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real ul = dot(ql + rhoux, n) / ql[rho], ur = dot(qr + rhoux, n) / qr[rho];
  real cl = sound(ql, ml), cr = sound(qr, mr);
  real slow = fmin(fmin(ul - cl, ur - cr), splat(0.0)), fast = fmax(fmax(ul + cl, ur + cr), splat(0.0));
  real fl[FIELDS], fr[FIELDS];
  flux(ql, ml, n, fl);
  flux(qr, mr, n, fr);
  for (int i = 0; i < FIELDS; ++i)
    f[i] = (fast * fl[i] - slow * fr[i] + fast * slow * (qr[i] - ql[i])) / (fast - slow);
}

FUNCTION void ghost_wall(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  real un = dot(q + rhoux, n);
  ghost[rho] = q[rho];
  for (int d = 0; d < DIM; ++d) ghost[rhoux + d] = q[rhoux + d] - 2.0 * un * n[d];
  ghost[E] = q[E];
}

FUNCTION void ghost_outflow(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  for (int i = 0; i < FIELDS; ++i) ghost[i] = q[i];
}

FUNCTION void variables_of(const real *q, const real *m, real *v)
{
  v[rho] = q[rho];
  for (int d = 0; d < DIM; ++d) v[ux + d] = q[rhoux + d] / q[rho];
  v[p] = pressure(q, m);
}

FUNCTION void fields_of(const real *v, const real *m, real *q)
{
  q[rho] = v[rho];
  for (int d = 0; d < DIM; ++d) q[rhoux + d] = v[rho] * v[ux + d];
  q[E] = v[p] / (m[gamma] - 1.0) + 0.5 * v[rho] * dot(v + ux, v + ux);
}

FUNCTION void admissible(const real *q, const real *m, real *margin)
{
  margin[0] = q[rho];
  margin[1] = pressure(q, m);
}

FUNCTION real quantity_mass(const real *q, const real *m)
{
  return q[rho];
}

FUNCTION real quantity_energy(const real *q, const real *m)
{
  return q[E];
}

// -rho s / (gamma - 1), the entropy of the equations: it falls where there are shocks.
FUNCTION real quantity_entropy(const real *q, const real *m)
{
  return -q[rho] * (log(pressure(q, m)) - m[gamma] * log(q[rho])) / (m[gamma] - 1.0);
}
