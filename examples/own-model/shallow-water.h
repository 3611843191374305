// SPDX-License-Identifier: Apache-2.0
/* model
name        shallow-water
about       Long waves on a turning sea: h_t + div U = 0, (U_t + coriolis k x U) / (g depth) + grad h = 0; h lift, U transport.
dimensions  2
fields      scalar h, vector U
material    g = 1 positive, depth = 1 positive, coriolis = 0
linear      yes
reaction    coriolis
wall        coast
*/

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[h] = n[0] * q[Ux] + n[1] * q[Uy];
  f[Ux] = n[0] * q[h];
  f[Uy] = n[1] * q[h];
}

FUNCTION void mass(const real *m, const real *q, real *out)
{
  real light = 1.0 / (m[g] * m[depth]);
  out[h] = q[h];
  out[Ux] = light * q[Ux];
  out[Uy] = light * q[Uy];
}

FUNCTION void inverse_mass(const real *m, const real *q, real *out)
{
  real heavy = m[g] * m[depth];
  out[h] = q[h];
  out[Ux] = heavy * q[Ux];
  out[Uy] = heavy * q[Uy];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return sqrt(m[g] * m[depth]);
}

// The turning of the ground, in the units of mass(): it bends U and does no work.
FUNCTION void reaction(const real *q, const real *m, real *out)
{
  real turn = m[coriolis] / (m[g] * m[depth]);
  out[h] = splat(0.0);
  out[Ux] = turn * q[Uy];
  out[Uy] = -turn * q[Ux];
}

// Exact between two depths: lift and normal transport are continuous behind the waves that leave the face.
FUNCTION void flux_upwind(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real cl = sqrt(ml[g] * ml[depth]), cr = sqrt(mr[g] * mr[depth]);
  real share = 1.0 / (cl + cr);
  real ul = n[0] * ql[Ux] + n[1] * ql[Uy], ur = n[0] * qr[Ux] + n[1] * qr[Uy];
  real lift = (cl * ql[h] + cr * qr[h] + ul - ur) * share;
  f[h] = (cr * ul + cl * ur + cl * cr * (ql[h] - qr[h])) * share;
  f[Ux] = n[0] * lift;
  f[Uy] = n[1] * lift;
}

// No water crosses the coast.
FUNCTION void ghost_coast(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  real un = n[0] * q[Ux] + n[1] * q[Uy];
  ghost[h] = q[h];
  ghost[Ux] = q[Ux] - 2.0 * un * n[0];
  ghost[Uy] = q[Uy] - 2.0 * un * n[1];
}

// The wave that comes in is nothing: U_n = c h; the wave that goes out, c h + U_n, is the interior's.
FUNCTION void state_absorbing(const real *q, const real *m, const real *n, const real *data, real *state)
{
  real c = sqrt(m[g] * m[depth]);
  real un = n[0] * q[Ux] + n[1] * q[Uy];
  real out = 0.5 * (c * q[h] + un);
  state[h] = out / c;
  state[Ux] = q[Ux] + (out - un) * n[0];
  state[Uy] = q[Uy] + (out - un) * n[1];
}
