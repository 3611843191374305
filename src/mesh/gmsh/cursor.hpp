// SPDX-License-Identifier: Apache-2.0
// A place in a Gmsh file: reads text or binary numbers, never past the end, and says where something went wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace swell::gmsh {

class Cursor {
 public:
  // `bytes` must outlive the cursor.
  Cursor(std::string file, std::string_view bytes) : file_(std::move(file)), bytes_(bytes) {}

  // After this, int32(), size() and real() read binary numbers; `size_bytes` is the width of size().
  void set_binary(bool swap_bytes, int size_bytes);
  bool binary() const { return binary_; }

  // Text, in files of both kinds. Words are separated by white space; a word that is missing is an error.
  bool at_end();  // skips white space
  std::string_view word(const char* what);
  std::string_view line();  // the rest of the line, without its end; moves behind it
  std::int64_t text_integer(const char* what);
  double text_real(const char* what);
  std::string quoted(const char* what);
  bool next_is(std::string_view text);  // skips white space
  // Moves behind "$End" + section, which must come next; or searches for it.
  void expect_end(std::string_view section);
  void skip_to_end(std::string_view section);

  // Numbers in the kind of the file.
  std::int64_t int32(const char* what);
  std::int64_t size(const char* what);  // not negative
  double real(const char* what);
  double finite(const char* what);
  // A 32-bit integer in binary whatever the bytes mean in text; the "one" that tells the order of bytes.
  std::uint32_t raw_int32(const char* what);

  // Checks that `count` items of at least that many bytes can follow.
  std::int64_t claim(std::int64_t count, std::int64_t text_bytes, std::int64_t binary_bytes, const char* what);

  std::size_t position() const { return at_; }
  // Throws InputError: file, line or byte, message.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  void skip_space();
  template <class Number>
  Number raw(const char* what);
  std::size_t left() const { return bytes_.size() - at_; }

  std::string file_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool binary_ = false, swap_ = false;
  int size_bytes_ = 8;
};

}  // namespace swell::gmsh
