// SPDX-License-Identifier: Apache-2.0
// Shared parts of the tests of this room: one device with a kernel cache that stays beside the program, the models, random
// numbers.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

#include "device/device.hpp"
#include "model/model_probe.hpp"

namespace swell {

// The cache is kept between runs of the tests, so that only what has changed is compiled again.
inline void keep_cache_beside_program() {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kernel-cache";
  setenv("SWELL_CACHE", folder.c_str(), 0);
}

inline Device& test_device() {
  keep_cache_beside_program();
  static const auto device = open_device("cpu");
  return *device;
}

struct ModelIn {
  std::string name;
  int dim;
  bool waves() const { return name != "advection"; }
  bool carried() const { return name == "linear-euler"; }  // waves in a flow, whose flux is not symmetric
};

inline std::vector<ModelIn> all_models() {
  return {{"advection", 1},    {"advection", 2},    {"advection", 3},   {"acoustics", 1},   {"acoustics", 2},
          {"acoustics", 3},    {"maxwell-tem", 1},  {"maxwell-tm", 2},  {"maxwell-te", 2},  {"maxwell", 3},
          {"elastic", 1},      {"elastic", 2},      {"elastic", 3},     {"linear-euler", 1}, {"linear-euler", 2},
          {"linear-euler", 3}};
}

inline std::string test_name(const ModelIn& model) {
  std::string name = model.name + std::to_string(model.dim) + "d";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// One for each model and dimension, compiled when first asked for.
inline const ModelProbe& probe_of(const ModelIn& model) {
  static std::map<std::string, std::unique_ptr<ModelProbe>> all;
  auto& found = all[test_name(model)];
  if (!found) found = std::make_unique<ModelProbe>(load_model(model.name, model.dim), test_device());
  return *found;
}

class Random {
 public:
  explicit Random(unsigned seed = 1) : engine_(seed) {}
  double between(double low, double high) { return low + (high - low) * std::generate_canonical<double, 53>(engine_); }

  Matrix matrix(Eigen::Index rows, Eigen::Index columns, double low = -1, double high = 1) {
    Matrix out(rows, columns);
    for (Eigen::Index i = 0; i < out.size(); ++i) out.data()[i] = between(low, high);
    return out;
  }
  Matrix unit_rows(Eigen::Index rows, int dim) {
    Matrix out = matrix(rows, dim);
    for (Eigen::Index i = 0; i < rows; ++i)
      while (out.row(i).norm() < 0.1) out.row(i) = matrix(1, dim);
    return out.rowwise().normalized();
  }
  // Physical values for every parameter of the model.
  Matrix materials(const Model& model, Eigen::Index rows) {
    Matrix out = Matrix::Zero(rows, std::max<Eigen::Index>(1, model.material.size()));
    for (std::size_t i = 0; i < model.material.size(); ++i) {
      const auto range = model.material[i].range;
      const double low = range == Parameter::Range::any ? -1 : range == Parameter::Range::positive ? 0.4 : 0;
      out.col(i) = matrix(rows, 1, low, 2.5);
    }
    return out;
  }

 private:
  std::mt19937_64 engine_;
};

inline double largest(const Matrix& m) { return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff(); }

}  // namespace swell
