// SPDX-License-Identifier: Apache-2.0
// A discontinuous right-hand side of a problem on a device, whatever its family. Clients take the part that they need: the
// space that it lives on, states() to read and write, observer() to measure.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dg/layout.hpp"
#include "dg/observer.hpp"
#include "dg/states.hpp"
#include "dg/stiffness.hpp"
#include "time/integrator.hpp"

namespace swell {

class HaloExchange;
class Tunable;

class Operator : public RightHandSide {
 public:
  const Problem& problem() const { return problem_; }
  const Elements& elements() const { return elements_; }
  const ReferenceElement& element() const { return element_; }  // of a mesh of one shape
  const Layout& layout() const { return *layout_; }
  const MaterialField& material() const { return *material_; }
  Device& device() const { return device_; }
  int fields() const { return static_cast<int>(problem_.model.fields.size()); }
  std::int64_t dofs() const { return elements_.first_node(layout_->elements) * fields(); }

  virtual const States& states() const = 0;
  virtual Observer& observer() = 0;

  // Changes the state between steps where the model asks for it (a level set restores its profile), after so many steps and at
  // the end of the run; true where it did.
  virtual bool after_step(Buffer& /*q*/, std::int64_t /*step*/, bool /*last*/) { return false; }

  // Rows for a file, fields and counters that only this equation has.
  struct Extras {
    std::string file;                  // empty: no rows
    std::vector<std::string> columns;  // besides the time
    std::function<std::vector<double>(Buffer& q, double t)> row;  // by all ranks together; waits
    std::function<std::vector<std::pair<std::string, std::vector<double>>>(const Buffer& q)> fields;  // by name: [cell][node]
    std::map<std::string, std::int64_t*> counters;  // that go on after a restart
  };
  virtual Extras extras() { return {}; }
  // `of_cells`: that of each cell too, where the family measures cells.
  virtual StiffnessOfShapes stiffness_of_shapes(double end, std::vector<Stiffness>* of_cells = nullptr) = 0;
  Stiffness stiffness(double end) { return stiffness_of_shapes(end).begin()->second; }  // of a mesh of one shape
  // The exchange between ranks; none where there is one rank.
  virtual const HaloExchange* halo() const { return nullptr; }

  // Bytes and flops that one stage needs at least (design: state and residual read and written, geometry and connectivity once).
  virtual Work stage_work() const = 0;
  // Bytes and flops that one step of ADER needs at least, where the family counts them.
  virtual std::optional<Work> advance_work() const { return std::nullopt; }
  // The kernels that have variants; none where each has one form.
  virtual Tunable* tunable() { return nullptr; }
  virtual double compile_seconds() const { return compile_seconds_; }
  // The kernels at work, a line each.
  virtual std::vector<std::string> kernels_in_words() const = 0;

  // Values and indices to and from the device, in the precision of the problem.
  std::unique_ptr<Buffer> upload(const std::vector<double>& values, std::string_view label) const;
  std::unique_ptr<Buffer> upload(const std::vector<std::int32_t>& values, std::string_view label) const;
  std::vector<double> download(const Buffer& buffer, std::size_t count) const;

 protected:
  // The family makes material and layout, once it has checked the problem.
  Operator(Problem problem, Device& device);

  Problem problem_;
  Device& device_;
  double compile_seconds_ = 0;
  Elements elements_;
  const ReferenceElement& element_;  // the first of them
  std::unique_ptr<MaterialField> material_;
  std::unique_ptr<Layout> layout_;
};

// The operator of the problem's family. Throws InputError for what that family cannot do.
std::unique_ptr<Operator> make_operator(Problem problem, Device& device);

}  // namespace swell
