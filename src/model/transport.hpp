// SPDX-License-Identifier: Apache-2.0
// A page that carries one field along in a velocity, q_t + div(a q) = 0, read by calling its functions: which materials are the
// velocity, and through which boundaries nothing passes.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace swell {

class Device;

struct TransportPage {
  std::vector<int> velocity;  // [axis]: among the materials
  std::vector<char> closed;   // [boundary kind of the model]: a wall; else the field leaves or enters with the value inside
};

// Throws InputError where a function of the page is not of that form.
TransportPage read_transport_page(const Model& model, Device& device);

}  // namespace swell
