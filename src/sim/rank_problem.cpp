// SPDX-License-Identifier: Apache-2.0
#include "sim/rank_problem.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "mesh/part_bytes.hpp"
#include "mesh/partition.hpp"
#include "sim/distribute.hpp"
#include "sim/problem_of_case.hpp"

namespace swell {

namespace {

constexpr std::size_t longest_message = std::size_t{1} << 30;  // MPI counts to 2^31

// What all ranks hear of the whole mesh.
struct Head {
  enum class Refused { no, input, run } refused = Refused::no;
  std::string words;  // of the mesh, or of why it was refused
  std::int64_t elements = 0;
  std::vector<std::int64_t> point_cells;  // of the sources
  std::vector<std::array<double, 3>> point_references;
};

struct Whole {
  Mesh mesh;
  std::vector<std::int32_t> part;  // [cell] -> rank
};

Head look(const Case& c, Ranks& ranks, const std::function<std::string(const Mesh&)>& about, Whole& whole) {
  Head head;
  try {
    whole.mesh = mesh_of_case(c);
    const Problem problem = problem_of_case(c, whole.mesh);
    whole.part = partition(whole.mesh, {c.partition, ranks.count(), c.fractions, element_costs(problem)});
    head.words = about(whole.mesh);
    head.elements = whole.mesh.cell_count();
    for (const PointSourceSpec& point : problem.points) {
      head.point_cells.push_back(point.cell);
      head.point_references.push_back(point.reference);
    }
    std::vector<std::int64_t> cells(static_cast<std::size_t>(ranks.count()), 0);
    for (const auto p : whole.part) ++cells[p];
    const auto [fewest, most] = std::minmax_element(cells.begin(), cells.end());
    log_info("{} ranks with {} to {} elements", ranks.count(), *fewest, *most);
  } catch (const InputError& refusal) {
    head = {Head::Refused::input, refusal.what(), 0, {}, {}};
  } catch (const RunError& failure) {
    head = {Head::Refused::run, failure.what(), 0, {}, {}};
  }
  return head;
}

void share(Head& head, Ranks& ranks) {
  ByteWriter writer;
  writer.add(head.refused);
  writer.add(head.words);
  writer.add(head.elements);
  writer.add(head.point_cells);
  writer.add(head.point_references);
  auto bytes = writer.take();
  auto size = bytes.size();
  ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
  bytes.resize(size);
  ranks.broadcast(bytes, 0);
  ByteReader reader(bytes);
  reader.get(head.refused);
  reader.get(head.words);
  reader.get(head.elements);
  reader.get(head.point_cells);
  reader.get(head.point_references);
}

// The first rank's bytes to rank `to`.
void send(std::vector<std::byte>& bytes, int to, Ranks& ranks) {
  auto size = bytes.size();
  ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
  if (ranks.rank() == to) bytes.resize(size);
  for (std::size_t at = 0; at < size; at += longest_message) {
    std::vector<Message> sent, expected;
    const auto piece = [&] { return std::span(bytes).subspan(at, std::min(longest_message, size - at)); };
    if (ranks.first()) sent.push_back({to, piece()});
    if (ranks.rank() == to) expected.push_back({0, piece()});
    const auto transfer = ranks.transfer(expected, sent);
    transfer->start();
    transfer->finish();
  }
}

Mesh share_parts(Whole whole, Ranks& ranks) {
  Mesh own;
  for (int to = 1; to < ranks.count(); ++to) {
    std::vector<std::byte> bytes;
    if (ranks.first()) bytes = bytes_of(part_of(whole.mesh, whole.part, to));
    send(bytes, to, ranks);
    if (ranks.rank() == to) own = mesh_of_bytes(bytes);
  }
  return ranks.first() ? part_of(whole.mesh, whole.part, 0) : own;
}

}  // namespace

RankProblem problem_of_rank(const Case& c, Ranks& ranks, const std::function<std::string(const Mesh&)>& about) {
  Whole whole;
  Head head;
  if (ranks.first()) head = look(c, ranks, about, whole);
  share(head, ranks);
  if (head.refused == Head::Refused::input) throw InputError("{}", head.words);
  if (head.refused == Head::Refused::run) throw RunError("{}", head.words);
  RankProblem result;
  result.mesh = share_parts(std::move(whole), ranks);
  result.problem = problem_of_case(c, result.mesh, Extent::part);
  result.elements = head.elements;
  result.about_mesh = head.words;
  const Mesh& mesh = result.mesh;
  const auto last = mesh.number.begin() + mesh.own_count();
  for (std::size_t i = 0; i < head.point_cells.size(); ++i) {
    PointSourceSpec& point = result.problem.points[i];
    const auto found = std::lower_bound(mesh.number.begin(), last, head.point_cells[i]);
    point.cell = found != last && *found == head.point_cells[i] ? found - mesh.number.begin() : -1;
    point.reference = head.point_references[i];
  }
  return result;
}

}  // namespace swell
