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

FUNCTION real mean(const real a, const real b)
{
  return 0.5 * (a + b);
}

// The logarithmic mean (b - a)/(log b - log a) (Ismail and Roe 2009): with f = (b - a)/(b + a) it is (a + b)/2 over
// atanh(f)/f = 1 + f^2/3 + f^4/5 + ..., of which so many terms count at most to rounding.
FUNCTION real log_mean(const real a, const real b)
{
  const real sum = a + b, f = (b - a) / sum, u = f * f;
  const real far = splat(0.01);
  real ratio = 1.0 + u * (1.0 / 3 + u * (1.0 / 5 + u * (1.0 / 7 + u * (1.0 / 9 + u * (1.0 / 11 + u * (1.0 / 13 + u * (1.0 / 15)))))));
  if (any(u > far)) ratio = u > far ? 0.5 * log(b / a) / f : ratio;
  return 0.5 * sum / ratio;
}

// A flux that keeps kinetic energy and equilibria of the pressure, from its means of density, pressure and inner energy per mass.
FUNCTION void two_point(const real *vl, const real *vr, const real density, const real pressure, const real inner, const real *n, real *f)
{
  real un = 0.0 * n[0];
  for (int d = 0; d < DIM; ++d) un += mean(vl[ux + d], vr[ux + d]) * n[d];
  f[rho] = density * un;
  for (int d = 0; d < DIM; ++d) f[rhoux + d] = f[rho] * mean(vl[ux + d], vr[ux + d]) + pressure * n[d];
  f[E] = f[rho] * (inner + 0.5 * dot(vl + ux, vr + ux)) + mean(vl[p] * dot(vr + ux, n), vr[p] * dot(vl + ux, n));
}

// Kennedy and Gruber (2008): the means of density, velocity, energy per mass and pressure; keeps the kinetic energy.
FUNCTION void pair_kennedy_gruber(const real *vl, const real *vr, const real *m, const real *n, real *f)
{
  const real pr = mean(vl[p], vr[p]), over = 1.0 / (m[gamma] - 1.0);
  const real el = over * vl[p] / vl[rho] + 0.5 * dot(vl + ux, vl + ux), er = over * vr[p] / vr[rho] + 0.5 * dot(vr + ux, vr + ux);
  real un = 0.0 * n[0];
  for (int d = 0; d < DIM; ++d) un += mean(vl[ux + d], vr[ux + d]) * n[d];
  f[rho] = mean(vl[rho], vr[rho]) * un;
  for (int d = 0; d < DIM; ++d) f[rhoux + d] = f[rho] * mean(vl[ux + d], vr[ux + d]) + pr * n[d];
  f[E] = f[rho] * mean(el, er) + pr * un;
}

// Ranocha (2018): keeps entropy, kinetic energy and equilibria of the pressure.
FUNCTION void pair_ranocha(const real *vl, const real *vr, const real *m, const real *n, real *f)
{
  const real inner = 1.0 / ((m[gamma] - 1.0) * log_mean(vl[rho] / vl[p], vr[rho] / vr[p]));
  two_point(vl, vr, log_mean(vl[rho], vr[rho]), mean(vl[p], vr[p]), inner, n, f);
}

// Chandrashekar (2013): keeps entropy and kinetic energy.
FUNCTION void pair_chandrashekar(const real *vl, const real *vr, const real *m, const real *n, real *f)
{
  const real bl = 0.5 * vl[rho] / vl[p], br = 0.5 * vr[rho] / vr[p], pr = 0.5 * mean(vl[rho], vr[rho]) / mean(bl, br);
  real un = 0.0 * n[0], square = 0.0 * n[0], along = 0.0 * n[0];
  for (int d = 0; d < DIM; ++d) {
    const real u = mean(vl[ux + d], vr[ux + d]);
    un += u * n[d];
    square += mean(vl[ux + d] * vl[ux + d], vr[ux + d] * vr[ux + d]);
    along += u * u;
  }
  f[rho] = log_mean(vl[rho], vr[rho]) * un;
  for (int d = 0; d < DIM; ++d) f[rhoux + d] = f[rho] * mean(vl[ux + d], vr[ux + d]) + pr * n[d];
  f[E] = f[rho] * (0.5 / ((m[gamma] - 1.0) * log_mean(bl, br)) + along - 0.5 * square) + pr * un;
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
