// SPDX-License-Identifier: Apache-2.0
// Transport of a level set, G_t + div(u G) = 0, in orthonormal modes:
//   dG_i/dt = int u G . grad phi_i - sum over faces of int (u.n)+ G + (u.n)- G_behind, times phi_i.
// Arrays lie [batch][row][lane]: WIDTH elements side by side. `velocity` holds the modes of u . grad r_d for each
// direction d, `normal_velocity` the modes of u.n |J_face| / J on each face, projected from the field itself: it has one
// value on both sides, and with it a constant stays constant to the accuracy of the projection (div u = 0).
// traces[batch][face][kind][mode]: what neighbours read. neighbour[batch][face][slot, code][lane].

// An item is LANES elements.
#define PLACE(item)                                  \
  const INDEX batch = (item) * LANES / WIDTH;        \
  const int column = (int)((item) * LANES % WIDTH)

// One kind of trace of the element behind a face, in the modes of my face.
FUNCTION void trace_behind(GLOBAL const scalar *traces, GLOBAL const int *neighbour, GLOBAL const scalar *tables, INDEX batch,
                           int column, int face, int kinds, int kind, real *out)
{
  for (int l = 0; l < LANES; ++l) {
    const INDEX slot = neighbour[((batch * FACES + face) * 2) * WIDTH + column + l];
    const int code = neighbour[((batch * FACES + face) * 2 + 1) * WIDTH + column + l];
    const int there = code / ORIENTATIONS, orientation = code % ORIENTATIONS;
    GLOBAL const scalar *from =
        traces + (((slot / WIDTH * FACES + there) * kinds + kind) * FACE_MODES) * WIDTH + slot % WIDTH;
    if (orientation == 0) {
      for (int m = 0; m < FACE_MODES; ++m) set_lane(out[m], l, from[m * WIDTH]);
    } else {
      GLOBAL const scalar *change = tables + CHANGES + orientation * FACE_MODES * FACE_MODES;
      for (int m = 0; m < FACE_MODES; ++m) {
        scalar sum = 0.0;
        for (int n = 0; n < FACE_MODES; ++n) sum += change[m * FACE_MODES + n] * from[n * WIDTH];
        set_lane(out[m], l, sum);
      }
    }
  }
}

// The value that comes in through a side of the mesh is the mean of the cell: with its own trace, which nothing then upwinds, what
// varies inside the cell would grow with a power of time.
FUNCTION void mean_at_sides(GLOBAL const scalar *q, GLOBAL const int *neighbour, INDEX batch, int column, int face, real *behind)
{
  for (int l = 0; l < LANES; ++l) {
    const INDEX place = ((batch * FACES + face) * 2) * WIDTH + column + l;
    if (neighbour[place] != batch * WIDTH + column + l || neighbour[place + WIDTH] / ORIENTATIONS != face) continue;
    set_lane(behind[0], l, MEAN_ON_FACE * q[ROW(MODES, 0) + l]);
    for (int m = 1; m < FACE_MODES; ++m) set_lane(behind[m], l, 0.0);
  }
}

KERNEL void traces_of_state(GLOBAL const scalar *q, GLOBAL scalar *traces, GLOBAL const scalar *tables)
{
  ITEMS(item)
  {
    PLACE(item);
    real g[MODES], trace[FACE_MODES];
    for (int m = 0; m < MODES; ++m) g[m] = load(q + ROW(MODES, m));
    for (int face = 0; face < FACES; ++face) {
      trace_of(tables, face, g, trace);
      for (int m = 0; m < FACE_MODES; ++m) store(traces + ROW(FACES * FACE_MODES, face * FACE_MODES + m), trace[m]);
    }
  }
}

// The end of a right-hand side. `ending` 0: next = rate. 1, a stage of low storage: residual = a residual + dt rate, next = q +
// b residual. 2, a stage of a recurrence: next = b q + a residual + dt rate, where next may be the residual.
FUNCTION void finish_modes(const real *q, const real *rate, GLOBAL scalar *next, GLOBAL scalar *residual, INDEX batch, int column,
                           INDEX ending, scalar a, scalar b, scalar dt)
{
  for (int m = 0; m < MODES; ++m) {
    if (ending == 1) {
      const real r = a * load(residual + ROW(MODES, m)) + dt * rate[m];
      store(residual + ROW(MODES, m), r);
      store(next + ROW(MODES, m), q[m] + b * r);
    } else if (ending == 2) {
      store(next + ROW(MODES, m), b * q[m] + a * load(residual + ROW(MODES, m)) + dt * rate[m]);
    } else {
      store(next + ROW(MODES, m), rate[m]);
    }
  }
}

// `factor`: of the whole velocity at this time.
KERNEL void transport(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *traces,
                      GLOBAL const scalar *velocity, GLOBAL const scalar *normal_velocity, GLOBAL const int *neighbour,
                      GLOBAL const scalar *tables, const INDEX ending, const scalar factor, const scalar a, const scalar b,
                      const scalar dt)
{
  ITEMS(item)
  {
    PLACE(item);
    real g[MODES], modes[MODES], sum[MODES], values[POINTS], speed[POINTS];
    for (int m = 0; m < MODES; ++m) g[m] = load(q + ROW(MODES, m));
    for (int m = 0; m < MODES; ++m) sum[m] = splat(0.0);
    modes_to_points(tables, g, values);
    for (int d = 0; d < DIM; ++d) {
      for (int m = 0; m < MODES; ++m) modes[m] = load(velocity + ROW(DIM * MODES, d * MODES + m));
      modes_to_points(tables, modes, speed);
      for (int p = 0; p < POINTS; ++p) speed[p] = speed[p] * values[p];
      points_to_modes(tables, speed, modes);
      add_differentiated(tables, d, modes, sum);
    }
    for (int face = 0; face < FACES; ++face) {
      real flux[FACE_MODES], own[FACE_POINTS], behind[FACE_POINTS], normal[FACE_POINTS];
      for (int m = 0; m < FACE_MODES; ++m) flux[m] = load(normal_velocity + ROW(FACES * FACE_MODES, face * FACE_MODES + m));
      face_to_points(tables, flux, normal);
      for (int m = 0; m < FACE_MODES; ++m) flux[m] = load(traces + ROW(FACES * FACE_MODES, face * FACE_MODES + m));
      face_to_points(tables, flux, own);
      trace_behind(traces, neighbour, tables, batch, column, face, 1, 0, flux);
      mean_at_sides(q, neighbour, batch, column, face, flux);
      face_to_points(tables, flux, behind);
      for (int p = 0; p < FACE_POINTS; ++p)
        own[p] = -normal[p] * (factor * normal[p] > 0.0 ? own[p] : behind[p]);
      points_to_face(tables, own, flux);
      add_from_face(tables, face, flux, sum);
    }
    for (int m = 0; m < MODES; ++m) sum[m] = factor * sum[m];
    finish_modes(g, sum, next, residual, batch, column, ending, a, b, dt);
  }
}
