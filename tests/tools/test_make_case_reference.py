# SPDX-License-Identifier: Apache-2.0
"""tools/make_case_reference writes every key of the schema into docs/case.md, and sees when the page is old."""

import re
import unittest

from tool_test import TOOLS, ToolTest

TOOL = "make_case_reference"
REPOSITORY = TOOLS.parent
SCHEMA = """
constexpr KeyLimits positive{.low = 0, .above = true};
constexpr SchemaKey keys[] = {
    // A remark.
    {"mesh", K::table, "the mesh", {.required = true}},
    {"mesh.radius", K::real, "its radius, "
     "in metres", {.standard = "1", .limits = positive}},
    {"mesh.cells", K::wholes, "cells", {.limits = {.low = 1, .high = 1'000'000, .fewest = 2, .most = 2}}},
    {"mesh.shape", K::choice, "the shape", {.choices = "round flat", .later = "odd"}},
    {"sweep", K::table, "many runs", {.later = "*"}},
};
const SchemaAlternatives alternatives[] = {
    {{"mesh.radius", "mesh.cells"}, true, "how large it is"},
};
"""


class MakeCaseReference(ToolTest):
    def make(self, schema=SCHEMA, *options):
        self.write("src/case/schema.cpp", schema)
        return self.run_tool(TOOL, *options, self.root)

    def page(self):
        return (self.root / "docs/case.md").read_text(encoding="utf-8")

    def setUp(self):
        super().setUp()
        self.mark = re.search(r'MARK = "(.*)"', (TOOLS / TOOL).read_text(encoding="utf-8"))[1]
        self.write("docs/case.md", f"# By hand\n{self.mark}\nold\n")

    def test_the_shipped_page_is_up_to_date(self):
        result = self.run_tool(TOOL, "--check", REPOSITORY)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_the_shipped_page_names_every_key(self):
        source = (REPOSITORY / "src/case/schema.cpp").read_text(encoding="utf-8")
        page = (REPOSITORY / "docs/case.md").read_text(encoding="utf-8")
        paths = re.findall(r'^    \{"([^"]+)", K::', source, flags=re.MULTILINE)
        self.assertGreater(len(paths), 80)
        for path in paths:
            with self.subTest(path):
                self.assertTrue(f"`{path}`" in page or f"### [{path}]" in page or f"### [[{path}]]" in page)

    def test_says_what_a_key_takes(self):
        self.assertEqual(self.make().returncode, 0)
        for words in ("The mesh. It is required.", "| `mesh.radius` | number above 0 | 1 | its radius, in metres |",
                      "| `mesh.cells` | 2 whole numbers from 1 to 1000000 |  | cells |",
                      "`round`, `flat`", "(not in this version: odd)", "- `sweep`: many runs",
                      "Exactly one of `mesh.radius` or `mesh.cells` says how large it is."):
            self.assertIn(words, self.page())

    def test_keeps_what_was_written_by_hand(self):
        self.make()
        self.assertTrue(self.page().startswith(f"# By hand\n{self.mark}\n"))
        self.assertNotIn("old", self.page())

    def test_sees_that_the_page_is_old_and_leaves_it(self):
        self.make()
        self.assertEqual(self.make(SCHEMA, "--check").returncode, 0)
        before = self.page()
        result = self.make(SCHEMA.replace("its radius", "the radius"), "--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("older than", result.stderr)
        self.assertEqual(self.page(), before)

    def test_refuses_what_it_cannot_read(self):
        for schema, words in ((SCHEMA.replace("positive}}", "negative}}"), "'negative'"),
                              (SCHEMA.replace(".high = 1'000'000", ".high = 1 << 4"), "cannot read"), ("", "has no")):
            with self.subTest(words):
                result = self.make(schema)
                self.assertEqual(result.returncode, 1)
                self.assertIn(words, result.stderr)
                self.assertIn("old", self.page())


if __name__ == "__main__":
    unittest.main()
