// SPDX-License-Identifier: Apache-2.0
#include "dg/levelset/levelset.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/timer.hpp"
#include "dg/transfer.hpp"

namespace swell {

namespace {

// Below this part of the profile's own gradient a direction is noise.
constexpr double least_gradient = 0.01;
// Stages of the scheme in pseudo-time: more of them cover more, but a step must not be long against a cell.
constexpr int reinit_stages = 10;  // even, so that the last stage writes where the first one read
constexpr double reinit_damping = 2;

// Chebyshev polynomials at w0 and their derivatives.
struct Chebyshev {
  std::array<double, reinit_stages + 1> value{1, w0}, slope{0, 1};
  static constexpr double w0 = 1 + reinit_damping / (reinit_stages * reinit_stages);
  Chebyshev() {
    for (int j = 2; j <= reinit_stages; ++j) {
      value[j] = 2 * w0 * value[j - 1] - value[j - 2];
      slope[j] = 2 * value[j - 1] + 2 * w0 * slope[j - 1] - slope[j - 2];
    }
  }
  double w1() const { return value[reinit_stages] / slope[reinit_stages]; }
  double reach() const { return (w0 + 1) / w1(); }  // the fastest decay in a step of length 1
};

}  // namespace

std::unique_ptr<Buffer> LevelSet::make_state(std::string_view label) {
  return device_.allocate(slots_ * modes() * bytes_of(problem_.precision), label);
}

void LevelSet::write_modes(Buffer& state, const std::function<void(std::int64_t, double*)>& of_cell) const {
  std::vector<double> rows(slots_ * modes(), 0.0);
  for (std::int64_t slot = 0; slot < slots_; ++slot)
    if (cell_of_slot_[slot] >= 0) of_cell(cell_of_slot_[slot], &rows[slot * modes()]);
  write_reals(problem_.precision, state, by_lanes(rows, modes()), 0);
}

void LevelSet::read_modes(const Buffer& state, const std::function<void(std::int64_t, const double*)>& of_cell) const {
  const std::vector<double> values = download_reals(problem_.precision, state, slots_ * modes());
  std::vector<double> own(modes());
  for (std::int64_t slot = 0; slot < slots_; ++slot) {
    if (cell_of_slot_[slot] < 0) continue;
    for (int m = 0; m < modes(); ++m)
      own[m] = values[(slot / size_.width * modes() + m) * size_.width + slot % size_.width];
    of_cell(cell_of_slot_[slot], own.data());
  }
}

std::int64_t LevelSet::words(bool with_reinitialisation) const {
  const int dim = size_.dim, faces = size_.faces * size_.face_modes;
  const int geometry = dim * (dim + 1) + dim * dim + 1 + size_.faces * (dim + 4);
  const int neighbours = size_.faces * 2 + 1;  // as numbers of half the size or of the same: counted in full
  std::int64_t rows = geometry + neighbours + dim * size_.modes + 2 * faces;
  if (with_reinitialisation) rows += size_.points() * (dim + 1) + size_.modes * (dim + 1) + faces;
  return slots_ * rows;
}

Work LevelSet::work(double words, double flops) const {
  const double elements = static_cast<double>(problem_.mesh->own_count());
  return {words * elements * static_cast<double>(bytes_of(problem_.precision)), flops * elements};
}

void LevelSet::update_velocity(double t) {
  if (field_known_ && (!field_in_time_ || field_time_ == t)) return;
  device_.queue().launch(
      of_velocity_->kernel("project_velocity"), scalar_items(),
      {*velocity_, *normal_velocity_, *affine_, *geometry_, *face_geometry_, *region_, *tables_, Argument::time(t)},
      work(size_.dim * size_.modes + size_.faces * size_.face_modes, 0));
  field_known_ = true;
  field_time_ = t;
}

double LevelSet::largest_rate(double t) {
  const double place[4] = {0, 0, 0, t};
  auto rates = device_.allocate(slots_ * bytes_of(problem_.precision), "rates");
  device_.queue().launch(of_velocity_->kernel("largest_rates"), scalar_items(),
                         {*rates, *affine_, *geometry_, *region_, *tables_, Argument::time(t)}, work(1, 0));
  const std::vector<double> all = download_reals(problem_.precision, *rates, slots_);
  return problem_.ranks->largest(*std::max_element(all.begin(), all.end())) * std::abs(factor_(place));
}

// State and residual read and written, velocity and traces read; the sums of three directions for each of the fields.
Work LevelSet::transport_work() const {
  const double modes_count = size_.modes, faces = static_cast<double>(size_.faces) * size_.face_modes, dim = size_.dim;
  double to_points = 2.0 * size_.points() * modes_count, to_face = 2.0 * size_.face_points() * size_.face_modes;
  if (!is_simplex(size_.shape)) {
    const double line = size_.order + 1.0,
                 wide = static_cast<double>(cubature(Shape::line, 3 * size_.order).points.rows());
    to_points = to_face = 0;
    for (int d = 0; d < size_.dim; ++d) to_points += 2 * std::pow(line, size_.dim - d) * std::pow(wide, d + 1);
    for (int d = 0; d + 1 < size_.dim; ++d) to_face += 2 * std::pow(line, size_.dim - 1 - d) * std::pow(wide, d + 1);
  }
  const double flops = (1 + 2 * dim) * to_points + dim * size_.points() +
                       size_.faces * (4 * to_face + 4.0 * size_.face_points() + 4 * modes_count);
  return work((4 + dim) * modes_count + 3 * faces + modes_count, flops);
}

void LevelSet::transport(double t, Buffer& q, Buffer& next, const Update& update) {
  update_velocity(t);
  const double place[4] = {0, 0, 0, t};
  with_traces(q, [&](Items some) {
    launch(transport_->kernel("transport"), some,
           {q, next, update.residual ? *update.residual : next, *traces_, *velocity_, *normal_velocity_, *neighbour_,
            *tables_, static_cast<std::int64_t>(update.kind), Argument::real(factor_(place)), Argument::real(update.a),
            Argument::real(update.b), Argument::real(update.dt)},
           transport_work());
  });
}

void LevelSet::take_normals(Buffer& q, Restore which) {
  if (!reinit_) {
    const Stopwatch clock;
    reinit_ = device_.compile(levelset_reinit_text(size_, problem_.precision));
    compile_seconds_ += clock.seconds();
    const std::size_t word = bytes_of(problem_.precision);
    normals_ = device_.allocate(slots_ * size_.points() * (size_.dim + 1) * word, "normals");
    fluxes_ = device_.allocate(slots_ * size_.modes * size_.dim * word, "fluxes");
    flux_traces_ = device_.allocate(trace_slots_ * size_.faces * size_.face_modes * word, "traces of fluxes");
  }
  const double least = least_gradient / problem_.thickness;
  with_traces(q, [&](Items some) {
    launch(reinit_->kernel("normals_of_state"), some,
           {q, *traces_, *normals_, *geometry_, *face_geometry_, *neighbour_, *tables_, Argument::real(least * least),
            Argument::real(problem_.thickness), std::int64_t{which == Restore::both}},
           work(size_.modes + 2.0 * size_.faces * size_.face_modes + size_.points() * (size_.dim + 1.0), 0));
  });
}

void LevelSet::with_traces(Buffer& q, const std::function<void(Items)>& use) {
  const auto make = [&](Items some) {
    launch(transport_->kernel("traces_of_state"), some, {q, *traces_, *tables_},
           work(size_.modes + size_.faces * size_.face_modes, 2.0 * size_.faces * size_.modes));
  };
  with_neighbours(*traces_, make, use);
}

// `work` is that of all elements.
void LevelSet::launch(const Kernel& kernel, Items some, std::initializer_list<Argument> arguments, const Work& work) {
  if (some.count == 0) return;
  const double part = static_cast<double>(some.count) / static_cast<double>(items());
  device_.queue().launch(kernel, some, arguments, {part * work.bytes, part * work.flops});
}

void LevelSet::profile(Buffer& q, Buffer& next, const Update& update) {
  const double faces = static_cast<double>(size_.faces) * size_.face_modes, points = size_.points(), dim = size_.dim;
  with_traces(q, [&](Items some) {
    launch(reinit_->kernel("profile_fluxes"), some,
           {q, *traces_, *normals_, *fluxes_, *flux_traces_, *geometry_, *face_geometry_, *neighbour_, *tables_,
            Argument::real(problem_.thickness)},
           work((1 + dim) * size_.modes + 3 * faces + points * (dim + 1), 0));
  });
  const auto made = [](Items) {};
  with_neighbours(*flux_traces_, made, [&](Items some) {
    launch(reinit_->kernel("reinitialise"), some,
           {q, next, update.residual ? *update.residual : next, *traces_, *fluxes_, *flux_traces_, *geometry_,
            *face_geometry_, *neighbour_, *tables_, static_cast<std::int64_t>(update.kind), Argument::real(update.a),
            Argument::real(update.b), Argument::real(update.dt)},
           work((4 + dim) * size_.modes + 4 * faces, 0));
  });
}

std::int64_t LevelSet::reinitialisation_steps(double thicknesses) const {
  const double rate = std::max(fastest_decay() / Chebyshev().reach(), crossing_ * (size_.order + 1.0));
  return static_cast<std::int64_t>(std::ceil(thicknesses * problem_.thickness * rate));
}

// The first-order Runge-Kutta-Chebyshev scheme (Verwer 1996): a step of s stages is stable for decays up to about 2 s^2 /
// step, with damping so that the compression's waves are stable too. Accuracy in pseudo-time does not matter: its end does. The
// weights of two stages add up to 1 without rounding, or the integral of G would grow or shrink in every stage alike.
void LevelSet::reinitialise(Buffer& q, double thicknesses, Restore which) {
  const Chebyshev polynomials;
  const auto& value = polynomials.value;
  const double w0 = Chebyshev::w0, w1 = polynomials.w1();
  const std::int64_t steps = reinitialisation_steps(thicknesses);
  const double dt = thicknesses * problem_.thickness / static_cast<double>(steps);
  if (!spare_) spare_ = make_state("state of a stage");
  take_normals(q, which);
  for (std::int64_t step = 0; step < steps; ++step) {
    profile(q, *spare_, Update::recurrence(q, 0, 1, w1 / w0 * dt));
    Buffer *newest = spare_.get(), *before = &q;
    for (int j = 2; j <= reinit_stages; ++j) {
      const double weight = 2 * w0 * value[j - 1] / value[j];  // from 1 to 2
      const double b = problem_.precision == Precision::single_ ? static_cast<float>(weight) : weight;
      profile(*newest, *before, Update::recurrence(*before, 1 - b, b, 2 * w1 * value[j - 1] / value[j] * dt));
      std::swap(newest, before);
    }
  }
}

void LevelSet::measure(Buffer& q, Buffer& out) {
  device_.queue().launch(of_velocity_->kernel("measure"), scalar_items(),
                         {q, *geometry_, *tables_, out, slots_, Argument::real(problem_.thickness)},
                         work(size_.modes + measures, 0));
}

void LevelSet::sample(Buffer& q, const Buffer& slots, const Buffer& weights, Buffer& samples, std::int64_t count,
                      std::int64_t offset) {
  device_.queue().launch(
      of_state_->kernel("sample"), count, {q, slots, weights, samples, offset},
      {static_cast<double>(count * modes() * 2) * static_cast<double>(bytes_of(problem_.precision)), 0});
}

double LevelSet::fastest_decay() const { return problem_.thickness * decay_; }

void LevelSet::combine(Buffer& out, std::span<const std::pair<double, const Buffer*>> terms) {
  std::array<std::pair<double, const Buffer*>, 4> all;
  all.fill({0.0, terms[0].second});
  std::copy(terms.begin(), terms.end(), all.begin());
  const std::int64_t words = slots_ * modes();
  const std::int64_t stride = device_.info().simt ? 1 : std::int64_t{modes()} * size_.width;
  const auto count = static_cast<std::int64_t>(terms.size());
  device_.queue().launch(
      of_state_->kernel("combine"), words / stride,
      {out, *all[0].second, Argument::real(all[0].first), *all[1].second, Argument::real(all[1].first), *all[2].second,
       Argument::real(all[2].first), *all[3].second, Argument::real(all[3].first), stride, count},
      work(modes() * (count + 1.0), 2.0 * modes() * static_cast<double>(count)));
}

}  // namespace swell
