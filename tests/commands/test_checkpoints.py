# SPDX-License-Identifier: Apache-2.0
"""Runs that were stopped, killed or starved of disk, and go on from their checkpoints."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from support import CACHE, CIRCLE, INFO, PROGRAM, CommandTest, needs_checkpoints

KILLS = int(os.environ.get("SWELL_KILLS", "100"))
COUNTS = os.environ.get("SWELL_KILLS_COUNTS")  # a file for what tools/kill_runs keeps

WAVES = """
[mesh]
box = {{ low = [0, 0], high = [1, 1], cells = [3, 3] }}
[model]
name = "{model}"
order = {order}
{more}
[[receiver]]
name = "probe"
at = [0.2, 0.3]
every = 0.013
[[probe]]
name = "line"
from = [0.1, 0.2]
to = [0.7, 0.9]
points = 4
every = 0.03
[time]
end = 0.4
scheme = "{scheme}"
[output]
folder = "out"
energy_every = 0.031
fields = {{ every = 0.1 }}
averages = {{ from = 0.05, every = 0.02 }}
checkpoint = {{ every = 0.043, keep = 100 }}
"""
TM = ('[initial]\nEz = "sin(pi*x)*sin(pi*y)"\n'
      '[farfield]\nfrequencies = [0.7, 2]\nsurface = { low = [0.2, 0.2], high = [0.7, 0.9] }\nphi = [0, 100]')
WALLS = '\n[[surface]]\nname = "walls"\nboundaries = ["xmin", "ymax"]\nevery = 0.017\n'
RUNS = {
    "low storage": {"model": "maxwell-tm", "order": 2, "more": TM, "scheme": "lsrk54"},
    "multistep": {"model": "maxwell-tm", "order": 2, "more": TM + WALLS, "scheme": "ab3"},
    "modal": {"model": "maxwell-tm", "order": 3, "more": 'family = "modal"\n' + TM, "scheme": "ader"},
    "memory of modes": {"model": "maxwell-tm", "order": 4, "more": 'family = "modal"\n' + TM, "scheme": "ader"},
    "memory of nodes": {"model": "maxwell-tm", "order": 4, "scheme": "ader",
                        "more": TM + '\n[source]\nEz = "exp(-20*(x-0.4)^2-20*(y-0.6)^2)*sin(9*t)"'},
    "level set": {"model": "levelset", "order": 2, "scheme": "ssprk33",
                  "more": '[levelset]\nthickness = 0.1\nevery = 5\n[material]\nax = "y"\nay = "-x"\n'
                          f'[initial]\nG = "{CIRCLE}"'},
}

HEAT = """
[mesh]
box = {{ low = [0, 0], high = [1, 1], cells = [4, 4], element = "{element}" }}
[model]
name = "heat"
order = {order}
[initial]
T = "cos(pi*x)*(1 + y)"
[source]
T = "x*sin(7*t)"
[boundary]
ymin = {{ kind = "temperature", T = "cos(pi*x) + t" }}
xmax = {{ kind = "flux", q = "cos(t)" }}
ymax = {{ kind = "robin", h = 2, T = 0.5 }}
[[receiver]]
name = "probe"
at = [0.2, 0.3]
every = 0.013
[time]
end = 0.4
dt = 0.01
scheme = "{scheme}"
[output]
folder = "out"
energy_every = 0.031
fields = {{ every = 0.1 }}
checkpoint = {{ every = 0.043, keep = 100 }}
"""
HEATS = {
    "Crank and Nicolson": {"element": "triangle", "order": 3, "scheme": "theta"},
    "two steps": {"element": "quadrilateral", "order": 2, "scheme": "bdf2"},
}
# A box of tetrahedra of order 1 is solved on the fixed grid.
GRID = HEAT.replace("low = [0, 0], high = [1, 1], cells = [4, 4]", "low = [0, 0, 0], high = [1, 1, 1], cells = [4, 4, 4]").replace(
    "at = [0.2, 0.3]", "at = [0.2, 0.3, 0.4]").format(element="tetrahedron", order=1, scheme="theta")


def heats():
    return {**{name: HEAT.format(**of) for name, of in HEATS.items()}, "fixed grid": GRID,
            "multigrid": HEAT.format(**HEATS["two steps"]) + '[solver]\npreconditioner = "multigrid"\n'}


def waves(name, **changes):
    return WAVES.format(**{**RUNS[name], **changes})


@unittest.skipIf(INFO["checkpoints"], "this build of Swell has HDF5")
class NoCheckpoints(CommandTest):
    def test_are_refused_with_what_is_missing(self):
        self.assert_refused(waves("low storage"), "output.checkpoint", "HDF5")


@needs_checkpoints
class Checkpoints(CommandTest):
    def everything(self, folder):
        """The bytes of everything that a run leaves but its clock readings."""
        return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
                if path.is_file() and path.name not in ("log.txt", "summary.json")}

    def checkpoints(self):
        return sorted((self.root / "out").glob("checkpoint-*.h5"))

    def go_on(self, *words, **environment):
        return self.swell("run", "case.toml", "--quiet", *words, **environment)

    def test_goes_on_with_the_same_bits_as_the_unbroken_run(self):
        for name, case in {**{name: waves(name) for name in RUNS}, **heats()}.items():
            for precision in ("double", "single"):
                with self.subTest(name, precision=precision):
                    tolerance = "tolerance = 1e-5\n" if "multigrid" in case else "[solver]\ntolerance = 1e-5\n"
                    self.write("case.toml", case + (tolerance if case in heats().values() else "") +
                               f'[device]\nprecision = "{precision}"\n')
                    shutil.rmtree(self.root / "out", ignore_errors=True)
                    self.assert_done(self.go_on())
                    whole = self.everything(self.root / "out")
                    written = self.checkpoints()
                    self.assertGreaterEqual(len(written), 5)
                    for later in written[len(written) // 2:]:
                        later.unlink()
                    self.assert_done(self.go_on("--restart", "latest"))
                    again = self.everything(self.root / "out")
                    self.assertEqual(sorted(whole), sorted(again))
                    self.assertEqual([file for file in whole if whole[file] != again[file]], [])

    def test_checkpoints_do_not_change_the_run(self):
        self.write("case.toml", waves("multistep"))
        self.assert_done(self.go_on())
        with_them = self.everything(self.root / "out")
        self.write("case.toml", waves("multistep").replace("checkpoint = {", "# {"))
        shutil.rmtree(self.root / "out")
        self.assert_done(self.go_on())
        without = self.everything(self.root / "out")
        for file in without.keys() - {"case.toml"}:
            self.assertEqual(without[file], with_them[file], file)

    def test_goes_on_at_another_order_precision_family_or_device(self):
        """As good as the worse of both runs: a state of a lower order is kept as it is, one of a higher order projected."""
        turning = "sin(pi*sqrt(2)*t)/sqrt(2)"
        self.write("case.toml", waves("low storage", order=3).replace("[3, 3]", "[6, 6]") +
                   '[exact]\nEz = "sin(pi*x)*sin(pi*y)*cos(pi*sqrt(2)*t)"\n'
                   f'Hx = "-sin(pi*x)*cos(pi*y)*{turning}"\nHy = "cos(pi*x)*sin(pi*y)*{turning}"\n')
        self.assert_done(self.go_on())
        error = self.summary()["errors"]["total"]["l2"]
        half = self.checkpoints()[len(self.checkpoints()) // 2]
        for change in ("model.order=1", "model.order=2", "model.order=5", "device.precision=single", "model.family=modal",
                       "device.backend=cpu:1"):
            self.assert_done(self.go_on("--output", "unbroken", "-D", change))
            self.assert_done(self.go_on("--restart", half, "--output", "other", "-D", change))
            unbroken, found = (self.summary(folder)["errors"]["total"]["l2"] for folder in ("unbroken", "other"))
            self.assertLess(found, 1.2 * max(error, unbroken), change)

    def test_holds_no_state_that_blew_up(self):
        self.write("case.toml", waves("low storage").replace("every = 0.043, keep = 100", "every = 1e-9, keep = 1000") +
                   '[source]\nEz = "sqrt(0.2 - t)"\n')
        done = self.go_on()
        self.assertEqual(done.returncode, 3, done.stderr)
        seen = int(re.search(r"\(step (\d+)\)", done.stderr).group(1))
        self.assertEqual(len(self.checkpoints()), seen - 1)
        self.assertIn(f"{seen - 1:09d}", self.checkpoints()[-1].name)

    def test_heat_goes_on_at_another_order_precision_form_step_or_length(self):
        """As good as the worse of both runs: interpolation into a lower order is as far from the field as that order's answer."""
        case = HEAT.format(**HEATS["Crank and Nicolson"]).replace("cos(pi*x)*(1 + y)", "cos(pi*x)")
        for line in ('T = "x*sin(7*t)"', "[source]"):
            case = case.replace(line, "", 1)
        case = case[:case.index("[boundary]")] + '[boundary]\nymin = "exact"\n' + case[case.index("[[receiver]]"):]
        self.write("case.toml", case + '[exact]\nT = "cos(pi*x)*exp(-pi^2*t)"\n')
        self.assert_done(self.go_on())
        error = self.summary()["errors"]["total"]["l2"]
        half = self.checkpoints()[len(self.checkpoints()) // 2]
        for changes in (("model.order=1",), ("model.order=2",), ("model.order=5",), ("device.precision=single", "solver.tolerance=1e-5"),
                        ("solver.form=vertices",), ("solver.preconditioner=multigrid",), ("time.scheme=bdf2",), ("time.dt=0.005",),
                        ("time.end=0.45",)):
            words = [word for change in changes for word in ("-D", change)]
            self.assert_done(self.go_on("--output", "unbroken", *words))
            self.assert_done(self.go_on("--restart", half, "--output", "other", *words))
            unbroken, found = (self.summary(folder)["errors"]["total"]["l2"] for folder in ("unbroken", "other"))
            self.assertLess(found, 1.2 * max(error, unbroken), changes)
            self.assertAlmostEqual(self.summary("other")["time"], 0.45 if "time.end=0.45" in changes else 0.4, delta=1e-12)

    def test_poisson_has_nothing_to_continue(self):
        self.write("case.toml", '[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [2, 2] }\n[model]\nname = "poisson"\n'
                                '[boundary]\nxmin = { kind = "dirichlet", u = 0 }\n')
        self.assert_sentence(self.go_on("-D", "output.checkpoint.every=1"), 2, "output.checkpoint", "poisson")
        self.assert_sentence(self.go_on("--restart", "latest"), 2, "--restart", "poisson")

    def assert_writes_one_when_asked_to_stop(self, case):
        """The case has no end."""
        for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
            self.write("case.toml", case.replace("fields = { every = 0.1 }", ""))
            shutil.rmtree(self.root / "out", ignore_errors=True)
            run = self.start()
            while not (self.root / "out" / "energy.csv").exists():
                time.sleep(0.05)
            time.sleep(0.3)
            run.send_signal(number)
            run.communicate(timeout=60)
            self.assertEqual(run.returncode, code)
            self.assertEqual(len(self.checkpoints()), 1)
            self.assertEqual(self.summary()["status"], "interrupted")

    def test_refuses_another_mesh_or_model(self):
        self.write("case.toml", waves("low storage"))
        self.assert_done(self.go_on())
        self.assert_sentence(self.go_on("--restart", "latest", "-D", "mesh.box.cells=[3,4]"), 2, "another mesh")
        self.assert_sentence(self.go_on("--restart", "latest", "-D", "model.name=maxwell-te", "-D", "initial={}"), 2, "Ez")

    def test_refuses_a_changed_checkpoint_and_offers_the_one_before(self):
        self.write("case.toml", waves("low storage"))
        self.assert_done(self.go_on())
        *_, before, last = self.checkpoints()
        content = bytearray(last.read_bytes())
        content[len(content) // 2] ^= 4
        last.write_bytes(content)
        self.assert_sentence(self.go_on("--restart", last), 2, before.name)
        done = self.go_on("--restart", "latest")
        self.assert_done(done)
        self.assertIn(last.name, done.stderr)

    def test_refuses_latest_where_there_is_none(self):
        self.write("case.toml", waves("low storage"))
        self.assert_sentence(self.go_on("--restart", "latest"), 2, "no whole checkpoint")

    def test_keeps_as_many_as_asked(self):
        self.write("case.toml", waves("low storage").replace("keep = 100", "keep = 3"))
        self.assert_done(self.go_on())
        self.assertEqual(len(self.checkpoints()), 3)

    def start(self):
        return subprocess.Popen([PROGRAM, "run", "case.toml", "--quiet", "--restart", "latest"] if self.checkpoints() else
                                [PROGRAM, "run", "case.toml", "--quiet"], cwd=self.root, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, "SWELL_CACHE": str(CACHE)})

    def endless(self, every, case=None):
        case = case or waves("low storage")
        return case.replace("end = 0.4", "end = 1e5").replace("every = 0.043", f"every = {every}")

    def test_writes_one_when_asked_to_stop(self):
        self.assert_writes_one_when_asked_to_stop(self.endless(1e4))

    def test_heat_writes_one_when_asked_to_stop(self):
        self.assert_writes_one_when_asked_to_stop(self.endless(1e4, GRID))

    def test_survives_being_killed_at_any_moment(self):
        """The run that was killed many times ends with the bits of the one that was not."""
        draw = random.Random(1)
        self.write("case.toml", waves("multistep").replace("every = 0.043, keep = 100", "every = 1e-9, keep = 2"))
        self.assert_done(self.go_on())
        whole = self.everything(self.root / "out")
        shutil.rmtree(self.root / "out")
        kills, ended, restarts, unfinished = 0, 0, 0, 0
        while kills < KILLS:
            restarts += bool(self.checkpoints())
            run = self.start()
            time.sleep(draw.uniform(0.0, 0.25))
            run.kill()
            _, words = run.communicate()
            if run.returncode == -signal.SIGKILL:
                kills += 1
                unfinished += any((self.root / "out").rglob("*.part"))
            else:
                self.assertEqual(run.returncode, 0, words)
                self.assertEqual(self.everything(self.root / "out"), whole)
                shutil.rmtree(self.root / "out")
                ended += 1
        if COUNTS:
            Path(COUNTS).write_text(json.dumps({"kills": kills, "restarts": restarts, "kills_inside_a_write": unfinished,
                                                "ends_with_the_same_bits": ended}), encoding="utf-8")
        if self.checkpoints():
            self.assert_done(self.go_on("--restart", "latest"))
            self.assertEqual(self.everything(self.root / "out"), whole)

    def test_a_full_disk_leaves_the_older_checkpoint(self):
        """A disk of n pages more than the program's outputs begin with, n = 1 to 50."""
        self.write("case.toml", waves("low storage").replace("every = 0.043, keep = 100", "every = 0.01, keep = 1000"))
        small = ["unshare", "--map-root-user", "--mount", "sh", "-c",
                 'mount -t tmpfs -o size="$1" none out && shift && "$@"; code=$?; cp -r out kept; exit $code', "sh"]
        (self.root / "out").mkdir()
        if subprocess.run([*small, "64k", "true"], cwd=self.root, capture_output=True, check=False).returncode != 0:
            self.skipTest("a small disk cannot be mounted here")
        refused = 0
        for pages in range(1, 51):
            shutil.rmtree(self.root / "kept", ignore_errors=True)
            done = subprocess.run([*small, f"{4 * pages + 8}k", PROGRAM, "run", "case.toml", "--quiet"], cwd=self.root,
                                  env=self.environment(), capture_output=True, text=True, check=False)
            if done.returncode == 0:
                continue
            refused += 1
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("out", done.stderr)
            self.assertIn("disk is full", done.stderr)
            left = sorted((self.root / "kept").glob("checkpoint-*.h5"))
            self.assertEqual(list((self.root / "kept").glob("*.part")), [])
            if left:
                self.assert_done(self.go_on("--restart", left[-1], "--output", "other"))
        self.assertGreater(refused, 20)


if __name__ == "__main__":
    unittest.main()
