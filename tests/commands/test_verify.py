# SPDX-License-Identifier: Apache-2.0
"""`swell verify my-case.toml` runs a verification file of a user's own."""

import json
import unittest

from support import ROOT, CommandTest

WAVE = """
[mesh.box]
low = [0, 0]
high = [1, 1]
cells = ["$N", "$N"]
element = "$element"
periodic = [true, true]
[model]
name = "advection"
order = "$order"
[material]
ax = 1
ay = 1
[initial]
u = "$wave"
[exact]
u = "$wave"
[time]
end = 1
cfl = "$cfl"
[let]
wave = "sin(2*pi*(x + y))"
[[verify]]
name = "my-wave"
shows = "a wave that is back after one period"
rate = "p + 1"
rate_up_to = "2*p + 1"
series = [{ element = "quadrilateral", order = 2, cells = [8, 16], quick = [4, 8] }]
"""


class Verify(CommandTest):
    def verify(self, text, *words):
        self.write("mine.toml", text)
        return self.swell("verify", "mine.toml", "--device", "cpu:1", *words)

    def assert_refused_file(self, old, new, *words):
        self.assertIn(old, WAVE)
        self.assert_sentence(self.verify(WAVE.replace(old, new)), 2, *words)

    def test_a_file_of_ones_own(self):
        result = self.verify(WAVE)
        self.assert_done(result)
        self.assertIn("1/2 my-wave", result.stdout)
        self.assertIn("2/2 my-wave", result.stdout)
        self.assertIn("order 3 to 5 +- 0.25", result.stdout)
        self.assertIn("2 rows, 0 failed.", result.stdout)

    def test_json_has_the_rows_and_says_how_far_it_is(self):
        result = self.verify(WAVE, "--json", "--quick")
        rows = json.loads(result.stdout)["rows"]
        self.assertEqual([(row["name"], row["cells"]) for row in rows], [("my-wave", 4), ("my-wave", 8)])
        self.assertIn("row 2 of 2: my-wave", result.stderr)

    def test_list(self):
        self.assertIn("a wave that is back after one period (relative L2)", self.verify(WAVE, "--list").stdout)

    def test_a_row_that_fails(self):
        result = self.verify(WAVE.replace('rate = "p + 1"', "at_most = 1e-12"))
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("FAIL", result.stdout)
        self.assertIn("the error is above 1e-12", result.stdout)
        self.assertIn("2 rows, 1 failed.", result.stdout)

    def test_wrong_keys(self):
        self.assert_refused_file("rate =", "rats =", "'verify[0].rats' in mine.toml", "verify[0].rate")
        self.assert_refused_file("shows =", "tells =", "verify[0].tells", "mine.toml")
        self.assert_refused_file('name = "my-wave"\n', "", "verify[0].name", "missing", "mine.toml")
        self.assert_refused_file('order = "$order"', 'ordr = "$order"', "model.ordr", "mine.toml", "model.order")
        self.assert_refused_file("wave = \"sin", "wawe = \"sin", "$wave", "mine.toml")
        self.assert_refused_file('rate = "p + 1"\n', "", "verify[0].series[0] in mine.toml", "expects nothing")
        self.assert_refused_file("[8, 16]", "[16, 8]", "verify[0].series[0].cells in mine.toml", "coarse to fine")
        self.assert_refused_file("[[verify]]", "[[verifi]]", "verify", "mine.toml")

    def test_a_file_that_is_not_there(self):
        self.assert_sentence(self.swell("verify", "none.toml"), 2, "none.toml")

    def test_the_shipped_files_can_be_copied(self):
        result = self.swell("verify", "--quick", "--device", "cpu:1", ROOT / "verify" / "elastic-lame.toml")
        self.assert_done(result)
        self.assertIn("4 rows, 0 failed.", result.stdout)

    def test_a_verification_file_is_no_case(self):
        self.write("mine.toml", WAVE)
        self.assert_sentence(self.swell("run", "mine.toml"), 2, "swell verify mine.toml")


if __name__ == "__main__":
    unittest.main()
