# SPDX-License-Identifier: Apache-2.0
"""tools/check_house finds every breach of the rules that it knows, and leaves the rest alone."""

import unittest

from tool_test import ToolTest

TOOL = "check_house"
SPDX = "SPDX-License-Identifier: Apache-2.0"


class CheckHouse(ToolTest):
    def test_is_content_with_good_files(self):
        self.write("src/base/a.hpp", f"// {SPDX}\n// The purpose of this piece.\n#pragma once\n")
        self.write("tools/run", f"#!/usr/bin/env bash\n# {SPDX}\n")
        self.write("README.md", "# Words\n\nA url: http://example.org/home/x, a path: src/work/x, ~/home/x.\n")
        self.assert_clean(TOOL)

    def test_leaves_data_and_products_alone(self):
        self.write("tests/data/cube.msh", b"$Nodes\t\x00\xff  \n")
        self.write("build/release/a.cpp", "int main() {}\t\n")
        self.write("out/demo/a.py", "x = 1  \n")
        self.write("LICENSE", "text  \n")
        self.assert_clean(TOOL)

    def test_finds_sources_without_a_licence_line(self):
        names = ["CMakeLists.txt", "a.cmake", "a.cpp", "a.h", "a.hpp", "a.py", "a.sh", "run"]
        for name in names:
            self.write(name, "#!/bin/sh\n")
        self.assert_breaks(TOOL, *[(f"{name}:1", "has no line with SPDX") for name in names])

    def test_finds_left_over_marks(self):
        for mark in ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"):
            with self.subTest(mark):
                self.write("src/base/a.cpp", f"// {SPDX}\n// {mark}: later\n")
                self.assert_breaks(TOOL, ("src/base/a.cpp:2", mark))

    def test_finds_machine_paths(self):
        for folder in ("work", "root", "home"):
            with self.subTest(folder):
                self.write("docs/start.md", f"First\n\nsee `/{folder}/me/x`\n")
                self.assert_breaks(TOOL, ("docs/start.md:3", f"/{folder}/"))

    def test_finds_tabs_trailing_spaces_and_carriage_returns(self):
        self.write("a.cpp", f"// {SPDX}\n\tint a;\nint b; \nint c;\r\n")
        self.assert_breaks(TOOL, ("a.cpp:2", "tab"), ("a.cpp:3", "trailing"), ("a.cpp:4", "trailing"))

    def test_finds_a_missing_newline_at_the_end(self):
        self.write("a.cpp", f"// {SPDX}\nint a;")
        self.assert_breaks(TOOL, ("a.cpp:2", "newline"))

    def test_finds_text_that_is_not_utf8(self):
        self.write("a.md", b"caf\xe9\n")
        self.assert_breaks(TOOL, ("a.md:1", "UTF-8"))

    def test_finds_a_file_of_more_than_400_lines(self):
        self.write("a.cpp", f"// {SPDX}\n" + "int a;\n" * 399)
        self.assert_clean(TOOL)
        self.write("a.cpp", f"// {SPDX}\n" + "int a;\n" * 400)
        self.assert_breaks(TOOL, ("a.cpp:401", "401 lines"))

    def test_accepts_a_long_file_that_says_why(self):
        self.write("a.cpp", f"// {SPDX}\n// A table, long because the literature gives 500 points.\n" + "int a;\n" * 500)
        self.assert_clean(TOOL)


if __name__ == "__main__":
    unittest.main()
