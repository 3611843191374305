// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/modal/predict.h by teams of threads (kernels/modal/team.h), with the same arrays.

KERNEL void predict(GLOBAL scalar *q, GLOBAL scalar *integral, GLOBAL scalar *faces, GLOBAL scalar *predicted,
                    GLOBAL const scalar *geometry, GLOBAL const scalar *material, GLOBAL const scalar *coefficients,
                    GLOBAL const scalar *numbers, GLOBAL const int *places, const INDEX keep, const INDEX remember,
                    const scalar factor, const scalar dt)
{
  BEGIN_TEAM;
  LOCAL scalar *now = SHARED_ELEMENT(0), *next = SHARED_ELEMENT(1), *sum = SHARED_ELEMENT(2);
  real g[DIM * DIM], m[MATERIALS];
  load_affine(geometry, material, item, g, m);
  const LANED *changing = OF_BATCH(coefficients, COEFFICIENTS * ALL_COEFFICIENTS);
  LANED *state = OF_BATCH(q, ELEMENT), *kept = OF_BATCH(integral, ELEMENT);
  FOR_ROWS(i, ELEMENT)
  {
    const real value = AT(state, i);
    IN(now, i) = value;
    IN(sum, i) = dt * value;
  }
  team_integrate(now, next, sum, row, g, m, changing, numbers, places, predicted, item, remember, factor, dt);
  BARRIER;
  if (keep == 1) FOR_ROWS(i, ELEMENT) AT(kept, i) = IN(sum, i);
  team_traces(numbers, places, sum, faces, item, row);
  if (remember == 1) team_remember(sum, next, row, g, m, changing, numbers, places, predicted, item);
#if !VARYING
  if (!keep)
    FOR_ROWS(i, MODES)
    {
      real balance[FIELDS], rate[FIELDS];
      UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = 0.0;
      add_volume_of_row(sum, i, g, m, changing, numbers, places, balance);
      add_reaction_of_row(sum, i, m, changing, numbers, places, balance);
      inverse_mass(m, balance, rate);
      UNROLL for (int k = 0; k < FIELDS; ++k) AT(state, k * MODES + i) += rate[k];
    }
#endif
}

// predicted = the remembered modes of q.
KERNEL void remember(GLOBAL const scalar *q, GLOBAL scalar *predicted)
{
  BEGIN_TEAM;
#if REMEMBERED
  FOR_ROWS(i, MODES)
  {
    if (!is_remembered[i]) continue;
    UNROLL for (int k = 0; k < FIELDS; ++k) predicted[CARRIED_PLACE(k, i)] = q[CARRIED_PLACE(k, i)];
  }
#endif
}

// out = factor times the remembered modes of q - predicted, and nothing else.
KERNEL void carried_rate(GLOBAL const scalar *q, GLOBAL const scalar *predicted, GLOBAL scalar *out, const scalar factor)
{
  BEGIN_TEAM;
#if REMEMBERED
  FOR_ROWS(i, MODES)
  {
    UNROLL for (int k = 0; k < FIELDS; ++k) {
      const INDEX place = CARRIED_PLACE(k, i);
      out[place] = is_remembered[i] ? factor * (q[place] - predicted[place]) : 0.0;
    }
  }
#endif
}

#if !VARYING
KERNEL void correct(GLOBAL scalar *q, GLOBAL const scalar *faces, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                    GLOBAL const scalar *face_material, GLOBAL const scalar *coefficients, GLOBAL const int *neighbour,
                    GLOBAL const scalar *numbers, GLOBAL const int *places, GLOBAL scalar *marks, const INDEX look,
                    const scalar dt)
{
  BEGIN_TEAM;
  // The mark is written by the first thread, then by those who find something, and read again by the first.
  LOCAL scalar *mark = SHARED_ELEMENT(0), *star = mark + WIDTH;
  if (row == 0) IN(mark, 0) = 0.0;
  real looked = 0.0;
  real g[DIM * DIM], m[MATERIALS];
  load_affine(geometry, material, item, g, m);
  LANED *state = OF_BATCH(q, ELEMENT);
  team_fluxes(faces, face_material, neighbour, item, row, g, m, star);
  BARRIER;
  FOR_ROWS(i, MODES)
  {
    real balance[FIELDS], rate[FIELDS];
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = 0.0;
    lift(numbers, places, star, i, balance);
    inverse_mass(m, balance, rate);
    UNROLL for (int k = 0; k < FIELDS; ++k) {
      const real value = AT(state, k * MODES + i) + rate[k];
      AT(state, k * MODES + i) = value;
      looked += value - value;
    }
  }
  if (look) {
    if (looked != 0.0) IN(mark, 0) = looked;
    BARRIER;
    if (row == 0) marks[item] = IN(mark, 0);
  }
}
#endif

// out = L q + M^-1 source.
KERNEL void local_rate(GLOBAL const scalar *q, GLOBAL scalar *out, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                       GLOBAL const scalar *coefficients, GLOBAL const scalar *source, GLOBAL const scalar *numbers,
                       GLOBAL const int *places)
{
  BEGIN_TEAM;
  LOCAL scalar *own = SHARED_ELEMENT(0), *sum = SHARED_ELEMENT(1);
  real g[DIM * DIM], m[MATERIALS];
  load_affine(geometry, material, item, g, m);
  const LANED *state = OF_BATCH(q, ELEMENT), *given = OF_BATCH(source, ELEMENT);
  LANED *to = OF_BATCH(out, ELEMENT);
  FOR_ROWS(i, ELEMENT)
  {
    IN(own, i) = AT(state, i);
    IN(sum, i) = HAS_SOURCE ? AT(given, i) : 0.0;
  }
  team_local_rate(own, sum, row, g, m, OF_BATCH(coefficients, COEFFICIENTS * ALL_COEFFICIENTS), numbers, places);
  FOR_ROWS(i, ELEMENT) AT(to, i) = IN(own, i);
}
