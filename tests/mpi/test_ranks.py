# SPDX-License-Identifier: Apache-2.0
"""`mpirun -n R swell run`: what several ranks leave is what one leaves, and a rank that fails takes the others along."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "commands"))
import support  # noqa: E402

MPIRUN = shutil.which("mpirun")
INFO = json.loads(subprocess.run([support.PROGRAM, "info", "--json"], capture_output=True, text=True, check=True).stdout)
# Of each rank: a GPU's tests name cuda or opencl here.
DEVICE = os.environ.get("SWELL_TEST_DEVICE", "cpu:1")
HAS_MPI = MPIRUN and not INFO["mpi"].startswith("none")

CASE = """
title = "Ranks"
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [5, 5] }
[model]
name = "maxwell-tm"
order = 2
[initial]
Ez = "sin(pi*x)*sin(pi*y)"
[exact]
Ez = "cos(sqrt(2)*pi*t)*sin(pi*x)*sin(pi*y)"
[[receiver]]
name = "near"
at = [0.1, 0.1]
[[receiver]]
name = "far"
at = [0.9, 0.8]
[farfield]
frequencies = [0.7, 2]
surface = { center = [0.5, 0.5], radius = 0.4 }
phi = [0, 100]
[time]
end = 0.1
[output]
folder = "out"
fields = { every = 0.05 }
picture = { field = "Ez" }
energy_every = 0.05
"""
HEAT = """
title = "Heat on ranks"
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [5, 5] }
[model]
name = "heat"
order = 2
[initial]
T = "cos(pi*x)"
[exact]
T = "exp(-pi^2*t)*cos(pi*x)"
[boundary]
ymin = "exact"
[[receiver]]
name = "near"
at = [0.1, 0.1]
[[receiver]]
name = "far"
at = [0.9, 0.8]
[time]
end = 0.1
dt = 0.005
[solver]
tolerance = 1e-14
[output]
folder = "out"
fields = { every = 0.05 }
picture = { field = "T" }
energy_every = 0.05
checkpoint = { every = 0.01, keep = 100 }
"""
LONG = CASE.replace("end = 0.1", "end = 1e6").replace("picture = { field = \"Ez\" }", "").replace(
    "fields = { every = 0.05 }", "").replace("energy_every = 0.05", "")


def running(pid):
    """Not gone, and not dead with nobody to fetch its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


@unittest.skipUnless(HAS_MPI, "there is no mpirun, or this build of Swell has no MPI")
class RanksTest(support.CommandTest):
    def environment(self, **changes):
        return super().environment(OMPI_ALLOW_RUN_AS_ROOT=1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1,
                                   OMPI_MCA_mpi_yield_when_idle=1, **changes)

    def command(self, ranks, *words):
        return [MPIRUN, "-n", str(ranks), "--oversubscribe", "--bind-to", "none", support.PROGRAM, *map(str, words)]

    def mpirun(self, ranks, *words, **environment):
        return subprocess.run(self.command(ranks, *words), cwd=self.root, env=self.environment(**environment),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=support.LONGEST,
                              check=False)

    def start(self, ranks, *words):
        """A run in the background that has begun to step."""
        process = subprocess.Popen(self.command(ranks, *words), cwd=self.root, env=self.environment(),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        log = self.root / "out" / "log.txt"
        deadline = time.time() + support.LONGEST
        while not (log.exists() and "steps to t" in log.read_text()):
            self.assertIsNone(process.poll(), "the run ended before its first step")
            self.assertLess(time.time(), deadline)
            time.sleep(0.2)
        return process

    def ranks_of(self, process):
        """Process ids of the program's ranks: children of mpirun."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                if parent == process.pid and Path(os.readlink(entry / "exe")).name == "swell":
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def test_every_file_is_what_one_rank_leaves(self):
        self.write("case.toml", CASE)
        self.assert_done(self.swell("run", "case.toml", "--quiet", "--device", DEVICE, "--output", "one"))
        one = self.summary("one")
        for ranks in (2, 4):
            folder = f"on{ranks}"
            self.assert_done(self.mpirun(ranks, "run", "case.toml", "--quiet", "--device", DEVICE, "--output", folder))
            many = self.summary(folder)
            self.assertEqual(many["ranks"], ranks)
            for key in ("elements", "dofs", "steps", "dt", "time", "errors", "energy", "status"):
                self.assertEqual(many[key], one[key], key)
            for name in ("receivers/near.csv", "receivers/far.csv", "farfield.csv", "energy.csv", "Ez.png", "case.toml"):
                self.assertEqual((self.root / folder / name).read_bytes(), (self.root / "one" / name).read_bytes(), name)
            pieces = sorted(path.name for path in (self.root / folder / "fields").glob("000002-*.vtu"))
            self.assertEqual(pieces, [f"000002-{rank}.vtu" for rank in range(ranks)])
            joined = (self.root / folder / "fields" / "000002.pvtu").read_text()
            for piece in pieces:
                self.assertIn(f'Source="{piece}"', joined)
            cells = sum(int(text.split(b'NumberOfCells="')[1].split(b'"')[0]) for text in
                        ((self.root / folder / "fields" / piece).read_bytes() for piece in pieces))
            self.assertEqual(cells, one["elements"])
            self.assertGreater(many["exchange"]["messages"], 0)

    def test_one_rank_of_many_compiles(self):
        self.write("case.toml", CASE)
        counts = []
        for ranks in (1, 4):
            with tempfile.TemporaryDirectory(prefix="swell-test-cache-") as cache:
                # The compiler leaves a line for each run of it.
                compiler = self.write("compiler", f'#!/bin/sh\necho "$@" >> {self.root}/calls{ranks}\nexec g++ "$@"\n')
                compiler.chmod(0o755)
                result = self.mpirun(ranks, "run", "case.toml", "--quiet", "--device", DEVICE, SWELL_CACHE=cache,
                                     SWELL_CXX=compiler)
                self.assert_done(result)
                calls = (self.root / f"calls{ranks}").read_text().splitlines()
                counts.append(sum("-shared" in call for call in calls))
                texts = len(list(Path(cache).glob("*.cpp")))
                self.assertEqual(len(list(Path(cache).glob("*.so"))), texts)
                self.assertEqual(counts[-1], texts, "each text was compiled once")
        # Several ranks need one text more: that of the exchange.
        self.assertEqual(counts[1], counts[0] + 1)

    def test_wrong_input_is_one_sentence(self):
        self.write("case.toml", CASE.replace('name = "maxwell-tm"', 'name = "heat"').replace("Ez", "T"))
        for case, sentence in (("case.toml", ""), ("none.toml", "there is no case file")):
            result = self.mpirun(3, "run", case, "--quiet")
            self.assertEqual(result.returncode, 2, result.stderr)
            said = [line for line in result.stderr.splitlines() if line.startswith("swell: ")]
            self.assertEqual(len(said), 1, result.stderr)
            self.assertIn(sentence, said[0])

    def test_what_runs_on_one_rank_says_so(self):
        self.write("case.toml", HEAT + "[sweep]\nmaterial.k = [1, 2]\n")
        result = self.mpirun(2, "run", "case.toml", "--quiet")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("runs on one rank in this version; 2 were started", result.stderr)
        result = self.mpirun(2, "verify", "--quick")
        self.assertEqual(result.returncode, 2, result.stderr)

    def test_a_failure_of_one_rank_ends_all_with_its_sentence(self):
        # A rank's piece of the fields cannot be written where a folder has its name.
        self.write("case.toml", CASE)
        (self.root / "out" / "fields" / "000001-2.vtu").mkdir(parents=True)
        began = time.time()
        result = self.mpirun(4, "run", "case.toml", "--quiet", "--device", DEVICE)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("swell: rank 2: ", result.stderr)
        self.assertIn("000001-2.vtu", result.stderr)
        self.assertLess(time.time() - began, support.LONGEST)

    def test_a_killed_rank_takes_the_others_along(self):
        self.write("case.toml", LONG)
        process = self.start(4, "run", "case.toml", "--quiet", "--device", DEVICE)
        victims = self.ranks_of(process)
        self.assertEqual(len(victims), 4)
        deadline = time.time() + 30
        os.kill(victims[1], signal.SIGKILL)
        self.assertNotEqual(process.wait(timeout=30), 0)
        while any(running(pid) for pid in victims) and time.time() < deadline:
            time.sleep(0.2)
        self.assertEqual([pid for pid in victims if running(pid)], [])

    def test_interrupted_ranks_stop_after_the_same_step(self):
        self.write("case.toml", LONG)
        process = self.start(3, "run", "case.toml", "--quiet", "--device", DEVICE)
        # To one rank alone: the others hear of it from that one.
        os.kill(self.ranks_of(process)[1], signal.SIGTERM)
        process.wait(timeout=support.LONGEST)
        self.assertEqual(self.summary()["status"], "interrupted")

    def test_profile_says_how_the_messages_went(self):
        self.write("case.toml", CASE)
        result = self.mpirun(2, "run", "case.toml", "--profile", "--device", DEVICE)
        self.assert_done(result)
        exchange = self.summary()["exchange"]
        way = "straight from the device's memory" if exchange["direct"] else "through the host's memory"
        self.assertIn(way, result.stderr)
        if DEVICE.startswith("cpu"):
            self.assertTrue(exchange["direct"])

    def test_plan_counts_what_the_run_sends(self):
        self.write("case.toml", CASE)
        for family in ("nodal", "modal"):
            planned = self.swell("plan", "case.toml", "--json", "--ranks", "2,3", "-D", f"model.family={family}", "--device", DEVICE)
            self.assert_done(planned)
            for part in json.loads(planned.stdout)["parts"]:
                self.assert_done(self.mpirun(part["ranks"], "run", "case.toml", "--quiet", "--device", DEVICE, "-D",
                                             f"model.family={family}"))
                exchange = self.summary()["exchange"]
                self.assertEqual(part["bytes"] * exchange["exchanges"], exchange["bytes"])
                self.assertEqual(part["messages"] * exchange["exchanges"], exchange["messages"])

    def test_measures_messages_and_predicts_scaling(self):
        measured = self.mpirun(2, "bench", "ranks", "--json")
        self.assert_done(measured)
        speed = json.loads(measured.stdout)
        self.assertGreater(speed["bandwidth"], 0)
        self.assertGreater(len(speed["messages"]), 10)
        self.assertEqual(self.swell("bench", "ranks").returncode, 2)
        out = self.root / "scaling.json"
        result = subprocess.run([support.ROOT / "bench" / "scaling", "--quick", "--ranks", "1,2", "--out", out], text=True,
                                env=self.environment(SWELL_BUILD=Path(support.PROGRAM).parents[1], SWELL_COMMIT="none"),
                                capture_output=True, timeout=support.LONGEST, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        data = json.loads(out.read_text())
        two = data["strong"][1]
        # METIS cuts a box of 3 x 3 x 3 cells no better than a plane does, and not much worse.
        self.assertGreater(two["exchange_bytes"], 0.8 * two["model_bytes"])
        self.assertLess(two["exchange_bytes"], 2.5 * two["model_bytes"])
        for entries in data["predicted"].values():
            self.assertEqual([entry["ranks"] for entry in entries], [64, 128])

    def assert_heat_agrees(self, folder, one="one"):
        """To 1e-12 of temperatures of about 1, as the issue asks of solvers."""
        found, wanted = self.summary(folder), self.summary(one)
        for key in ("elements", "dofs", "steps", "dt", "time", "status"):
            self.assertEqual(found[key], wanted[key], key)
        for part in ("initial", "final"):
            self.assertAlmostEqual(found["energy"][part], wanted["energy"][part], delta=1e-12)
        self.assertAlmostEqual(found["errors"]["total"]["l2"], wanted["errors"]["total"]["l2"], delta=1e-12)
        for name in ("receivers/near.csv", "receivers/far.csv", "energy.csv"):
            rows = [[[float(cell) for cell in line.split(",")] for line in (self.root / of / name).read_text().splitlines()[1:]]
                    for of in (folder, one)]
            self.assertEqual(len(rows[0]), len(rows[1]))
            self.assertGreater(len(rows[0]), 2)
            for mine, theirs in zip(*rows):
                self.assertEqual(mine[0], theirs[0])
                self.assertAlmostEqual(mine[1], theirs[1], delta=1e-12)

    def test_heat_leaves_what_one_rank_leaves(self):
        self.write("case.toml", HEAT)
        self.assert_done(self.swell("run", "case.toml", "--quiet", "--device", DEVICE, "--output", "one"))
        for ranks in (2, 4):
            folder = f"on{ranks}"
            self.assert_done(self.mpirun(ranks, "run", "case.toml", "--quiet", "--device", DEVICE, "--output", folder))
            self.assertEqual(self.summary(folder)["ranks"], ranks)
            self.assert_heat_agrees(folder)
            self.assertEqual((self.root / folder / "T.png").read_bytes(), (self.root / "one" / "T.png").read_bytes())
            pieces = sorted(path.name for path in (self.root / folder / "fields").glob("000002-*.vtu"))
            self.assertEqual(pieces, [f"000002-{rank}.vtu" for rank in range(ranks)])
            exchange = self.summary(folder)["exchange"]
            self.assertGreater(exchange["messages"], self.summary(folder)["solver"]["iterations"])

    def test_heat_goes_on_with_the_same_bits_and_on_another_number_of_ranks(self):
        self.write("case.toml", HEAT)
        self.assert_done(self.mpirun(1, "run", "case.toml", "--quiet", "--device", DEVICE, "--output", "one"))
        for first, second in ((2, 2), (2, 3), (3, 1), (1, 4)):
            folder = self.root / "out"
            shutil.rmtree(folder, ignore_errors=True)
            self.assert_done(self.mpirun(first, "run", "case.toml", "--quiet", "--device", DEVICE))
            whole = {path.name: path.read_bytes() for path in [*folder.glob("*.h5"), *folder.glob("receivers/*.csv")]}
            written = sorted(folder.glob("*.h5"))
            self.assertEqual(len(written), 10)
            for path in written[5:]:
                path.unlink()
            self.assert_done(self.mpirun(second, "run", "case.toml", "--quiet", "--device", DEVICE, "--restart", "latest"))
            self.assert_heat_agrees("out")
            if first == second:
                again = {path.name: path.read_bytes() for path in [*folder.glob("*.h5"), *folder.glob("receivers/*.csv")]}
                self.assertEqual(again.keys(), whole.keys())
                self.assertEqual([name for name in whole if again[name] != whole[name]], [])

    def test_heat_says_what_it_cannot_do_on_ranks(self):
        self.write("case.toml", HEAT)
        for change, key in (("solver.form=grid", "solver.form"), ("mesh.partition.fractions=[1,2,3]", "mesh.partition.fractions")):
            result = self.mpirun(2, "run", "case.toml", "--quiet", "--device", DEVICE, "-D", change)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(key, result.stderr)
        result = self.mpirun(2, "run", "case.toml", "--quiet", "--device", DEVICE, "-D", "solver.iterations=2")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(result.stderr.count("did not converge"), 1, result.stderr)
        self.assertEqual(self.summary()["status"], "failed")

    def test_goes_on_with_another_number_of_ranks_and_the_same_bits(self):
        self.write("case.toml", CASE.replace("energy_every = 0.05", "checkpoint = { every = 0.01, keep = 100 }").replace(
            "fields = { every = 0.05 }", ""))
        self.assert_done(self.mpirun(1, "run", "case.toml", "--quiet"))
        folder = self.root / "out"
        whole = {path.name: path.read_bytes() for path in [*folder.glob("*.h5"), *folder.glob("receivers/*.csv")]}
        for first, second in ((2, 3), (3, 1)):
            shutil.rmtree(folder)
            self.assert_done(self.mpirun(first, "run", "case.toml", "--quiet"))
            written = sorted(folder.glob("*.h5"))
            self.assertEqual([path.name for path in written], sorted(name for name in whole if name.endswith(".h5")))
            for path in written[len(written) // 2:]:
                path.unlink()
            self.assert_done(self.mpirun(second, "run", "case.toml", "--quiet", "--restart", "latest"))
            again = {path.name: path.read_bytes() for path in [*folder.glob("*.h5"), *folder.glob("receivers/*.csv")]}
            self.assertEqual(again.keys(), whole.keys())
            self.assertEqual([name for name in whole if again[name] != whole[name]], [])


if __name__ == "__main__":
    unittest.main()
