# SPDX-License-Identifier: Apache-2.0
"""Findings, files and messages of `swell tune`."""

import json
import re
import time
import unittest

from support import ROOT, SMALL_CASE, CommandTest

KERNEL = "maxwell-tm-triangle-2-straight"
COLUMNS = ["backend", "device", "driver", "threads", "kernel", "precision", "size", "variant", "seconds",
           "default_seconds", "date"]


class Tune(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("case.toml", SMALL_CASE)
        self.file = self.root / "tuning.txt"

    def tuned(self, *words, **environment):
        result = self.swell("tune", *words, "--device", "cpu:1", SWELL_TUNING=self.file, **environment)
        self.assert_done(result)
        return result

    def entries(self):
        lines = self.file.read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0].split("\t"), COLUMNS)
        return [dict(zip(COLUMNS, line.split("\t"))) for line in lines[1:]]

    def variant_of_run(self, *words, kernel=KERNEL):
        result = self.swell("run", "case.toml", "--device", "cpu:1", *words, SWELL_TUNING=self.file)
        self.assert_done(result)
        log = (self.root / "out" / "log.txt").read_text(encoding="utf-8")
        return re.search(rf"kernel {kernel}: (.*)", log)[1]

    def rewrite(self, **changes):
        entry = {**self.tuned_entry, **changes}
        self.file.write_text("\t".join(COLUMNS) + "\n" + "\t".join(entry[c] for c in COLUMNS) + "\n", encoding="utf-8")

    def test_of_a_case_shows_a_table_and_remembers(self):
        result = self.tuned("case.toml", "--seconds", 0.5)
        for word in (KERNEL, "ms/stage", "of bound", "default", "best", str(self.file)):
            self.assertIn(word, result.stdout)
        entry, = self.entries()
        self.assertEqual((entry["backend"], entry["kernel"], entry["precision"], entry["size"], entry["threads"]),
                         ("cpu", KERNEL, "double", "small", "1"))
        self.assertLessEqual(float(entry["seconds"]), float(entry["default_seconds"]))

    def test_is_used_by_the_next_run(self):
        tuned = json.loads(self.tuned("case.toml", "--seconds", 0.5, "--json", "--quiet").stdout)
        kernel, = tuned["kernels"]
        default, = [v["variant"] for v in kernel["variants"] if v["default"]]
        winner = default if kernel["winner"] == "default" else kernel["winner"]
        self.assertEqual(self.variant_of_run(), winner)
        self.tuned_entry, = self.entries()
        other = next(v["variant"] for v in kernel["variants"] if v["variant"] != default)
        self.rewrite(variant=other)
        self.assertEqual(self.variant_of_run(), other)
        self.rewrite(variant=other, driver="another compiler", threads="64")
        self.assertEqual(self.variant_of_run(), other)
        self.rewrite(variant=other, device="another processor")
        self.assertEqual(self.variant_of_run(), default)
        self.rewrite(variant="simd OF_ANOTHER_VERSION=3")
        self.assertEqual(self.variant_of_run(), default)
        self.assertIn("OF_ANOTHER_VERSION", (self.root / "out" / "log.txt").read_text(encoding="utf-8"))

    def test_chooses_the_form_of_modal_products(self):
        kernels = ["maxwell-tm-triangle-2-modal-operator", "maxwell-tm-triangle-2-modal-predictor"]
        self.write("case.toml", SMALL_CASE.replace("[model]", '[model]\nfamily = "modal"')
                   .replace("[time]", '[time]\nscheme = "ader"'))
        tuned = json.loads(self.tuned("case.toml", "--seconds", 3, "--json", "--quiet").stdout)["kernels"]
        self.assertEqual([k["kernel"] for k in tuned], kernels)
        self.assertEqual([e["kernel"] for e in self.entries()], kernels)
        for kernel in tuned:
            names = [v["variant"] for v in kernel["variants"]]
            for form in ("FORM=0", "FORM=1", "FORM=2"):  # in the text, in tables, dense
                self.assertTrue(any(form in name for name in names), names)
            problems = [v.get("problem", "") for v in kernel["variants"]]
            self.assertEqual([p for p in problems if p and "out of time" not in p], [])
            self.assertGreater(problems.count(""), 1)
        for kernel, entry in zip(tuned, self.entries()):
            default, = [v["variant"] for v in kernel["variants"] if v["default"]]
            dense = next(v["variant"] for v in kernel["variants"] if "FORM=2" in v["variant"])
            self.assertEqual(self.variant_of_run(kernel=kernel["kernel"]),
                             default if kernel["winner"] == "default" else kernel["winner"])
            self.tuned_entry = entry
            kept = self.file.read_text(encoding="utf-8")
            self.rewrite(variant=dense)
            self.assertEqual(self.variant_of_run(kernel=kernel["kernel"]), dense)
            self.file.write_text(kept, encoding="utf-8")

    def test_finds_no_variant_that_is_wrong(self):
        for element, precision in (("triangle", "single"), ("quadrilateral", "double")):
            text = SMALL_CASE.replace("cells = [3, 3]", f'cells = [5, 3], element = "{element}"')
            self.write("case.toml", text + '[material]\nepsilon = "1 + 0.1*x"\n')
            result = self.tuned("case.toml", "--seconds", 1.5, "--precision", precision, "--json", "--quiet")
            kernel, = json.loads(result.stdout)["kernels"]
            self.assertIn("adjusted" if element == "triangle" else "varying", kernel["kernel"])
            problems = [v.get("problem", "") for v in kernel["variants"]]
            self.assertEqual([p for p in problems if p and "out of time" not in p], [])
            self.assertGreater(problems.count(""), 1)
        self.assertEqual(len(self.entries()), 2)

    def test_never_takes_a_variant_that_is_wrong_or_does_not_compile(self):
        # A model that betrays some variants: blocks of three rows do not compile, blocks of two are slightly wrong.
        model = (ROOT / "src" / "models" / "advection.h").read_text(encoding="utf-8")
        model = model.replace("FUNCTION real along", """#if defined(TILE_ROWS) && TILE_ROWS == 3
#error not this one
#endif
#if defined(TILE_ROWS) && TILE_ROWS == 2
#define BETRAYED (1.0 + 1e-9)
#else
#define BETRAYED 1.0
#endif
FUNCTION real along""", 1).replace("f[u] = along(m, n)", "f[u] = BETRAYED * along(m, n)")
        self.write("mine.h", model)
        self.write("case.toml", SMALL_CASE.replace('name = "maxwell-tm"', 'file = "mine.h"').replace("Ez", "u"))
        kernel, = json.loads(self.tuned("case.toml", "--seconds", 60, "--json", "--quiet").stdout)["kernels"]
        problems = {v["variant"]: v.get("problem", "") for v in kernel["variants"]}
        for variant, problem in problems.items():
            expected = "could not compile" if "ROWS=3" in variant else "is wrong" if "ROWS=2" in variant else ""
            self.assertIn(expected, problem)
            self.assertEqual(bool(problem), bool(expected), problem)
        self.assertEqual({bool(p) for p in problems.values()}, {False, True})
        self.assertNotRegex(kernel["winner"], "ROWS=[23] ")

    def test_keeps_its_time(self):
        began = time.monotonic()
        result = self.tuned("case.toml", "--seconds", 0, "--json", "--quiet", "-D", "model.order=4")
        kernel, = json.loads(result.stdout)["kernels"]
        tried = [v for v in kernel["variants"] if "problem" not in v]
        self.assertEqual(len(tried), 4)
        self.assertTrue(all("out of time" in v["problem"] for v in kernel["variants"] if "problem" in v))
        self.assertLess(kernel["seconds"], time.monotonic() - began)

    def test_of_benchmarks_needs_no_case(self):
        result = self.tuned("--bench", "acoustics-triangle", "--order", 1, "--dofs", 3000, "--seconds", 0)
        self.assertEqual([e["kernel"] for e in self.entries()],
                         [f"acoustics-triangle-1-{kind}" for kind in ("straight", "adjusted", "curved")], result.stdout)

    def test_refuses_what_it_cannot_tune(self):
        self.assert_sentence(self.swell("tune"), 2, "--bench")
        self.assert_sentence(self.swell("tune", "case.toml", "--bench", "maxwell"), 2, "--bench")
        self.assert_sentence(self.swell("tune", "--bench", "nonsense"), 2, "nonsense", "swell bench --list")
        self.assert_sentence(self.swell("tune", "no.toml"), 2, "no.toml")

    def test_that_cannot_be_kept_says_so(self):
        result = self.swell("tune", "case.toml", "--seconds", 0, "--quiet", "--device", "cpu:1",
                            SWELL_TUNING=self.root / "no" / "folder.txt")
        self.assert_sentence(result, 3, "no/folder.txt", "SWELL_TUNING")

    def test_file_with_bad_lines_is_a_warning_with_its_line(self):
        self.file.write_text("nonsense\n", encoding="utf-8")
        result = self.swell("run", "case.toml", "--quiet", "--device", "cpu:1", SWELL_TUNING=self.file)
        self.assert_done(result)
        self.assertIn(f"{self.file}, line 1:", result.stderr)

    def test_file_is_named_by_info(self):
        self.assertIn(str(self.file), self.swell("info", SWELL_TUNING=self.file).stdout)
        info = json.loads(self.swell("info", "--json", SWELL_TUNING=self.file).stdout)
        self.assertEqual(info["tuning"], str(self.file))


if __name__ == "__main__":
    unittest.main()
