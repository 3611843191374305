// SPDX-License-Identifier: Apache-2.0
#include "base/set_up_phase.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/log.hpp"

namespace swell {

namespace {

constexpr double long_phase = 1;  // seconds

thread_local SetUpPhase* current = nullptr;

}  // namespace

SetUpPhase::SetUpPhase(std::string name) : name_(std::move(name)), outer_(std::exchange(current, this)) { show(); }

SetUpPhase::~SetUpPhase() {
  note();
  current = outer_;
  outer_ ? outer_->show() : log_status("");
}

void SetUpPhase::next(std::string name) {
  note();
  name_ = std::move(name);
  clock_ = {};
  show();
}

void SetUpPhase::show() const { log_status(fmt::format("Setting up: {} ...", name_)); }

void SetUpPhase::note() const {
  if (clock_.seconds() >= long_phase) log_note(fmt::format("set-up: {} took {:.1f} s", name_, clock_.seconds()));
}

}  // namespace swell
