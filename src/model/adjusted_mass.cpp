// SPDX-License-Identifier: Apache-2.0
#include "model/adjusted_mass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "element/symmetric_cubature.hpp"

namespace swell {

namespace {

constexpr int sample_count = 6;      // of materials: entries that are zero, or proportional, in all of them are so always
constexpr double rounding = 1e-12;   // of such entries
// Largest over smallest value of a parameter on a face with one material. The penalty of that material is larger than its own one where
// the mass is smallest, by the root of this ratio at most, and the stable step is found from the material at each point.
constexpr double widest_ratio = 1.5;
constexpr double equal_ratio = 1 + 1e-10;  // of values that differ by rounding, and by where they are sampled

bool differ(double a, double b, double size) { return std::abs(a - b) > rounding * size; }

}  // namespace

AdjustedMass::~AdjustedMass() = default;

AdjustedMass::AdjustedMass(const Problem& problem, const Elements& elements, const MaterialField& material)
    : problem_(problem), material_(material) {
  const Mesh& mesh = *problem.mesh;
  const Shape shape = elements.first().shape;
  bool varies = false;
  for (std::int64_t cell = 0; cell < mesh.own_count() && !varies; ++cell) varies = material.varies(cell);
  if (!problem.ranks->any(varies) || problem.family != Family::nodal || !problem.model.linear || material.in_time() ||
      elements.mixed() || !is_simplex(shape))
    return;
  device_ = open_device("cpu:1");
  probe_ = std::make_unique<ModelProbe>(problem.model, *device_);
  std::mt19937_64 engine(17);
  for (int s = 0; s < sample_count; ++s) samples_.push_back(random_material(problem.model, engine).transpose());
  // Viscous terms take the material at points.
  if (problem.model.viscous() || !find_fields(varying_parameters(material))) return;
  find_weights();
  possible_ = true;
  const Cubature rule = symmetric_cubature(face_shape(shape), 2 * problem.order);
  face_weights_ = rule.weights / rule.weights.sum();
  for (int f = 0; f < face_count(shape); ++f) faces_.emplace_back(mesh, shape, face_points(shape, f, rule.points));
}

// A column of the inverse mass for each row of material, or of it times the reaction.
Matrix AdjustedMass::rates(const Matrix& material, int column, bool reaction) const {
  Matrix unit = Matrix::Zero(material.rows(), probe_->fields());
  unit.col(column).setOnes();
  return probe_->inverse_mass(material, reaction ? probe_->reaction(unit, material) : unit);
}

// On all ranks together, which compile one kernel source.
std::vector<char> AdjustedMass::varying_parameters(const MaterialField& material) const {
  std::vector<double> varying(material.parameters(), 0.0);
  for (int k = 0; k < material.parameters(); ++k) varying[k] = material.parameter_varies(k) ? 1 : 0;
  problem_.ranks->largest(varying);
  std::vector<char> all(varying.size());
  std::transform(varying.begin(), varying.end(), all.begin(), [](double v) { return v > 0 ? 1 : 0; });
  return all;
}

// Fills moving_, reacting_ and counts_; false where the flux depends on material or nothing moves.
bool AdjustedMass::find_fields(const std::vector<char>& varying) {
  const int fields = probe_->fields(), dim = probe_->model().dim;
  for (int d = 0; d < dim; ++d) {
    const Matrix first = probe_->flux_matrix(samples_[0].row(0).transpose(), Vector::Unit(dim, d));
    for (const Matrix& m : samples_)
      if (!probe_->flux_matrix(m.row(0).transpose(), Vector::Unit(dim, d)).isApprox(first, rounding)) return false;
  }
  const bool reaction = reacts(problem_);
  std::vector<char> moves(fields, 0);
  Matrix coupled = Matrix::Zero(fields, fields), fed = coupled;  // entries of the inverse mass, and of it times the reaction
  counts_.assign(varying.size(), 0);
  for (int s = 0; s < sample_count; ++s)
    for (int j = 0; j < fields; ++j)
      for (const bool with : {false, true}) {
        if (with && !reaction) continue;
        const Matrix here = rates(samples_[s], j, with);
        (with ? fed : coupled).col(j) += here.row(0).cwiseAbs().transpose();
        for (std::size_t k = 0; k < varying.size(); ++k) {
          Matrix other = samples_[s];
          other(0, static_cast<Eigen::Index>(k)) = samples_[(s + 1) % sample_count](0, static_cast<Eigen::Index>(k));
          const Matrix there = rates(other, j, with);
          for (int i = 0; i < fields; ++i) {
            if (!differ(here(0, i), there(0, i), here.cwiseAbs().maxCoeff())) continue;
            if (!with) counts_[k] = 1;
            if (varying[k]) moves[i] = 1;
          }
        }
      }
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < fields; ++i)
      for (int j = 0; j < fields; ++j)
        if (moves[i] && !moves[j] && (coupled(i, j) > 0 || coupled(j, i) > 0)) moves[j] = 1, more = true;
  }
  for (int i = 0; i < fields; ++i)
    if (moves[i]) moving_.push_back(i);
  for (int j = 0; j < fields; ++j)
    if (std::any_of(moving_.begin(), moving_.end(), [&](int i) { return fed(i, j) > 0; })) reacting_.push_back(j);
  return !moving_.empty();
}

// Entries that are always in proportion share a weight.
void AdjustedMass::find_weights() {
  std::vector<Vector> known;
  for (const bool reaction : {false, true}) {
    const std::vector<int>& columns = reaction ? reacting_ : moving_;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      Matrix values(sample_count, probe_->fields());
      for (int s = 0; s < sample_count; ++s) values.row(s) = rates(samples_[s], columns[column], reaction).row(0);
      for (std::size_t row = 0; row < moving_.size(); ++row) {
        const Vector entry = values.col(moving_[row]);
        if (entry.cwiseAbs().maxCoeff() == 0) continue;
        std::size_t weight = 0;
        double factor = 1;
        for (; weight < known.size(); ++weight) {
          factor = entry.dot(known[weight]) / known[weight].squaredNorm();
          if ((entry - factor * known[weight]).norm() <= rounding * entry.norm()) break;
        }
        if (weight == known.size()) {
          known.push_back(entry);
          entries_.push_back({moving_[row], columns[column], reaction});
          factor = 1;
        }
        terms_.push_back({static_cast<int>(row), static_cast<int>(column), reaction, static_cast<int>(weight), factor});
      }
    }
  }
}

Matrix AdjustedMass::weigh(const Matrix& material) const {
  Matrix out(material.rows(), weights());
  for (int w = 0; w < weights(); ++w) {
    const Entry& entry = entries_[w];
    out.col(w) = rates(material, entry.column, entry.reaction).col(entry.row);
  }
  return out;
}

// Each side of a face is looked at by its own cell's points, so that both cells find the same.
bool AdjustedMass::varies_little(std::int64_t cell, int face, bool boundary, double* mean) const {
  const CellMap& map = faces_[face];
  const int dim = problem_.mesh->dim, parameters = material_.parameters();
  std::vector<double> x(map.point_count() * dim), value(parameters), low(parameters, std::numeric_limits<double>::infinity()), high(low);
  for (double& h : high) h = -h;
  map.coordinates(cell, x.data());
  std::fill(mean, mean + parameters, 0.0);
  for (int p = 0; p < map.point_count(); ++p) {
    material_.sample(cell, x.data() + p * dim, 0, value.data());
    for (int k = 0; k < parameters; ++k) {
      mean[k] += face_weights_(p) * value[k];
      low[k] = std::min(low[k], value[k]);
      high[k] = std::max(high[k], value[k]);
    }
  }
  // A boundary state that is made from the interior's waves needs the impedance at each point.
  const double ratio = boundary ? equal_ratio : widest_ratio;
  for (int k = 0; k < parameters; ++k)
    if (counts_[k] && high[k] - low[k] > (ratio - 1) * std::min(std::abs(low[k]), std::abs(high[k]))) return false;
  return true;
}

bool AdjustedMass::face(std::int64_t cell, int face, double* own, double* behind) const {
  if (!possible_) return false;
  const Mesh& mesh = *problem_.mesh;
  const Neighbour& n = mesh.neighbour(cell, face);
  if (n.cell < 0) {
    const BoundarySpec& spec = n.boundary >= 0 ? problem_.boundary[n.boundary] : problem_.boundary.back();
    const bool mirror = spec.kind == BoundarySpec::Kind::model && problem_.model.boundary(spec.name)->mirror;
    const bool waves = !mirror && spec.kind != BoundarySpec::Kind::dirichlet;
    if (!is_affine(mesh, cell) || !varies_little(cell, face, waves, own)) return false;
    std::copy_n(own, material_.parameters(), behind);
    return true;
  }
  if (!is_affine(mesh, cell) && !is_affine(mesh, n.cell)) return false;
  return varies_little(cell, face, false, own) && varies_little(n.cell, n.face, false, behind);
}

}  // namespace swell
