# SPDX-License-Identifier: Apache-2.0
"""tools/install_packages and tools/build in a tiny tree: what apt brings after the first configuration is found at the next."""

import os
import re
import shutil
import subprocess
import unittest

from tool_test import TOOLS, ToolTest

# Remembers a tool that is missing, as CMake's own check for a language does.
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES NONE)
if(NOT DEFINED CACHE{TOOL})
  find_program(TOOL swell-tool-of-a-package)
endif()
file(APPEND ${CMAKE_BINARY_DIR}/../found "${TOOL}\\n")
add_custom_target(nothing ALL)
"""
PRECOMPILED = """cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES CXX)
add_subdirectory(src)
"""
PRESETS = """{"version": 6,
 "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "build/release"}],
 "buildPresets": [{"name": "release", "configurePreset": "release"}]}
"""
APT = """#!/bin/sh
case "$*" in *install*) cp "$0" "$(dirname "$0")/swell-tool-of-a-package" ;; esac
"""
DPKG = """#!/bin/sh
if [ -e "$(dirname "$0")/swell-tool-of-a-package" ]; then echo "some-package=installed "; fi
"""
SUDO = """#!/bin/sh
exec "$@"
"""


class Build(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("CMakeLists.txt", PROJECT)
        self.write("CMakePresets.json", PRESETS)
        self.write("tools/packages.txt", "[run]\nsome-package  # for this test\n")
        for tool in ("build", "install_packages"):
            shutil.copy(TOOLS / tool, self.root / "tools" / tool)
        for name, text in (("apt-get", APT), ("dpkg-query", DPKG), ("sudo", SUDO)):
            self.write(f"bin/{name}", text)
            (self.root / "bin" / name).chmod(0o755)

    def tool(self, *command):
        environment = dict(os.environ, PATH=f"{self.root / 'bin'}:{os.environ['PATH']}")
        environment.pop("SWELL_INSTALL", None)
        result = subprocess.run([self.root / "tools" / command[0], *command[1:]], cwd=self.root, env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result.stdout)

    def configurations(self):
        """The findings of each configuration so far."""
        return (self.root / "build" / "found").read_text(encoding="utf-8").splitlines()

    def test_finds_a_tool_that_was_installed_after_the_first_configuration(self):
        self.tool("build")
        self.assertEqual(self.configurations(), ["TOOL-NOTFOUND"])
        self.tool("install_packages", "run")
        self.tool("build")
        found = self.configurations()
        self.assertEqual((len(found), found[-1]), (2, str(self.root / "bin" / "swell-tool-of-a-package")))

    def test_configures_once_where_nothing_is_installed(self):
        self.tool("install_packages", "run")
        for _ in range(2):
            self.tool("build")
            self.tool("install_packages", "run")
        self.assertEqual(len(self.configurations()), 1)

    def test_begins_anew_where_the_presets_changed(self):
        self.tool("build")
        self.write("bin/swell-tool-of-a-package", SUDO)
        (self.root / "bin/swell-tool-of-a-package").chmod(0o755)
        later = (self.root / "build/release/build.ninja").stat().st_mtime + 1
        os.utime(self.root / "CMakePresets.json", (later, later))
        self.tool("build")
        self.assertIn("swell-tool-of-a-package", self.configurations()[-1])

    def test_compiles_nothing_again_because_something_was_installed(self):
        # `cmake --fresh` removes CMakeFiles/ of the top folder; a precompiled header there would take all objects with it.
        house = TOOLS.parent
        top = [house / "CMakeLists.txt", *sorted((house / "cmake").glob("*.cmake"))]
        callers = [file.name for file in top if re.search(r"^\s*swell_precompiled_headers\(", file.read_text(encoding="utf-8"), re.MULTILINE)]
        self.assertEqual(callers, [])
        self.write("CMakeLists.txt", PRECOMPILED)
        self.write("src/CMakeLists.txt", "add_library(part OBJECT part.cpp)\ntarget_precompile_headers(part PRIVATE <vector>)\n")
        self.write("src/part.cpp", "std::vector<int> numbers;\n")
        self.tool("build")
        (made,) = (self.root / "build/release/src").rglob("part.cpp.o")
        first = made.stat().st_mtime_ns
        self.tool("install_packages", "run")
        self.tool("build")
        self.assertEqual(made.stat().st_mtime_ns, first)


if __name__ == "__main__":
    unittest.main()
