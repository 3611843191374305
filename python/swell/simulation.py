# SPDX-License-Identifier: Apache-2.0
"""A case in motion."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _core
from .case import Case

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Callback = Callable[["Simulation"], Any]


class Simulation:
    """A case that is set up, advanced piece by piece and asked for its fields. Writes nothing to a disk.

    The steps are those of `swell run`, bit by bit. Fields are numpy arrays [element, node]; `nodes` says where they are.
    `device` is "cpu", "cpu:2", "opencl", "cuda" or "auto", `precision` "single" or "double", `model` the text of a model
    of your own; by default they are what the case says.

    Other Python threads run while a simulation steps; those that ask the same simulation wait until the call is done.
    Ctrl-C stops between two steps; what is reached then can be read, and gone on from.
    """

    def __init__(self, case: Union[str, os.PathLike[str], Mapping[str, Any], Case], device: str | None = None,
                 precision: str | None = None, *, model: str | None = None) -> None:
        given = Case(case, model=model or "")._for(device, precision)
        self.case = given
        self._run = _core.Run(given.text, given.name, str(given.folder), given.model)
        self._nodes: NDArray[np.float64] | None = None
        mark = "warning: "
        for line in self._run.said():
            if line.startswith(mark):
                warnings.warn(line[len(mark):], stacklevel=2)

    def advance(self, time: float, callback: Callback | None = None, every: int = 1) -> bool:
        """Steps until `time`. Waves reach it exactly, heat with the first of its steps at or behind it.

        `callback(simulation)` is called after every so many steps. It may read from the simulation, not change it; what
        it raises comes out of here, and where it returns False the run stops there. Returns whether the time was reached.
        """
        return self._run.advance(time, self._bound(callback), every)

    def step(self, count: int = 1, callback: Callback | None = None, every: int = 1) -> bool:
        """The next `count` steps of the way to the end of the case; behind the end, steps of length `dt`."""
        return self._run.step(count, self._bound(callback), every)

    def run(self, callback: Callback | None = None, every: int = 1) -> bool:
        """All steps to the end of the case; `poisson` is solved."""
        return self._run.finish(self._bound(callback), every)

    def _bound(self, callback: Callback | None) -> Callable[[], Any] | None:
        if callback is None:
            return None
        call = callback
        return lambda: call(self)

    def field(self, name: str) -> NDArray[np.float64]:
        """A copy of a field at the time that is reached: [element, node]."""
        return self._run.field(name)

    def set_field(self, name: str, values: ArrayLike) -> None:
        """Sets a field, [element, node]; the others keep their bits. Temperatures must agree at nodes that elements share."""
        import numpy

        array = numpy.asarray(values, dtype=float)
        if array.shape != self.nodes.shape[:2]:
            raise _core.InputError(f"The field {name} has the shape {self.nodes.shape[:2]}, not {array.shape}.")
        self._run.set_field(name, array)

    def value(self, field: str, point: Sequence[float]) -> float:
        """A field at one point."""
        return self._run.value(field, list(point))

    def errors(self) -> dict[str, dict[str, float]]:
        """For each field that [exact] names its l1, l2 and linf error, and total l2, by quadrature."""
        return self._run.errors()

    def energy(self) -> float:
        """The energy of waves; the heat that is stored."""
        return self._run.energy()

    def receiver(self, name: str) -> dict[str, NDArray[np.float64]]:
        """A receiver's signal up to now: "time", then its fields; "surfaces/NAME", "probes/NAME": their tables."""
        if name not in self.receivers:
            raise _core.InputError(f"The case has no receiver '{name}'; it has {', '.join(self.receivers) or 'none'}.")
        return self._run.signal(self.receivers.index(name))

    @property
    def nodes(self) -> NDArray[np.float64]:
        """Where the nodes are: [element, node, dimension]. Made once; not to be written to."""
        if self._nodes is None:
            self._nodes = self._run.nodes()
            self._nodes.flags.writeable = False
        return self._nodes

    @property
    def triangles(self) -> NDArray[np.int64]:
        """In the plane: small triangles that cover each element, as corners [triangle, 3] among all nodes in their order.

        x, y = run.nodes.reshape(-1, 2).T; plt.tripcolor(x, y, run.triangles, run.field("Ez").ravel())
        """
        return self._run.triangles()

    @property
    def order(self) -> int:
        """The order of the elements."""
        return self._run.order()

    @property
    def time(self) -> float:
        """The time that is reached."""
        return self._run.time()

    @property
    def dt(self) -> float:
        """The longest step that is taken; 0 for a problem at rest."""
        return self._run.dt()

    @property
    def end(self) -> float:
        """The end of the case."""
        return self._run.end()

    @property
    def steps(self) -> int:
        """Steps made so far."""
        return self._run.steps()

    @property
    def fields(self) -> list[str]:
        """The names of the fields."""
        return self._run.fields()

    @property
    def receivers(self) -> list[str]:
        """The names of the receivers, then "surfaces/NAME" and "probes/NAME" of the case."""
        return self._run.receivers()

    @property
    def messages(self) -> list[str]:
        """Messages about the case and the run; those of the set-up that warn are Python warnings as well."""
        return self._run.said()

    def __repr__(self) -> str:
        return (f"<swell.Simulation {self._run.model()}, {self._run.elements()} elements in {self._run.dim()} dimensions, "
                f"t = {self.time:.6g}>")
