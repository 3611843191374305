// SPDX-License-Identifier: Apache-2.0
// The two ways to end the operator on a group of elements, whichever SIMT text defines elements(): with the update of a
// low-storage stage, or with the rate alone.

KERNEL void stage(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *geometry,
                  GLOBAL const scalar *normals, GLOBAL const scalar *material, GLOBAL const scalar *material_face,
                  GLOBAL const int *neighbour, GLOBAL const scalar *matrix, GLOBAL const int *tables,
                  GLOBAL const scalar *source, const INDEX first, const scalar a, const scalar b, const scalar dt)
{
  SHARED(memory);
  GROUP(item);
  elements(1, memory, item * BATCH, q, next, residual, geometry, normals, material, material_face, neighbour, matrix, tables, source,
           first, a, b, dt);
}

KERNEL void rate(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *geometry,
                 GLOBAL const scalar *normals, GLOBAL const scalar *material, GLOBAL const scalar *material_face,
                 GLOBAL const int *neighbour, GLOBAL const scalar *matrix, GLOBAL const int *tables,
                 GLOBAL const scalar *source, const INDEX first, const scalar a, const scalar b, const scalar dt)
{
  SHARED(memory);
  GROUP(item);
  elements(0, memory, item * BATCH, q, next, residual, geometry, normals, material, material_face, neighbour, matrix, tables, source,
           first, a, b, dt);
}
