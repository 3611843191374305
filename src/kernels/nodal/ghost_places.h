// SPDX-License-Identifier: Apache-2.0
// Places of ghost faces, as kernels around the operator find them: `real` is a scalar. ghost_index is that of pointwise.h;
// to_places[face node][place] interpolates.

#define BEHIND (BEHIND_NODES * FIELDS)  // of an address in a state
#define GHOST_INDEX 7

// The trace of an element's own values at a place.
FUNCTION void own_trace(GLOBAL const scalar *q, GLOBAL const int *index, GLOBAL const scalar *to_places, const INDEX places,
                        const INDEX place, real *own)
{
  for (int k = 0; k < FIELDS; ++k) own[k] = 0.0;
  for (int i = 0; i < FACE_NODES; ++i) {
    const real entry = to_places[i * places + place];
    GLOBAL const scalar *from = q + (INDEX)index[0] * BEHIND + face_node[index[1]][i] * FIELDS;
    for (int k = 0; k < FIELDS; ++k) own[k] += entry * from[k];
  }
}

// Where a place of a ghost face lies; several traces at nodes share a slot.
FUNCTION INDEX ghost_place(GLOBAL const int *index, const INDEX at_points, const INDEX place)
{
  return (INDEX)index[2] * BEHIND + ((at_points ? 0 : (INDEX)index[3] * FACE_NODES) + place) * FIELDS;
}
