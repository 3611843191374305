# SPDX-License-Identifier: Apache-2.0
"""Cases: read from a file or a text, or built from a dict, and changed key by key."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _core


def _as_toml(value: Any) -> str:
    """One value as TOML; numbers and arrays of numpy are taken for those of Python."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_as_toml(str(key))} = {_as_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_as_toml(item) for item in value) + "]"
    raise _core.InputError(f"A case holds numbers, texts, truths, lists and tables, not {type(value).__name__}.")


class Case:
    """A case: mesh, equation, materials, boundaries, initial state, time.

    Case("cavity.toml")             from a file, beside which its mesh and model files are looked up
    Case("[mesh]\\n...")             from a text (it has more than one line)
    Case({"mesh": {...}, ...})      from a dict, nested as the tables of a case file are
    Case(other)                     a copy

    `folder` is where file names in a text or a dict are looked up, by default the current folder; `name` stands for the
    case in messages. `model` is the text of a model of your own, in place of model.name: it is code, and is compiled
    and run.

    case["model.order"] reads a key, case["model.order"] = 7 sets it: the value is a number, a text, a list or a dict, and
    takes the place of its alternatives (time.steps that of time.end). Keys are checked when a run is made.
    """

    text: str
    name: str
    folder: Path
    model: str

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any] | Case, *, folder: str | os.PathLike[str] = ".",
                 name: str = "the case", model: str = "") -> None:
        self.folder, self.name, self.model = Path(os.fspath(folder)), name, model
        if isinstance(source, Case):
            self.text, self.name, self.folder = source.text, source.name, source.folder
            self.model = model or source.model
        elif isinstance(source, Mapping):
            self.text = "".join(f"{_as_toml(str(key))} = {_as_toml(value)}\n" for key, value in source.items())
        elif isinstance(source, str) and "\n" in source:
            self.text = source
        elif isinstance(source, (str, os.PathLike)):
            path = Path(os.fspath(source))
            self.text, self.name, self.folder = _core.read_file(str(path)), str(path), path.parent
        else:
            raise TypeError(f"A case is made from a file, a text, a dict or a case, not from {type(source).__name__}.")
        self.as_dict()

    def as_dict(self) -> dict[str, Any]:
        """All that was given, as a nested dict."""
        result: dict[str, Any] = json.loads(_core.keys(self.text, self.name))
        return result

    def __getitem__(self, key: str) -> Any:
        here: Any = self.as_dict()
        for part in key.split("."):
            word, _, number = part.partition("[")
            try:
                here = here[word]
                if number:
                    here = here[int(number.rstrip("]"))]
            except (KeyError, IndexError, TypeError, ValueError):
                raise KeyError(key) from None
        return here

    def __setitem__(self, key: str, value: Any) -> None:
        self.text = _core.with_override(self.text, self.name, f"{key}={_as_toml(value)}")

    def __contains__(self, key: str) -> bool:
        try:
            self[key]
        except KeyError:
            return False
        return True

    def __repr__(self) -> str:
        return f"<swell.Case {self.name}>"

    def __str__(self) -> str:
        return self.text

    def _for(self, device: str | None, precision: str | None) -> Case:
        """A copy for a device and a precision, where they are given."""
        result = Case(self)
        if device is not None:
            result["device.backend"] = device
        if precision is not None:
            result["device.precision"] = precision
        return result
