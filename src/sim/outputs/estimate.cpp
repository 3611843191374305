// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "element/lattice.hpp"

namespace swell {

namespace {

// Takes nodal values to those of their part of the highest order: the modes are orthonormal on the reference element.
Matrix highest_part(const ReferenceElement& element) {
  Matrix part = Matrix::Identity(element.node_count, element.node_count);
  for (const LatticeIndex& mode : lattice_indices(element.shape, element.order - 1)) {
    const auto number = lattice_number(element.shape, element.order, mode);
    part -= element.vandermonde.col(number) * element.inverse_vandermonde.row(number);
  }
  return part;
}

std::vector<double> values_of(std::span<const std::unique_ptr<Quantity>> quantities) {
  std::vector<double> values;
  for (const auto& quantity : quantities) values.push_back(quantity->value());
  return values;
}

// A change beside a size; sizes that are 0 have none.
Change change_of(double initial, double final, double size) {
  return {initial, final, size > 0 ? (final - initial) / size : 0};
}

}  // namespace

Estimate::Estimate(Evolution& evolution)
    : evolution_(evolution), begin_(evolution.time()), first_(means()), quantities_(values_of(evolution.quantities())) {}

Estimate::Means Estimate::means() {
  const Mesh& mesh = evolution_.mesh();
  const Elements& elements = evolution_.reference();
  const std::size_t fields = evolution_.fields().size();
  const std::int64_t nodes = elements.first_node(mesh.own_count());
  std::vector<std::vector<double>> values(fields, std::vector<double>(static_cast<std::size_t>(nodes)));
  evolution_.read([&](std::int64_t cell, const double* all) {
    for (std::int64_t node = elements.first_node(cell); node < elements.first_node(cell + 1); ++node)
      for (auto& field : values) field[static_cast<std::size_t>(node)] = *all++;
  });
  Means result;
  for (auto& field : values) {
    const auto mean = [&] { return mean_value(mesh, elements, [&](std::int64_t cell) { return field.data() + elements.first_node(cell); }, evolution_.ranks()); };
    result.signed_values.push_back(mean());
    std::ranges::transform(field, field.begin(), [](double value) { return std::abs(value); });
    result.sizes.push_back(mean());
  }
  return result;
}

std::vector<double> Estimate::norms(bool of_difference) {
  const std::size_t fields = evolution_.fields().size();
  std::map<Shape, Matrix> parts;
  for (const auto& [shape, element] : evolution_.reference().all()) parts.emplace(shape, highest_part(element));
  const CellReader read = [&](const std::function<void(std::int64_t cell, const double* values)>& visit) {
    evolution_.read([&](std::int64_t cell, const double* values) {
      if (!of_difference) return visit(cell, values);
      const Matrix& part = parts.at(evolution_.mesh().shape_of(cell));
      const Matrix difference = part * Eigen::Map<const Matrix>(values, part.cols(), static_cast<Eigen::Index>(fields));
      visit(cell, difference.data());
    });
  };
  return measure_errors(evolution_.mesh(), evolution_.reference(), read, std::vector<Expression>(fields, Expression(0.0)),
                        std::vector<char>(fields, 1), evolution_.time(), evolution_.ranks())
      .l2;
}

EstimateSummary Estimate::finish() {
  EstimateSummary result;
  result.from = begin_;
  const Means last = means();
  const std::vector<double> difference = norms(true), size = norms(false);
  for (std::size_t f = 0; f < evolution_.fields().size(); ++f) {
    // A steady problem has no beginning.
    const Change mean = evolution_.steady() ? Change{unknown, last.signed_values[f], unknown} : change_of(first_.signed_values[f], last.signed_values[f], std::max(first_.sizes[f], last.sizes[f]));
    result.fields.push_back({evolution_.fields()[f], difference[f], size[f] > 0 ? difference[f] / size[f] : 0, mean});
  }
  if (evolution_.steady()) return result;
  const std::vector<double> now = values_of(evolution_.quantities());
  for (std::size_t i = 0; i < now.size(); ++i)
    result.quantities.emplace_back(evolution_.quantities()[i]->name(),
                                   change_of(quantities_[i], now[i], std::max(std::abs(quantities_[i]), std::abs(now[i]))));
  return result;
}

}  // namespace swell
