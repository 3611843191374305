// SPDX-License-Identifier: Apache-2.0
// How few derivatives a model's flux needs.
#include "model/flux_cover.hpp"

#include <algorithm>

#include "support.hpp"

namespace swell {
namespace {

bool holds(const FluxCover& cover, const Matrix& entries) {
  const auto among = [](const std::vector<int>& all, int i) { return std::find(all.begin(), all.end(), i) != all.end(); };
  for (int i = 0; i < entries.rows(); ++i)
    for (int j = 0; j < entries.cols(); ++j)
      if (entries(i, j) != 0 && !among(cover.rows, i) && !among(cover.columns, j)) return false;
  return true;
}

TEST(FluxCover, HoldsEveryEntryOfTheFluxOfEachModel) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const ModelIn& model : all_models()) {
    const ModelProbe& probe = probe_of(model);
    const FluxCover cover = find_flux_cover(probe);
    for (int k = 0; k < 20; ++k) {
      Vector n(model.dim);
      for (int d = 0; d < model.dim; ++d) n(d) = any(engine);
      EXPECT_TRUE(holds(cover, probe.flux_matrix(random_material(probe.model(), engine), n))) << model.name << " in " << model.dim << "D";
    }
  }
}

TEST(FluxCover, IsAsSmallAsTheEquationsAllow) {
  const auto size = [](const char* name, int dim) {
    const FluxCover cover = find_flux_cover(probe_of({name, dim}));
    return std::pair(cover.rows.size(), cover.columns.size());
  };
  EXPECT_EQ(size("acoustics", 2), std::pair(std::size_t{1}, std::size_t{1}));
  EXPECT_EQ(size("acoustics", 3), std::pair(std::size_t{1}, std::size_t{1}));
  EXPECT_EQ(size("maxwell-tm", 2), std::pair(std::size_t{1}, std::size_t{1}));
  EXPECT_EQ(size("elastic", 2), std::pair(std::size_t{2}, std::size_t{2}));
  EXPECT_EQ(size("elastic", 3), std::pair(std::size_t{3}, std::size_t{3}));
  EXPECT_EQ(size("maxwell", 3), std::pair(std::size_t{6}, std::size_t{0})) << "each curl needs two of three components";
  EXPECT_EQ(size("advection", 3), std::pair(std::size_t{1}, std::size_t{0}));
}

// König: a least cover is as large as the largest set of entries of which no two share a row or a column.
TEST(FluxCover, OfADiagonalIsTheDiagonalAndOfNothingIsNothing) {
  EXPECT_EQ(least_cover(Matrix::Identity(5, 5)).size(), 5);
  EXPECT_EQ(least_cover(Matrix::Zero(5, 5)).size(), 0);
  Matrix cross = Matrix::Zero(5, 5);
  cross.row(2).setOnes();
  cross.col(3).setOnes();
  const FluxCover cover = least_cover(cross);
  EXPECT_EQ(cover.rows, std::vector<int>{2});
  EXPECT_EQ(cover.columns, std::vector<int>{3});
}

}  // namespace
}  // namespace swell
