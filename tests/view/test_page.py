# SPDX-License-Identifier: Apache-2.0
"""The page in headless Chromium: it shows the field, it moves, its controls work, and it complains of nothing."""

import os
import time
import unittest

import browser
from view_support import LONG_CASE, ViewTest

BOX_CASE = LONG_CASE.replace("[0, 0], high = [1, 1], cells = [4, 4]", "[0, 0, 0], high = [1, 1, 1], cells = [2, 2, 2]").replace(
    "maxwell-tm", "acoustics").replace('Ez = "sin(pi*x)*sin(pi*y)"', 'p = "cos(pi*x)*cos(pi*y)*cos(pi*z)"').replace("[0.2, 0.3]", "[0.2, 0.3, 0.4]")
BACKGROUND = (255, 0, 255)  # what the canvas leaves clear


def colours(picture):
    """How many different colours a picture has, and which part of it is not background."""
    pixels = [pixel for row in picture for pixel in row]
    return len(set(pixels)), sum(pixel != BACKGROUND for pixel in pixels) / len(pixels)


@unittest.skipUnless(browser.PROGRAM, "the page is not looked at: there is no chromium here")
class PageTest(ViewTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.browser.complaints.clear()
        self.browser.requests.clear()

    def look(self):
        self.browser.open(self.address)
        self.browser.wait_text("frames", lambda text: text not in ("", "–"), "frames arrive")

    def keep(self, name):
        """Leaves a screenshot where a person can look at it."""
        if folder := os.environ.get("SWELL_SCREENSHOTS"):
            self.browser.screenshot(os.path.join(folder, name + ".png"))

    def settle(self):
        self.browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def assert_no_complaint(self):
        self.assertEqual(self.browser.complaints, [])
        own = [url for url in self.browser.requests if url.startswith((self.address, "data:", "ws://127.0.0.1"))]
        self.assertEqual(self.browser.requests, own)
        self.assertTrue(own)

    def picture_now(self):
        self.settle()
        return self.browser.picture()

    def rest(self):
        """Waits until the frame of the state in which the run is paused has come."""
        def same():
            step = self.browser.text("step")
            time.sleep(0.5)
            return self.browser.text("step") == step
        self.browser.wait(same, "the step of a paused run stays")

    def wait_step(self, before):
        self.browser.wait_text("step", lambda text: text.isdigit() and int(text) > before, f"a step after {before}")

    def test_shows_a_running_wave_and_obeys(self):
        self.start_run(preexec=lambda: os.nice(10))  # software that draws has the processor to itself
        self.look()
        self.browser.choose("field", "2")
        self.browser.wait_text("bar-field", lambda text: text == "Ez", "the field that was chosen")
        first = self.picture_now()
        different, covered = colours(first)
        self.assertGreater(different, 30)
        self.assertGreater(covered, 0.3)  # a square on a screen of 960 by 740 or so
        self.wait_step(int(self.browser.text("step")))
        self.assertTrue(self.picture_now() != first, "the picture changes")
        self.keep("live")

        self.browser.click("pause")
        self.browser.wait_text("status", lambda text: text == "paused", "the pill says paused")
        self.rest()
        step, still = self.browser.text("step"), self.picture_now()
        self.settle()
        self.assertEqual(self.browser.text("step"), step)
        self.assertTrue(self.picture_now() == still, "the picture of a paused run stays")

        self.browser.choose("lines", True)
        with_lines = self.picture_now()
        self.assertTrue(with_lines != still, "lines are drawn")
        self.browser.choose("lines", False)
        self.assertTrue(self.picture_now() == still, "lines are gone again")
        self.browser.choose("map", "sequential")
        self.assertTrue(self.picture_now() != still, "other colours")
        self.browser.choose("map", "automatic")
        self.browser.choose("high", "100")
        self.browser.choose("low", "-100")
        self.assertEqual(self.browser.evaluate("document.getElementById('follow').checked"), False)
        self.assertLess(colours(self.picture_now())[0], different / 2)  # nearly one colour on so wide a scale
        self.browser.choose("follow", True)
        self.browser.choose("field", "0")
        self.browser.wait_text("bar-field", lambda text: text == "Hx", "another field of the same state")
        self.assertEqual(self.browser.text("step"), step)
        self.assertTrue(self.picture_now() != still, "other colours")

        self.browser.evaluate("document.getElementById('picture').focus()")
        self.browser.press("]")
        self.browser.wait_text("bar-field", lambda text: text == "Hy", "the key for the next field")
        self.browser.press(" ")
        self.browser.wait_text("status", lambda text: text == "running", "the space bar resumes")
        self.wait_step(int(step))
        self.browser.wait(lambda: self.browser.evaluate("document.querySelectorAll('#energy-plot canvas').length") == 1, "an energy plot")
        self.browser.wait(lambda: self.browser.evaluate("document.querySelectorAll('#receiver-plot canvas').length") == 1, "a receiver's plot")
        self.assertEqual(self.browser.evaluate("document.getElementById('receiver').options[0].text"), "probe")
        self.browser.press("d")
        self.assertIn(self.browser.evaluate("document.documentElement.dataset.theme"), ("dark", "light"))
        self.keep("dark")
        self.browser.press("d")
        self.assert_no_complaint()
        self.browser.click("stop")
        self.browser.wait_text("status", lambda text: text == "interrupted", "the run has stopped")
        self.assertEqual(self.process.wait(30), 130)
        self.assert_no_complaint()

    def test_shows_a_box_and_a_slice_that_moves(self):
        self.start_run(BOX_CASE, preexec=lambda: os.nice(10))
        self.look()
        self.browser.click("pause")
        self.browser.wait_text("status", lambda text: text == "paused", "the pill says paused")
        self.rest()
        solid = self.picture_now()
        self.assertGreater(colours(solid)[0], 30)
        self.keep("box")
        self.browser.drag("picture", 120, 40)
        self.browser.wait(lambda: self.picture_now() != solid, "the box turns")
        self.browser.choose("slice", "2")
        self.browser.choose("surface", "off")
        self.browser.wait(lambda: colours(self.browser.picture())[1] > 0.02, "a slice alone")
        cut = self.picture_now()
        self.browser.choose("slice-place", "900")
        self.browser.wait(lambda: self.picture_now() != cut, "the slice moves")
        self.browser.choose("surface", "glass")
        self.settle()
        self.keep("slice")
        self.browser.choose("slice", "")
        self.assert_no_complaint()

    def test_shows_a_finished_run_with_a_slider(self):
        self.assert_done(self.run_case(LONG_CASE.replace("end = 1e6", "end = 0.6") + "fields = { every = 0.1 }\nenergy_every = 0.1\n"))
        self.start("view", "out")
        self.browser.open(self.address)
        self.browser.wait_text("step", lambda text: text == "1 of 7", "the first picture")
        self.browser.choose("field", "2")
        self.browser.wait_text("bar-field", lambda text: text == "Ez", "the field that was chosen")
        first = self.picture_now()
        self.assertGreater(colours(first)[0], 30)
        self.browser.choose("slider", "6")
        self.browser.wait_text("slider-time", lambda text: text == "t = 0.6", "the last time")
        self.assertTrue(self.picture_now() != first, "the picture changes")
        self.browser.evaluate("document.getElementById('picture').focus()")
        self.browser.press("ArrowLeft")
        self.browser.wait_text("step", lambda text: text == "6 of 7", "the picture before")
        self.browser.choose("slider", "0")
        self.browser.click("play")
        self.browser.wait_text("step", lambda text: text == "7 of 7", "it plays to the end")
        self.browser.wait(lambda: self.browser.evaluate("document.querySelectorAll('#energy-plot canvas').length") == 1, "an energy plot")
        self.keep("folder")
        self.assert_no_complaint()


if __name__ == "__main__":
    unittest.main()
