// SPDX-License-Identifier: Apache-2.0
#include "io/draw/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/draw/canvas.hpp"
#include "io/files.hpp"

namespace swell {

namespace {

// Sizes of the picture and of the field inside it, in pixels; the legend stands at the right.
constexpr double width = 960, height = 600, left = 80, right = 690, top = 60, bottom = 535;
constexpr double line_height = 20;

// Colours that people with any sight tell apart (Okabe and Ito 2008).
constexpr std::array<const char*, 7> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#e69f00", "#56b4e9", "#000000"};

// A logarithmic axis between two ends on the page.
struct Axis {
  double low, high, from, to;
  double operator()(double value) const { return from + (to - from) * std::log(value / low) / std::log(high / low); }
};

// Ends that hold the values: powers of two.
double below(double value) { return std::exp2(std::floor(std::log2(value))); }
double above(double value) { return std::exp2(std::ceil(std::log2(value))); }

std::string number(double value) {
  return value >= 1000 ? fmt::format("{:g}k", value / 1000) : fmt::format("{:.3g}", value);
}

class Drawing {
 public:
  explicit Drawing(const Roofline& r) : roofline_(r) {
    double least = 1e300, most = 0, lowest = 1e300, highest = 0;
    for (const auto& s : r.series)
      for (const auto& p : s.points) {
        least = std::min(least, p.intensity), most = std::max(most, p.intensity);
        lowest = std::min(lowest, p.flops / 1e9);
      }
    for (const auto& roof : r.roofs) {
      highest = std::max(highest, roof.flops / 1e9);
      most = std::max(most, 2 * roof.flops / r.bandwidth);
    }
    x_ = {below(least / 1.5), above(most * 1.2), left, right};
    y_ = {below(lowest / 1.5), highest * 1.6, bottom, top};
  }

  std::string text() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width, height);
    add("<text x=\"{}\" y=\"32\" font-size=\"16\">{}</text>\n", left, xml_text(roofline_.title));
    draw_axes();
    draw_roofs();
    for (std::size_t i = 0; i < roofline_.series.size(); ++i) draw_series(i);
    return text_ + "</svg>\n";
  }

 private:
  template <class... T>
  void add(fmt::format_string<T...> form, T&&... values) {
    text_ += fmt::format(form, std::forward<T>(values)...);
  }

  void draw_axes() {
    for (double v = x_.low; v <= x_.high * 1.01; v *= 2) {
      add("<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#e4e4e8\"/>\n<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}"
          "</text>\n",
          x_(v), bottom, top, bottom + 20, number(v));
    }
    for (double decade = std::pow(10, std::floor(std::log10(y_.low))); decade <= y_.high; decade *= 10)
      for (const double step : {1.0, 2.0, 5.0}) {
        const double v = decade * step;
        if (v < y_.low || v > y_.high) continue;
        add("<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#e4e4e8\"/>\n<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}"
            "</text>\n",
            left, y_(v), right, left - 8, y_(v) + 4.5, number(v));
      }
    add("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">operations per byte</text>\n", (left + right) / 2, bottom + 44);
    add("<text transform=\"translate(22 {}) rotate(-90)\" text-anchor=\"middle\">GFLOP/s</text>\n", (top + bottom) / 2);
  }

  void draw_roofs() {
    const double slope = roofline_.bandwidth / 1e9;
    double highest = 0;
    for (const auto& roof : roofline_.roofs) {
      const double v = roof.flops / 1e9, corner = std::clamp(v / slope, x_.low, x_.high);
      highest = std::max(highest, v);
      add("<path d=\"M{:.1f} {:.1f}H{}\" stroke=\"#404048\" stroke-width=\"1.5\"/>\n", x_(corner), y_(v), right);
      add("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#404048\">{}, {}</text>\n", right - 4, y_(v) - 6,
          xml_text(roof.name), number(v));
    }
    const double end = std::min(highest / slope, x_.high), start = std::max(x_.low, y_.low / slope);
    add("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"#404048\" stroke-width=\"1.5\"/>\n", x_(start),
        y_(start * slope), x_(end), y_(end * slope));
    const double angle = -180 / M_PI * std::atan2(y_(start * slope) - y_(end * slope), x_(end) - x_(start));
    const double middle = std::sqrt(start * end);
    add("<text transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\" text-anchor=\"middle\" fill=\"#404048\">{} GB/s"
        "</text>\n",
        x_(middle) - 6, y_(middle * slope) - 7, angle, number(std::round(slope)));
  }

  void draw_series(std::size_t i) {
    const RooflineSeries& series = roofline_.series[i];
    const char* colour = colours[i % colours.size()];
    const char* dash = i / colours.size() % 2 ? " stroke-dasharray=\"5 4\"" : "";
    std::string path;
    for (const auto& p : series.points)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_(p.intensity), y_(p.flops / 1e9));
    add("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.6\"{}/>\n", path, colour, dash);
    for (const auto& p : series.points)
      add("<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"4\" fill=\"{2}\"/>\n<text x=\"{3:.1f}\" y=\"{4:.1f}\" "
          "font-size=\"11\" "
          "fill=\"{2}\">{5}</text>\n",
          x_(p.intensity), y_(p.flops / 1e9), colour, x_(p.intensity) + 6, y_(p.flops / 1e9) + 11, xml_text(p.label));
    const double row = top + 10 + line_height * static_cast<double>(i);
    add("<path d=\"M{0} {1}h24\" stroke=\"{2}\"{3}/>\n<circle cx=\"{4}\" cy=\"{1}\" r=\"4\" fill=\"{2}\"/>\n"
        "<text x=\"{5}\" y=\"{6}\">{7}</text>\n",
        right + 18, row, colour, dash, right + 30, right + 50, row + 4.5, xml_text(series.name));
  }

  const Roofline& roofline_;
  Axis x_{}, y_{};
  std::string text_;
};

}  // namespace

std::string roofline_text(const Roofline& roofline) { return Drawing(roofline).text(); }

void write_roofline(const std::filesystem::path& path, const Roofline& roofline) {
  atomic_write(path, roofline_text(roofline));
}

}  // namespace swell
