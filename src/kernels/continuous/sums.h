// SPDX-License-Identifier: Apache-2.0
// Sums of the unknowns that several blocks of elements share: one unknown a thread.

// y at unknown[i] = the sum over its list, in its order. Unknowns from `count` on stay unchanged.
KERNEL void gather_sums(GLOBAL const scalar *sums, GLOBAL const int *unknown, GLOBAL const int *start,
                        GLOBAL const int *place, GLOBAL scalar *y, const INDEX count)
{
  ITEMS(i)
  {
    scalar sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += sums[place[k]];
    if (unknown[i] < count) y[unknown[i]] = sum;
  }
}
