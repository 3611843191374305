// SPDX-License-Identifier: Apache-2.0
// ADER in both families on all shapes: transport, sound, elastic and electromagnetic waves.
#include "study/verify/families.hpp"

namespace swell {

namespace {

std::vector<VerifySeries> plane(std::vector<int> second, std::vector<int> third, std::vector<int> fourth, bool quick) {
  const std::vector<int> small = quick ? second : std::vector<int>{};
  std::vector<VerifySeries> all;
  for (const char* element : {"triangle", "quadrilateral"}) {
    all.push_back(study(element, 2, second, small));
    all.push_back(study(element, 3, third));
    all.push_back(study(element, 4, fourth));
  }
  return at_full_step(all);
}

std::vector<VerifySeries> space() {
  std::vector<VerifySeries> all;
  for (const char* element : {"tetrahedron", "hexahedron"}) {
    all.push_back(study(element, 2, {8, 16}));
    all.push_back(study(element, 3, {4, 8}));
    all.push_back(study(element, 4, {4, 8}));
  }
  return at_full_step(all);
}

// What is carried far or through few elements for its width shows the error of its phase first.
std::vector<VerifySeries> carried(std::vector<VerifySeries> all) {
  for (auto& series : all) series = up_to_phase(series);
  return all;
}

}  // namespace

std::vector<VerifyEntry> verify_ader() {
  const auto transport = verify_advection(), sound = verify_acoustics(), solids = verify_elastic(),
             fields = verify_maxwell_plane(), fields_in_space = verify_maxwell_space();
  std::vector<VerifyEntry> all;
  const auto add = [&](const std::vector<VerifyEntry>& from, const std::string& name, const std::string& as,
                       const std::string& family, std::vector<VerifySeries> series) {
    VerifyEntry entry = with_ader(from, name, as, family);
    entry.series = std::move(series);
    all.push_back(std::move(entry));
  };
  add(transport, "advection-gaussian", "ader-advection", "nodal", carried(plane({64, 128}, {32, 64}, {24, 48}, false)));
  add(sound, "acoustics-soft", "ader-acoustics", "nodal", plane({16, 32}, {8, 16}, {8, 16}, false));
  add(solids, "elastic-periodic", "ader-elastic", "nodal", plane({32, 64}, {8, 16}, {8, 16}, false));
  add(fields, "maxwell-tm-cavity", "ader-maxwell", "nodal", plane({8, 16}, {8, 16}, {4, 8}, true));
  for (const std::string family : {"nodal", "modal"}) {
    const std::string end = family == "nodal" ? "-space" : "-space-modal";
    add(transport, "advection-wave", "ader-advection" + end, family, carried(space()));
    add(sound, "acoustics-cube", "ader-acoustics" + end, family, space());
    add(solids, "elastic-cube", "ader-elastic" + end, family, space());
    add(fields_in_space, "maxwell-cavity", "ader-maxwell" + end, family, space());
  }
  return all;
}

}  // namespace swell
