// SPDX-License-Identifier: Apache-2.0
#include "cg/faces.hpp"

#include <algorithm>
#include <limits>

#include "base/timer.hpp"
#include "cg/text.hpp"

namespace swell {

void HeatFaces::renew(const DiffusionProblem& problem, const Elements& elements, Shape face, const Numbering& numbering,
                      const std::function<bool(std::int32_t)>& takes, std::int64_t interior) {
  data_ = face_data(problem, elements, face, numbering);
  const ProgramText text = gather_text(face, data_, problem.precision);
  if (text.text != text_) {
    const Stopwatch clock;
    program_ = vectors_.device().compile(text);
    compile_seconds_ += clock.seconds();
    text_ = text.text;
  }
  unknown_ = vectors_.upload(data_.unknown, "unknowns of the faces");
  boundary_ = vectors_.upload(data_.boundary, "boundaries of the faces");
  transfer_ = vectors_.upload(data_.transfer, "heat transfer");
  trace_ = vectors_.upload(data_.trace, "trace");
  points_ = vectors_.upload(data_.place, "points of the faces");
  weight_ = vectors_.upload(data_.weight, "weights of the faces");
  result_ = vectors_.make(data_.count * data_.nodes, "results of the faces");
  auto [on_face, lists] = sparse_gather(data_.unknown);
  unknowns_ = static_cast<std::int64_t>(on_face.size());
  interior_ = std::lower_bound(on_face.begin(), on_face.end(), interior) - on_face.begin();
  // The gather skips places that lie beyond the vector.
  for (auto& place : on_face)
    if (takes && !takes(place)) place = std::numeric_limits<std::int32_t>::max();
  list_ = vectors_.upload(on_face, "unknowns on faces");
  start_ = vectors_.upload(lists.start, "gather lists of the faces");
  place_ = vectors_.upload(lists.place, "gather lists of the faces");
}

void HeatFaces::launch(const Program& program, const char* kernel, Items items, std::initializer_list<Argument> arguments,
                       const Work& work) {
  if (items.count > 0) vectors_.device().queue().launch(program.kernel(kernel), items, arguments, work);
}

void HeatFaces::gather(Buffer& y, std::int64_t count, Part part) {
  const Items items = part == Part::border ? Items(interior_, unknowns_ - interior_) : Items(interior_);
  launch(*program_, "gather_faces", items, {*result_, *list_, *start_, *place_, y, count});
}

void HeatFaces::apply(double b, const Buffer& x, Buffer& y, std::int64_t count, Part part) {
  if (!data_.transfers || b == 0) return;
  if (part == Part::border)
    launch(*program_, "face_apply", data_.count, {x, *unknown_, *transfer_, *trace_, *result_, Argument::real(b)});
  gather(y, count, part);
}

void HeatFaces::diagonal(double b, Buffer& y, std::int64_t count, Part part) {
  if (!data_.transfers || b == 0) return;
  if (part == Part::border)
    launch(*program_, "face_diagonal", data_.count, {*transfer_, *trace_, *result_, Argument::real(b)});
  gather(y, count, part);
}

void HeatFaces::load(const Program& loads, double t, Buffer& y, std::int64_t count, Part part) {
  if (part == Part::border)
    launch(loads, "load_faces", data_.count, {*points_, *weight_, *boundary_, *trace_, *result_, Argument::time(t)},
           {static_cast<double>(points_->bytes()), 0});
  gather(y, count, part);
}

void HeatFaces::invert(Buffer& y, std::int64_t count) {
  launch(*program_, "invert", count, {y}, {16.0 * static_cast<double>(count), 0});
}

}  // namespace swell
