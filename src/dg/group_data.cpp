// SPDX-License-Identifier: Apache-2.0
// long because one class fills all arrays of a group, which share its cells, points and lanes.
#include "dg/group_data.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/host_threads.hpp"
#include "dg/nodal/wedge_metrics.hpp"
#include "model/face_matrices.hpp"

namespace swell {

Matrix stacked_face_points(const ReferenceElement& element, const Matrix& on_face) {
  Matrix all(element.face_count * on_face.rows(), element.dim);
  for (int f = 0; f < element.face_count; ++f)
    all.middleRows(f * on_face.rows(), on_face.rows()) = face_points(element.shape, f, on_face);
  return all;
}

Matrix stacked_face_points(const ReferenceElement& element, const GroupPoints& points) {
  const auto count = points.face.rows();
  Matrix all(element.face_count * count, element.dim);
  for (int f = 0; f < element.face_count; ++f) all.middleRows(f * count, count) = face_points(element.shape, f, points.on(element, f));
  return all;
}

namespace {

// Writes value `i` of row `row` of an element into an array [batch][row][width][lane].
class LaneArray {
 public:
  LaneArray(std::vector<double>& data, const Group& group, int lanes, std::int64_t rows, int width)
      : data_(data), lanes_(lanes), rows_(rows), width_(width) {
    data.assign(group.padded * rows * width, 0.0);
  }
  double& operator()(std::int64_t element, std::int64_t row, int i) {
    return data_[((element / lanes_ * rows_ + row) * width_ + i) * lanes_ + element % lanes_];
  }

 private:
  std::vector<double>& data_;
  std::int64_t lanes_, rows_, width_;
};

// The data of one group, filled element by element; padding repeats the group's last element.
class Filler {
 public:
  Filler(const Problem& problem, const ReferenceElement& element, const Layout& layout, const Group& group,
         const GroupPoints& points, const MaterialField& material, const AdjustedMass& adjusted)
      : problem_(problem),
        mesh_(*problem.mesh),
        element_(element),
        layout_(layout),
        group_(group),
        points_(points),
        material_(material),
        adjusted_(adjusted),
        dim_(element.dim),
        parameters_(std::max(1, material.parameters())),
        matrix_(problem.model.face_matrix) {
    if (matrix_ < 0) return;
    matrices_ = std::make_unique<FaceMatrices>(problem.model);
    found_.resize(problem.model.fields.size() * problem.model.fields.size());
  }

  GroupData fill() {
    neighbours();
    geometry();
    if (group_.adjusted())
      adjusted_material();
    else if (!group_.varying && layout_.lanes > 1)
      constant_material();
    else if (!group_.varying)
      material_rows();
    else
      varying_material();
    return std::move(data_);
  }

 private:
  // work(begin, end) for pieces of the group, by several threads; by one where it finds derived matrices, which are remembered.
  template <class Work>
  void for_elements(const Work& work) const {
    matrices_ ? work(std::int64_t{0}, group_.padded) : for_pieces(group_.padded, work);
  }

  std::int64_t cell(std::int64_t i) const { return layout_.cell_of_slot[group_.first + std::min(i, group_.count - 1)]; }

  void neighbours() {
    const int faces = element_.face_count, lanes = layout_.lanes;
    // One batch more than there is: kernels ask for the neighbours of the batch behind the last one.
    data_.neighbour.assign((group_.padded + lanes) * faces * 2, 0);
    for_elements([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        for (int f = 0; f < faces; ++f)
          for (int k = 0; k < 2; ++k)
            data_.neighbour[((i / lanes * faces + f) * 2 + k) * lanes + i % lanes] = layout_.behind_face(group_.first + i, f)[k];
    });
  }

  void geometry() {
    if (!group_.curved) return straight_geometry();
    if (is_tensor(element_.shape)) return tensor_geometry();
    const auto volume = points_.volume.rows();
    const int width = dim_ * dim_ + 1;
    if (const MassBlocks blocks = mass_blocks(element_, group_, points_); blocks.rows > 0) return geometry_with_blocks(blocks);
    LaneArray geometry(data_.geometry, group_, layout_.lanes, volume, width);
    const CellMap map(mesh_, element_.shape, points_.volume);
    for_elements([&](std::int64_t begin, std::int64_t end) {
      std::vector<double> jacobians(volume * dim_ * dim_), values(width);
      for (std::int64_t i = begin; i < end; ++i) {
        map.jacobians(cell(i), jacobians.data());
        for (Eigen::Index p = 0; p < volume; ++p) {
          values[dim_ * dim_] = 1 / cofactors(dim_, jacobians.data() + p * dim_ * dim_, values.data());
          for (int k = 0; k < width; ++k) geometry(i, p, k) = values[k];
        }
      }
    });
    curved_normals();
  }

  // As above, then the inverse blocks of the mass.
  void geometry_with_blocks(const MassBlocks& blocks) {
    const int volume = static_cast<int>(points_.volume.rows()), width = dim_ * dim_ + 1;
    const int words = curved_geometry_words(element_, points_, blocks), inverse = words - volume * width;
    LaneArray geometry(data_.geometry, group_, layout_.lanes, 1, words);
    const CellMap map(mesh_, element_.shape, points_.volume), block_map(mesh_, element_.shape, blocks.rows == 1 ? blocks.points : points_.volume);
    const int places = element_.face_count * static_cast<int>(points_.face.rows());
    std::optional<LaneArray> normals;
    if (points_.bent) normals.emplace(data_.normals, group_, layout_.lanes, places, dim_);
    for_elements([&](std::int64_t begin, std::int64_t end) {
      std::vector<double> jacobians(static_cast<std::size_t>(volume) * dim_ * dim_), values(width), of_blocks(inverse);
      std::optional<WedgeMetrics> metrics;
      if (points_.bent) metrics.emplace(mesh_, element_, points_);
      for (std::int64_t i = begin; i < end; ++i) {
        inverse_blocks(blocks, points_, block_map, cell(i), of_blocks.data());
        for (int k = 0; k < inverse; ++k) geometry(i, 0, volume * width + k) = of_blocks[k];
        if (metrics) {
          metrics->look(cell(i));
          for (int k = 0; k < volume * width; ++k) geometry(i, 0, k) = metrics->volume()[k];
          for (int place = 0; place < places; ++place)
            for (int k = 0; k < dim_; ++k) (*normals)(i, place, k) = metrics->normals()[place * dim_ + k];
          continue;
        }
        map.jacobians(cell(i), jacobians.data());
        for (int p = 0; p < volume; ++p) {
          values[dim_ * dim_] = 1 / cofactors(dim_, jacobians.data() + static_cast<std::ptrdiff_t>(p) * dim_ * dim_, values.data());
          for (int k = 0; k < width; ++k) geometry(i, 0, p * width + k) = values[k];
        }
      }
    });
    if (!normals) curved_normals();
  }

  void tensor_geometry() {
    if (tensor_map(group_, element_, mesh_.geometry_order()) == TensorMap::multilinear) return multilinear_geometry();
    if (group_.pairs) return geometry_at_nodes();
    const auto volume = points_.volume.rows(), faces = element_.face_count * points_.face.rows();
    const int width = dim_ * dim_ + 1;
    LaneArray geometry(data_.geometry, group_, layout_.lanes, volume, width);
    LaneArray normals(data_.normals, group_, layout_.lanes, faces, dim_);
    for_elements([&](std::int64_t begin, std::int64_t end) {
      TensorMetrics metrics(mesh_, element_);
      for (std::int64_t i = begin; i < end; ++i) {
        metrics.look(cell(i));
        for (Eigen::Index p = 0; p < volume; ++p)
          for (int k = 0; k < width; ++k) geometry(i, p, k) = metrics.volume()[p * width + k];
        for (Eigen::Index p = 0; p < faces; ++p)
          for (int k = 0; k < dim_; ++k) normals(i, p, k) = metrics.normals()[p * dim_ + k];
      }
    });
  }

  // Faces take theirs from the nodes.
  void geometry_at_nodes() {
    const int width = dim_ * dim_ + 1;
    LaneArray geometry(data_.geometry, group_, layout_.lanes, element_.node_count, width);
    for_elements([&](std::int64_t begin, std::int64_t end) {
      NodalMetrics metrics(mesh_, element_);
      for (std::int64_t i = begin; i < end; ++i) {
        metrics.look(cell(i));
        for (int n = 0; n < element_.node_count; ++n)
          for (int k = 0; k < width; ++k) geometry(i, n, k) = metrics.at(n)[k];
      }
    });
  }

  // The coefficient of each product of reference coordinates, by its bits, in the map: sums over the vertices with signs.
  void multilinear_geometry() {
    const int vertices = 1 << dim_;
    LaneArray geometry(data_.geometry, group_, layout_.lanes, vertices - 1, dim_);
    for_elements([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        for (int product = 1; product < vertices; ++product)
          for (int v = 0; v < vertices; ++v) {
            const auto x = mesh_.vertex(cell(i), v);
            const int low_ends = std::popcount(static_cast<unsigned>(product & ~v));
            for (int k = 0; k < dim_; ++k) geometry(i, product - 1, k) += (low_ends % 2 == 0 ? 1 : -1) * x[k] / vertices;
          }
    });
  }

  void straight_geometry() {
    LaneArray geometry(data_.geometry, group_, layout_.lanes, 1, dim_ * dim_);
    const CellMap map(mesh_, element_.shape, Matrix::Zero(1, dim_));
    for_elements([&](std::int64_t begin, std::int64_t end) {
      double jacobian[9], scaled[9];
      for (std::int64_t i = begin; i < end; ++i) {
        map.jacobians(cell(i), jacobian);
        const double j = cofactors(dim_, jacobian, scaled);
        for (int k = 0; k < dim_ * dim_; ++k) geometry(i, 0, k) = scaled[k] / j;
      }
    });
  }

  // n |J_face| = J grad of the reference coordinate that is constant on the face, turned outwards.
  void curved_normals() {
    const Matrix places = stacked_face_points(element_, points_);
    const CellMap map(mesh_, element_.shape, places);
    LaneArray normals(data_.normals, group_, layout_.lanes, places.rows(), dim_);
    for_elements([&](std::int64_t begin, std::int64_t end) {
      std::vector<double> jacobians(places.rows() * dim_ * dim_), scaled(dim_ * dim_);
      for (std::int64_t i = begin; i < end; ++i) {
        map.jacobians(cell(i), jacobians.data());
        for (Eigen::Index p = 0; p < places.rows(); ++p) {
          cofactors(dim_, jacobians.data() + p * dim_ * dim_, scaled.data());
          const auto& along = face_direction(element_.shape, static_cast<int>(p / points_.face.rows()));
          for (int k = 0; k < dim_; ++k)
            for (int d = 0; d < dim_; ++d) normals(i, p, k) += along[d] * scaled[d * dim_ + k];
        }
      }
    });
  }

  // The derived flux's matrix where `behind` is the material behind a face of this normal, as a row of its numbers.
  const std::vector<double>& face_matrix(const double* own, const double* behind, const double* normal) {
    if (matrices_) matrices_->find(own, behind, normal, found_.data());
    return found_;
  }

  // The unit normal of a straight element's face.
  void face_normal(const CellMap& middle, std::int64_t here, int face, double* normal) const {
    double jacobian[9], scaled[9];
    middle.jacobians(here, jacobian);
    cofactors(dim_, jacobian, scaled);
    outward_normal(element_.shape, face, scaled, normal);
  }

  void constant_material() {
    const CellMap middle(mesh_, element_.shape, Matrix::Zero(1, dim_));
    double normal[3];
    LaneArray own(data_.material, group_, layout_.lanes, 1, parameters_);
    LaneArray behind(data_.material_face, group_, layout_.lanes, element_.face_count, parameters_);
    for_elements([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        for (int k = 0; k < material_.parameters(); ++k) {
          own(i, 0, k) = material_.constant(cell(i))[k];
          for (int f = 0; f < element_.face_count; ++f) {
            const auto other = mesh_.neighbour(cell(i), f).cell;
            behind(i, f, k) = material_.constant(other >= 0 ? other : cell(i))[k];
          }
        }
    });
    for (std::int64_t i = 0; matrices_ && i < group_.padded; ++i)
      for (int f = 0; f < element_.face_count; ++f) {
        const auto other = mesh_.neighbour(cell(i), f).cell;
        face_normal(middle, cell(i), f, normal);
        const auto& matrix = face_matrix(material_.constant(cell(i)), material_.constant(other >= 0 ? other : cell(i)), normal);
        for (std::size_t k = 0; k < matrix.size(); ++k) behind(i, f, matrix_ + static_cast<int>(k)) = matrix[k];
      }
  }

  // Rows of different materials; an element names its own, and a face the one behind it in the upper bits of its code.
  void material_rows() {
    constexpr std::int32_t most = 1 << 23, codes = 256;
    std::map<std::vector<double>, std::int32_t> known;
    const auto row_of = [&](std::int64_t here, const std::vector<double>& matrix) {
      std::vector<double> row(parameters_, 0.0);
      std::copy_n(material_.constant(here), material_.parameters(), row.begin());
      std::copy(matrix.begin(), matrix.end(), row.begin() + std::max(0, matrix_));
      const auto [entry, is_new] = known.emplace(row, static_cast<std::int32_t>(known.size()));
      if (is_new) data_.material.insert(data_.material.end(), row.begin(), row.end());
      return entry->second;
    };
    std::vector<std::int32_t> row_of_cell(mesh_.cell_count(), -1);
    std::int64_t last = -1;  // cell that was looked up: the next one mostly has its material
    const auto row = [&](std::int64_t here) {
      if (row_of_cell[here] >= 0) return row_of_cell[here];
      const double* const values = material_.constant(here);
      const bool same = last >= 0 && std::equal(values, values + material_.parameters(), material_.constant(last));
      row_of_cell[here] = same ? row_of_cell[last] : row_of(here, {});
      last = here;
      return row_of_cell[here];
    };
    data_.material_of.reserve(static_cast<std::size_t>(group_.padded));
    const CellMap middle(mesh_, element_.shape, Matrix::Zero(1, dim_));
    double normal[3];
    for (std::int64_t i = 0; i < group_.padded; ++i) {
      data_.material_of.push_back(row(cell(i)));
      for (int f = 0; f < element_.face_count; ++f) {
        const auto next_to = mesh_.neighbour(cell(i), f).cell, other = next_to >= 0 ? next_to : cell(i);
        if (matrices_) face_normal(middle, cell(i), f, normal);
        data_.neighbour[(i * element_.face_count + f) * 2 + 1] +=
            codes * (matrices_ ? row_of(other, face_matrix(material_.constant(cell(i)), material_.constant(other), normal))
                               : row(other));
      }
    }
    if (known.size() > most)
      throw InputError("The mesh {} has {} different materials; this version takes at most {} on a GPU.", mesh_.name,
                       known.size(), most);
    data_.homogeneous = group_.homogeneous;
  }

  // The shift from a place on my face to that on the neighbour's: not 0 where the mesh is periodic.
  void shift(std::int64_t here, int face, double* out) const {
    const Neighbour& n = mesh_.neighbour(here, face);
    std::fill(out, out + dim_, 0.0);
    if (n.cell < 0) return;
    const Shape side = face_shape(element_.shape, face);
    const auto mine = mesh_.vertex(here, face_vertices(element_.shape, face)[0]);
    const auto theirs =
        mesh_.vertex(n.cell, face_vertices(mesh_.shape_of(n.cell), n.face)[orientation(side, n.orientation)[0]]);
    for (int d = 0; d < dim_; ++d) out[d] = theirs[d] - mine[d];
  }

  // The weights at the points; the materials of both sides of each face, then that of the element's middle, which has what does not
  // vary.
  void adjusted_material() {
    constexpr std::int64_t at_once = 4096, few = 256;
    const auto rows = points_.volume.rows();
    const int faces = element_.face_count;
    const CellMap map(mesh_, element_.shape, points_.volume), middle(mesh_, element_.shape, Matrix::Zero(1, dim_));
    LaneArray weights(data_.material, group_, layout_.lanes, rows, group_.weights);
    LaneArray media(data_.material_face, group_, layout_.lanes, 2 * faces + 1, parameters_);
    for (std::int64_t first = 0; first < group_.padded; first += at_once) {
      const std::int64_t count = std::min(at_once, group_.padded - first);
      Matrix material = Matrix::Zero(count * rows, parameters_);
      for_pieces(count, few, [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> x(rows * dim_);
        for (std::int64_t i = begin; i < end; ++i) {
          map.coordinates(cell(first + i), x.data());
          for (Eigen::Index p = 0; p < rows; ++p) material_.sample(cell(first + i), x.data() + p * dim_, 0, material.row(i * rows + p).data());
        }
      });
      const Matrix weighed = adjusted_.weigh(material);
      for (std::int64_t i = 0; i < count; ++i)
        for (Eigen::Index p = 0; p < rows; ++p)
          for (int k = 0; k < group_.weights; ++k) weights(first + i, p, k) = weighed(i * rows + p, k);
    }
    for_elements([&](std::int64_t begin, std::int64_t end) {
      std::vector<double> own(parameters_), behind(parameters_);
      double normal[3];
      for (std::int64_t i = begin; i < end; ++i) {
        for (int k = 0; k < material_.parameters(); ++k) media(i, 2 * faces, k) = material_.constant(cell(i))[k];
        for (int f = 0; f < faces; ++f) {
          adjusted_.face(cell(i), f, own.data(), behind.data());
          for (int k = 0; k < material_.parameters(); ++k) media(i, 2 * f, k) = own[k], media(i, 2 * f + 1, k) = behind[k];
          if (!matrices_) continue;
          face_normal(middle, cell(i), f, normal);
          const auto& matrix = face_matrix(own.data(), behind.data(), normal);
          for (std::size_t k = 0; k < matrix.size(); ++k) media(i, 2 * f + 1, matrix_ + static_cast<int>(k)) = matrix[k];
        }
      }
    });
  }

  void varying_material() {
    const auto volume = points_.volume.rows(), face = points_.face.rows();
    const Matrix places = stacked_face_points(element_, points_);
    const CellMap map(mesh_, element_.shape, points_.volume), face_map(mesh_, element_.shape, places);
    LaneArray inner(data_.material, group_, layout_.lanes, volume, parameters_);
    LaneArray sides(data_.material_face, group_, layout_.lanes, places.rows(), 2 * parameters_);
    const bool time = material_.in_time();
    std::vector<double> none;
    LaneArray point_x(time ? data_.points : none, group_, layout_.lanes, time ? volume : 0, dim_);
    LaneArray own_x(time ? data_.face_own : none, group_, layout_.lanes, time ? places.rows() : 0, dim_);
    LaneArray behind_x(time ? data_.face_behind : none, group_, layout_.lanes, time ? places.rows() : 0, dim_);
    if (time) {
      data_.point_region.assign(group_.padded * volume, 0);
      data_.own_region.assign(group_.padded * places.rows(), 0);
      data_.behind_region = data_.own_region;
    }
    const auto region_at = [&](std::vector<std::int32_t>& all, std::int64_t i, Eigen::Index rows,
                               Eigen::Index row) -> std::int32_t& {
      return all[(i / layout_.lanes * rows + row) * layout_.lanes + i % layout_.lanes];
    };
    for_elements([&](std::int64_t begin, std::int64_t end) {
      std::vector<double> x(volume * dim_), fx(places.rows() * dim_), value(parameters_), moved(dim_), offset(dim_), mine(parameters_),
          own_mean(parameters_), behind_mean(parameters_), jacobians(matrices_ ? places.rows() * dim_ * dim_ : 0);
      double scaled[9], normal[3];
      bool constant = false;  // the face has one material on each side
      for (std::int64_t i = begin; i < end; ++i) {
        const auto here = cell(i);
        map.coordinates(here, x.data());
        face_map.coordinates(here, fx.data());
        if (matrices_) face_map.jacobians(here, jacobians.data());
        for (Eigen::Index p = 0; p < volume; ++p) {
          material_.sample(here, x.data() + p * dim_, 0, value.data());
          for (int k = 0; k < material_.parameters(); ++k) inner(i, p, k) = value[k];
          if (!time) continue;
          material_.changing(here, x.data() + p * dim_, moved.data());
          for (int d = 0; d < dim_; ++d) point_x(i, p, d) = moved[d];
          region_at(data_.point_region, i, volume, p) = material_.region(here);
        }
        for (Eigen::Index p = 0; p < places.rows(); ++p) {
          double* at = fx.data() + p * dim_;
          const int f = static_cast<int>(p / face);
          const auto other = mesh_.neighbour(here, f).cell >= 0 ? mesh_.neighbour(here, f).cell : here;
          if (p % face == 0) constant = adjusted_.face(here, f, own_mean.data(), behind_mean.data());
          material_.sample(here, at, 0, value.data());
          if (constant) value = own_mean;
          for (int k = 0; k < material_.parameters(); ++k) sides(i, p, k) = value[k];
          material_.changing(here, at, moved.data());
          for (int d = 0; d < dim_ && time; ++d) own_x(i, p, d) = moved[d];
          shift(here, f, offset.data());
          for (int d = 0; d < dim_; ++d) at[d] += offset[d];
          material_.sample(other, at, 0, value.data());
          if (constant) value = behind_mean;
          for (int k = 0; k < material_.parameters(); ++k) sides(i, p, parameters_ + k) = value[k];
          if (matrices_) {
            for (int k = 0; k < material_.parameters(); ++k) mine[k] = sides(i, p, k);
            cofactors(dim_, jacobians.data() + p * dim_ * dim_, scaled);
            outward_normal(element_.shape, f, scaled, normal);
            const auto& matrix = face_matrix(mine.data(), value.data(), normal);
            for (std::size_t k = 0; k < matrix.size(); ++k) sides(i, p, parameters_ + matrix_ + static_cast<int>(k)) = matrix[k];
          }
          if (!time) continue;
          material_.changing(other, at, moved.data());
          for (int d = 0; d < dim_; ++d) behind_x(i, p, d) = moved[d];
          region_at(data_.own_region, i, places.rows(), p) = material_.region(here);
          region_at(data_.behind_region, i, places.rows(), p) = material_.region(other);
        }
      }
    });
  }

  const Problem& problem_;
  const Mesh& mesh_;
  const ReferenceElement& element_;
  const Layout& layout_;
  const Group& group_;
  const GroupPoints& points_;
  const MaterialField& material_;
  const AdjustedMass& adjusted_;
  int dim_, parameters_, matrix_;
  std::unique_ptr<FaceMatrices> matrices_;
  std::vector<double> found_;
  GroupData data_;
};

}  // namespace

GroupData group_data(const Problem& problem, const ReferenceElement& element, const Layout& layout, const Group& group,
                     const GroupPoints& points, const MaterialField& material, const AdjustedMass& adjusted) {
  return Filler(problem, element, layout, group, points, material, adjusted).fill();
}

}  // namespace swell
