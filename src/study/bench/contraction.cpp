// SPDX-License-Identifier: Apache-2.0
// One volume integral of eq. (5) of Jibben (2013) in three forms: sparse products unrolled into the kernel source, sparse
// tables that loops read (as in that report), and dense.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/timer.hpp"
#include "dg/modal/contraction.hpp"
#include "dg/transfer.hpp"
#include "study/bench/modal.hpp"

namespace swell {

namespace {

constexpr double shortest_measurement = 0.2;  // seconds
constexpr int fewest_runs = 3;
constexpr std::int64_t unknowns_of_a_bench = 2'000'000, dense_products_of_a_bench = 4'000'000'000;
constexpr std::size_t most_products_in_text = 4000;  // compilers take minutes for more

constexpr const char* around = R"(
#if SIMT
#define AT(m) ((m) * (INDEX)COUNT + item)
#else
#define AT(m) ((item * MODES + (m)) * LANES)
#endif
KERNEL void contract_all(GLOBAL const scalar *u, GLOBAL const scalar *g, GLOBAL scalar *out, GLOBAL const scalar *numbers,
                         GLOBAL const int *places)
{
  ITEMS(item)
  {
    real a[MODES], in[MODES], sum[MODES];
    for (int m = 0; m < MODES; ++m) {
      a[m] = load(u + AT(m));
      in[m] = load(g + AT(m));
      sum[m] = splat(0.0);
    }
    contract(numbers, places, a, in, sum);
    for (int m = 0; m < MODES; ++m) store(out + AT(m), sum[m]);
  }
}
)";

double seconds_of(Device& device, const std::string& contraction, const ContractionTables& tables,
                  const ContractionBench& bench, Precision precision) {
  const int lanes = device.lanes(precision);
  const std::int64_t items = bench.elements / lanes;
  const std::string text =
      fmt::format("#define MODES {}\n#define COUNT {}\n{}{}", bench.modes, items, contraction, around);
  const auto program = device.compile({fmt::format("contraction-{}-{}", shape_name(bench.shape), bench.order),
                                       text,
                                       {"contract_all"},
                                       precision,
                                       true});
  std::vector<double> values(bench.elements * bench.modes);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1e-3 * static_cast<double>(i % 997);
  const auto u = upload_reals(device, precision, values, "coefficients"),
             g = upload_reals(device, precision, values, "state");
  const auto out = upload_reals(device, precision, values, "result");
  const auto numbers = upload_reals(device, precision, tables.numbers, "numbers");
  const auto places = upload_integers(device, tables.places, "places");
  double best = std::numeric_limits<double>::infinity();
  const Stopwatch all;
  for (int i = 0; i <= fewest_runs || all.seconds() < shortest_measurement; ++i) {
    const Stopwatch clock;
    device.queue().launch(program->kernel("contract_all"), items, {*u, *g, *out, *numbers, *places},
                          {3.0 * static_cast<double>(values.size() * bytes_of(precision)), 0});
    device.queue().finish();
    if (i > 0) best = std::min(best, clock.seconds());
  }
  return best;
}

}  // namespace

std::vector<ContractionBench> contraction_benches(const std::vector<int>& orders) {
  std::vector<ContractionBench> all;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
    for (const int order : orders)
      if (order <= highest_modal_order) all.push_back({shape, order});
  return all;
}

void run_contraction_bench(ContractionBench& bench, Device& device, Precision precision) {
  const TripleProducts triples =
      volume_triples(bench.shape, {bench.order, bench.order, bench.order}, {Factor::test, 0});
  bench.modes = triples.test_count;
  bench.products = triples.entries.size();
  bench.fill = triples.fill();
  constexpr std::int64_t whole = 64;  // elements of a batch, whatever the lanes
  const std::int64_t modes = bench.modes;
  const std::int64_t elements = std::min(unknowns_of_a_bench / modes, dense_products_of_a_bench / (modes * modes * modes));
  bench.elements = std::max<std::int64_t>(1, elements / whole) * whole;
  const std::vector<Contraction> one{Contraction::of(triples)};
  ContractionTables in_text, rows, dense;
  if (bench.products <= most_products_in_text)
    bench.text_seconds = seconds_of(
        device,
        contraction_text("contract", one, false, ContractionKind::add,
                         device.info().simt ? ContractionForm::text : ContractionForm::pattern, in_text),
        in_text, bench, precision);
  const std::string loops = contraction_text("contract", one, false, ContractionKind::add, ContractionForm::rows, rows);
  bench.rows_seconds = seconds_of(device, loops, rows, bench, precision);
  const std::string all = contraction_text("contract", one, false, ContractionKind::add, ContractionForm::dense, dense);
  bench.dense_seconds = seconds_of(device, all, dense, bench, precision);
}

}  // namespace swell
