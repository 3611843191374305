// SPDX-License-Identifier: Apache-2.0
/* model
name        maxwell-tm
about       Maxwell's equations in the plane, electric field across it: mu H_t = -curl E, epsilon E_t = curl H - sigma E.
dimensions  2
fields      vector H, scalar Ez
material    epsilon = 1 positive, mu = 1 positive, sigma = 0 not-negative
linear      yes
reaction    sigma
wall        pec
boundary    impedance Z = 1 positive
*/

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[Hx] = n[1] * q[Ez];
  f[Hy] = -n[0] * q[Ez];
  f[Ez] = n[1] * q[Hx] - n[0] * q[Hy];
}

FUNCTION void mass(const real *m, const real *q, real *out)
{
  out[Hx] = m[mu] * q[Hx];
  out[Hy] = m[mu] * q[Hy];
  out[Ez] = m[epsilon] * q[Ez];
}

FUNCTION void inverse_mass(const real *m, const real *q, real *out)
{
  real magnetic = 1.0 / m[mu];
  out[Hx] = magnetic * q[Hx];
  out[Hy] = magnetic * q[Hy];
  out[Ez] = q[Ez] / m[epsilon];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return 1.0 / sqrt(m[epsilon] * m[mu]);
}

FUNCTION void reaction(const real *q, const real *m, real *out)
{
  out[Hx] = splat(0.0);
  out[Hy] = splat(0.0);
  out[Ez] = -m[sigma] * q[Ez];
}

// Exact between two media: tangential E and h = n x H are continuous behind the waves that leave the face.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real zl = sqrt(ml[mu] / ml[epsilon]), zr = sqrt(mr[mu] / mr[epsilon]);
  real share = 1.0 / (zl + zr);
  real hl = n[0] * ql[Hy] - n[1] * ql[Hx], hr = n[0] * qr[Hy] - n[1] * qr[Hx];
  real electric = (zr * ql[Ez] + zl * qr[Ez] + zl * zr * (hr - hl)) * share;
  f[Hx] = n[1] * electric;
  f[Hy] = -n[0] * electric;
  f[Ez] = (ql[Ez] - qr[Ez] - zl * hl - zr * hr) * share;
}

FUNCTION void ghost_pec(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[Hx] = q[Hx];
  ghost[Hy] = q[Hy];
  ghost[Ez] = -q[Ez];
}

FUNCTION void ghost_pmc(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[Hx] = -q[Hx];
  ghost[Hy] = -q[Hy];
  ghost[Ez] = q[Ez];
}

// E = -Z n x H at the wall, and the outgoing wave E - zeta n x H is the interior's.
FUNCTION void wall_impedance(const real *q, const real *m, const real *n, real Z, real *state)
{
  real zeta = sqrt(m[mu] / m[epsilon]);
  real h = n[0] * q[Hy] - n[1] * q[Hx];
  real wall = -(q[Ez] - zeta * h) / (Z + zeta);
  state[Ez] = -Z * wall;
  state[Hx] = q[Hx] - n[1] * (wall - h);
  state[Hy] = q[Hy] + n[0] * (wall - h);
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
  real admittance = sqrt(m[epsilon] / m[mu]);
  q[Hx] = direction[1] * value * admittance;
  q[Hy] = -direction[0] * value * admittance;
  q[Ez] = value;
}
