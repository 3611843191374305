// SPDX-License-Identifier: Apache-2.0
#include "mesh/gmsh/cursor.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/error.hpp"

namespace swell::gmsh {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// The part of a file that a message may repeat: a few printable characters.
std::string shown(std::string_view text) {
  std::string clean(text.substr(0, 24));
  for (char& c : clean)
    if (c < 32 || c > 126) c = '?';
  return clean;
}

template <class Number>
std::errc parse(std::string_view text, Number& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

}  // namespace

void Cursor::set_binary(bool swap_bytes, int size_bytes) {
  binary_ = true;
  swap_ = swap_bytes;
  size_bytes_ = size_bytes;
}

void Cursor::fail(const std::string& message) const {
  if (binary_) throw InputError("{}, byte {}: {}.", file_, at_, message);
  const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
  throw InputError("{}, line {}: {}.", file_, line, message);
}

void Cursor::skip_space() {
  while (at_ < bytes_.size() && is_space(bytes_[at_])) ++at_;
}

bool Cursor::at_end() {
  skip_space();
  return at_ == bytes_.size();
}

std::string_view Cursor::word(const char* what) {
  if (at_end()) fail(fmt::format("the file ends where {} should stand; it is cut off", what));
  const std::size_t begin = at_;
  while (at_ < bytes_.size() && !is_space(bytes_[at_])) ++at_;
  return bytes_.substr(begin, at_ - begin);
}

std::string_view Cursor::line() {
  const std::size_t begin = at_;
  const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
  at_ = std::min(end + 1, bytes_.size());
  std::string_view text = bytes_.substr(begin, end - begin);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::int64_t Cursor::text_integer(const char* what) {
  const std::string_view text = word(what);
  std::int64_t value = 0;
  if (parse(text, value) != std::errc())
    fail(fmt::format("'{}' is no whole number; {} should stand here", shown(text), what));
  return value;
}

double Cursor::text_real(const char* what) {
  const std::string_view text = word(what);
  double value = 0;
  const std::errc error = parse(text, value);
  if (error == std::errc()) return value;
  // A number too small for double is zero; one too large is no coordinate.
  if (error == std::errc::result_out_of_range && text.find_first_of("eE") != std::string_view::npos &&
      text[text.find_first_of("eE") + 1] == '-')
    return 0;
  fail(fmt::format("'{}' is no number; {} should stand here", shown(text), what));
}

std::string Cursor::quoted(const char* what) {
  if (at_end() || bytes_[at_] != '"') fail(fmt::format("{} in quotes should stand here", what));
  const std::size_t begin = ++at_;
  const std::size_t end = bytes_.find('"', begin);
  if (end == std::string_view::npos) fail(fmt::format("{} has no closing quote", what));
  at_ = end + 1;
  const std::string_view text = bytes_.substr(begin, end - begin);
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 32) fail(fmt::format("{} holds a control character", what));
  return std::string(text);
}

bool Cursor::next_is(std::string_view text) {
  skip_space();
  return bytes_.substr(at_).starts_with(text);
}

void Cursor::expect_end(std::string_view section) {
  if (at_end()) fail(fmt::format("the file ends before $End{}; it is cut off", section));
  const std::string_view text = word("the end of a section");
  if (!text.starts_with("$End") || text.substr(4) != section)
    fail(fmt::format("'{}' stands where $End{} should; the section is longer or shorter than it says", shown(text),
                     section));
}

void Cursor::skip_to_end(std::string_view section) {
  const std::string end = "$End" + std::string(section);
  const std::size_t found = bytes_.find(end, at_);
  if (found == std::string_view::npos)
    fail(fmt::format("the section ${} has no end; the file is cut off", shown(section)));
  at_ = found + end.size();
}

template <class Number>
Number Cursor::raw(const char* what) {
  if (left() < sizeof(Number)) fail(fmt::format("the file ends inside {}; it is cut off", what));
  std::array<char, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), bytes_.data() + at_, bytes.size());
  if (swap_) std::reverse(bytes.begin(), bytes.end());
  at_ += bytes.size();
  Number value;
  std::memcpy(&value, bytes.data(), bytes.size());
  return value;
}

std::uint32_t Cursor::raw_int32(const char* what) { return raw<std::uint32_t>(what); }

std::int64_t Cursor::int32(const char* what) {
  if (binary_) return raw<std::int32_t>(what);
  const std::int64_t value = text_integer(what);
  if (value != static_cast<std::int32_t>(value)) fail(fmt::format("{} = {} is too large", what, value));
  return value;
}

std::int64_t Cursor::size(const char* what) {
  if (!binary_) {
    const std::int64_t value = text_integer(what);
    if (value < 0) fail(fmt::format("{} = {} must not be negative", what, value));
    return value;
  }
  const std::uint64_t value = size_bytes_ == 4 ? raw<std::uint32_t>(what) : raw<std::uint64_t>(what);
  if (value > static_cast<std::uint64_t>(INT64_MAX)) fail(fmt::format("{} = {} is too large", what, value));
  return static_cast<std::int64_t>(value);
}

double Cursor::real(const char* what) { return binary_ ? raw<double>(what) : text_real(what); }

double Cursor::finite(const char* what) {
  const double value = real(what);
  if (!std::isfinite(value)) fail(fmt::format("{} is {}, not a finite number", what, value));
  return value;
}

std::int64_t Cursor::claim(std::int64_t count, std::int64_t text_bytes, std::int64_t binary_bytes, const char* what) {
  if (count < 0) fail(fmt::format("the number of {} is {}; it must not be negative", what, count));
  const auto most = static_cast<std::int64_t>(left()) / (binary_ ? binary_bytes : text_bytes);
  if (count > most)
    fail(fmt::format("the file claims {} {}, but the {} bytes that follow hold {} at most", count, what, left(), most));
  return count;
}

}  // namespace swell::gmsh
