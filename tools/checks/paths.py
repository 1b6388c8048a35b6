#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No file names a place of one machine: a home folder, a working or temporary folder."""

import re

from project import PLACES_THAT_ARE_MEANT, files, run, text_of

FOLDERS = ("work", "tmp", "root", "home")
PATTERN = re.compile(r"(?<![\w.$}/~-])/(" + "|".join(FOLDERS) + r")/[\w.$-]+")


def check(root):
    for path in files(root):
        for number, line in enumerate((text_of(root, path) or "").splitlines(), start=1):
            for found in PATTERN.finditer(line):
                if found.group(0) in PLACES_THAT_ARE_MEANT.get(str(path), []):
                    continue
                yield f"{path}:{number}: names {found.group(0)}: only one machine has that"


if __name__ == "__main__":
    run(__doc__, check)
