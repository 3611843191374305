# SPDX-License-Identifier: Apache-2.0
"""A recipe for Spack: put this folder as packages/swell into a repository of recipes, then `spack install swell`."""

from spack.package import *


class Swell(CMakePackage):
    """High-order finite elements for waves, transport and heat on any processor."""

    license("Apache-2.0")
    version("develop", branch="main")
    generator("ninja")

    variant("mpi", default=True, description="Runs on many processes")
    variant("python", default=True, description="The Python module")

    depends_on("cxx", type=("build", "run"))  # compiles the processor's kernels at run time
    depends_on("cmake@3.25:", type="build")
    depends_on("eigen")
    depends_on("fmt@9:")
    depends_on("tomlplusplus")
    depends_on("cli11")
    depends_on("nlohmann-json")
    depends_on("zlib-api")
    depends_on("hdf5~mpi")
    depends_on("metis")
    depends_on("mpi", when="+mpi")
    depends_on("python@3.8:", type=("build", "run"), when="+python")
    depends_on("py-pybind11@2.9:", type="build", when="+python")
    depends_on("py-numpy", type="run", when="+python")

    def cmake_args(self):
        args = [
            self.define("SWELL_TESTS", False),
            self.define_from_variant("SWELL_WITH_MPI", "mpi"),
            self.define_from_variant("SWELL_WITH_PYTHON", "python"),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("Python3_EXECUTABLE", self.spec["python"].command.path))
            args.append(self.define("SWELL_PYTHON_FOLDER", python_platlib))
        return args
