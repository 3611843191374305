# SPDX-License-Identifier: Apache-2.0
"""`swell plot` makes pictures of what runs and verification leave, and refuses what it cannot read."""

import json
import math
import struct
import unittest
from xml.etree import ElementTree

from plot_support import PlotTest
from support import SMALL_CASE

SECOND = '[[receiver]]\nname = "second"\nat = [0.7, 0.6]\n'


def verification(errors, expected="order 3 +- 0.25", name="case"):
    rows = [{"name": name, "quantity": "relative L2", "element": "triangle", "precision": "double", "order": 2, "cells": cells,
             "error": error, "expected": expected} for cells, error in errors]
    return json.dumps({"rows": rows})


class Plot(PlotTest):
    def test_of_a_run_shows_each_field_of_its_receivers_and_the_energy(self):
        self.assert_done(self.run_case(SMALL_CASE.replace("[time]", SECOND + "[time]") + "energy_every = 0.05\n"))
        files = self.plotted("out")
        self.assertEqual(sorted(files), [f"out/plots/{name}.svg" for name in ("energy", "receivers-Ez", "receivers-Hx", "receivers-Hy")])
        self.assertEqual(len(self.paths("out/plots/receivers-Ez.svg", "curve")), 2)
        words = self.words("out/plots/receivers-Ez.svg")
        for word in ("Small", "time", "Ez", "probe", "second", "0.1", "0.2"):
            self.assertIn(word, words)
        self.assertEqual(len(self.paths("out/plots/energy.svg", "curve")), 1)

    def test_as_png_has_two_pixels_for_each_of_the_page(self):
        self.write("probe.csv", "time,Ez\n0,1\n1,2\n")
        self.assertEqual(self.plotted("probe.csv", "--format", "both", "--output", "a/b"), ["a/b/probe-Ez.svg", "a/b/probe-Ez.png"])
        page = ElementTree.parse(self.root / "a/b/probe-Ez.svg").getroot()
        data = (self.root / "a/b/probe-Ez.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (2 * int(page.get("width")), 2 * int(page.get("height"))))

    def test_of_verification_draws_the_order_that_is_expected(self):
        self.write("verification.json", verification([(8, 1e-2), (16, 1.5e-3), (32, 2e-4)]))
        self.assertEqual(self.plotted("verification.json"), ["verify-case.svg"])
        places = [self.paths("verify-case.svg", role)[0] for role in ("curve", "guide")]
        (x0, y0), (x1, y1) = places[1][0], places[1][-1]
        self.assertEqual(places[0][-1], places[1][-1])
        # From N = 8 to 32 the curve falls by a factor of 50, a line of order 3 by one of 64.
        fall = places[0][-1][1] - places[0][0][1]
        self.assertAlmostEqual((y1 - y0) / fall, math.log(64) / math.log(50), delta=2e-3)
        self.assertEqual([w for w in self.words("verify-case.svg") if w in ("8", "16", "32")], ["8", "16", "32"])

    def test_of_verification_takes_the_cases_that_are_asked_for(self):
        self.write("v.json", verification([(8, 1e-2), (16, 1e-3)]))
        self.assertEqual(self.plotted("v.json", "--only", "ca"), ["verify-case.svg"])
        self.assert_sentence(self.swell("plot", "v.json", "--only", "caes"), 2, "did you mean 'case'?")

    def test_of_a_far_field_is_in_decibels_against_the_angle(self):
        rows = [f"{f},{phi},1,{-phi / 10},0,0" for f in (0.1, 0.2) for phi in range(360)]
        self.write("farfield.csv", "frequency,phi,width,dB,Ez_real,Ez_imaginary\n" + "\n".join(rows) + "\n")
        self.assertEqual(self.plotted("farfield.csv"), ["farfield.svg"])
        self.assertEqual(len(self.paths("farfield.svg", "curve")), 2)
        words = self.words("farfield.svg")
        for word in ("phi (degrees)", "0", "90", "180", "270", "frequency 0.1", "scattering width / wavelength (dB)"):
            self.assertIn(word, words)

    def test_of_a_far_field_in_space_has_a_curve_for_each_cut(self):
        rows = [f"0.1,{theta},{phi},1,{phi / 10 - theta / 5},0,0,0,0" for phi in (0, 90) for theta in range(0, 181, 5)]
        head = "frequency,theta,phi,cross_section,dB,Etheta_real,Etheta_imaginary,Ephi_real,Ephi_imaginary\n"
        self.write("farfield.csv", head + "\n".join(rows) + "\n")
        self.assertEqual(self.plotted("farfield.csv"), ["farfield.svg"])
        first, second = self.paths("farfield.svg", "curve")
        # 36 dB down over 180 degrees; the second cut lies 9 dB higher.
        fall = first[-1][1] - first[0][1]
        self.assertAlmostEqual((first[0][1] - second[0][1]) / fall, 9 / 36, delta=2e-3)
        self.assertEqual(first[0][0], second[0][0])
        for word in ("theta (degrees)", "0", "90", "180", "frequency 0.1, phi 0", "frequency 0.1, phi 90", "cross section / wavelength squared (dB)"):
            self.assertIn(word, self.words("farfield.svg"))

    def test_of_a_line_is_drawn_over_its_length_at_the_last_time(self):
        rows = [f"{time},{x},{x},{time + x}" for time in (0, 2) for x in (0, 0.5, 1)]
        self.write("wake.csv", "time,distance,x,ux\n" + "\n".join(rows) + "\n")
        self.assertEqual(self.plotted("wake.csv"), ["wake-ux.svg"])
        (curve,) = self.paths("wake-ux.svg", "curve")
        self.assertEqual(len(curve), 3)
        self.assertIn("distance", self.words("wake-ux.svg"))
        self.assertTrue(any("t = 2" in word for word in self.words("wake-ux.svg")))

    def test_of_a_folder_has_its_surfaces_and_lines(self):
        self.write("run/surfaces/body.csv", "time,drag\n0,1\n1,2\n")
        self.write("run/probes/wake.csv", "time,distance,x,ux\n0,0,0,1\n0,1,1,3\n")
        self.assertEqual(self.plotted("run"), ["run/plots/surfaces-drag.svg", "run/plots/probes-ux.svg"])

    def test_of_a_sweep_has_a_curve_for_each_other_key(self):
        rows = [f'run-{n},"[ {n}, {n} ]",{order},done,{10.0 ** -order / n},' for n in (2, 4, 8) for order in (1, 2)]
        self.write("sweep.csv", "run,mesh.box.cells,model.order,status,error_l2,iterations\n" + "\n".join(rows) + "\n")
        self.assertEqual(self.plotted("sweep.csv"), ["sweep-error_l2.svg"])
        self.assertEqual(len(self.paths("sweep-error_l2.svg", "curve")), 2)
        self.assertIn("model.order 2", self.words("sweep-error_l2.svg"))

    def test_refuses_what_is_damaged_empty_or_something_else(self):
        for name, content, word in (("empty.csv", "", "empty"), ("head.csv", "time,Ez\n", "no row"),
                                    ("bad.csv", "time,Ez\n0,1\n1,x\n", "Line 3"), ("other.csv", "a,b\n1,2\n", "nothing that can be plotted"),
                                    ("nan.csv", "time,Ez\n0,nan\n", "no value"), ("empty.json", "", "JSON"),
                                    ("cut.json", verification([(8, 1e-2)])[:-9], "JSON"), ("rows.json", '{"rows": []}', "no rows"),
                                    ("row.json", '{"rows": [{"name": 3}]}', "Row 1"), ("one.json", verification([(8, 1e-2)]), "one mesh"),
                                    ("farfield.csv", "frequency,phi,dB\n1,2\n", "Line 2"),
                                    ("cut.csv", "frequency,phi,dB\n1,2,3", "middle of a line")):
            self.write(name, content)
            before = self.files()
            self.assert_sentence(self.swell("plot", name), 2, word)
            self.assertEqual(self.files(), before)

    def test_refuses_folders_without_anything_and_names_that_meet(self):
        (self.root / "hollow").mkdir()
        self.assert_sentence(self.swell("plot", "hollow"), 2, "nothing to plot", "hollow")
        self.assert_sentence(self.swell("plot", "missing"), 2, "'missing'")
        for folder in "ab":
            self.write(f"{folder}/energy.csv", "time,energy\n0,1\n1,2\n")
        self.assert_sentence(self.swell("plot", "a", "b", "--output", "both"), 2, "energy")
        self.assertEqual(self.plotted("a", "b"), ["a/plots/energy.svg", "b/plots/energy.svg"])


if __name__ == "__main__":
    unittest.main()
