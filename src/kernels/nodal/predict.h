// SPDX-License-Identifier: Apache-2.0
// The predictor of ADER in the nodal family, on affine elements with one material each: kernels/modal/taylor.h between two
// changes of basis, since derivatives are sparse in modes and lose a degree each. States are [element][node][field];
// to_modes(..) and to_nodes(..) are generated.

#if SIMT
FUNCTION void load_node(GLOBAL const scalar *all, INDEX item, int n, real *out)
{
  UNROLL for (int i = 0; i < FIELDS; ++i) out[i * MODES + n] = all[(item * MODES + n) * FIELDS + i];
}

FUNCTION void store_node(GLOBAL scalar *all, INDEX item, int n, const real *in)
{
  UNROLL for (int i = 0; i < FIELDS; ++i) all[(item * MODES + n) * FIELDS + i] = in[i * MODES + n];
}
#else
FUNCTION void load_node(const scalar *all, INDEX item, int n, real *out)
{
  const scalar *lane[LANES];
  real values[FIELDS];
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = all + ((item * LANES + l) * MODES + n) * FIELDS;
  load_lanes<FIELDS>(lane, values);
  UNROLL for (int i = 0; i < FIELDS; ++i) out[i * MODES + n] = values[i];
}

FUNCTION void store_node(scalar *all, INDEX item, int n, const real *in)
{
  scalar *lane[LANES];
  real values[FIELDS];
  UNROLL for (int i = 0; i < FIELDS; ++i) values[i] = in[i * MODES + n];
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = all + ((item * LANES + l) * MODES + n) * FIELDS;
  store_lanes<FIELDS>(lane, values);
}
#endif

FUNCTION void load_nodes(GLOBAL const scalar *all, INDEX item, real *out)
{
  for (int n = 0; n < MODES; ++n) load_node(all, item, n, out);
}

FUNCTION void store_nodes(GLOBAL scalar *all, INDEX item, const real *in)
{
  for (int n = 0; n < MODES; ++n) store_node(all, item, n, in);
}

// The history that is carried from step to step consists of modes, in the places of nodes: [element][mode][field].
FUNCTION void load_remembered(GLOBAL const scalar *all, INDEX item, real *out)
{
  for (int j = 0; j < REMEMBERED / FIELDS; ++j) load_node(all, item, remembered[j], out);
}

FUNCTION void store_remembered(GLOBAL scalar *all, INDEX item, const real *in)
{
  for (int j = 0; j < REMEMBERED / FIELDS; ++j) store_node(all, item, remembered[j], in);
}

// Where `remember` is not 0, `predicted` holds the element-local prediction of the step before, and then of this one; where it is 2
// it stays as it is.
KERNEL void predict(GLOBAL const scalar *q, GLOBAL scalar *integral, GLOBAL scalar *predicted, GLOBAL const scalar *geometry,
                    GLOBAL const scalar *material, GLOBAL const scalar *coefficients, GLOBAL const scalar *numbers,
                    GLOBAL const int *places, const INDEX remember, const scalar factor, const scalar dt)
{
  ITEMS(item)
  {
    real nodal[ELEMENT], now[ELEMENT], sum[ELEMENT], carried[CARRIED], g[DIM * DIM], m[MATERIALS];
    const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
    load_nodes(q, item, nodal);
    for (int i = 0; i < FIELDS; ++i) to_modes(numbers, places, nodal + i * MODES, now + i * MODES);
    for (int j = 0; j < REMEMBERED; ++j) carried[j] = splat(0.0);
    if (remember) {
      load_remembered(predicted, item, nodal);
      for (int j = 0; j < REMEMBERED; ++j) carried[j] = factor * (now[remembered[j]] - nodal[remembered[j]]);
    }
    integrate_element(now, g, m, OF_BATCH(coefficients, 0), numbers, places, dt, carried, sum);
    if (remember == 1) {
      become_alone(now, sum, g, m, OF_BATCH(coefficients, 0), numbers, places, carried);
      for (int j = 0; j < REMEMBERED; ++j) nodal[remembered[j]] = carried[j];
      store_remembered(predicted, item, nodal);
    }
    for (int i = 0; i < FIELDS; ++i) to_nodes(numbers, places, sum + i * MODES, nodal + i * MODES);
    store_nodes(integral, item, nodal);
  }
}

// predicted = the remembered modes of q.
KERNEL void remember(GLOBAL const scalar *q, GLOBAL scalar *predicted, GLOBAL const scalar *numbers, GLOBAL const int *places)
{
  ITEMS(item)
  {
    real nodal[ELEMENT], now[ELEMENT];
    load_nodes(q, item, nodal);
    for (int i = 0; i < FIELDS; ++i) to_modes(numbers, places, nodal + i * MODES, now + i * MODES);
    store_remembered(predicted, item, now);
  }
}

// out = factor times the remembered modes of q - predicted.
KERNEL void carried_rate(GLOBAL const scalar *q, GLOBAL const scalar *predicted, GLOBAL scalar *out, GLOBAL const scalar *numbers,
                         GLOBAL const int *places, const scalar factor)
{
  ITEMS(item)
  {
    real nodal[ELEMENT], now[ELEMENT], rate[ELEMENT];
    load_nodes(q, item, nodal);
    for (int i = 0; i < FIELDS; ++i) to_modes(numbers, places, nodal + i * MODES, now + i * MODES);
    for (int i = 0; i < ELEMENT; ++i) rate[i] = splat(0.0);
    load_remembered(predicted, item, nodal);
    for (int j = 0; j < REMEMBERED; ++j) rate[remembered[j]] = factor * (now[remembered[j]] - nodal[remembered[j]]);
    for (int i = 0; i < FIELDS; ++i) to_nodes(numbers, places, rate + i * MODES, nodal + i * MODES);
    store_nodes(out, item, nodal);
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
