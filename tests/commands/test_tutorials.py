# SPDX-License-Identifier: Apache-2.0
"""Every tutorial of docs/tutorials does what it says: its files are written, its commands run, its numbers come out.

A fence whose first line is a comment with a file's name is that file; a fence `sh` is run; a fence `text` is what the one before it
printed, with numbers within what the text just above that command or that output says ("within 0.05", "within 2 %").
"""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from support import LONGEST, PROGRAM, ROOT, CommandTest

TUTORIALS = ROOT / "docs" / "tutorials"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"(?:#|//) (\S+\.\w+)\n")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$")
WITHIN = re.compile(r"within (\d+(?:\.\d+)?(?:e-?\d+)?)( %)?")


def blocks(text):
    """(kind, content, words since the block before)."""
    at = 0
    for match in FENCE.finditer(text):
        yield match[1], match[2], text[at:match.start()]
        at = match.end()


class Tutorials(CommandTest):
    def shell(self, script):
        places = os.pathsep.join([str(Path(PROGRAM).resolve().parent), "/usr/bin", os.environ["PATH"]])
        environment = self.environment(PATH=places, OMPI_ALLOW_RUN_AS_ROOT=1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1,
                                       OMPI_MCA_rmaps_base_oversubscribe=1, OMPI_MCA_mpi_yield_when_idle=1)
        result = subprocess.run(["bash", "-e", "-u", "-o", "pipefail", "-c", script], cwd=self.root, env=environment, capture_output=True,
                                text=True, timeout=LONGEST, check=False)
        self.assertEqual(result.returncode, 0, f"{script}\n{result.stdout}{result.stderr}")
        return result.stdout

    def compare(self, printed, promised, bound, relative):
        self.assertEqual(len(printed.split()), len(promised.split()), printed)
        compared = 0
        for own, other in zip(printed.split(), promised.split()):
            if not NUMBER.match(other):
                self.assertEqual(own, other)
                continue
            allowed = bound / 100 * abs(float(other)) if relative else bound
            self.assertLessEqual(abs(float(own) - float(other)), allowed, printed)
            compared += 1
        self.assertGreater(compared, 0)

    def walk(self, name):
        printed, since, done = "", "", {"sh": 0, "text": 0, "file": 0}
        for kind, content, words in blocks((TUTORIALS / name).read_text(encoding="utf-8")):
            since += words
            if file := FILE.match(content):
                self.write(file[1], content)
                done["file"] += 1
            elif kind == "sh":
                printed, since = self.shell(content), words
                done["sh"] += 1
            elif kind == "text":
                found = WITHIN.findall(since)
                self.assertTrue(found, f"{name} does not say how near its numbers are: {content}")
                self.compare(printed, content, float(found[-1][0]), bool(found[-1][1]))
                done["text"] += 1
        self.assertTrue(all(done.values()), done)

    def test_scattering_by_a_cylinder(self):
        self.walk("cylinder.md")

    def test_a_seismogram(self):
        self.walk("seismogram.md")
        self.assertTrue((self.root / "out/plots/receivers-vx.png").exists())

    def test_an_equation_of_ones_own(self):
        self.walk("own-equation.md")

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_a_run_on_a_cluster(self):
        self.walk("cluster.md")

    def test_none_is_left_out(self):
        walked = {"cylinder.md", "seismogram.md", "own-equation.md", "cluster.md"}
        self.assertEqual({path.name for path in TUTORIALS.glob("*.md")}, walked)

    def test_numbers_that_are_not_near_are_seen(self):
        with self.assertRaises(AssertionError):
            self.compare("P 0.21\n", "P 0.204\n", 2, True)
        with self.assertRaises(AssertionError):
            self.compare("1 2\n", "1\n", 1, False)


if __name__ == "__main__":
    unittest.main()
