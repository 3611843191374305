// SPDX-License-Identifier: Apache-2.0
// Flows through faces of the boundary, in the nodal family: the numerical flux of a stage, integrated by its own points.
#include <algorithm>
#include <map>

#include "dg/nodal/face_places.hpp"
#include "dg/nodal/operator.hpp"
#include "dg/text.hpp"
#include "dg/transfer.hpp"
#include "model/face_matrices.hpp"

namespace swell {

namespace {

// Integrals over the reference face of the functions of its nodes; the nodes that larger faces have besides count nothing.
Vector node_weights(const ReferenceElement& element, Shape side) {
  Vector all = Vector::Zero(element.face_node_count);
  if (side == Shape::point) return Vector::Ones(1);
  const ReferenceElement on_face(side, element.order);
  all.head(on_face.node_count) = on_face.mass.rowwise().sum();
  return all;
}

}  // namespace

class NodalOperator::Flows : public BoundaryFlows {
 public:
  Flows(NodalOperator& dg, const std::vector<char>& boundaries) : dg_(dg) {
    std::int64_t first = 0;  // of the ghost faces
    for (std::size_t i = 0; i < dg.ghosts_.size(); ++i) {
      choose(i, first, boundaries);
      first += dg.ghosts_[i].faces;
    }
    if (!dg.material_->in_time() && dg.problem_.model.face_matrix >= 0) matrices_ = std::make_unique<FaceMatrices>(dg.problem_.model);
    for (Part& part : parts_) describe(part);
  }

  const std::vector<std::int32_t>& boundaries() const override { return boundaries_; }
  int parts() const override { return dg_.viscous_ ? 2 : 1; }
  void reserve(std::int64_t rows) override {
    log_ = dg_.device_.allocate(std::max<std::size_t>(64, static_cast<std::size_t>(rows) * row_bytes()), "flows");
  }

  void note(Buffer& q, double t, std::int64_t row) override {
    const Buffer* gradient = dg_.dummy_buffer_.get();
    if (dg_.viscous_) gradient = &dg_.wall_fluxes(t, q);
    else if (dg_.material_->in_time()) dg_.update_material(t);
    dg_.fill_ghosts(t, q, false);
    const auto count = static_cast<std::int64_t>(boundaries_.size());
    for (const Part& part : parts_) {
      const Ghosts& g = dg_.ghosts_[part.ghosts];
      const Buffer& to_places = g.at_points ? *g.to_points : *part.identity;
      dg_.device_.queue().launch(part.program->kernel("flows"), static_cast<std::int64_t>(part.faces.size()),
                                 {q, *gradient, *g.index, *g.n, *g.m, to_places, *part.weight, *part.material, *part.chosen, *log_,
                                  std::int64_t{g.places}, std::int64_t{g.at_points ? 1 : 0}, row * count + part.first},
                                 g.work);
    }
  }

  std::vector<double> read(std::int64_t rows) override {
    return dg_.download(*log_, static_cast<std::size_t>(rows) * row_bytes() / bytes_of(dg_.problem_.precision));
  }

 private:
  // Chosen faces among those of one launch.
  struct Part {
    std::size_t ghosts = 0;
    std::int64_t first_ghost = 0, first = 0;  // the launch's first ghost face; the first chosen one among all that are
    std::vector<std::int32_t> faces;          // by their numbers in the launch
    std::unique_ptr<Program> program;
    std::unique_ptr<Buffer> chosen, weight, material, identity;
  };

  std::size_t row_bytes() const {
    return boundaries_.size() * static_cast<std::size_t>(parts() * dg_.fields()) * bytes_of(dg_.problem_.precision);
  }

  void choose(std::size_t number, std::int64_t first, const std::vector<char>& boundaries) {
    Part part;
    part.ghosts = number;
    part.first_ghost = first;
    part.first = static_cast<std::int64_t>(boundaries_.size());
    for (std::int64_t i = 0; i < dg_.ghosts_[number].faces; ++i) {
      const int spec = dg_.layout_->ghosts[first + i].spec;
      if (spec < 0 || !boundaries[static_cast<std::size_t>(spec)]) continue;
      part.faces.push_back(static_cast<std::int32_t>(i));
      boundaries_.push_back(spec);
    }
    if (!part.faces.empty()) parts_.push_back(std::move(part));
  }

  const GroupOnDevice& group_of(std::int64_t slot) const {
    const std::int64_t first = dg_.layout_->group_of(slot).first;
    return *std::find_if(dg_.groups_.begin(), dg_.groups_.end(), [first](const auto& g) { return g.group.first == first; });
  }

  void describe(Part& part) {
    const Ghosts& ghosts = dg_.ghosts_[part.ghosts];
    const ReferenceElement& element = dg_.elements_.of(ghosts.shape);
    const GhostFace& one = dg_.layout_->ghosts[part.first_ghost + part.faces.front()];
    const Matrix points = ghosts.at_points ? group_of(one.slot).points.on(element, one.face) : Matrix();
    FacePlaces places(*dg_.problem_.mesh, element, points);
    std::vector<double> weight, material;
    std::map<Shape, Vector> at_nodes;
    for (const Shape side : face_shapes(element.shape)) at_nodes[side] = node_weights(element, side);
    for (const std::int32_t number : part.faces) {
      const GhostFace& ghost = dg_.layout_->ghosts[part.first_ghost + number];
      const GroupOnDevice& group = group_of(ghost.slot);
      const auto cell = dg_.layout_->cell_of_slot[ghost.slot];
      places.look(cell, ghost.face);
      const Vector& of_place = ghosts.at_points ? group.points.weights_on(element, ghost.face) : at_nodes.at(face_shape(element.shape, ghost.face));
      for (int i = 0; i < ghosts.places; ++i) {
        weight.push_back(of_place(i) * places.stretch(i));
        add_material(group.group, cell, ghost.face, places, i, material);
      }
    }
    part.program = dg_.compile(flows_text(dg_.problem_, element, *dg_.layout_));
    part.chosen = dg_.upload(part.faces, "chosen faces");
    part.weight = dg_.upload(weight, "areas");
    part.material = dg_.upload(material, "material of faces");
    const int nodes = element.face_node_count;
    if (!ghosts.at_points) part.identity = dg_.upload(pack(Matrix::Identity(nodes, nodes), nodes), "identity");
  }

  // Both sides' at a place, as the operator takes them.
  void add_material(const Group& group, std::int64_t cell, int face, const FacePlaces& places, int i, std::vector<double>& material) {
    std::vector<double> own(std::max(1, dg_.material_->parameters())), behind(own);
    const bool mean = (group.varying || group.adjusted()) && dg_.adjusted_->face(cell, face, own.data(), behind.data());
    if (!mean) dg_.material_->sample(cell, places.x(i), 0, own.data());
    behind = own;
    if (matrices_) {
      double normal[3];
      places.normal(i, normal);
      matrices_->find(own.data(), behind.data(), normal, behind.data() + dg_.problem_.model.face_matrix);
    }
    material.insert(material.end(), own.begin(), own.end());
    material.insert(material.end(), behind.begin(), behind.end());
  }

  NodalOperator& dg_;
  std::vector<Part> parts_;
  std::vector<std::int32_t> boundaries_;
  std::unique_ptr<FaceMatrices> matrices_;  // where the derived flux has them
  std::unique_ptr<Buffer> log_;
};

std::unique_ptr<BoundaryFlows> NodalOperator::flows_through(const std::vector<char>& boundaries) {
  return std::make_unique<Flows>(*this, boundaries);
}

}  // namespace swell
