// SPDX-License-Identifier: Apache-2.0
// The flow that leaves through faces of the boundary, an item each: `real` is a scalar. Behind them lie, in the state, the ghosts of the
// operator, and in the first plane of the gradients the viscous fluxes through the wall, as a stage leaves them. ghost_index,
// ghost_n and ghost_m are those of pointwise.h, with the chosen faces by their numbers there; weight[face][place] has the area
// that a place stands for, material[face][place][2] both sides' material where it stays. Constants, besides those of the
// operator: MATERIAL_IN_TIME.

#define PARTS (1 + HAS_VISCOUS)

KERNEL void flows(GLOBAL const scalar *q, GLOBAL const scalar *gradient, GLOBAL const int *ghost_index, GLOBAL const scalar *ghost_n,
                  GLOBAL const scalar *ghost_m, GLOBAL const scalar *to_places, GLOBAL const scalar *weight,
                  GLOBAL const scalar *material, GLOBAL const int *chosen, GLOBAL scalar *flow, const INDEX places,
                  const INDEX at_points, const INDEX first)
{
  ITEMS(item)
  {
    const INDEX ghost = chosen[item];
    GLOBAL const int *index = ghost_index + ghost * GHOST_INDEX;
    real sum[PARTS * FIELDS];
    for (int k = 0; k < PARTS * FIELDS; ++k) sum[k] = 0.0;
    for (INDEX place = 0; place < places; ++place) {
      const INDEX at = ghost * places + place, here = item * places + place, from = ghost_place(index, at_points, place);
      real own[FIELDS], behind[FIELDS], n[DIM], ml[MATERIALS], mr[MATERIALS], f[FIELDS];
      own_trace(q, index, to_places, places, place, own);
      for (int k = 0; k < FIELDS; ++k) behind[k] = q[from + k];
      for (int d = 0; d < DIM; ++d) n[d] = ghost_n[at * DIM + d];
      for (int i = 0; i < MATERIALS; ++i) {
        ml[i] = MATERIAL_IN_TIME ? ghost_m[at * MATERIALS + i] : material[2 * here * MATERIALS + i];
        mr[i] = MATERIAL_IN_TIME ? ghost_m[at * MATERIALS + i] : material[(2 * here + 1) * MATERIALS + i];
      }
      numerical_flux(own, ml, behind, mr, n, f);
      for (int k = 0; k < FIELDS; ++k) sum[k] += weight[here] * f[k];
#if HAS_VISCOUS
      // A viscous flux counts upwards, into the domain.
      for (int k = 0; k < FIELDS; ++k) sum[FIELDS + k] -= weight[here] * gradient[from + k];
#endif
    }
    for (int k = 0; k < PARTS * FIELDS; ++k) flow[(first + item) * (PARTS * FIELDS) + k] = sum[k];
  }
}
