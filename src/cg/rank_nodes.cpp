// SPDX-License-Identifier: Apache-2.0
#include "cg/rank_nodes.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <span>

#include "base/bytes.hpp"
#include "comm/scatter.hpp"
#include "mesh/geometry.hpp"

namespace swell {

std::vector<char> fixed_boundaries(const DiffusionProblem& problem) {
  std::vector<char> fixed;
  for (const DiffusionBoundary& b : problem.boundary) fixed.push_back(b.kind == DiffusionBoundary::Kind::value);
  return fixed;
}

GivenNodes given_nodes(const DiffusionProblem& problem, const Elements& elements, const Numbering& numbering) {
  const Mesh& mesh = *problem.mesh;
  const int dim = mesh.dim;
  GivenNodes given;
  given.place.resize((numbering.count - numbering.free) * dim);
  given.boundary.assign(numbering.count - numbering.free, -1);
  if (given.boundary.empty()) return given;
  std::map<Shape, CellMap> maps;
  for (const auto& [shape, element] : elements.all()) maps.emplace(shape, CellMap(mesh, shape, element.nodes));
  std::vector<double> x(elements.most_nodes() * dim);
  elements.for_cells([&](std::int64_t cell, const ReferenceElement& element, std::int64_t first) {
    for (int f = 0; f < element.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell >= 0) continue;
      const auto number = static_cast<std::int32_t>(n.boundary >= 0 ? n.boundary : problem.boundary.size() - 1);
      if (problem.boundary[number].kind != DiffusionBoundary::Kind::value) continue;
      maps.at(element.shape).coordinates(cell, x.data());
      for (int i = 0; i < element.face_size(f); ++i) {
        const int node = element.face_node(f, i);
        const std::int64_t fixed = numbering.of_node[first + node] - numbering.free;
        if (given.boundary[fixed] >= 0 && given.boundary[fixed] <= number) continue;
        given.boundary[fixed] = number;
        std::copy_n(x.data() + node * dim, dim, given.place.begin() + fixed * dim);
      }
    }
  });
  return given;
}

namespace {

// An unknown, by its number in the whole mesh, that another rank has too.
struct SharedUnknown {
  std::int32_t unknown = 0, rank = 0;
  std::int32_t owner = 0;  // one of those who have it
  auto operator<=>(const SharedUnknown&) const = default;
};

// The first rank's message to another rank about the nodes of its cells, by their numbers in the whole mesh.
struct NodeNews {
  std::int64_t all = 0, all_free = 0;
  std::vector<std::int32_t> of_node;  // [cell][node]
  std::vector<SharedUnknown> shared;  // ascending
  GivenNodes given;                   // of its given nodes, ascending by their numbers

  template <class Each>
  static void for_all(auto& news, const Each& each) {
    each(news.all);
    each(news.all_free);
    each(news.of_node);
    each(news.shared);
    each(news.given.place);
    each(news.given.boundary);
  }
};

// On the first rank: the nodes of the whole mesh and who has them.
class WholeNodes {
 public:
  WholeNodes(DiffusionProblem problem, const SharedMesh& shared, int ranks)
      : elements_(*shared.whole, problem.order), dim_(shared.whole->dim), cells_(ranks), shared_(ranks) {
    problem.mesh = shared.whole;
    all_ = number_nodes(*shared.whole, elements_, fixed_boundaries(problem));
    given_ = given_nodes(problem, elements_, all_);
    const auto& owner = *shared.owner;
    for (std::int64_t cell = 0; cell < shared.whole->cell_count(); ++cell) cells_[owner[cell]].push_back(cell);
    find_shared(owner);
  }

  const std::vector<SharedUnknown>& shared(int rank) const { return shared_[rank]; }

  std::vector<std::byte> of_rank(int rank) {
    NodeNews news{all_.count, all_.free, {}, std::move(shared_[rank]), {}};
    news.of_node.reserve(cells_[rank].size() * static_cast<std::size_t>(elements_.most_nodes()));
    for (const std::int64_t cell : cells_[rank]) {
      const auto nodes = nodes_of(cell);
      news.of_node.insert(news.of_node.end(), nodes.begin(), nodes.end());
    }
    std::vector<std::int32_t> given;
    std::copy_if(news.of_node.begin(), news.of_node.end(), std::back_inserter(given), [&](auto node) { return node >= all_.free; });
    std::sort(given.begin(), given.end());
    given.erase(std::unique(given.begin(), given.end()), given.end());
    for (const std::int64_t node : given) {
      const auto from = given_.place.begin() + (node - all_.free) * dim_;
      news.given.place.insert(news.given.place.end(), from, from + dim_);
      news.given.boundary.push_back(given_.boundary[node - all_.free]);
    }
    ByteCounter counter;
    NodeNews::for_all(news, [&](const auto& member) { counter.add(member); });
    ByteWriter writer(counter.count());
    NodeNews::for_all(news, [&](const auto& member) { writer.add(member); });
    return writer.take();
  }

 private:
  std::span<const std::int32_t> nodes_of(std::int64_t cell) const {
    return std::span(all_.of_node).subspan(elements_.first_node(cell), elements_.node_count(cell));
  }

  void find_shared(const std::vector<std::int32_t>& owner) {
    constexpr std::int32_t nobody = -1;
    std::vector<std::int32_t> first_rank(static_cast<std::size_t>(all_.free), nobody);
    std::vector<char> several(first_rank.size(), 0);
    const auto for_unknowns = [&](const auto& visit) {
      for (std::size_t cell = 0; cell < owner.size(); ++cell)
        for (const auto node : nodes_of(static_cast<std::int64_t>(cell)))
          if (node < all_.free) visit(node, owner[cell]);
    };
    for_unknowns([&](std::int32_t node, std::int32_t rank) {
      if (first_rank[node] == nobody) first_rank[node] = rank;
      if (first_rank[node] != rank) several[node] = 1;
    });
    std::vector<SharedUnknown> held;
    for_unknowns([&](std::int32_t node, std::int32_t rank) {
      if (several[node]) held.push_back({node, rank, first_rank[node]});
    });
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    for (auto first = held.begin(); first != held.end();) {
      const auto last = std::find_if(first, held.end(), [&](const auto& other) { return other.unknown != first->unknown; });
      for (auto one = first; one != last; ++one)
        for (auto other = first; other != last; ++other)
          if (one != other) shared_[one->rank].push_back(*other);
      first = last;
    }
  }

  Elements elements_;
  int dim_;
  Numbering all_;
  GivenNodes given_;
  std::vector<std::vector<std::int64_t>> cells_;    // [rank]
  std::vector<std::vector<SharedUnknown>> shared_;  // [rank]: its unknowns that others have, and who
};

// Whole numbers that a rank has, ascending; place() is the number among them.
class Held {
 public:
  explicit Held(std::vector<std::int32_t> numbers) : numbers_(std::move(numbers)) {
    std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
  }
  std::int64_t count() const { return static_cast<std::int64_t>(numbers_.size()); }
  std::int64_t place(std::int64_t number) const {
    return std::lower_bound(numbers_.begin(), numbers_.end(), number) - numbers_.begin();
  }

 private:
  std::vector<std::int32_t> numbers_;
};

// Numbers the nodes in four passes over the cells, as number_nodes() does in two.
void number_part(const NodeNews& news, const Held& held, int rank, const Elements& elements, const std::vector<std::int64_t>& order, RankNodes& to,
                 std::vector<std::int32_t>& local) {
  enum : char { interior, owned, of_others, given };
  std::vector<char> kind(static_cast<std::size_t>(held.count()), interior);
  for (const SharedUnknown& one : news.shared) kind[held.place(one.unknown)] = one.owner == rank ? owned : of_others;
  std::fill(kind.begin() + held.place(news.all_free), kind.end(), given);
  std::vector<std::int32_t> places(news.of_node.size());
  std::transform(news.of_node.begin(), news.of_node.end(), places.begin(),
                 [&](auto node) { return static_cast<std::int32_t>(held.place(node)); });
  local.assign(kind.size(), -1);
  for (const char pass : {interior, owned, of_others, given}) {
    for (const std::int64_t cell : order) {
      const std::int64_t first = elements.first_node(cell), end = first + elements.node_count(cell);
      for (std::int64_t node = first; node < end; ++node) {
        const auto place = places[node];
        if (local[place] >= 0 || kind[place] != pass) continue;
        local[place] = static_cast<std::int32_t>(to.numbering.count++);
        to.whole.push_back(news.of_node[node]);
      }
    }
    if (pass == interior) to.interior = to.numbering.count;
    if (pass == owned) to.owned = to.numbering.count;
    if (pass == of_others) to.numbering.free = to.numbering.count;
  }
  for (auto& place : places) place = local[place];
  to.numbering.of_node = std::move(places);
}

RankNodes nodes_of_news(const NodeNews& news, int rank, const Elements& elements, int dim, const std::vector<std::int64_t>& order) {
  RankNodes result;
  result.all = news.all;
  result.all_free = news.all_free;
  const Held held(news.of_node);
  std::vector<std::int32_t> local;
  number_part(news, held, rank, elements, order, result, local);
  const std::int64_t first_given = held.place(news.all_free);
  for (std::int64_t i = result.numbering.free; i < result.numbering.count; ++i) {
    const std::int64_t from = held.place(result.whole[i]) - first_given;
    result.given.boundary.push_back(news.given.boundary[from]);
    const auto place = news.given.place.begin() + from * dim;
    result.given.place.insert(result.given.place.end(), place, place + dim);
  }
  std::map<int, std::vector<std::int32_t>> shared;
  result.owner.resize(static_cast<std::size_t>(result.numbering.free - result.owned));
  for (const auto& [unknown, other, owner] : news.shared) {
    const auto here = local[held.place(unknown)];
    shared[other].push_back(here);
    if (owner != rank) result.owner[here - result.owned] = owner;
  }
  for (auto& [other, unknowns] : shared) result.neighbours.push_back({other, std::move(unknowns)});
  return result;
}

}  // namespace

RankNodes rank_nodes(const DiffusionProblem& problem, const SharedMesh& shared, Ranks& ranks, const std::vector<std::int64_t>& order) {
  const Mesh& part = *problem.mesh;
  const Elements elements(part, problem.order);
  check_numbers(part, elements);  // on all ranks, before they wait for the first
  std::optional<WholeNodes> whole;
  if (ranks.first()) whole.emplace(problem, shared, ranks.count());
  const auto bytes = scatter([&](int to) { return whole->of_rank(to); }, ranks);
  whole.reset();
  NodeNews news;
  ByteReader reader(bytes);
  NodeNews::for_all(news, [&](auto& member) { reader.get(member); });
  return nodes_of_news(news, ranks.rank(), elements, part.dim, order);
}

std::vector<std::map<int, std::int64_t>> shared_unknowns(const DiffusionProblem& whole, const std::vector<std::int32_t>& owner, int ranks) {
  const WholeNodes nodes(whole, {whole.mesh, &owner}, ranks);
  std::vector<std::map<int, std::int64_t>> all(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    for (const SharedUnknown& one : nodes.shared(rank)) ++all[rank][one.rank];
  return all;
}

}  // namespace swell
