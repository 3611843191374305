// SPDX-License-Identifier: Apache-2.0
#include "model/variables.hpp"

#include <cmath>

#include "base/error.hpp"

namespace swell {

namespace {

constexpr int tries = 64;
constexpr double rounding = 1e-10;

}  // namespace

void check_variables(const ModelProbe& probe) {
  const Model& model = probe.model();
  std::mt19937_64 engine(17);
  std::uniform_real_distribution<double> positive(0.5, 2.0);
  Matrix given(tries, probe.fields()), m(tries, probe.parameters());
  for (int row = 0; row < tries; ++row) {
    for (int i = 0; i < probe.fields(); ++i) given(row, i) = positive(engine);
    // Near the defaults: a ratio of heats, say, has a meaning only there.
    for (int i = 0; i < probe.parameters(); ++i)
      m(row, i) = model.material.empty() ? 0 : model.material[static_cast<std::size_t>(i)].value * (0.9 + 0.1 * positive(engine));
  }
  const Matrix state = probe.fields_of(given, m), back = probe.variables_of(state, m);
  const Matrix again = probe.fields_of(back, m);
  for (int row = 0; row < tries; ++row)
    for (int i = 0; i < probe.fields(); ++i) {
      const auto place = static_cast<std::size_t>(i);
      const bool shared = model.field_index(model.variables[place]) >= 0;
      if (!(std::abs(back(row, i) - given(row, i)) <= rounding * (1 + std::abs(given(row, i)))))
        throw InputError("The model '{}' cannot be used: variables_of() does not take the state of fields_of() back to its variables; {} = "
                         "{:.6g} becomes {:.6g}.",
                         model.name, model.variables[place], given(row, i), back(row, i));
      if (!(std::abs(again(row, i) - state(row, i)) <= rounding * (1 + std::abs(state(row, i)))))
        throw InputError("The model '{}' cannot be used: fields_of() does not take the variables of variables_of() back to the state; {} = "
                         "{:.6g} becomes {:.6g}.",
                         model.name, model.fields[place], state(row, i), again(row, i));
      if (shared && state(row, i) != given(row, i))
        throw InputError("The model '{}' cannot be used: {} is a field and a variable, but fields_of() changes its value.", model.name,
                         model.fields[place]);
    }
}

}  // namespace swell
