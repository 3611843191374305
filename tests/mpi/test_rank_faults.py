# SPDX-License-Identifier: Apache-2.0
"""A rank that fails, is killed or lacks what the others have takes the others along, with one sentence and no deadlock."""

import os
import shutil
import signal
import subprocess
import time
import unittest

from ranks_support import CASE, DEVICE, LONG, MPIRUN, RanksTest, running, support

LEVEL_SET = f"""
[mesh]
box = {{ low = [0, 0], high = [1, 1], cells = [5, 5] }}
[model]
name = "levelset"
order = 2
[levelset]
thickness = 0.1
every = 5
[material]
ax = "y-0.5"
ay = "0.5-x"
[initial]
G = "{support.CIRCLE}"
[time]
end = 0.1
[output]
folder = "out"
fields = {{ every = 0.05 }}
"""


def families(nodal, level_set):
    """One run in every family."""
    modal = nodal.replace("order = 2", 'order = 2\nfamily = "modal"').replace("[time]", '[time]\nscheme = "ader"')
    return {"nodal": nodal, "modal": modal, "level set": level_set}


class Faults(RanksTest):
    def said(self, result):
        return [line for line in result.stderr.splitlines() if line.startswith("swell: ")]

    def assert_one_sentence(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stderr)
        said = self.said(result)
        self.assertEqual(len(said), 1, result.stderr)
        for word in words:
            self.assertIn(word, said[0])

    def test_wrong_input_is_one_sentence(self):
        self.write("heat.toml", CASE.replace('name = "maxwell-tm"', 'name = "heat"').replace("Ez", "T"))
        self.write("expression.toml", CASE.replace("sin(pi*x)*sin(pi*y)", "sin(pi*x"))
        self.write("at_a_point.toml", CASE.replace('Ez = "sin(pi*x)*sin(pi*y)"', 'Ez = "1/(x-x)"', 1))
        self.write("boundary.toml", CASE + '[boundary]\nleft = "pec"\n')
        self.write("mesh.toml", CASE.replace("box = { low = [0, 0], high = [1, 1], cells = [5, 5] }", 'file = "none.msh"'))
        for case, sentence in (("heat.toml", ""), ("none.toml", "there is no case file"), ("expression.toml", "of the expression"),
                               ("at_a_point.toml", "initial.Ez"), ("boundary.toml", "no boundary 'left'"),
                               ("mesh.toml", "none.msh")):
            with self.subTest(case):
                self.assert_one_sentence(self.mpirun(3, "run", case, "--quiet", "--device", DEVICE), sentence)

    def in_two_folders(self, *words):
        """One rank in the folder `here`, two in the folder `there`."""
        def part(ranks, folder):
            return ["-n", str(ranks), "--wdir", str(self.root / folder), support.PROGRAM, *map(str, words)]
        return subprocess.run([MPIRUN, "--oversubscribe", "--bind-to", "none", *part(1, "here"), ":", *part(2, "there")],
                              cwd=self.root, env=self.environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=support.LONGEST, check=False)

    def test_only_the_first_rank_reads_the_mesh(self):
        """The others have no such file, and the answer is that of one rank."""
        case = CASE.replace("box = { low = [0, 0], high = [1, 1], cells = [5, 5] }", 'file = "mesh.msh"').replace(
            "[time]", '[material.glass]\nepsilon = 2.25\n[[source.point]]\nat = [0.43, 0.61]\nfield = "Ez"\n'
            'signal = "sin(9*t)"\n[time]')
        for folder in ("here", "there"):
            self.write(f"{folder}/case.toml", case)
        shutil.copy(support.MESHES / "two-regions-41.msh", self.root / "here" / "mesh.msh")
        self.assert_done(self.swell("run", "here/case.toml", "--quiet", "--device", DEVICE, "--output", "one"))
        self.assert_done(self.in_two_folders("run", "case.toml", "--quiet", "--device", DEVICE, "--output", self.root / "many"))
        self.assertEqual(self.summary("many")["ranks"], 3)
        for key in ("elements", "errors", "energy", "dt"):
            self.assertEqual(self.summary("many")[key], self.summary("one")[key], key)
        for name in ("receivers/near.csv", "receivers/far.csv", "energy.csv"):
            self.assertEqual((self.root / "many" / name).read_bytes(), (self.root / "one" / name).read_bytes(), name)

    def test_a_rank_that_cannot_be_set_up_ends_all(self):
        """A model file that two of three ranks do not have: the case is refused, and nobody waits for ever."""
        model = (support.ROOT / "src" / "models" / "advection.h").read_text()
        case = CASE.replace('name = "maxwell-tm"', 'file = "mine.h"').replace("Ez", "u").split("[farfield]")[0] + (
            '[time]\nend = 0.1\n[output]\nfolder = "out"\n')
        for folder in ("here", "there"):
            self.write(f"{folder}/case.toml", case)
        self.write("here/mine.h", model)
        result = self.in_two_folders("run", "case.toml", "--quiet", "--device", DEVICE)
        self.assertEqual(result.returncode, 2, result.stderr)
        said = self.said(result)
        self.assertGreater(len(said), 0, result.stderr)
        for line in said:
            self.assertRegex(line, r"^swell: rank [12]: .*mine\.h")

    def test_a_failure_of_one_rank_ends_all_with_its_sentence(self):
        # A rank's piece of the fields cannot be written where a folder has its name.
        for family, case in families(CASE, LEVEL_SET).items():
            with self.subTest(family):
                self.write("case.toml", case)
                shutil.rmtree(self.root / "out", ignore_errors=True)
                (self.root / "out" / "fields" / "000001-2.vtu").mkdir(parents=True)
                result = self.mpirun(4, "run", "case.toml", "--quiet", "--device", DEVICE)
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertIn("swell: rank 2: ", result.stderr)
                self.assertIn("000001-2.vtu", result.stderr)

    def test_a_killed_rank_takes_the_others_along(self):
        endless = LEVEL_SET.replace("end = 0.1", "end = 1e6").replace("fields = { every = 0.05 }", "")
        for family, case in families(LONG, endless).items():
            with self.subTest(family):
                self.write("case.toml", case)
                shutil.rmtree(self.root / "out", ignore_errors=True)
                process = self.start(4, "run", "case.toml", "--quiet", "--device", DEVICE)
                victims = self.ranks_of(process)
                self.assertEqual(len(victims), 4)
                deadline = time.time() + 30
                os.kill(victims[1], signal.SIGKILL)
                self.assertNotEqual(process.wait(timeout=30), 0)
                while any(running(pid) for pid in victims) and time.time() < deadline:
                    time.sleep(0.2)
                self.assertEqual([pid for pid in victims if running(pid)], [])


if __name__ == "__main__":
    unittest.main()
