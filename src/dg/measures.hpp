// SPDX-License-Identifier: Apache-2.0
// The page's own measures of nodal states: rates of waves, admissible(), quantity_NAME().
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "dg/layout.hpp"
#include "dg/monitor.hpp"
#include "time/step_control.hpp"

namespace swell {

class Measures : public StateRates {
 public:
  Measures(const Problem& problem, const Elements& elements, const Layout& layout, const MaterialField& material, Device& device);

  void note_rates(const Buffer& q, double t) override;
  double largest_rate() override;

  const std::vector<std::string>& quantities() const { return problem_.model.quantities; }
  // Queues the integral of a quantity into a place of a log that a monitor of this device made.
  void note_quantity(std::size_t number, const Buffer& q, double t, Buffer& log, std::int64_t place);
  double quantity(std::size_t number, const Buffer& q, double t);  // waits

  // Queues a check for nodes that are not admissible; the index of the verdict counts [node of a state][condition].
  void watch(const Buffer& q, std::int64_t step, double t);
  Verdict verdict() const { return monitor_->verdict(); }  // waits
  void forget() { monitor_->forget(); }
  double compile_seconds() const { return compile_seconds_; }
  // As the kernels of kernels/nodal/measures.h take them.
  int material_rows(const ReferenceElement& element) const { return material_at_nodes_ ? element.node_count : 1; }
  const Buffer& material() const { return *material_rows_; }
  const Buffer& region() const { return *region_; }
  const Buffer& weight() const { return *weight_; }
  // [slot]: 1 where the state is rough, so that steps are shorter there. Who keeps shocks in hand fills it.
  Buffer& roughness() { return *roughness_; }

 private:
  void upload_material();
  void upload_geometry();
  void note_largest(const Buffer& values, std::int64_t place);
  const Kernel& kernel(const Group& group, const char* name) const { return programs_.at(group.shape)->kernel(name); }
  Work work(const Group& group, double flops) const;

  const Problem& problem_;
  const Elements& elements_;
  const Layout& layout_;
  const MaterialField& material_;
  Device& device_;
  double compile_seconds_ = 0;
  std::map<Shape, std::unique_ptr<Program>> programs_;
  std::int64_t directions_ = 0;
  bool material_at_nodes_ = false;  // a row for each node of a state, else for each slot
  std::unique_ptr<Buffer> material_rows_, region_, metric_, weight_, direction_;
  std::unique_ptr<Buffer> rates_, partial_, largest_, roughness_;
  std::unique_ptr<Buffer> marks_, integrals_, integral_;  // of the nodes of a state, of elements, of all
  std::unique_ptr<Monitor> monitor_;
};

}  // namespace swell
