// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "device/compile_error.hpp"

#include "devices.hpp"

#include <fmt/format.h>

namespace swell {
namespace {

using DeviceGroups = OnEveryDevice;
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DeviceGroups);

// The sum of COUNT numbers of each item, by halves in shared memory; any number of threads, also no power of two.
constexpr const char* sum_text = R"(
KERNEL void sums(GLOBAL const scalar *x, GLOBAL scalar *sum, const INDEX count, const scalar factor) {
  SHARED(part);
  GROUP(item);
  scalar own = 0.0;
  for (INDEX k = THREAD; k < count; k += THREADS) own += x[item * count + k];
  part[THREAD] = own;
  BARRIER;
  for (int width = THREADS; width > 1; width = (width + 1) / 2) {
    const int other = THREAD + (width + 1) / 2;
    scalar more = 0.0;
    if (other < width) more = part[other];
    BARRIER;
    if (other < width) part[THREAD] += more;
    BARRIER;
  }
  if (THREAD == 0) sum[item] = factor * part[0];
}
)";

ProgramText grouped(int group, Precision precision) {
  return {"sums", sum_text, {"sums"}, precision, false, group, group * bytes_of(precision)};
}

TEST_P(DeviceGroups, MeetInSharedMemory) {
  constexpr std::int64_t items = 13, count = 500;
  std::vector<double> x(items * count);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 1009);
  const auto o_x = filled(x), o_sum = device->allocate((items + 1) * sizeof(double), "sums");
  for (const int group : {1, 32, 96, 125, 256}) {
    const auto program = device->compile(grouped(group, Precision::double_));
    o_sum->fill_zero();
    device->queue().launch(program->kernel("sums"), items, {*o_x, *o_sum, count, Argument::real(0.5)});
    const auto sums = content<double>(*o_sum);
    for (std::int64_t item = 0; item < items; ++item) {
      double exact = 0;
      for (std::int64_t k = 0; k < count; ++k) exact += x[item * count + k];
      ASSERT_EQ(sums[item], 0.5 * exact) << group << " threads, item " << item;
    }
    EXPECT_EQ(sums[items], 0);
  }
}

TEST_P(DeviceGroups, HaveSharedMemoryFromAnAlignedBeginToItsEnd) {
  constexpr const char* text = R"(
KERNEL void ends(GLOBAL INDEX *out, const INDEX last) {
  SHARED(memory);
  GROUP(item);
  LOCAL scalar *end = memory + last;
  if (THREAD == 0) *end = 3.0;
  BARRIER;
  if (THREAD == THREADS - 1) {
    out[3 * item] = (INDEX)memory % 128;
    out[3 * item + 1] = (INDEX)memory[last] + item;
    out[3 * item + 2] = (INDEX)SIMT * 10 + LANES;
  }
})";
  const auto bytes = static_cast<std::size_t>(std::min<std::int64_t>(device->info().shared_bytes, 48 << 10));
  const auto program = device->compile({"ends", text, {"ends"}, Precision::single_, false, 64, bytes, 1});
  const auto o_out = device->allocate(6 * sizeof(std::int64_t), "out");
  device->queue().launch(program->kernel("ends"), 2, {*o_out, static_cast<std::int64_t>(bytes / sizeof(float)) - 1});
  EXPECT_EQ(content<std::int64_t>(*o_out), (std::vector<std::int64_t>{0, 3, 11, 0, 4, 11}));
}

TEST_P(DeviceGroups, AreRefusedWhereTheDeviceIsTooSmall) {
  EXPECT_THROW(device->compile(grouped(1 << 20, Precision::single_)), RunError);
  ProgramText text = grouped(64, Precision::single_);
  text.shared = static_cast<std::size_t>(device->info().shared_bytes) + 4096;
  EXPECT_THROW(device->compile(text), RunError);
}

TEST_P(DeviceGroups, SayWhatTheyHave) {
  const DeviceInfo& info = device->info();
  EXPECT_TRUE(info.simt);
  EXPECT_EQ(device->lanes(Precision::single_), 1);
  EXPECT_GE(info.processors, 1);
  EXPECT_GE(info.shared_bytes, 16 << 10);
  EXPECT_GT(info.memory, 1 << 20);
  EXPECT_FALSE(info.name.empty() || info.compiler.empty() || info.driver.empty());
  EXPECT_TRUE(GetParam().starts_with(info.backend)) << info.backend;
}

INSTANTIATE_TEST_SUITE_P(, DeviceGroups, testing::ValuesIn(usable_gpus()), device_test_name);

}  // namespace
}  // namespace swell
