# SPDX-License-Identifier: Apache-2.0
"""docs/gallery.md shows every example as its head is now, with pictures that are small enough to travel with the source."""

import re
import unittest

from tool_test import TOOLS, ToolTest

ROOT = TOOLS.parent
CASE = '# Ripples.\n# Takes 1 s on two cores.\n#\n# expect: errors.total.l2 < 1e-3\ntitle = "Ripples"\n'
LARGEST, LARGEST_TOGETHER = 100_000, 1_500_000


class Gallery(ToolTest):
    def test_is_as_new_as_the_examples(self):
        result = self.run_tool("make_gallery", ROOT, "--check")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_has_at_least_twelve_pictures_of_a_reasonable_size(self):
        pictures = re.findall(r"\((figures/gallery/[^)]+)\)", (ROOT / "docs/gallery.md").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(set(pictures)), 12)
        sizes = [(ROOT / "docs" / picture).stat().st_size for picture in pictures]
        self.assertLess(max(sizes), LARGEST)
        self.assertLess(sum(sizes), LARGEST_TOGETHER)

    def test_sees_a_head_that_has_changed_and_a_picture_that_is_missing(self):
        self.write("examples/ripples.toml", CASE)
        self.write("docs/gallery.md", "old\n")
        self.assertIn("run tools/make_gallery", self.run_tool("make_gallery", self.root, "--check").stderr)

    def test_asks_for_what_a_head_must_say(self):
        for left_out in ("# Takes 1 s on two cores.\n", "# expect: errors.total.l2 < 1e-3\n"):
            with self.subTest(left_out):
                self.write("examples/ripples.toml", CASE.replace(left_out, ""))
                self.assertIn("does not say", self.run_tool("make_gallery", self.root, "--check").stderr)


if __name__ == "__main__":
    unittest.main()
