// SPDX-License-Identifier: Apache-2.0
#include "problems.hpp"

#include <cmath>
#include <numbers>

namespace swell {

namespace {

// Quarter turns of the square in the plane of two axes, on the vertices i + 2j + 4k of a tensor cell.
void quarter_turn(std::vector<std::int64_t>& vertices, int a, int b) {
  const auto old = vertices;
  for (std::size_t v = 0; v < old.size(); ++v) {
    const std::size_t bit_a = v >> a & 1, bit_b = v >> b & 1;
    const std::size_t to = (v & ~(std::size_t{1} << a | std::size_t{1} << b)) | (1 - bit_b) << a | bit_a << b;
    vertices[to] = old[v];
  }
}

}  // namespace

void turn_cells(Mesh& mesh, Random& random) {
  if (mesh.dim == 1) return;
  CellBlock& block = mesh.blocks.front();
  std::vector<NamedFace> named;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int f = 0; f < face_count(mesh.shape()); ++f) {
      if (mesh.neighbour(cell, f).cell >= 0) continue;
      NamedFace face;
      face.boundary = mesh.neighbour(cell, f).boundary;
      const auto local = face_vertices(mesh.shape(), f);
      for (std::size_t i = 0; i < local.size(); ++i)
        face.vertices[i] = block.nodes[cell * block.nodes_per_cell + local[i]];
      named.push_back(face);
    }
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    const auto begin = block.nodes.begin() + cell * block.nodes_per_cell;
    std::vector<std::int64_t> vertices(begin, begin + block.nodes_per_cell);
    for (int turn = 0; turn < 4; ++turn) {
      if (random.between(0, 1) < 0.4) continue;
      const int first = mesh.dim == 2 ? 0 : static_cast<int>(random.between(0, 2));
      if (is_simplex(mesh.shape()))
        std::rotate(vertices.begin() + first, vertices.begin() + first + 1, vertices.begin() + first + 3);
      else
        quarter_turn(vertices, first, first + 1);
    }
    std::copy(vertices.begin(), vertices.end(), begin);
  }
  connect(mesh, named, {});
}

void shear(Mesh& mesh) {
  const Eigen::Matrix3d map{{1.1, 0.3, -0.2}, {-0.15, 0.8, 0.25}, {0.1, -0.2, 1.3}};
  for (std::size_t p = 0; p < mesh.points.size(); p += mesh.dim) {
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    for (int d = 0; d < mesh.dim; ++d) x(d) = mesh.points[p + d];
    x = (map * x).eval();
    for (int d = 0; d < mesh.dim; ++d) mesh.points[p + d] = x(d);
  }
}

void deform(Mesh& mesh, int geometry_order, const std::function<std::array<double, 3>(std::array<double, 3>)>& map) {
  const CellMap places(mesh, lattice(mesh.shape(), geometry_order));
  const int count = places.point_count();
  std::vector<double> points(mesh.cell_count() * count * mesh.dim);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    places.coordinates(cell, points.data() + cell * count * mesh.dim);
  for (std::size_t p = 0; p < points.size(); p += mesh.dim) {
    std::array<double, 3> x{};
    std::copy_n(points.begin() + p, mesh.dim, x.begin());
    x = map(x);
    std::copy_n(x.begin(), mesh.dim, points.begin() + p);
  }
  mesh.points = std::move(points);
  CellBlock& block = mesh.blocks.front();
  block.geometry_order = geometry_order;
  block.nodes_per_cell = count;
  block.nodes.resize(mesh.cell_count() * count);
  for (std::size_t i = 0; i < block.nodes.size(); ++i) block.nodes[i] = static_cast<std::int64_t>(i);
  check_geometry(mesh);
}

std::array<double, 3> wavy(std::array<double, 3> x) {
  const double turn = 2 * std::numbers::pi, wave = 0.05 * std::sin(turn * x[0]) * std::sin(turn * x[1] + 0.4);
  return {x[0] + wave + 0.02 * std::sin(turn * x[2]), x[1] - 0.8 * wave, x[2] + 0.7 * wave};
}

std::array<double, 3> bent(std::array<double, 3> x) {
  return {x[0] + 0.1 * x[1] * x[1] - 0.05 * x[2] * x[0], x[1] - 0.08 * x[0] * x[0] + 0.06 * x[1] * x[2],
          x[2] + 0.07 * x[0] * x[1]};
}

void region_per_cell(Mesh& mesh) {
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    if (cell > 0) mesh.regions.push_back("cell " + std::to_string(cell));
    mesh.blocks.front().region[cell] = static_cast<std::int32_t>(cell);
  }
}

Expression parse(const std::string& text) { return Expression::parse(text, space_time_variables, "test"); }

Problem random_problem(const Mesh& mesh, const ModelIn& model, int order, Random& random) {
  Problem p;
  p.mesh = &mesh;
  p.model = load_model(model.name, model.dim);
  p.order = order;
  for (std::size_t r = 0; r < mesh.regions.size(); ++r) {
    const Matrix row = random.materials(p.model, 1);
    std::vector<Expression> values;
    for (std::size_t i = 0; i < p.model.material.size(); ++i) values.emplace_back(row(0, i));
    p.material.push_back(values);
  }
  // The kinds are equal for every mesh, so that meshes of one model share their kernels.
  std::vector<BoundarySpec> kinds;
  for (const auto& kind : p.model.boundaries) {
    BoundarySpec spec;
    spec.name = kind.name;
    for (std::size_t i = 0; i < kind.parameters.size(); ++i) spec.data.push_back(parse("0.7 + 0.1*x"));
    kinds.push_back(spec);
  }
  BoundarySpec dirichlet, incident;
  dirichlet.kind = BoundarySpec::Kind::dirichlet;
  for (std::size_t f = 0; f < p.model.fields.size(); ++f)
    dirichlet.data.push_back(parse("sin(x + 2*y - z + t) + 0.1*" + std::to_string(f)));
  incident.kind = BoundarySpec::Kind::incident;
  WaveSpec wave;
  wave.direction = model.dim == 1   ? std::array{-1.0, 0.0, 0.0}
                   : model.dim == 2 ? std::array{0.6, 0.8, 0.0}
                                    : std::array{0.36, 0.48, 0.8};
  wave.polarisation = model.dim == 1 ? std::array{1.0, 0.0, 0.0} : std::array{-0.8, 0.6, 0.0};
  wave.origin = {0.1, -0.2, 0};
  wave.pulse = Expression::parse("cos(2*s)", {"s"}, "test");
  incident.wave = wave;
  kinds.push_back(dirichlet);
  if (model.waves()) kinds.push_back(incident);
  for (int side = 0; side <= 2 * model.dim; ++side) p.boundary.push_back(kinds[side % kinds.size()]);
  return p;
}

Problem free_stream_problem(const Mesh& mesh, const ModelIn& model, int order, const Vector& state) {
  Random random(11);
  Problem p = random_problem(mesh, model, order, random);
  p.material.assign(mesh.regions.size(), p.material.front());
  BoundarySpec same;
  same.kind = BoundarySpec::Kind::dirichlet;
  for (const double value : state) same.data.emplace_back(value);
  p.boundary.assign(mesh.boundaries.size() + 1, same);
  return p;
}

State random_state(const Operator& dg, Random& random) {
  State all;
  for (std::int64_t cell = 0; cell < dg.problem().mesh->cell_count(); ++cell)
    all.push_back(random.matrix(dg.elements().node_count(cell), static_cast<Eigen::Index>(dg.problem().model.fields.size())));
  return all;
}

void write(Operator& dg, Buffer& buffer, const State& state) {
  dg.states().write_state(
      buffer, [&](std::int64_t cell, double* values) { std::copy_n(state[cell].data(), state[cell].size(), values); });
}

State read(const Operator& dg, const Buffer& buffer) {
  const auto fields = static_cast<Eigen::Index>(dg.problem().model.fields.size());
  State all(dg.problem().mesh->cell_count());
  dg.states().read_state(buffer, [&](std::int64_t cell, const double* values) {
    all[cell] = Eigen::Map<const Matrix>(values, dg.elements().node_count(cell), fields);
  });
  return all;
}

State rate_of(Operator& dg, const State& q, double t) {
  const auto state = dg.make_state("q"), out = dg.make_state("rate");
  write(dg, *state, q);
  dg.rate(t, *state, *out);
  dg.device().queue().finish();
  return read(dg, *out);
}

double largest(const State& state) {
  double most = 0;
  for (const Matrix& m : state) most = std::max(most, largest(m));
  return most;
}

double distance(const State& a, const State& b) {
  double most = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t cell = 0; cell < std::min(a.size(), b.size()); ++cell) {
    const double each = largest(Matrix(a[cell] - b[cell]));
    most = each <= most ? most : each;  // not a number counts as far
  }
  return most;
}

}  // namespace swell
