#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Spack recipe has what the CMake files need: dependencies, their versions, options; in all of its variants.

The recipe is run with stand-ins for Spack's directives, which have the parameters that Spack's own have."""

import itertools
import re
import sys
import types
from pathlib import Path
from unittest import mock

from project import files, run, text_of

RECIPE = Path("spack/spack_repo/mylos/packages/mylos/package.py")
OPTIONS = Path("cmake/MylosOptions.cmake")
DEPENDENCIES = Path("cmake/MylosDependencies.cmake")

# What CMake finds -> the package of Spack. None: of the system, of ours, or for tests that are left out without it.
PACKAGES = {
    "Boost": "boost",
    "CLI11": "cli11",
    "GTest": "googletest",
    "HDF5": "hdf5",
    "Kokkos": "kokkos",
    "KokkosKernels": None,
    "MPI": "mpi",
    "Mylos": None,
    "Python3": "python",
    "Threads": None,
    "fmt": "fmt",
    "language C": "c",
    "language CXX": "cxx",
    "nlohmann_json": "nlohmann-json",
    "xxhash.h": "xxhash",
}
# The first that a path begins with tells when its find_package() is run; "test": with the tests. None: never by the recipe.
CONDITIONS = {
    "cmake/MylosTest.cmake": "test",
    "cmake/": "",
    "CMakeLists.txt": "",
    "examples/": "+examples",
    "src/hdf5/": "+hdf5",
    "src/testing/": "+testing",
    "src/": "",
    "tests/hdf5/": "+hdf5 test",
    "tests/install/consumer/": None,
    "tests/install/kernels/": None,
    "tests/nvcc/": None,
    "tests/": "test",
    "tools/bootstrap/": None,
    "tools/command/": "+command",
    "tools/": "",
    "perf/": None,
}
FURTHER_CONDITIONS = {"MPI": "^hdf5+mpi"}  # its header includes mpi.h
WITHOUT_OPTION = {"cuda"}  # variants that only choose dependencies

SPEC = re.compile(r"(?P<name>[a-z][a-z0-9-]*)?(@(?P<low>[\d.]*)(?P<colon>:)?(?P<high>[\d.]*))?(?P<words>([+~]\w+)*)")
CONDITION = re.compile(r"[+~]\w+|\^\w+[+~]\w+|test")


class Recipe:
    """What the directives of a package.py say."""

    def __init__(self):
        self.variants, self.dependencies, self.conflicts, self.package = {}, [], [], None

    def version(self, ver, checksum=None, *, branch=None, tag=None, commit=None, sha256=None, url=None, git=None):
        pass

    def variant(self, name, default=None, description="", values=None, multi=None, validator=None, when=None,
                sticky=False):
        self.variants[name] = default

    def depends_on(self, spec, when=None, type=("build", "link"), *, patches=None):
        self.dependencies.append((spec, when or "", type))

    def conflicts_(self, conflict_spec, when=None, msg=None):
        self.conflicts.append((conflict_spec, when or ""))

    def license(self, license_identifier, checked_by=None, when=None):
        pass

    def generator(self, *names, default=None):
        pass

    def modules(self):
        """Stand-ins for what a recipe imports."""
        recipe = self

        class CMakePackage:
            def __init_subclass__(cls):
                recipe.package = cls

            def define(self, cmake_var, value):
                return cmake_var, value

            def define_from_variant(self, cmake_var, variant=None):
                return cmake_var, self.values[variant or cmake_var.lower()]

        package = types.ModuleType("spack.package")
        directives = {"version": self.version, "variant": self.variant, "depends_on": self.depends_on,
                      "conflicts": self.conflicts_, "license": self.license}
        package.__dict__.update(directives, __all__=list(directives))
        cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        cmake.CMakePackage, cmake.generator = CMakePackage, self.generator
        names = ["spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"]
        return {**{name: types.ModuleType(name) for name in names}, package.__name__: package, cmake.__name__: cmake}

    def cmake_arguments(self, values, tests):
        """{option: value} for such variants."""
        package = self.package()
        package.values, package.run_tests = values, tests
        return dict(package.cmake_args())


def evaluated(path, text):
    recipe = Recipe()
    with mock.patch.dict(sys.modules, recipe.modules()):
        exec(compile(text, str(path), "exec"), {"__file__": str(path), "__name__": "package"})
    return recipe


def needs_in(path, text):
    """(what CMake must find, lowest version or None) of a CMake file."""
    text = re.sub(r"#[^\n]*|\"[^\"]*\"", "", text)
    for name, version in re.findall(r"\bfind_package\(\s*([\w$]+)(?:\s+([\d.]+))?", text):
        yield name, version or None
    for header in re.findall(r"\bfind_path\(\s*\w+\s+([\w.]+\.h)\s+REQUIRED", text):
        yield header, None
    for languages in re.findall(r"\benable_language\(([^)]*)\)|\bproject\([^)]*LANGUAGES\s+([^)]*)\)", text):
        for language in set("".join(languages).split()) & {"C", "CXX"}:
            yield f"language {language}", None


def needs(root):
    """{(what, lowest version, condition): file} of all CMake files."""
    found = {}
    for path in files(root):
        if path.name != "CMakeLists.txt" and path.suffix != ".cmake":
            continue
        condition = next((value for begin, value in CONDITIONS.items() if str(path).startswith(begin)), None)
        if condition is None:
            continue
        for name, version in needs_in(path, text_of(root, path)):
            further = FURTHER_CONDITIONS.get(name, "")
            found.setdefault((name, version, f"{condition} {further}".strip()), path)
    return found


def holds(condition, configuration):
    return all(word in configuration for word in CONDITION.findall(condition))


def configurations(recipe):
    """Every set of words that hold together."""
    names = [name for name, default in recipe.variants.items() if isinstance(default, bool)]
    for values in itertools.product([True, False], repeat=len(names) + 2):
        words = {("+" if value else "~") + name for name, value in zip(names, values)}
        words |= {word for word, value in zip(["test", "^hdf5+mpi"], values[len(names) :]) if value}
        if not any(holds(spec, words) and holds(when, words) for spec, when in recipe.conflicts
                   if spec.startswith(("+", "~"))):
            yield dict(zip(names, values)), words


def bad_specs(recipe):
    for spec, when, _ in recipe.dependencies:
        if not SPEC.fullmatch(spec) or not SPEC.fullmatch(spec)["name"]:
            yield f"depends_on '{spec}': this is no spec with a name"
        if CONDITION.sub("", when).strip():
            yield f"depends_on '{spec}': when '{when}' cannot be read"
        for word in CONDITION.findall(when):
            if word[0] in "+~" and word[1:] not in recipe.variants:
                yield f"depends_on '{spec}': when '{when}': there is no such variant"


def missing_dependencies(recipe, needed):
    """Dependencies that a need has in no form, or not in all configurations; lowest versions that differ."""
    told = set()
    for _, words in configurations(recipe):
        there = {}
        for spec, when, kind in recipe.dependencies:
            if holds(when, words) and ("test" in words or kind != "test"):
                match = SPEC.fullmatch(spec)
                there.setdefault(match["name"], set()).add(match["low"] or None)
        for (name, version, condition), path in needed.items():
            package = PACKAGES.get(name, name)
            if package is None or not holds(condition, words) or (name, path) in told:
                continue
            reason = None
            if package not in there:
                reason = f"needs {name} with '{' '.join(sorted(words))}': no depends_on(\"{package}\") holds then"
            elif version and version not in there[package]:
                reason = f"needs {name} {version}: the recipe says {package}@{there[package]}"
            if reason:
                told.add((name, path))
                yield f"{path}:1: {reason}"


def differing_ranges(root, recipe):
    """CMake's own version, and the range of Kokkos."""
    lowest = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", text_of(root, Path("CMakeLists.txt")))[1]
    low, above = re.findall(r"Kokkos_VERSION VERSION_LESS ([\d.]+)", text_of(root, DEPENDENCIES))
    major, minor = above.split(".")
    for wanted in (f"cmake@{lowest}:", f"kokkos@{low}:{major}.{int(minor) - 1}"):
        if wanted not in [spec for spec, _, _ in recipe.dependencies]:
            yield f"{RECIPE}:1: depends_on('{wanted}') is missing: that is what the CMake files accept"


def differing_options(root, recipe):
    options = set(re.findall(r"^option\((\w+)", text_of(root, OPTIONS), re.M))
    given = recipe.cmake_arguments(recipe.variants, False)
    for option in sorted(given.keys() - options):
        yield f"{RECIPE}:1: gives {option}, which {OPTIONS} does not have"
    for option in sorted(options - given.keys()):
        if option.startswith(("MYLOS_BUILD_", "MYLOS_ENABLE_")):
            yield f"{RECIPE}:1: does not say whether {option}"
    for name, default in recipe.variants.items():
        other = recipe.cmake_arguments({**recipe.variants, name: not default}, False)
        if name not in WITHOUT_OPTION and other == given:
            yield f"{RECIPE}:1: variant {name} changes no option of CMake"


def check(root):
    text = text_of(root, RECIPE) if (root / RECIPE).is_file() else None
    if text is None:
        return
    try:
        recipe = evaluated(root / RECIPE, text)
        recipe.cmake_arguments(recipe.variants, False)
    except Exception as error:  # whatever is wrong with it
        yield f"{RECIPE}:1: cannot be evaluated: {type(error).__name__}: {error}"
        return
    bad = [f"{RECIPE}:1: {problem}" for problem in bad_specs(recipe)]
    yield from bad
    if not bad:
        yield from missing_dependencies(recipe, needs(root))
        yield from differing_ranges(root, recipe)
        yield from differing_options(root, recipe)


if __name__ == "__main__":
    run(__doc__, check)
