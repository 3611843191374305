// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "study/verify/verify.hpp"

namespace swell {

std::string rows_as_json(const std::vector<VerifyRow>& rows, const Device& device, bool part) {
  using Json = nlohmann::ordered_json;
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  Json list = Json::array();
  bool passed = true;
  for (const VerifyRow& row : rows) {
    passed = passed && row.passed;
    list.push_back({{"name", row.name},
                    {"quantity", row.quantity},
                    {"element", row.element},
                    {"precision", row.precision},
                    {"order", row.order},
                    {"cells", row.cells},
                    {"error", number(row.error)},
                    {"observed_order", number(row.observed_order)},
                    {"expected", row.expected},
                    {"passed", row.passed},
                    {"remark", row.remark},
                    {"seconds", number(row.seconds)}});
  }
  Json json = {{"device", device.info().name}, {"backend", device.info().backend}, {"passed", passed}};
  if (part) json["part"] = true;
  json["rows"] = list;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace swell
