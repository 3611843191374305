// SPDX-License-Identifier: Apache-2.0
// Entries of the verification suite again, with ADER: in modes, or at the nodes.
#pragma once

#include "study/verify/verify.hpp"

namespace swell {

// The entry `name` of `entries` as a new entry `as` of a family ("modal", "nodal") with ADER, without series.
VerifyEntry with_ader(const std::vector<VerifyEntry>& entries, const std::string& name, const std::string& as,
                      const std::string& family);

// At the step of Castro, Behrens and Pelties (2013), eq. (31).
std::vector<VerifySeries> at_full_step(std::vector<VerifySeries> all);
VerifySeries with(VerifySeries series, std::map<std::string, std::string> words);
std::vector<VerifySeries> with(std::vector<VerifySeries> all, const std::map<std::string, std::string>& words);
// With the word $m, for model.coefficient_order, of the order itself.
std::vector<VerifySeries> at_full_coefficients(std::vector<VerifySeries> all);
VerifySeries in_single(VerifySeries series);

}  // namespace swell
