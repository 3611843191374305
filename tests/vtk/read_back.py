# SPDX-License-Identifier: Apache-2.0
"""Reads the files of make_vtu with VTK and checks cells, node order, fields, measure and times.

VTK evaluates every cell at random parametric points; a wrong order of points shows as a wrong value or measure. The
formulas are those of make_vtu.cpp.
"""
import itertools
import math
import os
import random
import sys
import xml.etree.ElementTree as ElementTree

try:
    from vtkmodules.vtkCommonCore import reference, vtkOutputWindow, vtkStringOutputWindow
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
except ImportError as error:
    sys.exit(f"VTK for {sys.executable} is missing ({error}); install Debian's package python3-vtk9 to run this test.")

TOLERANCE = 1e-10
SINGLE_TOLERANCE = 1e-6
MEASURE_TOLERANCE = 1e-8  # central differences with STEP
STEP = 1e-4
HIGHEST_ORDER = 7
SHAPES = {  # VTK's cell type, dimension, simplex, cells in a file
    "triangle": (69, 2, True, 2),
    "quadrilateral": (70, 2, False, 2),
    "tetrahedron": (71, 3, True, 6),
    "hexahedron": (72, 3, False, 2),
}
# Gauss-Legendre with three points on [0,1].
GAUSS = [(0.5 - math.sqrt(0.15), 5 / 18), (0.5, 4 / 9), (0.5 + math.sqrt(0.15), 5 / 18)]


def check(holds, message):
    if not holds:
        raise AssertionError(message)


def of_position(x, degree):
    return (0.7 + 0.3 * x[0] - 0.5 * x[1] + 0.4 * x[2]) ** degree


def of_reference(r, simplex, degree):
    if simplex:
        return (0.9 + 0.3 * r[0] - 0.5 * r[1] + 0.4 * r[2]) ** degree
    return ((0.7 + 0.3 * r[0]) * (0.9 - 0.5 * r[1]) * (0.8 + 0.4 * r[2])) ** degree


def point_count(order, dim, simplex):
    return math.comb(order + dim, dim) if simplex else (order + 1) ** dim


def read(path, window):
    reader = vtkXMLUnstructuredGridReader()
    problems = []
    for event in ("ErrorEvent", "WarningEvent"):
        reader.AddObserver(event, lambda *_: problems.append(event))
    reader.SetFileName(path)
    check(reader.CanReadFile(path), "VTK says that it cannot read the file")
    reader.Update()
    check(not problems and reader.GetErrorCode() == 0, f"VTK reports {problems}, code {reader.GetErrorCode()}")
    check(not window.GetOutput(), f"VTK prints: {window.GetOutput()}")
    return reader.GetOutput()


def evaluate(cell, r):
    x, weights = [0.0] * 3, [0.0] * cell.GetNumberOfPoints()
    cell.EvaluateLocation(reference(0), r, x, weights)
    return x, weights


def random_place(dim, simplex):
    while True:
        r = [random.random() for _ in range(dim)] + [0.0] * (3 - dim)
        if not simplex or sum(r) < 1:
            return r


def cubature(dim, simplex):
    for nodes in itertools.product(GAUSS, repeat=dim):
        r, weight = [n[0] for n in nodes], math.prod(n[1] for n in nodes)
        if simplex:  # collapse the square or cube: each coordinate shrinks by what the later ones have taken
            for d in range(dim - 2, -1, -1):
                room = 1 - sum(r[d + 1:])
                r[d] *= room
                weight *= room
        yield r + [0.0] * (3 - dim), weight


def jacobian(cell, r, dim):
    columns = []
    for d in range(dim):
        ahead, behind = list(r), list(r)
        ahead[d] += STEP
        behind[d] -= STEP
        columns.append([(a - b) / (2 * STEP) for a, b in zip(evaluate(cell, ahead)[0], evaluate(cell, behind)[0])])
    if dim == 2:
        return columns[0][0] * columns[1][1] - columns[0][1] * columns[1][0]
    (a, b, c), (d, e, f), (g, h, i) = columns
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def check_fields(grid, number, cell, r, degree, order, simplex, tolerance):
    x, weights = evaluate(cell, r)
    ids = [cell.GetPointId(i) for i in range(cell.GetNumberOfPoints())]
    data = grid.GetPointData()

    def value(name, component=0):
        array = data.GetArray(name)
        return sum(w * array.GetComponent(i, component) for w, i in zip(weights, ids))

    for name, wanted in (("position", of_position(x, degree)), ("reference", of_reference(r, simplex, order))):
        got = value(name)
        check(abs(got - wanted) < tolerance, f"cell {number}: '{name}' at {r} is {got}, not {wanted}")
    for component, wanted in enumerate((x[1], x[2], x[0])):
        check(abs(value("vectors <&>", component) - wanted) < tolerance, f"cell {number}: vector component {component}")


def check_grid(grid, shape, order, cells, curved, tolerance, numbers):
    cell_type, dim, simplex, _ = SHAPES[shape]
    check(grid.GetNumberOfCells() == cells, f"{grid.GetNumberOfCells()} cells, not {cells}")
    points = point_count(order, dim, simplex)
    check(grid.GetNumberOfPoints() == cells * points, f"{grid.GetNumberOfPoints()} points, not {cells * points}")
    region, numbered = grid.GetCellData().GetArray("region"), grid.GetCellData().GetArray("number")
    check(region.GetDataTypeAsString() == "int", f"the region is stored as {region.GetDataTypeAsString()}")
    for number in numbers:
        cell = grid.GetCell(number)
        check(cell.GetCellType() == cell_type, f"cell {number} has type {cell.GetCellType()}, not {cell_type}")
        check(cell.GetNumberOfPoints() == points, f"cell {number} has {cell.GetNumberOfPoints()} points, not {points}")
        check(region.GetValue(number) == 7 + number, f"cell {number} has region {region.GetValue(number)}")
        check(numbered.GetValue(number) == 0.5 * number, f"cell {number} has number {numbered.GetValue(number)}")
        for _ in range(4):
            r = random_place(dim, simplex)
            check_fields(grid, number, cell, r, 1 if curved else order, order, simplex, tolerance)


def check_measure(grid, shape):
    _, dim, simplex, cells = SHAPES[shape]
    measure = 0
    for number in range(cells):
        cell = grid.GetCell(number)
        parts = [(jacobian(cell, r, dim), weight) for r, weight in cubature(dim, simplex)]
        check(min(determinant for determinant, _ in parts) > 0, f"cell {number} is turned inside out")
        measure += sum(determinant * weight for determinant, weight in parts)
    check(abs(measure - 1) < MEASURE_TOLERANCE, f"the measure is {measure}, not 1")


def files_of_shapes():
    for shape, order in itertools.product(SHAPES, range(1, HIGHEST_ORDER + 1)):
        for kind in ("straight", "curved") if order > 1 else ("straight",):
            yield f"{shape}_{order}_{kind}.vtu", shape, order, kind == "curved", TOLERANCE
        if order == 3:
            yield f"{shape}_3_single.vtu", shape, 3, False, SINGLE_TOLERANCE


def check_times(folder):
    root = ElementTree.parse(os.path.join(folder, "fields.pvd")).getroot()
    check(root.get("type") == "Collection", "fields.pvd is no collection")
    sets = root.find("Collection").findall("DataSet")
    times = [float(s.get("timestep")) for s in sets]
    check(times == [0.1 * order for order in range(1, HIGHEST_ORDER + 1)], f"fields.pvd has the times {times}")
    for s in sets:
        name = s.get("file")
        check(os.path.isfile(os.path.join(folder, name)), f"fields.pvd names {name}, which is not there")


def main(folder):
    random.seed(1)
    window = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    failures = 0

    def attempt(name, body):
        nonlocal failures
        try:
            body()
        except AssertionError as error:
            failures += 1
            print(f"{name}: {error}")

    def one(name, shape, order, curved, tolerance):
        grid = read(os.path.join(folder, name), window)
        cells = SHAPES[shape][3]
        check_grid(grid, shape, order, cells, curved, tolerance, range(cells))
        check_measure(grid, shape)

    def many(name):
        grid = read(os.path.join(folder, name), window)
        check_grid(grid, "hexahedron", 3, 2001, False, TOLERANCE, random.sample(range(2001), 50))

    def empty():
        grid = read(os.path.join(folder, "empty.vtu"), window)
        check(grid.GetNumberOfCells() == 0, f"{grid.GetNumberOfCells()} cells, not 0")

    files = list(files_of_shapes())
    for arguments in files:
        attempt(arguments[0], lambda: one(*arguments))
    for name in ("many_compressed.vtu", "many_raw.vtu"):
        attempt(name, lambda: many(name))
    attempt("empty.vtu", empty)
    attempt("fields.pvd", lambda: check_times(folder))
    left = [name for name in os.listdir(folder) if name.endswith(".part")]
    attempt("folder", lambda: check(not left, f"temporary files are left: {left}"))
    print(f"{len(files) + 3} files read with VTK, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
