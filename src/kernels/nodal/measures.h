// SPDX-License-Identifier: Apache-2.0
// The page's own measures of a state, at the nodes of each element: the rate of its waves, whether it is admissible, quantities.
// One item an element, `real` is a scalar. Constants: MATERIAL_ROWS of an element (1 or NODES), MATERIAL_IN_TIME, CONDITIONS (what
// admissible() judges), QUANTITIES. In a state, and in arrays with rows for nodes, the element of a slot lies `shift` elements further
// on: 0 where all elements have one shape. material[slot][i] or [place][node][i], or the places that material_at() wants where it
// changes with time.

#define ELEMENT (NODES * FIELDS)

FUNCTION void load_node(GLOBAL const scalar *q, GLOBAL const scalar *material, GLOBAL const int *region, const INDEX slot,
                        const INDEX shift, const int n, const double t, real *state, real *m)
{
  const INDEX place = slot + shift;
  for (int i = 0; i < FIELDS; ++i) state[i] = q[place * ELEMENT + n * FIELDS + i];
#if MATERIAL_IN_TIME
  real at[3];
  at[2] = 0.0;
  for (int d = 0; d < DIM; ++d) at[d] = material[(place * NODES + n) * DIM + d];
  material_at(region[slot], at, material_factor(t), t, m);
#else
  const INDEX row = MATERIAL_ROWS == 1 ? slot : place * NODES + n;
  for (int i = 0; i < MATERIALS; ++i) m[i] = material[row * MATERIALS + i];
#endif
}

// The larger one; a value that is not finite stays.
FUNCTION scalar larger(const scalar a, const scalar b)
{
  return !(a - a == 0) || b <= a ? a : b;
}

// out[slot] = metric[slot] times the largest speed at a node along one of the directions; HAS_VISCOUS: metric[slot][2], of which the
// second counts for the diffusivity.
KERNEL void rates(GLOBAL const scalar *q, GLOBAL const scalar *material, GLOBAL const int *region, GLOBAL const scalar *metric,
                  GLOBAL const scalar *direction, GLOBAL scalar *out, const INDEX directions, const INDEX shift,
                  const double t)
{
  ITEMS(slot)
  {
    scalar most = 0.0;
    for (int n = 0; n < NODES; ++n) {
      real state[FIELDS], m[MATERIALS];
      scalar fastest = 0.0;
      load_node(q, material, region, slot, shift, n, t, state, m);
      for (INDEX k = 0; k < directions; ++k) {
        real along[DIM];
        for (int d = 0; d < DIM; ++d) along[d] = direction[k * DIM + d];
        fastest = larger(fastest, speed(state, m, along));
      }
#if HAS_VISCOUS
      most = larger(most, fastest * metric[2 * slot] + diffusivity(state, m) * metric[2 * slot + 1]);
#else
      most = larger(most, fastest);
#endif
    }
#if HAS_VISCOUS
    out[slot] = most;
#else
    out[slot] = most * metric[slot];
#endif
  }
}

// out[place + chunk] = the largest of values[first ..] that the chunk takes.
KERNEL void largest(GLOBAL const scalar *values, GLOBAL scalar *out, const INDEX first, const INDEX count, const INDEX chunks,
                    const INDEX place)
{
  ITEMS(chunk)
  {
    scalar most = 0.0;
    for (INDEX i = chunk; i < count; i += chunks) most = larger(most, values[first + i]);
    out[place + chunk] = most;
  }
}

#if CONDITIONS
// marks[place][node][condition]: not finite where the condition does not hold.
KERNEL void conditions(GLOBAL const scalar *q, GLOBAL const scalar *material, GLOBAL const int *region, GLOBAL scalar *marks,
                       const INDEX shift, const double t)
{
  ITEMS(slot)
  {
    for (int n = 0; n < NODES; ++n) {
      real state[FIELDS], m[MATERIALS], margin[CONDITIONS];
      load_node(q, material, region, slot, shift, n, t, state, m);
      admissible(state, m, margin);
      for (int k = 0; k < CONDITIONS; ++k)
        marks[((slot + shift) * NODES + n) * CONDITIONS + k] = margin[k] > 0.0 ? 0.0 : 1.0 / (margin[k] - margin[k]);
    }
  }
}
#endif

#if QUANTITIES
// out[slot] = the integral of a quantity over the element, by its values at the nodes.
KERNEL void quantities(GLOBAL const scalar *q, GLOBAL const scalar *material, GLOBAL const int *region, GLOBAL const scalar *weight,
                       GLOBAL scalar *out, const INDEX which, const INDEX shift, const double t)
{
  ITEMS(slot)
  {
    scalar sum = 0.0;
    for (int n = 0; n < NODES; ++n) {
      real state[FIELDS], m[MATERIALS];
      load_node(q, material, region, slot, shift, n, t, state, m);
      sum += weight[(slot + shift) * NODES + n] * quantity_at((int)which, state, m);
    }
    out[slot] = sum;
  }
}
#endif
