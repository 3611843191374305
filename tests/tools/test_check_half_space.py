# SPDX-License-Identifier: Apache-2.0
"""tools/check_half_space agrees with the exact answers of Garvin's and Lamb's problem, and sees one that is wrong."""

import unittest
from pathlib import Path

from tool_test import ToolTest

TOOL = "check_half_space"
VERIFY = Path(__file__).resolve().parents[2] / "verify"


class CheckHalfSpace(ToolTest):
    def test_agrees_with_all_values_of_both_problems(self):
        result = self.run_tool(TOOL, "--verify", VERIFY)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual([line.split(":")[0] for line in result.stdout.splitlines()], ["garvin", "lamb"])

    def test_sees_a_value_that_is_wrong(self):
        row = '[[verify]]\nvalues = [{{ field = "vy", at = [{}], value = {} }}]\n'
        self.write("elastic-garvin.toml", row.format("0.713, 0", "2.617518570e-02"))
        self.write("elastic-lamb.toml", row.format("0.071, -0.913", "-9.889827e-02"))
        result = self.run_tool(TOOL, "--verify", self.root)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("lamb: largest difference 8.7e-09", result.stdout)


if __name__ == "__main__":
    unittest.main()
