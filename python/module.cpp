// SPDX-License-Identifier: Apache-2.0
// swell._core: what the Python module is made of. Nothing is decided here; sim does the work.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <mutex>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "sim/stepped_run.hpp"
#include "study/given_work.hpp"

namespace py = pybind11;

namespace swell {
namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// So often, at least, a run looks whether Ctrl-C was pressed.
constexpr double seconds_between_signals = 0.05;

GivenCase given(std::string text, std::string name, const std::string& folder, std::string model) {
  return {std::move(text), std::move(name), folder, {}, std::move(model)};
}

Array array_of(const std::vector<double>& values, std::vector<py::ssize_t> shape) {
  return Array(std::move(shape), values.data());
}

// The interpreter is free for other threads while a run works; threads that ask the same run wait for each other.
class Run {
 public:
  Run(const std::string& text, const std::string& name, const std::string& folder, const std::string& model) {
    const py::gil_scoped_release release;
    run_ = make_stepped_run(given(text, name, folder, model));
  }

  template <class Work>
  auto exclusively(const Work& work) {
    const py::gil_scoped_release release;
    const std::lock_guard lock(busy_);
    return work(*run_);
  }

  // `callback` is called without arguments every so many steps; what it raises stops the run and goes on from here, as does
  // Ctrl-C. Returns whether the run went all the way.
  template <class Way>
  bool move(const Way& way, const py::object& callback, std::int64_t every) {
    if (every < 1) throw InputError("A callback comes every 1 step or more, not every {}.", every);
    std::exception_ptr raised;
    std::int64_t made = 0;
    Stopwatch since_look;
    const auto after_step = [&] {
      ++made;
      const bool call = !callback.is_none() && made % every == 0;
      if (!call && since_look.seconds() < seconds_between_signals) return true;
      since_look = {};
      const py::gil_scoped_acquire acquire;
      try {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        return !call || callback().ptr() != Py_False;
      } catch (...) {
        raised = std::current_exception();
        return false;
      }
    };
    const bool whole = exclusively([&](SteppedRun& run) { return way(run, after_step); });
    if (raised) std::rethrow_exception(raised);
    return whole;
  }

  Array nodes() {
    const auto values = exclusively([](SteppedRun& run) { return run.nodes(); });
    return array_of(values, {run_->elements(), run_->nodes_per_element(), run_->dim()});
  }

  py::array_t<std::int64_t> triangles() {
    const auto corners = exclusively([](SteppedRun& run) { return run.triangles(); });
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(corners.size() / 3), 3};
    return py::array_t<std::int64_t>(shape, corners.data());
  }

  Array field(const std::string& name) {
    const auto values = exclusively([&](SteppedRun& run) { return run.field(run.field_index(name)); });
    return array_of(values, {run_->elements(), run_->nodes_per_element()});
  }

  void set_field(const std::string& name, const Array& values) {
    const std::vector<double> all(values.data(), values.data() + values.size());
    exclusively([&](SteppedRun& run) {
      run.set_field(run.field_index(name), all);
      return true;
    });
  }

  py::dict errors() {
    double total = 0;
    const auto all = exclusively([&](SteppedRun& run) { return run.errors(&total); });
    py::dict result;
    for (const auto& e : all) result[py::str(e.field)] = py::dict(py::arg("l1") = e.l1, py::arg("l2") = e.l2, py::arg("linf") = e.linf);
    result["total"] = py::dict(py::arg("l2") = total);
    return result;
  }

  py::dict signal(std::size_t receiver) {
    const SignalTable table = exclusively([&](SteppedRun& run) { return run.signal(receiver); });
    const std::size_t width = table.columns.size(), rows = table.values.size() / width;
    py::dict result;
    for (std::size_t c = 0; c < width; ++c) {
      py::array_t<double> column(static_cast<py::ssize_t>(rows));
      for (std::size_t r = 0; r < rows; ++r) column.mutable_at(static_cast<py::ssize_t>(r)) = table.values[r * width + c];
      result[py::str(table.columns[c])] = column;
    }
    return result;
  }

 private:
  std::unique_ptr<SteppedRun> run_;
  std::recursive_mutex busy_;  // a callback may ask the run that calls it
};

py::dict plan(const std::string& text, const std::string& name, const std::string& folder, const std::string& model) {
  Plan p;
  {
    const py::gil_scoped_release release;
    p = plan_given(given(text, name, folder, model));
  }
  using py::arg;
  py::dict result(arg("model") = p.model, arg("element") = p.element, arg("order") = p.order, arg("elements") = p.elements,
                  arg("curved") = p.curved, arg("varying") = p.varying, arg("dofs") = p.dofs,
                  arg("device_bytes") = p.device_bytes, arg("process_bytes") = p.process_bytes, arg("dt") = p.dt,
                  arg("end") = p.end, arg("steps") = p.steps, arg("stages") = p.stages, arg("seconds") = p.seconds);
  if (p.solver)
    result["solver"] = py::dict(arg("form") = p.solver->form, arg("preconditioner") = p.solver->preconditioner,
                                arg("given") = p.solver->given, arg("iterations") = p.solver->iterations,
                                arg("converged") = p.solver->converged, arg("iteration_seconds") = p.solver->iteration_seconds);
  return result;
}

void add_errors(py::module_& m) {
  const auto input = py::register_exception<InputError>(m, "InputError", PyExc_ValueError);
  const auto run = py::register_exception<RunError>(m, "RunError", PyExc_RuntimeError);
  for (const py::object& error : {py::object(input), py::object(run)}) error.attr("__module__") = "swell";
  input.attr("__doc__") = "The case, the mesh, the model or an argument is wrong: one sentence says what and what to do.";
  run.attr("__doc__") = "The run failed: it blew up, a solver did not converge, a device or a disk failed.";
}

void add_run(py::module_& m) {
  using py::arg;
  py::class_<Run>(m, "Run", "A run that is advanced piece by piece.")
      .def(py::init<const std::string&, const std::string&, const std::string&, const std::string&>(), arg("text"), arg("name"),
           arg("folder"), arg("model"))
      .def("advance",
           [](Run& self, double until, const py::object& callback, std::int64_t every) {
             return self.move([&](auto& run, const auto& after) { return run.advance(until, after); }, callback, every);
           },
           arg("until"), arg("callback"), arg("every"))
      .def("step",
           [](Run& self, std::int64_t count, const py::object& callback, std::int64_t every) {
             return self.move([&](auto& run, const auto& after) { return run.step(count, after); }, callback, every);
           },
           arg("count"), arg("callback"), arg("every"))
      .def("finish",
           [](Run& self, const py::object& callback, std::int64_t every) {
             return self.move([&](auto& run, const auto& after) { return run.finish(after); }, callback, every);
           },
           arg("callback"), arg("every"))
      .def("nodes", &Run::nodes)
      .def("triangles", &Run::triangles)
      .def("field", &Run::field, arg("name"))
      .def("set_field", &Run::set_field, arg("name"), arg("values"))
      .def("value",
           [](Run& self, const std::string& field, const std::vector<double>& point) {
             return self.exclusively([&](SteppedRun& run) { return run.value_at(run.field_index(field), point); });
           },
           arg("field"), arg("point"))
      .def("errors", &Run::errors)
      .def("energy", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.energy(); }); })
      .def("signal", &Run::signal, arg("receiver"))
      .def("receivers", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.receivers(); }); })
      .def("fields", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.fields(); }); })
      .def("said", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.said(); }); })
      .def("model", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.model(); }); })
      .def("time", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.time(); }); })
      .def("dt", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.dt(); }); })
      .def("end", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.end(); }); })
      .def("steps", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.steps(); }); })
      .def("order", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.order(); }); })
      .def("dim", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.dim(); }); })
      .def("elements", [](Run& self) { return self.exclusively([](SteppedRun& run) { return run.elements(); }); });
}

}  // namespace
}  // namespace swell

PYBIND11_MODULE(_core, m) {
  using namespace swell;
  using py::arg;
  m.doc() = "Bindings behind the module swell.";
  m.attr("__version__") = SWELL_VERSION;
  add_errors(m);
  add_run(m);
  m.def("read_file", [](const std::string& file) { return GivenCase::of_file(file).text; }, arg("file"));
  m.def("keys", [](const std::string& text, const std::string& name) { return keys_of(given(text, name, ".", "")); }, arg("text"),
        arg("name"));
  m.def("with_override",
        [](const std::string& text, const std::string& name, const std::string& change) {
          GivenCase changed = given(text, name, ".", "");
          changed.overrides.push_back(change);
          return text_of(changed);
        },
        arg("text"), arg("name"), arg("change"));
  m.def("plan", &plan, arg("text"), arg("name"), arg("folder"), arg("model"));
  m.def("run",
        [](const std::string& text, const std::string& name, const std::string& folder, const std::string& model,
           const std::string& output, bool quiet) {
          const py::gil_scoped_release release;
          return run_given(given(text, name, folder, model), output, quiet);
        },
        arg("text"), arg("name"), arg("folder"), arg("model"), arg("output"), arg("quiet"));
  m.def("output_folder",
        [](const std::string& text, const std::string& name, const std::string& folder, const std::string& model) {
          return folder_of(given(text, name, folder, model)).string();
        },
        arg("text"), arg("name"), arg("folder"), arg("model"));
  m.def("info", [] {
    const py::gil_scoped_release release;
    return info_json();
  });
}
