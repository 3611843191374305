// SPDX-License-Identifier: Apache-2.0
// include/swell.h: runs in motion, and access to their fields.
#include <algorithm>

#include <fmt/ranges.h>

#include "api/handle.hpp"

using swell::InputError;
using swell::api::checked;
using swell::api::guarded;

namespace {

// The caller's memory is as long as what goes into it.
void check_length(std::string_view what, std::size_t needed, std::size_t given) {
  if (needed != given) throw InputError("{} takes {} numbers, not {}.", what, needed, given);
}

swell::SteppedRun::AfterStep after_step(swell_run& handle) {
  if (handle.callback == nullptr) return {};
  return [&handle, made = std::int64_t{0}]() mutable {
    return ++made % handle.every != 0 || handle.callback(&handle, handle.data) == 0;
  };
}

template <class Move>
int moved(swell_run* run, const Move& move) {
  return guarded(run, [&](swell_run& handle) {
    const bool whole = move(*handle.run, after_step(handle));
    if (whole) return SWELL_OK;
    swell::api::set_message("The callback stopped the run.");
    return SWELL_STOPPED;
  });
}

template <class Names>
const char* name_at(const Names& names, std::int64_t number, const char* what) {
  if (number < 0 || number >= static_cast<std::int64_t>(names.size()))
    throw InputError("There is no {} {}: the run has {}, counted from 0.", what, number, names.size());
  return names[static_cast<std::size_t>(number)].c_str();
}

double number_of(swell::SteppedRun& run, int what) {
  switch (what) {
    case SWELL_TIME: return run.time();
    case SWELL_TIME_STEP: return run.dt();
    case SWELL_END: return run.end();
    case SWELL_ENERGY: return run.energy();
    default: throw InputError("swell_run_number() does not know {}.", what);
  }
}

std::int64_t count_of(const swell_run& handle, int what) {
  const swell::SteppedRun& run = *handle.run;
  switch (what) {
    case SWELL_DIMENSIONS: return run.dim();
    case SWELL_ELEMENTS: return run.elements();
    case SWELL_NODES_PER_ELEMENT: return run.nodes_per_element();
    case SWELL_FIELDS: return static_cast<std::int64_t>(run.fields().size());
    case SWELL_RECEIVERS: return static_cast<std::int64_t>(handle.receivers.size());
    case SWELL_STEPS: return run.steps();
    case SWELL_ORDER: return run.order();
    default: throw InputError("swell_run_count() does not know {}.", what);
  }
}

}  // namespace

int swell_run_create(const swell_case* the_case, swell_run** out) {
  return guarded([&] {
    checked(out, "place for the run") = nullptr;
    swell_case& from = const_cast<swell_case&>(checked(the_case, "case"));  // only its lock changes
    swell::GivenCase given;
    {
      const std::lock_guard alone(from.busy);
      given = from.given;
    }
    auto made = std::make_unique<swell_run>();
    made->run = swell::make_stepped_run(given);
    made->receivers = made->run->receivers();
    *out = made.release();
    return SWELL_OK;
  });
}

void swell_run_free(swell_run* run) { delete run; }

const char* swell_run_said(swell_run* run) {
  static thread_local std::string lines;
  const int code = guarded(run, [&](swell_run& handle) {
    lines = fmt::format("{}", fmt::join(handle.run->said(), "\n"));
    return SWELL_OK;
  });
  return code == SWELL_OK ? lines.c_str() : "";
}

int swell_run_advance(swell_run* run, double time) {
  return moved(run, [&](auto& it, const auto& after) { return it.advance(time, after); });
}

int swell_run_step(swell_run* run, int64_t count) {
  return moved(run, [&](auto& it, const auto& after) { return it.step(count, after); });
}

int swell_run_finish(swell_run* run) {
  return moved(run, [&](auto& it, const auto& after) { return it.finish(after); });
}

int swell_run_set_callback(swell_run* run, int64_t every, swell_callback callback, void* data) {
  return guarded(run, [&](swell_run& handle) {
    if (callback != nullptr && every < 1) throw InputError("A callback comes every 1 step or more, not every {}.", every);
    handle.every = every;
    handle.callback = callback;
    handle.data = data;
    return SWELL_OK;
  });
}

int swell_run_count(swell_run* run, int what, int64_t* value) {
  return guarded(run, [&](swell_run& handle) {
    checked(value, "place for the count") = count_of(handle, what);
    return SWELL_OK;
  });
}

int swell_run_number(swell_run* run, int what, double* value) {
  return guarded(run, [&](swell_run& handle) {
    checked(value, "place for the number") = number_of(*handle.run, what);
    return SWELL_OK;
  });
}

const char* swell_run_field_name(swell_run* run, int64_t number) {
  const char* name = nullptr;
  guarded(run, [&](swell_run& handle) {
    name = name_at(handle.run->fields(), number, "field");
    return SWELL_OK;
  });
  return name;
}

const char* swell_run_receiver_name(swell_run* run, int64_t number) {
  const char* name = nullptr;
  guarded(run, [&](swell_run& handle) {
    name = name_at(handle.receivers, number, "receiver");
    return SWELL_OK;
  });
  return name;
}

int swell_run_read_nodes(swell_run* run, double* nodes, size_t length) {
  return guarded(run, [&](swell_run& handle) {
    const auto all = handle.run->nodes();
    check_length("The nodes", all.size(), length);
    std::copy(all.begin(), all.end(), &checked(nodes, "place for the nodes"));
    return SWELL_OK;
  });
}

int swell_run_read_field(swell_run* run, const char* field, double* values, size_t length) {
  return guarded(run, [&](swell_run& handle) {
    const auto index = handle.run->field_index(&checked(field, "name of the field"));
    check_length("A field", static_cast<std::size_t>(handle.run->elements() * handle.run->nodes_per_element()), length);
    const auto all = handle.run->field(index);
    std::copy(all.begin(), all.end(), &checked(values, "place for the field"));
    return SWELL_OK;
  });
}

int swell_run_write_field(swell_run* run, const char* field, const double* values, size_t length) {
  return guarded(run, [&](swell_run& handle) {
    const double* from = &checked(values, "place of the values");
    const auto index = handle.run->field_index(&checked(field, "name of the field"));
    handle.run->set_field(index, {from, from + length});
    return SWELL_OK;
  });
}

int swell_run_read_value(swell_run* run, const char* field, const double* point, double* value) {
  return guarded(run, [&](swell_run& handle) {
    const double* at = &checked(point, "place of the point");
    const auto index = handle.run->field_index(&checked(field, "name of the field"));
    checked(value, "place for the value") = handle.run->value_at(index, {at, at + handle.run->dim()});
    return SWELL_OK;
  });
}

int swell_run_read_errors(swell_run* run, const char* field, double norms[3]) {
  return guarded(run, [&](swell_run& handle) {
    checked(norms, "place for the errors");
    double total = 0;
    const auto all = handle.run->errors(&total);
    if (field == nullptr) {
      norms[0] = norms[2] = 0;
      norms[1] = total;
      return SWELL_OK;
    }
    for (const auto& e : all)
      if (e.field == field) {
        norms[0] = e.l1, norms[1] = e.l2, norms[2] = e.linf;
        return SWELL_OK;
      }
    std::vector<std::string> names;
    for (const auto& e : all) names.push_back(e.field);
    throw InputError("[exact] has {}, not '{}'.", fmt::join(names, ", "), field);
  });
}

int swell_run_signal_size(swell_run* run, int64_t receiver, int64_t* rows, int64_t* columns) {
  return guarded(run, [&](swell_run& handle) {
    name_at(handle.receivers, receiver, "receiver");
    const auto signal = handle.run->signal(static_cast<std::size_t>(receiver));
    checked(columns, "place for the columns") = static_cast<std::int64_t>(signal.columns.size());
    checked(rows, "place for the rows") = static_cast<std::int64_t>(signal.values.size() / signal.columns.size());
    return SWELL_OK;
  });
}

int swell_run_read_signal(swell_run* run, int64_t receiver, double* values, size_t length) {
  return guarded(run, [&](swell_run& handle) {
    name_at(handle.receivers, receiver, "receiver");
    const auto signal = handle.run->signal(static_cast<std::size_t>(receiver));
    check_length("The signal", signal.values.size(), length);
    std::copy(signal.values.begin(), signal.values.end(), &checked(values, "place for the signal"));
    return SWELL_OK;
  });
}
