// SPDX-License-Identifier: Apache-2.0
// ADER in the modal family: kernels/modal/taylor.h for every element. Where `remember` is not 0, the remembered modes of `predicted`
// hold the element-local prediction of the step before, and then of this one; where it is 2 they stay as they are, since dt is a
// part of the element's step.

// factor times what the faces gave in the step before.
FUNCTION void find_carried(const real *q, const LANED *predicted, INDEX remember, scalar factor, real *carried)
{
  for (int j = 0; j < REMEMBERED; ++j)
    carried[j] = remember ? factor * (q[remembered[j]] - AT(predicted, remembered[j])) : splat(0.0);
}

// The traces of the integral; and the integral itself where `keep` is 1, nothing more where it is 2, else with PREDICT_ONCE what it
// gives inside the element, added to q: others see an element only through its traces, so the state can change in its place.
KERNEL void predict(GLOBAL scalar *q, GLOBAL scalar *integral, GLOBAL scalar *faces, GLOBAL scalar *predicted,
                    GLOBAL const scalar *geometry, GLOBAL const scalar *material, GLOBAL const scalar *coefficients,
                    GLOBAL const scalar *numbers, GLOBAL const int *places, const INDEX keep, const INDEX remember,
                    const scalar factor, const scalar dt)
{
  ITEMS(item)
  {
    real sum[ELEMENT], carried[CARRIED], g[DIM * DIM], m[MATERIALS];
    const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
    PRIVATE_ELEMENT(own, q);
    ask_for_element(own + ELEMENT);
    COEFFICIENTS_OF_ITEM(changing);
    LANED *predicted_of = OF_BATCH(predicted, ELEMENT);
    find_carried(own, predicted_of, remember, factor, carried);
    integrate_element(own, g, m, changing, numbers, places, dt, carried, sum);
    if (keep == 1) {
      LANED *to = OF_BATCH(integral, ELEMENT);
      for (int i = 0; i < ELEMENT; ++i) AT(to, i) = sum[i];
    }
    trace_records(numbers, places, sum, faces, item);
    if (remember == 1) {
      become_alone(own, sum, g, m, changing, numbers, places, carried);
      for (int j = 0; j < REMEMBERED; ++j) AT(predicted_of, remembered[j]) = carried[j];
    }
#if PREDICT_ONCE
    if (!keep) {
      real rate[ELEMENT];
      LANED *to = OF_BATCH(q, ELEMENT);
      rate_of_parts(1, 0, sum, sum, to, g, m, numbers, places, rate);
      for (int i = 0; i < ELEMENT; ++i) AT(to, i) = own[i] + rate[i];
    }
#endif
  }
  RECORDS_FENCE
}

// predicted = the remembered modes of q.
KERNEL void remember(GLOBAL const scalar *q, GLOBAL scalar *predicted)
{
  ITEMS(item)
  {
    const LANED *from = OF_BATCH(q, ELEMENT);
    LANED *to = OF_BATCH(predicted, ELEMENT);
    for (int j = 0; j < REMEMBERED; ++j) AT(to, remembered[j]) = AT(from, remembered[j]);
  }
}

// out = factor times the remembered modes of q - predicted, and nothing else.
KERNEL void carried_rate(GLOBAL const scalar *q, GLOBAL const scalar *predicted, GLOBAL scalar *out, const scalar factor)
{
  ITEMS(item)
  {
    const LANED *from = OF_BATCH(q, ELEMENT), *before = OF_BATCH(predicted, ELEMENT);
    LANED *to = OF_BATCH(out, ELEMENT);
    for (int i = 0; i < ELEMENT; ++i) AT(to, i) = splat(0.0);
    for (int j = 0; j < REMEMBERED; ++j)
      AT(to, remembered[j]) = factor * (AT(from, remembered[j]) - AT(before, remembered[j]));
  }
}

#if !VARYING
// q += the right-hand side of the integral, or with PREDICT_ONCE what is left of it. The integral is found once more: that is
// more arithmetic, but less memory to move than to keep it or what it gives. Where `look` is not 0, marks[element] becomes 0
// if all its numbers are finite, else NaN: only a difference of finite equals is zero.
KERNEL void correct(GLOBAL scalar *q, GLOBAL const scalar *faces, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                    GLOBAL const scalar *face_material, GLOBAL const scalar *coefficients, GLOBAL const int *neighbour,
                    GLOBAL const scalar *numbers, GLOBAL const int *places, GLOBAL scalar *marks, const INDEX look,
                    const scalar dt)
{
  ITEMS(item)
  {
    real rate[ELEMENT], g[DIM * DIM], m[MATERIALS];
    const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
    LANED *to = OF_BATCH(q, ELEMENT);
    ask_for_records(faces, OF_BATCH_INT(neighbour, 2 * FACES) + 2 * FACES * LANES);
#if PREDICT_ONCE
    real star[FIELDS * FACES * FACE_VALUES];
    read_traces(faces, item, star);
    face_fluxes(faces, OF_BATCH(face_material, FACES * MATERIALS), OF_BATCH_INT(neighbour, 2 * FACES), g, m, star);
    rate_of_parts(0, 1, star, star, to, g, m, numbers, places, rate);
    for (int i = 0; i < ELEMENT; ++i) AT(to, i) += rate[i];
#else
    real sum[ELEMENT], carried[CARRIED];  // nothing is carried with this variant
    PRIVATE_ELEMENT(own, q);
    ask_for_element(own + ELEMENT);
    integrate_element(own, g, m, OF_BATCH(coefficients, 0), numbers, places, dt, carried, sum);
    find_rate(sum, faces, face_material, OF_BATCH(coefficients, 0), OF_BATCH_INT(neighbour, 2 * FACES), to, item, g, m, numbers,
              places, rate);
    for (int i = 0; i < ELEMENT; ++i) AT(to, i) = own[i] + rate[i];
#endif
    if (look) {
      LANED *mark = OF_BATCH(marks, 1);
      real sum = splat(0.0);
      for (int i = 0; i < ELEMENT; ++i) sum += AT(to, i) - AT(to, i);
      AT(mark, 0) = sum;
    }
  }
}
#endif

// out = L q + M^-1 source.
KERNEL void local_rate(GLOBAL const scalar *q, GLOBAL scalar *out, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                       GLOBAL const scalar *coefficients, GLOBAL const scalar *source, GLOBAL const scalar *numbers,
                       GLOBAL const int *places)
{
  ITEMS(item)
  {
    real sum[ELEMENT], g[DIM * DIM], m[MATERIALS];
    const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
    PRIVATE_ELEMENT(own, q);
#if HAS_SOURCE
    load_element(OF_BATCH(source, ELEMENT), sum);
#else
    for (int i = 0; i < ELEMENT; ++i) sum[i] = splat(0.0);
#endif
    LANED *to = OF_BATCH(out, ELEMENT);
#if VARYING
    real rate[ELEMENT];
    COEFFICIENTS_OF_ITEM(changing);
    local_map(own, g, m, changing, numbers, places, sum, rate);
    for (int i = 0; i < ELEMENT; ++i) AT(to, i) = rate[i];
#else
    add_local_rate(own, g, m, numbers, places, sum);
    for (int i = 0; i < ELEMENT; ++i) AT(to, i) = sum[i];
#endif
  }
}
