// SPDX-License-Identifier: Apache-2.0
#include "devices.hpp"

namespace swell {
namespace {

// The first name is a function of OpenCL C, the second of the C library.
constexpr const char* every_argument = R"(
KERNEL void mix(GLOBAL const scalar *x, GLOBAL scalar *y, const scalar a, const INDEX shift, const int turn,
                const double t /* , a time */) {
  ITEMS(i) y[i] = a * x[i] + (scalar)(shift + turn) + (scalar)t;
}
KERNEL void count(GLOBAL INDEX *visits) {
  ITEMS(i) visits[i] += 1;
}
KERNEL void far(GLOBAL INDEX *y, const INDEX factor) {
  ITEMS(i) y[i] = i * factor + i / 3 - i % 7;
}
)";

ProgramText mix_text(Precision precision) {
  return {"mix", every_argument, {"mix", "count", "far"}, precision, false};
}

using Launch = OnEveryDevice;
using Profile = OnEveryDevice;

template <class Scalar>
void expect_mix(Device& device, Precision precision, std::int64_t items) {
  const auto program = device.compile(mix_text(precision));
  std::vector<Scalar> x(items), y(items);
  for (std::int64_t i = 0; i < items; ++i) x[i] = static_cast<Scalar>(i);
  const auto o_x = device.allocate(items * sizeof(Scalar), "x"), o_y = device.allocate(items * sizeof(Scalar), "y");
  o_x->write(x.data(), o_x->bytes());
  device.queue().launch(program->kernel("mix"), items, {*o_x, *o_y, Argument::real(0.5), std::int64_t(9),
                                                        std::int64_t(-2), Argument::time(0.25)});
  device.queue().finish();
  o_y->read(y.data(), o_y->bytes());
  for (std::int64_t i = 0; i < items; ++i) ASSERT_EQ(y[i], Scalar(0.5) * x[i] + Scalar(7.25)) << i;
}

TEST_P(Launch, PassesEveryKindOfArgument) {
  expect_mix<double>(*device, Precision::double_, 1001);
  expect_mix<float>(*device, Precision::single_, 1001);
}

TEST_P(Launch, VisitsEachItemOnce) {
  const auto program = device->compile(mix_text(Precision::double_));
  // With no figures for its work, with few bytes and with many a launch is shared out differently.
  for (const Work work : {Work{}, Work{100, 100}, Work{1e9, 1e9}})
    for (const std::int64_t items : {0, 1, 2, 3, 4, 5, 63, 64, 65, 127, 128, 129, 1000}) {
      const std::int64_t guarded = items + 3;
      const auto o_visits = device->allocate(guarded * sizeof(std::int64_t), "visits");
      device->queue().launch(program->kernel("count"), items, {*o_visits}, work);
      const auto visits = content<std::int64_t>(*o_visits);
      for (std::int64_t i = 0; i < guarded; ++i) ASSERT_EQ(visits[i], i < items ? 1 : 0) << items;
    }
}

TEST_P(Launch, VisitsOnlyTheItemsThatItIsAskedFor) {
  const auto program = device->compile(mix_text(Precision::double_));
  for (const Work work : {Work{}, Work{100, 100}})
    for (const Items items : {Items(0, 5), Items(3, 1), Items(7, 200), Items(128, 129), Items(300, 0)}) {
      const auto o_visits = device->allocate(400 * sizeof(std::int64_t), "visits");
      device->queue().launch(program->kernel("count"), items, {*o_visits}, work);
      const auto visits = content<std::int64_t>(*o_visits);
      for (std::int64_t i = 0; i < 400; ++i)
        ASSERT_EQ(visits[i], i >= items.first && i < items.first + items.count ? 1 : 0) << items.first << " " << i;
    }
}

TEST_P(Launch, LetsTheHostLookAtSomethingMeanwhileUnlessItIsFreeAnyway) {
  const auto program = device->compile(mix_text(Precision::double_));
  constexpr std::int64_t items = 1000;
  const auto o_visits = device->allocate(items * sizeof(std::int64_t), "visits");
  int looks = 0;
  device->queue().set_meanwhile([&] { ++looks; });
  device->queue().launch(program->kernel("count"), items, {*o_visits});
  device->queue().set_meanwhile({});
  if (device->info().asynchronous) EXPECT_EQ(looks, 0);
  else EXPECT_GE(looks, 8);
  const int before = looks;
  device->queue().launch(program->kernel("count"), items, {*o_visits});
  EXPECT_EQ(looks, before);
  for (const std::int64_t visits : content<std::int64_t>(*o_visits)) ASSERT_EQ(visits, 2);
  if (device->info().asynchronous) return;
  device->queue().set_meanwhile([] { throw std::runtime_error("seen"); });
  EXPECT_THROW(device->queue().launch(program->kernel("count"), items, {*o_visits}), std::runtime_error);
  device->queue().set_meanwhile({});
}

TEST_P(Launch, IsSeenThroughAWindowAndSeesWhatTheHostPutThere) {
  const auto program = device->compile(mix_text(Precision::double_));
  constexpr std::int64_t items = 1000;
  const auto o_visits = device->allocate(items * sizeof(std::int64_t), "visits");
  const auto window = device->window(*o_visits, false);
  ASSERT_EQ(window->bytes().size(), o_visits->bytes());
  auto* seen = reinterpret_cast<std::int64_t*>(window->bytes().data());
  device->queue().launch(program->kernel("count"), items, {*o_visits});
  window->fetch();
  window->wait();
  for (std::int64_t i = 0; i < items; ++i) ASSERT_EQ(seen[i], 1);
  for (std::int64_t i = 0; i < items; ++i) seen[i] = 10 * i;
  window->store();
  device->queue().launch(program->kernel("count"), items, {*o_visits});
  const auto visits = content<std::int64_t>(*o_visits);
  for (std::int64_t i = 0; i < items; ++i) ASSERT_EQ(visits[i], 10 * i + 1);
  device->queue().finish();
  EXPECT_FALSE(device->queue().busy());
}

TEST_P(Launch, SeesWhatTheLaunchBeforeItWrote) {
  const auto program = device->compile(mix_text(Precision::double_));
  const auto o_visits = device->allocate(17 * sizeof(std::int64_t), "visits");
  for (int n = 0; n < 2000; ++n) device->queue().launch(program->kernel("count"), 17, {*o_visits});
  for (const std::int64_t v : content<std::int64_t>(*o_visits)) EXPECT_EQ(v, 2000);
}

TEST_P(Launch, CountsBeyond32Bits) {
  const auto program = device->compile(mix_text(Precision::single_));
  constexpr std::int64_t items = 200, factor = (std::int64_t(1) << 40) + 12345;
  const auto o_y = device->allocate(items * sizeof(std::int64_t), "y");
  device->queue().launch(program->kernel("far"), items, {*o_y, factor});
  const auto y = content<std::int64_t>(*o_y);
  for (std::int64_t i = 0; i < items; ++i) ASSERT_EQ(y[i], i * factor + i / 3 - i % 7) << i;
}

TEST_P(Launch, AllocatesCopiesAndWaitsForNothing) {
  const auto program = device->compile(mix_text(Precision::double_));
  const auto o_visits = device->allocate(100 * sizeof(std::int64_t), "visits");
  const DeviceCounters before = device->counters();
  for (int n = 0; n < 100; ++n) device->queue().launch(program->kernel("count"), 100, {*o_visits});
  const DeviceCounters& after = device->counters();
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.copies, before.copies);
  EXPECT_EQ(after.waits, before.waits);
  EXPECT_EQ(after.launches, before.launches + 100);
  device->queue().finish();
  EXPECT_EQ(after.waits, before.waits + 1);
}

TEST_P(Launch, RefusesArgumentsThatTheTextDoesNotTake) {
  const auto program = device->compile(mix_text(Precision::single_));
  const auto o_x = device->allocate(80, "x");
  Queue& queue = device->queue();
  const Kernel& mix = program->kernel("mix");
  const std::int64_t one = 1;
  EXPECT_THROW(queue.launch(mix, 1, {*o_x}), std::logic_error);
  EXPECT_THROW(queue.launch(mix, 1, {*o_x, *o_x, one, one, one, Argument::time(0)}), std::logic_error);
  EXPECT_THROW(queue.launch(mix, 1, {*o_x, *o_x, Argument::time(1), one, one, Argument::time(0)}), std::logic_error);
  EXPECT_THROW(queue.launch(mix, 1, {*o_x, *o_x, Argument::real(1), *o_x, one, Argument::time(0)}), std::logic_error);
  EXPECT_THROW(queue.launch(mix, 1, {*o_x, *o_x, Argument::real(1), one, one, Argument::real(0)}), std::logic_error);
  EXPECT_NO_THROW(queue.launch(mix, 1, {*o_x, *o_x, Argument::real(1), one, one, Argument::time(0)}));
  EXPECT_THROW(program->kernel("absent"), std::logic_error);
  queue.finish();
}

TEST_P(Profile, AddsUpCallsBytesAndFlopsByName) {
  const auto program = device->compile(mix_text(Precision::double_));
  const auto o_visits = device->allocate(800, "visits");
  Queue& queue = device->queue();
  queue.launch(program->kernel("count"), 100, {*o_visits}, {800, 100});
  EXPECT_TRUE(queue.profile().empty());
  queue.set_profiling(true);
  // More than a device may have under way.
  constexpr int calls = 3000;
  for (int n = 0; n < calls; ++n) queue.launch(program->kernel("count"), 100, {*o_visits}, {800, 100});
  const auto profile = queue.profile();
  ASSERT_EQ(profile.size(), 1u);
  EXPECT_EQ(profile[0].name, "count");
  EXPECT_EQ(profile[0].calls, calls);
  EXPECT_EQ(profile[0].bytes, 800.0 * calls);
  EXPECT_EQ(profile[0].flops, 100.0 * calls);
  EXPECT_GT(profile[0].seconds, 0);
  EXPECT_LT(profile[0].seconds, 5);
  queue.set_profiling(false);
  queue.launch(program->kernel("count"), 100, {*o_visits});
  EXPECT_EQ(queue.profile()[0].calls, calls);
  EXPECT_EQ(content<std::int64_t>(*o_visits)[99], calls + 2);
  queue.set_profiling(true);
  EXPECT_TRUE(queue.profile().empty());
}

INSTANTIATE_TEST_SUITE_P(, Launch, testing::ValuesIn(usable_devices()), device_test_name);
INSTANTIATE_TEST_SUITE_P(, Profile, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
