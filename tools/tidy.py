#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy (.clang-tidy) over the library's sources with the commands of a build folder that Ninja builds.

Sources are src/*/*.cpp and those of tools and examples, or those of the folders given, such as `src/jit examples`;
headers are seen through them. Exits with 77, and says why, when clang-tidy or the build folder is missing. Takes
seconds a file, many minutes in all."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from format import MISSING_TOOL, find_tool

FOLDERS = ["src", "tools", "examples"]
# What stands before the compiler, a compiler cache for instance, is none of clang-tidy's business.
COMPILATION = re.compile(r"(?:^|\s)(\S*(?:c\+\+|g\+\+|clang)(?:-\d+)?\s.*)$")


def commands(build, root, folders):
    """Entries of a compilation database: one for each source in the folders."""
    if not (build / "build.ninja").is_file():
        print(f"{build} is no folder that Ninja builds in: configure with `cmake --preset default`")
        sys.exit(MISSING_TOOL)
    database = subprocess.run(["ninja", "-C", str(build), "-t", "compdb"], check=True, capture_output=True, text=True)
    found = {}
    for entry in json.loads(database.stdout):
        path = Path(entry["directory"], entry["file"]).resolve()
        command = COMPILATION.search(entry["command"])
        if path.suffix != ".cpp" or not command or "&&" in entry["command"]:
            continue  # a rule of ours, not of CMake's
        if any(path.is_relative_to(root / folder) for folder in folders):
            found[path] = {"directory": entry["directory"], "file": str(path), "command": command.group(1)}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="the build folder")
    parser.add_argument("folders", nargs="*", default=FOLDERS, help=f"only these; {' '.join(FOLDERS)} when left out")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="the tree")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files looked at at once")
    parser.add_argument("--python-env", default=os.environ.get("MYLOS_PYTHON_ENV"), help="a virtual environment")
    arguments = parser.parse_args()
    tidy = find_tool("clang-tidy", arguments.python_env)
    found = commands(arguments.build, arguments.root.resolve(), arguments.folders)
    if not found:
        print(f"{arguments.build} builds nothing of {' '.join(arguments.folders)}")
        sys.exit(1)

    failed = []
    with tempfile.TemporaryDirectory() as database:
        Path(database, "compile_commands.json").write_text(json.dumps(list(found.values())))

        def look(path):
            return path, subprocess.run([tidy, "--quiet", "-p", database, str(path)], capture_output=True, text=True)

        with ThreadPoolExecutor(arguments.jobs) as pool:
            for path, result in pool.map(look, sorted(found)):
                print(result.stdout, end="", flush=True)
                if result.returncode != 0:
                    failed.append(path)
                    print(result.stderr if not result.stdout else "", end="")
    print(f"{len(failed)} of {len(found)} files with findings" if failed else f"nothing found in {len(found)} files")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
