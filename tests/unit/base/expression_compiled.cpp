// SPDX-License-Identifier: Apache-2.0
// The C text of expressions, compiled by the system's compilers as C and as C++, against their values on the host.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "base/expression.hpp"

namespace swell {
namespace {

namespace fs = std::filesystem;
const std::vector<std::string> variables{"x", "y", "t"};

class RandomText {
 public:
  std::string operator()(int depth) {
    if (depth == 0) return pick({"x", "y", "t", "pi", "e", "2", "0.5", "1.25e-1", "3"});
    const std::string a = (*this)(depth - 1), b = (*this)(depth - 1 - below(depth));
    switch (below(9)) {
      case 0: return a + " + " + b;
      case 1: return a + " - " + b;
      case 2: return "(" + a + ")*(" + b + ")";
      case 3: return "(" + a + ")/(1 + abs(" + b + "))";
      case 4: return "-" + a;
      case 5: return "(" + a + ")" + pick({"^2", "^3", "^4", "^1", "^-2"});
      case 6:
        return pick({"sin", "cos", "tanh", "atan", "floor", "sign", "step", "erf", "cbrt", "j0", "j1"}) + "(" + a + ")";
      case 7: return pick({"min", "max", "atan2"}) + "(" + a + ", " + b + ")";
      default: return "if(" + a + pick({" < ", " <= ", " > ", " >= ", " == ", " != "}) + b + ", " + a + ", " + b + ")";
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string pick(const std::vector<std::string>& words) { return words[random_() % words.size()]; }
  std::mt19937 random_{4};
};

std::vector<Expression> sample() {
  std::vector<Expression> result;
  for (const char* text :
       {"-x^2", "x - y - t", "x/y/t", "x - (y - t)", "2^x^y", "ricker(t, 2, 0.25)", "gauss(x - y, 0.5)", "7",
        "min(x, y, t, 0.1)", "jn(6, 20*x)", "yn(6, 20*x)", "y0(abs(x))", "y1(30*abs(t))", "1e-300*x", "x < y", "if(x<0, 1, 2.25)", "-3", "- -x"})
    result.push_back(Expression::parse(text, variables, "test"));
  RandomText random_text;
  while (result.size() < 300) {
    try {
      result.push_back(Expression::parse(random_text(4), variables, "test"));
    } catch (const InputError&) {
      continue;  // a constant part without a finite value
    }
  }
  return result;
}

void write_program(const fs::path& file, const std::vector<Expression>& expressions) {
  std::ofstream out(file);
  out << "#include <math.h>\ntypedef double scalar;\n#define FUNCTION static inline\n";
  out << "#include \"kernels/shared/functions.h\"\n#ifdef __cplusplus\nextern \"C\"\n#endif\n";
  out << "double value(int which, double x, double y, double t) {\n  switch (which) {\n";
  for (std::size_t i = 0; i < expressions.size(); ++i)
    out << "    case " << i << ": return " << expressions[i].c_text() << ";\n";
  out << "  }\n  return x + y + t;\n}\n";
}

bool close(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::isfinite(a) == std::isfinite(b);
  return std::abs(a - b) <= 1e-12 * (1 + std::abs(b));
}

void expect_compiled_to_agree(const std::string& compiler, const std::string& language) {
  if (std::system(("command -v " + compiler + " >/dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << "there is no program " << compiler << " here";
  const fs::path folder = fs::temp_directory_path() / ("swell-expressions-" + language + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::vector<Expression> expressions = sample();
  const fs::path source = folder / "expressions.txt", library = folder / "expressions.so";
  write_program(source, expressions);
  const std::string command = compiler + " -x " + language +
                              " -O1 -ffp-contract=off -shared -fPIC -I" SWELL_SOURCE_DIR "/src -o " + library.string() +
                              " " + source.string() + " -lm";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  void* const handle = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  const auto value = reinterpret_cast<double (*)(int, double, double, double)>(dlsym(handle, "value"));
  ASSERT_NE(value, nullptr);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-2, 2);
  for (std::size_t i = 0; i < expressions.size(); ++i)
    for (int point = 0; point < 20; ++point) {
      const double at[] = {any(random), any(random), any(random)};
      const double compiled = value(static_cast<int>(i), at[0], at[1], at[2]), expected = expressions[i](at);
      EXPECT_TRUE(close(compiled, expected)) << expressions[i].text() << " is " << expected << " on the host and "
                                             << compiled << " compiled from " << expressions[i].c_text();
    }
  dlclose(handle);
  fs::remove_all(folder);
}

// OpenCL C has words of its own (half, step, ...) that kernel text must not use as names.
TEST(Expression, IsTakenByACompilerOfOpenClC) {
  const std::string check = "clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only ";
  if (std::system(("echo 'kernel void k() {}' | " + check + "- >/dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << "there is no clang with OpenCL C here";
  const fs::path source = fs::temp_directory_path() / ("swell-expressions-" + std::to_string(getpid()) + ".cl");
  for (const std::string precision : {"double", "float"}) {
    std::ofstream out(source);
    out << "typedef " << precision << " scalar;\n#define FUNCTION inline static\n#include \"kernels/shared/functions.h\"\n";
    for (std::size_t i = 0; const Expression& expression : sample())
      out << "scalar value" << i++ << "(scalar x, scalar y, scalar t) { return " << expression.c_text() << "; }\n";
    out.close();
    const std::string single = precision == "float" ? "-cl-single-precision-constant " : "";
    EXPECT_EQ(std::system((check + single + "-w -I" SWELL_SOURCE_DIR "/src " + source.string()).c_str()), 0)
        << precision;
  }
  fs::remove(source);
}

TEST(Expression, MeansTheSameCompiledAsC) { expect_compiled_to_agree("cc", "c"); }
TEST(Expression, MeansTheSameCompiledAsCpp) { expect_compiled_to_agree("c++", "c++"); }

}  // namespace
}  // namespace swell
