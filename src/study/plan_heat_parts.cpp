// SPDX-License-Identifier: Apache-2.0
// Heat and Poisson on ranks that are not there: the largest part is set up on this device, and what all would send is counted.
#include <algorithm>
#include <array>

#include "cg/rank_nodes.hpp"
#include "mesh/partition.hpp"
#include "sim/heat/heat.hpp"
#include "study/absent_ranks.hpp"
#include "study/plan_parts.hpp"

namespace swell {

namespace {

struct Shares {
  bool grid = false;  // slabs of the fixed grid
  std::vector<std::int64_t> layers;
  std::vector<std::int32_t> owner;
};

Shares shares_of(const Case& c, const DiffusionProblem& whole, bool steady, int count) {
  Shares shares;
  shares.grid = c.family != "discontinuous" && on_fixed_grid(c, whole, steady, count);
  if (shares.grid) {
    shares.layers = slab_layers(c.box->cells[2], count, c.fractions);
    shares.owner = slab_owners(*c.box, shares.layers);
  } else {
    shares.owner = partition(*whole.mesh, {c.partition, count, c.fractions, {}});
  }
  return shares;
}

// The rank with the most elements, or planes of a grid, and among several the one with the most faces shared with others. With
// a multigrid it is the first rank, which has all of the last levels.
int largest_part(const Case& c, const Mesh& whole, const Shares& shares, int count) {
  if (c.solver.preconditioner == "multigrid") return 0;
  std::vector<std::array<std::int64_t, 2>> sizes(static_cast<std::size_t>(count), {0, 0});
  for (std::int64_t cell = 0; cell < whole.cell_count(); ++cell) {
    auto& [size, faces] = sizes[shares.owner[cell]];
    if (!shares.grid) ++size;
    for (int f = 0; f < face_count(whole.shape_of(cell)); ++f) {
      const std::int64_t other = whole.neighbour(cell, f).cell;
      if (other >= 0 && shares.owner[other] != shares.owner[cell]) ++faces;
    }
  }
  for (int rank = 0; rank < count && shares.grid; ++rank) sizes[rank][0] = slab_of(*c.box, shares.layers, rank).planes;
  return static_cast<int>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
}

// One rank, set up as HeatSimulation does, up to the first iteration.
class OneOfRanks {
 public:
  OneOfRanks(const Case& c, const DiffusionPage& page, const Mesh& whole, Shares shares, int rank, int count, Device& device)
      : case_(c), steady_(page.capacity < 0), whole_(whole), owner_(std::move(shares.owner)), ranks_(shares.grid ? rank : 0, count),
        vectors_(device, c.precision, ranks_), multigrid_(c.solver.preconditioner == "multigrid") {
    // Elements are told who shares what by the first rank: here it is the one that is measured.
    if (!shares.grid)
      for (auto& owner : owner_) owner = owner == rank ? 0 : owner == 0 ? rank : owner;
    part_ = part_of(whole, owner_, ranks_.rank());
    if (c.family != "discontinuous") part_ = without_halo(std::move(part_));
    DiffusionProblem problem = diffusion_problem(problem_of_case(c, part_, Extent::part), page);
    try {
      if (c.family == "discontinuous")
        solve_discontinuous(std::move(problem));
      else
        solve_continuous(std::move(problem), shares.grid ? &shares.layers : nullptr);
    } catch (const NotConverged&) {
      // Iterations need the other ranks.
    }
  }

  const HaloExchange& exchange() const { return dg_ ? *dg_->of().exchange() : *cg_->exchange(); }
  std::int64_t shared_faces() const {
    std::int64_t faces = 0;
    for (const NeighbourRank& other : neighbour_ranks(part_)) faces += static_cast<std::int64_t>(other.sent.size());
    return faces;
  }
  // Memory for the history of the iterations that were not tried.
  std::int64_t bytes_of_history() const {
    return static_cast<std::int64_t>(vectors_.total_bytes()) * (case_.solver.iterations - one_iteration.most_iterations);
  }

 private:
  static constexpr SolverOptions one_iteration{1e-10, 1};

  SharedMesh shared() const { return {&whole_, &owner_}; }

  void solve_discontinuous(DiffusionProblem problem) {
    const SharedMesh mesh = shared();
    dg_ = std::make_unique<DiscontinuousPoisson>(std::move(problem), vectors_, one_iteration, multigrid_, case_.box, &mesh);
    dg_->solve();
  }

  void solve_continuous(DiffusionProblem problem, const std::vector<std::int64_t>* layers) {
    if (layers) {
      const GridSlab slab = slab_of(*case_.box, *layers, ranks_.rank());
      cg_ = std::make_unique<GridHeat>(std::move(problem), *case_.box, vectors_, steady_,
                                       GridPart{slab, slab_surface(whole_, *case_.box, slab)});
    } else {
      RankNodes nodes = rank_nodes(problem, shared(), ranks_, space_filling_order(part_));
      auto elements = std::make_unique<ContinuousOperator>(std::move(problem), vectors_, steady_, std::move(nodes));
      const SharedMesh mesh = shared();
      if (multigrid_) levels_ = std::make_unique<HeatLevels>(*elements, case_.box, steady_, &mesh);
      cg_ = std::move(elements);
    }
    if (steady_) {
      solver_ = std::make_unique<SteadySolver>(*cg_, one_iteration);
      if (levels_) solver_->precondition(*levels_);
      solver_->solve();
    } else {
      const bool bdf2 = case_.scheme == "bdf2";
      stepper_ = std::make_unique<HeatStepper>(*cg_, ImplicitScheme{bdf2 ? ImplicitScheme::Kind::bdf2 : ImplicitScheme::Kind::theta, case_.theta},
                                               one_iteration);
      if (levels_) stepper_->precondition(*levels_);
      stepper_->step(0, *case_.dt);
    }
  }

  const Case& case_;
  bool steady_;
  const Mesh& whole_;
  std::vector<std::int32_t> owner_;
  AbsentRanks ranks_;
  Vectors vectors_;
  bool multigrid_;
  Mesh part_;
  std::unique_ptr<HeatOperator> cg_;
  std::unique_ptr<HeatLevels> levels_;
  std::unique_ptr<HeatStepper> stepper_;
  std::unique_ptr<SteadySolver> solver_;
  std::unique_ptr<DiscontinuousPoisson> dg_;
};

// Bytes that each rank has in one exchange for each of the others: [rank][neighbour].
std::vector<std::vector<std::int64_t>> bytes_sent(const Case& c, const DiffusionProblem& whole, const Shares& shares, int count,
                                                  const OneOfRanks& one) {
  const auto word = static_cast<std::int64_t>(bytes_of(c.precision));
  std::vector<std::vector<std::int64_t>> all(static_cast<std::size_t>(count));
  if (c.family == "discontinuous") {
    // Every face costs the same.
    const HaloTimes& times = one.exchange().times();
    const std::int64_t of_face = times.bytes / times.exchanges / one.shared_faces();
    for (int rank = 0; rank < count; ++rank)
      for (const NeighbourRank& other : neighbour_ranks(part_of(*whole.mesh, shares.owner, rank)))
        all[rank].push_back(static_cast<std::int64_t>(other.sent.size()) * of_face);
  } else if (shares.grid) {
    const auto vertices = [&](int axis) { return c.box->cells[axis] + (c.box->periodic.empty() || !c.box->periodic[axis] ? 1 : 0); };
    for (int rank = 0; rank < count; ++rank)
      for (const HaloRows& rows : slab_halo(slab_of(*c.box, shares.layers, rank), vertices(1), vertices(0), 0, 0))
        all[rank].push_back(static_cast<std::int64_t>(rows.sent.size()) * vertices(0) * word);
  } else {
    const auto shared = shared_unknowns(whole, shares.owner, count);
    for (int rank = 0; rank < count; ++rank)
      for (const auto& [other, unknowns] : shared[rank]) all[rank].push_back(unknowns * word);
  }
  return all;
}

}  // namespace

std::vector<PartsPlan> plan_heat_parts(const Case& c, const std::vector<int>& ranks, Device& device) {
  const Mesh whole = mesh_of_case(c);
  const Problem stated = problem_of_case(c, whole);
  const DiffusionPage page = read_diffusion_page(stated.model, device);
  const DiffusionProblem problem = diffusion_problem(stated, page);
  std::vector<PartsPlan> all;
  for (const int count : ranks) {
    const Shares shares = shares_of(c, problem, page.capacity < 0, count);
    const std::int64_t before = device.counters().bytes;
    const int largest = largest_part(c, whole, shares, count);
    const OneOfRanks one(c, page, whole, shares, largest, count, device);
    const auto sent = bytes_sent(c, problem, shares, count, one);
    PartsPlan& plan =
        all.emplace_back(count_parts(whole, shares.owner, count, [&](int rank, const Mesh&, const auto&) { return sent[rank]; }));
    plan.largest = largest;
    // A solver keeps room for the history of all iterations that it may take.
    plan.device_bytes = device.counters().bytes - before + one.bytes_of_history();
  }
  return all;
}

}  // namespace swell
