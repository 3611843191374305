# SPDX-License-Identifier: Apache-2.0
"""What a mesh cannot resolve, and what a machine cannot hold, is said with figures; a sound case is left in peace."""

import json
import unittest

from support import CommandTest

CASE = """[mesh]
box = { low = [0, 0], high = [4, 4], cells = [CELLS, CELLS], element = "quadrilateral" }
[model]
name = "acoustics"
order = 3
[material]
c = C
[[source.point]]
at = [2.1, 2.2]
field = "p"
signal = "ricker(t, RATE, 0.5)"
[time]
end = 1.0
[output]
folder = "out"
"""


def case(cells=10, rate=1.0, c="1"):
    return CASE.replace("CELLS", str(cells)).replace("RATE", str(rate)).replace("= C", f"= {c}")


class Resolution(CommandTest):
    def said(self, text):
        result = self.run_case(text)
        self.assert_done(result)
        return result.stderr

    def test_of_a_signal_that_is_too_fast_is_told_with_its_frequency_and_what_helps(self):
        said = self.said(case(rate=5.0))
        self.assertIn("source.point.signal has frequencies up to", said)
        self.assertIn("model.order", said)

    def test_is_not_mentioned_where_it_suffices(self):
        self.assertEqual(self.said(case(cells=16)), "")

    def test_is_in_the_plan_with_the_slowest_wave_of_the_material(self):
        self.write("case.toml", case())
        plan = json.loads(self.swell("plan", "case.toml", "--json").stdout)
        # A Ricker pulse of 1 is within 20 dB up to f = 2.42: f^2 exp(1 - f^2) = 0.1.
        self.assertAlmostEqual(plan["highest_frequency"], 2.1, delta=0.35)
        points = plan["points_per_wavelength"]
        self.assertAlmostEqual(points, 4 / 0.4 / plan["highest_frequency"], delta=0.01 * points)
        self.write("case.toml", case(c='"if(x < 2, 1, 0.5)"'))
        slower = json.loads(self.swell("plan", "case.toml", "--json").stdout)
        self.assertAlmostEqual(slower["points_per_wavelength"], points / 2, delta=0.01 * points)

    def test_of_a_jump_inside_cells_is_told_and_of_one_on_faces_is_not(self):
        inside = self.said(case(cells=16, c='"if(x < 2.1, 1.1, 1)"'))
        self.assertIn("cuts through 16 cells", inside)
        self.assertEqual(self.said(case(cells=16, c='"if(x < 2, 1.1, 1)"')), "")
        self.assertEqual(self.said(case(cells=16, c='"1.1 + 0.1*tanh(x - 2)"')), "")

    def test_of_an_initial_pulse_that_falls_between_nodes_is_told(self):
        pulse = '[initial]\np = "exp(-((x-2)^2+(y-2)^2)/WIDTH)"\n'
        self.assertIn("hardly resolves the initial p", self.said(case(cells=16) + pulse.replace("WIDTH", "0.005")))
        self.assertEqual(self.said(case(cells=16) + pulse.replace("WIDTH", "0.5")), "")

    def test_files_more_often_than_steps_are_told_of(self):
        said = self.said(case(cells=16) + "fields = { every = 1e-4 }\n".replace("1e-4", "0.003"))
        self.assertIn("output.fields.every = 0.003 is shorter than a time step", said)


if __name__ == "__main__":
    unittest.main()
