// SPDX-License-Identifier: Apache-2.0
// Checkpoints of heat: temperatures of the last steps at the nodes of the elements.
#include "base/error.hpp"
#include "sim/checkpoint_parts.hpp"
#include "sim/checkpoints.hpp"
#include "sim/heat/heat.hpp"

namespace swell {

using Json = nlohmann::json;

namespace {

// Of the last steps, the last one first.
std::string array_name(std::size_t i) { return i == 0 ? "state" : fmt::format("state {} before", i); }

StoredArray stored(HeatSimulation& simulation, const std::vector<double>& values) {
  const Mesh& mesh = simulation.mesh();
  std::vector<double> cells;
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell) cells.push_back(static_cast<double>(mesh.number_of(cell)));
  return gathered(simulation.ranks(), cells, values, simulation.elements(), simulation.element().node_count, 1,
                  simulation.given().precision);
}

Json as_json(const HeatSimulation::Moment& m) {
  return {{"steps", m.steps}, {"origin_step", m.origin_step}, {"iterations", m.iterations}, {"time", m.time},
          {"dt", m.dt},       {"origin", m.origin},           {"last_dt", m.last_dt},       {"load_time", m.load_time}};
}

HeatSimulation::Moment moment_of(const Json& j) {
  return {j.at("steps"), j.at("origin_step"), j.at("iterations"), j.at("time"), j.at("dt"), j.at("origin"), j.at("last_dt"),
          j.at("load_time")};
}

// Values at the nodes of this rank's cells; `to_nodes` from those of a stored element of another order.
std::vector<double> values_of(const HeatSimulation& simulation, const StoredArray& array, const Matrix* to_nodes) {
  const Mesh& mesh = simulation.mesh();
  const std::int64_t here = simulation.element().node_count, there = static_cast<std::int64_t>(array.shape[1]);
  std::vector<double> values(mesh.own_count() * here);
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell) {
    const Eigen::Map<const Vector> stored(array.values.data() + mesh.number_of(cell) * there, there);
    Eigen::Map<Vector> own(values.data() + cell * here, here);
    if (to_nodes)
      own = *to_nodes * stored;
    else
      own = stored;
  }
  return values;
}

}  // namespace

SavedRun saved(HeatSimulation& simulation) {
  SavedRun run{simulation.ranks(), 1e-9 * simulation.dt(), simulation.end(), [&simulation] { return simulation.time(); },
               [&simulation] { return simulation.steps(); }, {}};
  run.save = [&simulation](const OutputsSoFar& outputs) {
    Checkpoint checkpoint;
    checkpoint.arrays[array_name(0)] = stored(simulation, simulation.nodal_values());
    const auto earlier = simulation.earlier_values();
    for (std::size_t i = 0; i < earlier.size(); ++i) checkpoint.arrays[array_name(i + 1)] = stored(simulation, earlier[i]);
    checkpoint.about = about_run(simulation.given().model, {simulation.field()}, simulation.given(), simulation.mesh_fingerprint(),
                                 outputs, {{"earlier", earlier.size()}, {"moment", as_json(simulation.moment())}});
    return checkpoint;
  };
  return run;
}

OutputsSoFar restore(HeatSimulation& simulation, const std::filesystem::path& file) {
  const Checkpoint checkpoint = read_checkpoint(file);
  const Json about = Json::parse(checkpoint.about);
  check_kind(about, {simulation.field()}, simulation.mesh_fingerprint(), file);
  if (about.at("model") != simulation.given().model)
    throw InputError("--restart: '{}' is of the model '{}', but the case has '{}'.", file.string(),
                     about.at("model").get<std::string>(), simulation.given().model);
  const ReferenceElement& here = simulation.element();
  const int order = about.at("order");
  // A continuous function is continuous at the nodes of another order too.
  const Matrix to_nodes = ReferenceElement(here.shape, order).interpolation(here.nodes);
  const Matrix* change = order == here.order ? nullptr : &to_nodes;
  std::vector<std::vector<double>> earlier;
  for (std::size_t i = 0; i < about.at("earlier").get<std::size_t>(); ++i)
    earlier.push_back(values_of(simulation, checkpoint.arrays.at(array_name(i + 1)), change));
  simulation.resume(moment_of(about.at("moment")), values_of(simulation, checkpoint.arrays.at(array_name(0)), change), earlier);
  return outputs_of(about.at("outputs"));
}

}  // namespace swell
