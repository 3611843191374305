// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/compiler.hpp"

#include "base/error.hpp"
#include "device/compile_error.hpp"
#include "device/cpu/command.hpp"
#include "device/files.hpp"
#include "device/machine.hpp"
#include "device/sha256.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <sstream>

namespace swell {
namespace {

constexpr double question_seconds = 30;
constexpr double compile_seconds = 600;

bool is_program(const std::string& path) {
  struct stat about;
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && access(path.c_str(), X_OK) == 0;
}

// Empty where there is none.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string program = (folder.empty() ? "." : folder) + "/" + name; is_program(program)) return program;
  return "";
}

std::string find_compiler_path() {
  if (const char* wish = std::getenv("SWELL_CXX"); wish && *wish) {
    if (std::string path = find_program(wish); !path.empty()) return path;
    throw RunError("no C++ compiler was found (looked for SWELL_CXX = '{}'); install g++ or set SWELL_CXX to the "
                   "compiler's path", wish);
  }
  for (const char* name : {"g++", "c++", "clang++"})
    if (std::string path = find_program(name); !path.empty()) return path;
  throw RunError("no C++ compiler was found (looked for g++, c++ and clang++ on the PATH); install g++ or set "
                 "SWELL_CXX to the compiler's path");
}

int kernel_optimization() {
  const char* wish = std::getenv("SWELL_KERNEL_OPTIMIZE");
  if (wish == nullptr || *wish == '\0') return 3;
  const std::string_view level(wish);
  if (level.size() != 1 || level[0] < '0' || level[0] > '3')
    throw InputError("SWELL_KERNEL_OPTIMIZE is '{}'; it must be 0, 1, 2 or 3, the level at which CPU kernels are optimized "
                     "(3 where it is not set)", level);
  return level[0] - '0';
}

std::string ask(const std::string& path, std::vector<std::string> question, const std::string& folder) {
  const std::string answer = temporary_name(folder + "/answer");
  question.insert(question.begin(), path);
  const CommandResult result = run_command(question, answer, question_seconds);
  const std::string text = read_file(answer).value_or("");
  unlink(answer.c_str());
  if (!result.started) throw RunError("the C++ compiler '{}' cannot be run: {}", path, result.problem);
  if (result.timed_out) throw RunError("the C++ compiler '{}' did not answer in {} s", path, question_seconds);
  if (result.status != 0)
    throw RunError("'{}' does not work as a C++ compiler (exit status {} for {}); set SWELL_CXX to another one", path,
                   result.status, question[1]);
  return text;
}

Compiler ask_compiler(const std::string& path, const std::string& folder) {
  Compiler compiler;
  compiler.path = path;
  const std::string about = ask(path, {"--version"}, folder);
  compiler.version = about.substr(0, about.find('\n'));
  const std::string macros = ask(path, {"-march=native", "-dM", "-E", "-x", "c++", "/dev/null"}, folder);
  compiler.machine = sha256(macros);
  const auto has = [&](const char* macro) { return macros.find(std::string("#define ") + macro + " ") != macros.npos; };
  compiler.clang = has("__clang__");
  // AVX-512 without DQ and VL (Knights Landing) counts as AVX: the dictionary's transposes want both.
  const bool avx512 = has("__AVX512F__") && has("__AVX512DQ__") && has("__AVX512VL__");
  compiler.vector_bytes = avx512 ? 64 : has("__AVX__") ? 32 : 16;
  compiler.vector_registers = avx512 || has("__aarch64__") ? 32 : 16;
  return compiler;
}

constexpr const char* answer_format = "swell compiler 1";

std::optional<Compiler> parse_answer(const std::string& text, const std::string& path) {
  std::istringstream lines(text);
  std::string format;
  Compiler compiler;
  compiler.path = path;
  std::getline(lines, format);
  std::getline(lines, compiler.version);
  std::getline(lines, compiler.machine);
  if (format != answer_format || !(lines >> compiler.clang >> compiler.vector_bytes >> compiler.vector_registers))
    return {};
  return compiler;
}

Compiler known_compiler(const std::string& path, const std::string& folder) {
  // Asking takes two runs of the compiler at every start, so that its answers are kept: until the compiler's file or
  // the processor changes.
  struct stat about;
  if (stat(path.c_str(), &about) != 0) throw RunError("the C++ compiler '{}' cannot be read", path);
  const std::string key = fmt::format("{}\n{}\n{}\n{}.{}\n{}\n{}", answer_format, path, about.st_size,
                                      about.st_mtim.tv_sec, about.st_mtim.tv_nsec, about.st_ino, processor_identity());
  const std::string kept = folder + "/compiler-" + sha256(key).substr(0, 16) + ".txt";
  if (const auto text = read_file(kept))
    if (auto compiler = parse_answer(*text, path)) return *compiler;
  const Compiler compiler = ask_compiler(path, folder);
  write_file(kept, fmt::format("{}\n{}\n{}\n{} {} {}\n", answer_format, compiler.version, compiler.machine,
                               compiler.clang ? 1 : 0, compiler.vector_bytes, compiler.vector_registers));
  return compiler;
}

}  // namespace

Compiler find_compiler(const std::string& folder) {
  const int optimization = kernel_optimization();
  Compiler compiler = known_compiler(find_compiler_path(), folder);
  compiler.optimization = optimization;
  return compiler;
}

std::vector<std::string> compile_options(const Compiler& compiler, Precision precision) {
  // No -ffast-math: results must be the same from run to run and from build to build.
  std::vector<std::string> options = {fmt::format("-O{}", compiler.optimization), "-march=native", "-std=c++20", "-shared",
                                      "-fPIC", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast",
                                      "-fno-exceptions", "-fno-rtti", "-w"};
  // Literals are floats in a single-precision source.
  if (precision == Precision::single_) {
    if (compiler.clang) options.insert(options.end(), {"-Xclang", "-cl-single-precision-constant"});
    else options.push_back("-fsingle-precision-constant");
  }
  return options;
}

void run_compiler(const Compiler& compiler, Precision precision, const std::string& program, const std::string& source,
                  const std::string& library, const std::string& log) {
  std::vector<std::string> arguments = compile_options(compiler, precision);
  arguments.insert(arguments.begin(), compiler.path);
  arguments.insert(arguments.end(), {"-o", library, source});
  const CommandResult result = run_command(arguments, log, compile_seconds);
  if (!result.started || result.timed_out || result.status != 0) unlink(library.c_str());
  if (!result.started) throw RunError("the C++ compiler '{}' cannot be run: {}", compiler.path, result.problem);
  if (result.timed_out)
    throw RunError("'{}' did not compile the kernels '{}' within {} s; their text is {}", compiler.path, program,
                   compile_seconds, source);
  if (result.status != 0)
    throw CompileError("'{}' could not compile the kernels '{}' (exit status {}): what it said is in {}, the text is {}",
                   compiler.path, program, result.status, log, source)
        .with_log(read_file(log).value_or(""));
}

}  // namespace swell
