# SPDX-License-Identifier: Apache-2.0
"""`swell plot` of what was measured: rooflines, tuning and scaling."""

import json
import unittest
from xml.etree import ElementTree

from plot_support import SVG, PlotTest
from support import ROOT


def bench(*results):
    return {"device": "A chip", "bandwidth": 100e9, "fma_double": 1e12, "fma_single": 2e12, "results": [
        {"name": f"{model}-cube-{order}-double", "model": model, "element": "cube", "order": order, "precision": "double",
         "gflops": flops, "gbytes_per_second": bytes_} for model, order, flops, bytes_ in results]}


def kernel(*rates):
    return {"kernel": "wave-3", "precision": "double", "device": "A chip", "variants": [
        {"variant": f"simd ROWS={i} STREAM=0", "default": i == 0, **({"dof_per_second": rate} if rate else {"problem": "wrong"})}
        for i, rate in enumerate(rates)]}


def scaling():
    return {"processor": "A chip", "device": "cpu:1", "predicted": {"a network": [
        {"ranks": 64, "efficiency": 1.0}, {"ranks": 512, "efficiency": 0.75}]},
        "strong": [{"ranks": 1, "efficiency": 1.0}, {"ranks": 4, "efficiency": 0.5}],
        "weak": [{"ranks": 1, "efficiency": 1.0}, {"ranks": 4, "efficiency": 0.75}]}


class PlotMeasured(PlotTest):
    def plot_json(self, content, *words):
        self.write("data.json", json.dumps(content))
        return self.plotted("data.json", *words)

    def test_a_kernel_that_takes_the_whole_bandwidth_stands_on_the_roof(self):
        # 100 GB/s and 1000 GFLOP/s: at 2 operations a byte the roof is at 200 GFLOP/s, and at 20 at 1000.
        names = self.plot_json({"runs": [bench(("fast", 1, 150, 75), ("slow", 1, 20, 10)), bench(("fast", 1, 200, 100), ("fast", 2, 1000, 50))]})
        self.assertEqual(names, ["roofline.svg"])
        fast, roof = self.paths(names[0], "curve")[0], self.paths(names[0], "curve")[-1]
        start, corner, end = roof
        self.assertEqual(corner[1], end[1])
        part = (fast[0][0] - start[0]) / (corner[0] - start[0])
        self.assertAlmostEqual(fast[0][1], start[1] + part * (corner[1] - start[1]), delta=0.1)
        self.assertAlmostEqual(fast[1][1], corner[1], delta=0.1)
        dots = [float(dot.get("cy")) for dot in ElementTree.parse(self.root / names[0]).iter(SVG + "circle")]
        self.assertLess(fast[0][1], max(dots))  # the slow one lies below, on a page that counts downwards
        for word in ("fast cube", "slow cube", "100 GB/s, fma 1000", "operations per byte", "GFLOP/s"):
            self.assertIn(word, self.words(names[0]))

    def test_bars_of_variants_are_as_long_as_they_are_fast_and_the_default_is_marked(self):
        names = self.plot_json({"file": "tuning.txt", "kernels": [kernel(200e6, 250e6, None)]})
        self.assertEqual(names, ["tuning-wave-3-double.svg"])
        (fast,), (marked,) = self.paths(names[0], "bar"), self.paths(names[0], "marked bar")
        length = [line[1][0] - line[0][0] for line in (fast, marked)]
        self.assertAlmostEqual(length[0] / length[1], 250 / 200, delta=1e-2)
        self.assertLess(fast[0][1], marked[0][1])
        self.assertEqual([w for w in self.words(names[0]) if "ROWS" in w], ["ROWS=1", "ROWS=0"])

    def test_of_a_tuning_file_shows_what_was_gained(self):
        head = "backend\tdevice\tdriver\tthreads\tkernel\tprecision\tsize\tvariant\tseconds\tdefault_seconds\tdate\n"
        lines = [f"cpu\tA chip\tg++\t2\t{name}\tdouble\tlarge\t{variant}\t1e-9\t{seconds}\t2030-01-01T00:00:00Z\n"
                 for name, variant, seconds in (("wave-2", "default", "1e-9"), ("wave-3", "simd A=1", "1.5e-9"))]
        self.write("tuning.txt", head + "".join(lines))
        self.assertEqual(self.plotted("tuning.txt"), ["tuning.svg"])
        (gain,), (same,) = self.paths("tuning.svg", "bar"), self.paths("tuning.svg", "marked bar")
        self.assertAlmostEqual((gain[1][0] - gain[0][0]) / (same[1][0] - same[0][0]), 1.5, delta=1e-2)
        for word in ("wave-3, double, large", "1.5", "A chip, 2 threads"):
            self.assertIn(word, self.words("tuning.svg"))
        self.assert_refused_to_plot("tuning.txt", "--only", "heat", says=["'heat'"])

    def test_of_scaling_has_the_ideal_and_what_was_reached(self):
        names = self.plot_json(scaling())
        self.assertEqual(names, ["scaling.svg", "scaling-predicted.svg"])
        strong, weak = self.paths("scaling.svg", "curve")
        (ideal,) = self.paths("scaling.svg", "guide")
        self.assertEqual(strong[0], ideal[0])
        self.assertAlmostEqual((weak[1][1] - ideal[1][1]) / (strong[1][1] - ideal[1][1]), 0.5, delta=1e-2)
        for word in ("strong", "weak", "ranks", "efficiency", "1", "4"):
            self.assertIn(word, self.words("scaling.svg"))

    def test_what_is_kept_in_the_repository_can_be_plotted(self):
        for file in sorted((ROOT / "bench/results").glob("cpu-*.json")) + sorted((ROOT / "bench/results").glob("scaling-*.json")):
            self.assertTrue(self.plotted(file, "--output", file.stem))

    def test_refuses_what_is_incomplete(self):
        for content, word in (({"kernels": [{}]}, "damaged"), ({"kernels": [kernel(None)]}, "no kernel"), ({"strong": [], "weak": []}, "damaged"),
                              ({**scaling(), "weak": [], "strong": [], "predicted": {}}, "two numbers of ranks"),
                              (bench(), "no benchmark"), ({"other": 1}, "no rows")):
            self.write("data.json", json.dumps(content))
            self.assert_refused_to_plot("data.json", says=[word])


if __name__ == "__main__":
    unittest.main()
