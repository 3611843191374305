// SPDX-License-Identifier: Apache-2.0
// The handles behind include/swell.h, and the wall that no exception passes.
#pragma once

#include <swell.h>

#include <mutex>
#include <new>
#include <string>

#include "base/error.hpp"
#include "sim/stepped_run.hpp"

struct swell_case {
  std::mutex busy;
  swell::GivenCase given;
};

struct swell_run {
  std::recursive_mutex busy;  // a callback may ask the run that calls it
  std::unique_ptr<swell::SteppedRun> run;
  std::vector<std::string> receivers;
  std::int64_t every = 0;
  swell_callback callback = nullptr;
  void* data = nullptr;
};

namespace swell::api {

// Sets the message of swell_message(); it is cut short rather than lost where there is no memory for it.
void set_message(const char* text) noexcept;

template <class Handle>
Handle& checked(Handle* handle, const char* what) {
  if (handle == nullptr) throw InputError("The {} is a null pointer.", what);
  return *handle;
}

// Runs `work`, which returns a code, and turns whatever it throws into a code and a message.
template <class Work>
int guarded(const Work& work) noexcept {
  set_message("");
  try {
    return work();
  } catch (const InputError& e) {
    set_message(e.what());
    return SWELL_WRONG_INPUT;
  } catch (const std::bad_alloc&) {
    set_message("There is not enough memory; `swell plan` says how much a case needs.");
  } catch (const std::exception& e) {
    set_message(e.what());
  } catch (...) {
    set_message("The run failed in a way that is not known.");
  }
  return SWELL_RUN_FAILED;
}

// Runs `work` on one run, after waiting until no other thread uses it.
template <class Work>
int guarded(swell_run* run, const Work& work) noexcept {
  return guarded([&] {
    swell_run& handle = checked(run, "run");
    const std::lock_guard alone(handle.busy);
    return work(handle);
  });
}

}  // namespace swell::api
