// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "base/memory.hpp"
#include "device/device.hpp"
#include "dg/model.hpp"
#include "time/integrator.hpp"

namespace swell {

namespace {

void info(bool json) {
  nlohmann::json all{
      {"version", SWELL_VERSION},          {"models", model_names()},
      {"schemes", integrator_names()},     {"elements", {"triangle", "quadrilateral", "tetrahedron", "hexahedron"}},
      {"cache", cache_folder()},           {"memory", total_memory()},
      {"devices", nlohmann::json::array()}};
  for (const auto& d : list_devices()) {
    nlohmann::json entry{{"name", d.name}, {"usable", d.usable}, {"words", d.words}};
    if (d.usable) {
      const auto device = open_device(d.name);
      entry["threads"] = device->info().threads;
      entry["compiler"] = device->info().compiler;
      entry["vector_bytes"] = device->info().vector_bytes;
    }
    all["devices"].push_back(entry);
  }
  if (json) {
    fmt::print("{}\n", all.dump(2));
    return;
  }
  fmt::print("Swell {}\n", SWELL_VERSION);
  fmt::print("models     {}\nelements   triangle, quadrilateral, tetrahedron, hexahedron\nschemes    {}\n",
             fmt::join(model_names(), ", "), fmt::join(integrator_names(), ", "));
  fmt::print("memory     {:.1f} GB\nkernels    kept in {}\n", static_cast<double>(total_memory()) / 1e9,
             cache_folder());
  for (const auto& d : all["devices"]) {
    fmt::print("device     {}: {}\n", d["name"].get<std::string>(), d["words"].get<std::string>());
    if (d["usable"])
      fmt::print("           {} threads, {}-byte vectors, compiler {}\n", d["threads"].get<int>(),
                 d["vector_bytes"].get<int>(), d["compiler"].get<std::string>());
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
