// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include "devices.hpp"

#include <numeric>

namespace swell {
namespace {

using DeviceMemory = OnEveryDevice;

TEST_P(DeviceMemory, StartsAtZeroAndKeepsWhatIsWritten) {
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

TEST_P(DeviceMemory, IsCounted) {
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

TEST_P(DeviceMemory, SaysWhatIsMissingWhenTheMachineIsTooSmall) {
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

TEST_P(DeviceMemory, MayOutliveItsDevice) {
  const auto buffer = device->allocate(8192, "a");
  device.reset();
  buffer->fill_zero();
  int x = 1;
  buffer->read(&x, sizeof x);
  EXPECT_EQ(x, 0);
}

INSTANTIATE_TEST_SUITE_P(, DeviceMemory, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
