// SPDX-License-Identifier: Apache-2.0
// Transfers of values to and from a device in the precision of a problem.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "device/device.hpp"

namespace swell {

std::unique_ptr<Buffer> upload_reals(Device& device, Precision precision, const std::vector<double>& values,
                                     std::string_view label);
std::unique_ptr<Buffer> upload_integers(Device& device, const std::vector<std::int32_t>& values,
                                        std::string_view label);
// Transfers begin at the place `first` of a buffer.
void write_reals(Precision precision, Buffer& buffer, const std::vector<double>& values, std::size_t first);
void read_reals(Precision precision, const Buffer& buffer, std::vector<double>& values, std::size_t first);
std::vector<double> download_reals(Precision precision, const Buffer& buffer, std::size_t count);

}  // namespace swell
