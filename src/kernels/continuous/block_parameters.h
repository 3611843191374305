// SPDX-License-Identifier: Apache-2.0
// The parameters of kernels on blocks of elements, in every form. The parts of x . y of a shape that FOLLOWS others begin at
// first_dot; the first shape has no number to keep for that.
#define DOT_OF(block) dots[FOLLOWS ? first_dot + (block) : (block)]
#define BLOCK_APPLY                                                                                                           \
  KERNEL void block_apply(GLOBAL const scalar *x, GLOBAL const int *head, GLOBAL const int *unknown,                          \
                          GLOBAL const unsigned short *local, GLOBAL const unsigned short *list_start,                        \
                          GLOBAL const unsigned short *list_place, GLOBAL const scalar *geometry,                             \
                          GLOBAL const scalar *material, GLOBAL const scalar *matrix, GLOBAL scalar *y, GLOBAL scalar *sums,  \
                          GLOBAL total *dots, const scalar a, const scalar b, const INDEX batches, const INDEX block_step,    \
                          const INDEX batch_step, const INDEX first_dot, const INDEX count)
#define BLOCK_DIAGONAL                                                                                                        \
  KERNEL void block_diagonal(GLOBAL const int *head, GLOBAL const int *unknown, GLOBAL const unsigned short *local,           \
                             GLOBAL const unsigned short *list_start, GLOBAL const unsigned short *list_place,                \
                             GLOBAL const scalar *geometry, GLOBAL const scalar *material, GLOBAL const scalar *matrix,       \
                             GLOBAL scalar *y, GLOBAL scalar *sums, const scalar a, const scalar b, const INDEX batches,      \
                             const INDEX block_step, const INDEX batch_step, const INDEX count)
