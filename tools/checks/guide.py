#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""LLM_GUIDE.md mentions every public name, save those that NOT_IN_GUIDE of project.py leaves out."""

import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from project import NOT_IN_GUIDE, run, text_of  # noqa: E402
from public_names import public_names  # noqa: E402

GUIDE = Path("LLM_GUIDE.md")


def check(root):
    if not (root / GUIDE).is_file():
        return
    guide = text_of(root, GUIDE)
    names = public_names(root)
    for module, found in names.items():
        for name in found:
            left_out = any(fnmatchcase(name, pattern) for pattern in NOT_IN_GUIDE)
            if not left_out and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", guide):
                yield f"{GUIDE}:1: does not mention {name} of module {module}"
    for pattern in NOT_IN_GUIDE:
        if not any(fnmatchcase(name, pattern) for found in names.values() for name in found):
            yield f"tools/checks/project.py:1: NOT_IN_GUIDE has {pattern}, which no public header declares"


if __name__ == "__main__":
    run(__doc__, check)
