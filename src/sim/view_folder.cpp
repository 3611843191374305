// SPDX-License-Identifier: Apache-2.0
#include "sim/view_folder.hpp"

#include <algorithm>
#include <deque>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "io/receivers.hpp"
#include "io/vtu_read.hpp"
#include "mesh/outer_faces.hpp"
#include "sim/live_view.hpp"
#include "sim/run_parts.hpp"

namespace swell {

namespace {

constexpr std::chrono::milliseconds nap(100);
constexpr std::size_t fields_kept = 8;  // in memory, of those that were looked at last

// The pictures of a run: one file each, or one of each rank.
class Pictures {
 public:
  explicit Pictures(const std::filesystem::path& folder) : list_(folder / "fields.pvd") {
    if (!std::filesystem::exists(list_))
      throw InputError(
          "The folder '{}' has no fields.pvd to show; a case asks for it with fields = {{ every = ... }} in [output].", folder.string());
    entries_ = read_pvd(list_);
    if (entries_.empty()) throw InputError("The list '{}' names no files.", list_.string());
    for (const auto& piece : vtu_pieces(entries_[0].file)) first_.emplace_back(piece);
    for (const VtuFile& piece : first_) {
      const auto points = piece.points();
      points_.insert(points_.end(), points.begin(), points.end());
      cells_ += piece.cells();
    }
  }

  const VtuFile& first() const { return first_.front(); }
  std::int64_t cells() const { return cells_; }
  const std::vector<double>& points() const { return points_; }
  std::size_t count() const { return entries_.size(); }
  double time(std::size_t picture) const { return entries_[picture].time; }

  bool damaged = false;  // the last one that was asked for

  // [cell][lattice point]
  const std::vector<float>& values(std::size_t picture, int field) {
    for (const Kept& one : kept_)
      if (one.picture == picture && one.field == field) return one.values;
    Kept next{picture, field, {}};
    for (const auto& name : vtu_pieces(entries_[picture].file)) {
      const VtuFile piece(name);
      const auto values = piece.field(first().fields()[field]);
      next.values.insert(next.values.end(), values.begin(), values.end());
    }
    if (3 * next.values.size() != points_.size())
      throw InputError("The picture '{}' has other cells than the first one of '{}'.", entries_[picture].file.string(), list_.string());
    if (kept_.size() == fields_kept) kept_.pop_front();
    kept_.push_back(std::move(next));
    return kept_.back().values;
  }

 private:
  struct Kept {
    std::size_t picture;
    int field;
    std::vector<float> values;
  };
  std::filesystem::path list_;
  std::vector<PvdEntry> entries_;
  std::vector<VtuFile> first_;
  std::vector<double> points_;
  std::int64_t cells_ = 0;
  std::deque<Kept> kept_;
};

ViewDescription describe(const std::filesystem::path& folder, const Pictures& pictures) {
  ViewDescription about;
  about.live = false;
  about.title = std::filesystem::absolute(folder).lexically_normal().filename().string();
  std::ifstream file(folder / "summary.json");
  if (const auto summary = nlohmann::json::parse(file, nullptr, false); summary.is_object()) {
    const std::string title = summary.value("title", "");
    if (!title.empty()) about.title = title;
    about.model = summary.value("model", "");
    about.device = summary.value("device", "");
  }
  about.fields = pictures.first().fields();
  for (std::size_t i = 0; i < pictures.count(); ++i) about.times.push_back(pictures.time(i));
  about.sequential = colours_in_digits(false);
  about.diverging = colours_in_digits(true);
  return about;
}

ShownCells cells_of(const Pictures& pictures) {
  ShownCells cells;
  cells.shape = pictures.first().shape();
  cells.order = pictures.first().order();
  cells.count = pictures.cells();
  const std::size_t numbers = pictures.points().size() / pictures.cells();
  cells.coordinates = [&pictures, numbers](std::int64_t cell, double* out) {
    std::copy_n(pictures.points().begin() + cell * static_cast<std::int64_t>(numbers), numbers, out);
  };
  if (dimension(cells.shape) == 3) cells.outer_faces = outer_faces(cells.shape, cells.order, pictures.points());
  return cells;
}

void add_signals(Viewer& viewer, const std::filesystem::path& file, const std::string& name) {
  const SignalTable table = std::filesystem::exists(file) ? read_signals(file) : SignalTable{{"time", name}, {}};
  const std::size_t width = table.columns.size();
  const auto series = viewer.add_series(name, {table.columns.begin() + 1, table.columns.end()});
  for (std::size_t row = 0; row < table.values.size(); row += width)
    viewer.note(series, table.values[row], std::span(table.values).subspan(row + 1, width - 1));
}

// A picture that cannot be read is grey, with a sentence; the others can still be looked at.
void show(Viewer& viewer, Pictures& pictures, const ViewWish& wish) {
  const std::int64_t nodes = wish.scene->nodes;
  std::vector<float> values(wish.scene->places * nodes, std::numeric_limits<float>::quiet_NaN());
  try {
    const auto& all = pictures.values(wish.picture, wish.field);
    for (std::int64_t cell = 0; cell < pictures.cells(); ++cell)
      if (const auto place = wish.scene->place(cell); place >= 0)
        std::copy_n(all.begin() + cell * nodes, nodes, values.begin() + place * nodes);
    if (std::exchange(pictures.damaged, false)) viewer.set_status(ViewStatus::finished);
  } catch (const InputError& failure) {
    pictures.damaged = true;
    viewer.set_status(ViewStatus::finished, failure.what());
  }
  viewer.fulfil(wish, {pictures.time(wish.picture), 0, 0}, std::move(values));
}

}  // namespace

int view_folder(const std::filesystem::path& folder, int port) {
  Pictures pictures(folder);
  Viewer viewer(describe(folder, pictures), cells_of(pictures), port);
  add_signals(viewer, folder / "energy.csv", "energy");
  std::vector<std::filesystem::path> receivers;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "receivers", none))
    if (entry.path().extension() == ".csv") receivers.push_back(entry.path());
  std::sort(receivers.begin(), receivers.end());
  for (const auto& file : receivers) add_signals(viewer, file, file.stem().string());
  print_address(viewer);
  const SignalGuard guard;
  while (!interrupted) {
    viewer.wait(nap);
    for (const ViewWish& wish : viewer.wishes()) show(viewer, pictures, wish);
  }
  return 0;
}

}  // namespace swell
