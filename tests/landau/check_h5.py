# SPDX-License-Identifier: MIT
"""Opens landau.h5 of a folder with h5py and looks at what a reader relies on. Run by program_test.cpp."""

import pathlib
import sys

import h5py
import numpy as np

folder = pathlib.Path(sys.argv[1])
with h5py.File(folder / "landau.h5", "r") as file:
    steps, dimension = int(file.attrs["steps"]), int(file.attrs["dimension"])
    history = np.loadtxt(folder / "history.csv", delimiter=",", skiprows=1)
    assert np.array_equal(file["history/field_energy"][...], history[:, 2])
    assert np.array_equal(file["history/mode_imaginary"][...], history[:, 6])
    assert file["history/time"].shape == (steps,)
    field = file["fields/E"][...]
    assert field.shape[0] == file["fields/time"].shape[0] == steps
    assert field.ndim == (2 if dimension == 1 else 5)
    # The first Fourier coefficient of the stored field is the one of the history, but for rounding of sums over markers.
    along_x = field if dimension == 1 else field[..., 0].mean(axis=(2, 3))
    nx = along_x.shape[1]
    mode = 2.0 * (along_x * np.exp(-2j * np.pi * np.arange(nx) / nx)).mean(axis=1)
    expected = file["history/mode_real"][...] + 1j * file["history/mode_imaginary"][...]
    assert np.abs(mode - expected).max() <= 1e-14
    charge = file["fields/charge_density"][...]
    assert charge.shape == field.shape[: dimension + 1]
    assert np.abs(charge.reshape(steps, -1).mean(axis=1)).max() < 1e-12
    x, v, weight = (file["markers"][name][...] for name in ("position", "velocity", "weight"))
    assert x.shape == v.shape == (len(weight), dimension) and len(weight) > 0
    assert x.min() >= 0.0 and x[:, 0].max() < 2 * np.pi / file.attrs["k"] * (1 + 1e-12)
    assert all(np.isfinite(a).all() for a in (x, v, weight, field))
