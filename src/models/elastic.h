// SPDX-License-Identifier: Apache-2.0
/* model
name        elastic
about       Elastic waves, velocity and stress: S s_t = sym grad v with the compliance S, rho v_t = div s (1D: P waves, 2D: plane strain).
dimensions  1 2 3
fields      symmetric s, vector v
material    rho = 1 positive, lambda = 1 not-negative, mu = 1 positive
linear      yes
wall        free
*/

// Shear rows carry both s_ij and s_ji, so that q . mass(q) / 2 is the energy density and the flux is symmetric.

FUNCTION real along(const real *v, const real *n)
{
#if DIM == 1
  return n[0] * v[0];
#elif DIM == 2
  return n[0] * v[0] + n[1] * v[1];
#else
  return n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
#endif
}

// t = s n.
FUNCTION void traction(const real *q, const real *n, real *t)
{
#if DIM == 1
  t[0] = q[sxx] * n[0];
#elif DIM == 2
  t[0] = q[sxx] * n[0] + q[sxy] * n[1];
  t[1] = q[sxy] * n[0] + q[syy] * n[1];
#else
  t[0] = q[sxx] * n[0] + q[sxy] * n[1] + q[sxz] * n[2];
  t[1] = q[sxy] * n[0] + q[syy] * n[1] + q[syz] * n[2];
  t[2] = q[sxz] * n[0] + q[syz] * n[1] + q[szz] * n[2];
#endif
}

// The flux from a velocity and a traction.
FUNCTION void flux_of(const real *v, const real *t, const real *n, real *f)
{
  f[sxx] = -n[0] * v[0];
#if DIM > 1
  f[syy] = -n[1] * v[1];
  f[sxy] = -(n[0] * v[1] + n[1] * v[0]);
#endif
#if DIM == 3
  f[szz] = -n[2] * v[2];
  f[syz] = -(n[1] * v[2] + n[2] * v[1]);
  f[sxz] = -(n[0] * v[2] + n[2] * v[0]);
#endif
  for (int d = 0; d < DIM; ++d) f[vx + d] = -t[d];
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  real t[DIM];
  traction(q, n, t);
  flux_of(q + vx, t, n, f);
}

FUNCTION void mass(const real *m, const real *q, real *out)
{
  real shear = 1.0 / m[mu];
#if DIM == 1
  real bulk = m[lambda] / (m[lambda] + 2.0 * m[mu]) * q[sxx];
#elif DIM == 2
  real bulk = m[lambda] / (2.0 * (m[lambda] + m[mu])) * (q[sxx] + q[syy]);
#else
  real bulk = m[lambda] / (3.0 * m[lambda] + 2.0 * m[mu]) * (q[sxx] + q[syy] + q[szz]);
#endif
  out[sxx] = 0.5 * shear * (q[sxx] - bulk);
#if DIM > 1
  out[syy] = 0.5 * shear * (q[syy] - bulk);
  out[sxy] = shear * q[sxy];
#endif
#if DIM == 3
  out[szz] = 0.5 * shear * (q[szz] - bulk);
  out[syz] = shear * q[syz];
  out[sxz] = shear * q[sxz];
#endif
  for (int d = 0; d < DIM; ++d) out[vx + d] = m[rho] * q[vx + d];
}

FUNCTION void inverse_mass(const real *m, const real *q, real *out)
{
  real light = 1.0 / m[rho];
  real twice = 2.0 * m[mu];
#if DIM == 1
  real bulk = m[lambda] * q[sxx];
#elif DIM == 2
  real bulk = m[lambda] * (q[sxx] + q[syy]);
#else
  real bulk = m[lambda] * (q[sxx] + q[syy] + q[szz]);
#endif
  out[sxx] = bulk + twice * q[sxx];
#if DIM > 1
  out[syy] = bulk + twice * q[syy];
  out[sxy] = m[mu] * q[sxy];
#endif
#if DIM == 3
  out[szz] = bulk + twice * q[szz];
  out[syz] = m[mu] * q[syz];
  out[sxz] = m[mu] * q[sxz];
#endif
  for (int d = 0; d < DIM; ++d) out[vx + d] = light * q[vx + d];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return sqrt((m[lambda] + 2.0 * m[mu]) / m[rho]);
}

// Exact between two media: along the normal the pair (traction, velocity) is carried by P waves of impedance rho cp, across
// it by S waves of impedance rho cs; traction and velocity are continuous behind the waves that leave the face.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real pl = sqrt(ml[rho] * (ml[lambda] + 2.0 * ml[mu])), pr = sqrt(mr[rho] * (mr[lambda] + 2.0 * mr[mu]));
  real sl = sqrt(ml[rho] * ml[mu]), sr = sqrt(mr[rho] * mr[mu]);
  real pshare = 1.0 / (pl + pr), sshare = 1.0 / (sl + sr);
  real tl[DIM], tr[DIM], t[DIM], v[DIM];
  traction(ql, n, tl);
  traction(qr, n, tr);
  real tln = along(tl, n), trn = along(tr, n), vln = along(ql + vx, n), vrn = along(qr + vx, n);
  real vn = (pl * vln + pr * vrn + trn - tln) * pshare;
  real tn = (pr * tln + pl * trn + pl * pr * (vrn - vln)) * pshare;
  for (int d = 0; d < DIM; ++d) {
    real tld = tl[d] - tln * n[d], trd = tr[d] - trn * n[d];
    real vld = ql[vx + d] - vln * n[d], vrd = qr[vx + d] - vrn * n[d];
    v[d] = vn * n[d] + (sl * vld + sr * vrd + trd - tld) * sshare;
    t[d] = tn * n[d] + (sr * tld + sl * trd + sl * sr * (vrd - vld)) * sshare;
  }
  flux_of(v, t, n, f);
}

FUNCTION void ghost_free(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  for (int i = 0; i < FIELDS; ++i) ghost[i] = i < vx ? -q[i] : q[i];
}

FUNCTION void ghost_clamped(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  for (int i = 0; i < FIELDS; ++i) ghost[i] = i < vx ? q[i] : -q[i];
}

// No wave comes in: t = -rho c v for P and S waves. The stress changes by the symmetric tensor that changes the traction by
// what is asked: d n^T + n d^T - (n . d) n n^T.
FUNCTION void state_absorbing(const real *q, const real *m, const real *n, const real *data, real *state)
{
  real zp = sqrt(m[rho] * (m[lambda] + 2.0 * m[mu])), zs = sqrt(m[rho] * m[mu]);
  real t[DIM], change[DIM];
  traction(q, n, t);
  real tn = along(t, n), vn = along(q + vx, n);
  real out = 0.5 * (vn - tn / zp);
  for (int d = 0; d < DIM; ++d) {
    real across = 0.5 * (q[vx + d] - vn * n[d] - (t[d] - tn * n[d]) / zs);
    state[vx + d] = out * n[d] + across;
    change[d] = -zp * out * n[d] - zs * across - t[d];
  }
  real normal = along(change, n);
#if DIM == 3
  state[szz] = q[szz] + 2.0 * change[2] * n[2] - normal * n[2] * n[2];
  state[syz] = q[syz] + change[1] * n[2] + change[2] * n[1] - normal * n[1] * n[2];
  state[sxz] = q[sxz] + change[0] * n[2] + change[2] * n[0] - normal * n[0] * n[2];
#endif
  state[sxx] = q[sxx] + 2.0 * change[0] * n[0] - normal * n[0] * n[0];
#if DIM > 1
  state[syy] = q[syy] + 2.0 * change[1] * n[1] - normal * n[1] * n[1];
  state[sxy] = q[sxy] + change[0] * n[1] + change[1] * n[0] - normal * n[0] * n[1];
#endif
}

// The polarisation along the direction makes a P wave, across it an S wave.
FUNCTION real plane_wave_speed(const real *m, const real *direction, const real *polarisation)
{
  real cosine = 0.0 * m[rho];
  for (int d = 0; d < DIM; ++d) cosine += direction[d] * polarisation[d];
  return sqrt((cosine * cosine > 0.5 ? m[lambda] + 2.0 * m[mu] : m[mu]) / m[rho]);
}

FUNCTION void plane_wave(const real *m, const real *direction, const real *polarisation, real value, real *q)
{
  real slowness = -value / plane_wave_speed(m, direction, polarisation);
  real trace = 0.0 * m[rho];
  for (int d = 0; d < DIM; ++d) {
    q[vx + d] = polarisation[d] * value;
    trace += direction[d] * polarisation[d];
  }
  q[sxx] = slowness * (m[lambda] * trace + 2.0 * m[mu] * direction[0] * polarisation[0]);
#if DIM > 1
  q[syy] = slowness * (m[lambda] * trace + 2.0 * m[mu] * direction[1] * polarisation[1]);
  q[sxy] = slowness * m[mu] * (direction[0] * polarisation[1] + direction[1] * polarisation[0]);
#endif
#if DIM == 3
  q[szz] = slowness * (m[lambda] * trace + 2.0 * m[mu] * direction[2] * polarisation[2]);
  q[syz] = slowness * m[mu] * (direction[1] * polarisation[2] + direction[2] * polarisation[1]);
  q[sxz] = slowness * m[mu] * (direction[0] * polarisation[2] + direction[2] * polarisation[0]);
#endif
}
