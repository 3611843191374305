// SPDX-License-Identifier: Apache-2.0
// Sources at points: y at place[i] += signal share[i], one item a thread; the places of a launch differ.

KERNEL void add_point_load(GLOBAL const int *place, GLOBAL const scalar *share, GLOBAL scalar *y, const scalar signal)
{
  ITEMS(i) y[place[i]] += signal * share[i];
}
