// SPDX-License-Identifier: Apache-2.0
// Material at the points of elements by expressions that are data: do_step() stands before this. Elements lie in batches of
// SLOTS; a piece is PIECE points of the elements of a batch, CHUNK = PIECE * SLOTS places. A place's coordinates are the first
// registers, from the nodes of the mesh: corner[batch][CORNERS][slot] are their numbers, shape[point][CORNERS] what each counts.
// Programs come as start[region][k, rhoC][first step, end, register of the result].
// Flags: [0] some value is no number above 0; [1] some element has several values. All that set one write the same number.

// The slots of a batch at once.
#if SIMT
typedef scalar wide;
#define SLOT(value, s) (value)
#define STORE_WIDE(to, value) *(to) = (stored)(value)
#else
typedef scalar wide __attribute__((vector_size(SLOTS * sizeof(scalar)), aligned(sizeof(scalar)), may_alias));
typedef stored stored_wide __attribute__((vector_size(SLOTS * sizeof(stored)), aligned(sizeof(stored)), may_alias));
#define SLOT(value, s) (value)[s]
#define STORE_WIDE(to, value) *(stored_wide *)(to) = __builtin_convertvector(value, stored_wide)
#endif
#define WIDE(from) *(const wide *)(from)

// The coordinates of the points from `first` on; behind the last one the last again.
FUNCTION void find_places(GLOBAL const scalar *node, GLOBAL const int *corner, GLOBAL const scalar *shape, const INDEX first,
                          const INDEX points, scalar (*at)[CHUNK])
{
  scalar x[DIM][CORNERS][SLOTS];
  A_LOOP for (int c = 0; c < CORNERS; ++c)
    A_LOOP for (int s = 0; s < SLOTS; ++s) {
      GLOBAL const scalar *from = node + (INDEX)corner[c * SLOTS + s] * DIM;
      for (int d = 0; d < DIM; ++d) x[d][c][s] = from[d];
    }
  A_LOOP for (int p = 0; p < PIECE; ++p) {
    GLOBAL const scalar *part = shape + (first + p < points ? first + p : points - 1) * CORNERS;
    for (int d = 0; d < DIM; ++d) {
      wide sum = part[0] * WIDE(x[d][0]);
      A_LOOP for (int c = 1; c < CORNERS; ++c) sum += part[c] * WIDE(x[d][c]);
      *(wide *)(at[d] + p * SLOTS) = sum;
    }
  }
  for (int d = DIM; d < 3; ++d)
    for (int i = 0; i < CHUNK; ++i) at[d][i] = 0.0;
}

// The register that holds the values in the end.
FUNCTION const scalar *do_steps(GLOBAL const int *program, GLOBAL const int *step, GLOBAL const scalar *number,
                                scalar (*at)[CHUNK])
{
  for (int s = program[0]; s < program[1]; ++s) {
    GLOBAL const int *now = step + s * STEP;
    const int a = now[2];
    do_step(now[0], now[0] == 0 ? number[a] : 0.0, at[now[0] == 0 ? 0 : a], at[now[3]], at[now[4]], at[now[1]]);
  }
  return at[program[2]];
}

// Whether a slot is the first of its batch with its region.
FUNCTION int first_of_region(GLOBAL const int *region, const int slot)
{
  for (int s = 0; s < slot; ++s)
    if (region[s] == region[slot]) return 0;
  return region[slot] >= 0;
}

// Where the values at a point of an element go, VALUE_STEP apart: elements lie in the lanes of their batch or, APART, each for itself.
#if APART
#define PLACE(batch, s, point) ((((batch) * SLOTS + (s)) * points + (point)) * values)
#else
#define PLACE(batch, s, point) (((batch) * points + (point)) * values * SLOTS + (s))
#endif
#define VALUE_STEP (APART ? 1 : SLOTS)

// Values at `count` points, from `to` on; whether some is no number above 0.
FUNCTION int store_all(const scalar *result, const int count, const INDEX points, const INDEX values, GLOBAL stored *to)
{
  wide least = WIDE(result), rest = least - least;  // the rest is no number where some value is not finite
  for (int p = 0; p < count; ++p) {
    const wide value = WIDE(result + p * SLOTS);
    least = value < least ? value : least;
    rest += value - value;
#if APART
    for (int s = 0; s < SLOTS; ++s) to[PLACE(0, s, p)] = (stored)SLOT(value, s);
#else
    STORE_WIDE(to + PLACE(0, 0, p), value);
#endif
  }
  int bad = 0;
  for (int s = 0; s < SLOTS; ++s) bad |= !(SLOT(least, s) > 0.0) || SLOT(rest, s) != 0.0;
  return bad;
}

// Stores the results of the slots of one region, that of slot `like`.
FUNCTION int store_some(const scalar *result, GLOBAL const int *of_slot, const int like, const int count, const INDEX points,
                        const INDEX values, GLOBAL stored *to)
{
  int bad = 0;
  for (int p = 0; p < count; ++p)
    for (int s = 0; s < SLOTS; ++s) {
      if (of_slot[s] != of_slot[like]) continue;
      const scalar value = result[p * SLOTS + s];
      to[PLACE(0, s, p)] = (stored)value;
      bad |= !(value > 0.0) || value - value != 0.0;
    }
  return bad;
}

// Whether values of slots of that region are not those before, which begin with the first point's.
FUNCTION int differ(const scalar *result, GLOBAL const int *of_slot, const int like, const int count, const int begin,
                    scalar *before)
{
  int differs = 0;
  for (int s = 0; s < SLOTS; ++s) {
    if (of_slot[s] != of_slot[like]) continue;
    if (begin) before[s] = result[s];
    for (int p = 0; p < count; ++p) differs |= result[p * SLOTS + s] != before[s];
  }
  return differs;
}

// To material[batch][point][k, rhoC][slot], or [element][point][k, rhoC] where they are APART, an item being a piece; or where
// `compare`, an item being a batch, only to find whether values differ inside elements, until some do. In one kernel, since the
// steps are most of what a compiler has to read.
KERNEL void fill_material(GLOBAL const scalar *node, GLOBAL const int *corner, GLOBAL const scalar *shape,
                          GLOBAL const int *region, GLOBAL const int *start, GLOBAL const int *step,
                          GLOBAL const scalar *number, GLOBAL stored *material, GLOBAL int *flag, const INDEX points,
                          const INDEX values, const INDEX compare)
{
  const INDEX pieces = (points + PIECE - 1) / PIECE;
  ITEMS(item)
  {
    scalar at[REGISTERS][CHUNK], before[2][SLOTS];
    const INDEX batch = compare ? item : item / pieces;
    const INDEX piece_begin = compare ? 0 : item % pieces, piece_end = compare ? pieces : piece_begin + 1;
    GLOBAL const int *of_slot = region + batch * SLOTS;
    int same = 1;
    for (int s = 1; s < SLOTS; ++s) same = same && of_slot[s] == of_slot[0];
    for (INDEX piece = piece_begin; piece < piece_end && !(compare && flag[1]); ++piece) {
      const INDEX first = piece * PIECE;
      const int count = (int)(points - first < PIECE ? points - first : PIECE);
      find_places(node, corner + batch * CORNERS * SLOTS, shape, first, points, at);
      for (int s = 0; s < SLOTS; ++s) {
        if (!first_of_region(of_slot, s)) continue;
        for (INDEX v = 0; v < values; ++v) {
          const scalar *result = do_steps(start + (of_slot[s] * 2 + v) * 3, step, number, at);
          GLOBAL stored *to = material + PLACE(batch, 0, first) + v * VALUE_STEP;
          if (compare) {
            if (differ(result, of_slot, s, count, piece == 0, before[v])) flag[1] = 1;
          } else if (same) {
            if (store_all(result, count, points, values, to)) flag[0] = 1;
          } else {
            if (store_some(result, of_slot, s, count, points, values, to)) flag[0] = 1;
          }
        }
      }
    }
  }
}
