// SPDX-License-Identifier: Apache-2.0
// Measures the constants of the automatic time step and writes src/time/stability_table.inc to standard output.
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include "stability/survey.hpp"

namespace {

using namespace swell;
using namespace swell::stability;

constexpr std::array<Shape, 4> shapes = {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron};
constexpr int krylov_steps = 60;  // 200 steps change no constant in its first four digits

struct Task {
  Shape shape;
  int order;
  Constants constants{};
};

void measure(Task& task) {
  const ReferenceElement element(task.shape, task.order);
  task.constants = measured_constants(EnergyElement(element), acoustics(element.dim), krylov_steps);
  fmt::print(stderr, "{} of order {}: {:.4f}\n", shape_name(task.shape), task.order, fmt::join(task.constants, ", "));
}

}  // namespace

int main() {
  std::vector<Task> tasks;
  for (const Shape shape : shapes)
    for (int order = 1; order <= max_order(shape); ++order) tasks.push_back({shape, order});
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> workers;
    for (unsigned w = 0; w < std::max(1u, std::thread::hardware_concurrency()); ++w)
      workers.emplace_back([&] {
        for (std::size_t i = next++; i < tasks.size(); i = next++) measure(tasks[tasks.size() - 1 - i]);
      });
  }
  fmt::print("// SPDX-License-Identifier: Apache-2.0\n");
  fmt::print(
      "// Made by: measure_stability > src/time/stability_table.inc (about two minutes on two cores).\n");
  fmt::print(
      "// Scheme, shape, then the largest stable dt times the metric of time/stability.hpp for order 1, 2, ...\n");
  for (std::size_t s = 0; s < schemes.size(); ++s)
    for (const Shape shape : shapes) {
      std::vector<double> row;
      for (const Task& task : tasks)
        if (task.shape == shape) row.push_back(task.constants[s]);
      fmt::print("{{\"{}\", Shape::{}, {{{:.4g}}}}},\n", schemes[s], shape_name(shape), fmt::join(row, ", "));
    }
  return 0;
}
