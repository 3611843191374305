// SPDX-License-Identifier: Apache-2.0
// Rows of an array from one place of it to another: rows[r] holds where row r goes and where it comes from. Where SIMT a thread
// takes a number, so that neighbouring threads write neighbouring ones; on a CPU it takes a row.

#define SET 0
#define ADD 1
#define REST 2  // what is left of the row when that which lies in its copy is taken away

FUNCTION scalar copied(scalar before, scalar value, const INDEX how)
{
  return how == SET ? value : how == ADD ? before + value : value - before;
}

KERNEL void copy_rows(GLOBAL scalar *values, GLOBAL const INDEX *rows, const INDEX width, const INDEX how)
{
#if SIMT
  ITEMS(item)
  {
    const INDEX row = item / width, i = item - row * width;
    GLOBAL scalar *to = values + rows[2 * row] + i;
    *to = copied(*to, values[rows[2 * row + 1] + i], how);
  }
#else
  ITEMS(row)
  {
    scalar *to = values + rows[2 * row];
    const scalar *from = values + rows[2 * row + 1];
    for (INDEX i = 0; i < width; ++i) to[i] = copied(to[i], from[i], how);
  }
#endif
}
