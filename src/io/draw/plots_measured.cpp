// SPDX-License-Identifier: Apache-2.0
// Charts of measurements: rooflines of benchmarks, variants and choices of the tuner, scaling over ranks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/names.hpp"
#include "device/tuner.hpp"
#include "io/draw/plots.hpp"

namespace swell {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string file_words(const fs::path& file) { return shown(file.string(), 300); }

// Where a benchmark lies in a file: printed by `swell bench --json`, or kept in bench/results as one of several.
std::vector<const json*> benches_in(const json& all) {
  std::vector<const json*> found;
  const auto take = [&](const json& one) {
    if (one.is_object() && one.contains("results") && one.contains("bandwidth") && one.contains("fma_double")) found.push_back(&one);
  };
  take(all);
  for (const char* key : {"runs", "measure"})
    if (all.contains(key) && all[key].is_structured())
      for (const auto& one : all[key]) take(one);
  return found;
}

struct BenchPoint {
  int order = 0;
  double intensity = 0, rate = 0;  // operations a byte, 1e9 operations a second
};

struct DeviceBench {
  double bandwidth = 0;           // the largest that was measured, 1e9 bytes a second
  std::map<std::string, double> roofs;  // 1e9 operations a second
  std::map<std::string, std::map<int, BenchPoint>> series;
};

// The best of several runs counts, as in docs/results.md.
void add_bench(std::map<std::string, DeviceBench>& devices, const json& bench, const std::string& only) {
  for (const auto& r : bench.at("results")) {
    if (!r.at("name").get<std::string>().starts_with(only)) continue;
    const std::string precision = r.at("precision");
    DeviceBench& device = devices[fmt::format("{}, {}", bench.at("device").get<std::string>(), precision)];
    device.bandwidth = std::max(device.bandwidth, bench.at("bandwidth").get<double>() / 1e9);
    for (const char* roof : {"fma", "tensor"}) {
      const double flops = bench.value(fmt::format("{}_{}", roof, precision), 0.0) / 1e9;
      if (flops > 0) device.roofs[roof] = std::max(device.roofs[roof], flops);
    }
    const double flops = r.at("gflops"), bytes = r.at("gbytes_per_second");
    if (!(flops > 0 && bytes > 0)) continue;
    const int order = r.at("order");
    const std::string name = fmt::format("{} {}", r.at("model").get<std::string>(), r.at("element").get<std::string>());
    BenchPoint& point = device.series[name][order];
    if (flops > point.rate) point = {order, flops / bytes, flops};
  }
}

Chart roofline_of(const std::string& name, const DeviceBench& bench, std::size_t number) {
  Chart chart{number == 0 ? "roofline" : fmt::format("roofline-{}", number + 1), name + "; a dot for each order",
              {"operations per byte", AxisKind::logarithmic}, {"GFLOP/s", AxisKind::logarithmic}, {}};
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const auto& [words, points] : bench.series) {
    ChartCurve curve{words, {}, true};
    for (const auto& [order, p] : points) {
      curve.points.push_back({p.intensity, p.rate});
      least = std::min(least, p.intensity), most = std::max(most, p.intensity);
    }
    if (chart.curves.size() + bench.roofs.size() < most_curves) chart.curves.push_back(std::move(curve));
  }
  for (const auto& [words, flops] : bench.roofs) {
    const double corner = flops / bench.bandwidth, from = std::min(least, corner) / 1.5, to = std::max(most, corner) * 1.5;
    chart.curves.push_back({fmt::format("{:.4g} GB/s, {} {:.4g}", bench.bandwidth, words, flops),
                            {{from, from * bench.bandwidth}, {corner, flops}, {to, flops}}});
  }
  return chart;
}

// "simd ROWS=7 STREAM=0": the words in which the names of the variants differ.
std::vector<std::string> different_words(const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> counts;
  const auto words_of = [](const std::string& name) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < name.size();) {
      const std::size_t end = std::min(name.find(' ', begin), name.size());
      if (end > begin) words.push_back(name.substr(begin, end - begin));
      begin = end + 1;
    }
    return words;
  };
  for (const auto& name : names)
    for (const auto& word : words_of(name)) ++counts[word];
  std::vector<std::string> result;
  for (const auto& name : names) {
    std::string kept;
    for (const auto& word : words_of(name))
      if (counts[word] < names.size()) kept += (kept.empty() ? "" : " ") + word;
    result.push_back(kept.empty() ? name : kept);
  }
  return result;
}

Chart variants_of(const json& kernel) {
  struct Timing {
    std::string name;
    double rate;
    bool is_default;
  };
  std::vector<Timing> timings;
  for (const auto& v : kernel.at("variants"))
    if (v.contains("dof_per_second")) timings.push_back({v.at("variant"), v.at("dof_per_second").get<double>() / 1e6, v.at("default")});
  std::ranges::stable_sort(timings, [](const Timing& a, const Timing& b) { return a.rate > b.rate; });
  // The default is always shown: it is what the others are compared with.
  while (timings.size() > most_curves) {
    const auto last = std::ranges::find_if(timings.rbegin(), timings.rend(), [](const Timing& t) { return !t.is_default; });
    timings.erase(std::next(last).base());
  }
  const std::string name = kernel.at("kernel"), precision = kernel.at("precision");
  Chart chart{fmt::format("tuning-{}-{}", name, precision),
              fmt::format("{}, {}, on {}", name, precision, kernel.at("device").get<std::string>()),
              {"million unknowns a second; the default in the other colour"}, {}, {}};
  std::vector<std::string> names;
  for (const Timing& t : timings) names.push_back(t.name);
  const auto words = different_words(names);
  for (std::size_t i = 0; i < timings.size(); ++i) chart.bars.push_back({words[i], timings[i].rate, timings[i].is_default});
  return chart;
}

ChartCurve efficiency_of(const json& entries, const std::string& name) {
  ChartCurve curve{name, {}, true};
  for (const auto& entry : entries) curve.points.push_back({entry.at("ranks").get<double>(), entry.at("efficiency").get<double>()});
  std::ranges::sort(curve.points);
  return curve;
}

}  // namespace

std::vector<Chart> charts_of_json(const fs::path& file, const std::string& only) {
  const auto all = json::parse(file_text(file), nullptr, false);
  if (all.is_discarded()) throw InputError("'{}' is empty or damaged: it is no JSON.", file_words(file));
  if (all.is_object() && !all.contains("rows")) try {
      if (!benches_in(all).empty()) return charts_of_bench(file, all, only);
      if (all.contains("kernels") && all["kernels"].is_array()) return charts_of_tuning(file, all, only);
      if (all.contains("strong") && all.contains("weak")) return charts_of_scaling(file, all);
    } catch (const json::exception&) {
      throw InputError("'{}' is damaged: an entry of what was measured is missing or of another kind.", file_words(file));
    }
  return charts_of_verification(file, only);
}

std::vector<Chart> charts_of_bench(const fs::path& file, const json& all, const std::string& only) {
  std::map<std::string, DeviceBench> devices;
  for (const json* bench : benches_in(all)) add_bench(devices, *bench, only);
  std::vector<Chart> charts;
  for (const auto& [name, bench] : devices)
    if (!bench.series.empty() && bench.bandwidth > 0) charts.push_back(roofline_of(name, bench, charts.size()));
  if (charts.empty())
    throw InputError("'{}' has no benchmark with a name that begins with '{}' and with counts of operations and bytes.", file_words(file), shown(only));
  return charts;
}

std::vector<Chart> charts_of_tuning(const fs::path& file, const json& all, const std::string& only) {
  std::vector<Chart> charts;
  for (const auto& kernel : all.at("kernels"))
    if (kernel.at("kernel").get<std::string>().starts_with(only))
      if (Chart chart = variants_of(kernel); !chart.bars.empty()) charts.push_back(std::move(chart));
  if (charts.empty())
    throw InputError("'{}' has no kernel with a name that begins with '{}' and a variant that was timed.", file_words(file), shown(only));
  return charts;
}

std::vector<Chart> charts_of_choices(const fs::path& file, const std::string& only) {
  std::map<std::string, std::vector<ChartBar>> devices;
  const TuningFile tuning = TuningFile::parse(file_text(file), file.string());
  for (const TuningChoice& c : tuning.choices()) {
    if (!c.key.kernel.starts_with(only)) continue;
    const bool stays = c.variant == default_is_best;
    devices[fmt::format("{}, {} threads", c.key.device, c.key.threads)].push_back(
        {fmt::format("{}, {}, {}", c.key.kernel, c.key.precision == Precision::double_ ? "double" : "single", c.key.size),
         c.default_seconds / c.seconds, stays});
  }
  std::vector<Chart> charts;
  for (auto& [device, bars] : devices) {
    std::ranges::stable_sort(bars, [](const ChartBar& a, const ChartBar& b) { return a.value > b.value; });
    for (std::size_t begin = 0; begin < bars.size(); begin += most_curves) {
      Chart chart{charts.empty() ? "tuning" : fmt::format("tuning-{}", charts.size() + 1), device,
                  {"times the speed of the default; where the default stays, in the other colour"}, {}, {}};
      const std::size_t end = std::min(begin + most_curves, bars.size());
      chart.bars.assign(bars.begin() + static_cast<std::ptrdiff_t>(begin), bars.begin() + static_cast<std::ptrdiff_t>(end));
      charts.push_back(std::move(chart));
    }
  }
  if (charts.empty()) throw InputError("'{}' has no choice for a kernel with a name that begins with '{}'.", file_words(file), shown(only));
  return charts;
}

std::vector<Chart> charts_of_scaling(const fs::path& file, const json& all) {
  const std::string where = fmt::format("{}, {}", all.at("processor").get<std::string>(), all.at("device").get<std::string>());
  std::vector<Chart> charts;
  const auto add = [&](const char* name, const char* words, std::vector<ChartCurve> curves) {
    std::vector<double> ranks;
    for (const ChartCurve& curve : curves)
      for (const Place& p : curve.points) ranks.push_back(p[0]);
    std::ranges::sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    if (ranks.size() < 2) return;
    curves.push_back({"ideal", {{ranks.front(), 1}, {ranks.back(), 1}}, false, true});
    charts.push_back({name, fmt::format("{} on {}", words, where), {"ranks", AxisKind::logarithmic, ranks}, {"efficiency"}, std::move(curves)});
  };
  add("scaling", "Scaling as measured", {efficiency_of(all["strong"], "strong"), efficiency_of(all["weak"], "weak")});
  std::vector<ChartCurve> predicted;
  if (all.contains("predicted"))
    for (const auto& [network, entries] : all["predicted"].items()) predicted.push_back(efficiency_of(entries, network));
  add("scaling-predicted", "Strong scaling as predicted", predicted);
  if (charts.empty()) throw InputError("'{}' has no measurement on two numbers of ranks.", file_words(file));
  return charts;
}

}  // namespace swell
