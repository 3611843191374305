// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "comm/launch.hpp"
#include "mesh/partition.hpp"
#include "base/memory.hpp"
#include "device/tuner.hpp"
#include "dg/model.hpp"
#include "time/integrator.hpp"

namespace swell {

namespace {

void describe(const DeviceInfo& device, nlohmann::json& entry) {
  entry["backend"] = device.backend;
  entry["compiler"] = device.compiler;
  entry["threads"] = device.threads;
  entry["memory"] = device.memory;
  entry["doubles"] = device.doubles;
  if (device.threads_are_lanes) {
    entry["driver"] = device.driver;
    entry["processors"] = device.processors;
    entry["shared_bytes"] = device.shared_bytes;
    entry["tensor_cores"] = device.tensor_cores != 0;
  } else {
    entry["vector_bytes"] = device.vector_bytes;
  }
}

// What a usable device can do, in words: its name and size stand in the line before.
std::string abilities(const nlohmann::json& device) {
  std::string words = device["doubles"].get<bool>() ? "single and double precision" : "single precision";
  if (device.contains("vector_bytes")) return fmt::format("{}, {}-byte vectors", words, device["vector_bytes"].get<int>());
  words += fmt::format(", {} KiB of shared memory for a group", device["shared_bytes"].get<std::int64_t>() / 1024);
  return words + (device["tensor_cores"].get<bool>() ? ", tensor cores" : "");
}

void info(bool json) {
  nlohmann::json all{
      {"version", SWELL_VERSION},          {"models", model_names()},
      {"schemes", integrator_names()},     {"elements", {"triangle", "quadrilateral", "tetrahedron", "hexahedron"}},
      {"cache", cache_folder()},           {"memory", total_memory()},
      {"tuning", tuning_path()},           {"devices", nlohmann::json::array()},
      {"mpi", mpi_words()},                {"metis", has_metis()}};
  for (const auto& d : list_devices()) {
    nlohmann::json entry{{"name", d.name}, {"usable", d.usable}, {"words", d.words}};
    if (d.usable) describe(open_device(d.name)->info(), entry);
    all["devices"].push_back(entry);
  }
  if (json) {
    fmt::print("{}\n", all.dump(2));
    return;
  }
  fmt::print("Swell {}\n", SWELL_VERSION);
  fmt::print("models     {}\nelements   triangle, quadrilateral, tetrahedron, hexahedron\nschemes    {}\n",
             fmt::join(model_names(), ", "), fmt::join(integrator_names(), ", "));
  fmt::print("ranks      MPI: {}; parts of a mesh by {}\n", mpi_words(), has_metis() ? "METIS" : "a space-filling curve");
  fmt::print("memory     {:.1f} GB\nkernels    kept in {}\ntuning     {}\n",
             static_cast<double>(total_memory()) / 1e9, cache_folder(), tuning_path());
  for (const auto& d : all["devices"]) {
    fmt::print("device     {}: {}\n", d["name"].get<std::string>(), d["words"].get<std::string>());
    if (d["usable"]) fmt::print("           {}\n", abilities(d));
  }
}

}  // namespace

void add_info(CLI::App& app, int&) {
  auto* command = app.add_subcommand("info", "Version, features, devices, compilers, cache folders");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON");
  command->callback([=] { info(*json); });
}

}  // namespace swell
