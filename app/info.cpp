// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "study/given_work.hpp"

namespace swell {

namespace {

// The abilities of a usable device in words: its name and size stand in the line before.
std::string abilities(const nlohmann::json& device) {
  std::string words = device["doubles"].get<bool>() ? "single and double precision" : "single precision";
  if (device.contains("vector_bytes")) return fmt::format("{}, {}-byte vectors", words, device["vector_bytes"].get<int>());
  words += fmt::format(", {} KiB of shared memory for a group", device["shared_bytes"].get<std::int64_t>() / 1024);
  return words + (device["tensor_cores"].get<bool>() ? ", tensor cores" : "");
}

void info(bool json) {
  const auto all = nlohmann::json::parse(info_json());
  if (json) {
    fmt::print("{}\n", all.dump(2));
    return;
  }
  const auto text = [&](const char* key) { return all[key].get<std::string>(); };
  const auto words = [&](const char* key) { return all[key].get<std::vector<std::string>>(); };
  fmt::print("Swell {}\n", text("version"));
  fmt::print("models     {}\nelements   {}\nschemes    {}\n", fmt::join(words("models"), ", "),
             fmt::join(words("elements"), ", "), fmt::join(words("schemes"), ", "));
  fmt::print("ranks      MPI: {}; parts of a mesh by {}\n", text("mpi"), all["metis"].get<bool>() ? "METIS" : "a space-filling curve");
  fmt::print("files      {}\n", all["checkpoints"].get<bool>() ? "checkpoints in HDF5" : "no checkpoints: this build has no HDF5");
  fmt::print("memory     {:.1f} GB\nkernels    kept in {}\ntuning     {}\n", all["memory"].get<double>() / 1e9, text("cache"),
             text("tuning"));
  for (const auto& d : all["devices"]) {
    fmt::print("device     {}: {}\n", d["name"].get<std::string>(), d["words"].get<std::string>());
    if (d["usable"]) fmt::print("           {}\n", abilities(d));
  }
}

}  // namespace

Command info_command() {
  Command command{"info", "Version, features, devices, compilers, cache folders"};
  auto json = std::make_shared<bool>(false);
  command.option("--json", *json, "As JSON");
  command.run = [=](const Given&) {
    info(*json);
    return 0;
  };
  return command;
}

}  // namespace swell
