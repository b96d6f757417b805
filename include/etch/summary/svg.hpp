// SPDX-License-Identifier: MIT
#pragma once
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <etch/core/diagnostics.hpp>
#include <etch/format/utf8.hpp>
#include <etch/summary/plot_axis.hpp>

/// Curves as pictures, without any other program.
namespace etch::summary {

/// Points that a line joins, and their name in the legend, where it is not empty. A value that is not finite, and on a logarithmic axis one
/// that is not positive, is a gap.
struct curve {
  std::string label;
  std::vector<double> x, y;

  /// `y` over 0, 1, 2 ...
  template <class Y>
  curve(std::string name, const Y& values) : label(std::move(name)) {
    for (const auto& v : values) {
      x.push_back(static_cast<double>(x.size()));
      y.push_back(static_cast<double>(v));
    }
  }
  template <class X, class Y>
  curve(std::string name, const X& places, const Y& values) : label(std::move(name)) {
    for (const auto& v : places) x.push_back(static_cast<double>(v));
    for (const auto& v : values) y.push_back(static_cast<double>(v));
    if (x.size() != y.size()) fail("svg: curve \"%s\" has %zu values over %zu places", label.c_str(), y.size(), x.size());
  }
};

/// What stands around curves. Empty texts take no room.
struct plot_options {
  std::string title{}, x{}, y{};
  bool log_x = false, log_y = false;
  int width = 480, height = 300;  ///< of what is between the axes, in pixels
};

namespace detail {

inline std::string xml_text(const std::string& text) {
  format::check_utf8(text);
  std::string all;
  for (const char c : text) {
    if (c == '<')
      all += "&lt;";
    else if (c == '&')
      all += "&amp;";
    else
      all += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // which XML does not have
  }
  return all;
}
/// About how wide a text is: its letters, bytes that go on with one aside, at 12 pixels.
inline double text_width(const std::string& text) {
  return 7.6 * static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Makes the text of a picture.
class svg_writer {
 public:
  std::string text;

  void add(const char* s) { text += s; }
  void add(const std::string& s) { text += s; }
  void add(double pixels) { text += number_text(pixels, std::chars_format::fixed, 1); }
  template <class... Parts>
  void line(const Parts&... parts) {
    (add(parts), ...);
    text += '\n';
  }
  void label(double x, double y, const char* attributes, const std::string& words) {
    line("<text x=\"", x, "\" y=\"", y, "\"", attributes, ">", xml_text(words), "</text>");
  }
};

struct pixel {
  double x = 0, y = 0;
};

/// Of points in one column of pixels the first, the lowest, the highest and the last: it looks the same (Jugel et al. 2014).
inline std::vector<pixel> thinned(const std::vector<pixel>& points) {
  std::vector<pixel> kept;
  for (std::size_t first = 0, end = 0; first < points.size(); first = end) {
    std::size_t lowest = first, highest = first;
    for (; end < points.size() && std::floor(points[end].x) == std::floor(points[first].x); ++end) {
      if (points[end].y < points[lowest].y) lowest = end;
      if (points[end].y > points[highest].y) highest = end;
    }
    std::size_t before = points.size();
    for (const std::size_t i : {first, std::min(lowest, highest), std::max(lowest, highest), end - 1})
      if (i != before) kept.push_back(points[before = i]);
  }
  return kept;
}

/// A part of a curve without gaps; a point by itself is a dot.
inline void write_part(svg_writer& to, const std::vector<pixel>& part, const char* colour) {
  if (part.empty()) return;
  if (part.size() == 1) return to.line("<circle cx=\"", part[0].x, "\" cy=\"", part[0].y, "\" r=\"2\" fill=\"", colour, "\"/>");
  to.add("<polyline points=\"");
  const char* separator = "";
  for (const pixel& p : thinned(part)) {
    to.add(separator);
    to.add(p.x);
    to.add(",");
    to.add(p.y);
    separator = " ";
  }
  to.line("\" fill=\"none\" stroke=\"", colour, "\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>");
}

}  // namespace detail

/// Curves between two axes as the text of an SVG file.
inline std::string svg_text(const std::vector<curve>& curves, const plot_options& options = {}) {
  constexpr const char* colours[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
                                     "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"};
  const double width = options.width, height = options.height;
  detail::plot_axis x(options.log_x, 8), y(options.log_y, 6);
  double legend = 0;
  for (const curve& c : curves) {
    if (!c.label.empty()) legend = std::max(legend, 40 + detail::text_width(c.label));
    for (std::size_t i = 0; i < c.x.size(); ++i)
      if (x.shows(c.x[i]) && y.shows(c.y[i])) {
        x.add(c.x[i]);
        y.add(c.y[i]);
      }
  }
  x.close();
  y.close();
  const std::vector<detail::tick> x_ticks = x.ticks(), y_ticks = y.ticks();
  double widest = 0;
  for (const detail::tick& t : y_ticks) widest = std::max(widest, detail::text_width(t.label));

  const double left = 16 + widest + (options.y.empty() ? 0 : 20), top = options.title.empty() ? 12 : 36;
  const double right = left + width, bottom = top + height;
  const double whole_width = right + std::max(legend, 20.0), whole_height = bottom + (options.x.empty() ? 26 : 46);
  const auto at = [&](double a, double b) { return detail::pixel{left + x.place(a) * width, bottom - y.place(b) * height}; };

  detail::svg_writer to;
  to.line("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", whole_width, "\" height=\"", whole_height,
          "\" font-family=\"sans-serif\" font-size=\"12\">");
  to.line("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
  if (!options.title.empty()) to.label(left + width / 2, 22, " text-anchor=\"middle\" font-size=\"15\"", options.title);
  const auto grid = [&](double x1, double y1, double x2, double y2, const detail::tick& t) {
    to.line("<line x1=\"", x1, "\" y1=\"", y1, "\" x2=\"", x2, "\" y2=\"", y2, "\" stroke=\"", t.label.empty() ? "#f2f2f2" : "#ddd",
            "\"/>");
  };
  for (const detail::tick& t : x_ticks) {
    const double place = left + x.place(t.at) * width;
    grid(place, top, place, bottom, t);
    if (!t.label.empty()) to.label(place, bottom + 16, " text-anchor=\"middle\"", t.label);
  }
  for (const detail::tick& t : y_ticks) {
    const double place = bottom - y.place(t.at) * height;
    grid(left, place, right, place, t);
    if (!t.label.empty()) to.label(left - 6, place + 4, " text-anchor=\"end\"", t.label);
  }
  to.line("<rect x=\"", left, "\" y=\"", top, "\" width=\"", width, "\" height=\"", height, "\" fill=\"none\" stroke=\"#888\"/>");
  if (!options.x.empty()) to.label(left + width / 2, bottom + 36, " text-anchor=\"middle\"", options.x);
  if (!options.y.empty())
    to.line("<text transform=\"translate(16.0 ", top + height / 2, ") rotate(-90)\" text-anchor=\"middle\">",
            detail::xml_text(options.y), "</text>");

  double legend_at = top + 8;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const curve& c = curves[k];
    const char* colour = colours[k % std::size(colours)];
    std::vector<detail::pixel> part;
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      if (x.shows(c.x[i]) && y.shows(c.y[i])) {
        part.push_back(at(c.x[i], c.y[i]));
      } else {
        detail::write_part(to, part, colour);
        part.clear();
      }
    }
    detail::write_part(to, part, colour);
    if (c.label.empty()) continue;
    to.line("<line x1=\"", right + 8, "\" y1=\"", legend_at, "\" x2=\"", right + 26, "\" y2=\"", legend_at, "\" stroke=\"", colour,
            "\" stroke-width=\"3\"/>");
    to.label(right + 32, legend_at + 4, "", c.label);
    legend_at += 18;
  }
  to.line("</svg>");
  return to.text;
}

/// Writes it to a file. Throws `etch::error` where that fails.
inline void svg(const std::filesystem::path& path, const std::vector<curve>& curves, const plot_options& options = {}) {
  const std::string text = svg_text(curves, options);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) fail("%s: %s", path.c_str(), std::strerror(errno));
}

}  // namespace etch::summary
