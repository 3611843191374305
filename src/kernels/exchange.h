// SPDX-License-Identifier: Apache-2.0
// Rows of a state to and from the buffers that go between ranks: row r is `width` numbers, `stride` apart, from place[r] on.

KERNEL void pack(GLOBAL const scalar *state, GLOBAL const INDEX *place, GLOBAL scalar *packed, const INDEX width,
                 const INDEX stride)
{
  ITEMS(item)
  {
    const INDEX row = item / width;
    packed[item] = state[place[row] + (item - row * width) * stride];
  }
}

KERNEL void unpack(GLOBAL scalar *state, GLOBAL const INDEX *place, GLOBAL const scalar *packed, const INDEX width,
                   const INDEX stride)
{
  ITEMS(item)
  {
    const INDEX row = item / width;
    state[place[row] + (item - row * width) * stride] = packed[item];
  }
}
