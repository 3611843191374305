# SPDX-License-Identifier: Apache-2.0
"""Markdown as the documentation uses it, turned into HTML: headings, paragraphs, lists, tables, fences, links, images, emphasis."""

import html
import re

from formula import formula_html

FENCE = re.compile(r"^\s*```\s*(\w*)\s*$")
ITEM = re.compile(r"^(\s*)([-*]|\d+\.) (.*)$")
RULE = re.compile(r"^\|?\s*:?-{3,}:?\s*(\|\s*:?-{3,}:?\s*)*\|?\s*$")
INLINE = re.compile(r"(?P<code>`[^`]+`)|(?P<image>!\[(?P<alt>[^\]]*)\]\((?P<source>[^)\s]+)\))"
                    r"|(?P<link>\[(?P<words>(?:[^\[\]]|`[^`]*`)+)\]\((?P<target>[^)\s]+)\))"
                    r"|(?P<bold>\*\*(?=\S)(?P<strong>.+?)(?<=\S)\*\*)|(?P<italic>(?<![\w*])\*(?=[^\s*])(?P<stressed>[^*]+?)(?<=\S)\*(?![\w*]))")


def anchor_of(heading):
    """The name under which GitHub lets a heading be linked."""
    words = re.sub(r"[`*]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).lower()
    return re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", words))


class Page:
    """One Markdown text as HTML. `link` maps targets of links and images to those of the site."""

    def __init__(self, text, link):
        self.link, self.headings, self.anchors = link, [], {}
        self.title = ""
        lines = re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL).splitlines()
        self.body = "\n".join(self.blocks(lines))

    def inline(self, text):
        parts, at = [], 0
        for match in INLINE.finditer(text):
            parts.append(html.escape(text[at:match.start()].replace("\\|", "|"), quote=False))
            at = match.end()
            if match["code"]:
                parts.append(f"<code>{html.escape(match['code'][1:-1].replace(chr(92) + '|', '|'), quote=False)}</code>")
            elif match["image"]:
                parts.append(f'<img src="{html.escape(self.link(match["source"]))}" alt="{html.escape(match["alt"])}">')
            elif match["link"]:
                parts.append(f'<a href="{html.escape(self.link(match["target"]))}">{self.inline(match["words"])}</a>')
            elif match["bold"]:
                parts.append(f"<strong>{self.inline(match['strong'])}</strong>")
            else:
                parts.append(f"<em>{self.inline(match['stressed'])}</em>")
        return "".join(parts) + html.escape(text[at:].replace("\\|", "|"), quote=False)

    def heading(self, level, words):
        anchor = anchor_of(words)
        self.anchors[anchor] = count = self.anchors.get(anchor, -1) + 1
        anchor += f"-{count}" if count else ""
        self.headings.append((level, words, anchor))
        if level == 1 and not self.title:
            self.title = re.sub(r"[`*]", "", words)
        return f'<h{level} id="{anchor}">{self.inline(words)}</h{level}>'

    def blocks(self, lines):
        at, out = 0, []
        while at < len(lines):
            line = lines[at]
            if not line.strip():
                at += 1
            elif FENCE.match(line):
                at = self.fence(lines, at, out)
            elif match := re.match(r"^(#{1,6}) (.*?)\s*#*$", line):
                out.append(self.heading(len(match[1]), match[2]))
                at += 1
            elif line.startswith("|") and at + 1 < len(lines) and RULE.match(lines[at + 1]):
                at = self.table(lines, at, out)
            elif ITEM.match(line):
                at = self.items(lines, at, out)
            else:
                begin = at
                while at < len(lines) and lines[at].strip() and (at == begin or not self.begins(lines, at)):
                    at += 1
                out.append(f"<p>{self.inline(' '.join(part.strip() for part in lines[begin:at]))}</p>")
        return out

    @staticmethod
    def begins(lines, at):
        line = lines[at]
        return bool(FENCE.match(line) or re.match(r"^#{1,6} ", line) or ITEM.match(line)
                    or (line.startswith("|") and at + 1 < len(lines) and RULE.match(lines[at + 1])))

    def fence(self, lines, at, out):
        kind, indent = FENCE.match(lines[at])[1], len(lines[at]) - len(lines[at].lstrip())
        end = at + 1
        while end < len(lines) and not re.match(r"^\s*```\s*$", lines[end]):
            end += 1
        if end == len(lines):
            raise ValueError(f"a fence that begins with '{lines[at].strip()}' has no end")
        text = "\n".join(line[indent:] if not line[:indent].strip() else line for line in lines[at + 1:end])
        if kind == "formula":
            out.append(f'<div class="formula">{formula_html(text)}</div>')
        else:
            out.append(f"<pre><code>{html.escape(text, quote=False)}</code></pre>")
        return end + 1

    def table(self, lines, at, out):
        def cells(line):
            return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))]
        out.append('<div class="table"><table>\n<tr>' + "".join(f"<th>{self.inline(c)}</th>" for c in cells(lines[at])) + "</tr>")
        at += 2
        while at < len(lines) and lines[at].startswith("|"):
            out.append("<tr>" + "".join(f"<td>{self.inline(c)}</td>" for c in cells(lines[at])) + "</tr>")
            at += 1
        out.append("</table></div>")
        return at

    def items(self, lines, at, out):
        first = ITEM.match(lines[at])
        depth, tag = len(first[1]), "ol" if first[2][0].isdigit() else "ul"
        out.append(f"<{tag}>")
        while at < len(lines) and (match := ITEM.match(lines[at])) and len(match[1]) == depth:
            inner, at = [match[3]], at + 1
            while at < len(lines) and (self.deeper(lines[at], depth) or (not lines[at].strip() and at + 1 < len(lines) and self.deeper(lines[at + 1], depth))):
                inner.append(lines[at][depth + 2:] if lines[at].strip() else "")
                at += 1
            content = "\n".join(self.blocks(inner))
            if content.count("<p>") == 1 and content.startswith("<p>"):  # a tight item
                content = content.replace("<p>", "", 1).replace("</p>", "", 1)
            out.append(f"<li>{content}</li>")
            if at + 1 < len(lines) and not lines[at].strip() and (following := ITEM.match(lines[at + 1])) and len(following[1]) == depth:
                at += 1
        out.append(f"</{tag}>")
        return at

    @staticmethod
    def deeper(line, depth):
        return bool(line.strip()) and len(line) - len(line.lstrip()) > depth
