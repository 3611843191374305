// SPDX-License-Identifier: Apache-2.0
#include "dg/transfer.hpp"

#include <algorithm>

namespace swell {

namespace {

constexpr std::size_t smallest_buffer = 64;
constexpr std::size_t at_once = std::size_t{1}
                                << 20;  // numbers converted at a time, so that no second copy of an array exists

}  // namespace

std::unique_ptr<Buffer> upload_reals(Device& device, Precision precision, const std::vector<double>& values,
                                     std::string_view label) {
  auto buffer = device.allocate(std::max(values.size() * bytes_of(precision), smallest_buffer), label);
  if (precision == Precision::double_) {
    buffer->write(values.data(), values.size() * sizeof(double));
    return buffer;
  }
  std::vector<float> single;
  for (std::size_t first = 0; first < values.size(); first += at_once) {
    const auto last = std::min(first + at_once, values.size());
    single.assign(values.begin() + static_cast<std::ptrdiff_t>(first),
                  values.begin() + static_cast<std::ptrdiff_t>(last));
    buffer->write(single.data(), single.size() * sizeof(float), first * sizeof(float));
  }
  return buffer;
}

std::unique_ptr<Buffer> upload_integers(Device& device, const std::vector<std::int32_t>& values,
                                        std::string_view label) {
  auto buffer = device.allocate(std::max(values.size() * sizeof(std::int32_t), smallest_buffer), label);
  buffer->write(values.data(), values.size() * sizeof(std::int32_t));
  return buffer;
}

std::vector<double> download_reals(Precision precision, const Buffer& buffer, std::size_t count) {
  std::vector<double> values(count);
  if (precision == Precision::double_) {
    buffer.read(values.data(), count * sizeof(double));
  } else {
    std::vector<float> single(count);
    buffer.read(single.data(), count * sizeof(float));
    std::copy(single.begin(), single.end(), values.begin());
  }
  return values;
}

}  // namespace swell
