// SPDX-License-Identifier: Apache-2.0
#include "device/device.hpp"

#include "folder.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace swell {
namespace {

constexpr const char* every_argument = R"(
KERNEL void mix(GLOBAL const scalar *x, GLOBAL scalar *y, const scalar a, const INDEX shift, const double t) {
  ITEMS(i) y[i] = a * x[i] + scalar(shift) + scalar(t);
}
KERNEL void count(GLOBAL INDEX *visits) {
  ITEMS(i) visits[i] += 1;
}
)";

ProgramText mix_text(Precision precision) { return {"mix", every_argument, {"mix", "count"}, precision, false}; }

template <class Scalar>
void expect_mix(Precision precision, const std::string& device_name, std::int64_t items) {
  const auto device = open_device(device_name);
  const auto program = device->compile(mix_text(precision));
  std::vector<Scalar> x(items), y(items);
  for (std::int64_t i = 0; i < items; ++i) x[i] = static_cast<Scalar>(i);
  const auto o_x = device->allocate(items * sizeof(Scalar), "x");
  const auto o_y = device->allocate(items * sizeof(Scalar), "y");
  o_x->write(x.data(), o_x->bytes());
  device->queue().launch(program->kernel("mix"), items,
                         {*o_x, *o_y, Argument::real(0.5), std::int64_t(7), Argument::time(0.25)});
  device->queue().finish();
  o_y->read(y.data(), o_y->bytes());
  for (std::int64_t i = 0; i < items; ++i) ASSERT_EQ(y[i], Scalar(0.5) * x[i] + Scalar(7.25)) << i;
}

TEST(Launch, PassesEveryKindOfArgumentOnAnyNumberOfThreads) {
  TemporaryCache cache;
  for (const char* name : {"cpu:1", "cpu:2", "cpu:3", "cpu", "auto"}) {
    SCOPED_TRACE(name);
    expect_mix<double>(Precision::double_, name, 1001);
    expect_mix<float>(Precision::single_, name, 1001);
  }
}

TEST(Launch, VisitsEachItemOnce) {
  TemporaryCache cache;
  for (const char* name : {"cpu:1", "cpu:2", "cpu:3"}) {
    const auto device = open_device(name);
    const auto program = device->compile(mix_text(Precision::double_));
    // With no figures for its work, with few bytes and with many a launch is shared out differently.
    for (const Work work : {Work{}, Work{100, 100}, Work{1e9, 1e9}})
      for (const std::int64_t items : {0, 1, 2, 3, 4, 5, 63, 64, 65, 1000}) {
        const std::int64_t guarded = items + 3;
        const auto o_visits = device->allocate(guarded * sizeof(std::int64_t), "visits");
        device->queue().launch(program->kernel("count"), items, {*o_visits}, work);
        std::vector<std::int64_t> visits(guarded);
        o_visits->read(visits.data(), o_visits->bytes());
        for (std::int64_t i = 0; i < guarded; ++i) ASSERT_EQ(visits[i], i < items ? 1 : 0) << name << " " << items;
      }
  }
}

TEST(Launch, SeesWhatTheLaunchBeforeItWrote) {
  TemporaryCache cache;
  const auto device = open_device("cpu:3");
  const auto program = device->compile(mix_text(Precision::double_));
  const auto o_visits = device->allocate(17 * sizeof(std::int64_t), "visits");
  for (int n = 0; n < 2000; ++n) device->queue().launch(program->kernel("count"), 17, {*o_visits});
  std::vector<std::int64_t> visits(17);
  o_visits->read(visits.data(), o_visits->bytes());
  for (const std::int64_t v : visits) EXPECT_EQ(v, 2000);
}

TEST(Launch, AllocatesCopiesAndWaitsForNothing) {
  TemporaryCache cache;
  const auto device = open_device("cpu:2");
  const auto program = device->compile(mix_text(Precision::double_));
  const auto o_visits = device->allocate(100 * sizeof(std::int64_t), "visits");
  const DeviceCounters before = device->counters();
  for (int n = 0; n < 10; ++n) device->queue().launch(program->kernel("count"), 100, {*o_visits});
  const DeviceCounters& after = device->counters();
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.copies, before.copies);
  EXPECT_EQ(after.waits, before.waits);
  EXPECT_EQ(after.launches, before.launches + 10);
}

TEST(Launch, RefusesArgumentsThatTheTextDoesNotTake) {
  TemporaryCache cache;
  const auto device = open_device("cpu:1");
  const auto program = device->compile(mix_text(Precision::single_));
  const auto o_x = device->allocate(80, "x");
  Queue& queue = device->queue();
  const Kernel& mix = program->kernel("mix");
  EXPECT_THROW(queue.launch(mix, 1, {*o_x}), std::logic_error);
  EXPECT_THROW(queue.launch(mix, 1, {*o_x, *o_x, std::int64_t(1), std::int64_t(7), Argument::time(0)}),
               std::logic_error);
  EXPECT_THROW(queue.launch(mix, 1, {*o_x, *o_x, Argument::time(1), std::int64_t(7), Argument::time(0)}),
               std::logic_error);
  EXPECT_THROW(program->kernel("absent"), std::logic_error);
}

TEST(Profile, AddsUpCallsBytesAndFlopsByName) {
  TemporaryCache cache;
  const auto device = open_device("cpu:2");
  const auto program = device->compile(mix_text(Precision::double_));
  const auto o_visits = device->allocate(800, "visits");
  Queue& queue = device->queue();
  queue.launch(program->kernel("count"), 100, {*o_visits}, {800, 100});
  EXPECT_TRUE(queue.profile().empty());
  queue.set_profiling(true);
  for (int n = 0; n < 3; ++n) queue.launch(program->kernel("count"), 100, {*o_visits}, {800, 100});
  const auto profile = queue.profile();
  ASSERT_EQ(profile.size(), 1u);
  EXPECT_EQ(profile[0].name, "count");
  EXPECT_EQ(profile[0].calls, 3);
  EXPECT_EQ(profile[0].bytes, 2400);
  EXPECT_EQ(profile[0].flops, 300);
  EXPECT_GT(profile[0].seconds, 0);
  EXPECT_LT(profile[0].seconds, 5);
}

}  // namespace
}  // namespace swell
