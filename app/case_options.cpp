// SPDX-License-Identifier: Apache-2.0
#include "app/case_options.hpp"

#include <charconv>

#include "base/error.hpp"
#include "base/names.hpp"

namespace swell {

void CaseOptions::add_input_to(Command& command, bool required) {
  command.option("case", file, "The case file").required(required);
  command.option("-D", overrides, "Override a key of the case: -D model.order=7").value("KEY=VALUE").single_word();
  command.option("--device", device, "cpu[:THREADS], opencl[:P:D], cuda[:D] or auto").value("DEVICE");
  command.option("--precision", precision, "single or double").value("PRECISION");
}

void CaseOptions::add_to(Command& command) {
  add_input_to(command);
  command.option("--output", output, "The folder for results").value("DIR");
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
