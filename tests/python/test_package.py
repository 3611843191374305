# SPDX-License-Identifier: Apache-2.0
"""The package around the bindings: stubs, help texts, plans, the right interpreter, examples and documents."""

import ast
import contextlib
import inspect
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import swell
from support import LINE, PROGRAM, ROOT, FolderTest
from swell import _core

SECONDS = 300


class Stubs(unittest.TestCase):
    """_core.pyi against the module: pybind11 writes the names of arguments into the first line of a docstring."""

    tree = ast.parse((Path(swell.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))

    @staticmethod
    def arguments_of(function):
        words = re.match(r"\w+\((.*)\) ->", function.__doc__)[1]
        return re.findall(r"(\w+): ", words)

    def check(self, functions, owner):
        said = {f.name: [a.arg for a in f.args.args] for f in functions if isinstance(f, ast.FunctionDef)}
        there = {name for name, value in vars(owner).items() if callable(value) and not inspect.isclass(value)
                 and (not name.startswith("_") or name == "__init__") and name != "pybind11_static_property"}
        self.assertEqual(set(said), there)
        for name, arguments in said.items():
            self.assertEqual(arguments, self.arguments_of(getattr(owner, name)), name)

    def test_name_every_function_and_argument_of_the_module(self):
        self.check(self.tree.body, _core)

    def test_name_every_method_of_a_run(self):
        run = next(node for node in self.tree.body if isinstance(node, ast.ClassDef) and node.name == "Run")
        self.check(run.body, _core.Run)

    def test_name_every_class(self):
        said = {node.name for node in self.tree.body if isinstance(node, ast.ClassDef)}
        self.assertEqual(said, {name for name, value in vars(_core).items() if inspect.isclass(value)})

    def test_come_with_the_mark_of_typed_packages(self):
        self.assertTrue((Path(swell.__file__).parent / "py.typed").exists())


    @unittest.skipUnless(shutil.which("mypy"), "There is no mypy here.")
    def test_agree_with_the_layer_above(self):
        said = subprocess.run(["mypy", "--strict", f"--cache-dir={os.devnull}", "--python-executable", sys.executable, "swell"],
                              cwd=ROOT / "python", capture_output=True, text=True, check=False, timeout=SECONDS)
        self.assertEqual(said.returncode, 0, said.stdout)


class Help(unittest.TestCase):
    def test_is_there_for_everything_public(self):
        for name in swell.__all__:
            value = getattr(swell, name)
            if name == "__version__":
                continue
            self.assertTrue(value.__doc__, name)
            if inspect.isclass(value) and not issubclass(value, Exception):
                for word, member in vars(value).items():
                    if not word.startswith("_") and (callable(member) or isinstance(member, property)):
                        self.assertTrue(member.__doc__, f"{name}.{word}")


class Words(FolderTest):
    def test_plan_is_that_of_the_command(self):
        plan = swell.plan(LINE)
        self.assertEqual((plan["elements"], plan["dofs"], plan["end"]), (8, 48, 2.0))
        run = swell.Simulation(LINE)
        self.assertEqual(plan["dt"], run.dt)
        run.run()
        self.assertEqual(plan["steps"], run.steps)
        self.assertEqual(list(self.root.iterdir()), [])

    def test_plan_tells_of_the_solver_of_heat(self):
        plan = swell.plan({"mesh": LINE["mesh"], "model": {"name": "heat", "order": 2}, "initial": {"T": "x"},
                           "time": {"end": 0.1, "dt": 0.02}, "device": {"backend": "cpu:1"}})
        self.assertEqual((plan["dofs"], plan["steps"]), (25, 5))  # 5 x 5 nodes
        self.assertTrue(plan["solver"]["converged"])
        self.assertGreater(plan["solver"]["iterations"], 0)

    def test_case_with_a_sweep_is_refused_with_the_way_out(self):
        case = swell.Case(LINE)
        case["sweep"] = {"model.order": [1, 2, 3]}
        with self.assertRaisesRegex(swell.InputError, "3 runs.*model.order"):
            swell.Simulation(case)

    def test_info_is_that_of_the_command(self):
        said = json.loads(subprocess.run([PROGRAM, "info", "--json"], capture_output=True, text=True, check=True).stdout)
        self.assertEqual(swell.info(), said)
        self.assertEqual(swell.__version__, said["version"])

    def test_run_leaves_what_the_command_leaves(self):
        summary = swell.run(LINE, self.root / "here")
        for name in ("summary.json", "case.toml", "log.txt", "receivers/middle.csv"):
            self.assertTrue((self.root / "here" / name).exists(), name)
        self.assertLess(summary["errors"]["u"]["l2"], 1e-11)
        with self.assertRaisesRegex(swell.InputError, "in the way"):
            swell.run(LINE, self.root / "here" / "log.txt")


class Interpreter(FolderTest):
    def test_is_debians_where_another_comes_first_on_the_path(self):
        if not Path("/usr/bin/python3").exists():
            self.skipTest("There is no /usr/bin/python3 here.")
        other = self.root / "bin" / "python3"
        other.parent.mkdir()
        other.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        other.chmod(0o755)
        path = f"{other.parent}{os.pathsep}{os.environ['PATH']}"
        said = subprocess.run(["cmake", "-S", ROOT / "tests" / "python" / "find", "-B", self.root / "build"],
                              env=dict(os.environ, PATH=path), capture_output=True, text=True, check=True, timeout=SECONDS)
        self.assertIn("interpreter: /usr/bin/python3; obstacle: ;", said.stdout)

    def test_without_its_parts_is_an_obstacle_with_a_name(self):
        for package, obstacle in (("pybind11", "there is no pybind11 (pybind11-dev)"), ("Python3", "there is no Python 3.8 or later")):
            said = subprocess.run(["cmake", "-S", ROOT / "tests" / "python" / "find", "-B", self.root / package,
                                   f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON"],
                                  capture_output=True, text=True, check=True, timeout=SECONDS)
            self.assertIn(f"obstacle: {obstacle};", said.stdout)


class Documents(FolderTest):
    def test_blocks_of_python_md_run_and_print_what_they_say(self):
        text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```(python|text)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        self.assertGreater(len(blocks), 3)
        there = {}
        printed = io.StringIO()
        before = os.getcwd()
        os.chdir(self.root)
        self.addCleanup(os.chdir, before)
        for kind, block in blocks:
            if kind == "text":
                self.assertEqual(printed.getvalue(), block)
                printed = io.StringIO()
            else:
                self.assertEqual(printed.getvalue(), "", "what a block prints stands behind it")
                with contextlib.redirect_stdout(printed):
                    exec(compile(block, "docs/python.md", "exec"), there)

    def test_example_ends_in_pictures(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("There is no matplotlib here.")
        said = subprocess.run([sys.executable, "-B", ROOT / "examples" / "cavity.py", self.root], capture_output=True, text=True,
                              check=False, timeout=SECONDS, env=dict(os.environ, MPLBACKEND="agg"))
        self.assertEqual(said.returncode, 0, said.stderr)
        for name in ("field.png", "signal.png", "convergence.png"):
            content = (self.root / name).read_bytes()
            self.assertTrue(content.startswith(b"\x89PNG"), name)
            self.assertGreater(len(content), 5000, name)
        orders = [float(word) for word in re.findall(r"observed order (\S+)", said.stdout)]
        self.assertEqual(len(orders), 3)
        for expected, order in zip((3, 4, 5), orders):  # order N elements converge with N + 1
            self.assertGreater(order, expected - 0.5)


if __name__ == "__main__":
    unittest.main()
