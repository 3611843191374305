# SPDX-License-Identifier: Apache-2.0
"""A wrong mesh ends with exit code 2 and one sentence, and takes no more memory than its file can justify."""

import struct
import unittest

from support import MESHES, SMALL_CASE, CommandTest, limit_memory, square_mesh

BOX = "box = { low = [0, 0], high = [1, 1], cells = [3, 3] }"
MESH_CASE = SMALL_CASE.replace(BOX, 'file = "mesh.msh"')
TWO_GIGABYTES = 2 * 2**30
VAST = 2**40


class WrongMesh(CommandTest):
    def refuse_mesh(self, content, *words):
        """Both `swell mesh` and `swell run` say it, within 2 GB."""
        self.write("mesh.msh", content)
        result = self.swell("mesh", "mesh.msh", preexec=limit_memory(TWO_GIGABYTES))
        self.assert_sentence(result, 2, "mesh.msh", *words)
        self.assertEqual(result.stdout, "")
        self.assert_refused(MESH_CASE, "mesh.msh", *words, preexec=limit_memory(TWO_GIGABYTES))

    def test_the_square_is_right(self):
        self.write("mesh.msh", square_mesh())
        result = self.swell("mesh", "mesh.msh")
        self.assert_done(result)
        self.assertIn("'glass': 4 cells", result.stdout)
        self.assertIn("'rim': 4 faces", result.stdout)
        self.assert_done(self.run_case(MESH_CASE + '[boundary]\nrim = "pec"\n[material.glass]\nepsilon = 2\n'))

    def test_element_of_zero_volume(self):
        flat = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0)]
        self.refuse_mesh(square_mesh(points=flat), "element 5")

    def test_element_that_is_inside_out(self):
        crossed = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, -0.5)]
        self.refuse_mesh(square_mesh(points=crossed))

    def test_element_twice(self):
        self.refuse_mesh(square_mesh(triangles=[(1, 2, 5), (2, 3, 5), (3, 4, 5), (4, 1, 5), (1, 2, 5)]), "element")

    def test_element_with_a_node_twice(self):
        self.refuse_mesh(square_mesh(triangles=[(1, 2, 5), (2, 3, 5), (3, 4, 5), (4, 4, 5)]), "element 8")

    def test_element_that_names_no_node(self):
        self.refuse_mesh(square_mesh(triangles=[(1, 2, 5), (2, 3, 5), (3, 4, 5), (4, 1, 77)]), "77")

    def test_boundary_that_hangs_in_the_air(self):
        self.refuse_mesh(square_mesh(lines=[(1, 2), (2, 4)]), "'rim'", "no cell")

    def test_sheet_that_ends_inside_an_element(self):
        points = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.5), (0.5, 0.2)]
        self.refuse_mesh(square_mesh(points=points, lines=[(1, 2), (2, 3), (3, 4), (4, 1), (5, 6)]), "element 5", "'rim'", "no face")

    def test_hanging_node(self):
        points = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.5), (1, 0.5), (2, 0.5)]
        triangles = [(1, 2, 5), (2, 3, 5), (3, 4, 5), (4, 1, 5), (2, 7, 6), (6, 7, 3)]
        self.refuse_mesh(square_mesh(points=points, triangles=triangles, lines=[(1, 2)]), "element 3", "(1, 0.5)", "hanging node")

    def test_name_of_cells_and_of_faces(self):
        self.refuse_mesh(square_mesh().replace('"rim"', '"glass"'), "'glass'", "cells", "faces")

    def test_name_of_groups_of_two_dimensions(self):
        mesh = square_mesh().replace("$PhysicalNames\n2", '$PhysicalNames\n3\n0 3 "rim"')
        self.refuse_mesh(mesh, "'rim'", "points", "curves")

    def test_face_inside_with_two_names(self):
        mesh = square_mesh(lines=[(1, 5), (5, 1)]).replace("$PhysicalNames\n2", '$PhysicalNames\n3\n1 3 "crack"')
        self.refuse_mesh(mesh.replace("2 1 2 1 1 5 1", "2 1 2 3 3 5 1"), "'rim'", "'crack'", "one name")

    def test_condition_on_a_periodic_side(self):
        sides = "$Periodic\n1\n1 4 2\n2\n1 2\n4 3\n$EndPeriodic\n"
        self.write("mesh.msh", square_mesh(lines=[(1, 4), (2, 3)]) + sides)
        self.assert_done(self.run_case(MESH_CASE))
        self.assert_refused(MESH_CASE + '[boundary]\nrim = "pec"\n', "boundary.rim", "periodic", "'rim'")

    def test_condition_on_a_group_without_faces(self):
        self.write("mesh.msh", square_mesh(lines=[]))
        self.assert_refused(MESH_CASE + '[boundary]\nrim = "pec"\n', "boundary.rim", "'rim'", "no faces")

    def test_face_between_three_elements(self):
        points = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.5), (0.9, 0.5)]
        self.refuse_mesh(square_mesh(points=points, triangles=[(1, 2, 5), (2, 3, 5), (3, 4, 5), (4, 1, 5), (1, 5, 6)]), "element", "share one face")

    def test_elements_on_the_same_side_of_a_face(self):
        points = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.5), (0.6, 0.9)]
        triangles = [(1, 2, 5), (2, 3, 5), (3, 4, 5), (4, 1, 5), (1, 2, 6)]
        self.refuse_mesh(square_mesh(points=points, triangles=triangles), "same side", "overlap")

    def test_coordinate_that_is_not_finite(self):
        for word in ("nan", "inf", "-inf", "1e999"):
            with self.subTest(word=word):
                self.refuse_mesh(square_mesh(points=[(0, 0), (1, 0), (1, 1), (0, 1), (word, 0.5)]))

    def test_no_elements_at_all(self):
        self.refuse_mesh("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n$Elements\n0\n$EndElements\n")
        self.refuse_mesh("")
        self.refuse_mesh("solid something\n")
        self.refuse_mesh(bytes(range(256)) * 40)

    def test_version_that_is_not_read(self):
        self.refuse_mesh("$MeshFormat\n3.0 0 8\n$EndMeshFormat\n", "3")

    def test_file_that_ends_early(self):
        whole = square_mesh().encode()
        for part in (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97):
            with self.subTest(part=part):
                self.refuse_mesh(whole[:int(part * len(whole))])

    def test_shipped_files_that_end_early(self):
        for name in ("disc-order4-41.msh", "sphere-order3-41-binary.msh", "quad-order3-22-binary.msh", "periodic-22.msh"):
            whole = (MESHES / name).read_bytes()
            for part in (0.001, 0.25, 0.6, 0.99):
                with self.subTest(name=name, part=part):
                    self.write("mesh.msh", whole[:int(part * len(whole))])
                    result = self.swell("mesh", "mesh.msh", preexec=limit_memory(TWO_GIGABYTES))
                    self.assert_sentence(result, 2, "mesh.msh")

    def test_text_that_claims_vast_counts(self):
        begin = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
        self.refuse_mesh(f"{begin}$Nodes\n{VAST}\n1 0 0 0\n$EndNodes\n", str(VAST))
        self.refuse_mesh(square_mesh().replace("$Elements\n8", f"$Elements\n{VAST}"), str(VAST))
        self.refuse_mesh(square_mesh().replace("$PhysicalNames\n2", f"$PhysicalNames\n{VAST}"))
        self.refuse_mesh(f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {VAST} 1 {VAST}\n2 1 0 {VAST}\n1\n0 0 0\n$EndNodes\n")

    def test_binary_that_claims_vast_counts(self):
        begin = b"$MeshFormat\n4.1 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n"
        self.refuse_mesh(begin + struct.pack("<4Q", 1, VAST, 1, VAST) + struct.pack("<3iQ", 2, 1, 0, VAST) + bytes(800))

    def test_folder_in_place_of_a_mesh(self):
        (self.root / "mesh.msh").mkdir()
        self.assert_sentence(self.swell("mesh", "mesh.msh"), 2, "mesh.msh")
        self.assert_sentence(self.swell("mesh", "nothing.msh"), 2, "nothing.msh")


if __name__ == "__main__":
    unittest.main()
