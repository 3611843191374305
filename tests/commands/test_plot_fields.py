# SPDX-License-Identifier: Apache-2.0
"""`swell plot` of fields: colours are those of the scale at the values of the field, in the plane and in slices."""

import math
import unittest

from plot_support import FieldPicture, PlotTest

PLANE = """
title = "A slope"
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = "quadrilateral" }
[model]
name = "maxwell-tm"
order = 2
[initial]
Ez = "x"
[time]
end = 0.02
dt = 0.005
[output]
folder = "out"
fields = { every = 0.01 }
"""
SPACE = PLANE.replace("low = [0, 0], high = [1, 1], cells = [2, 2], element = \"quadrilateral\"",
                      "low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 2]").replace("maxwell-tm", "acoustics").replace('Ez = "x"', 'p = "z"')
# A scale has 1024 colours, of 0 to 255 in each part; a pixel is 1/300 of the picture.
NEAR = 4


class PlotFields(PlotTest):
    def assert_colour(self, picture, along, up, value):
        for own, other in zip(picture.at(along, up), picture.bar(value)):
            self.assertLessEqual(abs(own - other), NEAR, (along, up, value))

    def test_has_the_colours_of_the_scale_at_the_values_of_the_field(self):
        self.assert_done(self.run_case(PLANE))
        names = self.plotted("out", "--field", "Ez", "--frames", "--range", "0,1", "--width", "300")
        self.assertEqual(names, [f"out/plots/field-Ez-{i:06d}.png" for i in range(3)])
        picture = FieldPicture(self.root / names[0])
        for value in (0.1, 0.25, 0.6, 0.9):
            for up in (0.2, 0.7):
                self.assert_colour(picture, value, up, value)
        self.assertNotEqual(picture.bar(0.1), picture.bar(0.9))

    def test_of_a_folder_shows_all_fields_at_the_last_time(self):
        self.assert_done(self.run_case(PLANE))
        names = self.plotted("out")
        self.assertEqual(names, [f"out/plots/field-{field}.png" for field in ("Hx", "Hy", "Ez")])
        common = ("out", "--field", "Ez", "--range", "0,1", "--width", "200")
        only, frames = self.plotted(*common, "--output", "a"), self.plotted(*common, "--frames", "--output", "b")
        self.assertEqual((self.root / only[0]).read_bytes(), (self.root / frames[-1]).read_bytes())
        self.assertNotEqual((self.root / only[0]).read_bytes(), (self.root / frames[0]).read_bytes())

    def test_draws_the_faces_of_cells_where_asked(self):
        self.assert_done(self.run_case(PLANE))
        plain, lined = (self.plotted("out", "--field", "Hx", "--range=-1,1", "--width", "300", "--output", name, *flag)
                        for name, flag in (("a", ()), ("b", ("--mesh",))))
        plain, lined = FieldPicture(self.root / plain[0]), FieldPicture(self.root / lined[0])
        for along, up in ((0.25, 0.25), (0.7, 0.3)):
            self.assertEqual(plain.at(along, up), lined.at(along, up))
        middle = [min(sum(picture.at(0.5 + shift / 300, 0.3)) for shift in (-1, 0, 1)) for picture in (plain, lined)]
        self.assertLess(middle[1], middle[0] - 60)

    def test_in_space_shows_a_slice(self):
        self.assert_done(self.run_case(SPACE))
        common = ("out", "--field", "p", "--frames", "--range", "0,1", "--width", "300")
        level = FieldPicture(self.root / self.plotted(*common, "--slice", "0,0,0.25,0,0,1", "--output", "level")[0])
        upright = FieldPicture(self.root / self.plotted(*common, "--slice", "0,0.3,0,0,1,0", "--output", "upright")[0])
        for a, b in ((0.1, 0.2), (0.8, 0.6)):
            self.assert_colour(level, a, b, 0.25)
            self.assert_colour(upright, a, b, b)
        self.assert_refused_to_plot("out", "--slice", "0,0,7,0,0,1", says=["slice"])
        self.assert_refused_to_plot("out", "--slice", "0,0,0.5,0,0,0", says=["normal"])

    def test_in_space_shows_the_boundary_that_is_nearest(self):
        self.assert_done(self.run_case(SPACE))
        common = ("out", "--field", "p", "--frames", "--range", "0,1", "--width", "300", "--surface")
        picture = FieldPicture(self.root / self.plotted(*common)[0])
        a, e = math.radians(-55), math.radians(25)

        def across(x, y, _):
            return -math.sin(a) * x + math.cos(a) * y

        def up(x, y, z):
            return -math.sin(e) * (math.cos(a) * x + math.sin(a) * y) + math.cos(e) * z

        corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
        spans = [(min(f(*c) for c in corners), max(f(*c) for c in corners)) for f in (across, up)]
        more = 0.02 * (spans[0][1] - spans[0][0])  # the margin around the body

        def place(point):
            return [(f(*point) - low + more) / (high - low + 2 * more) for f, (low, high) in zip((across, up), spans)]

        # Points of the three faces that are seen; the value is z.
        for point in ((0.5, 0.5, 1), (0.2, 0.7, 1), (0.5, 0, 0.25), (0.3, 0, 0.8), (1, 0.5, 0.25), (1, 0.6, 0.7)):
            self.assert_colour(picture, *place(point), point[2])
        self.assertEqual(picture.at(0.01, 0.01), (255, 255, 255))
        lined = FieldPicture(self.root / self.plotted(*common, "--mesh", "--output", "lined")[0])
        # Cells meet at x = 1/2.
        along, height = place((0.5, 0, 0.25))
        self.assertLess(min(sum(lined.at(along + shift / 300, height)) for shift in (-1, 0, 1)), sum(picture.at(along, height)) - 20)

    def test_refuses_what_is_not_there(self):
        self.assert_done(self.run_case(PLANE))
        self.assert_refused_to_plot("out", "--field", "Ey", says=["'Ey'", "did you mean"])
        self.assert_refused_to_plot("out", "--range", "1,0", says=["lower end first"])
        self.assert_refused_to_plot("out", "--surface", says=["lies in a plane"])
        frame = next((self.root / "out" / "fields").glob("*.vtu"))
        frame.write_bytes(frame.read_bytes()[:500])
        self.assert_refused_to_plot("out", "--frames", says=[frame.name])


if __name__ == "__main__":
    unittest.main()
