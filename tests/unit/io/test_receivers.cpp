// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "io/receivers.hpp"
#include "scratch.hpp"

namespace swell {
namespace {

std::vector<std::vector<double>> rows_of(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text.substr(text.find('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::strtod(cell.c_str(), nullptr));
  }
  return rows;
}

TEST(Receiver, ReadsBackTheSameBits) {
  Scratch scratch;
  std::mt19937_64 random(7);
  std::vector<std::vector<double>> wanted;
  ReceiverFile file(scratch / "probe.csv", {"Hx", "Ez"});
  for (int row = 0; row < 5000; ++row) {
    std::vector<double> values;
    while (values.size() < 3) {
      const double value = std::bit_cast<double>(random());
      if (std::isfinite(value)) values.push_back(value);
    }
    wanted.push_back(values);
    file.append(values[0], std::span(values).subspan(1));
  }
  file.close();
  const std::string text = text_of(scratch / "probe.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')), "time,Hx,Ez");
  EXPECT_EQ(rows_of(text), wanted);
}

TEST(Receiver, WritesNoMoreDigitsThanNeeded) {
  Scratch scratch;
  ReceiverFile file(scratch / "probe.csv", {"u"});
  file.append(0.1, std::vector<double>{-2});
  file.close();
  EXPECT_EQ(text_of(scratch / "probe.csv"), "time,u\n0.1,-2\n");
}

TEST(Receiver, HasAllRowsOnDiskAfterAFlush) {
  Scratch scratch;
  ReceiverFile file(scratch / "probe.csv", {"u"});
  EXPECT_EQ(text_of(scratch / "probe.csv"), "time,u\n");
  file.append(1, std::vector<double>{2});
  file.flush();
  EXPECT_EQ(text_of(scratch / "probe.csv"), "time,u\n1,2\n");
}

TEST(Receiver, KeepsItsRowsWhenTheRunEndsEarly) {
  Scratch scratch;
  {
    std::vector<ReceiverFile> files;
    for (const char* name : {"a.csv", "b.csv", "c.csv"})
      files.emplace_back(scratch / name, std::vector<std::string>{"u"});
    files[0].append(1, std::vector<double>{2});
  }
  EXPECT_EQ(text_of(scratch / "a.csv"), "time,u\n1,2\n");
  EXPECT_EQ(text_of(scratch / "b.csv"), "time,u\n");
}

TEST(Receiver, RefusesARowOfTheWrongLength) {
  Scratch scratch;
  ReceiverFile file(scratch / "probe.csv", {"u", "v"});
  EXPECT_THROW(file.append(0, std::vector<double>{1}), RunError);
}

TEST(Receiver, NamesTheFileWhenTheDiskIsFull) {
  const std::string message = message_of<RunError>([] { ReceiverFile("/dev/full", {"u"}); });
  EXPECT_NE(message.find("'/dev/full' cannot be written: the disk is full"), std::string::npos) << message;
}

}  // namespace
}  // namespace swell
