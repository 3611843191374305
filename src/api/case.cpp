// SPDX-License-Identifier: Apache-2.0
// include/swell.h: versions, messages and cases.
#include "api/handle.hpp"

namespace swell::api {

namespace {

thread_local std::string message;
thread_local const char* shown_message = "";

}  // namespace

void set_message(const char* text) noexcept {
  try {
    message = text;
    shown_message = message.c_str();
  } catch (...) {
    shown_message = "There is not enough memory, not even for the message.";
  }
}

}  // namespace swell::api

using swell::api::checked;
using swell::api::guarded;

int swell_api_version(void) { return SWELL_API_VERSION; }
const char* swell_version(void) { return SWELL_VERSION; }
const char* swell_message(void) { return swell::api::shown_message; }

int swell_case_from_file(const char* file, swell_case** out) {
  return guarded([&] {
    checked(out, "place for the case") = nullptr;
    auto made = std::make_unique<swell_case>();
    made->given = swell::GivenCase::of_file(&checked(file, "name of the case file"));
    swell::check_form(made->given);
    *out = made.release();
    return SWELL_OK;
  });
}

int swell_case_from_text(const char* text, const char* name, const char* folder, swell_case** out) {
  return guarded([&] {
    checked(out, "place for the case") = nullptr;
    auto made = std::make_unique<swell_case>();
    made->given.text = &checked(text, "text of the case");
    if (name != nullptr) made->given.name = name;
    if (folder != nullptr) made->given.folder = folder;
    swell::check_form(made->given);
    *out = made.release();
    return SWELL_OK;
  });
}

int swell_case_set(swell_case* the_case, const char* key, const char* value) {
  return guarded([&] {
    swell_case& handle = checked(the_case, "case");
    const std::lock_guard alone(handle.busy);
    swell::GivenCase changed = handle.given;
    changed.overrides.push_back(std::string(&checked(key, "key")) + "=" + &checked(value, "value"));
    swell::check_form(changed);
    handle.given = std::move(changed);
    return SWELL_OK;
  });
}

int swell_case_set_model(swell_case* the_case, const char* text) {
  return guarded([&] {
    swell_case& handle = checked(the_case, "case");
    const std::lock_guard alone(handle.busy);
    handle.given.model = &checked(text, "text of the model");
    return SWELL_OK;
  });
}

void swell_case_free(swell_case* the_case) { delete the_case; }
