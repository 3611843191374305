// SPDX-License-Identifier: Apache-2.0
#include "model/model_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace swell {

namespace {

// A function of the model as a kernel: rows of the inputs' widths in, one row out.
struct Probed {
  std::string function;
  std::vector<std::string> widths;  // of the inputs, in the order of the function's arguments
  std::string out = "FIELDS";       // width of the row that comes out; "1": the function returns it
  bool last_by_value = false;       // the last input is a number, not an array
};

std::vector<Probed> functions(const Model& model) {
  const std::string q = "FIELDS", m = "MATERIALS", n = "DIM", three = "3";
  std::vector<Probed> all;
  if (model.has("flux"))
    all = {{"flux", {q, m, n}},
           {"mass", {m, q}},
           {"inverse_mass", {m, q}},
           {"speed", {q, m, n}, "1"},
           {"flux_central", {q, m, q, m, n}},
           {"flux_rusanov", {q, m, q, m, n}}};
  else if (model.has("mass"))
    all = {{"mass", {m, q}}};
  for (const auto& name : model.pairs) all.push_back({"pair_" + name, {q, q, m, n}});
  if (model.has("viscous_flux")) all.push_back({"viscous_flux", {q, "(DIM * FIELDS)", m, n}});
  for (const auto& name : model.fluxes) all.push_back({"flux_" + name, {q, m, q, m, n}});
  if (model.has("reaction")) all.push_back({"reaction", {q, m}});
  if (model.has("plane_wave_speed")) all.push_back({"plane_wave_speed", {m, three, three}, "1"});
  if (model.has("plane_wave")) all.push_back({"plane_wave", {m, three, three, "1"}, q, true});
  for (const auto& b : model.boundaries) {
    const auto data = std::to_string(std::max<std::size_t>(1, b.parameters.size()));
    all.push_back({b.function(), {q, m, n, data}});
    for (const auto& function : {"ignores_" + b.name, "lacks_" + b.name})
      if (model.has(function)) all.push_back({function, {q, m, n, data}, "1"});
  }
  if (!model.variables.empty()) {
    all.push_back({"variables_of", {q, m}});
    all.push_back({"fields_of", {q, m}});
  }
  if (!model.admissible.empty()) all.push_back({"admissible", {q, m}, std::to_string(model.admissible.size())});
  for (const auto& name : model.quantities) all.push_back({"quantity_" + name, {q, m}, "1"});
  for (const auto& output : model.derived) {
    if (output.gradients) all.push_back({output.function(), {q, "(DIM * FIELDS)", m}, "1"});
    else all.push_back({output.function(), {q, m}, "1"});
  }
  return all;
}

std::string kernel_text(const Probed& probed) {
  const std::size_t count = probed.widths.size();
  std::string parameters, locals, reads, arguments;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& width = probed.widths[i];
    parameters += fmt::format("GLOBAL const scalar *in{}, ", i);
    locals += fmt::format("a{}[{}], ", i, width);
    reads += fmt::format("    for (int k = 0; k < {}; ++k) a{}[k] = in{}[row * {} + k];\n", width, i, i, width);
    arguments += fmt::format("{}a{}{}", i ? ", " : "", i, probed.last_by_value && i + 1 == count ? "[0]" : "");
  }
  const std::string call = probed.out == "1" ? fmt::format("result[0] = {}({});", probed.function, arguments)
                                             : fmt::format("{}({}, result);", probed.function, arguments);
  return fmt::format(
      "KERNEL void probe_{}({}GLOBAL scalar *out)\n{{\n  ITEMS(row)\n  {{\n    real {}result[{}];\n{}    {}\n"
      "    for (int k = 0; k < {}; ++k) out[row * {} + k] = result[k];\n  }}\n}}\n\n",
      probed.function, parameters, locals, probed.out, reads, call, probed.out, probed.out);
}

ProgramText program_text(const Model& model) {
  std::string text =
      fmt::format("#define DIM {}\n#define FIELDS {}\n#define MATERIALS {}\n#define HAS_MASS {}\n", model.dim,
                  model.fields.size(), std::max<std::size_t>(1, model.material.size()), model.has("mass") ? 1 : 0);
  text += "#define FLUX_RUSANOV 1\n#define FLUX_BLEND 0\n#define FLUX_ALPHA 0.0\n";
  text += names_text(model) + model.text;
  if (model.has("flux")) text += kernel_texts("kernels/shared/flux.h");
  std::vector<std::string> kernels;
  for (const auto& probed : functions(model)) {
    text += kernel_text(probed);
    kernels.push_back("probe_" + probed.function);
  }
  return {model.name + "-probe", text, kernels, Precision::double_, false};
}

}  // namespace

ModelProbe::ModelProbe(Model model, Device& device)
    : model_(std::move(model)), device_(device), program_(device.compile(program_text(model_))) {}

int ModelProbe::parameters() const { return std::max(1, static_cast<int>(model_.material.size())); }

Matrix ModelProbe::call(const std::string& kernel, std::initializer_list<const Matrix*> inputs, int width) const {
  const auto rows = (*inputs.begin())->rows();
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<Argument> arguments;
  for (const Matrix* input : inputs) {
    if (input->rows() != rows) throw std::logic_error("the inputs of " + kernel + " have different numbers of rows");
    buffers.push_back(device_.allocate(std::max<std::size_t>(64, input->size() * sizeof(double)), "probe"));
    buffers.back()->write(input->data(), input->size() * sizeof(double));
    arguments.emplace_back(*buffers.back());
  }
  Matrix out(rows, width);
  buffers.push_back(device_.allocate(std::max<std::size_t>(64, out.size() * sizeof(double)), "probe"));
  arguments.emplace_back(*buffers.back());
  device_.queue().launch(program_->kernel("probe_" + kernel), rows, arguments, {});
  device_.queue().finish();
  buffers.back()->read(out.data(), out.size() * sizeof(double));
  return out;
}

Matrix ModelProbe::flux(const Matrix& q, const Matrix& m, const Matrix& n) const {
  return call("flux", {&q, &m, &n}, fields());
}
Matrix ModelProbe::mass(const Matrix& m, const Matrix& q) const { return call("mass", {&m, &q}, fields()); }
Matrix ModelProbe::inverse_mass(const Matrix& m, const Matrix& q) const {
  return call("inverse_mass", {&m, &q}, fields());
}
Matrix ModelProbe::viscous_flux(const Matrix& q, const Matrix& dq, const Matrix& m, const Matrix& n) const {
  return call("viscous_flux", {&q, &dq, &m, &n}, fields());
}
Vector ModelProbe::speed(const Matrix& q, const Matrix& m, const Matrix& n) const {
  return call("speed", {&q, &m, &n}, 1).col(0);
}
Matrix ModelProbe::reaction(const Matrix& q, const Matrix& m) const { return call("reaction", {&q, &m}, fields()); }

Matrix ModelProbe::numerical_flux(std::string_view kind, const Matrix& ql, const Matrix& ml, const Matrix& qr,
                                  const Matrix& mr, const Matrix& n) const {
  return call("flux_" + std::string(kind), {&ql, &ml, &qr, &mr, &n}, fields());
}

Matrix ModelProbe::pair(const std::string& name, const Matrix& vl, const Matrix& vr, const Matrix& m, const Matrix& n) const {
  return call("pair_" + name, {&vl, &vr, &m, &n}, fields());
}

Matrix ModelProbe::boundary(std::string_view kind, const Matrix& q, const Matrix& m, const Matrix& n,
                            const Matrix& data) const {
  const BoundaryKind* found = model_.boundary(kind);
  if (!found) throw std::logic_error("the model has no boundary kind " + std::string(kind));
  return call(found->function(), {&q, &m, &n, &data}, fields());
}

Vector ModelProbe::judged(const std::string& function, const Matrix& q, const Matrix& m, const Matrix& n, const Matrix& data) const {
  return call(function, {&q, &m, &n, &data}, 1).col(0);
}

Matrix ModelProbe::variables_of(const Matrix& q, const Matrix& m) const { return call("variables_of", {&q, &m}, fields()); }
Matrix ModelProbe::fields_of(const Matrix& v, const Matrix& m) const { return call("fields_of", {&v, &m}, fields()); }
Matrix ModelProbe::admissible(const Matrix& q, const Matrix& m) const {
  return call("admissible", {&q, &m}, static_cast<int>(model_.admissible.size()));
}
Vector ModelProbe::quantity(const std::string& name, const Matrix& q, const Matrix& m) const {
  return call("quantity_" + name, {&q, &m}, 1).col(0);
}

Vector ModelProbe::derived(const std::string& name, const Matrix& q, const Matrix& m) const {
  return call("derived_" + name, {&q, &m}, 1).col(0);
}

Vector ModelProbe::derived(const std::string& name, const Matrix& q, const Matrix& dq, const Matrix& m) const {
  return call("derived_" + name, {&q, &dq, &m}, 1).col(0);
}

Vector ModelProbe::plane_wave_speed(const Matrix& m, const Matrix& direction, const Matrix& polarisation) const {
  return call("plane_wave_speed", {&m, &direction, &polarisation}, 1).col(0);
}

Matrix ModelProbe::plane_wave(const Matrix& m, const Matrix& direction, const Matrix& polarisation,
                              const Vector& value) const {
  const Matrix values = value;
  return call("plane_wave", {&m, &direction, &polarisation, &values}, fields());
}

Matrix ModelProbe::flux_matrix(const Vector& m, const Vector& n) const {
  const Matrix units = Matrix::Identity(fields(), fields());
  return flux(units, m.transpose().replicate(fields(), 1), n.transpose().replicate(fields(), 1)).transpose();
}

Matrix ModelProbe::mass_matrix(const Vector& m) const {
  return mass(m.transpose().replicate(fields(), 1), Matrix::Identity(fields(), fields())).transpose();
}

Vector random_material(const Model& model, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> any(0.25, 0.75), positive(0.5, 2.0);
  Vector m = Vector::Zero(std::max<Eigen::Index>(1, static_cast<Eigen::Index>(model.material.size())));
  for (std::size_t i = 0; i < model.material.size(); ++i)
    m(static_cast<Eigen::Index>(i)) = model.material[i].range == Parameter::Range::any ? any(engine) : model.material[i].bound + positive(engine);
  return m;
}

}  // namespace swell
