// SPDX-License-Identifier: Apache-2.0
// Sums of the copies of unknowns that ranks share: y at unknown[i] becomes the sum over its list, in the order of the ranks,
// which is the same on each of them. `theirs` has the received copies; a place below 0 is this rank's own part.

KERNEL void add_copies(GLOBAL const scalar *theirs, GLOBAL const int *unknown, GLOBAL const int *start, GLOBAL const int *place,
                       GLOBAL scalar *y)
{
  ITEMS(i)
  {
    const scalar own = y[unknown[i]];
    scalar sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += place[k] < 0 ? own : theirs[place[k]];
    y[unknown[i]] = sum;
  }
}

// y at unknown[i] becomes what the first rank of its list has.
KERNEL void take_first(GLOBAL const scalar *theirs, GLOBAL const int *unknown, GLOBAL const int *start, GLOBAL const int *place,
                       GLOBAL scalar *y)
{
  ITEMS(i)
  {
    const int first = place[start[i]];
    if (first >= 0) y[unknown[i]] = theirs[first];
  }
}
