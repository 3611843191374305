# SPDX-License-Identifier: Apache-2.0
"""A tree that is installed, moved and used: the command, a project with find_package, Python, completions, the manual."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["SWELL_BUILD"])
SECONDS = 300
MOVED = None


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=SECONDS, check=False, **options)


def setUpModule():
    global MOVED
    folder = Path(tempfile.mkdtemp(prefix="swell-test-"))
    unittest.addModuleCleanup(shutil.rmtree, folder)
    done = run("cmake", "--install", BUILD, "--prefix", folder / "first")
    assert done.returncode == 0, done.stderr
    MOVED = folder / "second"
    (folder / "first").rename(MOVED)
    os.environ.setdefault("SWELL_CACHE", str(folder / "cache"))


class Tree(unittest.TestCase):
    def test_names_no_folder_of_the_build_or_the_source(self):
        texts = [path for path in MOVED.rglob("*") if path.suffix in {".cmake", ".pc", ".py", ".h"}]
        self.assertGreater(len(texts), 6)
        for path in texts:
            text = path.read_text(encoding="utf-8")
            for folder in (str(BUILD), str(ROOT), str(MOVED.parent)):
                # As a path of its own: a clone in /swell is not meant by lib/swell.
                self.assertNotRegex(text, rf"(?<![\w}}.]){re.escape(folder)}(?![\w.-])", path)

    def test_has_programs_that_ask_for_nothing_from_the_build(self):
        for file in ("bin/swell", "lib/libswell.so"):
            said = run("readelf", "-d", MOVED / file).stdout
            self.assertNotRegex(said, "RPATH|RUNPATH", file)

    def test_has_a_command_that_runs(self):
        out = MOVED.parent / "out"
        done = run(MOVED / "bin" / "swell", "run", MOVED / "share" / "swell" / "examples" / "demo.toml", "--output", out,
                   "--quiet", "-D", "time.steps=3", "--device", "cpu:1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((out / "summary.json").exists())

    def build_project(self, *options):
        folder = tempfile.mkdtemp(dir=MOVED.parent)
        done = run("cmake", "-S", MOVED / "share" / "swell" / "examples" / "library", "-B", folder, "-G", "Ninja",
                   f"-DCMAKE_PREFIX_PATH={MOVED}", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("cmake", "--build", folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        said = run(Path(folder) / "echo")
        # The pulse has 0.5 to the receiver, and 1.5 + 1 from where it began to the end and back to it; its speed is 1.
        self.assertRegex(said.stdout, r"^heard at t = 0\.(49|50|51) and, .* at t = 2\.5", said.stderr)
        self.assertLess(abs(float(said.stdout.split()[-1]) - 2.5), 0.03)

    def test_is_found_by_a_project(self):
        self.build_project()

    def test_is_found_by_a_project_that_links_the_static_library(self):
        self.build_project("-DWITH_STATIC=ON")

    def test_is_found_by_pkg_config(self):
        if not shutil.which("pkg-config"):
            self.skipTest("There is no pkg-config here.")
        words = run("pkg-config", "--cflags", "--libs", "swell", env=dict(os.environ, PKG_CONFIG_PATH=f"{MOVED}/lib/pkgconfig"))
        source = MOVED / "share" / "swell" / "examples" / "library" / "echo.c"
        program = MOVED.parent / "by-pkg-config"
        done = run("cc", source, "-o", program, *words.stdout.split(), f"-Wl,-rpath,{MOVED}/lib")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("heard", run(program).stdout)

    def test_has_the_python_module(self):
        interpreter = os.environ["SWELL_PYTHON"]
        if not interpreter:
            self.skipTest("The Python module was not built.")
        done = run(interpreter, "-B", "-c", "import swell; print(swell.__file__, swell.info()['version'])",
                   env=dict(os.environ, PYTHONPATH=str(MOVED / "lib" / "python3" / "dist-packages")))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith(str(MOVED)), done.stdout)


class Shells(unittest.TestCase):
    def completed(self, *words):
        script = (f"source {MOVED}/share/bash-completion/completions/swell; COMP_WORDS=({' '.join(repr(w) for w in words)}); "
                  f"COMP_CWORD={len(words) - 1}; _swell; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        done = run("bash", "-c", script, cwd=MOVED)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def words_of_help(self):
        """Every command with its options, as --help shows them."""
        swell = MOVED / "bin" / "swell"
        commands = re.findall(r"^  (\w+) ", run(swell, "--help").stdout.split("Subcommands:")[1], re.MULTILINE)
        self.assertIn("run", commands)
        return {name: re.findall(r"(?<=[ ,])(--?[\w-]+)(?=[ ,\n])", run(swell, name, "--help").stdout.split("Options:")[1])
                for name in commands}

    def test_bash_completes_commands_options_values_and_files(self):
        self.assertEqual(self.completed("swell", "ru"), ["run"])
        self.assertIn("--precision", self.completed("swell", "run", "case.toml", "--p"))
        self.assertEqual(self.completed("swell", "run", "--precision", "s"), ["single"])
        self.assertEqual(self.completed("swell", "run", "inc"), ["include"])
        self.assertEqual(self.completed("swell", "completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(self.completed("swell", "info", "--pre"), [])

    def test_all_of_them_know_all_words_of_the_help(self):
        scripts = {shell: (MOVED / "share" / file).read_text(encoding="utf-8") for shell, file in {
            "bash": "bash-completion/completions/swell", "zsh": "zsh/vendor-completions/_swell",
            "fish": "fish/vendor_completions.d/swell.fish"}.items()}
        for command, options in self.words_of_help().items():
            self.assertTrue(options, command)
            for option in options:
                self.assertIn(f"{option}[", scripts["zsh"], option)
                flag = f"-l {option[2:]} " if option.startswith("--") else f"-s {option[1:]} "
                self.assertRegex(scripts["fish"], f"seen_subcommand_from {command}'.*{re.escape(flag)}")
                self.assertRegex(scripts["bash"], rf"{command}:-\*\).*[ ']{re.escape(option)}[ ']")

    def test_scripts_are_those_of_their_shells(self):
        for shell, file in (("zsh", "zsh/vendor-completions/_swell"), ("fish", "fish/vendor_completions.d/swell.fish")):
            if shutil.which(shell):
                done = run(shell, "-n", MOVED / "share" / file)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)

    def test_a_shell_that_is_not_known_is_wrong_input(self):
        done = run(MOVED / "bin" / "swell", "completion", "cmd")
        self.assertEqual(done.returncode, 2)
        self.assertIn("bash, zsh and fish", done.stderr)

    def test_manual_names_what_the_help_names(self):
        page = MOVED / "share" / "man" / "man1" / "swell.1"
        text = page.read_text(encoding="utf-8").replace("\\-", "-")
        for command, options in self.words_of_help().items():
            section = text.split(f".SS swell {command}")[1].split(".SS ")[0]
            for option in options:
                self.assertIn(option, section, command)
        if shutil.which("groff"):
            done = run("groff", "-man", "-Tutf8", "-ww", "-z", page)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


class Package(unittest.TestCase):
    @unittest.skipUnless(shutil.which("dpkg-shlibdeps") and shutil.which("file"), "There are no tools for Debian packages here.")
    def test_of_debian_holds_the_tree_and_names_what_it_needs(self):
        done = run("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", MOVED.parent / "package")
        self.assertEqual(done.returncode, 0, done.stderr)
        package = next((MOVED.parent / "package").glob("swell_*.deb"))
        names = {line.split()[5] for line in run("dpkg-deb", "-c", package).stdout.splitlines()}
        for name in ("bin/swell", "include/swell.h", "lib/libswell.so.1", "lib/libswell.a", "lib/cmake/swell/swell-config.cmake",
                     "share/man/man1/swell.1", "share/bash-completion/completions/swell", "share/doc/swell/copyright"):
            self.assertIn(f"./usr/{name}", names)
        self.assertTrue(all(name.startswith("./usr/") or name == "./" or name == "./usr" for name in names))
        depends = run("dpkg-deb", "-f", package, "Depends").stdout
        linked = run("readelf", "-d", MOVED / "bin" / "swell").stdout
        for word, library in (("g++", ""), ("libc6", "libc.so"), ("libfmt", "libfmt"), ("libhdf5", "libhdf5"), ("zlib1g", "libz.so")):
            if library in linked:
                self.assertIn(word, depends)
        if os.environ["SWELL_PYTHON"]:
            self.assertIn("python3-numpy", depends)
        unpacked = MOVED.parent / "unpacked"
        self.assertEqual(run("dpkg-deb", "-x", package, unpacked).returncode, 0)
        self.assertRegex(run(unpacked / "usr" / "bin" / "swell", "--version").stdout, r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
