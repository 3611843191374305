// SPDX-License-Identifier: Apache-2.0
#include "sim/checkpoint_parts.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"

namespace swell {

using Json = nlohmann::json;

Json as_json(const OutputsSoFar& o) {
  return {{"bytes", o.bytes},       {"next_samples", o.next_samples}, {"series", o.series}, {"fields", o.fields},
          {"pictures", o.pictures}, {"energy_initial", o.energy_initial}, {"reinitialisations", o.reinitialisations}};
}

OutputsSoFar outputs_of(const Json& j) {
  return {j.at("bytes"), j.at("next_samples"), j.at("series"), j.at("fields"), j.at("pictures"), j.at("energy_initial"),
          j.at("reinitialisations"), {}};
}

std::string about_run(const std::string& model, const std::vector<std::string>& fields, const Case& given,
                      const std::string& mesh, const OutputsSoFar& outputs, Json more) {
  Json about{{"model", model},          {"fields", fields}, {"order", given.order},         {"family", given.family},
             {"scheme", given.scheme}, {"mesh", mesh},     {"outputs", as_json(outputs)}, {"case", given.text}};
  about.update(more);
  return about.dump(1, ' ', false, Json::error_handler_t::replace);
}

void check_kind(const Json& about, const std::vector<std::string>& fields, const std::string& mesh,
                const std::filesystem::path& file) {
  const std::vector<std::string> stored = about.at("fields");
  if (stored != fields)
    throw InputError("--restart: '{}' holds the fields {} of the model '{}', but the case has {}.", file.string(),
                     fmt::join(stored, ", "), about.at("model").get<std::string>(), fmt::join(fields, ", "));
  if (about.at("mesh") != mesh)
    throw InputError("--restart: '{}' was written on another mesh than that of the case.", file.string());
}

StoredArray gathered(Ranks& ranks, const std::vector<double>& cells, const std::vector<double>& own, std::int64_t elements,
                     std::int64_t numbers, std::int64_t fields, Precision precision) {
  const std::int64_t each = numbers * fields;
  const auto cells_of_ranks = ranks.gather(cells), of_ranks = ranks.gather(own);
  StoredArray array{{static_cast<std::uint64_t>(elements), static_cast<std::uint64_t>(numbers), static_cast<std::uint64_t>(fields)}, {}};
  array.single = precision == Precision::single_;
  if (ranks.first()) array.values.resize(static_cast<std::size_t>(elements * each));
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
    for (std::size_t i = 0; i < cells_of_ranks[rank].size(); ++i)
      std::copy_n(of_ranks[rank].begin() + static_cast<std::int64_t>(i) * each, each,
                  array.values.begin() + static_cast<std::int64_t>(cells_of_ranks[rank][i]) * each);
  return array;
}

}  // namespace swell
