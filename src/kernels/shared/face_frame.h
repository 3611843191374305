// SPDX-License-Identifier: Apache-2.0
// Vectors and symmetric tensors in the frame of a face, whose first axis is the normal: for fluxes that are derived there.

// Rows of the rotation: the normal and two directions across it (Duff et al. 2017, J. Comput. Graph. Tech. 6(1), in 3D).
FUNCTION void face_frame(const real *n, real *r)
{
#if DIM == 1
  r[0] = n[0];
#elif DIM == 2
  r[0] = n[0];
  r[1] = n[1];
  r[2] = -n[1];
  r[3] = n[0];
#else
  const real side = n[2] < 0.0 ? splat(-1.0) : splat(1.0);
  const real a = -1.0 / (side + n[2]);
  const real b = n[0] * n[1] * a;
  r[0] = n[0];
  r[1] = n[1];
  r[2] = n[2];
  r[3] = 1.0 + side * n[0] * n[0] * a;
  r[4] = side * b;
  r[5] = -side * n[0];
  r[6] = b;
  r[7] = side + n[1] * n[1] * a;
  r[8] = -n[1];
#endif
}

// out = R v, or R^T v.
FUNCTION void turn_vector(const real *r, int back, const real *v, real *out)
{
  for (int i = 0; i < DIM; ++i) {
    real sum = splat(0.0);
    for (int j = 0; j < DIM; ++j) sum += (back ? r[j * DIM + i] : r[i * DIM + j]) * v[j];
    out[i] = sum;
  }
}

// out = R s R^T, or R^T s R, of the components xx, yy, [zz,] xy, [yz, xz].
FUNCTION void turn_tensor(const real *r, int back, const real *s, real *out)
{
#if DIM == 1
  const int at[1][1] = {{0}};
#elif DIM == 2
  const int at[2][2] = {{0, 2}, {2, 1}};
#else
  const int at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
#endif
  for (int i = 0; i < DIM; ++i)
    for (int j = i; j < DIM; ++j) {
      real sum = splat(0.0);
      for (int k = 0; k < DIM; ++k)
        for (int l = 0; l < DIM; ++l)
          sum += (back ? r[k * DIM + i] * r[l * DIM + j] : r[i * DIM + k] * r[j * DIM + l]) * s[at[k][l]];
      out[at[i][j]] = sum;
    }
}
