// SPDX-License-Identifier: Apache-2.0
// Sources, given values and inverse diagonals on the fixed grid, one item a thread; source_at() and boundary_value() stand
// before this text.

// y_i = integral of f v_i, 0 at given values. place[way][point][axis] are the points of the rule in a brick, in its edges, and
// value[way][point][corner of the way] the vertices' functions there, with the weight.
KERNEL void grid_load(GLOBAL const scalar *place, GLOBAL const scalar *value, GLOBAL scalar *y,
                      const double t GRID_PARAMETERS)
{
  ITEMS(item)
  {
    const int i = (int)(item % NX), j = (int)(item / NX % NY), k = (int)(item / ((INDEX)NX * NY));
    scalar sum = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
      const int brick[3] = {i - (corner & 1) + ((PERIODIC & 1) && i < (corner & 1) ? NX : 0),
                            j - (corner >> 1 & 1) + ((PERIODIC & 2) && j < (corner >> 1 & 1) ? NY : 0),
                            LAYER(k - (corner >> 2))};
      if (brick[0] < 0 || brick[1] < 0 || brick[2] < 0 || brick[0] >= BRICKS(NX, 1) || brick[1] >= BRICKS(NY, 2) ||
          brick[2] >= LAYERS)
        continue;
      const int m = corner_bits[corner];
      for (int w = 0; w < 6; ++w) {
        if (way_corner[w][m] != corner) continue;
        for (int point = 0; point < LOAD_POINTS; ++point) {
          const INDEX at = w * LOAD_POINTS + point;
          sum += value[at * 4 + m] * source_at(low_x + edge_x * ((scalar)brick[0] + place[at * 3]),
                                               low_y + edge_y * ((scalar)brick[1] + place[at * 3 + 1]),
                                               low_z + edge_z * ((scalar)brick[2] + place[at * 3 + 2]), t);
        }
      }
    }
    const int given = GIVEN(i, NX, 1) || GIVEN(j, NY, 4) || GIVEN_Z(k);
    y[FIRST + (INDEX)k * PLANE + j * NX + i] = given ? 0.0 : sum;
  }
}

KERNEL void grid_fixed(GLOBAL const scalar *points, GLOBAL const int *boundary, GLOBAL const int *place, GLOBAL scalar *x,
                       const double t)
{
  ITEMS(i) x[place[i]] = boundary_value(boundary[i], points[i * 3], points[i * 3 + 1], points[i * 3 + 2], t);
}

// Where there is no unknown the diagonal is 0, and so is what stands for its inverse.
KERNEL void grid_invert(GLOBAL scalar *d)
{
  ITEMS(i) d[i] = d[i] == 0.0 ? 0.0 : 1.0 / d[i];
}
