#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes cylinder.msh: a square around a cylinder of radius 1/2, triangles with curved edges of order 2, in Gmsh's format 2.2.

Regions: near (to the square of half-width 1) and far (to half-width 2). Boundaries: cylinder and outer.
"""

from math import cos, pi, sin
from pathlib import Path

RADIUS, NEAR, FAR = 0.5, 1.0, 2.0
SECTORS, NEAR_RINGS, FAR_RINGS = 24, 3, 4
EDGE, TRIANGLE = 8, 9  # Gmsh's numbers of the elements with 3 and 6 nodes
GROUPS = {"cylinder": 1, "outer": 2, "near": 3, "far": 4}


def on_square(turn):
    """The point on the square of half-width 1, at equal steps along its sides; turn = 0..1, from the middle of the right side."""
    side, along = divmod(turn * 4 + 0.5, 1)
    x, y = 1.0, 2 * along - 1
    for _ in range(int(side) % 4):
        x, y = -y, x
    return x, y


def point(ring, turn):
    x, y = on_square(turn)
    if ring >= NEAR_RINGS:
        width = NEAR + (FAR - NEAR) * (ring - NEAR_RINGS) / FAR_RINGS
        return width * x, width * y
    part = ring / NEAR_RINGS
    circle = RADIUS * cos(2 * pi * turn), RADIUS * sin(2 * pi * turn)
    return tuple((1 - part) * c + part * NEAR * q for c, q in zip(circle, (x, y)))


def main():
    numbers, nodes, elements = {}, [], []

    def node(ring, sector):
        """The number of the node at half steps of rings and sectors."""
        key = ring, sector % (2 * SECTORS)
        if key not in numbers:
            numbers[key] = len(nodes) + 1
            nodes.append(point(ring / 2, key[1] / (2 * SECTORS)))
        return numbers[key]

    def element(kind, group, corners):
        between = [tuple((a + b) // 2 for a, b in zip(p, q)) for p, q in zip(corners, corners[1:] + corners[:1])]
        if kind == EDGE:
            between = between[:1]
        elements.append((kind, GROUPS[group], [node(*place) for place in corners + between]))

    rings = NEAR_RINGS + FAR_RINGS
    for sector in range(0, 2 * SECTORS, 2):
        element(EDGE, "cylinder", [(0, sector), (0, sector + 2)])
        element(EDGE, "outer", [(2 * rings, sector), (2 * rings, sector + 2)])
        for ring in range(0, 2 * rings, 2):
            region = "near" if ring < 2 * NEAR_RINGS else "far"
            a, b, c, d = (ring, sector), (ring + 2, sector), (ring + 2, sector + 2), (ring, sector + 2)
            element(TRIANGLE, region, [a, b, c])
            element(TRIANGLE, region, [a, c, d])

    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(GROUPS))]
    lines += [f'{1 if name in ("cylinder", "outer") else 2} {number} "{name}"' for name, number in GROUPS.items()]
    lines += ["$EndPhysicalNames", "$Nodes", str(len(nodes))]
    lines += [f"{i} {x:.12g} {y:.12g} 0" for i, (x, y) in enumerate(nodes, 1)]
    lines += ["$EndNodes", "$Elements", str(len(elements))]
    lines += [f"{i} {kind} 2 {group} {group} {' '.join(map(str, all_nodes))}"
              for i, (kind, group, all_nodes) in enumerate(elements, 1)]
    lines.append("$EndElements")
    Path(__file__).with_name("cylinder.msh").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
