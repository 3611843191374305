// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/outputs.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/problem_of_case.hpp"
#include "dg/measures.hpp"
#include "dg/modal/operator.hpp"
#include "io/draw/cell_picture.hpp"
#include "io/draw/picture.hpp"
#include "io/files.hpp"
#include "sim/outputs/levelset_interface.hpp"

namespace swell {

namespace {

constexpr std::int64_t samples_on_device = 512;
constexpr const char* energy_file = "energy.csv";

}  // namespace

void OutputsSoFar::begin_files() {
  bytes.clear();
  series.clear();
  fields = pictures = 0;
}

ReceiverFile OutputsSoFar::file(const std::filesystem::path& folder, const std::string& name,
                                const std::vector<std::string>& columns) const {
  const auto known = bytes.find(name);
  if (known == bytes.end() || !std::filesystem::exists(folder / name)) return {folder / name, columns};
  return {folder / name, columns, known->second};
}

Receivers::Receivers(Simulation& simulation) : simulation_(simulation) {
  const Case& c = simulation.given();
  if (c.receivers.empty()) return;
  Operator& dg = simulation.dg();
  const Model& model = dg.problem().model;
  std::vector<std::int32_t> slots;
  std::vector<double> weights, mine;
  for (const auto& r : c.receivers) {
    if (static_cast<int>(r.at.size()) != model.dim)
      throw InputError("{} has {} numbers, but the mesh has {} dimensions.", place_of(r.key, "at"), r.at.size(),
                       model.dim);
    const auto hit = simulation.locate(r.at, place_of(r.key, "at"));
    Signal signal;
    signal.every = r.every;
    for (const auto& field : r.fields.empty() ? model.fields : r.fields) {
      signal.fields.push_back(model.field_index(field));
      if (signal.fields.back() < 0)
        throw InputError("{}: the model '{}' has no field '{}'{}.", place_of(r.key, "fields"), model.name, field,
                         name_hint(field, model.fields));
    }
    signals_.push_back(std::move(signal));
    if (hit.cell < 0) continue;
    mine.push_back(static_cast<double>(signals_.size() - 1));
    slots.push_back(static_cast<std::int32_t>(dg.layout().slot_of_cell[hit.cell]));
    Matrix at(1, model.dim);
    for (int d = 0; d < model.dim; ++d) at(0, d) = hit.reference[d];
    const Matrix w = dg.states().evaluation(at);
    weights.insert(weights.end(), w.data(), w.data() + w.size());
  }
  times_.reserve(samples_on_device);
  places_.resize(signals_.size());
  const auto of_ranks = simulation.ranks().gather(mine);
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
    for (std::size_t i = 0; i < of_ranks[rank].size(); ++i)
      places_[static_cast<std::size_t>(of_ranks[rank][i])] = {rank, i};
  mine_ = mine.size();
  if (mine_ == 0) return;
  slot_ = dg.upload(slots, "receiver slots");
  weight_ = dg.upload(weights, "receiver weights");
  samples_ = dg.device().allocate(samples_on_device * mine_ * dg.fields() * bytes_of(c.precision), "samples");
}

void Receivers::open_files(const std::filesystem::path& folder, const OutputsSoFar& before) {
  if (before.next_samples.size() == signals_.size())
    for (std::size_t i = 0; i < signals_.size(); ++i) signals_[i].next = before.next_samples[i];
  if (signals_.empty() || !simulation_.ranks().first()) return;
  const Case& c = simulation_.given();
  const Model& model = simulation_.dg().problem().model;
  create_folder(folder / "receivers");
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    std::vector<std::string> names;
    for (const int f : signals_[i].fields) names.push_back(model.fields[f]);
    signals_[i].name = fmt::format("receivers/{}.csv", c.receivers[i].name);
    signals_[i].file = std::make_unique<ReceiverFile>(before.file(folder, signals_[i].name, names));
  }
}

void Receivers::keep() {
  keeps_ = true;
  for (Signal& signal : signals_) {
    signal.kept.columns = {"time"};
    for (const int f : signal.fields) signal.kept.columns.push_back(simulation_.dg().problem().model.fields[f]);
  }
}

void Receivers::save(OutputsSoFar& so_far) {
  flush();
  so_far.next_samples.clear();
  for (const Signal& signal : signals_) {
    so_far.next_samples.push_back(signal.next);
    if (signal.file) so_far.bytes[signal.name] = signal.file->sync();
  }
}

void Receivers::sample() {
  if (signals_.empty()) return;
  Operator& dg = simulation_.dg();
  const auto count = static_cast<std::int64_t>(mine_), taken = static_cast<std::int64_t>(times_.size());
  if (count > 0) dg.states().sample(simulation_.state(), *slot_, *weight_, *samples_, count, taken * count);
  times_.push_back(simulation_.time());
  if (taken + 1 == samples_on_device) flush();
}

void Receivers::flush() {
  if (times_.empty()) return;
  simulation_.check();
  while (!times_.empty() && times_.back() > simulation_.time()) times_.pop_back();
  Operator& dg = simulation_.dg();
  const std::size_t fields = dg.fields();
  std::vector<double> mine;
  if (mine_ > 0) mine = dg.download(*samples_, times_.size() * mine_ * fields);
  const auto values = simulation_.ranks().gather(mine);
  std::vector<double> row;
  for (std::size_t s = 0; s < times_.size(); ++s)
    for (std::size_t r = 0; r < signals_.size(); ++r) {
      Signal& signal = signals_[r];
      if ((!signal.file && !keeps_) || times_[s] < signal.next) continue;
      // The next sample is the first one at or after a multiple of `every`; rounding must not skip one.
      if (signal.every > 0) signal.next = (std::floor(times_[s] / signal.every + 1e-9) + 1 - 1e-9) * signal.every;
      row.clear();
      const auto [rank, number] = places_[r];
      const std::size_t width = values[rank].size() / times_.size();
      for (const int f : signal.fields) row.push_back(values[rank][s * width + number * fields + f]);
      if (signal.file) signal.file->append(times_[s], row);
      if (keeps_) signal.kept.append(times_[s], row);
      if (listener_) listener_(r, times_[s], row);
    }
  times_.clear();
  for (auto& signal : signals_)
    if (signal.file) signal.file->flush();
}

EnergySeries::EnergySeries(Simulation& simulation, const std::filesystem::path& folder, const OutputsSoFar& before)
    : simulation_(simulation) {
  std::vector<std::string> columns{"energy"};
  if (const Measures* own = simulation.dg().observer().measures())
    for (std::size_t i = 0; i < own->quantities().size(); ++i)
      if (own->quantities()[i] != "energy") {
        more_.push_back(i);
        columns.push_back(own->quantities()[i]);
      }
  log_ = simulation.dg().observer().monitor().make_log(samples_on_device * static_cast<std::int64_t>(columns.size()));
  if (simulation.ranks().first()) file_.emplace(before.file(folder, energy_file, columns));
  times_.reserve(samples_on_device);
}

void EnergySeries::note() {
  auto place = static_cast<std::int64_t>(times_.size() * (1 + more_.size()));
  simulation_.note_energy(*log_, place);
  for (const std::size_t number : more_)
    simulation_.dg().observer().measures()->note_quantity(number, simulation_.state(), simulation_.time(), *log_, ++place);
  times_.push_back(simulation_.time());
  if (static_cast<std::int64_t>(times_.size()) == samples_on_device) flush();
}

void EnergySeries::flush() {
  if (times_.empty()) return;
  simulation_.check();
  while (!times_.empty() && times_.back() > simulation_.time()) times_.pop_back();
  const std::size_t columns = 1 + more_.size();
  const auto sums = simulation_.dg().observer().monitor().read_log(*log_, static_cast<std::int64_t>(times_.size() * columns), simulation_.ranks());
  for (std::size_t i = 0; i < times_.size() && file_; ++i) {
    file_->append(times_[i], std::span(&sums[i * columns], columns));
    if (listener_) listener_(0, times_[i], std::span(&sums[i * columns], 1));
  }
  times_.clear();
  if (file_) file_->flush();
}

void EnergySeries::save(OutputsSoFar& so_far) {
  flush();
  if (file_) so_far.bytes[energy_file] = file_->sync();
}

void EnergySeries::close() {
  flush();
  if (file_) file_->close();
}

FieldSource fields_of(Simulation& simulation) {
  const Operator& dg = simulation.dg();
  FieldSource source{simulation.given(),
                     simulation.mesh(),
                     dg.element(),
                     dg.problem().model.name,
                     dg.problem().model.fields,
                     [&simulation] { return simulation.time(); },
                     [&simulation, &dg] {
                       const std::int64_t scalars = dg.element().node_count * dg.fields();
                       std::vector<double> all(dg.layout().elements * scalars);
                       dg.states().read_state(simulation.state(), [&](std::int64_t cell, const double* values) {
                         std::copy_n(values, scalars, all.begin() + cell * scalars);
                       });
                       return all;
                     }};
  source.ranks = &simulation.ranks();
  source.visit = [&simulation, &dg](const auto& of_cell) { dg.states().read_state(simulation.state(), of_cell); };
  if (dynamic_cast<const ModalOperator*>(&dg) != nullptr) {
    source.visit = [&simulation, &dg](const auto& of_cell) { dg.states().read_numbers(simulation.state(), of_cell); };
    const Matrix to_nodes = dg.states().evaluation(dg.element().nodes);
    source.to_nodes.assign(to_nodes.data(), to_nodes.data() + to_nodes.size());
  }
  if (const auto* levelset = dynamic_cast<const LevelSetOperator*>(&dg))
    source.more = [&simulation, levelset] {
      std::vector<std::pair<std::string, std::vector<double>>> more;
      const int dim = simulation.mesh().dim;
      for (auto& values : normals_and_curvature(*levelset, simulation.state())) {
        const auto axis = more.size();
        more.emplace_back(static_cast<int>(axis) < dim ? fmt::format("n{}", "xyz"[axis]) : "curvature",
                          std::move(values));
      }
      return more;
    };
  return source;
}

Snapshots::Snapshots(FieldSource source, std::filesystem::path folder)
    : source_(std::move(source)), folder_(std::move(folder)), series_(folder_ / "fields.pvd") {
  to_lattice_ = source_.element.interpolation(lattice(source_.element.shape, source_.element.order));
}

void Snapshots::resume(const OutputsSoFar& before) {
  series_.resume(before.series);
  fields_written_ = before.fields;
  pictures_written_ = before.pictures;
}

void Snapshots::save(OutputsSoFar& so_far) const {
  so_far.series = series_.entries();
  so_far.fields = fields_written_;
  so_far.pictures = pictures_written_;
}

std::vector<double> Snapshots::lattice_values(const std::vector<double>& nodal, std::size_t field,
                                              std::size_t fields) const {
  const auto nodes = static_cast<std::int64_t>(source_.element.node_count), width = static_cast<std::int64_t>(fields);
  std::vector<double> out(source_.mesh.own_count() * nodes);
  for (std::int64_t cell = 0; cell < source_.mesh.own_count(); ++cell) {
    const Eigen::Map<const Matrix> values(nodal.data() + cell * nodes * width, nodes, width);
    Eigen::Map<Vector>(out.data() + cell * nodes, nodes) = to_lattice_ * values.col(static_cast<std::int64_t>(field));
  }
  return out;
}

const std::vector<double>& Snapshots::lattice_points() {
  if (!points_.empty()) return points_;
  const ReferenceElement& element = source_.element;
  const CellMap map(source_.mesh, lattice(element.shape, element.order));
  const int nodes = element.node_count, dim = element.dim;
  std::vector<double> x(nodes * dim);
  points_.assign(source_.mesh.own_count() * nodes * 3, 0.0);
  for (std::int64_t cell = 0; cell < source_.mesh.own_count(); ++cell) {
    map.coordinates(cell, x.data());
    for (int n = 0; n < nodes; ++n)
      for (int d = 0; d < dim; ++d) points_[(cell * nodes + n) * 3 + d] = x[n * dim + d];
  }
  return points_;
}

void Snapshots::write_fields() {
  const auto nodal = source_.values();
  std::vector<std::vector<double>> fields;
  std::vector<std::string> names = source_.fields;
  for (std::size_t f = 0; f < names.size(); ++f) fields.push_back(lattice_values(nodal, f, source_.fields.size()));
  if (source_.more)
    for (const auto& [name, values] : source_.more()) {
      names.push_back(name);
      fields.push_back(lattice_values(values, 0, 1));
    }
  VtuPiece piece;
  piece.shape = source_.element.shape;
  piece.order = source_.element.order;
  piece.cells = source_.mesh.own_count();
  piece.points = lattice_points().data();
  for (std::size_t f = 0; f < fields.size(); ++f) piece.point_fields.push_back({names[f], fields[f].data()});
  piece.cell_numbers.push_back({"region", source_.mesh.cells().region.data()});
  const Ranks& ranks = *source_.ranks;
  const std::string stem = fmt::format("{:06d}", fields_written_++);
  const auto piece_name = [&](int rank) { return ranks.alone() ? stem + ".vtu" : fmt::format("{}-{}.vtu", stem, rank); };
  create_folder(folder_ / "fields");
  VtuOptions options;
  options.single = source_.given.precision == Precision::single_;
  write_vtu(folder_ / "fields" / piece_name(ranks.rank()), piece, options);
  if (!ranks.first()) return;
  std::string name = piece_name(0);
  if (!ranks.alone()) {
    std::vector<std::string> pieces;
    for (int rank = 0; rank < ranks.count(); ++rank) pieces.push_back(piece_name(rank));
    write_pvtu(folder_ / "fields" / (name = stem + ".pvtu"), pieces, piece, options);
  }
  series_.add(source_.time(), "fields/" + name);
}

std::vector<double> of_all_cells(const FieldSource& source, std::vector<double> own) {
  Ranks& ranks = *source.ranks;
  if (ranks.alone()) return own;
  const std::int64_t cells = source.mesh.own_count();
  std::vector<double> numbers(cells);
  for (std::int64_t cell = 0; cell < cells; ++cell) numbers[cell] = static_cast<double>(source.mesh.number_of(cell));
  const auto values = ranks.gather(own), cell_numbers = ranks.gather(numbers);
  std::size_t total = 0;
  for (const auto& of_rank : values) total += of_rank.size();
  std::vector<double> all(total);
  for (std::size_t rank = 0; rank < values.size(); ++rank) {
    const std::size_t width = values[rank].size() / cell_numbers[rank].size();
    for (std::size_t i = 0; i < cell_numbers[rank].size(); ++i)
      std::copy_n(values[rank].begin() + i * width, width, all.begin() + static_cast<std::size_t>(cell_numbers[rank][i]) * width);
  }
  return all;
}

std::filesystem::path Snapshots::write_picture(bool last) {
  const PictureCase& options = *source_.given.picture;
  const auto& names = source_.fields;
  const auto found = options.field.empty() ? names.begin() : std::find(names.begin(), names.end(), options.field);
  if (found == names.end())
    throw InputError("output.picture.field: the model '{}' has no field '{}'{}.", source_.model, options.field,
                     name_hint(options.field, names));
  const auto file = folder_ / (last ? *found + ".png" : fmt::format("{}-{:06d}.png", *found, pictures_written_++));
  const auto values =
      of_all_cells(source_, lattice_values(source_.values(), static_cast<std::size_t>(found - names.begin()), names.size()));
  const auto points = of_all_cells(source_, lattice_points());
  if (!source_.ranks->first()) return file;
  PictureOptions look;
  look.title = source_.given.title;
  look.field = *found;
  look.time = source_.time();
  look.low = options.low;
  look.high = options.high;
  const Picture picture =
      picture_of({source_.element.shape, source_.element.order, points, values}, options.width, options.slice, look.axes);
  write_png(file, render(look, picture));
  return file;
}

}  // namespace swell
