# SPDX-License-Identifier: Apache-2.0
"""The mode (1,1) of a square cavity from Python: a field, a signal and a convergence table as pictures.

Reads cell by cell like a notebook (editors take `# %%` for the beginning of one). `python3 examples/cavity.py [FOLDER]`
leaves field.png, signal.png and convergence.png there; takes 10 s on two cores.
"""

# %% What is needed: the module, numpy, matplotlib.
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import swell

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out/cavity-python")
folder.mkdir(parents=True, exist_ok=True)

# %% A case is a dict that reads like a case file. The exact answer is known, so errors can be measured.
case = swell.Case({
    "title": "Mode (1,1) in a square cavity",
    "mesh": {"box": {"low": [0, 0], "high": [1, 1], "cells": [8, 8], "element": "triangle"}},
    "model": {"name": "maxwell-tm", "order": 4},
    "initial": {"Ez": "sin(pi*x)*sin(pi*y)"},
    "exact": {"Ez": "cos(sqrt(2)*pi*t)*sin(pi*x)*sin(pi*y)"},
    "receiver": [{"name": "probe", "at": [0.3, 0.4]}],
    "time": {"end": 2.0},
})
print("this will take", swell.plan(case)["steps"], "steps")

# %% Advance to a time, look at the field: small triangles between the nodes of each element make the picture.
run = swell.Simulation(case)
run.advance(0.25)


def picture(values, title, file):
    x, y = run.nodes.reshape(-1, 2).T
    figure, axes = plt.subplots(figsize=(5, 4.2), constrained_layout=True)
    shown = axes.tricontourf(x, y, run.triangles, values.ravel(), levels=24, cmap="RdBu_r")
    figure.colorbar(shown)
    axes.set(title=title, xlabel="x", ylabel="y", aspect="equal")
    figure.savefig(file, dpi=120)


picture(run.field("Hx"), f"Hx at t = {run.time:g}", folder / "field.png")

# %% Go on to the end, watch the energy every 20 steps, and plot the receiver against the exact signal.
energies = [run.energy()]
run.run(callback=lambda it: energies.append(it.energy()), every=20)
print(f"energy went from {energies[0]:.9f} to {energies[-1]:.9f}")
signal = run.receiver("probe")
exact = np.cos(np.sqrt(2) * np.pi * signal["time"]) * np.sin(0.3 * np.pi) * np.sin(0.4 * np.pi)
figure, axes = plt.subplots(figsize=(6, 3), constrained_layout=True)
axes.plot(signal["time"], signal["Ez"], label="computed")
axes.plot(signal["time"], exact, "k:", label="exact")
axes.set(xlabel="t", ylabel="Ez at the probe")
axes.legend()
figure.savefig(folder / "signal.png", dpi=120)

# %% Errors on finer and finer meshes: elements of order N should converge with N + 1.
figure, axes = plt.subplots(figsize=(5, 4), constrained_layout=True)
sides = np.array([4, 8])
for order in (2, 3, 4):
    errors = []
    for side in sides:
        case["model.order"] = order
        case["mesh.box.cells"] = [side, side]
        case["time.end"] = 0.5
        finer = swell.Simulation(case)
        finer.run()
        errors.append(finer.errors()["Ez"]["l2"])
    print(f"order {order}: observed order {np.log2(errors[0] / errors[1]):.2f}")
    axes.loglog(sides, errors, "o-", label=f"order {order}")
axes.set_xticks(sides, sides, minor=False)
axes.set_xticks([], minor=True)
axes.set(xlabel="cells along a side", ylabel="L2 error of Ez at t = 0.5")
axes.legend()
figure.savefig(folder / "convergence.png", dpi=120)
print("pictures in", folder)
