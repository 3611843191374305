// SPDX-License-Identifier: Apache-2.0
// Receivers, surfaces, probes along lines and averages of a case.
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/section.hpp"

namespace swell {

// Scaled first, so that no square overflows.
std::vector<double> normalised(std::vector<double> vector, const std::string& place) {
  double largest = 0, sum = 0;
  for (const double entry : vector) largest = std::max(largest, std::abs(entry));
  if (largest == 0) throw InputError("{} must not be zero", place);
  for (double& entry : vector) entry /= largest;
  for (const double entry : vector) sum += entry * entry;
  for (double& entry : vector) entry /= std::sqrt(sum);
  return vector;
}

namespace {

constexpr std::size_t longest_name = 100;

bool is_file_name(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !name.empty() && name.size() <= longest_name && name.front() != '.' &&
         name.find_first_not_of(letters) == std::string_view::npos;
}

// The name of a table, which names its file and which no other table of its kind has.
std::string read_name(const CaseSection& table, std::string_view kind, std::set<std::string>& names) {
  const std::string name = *table.text("name");
  if (!is_file_name(name))
    throw InputError("{} is \"{}\", but it names a file: use letters, digits, '.', '_' and '-' only, at most {}, and no '.' first",
                     table.place("name"), shown(name), longest_name);
  if (!names.insert(name).second)
    throw InputError("{} is \"{}\", a name that another {} has already", table.place("name"), name, kind);
  return name;
}

void read_surfaces(const CaseSection& root, Case& to) {
  std::set<std::string> names;
  for (const CaseSection& surface : root.sections("surface")) {
    SurfaceCase result{.name = read_name(surface, "surface", names),
                       .boundaries = surface.words("boundaries"),
                       .every = surface.real("every").value_or(0),
                       .drag = surface.reals("drag"),
                       .lift = surface.reals("lift"),
                       .reference = surface.real("reference").value_or(1),
                       .key = surface.place()};
    if (std::set(result.boundaries.begin(), result.boundaries.end()).size() < result.boundaries.size())
      throw InputError("{} names a boundary twice", surface.place("boundaries"));
    for (auto* const direction : {&result.drag, &result.lift}) {
      if (direction->empty()) continue;
      const std::string place = surface.place(direction == &result.drag ? "drag" : "lift");
      check_dimension(to, *direction, place);
      *direction = normalised(*direction, place);
    }
    if (surface.has("reference") && result.drag.empty() && result.lift.empty())
      throw InputError("{} is what drag and lift are divided by, and the surface has neither: give drag or lift, or leave it out",
                       surface.place("reference"));
    to.surfaces.push_back(std::move(result));
  }
}

void read_probes(const CaseSection& root, Case& to) {
  std::set<std::string> names;
  for (const CaseSection& probe : root.sections("probe")) {
    ProbeCase result{.name = read_name(probe, "probe", names),
                     .from = probe.reals("from"),
                     .to = probe.reals("to"),
                     .points = static_cast<int>(probe.whole("points").value_or(ProbeCase().points)),
                     .fields = probe.words("fields"),
                     .every = probe.real("every").value_or(0),
                     .key = probe.place()};
    check_dimension(to, result.from, probe.place("from"));
    check_dimension(to, result.to, probe.place("to"));
    if (result.from == result.to) throw InputError("{} is the point that from is: a line needs two", probe.place("to"));
    to.probes.push_back(std::move(result));
  }
}

}  // namespace

void read_samples(const CaseSection& root, Case& to) {
  std::set<std::string> names;
  for (const CaseSection& receiver : root.sections("receiver")) {
    ReceiverCase result{.name = read_name(receiver, "receiver", names),
                        .at = receiver.reals("at"),
                        .fields = receiver.words("fields"),
                        .every = receiver.real("every").value_or(0),
                        .key = receiver.place()};
    check_dimension(to, result.at, receiver.place("at"));
    to.receivers.push_back(std::move(result));
  }
  read_surfaces(root, to);
  read_probes(root, to);
  if (const CaseSection output = root.section("output"); output.has("averages")) {
    const CaseSection averages = output.section("averages");
    to.averages = AveragesCase{.from = averages.real("from").value_or(0), .every = averages.real("every").value_or(0), .key = averages.place()};
  }
}

}  // namespace swell
