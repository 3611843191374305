// SPDX-License-Identifier: Apache-2.0
#include "app/case_options.hpp"

#include <charconv>

#include "base/error.hpp"
#include "base/names.hpp"

namespace swell {

void CaseOptions::add_to(CLI::App& command) {
  command.add_option("case", file, "The case file")->required();
  command.add_option("-D", overrides, "Override a key of the case: -D model.order=7")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--device", device, "cpu[:THREADS], opencl[:P:D], cuda[:D] or auto")->type_name("DEVICE");
  command.add_option("--precision", precision, "single or double")->type_name("PRECISION");
  command.add_option("--output", output, "The folder for results")->type_name("DIR");
}

Case CaseOptions::read(std::size_t run) const {
  auto all = overrides;
  if (!device.empty()) all.push_back("device.backend=" + device);
  if (!precision.empty()) all.push_back("device.precision=" + precision);
  Case c = read_case(file, all, run);
  if (!output.empty()) c.output_folder = output;
  return c;
}

int port_of(const std::string& word) {
  constexpr int last_port = 65535;
  if (word == "any") return 0;
  int port = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), port);
  if (error != std::errc() || end != word.data() + word.size() || port < 0 || port > last_port)
    throw InputError("'{}' is no port; ports go up to {}.", shown(word), last_port);
  return port;
}

}  // namespace swell
