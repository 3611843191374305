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
  write_reals(precision, *buffer, values, 0);
  return buffer;
}

void write_reals(Precision precision, Buffer& buffer, const std::vector<double>& values, std::size_t first) {
  if (precision == Precision::double_) {
    buffer.write(values.data(), values.size() * sizeof(double), first * sizeof(double));
    return;
  }
  std::vector<float> single;
  for (std::size_t begin = 0; begin < values.size(); begin += at_once) {
    const auto end = std::min(begin + at_once, values.size());
    single.assign(values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end));
    buffer.write(single.data(), single.size() * sizeof(float), (first + begin) * sizeof(float));
  }
}

void read_reals(Precision precision, const Buffer& buffer, std::vector<double>& values, std::size_t first) {
  if (precision == Precision::double_) {
    buffer.read(values.data(), values.size() * sizeof(double), first * sizeof(double));
    return;
  }
  std::vector<float> single(values.size());
  buffer.read(single.data(), single.size() * sizeof(float), first * sizeof(float));
  std::copy(single.begin(), single.end(), values.begin());
}

std::unique_ptr<Buffer> upload_integers(Device& device, const std::vector<std::int32_t>& values,
                                        std::string_view label) {
  auto buffer = device.allocate(std::max(values.size() * sizeof(std::int32_t), smallest_buffer), label);
  buffer->write(values.data(), values.size() * sizeof(std::int32_t));
  return buffer;
}

std::vector<double> download_reals(Precision precision, const Buffer& buffer, std::size_t count) {
  std::vector<double> values(count);
  read_reals(precision, buffer, values, 0);
  return values;
}

}  // namespace swell
