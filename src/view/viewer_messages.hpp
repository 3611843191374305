// SPDX-License-Identifier: Apache-2.0
// The messages between the live view and its pages. Texts are JSON. Binary ones are the length of a JSON head (4 bytes, little
// endian), the head, filled with blanks to a multiple of 4, and arrays of 4-byte numbers.
#pragma once

#include <optional>
#include <string>

#include "view/viewer.hpp"

namespace swell {

// A message of a page: a command, or the wish for a frame.
struct PageMessage {
  ViewCommand command = ViewCommand::none;
  int field = 0;
  std::size_t picture = 0;
  std::optional<SlicePlane> slice;
};
// Nothing where the message is not understood.
std::optional<PageMessage> read_page_message(std::string_view text, const ViewDescription& about, int dim);

struct SceneValues {
  const Scene* scene;
  const std::vector<float>* values;  // [place][node]
};

std::string hello_message(const ViewDescription& about, const SceneMaker& maker);
std::string status_message(ViewStatus status, const std::string& message);
// Points, triangles, lines.
std::string geometry_message(const Scene& scene, const char* part);
// Values of the corners of each scene.
std::string frame_message(int field, std::size_t picture, const ViewMoment& moment,
                          const std::vector<SceneValues>& scenes);
// The new points of the series since `told`, which it brings up to date: generation and points of each. "" where there are
// none.
std::string series_message(const std::vector<Series>& series, std::vector<std::pair<std::int64_t, std::size_t>>& told);

}  // namespace swell
