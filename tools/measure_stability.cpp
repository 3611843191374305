// SPDX-License-Identifier: Apache-2.0
// Measures the constants of the automatic time step and writes src/time/stability_table.inc to standard output, or with
// the argument "of_order" src/time/stability_of_order.inc; with a shape and orders behind it only these, as
// measure_stability of_order triangle 4 5.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

#include "stability/modal_survey.hpp"

namespace {

using namespace swell;
using namespace swell::stability;

constexpr std::array<Shape, 5> shapes = {Shape::line, Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron};
constexpr int krylov_steps = 60;  // 200 steps change no constant in its first four digits

struct Task {
  Shape shape;
  int order;
  ModalConstants constants{};
};

void measure(Task& task, bool of_order) {
  const ReferenceElement element(task.shape, task.order);
  if (of_order)
    task.constants = modal_constants(EnergyElement(element), acoustics(element.dim), krylov_steps);
  else
    task.constants.of_schemes = measured_constants(EnergyElement(element), acoustics(element.dim), krylov_steps);
  fmt::print(stderr, "{} of order {}: {:.4f}\n", shape_name(task.shape), task.order,
             fmt::join(task.constants.of_schemes, ", "));
}

void print_row(const std::vector<Task>& tasks, std::string_view scheme, Shape shape, auto value) {
  std::vector<double> row;
  for (const Task& task : tasks)
    if (task.shape == shape) row.push_back(value(task.constants));
  fmt::print("{{\"{}\", Shape::{}, {{{:.4g}}}}},\n", scheme, shape_name(shape), fmt::join(row, ", "));
}

}  // namespace

int main(int count, char** arguments) {
  const bool of_order = count > 1 && std::strcmp(arguments[1], "of_order") == 0;
  std::vector<Task> tasks;
  for (const Shape shape : shapes)
    for (int order = 1; order <= max_order(shape); ++order) {
      const auto named = [&](std::string_view word) { return std::find(arguments, arguments + count, word) != arguments + count; };
      if (count <= 2 || (named(shape_name(shape)) && named(std::to_string(order)))) tasks.push_back({shape, order});
    }
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> workers;
    for (unsigned w = 0; w < std::max(1u, std::thread::hardware_concurrency()); ++w)
      workers.emplace_back([&] {
        for (std::size_t i = next++; i < tasks.size(); i = next++) measure(tasks[tasks.size() - 1 - i], of_order);
      });
  }
  fmt::print("// SPDX-License-Identifier: Apache-2.0\n");
  if (of_order)
    fmt::print("// Made by: measure_stability of_order > src/time/stability_of_order.inc (an hour on two cores).\n");
  else
    fmt::print("// Made by: measure_stability > src/time/stability_table.inc (about two minutes on two cores).\n");
  fmt::print(
      "// Scheme, shape, then the largest stable dt times the metric of time/stability.hpp for order 1, 2, ...\n");
  if (of_order) fmt::print("// The largest stable cfl of ader, 3 where it is more.\n");
  for (std::size_t s = 0; s < schemes.size(); ++s)
    for (const Shape shape : shapes) print_row(tasks, schemes[s], shape, [s](const auto& c) { return c.of_schemes[s]; });
  if (!of_order) return 0;
  for (const Shape shape : shapes) print_row(tasks, "rkp1", shape, [](const auto& c) { return c.rkp1; });
  for (const Shape shape : shapes) print_row(tasks, "ader", shape, [](const auto& c) { return c.ader; });
  return 0;
}
