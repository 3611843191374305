// SPDX-License-Identifier: Apache-2.0
// Rows of a state to and from the buffers that go between ranks: row r is `width` numbers, `stride` apart, from place[r] on. Where
// SIMT a thread takes a number, so that neighbouring threads write neighbouring ones; on a CPU it takes a row.

#if SIMT
#define NUMBERS(row, i, width) \
  ITEMS(item) for (INDEX row = item / width, i = item - row * width, once = 1; once; once = 0)
#else
#define NUMBERS(row, i, width) ITEMS(row) for (INDEX i = 0; i < width; ++i)
#endif

KERNEL void pack(GLOBAL const scalar *state, GLOBAL const INDEX *place, GLOBAL scalar *packed, const INDEX width,
                 const INDEX stride)
{
  NUMBERS(row, i, width) packed[row * width + i] = state[place[row] + i * stride];
}

KERNEL void unpack(GLOBAL scalar *state, GLOBAL const INDEX *place, GLOBAL const scalar *packed, const INDEX width,
                   const INDEX stride)
{
  NUMBERS(row, i, width) state[place[row] + i * stride] = packed[row * width + i];
}
