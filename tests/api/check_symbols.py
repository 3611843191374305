# SPDX-License-Identifier: Apache-2.0
"""The shared library shows what the header declares, no less and no more; the Fortran module declares the same."""

import re
import subprocess
import sys
from pathlib import Path

library, include = sys.argv[1], Path(sys.argv[2])
header = re.sub(r"/\*.*?\*/", "", (include / "swell.h").read_text(encoding="utf-8"), flags=re.DOTALL)
declared = set(re.findall(r"\b(swell_\w+)\(", header))
module = (include / "swell.f90").read_text(encoding="utf-8")
in_fortran = set(re.findall(r"(?:function|subroutine) (swell_\w+)\(", module)) - {"swell_callback"}
listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
shown = {line.split()[-1].split("@")[0] for line in listed.splitlines()} - {"SWELL_1"}

faults = [f"{name} is declared in swell.h, but the library does not show it" for name in sorted(declared - shown)]
faults += [f"{name} is shown by the library, but swell.h does not declare it" for name in sorted(shown - declared)]
faults += [f"{name} is not in both swell.h and swell.f90" for name in sorted(declared ^ in_fortran)]
values = dict(re.findall(r"#define (SWELL_\w+) (\d+)", header))
for name, value in re.findall(r"\b(swell_\w+) = (\d+)", module):
    if values.get(name.upper()) != value:
        faults.append(f"{name} is {value} in swell.f90, but {values.get(name.upper())} in swell.h")
if not declared or not values:
    faults.append("nothing was found in swell.h")
sys.exit("\n".join(faults) or 0)
