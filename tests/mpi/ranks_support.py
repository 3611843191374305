# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the tests of `mpirun -n R swell`."""

import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "commands"))
import support  # noqa: E402

MPIRUN = shutil.which("mpirun")
# The device of each rank: a GPU's tests name cuda or opencl here.
DEVICE = os.environ.get("SWELL_TEST_DEVICE", "cpu:1")
HAS_MPI = MPIRUN and not support.INFO["mpi"].startswith("none")

NEAR_AND_FAR = support.receiver("near", [0.1, 0.1]) + support.receiver("far", [0.9, 0.8])

WALLS_AND_LINE = """[[surface]]
name = "walls"
boundaries = ["xmin", "ymax"]
every = 0.02
[[probe]]
name = "line"
from = [0.1, 0.2]
to = [0.9, 0.8]
points = 7
"""
CASE = support.cavity("Ranks", 5, 2) + """[exact]
Ez = "cos(sqrt(2)*pi*t)*sin(pi*x)*sin(pi*y)"
""" + NEAR_AND_FAR + """[farfield]
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
estimate = true
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
""" + NEAR_AND_FAR + """[time]
end = 0.1
dt = 0.005
[solver]
tolerance = 1e-14
[output]
folder = "out"
fields = { every = 0.05 }
picture = { field = "T" }
energy_every = 0.05
""" + ("checkpoint = { every = 0.01, keep = 100 }\n" if support.INFO["checkpoints"] else "")
# On the fixed grid; bdf2 needs the temperatures of two steps before.
GRID = HEAT.replace("low = [0, 0], high = [1, 1], cells = [5, 5]",
                    'low = [0, 0, 0], high = [1, 1, 1], cells = [4, 3, 5], element = "tetrahedron"').replace(
    "order = 2", "order = 1").replace("at = [0.1, 0.1]", "at = [0.1, 0.1, 0.45]").replace(
    "at = [0.9, 0.8]", "at = [0.9, 0.8, 0.7]").replace('[solver]', '[solver]\nform = "grid"').replace(
    "dt = 0.005", 'dt = 0.005\nscheme = "bdf2"').replace('picture = { field = "T" }', "").replace(
    'ymin = "exact"', 'zmin = "exact"\nxmax = { kind = "flux", q = "sin(20*t)*z" }')
LONG = CASE.replace("end = 0.1", "end = 1e6").replace("picture = { field = \"Ez\" }", "").replace(
    "fields = { every = 0.05 }", "").replace("energy_every = 0.05", "")


def running(pid):
    """Not gone, and not dead with nobody to fetch its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def catches(pid, number):
    """Whether the process has a handler for the signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"SigCgt:\s*([0-9a-f]+)", status)[1], 16) >> (number - 1) & 1 == 1


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
