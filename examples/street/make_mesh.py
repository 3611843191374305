#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes street.msh: rings of quadrilaterals with 9 nodes around a cylinder of diameter 1, in Gmsh's format 2.2.

Rings grow outwards by a constant factor, and sectors are closer in the wake, which runs to the right. Boundaries: cylinder and outer.
"""

from math import cos, pi, sin
from pathlib import Path

SECTORS, RINGS, RADIUS, OUTER = 18, 7, 0.5, 10.0
CLOSER = 0.4  # 0: equal sectors; below 1
EDGE, QUADRILATERAL = 8, 10  # Gmsh's numbers of the elements with 3 and 9 nodes
GROUPS = {"cylinder": 1, "outer": 2, "flow": 3}


def point(ring, sector):
    """At rings and sectors, which may be halves; ring 0 is the cylinder, sector 0 the middle of the wake."""
    radius = RADIUS * (OUTER / RADIUS) ** (ring / RINGS)
    turn = 2 * pi * sector / SECTORS
    # On the cylinder sectors are nearly equal, far out they are closer in the wake.
    turn -= CLOSER * min(1.0, ring / 4) * sin(turn)
    return radius * cos(turn), radius * sin(turn)


def main():
    numbers, nodes, elements = {}, [], []

    def node(ring, sector):
        """The number of the node at half steps of rings and sectors."""
        key = ring, sector % (2 * SECTORS)
        if key not in numbers:
            numbers[key] = len(nodes) + 1
            nodes.append(point(key[0] / 2, key[1] / 2))
        return numbers[key]

    for sector in range(0, 2 * SECTORS, 2):
        for group, ring in (("cylinder", 0), ("outer", 2 * RINGS)):
            elements.append((EDGE, group, [node(ring, sector + step) for step in (0, 2, 1)]))
        for ring in range(0, 2 * RINGS, 2):
            corners = [(0, 0), (2, 0), (2, 2), (0, 2)]
            edges = [(1, 0), (2, 1), (1, 2), (0, 1)]
            elements.append((QUADRILATERAL, "flow", [node(ring + r, sector + s) for r, s in corners + edges + [(1, 1)]]))

    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(GROUPS))]
    lines += [f'{2 if name == "flow" else 1} {number} "{name}"' for name, number in GROUPS.items()]
    lines += ["$EndPhysicalNames", "$Nodes", str(len(nodes))]
    lines += [f"{i} {x:.12g} {y:.12g} 0" for i, (x, y) in enumerate(nodes, 1)]
    lines += ["$EndNodes", "$Elements", str(len(elements))]
    lines += [f"{i} {kind} 2 {GROUPS[group]} {GROUPS[group]} {' '.join(map(str, all_nodes))}"
              for i, (kind, group, all_nodes) in enumerate(elements, 1)]
    lines.append("$EndElements")
    Path(__file__).with_name("street.msh").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
