// SPDX-License-Identifier: Apache-2.0
// The modal discontinuous Galerkin right-hand side of a linear problem on affine elements: orthonormal modes, integrals as
// precomputed sparse contractions, no quadrature in a step. States lie on the device as [batch][field][mode][element].
#pragma once

#include <optional>

#include "dg/halo.hpp"
#include "dg/modal/text.hpp"
#include "dg/near_points.hpp"
#include "dg/tunable.hpp"
#include "solve/row_copies.hpp"

namespace swell {

class ModalOperator : public Operator,
                      public States,
                      public Observer,
                      public Predictor,
                      public ClusterPredictor,
                      public Tunable {
 public:
  // Throws InputError where a problem is none for modes: a model that is not linear or has functions of values at nodes, cells whose map
  // is not affine.
  static void check(const Problem& problem);
  // Throws InputError for models that are not linear and for cells that are not affine.
  ModalOperator(Problem problem, Device& device);

  std::unique_ptr<Buffer> make_state(std::string_view label) override;
  void stage(double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt) override;
  void rate(double t, Buffer& q, Buffer& out) override;
  void combine(Buffer& out, std::span<const Term> terms) override;
  Predictor* predictor() override { return this; }
  int order() const override { return problem_.order; }
  bool autonomous() const override;
  void local_rate(double t, Buffer& q, Buffer& out) override;
  // integral = the integral over dt that advance() takes of q, with nothing carried.
  void predict(Buffer& q, double dt, Buffer& integral);
  void advance(std::unique_ptr<Buffer>& q, double t, double dt, const Carried& carried) override;
  void remember(Buffer& q, Buffer& predicted) override;
  void carried_rate(Buffer& q, const Carried& carried, Buffer& out) override;

  ClusterPredictor* by_clusters() override { return clusters_.empty() ? nullptr : this; }
  int clusters() const override { return static_cast<int>(clusters_.size()); }
  void predict(int cluster, int half, Buffer& q, double t, double dt, const Carried& carried) override;
  void correct(int cluster, Buffer& q, double t, double dt) override;

  const ModalElement& basis() const { return *modes_; }
  const ModalPattern& pattern() const { return pattern_; }
  const States& states() const override { return *this; }
  Observer& observer() override { return *this; }
  int width() const { return batch_.width; }  // elements of a batch

  void write_state(Buffer& state, const Write& of_cell) const override;
  void read_state(const Buffer& state, const Read& of_cell) const override;
  void write_numbers(Buffer& state, const Write& of_cell) const override;
  void read_numbers(const Buffer& state, const Read& of_cell) const override;
  Matrix evaluation(const Matrix& points) const override { return modes_->evaluate(points); }
  void sample(Buffer& q, const Buffer& slots, const Buffer& weights, Buffer& samples, std::int64_t count,
              std::int64_t offset) const override;

  double energy(Buffer& q, double t) override;
  void note_energy(Buffer& q, double t, Buffer& log, std::int64_t place) override;
  void expect_watch() override;
  void watch(const Buffer& q, std::int64_t step, double t) override;
  Finding finding() override;
  Monitor& monitor() override;
  Place place(std::int64_t index) const override;
  StiffnessOfShapes stiffness_of_shapes(double end, std::vector<Stiffness>* of_cells = nullptr) override;
  Work stage_work() const override { return work_; }
  std::size_t state_bytes() const override;
  const HaloExchange* halo() const override { return halo_.get(); }
  std::optional<Work> advance_work() const override;
  std::vector<std::string> kernels_in_words() const override;

  // The groups of the tuner are the kernels of a stage and, once they were needed, those of advance().
  Tunable* tunable() override { return this; }
  void expect_scheme(std::string_view scheme) override {
    if (scheme == "ader") prediction();
  }
  std::size_t group_count() const override { return prediction_ ? 2 : 1; }
  std::vector<Variant> group_variants(std::size_t g) const override;
  TuningKey group_key(std::size_t g) const override;
  void set_variant(std::size_t g, const Variant& variant) override;
  std::int64_t group_elements(std::size_t) const override { return layout_->elements; }
  Range group_scalars(std::size_t) const override { return {0, layout_->slots * modes_->count * fields()}; }
  Work group_work(std::size_t g) const override { return g == 0 ? work_ : *advance_work(); }
  void group_stage(std::size_t g, Buffer& q, std::unique_ptr<Buffer>& next, Buffer& residual, double a, double b,
                   double dt) override;
  void group_answer(std::size_t g, Buffer& q, std::unique_ptr<Buffer>& next, Buffer& residual, double dt) override;

 private:
  struct Ghosts {
    std::unique_ptr<Buffer> index, x, n, m, to_points, from_points;
  };
  struct Points {
    std::unique_ptr<Buffer> slot, weight, vector, material;
  };
  struct Near {  // near point sources, where ADER steps
    NearPoints points;
    HaloItems items;
    std::unique_ptr<Buffer> neighbour, series, signals;
    std::unique_ptr<Buffer> terms[2], integral;  // of near elements alone
  };
  struct Timed {  // coefficients of another time
    double time = 0;
    std::unique_ptr<Buffer> coefficients, face_material;
  };
  struct Rule {  // what lies at the points of the cubature, and the weights that project from there
    std::unique_ptr<Buffer> x, changing, region, material, at, weights, to_modes, to_coefficients, to_faces;
  };
  struct Cluster {  // of local time stepping
    HaloItems far;            // its elements but those near a point source
    std::vector<Items> near;
    std::vector<Items> beside_finer, ghosts;
    ClusterExchange exchange;  // where there are other ranks
  };
  // How `predict` of kernels/modal/predict.h keeps what it found: adds it to the state, stores the integral, or traces alone.
  enum class Keep : std::int64_t { in_state = 0, integral = 1, traces = 2 };
  enum class Ending : std::int64_t { rate = 0, stage = 1, correct = 2 };

  void build_programs();
  void build_elements();
  void build_faces();
  std::vector<std::int32_t> neighbours() const;
  std::int64_t neighbour_place(std::int64_t slot, int i) const {
    return (slot / batch_.width * 2 * modes_->faces + i) * batch_.width + slot % batch_.width;
  }
  void build_halo();
  std::unique_ptr<HaloExchange> make_halo(const std::vector<NeighbourRank>& neighbours);
  void build_ghosts();
  void build_rule();
  void build_points();
  void build_near();
  void build_clusters();
  void count_work();

  void evaluate(Ending ending, double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt);
  // The state behind `of_trace` times each trace, of which a part is written or added.
  void fill_ghosts(double t, const std::vector<Items>& which, double of_trace = 1, double part = 1, bool more = false);
  void update_material(double t);
  void take_time(double t);
  void project_material();
  void update_source(double t);
  void take_traces(Buffer& q, const std::vector<Items>& which);
  void predict(Buffer& q, double dt, Buffer* integral, const Carried& carried, const std::vector<Items>& which, Keep keep);
  void copy_traces_between(Buffer& faces);
  bool near() const { return near_ && near_->points.slots > 0; }
  void near_rate(double t, Buffer& q, Buffer& out);
  void predict_near(double t, double dt, Buffer& q);
  void correct_near(Buffer& q, Buffer& next, const std::vector<Items>& which);
  void add_series(int row, double factor, Buffer& q);
  void combine(Buffer& out, std::span<const Term> terms, std::int64_t slots);
  void operate(Ending ending, Buffer& q, Buffer& neighbour, Buffer& base, Buffer& next, Buffer& residual, double a, double b, double dt,
               const std::vector<Items>& which);
  void correct(Buffer& q, double dt, const std::vector<Items>& which);
  void launch(const Kernel& kernel, const std::vector<Items>& which, std::initializer_list<Argument> arguments, const Work& work);
  void add_points(double t, Buffer& q, Buffer& residual, bool stage, double b, double dt);
  std::int64_t items() const;
  std::int64_t together() const { return layout_->slots / items(); }  // elements of an item
  // Numbers of an element that ADER carries from step to step.
  std::int64_t remembered() const { return static_cast<std::int64_t>(modes_->remembered().size()) * fields(); }
  // Elements with records of traces: its own, then the halo's.
  std::int64_t record_slots() const { return layout_->slots + layout_->halo_slots; }
  // Copies that a face between two clusters sees lie behind the ghosts.
  std::int64_t between_record(std::int64_t face) const {
    return record_slots() * modes_->faces + static_cast<std::int64_t>(layout_->ghosts.size()) + face;
  }
  std::int64_t cell_of_record_slot(std::int64_t slot) const;
  std::vector<Range> element_ranges() const;
  Work moved(std::int64_t scalars, std::int64_t flops) const;
  std::unique_ptr<Program> compile(const ProgramText& text);
  Program& prediction();

  std::unique_ptr<ModalElement> modes_;
  ModalPattern pattern_;
  ModalBatch batch_;
  std::unique_ptr<Program> operation_, prediction_, pointwise_, common_;
  Variant operation_variant_, prediction_variant_;
  std::unique_ptr<Buffer> values_, columns_, predictor_values_, predictor_columns_;  // of contractions in tables
  std::unique_ptr<Buffer> geometry_, volume_, material_of_, face_material_, coefficients_, neighbour_;
  double time_of_material_ = 0;
  std::vector<Timed> other_times_;  // schemes that come back to the times of a step find them here
  std::size_t times_kept_ = 1, oldest_ = 0;
  std::unique_ptr<Buffer> faces_;  // records of traces: of all elements, of the halo and of the ghosts
  std::unique_ptr<HaloExchange> halo_;  // of the records, where there are other ranks
  HaloItems elements_, ghost_items_;    // those whose records are sent or that read what others send, and the rest
  HaloItems far_;                       // elements_ but those near a point source
  std::unique_ptr<Near> near_;
  std::vector<Cluster> clusters_;       // empty: one step is for all
  BoundaryRule boundary_rule_;
  int near_cluster_ = -1;               // that of elements near point sources, on all ranks
  std::unique_ptr<RowCopies> between_;  // of records: for each cluster those that finer elements see, then those that coarser ones do
  std::int64_t everywhere_ = 0;         // elements of all ranks
  std::unique_ptr<Buffer> integral_, next_;  // of advance(), where material varies
  std::unique_ptr<Buffer> dummy_buffer_, source_;
  Ghosts ghosts_;
  Points points_;
  Rule rule_;
  Work work_, predict_work_, correct_work_;
  mutable std::optional<bool> autonomous_;
  std::unique_ptr<Monitor> monitor_;
  std::unique_ptr<Buffer> energies_, energy_;  // of each element, of all
  std::unique_ptr<Buffer> marks_;              // of elements that are not finite, from the step that was asked for them
  bool look_ = false, marked_ = false;
};

}  // namespace swell
