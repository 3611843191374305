// SPDX-License-Identifier: Apache-2.0
// Material that varies, on a CPU: a row of vertices reads the rows of bricks around it, which a thread evaluates once each as it
// goes through a plane and keeps in its cache. A row of bricks is [k, rhoC][way][WIDTH], the brick i at place i + 1, with zeros
// where no brick is: they take no part.

#define SETS (TERMS == 15 ? 2 : 1)
#define BRICK_ROW (SETS * 6 * WIDTH)
// Where the row of bricks (j, k) lies: those of the last two j and k are kept.
#define BRICK_SLOT(j, k) ((((k) + 1) & 1) * 2 + (((j) + 1) & 1))

FUNCTION void fill_bricks(scalar *to, INDEX j, INDEX k, const scalar *number GRID_PARAMETERS)
{
  if (j < 0 && (PERIODIC & 2)) j += NY;
  k = LAYER(k);
  if (j < 0 || k < 0 || j >= BRICKS(NY, 2) || k >= LAYERS) {
    for (INDEX i = 0; i < BRICK_ROW; ++i) to[i] = 0.0;
    return;
  }
  for (int w = 0; w < 6; ++w)
    for (int set = 0; set < SETS; ++set) {
      scalar *row = to + (set * 6 + w) * WIDTH;
      if (set == 0)
        for (int i = 0; i < BRICKS(NX, 1); ++i) row[i + 1] = CONDUCTIVITY(w, i, j, k);
      else
        for (int i = 0; i < BRICKS(NX, 1); ++i) row[i + 1] = CAPACITY(w, i, j, k);
      row[0] = PERIODIC & 1 ? row[NX] : 0.0;
      for (int i = BRICKS(NX, 1) + 1; i < WIDTH; ++i) row[i] = 0.0;
    }
}

// The four rows of bricks around the row (j, k) of vertices, where the last call was for the row before it or for another plane.
FUNCTION void move_material(scalar *material, const INDEX j, const INDEX k, const scalar *number GRID_PARAMETERS)
{
  for (INDEX back = j == 0 ? 1 : 0; back >= 0; --back)
    for (INDEX below = 0; below < 2; ++below)
      fill_bricks(material + BRICK_SLOT(j - back, k - below) * BRICK_ROW, j - back, k - below, number GRID_ARGUMENTS);
}

#define OVER_TETRAHEDRA(act)                                                                                              \
  UNROLL for (int corner = 0; corner < 8; ++corner)                                                                       \
  {                                                                                                                       \
    const scalar *bricks = material + BRICK_SLOT(j - (corner >> 1 & 1), k - (corner >> 2)) * BRICK_ROW + i + 1 - (corner & 1); \
    const int m = corner_bits[corner];                                                                                    \
    UNROLL for (int w = 0; w < 6; ++w)                                                                                    \
    {                                                                                                                     \
      if (way_corner[w][m] != corner) continue;                                                                           \
      const real conductivity = load(bricks + w * WIDTH), capacity = load(bricks + (SETS - 1) * 6 * WIDTH + w * WIDTH);    \
      act;                                                                                                                \
    }                                                                                                                     \
  }

FUNCTION real varying_product(const real *u, const scalar *material, const INDEX i, const INDEX j, const INDEX k,
                              const scalar a, const scalar b GRID_PARAMETERS)
{
  real sum = splat(0.0);
  OVER_TETRAHEDRA(sum += way_product(w, m, u, conductivity, capacity, a, b GRID_ARGUMENTS))
  return sum;
}

FUNCTION real varying_diagonal(const scalar *material, const INDEX i, const INDEX j, const INDEX k, const scalar a,
                               const scalar b GRID_PARAMETERS)
{
  real sum = splat(0.0);
  OVER_TETRAHEDRA(sum += way_diagonal(w, m, conductivity, capacity, a, b GRID_ARGUMENTS))
  return sum;
}

// The energy of a row of bricks; rows hold p along its four edges.
FUNCTION total varying_energy(const scalar *const *rows, scalar *material, const INDEX j, const INDEX k,
                              const scalar *number, const scalar a, const scalar b GRID_PARAMETERS)
{
  if (j >= BRICKS(NY, 2) || LAYER(k) >= LAYERS) return 0;
  fill_bricks(material, j, k, number GRID_ARGUMENTS);
  real wide = splat(0.0), v[8];
  total sum = 0;
#if PERIODIC & 1
  // The last brick has its right side at the other end of the rows.
  UNROLL for (int c = 0; c < 8; ++c) v[c] = splat(rows[c >> 1][c & 1 ? 0 : NX - 1]);
  for (int w = 0; w < 6; ++w)
    sum += lane(way_energy(w, v, splat(material[w * WIDTH + NX]), splat(material[((SETS - 1) * 6 + w) * WIDTH + NX]), a,
                           b GRID_ARGUMENTS), 0);
  for (int w = 0; w < SETS * 6; ++w) material[w * WIDTH + NX] = 0.0;
#endif
  // Beyond the row there are no bricks, and finite numbers in the vectors.
  for (INDEX i = 0; i < NX - 1; i += LANES) {
    UNROLL for (int c = 0; c < 8; ++c) v[c] = load(rows[c >> 1] + i + (c & 1));
    UNROLL for (int w = 0; w < 6; ++w)
      wide += way_energy(w, v, load(material + w * WIDTH + i + 1), load(material + ((SETS - 1) * 6 + w) * WIDTH + i + 1), a,
                         b GRID_ARGUMENTS);
  }
  return sum + sum_lanes(wide);
}

// The tetrahedra whose material is not above 0.
KERNEL void grid_check(GLOBAL total *bad, GLOBAL scalar *scratch, GLOBAL const scalar *number,
                       const INDEX chunks GRID_PARAMETERS)
{
  ITEMS(chunk)
  {
    scalar *material = scratch + chunk * (INDEX)SCRATCH;
    total count = 0;
    for (INDEX k = NZ * chunk / chunks; k < NZ * (chunk + 1) / chunks && LAYER(k) < LAYERS; ++k)
      for (INDEX j = 0; j < BRICKS(NY, 2); ++j) {
        fill_bricks(material, j, k, number GRID_ARGUMENTS);
        for (int w = 0; w < SETS * 6; ++w)
          for (int i = 1; i <= BRICKS(NX, 1); ++i) {
            const scalar value = material[w * WIDTH + i];
            if (!(value > 0.0) || value - value != 0.0) count += 1;
          }
      }
    bad[chunk] = count;
  }
}
