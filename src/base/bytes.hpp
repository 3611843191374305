// SPDX-License-Identifier: Apache-2.0
// Numbers, words and arrays as one row of bytes, to be read back in the same order by another process of the same program.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace swell {

// Counts the bytes that a writer needs for the same calls.
class ByteCounter {
 public:
  template <class T>
  void add(const T&) {
    static_assert(std::is_trivially_copyable_v<T>);
    count_ += sizeof(T);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    count_ += sizeof(values.size());
    if constexpr (std::is_trivially_copyable_v<T>)
      count_ += values.size() * sizeof(T);
    else
      for (const T& value : values) add(value);
  }
  void add(const std::string& words) { count_ += sizeof(words.size()) + words.size(); }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_ = 0;
};

class ByteWriter {
 public:
  // `expected`: so many are reserved at once; where they are many, growing by and by would hold them three times.
  explicit ByteWriter(std::size_t expected = 0) { bytes_.reserve(expected); }
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto from = std::as_bytes(std::span(&value, 1));
    bytes_.insert(bytes_.end(), from.begin(), from.end());
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.size());
    if constexpr (std::is_trivially_copyable_v<T>) {
      const auto from = std::as_bytes(std::span(values));
      bytes_.insert(bytes_.end(), from.begin(), from.end());
    } else {
      for (const T& value : values) add(value);
    }
  }
  void add(const std::string& words) { add(std::vector<char>(words.begin(), words.end())); }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class T>
  void get(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
  }
  template <class T>
  void get(std::vector<T>& values) {
    std::size_t count = 0;
    get(count);
    values.resize(count);
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (count > 0) std::memcpy(values.data(), rest_.data(), count * sizeof(T));
      rest_ = rest_.subspan(count * sizeof(T));
    } else {
      for (T& value : values) get(value);
    }
  }
  void get(std::string& words) {
    std::vector<char> letters;
    get(letters);
    words.assign(letters.begin(), letters.end());
  }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace swell
