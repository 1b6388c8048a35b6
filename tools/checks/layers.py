#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes go to lower layers only; Kokkos, C APIs and private libraries are used where they belong and nowhere else."""

import re

from project import (CPP_SUFFIXES, KOKKOS_LAYER, LAYERS, LIBRARY_TOP, files, module_of, run, text_of,
                     without_comments_and_strings)

# What an include matches -> the folders (or files) that may have it. Public headers bring in std, Kokkos and Mylos only.
HOMES = {
    r"mpi\.h": ["include/mylos/mpi/", "src/mpi/", "src/hdf5/"],
    r"petsc.*\.h": ["include/mylos/petsc/", "src/petsc/"],
    r"hdf5.*\.h|H5\w+\.h": ["src/hdf5/"],
    r"cuda\.h|nvrtc\.h|cuda_runtime.*|nvJitLink\.h": ["src/cuda/"],
    r"fftw3\.h|cufft\.h": ["src/numerics/"],
    r"boost/.*": ["src/emulator/"],
    r"xxhash\.h": ["src/base/"],
    r"fmt/.*|nlohmann/.*": ["src/"],
    r"CLI/.*": ["src/", "tools/"],
    r"gtest/.*|gmock/.*": ["include/mylos/testing/", "src/testing/"],
}
# Calls of a C API outside its wrapper files.
CALLS = {
    r"\bMPI_[A-Z][a-z]\w*\s*\(": ["include/mylos/mpi/", "src/mpi/"],
    r"\bH5[A-Z]{1,2}[a-z]\w*\s*\(": ["src/hdf5/"],
    r"\bnvrtc[A-Z]\w*\s*\(|\bcu(Ctx|Mem|Launch|Stream|Event|Module|Device|Init|Func|Library|Link|Driver)\w*\s*\(": [
        "src/cuda/"
    ],
}
KOKKOS_INTERNALS = r"\bKokkos::Impl\b|\bKOKKOS_IMPL_\w+"
KOKKOS_INTERNALS_HOME = re.compile(r"(include/mylos/core/detail|src/core(/detail)?)/kokkos_device_space\.(hpp|cpp)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def target_module(name):
    """The module that an include names, as in <mylos/core/x.hpp>, <mylos/core.hpp> or "core/x.hpp"."""
    parts = name.removeprefix("mylos/").split("/")
    module = parts[0].removesuffix(".hpp")
    if module == "mylos":
        return module
    return module if module in LAYERS and (len(parts) > 1 or name.startswith("mylos/")) else None


def layer_of(module):
    return LIBRARY_TOP if module == "mylos" else LAYERS[module]


def at(path, text, position):
    return f"{path}:{text.count(chr(10), 0, position) + 1}"


def bad_include(path, module, name):
    """Why this file must not include that; None when it may."""
    target = target_module(name)
    if target is not None and target != module and not layer_of(target) < layer_of(module):
        return f"{module} (layer {layer_of(module)}) includes {name} of layer {layer_of(target)}: only lower ones"
    if re.match(r"Kokkos", name) and layer_of(module) < KOKKOS_LAYER:
        return f"{module} includes {name}: only layers from {KOKKOS_LAYER} up may use Kokkos"
    for pattern, homes in HOMES.items():
        if re.fullmatch(pattern, name) and not any(str(path).startswith(home) for home in homes):
            return f"includes {name}: that belongs to {', '.join(homes)} alone"
    return None


def check_library(path, text):
    module = module_of(path)
    if module not in LAYERS and module != "mylos":
        yield f"{path}:1: module {module} is not in the table of layers (tools/checks/project.py)"
        return
    for include in INCLUDE.finditer(text):
        reason = bad_include(path, module, include.group(2))
        if reason:
            yield f"{at(path, text, include.start())}: {reason}"
    code = without_comments_and_strings(text)
    for pattern, homes in CALLS.items():
        for call in re.finditer(pattern, code):
            if not any(str(path).startswith(home) for home in homes):
                yield f"{at(path, code, call.start())}: calls {call.group(0).rstrip('( ')}: only {', '.join(homes)} may"
    if not KOKKOS_INTERNALS_HOME.fullmatch(str(path)):
        for use in re.finditer(KOKKOS_INTERNALS, code):
            yield f"{at(path, code, use.start())}: uses {use.group(0)}: only core/detail/kokkos_device_space.* may"


def check_user_code(path, text):
    """Examples, kernels and benchmarks are what users copy: they keep to public names."""
    code = without_comments_and_strings(text)
    for use in re.finditer(r"\bmylos::(\w+::)*detail\b", code):
        yield f"{at(path, code, use.start())}: uses {use.group(0)}: that is private to the library"
    for include in INCLUDE.finditer(text):
        if re.match(r"mylos/\w+/detail/", include.group(2)):
            yield f"{at(path, text, include.start())}: includes {include.group(2)}: that is private to the library"


def check(root):
    for path in files(root):
        if path.suffix not in CPP_SUFFIXES:
            continue
        if module_of(path):
            yield from check_library(path, text_of(root, path))
        elif path.parts[0] in ("examples", "kernels", "perf"):
            yield from check_user_code(path, text_of(root, path))


if __name__ == "__main__":
    run(__doc__, check)
