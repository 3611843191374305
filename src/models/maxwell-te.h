// SPDX-License-Identifier: Apache-2.0
/* model
name        maxwell-te
about       Maxwell's equations in the plane, magnetic field across it: epsilon E_t = curl H - sigma E, mu H_t = -curl E.
dimensions  2
fields      vector E, scalar Hz
material    epsilon = 1 positive, mu = 1 positive, sigma = 0 not-negative
linear      yes
reaction    sigma
wall        pec
boundary    impedance Z = 1 positive
*/

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[Ex] = -n[1] * q[Hz];
  f[Ey] = n[0] * q[Hz];
  f[Hz] = n[0] * q[Ey] - n[1] * q[Ex];
}

FUNCTION void mass(const real *m, const real *q, real *out)
{
  out[Ex] = m[epsilon] * q[Ex];
  out[Ey] = m[epsilon] * q[Ey];
  out[Hz] = m[mu] * q[Hz];
}

FUNCTION void inverse_mass(const real *m, const real *q, real *out)
{
  real electric = 1.0 / m[epsilon];
  out[Ex] = electric * q[Ex];
  out[Ey] = electric * q[Ey];
  out[Hz] = q[Hz] / m[mu];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return 1.0 / sqrt(m[epsilon] * m[mu]);
}

FUNCTION void reaction(const real *q, const real *m, real *out)
{
  out[Ex] = -m[sigma] * q[Ex];
  out[Ey] = -m[sigma] * q[Ey];
  out[Hz] = splat(0.0);
}

// Exact between two media: tangential E and H are continuous behind the waves that leave the face.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real zl = sqrt(ml[mu] / ml[epsilon]), zr = sqrt(mr[mu] / mr[epsilon]);
  real share = 1.0 / (zl + zr);
  real el = n[0] * ql[Ey] - n[1] * ql[Ex], er = n[0] * qr[Ey] - n[1] * qr[Ex];
  real magnetic = (zl * ql[Hz] + zr * qr[Hz] + el - er) * share;
  f[Ex] = -n[1] * magnetic;
  f[Ey] = n[0] * magnetic;
  f[Hz] = (zr * el + zl * er + zl * zr * (ql[Hz] - qr[Hz])) * share;
}

FUNCTION void ghost_pec(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[Ex] = -q[Ex];
  ghost[Ey] = -q[Ey];
  ghost[Hz] = q[Hz];
}

FUNCTION void ghost_pmc(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[Ex] = q[Ex];
  ghost[Ey] = q[Ey];
  ghost[Hz] = -q[Hz];
}

// e = Z H at the wall with e = n x E, and the outgoing wave e + zeta H is the interior's.
FUNCTION void wall_impedance(const real *q, const real *m, const real *n, real Z, real *state)
{
  real zeta = sqrt(m[mu] / m[epsilon]);
  real e = n[0] * q[Ey] - n[1] * q[Ex];
  real wall = (e + zeta * q[Hz]) / (Z + zeta);
  real tangential = Z * wall - e;
  state[Ex] = q[Ex] - n[1] * tangential;
  state[Ey] = q[Ey] + n[0] * tangential;
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
  real impedance = sqrt(m[mu] / m[epsilon]);
  q[Ex] = -direction[1] * value * impedance;
  q[Ey] = direction[0] * value * impedance;
  q[Hz] = value;
}
