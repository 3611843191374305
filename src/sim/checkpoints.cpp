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

constexpr const char *state_name = "state", *basis_name = "nodes of numbers", *far_field_name = "far field";
std::string memory_name(std::size_t i) { return fmt::format("rate {}", i); }

Json as_json(const Simulation::Moment& m) {
  return {{"time", m.time},     {"dt", m.dt},       {"steps", m.steps}, {"origin", m.origin}, {"origin_step", m.origin_step},
          {"start", m.start}, {"until", m.until}, {"done", m.done}};
}

Simulation::Moment moment_of(const Json& j) {
  return {j.at("time"), j.at("dt"), j.at("steps"), j.at("origin"), j.at("origin_step"), j.at("start"), j.at("until"), j.at("done")};
}

Json as_json(const OutputsSoFar& o) {
  return {{"bytes", o.bytes},       {"next_samples", o.next_samples}, {"series", o.series}, {"fields", o.fields},
          {"pictures", o.pictures}, {"energy_initial", o.energy_initial}, {"reinitialisations", o.reinitialisations}};
}

OutputsSoFar outputs_of(const Json& j) {
  return {j.at("bytes"), j.at("next_samples"), j.at("series"), j.at("fields"), j.at("pictures"), j.at("energy_initial"),
          j.at("reinitialisations"), {}};
}

// On the first rank the numbers of all elements in the order of the whole mesh; nothing elsewhere.
StoredArray stored(Simulation& simulation, const Buffer& state) {
  const Operator& dg = simulation.dg();
  const auto numbers = static_cast<std::uint64_t>(dg.element().node_count), fields = static_cast<std::uint64_t>(dg.fields());
  const auto each = static_cast<std::int64_t>(numbers * fields);
  std::vector<double> own, cells;
  dg.read_numbers(state, [&](std::int64_t cell, const double* values) {
    cells.push_back(static_cast<double>(simulation.mesh().number_of(cell)));
    own.insert(own.end(), values, values + each);
  });
  const auto cells_of_ranks = simulation.ranks().gather(cells), of_ranks = simulation.ranks().gather(own);
  StoredArray array{{static_cast<std::uint64_t>(simulation.elements()), numbers, fields}, {}};
  array.single = dg.problem().precision == Precision::single_;
  if (simulation.ranks().first()) array.values.resize(array.shape[0] * numbers * fields);
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
    for (std::size_t i = 0; i < cells_of_ranks[rank].size(); ++i)
      std::copy_n(of_ranks[rank].begin() + static_cast<std::int64_t>(i) * each, each,
                  array.values.begin() + static_cast<std::int64_t>(cells_of_ranks[rank][i]) * each);
  return array;
}

// Takes the numbers of a field in a stored element to those of an element here: both spaces are polynomials on the same
// reference shape, and the nearest in the mean is taken.
Matrix projection(const Operator& dg, int order, const Matrix& to_nodes) {
  const ReferenceElement& here = dg.element();
  const Cubature rule = cubature(here.shape, here.order + std::max(order, here.order));
  const Matrix to = dg.evaluation(rule.points), from = ReferenceElement(here.shape, order).interpolation(rule.points) * to_nodes;
  const Matrix weighted = rule.weights.asDiagonal() * to;
  return (weighted.transpose() * to).ldlt().solve(weighted.transpose() * from);
}

void put(Simulation& simulation, Buffer& state, const StoredArray& array, const Matrix* project) {
  Operator& dg = simulation.dg();
  const auto fields = static_cast<std::int64_t>(dg.fields()), numbers = static_cast<std::int64_t>(array.shape[1]);
  dg.write_numbers(state, [&](std::int64_t cell, double* own) {
    const Eigen::Map<const Matrix> values(array.values.data() + simulation.mesh().number_of(cell) * numbers * fields,
                                          numbers, fields);
    Eigen::Map<Matrix>(own, dg.element().node_count, fields) = project ? Matrix(*project * values) : Matrix(values);
  });
}

}  // namespace

Checkpoints::Checkpoints(Simulation& simulation, fs::path folder, const CheckpointCase& options)
    : simulation_(simulation), folder_(std::move(folder)), options_(options) {
  if (!has_checkpoints())
    throw InputError("output.checkpoint: this build of swell has no HDF5; build it with libhdf5-dev.");
  set_next();
}

void Checkpoints::set_next() {
  next_ = next_time(simulation_.time() + simulation_.nearly(), options_.every, simulation_.end());
}

bool Checkpoints::due() const { return simulation_.time() + simulation_.nearly() / 4 >= next_; }

void Checkpoints::write(const OutputsSoFar& outputs) {
  set_next();
  if (simulation_.steps() == last_) return;
  const Operator& dg = simulation_.dg();
  Checkpoint checkpoint;
  checkpoint.arrays[state_name] = stored(simulation_, simulation_.state());
  const auto memory = simulation_.integrator().memory();
  for (std::size_t i = 0; i < memory.size(); ++i) checkpoint.arrays[memory_name(i)] = stored(simulation_, *memory[i]);
  const Matrix to_nodes = dg.evaluation(dg.element().nodes);
  const auto numbers = static_cast<std::uint64_t>(to_nodes.cols());
  checkpoint.arrays[basis_name] = {{numbers, numbers}, {to_nodes.data(), to_nodes.data() + to_nodes.size()}};
  if (!outputs.far_field.empty()) checkpoint.arrays[far_field_name] = {{outputs.far_field.size()}, outputs.far_field};
  const Case& given = simulation_.given();
  checkpoint.about = Json{{"model", dg.problem().model.name},
                          {"fields", dg.problem().model.fields},
                          {"order", dg.element().order},
                          {"family", given.family},
                          {"scheme", given.scheme},
                          {"mesh", simulation_.mesh_fingerprint()},
                          {"memory", memory.size()},
                          {"moment", as_json(simulation_.moment())},
                          {"outputs", as_json(outputs)},
                          {"case", given.text}}
                         .dump(1, ' ', false, Json::error_handler_t::replace);
  last_ = simulation_.steps();
  if (!simulation_.ranks().first()) return;
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

OutputsSoFar restore(Simulation& simulation, const fs::path& file) {
  const Checkpoint checkpoint = read_checkpoint(file);
  const Json about = Json::parse(checkpoint.about);
  Operator& dg = simulation.dg();
  const std::vector<std::string> fields = about.at("fields");
  if (fields != dg.problem().model.fields)
    throw InputError("--restart: '{}' holds the fields {} of the model '{}', but the case has {}.", file.string(),
                     fmt::join(fields, ", "), about.at("model").get<std::string>(), fmt::join(dg.problem().model.fields, ", "));
  if (about.at("mesh") != simulation.mesh_fingerprint())
    throw InputError("--restart: '{}' was written on another mesh than that of the case.", file.string());
  const int order = about.at("order");
  const StoredArray& basis = checkpoint.arrays.at(basis_name);
  const auto numbers = static_cast<std::int64_t>(basis.shape[0]);
  const Matrix to_nodes = Eigen::Map<const Matrix>(basis.values.data(), numbers, numbers);
  const bool same = order == dg.element().order && to_nodes == dg.evaluation(dg.element().nodes);
  const Matrix project = same ? Matrix() : projection(dg, order, to_nodes);
  put(simulation, simulation.state(), checkpoint.arrays.at(state_name), same ? nullptr : &project);
  const int memory = about.at("scheme") == simulation.given().scheme ? about.at("memory").get<int>() : 0;
  const auto rates = simulation.integrator().resume(memory);
  for (std::size_t i = 0; i < rates.size(); ++i)
    put(simulation, *rates[i], checkpoint.arrays.at(memory_name(i)), same ? nullptr : &project);
  simulation.resume(moment_of(about.at("moment")));
  OutputsSoFar outputs = outputs_of(about.at("outputs"));
  if (const auto far = checkpoint.arrays.find(far_field_name); far != checkpoint.arrays.end()) outputs.far_field = far->second.values;
  return outputs;
}

}  // namespace swell
