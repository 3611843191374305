# SPDX-License-Identifier: Apache-2.0
"""`swell view FOLDER`: a finished run, its times, its signals; folders that cannot be shown."""

import math
import signal
import struct
import unittest

from view_support import LONG_CASE, ViewTest

SHORT_CASE = LONG_CASE.replace("order = 3", "order = 6").replace("end = 1e6", "end = 0.5") + "fields = { every = 0.1 }\nenergy_every = 0.1\n"
SHORT_BOX = LONG_CASE.replace("[0, 0], high = [1, 1], cells = [4, 4]", "[0, 0, 0], high = [1, 1, 2], cells = [2, 2, 2]").replace(
    "maxwell-tm", "acoustics").replace('Ez = "sin(pi*x)*sin(pi*y)"', 'p = "1 + z"').replace("[0.2, 0.3]", "[0.2, 0.3, 0.4]").replace(
    "end = 1e6", "steps = 1\ndt = 1e-12") + "fields = { every = 1.0 }\n"


class Folder(ViewTest):
    def finished(self, text):
        self.assert_done(self.run_case(text))

    def test_shows_every_time_of_the_run(self):
        self.finished(SHORT_CASE)
        self.start("view", "out")
        page = self.page()
        self.assertEqual((page.hello["live"], page.hello["title"], page.hello["model"]), (False, "A wave to look at", "maxwell-tm"))
        self.assertEqual(page.hello["fields"], ["Hx", "Hy", "Ez"])
        self.assertEqual([round(time, 9) for time in page.hello["times"]], [0, 0.1, 0.2, 0.3, 0.4, 0.5])
        for picture in (0, 5, 2):
            frame = page.frame(field=2, picture=picture)
            head, numbers = next(iter(page.geometries.values()))
            points = struct.unpack_from(f"<{3 * head['corners']}f", numbers)
            self.assertAlmostEqual(frame["time"], 0.1 * picture, places=9)
            for i, value in enumerate(frame["values"]):
                x, y = points[3 * i] + 0.5, points[3 * i + 1] + 0.5
                exact = math.cos(math.sqrt(2) * math.pi * frame["time"]) * math.sin(math.pi * x) * math.sin(math.pi * y)
                self.assertAlmostEqual(value, exact, delta=1e-3)
        while len(page.series.get("energy", [])) < 6 or "probe" not in page.series:
            page.read()
        self.assertEqual([round(row[0], 9) for row in page.series["energy"]], [0, 0.1, 0.2, 0.3, 0.4, 0.5])
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(30), 0)

    def test_finds_the_surface_of_a_box_and_slices_it(self):
        self.finished(SHORT_BOX)
        self.start("view", "out")
        page = self.page()
        page.frame(field=0)
        self.assertEqual(next(iter(page.geometries.values()))[0]["triangles"], 6 * 4 * 2 * 9)
        frame = page.frame(field=0, plane=[0, 0, 0.7, 0, 0, 1])
        for value in frame["values"][frame["parts"][0]["corners"]:]:
            self.assertAlmostEqual(value, 1.7, delta=1e-5)

    def test_two_pages_look_at_different_times(self):
        self.finished(SHORT_CASE)
        self.start("view", "out")
        one, two = self.page(), self.page()
        for picture in range(5):
            self.assertEqual(one.frame(field=2, picture=picture)["picture"], picture)
            self.assertEqual(two.frame(field=0, picture=5 - picture)["picture"], 5 - picture)

    def test_a_damaged_picture_is_grey_and_named(self):
        self.finished(SHORT_CASE)
        broken = self.root / "out" / "fields" / "000003.vtu"
        broken.write_bytes(broken.read_bytes()[:3000])
        self.start("view", "out")
        page = self.page()
        page.frame(field=2, picture=0)
        page.want(field=2, picture=3)
        seen = page.read_until(lambda message: message["type"] == "frame")
        self.assertTrue(all(math.isnan(value) for value in seen["values"]))
        while not any("000003.vtu" in status["message"] for status in page.statuses):
            page.read()
        self.assertFalse(math.isnan(page.frame(field=2, picture=4)["values"][0]))

    def test_folders_without_fields_are_refused(self):
        self.assert_sentence(self.swell("view", "nowhere"), 2, "nowhere", "fields.pvd")
        self.write("empty/fields.pvd", "<VTKFile></VTKFile>")
        self.assert_sentence(self.swell("view", "empty"), 2, "names no files")
        self.write("lost/fields.pvd", '<DataSet timestep="0" part="0" file="fields/0.vtu"/>')
        self.assert_sentence(self.swell("view", "lost"), 2, "0.vtu", "missing")
        self.assert_sentence(self.swell("view", "lost", "--port", "x"), 2, "'x' is no port")


if __name__ == "__main__":
    unittest.main()
