// SPDX-License-Identifier: Apache-2.0
// Says how far a set-up is: while a phase lasts its name stands at the bottom of a terminal, and one that took long is noted in the log's
// file with its seconds.
#pragma once

#include <string>

#include "base/timer.hpp"

namespace swell {

class SetUpPhase {
 public:
  // Lasts until it is destroyed or told the next name; a phase within another one takes its place meanwhile.
  explicit SetUpPhase(std::string name);
  ~SetUpPhase();
  SetUpPhase(const SetUpPhase&) = delete;
  SetUpPhase& operator=(const SetUpPhase&) = delete;
  void next(std::string name);

 private:
  void show() const;
  void note() const;

  std::string name_;
  Stopwatch clock_;
  SetUpPhase* outer_;
};

}  // namespace swell
