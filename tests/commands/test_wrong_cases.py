# SPDX-License-Identifier: Apache-2.0
"""A wrong case ends with exit code 2 and one sentence that names the place, before anything is written."""

import os
import shutil
import unittest

from support import SMALL_CASE, CommandTest


def changed(old, new):
    if old not in SMALL_CASE:
        raise ValueError(f"the small case has no {old!r}")
    return SMALL_CASE.replace(old, new)


class WrongCase(CommandTest):
    def test_the_small_case_is_right(self):
        self.assert_done(self.run_case(SMALL_CASE))

    def test_unknown_key(self):
        self.assert_refused(changed("order = 2", "ordr = 2"), "model.ordr", "case.toml", "model.order")

    def test_unknown_section(self):
        self.assert_refused(SMALL_CASE + "[recievers]\n", "recievers", "receiver")

    def test_wrong_type(self):
        self.assert_refused(changed("order = 2", 'order = "two"'), "model.order in case.toml", "whole number")
        self.assert_refused(changed("end = 0.2", "end = true"), "time.end in case.toml", "number")

    def test_modal_family(self):
        modal = changed("order = 2", 'order = 2\nfamily = "modal"')
        self.assert_done(self.run_case(modal))
        self.assert_refused(modal.replace("order = 2", "order = 2\ncoefficient_order = 3"),
                            "model.coefficient_order in case.toml", "above model.order")
        self.assert_refused(changed("order = 2", "order = 2\ncoefficient_order = 1"),
                            "model.coefficient_order in case.toml", "modal")
        self.assert_refused(changed("order = 2", 'order = 2\nfamily = "spectral"'), "model.family in case.toml", "nodal")
        self.assert_refused(changed("order = 2", 'order = 2\nfamily = "discontinuous"'), "model.family in case.toml",
                            "nodal or modal")
        curved = modal.replace("box = { low = [0, 0], high = [1, 1], cells = [3, 3] }", "disc = { cells = 2 }")
        self.assert_refused(curved, "modal", "straight", "nodal")

    def test_unknown_model(self):
        self.assert_refused(changed("maxwell-tm", "maxwel-tm"), "maxwel-tm", "maxwell-tm")

    def test_model_that_does_not_fit_the_dimension(self):
        self.assert_refused(changed("maxwell-tm", "maxwell"), "maxwell", "2")

    def test_unknown_field(self):
        self.assert_refused(changed("Ez =", "Ezz ="), "initial", "Ezz", "Ez")
        self.assert_refused(SMALL_CASE + '[exact]\nE = "x"\n', "exact", "'E'", "case.toml")
        self.assert_refused(SMALL_CASE + '[source]\nJz = "x"\n', "source", "'Jz'", "case.toml")
        self.assert_refused(SMALL_CASE + '[[receiver]]\nname = "b"\nat = [0.5, 0.5]\nfields = ["Hz"]\n', "receiver[1]", "'Hz'")
        self.assert_refused(SMALL_CASE.replace('folder = "out"', 'picture = { field = "Hz" }'), "output.picture.field", "'Hz'")

    def test_unknown_material(self):
        self.assert_refused(SMALL_CASE + "[material]\nepsilom = 2\n", "material.epsilom in case.toml", "'epsilon'")

    def test_unknown_region(self):
        self.assert_refused(SMALL_CASE + "[material.glass]\nepsilon = 2\n", "material.glass", "case.toml", "region")
        self.assert_refused(
            SMALL_CASE + '[incident]\ndirection = [1, 0]\npulse = "s"\ntotal = ["glass"]\n', "incident", "glass", "region")

    def test_unknown_region_of_a_mesh_without_names(self):
        heat = ('[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [2, 2] }\n[model]\nname = "heat"\n'
                '[time]\nend = 1\ndt = 1\n[material.glass]\nk = 2\n')
        for case in (heat, SMALL_CASE + "[material.glass]\nepsilon = 2\n"):
            self.assert_refused(case, "names no region of the mesh, which has none with a name.")

    def test_misspelt_heat(self):
        self.assert_refused(SMALL_CASE.replace("maxwell-tm", "poison"), "no model 'poison'", "did you mean 'poisson'?")

    def test_nodal_ader_with_material_in_time(self):
        advection = ('[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [2, 2] }\n[model]\nname = "advection"\n'
                     '[time]\nend = 1\nscheme = "ader"\n[material]\nax = ')
        self.assert_refused(advection + '"cos(t)"\n', "material that changes with time", 'model.family = "modal"')
        self.assert_refused(advection + '"cos(x)"\n', "material that varies inside an element, as in cell 0")

    def test_unknown_boundary(self):
        self.assert_refused(SMALL_CASE + '[boundary]\nxmim = "pec"\n', "boundary.xmim in case.toml", "'xmin'")

    def test_unknown_boundary_kind(self):
        self.assert_refused(SMALL_CASE + '[boundary]\nxmin = "pek"\n', "boundary.xmin in case.toml", "'pek'", "'pec'")
        self.assert_refused(SMALL_CASE + '[boundary]\nxmin = "rigid"\n', "boundary.xmin in case.toml", "'rigid'")

    def test_boundary_with_the_wrong_data(self):
        self.assert_refused(SMALL_CASE + '[boundary]\nxmin = { kind = "pec", Z = 1 }\n', "boundary.xmin", "'Z'")
        self.assert_refused(SMALL_CASE + '[boundary]\nxmin = { kind = "impedance", Z = -1 }\n', "boundary.xmin", "Z", "-1")
        self.assert_refused(SMALL_CASE + '[boundary]\nxmin = "exact"\n', "boundary.xmin", "[exact]")

    def test_unknown_flux_and_scheme(self):
        self.assert_refused(changed("order = 2", 'flux = "upwnd"'), "model.flux in case.toml", "'upwind'")
        self.assert_refused(changed("end = 0.2", 'end = 1\nscheme = "rk5"'), "time.scheme in case.toml", "rk4")

    def test_order_out_of_range(self):
        for order in (0, -1, 13, 2**40):
            self.assert_refused(changed("order = 2", f"order = {order}"), "model.order in case.toml", str(order))

    def test_mesh_of_no_cells(self):
        self.assert_refused(changed("cells = [3, 3]", "cells = [3, 0]"), "mesh.box.cells in case.toml", "0")
        self.assert_refused(changed("high = [1, 1]", "high = [1, 0]"), "mesh.box.high in case.toml")

    def test_missing_case_file(self):
        self.assert_sentence(self.swell("run", "nothing.toml"), 2, "nothing.toml")
        self.assert_sentence(self.swell("run", "."), 2, "folder")
        self.assertEqual(self.files(), [])

    def test_missing_mesh_file(self):
        text = SMALL_CASE.replace("box = { low = [0, 0], high = [1, 1], cells = [3, 3] }", 'file = "nothing.msh"')
        self.assert_refused(text, "nothing.msh")

    def test_broken_toml(self):
        self.assert_refused(SMALL_CASE + "[mesh\n", "case.toml, line")
        self.assert_refused(b"\xff\xfe\x00" * 10, "case.toml, line 1")
        self.assert_refused("", "mesh is missing in case.toml")

    def test_expression_with_an_unknown_name(self):
        self.assert_refused(changed("sin(pi*x)", "sine(pi*x)"), "initial.Ez in case.toml", "'sine'", "sin")
        self.assert_refused(changed("sin(pi*x)", "sin(pi*q)"), "initial.Ez in case.toml", "'q'")
        self.assert_refused(SMALL_CASE + '[material]\nepsilon = "1 + t"\n', "material.epsilon in case.toml", "t")

    def test_expression_that_is_no_expression(self):
        for text in ("sin(pi*x", "1 +", "", "x y", "1; system(1)", "(" * 100000, "2 ** 3", "x.y", "sin()"):
            self.assert_refused(changed("sin(pi*x)*sin(pi*y)", text), "initial.Ez in case.toml")

    def test_initial_state_that_is_not_finite(self):
        self.assert_refused(changed("sin(pi*x)*sin(pi*y)", "1/(x - x)"), "initial.Ez", "inf")
        self.assert_refused(changed("sin(pi*x)*sin(pi*y)", "sqrt(x - 0.5)"), "initial.Ez", "nan")

    def test_material_that_no_matter_has(self):
        for value in ("-1", "0", '"x - 0.5"', '"1/(x - x)"', '"sqrt(x - 0.5)"'):
            self.assert_refused(SMALL_CASE + f"[material]\nepsilon = {value}\n", "'epsilon'", "positive")
        for value in ("nan", "inf", '"0/0"', '"log(0)"'):
            self.assert_refused(SMALL_CASE + f"[material]\nepsilon = {value}\n", "material.epsilon in case.toml")
        self.assert_refused(SMALL_CASE + "[material]\nsigma = -1\n", "sigma", "not negative")
        self.assert_refused(SMALL_CASE + '[material]\nepsilon = "1/(x-x)"\n', "'epsilon' = 1/(x-x) has the value inf at",
                            "must be finite and positive")

    def test_material_that_is_negative_in_a_single_element(self):
        self.assert_refused(SMALL_CASE + '[material]\nmu = "if((x - 0.9)^2 + (y - 0.9)^2 < 0.01, -1, 1)"\n', "mu", "-1", "positive")

    def test_far_field(self):
        def far(surface, frequencies="[1]", more=""):
            return SMALL_CASE + f"[farfield]\nfrequencies = {frequencies}\nsurface = {surface}\n{more}\n"

        self.assert_done(self.run_case(far("{ center = [0.5, 0.5], radius = 0.3 }")))
        self.assert_refused(far("{ radius = 0.3 }"), "farfield.surface", "outside the mesh")
        self.assert_refused(far("{ radius = 0.3, low = [0, 0] }"), "farfield.surface in case.toml", "either", "radius")
        self.assert_refused(far("{ low = [0.2, 0.2], high = [0.1, 0.4] }"), "farfield.surface.high in case.toml", "above low")
        self.assert_refused(far("{ low = [0.2, 0.2, 0.2], high = [0.3, 0.3, 0.3] }"), "farfield.surface.low in case.toml", "2 dimensions")
        self.assert_refused(far("{ center = [0.5, 0.5], radius = 0.3 }", "[]"), "farfield.frequencies in case.toml")
        self.assert_refused(far("{ center = [0.5, 0.5], radius = 0.3 }", "[0]"), "farfield.frequencies in case.toml")
        self.assert_refused(far("{ center = [0.5, 0.5], radius = 0.3 }", more="theta = [90]"), "farfield.theta", "in space")
        self.assert_refused(far("{ center = [0.5, 0.5], radius = 0.3 }", "[1e9]"), "farfield.surface", "wavelengths")
        self.assert_refused(far("{ center = [0.5, 0.5], radius = 0.3 }") + '[material]\nepsilon = "1 + x"\n', "epsilon", "one medium")
        # A spot that only the many points of a high frequency meet.
        spot = '[material]\nepsilon = "if((x - 0.8)^2 + (y - 0.5)^2 < 2.5e-5, 2, 1)"\n'
        self.assert_refused(far("{ center = [0.5, 0.5], radius = 0.3 }", "[100]") + spot, "epsilon", "one medium")
        self.assert_refused(far("{ center = [0.5, 0.5], radius = 0.3 }") + "[material]\nsigma = 1\n", "farfield.surface", "conducts")
        self.assert_refused(far("{ center = [0.5, 0.5], radius = 0.3 }").replace("maxwell-tm", "elastic").replace("Ez =", "vx ="),
                            "farfield", "elastic", "no far field")
        self.assert_refused(far("{ center = [0.5, 0.5], radius = 0.3 }") + '[incident]\ndirection = [1, 0]\npulse = "s"\n'
                            'total = { low = [0.1, 0.1], high = [0.6, 0.9] }\n', "farfield.surface", "total field")

    def test_receiver_outside(self):
        self.assert_refused(changed("at = [0.2, 0.3]", "at = [1.2, 0.3]"), "receiver[0].at", "1.2", "outside")
        self.assert_refused(changed("at = [0.2, 0.3]", "at = [0.2]"), "receiver[0].at in case.toml")

    def test_source_outside(self):
        source = '[[source.point]]\nat = [0.5, -3]\nfield = "Ez"\nsignal = "sin(t)"\n'
        self.assert_refused(SMALL_CASE + source, "source.point[0]", "-3", "outside")
        self.assert_refused(SMALL_CASE + source.replace("-3", "0.5").replace('"Ez"', '"Dz"'), "source.point[0]", "'Dz'")
        self.assert_refused(SMALL_CASE + source.replace("-3", "0.5").replace('field = "Ez"', "moment = [1, 1, 0]"),
                            "source.point[0]", "moment")

    def test_point_sources_of_heat(self):
        heat = ('[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [3, 3] }\n[model]\nname = "heat"\norder = 1\n'
                '[time]\nend = 0.1\ndt = 0.05\n[output]\nfolder = "out"\n')
        source = '[[source.point]]\nat = [0.5, 0.4]\nfield = "T"\nsignal = "sin(t)"\n'
        self.assert_done(self.run_case(heat + source))
        shutil.rmtree(self.root / "out")
        self.assert_refused(heat + source.replace("0.4", "-3"), "source.point[0]", "-3", "outside")
        self.assert_refused(heat + source.replace('"T"', '"u"'), "source.point[0]", "'u'")
        self.assert_refused(heat + source.replace('field = "T"', "moment = [1, 1, 0]"), "source.point[0]", "moment")
        self.assert_refused(heat + source.replace("sin(t)", "x"), "source.point[0].signal", "'x'")
        poisson = heat.replace('"heat"', '"poisson"').replace("[time]\nend = 0.1\ndt = 0.05\n", "")
        self.assert_refused(poisson + source.replace('"T"', '"u"'), "source.point[0].signal", "steady")

    def test_the_modal_family_on_cells_that_are_not_affine(self):
        box = "cells = [3, 3]"
        for cells in ('element = "quadrilateral", move = 0.2', 'element = "quadrilateral", bend = 0.1, geometry_order = 2'):
            for scheme in ("lsrk54", "ader"):
                text = changed(box, f"{box}, {cells}").replace("order = 2\n", 'order = 2\nfamily = "modal"\n')
                text = text.replace("[time]", f'[time]\nscheme = "{scheme}"')
                self.assert_refused(text, 'model.family = "modal"', "parallelograms", 'use "nodal"')
                self.write("case.toml", text)
                self.assert_sentence(self.swell("plan", "case.toml"), 2, 'model.family = "modal"', 'use "nodal"')

    def test_nothing_that_moves(self):
        text = SMALL_CASE.replace("maxwell-tm", "advection").replace("Ez", "u") + "[material]\nax = 0\nay = 0\n"
        self.assert_refused(text, "time.dt")

    def test_picture_of_a_plane_that_is_not_in_the_mesh(self):
        text = SMALL_CASE.replace("high = [1, 1], cells = [3, 3]", "high = [1, 1, 1], cells = [1, 1, 1]").replace("low = [0, 0]", "low = [0, 0, 0]")
        text = text.replace("maxwell-tm", "maxwell").replace("at = [0.2, 0.3]", "at = [0.2, 0.3, 0.4]").replace("order = 2", "order = 1")
        self.assert_refused(text.replace('folder = "out"', "picture = { slice = [0, 0, 5, 0, 0, 1] }"), "output.picture.slice", "5")

    def test_what_this_version_does_not_have(self):
        self.assert_refused(changed('folder = "out"', 'fields = { format = "vtkhdf" }'), "vtkhdf", "does not have")

    def test_heat_without_sense(self):
        heat = ('[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [2, 2] }\n[model]\nname = "heat"\norder = 2\n'
                '[time]\nend = 1\ndt = 0.1\n')
        self.assert_refused(heat + "[material]\nk = -1\n", "'k'", "above 0")
        self.assert_refused(heat + '[material]\nrhoC = "x - 0.5"\n', "'rhoC'", "above 0")
        self.assert_refused(heat + "[material]\nepsilon = 1\n", "material.epsilon", "epsilon")
        self.assert_refused(heat + '[boundary]\nxmin = "pec"\n', "boundary.xmin", "pec")
        self.assert_refused(heat + '[boundary]\nxmin = { kind = "robin", h = 1 }\n', "boundary.xmin", "needs T")
        self.assert_refused(heat + '[boundary]\nxmin = { kind = "robin", h = -1, T = 0 }\n', "h", "below 0")
        self.assert_refused(heat + "[initial]\nEz = 1\n", "initial.Ez", "T only")
        self.assert_refused(heat.replace("dt = 0.1", ""), "time.dt", "missing")
        self.assert_refused(heat.replace("order = 2", 'order = 2\nfamily = "discontinuous"'), "model.family in case.toml",
                            "'heat' takes continuous")

    def test_discontinuous_poisson_without_sense(self):
        poisson = ('[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [2, 2] }\n[model]\nname = "poisson"\norder = 2\n'
                   'family = "discontinuous"\n[device]\nbackend = "cpu"\n')
        self.assert_refused(poisson + '[material]\nk = "x - 0.5"\n', "'k'", "above 0", "cell")
        self.assert_refused(poisson + '[boundary]\nxmin = { kind = "robin", h = -1, T = 0 }\n', "h", "below 0")
        self.assert_refused(poisson.replace("discontinuous", "modal"), "model.family in case.toml",
                            "continuous or discontinuous")
        self.assert_refused(poisson + "[time]\nend = 1\ncfl = 1\n", "time.cfl")

    def test_time_in_what_is_steady(self):
        poisson = ('[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [2, 2] }\n[model]\nname = "poisson"\n'
                   '[device]\nbackend = "cpu"\n')
        for section, key in (('[source]\nu = "sin(t)"\n', "source.u"), ('[exact]\nu = "x*t"\n', "exact.u"),
                             ('[material]\nk = "1 + t"\n', "material.k"),
                             ('[boundary]\nxmin = { kind = "dirichlet", u = "t" }\n', "boundary.xmin.u"),
                             ('[boundary]\nxmin = { kind = "robin", h = "t", T = 1 }\n', "boundary.xmin.h")):
            self.assert_refused(poisson + section, key, "uses t", "steady")

    def test_device_that_is_not_there(self):
        for device in ("cpu:0", "cpu:x", "gpu", "opencl:99:0", "cuda:999", "cpu:99999999999999999999"):
            self.assert_refused(SMALL_CASE, device.split(":")[0], arguments=["--device", device])

    def test_precision_that_is_not_there(self):
        self.assert_refused(SMALL_CASE, "precision", "half", arguments=["--precision", "half"])

    def test_override_of_a_key_that_is_not_there(self):
        self.assert_refused(SMALL_CASE, "model.ordr", "-D", "model.order", arguments=["-D", "model.ordr=2"])
        self.assert_refused(SMALL_CASE, "-D", arguments=["-D", "model.order"])


class WrongOutputFolder(CommandTest):
    def test_that_is_a_file(self):
        self.write("taken", "")
        result = self.run_case(SMALL_CASE, "--output", "taken")
        self.assert_sentence(result, 2, "taken", "in the way")
        self.assertEqual(self.files(), ["case.toml", "taken"])

    def test_below_a_file(self):
        self.write("taken", "")
        self.assert_sentence(self.run_case(SMALL_CASE, "--output", "taken/out"), 2, "taken", "in the way")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_that_may_not_be_written(self):
        (self.root / "locked").mkdir(mode=0o500)
        self.assert_sentence(self.run_case(SMALL_CASE, "--output", "locked/out"), 2, "locked/out", "permission")

    def test_that_is_on_a_file_system_without_files(self):
        self.assert_sentence(self.run_case(SMALL_CASE, "--output", "/proc/swell-out"), 3, "/proc/swell-out")


class WrongWords(CommandTest):
    """Errors of the command line itself."""

    def test_end_with_exit_code_2_and_a_sentence(self):
        self.write("case.toml", SMALL_CASE)
        for words in ([], ["rnu", "case.toml"], ["run"], ["run", "case.toml", "--nonsense"], ["run", "case.toml", "other.toml"],
                      ["run", "case.toml", "-D"], ["mesh"], ["bench", "--order", "0"], ["bench", "nothing"], ["--nonsense"]):
            with self.subTest(words=words):
                self.assert_sentence(self.swell(*words), 2)
        self.assertEqual(self.files(), ["case.toml"])

    def test_help_is_no_error(self):
        for words in (["--help"], ["run", "--help"], ["--version"]):
            result = self.swell(*words)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertTrue(result.stdout)


if __name__ == "__main__":
    unittest.main()
