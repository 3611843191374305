// SPDX-License-Identifier: Apache-2.0
// The scalars of conjugate gradients and how they follow from one another, for kernels of one item and for passes in which
// every chunk finds them anew from the partial sums, so that nothing stands between two passes.

// STATE: 0 runs, 1 converged, 2 broken down; BROKEN: the last p . A p was not above 0
enum { RZ, RR, ALPHA, BETA, TARGET, STATE, COUNT, BROKEN };

FUNCTION total summed(GLOBAL const total *partial, const INDEX first, const INDEX count)
{
  total part[8] = {0, 0, 0, 0, 0, 0, 0, 0}, all = 0;
  INDEX i = 0;
  for (; i + 8 <= count; i += 8)
    UNROLL for (int k = 0; k < 8; ++k) part[k] += partial[first + i + k];
  for (; i < count; ++i) all += partial[first + i];
  for (int k = 0; k < 8; ++k) all += part[k];
  return all;
}

// beta = new rz / old rz, 0 once the solver has stopped. `known`: the scalars before hold it already. The one that `writes`
// leaves the scalars in `after`, which may be `before` where nobody else reads them, and a line of the history.
FUNCTION total next_beta(GLOBAL const total *before, GLOBAL total *after, GLOBAL total *history, const total new_rz,
                         const total new_rr, const int known, const int writes)
{
  const total target = before[TARGET];
  total state = before[STATE], count = before[COUNT], rz = before[RZ], rr = before[RR], beta = before[BETA];
  if (state == 0 && before[BROKEN] != 0) state = 2;
  const int counts = state == 0 && !known;
  if (counts) {
    beta = new_rz / rz;
    rz = new_rz;
    rr = new_rr;
    count += 1;
    if (rr <= target) state = 1;
    if (!(rr - rr == 0)) state = 2;
  }
  if (state != 0 && !counts) beta = 0;
  if (writes) {
    if (counts) history[(INDEX)count] = rr;
    after[RZ] = rz;
    after[RR] = rr;
    after[BETA] = beta;
    after[TARGET] = target;
    after[STATE] = state;
    after[COUNT] = count;
    after[BROKEN] = 0;
  }
  return beta;
}

// alpha = rz / p . A p, 0 once the solver has stopped; an operator that is not positive definite shows here.
FUNCTION total next_alpha(GLOBAL total *scalars, const total pq, const int writes)
{
  const int runs = scalars[STATE] == 0;
  if (writes) scalars[BROKEN] = runs && !(pq > 0) ? 1 : 0;
  return runs && pq > 0 ? scalars[RZ] / pq : 0;
}
