// SPDX-License-Identifier: Apache-2.0
// A problem of diffusion, c q_t = div(k grad q) + f or its steady form, as continuous and discontinuous elements take it: the
// coefficients are what the page's own functions say.
#pragma once

#include <vector>

#include "model/problem.hpp"

namespace swell {

struct DiffusionMaterial {
  Expression capacity{1.0};      // c, in x, y, z
  Expression conductivity{1.0};  // k, in x, y, z
};

struct DiffusionBoundary {
  enum class Kind : unsigned char { value, flux, robin };
  Kind kind = Kind::flux;
  Expression value;     // value: q itself; flux: k dq/dn; robin: the value outside
  Expression transfer;  // robin: h of k dq/dn = h (value - q), in x, y, z
};

struct DiffusionProblem {
  const Mesh* mesh = nullptr;
  int order = 1;
  Precision precision = Precision::double_;
  std::vector<DiffusionMaterial> material;  // [region]
  std::vector<DiffusionBoundary> boundary;  // [boundary of the mesh], then the one of sides without a name
  Expression source;                        // f, in x, y, z, t
  std::vector<PointSourceSpec> points;      // more of it, balance[0] signal(t) at a point
  DiffusionForm form = DiffusionForm::elements;
  double penalty = 1;  // of discontinuous elements: times the one that makes the operator coercive
};

// Which of a page's materials and boundary parameters are the coefficients, found by calling its functions.
struct DiffusionPage {
  struct Condition {
    DiffusionBoundary::Kind kind = DiffusionBoundary::Kind::flux;
    int value = -1, transfer = -1;  // among the parameters of the kind
  };
  int capacity = -1;  // among the materials; -1: at rest
  int conductivity = -1;
  std::vector<Condition> conditions;  // [boundary kind of the model]
};

// Throws InputError where a function of the page is not of that form.
DiffusionPage read_diffusion_page(const Model& model, Device& device);

// Whether sources or fluxes depend on t.
bool loads_in_time(const DiffusionProblem& problem);

// `problem` must be one of that page.
DiffusionProblem diffusion_problem(const Problem& problem, const DiffusionPage& page);

}  // namespace swell
