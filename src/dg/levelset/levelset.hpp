// SPDX-License-Identifier: Apache-2.0
// A conservative level set G on a device, in orthonormal modes: transport in a given velocity, and reinitialisation of its
// profile (Olsson and Kreiss 2005). Cells are affine; the interface is where G = 1/2.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/expression.hpp"
#include "dg/halo.hpp"
#include "dg/levelset/text.hpp"
#include "element/element.hpp"
#include "mesh/mesh.hpp"

namespace swell {

struct LevelSetProblem {
  const Mesh* mesh = nullptr;
  Ranks* ranks = &lone_rank();
  int order = 3;
  Precision precision = Precision::double_;
  double thickness = 0;                           // eps of the profile 1 / (1 + exp(d / eps))
  std::vector<std::vector<Expression>> velocity;  // [region][axis], in x, y, z, t
  std::vector<char>
      closed;  // [boundary of the mesh, then one for sides without a name]: a wall; else G leaves or enters
               // with the value that it has inside
};

class LevelSet {
 public:
  // `cell_of_slot`: the order of the cells, -1 for padding; empty: along a space-filling curve. Throws InputError for cells
  // that are not affine.
  LevelSet(LevelSetProblem problem, Device& device, std::vector<std::int64_t> cell_of_slot = {});

  const LevelSetProblem& problem() const { return problem_; }
  const LevelSetSize& size() const { return size_; }
  const ReferenceElement& element() const { return element_; }
  Device& device() { return device_; }
  int modes() const { return element_.node_count; }
  std::int64_t slots() const { return slots_; }
  const std::vector<std::int64_t>& slot_of_cell() const { return slot_of_cell_; }
  std::int64_t dofs() const { return problem_.mesh->own_count() * modes(); }
  // Numbers in its buffers, with or without those of a reinitialisation.
  std::int64_t words(bool with_reinitialisation) const;
  double compile_seconds() const { return compile_seconds_; }
  const HaloExchange* halo() const { return halo_.get(); }

  std::unique_ptr<Buffer> make_state(std::string_view label);
  // Modes of each cell to and from a state; G is the sum of modes(shape, order, point) over them.
  void write_modes(Buffer& state, const std::function<void(std::int64_t cell, double* modes)>& of_cell) const;
  void read_modes(const Buffer& state,
                  const std::function<void(std::int64_t cell, const double* modes)>& of_cell) const;

  // The use of the rate: stored, or part of a stage.
  struct Update {
    enum class Kind { rate, low_storage, recurrence };
    Kind kind = Kind::rate;  // next = rate
    Buffer* residual = nullptr;
    double a = 0, b = 0, dt = 0;
    // residual = a residual + dt rate, next = q + b residual
    static Update low_storage(Buffer& residual, double a, double b, double dt) {
      return {Kind::low_storage, &residual, a, b, dt};
    }
    // next = b q + a before + dt rate; next may be `before`
    static Update recurrence(Buffer& before, double a, double b, double dt) {
      return {Kind::recurrence, &before, a, b, dt};
    }
  };
  void transport(double t, Buffer& q, Buffer& next, const Update& update);
  Work transport_work() const;
  // The most that u times the metric of time/stability.hpp is in any cell, at the points of the integrals.
  double largest_rate(double t);
  bool velocity_in_time() const { return field_in_time_ || factor_.uses("t"); }

  // The part that is restored: the profile of elements where it is thicker than it should be, or also where it is thinner.
  enum class Restore { thick, both };
  // Restores the profile along the normals that G has now, over a pseudo-time of so many thicknesses.
  void reinitialise(Buffer& q, double thicknesses, Restore which = Restore::both);
  std::int64_t reinitialisation_steps(double thicknesses) const;  // in pseudo-time
  // Its parts: the normals that stay, and the right-hand side.
  void take_normals(Buffer& q, Restore which);
  void profile(Buffer& q, Buffer& next, const Update& update);
  // An upper bound of the rates at which modes decay in it.
  double fastest_decay() const;

  // The sums of each element into `out` [kind][slot]: the integrals of G, G^2 / 2, G (1 - G) and |grad G|, and what G (1 - G) has above
  // the profile's where it would be restored.
  enum Measure { mass, energy, spread, surface, excess, measures };
  void measure(Buffer& q, Buffer& out);
  // Values at points, each with a slot and its modes' weights, into samples from `offset` on.
  void sample(Buffer& q, const Buffer& slots, const Buffer& weights, Buffer& samples, std::int64_t count,
              std::int64_t offset);
  // out = sum of factors * states, of at most four.
  void combine(Buffer& out, std::span<const std::pair<double, const Buffer*>> terms);

 private:
  void place_cells();
  void build_geometry();
  void compile();
  void update_velocity(double t);
  void build_halo();
  // Makes traces of `q`, then does what reads them and the neighbours': `use` of the elements inside, while the traces of other
  // ranks are on their way, then of those that touch them.
  void with_traces(Buffer& q, const std::function<void(Items)>& use);
  void with_neighbours(Buffer& traces, const std::function<void(Items)>& make, const std::function<void(Items)>& use);
  void launch(const Kernel& kernel, Items some, std::initializer_list<Argument> arguments, const Work& work);
  std::unique_ptr<Buffer> upload(const std::vector<double>& values, std::string_view label);
  // From [slot][row] to what kernels read: [batch][row][lane].
  std::vector<double> by_lanes(const std::vector<double>& rows, int count) const;
  std::int64_t items() const { return slots_ / (size_.team ? size_.elements : size_.lanes); }
  std::int64_t scalar_items() const { return size_.team ? items() : slots_; }  // of kernels without vectors
  Work work(double words, double flops) const;                                 // of one element

  LevelSetProblem problem_;
  Device& device_;
  ReferenceElement element_;
  std::vector<std::int64_t> cell_of_slot_, slot_of_cell_;
  LevelSetSize size_;
  Expression factor_{1.0};  // of time, and the field that it multiplies
  std::vector<std::vector<Expression>> field_;
  bool field_in_time_ = false, field_known_ = false;
  double field_time_ = 0;
  std::int64_t slots_ = 0, trace_slots_ = 0;  // of its elements; with the halo behind them, which has traces only
  std::unique_ptr<HaloExchange> halo_;        // where there are other ranks
  std::int64_t inner_ = 0;                    // items without an element that touches them
  double compile_seconds_ = 0, decay_ = 0, crossing_ = 0;  // of diffusion 1 and of waves of speed 1 in the worst cell
  std::unique_ptr<Program> transport_, reinit_, of_velocity_, of_state_;
  std::unique_ptr<Buffer> tables_, affine_, geometry_, face_geometry_, neighbour_, region_;
  std::unique_ptr<Buffer> velocity_, normal_velocity_, traces_, normals_, fluxes_, flux_traces_, spare_;
};

}  // namespace swell
