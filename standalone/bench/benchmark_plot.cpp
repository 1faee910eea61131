#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "standalone/bench/benchmark_output.h"

namespace dashpot {
namespace {

constexpr double kPlotWidth = 720, kPlotHeight = 480;
constexpr double kLeft = 70, kRight = 170, kTop = 46, kBottom = 56;

using CurvePoints = std::vector<std::pair<double, double>>;  // tets, ms

struct Curve {
  const char* label;
  const char* colour;
  CurvePoints points;
};

std::string format_number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// From power of ten to power of ten around the data.
struct LogAxis {
  double low = 0, high = 0;  // exponents
  double from = 0, to = 0;   // pixels

  LogAxis(double least, double most, double from_pixel, double to_pixel)
      : low(std::floor(std::log10(least))),
        high(std::ceil(std::log10(most))),
        from(from_pixel),
        to(to_pixel) {
    if (high <= low) high = low + 1;
  }
  double place(double value) const {
    return from + (std::log10(value) - low) / (high - low) * (to - from);
  }
};

std::string svg_line(double x1, double y1, double x2, double y2, const char* colour) {
  char text[256];
  std::snprintf(text, sizeof text,
                "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='1'/>\n",
                x1, y1, x2, y2, colour);
  return text;
}

std::string svg_text(double x, double y, const char* anchor, const std::string& words,
                     const char* colour = "#333") {
  char at[160];
  std::snprintf(at, sizeof at, "<text x='%.1f' y='%.1f' text-anchor='%s' fill='%s'>", x, y, anchor,
                colour);
  return at + words + "</text>\n";
}

std::string svg_axes(const LogAxis& x, const LogAxis& y) {
  std::string svg;
  for (double e = x.low; e <= x.high; ++e) {
    const double at = x.place(std::pow(10, e));
    svg += svg_line(at, y.from, at, y.to, "#ddd");
    svg += svg_text(at, y.from + 18, "middle", format_number("%.0f", std::pow(10, e)));
  }
  for (double e = y.low; e <= y.high; ++e) {
    const double at = y.place(std::pow(10, e));
    svg += svg_line(x.from, at, x.to, at, "#ddd");
    svg += svg_text(x.from - 8, at + 4, "end", format_number("%g", std::pow(10, e)));
  }
  svg += svg_text((x.from + x.to) / 2, y.from + 40, "middle", "tets");
  svg += svg_text(x.from - 8, y.to - 10, "end", "ms");
  return svg;
}

std::string svg_curve(const Curve& curve, const LogAxis& x, const LogAxis& y) {
  std::string path, dots;
  for (const auto& [tets, ms] : curve.points) {
    const double px = x.place(tets), py = y.place(ms);
    path += format_number(path.empty() ? "M%.1f" : " L%.1f", px) + format_number(" %.1f", py);
    dots += "<circle r='3' cx='" + format_number("%.1f", px) + "' cy='" +
            format_number("%.1f", py) + "' fill='" + curve.colour + "'/>\n";
  }
  return "<path fill='none' stroke-width='2' stroke='" + std::string(curve.colour) + "' d='" +
         path + "'/>\n" + dots;
}

// Names at the ends of the curves, from the highest to the lowest, with room for each.
std::string svg_labels(std::vector<Curve> curves, const LogAxis& x, const LogAxis& y) {
  constexpr double kLineHeight = 16;
  std::sort(curves.begin(), curves.end(), [](const Curve& a, const Curve& b) {
    return a.points.back().second > b.points.back().second;
  });
  std::string svg;
  double free_from = 0, last_tets = 0;
  for (const Curve& curve : curves) {
    const auto& [tets, ms] = curve.points.back();
    if (tets != last_tets) free_from = 0;
    last_tets = tets;
    const double at = std::max(y.place(ms) + 4, free_from);
    svg += svg_text(x.place(tets) + 8, at, "start", curve.label, curve.colour);
    free_from = at + kLineHeight;
  }
  return svg;
}

std::vector<Curve> curves_of(const std::vector<SizeResult>& sizes) {
  Curve textbook{"textbook, whole", "#999999", {}};
  Curve total{"whole iteration", "#1b6ca8", {}};
  Curve local{"local step", "#d1495b", {}};
  Curve global{"global step", "#2e8b57", {}};
  for (const SizeResult& size : sizes) {
    const IterationTimes& ours = size.ours.back().ours;
    total.points.emplace_back(size.tets, ours.total);
    local.points.emplace_back(size.tets, ours.local);
    global.points.emplace_back(size.tets, ours.global);
    if (size.has_textbook) textbook.points.emplace_back(size.tets, size.textbook.total);
  }
  std::vector<Curve> curves;
  for (const Curve& curve : {textbook, total, local, global})
    if (!curve.points.empty()) curves.push_back(curve);
  return curves;
}

}  // namespace

std::string benchmark_plot(const BenchmarkResult& result) {
  const std::vector<Curve> curves = curves_of(result.sizes);
  double fewest = 1e300, most = 0, least = 1e300, longest = 0;
  for (const Curve& curve : curves)
    for (const auto& [tets, ms] : curve.points) {
      fewest = std::min(fewest, tets);
      most = std::max(most, tets);
      least = std::min(least, ms);
      longest = std::max(longest, ms);
    }
  std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' width='" +
                    format_number("%.0f", kPlotWidth) + "' height='" +
                    format_number("%.0f", kPlotHeight) +
                    "' font-family='sans-serif' font-size='13'>\n"
                    "<rect width='100%' height='100%' fill='white'/>\n";
  if (!curves.empty()) {
    const LogAxis x(fewest, most, kLeft, kPlotWidth - kRight);
    const LogAxis y(least, longest, kPlotHeight - kBottom, kTop);
    svg += svg_text(kLeft, 22, "start",
                    "One iteration, neo-Hookean beam, " +
                        std::to_string(result.sizes.back().ours.back().threads) + " threads, " +
                        result.processor);
    svg += svg_axes(x, y);
    for (const Curve& curve : curves) svg += svg_curve(curve, x, y);
    svg += svg_labels(curves, x, y);
  }
  return svg + "</svg>\n";
}

}  // namespace dashpot
