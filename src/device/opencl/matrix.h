// SPDX-License-Identifier: Apache-2.0
// The words of device/cuda/matrix.h without matrix cores: the lanes of a warp meet in shared memory. Slow; it lets the
// kernel sources for matrix cores be tested on any device.

#if GROUPED

#if SINGLE
typedef float2 scalar2;
typedef float4 scalar4;
#define FRAGMENT_STEPS 2
#define FRAGMENT_WORDS 128
#else
typedef double2 scalar2;
typedef double4 scalar4;
#define FRAGMENT_STEPS 1
#define FRAGMENT_WORDS 32
#endif

#define pair_of(x, y) ((scalar2)(x, y))

typedef struct {
  scalar value[FRAGMENT_STEPS];
} Fragment;

FUNCTION void prepare_fragment(const scalar *b, Fragment *out)
{
  for (int s = 0; s < FRAGMENT_STEPS; ++s) out->value[s] = b[s];
}

FUNCTION void load_fragment(GLOBAL const scalar *from, Fragment *out)
{
  for (int s = 0; s < FRAGMENT_STEPS; ++s)
#if SINGLE
    out->value[s] = from[THREAD % 32 * 4 + s] + from[THREAD % 32 * 4 + 2 + s];
#else
    out->value[s] = from[THREAD % 32];
#endif
}

// scratch: three values a step and thread.
FUNCTION void matrix_step(scalar *c, const Fragment *a_low, const Fragment *a_high, const Fragment *b, LOCAL scalar *scratch)
{
  const int lane_number = THREAD % 32, place = lane_number / 4, column = lane_number % 4 * 2;
  LOCAL scalar *mine = scratch + THREAD / 32 * 96;
  for (int s = 0; s < FRAGMENT_STEPS; ++s) {
    BARRIER;
    mine[lane_number] = a_low->value[s];
    mine[32 + lane_number] = a_high->value[s];
    mine[64 + lane_number] = b->value[s];
    BARRIER;
    for (int k = 0; k < 4; ++k)
      for (int n = 0; n < 2; ++n) {
        const scalar entry = mine[64 + (column + n) * 4 + k];
        c[n] += mine[place * 4 + k] * entry;
        c[2 + n] += mine[32 + place * 4 + k] * entry;
      }
  }
}

#define store_past(to, x) (*(to) = (x))

FUNCTION void bulk_in(LOCAL scalar *to, GLOBAL const scalar *from, unsigned bytes, LOCAL scalar *place)
{
  for (unsigned i = 0; i < bytes / sizeof(scalar); ++i) to[i] = from[i];
}
FUNCTION void bulk_out(GLOBAL scalar *to, LOCAL const scalar *from, unsigned bytes)
{
  for (unsigned i = 0; i < bytes / sizeof(scalar); ++i) to[i] = from[i];
}
#define bulk_expect(place, bytes)
#define bulk_wait(place) BARRIER
#define BULK_WRITTEN
#define bulk_finish()
#define WARP_MEETS

FUNCTION void copy_1(LOCAL scalar *to, GLOBAL const scalar *from) { *to = *from; }
FUNCTION void copy_2(LOCAL scalar *to, GLOBAL const scalar *from) { *(LOCAL scalar2 *)to = *(GLOBAL const scalar2 *)from; }
FUNCTION void copy_4(LOCAL scalar *to, GLOBAL const scalar *from) { *(LOCAL scalar4 *)to = *(GLOBAL const scalar4 *)from; }
#define copy_cached_1 copy_1
#define copy_cached_2 copy_2
#define copy_cached_4 copy_4
#define COPY_CLOSE
#define COPY_WAIT(newer)
#define FROM_LANE(value, lane, instead) (instead)
#define FOR_WARPS(condition)
#define ROLL
#ifdef cl_nv_pragma_unroll
#define UNROLL_UPDATE _Pragma("unroll 4")
#else
#define UNROLL_UPDATE
#endif
#define ask_for(address)

#endif
