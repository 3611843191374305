// SPDX-License-Identifier: Apache-2.0
// What the checkpoints of all kinds of runs have in common.
#pragma once

#include <nlohmann/json.hpp>

#include "io/checkpoint.hpp"
#include "sim/outputs/outputs.hpp"

namespace swell {

nlohmann::json as_json(const OutputsSoFar& outputs);
OutputsSoFar outputs_of(const nlohmann::json& json);

// What a checkpoint says about itself; `more` has what its kind of run adds.
std::string about_run(const std::string& model, const std::vector<std::string>& fields, const Case& given,
                      const std::string& mesh, const OutputsSoFar& outputs, nlohmann::json more);

// Throws InputError where the checkpoint is of other fields or of another mesh.
void check_kind(const nlohmann::json& about, const std::vector<std::string>& fields, const std::string& mesh,
                const std::filesystem::path& file);

// On the first rank the numbers of all elements in the order of the whole mesh, [cell][number][field]; nothing elsewhere. `own`:
// those of this rank's `cells`, given by their numbers in the whole mesh.
StoredArray gathered(Ranks& ranks, const std::vector<double>& cells, const std::vector<double>& own, std::int64_t elements,
                     std::int64_t numbers, std::int64_t fields, Precision precision);

}  // namespace swell
