# SPDX-License-Identifier: Apache-2.0
"""zsh and fish themselves complete the command's words from what `swell completion` prints; bash is tried in tests/install."""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

from support import CommandTest

SCRIPT = Path(__file__).with_name("complete.zsh")
# Words before the tab key, and the completions that are offered.
OFFERS = [("swell ru", ["run"]), ("swell run --prec", ["--precision"]), ("swell run --precision ", ["double", "single"]),
          ("swell verify --precision s", ["single"]), ("swell plot --format ", ["both", "png", "svg"]), ("swell plot --fr", ["--frames"]),
          ("swell completion ", ["bash", "fish", "zsh"]), ("swell info --prec", []), ("swell run case", ["case.toml"])]


class Completion(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("case.toml", "")

    def printed(self, *command):
        result = subprocess.run(list(map(str, command)), cwd=self.root, capture_output=True, text=True, timeout=60, check=False,
                                env=self.environment(HOME=self.root, TERM="dumb"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh_offers_commands_options_values_and_files(self):
        self.write("completions/_swell", self.swell("completion", "zsh").stdout)
        for words, expected in OFFERS:
            with self.subTest(words):
                found = re.findall(r"@(\S+)", self.printed("zsh", "-f", SCRIPT, self.root / "completions", words))
                self.assertEqual(sorted(found), expected)

    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_fish_offers_commands_options_values_and_files(self):
        file = self.write("swell.fish", self.swell("completion", "fish").stdout)
        for words, expected in OFFERS:
            with self.subTest(words):
                printed = self.printed("fish", "--no-config", "-c", f"source {file}; complete -C '{words}'")
                self.assertEqual(sorted(line.split("\t")[0] for line in printed.splitlines()), expected)


if __name__ == "__main__":
    unittest.main()
