# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the tests of tools/: a throw-away tree of files, and a tool run on it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))

    def run_tool(self, name, *arguments):
        command = [sys.executable, str(TOOLS / name), *map(str, arguments or (self.root,))]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    def assert_clean(self, name):
        result = self.run_tool(name)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def assert_breaks(self, name, *expected):
        """The tool names just these places and rules, in this order: (place, words of the rule)."""
        result = self.run_tool(name)
        lines = result.stdout.splitlines()
        self.assertEqual([line.split(": ")[0] for line in lines], [place for place, _ in expected], result.stdout)
        for line, (_, words) in zip(lines, expected):
            self.assertIn(words, line)
        self.assertEqual(result.returncode, 1)
