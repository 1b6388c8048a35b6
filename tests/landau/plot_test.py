# SPDX-License-Identifier: MIT
"""The lines that plot.py draws from runs of the program: plot_test.py LANDAU PLOT. Exits with 77 where a package is
missing."""

import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import h5py  # noqa: F401
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def expect(holds, what):
    if not holds:
        raise SystemExit(f"not as expected: {what}")


def lines_of(plot, program, folder, *options):
    """The run with these options, and the lines of its left picture by their labels."""
    subprocess.run([program, "--backend", "host", "--quiet", "--output", folder, *options], check=True)
    run = plot.Run(folder)
    _, axes = plot.plt.subplots()
    plot.draw_energy(axes, [run])
    legend = {text.get_text() for text in axes.get_legend().get_texts()}
    lines = {line.get_label(): line.get_data() for line in axes.get_lines()}
    expect(set(lines) == legend, f"lines {sorted(lines)}, legend {sorted(legend)}")
    expect(axes.get_yscale() == "log", f"the axis of energies is {axes.get_yscale()}")
    expect(r"\gamma" in axes.get_title() and "%" in axes.get_title(), f"the title is '{axes.get_title()}'")
    return run, lines


def expect_theory(lines, rate):
    """A straight line in the logarithm, of twice the wave's rate, that says so."""
    label = rf"theory, $\gamma$ = {rate:.4f}"
    expect(label in lines, f"'{label}' is not among {sorted(lines)}")
    time, energy = lines[label]
    slope, start = np.polyfit(time, np.log(energy), 1)
    expect(abs(slope / (2 * rate) - 1) < 1e-3, f"the slope of theory is {slope}, not 2 * {rate}")
    return slope, start


def check_landau(plot, program, folder):
    run, lines = lines_of(plot, program, folder)
    slope, start = expect_theory(lines, -0.1533595)  # Landau's root for k = 0.5
    time, energy = lines["host, 100,000 particles"]
    expect(len(time) == 151 and np.array_equal(energy, run.energy), "the curve is not the energy of the run")
    time, energy = lines["maxima measured"]
    expect(len(time) == 5, f"{len(time)} maxima, not 5")
    distance = np.abs(np.log(energy) - (start + slope * time)).max()
    expect(distance < 0.05, f"a maximum is {distance} off theory's line")


def check_two_stream(plot, program, folder):
    run, lines = lines_of(plot, program, folder, "--mode", "two_stream")
    slope, start = expect_theory(lines, 0.3535534)  # 1 / sqrt(8)
    growing = (run.history["time"] > 18) & (run.history["time"] < 27)
    distance = np.abs(np.log(run.energy) - (start + slope * run.history["time"]))[growing].max()
    expect(distance < 0.1, f"the wave is {distance} off theory's line where it grows")


if __name__ == "__main__":
    program, plot_file = (Path(argument).resolve() for argument in sys.argv[1:])
    sys.path.insert(0, str(plot_file.parent))
    import plot

    expect(Path(plot.__file__) == plot_file, f"{plot.__file__} was imported")
    for check in (check_landau, check_two_stream):
        with tempfile.TemporaryDirectory() as folder:
            check(plot, program, folder)
