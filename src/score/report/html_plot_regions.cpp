// The five-region breakdown: plot_regions.

#include <array>

#include "score/report/html_plot_parts.hpp"
#include "score/report/html_plots.hpp"
#include "score/report/html_text.hpp"

namespace trustsql {

namespace {

struct Region {
  ReliabilityCase reliability_case;
  std::string_view name;
  std::string_view classes;
  double hatching =
      0;  // distance of strokes; harmful regions are hatched, for greyscale print and colour-blind readers
  bool crossed = false;  // strokes in both directions
};

// In order from the left end of a bar to its right end.
constexpr std::array<Region, reliability_case_count> regions = {{
    {ReliabilityCase::I, "right SQL", "r1"},
    {ReliabilityCase::V, "abstained, infeasible", "r5"},
    {ReliabilityCase::II, "abstained, feasible", "r2"},
    {ReliabilityCase::IV, "SQL, infeasible", "r4", 5, true},
    {ReliabilityCase::III, "wrong SQL", "r3", 6},
}};

constexpr double bars_left = 1;
constexpr double bars_right = plot::figure_width - 1;
constexpr double row_height = 40;
constexpr double bar_height = 17;

std::string legend_text(const Region& region) {
  return std::string(case_name(region.reliability_case)) + " " + std::string(region.name);
}

// The positions of the legend entries, set like text: as many to a line as fit.
std::array<Point, reliability_case_count> legend_layout() {
  std::array<Point, reliability_case_count> positions;
  double x = bars_left;
  double y = 2;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const double width = 17 + text_width(legend_text(regions[i]), plot::text_size);
    if (x > bars_left && x + width > bars_right) {
      x = bars_left;
      y += 18;
    }
    positions[i] = {x, y};
    x += width + 10;
  }
  return positions;
}

void draw_region(SvgWriter& svg, const Region& region, const Point& corner, double width, double height) {
  svg.rect(corner.x, corner.y, width, height, region.classes);
  if (region.hatching == 0) return;
  std::string strokes = hatch_data(corner, width, height, region.hatching);
  if (region.crossed) strokes += hatch_data(corner, width, height, region.hatching, /*falling=*/true);
  svg.path(strokes, "hatch");
}

// Labels a region with its name and share, with its name alone, or not at all, whichever fits.
void draw_share(SvgWriter& svg, const Region& region, double x, double y, double width, double share) {
  const std::string name(case_name(region.reliability_case));
  for (const auto& label : {name + " " + print_number(share, 0) + "%", name}) {
    if (text_width(label, plot::small_text_size) + 6 > width) continue;
    svg.text(x + width / 2, y + bar_height / 2 + 3.6, TextAnchor::middle, std::string(region.classes) + " in", label);
    return;
  }
}

void draw_bar(SvgWriter& svg, const PlottedCounts& system, double y) {
  const auto total = system.counts.total();
  svg.text(bars_left, y + 10, TextAnchor::start, "name", fit_text(system.system, plot::text_size, 320));
  svg.text(bars_right, y + 10, TextAnchor::end, "note", "n = " + print_count(total));
  double x = bars_left;
  for (const auto& region : regions) {
    const auto count = system.counts[region.reliability_case];
    const auto share = percent(count, total);
    if (count == 0 || !share) continue;
    const double width = (bars_right - bars_left) * *share / 100;
    svg.open_group({}, system.system + ": " + std::string(case_name(region.reliability_case)) + " " +
                           std::string(region.name) + ", " + print_count(count) + " of " + print_count(total) + " (" +
                           print_number(*share, 1) + "%)");
    draw_region(svg, region, {x, y + 16}, width, bar_height);
    draw_share(svg, region, x, y + 16, width, *share);
    svg.close_group();
    x += width;
  }
  svg.rect(bars_left, y + 16, bars_right - bars_left, bar_height, "frame");
}

}  // namespace

std::string plot_regions(std::string_view id, const std::vector<PlottedCounts>& systems) {
  const auto legend = legend_layout();
  const double legend_height = legend.back().y + 24;
  const double bottom = legend_height + row_height * static_cast<double>(systems.size());
  std::string description = "A bar for each system, in percent of its questions.";
  for (const auto& [system, index, counts] : systems) {
    description += " " + cut_text(system, 60) + ":";
    for (const auto& region : regions) {
      if (const auto share = percent(counts[region.reliability_case], counts.total()))
        description += " " + std::string(case_name(region.reliability_case)) + " " + print_number(*share, 1) + ",";
    }
    description.back() = '.';
  }
  SvgWriter svg(id, plot::figure_width, bottom + 20, "The five regions of each system", description);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    draw_region(svg, regions[i], legend[i], 12, 11);
    svg.text(legend[i].x + 17, legend[i].y + 9.5, TextAnchor::start, {}, legend_text(regions[i]));
  }
  const Scale x = Scale::linear(0, 100, bars_left, bars_right);
  for (const double tick : {0.0, 25.0, 50.0, 75.0, 100.0}) {
    svg.line(x(tick), legend_height, x(tick), bottom, "grid");
    const auto anchor = tick == 0 ? TextAnchor::start : tick == 100 ? TextAnchor::end : TextAnchor::middle;
    svg.text(x(tick), bottom + 13, anchor, {}, plain_number(tick) + (tick == 100 ? "%" : ""));
  }
  for (std::size_t i = 0; i < systems.size(); ++i)
    draw_bar(svg, systems[i], legend_height + row_height * static_cast<double>(i));
  return std::move(svg).finish();
}

}  // namespace trustsql
