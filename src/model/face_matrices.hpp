// SPDX-License-Identifier: Apache-2.0
// The matrices of a derived upwind flux whose waves differ by direction, or whose material varies: one for each place of a
// face, found when a run is set up and kept with the neighbour's material (Model::face_matrix).
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "model/model_probe.hpp"
#include "model/problem.hpp"

namespace swell {

// Gives the model the materials for a matrix, and the flux_upwind that reads them: f* = f_left + P (f_right - f_left).
void add_face_matrix(Problem& problem);

class FaceMatrices {
 public:
  explicit FaceMatrices(const Model& model);
  ~FaceMatrices();

  // Writes P [row][column] for two rows of material and the unit normal from own to behind. Opposite faces get matrices that
  // belong together, so that what leaves one side enters the other.
  void find(const double* own, const double* behind, const double* normal, double* out);

 private:
  struct Medium {
    Matrix mass;
    std::vector<Matrix> flux;  // along each axis
  };
  const Medium& medium(const std::vector<double>& material);
  const Matrix& split(const std::vector<double>& left, const std::vector<double>& right, const std::vector<double>& normal);

  int given_;  // materials before those of the matrix
  std::unique_ptr<Device> device_;
  ModelProbe probe_;
  std::map<std::vector<double>, Medium> media_;
  std::map<std::vector<double>, Matrix> known_;
};

}  // namespace swell
