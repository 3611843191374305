# SPDX-License-Identifier: Apache-2.0
"""Cases from files, texts and dicts, changed key by key."""

import subprocess
import unittest
from pathlib import Path

import numpy as np
import swell
from support import LINE, LINE_TEXT, PROGRAM, FolderTest


class Case(FolderTest):
    def test_is_the_same_from_a_file_a_text_and_a_dict(self):
        file = self.root / "line.toml"
        file.write_text(LINE_TEXT, encoding="utf-8")
        cases = [swell.Case(file), swell.Case(str(file)), swell.Case(LINE_TEXT), swell.Case(LINE)]
        for case in cases[1:]:
            self.assertEqual(case.as_dict(), cases[0].as_dict())
        fields = []
        for case in cases[1:]:
            run = swell.Simulation(case)
            run.run()
            fields.append(run.field("u"))
        for field in fields[1:]:
            np.testing.assert_array_equal(field, fields[0])

    def test_holds_what_numpy_and_paths_give(self):
        case = swell.Case({"mesh": {"file": Path("a") / "b.msh"}, "n": np.int64(3), "x": np.array([1.5, 2.0]), "on": True,
                           "text": 'quote " slash \\ line\n', "deep": {"list": [{"a": 1}, {"a": 2}]}})
        self.assertEqual(case.as_dict(), {"mesh": {"file": "a/b.msh"}, "n": 3, "x": [1.5, 2.0], "on": True,
                                          "text": 'quote " slash \\ line\n', "deep": {"list": [{"a": 1}, {"a": 2}]}})
        with self.assertRaisesRegex(swell.InputError, "not object"):
            swell.Case({"a": object()})

    def test_is_read_and_set_by_key(self):
        case = swell.Case(LINE)
        self.assertEqual(case["model.order"], 2)
        self.assertEqual(case["receiver[0].at"], [0.4, 0.3])
        case["model.order"] = 3
        case["mesh.box.cells"] = (4, 5)
        case["receiver[0].at"] = np.array([0.1, 0.2])
        case["time.steps"] = 7  # takes the place of time.end
        self.assertEqual([case["model.order"], case["mesh.box.cells"], case["receiver[0].at"]], [3, [4, 5], [0.1, 0.2]])
        self.assertNotIn("time.end", case)
        self.assertIn("time.steps", case)
        run = swell.Simulation(case)
        self.assertEqual(run.nodes.shape, (40, 10, 2))  # two triangles a cell, 4 * 5 / 2 nodes each
        run.run()
        self.assertEqual(run.steps, 7)
        with self.assertRaises(KeyError):
            case["model.name.of"]

    def test_does_not_change_with_its_simulation(self):
        case = swell.Case(LINE)
        run = swell.Simulation(case, precision="single")
        self.assertNotIn("device.precision", case)
        self.assertEqual(run.case["device.precision"], "single")

    def test_that_is_wrong_raises_the_sentence_of_the_command(self):
        for key, value in [("model.ordre", 3), ("model.order", "many"), ("material.ax", "x +"), ("boundary.north", "exact")]:
            file = self.root / "case.toml"
            case = swell.Case(LINE, name="case.toml")
            case[key] = value
            file.write_text(case.text, encoding="utf-8")
            said = subprocess.run([PROGRAM, "run", "case.toml"], cwd=self.root, capture_output=True, text=True, check=False)
            self.assertEqual(said.returncode, 2)
            with self.assertRaises(swell.InputError) as raised:
                swell.Simulation(case)
            self.assertEqual(said.stderr.splitlines()[-1], f"swell: {raised.exception}")

    def test_that_cannot_be_read_is_refused_at_once(self):
        with self.assertRaisesRegex(swell.InputError, "no-such.toml"):
            swell.Case("no-such.toml")
        with self.assertRaisesRegex(swell.InputError, "line 2"):
            swell.Case("[mesh]\nbox = {\n")
        with self.assertRaises(TypeError):
            swell.Case(3)

    def test_errors_are_pythons_kinds(self):
        self.assertTrue(issubclass(swell.InputError, ValueError))
        self.assertTrue(issubclass(swell.RunError, RuntimeError))


if __name__ == "__main__":
    unittest.main()
