// SPDX-License-Identifier: Apache-2.0
// Binaries that a GPU's compiler made, on disk by the content that made them: the second start compiles nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace swell {

class BinaryCache {
 public:
  // `compiler` names everything that a binary depends on beside source and options: device, driver, compiler. Extensions with
  // their dot. Throws RunError where there is no private folder.
  BinaryCache(std::string compiler, std::string text_extension, std::string binary_extension);

  struct Entry {
    std::string text, binary, log;  // paths of the kernel source, of the binary, of the compiler's output
  };
  Entry entry(const std::string& name, const std::string& text, const std::string& options) const;

  // The kept binary; nothing where none is kept or the file is damaged.
  static std::optional<std::string> read(const Entry& entry);
  static void write(const Entry& entry, std::string_view binary);

 private:
  std::string folder_, compiler_, text_extension_, binary_extension_;
};

}  // namespace swell
