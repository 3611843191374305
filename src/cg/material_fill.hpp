// SPDX-License-Identifier: Apache-2.0
// The material of elements, written on the device by expressions that are data (kernels/continuous/material.h): other
// expressions on the same elements need neither a compiler nor the host's memory.
#pragma once

#include "cg/element_data.hpp"
#include "solve/vectors.hpp"

namespace swell {

class MaterialFill {
 public:
  // Elements of one shape in slots, `lanes` to a batch; problem, rule and slots must outlive this. Its buffers and programs on the device are made at the first
  // use.
  MaterialFill(const DiffusionProblem& problem, Shape shape, const Cubature& rule, const Slots& slots, int lanes, bool steady, Vectors& vectors);

  bool constant() const { return constant(problem_.material); }
  bool constant(const std::vector<DiffusionMaterial>& material) const;  // all are numbers
  // Whether some element has several values at the points of the rule. Waits.
  bool varies();
  // Into `to`: [batch][point][k, rhoC][lane], or where it does not vary [batch][k, rhoC][lane]; made anew where its size is not
  // right. Waits. Throws InputError as element_material().
  void fill(bool varying, std::unique_ptr<Buffer>& to);

  void make_room(bool varying, std::unique_ptr<Buffer>& to) const;  // without filling it
  ProgramText text() const;
  void make();  // makes buffers and programs for expressions, once
  double compile_seconds() const { return compile_seconds_; }

 private:
  int values() const { return steady_ ? 1 : 2; }
  int slots_of_batch() const;  // of what is done at once
  std::int64_t batches() const { return (static_cast<std::int64_t>(slots_.size()) + slots_of_batch() - 1) / slots_of_batch(); }
  int piece() const;  // points at once
  void write_programs();
  void launch(const Buffer& to, bool varying, bool compare);
  std::unique_ptr<Buffer> upload(const std::vector<double>& numbers, std::string_view label) const;
  const Buffer& weights(bool varying);
  int corners() const;  // points of a cell
  std::int32_t read_flag(int which) const;
  void fill_numbers(Buffer& to) const;
  [[noreturn]] void refuse(bool varying) const;

  const DiffusionProblem& problem_;
  Shape shape_;
  const Cubature& rule_;
  const Slots& slots_;
  int lanes_;
  bool steady_;
  Vectors& vectors_;
  Precision precision_;  // of what it computes: double wherever the device can
  double compile_seconds_ = 0;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> node_, corner_, region_, start_, step_, number_, flag_;
  std::unique_ptr<Buffer> weights_[2];  // at the middle, at the points of the rule
};

}  // namespace swell
