// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/scan.hpp"
#include "device/gpu/text.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace swell {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The end of the preprocessing number (C11, 6.4.8) that begins at `at`.
std::size_t number_end(std::string_view text, std::size_t at) {
  const bool hexadecimal = text[at] == '0' && at + 1 < text.size() && std::tolower(text[at + 1]) == 'x';
  std::size_t end = at;
  while (end < text.size()) {
    const char c = static_cast<char>(std::tolower(text[end]));
    const bool exponent = hexadecimal ? c == 'p' : c == 'e';
    if (exponent && end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-')) end += 2;
    else if (is_word(text[end]) || text[end] == '.') ++end;
    else break;
  }
  return end;
}

// A floating literal without a suffix whose value a float can hold.
bool wants_suffix(const std::string& number) {
  const bool hexadecimal = number.size() > 1 && std::tolower(number[1]) == 'x';
  if (number.find_first_of(hexadecimal ? ".pP" : ".eE") == number.npos) return false;
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (*end != 0) return false;
  return value == 0 || (value <= std::numeric_limits<float>::max() && value >= std::numeric_limits<float>::min());
}

}  // namespace

std::string suffix_literals(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = skipped_end(text, at);
    bool literal = false;
    if (end == at) {
      const bool number = is_digit(text[at]) || (text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1]));
      end = at + 1;
      if (number) {
        end = number_end(text, at);
        literal = wants_suffix(std::string(text.substr(at, end - at)));
      } else if (is_word(text[at])) {
        while (end < text.size() && is_word(text[end])) ++end;
      }
    }
    out += text.substr(at, end - at);
    if (literal) out += 'f';
    at = end;
  }
  return out;
}

}  // namespace swell
