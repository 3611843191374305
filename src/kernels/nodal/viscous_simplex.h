// SPDX-License-Identifier: Apache-2.0
// Viscous terms of lines, triangles and tetrahedra, and by points of prisms and pyramids. Straight elements with one material each have
// them by their nodes, others by points (BY_POINTS), as in quadrature.h. Matrices, one behind the other:
//   by nodes:  [D_d | LIFT nu_d] for each d, nu_d the face's normal in reference coordinates: the gradients of the reference
//              coordinates then take the sum of both to gradients in space;  [-M^-1 D_d^T M .. | LIFT];
//   by points: values; traces of each kind of faces; slopes of each d; [projection | faces]; projection;
//              [-M^-1 slopes_d^T w .. | faces].
// MASS_ROWS (prisms and pyramids that are not affine): as in quadrature.h what is projected is tested with functions in which the mass
// falls into blocks, whose inverses lie behind an element's geometry; their values at the nodes are the last matrix.

#if BY_POINTS
#define POINT_GEOMETRY (CURVED ? DIM * DIM + 1 : 0)
#define FACE_PLACES (FACES * FACE_POINTS)
#define TRACE_MATRIX (POINTS * NODES)
#define SLOPES (TRACE_MATRIX + SIDES * FACE_POINTS * FACE_NODES)
#define LIFTED (SLOPES + DIM * POINTS * NODES)
#define PROJECTION (LIFTED + NODES * (POINTS + FACE_PLACES))
#define WEAK (PROJECTION + NODES * POINTS)
#define BLOCK_NODES (WEAK + NODES * (DIM * POINTS + FACE_PLACES))
#define ELEMENT_GEOMETRY (CURVED ? POINTS * (DIM * DIM + 1) + NODES * MASS_ROWS : DIM * DIM)
#if SIDES > 1
#define TRACES(matrix, face) ((matrix) + TRACE_MATRIX + face_side[0][face] * FACE_POINTS * FACE_NODES)
#else
#define TRACES(matrix, face) ((matrix) + TRACE_MATRIX)
#endif
#else
#define FACE_PLACES (FACES * FACE_NODES)
#define WEAK (DIM * NODES * (NODES + FACE_PLACES))
#define ELEMENT_GEOMETRY (DIM * DIM)
#endif

// The outward normal at a place of a face, whose length is the ratio of the surface's Jacobian to 1 (CURVED) or the volume's.
FUNCTION void scaled_normal(GLOBAL const real *g, GLOBAL const real *normals, int face, int at, real *scaled)
{
  for (int a = 0; a < DIM; ++a) {
#if CURVED
    scaled[a] = normals[(face * FACE_POINTS + at) * DIM + a];
#elif SIDES > 1
    scaled[a] = (scalar)face_direction[face][0] * g[a];
    for (int d = 1; d < DIM; ++d) scaled[a] += (scalar)face_direction[face][d] * g[d * DIM + a];
#else
    real sum = g[a];
    for (int d = 1; d < DIM; ++d) sum += g[d * DIM + a];
    scaled[a] = face == 0 ? sum : -g[(face > 0 ? face - 1 : 0) * DIM + a];
#endif
  }
}

#if BY_POINTS
// Values at the points of a face on both sides, from an element's own values at its nodes.
FUNCTION void face_traces(GLOBAL const scalar *all, GLOBAL const int *neighbour, GLOBAL const scalar *to_points, int face,
                          TEAM const real *own, TEAM real *nodes, TEAM real *left, TEAM real *right)
{
  SHARE(j, FACE_NODES)
  {
    real value[FIELDS];
    load_trace(all, neighbour, face, j, value);
    for (int k = 0; k < FIELDS; ++k) {
      nodes[j * FIELDS + k] = own[face_node[face][j] * FIELDS + k];
      nodes[(FACE_NODES + j) * FIELDS + k] = value[k];
    }
  }
  MEET;
  PRODUCT(FACE_POINTS, FACE_NODES, to_points, nodes, left);
  PRODUCT(FACE_POINTS, FACE_NODES, to_points, nodes + FACE_NODES * FIELDS, right);
  take_points(all, neighbour, face, FACE_POINTS, right);
  MEET;
}

#if CURVED && MASS_ROWS
// Integrals against the functions of the blocks become values at the nodes.
FUNCTION void divide_by_mass(GLOBAL const real *g, GLOBAL const scalar *matrix, TEAM real *sum, TEAM real *room)
{
  GLOBAL const real *inverse = g + POINTS * POINT_GEOMETRY;
  SHARE(row, NODES)
  {
    TEAM const real *block = sum + row / MASS_ROWS * MASS_ROWS * FIELDS;
    for (int k = 0; k < FIELDS; ++k) {
      real total = inverse[row * MASS_ROWS] * block[k];
      for (int c = 1; c < MASS_ROWS; ++c) total += inverse[row * MASS_ROWS + c] * block[c * FIELDS + k];
      room[row * FIELDS + k] = total;
    }
  }
  MEET;
  PRODUCT(NODES, NODES, matrix + BLOCK_NODES, room, sum);
}
#elif CURVED
// A sum against all test functions becomes values at the nodes, with the mass matrix's weight-adjusted inverse.
FUNCTION void divide_by_mass(GLOBAL const real *g, GLOBAL const scalar *matrix, TEAM real *sum, TEAM real *points)
{
  PRODUCT(POINTS, NODES, matrix, sum, points);
  SHARE(at, POINTS)
  {
    const real over = g[at * POINT_GEOMETRY + DIM * DIM];
    for (int k = 0; k < FIELDS; ++k) points[at * FIELDS + k] *= over;
  }
  MEET;
  PRODUCT(NODES, POINTS, matrix + PROJECTION, points, sum);
}
#endif

KERNEL void gradients(GLOBAL const scalar *q, GLOBAL scalar *gradient, GLOBAL const scalar *geometry, GLOBAL const scalar *normals,
                      GLOBAL const int *neighbour, GLOBAL const scalar *matrix, const INDEX first, const INDEX plane)
{
  FOR_TEAMS(item)
  {
    const INDEX element = first + item;
    GLOBAL const real *g = (GLOBAL const real *)geometry + item * ELEMENT_GEOMETRY;
    GLOBAL const real *face_normals = (GLOBAL const real *)normals + item * FACE_PLACES * DIM;
    GLOBAL const int *around = neighbour + item * FACES * 2 * LANES;
    TEAM real *own = room, *slopes = own + ELEMENT, *terms = slopes + DIM * POINTS * FIELDS;
    TEAM real *jumps = terms + (POINTS + FACE_PLACES) * FIELDS, *sum = jumps + FACE_PLACES * FIELDS;
    TEAM real *nodes = sum + ELEMENT, *left = nodes + 2 * FACE_NODES * FIELDS, *right = left + FACE_POINTS * FIELDS;
    load_values(q + element * ELEMENT * LANES, own);
    MEET;
    for (int face = 0; face < FACES; ++face) {
      face_traces(q, around, TRACES(matrix, face), face, own, nodes, left, right);
      SHARE(j, FACE_POINTS)
      {
        for (int k = 0; k < FIELDS; ++k)
          jumps[(face * FACE_POINTS + j) * FIELDS + k] = 0.5 * (right[j * FIELDS + k] - left[j * FIELDS + k]);
      }
      MEET;
    }
    for (int d = 0; d < DIM; ++d)
      PRODUCT(POINTS, NODES, matrix + SLOPES + d * POINTS * NODES, own, slopes + d * POINTS * FIELDS);
    for (int a = 0; a < DIM; ++a) {
      SHARE(at, POINTS)
      {
        for (int k = 0; k < FIELDS; ++k) {
          real total = splat(0.0);
          for (int d = 0; d < DIM; ++d) total += g[at * POINT_GEOMETRY + d * DIM + a] * slopes[(d * POINTS + at) * FIELDS + k];
          terms[at * FIELDS + k] = total;
        }
      }
      SHARE(at, FACE_PLACES)
      {
        real scaled[DIM];
        scaled_normal(g, face_normals, at / FACE_POINTS, at % FACE_POINTS, scaled);
        for (int k = 0; k < FIELDS; ++k) terms[(POINTS + at) * FIELDS + k] = jumps[at * FIELDS + k] * scaled[a];
      }
      MEET;
      PRODUCT(NODES, POINTS + FACE_PLACES, matrix + LIFTED, terms, sum);
#if CURVED
      divide_by_mass(g, matrix, sum, terms);
#endif
      SHARE(n, NODES)
      {
        real value[FIELDS];
        for (int k = 0; k < FIELDS; ++k) value[k] = sum[n * FIELDS + k];
        store_values(value, n, gradient + a * plane + element * ELEMENT * LANES);
      }
      MEET;
    }
  }
}

KERNEL void divergence(GLOBAL const scalar *q, GLOBAL const scalar *gradient, GLOBAL scalar *source, GLOBAL const scalar *geometry,
                       GLOBAL const scalar *normals, GLOBAL const scalar *material, GLOBAL const scalar *material_face,
                       GLOBAL const int *neighbour, GLOBAL const scalar *matrix, GLOBAL const scalar *penalty, const INDEX first,
                       const INDEX plane)
{
  FOR_TEAMS(item)
  {
    const INDEX element = first + item;
    GLOBAL const real *g = (GLOBAL const real *)geometry + item * ELEMENT_GEOMETRY;
    GLOBAL const real *face_normals = (GLOBAL const real *)normals + item * FACE_PLACES * DIM;
    GLOBAL const int *around = neighbour + item * FACES * 2 * LANES;
    // Values and gradients at the nodes; the terms begin as gradients at the points.
    TEAM real *own = room, *points = own + (1 + DIM) * ELEMENT, *terms = points + POINTS * FIELDS;
    TEAM real *nodes = terms + (DIM * POINTS + FACE_PLACES) * FIELDS, *left = nodes + 2 * FACE_NODES * FIELDS;
    TEAM real *right = left + (1 + DIM) * FACE_POINTS * FIELDS, *sum = right + (1 + DIM) * FACE_POINTS * FIELDS;
    load_values(q + element * ELEMENT * LANES, own);
    for (int a = 0; a < DIM; ++a) load_values(gradient + a * plane + element * ELEMENT * LANES, own + (1 + a) * ELEMENT);
    MEET;
    PRODUCT(POINTS, NODES, matrix, own, points);
    for (int a = 0; a < DIM; ++a) PRODUCT(POINTS, NODES, matrix, own + (1 + a) * ELEMENT, terms + a * POINTS * FIELDS);
    for (int face = 0; face < FACES; ++face) {
      face_traces(q, around, TRACES(matrix, face), face, own, nodes, left, right);
      for (int a = 0; a < DIM; ++a)
        face_traces(gradient + a * plane, around, TRACES(matrix, face), face, own + (1 + a) * ELEMENT, nodes,
                    left + (1 + a) * FACE_POINTS * FIELDS, right + (1 + a) * FACE_POINTS * FIELDS);
      const real wall = at_wall(around, face), steep = ((GLOBAL const real *)penalty)[item * FACES + face];
      SHARE(j, FACE_POINTS)
      {
        real ql[FIELDS], qr[FIELDS], dl[FIELDS * DIM], dr[FIELDS * DIM], ml[MATERIALS], mr[MATERIALS], scaled[DIM], n[DIM], f[FIELDS];
        for (int k = 0; k < FIELDS; ++k) {
          ql[k] = left[j * FIELDS + k];
          qr[k] = right[j * FIELDS + k];
        }
        load_gradient(left + (FACE_POINTS + j) * FIELDS, FACE_POINTS * FIELDS, dl);
        load_gradient(right + (FACE_POINTS + j) * FIELDS, FACE_POINTS * FIELDS, dr);
        scaled_normal(g, face_normals, face, j, scaled);
        const real length = normal_length(scaled, n);
        face_materials(material, material_face, around, item, face, j, ml, mr);
        face_flux(ql, dl, ml, qr, dr, mr, n, steep, wall, f);
        for (int k = 0; k < FIELDS; ++k) terms[(DIM * POINTS + face * FACE_POINTS + j) * FIELDS + k] = length * f[k];
      }
      MEET;
    }
    SHARE(at, POINTS)
    {
      real value[FIELDS], dq[FIELDS * DIM], m[MATERIALS], direction[DIM], f[FIELDS];
      for (int k = 0; k < FIELDS; ++k) value[k] = points[at * FIELDS + k];
      load_gradient(terms + at * FIELDS, POINTS * FIELDS, dq);
      own_material(material, material_face, item, at, m);
      for (int d = 0; d < DIM; ++d) {
        for (int a = 0; a < DIM; ++a) direction[a] = g[at * POINT_GEOMETRY + d * DIM + a];
        viscous_flux(value, dq, m, direction, f);
        for (int k = 0; k < FIELDS; ++k) terms[(d * POINTS + at) * FIELDS + k] = f[k];
      }
    }
    MEET;
    PRODUCT(NODES, DIM * POINTS + FACE_PLACES, matrix + WEAK, terms, sum);
#if CURVED
    divide_by_mass(g, matrix, sum, points);
#endif
    SHARE(n, NODES)
    {
      real value[FIELDS];
      for (int k = 0; k < FIELDS; ++k) value[k] = sum[n * FIELDS + k];
      write_source(value, n, source + element * ELEMENT * LANES);
    }
    MEET;
  }
}
#else
KERNEL void gradients(GLOBAL const scalar *q, GLOBAL scalar *gradient, GLOBAL const scalar *geometry, GLOBAL const scalar *normals,
                      GLOBAL const int *neighbour, GLOBAL const scalar *matrix, const INDEX first, const INDEX plane)
{
  FOR_TEAMS(item)
  {
    const INDEX element = first + item;
    GLOBAL const real *g = (GLOBAL const real *)geometry + item * ELEMENT_GEOMETRY;
    GLOBAL const int *around = neighbour + item * FACES * 2 * LANES;
    TEAM real *own = room, *jumps = own + ELEMENT, *slopes = jumps + FACE_PLACES * FIELDS;
    load_values(q + element * ELEMENT * LANES, own);
    MEET;
    SHARE(at, FACE_PLACES)
    {
      const int face = at / FACE_NODES, j = at % FACE_NODES;
      real behind[FIELDS], jump[FIELDS];
      load_trace(q, around, face, j, behind);
      half_jump(own + face_node[face][j] * FIELDS, behind, jump);
      for (int k = 0; k < FIELDS; ++k) jumps[at * FIELDS + k] = jump[k];
    }
    MEET;
    for (int d = 0; d < DIM; ++d)
      PRODUCT(NODES, NODES + FACE_PLACES, matrix + d * NODES * (NODES + FACE_PLACES), own, slopes + d * ELEMENT);
    SHARE(n, NODES)
    {
      for (int a = 0; a < DIM; ++a) {
        real value[FIELDS];
        for (int k = 0; k < FIELDS; ++k) {
          value[k] = g[a] * slopes[n * FIELDS + k];
          for (int d = 1; d < DIM; ++d) value[k] += g[d * DIM + a] * slopes[d * ELEMENT + n * FIELDS + k];
        }
        store_values(value, n, gradient + a * plane + element * ELEMENT * LANES);
      }
    }
    MEET;
  }
}

KERNEL void divergence(GLOBAL const scalar *q, GLOBAL const scalar *gradient, GLOBAL scalar *source, GLOBAL const scalar *geometry,
                       GLOBAL const scalar *normals, GLOBAL const scalar *material, GLOBAL const scalar *material_face,
                       GLOBAL const int *neighbour, GLOBAL const scalar *matrix, GLOBAL const scalar *penalty, const INDEX first,
                       const INDEX plane)
{
  FOR_TEAMS(item)
  {
    const INDEX element = first + item;
    GLOBAL const real *g = (GLOBAL const real *)geometry + item * ELEMENT_GEOMETRY;
    GLOBAL const int *around = neighbour + item * FACES * 2 * LANES;
    // The terms begin as gradients at the nodes.
    TEAM real *own = room, *terms = own + ELEMENT, *sum = terms + (DIM * NODES + FACE_PLACES) * FIELDS;
    load_values(q + element * ELEMENT * LANES, own);
    for (int a = 0; a < DIM; ++a) load_values(gradient + a * plane + element * ELEMENT * LANES, terms + a * ELEMENT);
    MEET;
    SHARE(at, FACE_PLACES)
    {
      const int face = at / FACE_NODES, j = at % FACE_NODES, node = face_node[face][j];
      real ql[FIELDS], qr[FIELDS], dl[FIELDS * DIM], dr[FIELDS * DIM], ml[MATERIALS], mr[MATERIALS], scaled[DIM], n[DIM], f[FIELDS];
      for (int k = 0; k < FIELDS; ++k) ql[k] = own[node * FIELDS + k];
      load_gradient(terms + node * FIELDS, ELEMENT, dl);
      load_trace(q, around, face, j, qr);
      for (int a = 0; a < DIM; ++a) {
        real slope[FIELDS];
        load_trace(gradient + a * plane, around, face, j, slope);
        for (int k = 0; k < FIELDS; ++k) dr[k * DIM + a] = slope[k];
      }
      scaled_normal(g, (GLOBAL const real *)normals, face, j, scaled);
      const real length = normal_length(scaled, n), steep = ((GLOBAL const real *)penalty)[item * FACES + face];
      face_materials(material, material_face, around, item, face, j, ml, mr);
      face_flux(ql, dl, ml, qr, dr, mr, n, steep, at_wall(around, face), f);
      for (int k = 0; k < FIELDS; ++k) terms[(DIM * NODES + at) * FIELDS + k] = length * f[k];
    }
    MEET;
    SHARE(n, NODES)
    {
      real value[FIELDS], dq[FIELDS * DIM], m[MATERIALS], direction[DIM], f[FIELDS];
      for (int k = 0; k < FIELDS; ++k) value[k] = own[n * FIELDS + k];
      load_gradient(terms + n * FIELDS, ELEMENT, dq);
      own_material(material, material_face, item, 0, m);
      for (int d = 0; d < DIM; ++d) {
        for (int a = 0; a < DIM; ++a) direction[a] = g[d * DIM + a];
        viscous_flux(value, dq, m, direction, f);
        for (int k = 0; k < FIELDS; ++k) terms[d * ELEMENT + n * FIELDS + k] = f[k];
      }
    }
    MEET;
    PRODUCT(NODES, DIM * NODES + FACE_PLACES, matrix + WEAK, terms, sum);
    SHARE(n, NODES)
    {
      real value[FIELDS];
      for (int k = 0; k < FIELDS; ++k) value[k] = sum[n * FIELDS + k];
      write_source(value, n, source + element * ELEMENT * LANES);
    }
    MEET;
  }
}
#endif
