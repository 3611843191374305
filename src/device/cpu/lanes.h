// SPDX-License-Identifier: Apache-2.0
// Transposes between data that lies item after item, [item][field], and lanes = items.
//   load_lanes<F>(from, out): out[f], lane l = from[l][f]; each from[l] points at F scalars, of any alignment.
//   store_lanes<F>(to, in):   the way back, to[l][f] = in[f], lane l.
//   pick_lanes(from, number): lane l = from[number[l]].
// Nothing outside of the F scalars is read or written.

#if VECTORS && defined(__SSE2__) && defined(__has_builtin) && __has_builtin(__builtin_shufflevector)

// A piece is PIECE fields of one item, 16 bytes. Row k holds a piece of each of the items k, k + PIECE, ..., so that a
// transpose of PIECE rows inside their 16-byte parts puts the items in order: joins on the way in come with the loads,
// and only the transposes use the shuffle unit.
#define PIECE (16 / int(sizeof(scalar)))
typedef scalar piece __attribute__((vector_size(16), aligned(sizeof(scalar)), may_alias));

template <class V, int... i> FUNCTION auto join(V a, V b, Indices<i...>) { return __builtin_shufflevector(a, b, i...); }

template <int items> FUNCTION auto pick_items(const scalar *from, const unsigned short *number) {
  if constexpr (items == PIECE) {
    piece part;
    UNROLL for (int k = 0; k < PIECE; ++k) part[k] = from[number[k]];
    return part;
  } else {
    auto low = pick_items<items / 2>(from, number), high = pick_items<items / 2>(from, number + items / 2);
    return join(low, high, FirstIndices<items>());
  }
}
// By pairs that are joined: lane after lane each would wait for the one before.
FUNCTION real pick_lanes(const scalar *from, const unsigned short *number) { return pick_items<LANES>(from, number); }

template <int items> FUNCTION auto load_row(const scalar *const *from, int f) {
  if constexpr (items == PIECE) {
    return *(const piece *)(from[0] + f);
  } else {
    auto low = load_row<items / 2>(from, f), high = load_row<items / 2>(from + items / 2, f);
    return join(low, high, FirstIndices<items>());
  }
}

template <int part, int... i> FUNCTION void store_row(scalar *const *to, int f, real row, Indices<i...> indices) {
  *(piece *)(to[part * PIECE] + f) = __builtin_shufflevector(row, row, (part * PIECE + i)...);
  if constexpr ((part + 1) * PIECE < LANES) store_row<part + 1>(to, f, row, indices);
}

// Scalars `first`, `first` + 1, ... of each 16-byte part of a and b in turn: a b a b for step 1, a a b b for step 2.
template <int first, int step, int... i> FUNCTION real interleave(real a, real b, Indices<i...>) {
  return __builtin_shufflevector(
      a, b, (i / PIECE * PIECE + first + i % PIECE / (2 * step) * step + i % step + i / step % 2 * LANES)...);
}

// Its own inverse.
FUNCTION void transpose_pieces(const real *in, real *out) {
  const auto all = FirstIndices<LANES>();
#if SINGLE
  const real a = interleave<0, 1>(in[0], in[1], all), b = interleave<2, 1>(in[0], in[1], all);
  const real c = interleave<0, 1>(in[2], in[3], all), d = interleave<2, 1>(in[2], in[3], all);
  out[0] = interleave<0, 2>(a, c, all);
  out[1] = interleave<2, 2>(a, c, all);
  out[2] = interleave<0, 2>(b, d, all);
  out[3] = interleave<2, 2>(b, d, all);
#else
  const real a = interleave<0, 1>(in[0], in[1], all), b = interleave<1, 1>(in[0], in[1], all);
  out[0] = a;
  out[1] = b;
#endif
}

FUNCTION void load_pieces(const scalar *const *from, int f, real *out) {
  real rows[PIECE];
  UNROLL for (int k = 0; k < PIECE; ++k) rows[k] = load_row<LANES>(from + k, f);
  transpose_pieces(rows, out);
}

FUNCTION void store_pieces(scalar *const *to, int f, const real *in) {
  real rows[PIECE];
  transpose_pieces(in, rows);
  UNROLL for (int k = 0; k < PIECE; ++k) store_row<0>(to + k, f, rows[k], FirstIndices<PIECE>());
}

#if SINGLE
// Fields f and f + 1, which are too few for a piece: 8 bytes at once.
typedef double pair __attribute__((aligned(sizeof(scalar)), may_alias));
typedef double pairs __attribute__((vector_size(VECTOR_BYTES)));

template <int... i> FUNCTION void load_pair(const scalar *const *from, int f, real *out, Indices<i...>) {
  pairs low, high;
  UNROLL for (int l = 0; l < LANES / 2; ++l) {
    low[l] = *(const pair *)(from[l] + f);
    high[l] = *(const pair *)(from[l + LANES / 2] + f);
  }
  out[0] = __builtin_shufflevector((real)low, (real)high, (2 * i)...);
  out[1] = __builtin_shufflevector((real)low, (real)high, (2 * i + 1)...);
}

template <int... i> FUNCTION void store_pair(scalar *const *to, int f, const real *in, Indices<i...>) {
  const pairs low = (pairs)__builtin_shufflevector(in[0], in[1], (i / 2 + i % 2 * LANES)...);
  const pairs high = (pairs)__builtin_shufflevector(in[0], in[1], (LANES / 2 + i / 2 + i % 2 * LANES)...);
  UNROLL for (int l = 0; l < LANES / 2; ++l) {
    *(pair *)(to[l] + f) = low[l];
    *(pair *)(to[l + LANES / 2] + f) = high[l];
  }
}
#endif

// Where F is no multiple of a piece, the last one overlaps the one before it.
template <int F> FUNCTION void load_lanes(const scalar *const *from, real *out) {
  if constexpr (F == 1) {
    UNROLL for (int l = 0; l < LANES; ++l) out[0][l] = from[l][0];
  } else if constexpr (F >= PIECE) {
    UNROLL for (int f = 0; f + PIECE <= F; f += PIECE) load_pieces(from, f, out + f);
    if constexpr (F % PIECE != 0) load_pieces(from, F - PIECE, out + F - PIECE);
  } else {
#if SINGLE
    load_pair(from, 0, out, FirstIndices<LANES>());
    if constexpr (F == 3) load_pair(from, 1, out + 1, FirstIndices<LANES>());
#endif
  }
}

template <int F> FUNCTION void store_lanes(scalar *const *to, const real *in) {
  if constexpr (F == 1) {
    UNROLL for (int l = 0; l < LANES; ++l) to[l][0] = in[0][l];
  } else if constexpr (F >= PIECE) {
    UNROLL for (int f = 0; f + PIECE <= F; f += PIECE) store_pieces(to, f, in + f);
    if constexpr (F % PIECE != 0) store_pieces(to, F - PIECE, in + F - PIECE);
  } else {
#if SINGLE
    store_pair(to, 0, in, FirstIndices<LANES>());
    if constexpr (F == 3) store_pair(to, 1, in + 1, FirstIndices<LANES>());
#endif
  }
}

#else

FUNCTION real pick_lanes(const scalar *from, const unsigned short *number) {
  real out;
  for (int l = 0; l < LANES; ++l) set_lane(out, l, from[number[l]]);
  return out;
}

template <int F> FUNCTION void load_lanes(const scalar *const *from, real *out) {
  for (int f = 0; f < F; ++f)
    for (int l = 0; l < LANES; ++l) set_lane(out[f], l, from[l][f]);
}

template <int F> FUNCTION void store_lanes(scalar *const *to, const real *in) {
  for (int l = 0; l < LANES; ++l)
    for (int f = 0; f < F; ++f) to[l][f] = lane(in[f], l);
}

#endif
