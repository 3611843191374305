// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "device/compile_error.hpp"
#include "device/cuda/compiler.hpp"
#include "device/cuda/cuda.hpp"
#include "device/texts.hpp"

#include "cuda_fake.hpp"
#include "folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace swell {
namespace {

namespace fs = std::filesystem;

constexpr int hopper = 90;

// The sentence of the Error that `action` ends in, or "".
template <class Error, class Action>
std::string sentence_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string content_of(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

std::vector<fs::path> files_with(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) found.push_back(entry.path());
  return found;
}

// A library with the driver's names whose functions all do `body`.
std::string make_driver(const fs::path& folder, const std::string& name, const std::string& body,
                        const std::string& left_out = "") {
  std::string text = "#include <stdlib.h>\n";
  for (const char* function :
       {"cuInit", "cuDriverGetVersion", "cuGetErrorName", "cuGetErrorString", "cuDeviceGetCount", "cuDeviceGet",
        "cuDeviceGetName", "cuDeviceGetAttribute", "cuDeviceTotalMem_v2", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent",
        "cuMemGetInfo_v2", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemHostAlloc", "cuMemFreeHost", "cuMemcpyHtoDAsync_v2",
        "cuMemcpyDtoHAsync_v2", "cuStreamQuery",
        "cuMemsetD8Async", "cuModuleLoadDataEx", "cuModuleUnload", "cuModuleGetFunction", "cuFuncGetAttribute",
        "cuFuncSetAttribute", "cuLaunchKernel", "cuStreamCreate", "cuStreamSynchronize", "cuStreamDestroy_v2",
        "cuEventCreate", "cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime", "cuEventDestroy_v2"})
    if (function != left_out) text += fmt::format("extern \"C\" int {}() {{ {} }}\n", function, body);
  return make_library(folder, name, text);
}

TEST(CudaDriver, IsAskedForInASentenceWhereThereIsNone) {
  const Environment nowhere("SWELL_CUDA", "/nowhere/libcuda.so.1");
  const auto choices = cuda_choices();
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_EQ(choices[0].name, "cuda");
  EXPECT_FALSE(choices[0].usable);
  EXPECT_EQ(choices[0].words.rfind("the CUDA driver was not found (/nowhere/libcuda.so.1: ", 0), 0u)
      << choices[0].words;
  EXPECT_NE(choices[0].words.find("set SWELL_CUDA"), std::string::npos) << choices[0].words;
  const std::string sentence = sentence_of<InputError>([] { open_cuda(0); });
  EXPECT_EQ(sentence, "the device 'cuda:0' cannot be used: " + choices[0].words);
}

TEST(CudaDriver, MayAbortRefuseOrFindNothing) {
  TemporaryCache cache;
  const auto words_for = [&](const std::string& name, const std::string& body, const std::string& left_out = "") {
    const std::string library = make_driver(cache.folder(), name, body, left_out);
    EXPECT_FALSE(library.empty());
    const Environment mine("SWELL_CUDA", library);
    const auto choices = cuda_choices();
    EXPECT_EQ(choices.size(), 1u);
    EXPECT_FALSE(choices[0].usable);
    EXPECT_THROW(open_cuda(0), InputError);
    return choices[0].words;
  };
  EXPECT_EQ(words_for("aborts", "abort();"), "the CUDA driver was ended by signal 6 (Aborted)");
  EXPECT_EQ(words_for("refuses", "return 999;"), "the CUDA driver failed in cuInit: unknown error (error 999)");
  EXPECT_EQ(words_for("empty", "return 0;"), "the CUDA driver finds no GPU");
  const std::string old = words_for("old", "return 0;", "cuFuncSetAttribute");
  EXPECT_NE(old.find("is too old or damaged: it has no 'cuFuncSetAttribute'"), std::string::npos) << old;
}

TEST(Nvrtc, IsAskedForInASentenceWhereThereIsNone) {
  TemporaryCache cache;
  const Environment nowhere("SWELL_NVRTC", "/nowhere/libnvrtc.so");
  const std::string sentence = sentence_of<RunError>([] { open_nvrtc_only(hopper); });
  EXPECT_EQ(sentence.rfind("NVRTC, which compiles CUDA kernels, was not found (/nowhere/libnvrtc.so: ", 0), 0u)
      << sentence;
  EXPECT_NE(sentence.find("set SWELL_NVRTC"), std::string::npos) << sentence;
}

// Tests of this suite need NVRTC and no GPU.
class NvrtcOnly : public testing::Test {
 protected:
  void SetUp() override {
    const std::string problem = sentence_of<RunError>([] { open_nvrtc_only(hopper); });
    if (!problem.empty()) GTEST_SKIP() << problem;
  }
  TemporaryCache cache_;
};

// Every word of docs/kernels.md that a GPU has.
constexpr const char* every_word = R"(
TABLE int turns[2][3] = {{0, 1, 2}, {2, 1, 0}};
TABLE scalar weights[2] = {0.25, 1e-3};

FUNCTION void damp(const scalar *RESTRICT in, scalar *out) {
  UNROLL for (int f = 0; f < 3; ++f) out[f] = 0.5 * in[turns[1][f]] + weights[0];
}

KERNEL void items(GLOBAL const scalar *RESTRICT x, GLOBAL scalar *RESTRICT y, const scalar a, const INDEX shift,
                  const int stride, const double t) {
  const scalar start = t;
  ITEMS(i) {
    real v = load(x + i * LANES), w = splat(a) + start;
    scalar in[3] = {v, w, lane(v, 0)}, out[3];
    damp(in, out);
    set_lane(v, 0, out[0] + out[1] + out[2]);
    const truth less = v < w && v > -1.0;
    if (any(less)) w = less ? 2.0 * v : w;
    w += sqrt(v) + cbrt(v) + exp(v) + log(v) + asin(v) + acos(v) + atan(v) + sinh(v) + cosh(v) + tanh(v) + erf(v);
    w += floor(v) + ceil(v) + fabs(v) + abs(v) + pow(v, 3.0) + pow(v, w) + atan2(v, w);
    w += fmin(v, 0.5) + fmax(w, v) + sum_lanes(v);
    store(y + i * stride + shift, w);
  }
}
KERNEL void none(void) {}
)";

// These reduce large arguments by arithmetic in double in both precisions: NVIDIA's own.
constexpr const char* turning_words = R"(
KERNEL void turning(GLOBAL scalar *x) { ITEMS(i) x[i] = sin(x[i]) + cos(x[i]) + tan(x[i]); }
)";

constexpr const char* group_words = R"(
KERNEL void turn(GLOBAL const scalar *x, GLOBAL scalar *y) {
  GROUP(e);
  SHARED(s_x);
#if SIMT
  s_x[THREAD] = x[e * THREADS + THREAD];
#endif
  BARRIER;
  LOCAL const scalar *s_y = s_x;
  y[e * THREADS + THREAD] = s_y[THREADS - 1 - THREAD];
}
)";

ProgramText words_text(Precision precision) { return {"words", every_word, {"items", "none"}, precision, true}; }

TEST_F(NvrtcOnly, CompilesEveryWordInBothPrecisions) {
  const auto device = open_nvrtc_only(hopper);
  for (const Precision precision : {Precision::double_, Precision::single_}) {
    const auto program = device->compile(words_text(precision));
    EXPECT_EQ(program->kernel("items").name(), "items");
    EXPECT_THROW(program->kernel("absent"), std::logic_error);
    device->compile({"turning", turning_words, {"turning"}, precision});
    device->compile({"groups", group_words, {"turn"}, precision, false, 64, 100 << 10, 2});
  }
  EXPECT_EQ(device->counters().compiles, 6);
}

TEST_F(NvrtcOnly, CompilesTheMeasurementsOfPeaks) {
  const auto device = open_nvrtc_only(hopper);
  for (const Precision precision : {Precision::double_, Precision::single_}) {
    ProgramText products{"matrix-peak", "#define ACCUMULATORS 8\n" + std::string(device_texts("device/cuda/matrix_peak.h")),
                         {"matrix_products"}, precision};
    products.group = 256;
    device->compile(products);
  }
  const std::string text = fmt::format("#define ACCUMULATORS 12\n{}", device_texts("device/cuda/peaks.h"));
  for (const Precision precision : {Precision::double_, Precision::single_})
    device->compile({"peaks", text, {"stage_plain", "stage_stream_state", "stage_stream_both", "multiply_add"},
                     precision, true});
}

TEST_F(NvrtcOnly, KeepsDoublesOutOfSinglePrecision) {
  // For a chip that NVRTC does not know it gives PTX, which can be read.
  std::int64_t compiles = 0;
  const int unknown = 99;
  const CudaCompiler compiler;
  const std::string single = compiler.compile(words_text(Precision::single_), unknown, compiles).image;
  const std::string twice = compiler.compile(words_text(Precision::double_), unknown, compiles).image;
  ASSERT_NE(twice.find("sqrt.rn.f64"), std::string::npos);
  EXPECT_NE(single.find("sqrt.rn.f32"), std::string::npos);
  // The double parameter is rounded once, and nothing else is of that kind.
  for (const char* operation : {"add.f64", "mul.f64", "fma.rn.f64", "div.rn.f64", "sqrt.rn.f64", "cvt.f64.f32"})
    EXPECT_EQ(single.find(operation), std::string::npos) << operation;
}

TEST_F(NvrtcOnly, SaysWhatItCompilesFor) {
  const CudaCompiler compiler;
  const std::string words = compiler.describe(hopper);
  EXPECT_EQ(words.rfind("NVRTC ", 0), 0u) << words;
  EXPECT_EQ(words.substr(words.size() - 10), " for sm_90") << words;
  EXPECT_EQ(compiler.level(hopper), hopper);
  const std::string future = compiler.describe(999);
  EXPECT_NE(future.find(", older than sm_999: the driver compiles the rest"), std::string::npos) << future;
  EXPECT_LT(compiler.level(999), 999);
  EXPECT_NE(sentence_of<RunError>([&] { compiler.describe(10); }).find("architecture sm_10"), std::string::npos);
}

TEST_F(NvrtcOnly, IsADeviceThatRunsNothing) {
  const auto device = open_nvrtc_only(hopper);
  const DeviceInfo& info = device->info();
  EXPECT_EQ(info.backend, "cuda");
  EXPECT_EQ(info.name, "nvrtc");
  EXPECT_TRUE(info.simt);
  EXPECT_EQ(info.tensor_cores, hopper);
  EXPECT_EQ(info.shared_bytes, 232448);
  EXPECT_EQ(device->lanes(Precision::single_), 1);
  const auto program = device->compile({"turning", turning_words, {"turning"}});
  const auto o_x = device->allocate(80, "x");
  double x = 3;
  o_x->write(&x, 8, 72);
  x = 0;
  o_x->read(&x, 8, 72);
  EXPECT_EQ(x, 3);
  EXPECT_THROW(o_x->write(&x, 8, 73), std::logic_error);
  EXPECT_EQ(device->counters().bytes, 80);
  EXPECT_THROW(device->queue().launch(program->kernel("turning"), 1, {*o_x}), std::logic_error);
}

TEST_F(NvrtcOnly, SaysWhereItsLogIsWhenATextIsWrong) {
  const auto device = open_nvrtc_only(hopper);
  const ProgramText wrong{"wrong", "KERNEL void f(GLOBAL scalar *x) { ITEMS(i) x[i] = no_such_word; }", {"f"}};
  const std::string sentence = sentence_of<CompileError>([&] { device->compile(wrong); });
  const auto logs = files_with(cache_.folder(), ".log"), texts = files_with(cache_.folder(), ".cu");
  ASSERT_EQ(logs.size(), 1u) << sentence;
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_NE(sentence.find("could not compile the kernels 'wrong' for sm_90"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find(logs[0].string()), std::string::npos) << sentence;
  EXPECT_NE(sentence.find(texts[0].string()), std::string::npos) << sentence;
  EXPECT_NE(content_of(logs[0]).find("no_such_word"), std::string::npos);
  EXPECT_EQ(device->counters().compiles, 1);
  EXPECT_TRUE(files_with(cache_.folder(), ".cubin").empty());
}

TEST_F(NvrtcOnly, CompilesATextOnceAndRebuildsADamagedOne) {
  ProgramText text{"turning", turning_words, {"turning"}};
  open_nvrtc_only(hopper)->compile(text);
  const auto cubins = files_with(cache_.folder(), ".cubin");
  ASSERT_EQ(cubins.size(), 1u);
  EXPECT_EQ(files_with(cache_.folder(), ".cu").size(), 1u);
  const auto second = open_nvrtc_only(hopper);
  second->compile(text);
  EXPECT_EQ(second->counters().compiles, 0);
  std::ofstream(cubins[0], std::ios::binary | std::ios::in) << "damaged";
  second->compile(text);
  EXPECT_EQ(second->counters().compiles, 1);
  text.resident = 3;
  second->compile(text);
  text.precision = Precision::single_;
  second->compile(text);
  EXPECT_EQ(second->counters().compiles, 3);
  EXPECT_TRUE(files_with(cache_.folder(), ".tmp").empty());
}

TEST_F(NvrtcOnly, KeepsWhatTheAssemblerSaysOfRegisters) {
  open_nvrtc_only(hopper)->compile({"turning", turning_words, {"turning"}});
  const auto reports = files_with(cache_.folder(), ".txt");
  ASSERT_EQ(reports.size(), 1u);
  const std::string report = content_of(reports[0]);
  EXPECT_NE(report.find("registers"), std::string::npos) << report;
  EXPECT_NE(report.find("spill"), std::string::npos) << report;
}

}  // namespace
}  // namespace swell
