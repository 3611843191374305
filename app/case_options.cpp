// SPDX-License-Identifier: Apache-2.0
#include "app/case_options.hpp"

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

}  // namespace swell
