// SPDX-License-Identifier: Apache-2.0
// Faces with a flux or a heat transfer on the device: what they add to products, diagonals and right-hand sides.
#pragma once

#include <functional>

#include "cg/element_data.hpp"
#include "solve/vectors.hpp"

namespace swell {

// All is queued only. `count`: numbers of y from there on are left alone.
class HeatFaces {
 public:
  explicit HeatFaces(Vectors& vectors) : vectors_(vectors) {}
  // For the boundaries that the problem has now. `takes`: which places of a vector take something; all, where it is empty. Waits.
  void renew(const HeatProblem& problem, const ReferenceElement& element, const Numbering& numbering,
             const std::function<bool(std::int32_t place)>& takes = {});

  const FaceData& data() const { return data_; }
  bool transfers() const { return data_.transfers; }  // on this rank
  void apply(double b, const Buffer& x, Buffer& y, std::int64_t count);
  void diagonal(double b, Buffer& y, std::int64_t count);
  // `loads` has the text of load_text().
  void load(const Program& loads, double t, Buffer& y, std::int64_t count);
  void invert(Buffer& y, std::int64_t count);  // each of the first numbers becomes its inverse
  double compile_seconds() const { return compile_seconds_; }

 private:
  void gather(Buffer& y, std::int64_t count);
  void launch(const Program& program, const char* kernel, std::int64_t items, std::initializer_list<Argument> arguments,
              const Work& work = {});

  Vectors& vectors_;
  FaceData data_;
  std::int64_t unknowns_ = 0;
  double compile_seconds_ = 0;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> unknown_, list_, start_, place_, transfer_, trace_, result_, points_, weight_, boundary_;
};

}  // namespace swell
