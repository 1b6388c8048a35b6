#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy (.clang-tidy) over the library's sources with the commands of a build folder.

Sources are src/*/*.cpp, or those of the modules given; headers are seen through them. Exits with 77, and says why, when
clang-tidy or the build folder's compile_commands.json is missing. Takes seconds a file, minutes in all."""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from format import MISSING_TOOL, find_tool


def sources(build, root, modules):
    """The files to look at, with the folder src/<module> as filter."""
    database = build / "compile_commands.json"
    if not database.is_file():
        print(f"{database} was not found: configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        sys.exit(MISSING_TOOL)
    known = {Path(entry["directory"], entry["file"]).resolve() for entry in json.loads(database.read_text())}
    for path in sorted(known):
        if path.is_relative_to(root / "src"):
            module = path.relative_to(root / "src").parts[0]
            if not modules or module in modules:
                yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="the build folder")
    parser.add_argument("modules", nargs="*", help="only these modules; all when left out")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="the tree")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files looked at at once")
    parser.add_argument("--python-env", default=os.environ.get("MYLOS_PYTHON_ENV"), help="a virtual environment")
    arguments = parser.parse_args()
    tidy = find_tool("clang-tidy", arguments.python_env)

    def look(path):
        command = [tidy, "--quiet", "-p", str(arguments.build), str(path)]
        return subprocess.run(command, capture_output=True, text=True)

    failed = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for result in pool.map(look, sources(arguments.build, arguments.root.resolve(), arguments.modules)):
            print(result.stdout, end="")
            failed += result.returncode != 0
    print(f"{failed} file(s) with findings" if failed else "nothing found")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
