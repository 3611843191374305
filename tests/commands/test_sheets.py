# SPDX-License-Identifier: Apache-2.0
"""Groups of faces inside the domain: boundaries where the case names them, told of where it does not."""

import math
import unittest

from support import CommandTest, needs_checkpoints

CELLS = 4  # along a unit


def parted_mesh():
    """[0, 2] x [0, 1] in quadrilaterals: regions "left" and "right" of the group "sheet" at x = 1, boundary "wall"."""
    columns, rows = 2 * CELLS, CELLS
    node = lambda i, j: 1 + i + j * (columns + 1)
    lines = [(1, node(i, j), node(i + 1, j)) for j in (0, rows) for i in range(columns)]
    lines += [(1, node(i, j), node(i, j + 1)) for i in (0, columns) for j in range(rows)]
    lines += [(2, node(CELLS, j), node(CELLS, j + 1)) for j in range(rows)]
    cells = [(3 if i < CELLS else 4, node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1))
             for j in range(rows) for i in range(columns)]
    elements = [f"1 2 {group} {group} {a} {b}" for group, a, b in lines]
    elements += [f"3 2 {group} {group} " + " ".join(map(str, nodes)) for group, *nodes in cells]
    text = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "4", '1 1 "wall"', '1 2 "sheet"', '2 3 "left"', '2 4 "right"',
            "$EndPhysicalNames", "$Nodes", str((columns + 1) * (rows + 1))]
    text += [f"{node(i, j)} {i / CELLS} {j / CELLS} 0" for j in range(rows + 1) for i in range(columns + 1)]
    text += ["$EndNodes", "$Elements", str(len(elements))]
    text += [f"{i} {element}" for i, element in enumerate(elements, 1)]
    return "\n".join(text + ["$EndElements"]) + "\n"


CASE = """
[mesh]
file = "mesh.msh"
[model]
name = "maxwell-tm"
order = 4
[initial]
Ez = "if(x < 1, sin(pi*x)*sin(pi*y), 0)"
[exact]
Ez = "if(x < 1, cos(sqrt(2)*pi*t)*sin(pi*x)*sin(pi*y), 0)"
[time]
end = 1
[output]
folder = "out"
"""
SHEET = '[boundary]\nsheet = "pec"\n'
PULSE = '[incident]\ndirection = [1, 0]\npulse = "exp(-(s/0.2)^2)"\n'


class Sheets(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("mesh.msh", parted_mesh())

    def told(self):
        return (self.root / "out" / "log.txt").read_text(encoding="utf-8")

    def test_are_listed(self):
        result = self.swell("mesh", "mesh.msh")
        self.assert_done(result)
        self.assertIn(f"'sheet': 0 faces and {CELLS} inside the domain", result.stdout)

    def test_hold_the_field_back_where_the_case_names_them(self):
        self.assert_done(self.run_case(CASE + SHEET))
        self.assertLess(self.summary()["errors"]["Ez"]["l2"], 1e-4)
        self.assertNotIn("inside the domain", self.told())

    def test_are_told_of_once_where_the_case_does_not(self):
        self.assert_done(self.run_case(CASE))
        self.assertGreater(self.summary()["errors"]["Ez"]["l2"], 0.1)
        self.assertEqual(self.told().count(f"The {CELLS} faces of 'sheet' inside the domain"), 1)

    def test_are_no_surface_between_total_and_scattered_field(self):
        self.assert_refused(CASE + SHEET + PULSE + 'total = "left"\n', "incident.total", "'sheet'", "total and scattered")
        self.assert_done(self.run_case(CASE + PULSE + 'total = "left"\n'))
        self.assert_done(self.run_case(CASE + SHEET + PULSE + "total = { low = [0.4, 0.2], high = [1.6, 0.8] }\n"))

    def test_do_not_pass_through_a_far_field_surface(self):
        surface = "[farfield]\nfrequencies = [1]\n[farfield.surface]\n"
        crossing = "low = [0.6, 0.1]\nhigh = [1.4, 0.9]\n"
        self.assert_refused(CASE + SHEET + surface + crossing, "farfield", "surface", "'sheet'")
        self.assert_refused(CASE + SHEET + surface + "low = [0.1, 0.1]\nhigh = [1, 0.9]\n", "farfield", "'sheet'")
        self.assert_refused(CASE + SHEET + surface + "center = [1, 0.5]\nradius = 0.4\n", "farfield", "'sheet'")
        self.assert_done(self.run_case(CASE + surface + crossing))
        self.assert_done(self.run_case(CASE + SHEET + surface + "center = [0.5, 0.5]\nradius = 0.4\n"))

    def test_give_a_receiver_on_them_the_side_of_the_smaller_element(self):
        heat = """
[mesh]
file = "mesh.msh"
[model]
name = "heat"
order = 2
[initial]
T = "if(x < 1, 2, 3)"
[boundary]
sheet = { kind = "flux", q = 0 }
[time]
end = 0.1
dt = 0.05
[[receiver]]
name = "on"
at = [1, 0.4]
[output]
folder = "out"
picture = { width = 200 }
fields = { every = 0.1 }
"""
        self.assert_done(self.run_case(heat))
        rows = (self.root / "out" / "receivers" / "on.csv").read_text(encoding="utf-8").splitlines()[1:]
        for row in rows:
            self.assertAlmostEqual(float(row.split(",")[1]), 2, delta=1e-8)
        self.assertTrue(list((self.root / "out").glob("*.png")))

    @needs_checkpoints
    def test_are_part_of_what_a_restart_must_have(self):
        self.assert_done(self.run_case(CASE + SHEET))
        whole = self.summary()["errors"]["Ez"]["l2"]
        half = CASE.replace("end = 1", "end = 0.5").replace('"out"', '"half"\ncheckpoint = { every = 0.25 }')
        self.assert_done(self.run_case(half + SHEET))
        checkpoint = sorted((self.root / "half").glob("checkpoint-*.h5"))[-1]
        self.assert_done(self.run_case(CASE + SHEET, "--restart", checkpoint))
        self.assertTrue(math.isclose(self.summary()["errors"]["Ez"]["l2"], whole, rel_tol=1e-2))
        self.write("case.toml", CASE)
        result = self.swell("run", "case.toml", "--quiet", "--restart", checkpoint)
        self.assert_sentence(result, 2, "mesh")


if __name__ == "__main__":
    unittest.main()
