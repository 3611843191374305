// SPDX-License-Identifier: Apache-2.0
// Small files of the kernel cache: read whole, written beside their name and renamed, in a folder of the user's own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace swell {

// The content of a file; nothing where it cannot be read.
std::optional<std::string> read_file(const std::string& path);

// A name beside `path` that no other process or call uses.
std::string temporary_name(const std::string& path);

// Whole or not at all: writes a temporary name and renames it. Throws RunError.
void write_file(const std::string& path, std::string_view content);
void rename_file(const std::string& from, const std::string& to);

// Creates `folder` for this user only, or checks that nobody else can write to it. Throws RunError.
void secure_folder(const std::string& folder);

}  // namespace swell
