// SPDX-License-Identifier: Apache-2.0
// Quadrilaterals and hexahedra where threads are lanes: the method and the arrays of tensor.h. What their texts share.

#define COLUMNS (NODES / LINE)
#define POINT_GEOMETRY (CURVED ? DIM * DIM + 1 : 0)
#define POINT_MATERIAL (VARYING ? MATERIALS : 0)
#define GEOMETRY (CURVED ? NODES * POINT_GEOMETRY : DIM * DIM)

// Geometry and material at a node of an element.
FUNCTION void node_geometry(GLOBAL const scalar *geometry, int node, int d, real *g)
{
  UNROLL for (int axis = 0; axis < DIM; ++axis) g[axis] = geometry[node * POINT_GEOMETRY + d * DIM + axis];
}

FUNCTION void node_material(GLOBAL const scalar *material, GLOBAL const scalar *material_face, INDEX element, int node, real *m)
{
#if VARYING
  UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = material[(element * NODES + node) * MATERIALS + i];
#else
  load_material(material, ((GLOBAL const int *)material_face)[element], m);
#endif
}

// Energy of each element, q . M(x) q / 2 integrated at the nodes.
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out, const INDEX first)
{
  SHARED(memory);
  GROUP(item);
  for (int i = THREAD; i < BATCH * COLUMNS; i += THREADS) {
    const int e = i / COLUMNS;
    const INDEX element = item * BATCH + e;
    real sum = 0.0;
    for (int last = 0; last < LINE; ++last) {
      const int node = i - e * COLUMNS + last * COLUMNS;
      real values[FIELDS], moment[FIELDS], m[MATERIALS], density = 0.0;
      UNROLL for (int k = 0; k < FIELDS; ++k) values[k] = q[((first + element) * NODES + node) * FIELDS + k];
      node_material(material, material_face, element, node, m);
      mass(m, values, moment);
      UNROLL for (int k = 0; k < FIELDS; ++k) density += 0.5 * values[k] * moment[k];
#if CURVED
      sum += point_weight[node] * density / geometry[element * GEOMETRY + node * POINT_GEOMETRY + DIM * DIM];
#else
      real g[DIM * DIM];
      UNROLL for (int k = 0; k < DIM * DIM; ++k) g[k] = geometry[element * GEOMETRY + k];
      sum += point_weight[node] * density / determinant(g);
#endif
    }
    memory[i] = sum;
  }
  BARRIER;
  write_sums(memory, COLUMNS, out + first + item * BATCH);
}
