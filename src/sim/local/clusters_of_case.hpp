// SPDX-License-Identifier: Apache-2.0
// Local time stepping of a case: its clusters, from the stable step of every cell, and what it would gain.
#pragma once

#include <optional>
#include <string>

#include "case/case.hpp"
#include "dg/layout.hpp"
#include "dg/stiffness.hpp"
#include "io/summary.hpp"
#include "time/clusters.hpp"

namespace swell {

// Puts the clusters of a case with time.local into its problem, which is that of the whole mesh; nothing for a case without. Where one
// cluster is the best, the problem has none. Throws InputError where the problem or the case does not allow them.
std::optional<Clusters> take_clusters(const Case& c, Problem& problem, Device& device);

// Number, cells and steps of the clusters, and their gain.
std::string clusters_in_words(const Clusters& clusters);

ClusterSummary cluster_summary(const Clusters& clusters);

// A sentence where local time stepping would more than halve the work of a case without it and takes the case, else nothing.
// `stiffness`: of all cells.
std::string hint_in_words(const Case& c, const Problem& problem, const Layout& layout, const MaterialField& material, Device& device,
                          const std::vector<Stiffness>& stiffness);

}  // namespace swell
