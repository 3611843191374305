// SPDX-License-Identifier: Apache-2.0
// Faces of one shape with a flux or a heat transfer on the device: what they add to products, diagonals and right-hand sides.
#pragma once

#include <functional>
#include <limits>

#include "cg/products.hpp"

namespace swell {

// All is queued only. Entries of y from `count` on stay unchanged.
class HeatFaces {
 public:
  explicit HeatFaces(Vectors& vectors) : vectors_(vectors) {}
  // Renews the data of the faces of this shape for the boundaries that the problem has now. `takes`: which entries of a vector receive a contribution;
  // all, where it is empty. `interior`: the number of entries that no other rank has, which are the first. Waits.
  void renew(const DiffusionProblem& problem, const Elements& elements, Shape face, const Numbering& numbering,
             const std::function<bool(std::int32_t place)>& takes = {},
             std::int64_t interior = std::numeric_limits<std::int64_t>::max());

  const FaceData& data() const { return data_; }
  bool transfers() const { return data_.transfers; }  // on this rank
  // Applied in parts, as the products of the elements (cg/products.hpp); the results of all faces come with the first part.
  void apply(double b, const Buffer& x, Buffer& y, std::int64_t count, Part part);
  void diagonal(double b, Buffer& y, std::int64_t count, Part part);
  // `loads` has the text of load_text().
  void load(const Program& loads, double t, Buffer& y, std::int64_t count, Part part);
  // Applies both parts at once.
  void apply(double b, const Buffer& x, Buffer& y, std::int64_t count) {
    for (const Part part : both_parts) apply(b, x, y, count, part);
  }
  void diagonal(double b, Buffer& y, std::int64_t count) {
    for (const Part part : both_parts) diagonal(b, y, count, part);
  }
  void load(const Program& loads, double t, Buffer& y, std::int64_t count) {
    for (const Part part : both_parts) load(loads, t, y, count, part);
  }
  void invert(Buffer& y, std::int64_t count);  // each of the first entries becomes its inverse
  double compile_seconds() const { return compile_seconds_; }

 private:
  void gather(Buffer& y, std::int64_t count, Part part);
  void launch(const Program& program, const char* kernel, Items items, std::initializer_list<Argument> arguments,
              const Work& work = {});

  Vectors& vectors_;
  FaceData data_;
  std::int64_t unknowns_ = 0, interior_ = 0;  // on faces; of them on no other rank
  double compile_seconds_ = 0;
  std::unique_ptr<Program> program_;
  std::string text_;  // of the program
  std::unique_ptr<Buffer> unknown_, list_, start_, place_, transfer_, trace_, result_, points_, weight_, boundary_;
};

}  // namespace swell
