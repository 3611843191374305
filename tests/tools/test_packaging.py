# SPDX-License-Identifier: Apache-2.0
"""The Dockerfile and the Spack recipe, which the tests do not run, name what tools/packages.txt names."""

import re
import unittest

from tool_test import TOOLS

ROOT = TOOLS.parent
# The name in Spack of each Debian package; None: Spack brings it by itself, or it is for the tests only.
SPACK = {"g++": "cxx", "cmake": "cmake", "ninja-build": None, "libeigen3-dev": "eigen", "libtomlplusplus-dev": "tomlplusplus",
         "libcli11-dev": "cli11", "libfmt-dev": "fmt", "nlohmann-json3-dev": "nlohmann-json", "zlib1g-dev": "zlib-api", "libhdf5-dev": "hdf5",
         "libopenmpi-dev": "mpi", "openmpi-bin": "mpi", "libmetis-dev": "metis", "libgtest-dev": None, "python3": "python",
         "pybind11-dev": "py-pybind11", "python3-numpy": "py-numpy"}


def sections():
    found, section = {}, None
    for line in (TOOLS / "packages.txt").read_text(encoding="utf-8").splitlines():
        if match := re.match(r"\[(\w+)\]", line):
            section = found.setdefault(match[1], set())
        elif words := line.partition("#")[0].split():
            section.add(words[0])
    return found


class Packaging(unittest.TestCase):
    def test_spack_has_all_that_a_build_and_a_run_need(self):
        recipe = (ROOT / "packaging/spack/package.py").read_text(encoding="utf-8")
        depends = set(re.findall(r'depends_on\("([\w-]+)', recipe))
        wanted = {SPACK[package] for package in sections()["run"] | {"pybind11-dev", "python3-numpy"}} - {None}
        self.assertEqual(depends, wanted)
        self.assertIn('generator("ninja")', recipe)

    def test_options_of_the_recipe_are_those_of_the_build(self):
        recipe = (ROOT / "packaging/spack/package.py").read_text(encoding="utf-8")
        build = "".join((ROOT / file).read_text(encoding="utf-8") for file in ("CMakeLists.txt", "cmake/install.cmake"))
        options = re.findall(r'"(SWELL_\w+)"', recipe) + re.findall(r"-D(SWELL_\w+)", (ROOT / "packaging/Dockerfile").read_text(encoding="utf-8"))
        self.assertGreater(len(options), 3)
        for option in options:
            self.assertRegex(build, rf"(option|set)\({option} ")

    def test_the_container_takes_its_packages_from_the_list(self):
        text = (ROOT / "packaging/Dockerfile").read_text(encoding="utf-8")
        self.assertIn("tools/install_packages run", text)
        known = sections()
        for line in re.findall(r"--no-install-recommends ([^\\\n]+)", text):
            for package in line.split():
                if not package.startswith("/"):
                    self.assertIn(package, known["run"] | known["test"])


if __name__ == "__main__":
    unittest.main()
