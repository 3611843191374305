# SPDX-License-Identifier: Apache-2.0
"""Runs that are looked at: what pages are shown, pause and stop, and what looking costs the run."""

import math
import signal
import socket
import struct
import unittest

from view_support import LONG_CASE, ViewTest, needs_checkpoints

# Space for whole modes of a cavity of size 1: w = sqrt(2) pi.
MODE = math.sqrt(2) * math.pi




class Frames(ViewTest):
    def corners(self, page, part="whole"):
        """Points of the newest geometry of a part, in coordinates of the mesh."""
        head, numbers = max((g for g in page.geometries.values() if g[0]["part"] == part), key=lambda g: g[0]["number"])
        points = struct.unpack_from(f"<{3 * head['corners']}f", numbers)
        middle = [(a + b) / 2 for a, b in zip(page.hello["low"], page.hello["high"])]
        return head, [[points[3 * i + d] + middle[d] for d in range(3)] for i in range(head["corners"])]

    def test_show_the_field_at_the_nodes_of_every_element(self):
        self.start_run(LONG_CASE.replace("order = 3", "order = 6"))
        page = self.page()
        frame = page.frame(field=2)
        self.assertEqual(page.hello["fields"], ["Hx", "Hy", "Ez"])
        self.assertEqual((page.hello["dim"], page.hello["elements"], page.hello["complete"]), (2, 32, True))
        head, points = self.corners(page)
        self.assertEqual(head["triangles"], 32 * 6 ** 2)  # order 6: 36 triangles an element
        self.assertEqual(head["corners"], 32 * 28)
        self.assertEqual(head["lines"], 32 * 3 * 6)
        for (x, y, _), value in zip(points, frame["values"]):
            exact = math.cos(MODE * frame["time"]) * math.sin(math.pi * x) * math.sin(math.pi * y)
            self.assertAlmostEqual(value, exact, delta=1e-2)

    def test_are_new_ones_with_every_wish_while_it_runs(self):
        self.start_run()
        page = self.page()
        steps = [page.frame(field=2)["step"] for _ in range(5)]
        self.assertEqual(steps, sorted(set(steps)))

    def test_bring_the_energy_and_the_receivers(self):
        self.start_run()
        page = self.page()
        while len(page.series.get("energy", [])) < 3 or len(page.series.get("probe", [])) < 3:
            page.frame(field=2)
        times = [row[0] for row in page.series["energy"]]
        self.assertEqual(times, sorted(set(times)))
        # The energy of the mode: one half of the integral of Ez squared at first, 1/8; upwinding may only take from it.
        for _, energy in page.series["energy"]:
            self.assertLess(energy, 0.125 * (1 + 1e-3))
            self.assertGreater(energy, 0)
        self.assertEqual(len(page.series["probe"][0]), 4)  # time and three fields

    def test_of_a_box_are_its_surface_and_a_slice_that_moves(self):
        case = LONG_CASE.replace("[0, 0], high = [1, 1], cells = [4, 4]", "[0, 0, 0], high = [1, 1, 2], cells = [2, 2, 2]")
        case = case.replace("maxwell-tm", "acoustics").replace('Ez = "sin(pi*x)*sin(pi*y)"', 'p = "1 + z"').replace("[0.2, 0.3]", "[0.2, 0.3, 0.4]")
        self.start_run(case.replace("end = 1e6", "steps = 1000000\ndt = 1e-12"))  # at rest: the field stays 1 + z
        page = self.page()
        frame = page.frame(field=0)
        head, points = self.corners(page)
        self.assertEqual(head["triangles"], 6 * 4 * 2 * 9)  # sides, squares, triangles of each, small triangles
        for x, y, z in points:
            self.assertLess(min(abs(x), abs(x - 1), abs(y), abs(y - 1), abs(z), abs(z - 2)), 1e-6)
        for point, value in zip(points, frame["values"]):
            self.assertAlmostEqual(value, 1 + point[2], delta=1e-5)
        for height in (0.3, 1.7):
            frame = page.frame(field=0, plane=[0, 0, height, 0, 0, 5])
            head, points = self.corners(page, "slice")
            self.assertEqual(frame["parts"][1], {"number": head["number"], "corners": head["corners"]})
            inner = frame["values"][frame["parts"][0]["corners"]:]
            for point, value in zip(points, inner):
                self.assertAlmostEqual(point[2], height, delta=1e-6)
                self.assertAlmostEqual(value, 1 + height, delta=1e-5)
            self.assertAlmostEqual(self.area(page, head), 1, delta=1e-5)
        frame = page.frame(field=0, plane=[0.5, 0.5, 1, 1, 1, 0.5])
        head, _ = self.corners(page, "slice")
        self.assertGreater(self.area(page, head), 1)

    def area(self, page, head):
        numbers = page.geometries[head["number"]][1]
        points = struct.unpack_from(f"<{3 * head['corners']}f", numbers)
        corners = struct.unpack_from(f"<{3 * head['triangles']}I", numbers, 12 * head["corners"])
        total = 0
        for t in range(0, len(corners), 3):
            a, b, c = (points[3 * k:3 * k + 3] for k in corners[t:t + 3])
            u, v = [b[d] - a[d] for d in range(3)], [c[d] - a[d] for d in range(3)]
            cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
            total += math.hypot(*cross) / 2
        return total

    def test_of_modal_heat_and_level_set_runs(self):
        modal = LONG_CASE.replace("order = 3", 'order = 3\nfamily = "modal"').replace("end = 1e6", 'end = 1e6\nscheme = "ader"')
        heat = LONG_CASE.replace("maxwell-tm", "heat").replace("Ez =", "T =").replace(
            "end = 1e6", "end = 1e6\ndt = 1e-3").replace("sin(pi*x)*sin(pi*y)", "cos(pi*x)")
        heat = heat.replace("[time]", "[material]\nrhoC = 1\nk = 1e-9\n[time]")
        level = LONG_CASE.replace("maxwell-tm", "levelset").replace('Ez = "sin(pi*x)*sin(pi*y)"', 'G = "x"')
        level = level.replace("[initial]", "[material]\nax = 0.001\nay = 0.0\n[levelset]\nthickness = 0.1\n[initial]")
        modal = modal.replace("order = 3", "order = 5").replace("end = 1e6", "steps = 10000000\ndt = 1e-9")
        mode = lambda x, y: math.sin(math.pi * x) * math.sin(math.pi * y)  # noqa: E731
        claims = {"modal": (modal, 2, mode), "heat": (heat, 0, lambda x, y: math.cos(math.pi * x)), "level set": (level, 0, None)}
        for name, (case, field, exact) in claims.items():
            with self.subTest(name):
                self.start_run(case)
                page = self.page()
                first, second = page.frame(field=field), page.frame(field=field)
                self.assertGreater(second["step"], first["step"])
                head, points = self.corners(page)
                self.assertEqual(head["corners"], len(first["values"]))
                if exact:
                    for (x, y, _), value in zip(points, first["values"]):
                        self.assertAlmostEqual(value, exact(x, y), delta=1e-2)
                page.command("stop")
                self.assertEqual(self.process.wait(30), 130)


class Commands(ViewTest):
    def test_pause_holds_the_run_and_resume_lets_it_go_on(self):
        self.start_run()
        page = self.page()
        page.frame()
        page.command("pause")
        page.status("paused")
        held = page.frame(field=1)["step"]
        self.assertEqual(page.frame(field=0)["step"], held)  # another field of the same state
        self.assertEqual(page.frame(field=2)["step"], held)
        page.command("resume")
        page.status("running")
        self.assertGreater(page.frame(field=2)["step"], held)

    @needs_checkpoints
    def test_stop_ends_it_as_an_interrupt_does(self):
        self.start_run(LONG_CASE + "checkpoint = { every = 1000.0 }\n")
        page = self.page()
        page.frame()
        page.command("pause")
        page.status("paused")
        page.command("stop")
        page.status("interrupted")
        self.assertEqual(self.process.wait(30), 130)
        self.assertEqual(self.summary()["status"], "interrupted")
        self.assertEqual(len(list((self.root / "out").glob("checkpoint-*.h5"))), 1)

    def test_an_interrupt_ends_a_paused_run(self):
        self.start_run()
        page = self.page()
        page.frame()
        page.command("pause")
        page.status("paused")
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(30), 130)

    def test_the_end_is_told_with_the_last_state(self):
        self.start_run(LONG_CASE.replace("end = 1e6", "end = 0.5"), "--hold")
        page = self.page()
        page.status("done")
        frame = page.frame(field=2)
        self.assertAlmostEqual(frame["time"], 0.5, places=12)
        self.assertEqual(page.frame(field=0)["step"], frame["step"])
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(30), 0)

    def test_a_page_sees_the_last_state_before_the_program_ends(self):
        page = self.page_of_short_run(LONG_CASE.replace("end = 1e6", "end = 20.0"))
        times = []
        with self.assertRaises(ConnectionError):
            while True:
                times.append(page.frame(field=2)["time"])
        self.assertAlmostEqual(times[-1], 20.0, places=9)
        self.assertEqual(self.process.wait(30), 0)

    def test_a_failed_run_says_why(self):
        page = self.page_of_short_run(LONG_CASE.replace("end = 1e6", "steps = 10000000\ndt = 0.05"))
        page.want()
        self.assertIn("blew up", page.status("failed")["message"])
        self.assertEqual(self.process.wait(30), 3)


class Cost(ViewTest):
    def test_a_run_that_is_looked_at_computes_the_same_bits(self):
        case = LONG_CASE.replace("end = 1e6", "end = 3.0").replace("cells = [4, 4]", "cells = [8, 8]")
        self.start_run(case + "energy_every = 0.25\n")
        page = self.page()
        try:
            for i in range(20):
                page.frame(field=i % 3)
        except ConnectionError:
            pass  # it has come to its end
        self.assertEqual(self.process.wait(60), 0)
        looked_at = [(self.root / "out" / name).read_bytes() for name in ("receivers/probe.csv", "energy.csv")]
        self.assert_done(self.swell("run", "case.toml", "--quiet", "--output", "alone"))
        alone = [(self.root / "alone" / name).read_bytes() for name in ("receivers/probe.csv", "energy.csv")]
        self.assertEqual(looked_at, alone)
        self.assertGreater(self.cost()[0], 0)

    def test_ten_frames_a_second_of_100000_triangles_take_less_than_a_twentieth_of_the_run(self):
        for family in ("nodal", "modal"):
            with self.subTest(family):
                self.look_at_100000_triangles(family)

    def look_at_100000_triangles(self, family):
        self.start_run(LONG_CASE.replace("cells = [4, 4]", "cells = [46, 46]").replace("order = 3", f'order = 5\nfamily = "{family}"'))
        page = self.page()
        page.frame(field=2)
        head = next(iter(page.geometries.values()))[0]
        self.assertGreater(head["triangles"], 100000)
        for _ in range(20):
            page.frame(field=2)
        page.command("stop")
        self.assertEqual(self.process.wait(30), 130)
        frames, megabytes, _, seconds = self.cost()
        self.assertGreaterEqual(frames, 21)
        self.assertLessEqual(megabytes * 1e6, frames * 4 * head["corners"] * 1.001)
        self.assertLess(10 * seconds / frames, 0.05)

    def test_nobody_who_looks_costs_nothing(self):
        self.start_run(LONG_CASE.replace("end = 1e6", "end = 0.5"))
        self.assertEqual(self.process.wait(60), 0)
        self.assertEqual(self.cost(), (0, 0.0, 0.0, 0.0))


class Words(ViewTest):
    def test_a_port_that_is_taken_is_refused_before_anything_is_written(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assert_refused(LONG_CASE, f"port {port}", "in use", arguments=("--view", port))

    def test_the_port_may_follow_or_not(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.write("case.toml", LONG_CASE)
        self.start("run", "--view", port, "case.toml")
        self.assertEqual(self.port, port)
        self.end()
        self.start("run", "--view", "case.toml")
        self.assertNotEqual(self.port, port)

    def test_a_port_that_is_none_is_refused(self):
        self.assert_refused(LONG_CASE, "65535", arguments=("--view", "99999"))
        self.assert_refused(LONG_CASE, "--hold", arguments=("--hold",))


if __name__ == "__main__":
    unittest.main()
