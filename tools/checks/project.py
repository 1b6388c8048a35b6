#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the checks know about the project: modules and their layers, which files there are, how C++ text is read.

Run as a program it prints, for CMake, the modules that must not need Kokkos."""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

# The one table of layers: an include may only go to a lower one. CONTRIBUTING.md explains it.
LAYERS = {
    "base": 0,
    "device": 0,
    "cuda": 1,
    "jit": 2,
    "emulator": 3,
    "core": 4,
    "transfers": 5,
    "profiling": 6,
    "memory": 7,
    "kernel": 8,
    "random": 9,
    "algorithms": 9,
    "expressions": 10,
    "numerics": 11,
    "mpi": 11,
    "testing": 11,
    "petsc": 12,
    "hdf5": 12,
}
LIBRARY_TOP = 10  # Mylos::mylos and <mylos/mylos.hpp> are the layers up to this one
KOKKOS_LAYER = 4  # below it nothing may include Kokkos

SIZE_LIMITS = {"include": 600, "src": 600, "tests": 700}  # lines of a file, by top folder; others: 600
FUNCTION_LIMIT = 60  # lines

# Public names (patterns of fnmatch) that LLM_GUIDE.md need not mention: they are there for other modules, not for users.
NOT_IN_GUIDE = [
    "MYLOS_ABI",
    "MYLOS_ATOMIC_FLAVOUR",
    "MYLOS_EXPORT",
    "MYLOS_IN_KERNEL_TEXT",
    "MYLOS_STANDARD",
    "Hasher",
    "IfExists",
    "StagedFile",
    "cuda::*",
    "emulator::Allocation",
    "emulator::Execution",
    "emulator::HostAccess",
    "emulator::LaunchShape",
    "emulator::MemoryUsage",
    "emulator::OutOfMemory",
    "emulator::Program",
    "emulator::Source",
    "emulator::[a-z]*",
    "environment::*",
    "internal_error",
    "jit::*",
    "read_file",
    "to_string",
    "write_file_atomically",
]

# Places that look like one machine's and are not: paths inside a new root, and folders that a command's user chooses.
PLACES_THAT_ARE_MEANT = {
    "CONTRIBUTING.md": ["/tmp/" + name for name in ("root12", "root13")],
    "tools/new_root.sh": ["/root/" + "mylos"],
}

CPP_SUFFIXES = {".hpp", ".cpp", ".cu", ".cuh", ".h"}


def files(root):
    """Every file of the tree that is, or could be, committed; as sorted paths relative to root."""
    try:
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True,
            capture_output=True,
        ).stdout.decode()
        names = {Path(name) for name in listed.split("\0") if name}
    except (OSError, subprocess.CalledProcessError):  # an unpacked archive
        names = {Path(folder, name).relative_to(root) for folder, _, found in os.walk(root) for name in found}
        names = {name for name in names if not {"build", ".git", ".venv", "__pycache__"} & set(name.parts)}
    return sorted(name for name in names if (root / name).is_file())


def text_of(root, path):
    """The file's text; None when it is not text."""
    try:
        return (root / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def module_of(path):
    """The module that a file of include/mylos or src belongs to; None for any other file."""
    parts = path.parts
    if parts[:2] == ("include", "mylos") and len(parts) >= 3:
        return parts[2].removesuffix(".hpp")
    if parts[0] == "src" and len(parts) >= 3:
        return parts[1]
    return None


def public_headers(root):
    """{module: [names of its public headers]}; private ones lie in a folder below the module's."""
    headers = {}
    for path in files(root):
        if path.parts[:2] == ("include", "mylos") and len(path.parts) == 4 and path.suffix == ".hpp":
            headers.setdefault(path.parts[2], []).append(path.parts[3])
    return headers


_SKIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL,
)


def without_comments_and_strings(text):
    """The same lines and columns with comments blanked out and the insides of strings removed."""

    def blank(match):
        found = match.group(0)
        lines = "\n" * found.count("\n")
        return lines if found.startswith("/") else '""' + lines

    return _SKIPPED.sub(blank, text)


def without_preprocessor(text):
    """Directives blanked out, their continuation lines too."""
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda found: "\n" * found.group(0).count("\n"), text, flags=re.M)


def run(description, check):
    """main() of a check: prints every problem that check(root) yields; the exit status tells whether there was one."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[2], help="the tree to check")
    root = parser.parse_args().root.resolve()
    problems = list(check(root))
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problem(s)" if problems else "nothing found")
    sys.exit(1 if problems else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fact", choices=["modules-without-kokkos"])
    parser.parse_args()
    print(";".join(module for module, layer in LAYERS.items() if layer < KOKKOS_LAYER))


if __name__ == "__main__":
    main()
