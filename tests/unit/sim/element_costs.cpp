// SPDX-License-Identifier: Apache-2.0
// Weights of the elements in the partition of a mesh.
#include "sim/element_costs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "case/problem_of_case.hpp"
#include "mesh/partition.hpp"

namespace swell {
namespace {

Case with_points(const char* scheme, const char* family) {
  return parse_case(fmt::format("[mesh]\nbox = {{ low = [0, 0], high = [1, 1], cells = [12, 12], element = \"quadrilateral\" }}\n"
                                "[model]\nname = \"acoustics\"\norder = 4\nfamily = \"{}\"\n"
                                "[[source.point]]\nat = [0.21, 0.23]\nfield = \"p\"\nsignal = \"sin(t)\"\n"
                                "[time]\nend = 1\nscheme = \"{}\"\n",
                                family, scheme),
                    "points.toml");
}

TEST(ElementCosts, WeighTheElementsThatAderPredictsWithTheirNeighbours) {
  for (const char* family : {"nodal", "modal"}) {
    const Case c = with_points("ader", family);
    const Mesh mesh = mesh_of_case(c);
    const Problem problem = problem_of_case(c, mesh);
    const std::vector<double> costs = element_costs(problem);
    ASSERT_EQ(costs.size(), 144u) << family;
    const double near = *std::max_element(costs.begin(), costs.end());
    EXPECT_GT(near, 2) << "4 evaluations of the right-hand side besides";
    for (std::size_t cell = 0; cell < costs.size(); ++cell) EXPECT_EQ(costs[cell], problem.near_points[cell] ? near : 1);
    const std::vector<std::int32_t> part = partition(mesh, {PartitionKind::slabs, 2, {}, costs});
    EXPECT_LT(std::count(part.begin(), part.end(), part[0]), 65) << "the part that holds the source has fewer elements";
  }
}

TEST(ElementCosts, AreEqualWhereAPointSourceCostsNothing) {
  const Case c = with_points("lsrk54", "nodal");
  const Mesh mesh = mesh_of_case(c);
  EXPECT_TRUE(element_costs(problem_of_case(c, mesh)).empty());
}

}  // namespace
}  // namespace swell
