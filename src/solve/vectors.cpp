// SPDX-License-Identifier: Apache-2.0
#include "solve/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "comm/sums.hpp"

namespace swell {

namespace {

// Enough for every thread of a GPU; on a CPU enough for its threads to share evenly. Fixed, so that sums do not depend on the
// size of the machine.
constexpr std::int64_t most_chunks_simt = 16384, most_chunks_cpu = 256;
constexpr std::int64_t fewest_values = 16;  // of a chunk

double numbers(std::int64_t count) { return static_cast<double>(count); }

}  // namespace

Vectors::Vectors(Device& device, Precision precision, Ranks& ranks) : device_(device), precision_(precision), ranks_(ranks) {
  program_ = device.compile({"vectors",
                             totals_text() + std::string(solve_texts("kernels/solve/vectors.h")),
                             {"copy_vector", "combine_vectors", "multiply_vectors", "add_constant", "dot_vectors", "sum_vector"},
                             precision,
                             false});
  partial_ = device.allocate(static_cast<std::size_t>(most_chunks()) * total_bytes(), "partial sums");
}

std::string Vectors::totals_text() const {
  return fmt::format("#define DOUBLES {}\n", device_.info().doubles ? 1 : 0) +
         std::string(solve_texts("kernels/solve/totals.h"));
}

std::int64_t Vectors::most_chunks() const {
  return device_.info().simt ? most_chunks_simt : most_chunks_cpu;
}

std::int64_t Vectors::chunks(std::int64_t count) const {
  return std::clamp<std::int64_t>(count / fewest_values, 1, most_chunks());
}

std::size_t Vectors::total_bytes() const { return device_.info().doubles ? sizeof(double) : bytes_of(precision_); }

std::unique_ptr<Buffer> Vectors::make(std::int64_t length, std::string_view label) const {
  return device_.allocate(static_cast<std::size_t>(std::max<std::int64_t>(1, length)) * bytes_of(precision_), label);
}

std::unique_ptr<Buffer> Vectors::upload(const std::vector<double>& values, std::string_view label) const {
  auto buffer = make(static_cast<std::int64_t>(values.size()), label);
  write(values, *buffer);
  return buffer;
}

std::unique_ptr<Buffer> Vectors::upload(const std::vector<std::int32_t>& values, std::string_view label) const {
  auto buffer = device_.allocate(std::max<std::size_t>(1, values.size()) * sizeof(std::int32_t), label);
  if (!values.empty()) buffer->write(values.data(), values.size() * sizeof(std::int32_t));
  return buffer;
}

void Vectors::write(const std::vector<double>& values, Buffer& to, std::int64_t first) const {
  if (values.empty()) return;
  const auto offset = static_cast<std::size_t>(first) * bytes_of(precision_);
  if (precision_ == Precision::double_) return to.write(values.data(), values.size() * sizeof(double), offset);
  const std::vector<float> single(values.begin(), values.end());
  to.write(single.data(), single.size() * sizeof(float), offset);
}

std::vector<double> Vectors::download(const Buffer& from, std::int64_t count) const {
  device_.queue().finish();
  std::vector<double> values(static_cast<std::size_t>(count));
  if (values.empty()) return values;
  if (precision_ == Precision::double_) {
    from.read(values.data(), values.size() * sizeof(double));
  } else {
    std::vector<float> single(values.size());
    from.read(single.data(), single.size() * sizeof(float));
    std::copy(single.begin(), single.end(), values.begin());
  }
  return values;
}

std::vector<double> Vectors::read_totals(const Buffer& from, std::int64_t count, std::int64_t first) const {
  device_.queue().finish();
  std::vector<double> values(static_cast<std::size_t>(count));
  const auto offset = static_cast<std::size_t>(first) * total_bytes();
  if (total_bytes() == sizeof(double)) {
    from.read(values.data(), values.size() * sizeof(double), offset);
  } else {
    std::vector<float> single(values.size());
    from.read(single.data(), single.size() * sizeof(float), offset);
    std::copy(single.begin(), single.end(), values.begin());
  }
  return values;
}

void Vectors::write_totals(const std::vector<double>& values, Buffer& to) const {
  if (total_bytes() == sizeof(double)) return to.write(values.data(), values.size() * sizeof(double));
  const std::vector<float> single(values.begin(), values.end());
  to.write(single.data(), single.size() * sizeof(float));
}

void Vectors::copy(const Buffer& from, Buffer& to, std::int64_t count) {
  const auto n = chunks(count);
  const double word = static_cast<double>(bytes_of(precision_));
  device_.queue().launch(program_->kernel("copy_vector"), n, {from, to, count, n}, {2 * word * numbers(count), 0});
}

void Vectors::combine(double a, const Buffer& x, double b, Buffer& y, std::int64_t count) {
  const auto n = chunks(count);
  const double word = static_cast<double>(bytes_of(precision_));
  device_.queue().launch(program_->kernel("combine_vectors"), n,
                         {x, y, Argument::real(a), Argument::real(b), count, n},
                         {3 * word * numbers(count), 3 * numbers(count)});
}

void Vectors::multiply(const Buffer& d, const Buffer& x, Buffer& y, std::int64_t count) {
  const auto n = chunks(count);
  const double word = static_cast<double>(bytes_of(precision_));
  device_.queue().launch(program_->kernel("multiply_vectors"), n, {d, x, y, count, n},
                         {3 * word * numbers(count), numbers(count)});
}

void Vectors::add_constant(double c, Buffer& y, std::int64_t count) {
  const auto n = chunks(count);
  const double word = static_cast<double>(bytes_of(precision_));
  device_.queue().launch(program_->kernel("add_constant"), n, {y, Argument::real(c), count, n},
                         {2 * word * numbers(count), numbers(count)});
}

double Vectors::dot(const Buffer& x, const Buffer& y, std::int64_t count) {
  const auto n = chunks(count);
  const double word = static_cast<double>(bytes_of(precision_));
  device_.queue().launch(program_->kernel("dot_vectors"), n, {x, y, *partial_, count, n},
                         {2 * word * numbers(count), 2 * numbers(count)});
  double total = 0;
  for (const double part : read_totals(*partial_, n)) total += part;
  return added_up(ranks_, total);
}

double Vectors::sum(const Buffer& x, std::int64_t count) {
  const auto n = chunks(count);
  const double word = static_cast<double>(bytes_of(precision_));
  device_.queue().launch(program_->kernel("sum_vector"), n, {x, *partial_, count, n},
                         {word * numbers(count), numbers(count)});
  double total = 0;
  for (const double part : read_totals(*partial_, n)) total += part;
  return added_up(ranks_, total);
}

}  // namespace swell
