// SPDX-License-Identifier: Apache-2.0
#include "view/viewer_messages.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

namespace swell {

static_assert(std::endian::native == std::endian::little, "The page reads little-endian numbers.");

namespace {

using Json = nlohmann::json;

constexpr std::size_t most_points_told = 2048;  // of a series, in one message

std::string packed(const Json& head, std::size_t bytes) {
  std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string message(sizeof length, '\0');
  std::memcpy(message.data(), &length, sizeof length);
  message.reserve(sizeof length + text.size() + bytes);
  return message += text;
}

template <class Number>
void append(std::string& message, const std::vector<Number>& numbers) {
  message.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

// JSON has no name for what is not finite: null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

std::optional<PageMessage> read_page_message(std::string_view text, const ViewDescription& about, int dim) {
  const Json given = Json::parse(text, nullptr, false);
  if (!given.is_object()) return std::nullopt;
  const auto kind = given.find("type");
  if (kind == given.end() || !kind->is_string()) return std::nullopt;
  PageMessage message;
  if (*kind == "pause") message.command = ViewCommand::pause;
  if (*kind == "resume") message.command = ViewCommand::resume;
  if (*kind == "stop") message.command = ViewCommand::stop;
  if (message.command != ViewCommand::none) return message;
  if (*kind != "want") return std::nullopt;
  const auto field = given.find("field"), picture = given.find("picture"), slice = given.find("slice");
  if (field == given.end() || !field->is_number_unsigned() || field->get<std::uint64_t>() >= about.fields.size())
    return std::nullopt;
  message.field = field->get<int>();
  if (picture != given.end()) {
    if (!picture->is_number_unsigned() || (!about.live && picture->get<std::uint64_t>() >= about.times.size()))
      return std::nullopt;
    if (!about.live) message.picture = picture->get<std::size_t>();
  }
  if (slice == given.end() || slice->is_null()) return message;
  if (dim != 3 || !slice->is_array() || slice->size() != 6) return std::nullopt;
  double length = 0;
  message.slice.emplace();
  for (std::size_t i = 0; i < 6; ++i) {
    if (!(*slice)[i].is_number()) return std::nullopt;
    (*message.slice)[i] = (*slice)[i].get<double>();
    if (!std::isfinite((*message.slice)[i])) return std::nullopt;
    if (i >= 3) length = std::hypot(length, (*message.slice)[i]);
  }
  if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
  for (std::size_t i = 3; i < 6; ++i) (*message.slice)[i] /= length;
  return message;
}

std::string hello_message(const ViewDescription& about, const SceneMaker& maker) {
  Json message{{"type", "hello"},
               {"title", about.title},
               {"model", about.model},
               {"device", about.device},
               {"fields", about.fields},
               {"end", about.end},
               {"live", about.live},
               {"times", about.times},
               {"dim", maker.dim()},
               {"low", maker.low()},
               {"high", maker.high()},
               {"elements", maker.count()},
               {"complete", maker.complete()},
               {"colours", {{"sequential", about.sequential}, {"diverging", about.diverging}}}};
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string status_message(ViewStatus status, const std::string& message) {
  constexpr const char* names[] = {"running", "paused", "done", "interrupted", "failed", "finished"};
  return Json{{"type", "status"}, {"status", names[static_cast<int>(status)]}, {"message", message}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

std::string geometry_message(const Scene& scene, const char* part) {
  const Json head{{"type", "geometry"},
                  {"part", part},
                  {"number", scene.number},
                  {"corners", scene.corners.size()},
                  {"triangles", scene.triangles.size() / 3},
                  {"lines", scene.lines.size() / 2}};
  const std::size_t numbers = scene.points.size() + scene.triangles.size() + scene.lines.size();
  std::string message = packed(head, sizeof(float) * numbers);
  append(message, scene.points);
  append(message, scene.triangles);
  append(message, scene.lines);
  return message;
}

std::string frame_message(int field, std::size_t picture, const ViewMoment& moment,
                          const std::vector<SceneValues>& scenes) {
  std::vector<float> values;
  Json parts = Json::array();
  for (const SceneValues& shown : scenes) {
    const std::size_t before = values.size(), count = shown.scene->corners.size();
    values.resize(before + count);
    shown.scene->values(*shown.values, values.data() + before);
    parts.push_back({{"number", shown.scene->number}, {"corners", count}});
  }
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const float value : values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  const Json head{{"type", "frame"},     {"field", field},       {"picture", picture},
                  {"time", moment.time}, {"step", moment.step},  {"rate", number(moment.steps_per_second)},
                  {"low", number(low)},  {"high", number(high)}, {"parts", parts}};
  std::string message = packed(head, sizeof(float) * values.size());
  append(message, values);
  return message;
}

std::string series_message(const std::vector<Series>& series, std::vector<std::pair<std::int64_t, std::size_t>>& told) {
  Json news = Json::array();
  told.resize(series.size(), {-1, 0});
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Series& one = series[i];
    auto& [generation, points] = told[i];
    if (generation != one.generation()) generation = one.generation(), points = 0;
    const std::size_t end = std::min(one.size(), points + most_points_told);
    if (end == points) continue;
    Json times = Json::array(), columns = Json::array();
    for (std::size_t k = points; k < end; ++k) times.push_back(number(one.time(k)));
    for (std::size_t c = 0; c < one.columns().size(); ++c) {
      Json values = Json::array();
      for (std::size_t k = points; k < end; ++k) values.push_back(number(one.value(k, c)));
      columns.push_back(std::move(values));
    }
    news.push_back({{"series", i},
                    {"name", one.name()},
                    {"columns", one.columns()},
                    {"from", points},
                    {"times", std::move(times)},
                    {"values", std::move(columns)}});
    points = end;
  }
  return news.empty() ? "" : Json{{"type", "series"}, {"news", std::move(news)}}.dump();
}

}  // namespace swell
