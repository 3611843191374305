// SPDX-License-Identifier: Apache-2.0
#include "study/bench/bench.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "dg/nodal/operator.hpp"
#include "dg/transfer.hpp"
#include "mesh/geometry.hpp"
#include "model/model_probe.hpp"

namespace swell {

namespace {

constexpr double shortest_measurement = 0.4;  // seconds
constexpr int fewest_runs = 3;
// Steps between two waits: on GPUs the queue must not run dry between them.
constexpr int steps_at_once_simt = 4, steps_at_once = 1;
constexpr double dofs_simt = 20e6, dofs_cpu = 6e6;
constexpr double part_of_cell_moved = 0.2;
constexpr double part_of_box_bent = 0.05;
constexpr int order_of_curved_cells = 2;
constexpr double conductivity = 0.5;  // small beside the fields' own rates, as in lossy ground
constexpr int point_sources = 16, receivers = 64;

// Cells that one square or cube of a box is cut into.
int pieces(Shape shape) {
  switch (shape) {
    case Shape::triangle: return 2;
    case Shape::tetrahedron: return 6;
    case Shape::prism: return 2;
    case Shape::pyramid: return 3;
    default: return 1;
  }
}

// Whether a model that ships with Swell is a linear hyperbolic system in this dimension.
bool is_wave(const std::string& name, int dim) {
  if (page_kind(kernel_texts("models/" + name + ".h")) != PageKind::hyperbolic) return false;
  try {
    return load_model(name, dim).linear;
  } catch (const InputError&) {
    return false;  // its page states other dimensions
  }
}

}  // namespace

std::string BenchEntry::name() const {
  const std::string_view element = mixed ? dimension(shape) == 3 ? "space-mixed" : "mixed" : shape_name(shape);
  const char* kind = irregular ? "-irregular" : varying ? "-varying" : curved ? "-curved" : reacting ? "-reacting" : sources ? "-sources" : "";
  return fmt::format("{}-{}{}{}{}-{}-{}", model, element, kind, pair.empty() ? "" : "-", pair, order,
                     precision == Precision::double_ ? "double" : "single");
}

BoxOptions bench_box(const BenchEntry& entry, double dofs) {
  const int dim = dimension(entry.shape);
  // Nodes of a rectangle or brick; half of those of a mixed box are two triangles. In space 2 of 12 bricks are whole, 5 are prisms, 1 is
  // tetrahedra and 4 are pyramids.
  const auto nodes_of = [&](Shape shape) { return static_cast<double>(pieces(shape) * mode_count(shape, entry.order)); };
  double nodes = nodes_of(entry.shape);
  if (entry.mixed && dim == 2) nodes = (nodes_of(Shape::triangle) + nodes) / 2;
  if (entry.mixed && dim == 3) nodes = (2 * nodes + 5 * nodes_of(Shape::prism) + nodes_of(Shape::tetrahedron) + 4 * nodes_of(Shape::pyramid)) / 12;
  const auto fields = static_cast<double>(load_model(entry.model, dim).fields.size());
  const auto side = std::max<std::int64_t>(2, std::llround(std::pow(dofs / (nodes * fields), 1.0 / dim)));
  BoxOptions box;
  box.low.assign(dim, 0.0);
  box.high.assign(dim, 1.0);
  box.cells.assign(dim, side);
  box.periodic.assign(dim, true);
  box.shape = entry.shape;
  box.mixed = entry.mixed;
  // Whole periods of the pattern.
  const auto rounded = [&](std::int64_t period) { return period * std::max<std::int64_t>(1, (side + period / 2) / period); };
  if (entry.mixed && dim == 3) box.cells = {rounded(3), rounded(3), rounded(4)};
  if (entry.shape == Shape::pyramid) box.cells = {rounded(2), rounded(2), rounded(2)};
  if (entry.irregular) box.move = part_of_cell_moved;
  if (entry.curved) box.bend = part_of_box_bent, box.geometry_order = order_of_curved_cells;
  return box;
}

std::vector<BenchEntry> bench_entries(const std::vector<int>& orders) {
  std::vector<BenchEntry> all;
  const auto add = [&](const std::string& model, std::initializer_list<Shape> shapes, BenchEntry kind = {}) {
    for (const Shape shape : shapes)
      for (const Precision precision : {Precision::double_, Precision::single_})
        for (const int order : orders) {
          BenchEntry entry = kind;
          entry.model = model, entry.shape = shape, entry.order = order, entry.precision = precision;
          all.push_back(std::move(entry));
        }
  };
  for (const std::string& name : model_names()) {
    if (is_wave(name, 3)) add(name, {Shape::tetrahedron, Shape::hexahedron});
    if (is_wave(name, 2)) add(name, {Shape::triangle, Shape::quadrilateral});
  }
  add("acoustics", {Shape::hexahedron, Shape::quadrilateral}, {.irregular = true});
  add("acoustics", {Shape::quadrilateral, Shape::hexahedron}, {.mixed = true});
  add("acoustics", {Shape::prism, Shape::pyramid}, {});
  for (const char* model : {"acoustics", "elastic", "maxwell"}) add(model, {Shape::tetrahedron}, {.varying = true});
  for (const char* model : {"acoustics", "maxwell-tm"}) add(model, {Shape::triangle}, {.varying = true});
  for (const char* model : {"acoustics", "elastic", "maxwell"}) add(model, {Shape::tetrahedron, Shape::hexahedron}, {.curved = true});
  add("acoustics", {Shape::triangle, Shape::quadrilateral}, {.curved = true});
  add("maxwell", {Shape::tetrahedron, Shape::hexahedron}, {.reacting = true});
  for (const char* model : {"acoustics", "maxwell"}) add(model, {Shape::tetrahedron, Shape::hexahedron}, {.sources = true});
  for (const char* model : {"euler", "navier-stokes"}) add(model, {Shape::quadrilateral, Shape::hexahedron, Shape::triangle, Shape::tetrahedron});
  for (const char* pair : {"kennedy_gruber", "ranocha"}) add("euler", {Shape::quadrilateral, Shape::hexahedron}, {.pair = pair});
  add("navier-stokes", {Shape::quadrilateral, Shape::hexahedron}, {.pair = "kennedy_gruber"});
  return all;
}

// Periodic, as the box is.
std::string varying_material(double value) { return fmt::format("{} * (1 + 0.4*sin(2*pi*x)*cos(2*pi*y))", value); }

double default_dofs(const Device& device) { return device.info().simt ? dofs_simt : dofs_cpu; }

namespace {

// An operator on its box, stepped and timed.
class TimedBox {
 public:
  TimedBox(const BenchEntry& entry, Device& device, double dofs)
      : device_(device), mesh_(make_box(bench_box(entry, dofs))), dg_(problem_of(entry, mesh_), device), integrator_(make_integrator("lsrk54", dg_)) {
    if (!dg_.problem().model.variables.empty()) fill_variables();
    else fill_fields();
    if (entry.sources) add_receivers();
    step();
    device_.queue().finish();
  }

  // Waves of any size.
  void fill_fields() {
    std::map<Shape, CellMap> maps;
    for (const auto& [shape, element] : dg_.elements().all()) maps.emplace(shape, CellMap(mesh_, shape, element.nodes));
    dg_.states().write_state(integrator_->state(), [&](std::int64_t cell, double* values) {
      std::vector<double> x(dg_.elements().most_nodes() * mesh_.dim);
      maps.at(mesh_.shape_of(cell)).coordinates(cell, x.data());
      for (int n = 0; n < dg_.elements().node_count(cell); ++n) {
        const double wave = std::sin(6.0 * x[n * mesh_.dim] + x[n * mesh_.dim + 1]);
        for (int f = 0; f < dg_.fields(); ++f) values[n * dg_.fields() + f] = wave + 0.1 * f;
      }
    });
  }

  // Small waves about variables of 1, which are admissible; all cells have the same state.
  void fill_variables() {
    const Model& model = dg_.problem().model;
    const std::unique_ptr<Device> host = open_device("cpu:1");
    const ModelProbe probe(model, *host);
    const int nodes = dg_.element().node_count;
    Matrix v(nodes, dg_.fields()), m(nodes, probe.parameters());
    for (int k = 0; k < probe.parameters(); ++k) m.col(k).setConstant(model.material[static_cast<std::size_t>(k)].value);
    for (int n = 0; n < nodes; ++n)
      for (int f = 0; f < dg_.fields(); ++f) v(n, f) = 1 + 0.1 * std::sin(0.7 * n + f);
    const Matrix q = probe.fields_of(v, m);
    dg_.states().write_state(integrator_->state(), [&](std::int64_t, double* values) { std::copy_n(q.data(), q.size(), values); });
  }

  // Where they are in the cells, and room for what they see in one step.
  void add_receivers() {
    std::vector<std::int32_t> slots;
    std::vector<double> weights;
    for (const PointSourceSpec& point : scattered_points(mesh_, receivers)) {
      Matrix at(1, mesh_.dim);
      for (int d = 0; d < mesh_.dim; ++d) at(0, d) = point.reference[d];
      const Matrix w = dg_.states().evaluation(at);
      slots.push_back(static_cast<std::int32_t>(dg_.layout().address(dg_.layout().slot_of_cell[point.cell])));
      weights.insert(weights.end(), w.data(), w.data() + w.size());
    }
    receiver_slots_ = upload_integers(device_, slots, "receivers");
    receiver_weights_ = upload_reals(device_, dg_.problem().precision, weights, "receivers");
    samples_ = upload_reals(device_, dg_.problem().precision, std::vector<double>(static_cast<std::size_t>(receivers * dg_.fields())), "samples");
  }

  void step() {
    integrator_->step(0, tiny_step);
    if (samples_) dg_.states().sample(integrator_->state(), *receiver_slots_, *receiver_weights_, *samples_, receivers, 0);
  }

  void run() {
    const int steps = device_.info().simt ? steps_at_once_simt : steps_at_once;
    const Stopwatch clock;
    for (int s = 0; s < steps; ++s) step();
    device_.queue().finish();
    seconds_ = std::min(seconds_, clock.seconds() / (steps * integrator_->stages()));
  }

  NodalOperator& dg() { return dg_; }
  double seconds() const { return seconds_; }  // of a stage, the best so far
  double seconds_of_unknown() const { return seconds_ / static_cast<double>(dg_.dofs()); }
  // The part of the unknowns that lies in elements of a shape.
  double part_in(Shape shape) const {
    std::int64_t nodes = 0;
    for (const ShapeRun& run : dg_.elements().runs())
      if (run.shape == shape) nodes += run.cells * dg_.elements().of(shape).node_count;
    return static_cast<double>(nodes * dg_.fields()) / static_cast<double>(dg_.dofs());
  }

 private:
  static Problem problem_of(const BenchEntry& entry, const Mesh& mesh) {
    Problem problem;
    problem.model = load_model(entry.model, dimension(entry.shape));
    problem.mesh = &mesh;
    problem.order = entry.order;
    problem.precision = entry.precision;
    if (problem.model.default_flux == "rusanov") problem.flux = FluxKind::rusanov;
    if (!entry.pair.empty()) problem.volume_form = VolumeForm::split, problem.pair = entry.pair;
    problem.material.resize(mesh.regions.size());
    for (auto& region : problem.material)
      for (const auto& p : problem.model.material) region.emplace_back(p.value);
    for (auto& region : problem.material) {
      if (entry.varying)
        region.front() = Expression::parse(varying_material(problem.model.material.front().value), space_time_variables, "bench");
      if (entry.reacting) region[static_cast<std::size_t>(problem.model.material_index("sigma"))] = Expression(conductivity);
    }
    if (entry.sources) problem.points = scattered_points(mesh, point_sources);
    for (PointSourceSpec& point : problem.points) {
      point.balance.assign(problem.model.fields.size(), 0.0);
      point.balance.back() = 1;
      point.rate.assign(problem.model.fields.size(), 0.0);
      point.signal = Expression::parse("sin(10*t)", {"t"}, "bench");
    }
    return problem;
  }

  // Points all over a box whose sides are 1.
  static std::vector<PointSourceSpec> scattered_points(const Mesh& mesh, int count) {
    const Locator locator(mesh);
    std::vector<PointSourceSpec> points(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      PointSourceSpec& point = points[static_cast<std::size_t>(i)];
      for (int d = 0; d < mesh.dim; ++d) point.position[d] = 0.5 + 0.45 * std::sin(1 + i * (d + 1.7));
      const auto hit = locator.find(point.position.data());
      point.cell = hit.cell;
      point.reference = hit.reference;
    }
    return points;
  }

  static constexpr double tiny_step = 1e-6;  // the speed does not depend on it
  Device& device_;
  Mesh mesh_;
  NodalOperator dg_;
  std::unique_ptr<Integrator> integrator_;
  double seconds_ = std::numeric_limits<double>::infinity();
  std::unique_ptr<Buffer> receiver_slots_, receiver_weights_, samples_;  // where the entry has receivers
};

}  // namespace

std::vector<BenchEntry> BenchEntry::plain() const {
  std::vector<BenchEntry> all;
  if (mixed && dimension(shape) == 2) all.push_back({model, Shape::triangle, order, precision});
  if (mixed && dimension(shape) == 3)
    for (const Shape other : {Shape::tetrahedron, Shape::prism, Shape::pyramid}) all.push_back({model, other, order, precision});
  if (mixed || irregular || varying || curved || reacting || sources || !pair.empty()) all.push_back({model, shape, order, precision});
  return all;
}

const BenchResult* worst_of_plain(const std::vector<BenchResult>& results) {
  const BenchResult* worst = nullptr;
  for (const BenchResult& result : results)
    if (result.of_plain && (!worst || *result.of_plain < *worst->of_plain)) worst = &result;
  return worst;
}

BenchResult run_bench(const BenchEntry& entry, Device& device, const Peaks& peaks, double dofs) {
  const Stopwatch setting_up;
  std::vector<std::unique_ptr<TimedBox>> boxes;
  boxes.push_back(std::make_unique<TimedBox>(entry, device, dofs));
  TimedBox& box = *boxes.front();
  BenchResult result;
  result.entry = entry;
  result.elements = box.dg().layout().elements;
  result.dofs = box.dg().dofs();
  result.work = box.dg().stage_work();
  result.bound = bound_of(result.work, peaks, entry.precision);
  result.setup_seconds = setting_up.seconds();
  const auto plain = entry.plain();
  for (const BenchEntry& other : plain) boxes.push_back(std::make_unique<TimedBox>(other, device, dofs));
  const Stopwatch all;
  for (int i = 0; i < fewest_runs || all.seconds() < shortest_measurement * static_cast<double>(boxes.size()); ++i)
    for (auto& timed : boxes) timed->run();
  result.seconds = box.seconds();
  double expected = 0;
  for (std::size_t i = 0; i < plain.size(); ++i)
    expected += box.part_in(plain[i].shape) * boxes[i + 1]->seconds_of_unknown();
  if (!plain.empty()) result.of_plain = expected / box.seconds_of_unknown();
  return result;
}

}  // namespace swell
