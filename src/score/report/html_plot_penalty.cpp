// RS against the penalty: plot_penalty.

#include <algorithm>
#include <cmath>

#include "score/report/html_plot_parts.hpp"
#include "score/report/html_plots.hpp"
#include "score/report/html_text.hpp"

namespace trustsql {

namespace {

constexpr double left = 58;
constexpr double top = 12;
constexpr double least_height = 250;

struct Line {
  std::string name;
  std::string classes;
  CaseCounts counts;
};

double score(const CaseCounts& counts, double c) { return reliability_score(counts, c).value_or(0); }

// RS is linear in c, so on these logarithmic axes it is a curve, sampled at every second unit of the figure.
std::vector<Point> curve(const CaseCounts& counts, const Scale& x, const Scale& y, double c_end) {
  std::vector<Point> points;
  for (double plot_x = x.from(); plot_x < x(c_end); plot_x += 2)
    points.push_back({plot_x, y(score(counts, x.invert(plot_x)))});
  points.push_back({x(c_end), y(score(counts, c_end))});
  return simplify(points);
}

double lowest_score(const std::vector<PlottedCounts>& systems, double c_max) {
  double lowest = 0;
  for (const auto& system : systems) lowest = std::min(lowest, score(system.counts, c_max));
  if (lowest == 0) return 0;
  return lowest >= -100 ? -100 : lowest * 1.25;  // so that no line ends in the corner
}

}  // namespace

std::string plot_penalty(std::string_view id, const std::vector<PlottedCounts>& systems,
                         const std::optional<CaseCounts>& abstain_all) {
  std::int64_t most = 0;
  for (const auto& system : systems) most = std::max(most, system.counts.total());
  const double c_max = std::max(10.0, static_cast<double>(most));
  const std::size_t labels = systems.size() + (abstain_all ? 1 : 0);
  const double right = plot::right_beside_labels(labels);
  const double bottom = top + std::max(least_height, plot::height_of_labels(labels));
  const Scale x = Scale::symlog(0, c_max, 1, left, right);
  const Scale y = Scale::symlog(lowest_score(systems, c_max), 100, 100, bottom, top);

  std::string description =
      "RS(c) in percent for penalties c from 0 to " + print_count(static_cast<std::int64_t>(c_max)) + ".";
  for (const auto& [system, index, counts] : systems) {
    description += " " + cut_text(system, 60) + ": RS(0) " + print_number(score(counts, 0)) + ", RS(10) " +
                   print_number(score(counts, 10)) + ", RS(N) " +
                   print_number(score(counts, static_cast<double>(counts.total()))) + ".";
  }
  if (abstain_all) description += " ABSTAIN-ALL: " + print_number(score(*abstain_all, 0)) + " for every c.";
  SvgWriter svg(id, plot::figure_width, bottom + 50, "Reliability score against the penalty", description);

  svg.rect(left, top, right - left, y(0) - top, "positive");
  plot::draw_y_axis(svg, y, y.ticks(10), left, right);
  auto c_ticks = x.ticks(6);
  std::erase(c_ticks, 0.5);
  plot::draw_x_axis(svg, x, c_ticks, bottom);
  svg.line(left, bottom, right, bottom, "axis");
  const double n_at = x(static_cast<double>(most));
  svg.line(n_at, top, n_at, bottom + 18, "mark");
  svg.text(std::min(n_at, right - 8), bottom + 29, TextAnchor::middle, "strong", "N = " + print_count(most));
  svg.line(x(10), top, x(10), bottom, "mark");
  svg.text((left + right) / 2, bottom + 45, TextAnchor::middle, "title", "penalty c (logarithmic from 1)");
  svg.text_upward(11, (top + bottom) / 2, "title", "RS(c) in % (logarithmic beyond ±100)");

  std::vector<plot::LineLabel> names;
  const auto draw = [&](const std::string& name, const std::string& classes, const CaseCounts& counts) {
    const double c_end = name == "ABSTAIN-ALL" ? c_max : static_cast<double>(counts.total());
    const auto points = curve(counts, x, y, c_end);
    svg.path(path_data(points), classes + " curve");
    names.push_back({points.back(), name, classes});
  };
  if (abstain_all) draw("ABSTAIN-ALL", "abstain", *abstain_all);
  for (const auto& [system, index, counts] : systems) {
    const std::string classes = plot::series_class(index);
    svg.open_group({}, system);
    draw(system, classes, counts);
    std::string marks;
    for (const double c : {0.0, 10.0, static_cast<double>(counts.total())})
      marks += plot::series_mark(index, {x(c), y(score(counts, c))});
    svg.path(marks, classes + " dot");
    svg.close_group();
  }
  plot::draw_line_labels(svg, names, top, bottom - 4);
  return std::move(svg).finish();
}

}  // namespace trustsql
