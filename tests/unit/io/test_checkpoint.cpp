// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "base/error.hpp"
#include "io/checkpoint.hpp"

namespace swell {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class CheckpointFile : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_checkpoints()) GTEST_SKIP() << "this build has no HDF5";
    fs::create_directories(folder);
    given.about = R"({"model": "a \"quoted\" name"})";
    given.arrays["state"] = {{2, 3, 1}, {1, -2, 3e-300, 1.0 / 3, 0, 6}};
    given.arrays["rate 0"] = {{2}, {0.5f, 0.1f}, true};
    write_checkpoint(file, given);
  }
  void TearDown() override { fs::remove_all(folder); }

  fs::path folder = fs::path(testing::TempDir()) / ("checkpoints" + std::to_string(getpid())), file = folder / checkpoint_name(7);
  Checkpoint given;
};

TEST_F(CheckpointFile, GivesBackWhatWasWritten) {
  const Checkpoint read = read_checkpoint(file);
  EXPECT_EQ(read.about, given.about);
  ASSERT_EQ(read.arrays.size(), given.arrays.size());
  for (const auto& [name, array] : given.arrays) {
    EXPECT_EQ(read.arrays.at(name).shape, array.shape) << name;
    EXPECT_EQ(read.arrays.at(name).values, array.values) << name;
    EXPECT_EQ(read.arrays.at(name).single, array.single) << name;
  }
}

TEST_F(CheckpointFile, HasTheSameBytesForTheSameState) {
  const std::string before = bytes_of(file);
  write_checkpoint(file, given);
  EXPECT_EQ(bytes_of(file), before);
}

TEST_F(CheckpointFile, IsRefusedWithAnyBitChanged) {
  const std::string whole = bytes_of(file);
  std::mt19937_64 draw(1);
  for (int i = 0; i < 1000; ++i) {
    std::string changed = whole;
    changed[draw() % changed.size()] ^= static_cast<char>(1 << draw() % 8);
    std::ofstream(file, std::ios::binary) << changed;
    ASSERT_THROW(read_checkpoint(file), InputError) << i;
  }
}

TEST_F(CheckpointFile, IsRefusedCutOffAnywhere) {
  const std::string whole = bytes_of(file);
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    std::ofstream(file, std::ios::binary) << whole.substr(0, length);
    ASSERT_THROW(read_checkpoint(file), InputError) << length;
  }
  EXPECT_THROW(read_checkpoint(folder / "nothing.h5"), InputError);
}

TEST_F(CheckpointFile, IsFoundByItsStepAmongOtherFiles) {
  for (const char* name : {"checkpoint-x.h5", "checkpoint-12.txt", ".checkpoint-000000012.h5.1.part", "checkpoint-.h5"})
    std::ofstream(folder / name) << "no";
  write_checkpoint(folder / checkpoint_name(1234567890123), given);
  const auto found = checkpoints_in(folder);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found.at(7), file);
  EXPECT_EQ(found.rbegin()->first, 1234567890123);
}

}  // namespace
}  // namespace swell
