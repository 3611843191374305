// SPDX-License-Identifier: Apache-2.0
#include "device/compile_error.hpp"
#include "device/gpu/text.hpp"

#include <gtest/gtest.h>

namespace swell {
namespace {

FoundKernels found(std::string_view text, std::vector<std::string> names, Precision precision = Precision::single_) {
  return find_kernels(text, names, precision, "program");
}

TEST(SuffixLiterals, MarksEveryFormOfAFloatingLiteral) {
  EXPECT_EQ(suffix_literals("x = 1.0 + 1. - .5*1e3/1E-3+2.5e+10;"), "x = 1.0f + 1.f - .5f*1e3f/1E-3f+2.5e+10f;");
  EXPECT_EQ(suffix_literals("-0.1"), "-0.1f");
  EXPECT_EQ(suffix_literals("{0.0,-0.0}"), "{0.0f,-0.0f}");
  EXPECT_EQ(suffix_literals("0x1.8p3 0x1p-2"), "0x1.8p3f 0x1p-2f");
  EXPECT_EQ(suffix_literals("3.14159265358979323846"), "3.14159265358979323846f");
  EXPECT_EQ(suffix_literals("#define ALPHA 0.5\nALPHA"), "#define ALPHA 0.5f\nALPHA");
}

TEST(SuffixLiterals, LeavesWhatIsNoUnmarkedFloatingLiteral) {
  for (const char* text : {"1", "0x1e5", "0xE+1", "1.0f", "1.0F", "2.5L", "10u", "1ul", "x1", "x1e5", "_2", "a.x1", "v.s0", "v[1]",
                           "e5 + E", "// 1.0 and more", "/* 1.0\n 2.0 */", "\"1.0 \\\" 2.0\"", "'1'", ""})
    EXPECT_EQ(suffix_literals(text), text);
  EXPECT_EQ(suffix_literals("1.0 /* 1.0 */ 2.0 // 3.0\n4.0"), "1.0f /* 1.0 */ 2.0f // 3.0\n4.0f");
}

TEST(SuffixLiterals, LeavesWhatAFloatCannotHold) {
  for (const char* text : {"1e39", "1e-39", "1.7976931348623157e308", "2.2250738585072014e-308"})
    EXPECT_EQ(suffix_literals(text), text);
  EXPECT_EQ(suffix_literals("3.4e38 1.2e-38"), "3.4e38f 1.2e-38f");
}

TEST(FindKernels, ReadsTheKindsOfAllParameters) {
  constexpr std::string_view text =
      "KERNEL void all(GLOBAL const scalar *RESTRICT x, GLOBAL int*y, const scalar a, const INDEX n, int k, double t)\n{}";
  const KernelSignature single = found(text, {"all"}).kernels.at(0);
  EXPECT_EQ(single.kinds, "bbfiid");
  EXPECT_EQ(single.bytes, (std::vector<int>{0, 0, 4, 8, 4, 8}));
  const KernelSignature twice = found(text, {"all"}, Precision::double_).kernels.at(0);
  EXPECT_EQ(twice.kinds, "bbdiid");
  EXPECT_EQ(twice.bytes, (std::vector<int>{0, 0, 8, 8, 4, 8}));
}

TEST(FindKernels, TellsEachKernelWhichItemsItCovers) {
  EXPECT_EQ(found("KERNEL void a(int n) { }  KERNEL  void\nb ( ) { a(1); } KERNEL void c(void) {}", {"c", "a"}).text,
            "KERNEL void a(int n, const INDEX swell_first, const INDEX swell_items) { }  KERNEL  void\n"
            "b (const INDEX swell_first, const INDEX swell_items) { a(1); } "
            "KERNEL void c(const INDEX swell_first, const INDEX swell_items) {}");
}

TEST(FindKernels, IsNotMisledByComments) {
  const FoundKernels kernels = found(
      "// KERNEL void a(int n, int m) {}\n/* KERNEL void a() {} */\n"
      "KERNEL void a(GLOBAL scalar *x, // the state, (all of it)\n  /* int n, */ const INDEX m /* last ) */) {}", {"a"});
  EXPECT_EQ(kernels.kernels.at(0).kinds, "bi");
  EXPECT_NE(kernels.text.find("const INDEX m /* last ) */, const INDEX swell_first, const INDEX swell_items) {}"),
            std::string::npos);
  EXPECT_EQ(kernels.text.find("n, int m, const INDEX swell_first, const INDEX swell_items"), std::string::npos);
}

TEST(FindKernels, LooksAtWholeWordsOnly) {
  const FoundKernels kernels = found("int MY_KERNEL; int KERNELS; KERNEL void ab(int point) {} KERNEL void a(INDEX b) {}", {"a"});
  EXPECT_EQ(kernels.kernels.at(0).name, "a");
  EXPECT_EQ(kernels.kernels.at(0).bytes.at(0), 8);
  EXPECT_THROW(found("KERNEL void a(points b) {}", {"a"}), CompileError);
}

TEST(FindKernels, RefusesWhatTheHostCannotPass) {
  for (const char* text : {"KERNEL void a(float x) {}", "KERNEL void a(scalar *x) {}", "KERNEL void a(int x[3]) {}",
                           "KERNEL void a(int x, \n#if 1\n int y\n#endif\n) {}",
                           "void a(int x) {}", "KERNEL void b(int x) {}", "KERNEL void a"})
    EXPECT_THROW(found(text, {"a"}), CompileError) << text;
}

TEST(FindKernels, TakesAKernelFromEitherBranch) {
  EXPECT_EQ(found("#if X\nKERNEL void a(int n) { }\n#else\nKERNEL void a(int m) {}\n#endif", {"a"}).kernels.size(), 1u);
  EXPECT_THROW(found("#if X\nKERNEL void a(int n) { }\n#else\nKERNEL void a(scalar m) {}\n#endif", {"a"}), CompileError);
}

}  // namespace
}  // namespace swell
