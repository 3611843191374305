// SPDX-License-Identifier: Apache-2.0
/* model
name        maxwell-tem
about       Maxwell's equations for fields that depend on x alone: epsilon Ey_t = -Hz_x - sigma Ey, mu Hz_t = -Ey_x.
dimensions  1
fields      scalar Ey, scalar Hz
material    epsilon = 1 positive, mu = 1 positive, sigma = 0 not-negative
linear      yes
reaction    sigma
wall        pec
boundary    impedance Z = 1 positive
*/

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[Ey] = n[0] * q[Hz];
  f[Hz] = n[0] * q[Ey];
}

FUNCTION void mass(const real *m, const real *q, real *out)
{
  out[Ey] = m[epsilon] * q[Ey];
  out[Hz] = m[mu] * q[Hz];
}

FUNCTION void inverse_mass(const real *m, const real *q, real *out)
{
  out[Ey] = q[Ey] / m[epsilon];
  out[Hz] = q[Hz] / m[mu];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return 1.0 / sqrt(m[epsilon] * m[mu]);
}

FUNCTION void reaction(const real *q, const real *m, real *out)
{
  out[Ey] = -m[sigma] * q[Ey];
  out[Hz] = splat(0.0);
}

// Exact between two media: E and H, which are tangential, are continuous behind the waves that leave the face.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real zl = sqrt(ml[mu] / ml[epsilon]), zr = sqrt(mr[mu] / mr[epsilon]);
  real share = 1.0 / (zl + zr);
  real el = n[0] * ql[Ey], er = n[0] * qr[Ey];
  f[Ey] = n[0] * ((zl * ql[Hz] + zr * qr[Hz] + el - er) * share);
  f[Hz] = (zr * el + zl * er + zl * zr * (ql[Hz] - qr[Hz])) * share;
}

FUNCTION void ghost_pec(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[Ey] = -q[Ey];
  ghost[Hz] = q[Hz];
}

FUNCTION void ghost_pmc(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[Ey] = q[Ey];
  ghost[Hz] = -q[Hz];
}

// e = Z H at the wall with e = n Ey, and the outgoing wave e + zeta H is the interior's.
FUNCTION void wall_impedance(const real *q, const real *m, const real *n, real Z, real *state)
{
  real zeta = sqrt(m[mu] / m[epsilon]);
  real wall = (n[0] * q[Ey] + zeta * q[Hz]) / (Z + zeta);
  state[Ey] = n[0] * Z * wall;
  state[Hz] = wall;
}

FUNCTION void state_impedance(const real *q, const real *m, const real *n, const real *data, real *state)
{
  wall_impedance(q, m, n, data[0], state);
}

FUNCTION void state_absorbing(const real *q, const real *m, const real *n, const real *data, real *state)
{
  wall_impedance(q, m, n, sqrt(m[mu] / m[epsilon]), state);
}

FUNCTION real plane_wave_speed(const real *m, const real *direction, const real *polarisation)
{
  return 1.0 / sqrt(m[epsilon] * m[mu]);
}

FUNCTION void plane_wave(const real *m, const real *direction, const real *polarisation, real value, real *q)
{
  q[Ey] = value;
  q[Hz] = direction[0] * value * sqrt(m[epsilon] / m[mu]);
}
