# SPDX-License-Identifier: Apache-2.0
import json
import sys
import unittest
from pathlib import Path

from tool_test import ToolTest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
import scaling_model as model  # noqa: E402

# A millisecond for a hundred elements, and no faster for fewer.
STAGE = [{"elements": 100, "seconds": 1e-3}, {"elements": 1000, "seconds": 10e-3}]


def part(ranks, elements, border, neighbours, sent):
    return {"ranks": ranks, "most_elements": elements, "most_border_elements": border, "most_neighbours": neighbours,
            "most_bytes": sent}


class Volume(unittest.TestCase):
    def test_blocks_are_cut_where_the_box_is_thinnest(self):
        self.assertEqual(model.blocks((4, 8, 16), 2), ((1, 1, 2), 32))
        self.assertEqual(model.blocks((4, 8, 16), 4), ((1, 1, 4), 96))
        self.assertEqual(model.blocks((8, 8, 8), 8), ((2, 2, 2), 192))

    def test_both_sides_send_the_nodes_of_two_triangles_for_each_face_of_a_cell(self):
        # 32 faces of cells, 2 triangles of 6 nodes, 3 fields, 8 bytes, both ways.
        self.assertEqual(model.block_bytes((4, 8, 16), 2, 2, 3, 8), 2 * 32 * 2 * 6 * 3 * 8)
        self.assertEqual(model.block_bytes((4, 8, 16), 1, 2, 3, 8), 0)


class Prediction(unittest.TestCase):
    def test_time_of_a_stage_is_a_line_between_sizes_and_no_shorter_below_the_smallest(self):
        self.assertAlmostEqual(model.stage_seconds(STAGE, 550), 5.5e-3)
        self.assertAlmostEqual(model.stage_seconds(STAGE, 2000), 20e-3)
        self.assertAlmostEqual(model.stage_seconds(STAGE, 10), 1e-3)

    def test_an_exchange_that_is_shorter_than_the_work_inside_costs_nothing(self):
        entries = model.predict([part(2, 1000, 100, 3, 1000), part(4, 500, 100, 3, 1000)], STAGE, 0, 1e-6, 1e9)
        self.assertEqual([e["waited"] for e in entries], [0, 0])
        self.assertAlmostEqual(entries[1]["scaled"], 0.5)
        self.assertAlmostEqual(entries[1]["efficiency"], 1)
        self.assertIsNone(model.stops_at(entries))

    def test_what_it_takes_longer_is_waited_for(self):
        # 2 ms on the way beside 0.5 ms of work inside; packing takes 0.1 ms.
        entry = model.predict([part(64, 100, 50, 10, 1_000_000)], STAGE, 1e-10, 1e-4, 1e9)[0]
        self.assertAlmostEqual(entry["waited"], 1.5e-3)
        self.assertAlmostEqual(entry["seconds"], 1e-3 + 1e-4 + 1.5e-3)

    def test_says_where_scaling_stops(self):
        entries = model.predict([part(2, 1000, 100, 3, 1000), part(4, 500, 500, 3, 100_000_000)], STAGE, 0, 1e-6, 1e9)
        self.assertEqual(model.stops_at(entries), 4)


class MakeScaling(ToolTest):
    def test_puts_the_prediction_beside_published_figures(self):
        parts = [part(64, 1000, 100, 6, 1000), part(512, 125, 100, 6, 1000)]
        entry = {"ranks": 1, "elements": 10368, "seconds_per_stage": 0.07, "efficiency": 1.0}
        two = {**entry, "ranks": 2, "seconds_per_stage": 0.04, "efficiency": 0.875, "exchange_bytes": 290304.0, "model_bytes": 290304,
               "exchange_messages": 2.0, "hidden": 0.99, "waiting_per_stage": 1e-4}
        predicted = model.predict(parts, STAGE, 0, 1e-6, 1e9)
        self.write("bench/results/scaling-2-ranks-2030-01-02.json", json.dumps(
            {"date": "2030-01-02", "commit": "abc", "command": "bench/scaling", "device": "cpu:1", "processor": "A chip", "cores": 2,
             "messages": {"ranks": 2, "latency": 1e-6, "bandwidth": 5e9, "library": "Some MPI"}, "strong": [entry, two],
             "weak": [entry], "stage": STAGE, "copies_per_byte": 1e-9, "network": model.NETWORK,
             "predicted": {"example network": predicted}}))
        result = self.run_tool("make_scaling", self.root)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("| 2 | 10,368 | 40.00 | 88 % | 290 | 290 | 2 | 99 % | 0.10 |", result.stdout)
        self.assertIn("| 0.14 | 0.125 |", result.stdout)
        self.assertIn("0.125 of the time of 64 ranks on 512, beside 0.14 in Hesthaven's lectures; efficiency stays above one half", result.stdout)


if __name__ == "__main__":
    unittest.main()
