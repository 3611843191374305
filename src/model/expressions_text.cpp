// SPDX-License-Identifier: Apache-2.0
#include "model/expressions_text.hpp"

#include <fmt/format.h>

#include "model/separated.hpp"

namespace swell {

namespace {

constexpr const char* coordinates = "  const scalar x = at[0], y = at[1], z = at[2];\n";

// The incident field as a function wave_NAME(m, at, t, q).
std::string wave_text(const WaveSpec& wave, const std::string& name) {
  const auto& d = wave.direction;
  const auto& p = wave.polarisation;
  const auto& o = wave.origin;
  std::string text = fmt::format("FUNCTION void wave_{}(const real *m, const real *at, double t, real *q)\n{{\n", name);
  text += fmt::format("  const real direction[3] = {{{:.17g}, {:.17g}, {:.17g}}};\n", d[0], d[1], d[2]);
  text += fmt::format("  const real polarisation[3] = {{{:.17g}, {:.17g}, {:.17g}}};\n", p[0], p[1], p[2]);
  text += fmt::format(
      "  const scalar along = (at[0] - ({:.17g})) * direction[0] + (at[1] - ({:.17g})) * direction[1] + "
      "(at[2] - ({:.17g})) * direction[2];\n",
      o[0], o[1], o[2]);
  text += "  const scalar s = t - along / plane_wave_speed(m, direction, polarisation);\n";
  return text + fmt::format("  plane_wave(m, direction, polarisation, {}, q);\n}}\n\n", wave.pulse.c_text());
}

// The state at the wall counts once with the upwind flux, twice with the central one (docs/method.md).
std::string wall_text(const Problem& problem) {
  const double alpha = problem.flux == FluxKind::rusanov ? 1 : problem.alpha;
  return fmt::format("for (int i = 0; i < FIELDS; ++i) state[i] = {:.17g} * state[i] + ({:.17g}) * own[i];",
                     2 / (1 + alpha), 1 - 2 / (1 + alpha));
}

// The state that a Dirichlet boundary prescribes.
std::string given_text(const BoundarySpec& spec, std::string_view state) {
  const std::string_view given = spec.in_variables ? "given" : state;
  std::string text = spec.in_variables ? "    real given[FIELDS];\n" : "";
  for (std::size_t i = 0; i < spec.data.size(); ++i) text += fmt::format("    {}[{}] = {};\n", given, i, spec.data[i].c_text());
  return spec.in_variables ? text + fmt::format("    fields_of(given, m, {});\n", state) : text;
}

std::string data_text(const std::vector<Expression>& data) {
  std::string text = "const real data[] = {";
  for (const auto& e : data) text += e.c_text() + ", ";
  return data.empty() ? "const real data[1] = {0.0};" : text + "};";
}

}  // namespace

std::string flux_text(const Problem& problem) {
  std::string choice;
  if (problem.flux == FluxKind::blend && problem.riemann != "upwind")
    choice = fmt::format("// This flux of the model takes the place of the upwind flux below.\n#define flux_upwind flux_{}\n",
                         problem.riemann);
  return choice + std::string(kernel_texts("kernels/shared/flux.h"));
}

std::string material_text(const Problem& problem) {
  const auto separated = separated_material(problem);
  std::string text = fmt::format("FUNCTION scalar material_factor(double t) {{ return {}; }}\n\n",
                                 separated ? separated->factor.c_text() : "1.0");
  text += "FUNCTION void material_at(int region, const real *at, scalar factor, double t, real *m)\n{\n";
  if (separated) {
    text += "  for (int i = 0; i < MATERIALS; ++i) m[i] = factor * at[i];\n";
  } else if (problem.material_in_time()) {
    text += coordinates;
    text += "  switch (region) {\n";
    for (std::size_t r = 0; r < problem.material.size(); ++r) {
      text += fmt::format("  case {}:\n", r);
      for (std::size_t i = 0; i < problem.material[r].size(); ++i)
        text += fmt::format("    m[{}] = {};\n", i, problem.material[r][i].c_text());
      text += "    break;\n";
    }
    text += "  }\n";
  }
  return text + "}\n\n";
}

std::string source_text(const Problem& problem) {
  std::string text = "FUNCTION void source_at(const real *at, double t, real *value)\n{\n";
  text += coordinates;
  for (std::size_t i = 0; i < problem.source.size(); ++i)
    text += fmt::format("  value[{}] = {};\n", i, problem.source[i].c_text());
  text += "}\n\nFUNCTION real signal_at(int point, double t)\n{\n  switch (point) {\n";
  for (std::size_t i = 0; i < problem.points.size(); ++i)
    text += fmt::format("  case {}: return {};\n", i, problem.points[i].signal.c_text());
  return text + "  }\n  return 0.0;\n}\n\n";
}

std::string boundary_text(const Problem& problem) {
  std::string waves, cases;
  for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
    const BoundarySpec& spec = problem.boundary[b];
    cases += fmt::format("  case {}: {{\n", b);
    if (spec.kind == BoundarySpec::Kind::dirichlet) {
      cases += given_text(spec, "state");
    } else if (spec.kind == BoundarySpec::Kind::incident) {
      // The part of the state that is not the incident wave leaves through an absorbing wall.
      waves += wave_text(*spec.wave, std::to_string(b));
      cases +=
          fmt::format("    real wave[FIELDS], rest[FIELDS], none[1] = {{0.0}};\n    wave_{}(m, at, t, wave);\n", b);
      cases +=
          "    for (int i = 0; i < FIELDS; ++i) rest[i] = own[i] - wave[i];\n    state_absorbing(rest, m, n, none, "
          "state);\n";
      cases += "    for (int i = 0; i < FIELDS; ++i) state[i] += wave[i];\n    " + wall_text(problem) + "\n";
    } else {
      const BoundaryKind& kind = *problem.model.boundary(spec.name);
      cases += "    " + data_text(spec.data) + "\n";
      if (kind.gradient)  // the viscous terms alone have a flux through it
        cases += "    for (int i = 0; i < FIELDS; ++i) state[i] = own[i];\n";
      else
        cases += fmt::format("    {}(own, m, n, data, state);\n", kind.function());
      if (!kind.mirror && !kind.gradient) cases += "    " + wall_text(problem) + "\n";
    }
    cases += "    break;\n  }\n";
  }
  if (problem.total_field) {
    waves += wave_text(problem.total_field->wave, "total");
    for (const auto& [spec, sign] : {std::pair{-1, '+'}, std::pair{-2, '-'}})
      cases += fmt::format(
          "  case {}: {{\n    real wave[FIELDS];\n    wave_total(m, at, t, wave);\n"
          "    for (int i = 0; i < FIELDS; ++i) state[i] = behind[i] {} wave[i];\n    break;\n  }}\n",
          spec, sign);
  }
  return waves +
         "FUNCTION void boundary_state(int spec, const real *own, const real *behind, const real *m, const real *n, "
         "const real *at,\n"
         "                             double t, real *state)\n{\n" +
         coordinates + "  switch (spec) {\n" + cases + "  }\n}\n\n";
}

// A page states the value by value_KIND, else it is the mean of the mirror and the own state, or the state at the wall; it states
// the flux by through_KIND or gradient_KIND, else it is that of the value and the own gradient.
std::string viscous_boundary_text(const Problem& problem) {
  std::string values, fluxes;
  for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
    const BoundarySpec& spec = problem.boundary[b];
    values += fmt::format("  case {}: {{\n", b);
    fluxes += fmt::format("  case {}: {{\n", b);
    const std::string usual = "    viscous_flux(value, dq, m, n, f);\n";
    if (spec.kind == BoundarySpec::Kind::dirichlet) {
      values += given_text(spec, "value");
      fluxes += usual;
    } else {
      const BoundaryKind& kind = *problem.model.boundary(spec.name);
      const std::string data = "    " + data_text(spec.data) + "\n";
      if (problem.model.has("value_" + kind.name)) {
        values += data + fmt::format("    value_{}(own, m, n, data, value);\n", kind.name);
      } else if (kind.gradient) {
        values += "    for (int i = 0; i < FIELDS; ++i) value[i] = own[i];\n";
      } else {
        values += data + fmt::format("    {}(own, m, n, data, value);\n", kind.function());
        if (kind.mirror) values += "    for (int i = 0; i < FIELDS; ++i) value[i] = 0.5 * (value[i] + own[i]);\n";
      }
      if (problem.model.has("through_" + kind.name))
        fluxes += data + fmt::format("    through_{}(value, dq, m, n, data, f);\n", kind.name);
      else
        fluxes += kind.gradient ? data + fmt::format("    {}(own, m, n, data, f);\n", kind.function()) : usual;
    }
    for (std::string* text : {&values, &fluxes}) *text += "    break;\n  }\n";
  }
  return "FUNCTION void wall_value(int spec, const real *own, const real *m, const real *n, const real *at, double t, real *value)\n{\n" +
         std::string(coordinates) + "  switch (spec) {\n" + values +
         "  }\n}\n\nFUNCTION void wall_flux(int spec, const real *own, const real *value, const real *dq, const real *m, const real *n,\n"
         "                        const real *at, double t, real *f)\n{\n" +
         coordinates + "  switch (spec) {\n" + fluxes + "  }\n}\n\n";
}

}  // namespace swell
