// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "device/cpu/cpu_device.hpp"
#include "device/cpu/pool.hpp"
#include "device/sha256.hpp"

#include "folder.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace swell {
namespace {

// FIPS 180-4 examples (NIST), and lengths around the padding's limits.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Pool, CoversEachItemOnceWithContiguousRanges) {
  for (const int threads : {1, 2, 3, 5}) {
    Pool pool(threads);
    for (const std::int64_t items : {0, 1, 2, 3, 4, 7, 100, 1001}) {
      std::vector<int> visits(items);
      std::atomic<int> calls{0};
      const auto visit = [&](std::int64_t begin, std::int64_t end) {
        ++calls;
        for (std::int64_t i = begin; i < end; ++i) ++visits[i];
      };
      pool.parallel_for(items, visit);
      for (const int v : visits) ASSERT_EQ(v, 1);
      EXPECT_LE(calls, threads);
    }
  }
}

TEST(Pool, SurvivesManyShortDispatchesAndLongPauses) {
  Pool pool(3);
  std::atomic<std::int64_t> sum{0};
  const auto add = [&](std::int64_t begin, std::int64_t end) { sum += end - begin; };
  for (int n = 0; n < 5000; ++n) {
    if (n % 1000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    pool.parallel_for(6, add);
  }
  EXPECT_EQ(sum, 30000);
}

TEST(OpenDevice, TakesProcessorsByName) {
  TemporaryCache cache;
  EXPECT_EQ(open_device("cpu")->info().threads, available_processors());
  EXPECT_EQ(open_device("auto")->info().backend, "cpu");
  const DeviceInfo info = open_device("cpu:3")->info();
  EXPECT_EQ(info.threads, 3);
  EXPECT_FALSE(info.name.empty());
  EXPECT_FALSE(info.compiler.empty());
  EXPECT_GT(info.memory, 1 << 20);
}

TEST(OpenDevice, AnswersWrongNamesWithWhatThereIs) {
  for (const char* name : {"", "gpu", "cpu:", "cpu:0", "cpu:-1", "cpu:two", "cpu:2x", "cpux", "CPU", "opencl",
                           "opencl:0:1", "cuda", "cuda:0", "cpu:99999999999999999999"}) {
    try {
      open_device(name);
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("'" + std::string(name) + "'"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("cpu"), std::string::npos) << error.what();
    }
  }
}

TEST(ListDevices, HasTheProcessor) {
  TemporaryCache cache;
  const auto choices = list_devices();
  ASSERT_FALSE(choices.empty());
  EXPECT_EQ(choices[0].name, "cpu");
  EXPECT_TRUE(choices[0].usable) << choices[0].words;
}

TEST(CacheFolder, FollowsTheEnvironment) {
  setenv("XDG_CACHE_HOME", "/x", 1);
  unsetenv("SWELL_CACHE");
  EXPECT_EQ(cache_folder(), "/x/swell");
  setenv("SWELL_CACHE", "/s", 1);
  EXPECT_EQ(cache_folder(), "/s");
  unsetenv("SWELL_CACHE");
  unsetenv("XDG_CACHE_HOME");
}

TEST(Buffer, StartsAtZeroAndKeepsWhatIsWritten) {
  TemporaryCache cache;
  const auto device = open_device("cpu:2");
  for (const std::size_t bytes : {std::size_t(0), std::size_t(1), std::size_t(4097), std::size_t(9) << 20}) {
    const auto buffer = device->allocate(bytes, "numbers");
    ASSERT_EQ(buffer->bytes(), bytes);
    std::vector<unsigned char> content(bytes, 1);
    buffer->read(content.data(), bytes);
    EXPECT_EQ(std::accumulate(content.begin(), content.end(), 0), 0);
    for (std::size_t i = 0; i < bytes; ++i) content[i] = static_cast<unsigned char>(i % 251);
    buffer->write(content.data(), bytes);
    if (bytes > 100) {
      const unsigned char mark[] = {252, 253};
      buffer->write(mark, 2, bytes - 2);
      unsigned char back[3];
      buffer->read(back, 3, bytes - 3);
      EXPECT_EQ(back[0], (bytes - 3) % 251);
      EXPECT_EQ(back[1], 252);
      EXPECT_EQ(back[2], 253);
    }
    buffer->fill_zero();
    buffer->read(content.data(), bytes);
    EXPECT_EQ(std::accumulate(content.begin(), content.end(), 0), 0);
    EXPECT_THROW(buffer->write(content.data(), bytes + 1), std::logic_error);
    EXPECT_THROW(buffer->read(content.data(), 1, bytes), std::logic_error);
  }
}

TEST(Buffer, IsCounted) {
  TemporaryCache cache;
  const auto device = open_device("cpu:1");
  {
    const auto a = device->allocate(1000, "a"), b = device->allocate(24, "b");
    a->fill_zero();
    double x = 1;
    a->write(&x, 8);
    a->read(&x, 8);
    EXPECT_EQ(device->counters().allocations, 2);
    EXPECT_EQ(device->counters().bytes, 1024);
    EXPECT_EQ(device->counters().copies, 2);
  }
  EXPECT_EQ(device->counters().bytes, 0);
}

TEST(Buffer, SaysWhatIsMissingWhenTheMachineIsTooSmall) {
  TemporaryCache cache;
  const auto device = open_device("cpu:1");
  const auto memory = static_cast<std::size_t>(device->info().memory);
  for (const std::size_t bytes : {memory + 1, std::size_t(1) << 50, ~std::size_t(0), ~std::size_t(0) - 4096}) {
    try {
      device->allocate(bytes, "the state");
      FAIL();
    } catch (const RunError& error) {
      const std::string sentence = error.what();
      EXPECT_NE(sentence.find("the state"), std::string::npos) << sentence;
      EXPECT_NE(sentence.find("GiB"), std::string::npos) << sentence;
    }
  }
  EXPECT_EQ(device->counters().bytes, 0);
  EXPECT_EQ(device->counters().allocations, 0);
}

TEST(Buffer, MayOutliveItsDevice) {
  TemporaryCache cache;
  auto device = open_device("cpu:2");
  const auto buffer = device->allocate(8192, "a");
  device.reset();
  buffer->fill_zero();
  int x = 1;
  buffer->read(&x, sizeof x);
  EXPECT_EQ(x, 0);
}

}  // namespace
}  // namespace swell
