// SPDX-License-Identifier: Apache-2.0
// The small kernels around the modal operator: `real` is a scalar. The generated functions boundary_state(), source_at() and
// signal_at() come before this text; they hold the case's own expressions. Points of elements are those of a cubature;
// `ghost_index`[ghost][own record, ghost record, record behind, orientation behind, boundary].

#define ELEMENT (FIELDS * MODES)
#define TRACE (FACE_VALUES * FIELDS)
#define GHOST_INDEX 5
// Number i of `count` of an element.
#define PLACE(slot, count, i) (((slot) / WIDTH * (count) + (i)) * WIDTH + (slot) % WIDTH)

// Sums over points go on in so many parts, since one long chain of additions would wait for each of them.
#define PARTS 8

// The traces behind faces on a boundary (or on the surface between total and scattered field): from values to points of the
// face, there the boundary's state, and back. The state is that behind `of_trace` times the trace, and `part` of it is written, or with
// `more` added: with 1 / dt, a weight times dt and the times of a rule it becomes the integral over dt behind the integral of a trace.
KERNEL void ghosts(GLOBAL scalar *faces, GLOBAL const int *ghost_index, GLOBAL const scalar *ghost_x, GLOBAL const scalar *ghost_n,
                   GLOBAL const scalar *ghost_m, GLOBAL const scalar *face_material, GLOBAL const scalar *to_points,
                   GLOBAL const scalar *from_points, const double t, const scalar of_trace, const scalar part, const INDEX more)
{
  ITEMS(ghost)
  {
    GLOBAL const int *index = ghost_index + ghost * GHOST_INDEX;
    GLOBAL const scalar *here = faces + (INDEX)index[0] * TRACE, *behind = faces + (INDEX)index[2] * TRACE;
    GLOBAL scalar *to = faces + (INDEX)index[1] * TRACE;
    if (!more) for (int v = 0; v < TRACE; ++v) to[v] = 0.0;
    for (int p = 0; p < FACE_POINTS; ++p) {
      const INDEX at = ghost * FACE_POINTS + p;
      real own[FIELDS], other[FIELDS], x[3], n[DIM], m[MATERIALS], state[FIELDS];
      for (int i = 0; i < FIELDS; ++i) own[i] = other[i] = 0.0;
      for (int v = 0; v < FACE_VALUES; ++v) {
        const scalar weight = to_points[p * FACE_VALUES + v];
        if (weight == 0.0) continue;
        const int partner = face_partner[index[3]][v];
        const scalar sign = face_sign[index[3]][v];
        for (int i = 0; i < FIELDS; ++i) {
          own[i] += weight * here[v * FIELDS + i];
          other[i] += weight * sign * behind[partner * FIELDS + i];
        }
      }
      for (int i = 0; i < FIELDS; ++i) {
        own[i] *= of_trace;
        other[i] *= of_trace;
      }
      x[2] = 0.0;
      for (int d = 0; d < DIM; ++d) {
        x[d] = ghost_x[at * DIM + d];
        n[d] = ghost_n[ghost * DIM + d];
      }
#if VARYING
      for (int i = 0; i < MATERIALS; ++i) m[i] = face_material[((INDEX)index[0] * FACE_VALUES + p) * MATERIALS + i];
#else
      for (int i = 0; i < MATERIALS; ++i) m[i] = ghost_m[ghost * MATERIALS + i];
#endif
      boundary_state(index[4], own, other, m, n, x, t, state);
      for (int v = 0; v < FACE_VALUES; ++v) {
        const scalar weight = from_points[v * FACE_POINTS + p];
        for (int i = 0; i < FIELDS; ++i) to[v * FIELDS + i] += weight * (part * state[i]);
      }
    }
  }
}

// Modes of the volume source: projection[mode][point] holds the weights; an item is an element and a mode.
KERNEL void sources(GLOBAL const scalar *x, GLOBAL const scalar *projection, GLOBAL scalar *out, const double t)
{
  ITEMS(item)
  {
    const INDEX slot = item / MODES;
    const int mode = (int)(item % MODES);
    real sum[FIELDS];
    for (int i = 0; i < FIELDS; ++i) sum[i] = 0.0;
    for (int p = 0; p < POINTS; ++p) {
      real at[3], value[FIELDS];
      at[2] = 0.0;
      for (int d = 0; d < DIM; ++d) at[d] = x[(slot * POINTS + p) * DIM + d];
      source_at(at, t, value);
      for (int i = 0; i < FIELDS; ++i) sum[i] += projection[mode * POINTS + p] * value[i];
    }
    for (int i = 0; i < FIELDS; ++i) out[PLACE(slot, ELEMENT, i * MODES + mode)] = sum[i];
  }
}

// A point source with this signal adds to the rate of an item of its element: weight[point][mode] is the Dirac's
// projection; vector[point][balance.., rate..].
FUNCTION real point_rate(GLOBAL const scalar *weight, GLOBAL const scalar *vector, GLOBAL const scalar *material, INDEX point,
                         INDEX item, real signal)
{
  const INDEX field = item / MODES, mode = item % MODES;
  real balance[FIELDS], m[MATERIALS], rate[FIELDS];
  for (int i = 0; i < MATERIALS; ++i) m[i] = material[point * MATERIALS + i];
  for (int i = 0; i < FIELDS; ++i) balance[i] = vector[point * 2 * FIELDS + i] * signal;
  inverse_mass(m, balance, rate);
  return weight[point * MODES + mode] * (rate[field] + vector[(point * 2 + 1) * FIELDS + field] * signal);
}

// Point sources after a stage, or added to a rate (stage = 0): what the stage would have done with them in its sum. An item is
// a field and a mode of every point's element, since points may share one.
KERNEL void point_sources(GLOBAL scalar *q, GLOBAL scalar *residual, GLOBAL const int *slot, GLOBAL const scalar *weight,
                          GLOBAL const scalar *vector, GLOBAL const scalar *material, const INDEX points, const INDEX stage,
                          const scalar b, const scalar dt, const double t)
{
  ITEMS(item)
  {
    for (INDEX point = 0; point < points; ++point) {
      if (slot[point] < 0) continue;  // in another rank's element
      const real add = point_rate(weight, vector, material, point, item, signal_at((int)point, t));
      const INDEX at = PLACE((INDEX)slot[point], ELEMENT, item);
      if (stage) {
        residual[at] += dt * add;
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
      q[PLACE((INDEX)slot[point], ELEMENT, item)] += factor * point_rate(weight, vector, material, point, item, sum);
    }
  }
}

// Values at the receivers: sample[receiver][field], an item each.
KERNEL void receivers(GLOBAL const scalar *q, GLOBAL const int *slot, GLOBAL const scalar *weight, GLOBAL scalar *sample,
                      const INDEX offset)
{
  ITEMS(item)
  {
    const INDEX receiver = item / FIELDS, field = item % FIELDS;
    real sum = 0.0;
    for (int j = 0; j < MODES; ++j) sum += weight[receiver * MODES + j] * q[PLACE((INDEX)slot[receiver], ELEMENT, field * MODES + j)];
    sample[offset * FIELDS + item] = sum;
  }
}

// Energy of each element, q . M(x) q / 2 integrated; with one material the modes being orthonormal make it a sum over modes.
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *material, GLOBAL const scalar *material_points,
                   GLOBAL const scalar *at_points, GLOBAL const scalar *weights, GLOBAL const scalar *volume, GLOBAL scalar *out)
{
  ITEMS(slot)
  {
    real sum = 0.0, state[FIELDS], moment[FIELDS], m[MATERIALS];
#if VARYING
    for (int p = 0; p < POINTS; ++p) {
      for (int i = 0; i < MATERIALS; ++i) m[i] = material_points[(slot * POINTS + p) * MATERIALS + i];
      for (int i = 0; i < FIELDS; ++i) {
        state[i] = 0.0;
        for (int j = 0; j < MODES; ++j) state[i] += at_points[p * MODES + j] * q[PLACE(slot, ELEMENT, i * MODES + j)];
      }
      mass(m, state, moment);
      for (int i = 0; i < FIELDS; ++i) sum += 0.5 * weights[p] * state[i] * moment[i];
    }
#else
    for (int i = 0; i < MATERIALS; ++i) m[i] = material[PLACE(slot, MATERIALS, i)];
    for (int j = 0; j < MODES; ++j) {
      for (int i = 0; i < FIELDS; ++i) state[i] = q[PLACE(slot, ELEMENT, i * MODES + j)];
      mass(m, state, moment);
      for (int i = 0; i < FIELDS; ++i) sum += 0.5 * state[i] * moment[i];
    }
#endif
    out[slot] = volume[slot] * sum;
  }
}

#if VARYING
// Modes of the coefficients of flux, inverse mass and reaction from the material at the points; projection[mode][point].
KERNEL void project(GLOBAL const scalar *material_points, GLOBAL const scalar *geometry, GLOBAL const scalar *projection,
                    GLOBAL scalar *coefficients)
{
  ITEMS(slot)
  {
    real value[ALL_COEFFICIENTS * POINTS], m[MATERIALS], g[DIM * DIM], unit[FIELDS], f[FIELDS];
    for (int i = 0; i < DIM * DIM; ++i) g[i] = geometry[PLACE(slot, DIM * DIM, i)];
    for (int p = 0; p < POINTS; ++p) {
      for (int i = 0; i < MATERIALS; ++i) m[i] = material_points[(slot * POINTS + p) * MATERIALS + i];
#if FLUX_ENTRIES
      for (int e = 0; e < FLUX_ENTRIES; ++e)
        for (int d = 0; d < DIM; ++d) {
          for (int i = 0; i < FIELDS; ++i) unit[i] = i == flux_entry[e][1] ? 1.0 : 0.0;
          flux(unit, m, g + d * DIM, f);
          value[(flux_entry[e][2] + d) * POINTS + p] = f[flux_entry[e][0]];
        }
#endif
#if MASS_ENTRIES
      for (int e = 0; e < MASS_ENTRIES; ++e) {
        for (int i = 0; i < FIELDS; ++i) unit[i] = i == mass_entry[e][1] ? 1.0 : 0.0;
        inverse_mass(m, unit, f);
        value[mass_entry[e][2] * POINTS + p] = f[mass_entry[e][0]];
      }
#endif
#if REACTION_ENTRIES
      for (int e = 0; e < REACTION_ENTRIES; ++e) {
        for (int i = 0; i < FIELDS; ++i) unit[i] = i == reaction_entry[e][1] ? 1.0 : 0.0;
        reaction(unit, m, f);
        value[reaction_entry[e][2] * POINTS + p] = f[reaction_entry[e][0]];
      }
#endif
    }
    for (int c = 0; c < ALL_COEFFICIENTS; ++c)
      for (int k = 0; k < COEFFICIENTS; ++k) {
        real part[PARTS], sum = 0.0;
        for (int i = 0; i < PARTS; ++i) part[i] = 0.0;
        for (int p = 0; p + PARTS <= POINTS; p += PARTS)
          UNROLL for (int i = 0; i < PARTS; ++i) part[i] += projection[k * POINTS + p + i] * value[c * POINTS + p + i];
        for (int p = POINTS / PARTS * PARTS; p < POINTS; ++p) sum += projection[k * POINTS + p] * value[c * POINTS + p];
        for (int i = 0; i < PARTS; ++i) sum += part[i];
        coefficients[PLACE(slot, ALL_COEFFICIENTS * COEFFICIENTS, c * COEFFICIENTS + k)] = sum;
      }
  }
}

// Material at the values of the faces, from the polynomial of the coefficients' degree through the points of the element: an
// item is an element, a face and a value; weights[face][value][point].
KERNEL void face_materials(GLOBAL const scalar *material_points, GLOBAL const scalar *weights, GLOBAL scalar *face_material)
{
  ITEMS(item)
  {
    const INDEX slot = item / (FACES * FACE_VALUES), row = item % (FACES * FACE_VALUES);
    GLOBAL const scalar *m = material_points + slot * POINTS * MATERIALS, *weight = weights + row * POINTS;
    real part[PARTS * MATERIALS];
    for (int i = 0; i < PARTS * MATERIALS; ++i) part[i] = 0.0;
    for (int p = 0; p + PARTS <= POINTS; p += PARTS)
      UNROLL for (int i = 0; i < PARTS * MATERIALS; ++i) part[i] += weight[p + i / MATERIALS] * m[p * MATERIALS + i];
    for (int p = POINTS / PARTS * PARTS; p < POINTS; ++p)
      for (int i = 0; i < MATERIALS; ++i) part[i] += weight[p] * m[p * MATERIALS + i];
    for (int i = 0; i < MATERIALS; ++i) {
      real sum = 0.0;
      for (int k = 0; k < PARTS; ++k) sum += part[k * MATERIALS + i];
      face_material[item * MATERIALS + i] = sum;
    }
  }
}

// Behind a boundary is what is before it.
KERNEL void ghost_materials(GLOBAL const int *ghost_index, GLOBAL scalar *face_material)
{
  ITEMS(ghost)
  {
    GLOBAL const int *index = ghost_index + ghost * GHOST_INDEX;
    for (int i = 0; i < FACE_VALUES * MATERIALS; ++i)
      face_material[(INDEX)index[1] * FACE_VALUES * MATERIALS + i] = face_material[(INDEX)index[0] * FACE_VALUES * MATERIALS + i];
  }
}
#endif
