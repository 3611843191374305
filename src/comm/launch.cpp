// SPDX-License-Identifier: Apache-2.0
#include "comm/launch.hpp"

#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#ifdef SWELL_MPI
#include "comm/mpi_ranks.hpp"
#endif

namespace swell {

namespace {

// Environment variables that launchers set for each process: Open MPI's mpirun, PMIx (srun --mpi=pmix, prun), PMI (MPICH's
// hydra, srun --mpi=pmi2).
constexpr const char* marks[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"};
#ifndef SWELL_MPI
constexpr const char* sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
#endif

Ranks* world_ranks = nullptr;

bool launched() {
  for (const char* mark : marks)
    if (std::getenv(mark) != nullptr) return true;
  return false;
}

}  // namespace

Ranks& world() { return world_ranks ? *world_ranks : lone_rank(); }

#ifdef SWELL_MPI

Launch::Launch(int* count, char*** words) : ranks_(&lone_rank()) {
  if (!launched()) return;
  opened_ = open_mpi(count, words);
  world_ = mpi_world();
  ranks_ = world_ranks = world_.get();
}

Launch::~Launch() {
  world_ranks = nullptr;
  world_.reset();
  if (opened_) close_mpi();
}

std::string mpi_words() { return mpi_library(); }

#else

Launch::Launch(int*, char***) : ranks_(&lone_rank()) {
  if (!launched()) return;
  for (const char* size : sizes)
    if (const char* value = std::getenv(size); value != nullptr && std::string_view(value) != "1")
      throw RunError(
          "This build of Swell has no MPI, and {} processes of it were started together; install libopenmpi-dev and build "
          "again, or start one.",
          value);
}

Launch::~Launch() = default;

std::string mpi_words() { return "none: this build has no MPI"; }

#endif

}  // namespace swell
