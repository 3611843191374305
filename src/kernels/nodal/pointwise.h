// SPDX-License-Identifier: Apache-2.0
// The small kernels around the operator: one item a thread, `real` is a scalar. The generated functions boundary_state(),
// material_at(), source_at() and signal_at() come before this text; they hold the case's own expressions.
// Ghost faces: ghost_index[face][own address, own face, ghost address, ghost place, address behind, code behind, boundary];
// ghost_x, ghost_n, ghost_m: [face][face node or face point][axis or parameter].

#define ELEMENT (NODES * FIELDS)
#define BEHIND (BEHIND_NODES * FIELDS)  // of an address in a state
#define GHOST_INDEX 7

// out = ca a + cb b + cc c + cd d, the sum of what a Runge-Kutta scheme needs at most; only the first `terms` are read.
KERNEL void combine(GLOBAL scalar *out, GLOBAL const scalar *a, const scalar ca, GLOBAL const scalar *b, const scalar cb,
                    GLOBAL const scalar *c, const scalar cc, GLOBAL const scalar *d, const scalar cd, const INDEX stride,
                    const INDEX terms)
{
  ITEMS(chunk)
  {
    const INDEX begin = chunk * stride;
    for (INDEX i = begin; i < begin + stride; ++i) {
      scalar sum = ca * a[i] + cb * b[i];
      if (terms > 2) sum += cc * c[i];
      if (terms > 3) sum += cd * d[i];
      out[i] = sum;
    }
  }
}

// A term of a Taylor series from the rate of the one before: term *= dt, sum += factor term.
KERNEL void series_term(GLOBAL scalar *term, GLOBAL scalar *sum, const scalar dt, const scalar factor, const INDEX stride)
{
  ITEMS(chunk)
  {
    const INDEX begin = chunk * stride;
    for (INDEX i = begin; i < begin + stride; ++i) {
      const scalar value = dt * term[i];
      term[i] = value;
      sum[i] += factor * value;
    }
  }
}

// The signals of point sources at the times of a step, its first row in `series` as parts of the step: signal[point][time].
KERNEL void signals(GLOBAL scalar *signal, GLOBAL const scalar *series, const double t, const double dt)
{
  ITEMS(item) signal[item] = signal_at((int)(item / SERIES_TIMES), t + dt * series[item % SERIES_TIMES]);
}

// The state behind one place of a face on a boundary, or on the surface between total and scattered field; `part` of it is written, or
// with `more` added. Where traces are integrals over dt that were divided by it, parts at the times of a rule, weights times dt, make
// the integral of what is behind.
FUNCTION void write_ghost(int boundary, const real *own, const real *behind, GLOBAL const scalar *ghost_x,
                          GLOBAL const scalar *ghost_n, GLOBAL const scalar *ghost_m, const double t, const scalar part,
                          const INDEX more, GLOBAL scalar *to)
{
  real x[3], n[DIM], m[MATERIALS], state[FIELDS];
  x[1] = x[2] = 0.0;
  for (int d = 0; d < DIM; ++d) {
    x[d] = ghost_x[d];
    n[d] = ghost_n[d];
  }
  for (int k = 0; k < MATERIALS; ++k) m[k] = ghost_m[k];
  boundary_state(boundary, own, behind, m, n, x, t, state);
  for (int k = 0; k < FIELDS; ++k) to[k] = more ? to[k] + part * state[k] : part * state[k];
}

// Ghost states at the nodes of each face, from the state before it.
KERNEL void ghosts(GLOBAL scalar *q, GLOBAL const int *ghost_index, GLOBAL const scalar *ghost_x, GLOBAL const scalar *ghost_n,
                   GLOBAL const scalar *ghost_m, const double t, const scalar of_trace, const scalar part, const INDEX more)
{
  ITEMS(ghost)
  {
    GLOBAL const int *index = ghost_index + ghost * GHOST_INDEX;
    for (int i = 0; i < FACE_NODES; ++i) {
      const INDEX at = ghost * FACE_NODES + i;
      real own[FIELDS], behind[FIELDS];
      GLOBAL const scalar *from = q + (INDEX)index[0] * BEHIND + face_node[index[1]][i] * FIELDS;
      GLOBAL const scalar *other = q + (INDEX)index[4] * BEHIND + neighbour_node[index[5]][i];
      for (int k = 0; k < FIELDS; ++k) {
        own[k] = of_trace * from[k];
        behind[k] = of_trace * other[k];
      }
      write_ghost(index[6], own, behind, ghost_x + at * DIM, ghost_n + at * DIM, ghost_m + at * MATERIALS, t, part, more,
                  q + (INDEX)index[2] * BEHIND + ((INDEX)index[3] * FACE_NODES + i) * FIELDS);
    }
  }
}

// Ghost states at the points of faces of elements that are integrated there, an item each: to_points[face node][point]
// interpolates.
KERNEL void ghosts_at_points(GLOBAL scalar *q, GLOBAL const int *ghost_index, GLOBAL const scalar *ghost_x,
                             GLOBAL const scalar *ghost_n, GLOBAL const scalar *ghost_m, GLOBAL const scalar *to_points,
                             const INDEX points, const double t, const scalar of_trace, const scalar part, const INDEX more)
{
  ITEMS(at)
  {
    const INDEX ghost = at / points, point = at - ghost * points;
    GLOBAL const int *index = ghost_index + ghost * GHOST_INDEX;
    real own[FIELDS], behind[FIELDS];
    for (int k = 0; k < FIELDS; ++k) own[k] = behind[k] = 0.0;
    for (int i = 0; i < FACE_NODES; ++i) {
      const real entry = to_points[i * points + point];
      GLOBAL const scalar *from = q + (INDEX)index[0] * BEHIND + face_node[index[1]][i] * FIELDS;
      GLOBAL const scalar *other = q + (INDEX)index[4] * BEHIND + neighbour_node[index[5]][i];
      for (int k = 0; k < FIELDS; ++k) {
        own[k] += entry * from[k];
        behind[k] += entry * other[k];
      }
    }
    for (int k = 0; k < FIELDS; ++k) {
      own[k] *= of_trace;
      behind[k] *= of_trace;
    }
    write_ghost(index[6], own, behind, ghost_x + at * DIM, ghost_n + at * DIM, ghost_m + at * MATERIALS, t, part, more,
                q + (INDEX)index[2] * BEHIND + point * FIELDS);
  }
}

// Material that changes with time: x[batch][point][axis][lane], places or the field that a factor of time multiplies, ->
// m[batch][point][offset + i][lane], rows of `width`.
KERNEL void coefficients(GLOBAL const scalar *x, GLOBAL const int *region, GLOBAL scalar *m, const INDEX lanes, const INDEX width,
                         const INDEX offset, const double t)
{
  const scalar factor = material_factor(t);
  ITEMS(item)
  {
    const INDEX row = item / lanes, lane = item % lanes;
    real at[3], value[MATERIALS];
    at[1] = at[2] = 0.0;
    for (int d = 0; d < DIM; ++d) at[d] = x[(row * DIM + d) * lanes + lane];
    material_at(region[item], at, factor, t, value);
    for (int i = 0; i < MATERIALS; ++i) m[(row * width + offset + i) * lanes + lane] = value[i];
  }
}

// The volume source at every node.
KERNEL void sources(GLOBAL const scalar *x, GLOBAL scalar *out, const double t)
{
  ITEMS(node)
  {
    real at[3], value[FIELDS];
    at[1] = at[2] = 0.0;
    for (int d = 0; d < DIM; ++d) at[d] = x[node * DIM + d];
    source_at(at, t, value);
    for (int i = 0; i < FIELDS; ++i) out[node * FIELDS + i] = value[i];
  }
}

// A point source with this signal adds to the rate of an item of its element: weight[point][node] is the Dirac's
// projection; vector[point][balance.., rate..].
FUNCTION real point_rate(GLOBAL const scalar *weight, GLOBAL const scalar *vector, GLOBAL const scalar *material, INDEX point,
                         INDEX item, real signal)
{
  const INDEX field = item % FIELDS, n = item / FIELDS;
  real balance[FIELDS], m[MATERIALS], rate[FIELDS];
  for (int i = 0; i < MATERIALS; ++i) m[i] = material[point * MATERIALS + i];
  for (int i = 0; i < FIELDS; ++i) balance[i] = vector[point * 2 * FIELDS + i] * signal;
  inverse_mass(m, balance, rate);
  return weight[point * NODES + n] * (rate[field] + vector[(point * 2 + 1) * FIELDS + field] * signal);
}

// Point sources after a stage: what the stage would have done with them in its sum. An item is a node and a field of every
// point's element, since points may share one. residual is stored by batches of `lanes`. lanes = 0: add to a rate in q alone.
KERNEL void point_sources(GLOBAL scalar *q, GLOBAL scalar *residual, GLOBAL const int *slot, GLOBAL const scalar *weight,
                          GLOBAL const scalar *vector, GLOBAL const scalar *material, const INDEX points, const INDEX lanes,
                          const scalar b, const scalar dt, const double t)
{
  ITEMS(item)
  {
    for (INDEX point = 0; point < points; ++point) {
      if (slot[point] < 0) continue;  // in another rank's element
      const real add = point_rate(weight, vector, material, point, item, signal_at((int)point, t));
      const INDEX at = (INDEX)slot[point] * ELEMENT + item;
      if (lanes > 0) {
        residual[(slot[point] / lanes * ELEMENT + item) * lanes + slot[point] % lanes] += dt * add;
        q[at] += b * dt * add;
      } else {
        q[at] += add;
      }
    }
  }
}

// Point sources added to q: `factor` times row `row` of `series` of their signals at the times of a step, signal[point][time].
// Items and the other arrays are those of point_sources.
KERNEL void point_series(GLOBAL scalar *q, GLOBAL const int *slot, GLOBAL const scalar *weight, GLOBAL const scalar *vector,
                         GLOBAL const scalar *material, GLOBAL const scalar *signal, GLOBAL const scalar *series, const INDEX row,
                         const INDEX points, const scalar factor)
{
  ITEMS(item)
  {
    for (INDEX point = 0; point < points; ++point) {
      if (slot[point] < 0) continue;  // in another rank's element
      real sum = 0.0;
      for (int i = 0; i < SERIES_TIMES; ++i) sum += series[row * SERIES_TIMES + i] * signal[point * SERIES_TIMES + i];
      q[(INDEX)slot[point] * ELEMENT + item] += factor * point_rate(weight, vector, material, point, item, sum);
    }
  }
}

// Values at the receivers: sample[receiver][field], an item each. Rows of weights are as long as the most nodes of an element,
// and 0 behind the last node of a smaller one, where nothing is read.
KERNEL void receivers(GLOBAL const scalar *q, GLOBAL const int *slot, GLOBAL const scalar *weight, GLOBAL scalar *sample,
                      const INDEX offset)
{
  ITEMS(item)
  {
    const INDEX receiver = item / FIELDS, field = item % FIELDS;
    GLOBAL const scalar *from = q + (INDEX)slot[receiver] * BEHIND + field;
    real sum = 0.0;
    for (int n = 0; n < MOST_NODES; ++n) {
      const real entry = weight[receiver * MOST_NODES + n];
#if MOST_NODES > NODES
      if (entry == 0.0) continue;
#endif
      sum += entry * from[n * FIELDS];
    }
    sample[offset * FIELDS + item] = sum;
  }
}

// The largest wave speed over the directions given, for rows of material.
KERNEL void speeds(GLOBAL const scalar *material, GLOBAL const scalar *direction, GLOBAL scalar *out, const INDEX directions)
{
  ITEMS(row)
  {
    real m[MATERIALS], q[FIELDS], n[DIM], most = 0.0;
    for (int i = 0; i < FIELDS; ++i) q[i] = 0.0;
    for (int i = 0; i < MATERIALS; ++i) m[i] = material[row * MATERIALS + i];
    for (INDEX k = 0; k < directions; ++k) {
      for (int d = 0; d < DIM; ++d) n[d] = direction[k * DIM + d];
      most = fmax(most, speed(q, m, n));
    }
    out[row] = most;
  }
}

#if HAS_VISCOUS
// The largest diffusivity of a linear model, for rows of material.
KERNEL void diffusivities(GLOBAL const scalar *material, GLOBAL scalar *out)
{
  ITEMS(row)
  {
    real m[MATERIALS], q[FIELDS];
    for (int i = 0; i < FIELDS; ++i) q[i] = 0.0;
    for (int i = 0; i < MATERIALS; ++i) m[i] = material[row * MATERIALS + i];
    out[row] = diffusivity(q, m);
  }
}
#endif

// How fast the reaction alone can change a state, for rows of material: the largest column sum of its matrix of rates.
KERNEL void decays(GLOBAL const scalar *material, GLOBAL scalar *out)
{
  ITEMS(row)
  {
    real most = 0.0;
#if HAS_REACTION
    real m[MATERIALS], q[FIELDS], local[FIELDS], rate[FIELDS];
    for (int i = 0; i < MATERIALS; ++i) m[i] = material[row * MATERIALS + i];
    for (int i = 0; i < FIELDS; ++i) {
      for (int k = 0; k < FIELDS; ++k) q[k] = k == i ? 1.0 : 0.0;
      reaction(q, m, local);
      inverse_mass(m, local, rate);
      real sum = 0.0;
      for (int k = 0; k < FIELDS; ++k) sum += fabs(rate[k]);
      most = fmax(most, sum);
    }
#endif
    out[row] = most;
  }
}
