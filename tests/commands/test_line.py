# SPDX-License-Identifier: Apache-2.0
"""One dimension: lines from a box and from Gmsh, their ends and inner points, pictures as curves, and what has no meaning there."""

import csv
import math
import unittest

from plot_support import PlotTest, read_png
from support import needs_checkpoints

BOX = "box = { low = [0], high = [1], cells = [8] }"
LINE = """
title = "A line"
[mesh]
%s
[model]
name = "acoustics"
order = 4
[initial]
p = "cos(pi*x)"
[exact]
p = "cos(pi*x)*cos(pi*t)"
vx = "sin(pi*x)*sin(pi*t)"
[[receiver]]
name = "probe"
at = [0.3]
[time]
end = 0.5
[output]
folder = "out"
""" % BOX
CURVE = (0, 114, 178)  # the first curve of a chart


def line_mesh(points, lines, ends, y=0):
    """Points along x in Gmsh's format 2.2; lines: (group, from, to); ends: (group, point)."""
    elements = [f"15 2 {group} {group} {point}" for group, point in ends]
    elements += [f"1 2 {group} {group} {a} {b}" for group, a, b in lines]
    text = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "5", '0 1 "left"', '0 2 "right"', '0 3 "sheet"',
            '1 4 "air"', '1 5 "water"', "$EndPhysicalNames", "$Nodes", str(len(points))]
    text += [f"{i} {x} {y} 0" for i, x in enumerate(points, 1)]
    text += ["$EndNodes", "$Elements", str(len(elements))]
    text += [f"{i} {element}" for i, element in enumerate(elements, 1)]
    return "\n".join(text + ["$EndElements"]) + "\n"


# The second line runs backwards, and numbers do not follow x.
TUBE = line_mesh([0, 2, 1, 0.5, 1.5], [(4, 1, 4), (4, 3, 4), (5, 3, 5), (5, 5, 2)], [(1, 1), (2, 2), (3, 3)])


class Line(PlotTest):
    def test_from_a_box_has_the_exact_answer_and_a_picture_that_is_a_curve(self):
        self.assert_done(self.run_case(LINE.replace("folder", 'fields = { every = 0.25 }\npicture = { field = "p" }\nfolder')))
        self.assertLess(self.summary()["errors"]["total"]["l2"], 1e-5)
        with open(self.root / "out/receivers/probe.csv", encoding="utf-8") as file:
            last = list(csv.DictReader(file))[-1]
        self.assertAlmostEqual(float(last["vx"]), math.sin(0.3 * math.pi), delta=1e-5)
        self.assertIn("out/plots/field-vx.png", self.plotted("out"))
        rows = read_png(self.root / "out/plots/field-vx.png")
        height = {column: [r for r, row in enumerate(rows) if row[column] == CURVE] for column in range(len(rows[0]))}
        drawn = [column for column in height if height[column]]
        top = {column: min(height[column]) for column in drawn}
        # sin(pi x): it rises to the middle and falls behind it.
        self.assertGreater(len(drawn), 0.8 * len(rows[0]))
        middle = (drawn[0] + drawn[-1]) // 2
        quarter = (3 * drawn[0] + drawn[-1]) // 4
        span = top[drawn[0]] - top[middle]
        self.assertGreater(span, 0.6 * len(rows))
        self.assertAlmostEqual((top[drawn[0]] - top[quarter]) / span, math.sin(math.pi / 4), delta=0.02)
        self.assert_refused_to_plot("out", "--surface", says=["lies on a line", "--surface"])

    @needs_checkpoints
    def test_from_gmsh_goes_on_from_a_checkpoint_with_the_same_bits(self):
        self.write("tube.msh", TUBE)
        case = LINE.replace(BOX, 'file = "tube.msh"').replace("[initial]", '[material.water]\nc = 2\n[boundary]\nleft = "soft"\n[initial]')
        case = case.replace("folder", "checkpoint = { every = 0.25, keep = 9 }\nfolder")
        self.assert_done(self.run_case(case))
        whole = (self.root / "out/receivers/probe.csv").read_bytes()
        first = sorted((self.root / "out").glob("checkpoint-*.h5"))[0]
        self.assert_done(self.swell("run", "case.toml", "--quiet", "--restart", first))
        self.assertEqual((self.root / "out/receivers/probe.csv").read_bytes(), whole)
        report = self.swell("mesh", "tube.msh").stdout
        for words in ("4 of shape line", "length       2", "region       'water': 2 cells", "'sheet': 0 faces and 1 inside the domain"):
            self.assertIn(words, report)

    def test_lets_nothing_through_an_inner_point_that_is_a_wall(self):
        self.write("tube.msh", TUBE)
        pulse = LINE.replace(BOX, 'file = "tube.msh"').replace("cos(pi*x)\"\n[exact]", "if(x<1, cos(pi*x), 0)\"\n[exact]")
        pulse = pulse.replace("at = [0.3]", "at = [1.6]")

        def largest(text):
            self.assert_done(self.run_case(text))
            with open(self.root / "out/receivers/probe.csv", encoding="utf-8") as file:
                return max(abs(float(row["p"])) for row in csv.DictReader(file))

        self.assertGreater(largest(pulse.replace("end = 0.5", "end = 1")), 0.1)
        self.assertEqual(largest(pulse.replace("end = 0.5", "end = 1").replace("[initial]", '[boundary]\nsheet = "rigid"\n[initial]')), 0)

    def test_refuses_what_has_no_meaning_on_it(self):
        self.assert_refused(LINE.replace("acoustics", "maxwell"), "'maxwell'", "for 3 dimensions, but the mesh has 1", "maxwell-tem")
        self.assert_refused(LINE.replace('"acoustics"', '"levelset"').replace("[time]", "[levelset]\nthickness = 0.1\n[time]"),
                            "'levelset'", "for 2 or 3 dimensions, but the mesh has 1")
        self.assert_refused(LINE + '[farfield]\nfrequencies = [1]\nsurface = { radius = 0.2 }\n', "farfield", "a line has no far field")
        shear = LINE.replace("acoustics", "elastic").replace('p = "cos(pi*x)"', "vx = 0").replace('p = "cos(pi*x)*cos(pi*t)"\n', "")
        self.assert_refused(shear + '[boundary]\nxmin = { kind = "incident", direction = [1], type = "S", pulse = "s" }\n',
                            "boundary.xmin.type", "P waves only", "acoustics")
        self.assert_refused(LINE.replace("[0.3]", "[0.3, 0.2]"), "receiver[0].at", "1 number")
        self.write("tube.msh", line_mesh([0, 1], [(4, 1, 2)], [(1, 1), (2, 2)], y=0.5))
        self.assert_refused(LINE.replace(BOX, 'file = "tube.msh"'), "tube.msh", "must lie on the x axis")


if __name__ == "__main__":
    unittest.main()
