// SPDX-License-Identifier: Apache-2.0
#include "io/draw/picture.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "io/draw/font.hpp"

namespace swell {

std::vector<double> ticks(double low, double high, int most) {
  std::vector<double> result;
  const double range = high - low;
  most = std::max(most, 3);  // with fewer there may be no round number in the range
  if (!(range > 0) || !std::isfinite(range)) return {low};
  double step = std::pow(10, std::floor(std::log10(range / most)));
  for (double factor : {2.0, 2.5, 2.0, 2.0})  // 1, 2, 5, 10, 20
    if (range / step > most) step *= factor;
  // Counting in whole steps keeps 0 exactly 0; the slack keeps an end that is a tick but for rounding.
  const double slack = 1e-9;
  for (double n = std::ceil(low / step - slack); n <= high / step + slack && result.size() < 100; ++n)
    result.push_back(n == 0 ? 0 : n * step);
  return result;
}

std::vector<std::string> tick_texts(const std::vector<double>& values) {
  std::vector<std::string> texts;
  const double step = values.size() > 1 ? values[1] - values[0] : std::abs(values.front());
  for (int digits = 3; digits < 16; ++digits) {
    texts.clear();
    for (double v : values) texts.push_back(fmt::format("{:.{}g}", v, digits));
    const auto tells = [&](double v, const std::string& text) { return std::abs(std::stod(text) - v) <= 1e-3 * step; };
    if (std::equal(values.begin(), values.end(), texts.begin(), tells)) break;
  }
  return texts;
}

namespace {

constexpr Colour ink{40, 40, 46}, white{255, 255, 255};
constexpr int text_scale = 2, text_height = glyph_height * text_scale;
constexpr int gap = 10, tick_length = 6, bar_width = 22;

// A scale's ends and colours.
class ColourScale {
 public:
  ColourScale(double from, double to, ColourMap map) : low(from), high(to) {
    for (int i = 0; i < entries; ++i) table_.push_back(colour_of(map, i / (entries - 1.0)));
  }
  // t in [0,1] along the scale.
  Colour along(double t) const { return table_[std::lround(std::clamp(t, 0.0, 1.0) * (entries - 1))]; }
  Colour operator()(double value) const { return along((value - low) / (high - low)); }
  const double low, high;

 private:
  static constexpr int entries = 1024;
  std::vector<Colour> table_;
};

// The next number outwards with two digits of the range, so that the scale ends where a reader expects.
double rounded_out(double value, double range, bool up) {
  const double unit = std::pow(10, std::floor(std::log10(range)) - 1);
  if (!(unit > 0) || !std::isfinite(unit)) return value;
  const double slack = 1e-6;
  return unit * (up ? std::ceil(value / unit - slack) : std::floor(value / unit + slack));
}

std::array<double, 2> range_of(const Picture& picture) {
  std::array<double, 2> range{0, 0};
  bool any = false;
  for (double value : picture.value) {
    if (!std::isfinite(value)) continue;
    range = {any ? std::min(range[0], value) : value, any ? std::max(range[1], value) : value};
    any = true;
  }
  return range;
}

ColourScale scale_for(const PictureOptions& options, const Picture& picture) {
  const auto [least, largest] = range_of(picture);
  double low = options.low.value_or(least), high = options.high.value_or(largest);
  ColourMap map = options.colours;
  if (map == ColourMap::automatic) map = low < 0 && high > 0 ? ColourMap::diverging : ColourMap::sequential;
  if (map == ColourMap::diverging) {
    // White means zero: an end that is not given mirrors the other.
    const double extent = std::max(std::abs(least), std::abs(largest));
    low = options.low.value_or(options.high ? -*options.high : -extent);
    high = options.high.value_or(options.low ? -*options.low : extent);
  }
  if (!(high > low)) {  // a constant field gets the middle colour
    const double half = low == 0 ? 1 : 0.5 * std::abs(low);
    return {low - half, low + half, map};
  }
  const double range = high - low;
  if (!options.low) low = rounded_out(low, range, false);
  if (!options.high) high = rounded_out(high, range, true);
  return {low, high, map};
}

// Drops ticks whose numbers would touch in a small picture.
void thin_out(std::vector<double>& values, double least_distance) {
  std::vector<double> kept;
  for (double v : values)
    if (kept.empty() || v - kept.back() >= least_distance) kept.push_back(v);
  values = kept;
}

int widest(const std::vector<std::string>& texts) {
  int width = 0;
  for (const std::string& text : texts) width = std::max(width, text_width(text, text_scale));
  return width;
}

// The layout of the image.
struct Layout {
  int left, top, width, height;  // of the field
  int bar_left;
  int image_width, image_height;
};

class Renderer {
 public:
  Renderer(const PictureOptions& options, const Picture& picture)
      : options_(options), picture_(picture), scale_(scale_for(options, picture)) {
    const int per_column = 110, per_row = 80;  // pixels along the axes for each number
    x_ticks_ = ticks(picture.low[0], picture.high[0], picture.width / per_column);
    y_ticks_ = ticks(picture.low[1], picture.high[1], picture.height / per_row);
    bar_ticks_ = ticks(scale_.low, scale_.high, picture.height / per_row);
    const int row_room = text_height + 4, column_room = widest(tick_texts(x_ticks_)) + gap;
    thin_out(x_ticks_, (picture.high[0] - picture.low[0]) / picture.width * column_room);
    thin_out(y_ticks_, (picture.high[1] - picture.low[1]) / picture.height * row_room);
    thin_out(bar_ticks_, (scale_.high - scale_.low) / picture.height * row_room);
    layout_.left = gap + text_width(options.axes[1], text_scale) + gap + widest(tick_texts(y_ticks_)) + tick_length + 4;
    layout_.top = gap + (options.title.empty() && !options.time && options.field.empty() ? 0 : text_height + 2 * gap);
    layout_.width = picture.width;
    layout_.height = picture.height;
    layout_.bar_left = layout_.left + layout_.width + 2 * gap;
    const int bar_text =
        std::max(bar_width + tick_length + 4 + widest(tick_texts(bar_ticks_)), text_width(options.field, text_scale));
    layout_.image_width = layout_.bar_left + bar_text + gap;
    layout_.image_height = layout_.top + layout_.height + tick_length + 4 + text_height + gap + text_height + gap;
    image_ = Image(layout_.image_width, layout_.image_height);
  }

  Image draw() {
    draw_field();
    draw_axes();
    draw_bar();
    draw_header();
    return std::move(image_);
  }

 private:
  void text(int column, int row, std::string_view words) { draw_text(image_, column, row, words, text_scale, ink); }

  void frame(int left, int top, int width, int height) {
    image_.fill(left - 1, top - 1, width + 2, 1, ink);
    image_.fill(left - 1, top + height, width + 2, 1, ink);
    image_.fill(left - 1, top - 1, 1, height + 2, ink);
    image_.fill(left + width, top - 1, 1, height + 2, ink);
  }

  // The mean colour of a pixel's samples; samples outside the mesh are background.
  Colour pixel(int column, int row) const {
    const int s = picture_.samples;
    std::array<int, 3> sum{0, 0, 0};
    for (int j = row * s; j < (row + 1) * s; ++j)
      for (int i = column * s; i < (column + 1) * s; ++i) {
        const float value = picture_.value[static_cast<std::size_t>(j) * picture_.width * s + i];
        const Colour colour = std::isnan(value) ? white : scale_(value);
        for (int c = 0; c < 3; ++c) sum[c] += colour[c];
      }
    Colour mean;
    for (int c = 0; c < 3; ++c) mean[c] = static_cast<std::uint8_t>((sum[c] + s * s / 2) / (s * s));
    return mean;
  }

  void draw_field() {
    for (int row = 0; row < picture_.height; ++row)
      for (int column = 0; column < picture_.width; ++column)
        image_.set(layout_.left + column, layout_.top + row, pixel(column, row));
    draw_lines(image_, layout_.left, layout_.top, picture_);
    frame(layout_.left, layout_.top, layout_.width, layout_.height);
  }

  static int place(double value, double low, double high, int size) {
    return static_cast<int>(std::lround((value - low) / (high - low) * (size - 1)));
  }

  void draw_axes() {
    const int bottom = layout_.top + layout_.height;
    const std::vector<std::string> x_texts = tick_texts(x_ticks_), y_texts = tick_texts(y_ticks_);
    for (std::size_t n = 0; n < x_ticks_.size(); ++n) {
      const int column = layout_.left + place(x_ticks_[n], picture_.low[0], picture_.high[0], layout_.width);
      image_.fill(column, bottom, 1, tick_length, ink);
      text(column - text_width(x_texts[n], text_scale) / 2, bottom + tick_length + 4, x_texts[n]);
    }
    for (std::size_t n = 0; n < y_ticks_.size(); ++n) {
      const int row = bottom - 1 - place(y_ticks_[n], picture_.low[1], picture_.high[1], layout_.height);
      image_.fill(layout_.left - tick_length, row, tick_length, 1, ink);
      text(layout_.left - tick_length - 4 - text_width(y_texts[n], text_scale), row - text_height / 2, y_texts[n]);
    }
    text(layout_.left + (layout_.width - text_width(options_.axes[0], text_scale)) / 2,
         bottom + tick_length + 4 + text_height + gap / 2, options_.axes[0]);
    text(gap, layout_.top + (layout_.height - text_height) / 2, options_.axes[1]);
  }

  void draw_bar() {
    for (int row = 0; row < layout_.height; ++row) {
      const double t = layout_.height > 1 ? 1 - static_cast<double>(row) / (layout_.height - 1) : 0.5;
      image_.fill(layout_.bar_left, layout_.top + row, bar_width, 1, scale_.along(t));
    }
    frame(layout_.bar_left, layout_.top, bar_width, layout_.height);
    const std::vector<std::string> texts = tick_texts(bar_ticks_);
    for (std::size_t n = 0; n < bar_ticks_.size(); ++n) {
      const int row = layout_.top + layout_.height - 1 - place(bar_ticks_[n], scale_.low, scale_.high, layout_.height);
      image_.fill(layout_.bar_left + bar_width, row, tick_length, 1, ink);
      text(layout_.bar_left + bar_width + tick_length + 4, row - text_height / 2, texts[n]);
    }
  }

  void draw_header() {
    const int row = layout_.top - gap - text_height;
    text(layout_.bar_left, row, options_.field);
    const std::string time = options_.time ? fmt::format("t = {:.5g}", *options_.time) : "";
    const int time_left = layout_.left + layout_.width - text_width(time, text_scale);
    text(time_left, row, time);
    text(layout_.left, row, fitted_text(options_.title, text_scale, time_left - layout_.left - 2 * gap));
  }

  const PictureOptions& options_;
  const Picture& picture_;
  ColourScale scale_;
  std::vector<double> x_ticks_, y_ticks_, bar_ticks_;
  Layout layout_{};
  Image image_;
};

}  // namespace

Image render(const PictureOptions& options, const Picture& picture) { return Renderer(options, picture).draw(); }

}  // namespace swell
