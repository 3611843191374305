// SPDX-License-Identifier: Apache-2.0
// Between modes of quadrilaterals or hexahedra and values at the products of Gauss points, one axis at a time. Matrices of the
// line lie in `numbers`: LINE_BASIS[point][mode] and LINE_SLOPE, the transposed ones times the Gauss weights LINE_TEST and
// LINE_TEST_SLOPE, and those of the coefficients' degree; lattice_of_mode[mode] has the first axis running fastest.

// [outer][FROM][inner] to [outer][TO][inner].
template <int TO, int FROM>
FUNCTION void along_axis(const scalar *matrix, int outer, int inner, const real *in, real *out)
{
  for (int o = 0; o < outer; ++o)
    for (int k = 0; k < inner; ++k) {
      real line[FROM];
      UNROLL for (int i = 0; i < FROM; ++i) line[i] = in[(o * FROM + i) * inner + k];
      for (int row = 0; row < TO; ++row) {
        real sum = matrix[row * FROM] * line[0];
        UNROLL for (int i = 1; i < FROM; ++i) sum += matrix[row * FROM + i] * line[i];
        out[(o * TO + row) * inner + k] = sum;
      }
    }
}

// `special` along one axis, `usual` along the others; axis = -1: `usual` along all.
template <int TO, int FROM>
FUNCTION void along_all_axes(int axis, const scalar *usual, const scalar *special, const real *in, real *out)
{
#if DIM == 2
  real first[FROM * TO];
  along_axis<TO, FROM>(axis == 0 ? special : usual, FROM, 1, in, first);
  along_axis<TO, FROM>(axis == 1 ? special : usual, 1, TO, first, out);
#else
  real first[FROM * FROM * TO], second[FROM * TO * TO];
  along_axis<TO, FROM>(axis == 0 ? special : usual, FROM * FROM, 1, in, first);
  along_axis<TO, FROM>(axis == 1 ? special : usual, FROM, TO, first, second);
  along_axis<TO, FROM>(axis == 2 ? special : usual, 1, TO * TO, second, out);
#endif
}

FUNCTION void slopes_of_modes(int axis, const scalar *numbers, const int *places, const real *modes, real *out)
{
  real ordered[MODES];
  for (int i = 0; i < MODES; ++i) ordered[lattice_of_mode[i]] = modes[i];
  along_all_axes<LINE_POINTS, LINE>(axis, numbers + LINE_BASIS, numbers + LINE_SLOPE, ordered, out);
}

FUNCTION void values_of_modes(const scalar *numbers, const int *places, const real *modes, real *out)
{
  slopes_of_modes(-1, numbers, places, modes, out);
}

FUNCTION void slopes_of_coefficient(int axis, const scalar *numbers, const int *places, const real *modes, real *out)
{
  along_all_axes<LINE_POINTS, COEFFICIENT_LINE>(axis, numbers + COEFFICIENT_BASIS, numbers + COEFFICIENT_SLOPE, modes, out);
}

FUNCTION void values_of_coefficient(const scalar *numbers, const int *places, const real *modes, real *out)
{
  slopes_of_coefficient(-1, numbers, places, modes, out);
}

FUNCTION void test_slopes(int axis, const scalar *numbers, const int *places, const real *values, real *out)
{
  real ordered[MODES];
  along_all_axes<LINE, LINE_POINTS>(axis, numbers + LINE_TEST, numbers + LINE_TEST_SLOPE, values, ordered);
  for (int i = 0; i < MODES; ++i) out[i] += ordered[lattice_of_mode[i]];
}

FUNCTION void test_values(const scalar *numbers, const int *places, const real *values, real *out)
{
  test_slopes(-1, numbers, places, values, out);
}
