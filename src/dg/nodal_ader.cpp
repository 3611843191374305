// SPDX-License-Identifier: Apache-2.0
// What one-step schemes ask of the nodal family.
#include <array>

#include "base/error.hpp"
#include "dg/autonomous.hpp"
#include "dg/nodal.hpp"

namespace swell {

bool NodalOperator::autonomous() const { return is_autonomous(problem_, *layout_, *material_, device_); }

void NodalOperator::local_rate(double, Buffer&, Buffer&) {
  throw InputError("time.scheme = \"ader\" needs model.family = \"modal\".");
}

void NodalOperator::predict(Buffer&, double, Buffer&) {
  throw InputError("time.scheme = \"ader\" needs model.family = \"modal\".");
}

void NodalOperator::correct(Buffer& q, Buffer& integral, Buffer& next) {
  rate(0, integral, next);
  combine(next, std::array{Term{1, &q}, Term{1, &next}});
}

}  // namespace swell
