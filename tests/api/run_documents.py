# SPDX-License-Identifier: Apache-2.0
"""Builds and runs the programs of docs/library.md; each must print the block that follows it.

run_documents.py ROOT LIBRARY_FOLDER C_COMPILER [FORTRAN_COMPILER]
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

root, library, c_compiler, fortran_compiler = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
if fortran_compiler.endswith("NOTFOUND"):  # as CMake says of what is not there
    fortran_compiler = ""
BLOCKS = re.compile(r"^```(c|fortran)\n(.*?)^```\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SECONDS = 300


def words(language, source, program):
    end = ["-o", program, f"-L{library}", "-lswell", f"-Wl,-rpath,{library}"]
    if language == "c":
        return [c_compiler, "-Wall", "-Wextra", "-Werror", f"-I{root / 'include'}", source, *end]
    return [fortran_compiler, "-Wall", root / "include" / "swell.f90", source, *end]


def main():
    found = BLOCKS.findall((root / "docs" / "library.md").read_text(encoding="utf-8"))
    if {language for language, _, _ in found} != {"c", "fortran"}:
        sys.exit("docs/library.md should have a program in C and one in Fortran, each with what it prints.")
    skipped = False
    for language, text, expected in found:
        if language == "fortran" and not fortran_compiler:
            skipped = True
            continue
        with tempfile.TemporaryDirectory(prefix="swell-test-") as folder:
            source = Path(folder) / ("program.c" if language == "c" else "program.f90")
            source.write_text(text, encoding="utf-8")
            subprocess.run(words(language, source, Path(folder) / "program"), cwd=folder, check=True, timeout=SECONDS)
            environment = dict(os.environ, SWELL_CACHE=os.environ.get("SWELL_CACHE", folder))
            run = subprocess.run([Path(folder) / "program"], cwd=folder, capture_output=True, text=True, check=False,
                                 timeout=SECONDS, env=environment)
            if run.returncode != 0 or run.stderr or run.stdout.strip() != expected.strip():
                sys.exit(f"The {language} program of docs/library.md ended with {run.returncode} and printed\n{run.stdout}{run.stderr}")
    if skipped:
        print("Skipped: there is no Fortran compiler; the C program holds.")


main()
