// SPDX-License-Identifier: Apache-2.0
// A description of this machine and of this build.
#include <nlohmann/json.hpp>

#include "base/memory.hpp"
#include "case/problem_of_case.hpp"
#include "comm/launch.hpp"
#include "device/tuner.hpp"
#include "io/checkpoint.hpp"
#include "mesh/partition.hpp"
#include "study/given_work.hpp"
#include "time/integrator.hpp"

namespace swell {

namespace {

void describe(const DeviceInfo& device, nlohmann::json& entry) {
  entry["backend"] = device.backend;
  entry["compiler"] = device.compiler;
  entry["threads"] = device.threads;
  entry["memory"] = device.memory;
  entry["doubles"] = device.doubles;
  if (device.simt) {
    entry["driver"] = device.driver;
    entry["processors"] = device.processors;
    entry["shared_bytes"] = device.shared_bytes;
    entry["tensor_cores"] = device.tensor_cores != 0;
  } else {
    entry["vector_bytes"] = device.vector_bytes;
  }
}

}  // namespace

std::string info_json() {
  nlohmann::json all{
      {"version", SWELL_VERSION},          {"models", model_names()},
      {"schemes", integrator_names()},     {"elements", {"triangle", "quadrilateral", "tetrahedron", "hexahedron"}},
      {"cache", cache_folder()},           {"memory", total_memory()},
      {"tuning", tuning_path()},           {"devices", nlohmann::json::array()},
      {"mpi", mpi_words()},                {"metis", has_metis()},
      {"checkpoints", has_checkpoints()}};
  for (const char* const scheme : {"theta", "bdf2"}) all["schemes"].push_back(scheme);  // of heat
  for (const auto& d : list_devices()) {
    nlohmann::json entry{{"name", d.name}, {"usable", d.usable}, {"words", d.words}};
    if (d.usable) describe(open_device(d.name)->info(), entry);
    all["devices"].push_back(entry);
  }
  return all.dump(2);
}

}  // namespace swell
