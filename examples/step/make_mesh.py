#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes step.msh (Gmsh 2.2): a channel of 3 x 1 with a step of height 0.2 from x = 0.6 on, in triangles."""

from pathlib import Path

cells = 20  # along a length of 1; a multiple of 5, so that the step fits
step_x, step_y = 3 * cells // 5, cells // 5
nodes, lines, triangles = {}, [], []


def node(i, j):
    return nodes.setdefault((i, j), len(nodes) + 1)


def inside(i, j):
    return 0 <= i < 3 * cells and 0 <= j < cells and not (i >= step_x and j < step_y)


for j in range(cells):
    for i in range(3 * cells):
        if not inside(i, j):
            continue
        a, b, c, d = node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)
        # Diagonals alternate, so that no direction is better than another.
        triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 == 0 else [(a, b, d), (b, c, d)]
        for beside, ends in (((i - 1, j), (d, a)), ((i + 1, j), (b, c)), ((i, j - 1), (a, b)), ((i, j + 1), (c, d))):
            if not inside(*beside):
                group = 1 if beside[0] < 0 else 2 if beside[0] == 3 * cells else 3
                lines.append((group, ends))

with open(Path(__file__).parent / "step.msh", "w", encoding="ascii") as file:
    file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n")
    file.write('$PhysicalNames\n4\n1 1 "inlet"\n1 2 "outlet"\n1 3 "walls"\n2 4 "gas"\n$EndPhysicalNames\n')
    file.write(f"$Nodes\n{len(nodes)}\n")
    for (i, j), number in nodes.items():
        file.write(f"{number} {i / cells:.6g} {j / cells:.6g} 0\n")
    file.write(f"$EndNodes\n$Elements\n{len(lines) + len(triangles)}\n")
    elements = [f"1 2 {group} {group} {a} {b}" for group, (a, b) in lines] + [f"2 2 4 4 {a} {b} {c}" for a, b, c in triangles]
    for number, element in enumerate(elements, 1):
        file.write(f"{number} {element}\n")
    file.write("$EndElements\n")
