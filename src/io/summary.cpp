// SPDX-License-Identifier: Apache-2.0
#include "io/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/files.hpp"

namespace swell {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json errors_of(const Summary& summary) {
  Json errors = Json::object();
  for (const FieldError& e : summary.errors)
    errors[e.field] = {{"l1", number(e.l1)}, {"l2", number(e.l2)}, {"linf", number(e.linf)}};
  if (!summary.errors.empty()) errors["total"] = {{"l2", number(summary.total_l2)}};
  return errors;
}

Json kernels_of(const Summary& summary) {
  Json kernels = Json::array();
  for (const KernelSummary& k : summary.kernels)
    kernels.push_back({{"name", k.name},
                       {"calls", k.calls},
                       {"seconds", number(k.seconds)},
                       {"bytes", number(k.bytes)},
                       {"flops", number(k.flops)},
                       {"gflops", number(k.flops / k.seconds * 1e-9)},
                       {"gbytes_per_second", number(k.bytes / k.seconds * 1e-9)},
                       {"fraction", number(k.fraction)}});
  return kernels;
}

Json change_of(const Change& change) {
  return {{"initial", number(change.initial)}, {"final", number(change.final)}, {"relative", number(change.relative)}};
}

Json estimate_of(const EstimateSummary& estimate) {
  Json fields = Json::object(), quantities = Json::object();
  for (const auto& field : estimate.fields)
    fields[field.name] = {{"difference", number(field.difference)}, {"relative", number(field.relative)}, {"mean", change_of(field.mean)}};
  for (const auto& [name, change] : estimate.quantities) quantities[name] = change_of(change);
  return {{"from", number(estimate.from)}, {"fields", fields}, {"quantities", quantities}};
}

}  // namespace

std::string summary_text(const Summary& s) {
  Json json = {{"title", s.title},
               {"model", s.model},
               {"order", s.order},
               {"elements", s.elements},
               {"dofs", s.dofs},
               {"steps", s.steps},
               {"dt", number(s.dt)},
               {"time", number(s.time)},
               {"device", s.device},
               {"precision", s.precision},
               {"ranks", s.ranks},
               {"errors", errors_of(s)},
               {"energy", {{"initial", number(s.energy_initial)}, {"final", number(s.energy_final)}}},
               {"seconds",
                {{"setup", number(s.seconds_setup)},
                 {"compile", number(s.seconds_compile)},
                 {"solve", number(s.seconds_solve)}}},
               {"times",
                {{"compile", number(s.times.compile)},
                 {"send", number(s.times.send)},
                 {"compute", number(s.times.compute)},
                 {"receive", number(s.times.receive)},
                 {"sent_bytes", s.times.sent_bytes},
                 {"received_bytes", s.times.received_bytes}}},
               {"throughput", {{"dof_per_second", number(s.dof_per_second)}}},
               {"kernels", kernels_of(s)},
               {"memory", {{"measured", number(s.memory_measured)}}},
               {"status", s.status}};
  for (const auto& [name, value] : s.integrals) json["integrals"][name] = number(value);
  if (s.clusters)
    json["clusters"] = {{"dt", s.clusters->dt}, {"cells", s.clusters->cells}, {"updates", s.clusters->updates}, {"speedup", number(s.clusters->speedup)}};
  if (s.exchange)
    json["exchange"] = {{"exchanges", s.exchange->exchanges},       {"messages", s.exchange->messages},
                        {"bytes", s.exchange->bytes},               {"packing", number(s.exchange->packing)},
                        {"flying", number(s.exchange->flying)},     {"waiting", number(s.exchange->waiting)},
                        {"hidden", number(s.exchange->hidden())},   {"direct", s.exchange->direct}};
  if (s.estimate) json["estimate"] = estimate_of(*s.estimate);
  if (s.solver) {
    Json history = Json::array();
    for (const double norm : s.solver->history) history.push_back(number(norm));
    json["solver"] = {
        {"iterations", s.solver->iterations}, {"residual", number(s.solver->residual)}, {"history", history}};
  }
  if (!s.message.empty()) json["message"] = s.message;
  // A title may hold bytes that are not UTF-8; they become the replacement character instead of an exception.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_summary(const std::filesystem::path& path, const Summary& summary) {
  atomic_write(path, summary_text(summary));
}

}  // namespace swell
