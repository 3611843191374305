// SPDX-License-Identifier: Apache-2.0
// Changes that both GPU backends make to a kernel source before their compilers see it. Neither has an option for literals of
// single precision, and both need the items of a launch as parameters: the source gets them here.
#pragma once

#include "device/device.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace swell {

// Threads of a group where each item has a thread of its own (ProgramText::group = 0).
constexpr int plain_group = 128;

// Every floating literal outside of comments, strings and names gets an `f`, unless a float cannot hold it.
std::string suffix_literals(std::string_view text);

struct KernelSignature {
  std::string name;
  std::string kinds;       // a letter for each parameter: b(uffer), i(nteger), f(loat), d(ouble), as on the CPU
  std::vector<int> bytes;  // of each parameter's value; 0 for a buffer
};

struct FoundKernels {
  std::string text;                       // each kernel with `const INDEX swell_first, const INDEX swell_items` last
  std::vector<KernelSignature> kernels;   // in the order of the names
};

// Throws CompileError, with the program's name, where a kernel is not there or takes what no host can pass.
FoundKernels find_kernels(std::string_view text, std::span<const std::string> names, Precision precision,
                          const std::string& program);

// The text as the compiler gets it: `defines`, SINGLE, GROUPED, THREADS and SHARED_BYTES, the dictionary, the program.
FoundKernels whole_text(const ProgramText& program, const std::string& defines,
                        std::initializer_list<std::string_view> dictionary);

// Throws std::logic_error where the arguments do not fit, in the words of the CPU backend.
void check_arguments(const KernelSignature& kernel, Precision precision, std::span<const Argument> arguments);

}  // namespace swell
