#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""<mylos/MODULE.hpp> includes every public header of its module, <mylos/mylos.hpp> every module of layers 0 to 10."""

import re
from pathlib import Path

from project import LAYERS, LIBRARY_TOP, public_headers, run, text_of


def compare(root, umbrella, wanted):
    path = Path("include", "mylos", umbrella)
    if not (root / path).is_file():
        yield f"{path}:1: is missing: it has to include {', '.join(sorted(wanted))}"
        return
    found = set(re.findall(r"^#include <(mylos/[^>]+)>", text_of(root, path), flags=re.M))
    for name in sorted(wanted - found):
        yield f"{path}:1: does not include <{name}>"
    for name in sorted(found - wanted):
        yield f"{path}:1: includes <{name}>, which is not a public header of its own"


def check(root):
    headers = public_headers(root)
    for module, names in headers.items():
        yield from compare(root, f"{module}.hpp", {f"mylos/{module}/{name}" for name in names})
    library = {f"mylos/{module}.hpp" for module in headers if LAYERS.get(module, 99) <= LIBRARY_TOP}
    yield from compare(root, "mylos.hpp", library)


if __name__ == "__main__":
    run(__doc__, check)
