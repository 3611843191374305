# SPDX-License-Identifier: Apache-2.0
"""Runs stepped from Python: fields, signals, callbacks, Ctrl-C, threads."""

import csv
import json
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np
import swell
from support import LINE, ROOT, ROUNDING, FolderTest


def line_at(nodes, t):
    return nodes[..., 0] + 2 * nodes[..., 1] - 2 * t


def busy_case(seconds_of_time):
    """Some thousand steps a second, for so long a time that it does not end by itself."""
    case = swell.Case(LINE)
    case["mesh.box.cells"] = [12, 12]
    case["model.order"] = 4
    case["time.end"] = seconds_of_time
    return case


class Simulation(FolderTest):
    def test_carries_a_line_exactly(self):
        run = swell.Simulation(LINE)
        self.assertEqual((run.time, run.end, run.steps, run.fields), (0.0, 2.0, 0, ["u"]))
        self.assertTrue(run.advance(0.25))
        self.assertEqual(run.time, 0.25)
        np.testing.assert_allclose(run.field("u"), line_at(run.nodes, 0.25), atol=ROUNDING)
        self.assertTrue(run.step(3))
        self.assertTrue(run.run())
        self.assertEqual(run.time, 2.0)
        np.testing.assert_allclose(run.field("u"), line_at(run.nodes, 2.0), atol=ROUNDING)
        self.assertLess(run.errors()["u"]["linf"], ROUNDING)
        self.assertLess(run.errors()["total"]["l2"], ROUNDING)
        self.assertAlmostEqual(run.value("u", (0.7, 0.2)), 0.7 + 0.4 - 4, delta=ROUNDING)
        # The integral of (x + 2 y - 4)^2 / 2 over the square, term by term.
        self.assertAlmostEqual(run.energy(), (1 / 3 + 4 / 3 + 16 + 1 - 4 - 8) / 2, delta=1e-10)
        self.assertIn("advection, 8 elements", repr(run))

    def test_has_the_bits_of_the_whole_run(self):
        summary = swell.run(LINE, self.root / "out")
        self.assertEqual((summary["status"], summary["time"]), ("done", 2.0))
        run = swell.Simulation(LINE)
        while run.time < run.end:
            run.step()
        self.assertEqual(run.steps, summary["steps"])
        signal_of_run = run.receiver("middle")
        with open(self.root / "out" / "receivers" / "middle.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for column in ("time", "u"):
            self.assertEqual([float(row[column]) for row in rows], signal_of_run[column].tolist())
        with self.assertRaisesRegex(swell.InputError, "middle"):
            run.receiver("left")

    def test_takes_fields(self):
        run = swell.Simulation(LINE)
        u = run.field("u")
        u[:] = 3 * run.nodes[..., 0]
        self.assertFalse(np.array_equal(run.field("u"), u))  # it was a copy
        run.set_field("u", u)
        np.testing.assert_array_equal(run.field("u"), u)
        with self.assertRaisesRegex(swell.InputError, r"\(8, 6\)"):
            run.set_field("u", u.ravel())
        with self.assertRaises(ValueError):
            run.nodes[0, 0, 0] = 1
        u[2, 3] = np.nan
        with self.assertRaisesRegex(swell.InputError, "nan"):
            run.set_field("u", u)

    def test_is_covered_by_small_triangles(self):
        for element, small in (("triangle", 9), ("quadrilateral", 18)):  # of an element of order 3
            case = swell.Case(LINE)
            case["mesh.box.element"] = element
            case["model.order"] = 3
            run = swell.Simulation(case)
            corners = run.triangles
            self.assertEqual(corners.shape, (small * len(run.nodes), 3))
            np.testing.assert_array_equal(np.unique(corners), np.arange(run.nodes.shape[0] * run.nodes.shape[1]))
            a, b, c = np.moveaxis(run.nodes.reshape(-1, 2)[corners], 1, 0)
            areas = np.cross(b - a, c - a) / 2
            self.assertGreater(abs(areas).min(), 0)
            self.assertAlmostEqual(abs(areas).sum(), 1.0, delta=1e-12)  # that of the square: none lies on another
        case = swell.Case(LINE)
        case["mesh.box"] = {"low": [0, 0, 0], "high": [1, 1, 1], "cells": [1, 1, 1]}
        case["boundary"] = {}
        with self.assertRaisesRegex(swell.InputError, "3 dimensions"):
            swell.Simulation(case).triangles

    def test_has_surfaces_and_warns_of_outputs_that_it_leaves_out(self):
        case = swell.Case(LINE)
        case["surface"] = [{"name": "end", "boundaries": "xmax"}]
        case["output.fields"] = {"every": 0.1}
        with self.assertWarnsRegex(UserWarning, "output.fields of the case is left out"):
            run = swell.Simulation(case)
        run.step(1)
        self.assertEqual(run.receivers[-1], "surfaces/end")
        self.assertEqual(len(run.receiver("surfaces/end")["time"]), 2)

    def test_is_refused_times_that_have_passed(self):
        run = swell.Simulation(LINE)
        run.advance(1.0)
        with self.assertRaisesRegex(swell.InputError, "back to 0.5"):
            run.advance(0.5)

    def test_that_blows_up_raises(self):
        case = swell.Case(LINE)
        case["time.dt"] = 1.0
        case["time.end"] = 3000
        with self.assertRaisesRegex(swell.RunError, "blew up at t = "):
            swell.Simulation(case).run()

    def test_knows_heat_and_poisson(self):
        heat = swell.Simulation({"mesh": LINE["mesh"], "model": {"name": "heat", "order": 2}, "initial": {"T": "x"},
                                 "time": {"end": 0.1, "dt": 0.03}, "device": {"backend": "cpu:1"}})
        self.assertAlmostEqual(heat.energy(), 0.5, delta=1e-9)
        heat.run()
        self.assertAlmostEqual(heat.energy(), 0.5, delta=1e-9)  # nothing goes in or out
        self.assertLess(np.ptp(heat.field("T")), 1.0)
        walls = {side: {"kind": "temperature", "T": "x^2 - y^2"} for side in ("xmin", "xmax", "ymin", "ymax")}
        rest = swell.Simulation({"mesh": LINE["mesh"], "model": {"name": "poisson", "order": 2}, "boundary": walls,
                                 "solver": {"tolerance": 1e-13}, "device": {"backend": "cpu:1"}})
        rest.run()
        x, y = rest.nodes[..., 0], rest.nodes[..., 1]
        np.testing.assert_allclose(rest.field("u"), x**2 - y**2, atol=ROUNDING)

    def test_takes_a_model_as_a_string(self):
        text = (ROOT / "src" / "models" / "advection.h").read_text(encoding="utf-8")
        run = swell.Simulation(LINE, model=text)
        run.run()
        np.testing.assert_allclose(run.field("u"), line_at(run.nodes, 2.0), atol=ROUNDING)
        with self.assertRaises(swell.InputError):
            swell.Simulation(LINE, model=text + "\nthis is no C\n")


class Callback(unittest.TestCase):
    def test_comes_every_so_many_steps_and_may_read(self):
        run = swell.Simulation(LINE)
        seen = []
        run.step(7, callback=lambda it: seen.append((it.steps, it.time, it.field("u").shape)), every=3)
        self.assertEqual([steps for steps, _, _ in seen], [3, 6])
        self.assertEqual(seen[0][2], (8, 6))
        self.assertLess(seen[0][1], seen[1][1])

    def test_stops_the_run_with_false(self):
        run = swell.Simulation(LINE)
        self.assertFalse(run.run(lambda it: it.steps < 5))
        self.assertEqual(run.steps, 5)
        self.assertTrue(run.run())

    def test_lets_out_what_it_raises(self):
        run = swell.Simulation(LINE)
        with self.assertRaisesRegex(ZeroDivisionError, "division by zero"):
            run.run(lambda it: 1 / 0)
        self.assertEqual(run.steps, 1)
        self.assertTrue(run.run())  # and the run goes on

    def test_must_not_move_or_change_the_run(self):
        run = swell.Simulation(LINE)
        for change in (lambda it: it.step(), lambda it: it.set_field("u", it.field("u"))):
            with self.assertRaises(swell.InputError):
                run.step(1, change)
        with self.assertRaisesRegex(swell.InputError, "every 0"):
            run.step(1, print, every=0)


class Threads(FolderTest):
    def test_of_python_run_while_a_simulation_steps(self):
        run = swell.Simulation(busy_case(1e6))
        turns = []
        done = threading.Event()

        def turn():
            while not done.wait(0.005):
                turns.append(None)

        other = threading.Thread(target=turn)
        other.start()
        before = len(turns)
        began = time.monotonic()
        # The callback ends the run after a second; between its calls only the run itself can let others in.
        run.run(lambda it: time.monotonic() - began < 1.0, every=1000)
        seen = len(turns) - before
        done.set()
        other.join()
        self.assertGreater(seen, 20)  # of the 200 that a free interpreter allows

    def interrupted(self, work):
        """The output of a script that is interrupted while it works on a run without an end."""
        script = self.root / "endless.py"
        script.write_text(f"import sys, swell\nsys.path.insert(0, sys.argv[1])\nfrom test_simulation import busy_case\n{work}",
                          encoding="utf-8")
        process = subprocess.Popen([sys.executable, "-B", script, ROOT / "tests" / "python"], cwd=self.root,
                                   stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "steps\n")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=60)[0]

    def test_leave_ctrl_c_to_work(self):
        said = self.interrupted("run = swell.Simulation(busy_case(1e9))\nprint('steps', flush=True)\n"
                                "try:\n    run.run()\nexcept KeyboardInterrupt:\n    before = run.steps\n    run.step(2)\n"
                                "    print('stopped', before > 0, run.steps - before)\n")
        self.assertEqual(said, "stopped True 2\n")

    def test_leave_ctrl_c_to_end_a_whole_run(self):
        said = self.interrupted("swell.Simulation(busy_case(1e9))  # compiles the kernels\nprint('steps', flush=True)\n"
                                "try:\n    swell.run(busy_case(1e9), 'out')\nexcept KeyboardInterrupt:\n    print('stopped')\n")
        self.assertEqual(said, "stopped\n")
        summary = json.loads((self.root / "out" / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(summary["status"], "interrupted")


if __name__ == "__main__":
    unittest.main()
