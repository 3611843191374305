// SPDX-License-Identifier: Apache-2.0
// Level sets on GPUs: TEAM threads work on an element, and a group has ELEMENTS teams. The kernels' results, and their arrays
// with WIDTH = 1, are described in kernels/levelset/levelset.h. An element has ROOM scalars of shared memory: `wide` and
// `narrow` for transforms, which take turns, and one number for each mode of each face. The points of an element lie over its
// team: thread t has t, t + TEAM, ... in registers, SPOTS of them. The texts of the shapes give, for all threads:
//   to_spots(tables, t, fields, wide, narrow, values): modes in `wide` to values at this thread's points
//   from_spots(...): the way back; what the points give in integrals against modes lies in `wide`
//   through_faces(tables, t, factor, wide, narrow, flux): modes of the upwind flux, from traces in `wide`
// and for one number: derivative_mode, test_derivative (its transpose), trace_mode, from_face (its transpose).

#define FIELDS (DIM + 1)
#define FACE_ROWS (FACES * FACE_MODES)
// A thread beyond the last team has nothing to do, but comes to every barrier.
#define IDLE (1 << 28)
#define BEGIN_TEAM(memory, item)                                                              \
  const int team = THREAD / TEAM, t = team < ELEMENTS ? THREAD - team * TEAM : IDLE;          \
  const INDEX batch = (item) * ELEMENTS + (team < ELEMENTS ? team : 0);                       \
  const int column = 0;                                                                       \
  LOCAL scalar *wide = (memory) + (team < ELEMENTS ? team : 0) * ROOM, *narrow = wide + WIDE, \
               *face_modes = narrow + NARROW
#define FOR_TEAM(i, count) for (int i = t; i < (count); i += TEAM)

// A mode of what the element behind a face has on it, in the modes of my face.
FUNCTION scalar mode_behind(GLOBAL const scalar *traces, GLOBAL const int *neighbour, GLOBAL const scalar *tables, INDEX batch,
                            int face, int m)
{
  const INDEX slot = neighbour[(batch * FACES + face) * 2];
  const int code = neighbour[(batch * FACES + face) * 2 + 1];
  const int there = code / ORIENTATIONS, orientation = code - there * ORIENTATIONS;
  GLOBAL const scalar *from = traces + (slot * FACES + there) * FACE_MODES;
  if (orientation == 0) return from[m];
  GLOBAL const scalar *change = tables + CHANGES + (orientation * FACE_MODES + m) * FACE_MODES;
  scalar sum = 0.0;
  for (int n = 0; n < FACE_MODES; ++n) sum += change[n] * from[n];
  return sum;
}

// As in kernels/levelset/levelset.h, for one mode: behind a side of the mesh is the mean of the cell.
FUNCTION scalar mode_coming_in(GLOBAL const scalar *q, GLOBAL const scalar *traces, GLOBAL const int *neighbour,
                               GLOBAL const scalar *tables, INDEX batch, int face, int m)
{
  const INDEX slot = neighbour[(batch * FACES + face) * 2];
  if (slot == batch && neighbour[(batch * FACES + face) * 2 + 1] / ORIENTATIONS == face)
    return m == 0 ? MEAN_ON_FACE * q[batch * MODES] : 0.0;
  return mode_behind(traces, neighbour, tables, batch, face, m);
}

// The endings of kernels/levelset/levelset.h, for one mode.
FUNCTION void finish_mode(scalar q, scalar rate, GLOBAL scalar *next, GLOBAL scalar *residual, INDEX ending, scalar a, scalar b,
                          scalar dt)
{
  if (ending == 1) {
    const scalar r = a * *residual + dt * rate;
    *residual = r;
    *next = q + b * r;
  } else if (ending == 2) {
    *next = b * q + a * *residual + dt * rate;
  } else {
    *next = rate;
  }
}

// Sums over the team's points: of the gradient's components, of its length and of G (1 - G).
#define SUMS (DIM + 2)
FUNCTION void sum_of_team(int t, LOCAL scalar *narrow, real *sums)
{
  BARRIER;
  if (t < TEAM)
    UNROLL for (int s = 0; s < SUMS; ++s) narrow[t * SUMS + s] = sums[s];
  BARRIER;
  UNROLL for (int s = 0; s < SUMS; ++s) {
    sums[s] = 0.0;
    for (int i = 0; i < TEAM; ++i) sums[s] += narrow[i * SUMS + s];
  }
}

KERNEL void traces_of_state(GLOBAL const scalar *q, GLOBAL scalar *traces, GLOBAL const scalar *tables)
{
  SHARED(memory);
  GROUP(item);
  BEGIN_TEAM(memory, item);
  FOR_TEAM(m, MODES) wide[m] = q[ROW(MODES, m)];
  BARRIER;
  FOR_TEAM(i, FACE_ROWS) traces[ROW(FACE_ROWS, i)] = trace_mode(tables, i / FACE_MODES, wide, i % FACE_MODES);
}

KERNEL void transport(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *traces,
                      GLOBAL const scalar *velocity, GLOBAL const scalar *normal_velocity, GLOBAL const int *neighbour,
                      GLOBAL const scalar *tables, const INDEX ending, const scalar factor, const scalar a, const scalar b,
                      const scalar dt)
{
  SHARED(memory);
  GROUP(item);
  BEGIN_TEAM(memory, item);
  FOR_TEAM(i, FACE_ROWS)
  {
    wide[i] = traces[ROW(FACE_ROWS, i)];
    wide[FACE_ROWS + i] = mode_coming_in(q, traces, neighbour, tables, batch, i / FACE_MODES, i % FACE_MODES);
    wide[2 * FACE_ROWS + i] = normal_velocity[ROW(FACE_ROWS, i)];
  }
  BARRIER;
  through_faces(tables, t, factor, wide, narrow, face_modes);
  FOR_TEAM(i, DIM * MODES) wide[i] = velocity[ROW(DIM * MODES, i)];
  FOR_TEAM(m, MODES) wide[DIM * MODES + m] = q[ROW(MODES, m)];
  BARRIER;
  real values[FIELDS * SPOTS];
  to_spots(tables, t, FIELDS, wide, narrow, values);
  UNROLL for (int i = 0; i < DIM * SPOTS; ++i) values[i] = values[i] * values[DIM * SPOTS + i % SPOTS];
  from_spots(tables, t, DIM, wide, narrow, values);
  FOR_TEAM(m, MODES)
  {
    scalar sum = 0.0;
    for (int d = 0; d < DIM; ++d) sum += test_derivative(tables, d, wide + d * MODES, m);
    for (int face = 0; face < FACES; ++face) sum += from_face(tables, face, face_modes + face * FACE_MODES, m);
    const INDEX at = ROW(MODES, m);
    finish_mode(q[at], factor * sum, next + at, residual + at, ending, a, b, dt);
  }
}
