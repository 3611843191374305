# SPDX-License-Identifier: Apache-2.0
"""tools/make_site turns docs/ into pages that hang together and need nothing from elsewhere."""

import html.parser
import sys
import tempfile
import unittest
from pathlib import Path

from tool_test import TOOLS, ToolTest

ROOT = TOOLS.parent
sys.path.insert(0, str(TOOLS / "site"))
from formula import formula_html  # noqa: E402
from markdown import Page, anchor_of  # noqa: E402


class Seen(html.parser.HTMLParser):
    """Links, loaded files and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.names, self.open = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if "id" in attributes:
            self.names.add(attributes["id"])
        if tag == "a":
            self.links.append(attributes["href"])
        for key in ("src", "srcset", "data", "poster", "action"):
            if key in attributes:
                self.loads.append(attributes[key])
        if tag == "link":
            self.loads.append(attributes["href"])
        if tag == "script":
            self.loads.append(attributes.get("src", "a script in the page"))
        if tag not in ("img", "meta", "link", "br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes another element")


class WholeSite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.out = Path(folder.name).resolve()
        tool = ToolTest()
        result = tool.run_tool("make_site", cls.out)
        assert result.returncode == 0, result.stderr
        cls.pages = {path.relative_to(cls.out).as_posix(): Seen(path.read_text(encoding="utf-8")) for path in cls.out.rglob("*.html")}

    def local_targets(self, page):
        """(file, anchor) of the links of a page that stay on the site."""
        for link in self.pages[page].links:
            if "://" not in link and not link.startswith("mailto:"):
                path, _, anchor = link.partition("#")
                target = (self.out / page).parent / path if path else self.out / page
                yield link, target.resolve(), anchor

    def test_no_link_is_broken(self):
        for page in self.pages:
            for link, target, anchor in self.local_targets(page):
                with self.subTest(page=page, link=link):
                    self.assertTrue(target.is_file())
                    if anchor:
                        self.assertIn(anchor, self.pages[target.relative_to(self.out).as_posix()].names)

    def test_no_page_loads_anything_from_elsewhere(self):
        for page, seen in self.pages.items():
            for load in seen.loads:
                with self.subTest(page=page, load=load):
                    self.assertNotIn("//", load)
                    self.assertTrue(((self.out / page).parent / load).is_file())
        self.assertNotIn("url(", (self.out / "style.css").read_text(encoding="utf-8"))
        self.assertNotIn("@import", (self.out / "style.css").read_text(encoding="utf-8"))

    def test_every_page_of_the_documentation_can_be_reached_from_the_front_page_by_its_own_links(self):
        # Not by the navigation, which has them all: by what the pages say.
        reached, new = set(), {"docs/README.md"}
        while new:
            source = new.pop()
            reached.add(source)
            def follow(target, source=source):
                path = target.partition("#")[0]
                place = ((ROOT / source).parent / path).resolve() if path and "://" not in path else None
                if place and place.suffix == ".md" and place.is_relative_to(ROOT / "docs") and place.exists():
                    new.update({place.relative_to(ROOT).as_posix()} - reached)
                return target
            Page((ROOT / source).read_text(encoding="utf-8"), follow)
        self.assertEqual({p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md")} - reached, set())

    def test_elements_are_closed_in_their_order(self):
        for page, seen in self.pages.items():
            self.assertEqual(seen.open, [], page)

    def test_the_reference_the_results_and_the_formulas_are_there(self):
        for page, words in (("case.html", ["<code>model.order</code>"]), ("kernels.html", ["<table>"]), ("verification.html", ["my-case.toml"]), ("verification-rows.html", ["maxwell-tm-cavity"]),
                            ("results.html", ["<table>"]), ("CONTRIBUTING.html", ["<h1"]), ("method.html", ['class="formula"', "<sup>−1</sup>", "∑"])):
            text = (self.out / page).read_text(encoding="utf-8")
            for word in words:
                self.assertIn(word, text, page)


class Converter(unittest.TestCase):
    def body(self, text):
        return Page(text, lambda target: f"to/{target}").body

    def test_knows_what_the_documentation_uses(self):
        for text, expected in (
                ("# A *b*\ntext\nmore", '<h1 id="a-b">A <em>b</em></h1>\n<p>text more</p>'),
                ("- a\n- b\n  - c", "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul></li>\n</ul>"),
                ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"),
                ("```c\na < b\n```", "<pre><code>a &lt; b</code></pre>"),
                ("[a](b.md) ![c](d.png)", '<p><a href="to/b.md">a</a> <img src="to/d.png" alt="c"></p>'),
                ("F* is **not** *it*, `a*b`", "<p>F* is <strong>not</strong> <em>it</em>, <code>a*b</code></p>"),
                ("| a | b |\n|---|---|\n| `x \\| y` | <c> |",
                 '<div class="table"><table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td><code>x | y</code></td><td>&lt;c&gt;</td></tr>\n</table></div>')):
            with self.subTest(text):
                self.assertEqual(self.body(text), expected)

    def test_names_headings_as_github_does_and_apart(self):
        self.assertEqual(anchor_of("What `it` does, and [why](x.md)"), "what-it-does-and-why")
        self.assertIn('id="a-1"', self.body("# a\n# a"))

    def test_formulas_have_letters_and_indices(self):
        self.assertEqual(formula_html("M^-1 sum_d D_d phi <= 1"), "<i>M</i><sup>−1</sup> ∑<sub><i>d</i></sub> <i>D</i><sub><i>d</i></sub> φ ≤ 1")


class WrongInput(ToolTest):
    def test_a_link_that_leads_nowhere_is_named_and_nothing_is_written(self):
        self.write("tree/docs/README.md", "# Front\n[a](missing.md)\n")
        result = self.run_tool("make_site", self.root / "out", self.root / "tree")
        self.assertEqual(result.returncode, 1)
        self.assertIn("docs/README.md: the link 'missing.md' leads nowhere", result.stderr)
        self.assertFalse((self.root / "out").exists())

    def test_a_fence_without_an_end_is_named(self):
        self.write("tree/docs/README.md", "# Front\n```\ntext\n")
        self.assertIn("has no end", self.run_tool("make_site", self.root / "out", self.root / "tree").stderr)


if __name__ == "__main__":
    unittest.main()
