# SPDX-License-Identifier: Apache-2.0
"""tools/show_summary tells a person what summary.json holds."""

import json
import unittest

from tool_test import ToolTest

TOOL = "show_summary"
SUMMARY = {
    "title": "Ripples", "model": "maxwell-tm", "order": 5, "elements": 12345, "dofs": 777735, "steps": 1000,
    "dt": 1.25e-3, "time": 1.25, "device": "cpu", "precision": "double", "status": "done",
    "seconds": {"setup": 0.5, "compile": 0.25, "solve": 12.0}, "throughput": {"dof_per_second": 3.25e8},
    "errors": {"Ez": {"l1": 1e-7, "l2": 2e-6, "linf": 3e-5}, "total": {"l2": 4e-6}},
}


class ShowSummary(ToolTest):
    def show(self, text):
        self.write("summary.json", text)
        return self.run_tool(TOOL, self.root / "summary.json")

    def test_shows_what_was_solved_and_how_well(self):
        result = self.show(json.dumps(SUMMARY))
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in ("Ripples", "order 5", "12,345 elements", "777,735 unknowns", "t = 1.25", "solve 12.00",
                      "325 million", "error Ez     L2 2.000e-06", "error total  L2 4.000e-06"):
            self.assertIn(words, result.stdout)

    def test_shows_a_run_without_an_exact_answer(self):
        result = self.show(json.dumps({key: value for key, value in SUMMARY.items() if key != "errors"}))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("error", result.stdout)

    def test_names_what_is_missing(self):
        for text, words in (("{}", "no entry 'title'"), ("{", "cannot be read")):
            with self.subTest(text):
                result = self.show(text)
                self.assertEqual(result.returncode, 1)
                self.assertIn(words, result.stderr)
        self.assertIn("cannot be read", self.run_tool(TOOL, self.root / "nowhere.json").stderr)


if __name__ == "__main__":
    unittest.main()
