// SPDX-License-Identifier: Apache-2.0
#include "dg/operator.hpp"

#include "dg/transfer.hpp"

namespace swell {

std::unique_ptr<Buffer> Operator::upload(const std::vector<double>& values, std::string_view label) {
  return upload_reals(device(), problem().precision, values, label);
}

std::unique_ptr<Buffer> Operator::upload(const std::vector<std::int32_t>& values, std::string_view label) {
  return upload_integers(device(), values, label);
}

std::vector<double> Operator::download(const Buffer& buffer, std::size_t count) const {
  return download_reals(problem().precision, buffer, count);
}

bool Operator::finite(const Buffer& q) {
  watch(q, 0);
  const bool result = monitor().verdict().finite;
  monitor().forget();
  return result;
}

}  // namespace swell
