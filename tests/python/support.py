# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the tests of the Python module: small cases, and a cache for kernels.

SWELL names the program, PYTHONPATH has the module.
"""

import atexit
import os
import shutil
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SWELL"]

if "SWELL_CACHE" not in os.environ:
    os.environ["SWELL_CACHE"] = tempfile.mkdtemp(prefix="swell-test-cache-")
    atexit.register(shutil.rmtree, os.environ["SWELL_CACHE"], ignore_errors=True)

# x + 2 y moves along (1, 1/2) and is x + 2 y - 2 t, which elements of order 2 and Runge-Kutta steps hold without an error.
LINE = {
    "mesh": {"box": {"low": [0, 0], "high": [1, 1], "cells": [2, 2]}},
    "model": {"name": "advection", "order": 2},
    "material": {"ax": 1, "ay": 0.5},
    "boundary": {"xmin": "exact", "xmax": "exact", "ymin": "exact", "ymax": "exact"},
    "initial": {"u": "x + 2*y"},
    "exact": {"u": "x + 2*y - 2*t"},
    "receiver": [{"name": "middle", "at": [0.4, 0.3]}],
    "time": {"end": 2.0},
    "device": {"backend": "cpu:1"},
}
LINE_TEXT = """
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [2, 2] }
[model]
name = "advection"
order = 2
[material]
ax = 1
ay = 0.5
[boundary]
xmin = "exact"
xmax = "exact"
ymin = "exact"
ymax = "exact"
[initial]
u = "x + 2*y"
[exact]
u = "x + 2*y - 2*t"
[[receiver]]
name = "middle"
at = [0.4, 0.3]
[time]
end = 2.0
[device]
backend = "cpu:1"
"""
ROUNDING = 1e-11


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="swell-test-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
