// SPDX-License-Identifier: Apache-2.0
#include "sim/run_session.hpp"

#include "sim/rank_device.hpp"

namespace swell {

RunSession::RunSession(std::string backend, Ranks& ranks)
    : backend_(std::move(backend)), device_name_(device_of_rank(backend_, ranks)), ranks_(ranks), device_(open_device(device_name_)) {}

Evolution& RunSession::evolution(const Case& c) {
  if (evolution_ && evolution_->adopt(c)) return *evolution_;
  evolution_.reset();
  Case here = c;
  here.backend = device_name_;
  evolution_ = make_evolution(here, *device_, ranks_, to_come_);
  return *evolution_;
}

}  // namespace swell
