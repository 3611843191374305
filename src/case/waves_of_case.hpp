// SPDX-License-Identifier: Apache-2.0
// Incident waves and point sources of a case, checked against its model and mesh.
#pragma once

#include "case/problem_of_case.hpp"

namespace swell {

// Throws InputError with `key` before it for waves that the model has not.
WaveSpec wave_of_case(const PlaneWave& wave, const Model& model, const std::string& key);
TotalFieldSpec total_field(const IncidentCase& incident, const Mesh& mesh, const Model& model, Extent extent);
// Without a locator the cell stays unknown.
// Problem::near_points of the problem's point sources.
std::vector<char> near_points(const Problem& problem);
PointSourceSpec point_source(const PointSourceCase& p, const Model& model, const Locator* locator);

}  // namespace swell
