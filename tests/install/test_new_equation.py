# SPDX-License-Identifier: Apache-2.0
"""An equation that ships is three files: a page, an example and a verification file. A copy of the tree gets them, the program is
linked anew from what was built and the copy's own texts, and it then knows, runs and verifies the equation."""

import json
import os
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["SWELL_BUILD"])
SECONDS = 300

# Two fields that a velocity carries along while they turn into each other.
PAGE = """// SPDX-License-Identifier: Apache-2.0
/* model
name        turning
about       Two fields in a flow, turning into each other: u_t + a . grad u = -w v, v_t + a . grad v = w u.
dimensions  2 3
fields      scalar u, scalar v
material    vector a = 1, w = 1
linear      yes
*/

FUNCTION real along(const real *m, const real *n)
{
  real an = n[0] * m[ax] + n[1] * m[ay];
#if DIM == 3
  an += n[2] * m[az];
#endif
  return an;
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  f[u] = along(m, n) * q[u];
  f[v] = along(m, n) * q[v];
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return fabs(along(m, n));
}

FUNCTION void reaction(const real *q, const real *m, real *out)
{
  out[u] = -m[w] * q[v];
  out[v] = m[w] * q[u];
}
"""

CASE = """title = "Two fields that turn into each other"

[mesh]
box = { low = [0, 0], high = [1, 1], cells = [8, 8], element = "triangle", periodic = [true, true] }

[model]
name  = "turning"
order = 3
flux  = "rusanov"

[material]
ax = 1
ay = 0.5
w  = 2

[initial]
u = "cos(2*pi*x)"
v = "sin(2*pi*x)"

[exact]
u = "cos(2*pi*(x - t) + 2*t)"
v = "sin(2*pi*(x - t) + 2*t)"

[time]
end = 0.25
"""

SUITE = """
[[verify]]
name   = "turning-wave"
shows  = "two fields in a flow that turn into each other"
rate   = "p + 1"
series = [{ element = "triangle", order = 2, cells = [4, 8, 16] }]
"""


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=SECONDS, check=False, **options)


class NewEquation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="swell-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        tree = cls.folder / "tree"
        for part in ("src/models", "src/kernels", "examples", "verify"):
            shutil.copytree(ROOT / part, tree / part)
        (tree / "src/models/turning.h").write_text(PAGE, encoding="utf-8")
        (tree / "examples/turning.toml").write_text(CASE, encoding="utf-8")
        words = {"cells = [8, 8]": 'cells = ["$N", "$N"]', 'element = "triangle"': 'element = "$element"', "order = 3": 'order = "$order"'}
        suite = CASE.split("\n", 1)[1] + SUITE.replace('element = "triangle"', "ELEMENT")
        for number, word in words.items():
            suite = suite.replace(number, word)
        (tree / "verify/turning.toml").write_text(suite.replace("ELEMENT", 'element = "triangle"'), encoding="utf-8")
        cls.program = cls.folder / "swell"
        cls.link(tree)

    @classmethod
    def link(cls, tree):
        """The program with the texts of the copied tree in place of those that were built."""
        models = sorted((tree / "src/models").glob("*.h"))
        kernels = [path for path in sorted((tree / "src/kernels").glob("*/*.h")) if path.parent.name not in ("continuous", "solve")]
        texts = {"kernel_texts": (tree / "src", models + kernels), "verify_texts": (tree / "verify", sorted((tree / "verify").glob("*.toml")))}
        objects = []
        for name, (root, files) in texts.items():
            source = cls.folder / f"{name}.cpp"
            done = run("cmake", f"-DOUTPUT={source}", f"-DNAME={name}", f"-DROOT={root}", "-DFILES=" + ";".join(map(str, files)),
                       "-P", ROOT / "cmake/embed.cmake")
            assert done.returncode == 0, done.stderr
            objects.append(cls.folder / f"{name}.o")
            done = run("c++", "-std=c++20", "-O1", "-fPIC", "-c", source, "-o", objects[-1])
            assert done.returncode == 0, done.stderr
        commands = run("ninja", "-C", BUILD, "-t", "commands", "-s", "app/swell").stdout.splitlines()
        words = shlex.split(next(line for line in reversed(commands) if "-o app/swell" in line).split("&&")[1])
        if words[0].endswith("ccache"):
            words = words[1:]
        words[words.index("-o") + 1] = str(cls.program)
        # Objects come before libraries, so that theirs are taken; what a library defines a second time is left out of a copy of it.
        for library, name in (("model", "kernel_texts"), ("study", "verify_texts")):
            copy = cls.folder / f"libswell_{library}.a"
            shutil.copy(BUILD / f"src/libswell_{library}.a", copy)
            done = run("ar", "d", copy, f"{name}.cpp.o")
            assert done.returncode == 0, done.stderr
            words = [str(copy) if word.endswith(f"libswell_{library}.a") else word for word in words]
        words[words.index("-o"):words.index("-o")] = [str(object) for object in objects]
        done = run(*words, cwd=BUILD)
        assert done.returncode == 0, done.stderr

    def test_is_known_by_its_page(self):
        self.assertIn("turning", json.loads(run(self.program, "info", "--json").stdout)["models"])

    def test_runs_its_example(self):
        out = self.folder / "out"
        done = run(self.program, "run", self.folder / "tree/examples/turning.toml", "--output", out, "--quiet", "--device", "cpu:1")
        self.assertEqual(done.returncode, 0, done.stderr)
        errors = json.loads((out / "summary.json").read_text(encoding="utf-8"))["errors"]
        self.assertLess(errors["total"]["l2"], 1e-2)

    def test_is_verified_by_its_file(self):
        done = run(self.program, "verify", "turning", "--device", "cpu:1", "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = json.loads(done.stdout)["rows"]
        self.assertEqual(len(rows), 3)
        self.assertTrue(all(row["passed"] for row in rows), rows)


if __name__ == "__main__":
    unittest.main()
