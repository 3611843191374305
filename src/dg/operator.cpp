// SPDX-License-Identifier: Apache-2.0
#include "dg/operator.hpp"

#include "dg/transfer.hpp"

namespace swell {

Operator::Operator(Problem problem, Device& device)
    : problem_(std::move(problem)), device_(device), elements_(*problem_.mesh, problem_.order), element_(elements_.first()) {}

std::unique_ptr<Buffer> Operator::upload(const std::vector<double>& values, std::string_view label) const {
  return upload_reals(device_, problem_.precision, values, label);
}

std::unique_ptr<Buffer> Operator::upload(const std::vector<std::int32_t>& values, std::string_view label) const {
  return upload_integers(device_, values, label);
}

std::vector<double> Operator::download(const Buffer& buffer, std::size_t count) const {
  return download_reals(problem_.precision, buffer, count);
}

bool Observer::finite(const Buffer& q) {
  watch(q, 0);
  const bool result = finding().good;
  forget();
  return result;
}

}  // namespace swell
