// SPDX-License-Identifier: Apache-2.0
/* model
name        maxwell
about       Maxwell's equations: epsilon E_t = curl H - sigma E, mu H_t = -curl E.
dimensions  3
fields      vector E, vector H
material    epsilon = 1 positive, mu = 1 positive, sigma = 0 not-negative
linear      yes
reaction    sigma
wall        pec
boundary    impedance Z = 1 positive
*/

FUNCTION void cross(const real *a, const real *b, real *out)
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[Ex] = n[2] * q[Hy] - n[1] * q[Hz];
  f[Ey] = n[0] * q[Hz] - n[2] * q[Hx];
  f[Ez] = n[1] * q[Hx] - n[0] * q[Hy];
  f[Hx] = n[1] * q[Ez] - n[2] * q[Ey];
  f[Hy] = n[2] * q[Ex] - n[0] * q[Ez];
  f[Hz] = n[0] * q[Ey] - n[1] * q[Ex];
}

FUNCTION void mass(const real *m, const real *q, real *out)
{
  for (int d = 0; d < 3; ++d) {
    out[Ex + d] = m[epsilon] * q[Ex + d];
    out[Hx + d] = m[mu] * q[Hx + d];
  }
}

FUNCTION void inverse_mass(const real *m, const real *q, real *out)
{
  real electric = 1.0 / m[epsilon], magnetic = 1.0 / m[mu];
  for (int d = 0; d < 3; ++d) {
    out[Ex + d] = electric * q[Ex + d];
    out[Hx + d] = magnetic * q[Hx + d];
  }
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return 1.0 / sqrt(m[epsilon] * m[mu]);
}

FUNCTION void reaction(const real *q, const real *m, real *out)
{
  for (int d = 0; d < 3; ++d) {
    out[Ex + d] = -m[sigma] * q[Ex + d];
    out[Hx + d] = splat(0.0);
  }
}

// Exact between two media of impedance z: behind the waves that leave the face tangential E and H are continuous,
//   H* = (zl Hl + zr Hr - n x (El - Er)) / (zl + zr),  E* = (El/zl + Er/zr + n x (Hl - Hr)) / (1/zl + 1/zr),
// and the flux is (-n x H*, n x E*) (Hesthaven and Warburton 2002).
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real zl = sqrt(ml[mu] / ml[epsilon]), zr = sqrt(mr[mu] / mr[epsilon]);
  real share = 1.0 / (zl + zr);
  real wl = zl * share, wr = zr * share, both = zl * wr;
  real h[3], e[3], dh[3], de[3];
  for (int d = 0; d < 3; ++d) {
    h[d] = wl * ql[Hx + d] + wr * qr[Hx + d];
    e[d] = wr * ql[Ex + d] + wl * qr[Ex + d];
    de[d] = share * (ql[Ex + d] - qr[Ex + d]);
    dh[d] = both * (ql[Hx + d] - qr[Hx + d]);
  }
  real den = n[0] * de[0] + n[1] * de[1] + n[2] * de[2];
  real dhn = n[0] * dh[0] + n[1] * dh[1] + n[2] * dh[2];
  f[Ex] = n[2] * h[1] - n[1] * h[2] + de[0] - den * n[0];
  f[Ey] = n[0] * h[2] - n[2] * h[0] + de[1] - den * n[1];
  f[Ez] = n[1] * h[0] - n[0] * h[1] + de[2] - den * n[2];
  f[Hx] = n[1] * e[2] - n[2] * e[1] + dh[0] - dhn * n[0];
  f[Hy] = n[2] * e[0] - n[0] * e[2] + dh[1] - dhn * n[1];
  f[Hz] = n[0] * e[1] - n[1] * e[0] + dh[2] - dhn * n[2];
}

// The tangential part of the vector at `first` changes its sign, the normal part stays.
FUNCTION void mirror(const real *q, const real *n, int first, real *ghost)
{
  real normal = n[0] * q[first] + n[1] * q[first + 1] + n[2] * q[first + 2];
  for (int d = 0; d < FIELDS; ++d) ghost[d] = q[d];
  for (int d = 0; d < 3; ++d) ghost[first + d] = 2.0 * normal * n[d] - q[first + d];
}

FUNCTION void ghost_pec(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  mirror(q, n, Ex, ghost);
}

FUNCTION void ghost_pmc(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  mirror(q, n, Hx, ghost);
}

// E_t = -Z n x H at the wall, and the outgoing wave E_t - zeta n x H is the interior's.
FUNCTION void wall_impedance(const real *q, const real *m, const real *n, real Z, real *state)
{
  real zeta = sqrt(m[mu] / m[epsilon]);
  real h[3], wall[3], change[3];
  cross(n, q + Hx, h);
  real normal = n[0] * q[Ex] + n[1] * q[Ey] + n[2] * q[Ez];
  for (int d = 0; d < 3; ++d) {
    wall[d] = (zeta * h[d] - (q[Ex + d] - normal * n[d])) / (Z + zeta);
    state[Ex + d] = normal * n[d] - Z * wall[d];
    h[d] = wall[d] - h[d];
  }
  cross(n, h, change);
  for (int d = 0; d < 3; ++d) state[Hx + d] = q[Hx + d] - change[d];
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
  real h[3];
  cross(direction, polarisation, h);
  for (int d = 0; d < 3; ++d) {
    q[Ex + d] = polarisation[d] * value;
    q[Hx + d] = h[d] * value * admittance;
  }
}
