// SPDX-License-Identifier: Apache-2.0
#include "cg/material_fill.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/expression_steps.hpp"
#include "base/host_threads.hpp"
#include "base/timer.hpp"
#include "cg/text.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

// Places that one step works on where lanes are no threads: enough that choosing what to do takes no time, few enough that all
// registers stay in the first cache.
constexpr int chunk_places = 128;
constexpr int batch_slots = 8;  // where elements are no lanes

}  // namespace

MaterialFill::MaterialFill(const DiffusionProblem& problem, Shape shape, const Cubature& rule, const Slots& slots, int lanes,
                           bool steady, Vectors& vectors)
    : problem_(problem),
      shape_(shape),
      rule_(rule),
      slots_(slots),
      lanes_(lanes),
      steady_(steady),
      vectors_(vectors),
      precision_(vectors.device().info().doubles ? Precision::double_ : Precision::single_) {}

bool MaterialFill::constant(const std::vector<DiffusionMaterial>& material) const {
  return std::all_of(material.begin(), material.end(), [&](const DiffusionMaterial& m) {
    return m.conductivity.is_constant() && (steady_ || m.capacity.is_constant());
  });
}

int MaterialFill::piece() const {
  return vectors_.device().info().simt ? 1 : std::max(1, chunk_places / slots_of_batch());
}

int MaterialFill::slots_of_batch() const {
  return lanes_ > 1 || vectors_.device().info().simt ? lanes_ : batch_slots;
}

ProgramText MaterialFill::text() const {
  return material_text({problem_.mesh->dim, corners(), slots_of_batch(), piece(), slots_of_batch() != lanes_},
                       precision_, problem_.precision);
}

std::unique_ptr<Buffer> MaterialFill::upload(const std::vector<double>& numbers, std::string_view label) const {
  auto buffer = vectors_.device().allocate(std::max<std::size_t>(1, numbers.size()) * bytes_of(precision_), label);
  const std::vector<float> single(numbers.begin(), precision_ == Precision::single_ ? numbers.end() : numbers.begin());
  const void* const from = single.empty() ? static_cast<const void*>(numbers.data()) : single.data();
  if (!numbers.empty()) buffer->write(from, numbers.size() * bytes_of(precision_));
  return buffer;
}

int MaterialFill::corners() const { return mode_count(shape_, problem_.mesh->geometry_order()); }

void MaterialFill::make() {
  if (program_) return;
  const Mesh& mesh = *problem_.mesh;
  const int corners = this->corners();
  const std::size_t lanes = slots_of_batch(), room = batches() * lanes;
  std::vector<std::int32_t> corner(room * corners, 0), region(room, -1);
  for_pieces(std::ssize(slots_), [&](std::int64_t begin, std::int64_t end) {
    for (auto slot = static_cast<std::size_t>(begin); slot < static_cast<std::size_t>(end); ++slot) {
      const std::int64_t cell = slots_[slot];
      if (cell < 0) continue;
      ask_ahead(mesh, slots_, slot);
      region[slot] = static_cast<std::int32_t>(mesh.region_of(cell));
      const auto nodes = mesh.nodes_of(cell);
      for (int c = 0; c < corners; ++c) corner[(slot / lanes * corners + c) * lanes + slot % lanes] = static_cast<std::int32_t>(nodes[c]);
    }
  });
  node_ = upload(mesh.points, "nodes of the mesh");
  corner_ = vectors_.upload(corner, "nodes of the elements");
  region_ = vectors_.upload(region, "regions of the elements");
  flag_ = vectors_.upload(std::vector<std::int32_t>{0, 0}, "checks of the material");
  const Stopwatch clock;
  program_ = vectors_.device().compile(text());
  compile_seconds_ += clock.seconds();
}

// The weight of each corner of an element at the points.
const Buffer& MaterialFill::weights(bool varying) {
  std::unique_ptr<Buffer>& kept = weights_[varying];
  if (!kept) {
    const Matrix values = CellMap(*problem_.mesh, shape_, varying ? rule_.points : middle_point(shape_)).values();
    kept = upload(std::vector<double>(values.data(), values.data() + values.size()), "shape of the elements");
  }
  return *kept;
}

void MaterialFill::write_programs() {
  ExpressionSteps all;
  std::vector<std::int32_t> start;
  for (const DiffusionMaterial& material : problem_.material)
    for (const Expression* expression : {&material.conductivity, &material.capacity}) {
      const auto piece = all.add(*expression);
      start.insert(start.end(), {piece.begin, piece.end, piece.result});
    }
  start_ = vectors_.upload(start, "expressions");
  step_ = vectors_.upload(all.steps, "steps of the expressions");
  number_ = upload(all.numbers, "numbers of the expressions");
  const std::int32_t none[2] = {0, 0};
  flag_->write(none, sizeof none);
}

std::int32_t MaterialFill::read_flag(int which) const {
  vectors_.device().queue().finish();
  std::int32_t flags[2];
  flag_->read(flags, sizeof flags);
  return flags[which];
}

// `to` is not used where values are only compared.
void MaterialFill::launch(const Buffer& to, bool varying, bool compare) {
  write_programs();
  const std::int64_t points = varying ? rule_.points.rows() : 1, pieces = (points + piece() - 1) / piece();
  vectors_.device().queue().launch(program_->kernel("fill_material"), compare ? batches() : batches() * pieces,
                                   {*node_, *corner_, weights(varying), *region_, *start_, *step_, *number_, to, *flag_, points,
                                    std::int64_t{values()}, std::int64_t{compare}});
}

bool MaterialFill::varies() {
  // Where the rule for a linear simplex has one value an element, that at the middle is as good as any
  // (kernels/continuous/grid.h).
  if (constant() || slots_.empty() || (problem_.order == 1 && is_simplex(shape_))) return false;
  make();
  launch(*flag_, true, true);
  return read_flag(1) != 0;
}

void MaterialFill::fill_numbers(Buffer& to) const {
  const Mesh& mesh = *problem_.mesh;
  std::vector<double> all(slots_.size() * values(), 0.0);
  for_pieces(std::ssize(slots_), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
      if (slots_[slot] < 0) continue;
      const DiffusionMaterial& material = problem_.material[mesh.region_of(slots_[slot])];
      double* const at = all.data() + slot / lanes_ * values() * lanes_ + slot % lanes_;
      at[0] = material.conductivity.constant();
      if (!steady_) at[lanes_] = material.capacity.constant();
      if (!(at[0] > 0) || std::isinf(at[0]) || (!steady_ && (!(at[lanes_] > 0) || std::isinf(at[lanes_])))) refuse(false);
    }
  });
  vectors_.write(all, to);
}

void MaterialFill::make_room(bool varying, std::unique_ptr<Buffer>& to) const {
  const std::int64_t points = varying ? rule_.points.rows() : 1;
  const std::size_t bytes = std::max<std::size_t>(1, slots_.size() * points * values()) * bytes_of(problem_.precision);
  if (!to || to->bytes() != bytes) {
    to.reset();
    to = vectors_.device().allocate(bytes, "material");
  }
}

void MaterialFill::fill(bool varying, std::unique_ptr<Buffer>& to) {
  make_room(varying, to);
  if (slots_.empty()) return;
  if (constant() && !varying) {
    return fill_numbers(*to);
  }
  make();
  launch(*to, varying, false);
  if (read_flag(0) != 0) refuse(varying);
}

// The host evaluates the material again, to name the place.
void MaterialFill::refuse(bool varying) const {
  element_material(problem_, {.shape = shape_, .affine = true, .varying = varying, .steady = steady_, .lanes = lanes_}, rule_, slots_);
  throw InputError("The material has a value that is no number above 0 on the device {}, though not on this computer; it is too "
                   "close to the limits of its numbers.",
                   vectors_.device().info().name);
}

}  // namespace swell
