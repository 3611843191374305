# SPDX-License-Identifier: Apache-2.0
"""A run into a folder that another run has used: its own files alone are there afterwards, and nobody else's are lost."""

import unittest

from support import SMALL_CASE, CommandTest

FIELDS = "fields = { every = 0.05 }\n"
AVERAGES = "averages = {}\n"
SAMPLES = ('[[surface]]\nname = "walls"\nboundaries = ["xmin"]\n[[probe]]\nname = "line"\nfrom = [0.1, 0.1]\nto = [0.9, 0.1]\npoints = 3\n')
PICTURES = 'picture = { field = "Ez", width = 60, every = 0.1 }\n'


class UsedFolder(CommandTest):
    def names(self):
        out = self.root / "out"
        return sorted(str(file.relative_to(out)) for file in out.rglob("*") if file.is_file())

    def test_holds_the_second_runs_files_alone(self):
        self.assert_done(self.run_case(SMALL_CASE.replace("[time]", SAMPLES + "[time]") + FIELDS + PICTURES + AVERAGES))
        first = self.names()
        self.assertLess({"averages.vtu", "surfaces/walls.csv", "probes/line.csv"}, set(first))
        self.assertGreater(len([name for name in first if name.endswith(".vtu")]), 3)
        self.assertIn("Ez-000000.png", first)
        self.assert_done(self.run_case(SMALL_CASE.replace("probe", "other")))
        self.assertEqual(self.names(), ["case.toml", "log.txt", "receivers/other.csv", "summary.json"])

    def test_keeps_files_of_other_names(self):
        mine = ["notes.txt", "plot.png", "Ez-last.png", "receivers/measured.csv", "fields/mesh.vtu", "fields/000000.txt"]
        for name in mine:
            self.write(f"out/{name}", "mine")
        self.assert_done(self.run_case(SMALL_CASE))
        for name in mine:
            self.assertEqual((self.root / "out" / name).read_text(encoding="utf-8"), "mine", name)

    def test_keeps_checkpoints_until_there_are_new_ones(self):
        saved = SMALL_CASE + "checkpoint = { every = 0.1 }\n"
        self.assert_done(self.run_case(saved))
        old = [name for name in self.names() if name.startswith("checkpoint-")]
        self.assertTrue(old)
        again = self.run_case(SMALL_CASE)
        self.assert_done(again)
        self.assertIn("checkpoints of an earlier run", (self.root / "out" / "log.txt").read_text(encoding="utf-8"))
        self.assertEqual([name for name in self.names() if name.startswith("checkpoint-")], old)
        shorter = self.run_case(saved.replace("end = 0.2", "end = 0.05"))
        self.assert_done(shorter)
        left = [name for name in self.names() if name.startswith("checkpoint-")]
        self.assertTrue(left)
        self.assertNotIn(old[-1], left)

    def test_a_run_that_goes_on_there_keeps_what_the_first_part_wrote(self):
        saved = SMALL_CASE + FIELDS + "checkpoint = { every = 0.1 }\n"
        self.assert_done(self.run_case(saved))
        first = [name for name in self.names() if name.endswith(".vtu")]
        self.assert_done(self.run_case(saved.replace("end = 0.2", "end = 0.3"), "--restart", "latest"))
        self.assertLess(set(first), {name for name in self.names() if name.endswith(".vtu")})


if __name__ == "__main__":
    unittest.main()
