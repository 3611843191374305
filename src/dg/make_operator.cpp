// SPDX-License-Identifier: Apache-2.0
#include "dg/levelset/operator.hpp"
#include "dg/modal/operator.hpp"
#include "dg/nodal/operator.hpp"

namespace swell {

std::unique_ptr<Operator> make_operator(Problem problem, Device& device) {
  if (problem.model.kind() == PageKind::interface) {
    // The memory that it has allocated by now is small beside the states.
    auto levelset = std::make_unique<LevelSetOperator>(std::move(problem), device);
    const int states = states_kept(levelset->problem(), levelset->layout(), levelset->material(), device);
    check_memory(levelset->memory_need(states), levelset->problem(), device);
    return levelset;
  }
  if (problem.family == Family::modal) return std::make_unique<ModalOperator>(std::move(problem), device);
  return std::make_unique<NodalOperator>(std::move(problem), device);
}

}  // namespace swell
