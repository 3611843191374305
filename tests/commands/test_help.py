# SPDX-License-Identifier: Apache-2.0
"""`swell help` answers from the schema of the case file: what it says is what the reference says."""

import re
import unittest

from support import ROOT, CommandTest

# A row of docs/case.md: key, value, default and meaning.
ROW = re.compile(r"^\| `([^`]+)` \| (.*) \| (.*) \| (.*) \|$", re.MULTILINE)


def reference():
    page = (ROOT / "docs" / "case.md").read_text(encoding="utf-8")
    return ROW.findall(page.split("## All keys")[1])


def entries(text):
    """The printed description of each key: the two lines below its name."""
    return {found[1]: found[2] for found in re.finditer(r"^(\S+)\n(    .*\n    .*)$", text, re.MULTILINE)}


class Help(CommandTest):
    def said(self, *words):
        result = self.swell("help", *words)
        self.assert_done(result)
        return result.stdout

    def test_of_a_key_tells_value_default_and_meaning(self):
        text = self.said("model.order")
        self.assertEqual(text.splitlines()[0], "model.order")
        for words in ("a whole number from 1 to 12", "default: 3", "polynomial degree"):
            self.assertIn(words, text)

    def test_of_a_choice_tells_all_of_its_words(self):
        self.assertIn("one of auto, metis, curve, slabs, file; default: auto", self.said("mesh.partition.method"))

    def test_of_a_section_has_every_row_of_the_reference(self):
        rows, printed = reference(), {}
        self.assertGreater(len(rows), 80)
        for section in {re.split(r"[.\[]", row[0])[0] for row in rows}:
            printed.update(entries(self.said(section)))
        for key, value, standard, meaning in rows:
            words = printed[key]
            if re.fullmatch(r"(whole )?number( (from|of|above) .*)?", value):
                self.assertTrue(words.startswith(f"    a {value}"), words)
            for choice in re.findall(r"`(\w+)`", value):
                self.assertRegex(words, rf"\b{choice}\b")
            if standard:
                self.assertIn("; required" if standard == "required" else f"; default: {standard}\n", words)
            self.assertTrue(words.endswith("    " + re.sub(r" \(not in this version: .*\)$", "", meaning)), words)

    def test_alone_tells_the_sections(self):
        text = self.said()
        for section in {re.split(r"[.\[]", row[0])[0] for row in reference()}:
            self.assertRegex(text, rf"(?m)^  \[*{section}\]* ")

    def test_takes_names_as_people_write_them(self):
        self.assertIn("receiver[].name\n", self.said("receiver.name"))
        self.assertEqual(self.said("receiver.name"), self.said("receiver[].name"))
        self.assertIn("boundary.*.kind\n", self.said("boundary.xmin.kind"))
        self.assertIn("sweep.*\n", self.said("sweep.material.k"))

    def test_tells_of_alternatives(self):
        self.assertIn("Exactly one of time.end, time.steps says when the run ends.", self.said("time"))

    def test_of_a_command_is_its_help(self):
        own = self.swell("run", "--help").stdout
        self.assertEqual(self.said("run").split("Positionals:")[1], own.split("Positionals:")[1])
        self.assertIn("swell mesh --help", self.said("mesh"))

    def test_of_a_wrong_name_gives_the_nearest_one(self):
        self.assert_sentence(self.swell("help", "model.odrer"), 2, "'odrer'", "did you mean 'order'?")
        self.assert_sentence(self.swell("help", "modle"), 2, "did you mean 'model'?")
        self.assert_sentence(self.swell("help", "order"), 2, "model.order")
        self.assert_sentence(self.swell("help", "model.order.more"), 2, "model.order", "holds no keys")
        self.assert_sentence(self.swell("help", "model..order"), 2, "model")
        self.assert_sentence(self.swell("help", "time."), 2, "time")

    def test_is_completed_by_keys(self):
        text = self.swell("completion", "bash").stdout
        words = re.search(r"help:\*\) COMPREPLY=\(\$\(compgen -W '([^']*)'", text)[1].split()
        for key in ("model", "model.order", "receiver.name"):
            self.assertIn(key, words)
        self.assertFalse([word for word in words if set(word) & set("*[]")])


if __name__ == "__main__":
    unittest.main()
