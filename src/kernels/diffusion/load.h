// SPDX-License-Identifier: Apache-2.0
// The right-hand side of the interior penalty method, and values at points. The case's own expressions stand before this text
// as source_at(), boundary_flux() and boundary_value(). One item a thread.

#define PARTS (DIM + 1)

// y[cell][node] = integral of f v
KERNEL void sipg_load_volume(GLOBAL const scalar *points, GLOBAL const scalar *weight, GLOBAL const scalar *values,
                             GLOBAL scalar *y)
{
  ITEMS(cell)
  {
    scalar sum[NODES];
    for (int n = 0; n < NODES; ++n) sum[n] = 0.0;
    for (int p = 0; p < LOAD_POINTS; ++p) {
      const INDEX at = cell * LOAD_POINTS + p;
      scalar x[3] = {0.0, 0.0, 0.0};
      for (int d = 0; d < DIM; ++d) x[d] = points[at * DIM + d];
      const scalar f = weight[at] * source_at(x[0], x[1], x[2], 0.0);
      for (int n = 0; n < NODES; ++n) sum[n] += values[p * NODES + n] * f;
    }
    for (int n = 0; n < NODES; ++n) y[cell * NODES + n] = sum[n];
  }
}

// y[cell][node] += over the sides of the cell: q v of a flux, h u v of a transfer to u outside, and of a given u
// sigma u v - k grad v . n u. The numbers of the faces are those of kernels/diffusion/sipg.h, for `lanes` cells at once.
KERNEL void sipg_load_sides(GLOBAL const int *side_cell, GLOBAL const int *side_spec, GLOBAL const scalar *points,
                            GLOBAL const scalar *weight, GLOBAL const scalar *matrix, GLOBAL const scalar *face,
                            GLOBAL scalar *y, const INDEX lanes)
{
  ITEMS(i)
  {
    const INDEX cell = side_cell[i];
    for (int f = 0; f < FACES; ++f) {
      const int spec = side_spec[i * FACES + f];
      for (int p = 0; p < FACE_POINTS && spec >= 0; ++p) {
        const INDEX at = (i * FACES + f) * FACE_POINTS + p;
        scalar x[3] = {0.0, 0.0, 0.0};
        for (int d = 0; d < DIM; ++d) x[d] = points[at * DIM + d];
        scalar value = 0.0, slope[DIM];
        for (int d = 0; d < DIM; ++d) slope[d] = 0.0;
        if (gives_value(spec)) {
          const scalar u = boundary_value(spec, x[0], x[1], x[2], 0.0);
#if CONSTANT
          const INDEX number = ((cell / lanes * FACES + f) * PARTS) * lanes + cell % lanes;
          const scalar scale = face_weights[0][p];
#else
          const INDEX number = (((cell / lanes * FACES + f) * FACE_POINTS + p) * PARTS) * lanes + cell % lanes;
          const scalar scale = 1.0;
#endif
          value = scale * face[number + DIM * lanes] * u;
          for (int d = 0; d < DIM; ++d) slope[d] = -scale * face[number + d * lanes] * u;
        } else {
          value = weight[at] * boundary_flux(spec, x[0], x[1], x[2], 0.0);
        }
        GLOBAL const scalar *of = matrix + FACE_MATRICES + (f * FACE_POINTS + p) * NODES * PARTS;
        for (int n = 0; n < NODES; ++n) {
          scalar sum = of[n * PARTS] * value;
          for (int d = 0; d < DIM; ++d) sum += of[n * PARTS + 1 + d] * slope[d];
          y[cell * NODES + n] += sum;
        }
      }
    }
  }
}

// out[offset + receiver] = u at a point; unknown and weight are [receiver][node of its cell].
KERNEL void sipg_sample(GLOBAL const scalar *x, GLOBAL const int *unknown, GLOBAL const scalar *weight, GLOBAL scalar *out,
                        const INDEX offset)
{
  ITEMS(receiver)
  {
    scalar sum = 0.0;
    for (int n = 0; n < NODES; ++n) sum += weight[receiver * NODES + n] * x[unknown[receiver * NODES + n]];
    out[offset + receiver] = sum;
  }
}
