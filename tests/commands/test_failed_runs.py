# SPDX-License-Identifier: Apache-2.0
"""Runs that fail on the way, are stopped, or need what is not there."""

import csv
import signal
import subprocess
import time
import unittest

from support import EXAMPLES, LONGEST, PROGRAM, SMALL_CASE, CommandTest

RESOLVED = SMALL_CASE.replace("order = 2", "order = 4")
ENDLESS = RESOLVED.replace("end = 0.2", "end = 1e6")


class BlowUp(CommandTest):
    def test_names_time_field_and_element_and_ends_with_3(self):
        result = self.run_case(RESOLVED.replace("end = 0.2", "end = 1000\ncfl = 5"))
        self.assert_sentence(result, 3, "blew up at t = ", "field ", "element ", "time.cfl")
        summary = self.summary()
        self.assertEqual(summary["status"], "failed")
        self.assertIn("blew up", summary["message"])
        self.assertLess(summary["time"], 1000)
        self.assertTrue((self.root / "out" / "receivers" / "probe.csv").exists())

    def test_by_a_source_without_end(self):
        result = self.run_case(RESOLVED.replace("end = 0.2", "end = 10") + '[source]\nEz = "exp(1000*t)"\n')
        self.assert_sentence(result, 3, "blew up at t = ", "not finite")


class Solver(CommandTest):
    POISSON = ('[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [8, 8] }\n[model]\nname = "poisson"\norder = 2\n'
               '[source]\nu = "x - 0.5"\n[output]\nfolder = "out"\n')

    def test_that_does_not_converge_ends_with_3_and_keeps_its_history(self):
        walls = '[boundary]\nxmin = { kind = "dirichlet", u = 0 }\n[solver]\niterations = 5\n'
        result = self.run_case(self.POISSON + walls)
        self.assert_sentence(result, 3, "did not converge after 5 iterations", "solver.tolerance")
        summary = self.summary()
        self.assertEqual(summary["status"], "failed")
        self.assertEqual(len(summary["solver"]["history"]), 6)
        self.assertTrue(all(norm > 0 for norm in summary["solver"]["history"]))
        self.assertEqual(summary["solver"]["history"][-1], summary["solver"]["residual"])

    def test_of_a_problem_without_given_values_says_so_and_solves_up_to_a_constant(self):
        for family in ("continuous", "discontinuous"):
            for preconditioner in ("jacobi", "multigrid"):
                text = self.POISSON.replace("order = 2", f'order = 2\nfamily = "{family}"')
                result = self.run_case(text + '[[receiver]]\nname = "probe"\nat = [0.75, 0.5]\n'
                                       f'[solver]\npreconditioner = "{preconditioner}"\n')
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("up to a constant", result.stderr)
                with open(self.root / "out" / "receivers" / "probe.csv", encoding="utf-8", newline="") as file:
                    value = float(list(csv.reader(file))[-1][1])
                # With s = x - 1/2: u'' = -s and u' = 0 at both ends give u = s/8 - s^3/6, odd about the middle.
                self.assertAlmostEqual(value, 0.25 / 8 - 0.25**3 / 6, delta=1e-5)

    def test_that_is_steady_says_what_has_no_effect(self):
        for more in ("[time]\nend = 1\n", "[initial]\nu = 1\n"):
            result = self.run_case(self.POISSON + more + '[boundary]\nxmin = { kind = "dirichlet", u = 0 }\n')
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("[time] and [initial] have no effect", result.stderr)

    def test_without_given_values_leaves_the_mean_0(self):
        for family in ("continuous", "discontinuous"):
            text = self.POISSON.replace("order = 2", f'order = 2\nfamily = "{family}"').replace("x - 0.5", "-1")
            result = self.run_case(text + '[boundary]\nxmax = { kind = "flux", q = 1 }\n[exact]\nu = "x^2/2 - 1/6"\n')
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertLess(self.summary()["errors"]["total"]["l2"], 1e-10)

    def test_without_given_values_needs_sources_and_fluxes_that_add_up_to_nothing(self):
        for family in ("continuous", "discontinuous"):
            text = self.POISSON.replace("order = 2", f'order = 2\nfamily = "{family}"').replace("x - 0.5", "5")
            result = self.run_case(text + '[boundary]\nxmax = { kind = "flux", q = 1 }\n')
            self.assert_sentence(result, 2, "add up to 6, not to 0", "[source] or [boundary]")

    def test_names_what_is_not_finite(self):
        heat = ('[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [4, 4] }\n[model]\nname = "heat"\norder = 1\n'
                '[time]\nend = 0.1\ndt = 0.01\n[output]\nfolder = "out"\n')
        walls = '[boundary]\nxmin = { kind = "temperature", T = 1 }\nxmax = { kind = "flux", q = %s }\n'
        for more, words in (('[source]\nT = "sqrt(0.05 - t)"\n', ("source.T = sqrt(0.05 - t)", "t = 0.06;")),
                            (walls % '"1/(t - t)"', ("boundary.xmax = 1/(t - t)", "inf at (1, ")),
                            (walls.replace("T = 1", 'T = "log(-1 - x)"') % 0, ("boundary.xmin = log(-1 - x)", "nan at ("))):
            self.assert_sentence(self.run_case(heat + more), 3, *words, "must be finite")


class Interrupt(CommandTest):
    def stop_with(self, number):
        self.write("case.toml", ENDLESS)
        with subprocess.Popen([PROGRAM, "run", "case.toml", "--quiet"], cwd=self.root, env=self.environment(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            receiver = self.root / "out" / "receivers" / "probe.csv"
            deadline = time.monotonic() + LONGEST
            while not (receiver.exists() and receiver.stat().st_size > 1000) and time.monotonic() < deadline:
                self.assertIsNone(process.poll(), "the run ended by itself")
                time.sleep(0.02)
            process.send_signal(number)
            _, errors = process.communicate(timeout=LONGEST)
        self.assertEqual((process.returncode, errors), (130, ""))
        summary = self.summary()
        self.assertEqual(summary["status"], "interrupted")
        self.assertLess(summary["time"], 1e6)
        with open(receiver, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        self.assertTrue(all(len(row) == 4 for row in rows))
        self.assertEqual(float(rows[-1][0]), summary["time"])

    def test_ends_with_130_and_keeps_what_was_recorded(self):
        self.stop_with(signal.SIGINT)

    def test_to_terminate_does_the_same(self):
        self.stop_with(signal.SIGTERM)


FAR = ('[farfield]\nfrequencies = [0.7]\nphi = [0, 90]\nsurface = { center = [0.5, 0.5], radius = 0.3 }\n')


class FarField(CommandTest):
    """Of a run that does not come to its end: marked, so that nobody takes it for the answer."""

    def lines(self):
        return (self.root / "out" / "farfield.csv").read_text(encoding="utf-8").splitlines()

    def test_of_a_whole_run_is_not_marked_whatever_was_there_before(self):
        self.write("out/farfield.csv", "# unfinished: of before\n")
        self.assert_done(self.run_case(SMALL_CASE + FAR))
        lines = self.lines()
        self.assertTrue(lines[0].startswith("frequency,phi,intensity,dB,"))
        self.assertEqual(len(lines), 3)

    def test_of_a_run_that_is_stopped_says_when(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.write("case.toml", ENDLESS + FAR)
            self.write("out/farfield.csv", "frequency,phi,intensity,dB\n0.7,0,1,1\n")
            with subprocess.Popen([PROGRAM, "run", "case.toml", "--quiet"], cwd=self.root, env=self.environment()) as process:
                receiver = self.root / "out" / "receivers" / "probe.csv"
                deadline = time.monotonic() + LONGEST
                while not (receiver.exists() and receiver.stat().st_size > 1000) and time.monotonic() < deadline:
                    time.sleep(0.02)
                going = self.lines()
                process.send_signal(number)
                self.assertEqual(process.wait(LONGEST), 130)
            self.assertEqual(going[0], "# unfinished: the run has not come to its end")
            self.assertEqual(len(going), 2)
            lines = self.lines()
            self.assertIn(f"# unfinished: the run was stopped at t = {self.summary()['time']:.6g} of 1e+06", lines[0])
            self.assertTrue(lines[1].startswith("frequency,phi,intensity,dB,"))
            self.assertEqual(len(lines), 4)
            plotted = self.swell("plot", "out/farfield.csv")
            self.assertEqual(plotted.returncode, 0, plotted.stderr)
            self.assertIn("is unfinished: the run was stopped", plotted.stderr)
            self.assertIn("(unfinished)", (self.root / "out" / "farfield.svg").read_text(encoding="utf-8"))
            for path in (receiver, self.root / "out" / "summary.json"):
                path.unlink()

    def test_of_a_run_that_blows_up_has_no_entries(self):
        self.assertEqual(self.run_case(SMALL_CASE.replace("end = 0.2", "end = 1000\ncfl = 5") + FAR).returncode, 3)
        lines = self.lines()
        self.assertRegex(lines[0], "^# unfinished: .*blew up at t = ")
        self.assertEqual(len(lines), 2)
        plotted = self.swell("plot", "out")
        self.assertIn("is unfinished and has no entries: ", plotted.stderr)
        self.assertEqual(plotted.returncode, 0, plotted.stderr)


class Compiler(CommandTest):
    def test_that_is_missing(self):
        result = self.run_case(SMALL_CASE, SWELL_CXX="/nonexistent", SWELL_CACHE=self.root / "cache")
        self.assert_sentence(result, 3, "/nonexistent", "SWELL_CXX")
        self.assertFalse((self.root / "out").exists())

    def test_that_fails(self):
        script = self.write("broken", "#!/bin/sh\nexit 1\n")
        script.chmod(0o755)
        result = self.run_case(SMALL_CASE, SWELL_CXX=script, SWELL_CACHE=self.root / "cache")
        self.assert_sentence(result, 3, "broken")
        self.assertFalse((self.root / "out").exists())

    def test_whose_cache_cannot_be_made(self):
        self.write("taken", "")
        result = self.run_case(SMALL_CASE, SWELL_CACHE=self.root / "taken")
        self.assert_sentence(result, 3, "taken")
        self.assertFalse((self.root / "out").exists())


class OwnModel(CommandTest):
    """A user's model file that is wrong is wrong input."""

    MODEL = (EXAMPLES / "own-model" / "shallow-water.h").read_text(encoding="utf-8")
    CASE = SMALL_CASE.replace('name = "maxwell-tm"', 'file = "mine.h"').replace("Ez", "h")

    def refuse_model(self, text, *words):
        self.write("mine.h", text)
        self.assert_refused(self.CASE, "mine.h", *words)

    def without(self, old, new=""):
        self.assertIn(old, self.MODEL)
        return self.MODEL.replace(old, new)

    def test_that_is_right(self):
        self.write("mine.h", self.MODEL)
        self.assert_done(self.run_case(self.CASE))

    def test_in_the_modal_family(self):
        modal = self.CASE.replace("order = 2", 'order = 2\nfamily = "modal"')
        self.write("mine.h", self.MODEL)
        self.assert_done(self.run_case(modal))
        self.write("mine.h", self.without("linear      yes", "linear      no"))
        self.assert_refused(modal, "modal", "linear", "nodal")

    def test_that_is_missing(self):
        self.assert_refused(self.CASE, "mine.h")

    def test_without_a_head(self):
        self.refuse_model("int main() { return 0; }\n", "head")

    def test_with_an_unknown_word_in_its_head(self):
        self.refuse_model(self.without("material    g", "materail    g"), "'materail'", "'material'")

    def test_with_an_unknown_kind_of_field(self):
        self.refuse_model(self.without("scalar h", "spinor h"), "'spinor'")

    def test_without_flux(self):
        self.refuse_model(self.without("FUNCTION void flux(", "FUNCTION void fluss("), "'flux'")

    def test_whose_wall_has_no_function(self):
        self.refuse_model(self.without("wall        coast", "wall        cliff"), "'cliff'")

    def test_of_another_dimension(self):
        self.refuse_model(self.without("dimensions  2", "dimensions  3"), "dimension")

    def test_with_a_name_twice(self):
        self.refuse_model(self.without("coriolis = 0", "h = 0"), "'h'", "twice")

    def test_that_does_not_compile(self):
        wrong = self.without("f[h] = n[0]", "f[hh] = n[0]")
        line = wrong[:wrong.index("f[hh]")].count("\n") + 1
        self.write("mine.h", wrong)
        self.write("case.toml", self.CASE)
        before = self.files()
        result = self.swell("run", "case.toml", "--quiet")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(self.files(), before)
        first, *errors = result.stderr.splitlines()
        self.assertIn("mine.h does not compile", first)
        self.assertIn(".log", first)
        self.assertTrue(errors[0].startswith(f"  mine.h:{line}:"), errors)
        self.assertIn("hh", errors[0])

    def test_with_a_number_where_a_real_belongs_is_told_the_remedy(self):
        self.write("mine.h", self.without("f[h] = n[0]", "f[h] = 0.0; f[h] = n[0]").replace("f[h] = 0.0;", "real none = 0.0;"))
        result = self.run_case(self.CASE)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("splat(...)", result.stderr)


if __name__ == "__main__":
    unittest.main()
