// SPDX-License-Identifier: Apache-2.0
/* model
name        acoustics
about       Sound: p_t / (rho c^2) + div v = 0, rho v_t + grad p = 0.
dimensions  1 2 3
fields      scalar p, vector v
material    rho = 1 positive, c = 1 positive
linear      yes
wall        rigid
boundary    impedance Z = 1 not-negative
*/

FUNCTION real normal_velocity(const real *q, const real *n)
{
#if DIM == 1
  return n[0] * q[vx];
#elif DIM == 2
  return n[0] * q[vx] + n[1] * q[vy];
#else
  return n[0] * q[vx] + n[1] * q[vy] + n[2] * q[vz];
#endif
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[p] = normal_velocity(q, n);
  for (int d = 0; d < DIM; ++d) f[vx + d] = n[d] * q[p];
}

FUNCTION void mass(const real *m, const real *q, real *out)
{
  out[p] = q[p] / (m[rho] * m[c] * m[c]);
  for (int d = 0; d < DIM; ++d) out[vx + d] = m[rho] * q[vx + d];
}

FUNCTION void inverse_mass(const real *m, const real *q, real *out)
{
  real compliance = 1.0 / m[rho];
  out[p] = m[rho] * m[c] * m[c] * q[p];
  for (int d = 0; d < DIM; ++d) out[vx + d] = compliance * q[vx + d];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return m[c];
}

// The exact solution of the Riemann problem between two media of impedance z = rho c: the waves that run from the face
// into each side carry the jumps, pressure and normal velocity are continuous.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real zl = ml[rho] * ml[c], zr = mr[rho] * mr[c];
  real share = 1.0 / (zl + zr);
  real ul = normal_velocity(ql, n), ur = normal_velocity(qr, n);
  real pressure = (zr * ql[p] + zl * qr[p] + zl * zr * (ul - ur)) * share;
  f[p] = (zl * ul + zr * ur + ql[p] - qr[p]) * share;
  for (int d = 0; d < DIM; ++d) f[vx + d] = n[d] * pressure;
}

FUNCTION void ghost_rigid(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  real vn = normal_velocity(q, n);
  ghost[p] = q[p];
  for (int d = 0; d < DIM; ++d) ghost[vx + d] = q[vx + d] - 2.0 * vn * n[d];
}

FUNCTION void ghost_soft(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost[p] = -q[p];
  for (int d = 0; d < DIM; ++d) ghost[vx + d] = q[vx + d];
}

// p = Z rho c v_n at the wall, and the outgoing wave p + rho c v_n is the interior's.
FUNCTION void wall_impedance(const real *q, const real *m, const real *n, real Z, real *state)
{
  real z = m[rho] * m[c];
  real vn = normal_velocity(q, n);
  real wall = (q[p] / z + vn) / (1.0 + Z);
  state[p] = Z * z * wall;
  for (int d = 0; d < DIM; ++d) state[vx + d] = q[vx + d] + (wall - vn) * n[d];
}

FUNCTION void state_impedance(const real *q, const real *m, const real *n, const real *data, real *state)
{
  wall_impedance(q, m, n, data[0], state);
}

FUNCTION void state_absorbing(const real *q, const real *m, const real *n, const real *data, real *state)
{
  wall_impedance(q, m, n, splat(1.0), state);
}

FUNCTION real plane_wave_speed(const real *m, const real *direction, const real *polarisation)
{
  return m[c];
}

FUNCTION void plane_wave(const real *m, const real *direction, const real *polarisation, real value, real *q)
{
  q[p] = value;
  for (int d = 0; d < DIM; ++d) q[vx + d] = direction[d] * value / (m[rho] * m[c]);
}
