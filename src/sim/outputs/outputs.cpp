// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/outputs.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/problem_of_case.hpp"
#include "io/draw/cell_picture.hpp"
#include "io/draw/picture.hpp"
#include "io/files.hpp"

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

std::vector<int> output_numbers(const Evolution& evolution, const std::vector<std::string>& names, const std::string& place) {
  const auto& outputs = evolution.outputs();
  std::vector<int> numbers;
  for (const auto& name : names.empty() ? evolution.fields() : names) {
    const auto found = std::find(outputs.begin(), outputs.end(), name);
    if (found == outputs.end())
      throw InputError("{}: the model '{}' has no field '{}'{}.", place, evolution.model(), name, name_hint(name, outputs));
    numbers.push_back(static_cast<int>(found - outputs.begin()));
  }
  return numbers;
}

Receivers::Receivers(Evolution& evolution) : evolution_(evolution) {
  const auto dim = static_cast<std::size_t>(evolution.mesh().dim);
  std::vector<Locator::Hit> points;
  std::vector<double> mine;
  for (const auto& r : evolution.given().receivers) {
    if (r.at.size() != dim)
      throw InputError("{} has {} numbers, but the mesh has {} dimensions.", place_of(r.key, "at"), r.at.size(), dim);
    const auto hit = evolution.locate(r.at, place_of(r.key, "at"));
    Signal signal;
    signal.times.every = r.every;
    signal.fields = output_numbers(evolution, r.fields, place_of(r.key, "fields"));
    signals_.push_back(std::move(signal));
    if (hit.cell < 0) continue;
    mine.push_back(static_cast<double>(signals_.size() - 1));
    points.push_back(hit);
  }
  if (signals_.empty()) return;
  times_.reserve(samples_on_device);
  places_.resize(signals_.size());
  const auto of_ranks = evolution.ranks().gather(mine);
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
    for (std::size_t i = 0; i < of_ranks[rank].size(); ++i)
      places_[static_cast<std::size_t>(of_ranks[rank][i])] = {rank, i};
  if (!points.empty()) sampler_ = evolution.samplers().sampler(points, samples_on_device);
}

void Receivers::open_files(const std::filesystem::path& folder, const OutputsSoFar& before) {
  if (before.next_samples.size() == signals_.size())
    for (std::size_t i = 0; i < signals_.size(); ++i) signals_[i].times.next = before.next_samples[i];
  if (signals_.empty() || !evolution_.ranks().first()) return;
  create_folder(folder / "receivers");
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    std::vector<std::string> names;
    for (const int f : signals_[i].fields) names.push_back(evolution_.outputs()[f]);
    signals_[i].name = fmt::format("receivers/{}.csv", evolution_.given().receivers[i].name);
    signals_[i].file = std::make_unique<ReceiverFile>(before.file(folder, signals_[i].name, names));
  }
}

void Receivers::keep() {
  keeps_ = true;
  for (Signal& signal : signals_) {
    signal.kept.columns = {"time"};
    for (const int f : signal.fields) signal.kept.columns.push_back(evolution_.outputs()[f]);
  }
}

void Receivers::save(OutputsSoFar& so_far) {
  flush();
  so_far.next_samples.clear();
  for (const Signal& signal : signals_) {
    so_far.next_samples.push_back(signal.times.next);
    if (signal.file) so_far.bytes[signal.name] = signal.file->sync();
  }
}

void Receivers::sample() {
  if (signals_.empty()) return;
  const auto taken = static_cast<std::int64_t>(times_.size());
  if (sampler_) sampler_->sample(taken);
  times_.push_back(evolution_.time());
  if (taken + 1 == samples_on_device) flush();
}

void Receivers::flush() {
  if (times_.empty()) return;
  evolution_.check();
  while (!times_.empty() && times_.back() > evolution_.time()) times_.pop_back();
  const std::size_t fields = evolution_.outputs().size();
  std::vector<double> mine;
  if (sampler_) mine = sampler_->read(static_cast<std::int64_t>(times_.size()));
  const auto values = evolution_.ranks().gather(mine);
  std::vector<double> row;
  for (std::size_t s = 0; s < times_.size(); ++s)
    for (std::size_t r = 0; r < signals_.size(); ++r) {
      Signal& signal = signals_[r];
      if ((!signal.file && !keeps_) || !signal.times.due(times_[s])) continue;
      signal.times.take(times_[s]);
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

EnergySeries::EnergySeries(Evolution& evolution, const std::filesystem::path& folder, const OutputsSoFar& before)
    : evolution_(evolution) {
  std::vector<std::string> names;
  for (const auto& quantity : evolution.quantities()) {
    quantity->reserve(samples_on_device);
    names.push_back(quantity->name());
  }
  if (evolution.ranks().first()) file_.emplace(before.file(folder, energy_file, names));
  times_.reserve(samples_on_device);
}

void EnergySeries::note() {
  for (const auto& quantity : evolution_.quantities()) quantity->note(static_cast<std::int64_t>(times_.size()));
  times_.push_back(evolution_.time());
  if (static_cast<std::int64_t>(times_.size()) == samples_on_device) flush();
}

void EnergySeries::flush() {
  if (times_.empty()) return;
  evolution_.check();
  while (!times_.empty() && times_.back() > evolution_.time()) times_.pop_back();
  std::vector<std::vector<double>> columns;
  for (const auto& quantity : evolution_.quantities()) columns.push_back(quantity->noted(static_cast<std::int64_t>(times_.size())));
  std::vector<double> row(columns.size());
  for (std::size_t i = 0; i < times_.size() && file_; ++i) {
    for (std::size_t q = 0; q < columns.size(); ++q) row[q] = columns[q][i];
    file_->append(times_[i], row);
    if (listener_) listener_(0, times_[i], std::span(row.data(), 1));
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

Snapshots::Snapshots(Evolution& evolution, std::filesystem::path folder)
    : evolution_(evolution), folder_(std::move(folder)), series_(folder_ / "fields.pvd") {
  for (const auto& [shape, element] : evolution.reference().all())
    to_lattice_[shape] = element.interpolation(lattice(shape, element.order));
}

std::vector<double> Snapshots::nodal_values() {
  const Elements& elements = evolution_.reference();
  const auto fields = static_cast<std::int64_t>(evolution_.fields().size());
  std::vector<double> all(elements.first_node(evolution_.mesh().own_count()) * fields);
  evolution_.read([&](std::int64_t cell, const double* values) {
    std::copy_n(values, elements.node_count(cell) * fields, all.begin() + elements.first_node(cell) * fields);
  });
  return all;
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
  const Elements& elements = evolution_.reference();
  const auto width = static_cast<std::int64_t>(fields);
  std::vector<double> out(elements.first_node(evolution_.mesh().own_count()));
  for (std::int64_t cell = 0; cell < evolution_.mesh().own_count(); ++cell) {
    const std::int64_t nodes = elements.node_count(cell), first = elements.first_node(cell);
    const Eigen::Map<const Matrix> values(nodal.data() + first * width, nodes, width);
    Eigen::Map<Vector>(out.data() + first, nodes) =
        to_lattice_.at(elements.of_cell(cell).shape) * values.col(static_cast<std::int64_t>(field));
  }
  return out;
}

const std::vector<double>& Snapshots::lattice_points() {
  if (!points_.empty()) return points_;
  const Mesh& mesh = evolution_.mesh();
  const Elements& elements = evolution_.reference();
  std::map<Shape, CellMap> maps;
  for (const auto& [shape, element] : elements.all()) maps.emplace(shape, CellMap(mesh, shape, lattice(shape, element.order)));
  const int dim = mesh.dim;
  std::vector<double> x(elements.most_nodes() * dim);
  points_.assign(elements.first_node(mesh.own_count()) * 3, 0.0);
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell) {
    maps.at(mesh.shape_of(cell)).coordinates(cell, x.data());
    for (int n = 0; n < elements.node_count(cell); ++n)
      for (int d = 0; d < dim; ++d) points_[(elements.first_node(cell) + n) * 3 + d] = x[n * dim + d];
  }
  return points_;
}

NodalFields Snapshots::values() {
  const auto nodal = nodal_values();
  const std::size_t width = evolution_.fields().size(), count = nodal.size() / width;
  NodalFields all;
  for (std::size_t f = 0; f < width; ++f) {
    all.emplace_back(evolution_.fields()[f], std::vector<double>(count));
    for (std::size_t i = 0; i < count; ++i) all.back().second[i] = nodal[i * width + f];
  }
  if (evolution_.extra_fields())
    for (auto& extra : evolution_.extra_fields()()) all.push_back(std::move(extra));
  return all;
}

std::string Snapshots::write(const std::filesystem::path& folder, const std::string& stem, const NodalFields& nodal) {
  std::vector<std::vector<double>> fields;
  for (const auto& [name, values] : nodal) fields.push_back(lattice_values(values, 0, 1));
  VtuPiece piece;
  const Mesh& mesh = evolution_.mesh();
  std::vector<std::int32_t> regions;
  for (const CellBlock& block : mesh.blocks) {
    const auto own = std::min(block.count(), mesh.own_count() - static_cast<std::int64_t>(regions.size()));
    if (own <= 0) break;
    piece.runs.push_back({block.shape, own});
    regions.insert(regions.end(), block.region.begin(), block.region.begin() + own);
  }
  piece.order = evolution_.reference().order();
  piece.points = lattice_points().data();
  for (std::size_t f = 0; f < fields.size(); ++f) piece.point_fields.push_back({nodal[f].first, fields[f].data()});
  piece.cell_numbers.push_back({"region", regions.data()});
  const Ranks& ranks = evolution_.ranks();
  const auto piece_name = [&](int rank) {
    return ranks.single() ? stem + ".vtu" : fmt::format("{}-{}.vtu", stem, rank);
  };
  create_folder(folder);
  VtuOptions options;
  options.single = evolution_.given().precision == Precision::single_;
  write_vtu(folder / piece_name(ranks.rank()), piece, options);
  if (ranks.single()) return piece_name(0);
  if (ranks.first()) {
    std::vector<std::string> pieces;
    for (int rank = 0; rank < ranks.count(); ++rank) pieces.push_back(piece_name(rank));
    write_pvtu(folder / (stem + ".pvtu"), pieces, piece, options);
  }
  return stem + ".pvtu";
}

void Snapshots::write_fields() {
  const std::string name = write(folder_ / "fields", fmt::format("{:06d}", fields_written_++), values());
  if (evolution_.ranks().first()) series_.add(evolution_.time(), "fields/" + name);
}

std::vector<double> of_all_cells(const Evolution& evolution, std::vector<double> own) {
  Ranks& ranks = evolution.ranks();
  if (ranks.single()) return own;
  const std::int64_t cells = evolution.mesh().own_count();
  std::vector<double> numbers(cells);
  for (std::int64_t cell = 0; cell < cells; ++cell) numbers[cell] = static_cast<double>(evolution.mesh().number_of(cell));
  const auto values = ranks.gather(own), cell_numbers = ranks.gather(numbers);
  std::size_t total = 0, cell_total = 0;
  for (const auto& of_rank : values) total += of_rank.size();
  for (const auto& of_rank : cell_numbers) cell_total += of_rank.size();
  std::vector<double> all(total);
  if (total == 0) return all;  // others than the first rank receive nothing
  const Elements& elements = evolution.reference();
  const auto each = total / static_cast<std::size_t>(elements.whole_first_node(static_cast<std::int64_t>(cell_total)));  // of a node
  for (std::size_t rank = 0; rank < values.size(); ++rank) {
    auto from = values[rank].begin();
    for (const double given : cell_numbers[rank]) {
      const auto number = static_cast<std::int64_t>(given);
      const auto count = static_cast<std::ptrdiff_t>(elements.whole_node_count(number) * each);
      std::copy_n(from, count, all.begin() + static_cast<std::ptrdiff_t>(elements.whole_first_node(number) * each));
      from += count;
    }
  }
  return all;
}

std::filesystem::path Snapshots::write_picture(bool last) {
  const PictureCase& options = *evolution_.given().picture;
  const auto& names = evolution_.outputs();
  const auto found = options.field.empty() ? names.begin() : std::find(names.begin(), names.end(), options.field);
  if (found == names.end())
    throw InputError("output.picture.field: the model '{}' has no field '{}'{}.", evolution_.model(), options.field,
                     name_hint(options.field, names));
  const auto file = folder_ / (last ? *found + ".png" : fmt::format("{}-{:06d}.png", *found, pictures_written_++));
  const auto number = static_cast<std::size_t>(found - names.begin()), fields = evolution_.fields().size();
  const auto values = of_all_cells(evolution_, number < fields ? lattice_values(nodal_values(), number, fields)
                                                               : lattice_values(evolution_.extra_fields()()[number - fields].second, 0, 1));
  const auto points = of_all_cells(evolution_, lattice_points());
  if (!evolution_.ranks().first()) return file;
  PictureOptions look;
  look.title = evolution_.given().title;
  look.field = *found;
  look.time = evolution_.time();
  look.low = options.low;
  look.high = options.high;
  write_png(file, image_of({evolution_.reference().runs(), evolution_.reference().order(), points, values}, options.width,
                           options.slice, look));
  return file;
}

}  // namespace swell
