# SPDX-License-Identifier: Apache-2.0
"""Every model is plain C: a C compiler takes it as it stands, for each of its dimensions, so that every backend can."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPONENTS = {
    "scalar": {1: [""], 2: [""], 3: [""]},
    "vector": {1: ["x"], 2: ["x", "y"], 3: ["x", "y", "z"]},
    "symmetric": {1: ["xx"], 2: ["xx", "yy", "xy"], 3: ["xx", "yy", "zz", "xy", "yz", "xz"]},
}
# The macros that the dictionaries of the backends provide, in plain C.
DICTIONARY = """#include <math.h>
#define FUNCTION static inline
typedef double scalar;
typedef double real;
static inline real splat(scalar x) { return x; }
static inline int any(int condition) { return condition; }
"""


def head(text, word):
    """The rest of the line of the model's head that begins with the word."""
    found = re.search(rf"^{word}\s+(.*)$", text, re.MULTILINE)
    return found[1] if found else ""


def names(entries, dim):
    """Names of fields ('vector H, scalar Ez') or of material ('vector a = 1, c = 1 positive')."""
    all_names = []
    for entry in filter(None, (part.split("=")[0].split() for part in entries.split(","))):
        kind = entry[0] if len(entry) == 2 else "scalar"
        listed = re.fullmatch(r"(\w+)\[(\w{3})\]", entry[-1])  # rho[uvw]: rhou, rhov, rhow
        # u*0 has its component in the middle: ux0, uy0.
        all_names += ([listed[1] + letter for letter in listed[2][:dim]] if listed else
                      [entry[-1].replace("*", end) if "*" in entry[-1] else entry[-1] + end for end in COMPONENTS[kind][dim]])
    return all_names


def gradients(words, dim):
    """Names of the derivatives of materials ('u*0'): ux0_x, ux0_y, uy0_x, ..."""
    of = [word.replace("*", end) for word in words.split() for end in (COMPONENTS["vector"][dim] if "*" in word else [""])]
    return [f"{name}_{axis}" for name in of for axis in "xyz"[:dim]]


def program(text, dim):
    base = head(text, "extends").strip()
    whole = ((ROOT / "src" / "models" / f"{base}.h").read_text() if base else "") + text
    fields = names(head(whole, "fields"), dim)
    material = [name for line in re.findall(r"^material\s+(.*)$", whole, re.MULTILINE) for name in names(line, dim)]
    material += gradients(head(text, "gradients"), dim)
    # A variable that is a field too has the field's place.
    variables = [f"{name} = {i}" for i, name in enumerate(names(head(whole, "variables"), dim)) if name not in fields]
    variables_enum = f"enum {{ {', '.join(variables)} }};\n" if variables else ""
    return (DICTIONARY + f"#define DIM {dim}\n#define FIELDS {len(fields)}\n#define MATERIALS {len(material)}\n"
            f"enum {{ {', '.join(fields)} }};\n{variables_enum}enum {{ {', '.join(material)} }};\n" + whole + "\nint main(void) { return 0; }\n")


def compile_as_c(text):
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        file.write(text)
        file.flush()
        return subprocess.run(["gcc", "-std=c99", "-Wall", "-Wno-unused-function", "-Werror", "-fsyntax-only", file.name],
                              capture_output=True, text=True, check=False)


class ModelsArePlainC(unittest.TestCase):
    def test_a_c_compiler_takes_every_model_in_each_of_its_dimensions(self):
        models = sorted((ROOT / "src" / "models").glob("*.h")) + sorted((ROOT / "examples").glob("*/*.h"))
        self.assertGreaterEqual(len(models), 7)
        for model in models:
            text = model.read_text()
            for dim in map(int, head(text, "dimensions").split()):
                with self.subTest(model=model.name, dim=dim):
                    result = compile_as_c(program(text, dim))
                    self.assertEqual(result.returncode, 0, result.stderr)

    def test_what_only_cpp_has_is_refused(self):
        text = (ROOT / "src" / "models" / "acoustics.h").read_text()
        self.assertNotEqual(compile_as_c(program(text, 2) + "auto f = [] { return 1; };\n").returncode, 0)


if __name__ == "__main__":
    unittest.main()
