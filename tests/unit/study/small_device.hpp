// SPDX-License-Identifier: Apache-2.0
// A device that says to have as much memory as a test likes.
#pragma once

#include "device/device.hpp"

namespace swell {

class SmallDevice : public Device {
 public:
  SmallDevice(Device& real, std::int64_t memory) : real_(real), info_(real.info()) { info_.memory = memory; }
  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, std::string_view label) override {
    return real_.allocate(bytes, label);
  }
  std::unique_ptr<Window> window(Buffer& buffer, bool direct) override { return real_.window(buffer, direct); }
  std::unique_ptr<Program> compile(const ProgramText& text) override { return real_.compile(text); }
  Queue& queue() override { return real_.queue(); }
  const DeviceCounters& counters() const override { return real_.counters(); }
  int lanes(Precision precision) const override { return real_.lanes(precision); }

 private:
  Device& real_;
  DeviceInfo info_;
};

}  // namespace swell
