// SPDX-License-Identifier: Apache-2.0
// Ranks by MPI: what a build with MPI has behind comm/launch.hpp.
#pragma once

#include <memory>
#include <string>

#include "comm/ranks.hpp"

namespace swell {

// False where MPI is open already.
bool open_mpi(int* count, char*** words);
void close_mpi();
std::unique_ptr<Ranks> mpi_world();
std::string mpi_library();

}  // namespace swell
