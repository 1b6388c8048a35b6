#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every check of tools/checks is shown a good tree and bad ones: a check that cannot fail is no check."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tools" / "checks"), str(ROOT / "tools")]
import guide  # noqa: E402
import layers  # noqa: E402
import mirror  # noqa: E402
import paths  # noqa: E402
import project  # noqa: E402
import public_names  # noqa: E402
import recipe  # noqa: E402
import settings  # noqa: E402
import sizes  # noqa: E402
import spdx  # noqa: E402
import umbrellas  # noqa: E402

SPDX = "// SPDX-License-Identifier: MIT\n"


class CheckTest(unittest.TestCase):
    """Runs checks over trees that exist for one test."""

    def problems(self, check, tree):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in tree.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return list(check.check(Path(folder)))

    def assert_clean(self, check, tree):
        self.assertEqual(self.problems(check, tree), [])

    def assert_found(self, check, tree, *pieces, count=1):
        """Exactly so many problems; the text of the first holds every piece."""
        problems = self.problems(check, tree)
        self.assertEqual(len(problems), count, problems)
        for piece in pieces:
            self.assertIn(piece, problems[0])


class Settings(CheckTest):
    PAGE = "| `MYLOS_LOG` | calls | values |\n"

    def test_page_and_code_agree(self):
        self.assert_clean(settings, {"docs/settings.md": self.PAGE, "src/base/a.cpp": 'text("MYLOS_LOG")'})

    def test_variable_without_a_row(self):
        tree = {"docs/settings.md": self.PAGE, "src/base/a.cpp": 'text("MYLOS_LOG"); text("MYLOS_X")'}
        self.assert_found(settings, tree, "src/base/a.cpp", "MYLOS_X has no row")

    def test_row_that_nothing_reads(self):
        self.assert_found(settings, {"docs/settings.md": self.PAGE}, "nothing reads MYLOS_LOG")


class Layers(CheckTest):
    def test_lower_layers_and_own_files_are_fine(self):
        self.assert_clean(layers, {
            "include/mylos/core/a.hpp": "#include <Kokkos_Core.hpp>\n#include <mylos/base/error.hpp>\n",
            "include/mylos/core.hpp": "#include <mylos/core/a.hpp>\n",
            "include/mylos/mylos.hpp": "#include <mylos/core.hpp>\n#include <mylos/kernel.hpp>\n",
            "src/core/a.cpp": '#include <mylos/core/a.hpp>\n#include <fmt/format.h>\n#include "core/b.hpp"\n',
            "tests/base/a_test.cpp": "#include <mylos/kernel/kernel.hpp>\n",
        })

    def test_upward_include(self):
        for include in ("<mylos/kernel/kernel.hpp>", "<mylos/kernel.hpp>", '"kernel/private.hpp"', "<mylos/mylos.hpp>"):
            self.assert_found(layers, {"src/core/a.cpp": f"\n#include {include}\n"}, "src/core/a.cpp:2", "layer 4")

    def test_sideways_include(self):
        self.assert_found(layers, {"include/mylos/device/a.hpp": "#include <mylos/base/abi.hpp>\n"}, "only lower ones")

    def test_unknown_module(self):
        self.assert_found(layers, {"src/misc/a.cpp": ""}, "misc", "not in the table")

    def test_kokkos_below_core(self):
        self.assert_found(layers, {"src/emulator/a.cpp": "# include <Kokkos_Core.hpp>\n"}, "from 4 up")

    def test_c_interfaces_have_one_home(self):
        for name, home in (("mpi.h", "mpi"), ("petscvec.h", "petsc"), ("hdf5.h", "hdf5"), ("cuda.h", "cuda"),
                           ("nvrtc.h", "cuda"), ("boost/context/fiber.hpp", "emulator")):
            self.assert_found(layers, {"src/core/a.cpp": f"#include <{name}>\n"}, name, "alone")
            self.assert_clean(layers, {f"src/{home}/a.cpp": f"#include <{name}>\n"})

    def test_calls_without_include(self):
        for call in ("MPI_Send(x)", "H5Dwrite (x)", "cuMemAlloc(x)", "nvrtcCompileProgram(x)"):
            self.assert_found(layers, {"src/core/a.cpp": f"int a = {call};\n"}, "calls " + call.split("(")[0].strip())
        self.assert_clean(layers, {"src/core/a.cpp": '// MPI_Send(x)\nauto t = "MPI_Send(x)";\n'})

    def test_private_libraries_stay_out_of_headers(self):
        self.assert_found(layers, {"include/mylos/core/a.hpp": "#include <fmt/format.h>\n"}, "fmt/format.h", "src/")

    def test_kokkos_internals(self):
        text = "using T = Kokkos::Impl::SharedAllocationTracker;\n"
        self.assert_found(layers, {"src/core/a.cpp": text}, "Kokkos::Impl")
        self.assert_clean(layers, {"src/core/detail/kokkos_device_space.cpp": text})

    def test_users_keep_to_public_names(self):
        self.assert_found(layers, {"examples/a/a.cpp": "mylos::detail::x();\n"}, "private")
        self.assert_found(layers, {"perf/a.cpp": "#include <mylos/core/detail/engine.hpp>\n"}, "private")


class Sizes(CheckTest):
    @staticmethod
    def function(lines):
        return "int f(int a) {\n" + "  ++a; // } {\n" * (lines - 2) + "}\n"

    def test_limits_are_reached(self):
        self.assert_clean(sizes, {"src/a/a.cpp": self.function(60), "include/mylos/a/a.hpp": "\n" * 600})

    def test_long_files(self):
        for name, lines in (("include/mylos/a/a.hpp", 601), ("src/a/a.cpp", 601), ("tests/a/a_test.cpp", 701)):
            self.assert_found(sizes, {name: "\n" * lines}, name, f"{lines} lines")

    def test_long_functions(self):
        heads = ("int f(int a) {", "A::A(int a) : a_(a), b_{a} {", "auto f() const noexcept -> int {",
                 "template <class T>\n  requires C<T>\nT f(T t) {", "TEST(A, B) {", "bool operator==(A a) {")
        for head in heads:
            body = "namespace n {\nclass C {\n public:\n" + self.function(62).replace("int f(int a) {", head) + "};\n}\n"
            self.assert_found(sizes, {"src/a/a.cpp": body}, "src/a/a.cpp:4", "the limit is 60")

    def test_python_functions(self):
        self.assert_found(sizes, {"tools/a.py": "def f():\n" + "    pass\n" * 60}, "f has 61 lines")

    def test_long_classes_and_tables_are_no_functions(self):
        self.assert_clean(sizes, {
            "src/a/a.cpp": "class A : B<int(int)> {\n" + "  int f() { return 1; }\n" * 100 + "};\n"
                           "const T t(1);\nint a[] = {\n" + "1,\n" * 100 + "};\n"
        })


class Mirror(CheckTest):
    GOOD = {"include/mylos/a/b.hpp": "", "include/mylos/a/detail/c.hpp": "", "tests/a/b_test.cpp": "",
            "tests/a/CMakeLists.txt": "mylos_add_test(a SOURCES b_test.cpp)\n"}

    def test_mirrored(self):
        self.assert_clean(mirror, self.GOOD)

    def test_missing_test(self):
        self.assert_found(mirror, {"include/mylos/a/b.hpp": ""}, "write tests/a/b_test.cpp")

    def test_unregistered_test(self):
        for lists in ("", "# b_test.cpp\n", "mylos_add_test(a SOURCES bb_test.cpp)\n", "x(more_b_test.cpp)"):
            self.assert_found(mirror, {**self.GOOD, "tests/a/CMakeLists.txt": lists}, "tests/a/b_test.cpp:1", "nobody")


class Spdx(CheckTest):
    def test_every_kind_of_file(self):
        self.assert_clean(spdx, {"a.cpp": SPDX, "b.py": "#!/usr/bin/python3\n# SPDX-License-Identifier: MIT\n",
                                 "CMakeLists.txt": "# SPDX-License-Identifier: MIT\n", "README.md": "", "x.json": "{}"})
        for name in ("a.hpp", "a.cu", "a.py", "a.cmake", "CMakeLists.txt", ".clang-format", "v.hpp.in"):
            self.assert_found(spdx, {name: "x\n"}, name)

    def test_files_of_users_are_theirs(self):
        self.assert_clean(spdx, {"cmake/kernels.cpp.in": "// Generated\n"})

    def test_scripts_are_known_by_their_first_line(self):
        self.assert_found(spdx, {"bootstrap": "#!/bin/sh\necho\n# SPDX-License-Identifier: MIT\n"}, "bootstrap")


class Umbrellas(CheckTest):
    GOOD = {"include/mylos/base/a.hpp": "", "include/mylos/base.hpp": "#include <mylos/base/a.hpp>\n",
            "include/mylos/hdf5/f.hpp": "", "include/mylos/hdf5.hpp": "#include <mylos/hdf5/f.hpp>\n",
            "include/mylos/mylos.hpp": "#include <mylos/base.hpp>\n"}

    def test_complete(self):
        self.assert_clean(umbrellas, self.GOOD)

    def test_incomplete(self):
        self.assert_found(umbrellas, {**self.GOOD, "include/mylos/base/b.hpp": ""}, "base.hpp", "mylos/base/b.hpp")
        self.assert_found(umbrellas, {**self.GOOD, "include/mylos/mylos.hpp": ""}, "mylos.hpp", "mylos/base.hpp")

    def test_optional_library_in_the_main_umbrella(self):
        text = "#include <mylos/base.hpp>\n#include <mylos/hdf5.hpp>\n"
        self.assert_found(umbrellas, {**self.GOOD, "include/mylos/mylos.hpp": text}, "mylos/hdf5.hpp")

    def test_missing(self):
        tree = {name: text for name, text in self.GOOD.items() if name != "include/mylos/hdf5.hpp"}
        self.assert_found(umbrellas, tree, "include/mylos/hdf5.hpp", "missing")


class Paths(CheckTest):
    def test_places_of_one_machine(self):
        for folder in paths.FOLDERS:
            place = "/" + folder + "/somebody"
            self.assert_found(paths, {"docs/a.md": f"\nsee `{place}/x`\n"}, "docs/a.md:2", place)

    def test_places_that_are_meant(self):
        for path, places in project.PLACES_THAT_ARE_MEANT.items():
            self.assert_clean(paths, {path: " ".join(places)})
            self.assertEqual(len(self.problems(paths, {"other.md": " ".join(places)})), len(places))

    def test_other_paths(self):
        self.assert_clean(paths, {"a.md": "/usr/include src/" + "work/a ~/" + "tmp/x ${HOME}/" + "work/y"})


class RecipeOfSpack(CheckTest):
    RECIPE = """
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack.package import *

class Mylos(CMakePackage):
    version("main", branch="main")
    variant("hdf5", default=True, description="")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@4.5:5.2")
    depends_on("hdf5@1.10:", when="+hdf5")
    depends_on("mpi", when="+hdf5 ^hdf5+mpi")
    depends_on("python", type="test")
    generator("ninja")
    def cmake_args(self):
        return [self.define_from_variant("MYLOS_ENABLE_HDF5", "hdf5"), self.define("MYLOS_BUILD_TESTS", self.run_tests)]
"""
    TREE = {
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.25)\nproject(Mylos LANGUAGES CXX)\n",
        "cmake/MylosOptions.cmake": "option(MYLOS_ENABLE_HDF5 x ON)\noption(MYLOS_BUILD_TESTS x ON)\noption(MYLOS_X y ON)",
        "cmake/MylosDependencies.cmake": "find_package(Kokkos REQUIRED) # find_package(Comment)\n"
                                         "if(Kokkos_VERSION VERSION_LESS 4.5 OR NOT Kokkos_VERSION VERSION_LESS 5.3)",
        "src/hdf5/CMakeLists.txt": "find_package(HDF5 1.10 COMPONENTS C)\nfind_package(MPI)",
        "tests/docs/CMakeLists.txt": "find_package(Python3)",
    }

    def tree(self, old="", new="", **files):
        self.assertIn(old, self.RECIPE)
        further = {name.replace("__", "/") + "/CMakeLists.txt": text for name, text in files.items()}
        return {**self.TREE, **further, str(recipe.RECIPE): self.RECIPE.replace(old, new)}

    def test_complete(self):
        self.assert_clean(recipe, self.tree())

    def test_dependencies(self):
        for old, new, *found in (
            ('depends_on("python", type="test")', "", "tests/docs/CMakeLists.txt", "needs Python3"),
            ('"+hdf5 ^hdf5+mpi"', '"~hdf5 ^hdf5+mpi"', "src/hdf5/CMakeLists.txt", "needs MPI", "+hdf5"),
            ('depends_on("cxx", type="build")', "", "CMakeLists.txt", "language CXX"),
            ("hdf5@1.10:", "hdf5@1.8:", "needs HDF5 1.10"),
            ("@4.5:5.2", "@4.5:5.1", "kokkos@4.5:5.2", "is missing"),
            ("cmake@3.25:", "cmake@3.20:", "cmake@3.25:", "is missing"),
        ):
            self.assert_found(recipe, self.tree(old, new), *found)
        self.assert_found(recipe, self.tree(src__core="find_package(HDF5)"), "src/core/CMakeLists.txt", "~hdf5")
        self.assert_found(recipe, self.tree(src__core="find_package(PETSc)"), "needs PETSc")
        self.assert_clean(recipe, self.tree(perf="find_package(benchmark)"))

    def test_options(self):
        self.assert_found(recipe, self.tree("MYLOS_BUILD_TESTS", "MYLOS_BUILD_TEST"), "gives MYLOS_BUILD_TEST,",
                          count=2)
        self.assert_found(recipe, self.tree('self.define_from_variant("MYLOS_ENABLE_HDF5", "hdf5")',
                                            'self.define("MYLOS_ENABLE_HDF5", True)'), "hdf5 changes no option")

    def test_what_spack_would_refuse(self):
        for old, new, *found in (
            ('version("main"', 'versoin("main"', "cannot be evaluated", "versoin"),
            ('default=True, description=""', "defualt=True", "cannot be evaluated", "defualt"),
            ('when="+hdf5")', 'when="+hdf")', "there is no such variant"),
            ('depends_on("kokkos@4.5:5.2")', 'depends_on("kokkos@4.5:5.2")\n    depends_on("@4")', "no spec with a name"),
            ('when="+hdf5")', 'when="hdf5")', "cannot be read"),
            ('"MYLOS_ENABLE_HDF5", "hdf5"', '"MYLOS_ENABLE_HDF5", "hdf"', "cannot be evaluated"),
        ):
            self.assert_found(recipe, self.tree(old, new), *found)


class PublicNames(CheckTest):
    TEXT = """
    #define MYLOS_THING(x) x
    namespace mylos::inline MYLOS_ABI {
    class MYLOS_EXPORT Alpha final : public Base { public: void member(); };
    template <class T, class = std::enable_if_t<(sizeof(T) > 1)>> struct Beta;
    template <class T>
      requires std::integral<T>
    [[nodiscard]] std::map<int, T> gamma(const T& t, int (*f)(int) = nullptr);
    template <class... V> inline constexpr bool delta_v = sizeof...(V) > 0;
    enum class Epsilon { one, two };
    using Zeta = std::function<void(int)>;
    template <class T> concept Eta = requires(T t) { t.x(); };
    inline bool operator==(const Alpha&, const Alpha&) { return true; }
    namespace theta { void iota(); }
    namespace detail { void hidden(); struct Hidden {}; }
    namespace pi_detail { void hidden(); }
    template <class T> T Alpha::member(int) const { return {}; }
    template <class F> decltype(auto) rho(F&& f) { return f(); }
    inline namespace kappa { int lambda = 3; }
    }
    void outside();
    """

    def test_kinds_of_declarations(self):
        self.assertEqual(public_names.names_in(self.TEXT), {
            "MYLOS_THING", "Alpha", "Beta", "gamma", "delta_v", "Epsilon", "Zeta", "Eta", "theta::iota", "lambda",
            "rho"})

    def test_guide_mentions_them(self):
        # One name for every pattern that is left out, so that none of them is stale.
        left_out = [pattern.replace("[a-z]*", "x").replace("*", "x") for pattern in project.NOT_IN_GUIDE]
        spaces = [name.rpartition("::") for name in left_out]
        lines = [f"#define {name}" for _, _, name in spaces if name.startswith("MYLOS_")]
        lines += [f"namespace mylos::{space or 'inline X'} {{ void {name}(); }}" for space, _, name in spaces
                  if not name.startswith("MYLOS_")]
        tree = {"include/mylos/base/a.hpp": "\n".join(lines),
                "include/mylos/base/b.hpp": "namespace mylos { void mill(); }"}
        self.assert_clean(guide, tree)
        self.assert_clean(guide, {**tree, "LLM_GUIDE.md": "call `mill()`"})
        self.assert_found(guide, {**tree, "LLM_GUIDE.md": "miller, windmill"}, "mention mill of module base")
        del tree["include/mylos/base/a.hpp"]
        stale = self.problems(guide, {**tree, "LLM_GUIDE.md": "mill"})
        self.assertEqual(len(stale), len(project.NOT_IN_GUIDE), stale)


class Text(CheckTest):
    def test_blanking_keeps_lines(self):
        text = 'a; // x {\n/* {\n */ b("{\\"", \'{\'); R"cu(\n{ " )cu"; 1\'000; c\n'
        blank = project.without_comments_and_strings(text)
        self.assertNotIn("{", blank)
        self.assertEqual(blank.count("\n"), text.count("\n"))
        self.assertIn("1'000; c", blank)
        self.assertEqual(project.without_preprocessor("#define A \\\n  {\nb\n"), "\n\nb\n")


class Programs(CheckTest):
    def test_exit_status_and_help(self):
        for script in sorted((ROOT / "tools" / "checks").glob("*.py")):
            command = [sys.executable, str(script)]
            self.assertEqual(subprocess.run([*command, "--help"], capture_output=True).returncode, 0, script)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.cpp").write_text("x\n")
            for name, status in (("spdx.py", 1), ("paths.py", 0)):
                command = [sys.executable, str(ROOT / "tools" / "checks" / name), "--root", folder]
                self.assertEqual(subprocess.run(command, capture_output=True).returncode, status)


if __name__ == "__main__":
    unittest.main()
