// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/summary.hpp"
#include "scratch.hpp"

namespace swell {
namespace {

using Json = nlohmann::json;

TEST(Summary, HasTheKeysThatUsersRelyOn) {
  const Json json = Json::parse(summary_text({}));
  for (const char* key : {"title", "model", "order", "elements", "dofs", "steps", "dt", "time", "device", "precision",
                          "ranks", "errors", "energy", "seconds", "times", "throughput", "kernels", "memory", "status"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["status"], "done");
}

TEST(Summary, CarriesEveryValueExactly) {
  Scratch scratch;
  Summary s;
  s.title = "Mode \"(1,1)\"";
  s.model = "maxwell-tm";
  s.order = 5;
  s.elements = 1LL << 40;
  s.dofs = 3;
  s.steps = 17;
  s.dt = 0.1;
  s.time = 1.7;
  s.device = "cpu";
  s.precision = "double";
  s.ranks = 2;
  s.errors = {{"Ez", 1e-3, 2e-3, 3e-3}};
  s.total_l2 = 1.0 / 3;
  s.energy_initial = 2;
  s.energy_final = 1;
  s.seconds_setup = 0.5;
  s.seconds_compile = 0.25;
  s.seconds_solve = 4;
  s.times = {0.25, 0.125, 3.5, 0.0625, 1LL << 33, 12};
  s.dof_per_second = 1e9;
  s.kernels = {{"volume", 10, 2.0, 4e9, 6e9, 0.5}};
  s.memory_measured = 101;
  s.status = "failed";
  s.message = "Ez is not finite.";
  write_summary(scratch / "summary.json", s);
  const Json json = Json::parse(text_of(scratch / "summary.json"));
  const Json wanted = Json::parse(R"({
    "title": "Mode \"(1,1)\"", "model": "maxwell-tm", "order": 5, "elements": 1099511627776, "dofs": 3, "steps": 17,
    "dt": 0.1, "time": 1.7, "device": "cpu", "precision": "double", "ranks": 2,
    "errors": {"Ez": {"l1": 1e-3, "l2": 2e-3, "linf": 3e-3}, "total": {"l2": 0.3333333333333333}},
    "energy": {"initial": 2.0, "final": 1.0}, "seconds": {"setup": 0.5, "compile": 0.25, "solve": 4.0},
    "times": {"compile": 0.25, "send": 0.125, "compute": 3.5, "receive": 0.0625, "sent_bytes": 8589934592,
              "received_bytes": 12},
    "throughput": {"dof_per_second": 1e9},
    "kernels": [{"name": "volume", "calls": 10, "seconds": 2.0, "bytes": 4e9, "flops": 6e9, "gflops": 3.0,
                 "gbytes_per_second": 2.0, "fraction": 0.5}],
    "memory": {"measured": 101.0}, "status": "failed", "message": "Ez is not finite."})");
  EXPECT_EQ(json, wanted) << json.dump(2);
  EXPECT_EQ(scratch.count(), 1u);
}

TEST(Summary, WritesNullForWhatIsNotANumber) {
  Summary s;
  s.errors = {{"u", std::numeric_limits<double>::infinity(), unknown, -std::numeric_limits<double>::infinity()}};
  s.kernels = {{"idle", 0, 0, 0, 0, unknown}};
  const Json json = Json::parse(summary_text(s));
  for (const char* norm : {"l1", "l2", "linf"}) EXPECT_TRUE(json["errors"]["u"][norm].is_null()) << norm;
  EXPECT_TRUE(json["energy"]["final"].is_null());
  EXPECT_TRUE(json["kernels"][0]["gflops"].is_null());
}

TEST(Summary, SurvivesATitleThatIsNotUtf8) {
  Summary s;
  s.title = "caf\xe9";
  EXPECT_NO_THROW(Json::parse(summary_text(s)));
}

}  // namespace
}  // namespace swell
