# SPDX-License-Identifier: Apache-2.0
"""Every example runs, keeps what its head expects, and leaves what the documentation promises."""

import csv
import re
import shutil
import unittest
import xml.etree.ElementTree as xml

from support import EXAMPLES, CommandTest

# `# expect: KEY < NUMBER`, or `# expect: KEY about NUMBER within PART`; a key is a path in summary.json.
EXPECTATION = re.compile(r"^# expect: (\S+) (?:< (\S+)|about (\S+) within (\S+))$")
MARK = "# expect"

KEYS = {"title", "model", "order", "elements", "dofs", "steps", "dt", "time", "device", "precision", "ranks", "errors",
        "energy", "seconds", "throughput", "kernels", "status"}
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def value_at(summary, path):
    for key in path.split("."):
        summary = summary[key]
    return summary


class Examples(CommandTest):
    def run_example(self, name):
        """Runs examples/NAME as a user does who has copied its folder; returns its text, its summary and its output folder."""
        source = EXAMPLES / name
        for file in source.parent.iterdir():
            if file.is_file():
                shutil.copy(file, self.root)
        self.assert_done(self.swell("run", source.name, "--output", "out", "--quiet"))
        return source.read_text(encoding="utf-8"), self.summary(), self.root / "out"

    def check_example(self, name):
        text, summary, out = self.run_example(name)
        self.check_expectations(text, summary)
        self.check_summary(summary)
        self.assertTrue((out / "log.txt").read_text(encoding="utf-8").strip())
        self.assertEqual((out / "case.toml").read_text(encoding="utf-8"), text)
        self.check_receivers(text, summary, out)
        self.check_fields(text, summary, out)
        self.check_pictures(text, out)
        return out

    def check_expectations(self, text, summary):
        lines = [line for line in text.splitlines() if line.startswith(MARK)]
        self.assertTrue(lines, "an example says what it expects")
        for line in lines:
            match = EXPECTATION.match(line)
            self.assertIsNotNone(match, line)
            value = value_at(summary, match[1])
            if match[2]:
                self.assertLess(value, float(match[2]), line)
            else:
                self.assertAlmostEqual(value / float(match[3]), 1, delta=float(match[4]), msg=line)

    def check_summary(self, summary):
        self.assertLessEqual(KEYS, summary.keys())
        self.assertEqual(summary["status"], "done")
        self.assertLessEqual({"initial", "final"}, summary["energy"].keys())
        self.assertLessEqual({"setup", "compile", "solve"}, summary["seconds"].keys())
        self.assertGreater(summary["throughput"]["dof_per_second"], 0)
        # The steps of a flow follow its state; `dt` is the last one.
        changing = summary["model"] in ("euler", "navier-stokes")
        self.assertGreater(summary["steps"] * summary["dt"], (0.25 if changing else 0.99) * summary["time"])
        for field, norms in summary["errors"].items():
            self.assertLessEqual({"l2"} if field == "total" else {"l1", "l2", "linf"}, norms.keys())

    def check_receivers(self, text, summary, out):
        names = re.findall(r'^\[\[receiver\]\]\nname\s*= "([^"]+)"', text, re.MULTILINE)
        self.assertEqual(len(names), text.count("[[receiver]]"))
        for name in names:
            with open(out / "receivers" / f"{name}.csv", encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
            self.assertEqual(rows[0][0], "time")
            self.assertGreater(len(rows[0]), 1)
            times = [float(row[0]) for row in rows[1:]]
            self.assertEqual(times, sorted(set(times)))
            self.assertEqual(times[0], 0)
            self.assertLess(abs(times[-1] - summary["time"]), summary["time"] / 100)
            self.assertTrue(all(len(row) == len(rows[0]) for row in rows))
            self.assertTrue(any(float(value) != 0 for row in rows[1:] for value in row[1:]))

    def check_fields(self, text, summary, out):
        if not re.search(r"^fields\s*= {", text, re.MULTILINE):
            self.assertFalse((out / "fields.pvd").exists())
            return
        pieces = xml.parse(out / "fields.pvd").getroot().findall("./Collection/DataSet")
        times = [float(piece.get("timestep")) for piece in pieces]
        self.assertEqual(times, sorted(times))
        self.assertEqual((times[0], times[-1]), (0, summary["time"]))
        for piece in pieces:
            head = (out / piece.get("file")).read_bytes()[:4000].decode("latin-1")
            self.assertIn('type="UnstructuredGrid"', head)
            self.assertIn(f'NumberOfCells="{summary["elements"]}"', head)

    def check_pictures(self, text, out):
        if "picture" not in text:
            return
        pictures = list(out.glob("*.png"))
        self.assertTrue(pictures)
        for picture in pictures:
            content = picture.read_bytes()
            self.assertTrue(content.startswith(PNG_SIGNATURE) and b"IEND" in content[-12:], picture)

    def test_far_field_of_the_cylinder_is_its_series(self):
        out = self.check_example("farfield.toml")
        with open(out / "farfield.csv", encoding="utf-8", newline="") as file:
            rows = {float(row["phi"]): float(row["dB"]) for row in csv.DictReader(file)}
        self.assertEqual(sorted(rows), list(range(360)))
        for phi, width in {0: 2.76892947, 60: -0.05231851, 180: -2.11294132, 300: -0.05231851}.items():
            self.assertAlmostEqual(rows[phi], width, delta=0.1)

    def test_all_examples_are_tested(self):
        there = {str(path.relative_to(EXAMPLES)) for path in EXAMPLES.rglob("*.toml")}
        self.assertEqual(there, set(NAMES))

    def test_meshes_of_examples_are_what_their_scripts_write(self):
        for name in ("cylinder", "street", "airfoil"):
            shutil.copytree(EXAMPLES / name, self.root / name)
            mesh = self.root / name / f"{name}.msh"
            shipped = mesh.read_text(encoding="utf-8")
            mesh.unlink()
            script = self.root / name / "make_mesh.py"
            exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), {"__name__": "__main__", "__file__": str(script)})
            self.assertEqual(mesh.read_text(encoding="utf-8"), shipped, name)

    def test_the_street_behind_the_cylinder_has_its_strouhal_number(self):
        out = self.check_example("street/street.toml")
        with open(out / "receivers" / "wake.csv", encoding="utf-8", newline="") as file:
            rows = [[float(value) for value in row] for row in list(csv.reader(file))[1:]]
        late = [(row[0], row[3]) for row in rows if row[0] > 15]
        middle = sum(v for _, v in late) / len(late)
        turns = [t for (t, v), (_, before) in zip(late[1:], late) if (v - middle) * (before - middle) < 0]
        self.assertGreaterEqual(len(turns), 4)
        self.assertAlmostEqual(1 / (turns[-1] - turns[-3]), 0.1643, delta=0.008)

    def test_seismograms_of_the_earthquake_arrive_with_the_speed_of_p_waves(self):
        out = self.check_example("earthquake.toml")

        def first_arrival(name):
            with open(out / "receivers" / f"{name}.csv", encoding="utf-8", newline="") as file:
                rows = [[float(value) for value in row] for row in list(csv.reader(file))[1:]]
            loudest = max(abs(row[2]) for row in rows)
            return next(row[0] for row in rows if abs(row[2]) > loudest / 100)

        # 1.56 and 4.18 km from the source, both through the same soft layer; c_p = 4.9 km/s below it.
        self.assertAlmostEqual(first_arrival("far") - first_arrival("near"), (4.18 - 1.56) / 4.9, delta=0.1)


NAMES = ["demo.toml", "tube.toml", "cavity.toml", "disc.toml", "scattering.toml", "farfield.toml", "waveguide.toml", "lossy.toml", "room.toml",
         "earthquake.toml", "swirl.toml", "levelset.toml", "heat.toml", "box3d.toml", "cube.toml", "duct.toml", "own-model/kelvin.toml",
         "own-model/basin.toml", "cylinder/cylinder.toml", "vortex.toml", "shock-tube.toml", "lid.toml", "double-mach.toml", "taylor-green.toml", "street/street.toml",
         "airfoil/airfoil.toml"]


def add_test(name):
    def test(self):
        self.check_example(name)

    word = re.sub(r"\W", "_", name.removesuffix(".toml"))
    setattr(Examples, f"test_{word}_keeps_what_its_head_says", test)


for each in NAMES:
    if each not in ("earthquake.toml", "farfield.toml", "street/street.toml"):  # these have tests of their own
        add_test(each)

if __name__ == "__main__":
    unittest.main()
