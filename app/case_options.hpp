// SPDX-License-Identifier: Apache-2.0
// The words that commands on a case share: the file, -D, --device, --precision, --output.
#pragma once

#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "case/case.hpp"

namespace swell {

struct CaseOptions {
  std::string file, device, precision, output;
  std::vector<std::string> overrides;

  void add_to(Command& command);
  // Every option except --output.
  void add_input_to(Command& command, bool required = true);
  // The case, or the run of this number where it has a [sweep].
  Case read(std::size_t run = 0) const;
};

// The number of a port, or 0 for "any" that is free.
int port_of(const std::string& word);

}  // namespace swell
