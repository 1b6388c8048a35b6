#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every source file begins with its licence: `SPDX-License-Identifier: MIT`, after a `#!` line if there is one."""

from project import CPP_SUFFIXES, files, run, text_of

HASH_SUFFIXES = {".py", ".sh", ".cmake", ".yml", ".yaml", ".toml", ".cfg", ".gp"}
HASH_NAMES = {"CMakeLists.txt", ".clang-format", ".clang-tidy", ".gersemirc"}


# Templates of files that become part of a user's project, under its licence.
USERS_FILES = ("cmake/kernels", "tools/command/skeleton/")


def comment_mark(path, text):
    """How a comment begins in this file; None where no licence line is asked for."""
    name = path.name.removesuffix(".in")
    suffix = "." + name.rsplit(".", 1)[-1] if "." in name else ""
    if suffix in CPP_SUFFIXES:
        return "//"
    return "#" if suffix in HASH_SUFFIXES or name in HASH_NAMES or text.startswith("#!") else None


def check(root):
    for path in files(root):
        text = text_of(root, path)
        mark = comment_mark(path, text) if text and not str(path).startswith(USERS_FILES) else None
        if mark is None:
            continue
        lines = text.split("\n", 2)
        first = lines[1] if lines[0].startswith("#!") else lines[0]
        if first != f"{mark} SPDX-License-Identifier: MIT":
            yield f"{path}:1: does not begin with '{mark} SPDX-License-Identifier: MIT'"


if __name__ == "__main__":
    run(__doc__, check)
