# SPDX-License-Identifier: Apache-2.0
"""Messages and promises of the commands when the input is right."""

import json
import re
import unittest
from pathlib import Path

from support import CACHE, EXAMPLES, MESHES, SMALL_CASE, CommandTest, square_mesh

MODELS = {path.stem for path in (EXAMPLES.parent / "src" / "models").glob("*.h")}


class Info(CommandTest):
    def test_is_json_that_names_models_elements_schemes_and_devices(self):
        result = self.swell("info", "--json")
        self.assert_done(result)
        info = json.loads(result.stdout)
        self.assertEqual(MODELS, set(info["models"]))
        self.assertEqual(set(info["elements"]), {"triangle", "quadrilateral", "tetrahedron", "hexahedron"})
        self.assertEqual(set(info["schemes"]), {"lsrk54", "rk4", "ssprk33", "ab3", "rkp1", "ader", "theta", "bdf2"})
        self.assertEqual(info["cache"], CACHE)
        cpu = next(device for device in info["devices"] if device["name"] == "cpu")
        self.assertTrue(cpu["usable"])
        self.assertGreater(cpu["threads"], 0)
        self.assertIn(info["version"], self.swell("--version").stdout)

    def test_reads_well_without_json(self):
        result = self.swell("info")
        self.assert_done(result)
        for word in MODELS | {"lsrk54", "theta", "bdf2", "cpu", CACHE}:
            self.assertIn(word, result.stdout)


class AderForLong(CommandTest):
    """Growth in a step comes to more than twice a wave's height in so many of them (docs/decisions/0016)."""

    CASE = """
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [1, 1], element = "quadrilateral" }
[model]
name = "acoustics"
family = "modal"
order = 8
[time]
scheme = "ader"
steps = 12000
"""

    def test_run_and_plan_name_the_way_out(self):
        self.write("case.toml", self.CASE)
        for command in (("plan", "case.toml"), ("run", "case.toml", "--output", "out")):
            result = self.swell(*command, "--device", "cpu:1")
            self.assert_done(result)
            said = result.stdout + result.stderr
            self.assertIn("ADER of order 8 lets a wave that nothing damps grow", said, command)
            self.assertIn('time.scheme = "lsrk54"', said, command)

    def test_nothing_is_said_of_fewer_steps_lower_orders_or_runge_kutta(self):
        self.write("case.toml", self.CASE)
        for change in ("time.steps=8000", "model.order=7", "time.scheme=lsrk54"):
            result = self.swell("plan", "case.toml", "-D", change, "--device", "cpu:1")
            self.assert_done(result)
            self.assertNotIn("ADER of order", result.stdout + result.stderr, change)


class Mesh(CommandTest):
    def said(self, path):
        result = self.swell("mesh", path)
        self.assert_done(result)
        return result.stdout

    def test_of_curved_triangles(self):
        text = self.said(MESHES / "disc-order4-41.msh")
        for word in ("triangle", "geometry order 4", "'glass'", "'rim'"):
            self.assertIn(word, text)
        area = float(re.search(r"^area +(\S+)", text, re.MULTILINE)[1])
        self.assertAlmostEqual(area, 4 * 3.14159265358979, delta=1e-3)

    def test_of_curved_tetrahedra(self):
        text = self.said(MESHES / "sphere-order3-41-binary.msh")
        for word in ("tetrahedron", "geometry order 3", "'ball'", "'shell'"):
            self.assertIn(word, text)

    def test_that_is_periodic(self):
        text = self.said(MESHES / "periodic-order2-41-binary.msh")
        self.assertRegex(text, r"[1-9]\d* periodic")

    def test_of_the_cylinder_example(self):
        text = self.said(EXAMPLES / "cylinder" / "cylinder.msh")
        for word in ("'near'", "'far'", "'cylinder': 24 faces", "'outer': 24 faces"):
            self.assertIn(word, text)

    def test_that_folds_over_is_refused_with_the_element(self):
        self.assert_sentence(self.swell("mesh", MESHES / "folded-order3-41-binary.msh"), 2, "folded-order3", "element")

    def test_that_is_shipped_runs(self):
        text = SMALL_CASE.replace("box = { low = [0, 0], high = [1, 1], cells = [3, 3] }", f'file = "{MESHES}/disc-order4-41.msh"')
        self.assert_done(self.run_case(text + '[boundary]\nrim = "pec"\n[material.glass]\nepsilon = 2.25\n', "-D", "time.steps=3"))
        self.assertEqual(self.summary()["steps"], 3)


class Plan(CommandTest):
    LARGE = """
[mesh]
box = { low = [0, 0, 0], high = [1, 1, 1], cells = [18, 18, 18], element = "tetrahedron" }
[model]
name = "maxwell"
order = 3
[initial]
Ez = "sin(pi*x)*sin(pi*y)"
[time]
steps = 2
[output]
folder = "out"
"""

    def test_writes_nothing(self):
        self.write("case.toml", SMALL_CASE)
        result = self.swell("plan", "case.toml")
        self.assert_done(result)
        self.assertEqual(self.files(), ["case.toml"])
        for word in ("elements", "unknowns", "memory", "time step", "steps"):
            self.assertIn(word, result.stdout)
        self.assertIn("18 triangle", result.stdout)
        self.assertIn(str(18 * 6 * 3), result.stdout)

    def test_predicts_steps_and_time_step(self):
        self.write("case.toml", SMALL_CASE)
        plan = self.swell("plan", "case.toml").stdout
        self.assert_done(self.run_case(SMALL_CASE))
        summary = self.summary()
        self.assertEqual(int(re.search(r"^steps +(\d+)", plan, re.MULTILINE)[1]), summary["steps"])
        self.assertAlmostEqual(float(re.search(r"^time step +(\S+)", plan, re.MULTILINE)[1]) / summary["dt"], 1, delta=1e-5)

    def test_predicts_memory_within_a_tenth(self):
        self.write("case.toml", self.LARGE)
        result = self.swell("plan", "case.toml")
        self.assert_done(result)
        predicted = 1e6 * float(re.search(r"([\d.]+) MB in all", result.stdout)[1])
        self.assert_done(self.run_case(self.LARGE))
        measured = self.summary()["memory"]["measured"]
        self.assertGreater(measured, 100e6)
        self.assertAlmostEqual(predicted / measured, 1, delta=0.1)

    def test_refuses_what_run_refuses(self):
        self.write("case.toml", SMALL_CASE.replace("maxwell-tm", "maxwel-tm"))
        self.assert_sentence(self.swell("plan", "case.toml"), 2, "maxwel-tm", "maxwell-tm")


class Bench(CommandTest):
    def test_is_json_with_a_fraction_of_the_roofline(self):
        result = self.swell("bench", "maxwell-tetrahedron-2", "maxwell-tetrahedron-varying", "--order", "2", "--dofs", "20000", "--json")
        self.assert_done(result)
        bench = json.loads(result.stdout)
        self.assertGreater(bench["bandwidth"], 0)
        self.assertEqual([entry["name"] for entry in bench["results"]],
                         ["maxwell-tetrahedron-2-double", "maxwell-tetrahedron-varying-2-double"])
        for entry in bench["results"]:
            self.assertGreater(entry["dof_per_second"], 0)
            self.assertTrue(0 < entry["fraction"] < 1.5, entry["fraction"])
        self.assertEqual(bench["worst_of_plain"], {"name": "maxwell-tetrahedron-varying-2-double", "of_plain": bench["results"][1]["of_plain"]})

    def test_measures_mixed_meshes_beside_meshes_of_one_shape(self):
        result = self.swell("bench", "acoustics-mixed", "--order", "2", "--dofs", "20000", "--json")
        self.assert_done(result)
        (entry,) = json.loads(result.stdout)["results"]
        self.assertEqual(entry["element"], "mixed")
        self.assertTrue(0.1 < entry["of_plain"] < 10, entry["of_plain"])
        lines = self.swell("bench", "acoustics-mixed", "--order", "2", "--dofs", "20000").stdout.splitlines()
        self.assertIn("of plain", lines[-3])
        self.assertEqual(lines[-2].count("%"), 2)
        self.assertIn("slowest beside its plain box: acoustics-mixed-2-double with", lines[-1])

    def test_lists_names(self):
        result = self.swell("bench", "--list", "elastic-tri")
        self.assert_done(result)
        self.assertIn("elastic-triangle-3-double", result.stdout.split())

    def test_lists_all_names_and_tables_where_none_is_given(self):
        names = self.swell("bench", "--list").stdout.split()
        for name in ("maxwell-tetrahedron-7-double", "elastic-triangle-3-double", "heat", "modal", "families", "levelset", "ranks"):
            self.assertIn(name, names)
        self.assertEqual(self.swell("bench", "--list", "levelset").stdout, "levelset\n")

    def test_refuses_options_without_effect(self):
        for arguments, words in ((("levelset", "--dofs", "1e4"), ("bench levelset", "does not take --dofs", "--precision")),
                                 (("levelset", "--precision", "both"), ("single or double",)),
                                 (("levelset", "--order", "7"), ("orders 1 to 4", "not 7")),
                                 (("modal", "--order", "1,5"), ("orders 1 to 4", "not 5")),
                                 (("heat", "--order", "2"), ("bench heat", "does not take --order")),
                                 (("families", "--plot", "a.svg"), ("bench families", "does not take --plot")),
                                 (("levelset", "heat"), ("table of its own",))):
            self.assert_sentence(self.swell("bench", *arguments), 2, *words)

    def test_times_level_sets_in_the_precision_asked_for(self):
        moved = {}
        for precision in ("single", "double"):
            result = self.swell("bench", "levelset", "--order", "1", "--precision", precision, "--device", "cpu:1", "--json")
            self.assert_done(result)
            bench = json.loads(result.stdout)
            self.assertEqual(bench["precision"], precision)
            self.assertEqual({row["degree"] for row in bench["results"]}, {1})
            moved[precision] = bench["results"][0]["bytes"]
        self.assertAlmostEqual(moved["double"] / moved["single"], 2, delta=0.5)


class Run(CommandTest):
    def test_takes_overrides_of_keys(self):
        result = self.run_case(SMALL_CASE, "-D", "model.order=3", "-D", "mesh.box.cells=[2,4]", "-D", "title=Other",
                               "-D", "receiver[0].at=[0.5,0.5]", "--output", "elsewhere")
        self.assert_done(result)
        summary = self.summary("elsewhere")
        self.assertEqual((summary["order"], summary["elements"], summary["title"]), (3, 16, "Other"))
        self.assertFalse((self.root / "out").exists())
        as_run = (self.root / "elsewhere" / "case.toml").read_text(encoding="utf-8")
        self.assertRegex(as_run, r"order = 3")
        # A case that was run can be run again, with equal results.
        self.assert_done(self.swell("run", "elsewhere/case.toml", "--quiet", "--output", "again"))
        self.assertEqual(self.probe("again"), self.probe("elsewhere"))

    def probe(self, folder):
        return (self.root / folder / "receivers" / "probe.csv").read_bytes()

    def test_finds_mesh_and_model_beside_the_case_and_writes_below_the_folder_it_is_in(self):
        self.write("there/square.msh", square_mesh())
        self.write("there/mine.h", (EXAMPLES / "own-model" / "shallow-water.h").read_text(encoding="utf-8"))
        text = SMALL_CASE.replace("box = { low = [0, 0], high = [1, 1], cells = [3, 3] }", 'file = "square.msh"').replace("Ez", "h")
        text = text.replace('name = "maxwell-tm"', 'file = "mine.h"').replace('[output]\nfolder = "out"\n', "")
        self.write("there/pond.toml", text)
        self.assert_done(self.swell("run", "there/pond.toml", "--quiet"))
        self.assertEqual(self.summary("out/pond")["model"], "shallow-water")

    def test_gives_the_same_bits_every_time(self):
        self.write("case.toml", SMALL_CASE)
        for folder in ("a", "b"):
            self.assert_done(self.swell("run", "case.toml", "--quiet", "--output", folder))
        self.assertEqual(self.probe("a"), self.probe("b"))

    def test_gives_the_same_bits_on_one_thread(self):
        self.write("case.toml", SMALL_CASE)
        for folder, device in (("one", "cpu:1"), ("two", "cpu:2")):
            self.assert_done(self.swell("run", "case.toml", "--quiet", "--output", folder, "--device", device))
        self.assertEqual(self.probe("one"), self.probe("two"))

    def test_in_single_precision_is_near_to_double(self):
        exact = '[exact]\nEz = "cos(sqrt(2)*pi*t)*sin(pi*x)*sin(pi*y)"\n'
        errors = {}
        for precision in ("single", "double"):
            self.assert_done(self.run_case(SMALL_CASE + exact, "--precision", precision))
            self.assertEqual(self.summary()["precision"], precision)
            errors[precision] = self.summary()["errors"]["Ez"]["l2"]
        self.assertNotEqual(errors["single"], errors["double"])
        self.assertAlmostEqual(errors["single"] / errors["double"], 1, delta=1e-3)

    def test_measures_errors_of_the_fields_that_have_an_exact_answer(self):
        self.assert_done(self.run_case(SMALL_CASE + '[exact]\nEz = "cos(sqrt(2)*pi*t)*sin(pi*x)*sin(pi*y)"\n'))
        errors = self.summary()["errors"]
        self.assertEqual(set(errors), {"Ez", "total"})
        self.assertEqual(errors["total"]["l2"], errors["Ez"]["l2"])

    def test_compiles_nothing_the_second_time(self):
        cache = self.root / "cache"
        self.assert_done(self.run_case(SMALL_CASE, SWELL_CACHE=cache))

        def state():
            return {path: path.stat().st_mtime_ns for path in Path(cache).rglob("*")}

        before = state()
        self.assertTrue(any(path.suffix == ".so" for path in before))
        self.assert_done(self.run_case(SMALL_CASE, SWELL_CACHE=cache))
        self.assertEqual(state(), before)
        self.assertEqual(cache.stat().st_mode & 0o077, 0, "the cache is the user's own")

    def test_profile_names_kernels_with_their_part_of_the_roofline(self):
        busy = SMALL_CASE.replace("[output]", "[output]\nenergy_every = 0.05", 1)
        busy += '[source]\nEz = "sin(t)"\n[[source.point]]\nat = [0.4, 0.6]\nfield = "Ez"\nsignal = "sin(t)"\n'
        self.assert_done(self.run_case(busy, "--profile"))
        summary = self.summary()
        kernels = {kernel["name"]: kernel for kernel in summary["kernels"]}
        self.assertLessEqual({"stage", "ghosts", "sources", "point_sources", "receivers", "watch", "energy", "sum_values"},
                             kernels.keys())
        for name, kernel in kernels.items():
            self.assertLessEqual({"name", "calls", "seconds", "bytes", "flops", "fraction"}, kernel.keys())
            self.assertGreater(kernel["bytes"], 0, name)
            self.assertGreater(kernel["fraction"], 0, name)
        times = summary["times"]
        self.assertAlmostEqual(times["compute"], sum(kernel["seconds"] for kernel in kernels.values()))
        self.assertGreater(times["sent_bytes"], times["received_bytes"])
        for event in ("send", "receive"):
            self.assertGreater(times[event], 0)

    def test_profile_of_heat_names_its_kernels_too(self):
        heat = '[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [3, 3] }\n[model]\nname = "heat"\norder = 2\n'
        heat += '[initial]\nT = "cos(pi*x)"\n[time]\nsteps = 2\ndt = 0.01\n[output]\nfolder = "out"\n'
        self.assert_done(self.run_case(heat, "--profile"))
        log = (self.root / "out" / "log.txt").read_text(encoding="utf-8")
        kernels = [kernel["name"] for kernel in self.summary()["kernels"]]
        self.assertTrue(kernels)
        for name in kernels:
            self.assertIn(f"kernel {name}", log)

    def test_measures_at_each_step_where_it_was_asked_more_often(self):
        for time in ("steps = 3", "end = 0.2"):
            often = SMALL_CASE.replace("end = 0.2", time).replace("[output]", "[output]\nenergy_every = 1e-9", 1)
            self.assert_done(self.run_case(often))
            lines = (self.root / "out" / "energy.csv").read_text(encoding="utf-8").splitlines()
            self.assertEqual(len(lines), 1 + 1 + self.summary()["steps"], time)

    def times_in(self, name):
        lines = (self.root / "out" / name).read_text(encoding="utf-8").splitlines()
        return [round(float(line.split(",")[0]), 9) for line in lines[1:]]

    def test_measures_at_times_that_steps_meet_up_to_rounding(self):
        # 15 * 0.01 is below 3 * 0.05.
        case = SMALL_CASE.replace("end = 0.2", "steps = 20\ndt = 0.01").replace("[output]", "[output]\nenergy_every = 0.05", 1)
        self.assert_done(self.run_case(case))
        self.assertEqual(self.times_in("energy.csv"), [0, 0.05, 0.1, 0.15, 0.2])

    def test_measures_an_interface_as_often_as_energies(self):
        case = ('[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [3, 3] }\n[model]\nname = "levelset"\norder = 2\n'
                '[levelset]\nthickness = 0.2\n[material]\nax = 1\n[initial]\nG = "1/(1 + exp((x - 0.5)/0.2))"\n'
                '[time]\nsteps = 20\ndt = 0.01\n[output]\nfolder = "out"\nenergy_every = 0.05\n')
        self.assert_done(self.run_case(case))
        for name in ("energy.csv", "interface.csv"):
            self.assertEqual(self.times_in(name), [0, 0.05, 0.1, 0.15, 0.2], name)

    def test_says_which_side_became_a_wall(self):
        self.write("case.toml", SMALL_CASE)
        self.assert_done(self.swell("run", "case.toml"))
        log = (self.root / "out" / "log.txt").read_text(encoding="utf-8")
        for side in ("xmin", "xmax", "ymin", "ymax"):
            self.assertRegex(log, rf"'{side}'.*pec")

    def test_knows_all_schemes(self):
        for scheme in ("lsrk54", "rk4", "ssprk33", "ab3"):
            self.assert_done(self.run_case(SMALL_CASE.replace("end = 0.2", f'end = 0.2\nscheme = "{scheme}"')))
            self.assertEqual(self.summary()["time"], 0.2)


if __name__ == "__main__":
    unittest.main()
