# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the measurements: the program, its runs in throw-away folders, and the heads of result files."""

import datetime
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("SWELL_BUILD", ROOT / "build" / "release"))
PROGRAM = BUILD / "app" / "swell"
CASES = ROOT / "bench" / "cases"


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")


def commit():
    """The commit of the tree that is measured; SWELL_COMMIT names it where there is no repository."""
    if given := os.environ.get("SWELL_COMMIT"):
        return given
    return output("git", "-C", ROOT, "describe", "--always", "--dirty").strip()


def output(*words, **environment):
    """Standard output of a command; its last words where it fails."""
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False,
                            env={**os.environ, **environment})
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: exit {result.returncode}: {result.stderr[-800:]}")
    return result.stdout


def devices():
    """The usable devices as `swell info` describes them, by name."""
    return {device["name"]: device for device in json.loads(output(PROGRAM, "info", "--json"))["devices"]
            if device["usable"]}


def run_case(name, device, precision="double", **settings):
    """The summary of a run of bench/cases/NAME.toml; `settings` are keys of the case with __ for the dot."""
    with tempfile.TemporaryDirectory() as folder:
        words = [PROGRAM, "run", CASES / f"{name}.toml", "--quiet", "--device", device, "--precision", precision,
                 "--output", folder]
        for key, value in settings.items():
            words += ["-D", f"{key.replace('__', '.')}={value}"]
        output(*words)
        with open(pathlib.Path(folder) / "summary.json", encoding="utf-8") as file:
            return json.load(file)


def write(path, result):
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
