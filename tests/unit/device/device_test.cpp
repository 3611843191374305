// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/host_threads.hpp"
#include "device/cpu/cpu_device.hpp"
#include "device/cpu/pool.hpp"
#include "device/sha256.hpp"

#include "folder.hpp"

#include <gtest/gtest.h>

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
      EXPECT_LE(calls, 3 * threads);  // pieces of a share
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

// With shares that are fixed the items of a thread that is held up would stay undone until it goes on.
TEST(Pool, TakesTheWorkOfAThreadThatIsHeldUp) {
  Pool pool(2);
  constexpr std::int64_t items = 1000;
  std::atomic<std::int64_t> done{0};
  const std::thread::id caller = std::this_thread::get_id();
  bool waited_in_vain = false;
  pool.parallel_for(items, [&](std::int64_t begin, std::int64_t end) {
    const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::this_thread::get_id() != caller && done < items - (end - begin) && !waited_in_vain) {
      waited_in_vain = std::chrono::steady_clock::now() > last;
      std::this_thread::yield();
    }
    done += end - begin;
  });
  EXPECT_EQ(done, items);
  EXPECT_FALSE(waited_in_vain);
}

TEST(OpenDevice, TakesProcessorsByName) {
  TemporaryCache cache;
  EXPECT_EQ(open_device("cpu")->info().threads, available_processors());
  EXPECT_NE(open_device("auto")->info().backend, "opencl");
  const DeviceInfo info = open_device("cpu:3")->info();
  EXPECT_EQ(info.threads, 3);
  EXPECT_FALSE(info.name.empty());
  EXPECT_FALSE(info.compiler.empty());
  EXPECT_GT(info.memory, 1 << 20);
}

TEST(OpenDevice, AnswersWrongNamesWithWhatThereIs) {
  TemporaryCache cache;
  for (const char* name : {"", "gpu", "cpu:", "cpu:0", "cpu:-1", "cpu:two", "cpu:2x", "cpux", "CPU", "opencl:", "opencl:0",
                           "opencl:99:0", "opencl:0:99", "opencl:0:0x", "cuda:", "cuda:999", "cuda:-1", "cuda:x",
                           "cpu:99999999999999999999"}) {
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

TEST(ListDevices, HasASentenceForEachBackend) {
  TemporaryCache cache;
  for (const std::string backend : {"cpu", "opencl", "cuda"}) {
    int found = 0;
    for (const DeviceChoice& choice : list_devices()) {
      if (!choice.name.starts_with(backend)) continue;
      ++found;
      EXPECT_FALSE(choice.words.empty()) << choice.name;
      if (choice.usable) EXPECT_EQ(open_device(choice.name)->info().backend, backend);
      else EXPECT_THROW(open_device(choice.name), InputError);
    }
    EXPECT_GE(found, 1) << backend;
  }
}

TEST(CacheFolder, FollowsTheEnvironment) {
  const Environment home("XDG_CACHE_HOME", "/x");
  const Environment none("SWELL_CACHE", "");
  EXPECT_EQ(cache_folder(), "/x/swell");
  const Environment own("SWELL_CACHE", "/s");
  EXPECT_EQ(cache_folder(), "/s");
}

}  // namespace
}  // namespace swell
