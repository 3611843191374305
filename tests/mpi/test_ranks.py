# SPDX-License-Identifier: Apache-2.0
"""`mpirun -n R swell run`: what several ranks leave is what one leaves."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from ranks_support import CASE, DEVICE, GRID, HEAT, LONG, WALLS_AND_LINE, RanksTest, catches, support


class Runs(RanksTest):
    def test_every_file_is_what_one_rank_leaves(self):
        self.write("case.toml", CASE + WALLS_AND_LINE)
        self.assert_done(self.swell("run", "case.toml", "--quiet", "--device", DEVICE, "--output", "one"))
        one = self.summary("one")
        for ranks in (2, 4):
            folder = f"on{ranks}"
            self.assert_done(self.mpirun(ranks, "run", "case.toml", "--quiet", "--device", DEVICE, "--output", folder))
            many = self.summary(folder)
            self.assertEqual(many["ranks"], ranks)
            for key in ("elements", "dofs", "steps", "dt", "time", "errors", "energy", "estimate", "status"):
                self.assertEqual(many[key], one[key], key)
            for name in ("receivers/near.csv", "receivers/far.csv", "surfaces/walls.csv", "probes/line.csv", "farfield.csv", "energy.csv",
                         "Ez.png", "case.toml"):
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

    def compiles(self, ranks, *changes):
        """Texts that were compiled, over all ranks, beginning with an empty cache."""
        with tempfile.TemporaryDirectory(prefix="swell-test-cache-") as cache:
            # The compiler leaves a line for each run of it.
            calls = Path(cache) / "calls"
            compiler = self.write("compiler", f'#!/bin/sh\necho "$@" >> {calls}\nexec g++ "$@"\n')
            compiler.chmod(0o755)
            self.assert_done(self.mpirun(ranks, "run", "case.toml", "--quiet", "--device", DEVICE, *changes, SWELL_CACHE=cache,
                                         SWELL_CXX=compiler))
            texts = sum(path.suffix in (".cpp", ".cu", ".cl") for path in Path(cache).iterdir())
            if DEVICE.startswith("cpu"):
                self.assertEqual(len(list(Path(cache).glob("*.so"))), texts)
                runs = sum("-shared" in call for call in calls.read_text().splitlines())
                self.assertEqual(runs, texts, "each text was compiled once")
            return texts

    def test_one_rank_of_many_compiles(self):
        self.write("case.toml", CASE)
        # Several ranks need one text more: that of the exchange.
        self.assertEqual(self.compiles(4), self.compiles(1) + 1)

    def test_slabs_of_the_fixed_grid_run_one_text(self):
        for name, case in (("numbers", GRID), ("expressions", GRID + '[material]\nk = "1+x*z"\nrhoC = "2+y"\n')):
            with self.subTest(name):
                self.write("case.toml", case)
                alone = self.compiles(1)
                # The first and last slabs, those between them, and slabs of all thicknesses.
                for shares in ([1, 3, 2, 1], [1 + rank % 3 for rank in range(16)]):
                    changes = ("mesh.partition.method=slabs", f"mesh.partition.fractions={shares}",
                               f"mesh.box.cells=[4, 3, {sum(shares)}]")
                    many = self.compiles(len(shares), *(word for change in changes for word in ("-D", change)))
                    self.assertEqual(many, alone + 1, "that of the exchange")

    def test_what_runs_on_one_rank_says_so(self):
        result = self.mpirun(2, "verify", "--quick")
        self.assertEqual(result.returncode, 2, result.stderr)

    def table(self, folder):
        return json.loads((self.root / folder / "sweep.json").read_text())["runs"]

    def test_a_sweep_is_what_one_rank_makes_of_it(self):
        halves = '[1, "if(x < 0.4, 2, 3)", 0.5]'
        for name, case, values in (("grid", GRID, f"material.k = {halves}"), ("elements", HEAT, f"material.k = {halves}"),
                                   ("wave", CASE, "material.epsilon = [1, 2, 0.5]")):
            self.write("case.toml", f"{case}[sweep]\n{values}\n")
            one, many = f"{name}1", f"{name}3"
            self.assert_done(self.swell("run", "case.toml", "--quiet", "--device", DEVICE, "--output", one))
            self.assert_done(self.mpirun(3, "run", "case.toml", "--quiet", "--device", DEVICE, "--output", many))
            rows = self.table(many)
            self.assertEqual(len(rows), 3)
            self.assertEqual(len((self.root / many / "sweep.csv").read_text().splitlines()), 4)
            for found, wanted in zip(rows, self.table(one)):
                for same in ("run", "set", "status", "unknowns", "steps"):
                    self.assertEqual(found[same], wanted[same])
                for near in ("energy", "error_l2"):
                    self.assertAlmostEqual(found[near], wanted[near], delta=1e-12)
                summary = self.summary(f"{many}/{found['run']}")
                self.assertEqual(summary["ranks"], 3)
                # Messages of this run alone: those of an earlier one would nearly double them.
                if "solver" in summary:
                    self.assertLess(summary["exchange"]["exchanges"], 1.5 * summary["solver"]["iterations"] + 20 * summary["steps"])

    def test_a_run_of_a_sweep_that_fails_does_not_stop_the_others(self):
        self.write("case.toml", GRID + "[sweep]\nsolver.iterations = [2, 1000]\nmaterial.k = [1, 2]\n")
        result = self.mpirun(2, "run", "case.toml", "--quiet", "--device", DEVICE)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(result.stderr.count("2 of 4 runs of the sweep failed"), 1, result.stderr)
        # By name: material.k comes first, solver.iterations changes fastest.
        self.assertEqual([row["status"] for row in self.table("out")], ["failed", "done"] * 2)

    def test_interrupted_ranks_stop_after_the_same_step(self):
        self.write("case.toml", LONG)
        process = self.start(3, "run", "case.toml", "--quiet", "--device", DEVICE)
        # To one rank alone, which may begin to step later than the first: the others hear of it from that one.
        second = self.ranks_of(process)[1]
        deadline = time.time() + support.LONGEST
        while not catches(second, signal.SIGTERM):
            self.assertLess(time.time(), deadline)
            time.sleep(0.1)
        os.kill(second, signal.SIGTERM)
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
        self.assertEqual(self.swell("bench", "ranks").returncode, 2)
        out = self.root / "scaling.json"
        result = subprocess.run([support.ROOT / "bench" / "scaling", "--quick", "--ranks", "1,2", "--out", out], text=True,
                                env=self.environment(SWELL_BUILD=Path(support.PROGRAM).parents[1], SWELL_COMMIT="none"),
                                capture_output=True, timeout=support.LONGEST, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        data = json.loads(out.read_text())
        self.assertGreater(data["messages"]["bandwidth"], 0)
        self.assertGreater(len(data["messages"]["messages"]), 10)
        two = data["strong"][1]
        # METIS cuts a box of 3 x 3 x 3 cells no better than a plane does, and not much worse.
        self.assertGreater(two["exchange_bytes"], 0.8 * two["model_bytes"])
        self.assertLess(two["exchange_bytes"], 2.5 * two["model_bytes"])
        for entries in data["predicted"].values():
            self.assertEqual([entry["ranks"] for entry in entries], [64, 128])

    def assert_heat_agrees(self, folder, one="one"):
        """To 1e-12 of temperatures of about 1."""
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

    @support.needs_checkpoints
    def test_heat_goes_on_with_the_same_bits_and_on_another_number_of_ranks(self):
        self.assert_heat_goes_on(HEAT, ((2, 2), (2, 3), (3, 1), (1, 4)))

    @support.needs_checkpoints
    def test_the_fixed_grid_goes_on_with_the_same_bits_and_on_another_number_of_ranks(self):
        self.assert_heat_goes_on(GRID, ((3, 3), (2, 4), (1, 3)))

    def assert_heat_goes_on(self, case, pairs):
        self.write("case.toml", case)
        self.assert_done(self.mpirun(1, "run", "case.toml", "--quiet", "--device", DEVICE, "--output", "one"))
        for first, second in pairs:
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

    @support.needs_checkpoints
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
