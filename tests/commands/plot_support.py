# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the tests of `swell plot`: pictures read back."""

import struct
import zlib
from xml.etree import ElementTree

from support import CommandTest

SVG = "{http://www.w3.org/2000/svg}"
INK = (40, 40, 46)


def read_png(path):
    """Rows of (red, green, blue) of a PNG file of 8-bit RGB."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    packed, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    raw, rows, before = zlib.decompress(packed), [], bytes(3 * width)
    for row in range(height):
        begin = row * (3 * width + 1)
        rows.append(unfiltered(raw[begin], raw[begin + 1:begin + 1 + 3 * width], before))
        before = rows[-1]
    return [[tuple(row[i:i + 3]) for i in range(0, len(row), 3)] for row in rows]


def unfiltered(kind, line, before):
    """A row without its filter (PNG specification, section 9)."""
    out = bytearray(line)
    for i, byte in enumerate(line):
        left, up, corner = (out[i - 3] if i >= 3 else 0), before[i], (before[i - 3] if i >= 3 else 0)
        nearest = min((left, up, corner), key=lambda p: abs(left + up - corner - p))
        out[i] = (byte + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
    return bytes(out)


class FieldPicture:
    """A field and its colour bar, found by the frames around them."""

    def __init__(self, path):
        self.rows = read_png(path)
        inked = [sum(row[column] == INK for row in self.rows) for column in range(len(self.rows[0]))]
        self.columns = [column for column, count in enumerate(inked) if count >= 0.9 * max(inked)]
        assert len(self.columns) == 4, self.columns
        inked = [r for r, row in enumerate(self.rows) if row[self.columns[2]] == INK]  # no tick stands below the bar
        self.top, self.bottom = inked[0] + 1, inked[-1] - 1

    def at(self, along, up):
        """The colour at parts of the width and of the height, from the lower left."""
        left, right = self.columns[0] + 1, self.columns[1] - 1
        return self.rows[round(self.bottom + up * (self.top - self.bottom))][round(left + along * (right - left))]

    def bar(self, part):
        """The colour of a part of the scale."""
        return self.rows[round(self.bottom + part * (self.top - self.bottom))][self.columns[2] + 5]


class PlotTest(CommandTest):
    def plotted(self, *words):
        result = self.swell("plot", *words)
        self.assert_done(result)
        return result.stdout.split()

    def paths(self, file, role):
        """The places of each line of a role."""
        found = [path for path in ElementTree.parse(self.root / file).iter(SVG + "path") if path.get("class") == role]
        return [[tuple(map(float, place.split())) for place in path.get("d")[1:].split("L")] for path in found]

    def words(self, file):
        return [text.text for text in ElementTree.parse(self.root / file).iter(SVG + "text")]

    def assert_refused_to_plot(self, *words, says):
        before = self.files()
        self.assert_sentence(self.swell("plot", *words), 2, *says)
        self.assertEqual(self.files(), before)
