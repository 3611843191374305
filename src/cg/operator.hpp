// SPDX-License-Identifier: Apache-2.0
// Continuous elements without a matrix: a M + b K applied by elements or by unknowns, its diagonal, right-hand sides and given values.
#pragma once

#include <map>
#include <optional>

#include "cg/copies.hpp"
#include "cg/faces.hpp"
#include "cg/heat_operator.hpp"
#include "cg/products.hpp"
#include "solve/point_loads.hpp"

namespace swell {

// Vectors hold the unknowns of the numbering, the fixed ones last. With other ranks each has the unknowns of its own cells, and
// what its cells give to those that it shares goes to the ranks that have them too.
class ContinuousOperator : public HeatOperator, public DiffusionUpdates {
 public:
  // `steady`: there is no M, and rhoC is not looked at. The problem's mesh must outlive this.
  // `nodes`: this rank's, where there are others; the mesh then has its own cells alone (mesh/partition.hpp).
  ContinuousOperator(DiffusionProblem problem, Vectors& vectors, bool steady = false, std::optional<RankNodes> nodes = {});

  void add_copies(Buffer& y) override;
  void agree(Buffer& y) override;
  const RankNodes* rank_nodes() const { return nodes_ ? &*nodes_ : nullptr; }

  void apply(double a, double b, const Buffer& x, Buffer& y, std::int64_t count) override;
  void diagonal(double a, double b, Buffer& y, std::int64_t count);
  void inverse_diagonal(double a, double b, Buffer& y) override;
  void weigh(Buffer& y) override;
  void load(double t, Buffer& y) override;
  void set_fixed(double t, Buffer& x) override;
  DiffusionUpdates& updates() override { return *this; }
  void set_material(std::vector<DiffusionMaterial> material) override;
  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const override {
    return products_->texts_for(material);
  }
  void expect(const std::vector<DiffusionMaterial>& material) override { products_->expect(material); }
  void set_loads(std::vector<DiffusionBoundary> boundary, Expression source) override;
  void set_points(std::vector<PointSourceSpec> points) override;
  void sample(const Buffer& x, const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count,
              std::int64_t offset) override;
  double compile_seconds() const override;
  Work apply_work() const { return products_->work(); }
  Dots dots() const override { return {has_transfer_ ? nullptr : products_->dots(), products_->dot_count()}; }

 private:
  std::int64_t interior_unknowns() const { return nodes_ ? nodes_->interior : numbering_.count; }  // that no other rank has
  // Cells of one shape.
  struct ShapeCells {
    Cubature rule;
    std::vector<std::int64_t> order;  // along a curve
  };
  // Faces of one shape, which in space has triangles beside quadrilaterals.
  struct FaceKind {
    FaceKind(Shape of, Vectors& vectors) : shape(of), faces(vectors) {}
    Shape shape;
    HeatFaces faces;
    std::unique_ptr<Program> loads;
    std::string load_text;  // of that
  };
  std::vector<ElementSet> element_sets(const std::vector<std::int64_t>& order);
  void make_faces();
  void make_loads();
  void make_points();
  void apply_part(double a, double b, const Buffer& x, Buffer& y, std::int64_t count, Part part);
  // A sum over the elements of all ranks: other ranks' parts of y travel while make(Part::inside) works.
  template <class Make>
  void sum_over_ranks(Buffer& y, const Make& make);
  void launch(const Program& program, const char* kernel, std::int64_t items, std::initializer_list<Argument> arguments,
              const Work& work = {});

  bool steady_;
  std::map<Shape, ShapeCells> cells_;
  std::optional<RankNodes> nodes_;
  GivenNodes given_;
  std::vector<std::unique_ptr<FaceKind>> faces_;  // one at least
  PointLoads points_;
  std::unique_ptr<HeatProducts> products_;
  std::unique_ptr<Copies> copies_;
  std::unique_ptr<Buffer> fixed_points_, fixed_boundary_;
  double compile_seconds_ = 0;
};

}  // namespace swell
