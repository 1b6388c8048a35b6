# SPDX-License-Identifier: MIT
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Mylos(CMakePackage):
    """Hand-written CUDA kernels, transfers, MPI, PETSc and HDF5 on the Kokkos Views a program already has.

    Kernels are compiled at run time (NVRTC), so a plain host compiler builds everything; without a GPU the same
    kernels run on an emulated device."""

    # This file lies in the repository that it builds.
    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 5))

    license("MIT")

    version("main", branch="main")

    # One variant for each component of the CMake package.
    variant("hdf5", default=True, description="Mylos::hdf5: Views in HDF5 files")
    variant("testing", default=False, description="Mylos::testing: comparing kernels, for GoogleTest")
    variant("shared", default=True, description="Shared libraries")
    variant("examples", default=False, description="Build the particle application")
    variant("command", default=True, description="The command mylos: info, check, new kernel, cache")
    variant("cuda", default=False, description="Kokkos with its CUDA backend (without it, CUDA runs through the driver)")

    depends_on("c", type="build", when="+hdf5")  # for CMake's own tests of HDF5
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")

    depends_on("kokkos@4.5:5.2")
    depends_on("kokkos+cuda", when="+cuda")
    depends_on("kokkos~cuda", when="~cuda")
    depends_on("kokkos+pic", when="+shared ^kokkos~shared")

    # Private: header-only, or inside the library.
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.10:")
    depends_on("xxhash")
    depends_on("boost@1.70:+context")

    depends_on("hdf5@1.10:", when="+hdf5")
    depends_on("mpi", when="+hdf5 ^hdf5+mpi")  # its header includes MPI's
    depends_on("googletest", when="+testing")
    depends_on("googletest", type="test")
    depends_on("python@3.9:", type="test")
    depends_on("cli11", when="+examples")
    depends_on("cli11", when="+command")

    conflicts("%gcc@:11", msg="Mylos needs C++20 as g++ 12 has it")
    conflicts("+examples", when="~hdf5", msg="the particle application writes HDF5 files")
    conflicts("platform=darwin", msg="the device space and the emulator are for Linux")
    conflicts("platform=windows", msg="the device space and the emulator are for Linux")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("MYLOS_ENABLE_HDF5", "hdf5"),
            self.define_from_variant("MYLOS_ENABLE_TESTING", "testing"),
            self.define_from_variant("MYLOS_BUILD_EXAMPLES", "examples"),
            self.define_from_variant("MYLOS_BUILD_COMMAND", "command"),
            self.define("MYLOS_BUILD_TESTS", self.run_tests),
            self.define("MYLOS_BUILD_PERF", False),
        ]
