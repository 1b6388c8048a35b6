#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every public header has its test, tests/<module>/<header>_test.cpp, and every test file is built."""

import re
from pathlib import Path

from project import files, public_headers, run, text_of


def check(root):
    for module, headers in public_headers(root).items():
        for header in headers:
            test = Path("tests", module, header.replace(".hpp", "_test.cpp"))
            if not (root / test).is_file():
                yield f"include/mylos/{module}/{header}:1: has no test: write {test}"
    for path in files(root):
        if path.parts[0] == "tests" and path.name.endswith("_test.cpp"):
            lists = path.parent / "CMakeLists.txt"
            registered = text_of(root, lists) if (root / lists).is_file() else ""
            if not re.search(rf"(?<![\w/]){re.escape(path.name)}\b", re.sub(r"#[^\n]*", "", registered)):
                yield f"{path}:1: is built by nobody: name it in {lists}"


if __name__ == "__main__":
    run(__doc__, check)
