// SPDX-License-Identifier: Apache-2.0
// The forms in which continuous elements are applied: each makes a M + b K, its diagonal and the integrals of the source from
// equal data, in an order of its own.
#pragma once

#include "cg/element_data.hpp"
#include "solve/vectors.hpp"

namespace swell {

// The cells of one shape, from which all forms start; it must outlive them.
struct ElementSet {
  const DiffusionProblem& problem;
  const Elements& elements;          // of all shapes
  const ReferenceElement& element;   // of these cells
  const Cubature& rule;
  const Numbering& numbering;
  const std::vector<std::int64_t>& order;  // the cells along a curve
  Vectors& vectors;
  bool affine, steady;
  std::int64_t interior;  // unknowns that no other rank has; they are the first

  const std::int32_t* unknowns_of(std::int64_t cell) const { return numbering.of_node.data() + elements.first_node(cell); }
};

// A product in two parts, so that messages can leave between them: first the entries that other ranks need, then the rest.
enum class Part : unsigned char { border, inside };
inline constexpr Part both_parts[] = {Part::border, Part::inside};

// All is queued only. `count` entries of y are written, once both parts are done in this order.
class HeatProducts {
 public:
  virtual ~HeatProducts() = default;
  virtual void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count, Part part) = 0;
  virtual void diagonal(double a, double b, Buffer& y, std::int64_t count, Part part) = 0;
  // The integrals of the problem's source at time t.
  virtual void load(double t, Buffer& y, std::int64_t count, Part part) = 0;
  // The problem has other materials, or another source. Waits.
  virtual void renew_material() = 0;
  virtual void renew_source() = 0;
  // See HeatOperator::texts_for().
  virtual std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const = 0;
  virtual void expect(const std::vector<DiffusionMaterial>& material) = 0;
  virtual Work work() const = 0;  // of both parts of apply()
  // Sums that apply() leaves, which add up to x . y where x is 0 at the entries that are not written; nullptr: none.
  virtual const Buffer* dots() const { return nullptr; }
  virtual std::int64_t dot_count() const { return 0; }
  virtual double compile_seconds() const = 0;

 protected:
  double compile_seconds_ = 0;
};

// A set for each shape, which differ in their cells only.
std::unique_ptr<HeatProducts> products_by_blocks(const std::vector<ElementSet>& sets);
std::unique_ptr<HeatProducts> products_by_vertices(const std::vector<ElementSet>& sets);

}  // namespace swell
