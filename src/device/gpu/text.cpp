// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/text.hpp"

#include "device/compile_error.hpp"
#include "device/gpu/scan.hpp"

#include <algorithm>
#include <optional>

namespace swell {
namespace {

constexpr std::string_view hidden_parameter = "const INDEX swell_first, const INDEX swell_items";

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at, end - at);
}

// `KERNEL void NAME ( ... )` in a text without comments.
struct Found {
  std::string_view name;
  std::size_t open = 0, close = 0;  // places of the parentheses
};

std::optional<Found> kernel_at(std::string_view plain, std::size_t at) {
  constexpr std::string_view mark = "KERNEL";
  if (word_at(plain, at) != mark || (at > 0 && is_word(plain[at - 1]))) return {};
  at = skip_spaces(plain, at + mark.size());
  if (word_at(plain, at) != "void") return {};
  at = skip_spaces(plain, at + 4);
  Found found{word_at(plain, at), 0, 0};
  found.open = skip_spaces(plain, at + found.name.size());
  if (found.name.empty() || found.open >= plain.size() || plain[found.open] != '(') return {};
  found.close = plain.find(')', found.open);
  if (found.close == plain.npos) return {};
  return found;
}

bool holds_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
    if (word_at(text, at) == word && (at == 0 || !is_word(text[at - 1]))) return true;
  return false;
}

void add_parameter(KernelSignature& kernel, std::string_view parameter, Precision precision,
                   const std::string& program) {
  const auto add = [&](char kind, std::size_t bytes) {
    kernel.kinds += kind;
    kernel.bytes.push_back(static_cast<int>(bytes));
  };
  if (holds_word(parameter, "GLOBAL") && parameter.find('*') != parameter.npos) return add('b', 0);
  if (parameter.find_first_of("*#[") == parameter.npos) {
    if (holds_word(parameter, "INDEX")) return add('i', 8);
    if (holds_word(parameter, "int")) return add('i', 4);
    if (holds_word(parameter, "scalar")) return add(precision == Precision::single_ ? 'f' : 'd', bytes_of(precision));
    if (holds_word(parameter, "double")) return add('d', 8);
  }
  throw CompileError("the kernel '{}' of the program '{}' has a parameter '{}', which is neither a GLOBAL pointer nor an "
                     "INDEX, int, scalar or double", kernel.name, program, parameter);
}

KernelSignature signature_of(const Found& found, std::string_view plain, Precision precision,
                             const std::string& program) {
  KernelSignature kernel{std::string(found.name), "", {}};
  for (std::size_t at = skip_spaces(plain, found.open + 1); at < found.close;) {
    const std::size_t end = std::min(plain.find(',', at), found.close);
    const std::string_view parameter = plain.substr(at, end - at);
    if (word_at(parameter, 0) != "void" || holds_word(parameter, "GLOBAL") || end < found.close)
      add_parameter(kernel, parameter, precision, program);
    at = skip_spaces(plain, end + 1);
  }
  return kernel;
}

}  // namespace

FoundKernels find_kernels(std::string_view text, std::span<const std::string> names, Precision precision,
                          const std::string& program) {
  const std::string plain = without_comments(text);
  std::vector<KernelSignature> all;
  FoundKernels result;
  std::size_t copied = 0;
  for (std::size_t at = plain.find("KERNEL"); at != plain.npos; at = plain.find("KERNEL", at + 1)) {
    const auto found = kernel_at(plain, at);
    if (!found) continue;
    all.push_back(signature_of(*found, plain, precision, program));
    const bool empty = all.back().kinds.empty();
    // `(void)` goes: a parameter cannot stand behind it.
    result.text += text.substr(copied, (empty ? found->open + 1 : found->close) - copied);
    result.text += fmt::format("{}{}", empty ? "" : ", ", hidden_parameter);
    copied = found->close;
  }
  result.text += text.substr(copied);
  for (const std::string& name : names) {
    const auto is_named = [&](const KernelSignature& kernel) { return kernel.name == name; };
    const auto found = std::find_if(all.begin(), all.end(), is_named);
    if (found == all.end()) throw CompileError("the text of the program '{}' has no kernel '{}'", program, name);
    // In two branches of an #if; which of them is compiled is not known here.
    const auto other = std::find_if(found + 1, all.end(), is_named);
    if (other != all.end() && other->kinds != found->kinds)
      throw CompileError("the text of the program '{}' has two kernels '{}' with different parameters", program, name);
    result.kernels.push_back(*found);
  }
  return result;
}

FoundKernels whole_text(const ProgramText& program, const std::string& defines,
                        std::initializer_list<std::string_view> dictionary) {
  const bool single = program.precision == Precision::single_;
  FoundKernels found = find_kernels(single ? suffix_literals(program.text) : program.text, program.kernels,
                                    program.precision, program.name);
  std::string whole = fmt::format("// Kernels '{}', as compiled. Generated by Swell.\n", program.name);
  whole += fmt::format("#define SINGLE {}\n#define GROUPED {}\n", single ? 1 : 0, program.group > 0 ? 1 : 0);
  whole += fmt::format("#define THREADS {}\n", program.group > 0 ? program.group : plain_group);
  whole += fmt::format("#define SHARED_BYTES {}\n{}\n", program.shared, defines);
  for (const std::string_view part : dictionary) whole += fmt::format("{}\n", part);
  found.text = whole + found.text + "\n";
  return found;
}

void check_arguments(const KernelSignature& kernel, Precision precision, std::span<const Argument> arguments) {
  if (arguments.size() != kernel.kinds.size())
    throw std::logic_error(fmt::format("the kernel '{}' takes {} arguments and was given {}", kernel.name,
                                       kernel.kinds.size(), arguments.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    char kind = 'd';
    if (arguments[i].kind == Argument::Kind::buffer) kind = 'b';
    else if (arguments[i].kind == Argument::Kind::integer) kind = 'i';
    else if (arguments[i].kind == Argument::Kind::real && precision == Precision::single_) kind = 'f';
    if (kind != kernel.kinds[i])
      throw std::logic_error(fmt::format("argument {} of the kernel '{}' has the wrong kind: the text wants '{}' of "
                                         "b(uffer), i(nteger), f(loat), d(ouble)", i, kernel.name, kernel.kinds[i]));
  }
}

}  // namespace swell
