#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Formats every C++, CUDA and CMake file of the tree: clang-format (.clang-format) and gersemi (.gersemirc).

With --check nothing is changed: it lists the files that are not formatted and exits with 1. Exits with 77, and says
why, when a tool is missing or too old. The tools are looked for in --python-env (or MYLOS_PYTHON_ENV), beside the
Python that runs this, and in PATH."""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "checks"))
from project import CPP_SUFFIXES, files  # noqa: E402

CLANG_FORMAT_MAJOR = 23  # .clang-format uses options of this version
MISSING_TOOL = 77


def find_tool(name, environment):
    """The tool's path; ends the program with MISSING_TOOL where there is none."""
    folders = [str(Path(environment) / "bin")] if environment else []
    folders += [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    found = shutil.which(name, path=os.pathsep.join(folders))
    if found is None:
        print(f"{name} was not found: install it with `pip install {name}`, or set MYLOS_PYTHON_ENV")
        sys.exit(MISSING_TOOL)
    return found


def find_clang_format(environment):
    tool = find_tool("clang-format", environment)
    version = subprocess.run([tool, "--version"], check=True, capture_output=True, text=True).stdout
    major = int(re.search(r"version (\d+)", version).group(1))
    if major < CLANG_FORMAT_MAJOR:
        print(f"{tool} is version {major}: version {CLANG_FORMAT_MAJOR} is needed")
        sys.exit(MISSING_TOOL)
    return tool


def unformatted(clang_format, paths):
    """Those of the files that are; asked for all at once, because the tool takes longer to start than to read one."""
    if not paths:
        return []
    command = [clang_format, "--dry-run", "--fno-color-diagnostics", *map(str, paths)]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    complaints = re.findall(r"^(.*?):\d+:\d+: warning: .*-Wclang-format-violations", result.stderr, re.MULTILINE)
    return list(dict.fromkeys(map(Path, complaints)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, list what is not formatted")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="the tree to format")
    parser.add_argument("--python-env", default=os.environ.get("MYLOS_PYTHON_ENV"), help="a virtual environment")
    arguments = parser.parse_args()
    clang_format = find_clang_format(arguments.python_env)
    gersemi = find_tool("gersemi", arguments.python_env)

    root = arguments.root.resolve()
    found = files(root)
    cpp = [root / path for path in found if path.suffix in CPP_SUFFIXES]
    cmake = [root / path for path in found if path.suffix == ".cmake" or path.name == "CMakeLists.txt"]
    bad = unformatted(clang_format, cpp)
    if arguments.check:
        for path in bad:
            print(f"{path.relative_to(root)}:1: is not formatted: run tools/format.py")
    elif bad:
        subprocess.run([clang_format, "-i", *map(str, bad)], check=True)
    mode = ["--check"] if arguments.check else ["--in-place"]
    status = subprocess.run([gersemi, *mode, "--no-warn-about-unknown-commands", *map(str, cmake)]).returncode
    sys.exit(1 if (arguments.check and bad) or status else 0)


if __name__ == "__main__":
    main()
