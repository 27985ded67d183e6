#include "score/report/html_plot_parts.hpp"

#include <limits>

#include "score/report/html_text.hpp"
#include "score/report/svg_labels.hpp"

namespace trustsql::plot {

namespace {

constexpr std::size_t color_count = 7;  // classes s0 to s6 of the style sheet
constexpr std::size_t dash_count = 4;   // d0 to d3
constexpr std::size_t mark_count = 5;   // 140 combinations, since 4, 5 and 7 have no common divisors
constexpr double label_gap = 13;
constexpr double label_left = 285;

}  // namespace

std::string series_class(std::size_t index) {
  return "s" + std::to_string(index % color_count) + " d" + std::to_string(index % dash_count);
}

std::string series_mark(std::size_t index, Point center, double radius) {
  const auto shape = [&](std::initializer_list<Point> corners) {
    std::vector<Point> points;
    for (const auto& corner : corners) points.push_back({center.x + radius * corner.x, center.y + radius * corner.y});
    return path_data(points) + "Z";
  };
  switch (index % mark_count) {
    case 0: {  // a circle, as two arcs
      const std::string r = plain_number(radius);
      const std::string arc = "a" + r + " " + r + " 0 1 0 ";
      const std::string across = plain_number(2 * radius);
      return "M" + plain_number(center.x - radius) + " " + plain_number(center.y) + arc + across + " 0" + arc + "-" +
             across + " 0Z";
    }
    case 1: return shape({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
    case 2: return shape({{0, -1.2}, {1.15, 0.9}, {-1.15, 0.9}});
    case 3: return shape({{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}});
    default: return shape({{0, 1.2}, {1.15, -0.9}, {-1.15, -0.9}});
  }
}

std::string swatch(std::size_t index) {
  return "<svg class=\"swatch " + series_class(index) + "\" aria-hidden=\"true\"><use href=\"#mark-" +
         std::to_string(index % mark_count) + "\"/></svg>";
}

std::string swatch_marks() {
  std::string symbols = "<svg class=\"marks\" aria-hidden=\"true\">";
  for (std::size_t i = 0; i < mark_count; ++i) {
    symbols +=
        "<symbol id=\"mark-" + std::to_string(i) +
        "\" viewBox=\"0 0 22 10\"><path fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.8\" d=\"M0 5H22\"/>"
        "<path fill=\"currentColor\" stroke=\"none\" d=\"" +
        series_mark(i, {11, 5}, 3.6) + "\"/></symbol>";
  }
  return symbols + "</svg>\n";
}

void draw_y_axis(SvgWriter& svg, const Scale& y, const std::vector<double>& ticks, double left, double right) {
  const auto labels = tick_labels(ticks);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double tick_y = y(ticks[i]);
    svg.line(left, tick_y, right, tick_y, ticks[i] == 0 ? "zero" : "grid");
    svg.text(left - 6, tick_y + 3.8, TextAnchor::end, {}, labels[i]);
  }
}

void draw_x_axis(SvgWriter& svg, const Scale& x, const std::vector<double>& ticks, double bottom) {
  double taken_to = -std::numeric_limits<double>::infinity();
  double taken_from = std::numeric_limits<double>::infinity();
  const auto labels = tick_labels(ticks);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double tick_x = x(ticks[i]);
    svg.line(tick_x, bottom, tick_x, bottom + 4, "tick");
    const double half = text_width(labels[i], text_size) / 2;
    if (tick_x - half < taken_to + 3 && tick_x + half > taken_from - 3) continue;
    svg.text(tick_x, bottom + 15, TextAnchor::middle, {}, labels[i]);
    taken_from = std::min(taken_from, tick_x - half);
    taken_to = std::max(taken_to, tick_x + half);
  }
}

double height_of_labels(std::size_t count) { return label_gap * static_cast<double>(count); }

// The more labels there are, the farther they are from the ends of their lines, and the more room the leaders need.
double right_beside_labels(std::size_t count) { return label_left - (count > 8 ? 30 : 15); }

void draw_line_labels(SvgWriter& svg, const std::vector<LineLabel>& labels, double top, double bottom) {
  const double right = right_beside_labels(labels.size());
  std::vector<double> wanted;
  for (const auto& label : labels) wanted.push_back(label.end.y);
  const auto placed = spread_labels(wanted, label_gap, top, bottom);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto& [end, name, classes] = labels[i];
    svg.open_group(classes, name);
    svg.path(path_data({{end.x + 4, end.y}, {right + 4, end.y}, {label_left - 3, placed[i]}}), "leader");
    svg.text(label_left, placed[i] + 3.8, TextAnchor::start, "name",
             fit_text(name, text_size, figure_width - label_left));
    svg.close_group();
  }
}

}  // namespace trustsql::plot
