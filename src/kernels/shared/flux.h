// SPDX-License-Identifier: Apache-2.0
// The numerical flux at a point of a face, from the model's functions. Constants: FLUX_RUSANOV, FLUX_ALPHA (0 central, 1 upwind),
// HAS_MASS. `n` is the unit normal from left to right.

#if HAS_MASS == 0
FUNCTION void mass(const real *m, const real *q, real *out)
{
  for (int i = 0; i < FIELDS; ++i) out[i] = q[i];
}

FUNCTION void inverse_mass(const real *m, const real *q, real *out)
{
  for (int i = 0; i < FIELDS; ++i) out[i] = q[i];
}
#endif

FUNCTION void flux_central(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real fl[FIELDS], fr[FIELDS];
  flux(ql, ml, n, fl);
  flux(qr, mr, n, fr);
  for (int i = 0; i < FIELDS; ++i) f[i] = 0.5 * (fl[i] + fr[i]);
}

#if FLUX_RUSANOV
// Central, and the jump damped with the largest wave speed of both sides; the jump counts in the units of the flux.
FUNCTION void flux_rusanov(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real cl = speed(ql, ml, n), cr = speed(qr, mr, n);
  real damping = 0.5 * fmax(cl, cr);
  real wl[FIELDS], wr[FIELDS], jump[FIELDS];
  for (int i = 0; i < FIELDS; ++i) jump[i] = ql[i] - qr[i];
  mass(ml, jump, wl);
  mass(mr, jump, wr);
  flux_central(ql, ml, qr, mr, n, f);
  for (int i = 0; i < FIELDS; ++i) f[i] += damping * 0.5 * (wl[i] + wr[i]);
}
#endif

FUNCTION void numerical_flux(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
#if FLUX_RUSANOV
  flux_rusanov(ql, ml, qr, mr, n, f);
#elif FLUX_BLEND == 0
  flux_central(ql, ml, qr, mr, n, f);
#elif FLUX_BLEND == 1
  flux_upwind(ql, ml, qr, mr, n, f);
#else
  real central[FIELDS];
  flux_central(ql, ml, qr, mr, n, central);
  flux_upwind(ql, ml, qr, mr, n, f);
  for (int i = 0; i < FIELDS; ++i) f[i] = (1.0 - FLUX_ALPHA) * central[i] + FLUX_ALPHA * f[i];
#endif
}
