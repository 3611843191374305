// SPDX-License-Identifier: Apache-2.0
// The nodal discontinuous Galerkin right-hand side of a problem on a device: the page that is the method.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "device/tuner.hpp"
#include "dg/group_data.hpp"
#include "dg/halo.hpp"
#include "dg/measures.hpp"
#include "dg/near_points.hpp"
#include "dg/tunable.hpp"
#include "solve/row_copies.hpp"

namespace swell {

class Limiter;
class NodalPredictor;

class NodalOperator : public Operator,
                      public States,
                      public Observer,
                      public Predictor,
                      public ClusterPredictor,
                      public Tunable {
 public:
  NodalOperator(Problem problem, Device& device);
  ~NodalOperator() override;

  std::unique_ptr<Buffer> make_state(std::string_view label) override;
  void stage(double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt) override;
  void rate(double t, Buffer& q, Buffer& out) override;
  void combine(Buffer& out, std::span<const Term> terms) override;
  void limit(double t, Buffer& before, Buffer& q) override;
  bool after_step(Buffer& q, std::int64_t step, bool last) override;

  Predictor* predictor() override { return this; }
  int order() const override { return problem_.order; }
  bool autonomous() const override;
  void local_rate(double t, Buffer& q, Buffer& out) override;
  // integral = the integral over dt that advance() takes of q, with nothing carried.
  void predict(Buffer& q, double dt, Buffer& integral);
  void advance(std::unique_ptr<Buffer>& q, double t, double dt, const Carried& carried) override;
  void remember(Buffer& q, Buffer& predicted) override;
  void carried_rate(Buffer& q, const Carried& carried, Buffer& out) override;

  ClusterPredictor* by_clusters() override { return between_ ? this : nullptr; }
  int clusters() const override { return layout_->clusters; }
  void predict(int cluster, int half, Buffer& q, double t, double dt, const Carried& carried) override;
  void correct(int cluster, Buffer& q, double t, double dt) override;

  const Program& pointwise() const { return *shapes_.begin()->second.pointwise; }
  const States& states() const override { return *this; }
  Observer& observer() override { return *this; }

  void write_state(Buffer& state, const Write& of_cell) const override;
  void read_state(const Buffer& state, const Read& of_cell) const override;
  Matrix evaluation(const Matrix& points) const override { return element_.interpolation(points); }
  Matrix evaluation(Shape shape, const Matrix& points) const override { return elements_.of(shape).interpolation(points); }
  void sample(Buffer& q, const Buffer& slots, const Buffer& weights, Buffer& samples, std::int64_t count,
              std::int64_t offset) const override;

  double energy(Buffer& q, double t) override;
  void note_energy(Buffer& q, double t, Buffer& log, std::int64_t place) override;
  void watch(const Buffer& q, std::int64_t step, double t) override;
  Finding finding() override;
  void forget() override;
  Measures* measures() override;
  Monitor& monitor() override;
  std::unique_ptr<BoundaryFlows> flows_through(const std::vector<char>& boundaries) override;
  Place place(std::int64_t index) const override;
  StiffnessOfShapes stiffness_of_shapes(double end, std::vector<Stiffness>* of_cells = nullptr) override;
  Work stage_work() const override;
  std::vector<std::string> kernels_in_words() const override;

  // The groups of elements, each with kernels of its own, and the ways to make them: the tuner's view.
  Tunable* tunable() override { return this; }
  std::size_t group_count() const override { return groups_.size(); }
  const Group& group(std::size_t g) const { return groups_[g].group; }
  Work group_work(std::size_t g) const override { return groups_[g].work; }
  const Variant& group_variant(std::size_t g) const { return groups_[g].variant; }
  std::vector<Variant> group_variants(std::size_t g) const override;
  TuningKey group_key(std::size_t g) const override;
  void set_variant(std::size_t g, const Variant& variant) override;
  std::int64_t group_elements(std::size_t g) const override { return groups_[g].group.count; }
  Range group_scalars(std::size_t g) const override;
  void group_stage(std::size_t g, Buffer& q, std::unique_ptr<Buffer>& next, Buffer& residual, double a, double b,
                   double dt) override {
    launch(groups_[g], "stage", q, *next, residual, a, b, dt);
  }
  void group_answer(std::size_t g, Buffer& q, std::unique_ptr<Buffer>& next, Buffer& residual, double dt) override;

  // With its room for ghosts.
  std::size_t state_bytes() const override;
  const HaloExchange* halo() const override { return halo_.get(); }

 private:
  class Flows;
  struct GroupOnDevice {
    Group group;
    const ReferenceElement* element = nullptr;
    GroupPoints points;
    GroupData constants;  // what the text itself holds of the data
    Variant variant;
    std::unique_ptr<Program> program;
    std::unique_ptr<Buffer> geometry, normals, material, material_face, neighbour, matrix;
    std::unique_ptr<Buffer> points_x, own_x, behind_x, point_region, own_region, behind_region;
    std::int64_t point_rows = 0, face_rows = 0;
    Work work;
  };
  struct Points {
    std::unique_ptr<Buffer> slot, weight, vector, material;
  };
  // Parts that each shape of elements has for itself.
  struct OfShape {
    const ReferenceElement* element = nullptr;
    std::unique_ptr<Program> pointwise;
    std::unique_ptr<Buffer> tables;
    Points points;  // point sources in elements of this shape
  };
  // Ghost faces of elements of one shape.
  struct Ghosts {
    Shape shape = Shape::triangle;
    int cluster = 0;
    bool at_points = false;  // of the faces, else at their nodes
    bool across = false;     // they look at the halo
    std::int64_t faces = 0;
    int places = 0;  // of a face
    std::unique_ptr<Buffer> index, x, n, m, region, material_x, to_points;
    Work work;
  };

  struct Near {  // near point sources, where ADER steps
    NearPoints points;
    std::vector<std::unique_ptr<Buffer>> neighbour;  // [group], of the near ones
    std::unique_ptr<Buffer> series, signals, term;
  };

  void build_tables();
  void build_groups();
  void build_ghosts();
  void describe_ghosts(Ghosts& ghosts, std::int64_t first, std::int64_t last, const Matrix& points);
  void build_sources();
  void build_points(OfShape& of);
  Vector project_dirac(std::int64_t cell, const Vector& phi) const;
  Vector project_dirac_by_blocks(std::int64_t cell, const Vector& phi) const;
  Vector collocated_dirac(std::int64_t cell, Vector phi) const;
  void build_halo();
  std::vector<HaloRows> halo_rows(const std::vector<NeighbourRank>& neighbours) const;
  void build_near();
  void build_clusters();
  void build_viscous();
  void build_viscous_group(const GroupOnDevice& g);
  void fill_gradients(double t, Buffer& q);
  void add_viscous(double t, Buffer& q);
  // Gradients of a state, with the viscous fluxes through walls behind these.
  Buffer& wall_fluxes(double t, Buffer& q);
  void add_viscous_work(Work& all) const;
  void launch_viscous(const char* kernel, Buffer& q, bool border);
  void launch_walls(const char* kernel, double t, Buffer& q);
  bool near() const { return near_ && near_->points.slots > 0; }
  void near_rate(double t, Buffer& q, Buffer& out);
  void predict_near(double t, double dt, Buffer& q);
  void add_series(int row, double factor, Buffer& q);
  void combine(Buffer& out, std::span<const Term> terms, std::int64_t nodes);
  void operate(const char* kernel, double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt);
  void prepare(double t, Buffer& q);
  void fill_ghosts(double t, Buffer& q, bool across);
  // The state behind `of_trace` times each trace, of which a part is written or added.
  void fill_ghosts(double t, Buffer& q, const Ghosts& ghosts, double of_trace = 1, double part = 1, bool more = false);
  void copy_between(Buffer& q);
  void add(const Group& group, Buffer& q, const Buffer& change);
  void fill_source(double t);
  NodalPredictor& predictor_part();
  void launch(const GroupOnDevice& g, const char* kernel, Buffer& q, Buffer& next, Buffer& residual, double a, double b,
              double dt) {
    launch(g, *g.neighbour, kernel, q, next, residual, a, b, dt);
  }
  void launch(const GroupOnDevice& g, Buffer& neighbour, const char* kernel, Buffer& q, Buffer& next, Buffer& residual, double a,
              double b, double dt);
  void add_points(double t, Buffer& q, Buffer& residual, int lanes, double b, double dt);
  void update_material(double t);
  std::optional<std::size_t> own_energy() const;
  Work moved(std::int64_t scalars, std::int64_t flops) const;
  std::vector<Range> ranges() const;         // of a state
  std::vector<Range> element_ranges() const;  // of arrays with a value for each slot
  std::unique_ptr<Program> compile(const ProgramText& text);

  FluxCover cover_;
  std::unique_ptr<AdjustedMass> adjusted_;
  std::map<Shape, OfShape> shapes_;
  std::vector<GroupOnDevice> groups_;
  std::vector<Ghosts> ghosts_;
  std::unique_ptr<HaloExchange> halo_;          // where there are other ranks
  std::unique_ptr<Buffer> dummy_buffer_, source_, source_x_;
  std::shared_ptr<NodalPredictor> predictor_part_;  // where a scheme asks for one
  std::unique_ptr<Buffer> integral_, next_;    // of advance()
  std::unique_ptr<Near> near_;
  BoundaryRule boundary_rule_;
  std::vector<ClusterExchange> exchanges_;  // [cluster], where there are other ranks
  int near_cluster_ = -1;                   // that of elements near point sources, on all ranks
  std::unique_ptr<RowCopies> between_;  // where there are clusters: for each the nodes that finer elements see, then those that coarser ones do
  struct Viscous;
  std::shared_ptr<Viscous> viscous_;    // where the page has a flux of gradients besides
  std::unique_ptr<Measures> measures_;  // where the page has some
  std::unique_ptr<Limiter> limiter_;    // where the problem asks for one
  std::unique_ptr<Monitor> monitor_;
  std::unique_ptr<Buffer> energies_, energy_;  // of each element, of all
};

}  // namespace swell
