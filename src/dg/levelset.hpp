// SPDX-License-Identifier: Apache-2.0
// A conservative level set G on a device, in orthonormal modes: transport in a given velocity, and reinitialisation of its
// profile (Olsson and Kreiss 2005). Cells are affine; the interface is where G = 1/2.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/expression.hpp"
#include "dg/levelset_text.hpp"
#include "element/element.hpp"
#include "mesh/mesh.hpp"

namespace swell {

struct LevelSetProblem {
  const Mesh* mesh = nullptr;
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
  // Throws InputError for cells that are not affine.
  LevelSet(LevelSetProblem problem, Device& device);

  const LevelSetProblem& problem() const { return problem_; }
  const ReferenceElement& element() const { return element_; }
  Device& device() { return device_; }
  int modes() const { return element_.node_count; }
  std::int64_t slots() const { return slots_; }
  const std::vector<std::int64_t>& slot_of_cell() const { return slot_of_cell_; }
  std::int64_t dofs() const { return problem_.mesh->cell_count() * modes(); }
  double compile_seconds() const { return compile_seconds_; }

  std::unique_ptr<Buffer> make_state(std::string_view label);
  // Modes of each cell to and from a state; G is the sum of modes(shape, order, point) over them.
  void write_modes(Buffer& state, const std::function<void(std::int64_t cell, double* modes)>& of_cell) const;
  void read_modes(const Buffer& state,
                  const std::function<void(std::int64_t cell, const double* modes)>& of_cell) const;

  // What becomes of the rate.
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
  // The largest sum over the reference directions of |u . grad r_d| in any cell, at the points of the integrals.
  double largest_rate(double t);

  // Restores the profile along the normals that G has now: pseudo-time of about this length (times the thickness), in
  // stabilised steps. `spare` is overwritten; the result is in q.
  void reinitialise(std::unique_ptr<Buffer>& q, std::unique_ptr<Buffer>& spare, double thicknesses);
  // Its parts: the normals that stay, and the right-hand side.
  void take_normals(Buffer& q);
  void profile(Buffer& q, Buffer& next, const Update& update);
  // An upper bound of the rates at which modes decay in it.
  double fastest_decay() const;

  // out = sum of factors * states, of at most three.
  void combine(Buffer& out, std::initializer_list<std::pair<double, const Buffer*>> terms);

 private:
  void place_cells();
  void build_geometry();
  void compile();
  void update_velocity(double t);
  void trace(Buffer& q);
  std::unique_ptr<Buffer> upload(const std::vector<double>& values, std::string_view label);
  // From [slot][row] to what kernels read: [batch][row][lane].
  std::vector<double> by_lanes(const std::vector<double>& rows, int count) const;
  std::int64_t items() const { return slots_ / size_.lanes; }
  Work work(double words, double flops) const;  // of one element

  LevelSetProblem problem_;
  Device& device_;
  ReferenceElement element_;
  LevelSetSize size_;
  Expression factor_{1.0};  // of time, and the field that it multiplies
  std::vector<std::vector<Expression>> field_;
  bool field_in_time_ = false, field_known_ = false;
  double field_time_ = 0;
  std::int64_t slots_ = 0;
  std::vector<std::int64_t> cell_of_slot_, slot_of_cell_;
  double compile_seconds_ = 0, decay_ = 0, crossing_ = 0;  // of diffusion 1 and of waves of speed 1 in the worst cell
  std::unique_ptr<Program> transport_, reinit_, pointwise_;
  std::unique_ptr<Buffer> tables_, affine_, geometry_, face_geometry_, neighbour_, region_;
  std::unique_ptr<Buffer> velocity_, normal_velocity_, traces_, normals_, fluxes_, flux_traces_;
};

}  // namespace swell
