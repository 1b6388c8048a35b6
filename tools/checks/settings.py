#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every environment variable that the library reads stands in docs/settings.md, and every one there is read."""

import re
from pathlib import Path

from project import CPP_SUFFIXES, files, run, text_of

PAGE = Path("docs/settings.md")
LIBRARIES = ("include/", "src/", "tools/connector/")  # what is installed and loaded into programs
READ = re.compile(r'"(MYLOS_[A-Z0-9_]+)"')
DOCUMENTED = re.compile(r"^\| `(MYLOS_[A-Z0-9_]+)`", re.MULTILINE)


def variables_read(root):
    """{variable: the first file that names it in a string}."""
    found = {}
    for path in files(root):
        if path.as_posix().startswith(LIBRARIES) and path.suffix in CPP_SUFFIXES:
            for name in READ.findall(text_of(root, path) or ""):
                found.setdefault(name, path)
    return found


def check(root):
    documented = set(DOCUMENTED.findall(text_of(root, PAGE))) if (root / PAGE).is_file() else set()
    read = variables_read(root)
    for name in sorted(read.keys() - documented):
        yield f"{read[name]}: {name} has no row in {PAGE}"
    for name in sorted(documented - read.keys()):
        yield f"{PAGE}: nothing reads {name}"


if __name__ == "__main__":
    run(__doc__, check)
