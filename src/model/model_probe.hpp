// SPDX-License-Identifier: Apache-2.0
// A model's pointwise functions for the host: compiled as a small scalar program, called for rows of inputs.
#pragma once

#include <initializer_list>
#include <memory>
#include <random>
#include <span>

#include "device/device.hpp"
#include "element/basis.hpp"
#include "model/model.hpp"

namespace swell {

// Every matrix has one row for each call; rows of material have one column even where the model has none.
class ModelProbe {
 public:
  ModelProbe(Model model, Device& device);

  const Model& model() const { return model_; }
  int fields() const { return static_cast<int>(model_.fields.size()); }
  int parameters() const;

  Matrix flux(const Matrix& q, const Matrix& m, const Matrix& n) const;
  Matrix viscous_flux(const Matrix& q, const Matrix& dq, const Matrix& m, const Matrix& n) const;  // dq: [field][axis]
  Matrix mass(const Matrix& m, const Matrix& q) const;
  Matrix inverse_mass(const Matrix& m, const Matrix& q) const;
  Vector speed(const Matrix& q, const Matrix& m, const Matrix& n) const;
  Matrix reaction(const Matrix& q, const Matrix& m) const;
  // kind: "central", "rusanov", or one of the model's own fluxes.
  Matrix numerical_flux(std::string_view kind, const Matrix& ql, const Matrix& ml, const Matrix& qr, const Matrix& mr,
                        const Matrix& n) const;
  // A two-point flux of the model, of its variables.
  Matrix pair(const std::string& name, const Matrix& vl, const Matrix& vr, const Matrix& m, const Matrix& n) const;
  // The mirror state, the state at the wall or the viscous flux through it, whichever the kind gives.
  Matrix boundary(std::string_view kind, const Matrix& q, const Matrix& m, const Matrix& n, const Matrix& data) const;
  // ignores_KIND or lacks_KIND of the model: above 0 where the state does not feel the data of this boundary kind, or needs what it
  // does not give.
  Vector judged(const std::string& function, const Matrix& q, const Matrix& m, const Matrix& n, const Matrix& data) const;
  // Conversions between fields and the model's second names.
  Matrix variables_of(const Matrix& q, const Matrix& m) const;
  Matrix fields_of(const Matrix& v, const Matrix& m) const;
  // The model's admissible quantities, a column for each: all positive where the state is admissible.
  Matrix admissible(const Matrix& q, const Matrix& m) const;
  Vector quantity(const std::string& name, const Matrix& q, const Matrix& m) const;
  Vector derived(const std::string& name, const Matrix& q, const Matrix& m) const;  // an output without gradients
  Vector derived(const std::string& name, const Matrix& q, const Matrix& dq, const Matrix& m) const;  // one with them, [field][axis]
  // Directions and polarisations have three columns.
  Vector plane_wave_speed(const Matrix& m, const Matrix& direction, const Matrix& polarisation) const;
  Matrix plane_wave(const Matrix& m, const Matrix& direction, const Matrix& polarisation, const Vector& value) const;

  // For a linear model: the matrix of the flux along n, and of the mass, for one row of material, by unit vectors.
  Matrix flux_matrix(const Vector& m, const Vector& n) const;
  Matrix mass_matrix(const Vector& m) const;

 private:
  Matrix call(const std::string& kernel, std::initializer_list<const Matrix*> inputs, int width) const;

  Model model_;
  Device& device_;
  std::unique_ptr<Program> program_;
};

// Values that the model allows and that nothing in it singles out.
Vector random_material(const Model& model, std::mt19937_64& engine);

}  // namespace swell
