// SPDX-License-Identifier: Apache-2.0
// Material that varies inside straight simplices, for models whose flux does not depend on it: the mass is inverted by weights at
// points (Chan, Hewett and Warburton 2017; where it couples fields, Chan 2018), and a face has one material on each of its sides.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "mesh/elements.hpp"
#include "model/material.hpp"
#include "model/model_probe.hpp"

namespace swell {

class AdjustedMass {
 public:
  AdjustedMass(const Problem& problem, const Elements& elements, const MaterialField& material);
  ~AdjustedMass();

  // False where nothing varies, or where the problem needs quadrature: the flux depends on material, material depends on time, the
  // model is not linear, the elements are not all simplices of one shape.
  bool possible() const { return possible_; }

  // Fields whose balance passes through the points, since their row of the inverse mass varies or is coupled to one that does;
  // and fields whose values do, since the reaction needs them there. All others have one mass in each element.
  const std::vector<int>& moving() const { return moving_; }
  const std::vector<int>& reacting() const { return reacting_; }
  // At a point, rate[row] = sum of factor weight[..] times the balance of a moving field, or the value of a reacting one.
  struct Term {
    int row = 0, column = 0;  // places in moving(), and in moving() or reacting()
    bool reaction = false;
    int weight = 0;
    double factor = 1;
  };
  const std::vector<Term>& terms() const { return terms_; }
  int weights() const { return static_cast<int>(entries_.size()); }  // numbers a point
  Matrix weigh(const Matrix& material) const;                        // rows of material -> [row][weight]

  // Whether this face takes one material on each side, the mean of what varies there: it is flat, and nothing jumps along it. Then
  // writes these materials; the cell on the other side finds the same.
  bool face(std::int64_t cell, int face, double* own, double* behind) const;

 private:
  struct Entry {
    int row = 0, column = 0;  // fields
    bool reaction = false;
  };
  Matrix rates(const Matrix& material, int column, bool reaction) const;
  std::vector<char> varying_parameters(const MaterialField& material) const;
  bool find_fields(const std::vector<char>& varying);
  void find_weights();
  bool varies_little(std::int64_t cell, int face, bool boundary, double* mean) const;

  const Problem& problem_;
  const MaterialField& material_;
  bool possible_ = false;
  std::unique_ptr<Device> device_;
  std::unique_ptr<ModelProbe> probe_;
  std::vector<Matrix> samples_;       // materials, one row each
  std::vector<char> counts_;          // [parameter]: the mass depends on it
  std::vector<int> moving_, reacting_;
  std::vector<Entry> entries_;
  std::vector<Term> terms_;
  std::vector<CellMap> faces_;  // points of each face
  Vector face_weights_;
};

}  // namespace swell
