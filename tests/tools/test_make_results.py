# SPDX-License-Identifier: Apache-2.0
import json
import unittest

from tool_test import ToolTest


def entry(model, element, order, rate, fraction):
    return {"name": f"{model}-{element}-{order}-double", "model": model, "element": element, "order": order,
            "precision": "double", "dof_per_second": rate, "bound_dof_per_second": rate / fraction, "bound_by": "fma",
            "fraction": fraction}


def bench(*results):
    return {"device": "A chip", "driver": "1.2", "bandwidth": 4.2e12, "fma_double": 33e12, "fma_single": 63e12,
            "tensor_double": 66e12, "results": list(results)}


HEAD = {"date": "2030-01-02", "commit": "abc1234", "command": "bench"}


class MakeResults(ToolTest):
    def page(self):
        result = self.run_tool("make_results", self.root)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def put(self, name, content):
        self.write(f"bench/results/{name}", json.dumps({**HEAD, **content}))

    def test_puts_other_programs_beside_what_was_measured(self):
        self.put("gpu-2030-01-02.json", {"devices": {"cuda": "A chip"},
                                         "measure": {"cuda": bench(entry("maxwell", "tetrahedron", 3, 78.9e9, 0.6))}})
        page = self.page()
        self.assertIn("| 3 | 78.9 G | 131.5 G | fma | 60 % | 26.3 G | 3.00 |", page)
        self.assertIn("66 on tensor cores in double", page)

    def test_takes_the_newest_file_and_the_best_run(self):
        self.put("cpu-2-threads-2029-01-01.json", {"commit": "old", **bench(entry("acoustics", "hexahedron", 2, 1e9, 0.1))})
        self.put("cpu-2-threads-2030-01-01.json",
                 {"runs": [bench(entry("acoustics", "hexahedron", 2, 210e6, 0.3)),
                           bench(entry("acoustics", "hexahedron", 2, 280e6, 0.4))]})
        page = self.page()
        self.assertNotIn("old", page)
        self.assertIn("| 2 | 280 M | 700 M | fma | 40 % | 140 M | 2.00 |", page)
        self.assertNotIn("210 M", page)

    def test_counts_long_runs_that_failed(self):
        self.put("long-runs.json", {"count": 1264, "steps": 10000, "failed": ["a", "b"]})
        self.assertIn("1264 combinations", self.page())
        self.assertIn("grew in 2 of them", self.page())


if __name__ == "__main__":
    unittest.main()
