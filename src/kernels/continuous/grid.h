// SPDX-License-Identifier: Apache-2.0
// Linear elements on the fixed grid: a box of NX x NY x NZ vertices whose bricks are cut into the six tetrahedra of Kuhn, all
// alike. With one material the operator is a stencil of 15 points, 7 without the mass: nothing but vectors is read.
// Coefficients come in 27 classes, the vertex being the first, an inner or the last along each axis: coefficient[x + 3 y + 9 z]
// [TERMS], the centre, then the neighbours towards +x, +y, +z (and +xy, +xz, +yz, +xyz), then those opposite to them.
// Vectors lie plane by plane, PLANE numbers each, two planes of zeros before and behind: a neighbour outside is a number that
// its coefficient 0 can take. Entries at given values are 0 in the vectors of the solver, and FIXED (bits xmin, xmax, ymin,
// ymax, zmin, zmax) says where they are. PERIODIC (bits x, y, z): the last vertex is followed by the first.
// Sizes and the geometry are arguments, so that one kernel source serves many grids with these boundaries (on a CPU those with
// rows of NX vertices, a constant there: loops over rows are 6 to 14 % slower where their length is not known). The host writes
// the last parameters of kernels and functions in place of GRID_PARAMETERS and GRID_ARGUMENTS (cg/grid/grid_text.cpp).
// Where ranks share the grid (SLAB), each has a slab of it: NZ of the ALL_Z planes, from BEGIN_Z on. BELOW, ABOVE: another rank has
// the planes that come before and behind; copies of them stand at the places -1 and NZ.
// A launch takes slab_count planes from slab_from on, in slab_cuts chunks: all of them in SLABS, or those that need no copies,
// or the SEAMS: the last plane, beside the first or as the only one, which add to what the sums of the others have left.

#ifndef NX
#define NX grid_nx
#endif
#define NY grid_ny
#define NZ grid_nz
#define ALL_Z grid_all_z
#define PLANE grid_plane
#define TILES grid_tiles
#define SLABS grid_slabs
#define ROOM grid_room
#define WIDTH grid_width
#define SCRATCH grid_scratch
#define MATERIAL_ROOM (SCRATCH - 2 * (PLANE + ROOM))

#if SLAB
#define BEGIN_Z slab_begin
#define BELOW (slab_sides & 1)
#define ABOVE (slab_sides & 2)
#define SEAMS (slab_sides & 4)
#define SKIPPED(chunk) (SEAMS && (chunk) > 0 ? NZ - 2 : 0)
#define FIRST_PLANE(chunk) (slab_from + slab_count * (INDEX)(chunk) / slab_cuts + SKIPPED(chunk))
#define END_PLANE(chunk) (slab_from + slab_count * ((INDEX)(chunk) + 1) / slab_cuts + SKIPPED(chunk))
#define LEAVE_SUM(to, sum) (to) = SEAMS ? (to) + (sum) : (sum)
#else
#define BEGIN_Z 0
#define BELOW 0
#define ABOVE 0
#define LEAVE_SUM(to, sum) (to) = (sum)
#endif

#define HALF ((TERMS - 1) / 2)
#define FIRST (2 * (INDEX)PLANE)
#define CLASS(i, n, bit) (PERIODIC & (bit) ? 1 : (i) == 0 ? 0 : (i) == (n) - 1 ? 2 : 1)
#define GIVEN(i, n, bits) (((i) == 0 && (FIXED & (bits))) || ((i) == (n) - 1 && (FIXED & 2 * (bits))))
// From a vertex to the next and the last one along an axis, `stride` numbers apart.
#define STEP_UP(i, n, bit, stride) ((PERIODIC & (bit)) && (i) == (n) - 1 ? (1 - (n)) * (INDEX)(stride) : (INDEX)(stride))
#define STEP_DOWN(i, n, bit, stride) ((PERIODIC & (bit)) && (i) == 0 ? ((n) - 1) * (INDEX)(stride) : -(INDEX)(stride))
// Bricks along an axis.
#define BRICKS(n, bit) (PERIODIC & (bit) ? (n) : (n) - 1)
// Class and given values of the slab's plane k.
#define CLASS_Z(k) CLASS((k) + BEGIN_Z, ALL_Z, 4)
#define GIVEN_Z(k) GIVEN((k) + BEGIN_Z, ALL_Z, 16)
// Whether this slab is the whole of a periodic grid.
#if SLAB
#define WRAPS_Z 0
#else
#define WRAPS_Z ((PERIODIC & 4) && !(BELOW || ABOVE))
#endif
// The number among all LAYERS of the layer of bricks from plane k to the next; beyond these there is none.
#define LAYER(k) ((k) + BEGIN_Z + ((PERIODIC & 4) && (k) + BEGIN_Z < 0 ? ALL_Z : 0))
#define LAYERS BRICKS(ALL_Z, 4)
