// SPDX-License-Identifier: Apache-2.0
// A device and the evolution that is set up on it, kept from run to run of a sweep.
#pragma once

#include "sim/evolution.hpp"

namespace swell {

class RunSession {
 public:
  // Each rank opens the device of its own that the name gives it.
  explicit RunSession(std::string backend, Ranks& ranks = lone_rank());
  const std::string& backend() const { return backend_; }
  Ranks& ranks() { return ranks_; }
  Device& device() { return *device_; }
  // Cases that may follow: a case that is set up anew prepares for them.
  void expect(std::span<const Case> cases) { to_come_ = cases; }
  // Adopts the case in place of the last one, or sets it up anew.
  Evolution& evolution(const Case& c);

 private:
  std::string backend_, device_name_;
  Ranks& ranks_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Evolution> evolution_;
  std::span<const Case> to_come_;
};

}  // namespace swell
