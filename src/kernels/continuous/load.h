// SPDX-License-Identifier: Apache-2.0
// Fluxes and given temperatures from the case's own expressions, which stand before this text as boundary_flux() and
// boundary_value(). One item a thread.

// result[face][node] = integral of q v; for a heat transfer q is h times the temperature outside.
KERNEL void load_faces(GLOBAL const scalar *points, GLOBAL const scalar *weight, GLOBAL const int *boundary,
                       GLOBAL const scalar *trace, GLOBAL scalar *result, const double t)
{
  ITEMS(face)
  {
    scalar sum[FACE_NODES];
    for (int n = 0; n < FACE_NODES; ++n) sum[n] = 0.0;
    for (int p = 0; p < FACE_POINTS; ++p) {
      const INDEX at = face * FACE_POINTS + p;
      scalar x[3] = {0.0, 0.0, 0.0};
      for (int d = 0; d < DIM; ++d) x[d] = points[at * DIM + d];
      const scalar q = weight[at] * boundary_flux(boundary[face], x[0], x[1], x[2], t);
      for (int n = 0; n < FACE_NODES; ++n) sum[n] += trace[p * FACE_NODES + n] * q;
    }
    for (int n = 0; n < FACE_NODES; ++n) result[face * FACE_NODES + n] = sum[n];
  }
}

// Given temperatures: x[first + i] for the fixed unknowns.
KERNEL void set_fixed(GLOBAL const scalar *points, GLOBAL const int *boundary, GLOBAL scalar *x, const INDEX first,
                      const double t)
{
  ITEMS(i)
  {
    scalar at[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < DIM; ++d) at[d] = points[i * DIM + d];
    x[first + i] = boundary_value(boundary[i], at[0], at[1], at[2], t);
  }
}

// sample[offset + receiver] = the temperature at a point.
KERNEL void sample(GLOBAL const scalar *x, GLOBAL const int *unknown, GLOBAL const scalar *weight, GLOBAL scalar *out,
                   const INDEX offset)
{
  ITEMS(receiver)
  {
    scalar sum = 0.0;
    for (int n = 0; n < NODES; ++n) sum += weight[receiver * NODES + n] * x[unknown[receiver * NODES + n]];
    out[offset + receiver] = sum;
  }
}
