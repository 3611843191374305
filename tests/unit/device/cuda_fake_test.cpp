// SPDX-License-Identifier: Apache-2.0
// The CUDA backend against a made-up driver: what is handed over, counted and said, without a GPU.
#include "base/error.hpp"
#include "device/cuda/cuda.hpp"

#include "cuda_fake.hpp"
#include "folder.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <vector>

namespace swell {
namespace {

constexpr const char* mix_text = R"(
KERNEL void mix(GLOBAL const scalar *x, GLOBAL scalar *y, const scalar a, const INDEX shift, const int stride,
                const double t) {
  ITEMS(i) y[i * stride + shift] = a * x[i] + t;
}
)";

class FakeCuda : public testing::Test {
 protected:
  FakeCuda()
      : library_(make_library(cache_.folder(), "fake", fake_driver_text)),
        driver_("SWELL_CUDA", library_),
        nvrtc_("SWELL_NVRTC", library_) {}
  void SetUp() override {
    ASSERT_FALSE(library_.empty());
    device_ = open_cuda(0);
  }
  template <class T>
  T& variable(const char* name) const {
    return *static_cast<T*>(dlsym(dlopen(library_.c_str(), RTLD_NOW), name));
  }
  void launch_mix(const Program& program, std::int64_t items, const Buffer& x, const Buffer& y, const Work& work = {}) {
    device_->queue().launch(program.kernel("mix"), items,
                            {x, y, Argument::real(0.5), std::int64_t(1), std::int64_t(2), Argument::time(0.25)}, work);
  }

  TemporaryCache cache_;
  std::string library_;
  Environment driver_, nvrtc_;
  std::unique_ptr<Device> device_;
};

TEST_F(FakeCuda, IsListedAndDescribed) {
  const auto choices = cuda_choices();
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[1].name, "cuda:1");
  EXPECT_TRUE(choices[0].usable) << choices[0].words;
  EXPECT_EQ(choices[0].words.rfind("Made Up 100, 3 processors, 8.0 GiB, kernels compiled by NVRTC 98.7 for sm_90, CUDA "
                                   "driver 13.2", 0), 0u) << choices[0].words;
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.backend, "cuda");
  EXPECT_EQ(info.name, "Made Up 100");
  EXPECT_EQ(info.threads, 3 * 2048);
  EXPECT_EQ(info.shared_bytes, 232448);
  EXPECT_EQ(info.memory, std::int64_t(4) << 30);
  EXPECT_EQ(info.tensor_cores, 90);
  try {
    open_cuda(2);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "there is no device 'cuda:2': the CUDA driver finds 2, 'cuda:0' to 'cuda:1'");
  }
}

TEST_F(FakeCuda, GetsEveryArgumentAndTheNumberOfItems) {
  const auto program = device_->compile({"mix", mix_text, {"mix"}});
  constexpr std::int64_t items = 1000;
  std::vector<double> x(items), y(2 * items + 1);
  for (std::int64_t i = 0; i < items; ++i) x[i] = static_cast<double>(i);
  const auto o_x = device_->allocate(x.size() * 8, "x"), o_y = device_->allocate(y.size() * 8, "y");
  o_x->write(x.data(), o_x->bytes());
  const DeviceCounters before = device_->counters();
  launch_mix(*program, items, *o_x, *o_y);
  EXPECT_EQ(device_->counters().launches, before.launches + 1);
  EXPECT_EQ(device_->counters().allocations, before.allocations);
  EXPECT_EQ(device_->counters().copies, before.copies);
  EXPECT_EQ(device_->counters().waits, before.waits);
  o_y->read(y.data(), o_y->bytes());
  for (std::int64_t i = 0; i < items; ++i) {
    ASSERT_EQ(y[2 * i + 1], 0.5 * x[i] + 0.25);
    ASSERT_EQ(y[2 * i], 0);
  }
  EXPECT_THROW(device_->queue().launch(program->kernel("mix"), 1, {*o_x}), std::logic_error);
  EXPECT_THROW(program->kernel("absent"), std::logic_error);
}

TEST_F(FakeCuda, GetsTheFirstItemAndTheOneBehindTheLast) {
  const auto program = device_->compile({"mix", mix_text, {"mix"}});
  std::vector<double> y(21);
  const auto o_x = device_->allocate(80, "x"), o_y = device_->allocate(168, "y");
  device_->queue().launch(program->kernel("mix"), Items(3, 4),
                          {*o_x, *o_y, Argument::real(0.5), std::int64_t(1), std::int64_t(2), Argument::time(0.25)});
  EXPECT_EQ(variable<unsigned>("fake_grid"), 1u);
  o_y->read(y.data(), o_y->bytes());
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(y[2 * i + 1], i >= 3 && i < 7 ? 0.25 : 0) << i;
}

// A fake's memory is the host's: where messages go straight to the device they are seen there at once.
TEST_F(FakeCuda, ShowsMessagesItsOwnMemoryOnlyWhereTheyMayGoThere) {
  const double before = 1.5, after = -2.5;
  for (const bool direct : {false, true}) {
    const auto o_x = device_->allocate(sizeof(double), "x");
    o_x->write(&before, sizeof before);
    const auto window = device_->window(*o_x, direct);
    auto* seen = reinterpret_cast<double*>(window->bytes().data());
    window->fetch();
    window->wait();
    EXPECT_EQ(*seen, before);
    *seen = after;
    double content = 0;
    o_x->read(&content, sizeof content);
    EXPECT_EQ(content, direct ? after : before);
    window->store();
    o_x->read(&content, sizeof content);
    EXPECT_EQ(content, after);
  }
}

TEST_F(FakeCuda, IsBusyWhileTheDriverSaysThatItIsNotReady) {
  EXPECT_FALSE(device_->queue().busy());
  variable<int>("fake_query_result") = 600;
  EXPECT_TRUE(device_->queue().busy());
  variable<int>("fake_query_result") = 700;
  EXPECT_THROW(device_->queue().busy(), RunError);
}

TEST_F(FakeCuda, GetsAThreadForEachItemUpToAFewFillingsOfTheChip) {
  const auto program = device_->compile({"mix", mix_text, {"mix"}});
  const auto o_x = device_->allocate(1 << 23, "x"), o_y = device_->allocate(1 << 24, "y");
  launch_mix(*program, 0, *o_x, *o_y);
  EXPECT_EQ(variable<unsigned>("fake_grid"), 0u);
  for (const auto& [items, blocks] : {std::pair(1, 1u), {128, 1u}, {129, 2u}, {1000000, 8u * 3 * 2048 / 128}}) {
    launch_mix(*program, items, *o_x, *o_y);
    EXPECT_EQ(variable<unsigned>("fake_grid"), blocks) << items;
    EXPECT_EQ(variable<unsigned>("fake_block"), 128u);
    EXPECT_EQ(variable<unsigned>("fake_shared"), 0u);
  }
}

TEST_F(FakeCuda, GetsAGroupForEachItemWithItsSharedMemory) {
  ProgramText text{"mix", mix_text, {"mix"}, Precision::double_, false, 96, 100 << 10, 2};
  const auto program = device_->compile(text);
  // Twice 101 of the 228 KiB of a processor.
  EXPECT_EQ(variable<unsigned>("fake_most_shared"), 100u << 10);
  EXPECT_EQ(variable<unsigned>("fake_carveout"), 89u);
  const auto o_x = device_->allocate(800, "x"), o_y = device_->allocate(1700, "y");
  launch_mix(*program, 77, *o_x, *o_y);
  EXPECT_EQ(variable<unsigned>("fake_grid"), 77u);
  EXPECT_EQ(variable<unsigned>("fake_block"), 96u);
  EXPECT_EQ(variable<unsigned>("fake_shared"), 100u << 10);
  EXPECT_THROW(launch_mix(*program, std::int64_t(1) << 31, *o_x, *o_y), InputError);
  text.shared = 228 << 10;
  EXPECT_THROW(device_->compile(text), RunError);
}

TEST_F(FakeCuda, AddsUpTheTimesOfMoreLaunchesThanItKeepsEventsFor) {
  const auto program = device_->compile({"mix", mix_text, {"mix"}});
  const auto o_x = device_->allocate(80, "x"), o_y = device_->allocate(168, "y");
  launch_mix(*program, 10, *o_x, *o_y, {80, 20});
  EXPECT_TRUE(device_->queue().profile().empty());
  device_->queue().set_profiling(true);
  for (int n = 0; n < 1300; ++n) launch_mix(*program, 10, *o_x, *o_y, {80, 20});
  const auto profile = device_->queue().profile();
  ASSERT_EQ(profile.size(), 1u);
  EXPECT_EQ(profile[0].name, "mix");
  EXPECT_EQ(profile[0].calls, 1300);
  EXPECT_NEAR(profile[0].seconds, 1.3, 1e-9);  // a tick of the made-up clock, a millisecond, each
  EXPECT_EQ(profile[0].bytes, 80 * 1300);
  EXPECT_EQ(profile[0].flops, 20 * 1300);
  device_->queue().set_profiling(false);
  device_->queue().set_profiling(true);
  EXPECT_TRUE(device_->queue().profile().empty());
}

TEST_F(FakeCuda, SaysWhichCallFailedAndWhy) {
  const auto program = device_->compile({"mix", mix_text, {"mix"}});
  const auto o_x = device_->allocate(80, "x"), o_y = device_->allocate(168, "y");
  const auto words_of = [](auto action) -> std::string {
    try {
      action();
    } catch (const RunError& error) {
      return error.what();
    }
    return "";
  };
  variable<int>("fake_launch_result") = 719;
  EXPECT_EQ(words_of([&] { launch_mix(*program, 1, *o_x, *o_y); }),
            "the CUDA driver failed in cuLaunchKernel of 'mix': the chip fell off (CUDA_ERROR_MADE_UP)");
  variable<int>("fake_wait_result") = 700;
  EXPECT_EQ(words_of([&] { device_->queue().finish(); }),
            "the CUDA driver failed in cuStreamSynchronize: the chip fell off (CUDA_ERROR_MADE_UP)");
  variable<int>("fake_wait_result") = 0;
  EXPECT_EQ(words_of([&] { device_->allocate(std::size_t(2) << 30, "the state"); }),
            "there is no memory for the state (2 GiB) on the GPU: 4 of its 8 GiB are free, 2.31e-07 are used by this "
            "run");
}

TEST_F(FakeCuda, ZeroesBuffersWithWhatIsBehindTheirEnd) {
  for (const std::size_t bytes : {std::size_t(0), std::size_t(1), std::size_t(4097)}) {
    const auto o_x = device_->allocate(bytes, "x");
    std::vector<char> content(bytes, 1);
    o_x->read(content.data(), bytes);
    for (const char c : content) ASSERT_EQ(c, 0);
    EXPECT_EQ(device_->counters().bytes, static_cast<std::int64_t>(bytes));
    EXPECT_THROW(o_x->read(content.data(), 1, bytes), std::logic_error);
  }
  EXPECT_EQ(device_->counters().bytes, 0);
}

}  // namespace
}  // namespace swell
