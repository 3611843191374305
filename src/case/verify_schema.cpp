// SPDX-License-Identifier: Apache-2.0
#include "case/schema.hpp"

namespace swell {

namespace {

using K = KeyKind;

constexpr KeyLimits positive{.low = 0, .above = true};
constexpr KeyLimits point{.fewest = 1, .most = 3};
constexpr KeyLimits meshes{.low = 1, .high = 1'000'000, .fewest = 1, .most = 100};
constexpr std::string_view precisions = "single double";
constexpr std::string_view measures =
    "l2 l1 values carried energy-growth energy-change stored balance iterations enclosed misplaced mass farfield difference";

// [let] and the tables `let`, `with` and `against` hold whatever their author likes: the reader takes them out before the check.
// clang-format off
constexpr SchemaKey keys[] = {
    {"verify", K::tables, "what is measured of the case and what is expected", {.required = true}},
    {"verify[].name", K::text, "its name in tables and on the command line", {.required = true}},
    {"verify[].shows", K::text, "one sentence: what it shows", {.required = true}},
    {"verify[].measure", K::choice, "what the error of a row is", {.choices = measures}},
    {"verify[].quantity", K::text, "the measure in words"},
    {"verify[].field", K::text, "l2, l1: of this field alone; else l2 takes all, l1 the first; energy-growth, energy-change: of this integral"},
    {"verify[].where", K::formula, "l2: only where this expression in x, y, z is not 0"},
    {"verify[].time", K::real, "when it is measured, where not at the end", {.limits = positive}},
    {"verify[].values", K::tables, "values: what is known"},
    {"verify[].values[].at", K::reals, "a point", {.limits = point, .required = true}},
    {"verify[].values[].to", K::reals, "a second point: the known value is the slope from the first to it", {.limits = point}},
    {"verify[].values[].factor", K::real, "of the slope"},
    {"verify[].values[].mean", K::truth, "the known value is the field's mean on the way from the first point to the second"},
    {"verify[].values[].crosses", K::real, "a level: the known value is how far from the first point the field crosses it"},
    {"verify[].values[].field", K::text, "of which field"},
    {"verify[].values[].time", K::real, "when, where not at the end", {.limits = positive}},
    {"verify[].values[].value", K::real, "the value", {.required = true}},
    {"verify[].relative", K::truth, "values: differences relative to them"},
    {"verify[].expected", K::reals, "farfield: the section of each frequency and direction; stored: the heat", {.limits = {.fewest = 1, .most = 100'000}}},
    {"verify[].unit", K::real, "of the expected numbers", {.limits = positive}},
    {"verify[].inflow", K::formula, "balance: the heat that comes in from t to t + dt"},
    {"verify[].velocity", K::words, "carried: the steady flow, an expression in x and y for each axis"},
    {"verify[].clock", K::formula, "carried: for how long the steady flow has carried at t"},
    {"verify[].steps", K::whole, "carried: steps along the flow", {.limits = {.low = 1, .high = 100'000}}},
    {"verify[].rate", K::formula, "the order of the error between the two finest meshes, in p"},
    {"verify[].rate_up_to", K::formula, "orders up to this one are right too, in p"},
    {"verify[].at_most", K::real, "a bound of the error on the finest mesh", {.limits = positive}},
    {"verify[].cfl", K::real, "$cfl", {.limits = positive}},
    {"verify[].precision", K::choice, "of these rows, whatever is asked for", {.choices = precisions}},
    {"verify[].series", K::tables, "the lines of the study", {.required = true}},
    {"verify[].series[].element", K::words, "$element: one, or a list that is combined with the orders", {.required = true}},
    {"verify[].series[].order", K::wholes, "$order, p: one, or a list", {.limits = {.low = 0, .high = 100, .fewest = 1, .most = 100}, .required = true}},
    {"verify[].series[].cells", K::wholes, "$N of each mesh, coarse to fine", {.limits = meshes}},
    {"verify[].series[].quick", K::wholes, "$N of each mesh with --quick; without it the line is left out there", {.limits = meshes}},
    {"verify[].series[].rate", K::formula, "the order of the error between the two finest meshes, in p"},
    {"verify[].series[].rate_up_to", K::formula, "orders up to this one are right too, in p"},
    {"verify[].series[].rate_at_most", K::real, "the order is lost: it is at most this", {.limits = positive}},
    {"verify[].series[].at_most", K::real, "a bound of the error on the finest mesh", {.limits = positive}},
    {"verify[].series[].guard", K::real, "a bound that was measured, with room", {.limits = positive}},
    {"verify[].series[].reference", K::table, "errors known from elsewhere, by N"},
    {"verify[].series[].reference.*", K::real, "the error on this mesh", {.limits = positive}},
    {"verify[].series[].cfl", K::real, "$cfl", {.limits = positive}},
    {"verify[].series[].precision", K::choice, "of these rows, whatever is asked for", {.choices = precisions}},
};
// clang-format on

}  // namespace

std::span<const SchemaKey> verify_schema() { return keys; }

}  // namespace swell
