#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what the main job measured, one line for each report; fails where an error is out of its bound."""

import json
import sys

BOUNDS = {"damping_rate": 0.02, "frequency": 0.01}


def line(report):
    parts = [f"{report['backend']:>9}:"]
    for name, bound in BOUNDS.items():
        error = report[f"{name}_error"]
        verdict = "" if abs(error) < bound else f", NOT below {100 * bound:g} %"
        parts.append(
            f"{name.replace('_', ' ')} {report[name]:.4f}"
            f" (theory {report[f'{name}_theory']:.4f}, error {100 * abs(error):.2f} %{verdict})"
        )
    parts.append(f"{report['particles']} particles, {report['steps']} steps in {report['seconds']:.1f} s")
    return "  ".join(parts)


def within_bounds(report):
    return all(abs(report[f"{name}_error"]) < bound for name, bound in BOUNDS.items())


def main(paths):
    reports = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            reports.append(json.load(file))
    for report in reports:
        print(line(report))
    return 0 if all(map(within_bounds, reports)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
