# SPDX-License-Identifier: Apache-2.0
"""Far fields that cannot be right are refused or told of, with figures."""

import csv
import unittest

from support import CommandTest

# A small metal cylinder, far from the outer boundary for the time of the run.
CASE = """[mesh]
shell = { inner = 1, outer = 12, cells = 6, layers = 11, geometry_order = 3, element = "quadrilateral" }
[model]
name = "maxwell-tm"
order = 3
[boundary]
inner = "pec"
outer = "absorbing"
[incident]
direction = [1, 0]
pulse = "exp(-((s - 8)/2)^2)*sin(s - 8)"
total = { low = [-2.6, -2.6], high = [2.6, 2.6] }
[time]
end = 24.0
[farfield]
frequencies = [0.15915494309189535]
phi = [0, 60, 180]
surface = { radius = 5 }
[output]
folder = "out"
"""


class FarField(CommandTest):
    def rows(self):
        with open(self.root / "out" / "farfield.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_a_frequency_that_the_pulse_has_not_got_is_refused_before_anything_is_written(self):
        result = self.run_case(CASE.replace("[0.15915494309189535]", "[0.159, 5]"))
        self.assert_sentence(result, 2, "farfield.frequencies", "at 5 the incident pulse", "choose a frequency")
        self.assertFalse((self.root / "out").exists())

    def test_a_pulse_that_comes_after_the_end_is_refused(self):
        result = self.run_case(CASE.replace("s - 8)/2)", "s - 80)/2)"))
        self.assert_sentence(result, 2, "farfield.frequencies", "up to t = 24")

    def test_a_weak_frequency_is_told_of(self):
        result = self.run_case(CASE.replace("[0.15915494309189535]", "[0.6]").replace("end = 24.0", "end = 24.0\ndt = 0.02"))
        self.assert_done(result)
        self.assertIn("at 0.6 the incident pulse", result.stderr)
        self.assertLess(float(self.rows()[0]["spectrum"]), 1e-2)

    def test_a_run_that_ends_before_the_field_has_left_is_told_of(self):
        result = self.run_case(CASE.replace("end = 24.0", "end = 12.0"))
        self.assert_done(result)
        self.assertIn("is not complete", result.stderr)
        self.assertIn("raise time.end", result.stderr)
        self.assertGreater(float(self.rows()[0]["left"]), 0.1)

    def test_a_run_that_has_seen_it_all_says_nothing(self):
        result = self.run_case(CASE)
        self.assert_done(result)
        self.assertNotIn("far field", result.stderr)
        row = self.rows()[0]
        self.assertLess(float(row["left"]), 1e-2)
        self.assertGreater(float(row["spectrum"]), 0.3)


if __name__ == "__main__":
    unittest.main()
