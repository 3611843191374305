// SPDX-License-Identifier: Apache-2.0
#include "sim/rank_mesh.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "case/problem_of_case.hpp"
#include "comm/scatter.hpp"
#include "mesh/part_bytes.hpp"
#include "mesh/partition.hpp"
#include "sim/whole_mesh.hpp"

namespace swell {

namespace {

// The facts about the whole mesh that the first rank broadcasts.
struct Head {
  enum class Refused { no, input, run } refused = Refused::no;
  std::string words;  // its fingerprint, or why it was refused
  std::int64_t elements = 0;
};

void tell_shares(const std::vector<std::int32_t>& owner, int ranks) {
  std::vector<std::int64_t> cells(static_cast<std::size_t>(ranks), 0);
  for (const auto rank : owner) ++cells[rank];
  const auto [fewest, most] = std::minmax_element(cells.begin(), cells.end());
  log_info("{} ranks with {} to {} elements", ranks, *fewest, *most);
}

Head read_and_cut(const Case& c, int ranks, const std::function<MeshLook(const Mesh&)>& look, RankMesh& result) {
  try {
    result.whole = std::make_unique<Mesh>(mesh_of_case(c));
    MeshLook seen = look(*result.whole);
    result.owner = !seen.owner.empty() ? std::move(seen.owner)
                                       : partition(*result.whole, {c.partition, ranks, c.fractions, std::move(seen.costs)});
    tell_shares(result.owner, ranks);
    return {Head::Refused::no, fingerprint(*result.whole), result.whole->cell_count()};
  } catch (const InputError& refusal) {
    return {Head::Refused::input, refusal.what(), 0};
  } catch (const RunError& failure) {
    return {Head::Refused::run, failure.what(), 0};
  }
}

}  // namespace

RankMesh share_mesh(const Case& c, Ranks& ranks, const std::function<MeshLook(const Mesh&)>& look) {
  RankMesh result;
  Head head;
  if (ranks.first()) head = read_and_cut(c, ranks.count(), look, result);
  share(ranks, head.refused, head.words, head.elements);
  if (head.refused == Head::Refused::input) throw InputError("{}", head.words);
  if (head.refused == Head::Refused::run) throw RunError("{}", head.words);
  result.elements = head.elements;
  result.fingerprint = head.words;
  result.part = mesh_of_bytes(scatter([&](int to) { return bytes_of(part_of(*result.whole, result.owner, to)); }, ranks));
  return result;
}

}  // namespace swell
