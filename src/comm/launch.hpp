// SPDX-License-Identifier: Apache-2.0
// The way in which this process was started: under mpirun or srun as one of several ranks, or as a single one.
#pragma once

#include <memory>
#include <string>

#include "comm/ranks.hpp"

namespace swell {

// Keeps MPI open while it lives, where a launcher started this process and the build has MPI. One in a process, on the main
// thread. Throws RunError where a launcher started several processes and the build has no MPI: each would do the whole run.
class Launch {
 public:
  Launch(int* count, char*** words);
  ~Launch();
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  Ranks& ranks() const { return *ranks_; }

 private:
  bool opened_ = false;
  std::unique_ptr<Ranks> world_;
  Ranks* ranks_;
};

// The ranks of the Launch that lives, else a single rank.
Ranks& world();

// The MPI library in words, or that the build has none.
std::string mpi_words();

}  // namespace swell
