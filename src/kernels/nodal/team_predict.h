// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/nodal/predict.h by teams of threads (kernels/modal/team.h), with the same arrays.

// States are [element][node][field]: read and written in their order, and turned on the way.
#define FOR_NODES(i) for (int i = THREAD; i < WIDTH * ELEMENT; i += WIDTH * ROWS)
#define FIRST_NODE (group * (WIDTH * ELEMENT))

FUNCTION int turned(int i)
{
  const int element = i / ELEMENT, rest = i - element * ELEMENT, node = rest / FIELDS;
  return ((rest - node * FIELDS) * MODES + node) * WIDTH + element;
}

// to = change(from), where `change` is to_modes or to_nodes; everybody meets before and behind it.
#define TEAM_CHANGE(change, from, to)                                            \
  BARRIER;                                                                       \
  FOR_ROWS(i, MODES)                                                             \
  {                                                                              \
    real out[FIELDS];                                                            \
    change(numbers, places, from, i, out);                                       \
    UNROLL for (int k = 0; k < FIELDS; ++k) IN(to, k * MODES + i) = out[k];      \
  }                                                                              \
  BARRIER

KERNEL void predict(GLOBAL const scalar *q, GLOBAL scalar *integral, GLOBAL scalar *predicted, GLOBAL const scalar *geometry,
                    GLOBAL const scalar *material, GLOBAL const scalar *coefficients, GLOBAL const scalar *numbers,
                    GLOBAL const int *places, const INDEX remember, const scalar factor, const scalar dt)
{
  BEGIN_TEAM;
  LOCAL scalar *now = SHARED_ELEMENT(0), *next = SHARED_ELEMENT(1), *sum = SHARED_ELEMENT(2);
  real g[DIM * DIM], m[MATERIALS];
  load_affine(geometry, material, item, g, m);
  FOR_NODES(i) (next - lane)[turned(i)] = q[FIRST_NODE + i];
  TEAM_CHANGE(to_modes, next, now);
  FOR_ROWS(i, ELEMENT) IN(sum, i) = dt * IN(now, i);
  team_integrate(now, next, sum, row, g, m, OF_BATCH(coefficients, 0), numbers, places, predicted, item, remember, factor, dt);
  if (remember == 1) team_remember(sum, next, row, g, m, OF_BATCH(coefficients, 0), numbers, places, predicted, item);
  TEAM_CHANGE(to_nodes, sum, now);
  FOR_NODES(i) integral[FIRST_NODE + i] = (now - lane)[turned(i)];
}

// predicted = the remembered modes of q.
KERNEL void remember(GLOBAL const scalar *q, GLOBAL scalar *predicted, GLOBAL const scalar *numbers, GLOBAL const int *places)
{
  BEGIN_TEAM;
#if REMEMBERED
  LOCAL scalar *nodal = SHARED_ELEMENT(0);
  FOR_NODES(i) (nodal - lane)[turned(i)] = q[FIRST_NODE + i];
  BARRIER;
  FOR_ROWS(i, MODES)
  {
    if (!is_remembered[i]) continue;
    real mode[FIELDS];
    to_modes(numbers, places, nodal, i, mode);
    UNROLL for (int k = 0; k < FIELDS; ++k) predicted[CARRIED_PLACE(k, i)] = mode[k];
  }
#endif
}

// out = factor times the remembered modes of q - predicted.
KERNEL void carried_rate(GLOBAL const scalar *q, GLOBAL const scalar *predicted, GLOBAL scalar *out, GLOBAL const scalar *numbers,
                         GLOBAL const int *places, const scalar factor)
{
  BEGIN_TEAM;
#if REMEMBERED
  LOCAL scalar *nodal = SHARED_ELEMENT(0), *rate = SHARED_ELEMENT(1);
  FOR_NODES(i) (nodal - lane)[turned(i)] = q[FIRST_NODE + i];
  BARRIER;
  FOR_ROWS(i, MODES)
  {
    real mode[FIELDS];
    to_modes(numbers, places, nodal, i, mode);
    UNROLL for (int k = 0; k < FIELDS; ++k)
      IN(rate, k * MODES + i) = is_remembered[i] ? factor * (mode[k] - predicted[CARRIED_PLACE(k, i)]) : 0.0;
  }
  TEAM_CHANGE(to_nodes, rate, nodal);
  FOR_NODES(i) out[FIRST_NODE + i] = (nodal - lane)[turned(i)];
#endif
}

// out = L q + M^-1 source.
KERNEL void local_rate(GLOBAL const scalar *q, GLOBAL scalar *out, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                       GLOBAL const scalar *coefficients, GLOBAL const scalar *source, GLOBAL const scalar *numbers,
                       GLOBAL const int *places)
{
  BEGIN_TEAM;
  LOCAL scalar *own = SHARED_ELEMENT(0), *sum = SHARED_ELEMENT(1), *nodal = SHARED_ELEMENT(2);
  real g[DIM * DIM], m[MATERIALS];
  load_affine(geometry, material, item, g, m);
#if HAS_SOURCE
  FOR_NODES(i) (nodal - lane)[turned(i)] = source[FIRST_NODE + i];
  TEAM_CHANGE(to_modes, nodal, sum);
#else
  FOR_ROWS(i, ELEMENT) IN(sum, i) = 0.0;
#endif
  FOR_NODES(i) (nodal - lane)[turned(i)] = q[FIRST_NODE + i];
  TEAM_CHANGE(to_modes, nodal, own);
  team_local_rate(own, sum, row, g, m, OF_BATCH(coefficients, 0), numbers, places);
  TEAM_CHANGE(to_nodes, own, nodal);
  FOR_NODES(i) out[FIRST_NODE + i] = (nodal - lane)[turned(i)];
}
