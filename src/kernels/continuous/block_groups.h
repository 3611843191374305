// SPDX-License-Identifier: Apache-2.0
// Blocks of elements on GPUs: a group takes a block, its threads take elements, whose results stay in shared
// memory [node][slot], and then unknowns, which add up their places in the order of a list. Layouts as in
// kernels/continuous/block_lanes.h with one lane; list_start[block][unknown], list_place[block][..].

#define RESULTS (MOST + 1)

// A thread's unknowns: y where they are no other block's, else `sums`.
FUNCTION void close_block(LOCAL const scalar *results, GLOBAL const unsigned short *list_start,
                          GLOBAL const unsigned short *list_place, GLOBAL const int *head, GLOBAL const int *unknown,
                          GLOBAL scalar *y, GLOBAL scalar *sums, const INDEX count)
{
  const int first = head[0], unknowns = head[1], own = head[2];
  for (int i = THREAD; i < unknowns; i += THREADS) {
    scalar sum = 0.0;
    for (int k = list_start[i]; k < list_start[i + 1]; ++k) sum += results[list_place[k]];
    if (i >= own)
      sums[head[3] + i - own] = sum;
    else if (unknown[first + i] < count)
      y[unknown[first + i]] = sum;
  }
}
