#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws landau.png from the folders that landau --output made: plot.py FOLDER [FOLDER2] [--output landau.png].

Left: the wave's energy over time with the slope of theory and the maxima that were measured; every folder is a curve.
Right: the disturbance of phase space at the end of the first run. Needs numpy, h5py and matplotlib.
"""

import argparse
import pathlib
import sys

try:
    import h5py
    import matplotlib
    import numpy as np

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError as error:
    sys.exit(f"plot.py: {error}: numpy, h5py and matplotlib are needed: pip install numpy h5py matplotlib")


class Run:
    """What landau.h5 holds."""

    def __init__(self, folder):
        path = pathlib.Path(folder) / "landau.h5"
        if not path.is_file():
            sys.exit(f"plot.py: {path} does not exist: run landau --output {folder} first")
        with h5py.File(path, "r") as file:
            self.settings = dict(file.attrs)
            self.history = {name: values[...] for name, values in file["history"].items()}
            self.markers = {name: values[...] for name, values in file["markers"].items()}
            self.maxima = file["maxima"][...] if "maxima" in file else np.zeros((0, 2))

    def __getattr__(self, name):
        try:
            return self.settings[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def energy(self):
        """Of the first mode: volume / 4 |E_1|^2."""
        return 0.25 * self.volume * (self.history["mode_real"] ** 2 + self.history["mode_imaginary"] ** 2)


def deviation(run, name):
    value, theory = getattr(run, name, None), getattr(run, name + "_theory", None)
    if value is None or theory is None:
        return ""
    symbol = {"rate": r"\gamma", "frequency": r"\omega"}[name]
    return rf"${symbol}$ = {value:.4f} ({100 * (value / theory - 1):+.2f} %)"


def draw_energy(axes, runs):
    for number, run in enumerate(runs):
        line = {"color": f"C{number}", "linewidth": 2.5 - 1.2 * number, "linestyle": "-" if number == 0 else "--"}
        axes.semilogy(run.history["time"], run.energy, label=f"{run.backend}, {run.particles:,} particles", **line)
    run = runs[0]
    time = run.history["time"]
    if run.mode == "landau":
        start = 0.25 * run.volume * (run.epsilon * run.amplitude_theory / run.k) ** 2
        axes.semilogy(time, start * np.exp(2 * run.rate_theory * time), "k:", label=rf"theory, $\gamma$ = {run.rate_theory:.4f}")
        axes.semilogy(run.maxima[:, 0], np.exp(run.maxima[:, 1]), "ko", markersize=4, label="maxima measured")
        axes.set_ylim(1e-4 * run.energy[0], 3 * run.energy[0])
    elif run.mode == "two_stream":
        middle = np.argmin(np.abs(np.log(run.energy / np.sqrt(run.energy[0] * run.energy.max()))))
        growth = run.energy[middle] * np.exp(2 * run.rate_theory * (time - time[middle]))
        axes.semilogy(time[: middle + 80], growth[: middle + 80], "k:", label=rf"theory, $\gamma$ = {run.rate_theory:.4f}")
    axes.set_title(", ".join(filter(None, (deviation(run, "rate"), deviation(run, "frequency")))))
    axes.set_xlabel(r"$\omega_p t$")
    axes.set_ylabel("energy of the wave")
    axes.legend(fontsize=8)


def draw_phase_space(figure, axes, run):
    x, v, weight = run.markers["position"][:, 0], run.markers["velocity"][:, 0], run.markers["weight"]
    length = 2 * np.pi / run.k
    extent = max(4.5, 1.1 * np.abs(v).max()) if run.mode == "two_stream" else 4.5
    bins = (64, 160)
    density, _, edges = np.histogram2d(x, v, bins=bins, range=((0, length), (-extent, extent)), weights=weight)
    density *= bins[0] * bins[1] / (2 * extent) / len(x)
    if run.mode == "landau":
        if not run.control_variate:
            middle = 0.5 * (edges[1:] + edges[:-1])
            density -= np.exp(-0.5 * middle**2) / np.sqrt(2 * np.pi)
        largest = 0.8 * np.abs(density).max()
        colours = {"cmap": "RdBu_r", "vmin": -largest, "vmax": largest}
        for sign in (-1, 1):
            axes.axhline(sign * run.frequency_theory / run.k, color="k", linewidth=0.6, linestyle=":")
        axes.set_title(rf"$\delta f$ at $\omega_p t$ = {run.history['time'][-1]:g} (dotted: $v = \pm\omega/k$)")
    else:
        colours = {"cmap": "magma"}
        axes.set_title(rf"$f$ at $\omega_p t$ = {run.history['time'][-1]:g}")
    image = axes.imshow(density.T, origin="lower", extent=(0, length, -extent, extent), aspect="auto", **colours)
    figure.colorbar(image, ax=axes)
    axes.set_xlabel(r"$x / \lambda_D$")
    axes.set_ylabel(r"$v / v_{th}$")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", help="made by landau --output")
    parser.add_argument("--output", help="the picture; default landau.png in the first folder")
    arguments = parser.parse_args()
    runs = [Run(folder) for folder in arguments.folders]
    target = pathlib.Path(arguments.output or pathlib.Path(arguments.folders[0]) / "landau.png")
    figure, axes = plt.subplots(1, 2, figsize=(12, 4.4))
    draw_energy(axes[0], runs)
    draw_phase_space(figure, axes[1], runs[0])
    figure.tight_layout()
    figure.savefig(target, dpi=110)
    print(target)


if __name__ == "__main__":
    main()
