// SPDX-License-Identifier: Apache-2.0
// The predictor of ADER in the nodal family, on affine elements with one material each: kernels/modal_taylor.h between two
// changes of basis, since derivatives are sparse in modes and lose a degree each. States are [element][node][field];
// to_modes(..) and to_nodes(..) are generated.

#if SIMT
FUNCTION void load_nodes(GLOBAL const scalar *all, INDEX item, real *out)
{
  for (int n = 0; n < MODES; ++n)
    UNROLL for (int i = 0; i < FIELDS; ++i) out[i * MODES + n] = all[(item * MODES + n) * FIELDS + i];
}

FUNCTION void store_nodes(GLOBAL scalar *all, INDEX item, const real *in)
{
  for (int n = 0; n < MODES; ++n)
    UNROLL for (int i = 0; i < FIELDS; ++i) all[(item * MODES + n) * FIELDS + i] = in[i * MODES + n];
}
#else
FUNCTION void load_nodes(const scalar *all, INDEX item, real *out)
{
  for (int n = 0; n < MODES; ++n) {
    const scalar *lane[LANES];
    real values[FIELDS];
    UNROLL for (int l = 0; l < LANES; ++l) lane[l] = all + ((item * LANES + l) * MODES + n) * FIELDS;
    load_lanes<FIELDS>(lane, values);
    UNROLL for (int i = 0; i < FIELDS; ++i) out[i * MODES + n] = values[i];
  }
}

FUNCTION void store_nodes(scalar *all, INDEX item, const real *in)
{
  for (int n = 0; n < MODES; ++n) {
    scalar *lane[LANES];
    real values[FIELDS];
    UNROLL for (int i = 0; i < FIELDS; ++i) values[i] = in[i * MODES + n];
    UNROLL for (int l = 0; l < LANES; ++l) lane[l] = all + ((item * LANES + l) * MODES + n) * FIELDS;
    store_lanes<FIELDS>(lane, values);
  }
}
#endif

KERNEL void predict(GLOBAL const scalar *q, GLOBAL scalar *integral, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                    GLOBAL const scalar *coefficients, GLOBAL const scalar *numbers, GLOBAL const int *places, const scalar dt)
{
  ITEMS(item)
  {
    real nodal[ELEMENT], now[ELEMENT], sum[ELEMENT], g[DIM * DIM], m[MATERIALS];
    const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
    load_nodes(q, item, nodal);
    for (int i = 0; i < FIELDS; ++i) to_modes(numbers, places, nodal + i * MODES, now + i * MODES);
    integrate_alone(now, g, m, OF_BATCH(coefficients, 0), numbers, places, dt, sum);
    for (int i = 0; i < FIELDS; ++i) to_nodes(numbers, places, sum + i * MODES, nodal + i * MODES);
    store_nodes(integral, item, nodal);
  }
}

// out = L q + M^-1 source.
KERNEL void local_rate(GLOBAL const scalar *q, GLOBAL scalar *out, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                       GLOBAL const scalar *coefficients, GLOBAL const scalar *source, GLOBAL const scalar *numbers,
                       GLOBAL const int *places)
{
  ITEMS(item)
  {
    real nodal[ELEMENT], own[ELEMENT], sum[ELEMENT], g[DIM * DIM], m[MATERIALS];
    const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
    load_nodes(q, item, nodal);
    for (int i = 0; i < FIELDS; ++i) to_modes(numbers, places, nodal + i * MODES, own + i * MODES);
#if HAS_SOURCE
    load_nodes(source, item, nodal);
    for (int i = 0; i < FIELDS; ++i) to_modes(numbers, places, nodal + i * MODES, sum + i * MODES);
#else
    for (int i = 0; i < ELEMENT; ++i) sum[i] = splat(0.0);
#endif
    add_local_rate(own, g, m, numbers, places, sum);
    for (int i = 0; i < FIELDS; ++i) to_nodes(numbers, places, sum + i * MODES, nodal + i * MODES);
    store_nodes(out, item, nodal);
  }
}
