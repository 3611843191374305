// SPDX-License-Identifier: Apache-2.0
// After a stage: states are brought back to admissible ones, shocks are kept in hand; and a modal filter. An item is an element, on
// a CPU LANES of them, and `real` has a value for each. Constants: MATERIAL_ROWS of an element (1 or NODES), MATERIAL_IN_TIME,
// CONDITIONS (what admissible() judges), EXTRA (points besides the nodes at which fluxes are taken), ENTROPY (it is kept from falling
// where the state is rough), ROUGH (the part of the highest modes from which on it is), NEAR (below this part of the largest margin
// of a node the extra points are looked at), FACE_POINTS and POINT_CODE of traces at points, BEHIND_FACES (rows of `behind`).
// In a state, and in arrays with rows for nodes, the element of a slot lies at its place; where all elements have one shape that is
// the slot, else a group's places lie `shift` behind its slots, in elements of its own shape.
// weight[place][node] of an integral; modal: V^-1 [mode][node], then V [node][mode], or the filter's matrix [node][node];
// points[point][node]; behind[slot][face][address, code]; record[slot]: time of the first mean that was not admissible, and its
// margins; marks[slot]: not finite from then on; roughness[slot]: 1 where the
// state is rough or was changed, else 0. `more` has the room of a state on GPUs.

#define ELEMENT (NODES * FIELDS)
#define BEHIND (BEHIND_NODES * FIELDS)
#define RECORD (1 + CONDITIONS)
// The least margin that a state is brought back to, as a part of its mean's.
#define FLOOR 1e-3
// The part by which the entropy may fall: neither rounding nor what a resolved flow does to it is a shock.
#define SLACK 1e-5
#define HALVINGS (SINGLE ? 22 : 44)

#if SIMT
#define ARRAYS GLOBAL scalar *values, GLOBAL scalar *spare, const INDEX place
#define AT(array, n) (array + place * ELEMENT + (n) * FIELDS)
FUNCTION void take_node(GLOBAL const scalar *from, const INDEX place, int n, real *state)
{
  for (int i = 0; i < FIELDS; ++i) state[i] = from[place * ELEMENT + n * FIELDS + i];
}
FUNCTION real take_scalar(GLOBAL const scalar *from, const INDEX row, int width, int at) { return from[row * width + at]; }
#else
#define ARRAYS real *values, real *spare, const INDEX place
#define AT(array, n) (array + (n) * FIELDS)
FUNCTION void take_node(const scalar *from, const INDEX place, int n, real *state)
{
  const scalar *lanes[LANES];
  for (int l = 0; l < LANES; ++l) lanes[l] = from + (place + l) * ELEMENT + n * FIELDS;
  load_lanes<FIELDS>(lanes, state);
}
FUNCTION real take_scalar(const scalar *from, const INDEX row, int width, int at)
{
  real value = splat(0.0);
  for (int l = 0; l < LANES; ++l) set_lane(value, l, from[(row + l) * width + at]);
  return value;
}
#endif

#define GET(array, n, state) for (int i_ = 0; i_ < FIELDS; ++i_) (state)[i_] = AT(array, n)[i_]
#define PUT(array, n, state) for (int i_ = 0; i_ < FIELDS; ++i_) AT(array, n)[i_] = (state)[i_]

// 1 for the lanes that have an element.
FUNCTION real lanes_in_use(const INDEX slot, const INDEX end)
{
  real use = splat(0.0);
  for (int l = 0; l < LANES; ++l)
    if (slot + l < end) set_lane(use, l, 1.0);
  return use;
}

#define MATERIAL_PARAMETERS GLOBAL const scalar *material, GLOBAL const int *region, const double t, const INDEX slot
#define MATERIAL material, region, t, slot

FUNCTION void take_material(MATERIAL_PARAMETERS, const INDEX place, int n, real *m)
{
#if MATERIAL_IN_TIME
  real at[3];
  at[2] = 0.0;
  for (int d = 0; d < DIM; ++d) at[d] = material[(place * NODES + n) * DIM + d];
  material_at(region[slot], at, material_factor(t), t, m);
#else
  const int row = MATERIAL_ROWS == 1 ? 0 : n;
  for (int i = 0; i < MATERIALS; ++i)
    m[i] = take_scalar(material, MATERIAL_ROWS == 1 ? slot : place, MATERIAL_ROWS * MATERIALS, row * MATERIALS + i);
#endif
}

FUNCTION void find_mean(ARRAYS, GLOBAL const scalar *weight, real *mean)
{
  real all = splat(0.0);
  for (int i = 0; i < FIELDS; ++i) mean[i] = splat(0.0);
  for (int n = 0; n < NODES; ++n) {
    real state[FIELDS];
    const real part = take_scalar(weight, place, NODES, n);
    GET(values, n, state);
    all += part;
    for (int i = 0; i < FIELDS; ++i) mean[i] += part * state[i];
  }
  for (int i = 0; i < FIELDS; ++i) mean[i] = mean[i] / all;
}

#if CONDITIONS
// The smallest and the largest margin of a node; where they are far apart the smallest counts the extra points too.
FUNCTION void find_margins(ARRAYS, MATERIAL_PARAMETERS, GLOBAL const scalar *points, real *least, real *most)
{
  real state[FIELDS], m[MATERIALS], margin[CONDITIONS];
  take_material(MATERIAL, place, 0, m);
  for (int n = 0; n < NODES; ++n) {
    if (MATERIAL_ROWS > 1 && n > 0) take_material(MATERIAL, place, n, m);
    GET(values, n, state);
    admissible(state, m, margin);
    for (int k = 0; k < CONDITIONS; ++k) {
      least[k] = n == 0 ? margin[k] : fmin(least[k], margin[k]);
      most[k] = n == 0 ? margin[k] : fmax(most[k], margin[k]);
    }
  }
#if EXTRA
  real near = splat(0.0);
  for (int k = 0; k < CONDITIONS; ++k) near = least[k] < NEAR * most[k] ? splat(1.0) : near;
  if (any(near > 0.5)) {
    take_material(MATERIAL, place, 0, m);
    for (int point = 0; point < EXTRA; ++point) {
      for (int i = 0; i < FIELDS; ++i) state[i] = splat(0.0);
      for (int n = 0; n < NODES; ++n) {
        const scalar entry = points[point * NODES + n];
        for (int i = 0; i < FIELDS; ++i) state[i] += entry * AT(values, n)[i];
      }
      admissible(state, m, margin);
      for (int k = 0; k < CONDITIONS; ++k) least[k] = near > 0.5 ? fmin(least[k], margin[k]) : least[k];
    }
  }
#endif
}

// Scales towards the mean, one condition after the other (Zhang and Shu 2010, 2012): margins are concave functions of the state,
// so that a part of the way that suffices on the line between both margins suffices. Only lanes of `chosen`.
FUNCTION void keep_positive(ARRAYS, MATERIAL_PARAMETERS, GLOBAL const scalar *points, real chosen, const real *mean,
                            const real *of_mean)
{
  for (int k = 0; k < CONDITIONS; ++k) {
    real least[CONDITIONS], most[CONDITIONS];
    find_margins(values, spare, place, MATERIAL, points, least, most);
    const real target = FLOOR * of_mean[k];
    real part = least[k] < target ? (of_mean[k] - target) / (of_mean[k] - least[k]) : splat(1.0);
    part = chosen > 0.5 ? part : splat(1.0);
    if (any(part < 1.0))
      for (int n = 0; n < NODES; ++n) {
        real state[FIELDS];
        GET(values, n, state);
        for (int i = 0; i < FIELDS; ++i) state[i] = part < 1.0 ? mean[i] + part * (state[i] - mean[i]) : state[i];
        PUT(values, n, state);
      }
  }
}
#endif

#if ENTROPY
// 1 where the modes of the highest degree hold more than ROUGH of the squares of the product of all margins, or those of the next
// degree of what lies below (Persson and Peraire 2006, Hennemann and Gassner 2020); at order 2 that would be any slope.
FUNCTION real rough(ARRAYS, MATERIAL_PARAMETERS, GLOBAL const scalar *modal)
{
  real level[NODES], m[MATERIALS];
  take_material(MATERIAL, place, 0, m);
  for (int n = 0; n < NODES; ++n) {
    real state[FIELDS], margin[CONDITIONS];
    if (MATERIAL_ROWS > 1 && n > 0) take_material(MATERIAL, place, n, m);
    GET(values, n, state);
    admissible(state, m, margin);
    level[n] = margin[0];
    for (int k = 1; k < CONDITIONS; ++k) level[n] *= margin[k];
  }
  real below = splat(0.0), second = splat(0.0), highest = splat(0.0);
  for (int mode = 0; mode < NODES; ++mode) {
    real entry = splat(0.0);
    for (int n = 0; n < NODES; ++n) entry += modal[mode * NODES + n] * level[n];
    const int degree = mode_degree[mode];
    if (degree == ORDER) highest += entry * entry;
    else if (degree == ORDER - 1 && ORDER > 2) second += entry * entry;
    else below += entry * entry;
  }
  real found = highest > ROUGH * (highest + second + below) ? splat(1.0) : splat(0.0);
  return second > ROUGH * (second + below) ? splat(1.0) : found;
}

// The smallest entropy at the nodes of the element and at its neighbours' traces, in the state that the stage began with: as far as
// a step reaches.
FUNCTION real entropy_around(GLOBAL const scalar *before, MATERIAL_PARAMETERS, GLOBAL const int *behind, const INDEX place)
{
  real state[FIELDS], m[MATERIALS], least = splat(0.0);
  take_material(MATERIAL, place, 0, m);
  for (int n = 0; n < NODES; ++n) {
    if (MATERIAL_ROWS > 1 && n > 0) take_material(MATERIAL, place, n, m);
    take_node(before, place, n, state);
    const real found = entropy(state, m);
    least = n == 0 ? found : fmin(least, found);
  }
  for (int face = 0; face < FACES; ++face)
    for (int j = 0; j < FACE_NODES; ++j) {
      if (MATERIAL_ROWS > 1) take_material(MATERIAL, place, face_node[face][j], m);
#if SIMT
      GLOBAL const int *there = behind + (slot * BEHIND_FACES + face) * 2;
      const int code = there[1];
      GLOBAL const scalar *from = before + (INDEX)there[0] * BEHIND + (code == POINT_CODE ? j * FIELDS : neighbour_node[code][j]);
      for (int i = 0; i < FIELDS; ++i) state[i] = from[i];
#else
      const scalar *from[LANES];
      for (int l = 0; l < LANES; ++l) {
        const int *there = behind + ((slot + l) * BEHIND_FACES + face) * 2;
        const int code = there[1];
        from[l] = before + (INDEX)there[0] * BEHIND + (code == POINT_CODE ? j * FIELDS : neighbour_node[code][j]);
      }
      load_lanes<FIELDS>(from, state);
#endif
      least = fmin(least, entropy(state, m));
    }
  return least;
}

// The state at a node when each mode of degree d is multiplied by part^(d d).
FUNCTION void damped(const real *of_degree, real part, real *state)
{
  real power = splat(1.0), odd = part;
  for (int i = 0; i < FIELDS; ++i) state[i] = of_degree[i];
  for (int d = 1; d <= ORDER; ++d) {
    power *= odd;
    odd *= part * part;
    for (int i = 0; i < FIELDS; ++i) state[i] += power * of_degree[d * FIELDS + i];
  }
}

FUNCTION real holds(const real *state, const real *m, const real *of_mean, real bound)
{
  real margin[CONDITIONS], good = entropy(state, m) >= bound ? splat(1.0) : splat(0.0);
  admissible(state, m, margin);
  for (int k = 0; k < CONDITIONS; ++k) good = margin[k] >= FLOOR * of_mean[k] ? good : splat(0.0);
  return good;
}

FUNCTION void node_by_degree(ARRAYS, GLOBAL const scalar *modal, int n, real *of_degree)
{
  for (int i = 0; i < (ORDER + 1) * FIELDS; ++i) of_degree[i] = splat(0.0);
  for (int mode = 0; mode < NODES; ++mode) {
    const scalar entry = modal[(NODES + n) * NODES + mode];
    const int first = mode_degree[mode] * FIELDS;
    for (int i = 0; i < FIELDS; ++i) of_degree[first + i] += entry * AT(spare, mode)[i];
  }
}

// Damps the modes by as little as keeps margins and entropy at every node (Dzanic and Witherden 2022): the strength by bisection.
FUNCTION void filter(ARRAYS, MATERIAL_PARAMETERS, GLOBAL const scalar *weight, GLOBAL const scalar *modal, real chosen, const real *mean,
                     const real *of_mean, real bound)
{
  real state[FIELDS], m[MATERIALS], of_degree[(ORDER + 1) * FIELDS];
  for (int mode = 0; mode < NODES; ++mode) {
    for (int i = 0; i < FIELDS; ++i) state[i] = splat(0.0);
    for (int n = 0; n < NODES; ++n) {
      const scalar entry = modal[mode * NODES + n];
      for (int i = 0; i < FIELDS; ++i) state[i] += entry * AT(values, n)[i];
    }
    PUT(spare, mode, state);
  }
  take_material(MATERIAL, place, 0, m);
  real part = splat(1.0);
  // More damping for one node may break what holds at an earlier one: they are looked at twice.
  for (int round = 0; round < 2; ++round)
    for (int n = 0; n < NODES; ++n) {
      if (MATERIAL_ROWS > 1) take_material(MATERIAL, place, n, m);
      node_by_degree(values, spare, place, modal, n, of_degree);
      damped(of_degree, part, state);
      real wrong = chosen > 0.5 ? 1.0 - holds(state, m, of_mean, bound) : splat(0.0);
      if (!any(wrong > 0.5)) continue;
      real low = splat(0.0), high = part;
      for (int halving = 0; halving < HALVINGS; ++halving) {
        const real middle = 0.5 * (low + high);
        damped(of_degree, middle, state);
        const real good = holds(state, m, of_mean, bound);
        low = good > 0.5 ? middle : low;
        high = good > 0.5 ? high : middle;
      }
      part = wrong > 0.5 ? low : part;
    }
  for (int n = 0; n < NODES; ++n) {
    real now[FIELDS];
    node_by_degree(values, spare, place, modal, n, of_degree);
    damped(of_degree, part, now);
    GET(values, n, state);
    for (int i = 0; i < FIELDS; ++i) state[i] = part < 1.0 ? now[i] : state[i];
    PUT(values, n, state);
  }
  // The mean of a curved element counts all modes.
  real shifted[FIELDS];
  find_mean(values, spare, place, weight, shifted);
  for (int n = 0; n < NODES; ++n) {
    GET(values, n, state);
    for (int i = 0; i < FIELDS; ++i) state[i] = part < 1.0 ? state[i] + (mean[i] - shifted[i]) : state[i];
    PUT(values, n, state);
  }
}
#endif

#if SIMT
#define BEGIN_ELEMENT GLOBAL scalar *values = q, *spare = more;
#define STORE_ELEMENT
#else
#define BEGIN_ELEMENT    \
  real values[ELEMENT];  \
  for (int n = 0; n < NODES; ++n) take_node(q, place, n, values + n * FIELDS);
#define STORE_ELEMENT                                                                    \
  for (int n = 0; n < NODES; ++n) {                                                      \
    scalar *lanes[LANES];                                                                \
    for (int l = 0; l < LANES; ++l) lanes[l] = q + (place + l) * ELEMENT + n * FIELDS;   \
    store_lanes<FIELDS>(lanes, values + n * FIELDS);                                     \
  }
#endif

#if CONDITIONS
KERNEL void limit(GLOBAL scalar *q, GLOBAL const scalar *before, GLOBAL scalar *more, GLOBAL const scalar *material,
                  GLOBAL const int *region, GLOBAL const scalar *weight, GLOBAL const scalar *modal, GLOBAL const scalar *points,
                  GLOBAL const int *behind, GLOBAL scalar *record, GLOBAL scalar *marks, GLOBAL scalar *roughness, const INDEX first, const INDEX count,
                  const INDEX shift, const double t)
{
#if !SIMT
  real spare[ENTROPY ? ELEMENT : 1];
#endif
  ITEMS(item)
  {
    const INDEX slot = first + item * LANES, place = slot + shift;
    BEGIN_ELEMENT
    const real use = lanes_in_use(slot, first + count);
    real least[CONDITIONS], most[CONDITIONS];
    find_margins(values, spare, place, MATERIAL, points, least, most);
    // Values that are not finite are found here as well.
    real wrong = splat(0.0);
    for (int k = 0; k < CONDITIONS; ++k) wrong = least[k] >= FLOOR * most[k] && most[k] > 0.0 ? wrong : use;
#if ENTROPY
    const real shaken = use * rough(values, spare, place, MATERIAL, modal);
#else
    const real shaken = splat(0.0);
#endif
    for (int l = 0; l < LANES; ++l) roughness[slot + l] = lane(shaken, l);
    if (!any(wrong + shaken > 0.5)) continue;
    real mean[FIELDS], of_mean[CONDITIONS], m[MATERIALS], broken = splat(0.0);
    find_mean(values, spare, place, weight, mean);
    take_material(MATERIAL, place, 0, m);
    admissible(mean, m, of_mean);
    for (int k = 0; k < CONDITIONS; ++k) broken = of_mean[k] > 0.0 ? broken : use;
    if (any(broken > 0.5))
      for (int l = 0; l < LANES; ++l)
        if (lane(broken, l) > 0.5 && record[(slot + l) * RECORD] == 0.0) {
          record[(slot + l) * RECORD] = (scalar)t;
          for (int k = 0; k < CONDITIONS; ++k) record[(slot + l) * RECORD + 1 + k] = lane(of_mean[k], l);
          marks[slot + l] = (scalar)1.0 / (marks[slot + l] - marks[slot + l]);
        }
    wrong = broken > 0.5 ? splat(0.0) : wrong;
#if ENTROPY
    real bound = splat(0.0), sunk = splat(0.0);
    if (any(shaken > 0.5)) {
      bound = fmin((1.0 - SLACK) * entropy_around(before, MATERIAL, behind, place), entropy(mean, m));
      for (int n = 0; n < NODES; ++n) {
        real state[FIELDS];
        if (MATERIAL_ROWS > 1) take_material(MATERIAL, place, n, m);
        GET(values, n, state);
        sunk = entropy(state, m) >= bound ? sunk : shaken;
      }
      bound = shaken > 0.5 ? bound : splat(0.0);
      sunk = broken > 0.5 ? splat(0.0) : sunk;
    }
    if (any(sunk > 0.5)) filter(values, spare, place, MATERIAL, weight, modal, sunk, mean, of_mean, bound);
    wrong = fmax(wrong, sunk);
#endif
    if (!any(wrong > 0.5)) continue;
    for (int l = 0; l < LANES; ++l)
      if (lane(wrong, l) > 0.5) roughness[slot + l] = 1.0;
    keep_positive(values, spare, place, MATERIAL, points, wrong, mean, of_mean);
    STORE_ELEMENT
  }
}
#endif

// The matrix of a modal filter from the place `first` on, and what it takes from the mean of a curved element given back.
KERNEL void smooth(GLOBAL scalar *q, GLOBAL scalar *more, GLOBAL const scalar *weight, GLOBAL const scalar *modal, const INDEX first)
{
#if !SIMT
  real spare[ELEMENT];
#endif
  ITEMS(item)
  {
    const INDEX place = first + item * LANES;
    BEGIN_ELEMENT
    real mean[FIELDS], shifted[FIELDS], state[FIELDS];
    find_mean(values, spare, place, weight, mean);
    for (int n = 0; n < NODES; ++n) {
      for (int i = 0; i < FIELDS; ++i) state[i] = splat(0.0);
      for (int k = 0; k < NODES; ++k) {
        const scalar entry = modal[n * NODES + k];
        for (int i = 0; i < FIELDS; ++i) state[i] += entry * AT(values, k)[i];
      }
      PUT(spare, n, state);
    }
    find_mean(spare, values, place, weight, shifted);
    for (int n = 0; n < NODES; ++n) {
      GET(spare, n, state);
      for (int i = 0; i < FIELDS; ++i) state[i] += mean[i] - shifted[i];
      PUT(values, n, state);
    }
    STORE_ELEMENT
  }
}
