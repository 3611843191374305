// SPDX-License-Identifier: Apache-2.0
// The parts of a mesh that ranks hold: only the first reads it, the others are sent their parts and nothing more, for every
// model; and a file's own partitions are kept.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "device/device.hpp"
#include "mesh/gmsh_write.hpp"
#include "mesh/part_bytes.hpp"
#include "mesh/sources.hpp"
#include "sim/heat/heat.hpp"
#include "sim/simulation.hpp"
#include "support.hpp"
#include "wrapped_ranks.hpp"

namespace swell {
namespace {

// Hands on a transfer and counts what comes by it.
class CountedTransfer : public Transfer {
 public:
  CountedTransfer(std::unique_ptr<Transfer> real, std::span<const Message> expected, std::size_t& received)
      : real_(std::move(real)), received_(received) {
    for (const Message& message : expected) bytes_ += message.bytes.size();
  }
  void start() override {
    received_ += bytes_;
    real_->start();
  }
  bool test() override { return real_->test(); }
  void finish() override { real_->finish(); }

 private:
  std::unique_ptr<Transfer> real_;
  std::size_t& received_;
  std::size_t bytes_ = 0;
};

class CountingRanks : public WrappedRanks {
 public:
  explicit CountingRanks(Ranks& real) : WrappedRanks(real) {}
  void broadcast(std::span<std::byte> bytes, int from) override {
    if (rank() != from) received_ += bytes.size();
    real_.broadcast(bytes, from);
  }
  std::unique_ptr<Transfer> transfer(std::span<const Message> expected, std::span<const Message> sent) override {
    return std::make_unique<CountedTransfer>(real_.transfer(expected, sent), expected, received_);
  }
  std::size_t received() const { return received_; }

 private:
  std::size_t received_ = 0;
};

// A folder with the file mesh.msh, known to the process that made it.
class Folder {
 public:
  explicit Folder(const std::string& mesh) : path_(std::filesystem::temp_directory_path() / fmt::format("swell-held-{}", getpid())) {
    std::filesystem::create_directories(path_);
    std::ofstream(path_ / "mesh.msh") << mesh;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// 24 layers of 6 x 6 bricks of 6 tetrahedra.
constexpr std::int64_t layer = 216, layers = 24;
Mesh tower() {
  return make_box({.low = {0, 0, 0}, .high = {1, 1, 4}, .cells = {6, 6, layers}, .shape = Shape::tetrahedron, .periodic = {}});
}

struct Held {
  std::int64_t elements = 0, own = 0, cells = 0;
};

Held held_by(const std::string& toml, const std::string& folder, Ranks& ranks) {
  const Case c = parse_case(toml, "test.toml", {}, folder);
  const auto device = open_device("cpu:1");
  const auto count = [](const auto& run) { return Held{run.elements(), run.mesh().own_count(), run.mesh().cell_count()}; };
  if (c.model == "heat" || c.model == "poisson") return count(HeatSimulation(c, *device, ranks));
  return count(Simulation(c, *device, ranks));
}

const char* const in_slabs = "[mesh]\nfile = \"mesh.msh\"\n[mesh.partition]\nmethod = \"slabs\"\n";

class Parts : public testing::TestWithParam<NamedCase> {};

TEST_P(Parts, AreAllThatRanksGetOfAMeshThatTheFirstReads) {
  on_ranks(4, [](Ranks& ranks) {
    const std::size_t whole = bytes_of(tower()).size();
    std::optional<Folder> folder;
    if (ranks.first()) folder.emplace(gmsh_bytes(tower(), {}));
    CountingRanks counting(ranks);
    const Held held = held_by(in_slabs + GetParam().toml, folder ? folder->name() : "/nowhere", counting);
    EXPECT_EQ(held.elements, layer * layers);
    EXPECT_EQ(held.own, layer * layers / 4);
    // Behind each of at most two cuts, every cell that touches it.
    EXPECT_LE(held.cells, held.own + 2 * layer);
    // A quarter with its halo, and the numbers of its nodes.
    EXPECT_LT(counting.received(), whole / 2);
    EXPECT_GT(ranks.largest(static_cast<double>(counting.received())), static_cast<double>(whole) / 8) << "what was counted?";
  });
}

const char* const acoustics = "[model]\nname = \"acoustics\"\norder = 1\n";
const char* const linear_heat = "[model]\nname = \"heat\"\norder = 1\n[time]\nsteps = 1\ndt = 0.1\n[solver]\n";
const char* const poisson = "[boundary]\nzmin = { kind = \"dirichlet\", u = 1 }\n[model]\nname = \"poisson\"\norder = 1\n";
const std::string one_step = "[time]\nsteps = 1\n";

INSTANTIATE_TEST_SUITE_P(Models, Parts,
                         testing::Values(NamedCase{"nodal", acoustics + one_step},
                                         NamedCase{"modal", acoustics + ("family = \"modal\"\n" + one_step)},
                                         NamedCase{"heat", linear_heat + std::string("form = \"elements\"\n")},
                                         NamedCase{"multigrid", linear_heat + std::string("preconditioner = \"multigrid\"\n")},
                                         NamedCase{"poisson", poisson},
                                         NamedCase{"discontinuous", poisson + std::string("family = \"discontinuous\"\n")}),
                         name_of);

// A file that gives every third triangle to the same rank, as nobody else would cut it.
std::string in_thirds(const Mesh& mesh) {
  std::istringstream lines(gmsh_bytes(mesh, {.version = 2}));
  std::string text;
  std::int64_t cells = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> word;
    for (std::string one; words >> one;) word.push_back(one);
    // number, type 2 of a triangle, two tags, three points
    if (word.size() == 8 && word[1] == "2" && word[2] == "2")
      line = fmt::format("{} 2 4 {} {} 1 {} {} {} {}", word[0], word[3], word[4], 1 + cells++ % 3, word[5], word[6], word[7]);
    text += line + "\n";
  }
  EXPECT_EQ(cells, mesh.cell_count());
  return text;
}

TEST(PartsOfAFile, AreKeptAndGiveTheSameAnswer) {
  const Mesh mesh = make_box({.low = {0, 0}, .high = {1, 1}, .cells = {5, 6}, .shape = Shape::triangle, .periodic = {}});
  const std::string wave = "[model]\nname = \"acoustics\"\norder = 2\n[initial]\np = \"sin(2*x+y)\"\n[time]\nsteps = 3\n";
  const std::string heat = "[model]\nname = \"heat\"\norder = 3\n[initial]\nT = \"sin(2*x+y)\"\n[time]\nsteps = 2\ndt = 0.05\n"
                           "[boundary]\nxmin = { kind = \"temperature\", T = \"y\" }\n[solver]\ntolerance = 1e-14\n";
  on_ranks(3, [&](Ranks& ranks) {
    const Folder folder(in_thirds(mesh));
    for (const std::string method : {"auto", "file"}) {
      const std::string from_file = "[mesh]\nfile = \"" + folder.name() + "/mesh.msh\"\n";
      const std::string cut = from_file + "[mesh.partition]\nmethod = \"" + method + "\"\n";
      const Outcome alone = outcome(from_file + wave, "cpu:1", lone_rank()), part = outcome(cut + wave, "cpu:1", ranks);
      std::map<std::int64_t, std::vector<double>> wanted;
      for (std::size_t i = 0; i < alone.cells.size(); ++i) wanted[alone.cells[i]] = alone.values[i];
      EXPECT_EQ(part.cells.size(), 20u);
      for (std::size_t i = 0; i < part.cells.size(); ++i) {
        EXPECT_EQ(part.cells[i] % 3, ranks.rank());
        EXPECT_EQ(part.values[i], wanted.at(part.cells[i]));
      }
      const auto temperature = [&](const std::string& toml, Ranks& of, std::vector<std::int64_t>& cells) {
        const auto device = open_device("cpu:1");
        HeatSimulation run(parse_case(toml, "test.toml"), *device, of);
        run.finish();
        for (std::int64_t cell = 0; cell < run.mesh().own_count(); ++cell) cells.push_back(run.mesh().number_of(cell));
        return run.nodal_values();
      };
      std::vector<std::int64_t> all, mine;
      const auto one = temperature(from_file + heat, lone_rank(), all), shared = temperature(cut + heat, ranks, mine);
      constexpr std::size_t nodes = 10;
      ASSERT_EQ(shared.size(), nodes * mine.size());
      for (std::size_t i = 0; i < mine.size(); ++i) {
        EXPECT_EQ(mine[i] % 3, ranks.rank());
        for (std::size_t n = 0; n < nodes; ++n)
          EXPECT_NEAR(shared[i * nodes + n], one[static_cast<std::size_t>(mine[i]) * nodes + n], 1e-12);
      }
    }
  });
}

}  // namespace
}  // namespace swell
