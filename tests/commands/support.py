# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the tests of the command line: the program, a throw-away folder, small cases and meshes.

SWELL names the program; SWELL_CACHE may name a folder in which compiled kernels outlive the run.
"""

import atexit
import json
import os
import resource
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
MESHES = ROOT / "tests" / "data" / "mesh"
PROGRAM = os.environ.get("SWELL", str(ROOT / "build" / "release" / "app" / "swell"))
LONGEST = 300  # seconds that any one command may take, on a busy machine


def shared_cache():
    folder = os.environ.get("SWELL_CACHE")
    if not folder:
        folder = tempfile.mkdtemp(prefix="swell-test-cache-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


CACHE = shared_cache()



def cavity(title, cells, order):
    """The beginning of a case: a standing wave in a square cavity."""
    return f"""
title = "{title}"
[mesh]
box = {{ low = [0, 0], high = [1, 1], cells = [{cells}, {cells}] }}
[model]
name = "maxwell-tm"
order = {order}
[initial]
Ez = "sin(pi*x)*sin(pi*y)"
"""


def receiver(name, at):
    return f'[[receiver]]\nname = "{name}"\nat = {at}\n'


SMALL_CASE = cavity("Small", 3, 2) + receiver("probe", [0.2, 0.3]) + """[time]
end = 0.2
[output]
folder = "out"
"""


# A level set around a circle: inside 1, outside 0, between them a tenth wide.
CIRCLE = "1/(1 + exp((sqrt((x - 0.4)^2 + (y - 0.5)^2) - 0.25)/0.1))"


def build():
    """The description of the program by `swell info`."""
    result = subprocess.run([PROGRAM, "info", "--json"], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


INFO = build()
needs_checkpoints = unittest.skipUnless(INFO["checkpoints"], "this build of Swell has no HDF5")


def square_mesh(points=None, triangles=None, lines=None):
    """The unit square in Gmsh's format 2.2: four triangles around a middle point, region "glass", boundary "rim"."""
    points = points or [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.5)]
    triangles = triangles or [(1, 2, 5), (2, 3, 5), (3, 4, 5), (4, 1, 5)]
    lines = lines if lines is not None else [(1, 2), (2, 3), (3, 4), (4, 1)]
    elements = [f"1 2 1 1 {a} {b}" for a, b in lines] + [f"2 2 2 2 {a} {b} {c}" for a, b, c in triangles]
    text = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "2", '1 1 "rim"', '2 2 "glass"',
            "$EndPhysicalNames", "$Nodes", str(len(points))]
    text += [f"{i} {x} {y} 0" for i, (x, y) in enumerate(points, 1)]
    text += ["$EndNodes", "$Elements", str(len(elements))]
    text += [f"{i} {element}" for i, element in enumerate(elements, 1)]
    return "\n".join(text + ["$EndElements"]) + "\n"


def limit_memory(bytes_allowed):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (bytes_allowed, bytes_allowed))


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="swell-test-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def environment(self, **changes):
        result = dict(os.environ, SWELL_CACHE=CACHE)
        result.update({name: str(value) for name, value in changes.items()})
        return result

    def write(self, name, content):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def swell(self, *words, preexec=None, **environment):
        """Runs the program in the throw-away folder."""
        return subprocess.run([PROGRAM, *map(str, words)], cwd=self.root, env=self.environment(**environment),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=LONGEST, preexec_fn=preexec, check=False)

    def run_case(self, text, *words, **options):
        self.write("case.toml", text)
        return self.swell("run", "case.toml", "--quiet", *words, **options)

    def files(self):
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*"))

    def summary(self, folder="out"):
        return json.loads((self.root / folder / "summary.json").read_text(encoding="utf-8"))

    def assert_done(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)

    def assert_sentence(self, result, code, *words):
        """The exit code, and one line on standard error that begins with the program's name and has all the words."""
        self.assertEqual(result.returncode, code, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("swell: "), lines[0])
        for word in words:
            self.assertIn(word, lines[0])

    def assert_refused(self, text, *words, arguments=(), **options):
        """A run of the case ends with exit code 2 and one sentence, before anything is written."""
        self.write("case.toml", text)
        before = self.files()
        result = self.swell("run", "case.toml", "--quiet", *arguments, **options)
        self.assert_sentence(result, 2, *words)
        self.assertEqual(self.files(), before)
