// SPDX-License-Identifier: Apache-2.0
#include "dg/modal/variants.hpp"

#include <algorithm>
#include <array>

namespace swell {

namespace {

// Products that a function may write out: compilers take a second for a few thousand, and longer code does not fit into the
// instruction caches.
constexpr std::size_t longest_text = 6000;

// Products times fields at once. Elastic waves on one thread of an AVX-512 Xeon, orders 2 to 4, tetrahedra and hexahedra: with
// this limit steps take 0.84 to 0.99 of the time they took with 6000, and no kernel source takes g++ longer than 5 s (21 s then).
constexpr std::size_t longest_at_once = 1000;

constexpr int points_form = 3;
// Measured on advection, AVX-512 Xeon: products at points cost about as much as written-out triple products where there are as
// many of them (squares of order 3: 0.106 ms both; triangles of order 4: 0.99 and 1.01 ms), and far less above.
constexpr std::size_t worth_points = 1;

struct Choice {
  int form = 0, at_once = 1, stream = 0, predictions = 1;
};

Variant make_variant(const Choice& c, ModalProgram program, const ModalSizes& sizes, bool lanes) {
  Variant v;
  v.text = lanes ? Variant::Text::simt : Variant::Text::simd;
  v.constants = {{"FORM", c.form}, {"AT_ONCE", c.at_once}};
  if (!lanes) v.constants.emplace_back("STREAM", c.stream);
  if (program == ModalProgram::prediction && !sizes.varying) v.constants.emplace_back("PREDICTIONS", c.predictions);
  return v;
}

// Products in the kernel source come first where it is short: 6 to 20 % faster on an H200 than tables, but 3 to 5 s to compile
// at the limit, and its rows are other instructions for each thread of a warp where a group has few elements.
constexpr std::size_t longest_team_text = 1500;

std::vector<Variant> team_variants(const ModalSizes& sizes) {
  std::vector<Variant> all;
  const auto add = [&](int form, int rows) {
    Variant v;
    v.text = Variant::Text::simt;
    v.constants = {{"FORM", form}, {"ROWS", rows}};
    all.push_back(std::move(v));
  };
  const bool brief = sizes.longest * static_cast<std::size_t>(sizes.fields) <= longest_team_text;
  for (const int form : brief ? std::array{0, 1, 2} : std::array{1, 2, 0}) add(form, sizes.rows);
  for (const int form : {1, 2}) {
    if (sizes.rows > 1) add(form, sizes.rows / 2);
    add(form, 2 * sizes.rows);
  }
  return all;
}

}  // namespace

std::vector<Variant> modal_variants(ModalProgram program, const ModalSizes& sizes, const Device& device) {
  if (sizes.rows > 0) return team_variants(sizes);
  const bool lanes = device.info().simt;
  std::vector<int> divisors;  // numbers of fields at once, the most first
  for (int d = sizes.varying ? 1 : sizes.fields; d >= 1; --d)
    if (sizes.fields % d == 0) divisors.push_back(d);
  const auto fits = [&](int at_once) { return sizes.longest * static_cast<std::size_t>(at_once) <= longest_at_once; };
  const auto most = std::find_if(divisors.begin(), divisors.end(), fits);
  // Measured on acoustics and elastic triangles of order 3 to 6, one thread of an AVX-512 Xeon: a prediction's arithmetic
  // takes longer than to fetch what it gave (3.6 against 4.9 ns an unknown in the caches, 5.3 against 6.0 in memory, acoustics
  // of order 4), several fields at once gain up to 10 %, non-temporal stores gain 12 % in memory and lose 22 % in the caches.
  const bool points = sizes.varying && !lanes;
  const Choice usual{points && sizes.longest > worth_points * sizes.by_points ? points_form : 0, lanes || most == divisors.end() ? 1 : *most, sizes.large, 1};
  std::vector<Variant> all;
  const auto add = [&](const Choice& c) {
    Variant v = make_variant(c, program, sizes, lanes);
    if (std::none_of(all.begin(), all.end(), [&](const Variant& other) { return other.name() == v.name(); }))
      all.push_back(std::move(v));
  };
  add(usual);
  for (const int form : {0, 1, 2, 3}) {
    if (form == points_form && !points) continue;
    for (const int at_once : divisors)
      if (form > 0 || fits(at_once) || at_once == 1) add({form, at_once, usual.stream, usual.predictions});
  }
  for (const int form : {0, 1, 2, 3}) {
    if (form == points_form && !points) continue;
    add({form, usual.at_once, 1 - usual.stream, usual.predictions});
    if (sizes.remembers) continue;
    for (const int stream : {usual.stream, 1 - usual.stream}) add({form, usual.at_once, stream, 2});
  }
  return all;
}

bool modal_at_points(const Variant& variant) { return variant.constant("FORM") == points_form; }

ContractionForm modal_form(const Variant& variant, std::size_t products) {
  const int form = variant.constant("FORM");
  if (form == 2) return ContractionForm::dense;
  if (form == 1 || products > longest_text) return ContractionForm::rows;
  return variant.text == Variant::Text::simt ? ContractionForm::text : ContractionForm::pattern;
}

}  // namespace swell
