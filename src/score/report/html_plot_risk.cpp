// The risk-coverage curves: plot_risk_coverage.

#include <algorithm>

#include "score/report/html_plot_parts.hpp"
#include "score/report/html_plots.hpp"
#include "score/report/html_text.hpp"

namespace trustsql {

namespace {

constexpr double curves_left = 46;
constexpr double curves_top = 12;
constexpr double min_curves_height = 250;

}  // namespace

const CurvePoint& PlottedConfidence::at_threshold() const {
  if (!threshold) return curve.front();
  // After the first point, at which nothing is answered, confidences descend.
  const auto below = std::partition_point(curve.begin() + 1, curve.end(),
                                          [&](const CurvePoint& point) { return *point.confidence >= *threshold; });
  return *(below - 1);
}

std::string plot_risk_coverage(std::string_view id, const std::vector<PlottedConfidence>& systems) {
  double highest = 0;
  for (const auto& system : systems)
    for (const auto& point : system.curve) highest = std::max(highest, point.selective_risk.value_or(0));
  const double right = plot::right_beside_labels(systems.size());
  const double bottom = curves_top + std::max(min_curves_height, plot::height_of_labels(systems.size()));
  const Scale x = Scale::linear(0, 100, curves_left, right);
  const Scale y = Scale::linear(0, std::clamp(round_up_to_tick(0, highest, 6), 1.0, 100.0), bottom, curves_top);

  std::string description =
      "The share of wrong answers among those given, against the share of questions answered, both in percent.";
  for (const auto& system : systems) {
    const auto& chosen = system.at_threshold();
    const auto& full = system.curve.back();
    description += " " + cut_text(system.system, 60) + ": risk " + print_number(full.selective_risk.value_or(0)) +
                   " at coverage " + print_number(full.coverage);
    if (chosen.selective_risk)
      description += ", " + print_number(*chosen.selective_risk) + " at coverage " + print_number(chosen.coverage) +
                     " by its threshold";
    description += ".";
  }
  SvgWriter svg(id, plot::figure_width, bottom + 38, "Selective risk against coverage", description);
  plot::draw_y_axis(svg, y, y.ticks(6), curves_left, right);
  plot::draw_x_axis(svg, x, {0, 20, 40, 60, 80, 100}, bottom);
  svg.line(curves_left, bottom, right, bottom, "axis");
  svg.text((curves_left + right) / 2, bottom + 33, TextAnchor::middle, "title", "coverage: % of questions answered");
  svg.text_upward(11, (curves_top + bottom) / 2, "title", "risk: % of answers that are wrong");

  std::vector<plot::LineLabel> names;
  for (const auto& system : systems) {
    std::vector<Point> points;
    for (const auto& point : system.curve)
      if (point.selective_risk) points.push_back({x(point.coverage), y(*point.selective_risk)});
    const std::string classes = plot::series_class(system.index);
    names.push_back({points.back(), system.system, classes});
    svg.open_group({}, system.system);
    svg.path(path_data(simplify(points)), classes + " curve");
    if (const auto& chosen = system.at_threshold(); chosen.selective_risk)
      svg.path(plot::series_mark(system.index, {x(chosen.coverage), y(*chosen.selective_risk)}), classes + " dot");
    svg.close_group();
  }
  plot::draw_line_labels(svg, names, curves_top, bottom - 4);
  return std::move(svg).finish();
}

}  // namespace trustsql
