// SPDX-License-Identifier: Apache-2.0
// The problem of a discontinuous Galerkin run, after the case was read and its names were checked.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/expression.hpp"
#include "comm/ranks.hpp"
#include "device/device.hpp"
#include "mesh/mesh.hpp"
#include "model/model.hpp"

namespace swell {

// Expressions of a problem are in these variables, in this order.
inline const std::vector<std::string> space_time_variables{"x", "y", "z", "t"};

// pulse(s), s = t - direction . (x - origin) / speed.
struct WaveSpec {
  std::array<double, 3> direction{1, 0, 0}, polarisation{0, 0, 0}, origin{0, 0, 0};
  Expression pulse;  // in the one variable s
};

struct BoundarySpec {
  enum class Kind { model, dirichlet, incident };
  Kind kind = Kind::model;
  std::string name;              // of the model's boundary kind
  std::vector<Expression> data;  // the kind's parameters, or one for each field
  bool in_variables = false;     // dirichlet: the data are the model's variables, not its fields
  std::optional<WaveSpec> wave;
};

// The unknown is the total field in some cells, the scattered field in the others.
struct TotalFieldSpec {
  WaveSpec wave;
  std::vector<char> total;  // [cell]
};

struct PointSourceSpec {
  std::int64_t cell = -1;  // another rank's: -1
  std::array<double, 3> position{}, reference{};
  std::vector<double> balance;  // [field]: added to the balance, through the inverse mass
  std::vector<double> rate;     // [field]: added to the rate as it is
  Expression signal;            // in the one variable t
};

// How the model levelset keeps its profile.
struct LevelSetSpec {
  double thickness = 0;     // eps of 1 / (1 + exp(d / eps))
  std::int64_t every = 0;   // steps between looks at the profile; 0: it is never restored
  double tolerance = 0.05;  // it is restored where it is on average thicker by this part; 0: at every look
  double length = 1;        // of the pseudo-time, in thicknesses
  double at_end = 0;        // the same at the end of the run, whatever the thickness
};

// How a continuous operator is applied; the answer is the same up to rounding.
enum class DiffusionForm : unsigned char {
  elements,  // each element's product, then a sum over the elements of each unknown
  vertices,  // each unknown's rows of the elements that hold it
};

enum class FluxKind { blend, rusanov };

// How the volume terms of a nonlinear model are integrated.
enum class VolumeForm : unsigned char {
  automatic,   // split where that costs no accuracy, else collocated
  collocated,  // by the points that linear models take
  quadrature,  // by points that integrate polynomials of `degree` exactly
  split,       // by two-point fluxes of the model between the nodes of a line (Fisher and Carpenter 2013)
};

// How shocks are kept in hand.
enum class ShockDevice : unsigned char {
  none,
  subcell,    // blending with finite volumes on subcells (Hennemann and Gassner 2020): tensor elements
  filter,     // a modal filter as strong as admissible states and the entropy ask for (Dzanic and Witherden 2022): simplices
};

// A modal filter after each step: exp(-strength ((k - cutoff p) / (p - cutoff p))^order) for modes of degree k > cutoff p.
struct FilterSpec {
  double strength = 0;  // 0: none
  int order = 16;
  double cutoff = 0.5;
};
enum class Family { nodal, modal };

struct Problem {
  const Mesh* mesh = nullptr;        // of one rank: its part
  Ranks* ranks = &lone_rank();       // who share the mesh
  Model model;
  int order = 3;
  Family family = Family::nodal;
  int coefficient_order = 3;  // modal: degree to which material that varies inside an element is projected
  FluxKind flux = FluxKind::blend;
  std::string riemann = "upwind";  // NAME of the flux_NAME of the model, or of the derived one, that blend takes
  double alpha = 1;                // 0 central, 1 that flux
  VolumeForm volume_form = VolumeForm::collocated;
  int degree = 0;                  // of VolumeForm::quadrature; 0: that of the products of the fluxes
  std::string pair;                // NAME of the pair_NAME that VolumeForm::split takes
  ShockDevice shocks = ShockDevice::none;
  bool positivity = false;         // states are brought back to admissible ones (Zhang and Shu 2010) after each stage
  FilterSpec filter;
  Precision precision = Precision::double_;
  std::vector<std::vector<Expression>> material;  // [region][parameter]
  std::vector<BoundarySpec> boundary;             // [boundary of the mesh]; the last one is for sides without a name
  std::optional<TotalFieldSpec> total_field;
  std::vector<Expression> source;  // [field]; empty: none
  std::vector<PointSourceSpec> points;
  // [cell]: with "ader" it is predicted together with its neighbours, since a point source is near; empty: none is.
  std::vector<char> near_points;
  // [cell]: its cluster in local time stepping, of cluster k the steps are dt 2^k; empty: one step is for all.
  std::vector<std::uint8_t> cluster;
  int clusters = 1;  // on all ranks
  LevelSetSpec levelset;
  DiffusionForm form = DiffusionForm::elements;
  std::string scheme = "lsrk54";  // of time, for the states that it keeps
  std::string device_name;  // as the device was asked for: ranks of a machine with the same name share it
  std::string variant;  // of the kernels, by its name; empty: what the tuner remembers, else the default

  bool material_in_time() const {
    for (const auto& region : material)
      for (const auto& e : region)
        if (e.uses("t")) return true;
    return false;
  }
};

// Some region's material switches the reaction on.
bool reacts(const Problem& problem);

}  // namespace swell
