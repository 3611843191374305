// SPDX-License-Identifier: Apache-2.0
// From the results of faces to unknowns, and the faces with a heat transfer (Robin): one item a thread.

// y at unknown[i] += the sum over its list, in its order; those from `count` on stay unchanged.
KERNEL void gather_faces(GLOBAL const scalar *result, GLOBAL const int *unknown, GLOBAL const int *start,
                         GLOBAL const int *place, GLOBAL scalar *y, const INDEX count)
{
  ITEMS(i)
  {
    scalar sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += result[place[k]];
    if (unknown[i] < count) y[unknown[i]] += sum;
  }
}

// result[face][node] = b integral of h T v over the face; transfer[face][point] is h with the point's weight,
// trace[point][node] takes nodes to points. DIAGONAL: the entries at T = v.
KERNEL void face_apply(GLOBAL const scalar *x, GLOBAL const int *face_unknown, GLOBAL const scalar *transfer,
                       GLOBAL const scalar *trace, GLOBAL scalar *result, const scalar b)
{
  ITEMS(face)
  {
    scalar sum[FACE_NODES];
    for (int n = 0; n < FACE_NODES; ++n) sum[n] = 0.0;
    for (int p = 0; p < FACE_POINTS; ++p) {
      scalar value = 0.0;
      for (int n = 0; n < FACE_NODES; ++n) value += trace[p * FACE_NODES + n] * x[face_unknown[face * FACE_NODES + n]];
      value *= b * transfer[face * FACE_POINTS + p];
      for (int n = 0; n < FACE_NODES; ++n) sum[n] += trace[p * FACE_NODES + n] * value;
    }
    for (int n = 0; n < FACE_NODES; ++n) result[face * FACE_NODES + n] = sum[n];
  }
}

KERNEL void face_diagonal(GLOBAL const scalar *transfer, GLOBAL const scalar *trace, GLOBAL scalar *result, const scalar b)
{
  ITEMS(face)
  {
    for (int n = 0; n < FACE_NODES; ++n) {
      scalar sum = 0.0;
      for (int p = 0; p < FACE_POINTS; ++p)
        sum += trace[p * FACE_NODES + n] * trace[p * FACE_NODES + n] * transfer[face * FACE_POINTS + p];
      result[face * FACE_NODES + n] = b * sum;
    }
  }
}

KERNEL void invert(GLOBAL scalar *d)
{
  ITEMS(i) d[i] = 1.0 / d[i];
}
