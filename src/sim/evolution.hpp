// SPDX-License-Identifier: Apache-2.0
// A case in motion, whatever its equation: set up once, advanced step by step, asked for fields, samples and integrals. Runs,
// checkpoints, receivers, far fields, the live view and the programming interfaces see this and nothing below it. It knows
// nothing of files.
#pragma once

#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "comm/ranks.hpp"
#include "device/device.hpp"
#include "element/element.hpp"
#include "io/summary.hpp"
#include "mesh/elements.hpp"
#include "mesh/geometry.hpp"
#include "model/problem.hpp"
#include "sim/errors.hpp"
#include "time/step_control.hpp"

namespace swell {

// The content of a checkpoint for a case in motion, besides its outputs.
struct Memory {
  TimePoint now;
  std::map<std::string, double> numbers;  // by name: whatever else the next step depends on
  // The state, then what the scheme remembers, latest first: [cell][coefficient][field] of this rank's cells.
  std::vector<std::vector<double>> states;
  // On the way back: the states are those of the same element and of the same scheme, so that all of them can be taken over.
  bool same_basis = true, same_scheme = true;
};

// An integral over the domain, such as the energy.
class Quantity {
 public:
  virtual ~Quantity() = default;
  virtual const std::string& name() const = 0;
  virtual double value() = 0;  // over all ranks; waits
  virtual void reserve(std::int64_t places) = 0;  // room for so many noted values
  virtual void note(std::int64_t place) = 0;      // keeps the value of now; only queued where the device sums it
  virtual std::vector<double> noted(std::int64_t count) = 0;  // over all ranks; waits
};

// Values of all outputs at fixed points of this rank's cells.
class PointSampler {
 public:
  virtual ~PointSampler() = default;
  virtual void sample(std::int64_t row) = 0;                // queues: into a row of its log on the device
  virtual std::vector<double> read(std::int64_t rows) = 0;  // waits: [row][point][output]
};

// Flows through boundaries, over all ranks.
class FlowSampler {
 public:
  virtual ~FlowSampler() = default;
  virtual const std::vector<std::string>& columns() const = 0;  // FIELD, then FIELD_viscous where a part of it is
  virtual std::int64_t room() const = 0;                        // rows that the log holds
  virtual void sample(std::int64_t row) = 0;                    // queues
  virtual std::vector<double> read(std::int64_t rows) = 0;      // waits: [row][boundary][column]
};

// The Fourier transform of all fields at fixed points of this rank's cells, which runs beside the steps.
class PointSpectrum {
 public:
  using Values = std::vector<std::complex<double>>;  // [frequency][point][field]
  virtual ~PointSpectrum() = default;
  virtual void add() = 0;  // queues: the state of now is the end of an interval, or the beginning of all of them
  virtual Values values() = 0;
  virtual void set(const Values& values) = 0;  // goes on with the integral of another run
};

// Makes the objects that sample a state; each kind of equation offers what it can.
class Samplers {
 public:
  virtual ~Samplers() = default;
  // Room for `rows` samples at points that locate() has found here.
  virtual std::unique_ptr<PointSampler> sampler(const std::vector<Locator::Hit>& points, std::int64_t rows) = 0;
  // nullptr where this kind of equation has no spectra.
  virtual std::unique_ptr<PointSpectrum> spectrum(const std::vector<Locator::Hit>& /*points*/, const std::vector<double>& /*frequencies*/) {
    return nullptr;
  }
  // Flows through these boundaries of the mesh, by their numbers; nullptr where this kind of equation or family knows no flows.
  virtual std::unique_ptr<FlowSampler> flows(const std::vector<std::int32_t>& /*boundaries*/) { return nullptr; }
};

// A file of rows that a kind of equation writes besides those of every run, at the times of fields, pictures and energies.
struct ExtraTable {
  std::string file;                  // "interface.csv"
  std::vector<std::string> columns;  // besides the time
  std::function<std::vector<double>()> row;  // by all ranks together; waits
};

// How a run begins in its log: lines, the first one before the device is named, and what its user should know of the case.
struct Introduction {
  std::vector<std::string> lines, warnings;
};

// All outputs at points of a cell, [point][axis], from the fields there and their gradients [point][field][axis]; without gradients
// what needs them is left at 0.
using OutputConversion = std::function<Matrix(std::int64_t cell, const double* x, const Matrix& fields, const Matrix& gradients)>;

// Further fields for files: by name, [cell][node] of this rank's cells.
using ExtraFields = std::function<std::vector<std::pair<std::string, std::vector<double>>>()>;

class Evolution {
 public:
  // [node or coefficient][field] of a cell.
  using CellVisitor = std::function<void(std::int64_t cell, const double* values)>;

  Evolution(Case c, Ranks& ranks) : case_(std::move(c)), ranks_(ranks) {}
  virtual ~Evolution() = default;
  Evolution(const Evolution&) = delete;
  Evolution& operator=(const Evolution&) = delete;

  const Case& given() const { return case_; }
  const Mesh& mesh() const { return mesh_; }  // this rank's part
  Ranks& ranks() const { return ranks_; }
  std::int64_t elements() const { return elements_; }  // of all ranks
  // Equal for equal cells in an equal order and place, however the whole mesh was read, made or shared out.
  const std::string& mesh_fingerprint() const { return mesh_fingerprint_; }
  const Problem& problem() const { return *problem_; }
  const Elements& reference() const { return *reference_; }  // elements, and the nodes of cells in arrays [cell][node]
  const ReferenceElement& element() const { return reference_->first(); }  // of a mesh of one shape
  std::int64_t dofs() const { return dofs_; }  // of all ranks
  const std::string& model() const { return problem_->model.name; }
  const std::vector<std::string>& fields() const { return problem_->model.fields; }

  const TimePoint& now() const { return now_; }
  double time() const { return now_.time; }
  double dt() const { return now_.dt; }
  std::int64_t steps() const { return now_.steps; }
  double end() const { return end_; }
  bool steady() const { return steady_; }  // at rest: one step solves it, and there is no time
  bool finished() const { return steady_ ? now_.steps > 0 : !(now_.time < end_ * (1 - 1e-12)); }
  // Intervals shorter than this are skipped.
  double nearly() const { return 2 * step_tolerance * now_.dt; }

  // One step on the way to `until`; queued only where the device allows it. False, and nothing is done, where `until` is reached.
  // Throws RunError where the run fails.
  virtual bool step(double until) = 0;
  // Waits for the device, and throws RunError where a state so far was not good; after settle() the state of now is known to be.
  virtual void check() {}
  virtual void settle() {}
  // Steps until `until` is reached, or `after_step` returns false.
  void run_to(double until, const std::function<bool()>& after_step = {});
  void advance(double until, const std::function<bool()>& after_step = {});  // and settles
  void finish() { advance(end_); }
  std::int64_t checks() const { return checks_; }          // how often the ranks have met since the beginning
  bool failed_together() const { return failed_together_; }  // a failure that every rank has seen

  // Values at the nodes, cell by cell.
  virtual void read(const CellVisitor& visit) = 0;
  // As the elements keep them, and what each coefficient counts at the nodes: nodes x coefficients.
  virtual void read_coefficients(const CellVisitor& visit) { read(visit); }
  // In meshes of one shape; values at nodes in mixed ones.
  Matrix to_nodes() const {
    return to_nodes_ ? *to_nodes_ : Matrix(Matrix::Identity(element().node_count, element().node_count));
  }
  // Values [cell][node] of this rank's cells in place of one field.
  virtual void write(int field, const std::vector<double>& values) = 0;

  virtual Memory memory() = 0;
  // Goes on from the memory of another run.
  virtual void resume(const Memory& memory) = 0;
  // Takes coefficients of an element of another order and basis to those of the element here.
  virtual Matrix conversion(int order, const Matrix& to_nodes) const = 0;

  virtual Samplers& samplers() = 0;
  std::span<const std::unique_ptr<Quantity>> quantities() const { return quantities_; }
  double energy() { return quantities_.empty() ? 0 : quantities_.front()->value(); }
  const std::vector<ExtraTable>& tables() const { return tables_; }
  const ExtraFields& extra_fields() const { return extra_fields_; }

  // Names that receivers and pictures take: fields, then what follows from them.
  const std::vector<std::string>& outputs() const { return outputs_.empty() ? fields() : outputs_; }

  bool has_exact() const { return !case_.exact.empty(); }
  // The names among which [exact] chooses: fields, or the model's variables.
  const std::vector<std::string>& exact_names() const { return exact_in_variables_ ? problem_->model.variables : fields(); }
  const std::vector<char>& exact_known() const { return exact_known_; }  // [name]: [exact] names it
  ErrorNorms errors(const Expression* where = nullptr);
  // The cell that holds a point, on the rank whose it is; cell = -1 elsewhere. Throws InputError with `place` before it for points
  // outside the mesh.
  Locator::Hit locate(const std::vector<double>& point, const std::string& place);
  double value_at(const std::string& output, const std::vector<double>& point);

  Eigen::Index output_index(const std::string& name) const;  // throws InputError for names that are none

  // Another case in place of this one, from its beginning, where mesh, numbering, kernels and memory can stay. False, and nothing
  // has changed, where they cannot.
  virtual bool adopt(const Case&) { return false; }

  virtual Introduction introduction() = 0;
  // Entries of the summary that only this kind of equation knows.
  virtual void describe(Summary& summary) = 0;
  double setup_seconds() const { return setup_seconds_; }
  double solve_seconds() const { return solve_seconds_; }

 protected:
  // A step may be longer than asked by this part, so that rounding does not add one.
  static constexpr double step_tolerance = EqualSteps::tolerance;

  Case case_;
  Ranks& ranks_;
  Mesh mesh_;
  std::int64_t elements_ = 0;
  std::string mesh_fingerprint_;
  const Problem* problem_ = nullptr;
  std::unique_ptr<Elements> reference_;
  std::optional<Matrix> to_nodes_;  // where coefficients are not values at nodes
  std::int64_t dofs_ = 0;
  TimePoint now_;
  double end_ = 0;
  bool steady_ = false, failed_together_ = false;
  std::int64_t checks_ = 0;
  std::vector<Expression> exact_;
  std::vector<char> exact_known_;
  bool exact_in_variables_ = false;
  std::vector<std::string> outputs_;  // empty: the fields alone
  OutputConversion to_outputs_;       // where there are more outputs than fields
  std::vector<std::unique_ptr<Quantity>> quantities_;
  std::vector<ExtraTable> tables_;
  ExtraFields extra_fields_;
  double setup_seconds_ = 0, solve_seconds_ = 0;

 private:
  std::unique_ptr<Locator> locator_;  // once it was needed
};

// The evolution of a case on a device. `to_come`: cases that adopt() may be asked for later, which the set-up prepares for.
std::unique_ptr<Evolution> make_evolution(const Case& c, Device& device, Ranks& ranks = lone_rank(),
                                          std::span<const Case> to_come = {});

}  // namespace swell
