// SPDX-License-Identifier: Apache-2.0
#include "sim/checkpoints.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/log.hpp"
#include "sim/run_parts.hpp"

namespace swell {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr const char *state_name = "state", *basis_name = "nodes of coefficients", *far_field_name = "far field", *averages_name = "averages";
std::string memory_name(std::size_t i) { return i == 0 ? state_name : fmt::format("memory {}", i); }

Json as_json(const OutputsSoFar& o) {
  return {{"bytes", o.bytes},       {"next_samples", o.next_samples}, {"series", o.series}, {"fields", o.fields},
          {"pictures", o.pictures}, {"energy_initial", o.energy_initial}, {"next", o.next}};
}

OutputsSoFar outputs_of(const Json& j) {
  return {j.at("bytes"), j.at("next_samples"), j.at("series"), j.at("fields"), j.at("pictures"), j.at("energy_initial"), {},
          j.value("next", std::map<std::string, double>()), {}};
}

Json as_json(const TimePoint& now) {
  return {{"time", now.time},     {"dt", now.dt},       {"steps", now.steps}, {"origin", now.origin}, {"origin_step", now.origin_step},
          {"start", now.start}, {"until", now.until}, {"done", now.done}, {"stable_dt", now.memory.dt}, {"waiting_rate", now.memory.waiting}};
}

TimePoint time_point_of(const Json& j) {
  return {j.at("time"), j.at("dt"), j.at("steps"), j.at("origin"), j.at("origin_step"), j.at("start"), j.at("until"), j.at("done"),
          {j.at("stable_dt"), j.at("waiting_rate")}};
}

// On the first rank the coefficients of all elements in the order of the whole mesh, [cell][coefficient][field]; nothing elsewhere.
StoredArray gathered(const Evolution& evolution, const std::vector<double>& own) {
  const auto fields = static_cast<std::uint64_t>(evolution.fields().size()), elements = static_cast<std::uint64_t>(evolution.elements());
  // Cells of several shapes have no common number of coefficients: one row for each of them then.
  const auto count = static_cast<std::uint64_t>(evolution.element().node_count),
             all = static_cast<std::uint64_t>(evolution.reference().whole_first_node(evolution.elements()));
  const bool mixed = evolution.reference().mixed();
  StoredArray array{{mixed ? all : elements, mixed ? 1 : count, fields}, of_all_cells(evolution, own)};
  if (!evolution.ranks().first()) array.values.clear();
  array.single = evolution.given().precision == Precision::single_;
  return array;
}

// The coefficients of this rank's cells; `change` takes those of a stored element to those of an element here.
std::vector<double> own_part(const Evolution& evolution, const StoredArray& array, const Matrix* change) {
  const Mesh& mesh = evolution.mesh();
  const Elements& elements = evolution.reference();
  const std::int64_t fields = static_cast<std::int64_t>(evolution.fields().size());
  std::vector<double> own(elements.first_node(mesh.own_count()) * fields);
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell) {
    const std::int64_t here = elements.node_count(cell), there = elements.mixed() ? here : static_cast<std::int64_t>(array.shape[1]);
    const std::int64_t first = elements.mixed() ? elements.whole_first_node(mesh.number_of(cell)) : mesh.number_of(cell) * there;
    const Eigen::Map<const Matrix> stored(array.values.data() + first * fields, there, fields);
    Eigen::Map<Matrix>(own.data() + elements.first_node(cell) * fields, here, fields) = change ? Matrix(*change * stored) : Matrix(stored);
  }
  return own;
}

Checkpoint checkpoint_of(Evolution& evolution, const OutputsSoFar& outputs) {
  Checkpoint checkpoint;
  const Memory memory = evolution.memory();
  for (std::size_t i = 0; i < memory.states.size(); ++i) checkpoint.arrays[memory_name(i)] = gathered(evolution, memory.states[i]);
  const Matrix to_nodes = evolution.to_nodes();
  const auto count = static_cast<std::uint64_t>(to_nodes.cols());
  checkpoint.arrays[basis_name] = {{count, count}, {to_nodes.data(), to_nodes.data() + to_nodes.size()}};
  if (!outputs.far_field.empty()) checkpoint.arrays[far_field_name] = {{outputs.far_field.size()}, outputs.far_field};
  if (!outputs.averages.empty()) checkpoint.arrays[averages_name] = {{outputs.averages.size()}, outputs.averages};
  const Case& given = evolution.given();
  const Json about{{"model", evolution.model()},          {"fields", evolution.fields()},       {"order", evolution.element().order},
                   {"family", given.family},              {"scheme", given.scheme},             {"mesh", evolution.mesh_fingerprint()},
                   {"states", memory.states.size()},      {"time point", as_json(memory.now)},  {"numbers", memory.numbers},
                   {"outputs", as_json(outputs)},         {"case", given.text}};
  checkpoint.about = about.dump(1, ' ', false, Json::error_handler_t::replace);
  return checkpoint;
}

void check_kind(const Json& about, const Evolution& evolution, const fs::path& file) {
  if (!about.contains("time point"))
    throw InputError("--restart: '{}' was written by an older version of swell, whose checkpoints cannot be read.", file.string());
  const std::vector<std::string> stored = about.at("fields");
  const auto model = about.at("model").get<std::string>();
  if (stored != evolution.fields())
    throw InputError("--restart: '{}' holds the fields {} of the model '{}', but the case has {}.", file.string(),
                     fmt::join(stored, ", "), model, fmt::join(evolution.fields(), ", "));
  if (about.at("mesh") != evolution.mesh_fingerprint())
    throw InputError("--restart: '{}' was written on another mesh than that of the case.", file.string());
}

}  // namespace

Checkpoints::Checkpoints(Evolution& evolution, fs::path folder, const CheckpointCase& options)
    : evolution_(evolution), folder_(std::move(folder)), options_(options) {
  if (evolution.steady())
    throw InputError("output.checkpoint: the model '{}' has no time in which it could be continued.", evolution.model());
  if (!has_checkpoints())
    throw InputError("output.checkpoint: this build of swell has no HDF5; build it with libhdf5-dev.");
  set_next();
}

void Checkpoints::set_next() {
  next_ = next_time(evolution_.time() + evolution_.nearly(), options_.every, evolution_.end());
}

bool Checkpoints::due() const { return evolution_.time() + evolution_.nearly() / 4 >= next_; }

void Checkpoints::write(const OutputsSoFar& outputs) {
  set_next();
  if (evolution_.steps() == last_) return;
  const Checkpoint checkpoint = checkpoint_of(evolution_, outputs);
  last_ = evolution_.steps();
  if (!evolution_.ranks().first()) return;
  write_checkpoint(folder_ / checkpoint_name(last_), checkpoint);
  auto all = checkpoints_in(folder_);
  for (const auto& [step, file] : std::map(all))
    if (step > last_) fs::remove(file), all.erase(step);
  for (auto file = all.begin(); file != all.end() && static_cast<int>(all.size()) > options_.keep; file = all.erase(file))
    fs::remove(file->second);
}

fs::path chosen_checkpoint(const std::string& given, const fs::path& folder) {
  const bool latest = given == "latest";
  const auto all = checkpoints_in(latest ? folder : fs::path(given).parent_path());
  const std::string fault = latest ? "" : fault_of_checkpoint(given);
  if (!latest && fault.empty()) return given;
  for (auto file = all.rbegin(); file != all.rend(); ++file) {
    const std::string why = fault_of_checkpoint(file->second);
    if (!why.empty() && latest) log_warning("The checkpoint '{}' is not used: {}.", file->second.string(), why);
    if (!why.empty()) continue;
    if (latest) return file->second;
    throw InputError("--restart: the checkpoint '{}' is not used: {}; '{}' is whole.", given, fault, file->second.string());
  }
  if (latest) throw InputError("--restart latest: there is no whole checkpoint in the folder '{}'.", folder.string());
  throw InputError("--restart: the checkpoint '{}' is not used: {}; there is no other one beside it.", given, fault);
}

OutputsSoFar restore(Evolution& evolution, const fs::path& file) {
  const Checkpoint checkpoint = read_checkpoint(file);
  const Json about = Json::parse(checkpoint.about);
  check_kind(about, evolution, file);
  const int order = about.at("order");
  const StoredArray& basis = checkpoint.arrays.at(basis_name);
  const auto count = static_cast<std::int64_t>(basis.shape[0]);
  const Matrix to_nodes = Eigen::Map<const Matrix>(basis.values.data(), count, count);
  Memory memory;
  memory.same_basis = order == evolution.element().order && to_nodes == evolution.to_nodes();
  memory.same_scheme = about.at("scheme") == evolution.given().scheme;
  if (evolution.reference().mixed() && !memory.same_basis)
    throw InputError("--restart: '{}' was written with order {}, but on a mesh of several shapes a run goes on with the same order.",
                     file.string(), order);
  const Matrix change = memory.same_basis ? Matrix() : evolution.conversion(order, to_nodes);
  for (std::size_t i = 0; i < about.at("states").get<std::size_t>(); ++i)
    memory.states.push_back(own_part(evolution, checkpoint.arrays.at(memory_name(i)), memory.same_basis ? nullptr : &change));
  memory.now = time_point_of(about.at("time point"));
  memory.numbers = about.at("numbers").get<std::map<std::string, double>>();
  evolution.resume(memory);
  OutputsSoFar outputs = outputs_of(about.at("outputs"));
  if (const auto far = checkpoint.arrays.find(far_field_name); far != checkpoint.arrays.end()) outputs.far_field = far->second.values;
  if (const auto averages = checkpoint.arrays.find(averages_name); averages != checkpoint.arrays.end())
    outputs.averages = averages->second.values;
  return outputs;
}

}  // namespace swell
