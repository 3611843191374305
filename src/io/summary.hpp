// SPDX-License-Identifier: Apache-2.0
// summary.json: the set-up of a run and its results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace swell {

// A number that is not known; NaN and infinity are written as null.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct FieldError {
  std::string field;
  double l1 = unknown, l2 = unknown, linf = unknown;
};

struct KernelSummary {
  std::string name;
  std::int64_t calls = 0;
  double seconds = 0;
  double bytes = 0, flops = 0;  // of all calls together
  double fraction = unknown;    // of the roofline
};

// Times of host and device by activity; compute is known with --profile only.
struct EventTimes {
  double compile = unknown, send = unknown, compute = unknown, receive = unknown;  // seconds
  std::int64_t sent_bytes = 0, received_bytes = 0;
};

// Statistics of the linear systems that a run solved.
struct SolverSummary {
  std::int64_t iterations = 0;       // of all solves together
  double residual = unknown;         // of the last one, against its right-hand side
  std::vector<double> history = {};  // of the last one: the norm of its residual before each iteration and at the end
};

// Communication between ranks: messages of all ranks, times of the rank that waited longest.
struct ExchangeSummary {
  std::int64_t exchanges = 0, messages = 0, bytes = 0;
  double packing = unknown, flying = unknown, waiting = unknown;  // seconds: before messages leave, on the way, waited for
  bool direct = false;  // messages lie in the device's own memory, else they go through the host's
  double hidden() const { return flying > 0 ? 1 - waiting / flying : 0; }
};

// A value at the beginning and at the end, and its change as a part of the size of what it was made of.
struct Change {
  double initial = unknown, final = unknown, relative = unknown;
};

// Errors that a run measured by itself.
struct EstimateSummary {
  struct Field {
    std::string name;
    // The L2 norm of the part of the state that only the highest order holds, and that as a part of the field's own norm.
    double difference = unknown, relative = unknown;
    Change mean;
  };
  double from = 0;  // the time at which the changes begin
  std::vector<Field> fields;
  std::vector<std::pair<std::string, Change>> quantities;  // the energy first
};

// Clusters of local time stepping: of each its step, cells, and updates of cells in one step of the last.
struct ClusterSummary {
  std::vector<double> dt;
  std::vector<std::int64_t> cells, updates;
  double speedup = unknown;  // predicted work of one step for all over that of the clusters
};

struct Summary {
  std::string title, model;
  int order = 0;
  std::int64_t elements = 0, dofs = 0, steps = 0;
  double dt = unknown, time = 0;
  std::string device, precision;
  int ranks = 1;
  std::vector<FieldError> errors;  // empty where the case has no exact answer
  double total_l2 = unknown;
  double energy_initial = unknown, energy_final = unknown;
  std::vector<std::pair<std::string, double>> integrals;  // the model's other ones, at the end
  double seconds_setup = unknown, seconds_compile = unknown, seconds_solve = unknown;
  EventTimes times;
  double dof_per_second = unknown;
  std::vector<KernelSummary> kernels;                            // empty without --profile
  double memory_measured = unknown;  // bytes: the most that the process held
  std::optional<SolverSummary> solver;
  std::optional<ClusterSummary> clusters;   // with local time stepping
  std::optional<ExchangeSummary> exchange;  // with more than one rank
  std::optional<EstimateSummary> estimate;  // where the case asks for it
  std::string status = "done";                                   // done, failed, interrupted
  std::string message;                                           // why it failed; empty otherwise
};

std::string summary_text(const Summary& summary);  // JSON
void write_summary(const std::filesystem::path& path, const Summary& summary);

}  // namespace swell
