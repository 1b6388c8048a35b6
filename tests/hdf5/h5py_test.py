#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens with h5py what Mylos wrote: h5py_test.py WRITE_SAMPLE. Exits with 77 when h5py is missing."""

import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

MATRIX = numpy.add.outer(10 * numpy.arange(2), numpy.arange(3))


def expect(holds, what):
    if not holds:
        raise SystemExit(f"not as expected: {what}")


def check(file):
    for layout in ("left", "right", "stride"):
        found = file["layouts"][layout]
        expect(found.shape == (2, 3) and (found[...] == MATRIX).all(), f"layouts/{layout}: {found[...]}")
    for name, found in file["types"].items():
        expect(found.dtype == numpy.dtype(name), f"types/{name} has dtype {found.dtype}")
        expect((found[...] == MATRIX.astype(name)).all(), f"types/{name}: {found[...]}")
    expect(len(file["types"]) == 13, f"{len(file['types'])} types")
    expect(file["scalar"].shape == () and file["scalar"][()] == 1.5, "scalar")
    expect((file["series"][...] == 0.5 * numpy.arange(5)).all(), f"series: {file['series'][...]}")
    expect(file["series"].maxshape == (None,), "series can grow")
    expect(file["series"].attrs["unit"] == "m/s \u00b5", f"unit: {file['series'].attrs['unit']!r}")
    expect(file.attrs["steps"] == 1 << 40, f"steps: {file.attrs['steps']!r}")
    expect((file.attrs["spacing"] == [0.5, 0.25]).all(), f"spacing: {file.attrs['spacing']!r}")
    expect(file.attrs["periodic"] == numpy.bool_(True), f"periodic: {file.attrs['periodic']!r}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sample.h5")
        subprocess.run([sys.argv[1], str(path)], check=True)
        with h5py.File(path, "r") as file:
            check(file)


if __name__ == "__main__":
    main()
