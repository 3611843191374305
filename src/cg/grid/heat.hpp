// SPDX-License-Identifier: Apache-2.0
// Heat on the fixed grid: the operator of grid.hpp with the sources, fluxes, heat transfers and given values of a problem on
// the mesh of a box.
#pragma once

#include <optional>

#include "cg/faces.hpp"
#include "cg/grid/grid.hpp"
#include "cg/heat_operator.hpp"
#include "mesh/sources.hpp"
#include "solve/point_loads.hpp"

namespace swell {

// The part of a box that one of several ranks has.
struct GridPart {
  GridSlab slab;
  Mesh surface;  // slab_surface()
};

class GridHeat : public HeatOperator, public DiffusionUpdates {
 public:
  // Why a problem cannot be solved on the fixed grid, in words that complete "..., but "; nothing where it can. `box`: how its
  // mesh was made, where it was made here.
  static std::optional<std::string> obstacle(const DiffusionProblem& problem, const std::optional<BoxOptions>& box, bool steady,
                                             int ranks = 1);

  // The problem's mesh must outlive this, and be made from `box`. With other ranks it has this rank's cells alone, those of
  // slab_owners().
  GridHeat(DiffusionProblem problem, const BoxOptions& box, Vectors& vectors, bool steady = false, std::optional<GridPart> part = {});

  void complete(Buffer& x) override { grid_.fill_copies(x); }

  // Rows of unknowns; 0 in the others.
  void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count) override;
  void inverse_diagonal(double a, double b, Buffer& y) override;
  void weigh(Buffer& y) override;
  void load(double t, Buffer& y) override;
  void set_fixed(double t, Buffer& x) override;
  DiffusionUpdates& updates() override { return *this; }
  void set_material(std::vector<DiffusionMaterial> material) override;
  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const override {
    return {grid_.text_for(material.front())};
  }
  void expect(const std::vector<DiffusionMaterial>& material) override { grid_.expect(material.front()); }
  void set_loads(std::vector<DiffusionBoundary> boundary, Expression source) override;
  void set_points(std::vector<PointSourceSpec> points) override;
  // None where heat leaves by transfer.
  FusedPasses* fused(double a, double b, const Buffer& inverse_diagonal) override;
  void sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count,
              std::int64_t offset) override;
  double compile_seconds() const override {
    return compile_seconds_ + faces_.compile_seconds() + grid_.compile_seconds() + points_.compile_seconds();
  }

 private:
  void check_material();
  void name_form();
  bool has_unknown(std::int32_t place) const;  // of this rank
  void make_loads();
  void make_points();
  void make_source();
  void make_fixed();
  void launch(const Program& program, const char* kernel, std::int64_t items, const std::vector<Argument>& arguments);

  bool steady_;
  GridOperator grid_;
  std::optional<GridPart> part_;
  HeatFaces faces_;
  PointLoads points_;
  bool has_source_ = false;
  double compile_seconds_ = 0;
  std::unique_ptr<Program> loads_;
  std::unique_ptr<Buffer> load_place_, load_value_;
  std::unique_ptr<Buffer> fixed_points_, fixed_boundary_, fixed_place_;
};

}  // namespace swell
