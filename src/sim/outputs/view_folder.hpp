// SPDX-License-Identifier: Apache-2.0
// A finished run in the browser: its fields at the times of fields.pvd, its energy and its receivers. The work of `swell view`.
#pragma once

#include <filesystem>

namespace swell {

// Serves the view until SIGINT or SIGTERM, then returns 0. Throws InputError where the folder has no fields, or they cannot be
// read.
int view_folder(const std::filesystem::path& folder, int port);

}  // namespace swell
