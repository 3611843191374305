# SPDX-License-Identifier: Apache-2.0
"""A run of several ranks that is looked at: the first of them shows the field of all."""

import json
import math
import shutil
import struct
import subprocess
import unittest

import view_support
from view_support import LONG_CASE, ViewTest

MPIRUN = shutil.which("mpirun")
INFO = json.loads(subprocess.run([view_support.PROGRAM, "info", "--json"], capture_output=True, text=True, check=True).stdout)
HAS_MPI = MPIRUN and not INFO["mpi"].startswith("none")
BOX_CASE = LONG_CASE.replace("[0, 0], high = [1, 1], cells = [4, 4]", "[0, 0, 0], high = [1, 1, 2], cells = [2, 2, 2]").replace(
    "maxwell-tm", "acoustics").replace('Ez = "sin(pi*x)*sin(pi*y)"', 'p = "1 + z"').replace("[0.2, 0.3]", "[0.2, 0.3, 0.4]").replace(
    "end = 1e6", "steps = 1000000\ndt = 1e-12")


@unittest.skipUnless(HAS_MPI, "several ranks are not looked at: there is no MPI here")
class Ranks(ViewTest):
    def environment(self, **changes):
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
        return super().environment(**root, **changes)

    def start_ranks(self, text):
        self.write("case.toml", text)
        self.launch([MPIRUN, "-n", "2", "--oversubscribe", "--bind-to", "none", view_support.PROGRAM, "run", "case.toml", "--view"])

    def test_show_the_field_of_all_of_them(self):
        self.start_ranks(LONG_CASE.replace("order = 3", "order = 6"))
        page = self.page()
        first = page.frame(field=2)
        self.assertEqual(page.hello["elements"], 32)
        head, numbers = next(iter(page.geometries.values()))
        points = struct.unpack_from(f"<{3 * head['corners']}f", numbers)
        for i, value in enumerate(first["values"]):
            x, y = points[3 * i] + 0.5, points[3 * i + 1] + 0.5
            exact = math.cos(math.sqrt(2) * math.pi * first["time"]) * math.sin(math.pi * x) * math.sin(math.pi * y)
            self.assertAlmostEqual(value, exact, delta=1e-2)
        self.assertGreater(page.frame(field=2)["step"], first["step"])
        page.command("pause")
        page.status("paused")
        held = page.frame(field=1)["step"]
        self.assertEqual(page.frame(field=0)["step"], held)
        page.command("resume")
        page.status("running")
        self.assertGreater(page.frame(field=2)["step"], held)
        self.assertIn("energy", page.series)
        self.assertIn("probe", page.series)
        page.command("stop")
        page.status("interrupted")
        self.process.wait(60)
        self.assertEqual(self.summary()["status"], "interrupted")

    def test_show_the_surface_of_the_whole_box(self):
        self.start_ranks(BOX_CASE)
        page = self.page()
        page.frame(field=0)
        self.assertEqual(next(iter(page.geometries.values()))[0]["triangles"], 6 * 4 * 2 * 9)
        frame = page.frame(field=0, plane=[0, 0, 0.7, 0, 0, 1])
        for value in frame["values"][frame["parts"][0]["corners"]:]:
            self.assertAlmostEqual(value, 1.7, delta=1e-5)

    def test_are_not_held_after_the_run(self):
        self.write("case.toml", LONG_CASE)
        result = subprocess.run([MPIRUN, "-n", "2", "--oversubscribe", view_support.PROGRAM, "run", "case.toml", "--view", "--hold"],
                                cwd=self.root, env=self.environment(), capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("--hold goes with one rank", result.stderr)


if __name__ == "__main__":
    unittest.main()
