# SPDX-License-Identifier: Apache-2.0
"""tools/check_layers finds every way to break the law of the rooms, and nothing else."""

import unittest

from tool_test import ToolTest

TOOL = "check_layers"


class CheckLayers(ToolTest):
    def include(self, file, *names):
        self.write(file, "// SPDX-License-Identifier: Apache-2.0\n" + "".join(f"#include {name}\n" for name in names))

    def test_allows_smaller_numbers_the_own_room_and_the_standard_library(self):
        self.include("src/base/error.hpp", "<string>")
        self.include("src/element/basis.hpp", '"base/error.hpp"', '"element/shape.hpp"', "<Eigen/Dense>")
        self.include("src/mesh/mesh.cpp", '"mesh/mesh.hpp"', '"element/basis.hpp"', '"base/error.hpp"')
        self.include("src/sim/run.cpp", '"case/case.hpp"', '"dg/rhs.hpp"', '"io/vtu.hpp"')
        self.include("app/main.cpp", '"case/case.hpp"', '"commands.hpp"', "<CLI/CLI.hpp>")
        self.include("app/commands.hpp", '"base/error.hpp"')
        self.assert_clean(TOOL)

    def test_finds_an_include_of_a_larger_number(self):
        self.include("src/base/error.hpp", "<string>", '"mesh/mesh.hpp"')
        self.assert_breaks(TOOL, ("src/base/error.hpp:3", "stand the other way round"))

    def test_finds_an_include_in_angle_brackets(self):
        self.include("src/io/vtu.cpp", "<sim/run.hpp>")
        self.assert_breaks(TOOL, ("src/io/vtu.cpp:2", "stand the other way round"))

    def test_finds_an_include_of_a_stranger(self):
        self.include("src/mesh/mesh.hpp", '"time/step.hpp"')
        self.assert_breaks(TOOL, ("src/mesh/mesh.hpp:2", "are strangers"))

    def test_finds_an_include_by_a_relative_path(self):
        self.include("src/dg/rhs.hpp")
        self.include("src/mesh/mesh.hpp", '"../dg/rhs.hpp"')
        self.assert_breaks(TOOL, ("src/mesh/mesh.hpp:2", "mesh/ (2) includes dg/rhs.hpp"))

    def test_finds_a_library_that_includes_the_command_line(self):
        self.include("src/sim/run.cpp", '"app/commands.hpp"')
        self.assert_breaks(TOOL, ("src/sim/run.cpp:2", "stand the other way round"))

    def test_finds_text_that_is_included(self):
        self.include("src/dg/rhs.cpp", '"models/maxwell.h"', '"kernels/volume.h"')
        self.assert_breaks(TOOL, ("src/dg/rhs.cpp:2", "models/ is text"), ("src/dg/rhs.cpp:3", "kernels/ is text"))

    def test_finds_text_that_includes(self):
        self.include("src/kernels/volume.h", "<math.h>")
        self.include("src/models/maxwell.h", '"base/error.hpp"')
        self.assert_breaks(TOOL, ("src/kernels/volume.h:2", "includes nothing"),
                           ("src/models/maxwell.h:2", "includes nothing"))

    def test_finds_a_program_among_the_text(self):
        self.include("src/models/maxwell.cpp")
        self.assert_breaks(TOOL, ("src/models/maxwell.cpp:1", "is a C++ file"))

    def test_keeps_drivers_in_device(self):
        headers = ("<cuda.h>", "<cuda_runtime.h>", "<nvrtc.h>", "<CL/cl.h>", '"CL/opencl.hpp"', "<cuda/std/array>")
        self.include("src/device/cuda/driver.cpp", *headers)
        self.assert_clean(TOOL)
        self.include("src/dg/rhs.cpp", *headers)
        self.assert_breaks(TOOL, *[(f"src/dg/rhs.cpp:{2 + i}", "only device/") for i in range(len(headers))])

    def test_keeps_mpi_in_comm(self):
        self.include("src/comm/ranks.cpp", "<mpi.h>")
        self.assert_clean(TOOL)
        self.include("src/sim/run.cpp", "<mpi.h>")
        self.assert_breaks(TOOL, ("src/sim/run.cpp:2", "only comm/"))

    def test_keeps_toml_in_case(self):
        self.include("src/case/document.hpp", "<toml++/toml.h>")
        self.assert_clean(TOOL)
        self.include("src/sim/run.cpp", "<toml++/toml.h>")
        self.assert_breaks(TOOL, ("src/sim/run.cpp:2", "only case/"))

    def test_keeps_the_case_from_rooms_below_it(self):
        self.include("src/case/case.hpp")
        self.include("src/view/server.cpp", '"case/case.hpp"')
        self.assert_breaks(TOOL, ("src/view/server.cpp:2", "stand the other way round"))

    def test_lets_a_folder_see_its_rooms_top_level_and_the_other_way_round(self):
        self.include("src/dg/nodal/operator.hpp", '"dg/operator.hpp"', '"dg/nodal/variants.hpp"', '"model/problem.hpp"')
        self.include("src/dg/make_operator.cpp", '"dg/nodal/operator.hpp"')
        self.include("src/device/cuda/driver.cpp", '"device/gpu/text.hpp"')
        self.assert_clean(TOOL)

    def test_finds_folders_of_a_room_that_see_each_other(self):
        self.include("src/dg/modal/text.hpp")
        self.include("src/dg/nodal/operator.hpp", '"dg/modal/text.hpp"', '"../modal/text.hpp"')
        self.assert_breaks(TOOL, ("src/dg/nodal/operator.hpp:2", "dg/nodal/ and dg/modal/ are strangers"),
                           ("src/dg/nodal/operator.hpp:3", "dg/nodal/ and dg/modal/ are strangers"))

    def test_finds_a_crowded_folder(self):
        for i in range(35):
            self.include(f"src/sim/a{i}.hpp")
        self.assert_clean(TOOL)
        self.include("src/sim/b.cpp")
        self.assert_breaks(TOOL, ("src/sim", "has 36 source files"))

    def test_finds_a_room_without_a_number(self):
        self.include("src/attic/a.cpp")
        self.include("src/loose.cpp")
        self.assert_breaks(TOOL, ("src/attic/a.cpp:1", "attic/ is no known room"),
                           ("src/loose.cpp:1", "lies in no room"))

    def test_finds_oddly_written_includes(self):
        self.write("src/base/error.hpp", '  #  include"mesh/mesh.hpp"\n')
        self.assert_breaks(TOOL, ("src/base/error.hpp:1", "stand the other way round"))


if __name__ == "__main__":
    unittest.main()
