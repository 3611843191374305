# SPDX-License-Identifier: Apache-2.0
"""Swell solves time-dependent partial differential equations with high-order finite elements.

    import swell
    case = swell.Case("cavity.toml")
    case["model.order"] = 7
    run = swell.Simulation(case, device="cpu")
    run.advance(1.0)
    print(run.time, run.field("Ez").max(), run.errors())

docs/python.md goes through it; help(swell.Case) and help(swell.Simulation) have every word.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from . import _core
from ._core import InputError, RunError, __version__
from .case import Case
from .simulation import Simulation

__all__ = ["Case", "InputError", "RunError", "Simulation", "__version__", "info", "plan", "run"]


def plan(case: Any, *, device: str | None = None, precision: str | None = None) -> dict[str, Any]:
    """Predicted cost of a run of the case: elements, unknowns, memory in bytes, time step, steps, seconds.

    Heat and poisson also tell of their "solver", whose first solve is tried for that; nothing else is run.
    """
    given = Case(case)._for(device, precision)
    return _core.plan(given.text, given.name, str(given.folder), given.model)


def run(case: Any, output: str | os.PathLike[str] | None = None, *, device: str | None = None,
        precision: str | None = None, quiet: bool = True) -> dict[str, Any]:
    """All that `swell run` does, files and all; returns what its summary.json holds.

    `output` is the folder for results, by default the one that the case names. Ctrl-C ends the run as it ends the
    command, with its files whole, and raises KeyboardInterrupt.
    """
    given = Case(case)._for(device, precision)
    words = given.text, given.name, str(given.folder), given.model
    folder = Path(os.fspath(output)) if output is not None else Path(_core.output_folder(*words))
    if _core.run(*words, str(folder), quiet) != 0:
        raise KeyboardInterrupt
    result: dict[str, Any] = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return result


def info() -> dict[str, Any]:
    """Version, models, schemes, elements, devices and cache folders: `swell info --json`."""
    result: dict[str, Any] = json.loads(_core.info())
    return result
