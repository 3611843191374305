// SPDX-License-Identifier: Apache-2.0
#include "sim/checkpoints.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "sim/checkpoint_parts.hpp"
#include "sim/run_parts.hpp"

namespace swell {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr const char *state_name = "state", *basis_name = "nodes of numbers", *far_field_name = "far field";
std::string memory_name(std::size_t i) { return fmt::format("rate {}", i); }

Json as_json(const Simulation::Moment& m) {
  Json j{{"time", m.time},   {"dt", m.dt},       {"steps", m.steps}, {"origin", m.origin}, {"origin_step", m.origin_step},
         {"start", m.start}, {"until", m.until}, {"done", m.done}};
  if (m.memory.dt > 0) j["stable"] = {{"dt", m.memory.dt}, {"waiting", m.memory.waiting}};
  return j;
}

Simulation::Moment moment_of(const Json& j) {
  Simulation::Moment m{j.at("time"),  j.at("dt"),    j.at("steps"), j.at("origin"), j.at("origin_step"),
                       j.at("start"), j.at("until"), j.at("done"),  {}};
  if (j.contains("stable")) m.memory = {j["stable"].at("dt"), j["stable"].at("waiting")};
  return m;
}

StoredArray stored(Simulation& simulation, const Buffer& state) {
  const Operator& dg = simulation.dg();
  const std::int64_t numbers = dg.element().node_count, each = numbers * dg.fields();
  std::vector<double> own, cells;
  dg.states().read_numbers(state, [&](std::int64_t cell, const double* values) {
    cells.push_back(static_cast<double>(simulation.mesh().number_of(cell)));
    own.insert(own.end(), values, values + each);
  });
  return gathered(simulation.ranks(), cells, own, simulation.elements(), numbers, dg.fields(), dg.problem().precision);
}

// Takes the numbers of a field in a stored element to those of an element here: both spaces are polynomials on the same
// reference shape, and the nearest in the mean is taken.
Matrix projection(const Operator& dg, int order, const Matrix& to_nodes) {
  const ReferenceElement& here = dg.element();
  const Cubature rule = cubature(here.shape, here.order + std::max(order, here.order));
  const Matrix to = dg.states().evaluation(rule.points), from = ReferenceElement(here.shape, order).interpolation(rule.points) * to_nodes;
  const Matrix weighted = rule.weights.asDiagonal() * to;
  return (weighted.transpose() * to).ldlt().solve(weighted.transpose() * from);
}

void put(Simulation& simulation, Buffer& state, const StoredArray& array, const Matrix* project) {
  Operator& dg = simulation.dg();
  const auto fields = static_cast<std::int64_t>(dg.fields()), numbers = static_cast<std::int64_t>(array.shape[1]);
  dg.states().write_numbers(state, [&](std::int64_t cell, double* own) {
    const Eigen::Map<const Matrix> values(array.values.data() + simulation.mesh().number_of(cell) * numbers * fields,
                                          numbers, fields);
    Eigen::Map<Matrix>(own, dg.element().node_count, fields) = project ? Matrix(*project * values) : Matrix(values);
  });
}

}  // namespace

SavedRun saved(Simulation& simulation) {
  SavedRun run{simulation.ranks(), simulation.nearly(), simulation.end(), [&simulation] { return simulation.time(); },
               [&simulation] { return simulation.steps(); }, {}};
  run.save = [&simulation](const OutputsSoFar& outputs) {
    const Operator& dg = simulation.dg();
    Checkpoint checkpoint;
    checkpoint.arrays[state_name] = stored(simulation, simulation.state());
    const auto memory = simulation.integrator().memory();
    for (std::size_t i = 0; i < memory.size(); ++i) checkpoint.arrays[memory_name(i)] = stored(simulation, *memory[i]);
    const Matrix to_nodes = dg.states().evaluation(dg.element().nodes);
    const auto numbers = static_cast<std::uint64_t>(to_nodes.cols());
    checkpoint.arrays[basis_name] = {{numbers, numbers}, {to_nodes.data(), to_nodes.data() + to_nodes.size()}};
    if (!outputs.far_field.empty()) checkpoint.arrays[far_field_name] = {{outputs.far_field.size()}, outputs.far_field};
    checkpoint.about = about_run(dg.problem().model.name, dg.problem().model.fields, simulation.given(), simulation.mesh_fingerprint(),
                                 outputs, {{"order", dg.element().order}, {"memory", memory.size()}, {"moment", as_json(simulation.moment())}});
    return checkpoint;
  };
  return run;
}

Checkpoints::Checkpoints(SavedRun run, fs::path folder, const CheckpointCase& options)
    : run_(std::move(run)), folder_(std::move(folder)), options_(options) {
  if (!has_checkpoints())
    throw InputError("output.checkpoint: this build of swell has no HDF5; build it with libhdf5-dev.");
  set_next();
}

void Checkpoints::set_next() {
  next_ = next_time(run_.time() + run_.nearly, options_.every, run_.end);
}

bool Checkpoints::due() const { return run_.time() + run_.nearly / 4 >= next_; }

void Checkpoints::write(const OutputsSoFar& outputs) {
  set_next();
  if (run_.steps() == last_) return;
  const Checkpoint checkpoint = run_.save(outputs);
  last_ = run_.steps();
  if (!run_.ranks.first()) return;
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
  check_kind(about, dg.problem().model.fields, simulation.mesh_fingerprint(), file);
  const int order = about.at("order");
  const StoredArray& basis = checkpoint.arrays.at(basis_name);
  const auto numbers = static_cast<std::int64_t>(basis.shape[0]);
  const Matrix to_nodes = Eigen::Map<const Matrix>(basis.values.data(), numbers, numbers);
  const bool same = order == dg.element().order && to_nodes == dg.states().evaluation(dg.element().nodes);
  const Matrix project = same ? Matrix() : projection(dg, order, to_nodes);
  put(simulation, simulation.state(), checkpoint.arrays.at(state_name), same ? nullptr : &project);
  // In another basis it would be something else: a scheme that remembers then begins anew.
  const int memory = same && about.at("scheme") == simulation.given().scheme ? about.at("memory").get<int>() : 0;
  const auto remembered = simulation.integrator().resume(memory);
  for (std::size_t i = 0; i < remembered.size(); ++i)
    put(simulation, *remembered[i], checkpoint.arrays.at(memory_name(i)), nullptr);
  simulation.resume(moment_of(about.at("moment")));
  OutputsSoFar outputs = outputs_of(about.at("outputs"));
  if (const auto far = checkpoint.arrays.find(far_field_name); far != checkpoint.arrays.end()) outputs.far_field = far->second.values;
  return outputs;
}

}  // namespace swell
