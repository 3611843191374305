// SPDX-License-Identifier: Apache-2.0
// The predictor of ADER in the modal family: kernels/modal_taylor.h for every element.

// The integral and its traces.
KERNEL void predict(GLOBAL const scalar *q, GLOBAL scalar *integral, GLOBAL scalar *faces, GLOBAL const scalar *geometry,
                    GLOBAL const scalar *material, GLOBAL const scalar *coefficients, GLOBAL const scalar *numbers,
                    GLOBAL const int *places, const scalar dt)
{
  ITEMS(item)
  {
    real now[ELEMENT], sum[ELEMENT], g[DIM * DIM], m[MATERIALS];
    const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
    load_element(OF_BATCH(q, ELEMENT), now);
    integrate_alone(now, g, m, OF_BATCH(coefficients, COEFFICIENTS * ALL_COEFFICIENTS), numbers, places, dt, sum);
    LANED *to = OF_BATCH(integral, ELEMENT);
    for (int i = 0; i < ELEMENT; ++i) AT(to, i) = sum[i];
    write_traces(sum, faces, item, numbers, places);
  }
}

// out = L q + M^-1 source.
KERNEL void local_rate(GLOBAL const scalar *q, GLOBAL scalar *out, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                       GLOBAL const scalar *coefficients, GLOBAL const scalar *source, GLOBAL const scalar *numbers,
                       GLOBAL const int *places)
{
  ITEMS(item)
  {
    real own[ELEMENT], sum[ELEMENT], rate[ELEMENT], g[DIM * DIM], m[MATERIALS];
    const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
    const LANED *coefficients_of = OF_BATCH(coefficients, COEFFICIENTS * ALL_COEFFICIENTS);
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
    load_element(OF_BATCH(q, ELEMENT), own);
#if HAS_SOURCE
    load_element(OF_BATCH(source, ELEMENT), sum);
#else
    for (int i = 0; i < ELEMENT; ++i) sum[i] = splat(0.0);
#endif
    local_map(own, 0, MODES, g, m, coefficients_of, numbers, places, sum, rate);
    LANED *to = OF_BATCH(out, ELEMENT);
    for (int i = 0; i < ELEMENT; ++i) AT(to, i) = rate[i];
  }
}
