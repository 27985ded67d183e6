// Figures 2 and 3 of TrustSQL for one system: plot_threshold.

#include <algorithm>
#include <cmath>

#include "score/report/html_plot_parts.hpp"
#include "score/report/html_plots.hpp"
#include "score/report/html_text.hpp"

namespace trustsql {

namespace {

constexpr double panel_left = 46;
constexpr double panel_right = plot::figure_width - 8;
constexpr double heading = 18;  // room above a panel for its heading
constexpr double panel_height = 130;
constexpr double bin_count = 40;
constexpr std::int64_t max_dots = 12;  // in one bin; with more, bars are drawn instead of marks

// The two regions of a panel: answered to the left of `split`, abstained to its right.
void draw_decision(SvgWriter& svg, double split, double top, double bottom, std::int64_t answered,
                   std::int64_t abstained) {
  svg.rect(panel_left, top, split - panel_left, bottom - top, "answered");
  svg.rect(split, top, panel_right - split, bottom - top, "abstained");
  const std::string yes = "answered " + print_count(answered);
  const std::string no = "abstained " + print_count(abstained);
  if (split - panel_left > text_width(yes, plot::small_text_size) + 8)
    svg.text(panel_left + 5, top + 12, TextAnchor::start, "note", yes);
  if (panel_right - split > text_width(no, plot::small_text_size) + 8)
    svg.text(panel_right - 5, top + 12, TextAnchor::end, "note", no);
}

// Figure 2.
void draw_cumulative(SvgWriter& svg, const PlottedConfidence& system, double top) {
  const double bottom = top + panel_height;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  for (const auto& point : system.curve) {
    lowest = std::min(lowest, point.cumulative);
    highest = std::max(highest, point.cumulative);
  }
  const auto& chosen = system.at_threshold();
  const std::int64_t answers = system.ranking.answers();
  const double span = static_cast<double>(std::max<std::int64_t>(highest - lowest, 1));
  const Scale x = Scale::linear(0, static_cast<double>(answers), panel_left, panel_right);
  const Scale y = Scale::linear(static_cast<double>(lowest), static_cast<double>(highest) + 0.2 * span, bottom,
                                top);  // room for the notes
  const double split = x(static_cast<double>(chosen.answers));
  svg.text(panel_left, top - 6, TextAnchor::start, "strong", "Right minus wrong answers, summed up");
  draw_decision(svg, split, top, bottom, chosen.answers, answers - chosen.answers);
  auto ticks = y.ticks(5);
  std::erase_if(ticks, [&](double tick) { return tick > static_cast<double>(highest); });
  plot::draw_y_axis(svg, y, ticks, panel_left, panel_right);
  plot::draw_x_axis(svg, x, x.ticks(6), bottom);
  svg.line(panel_left, bottom, panel_right, bottom, "axis");
  std::vector<Point> points;
  for (const auto& point : system.curve)
    points.push_back({x(static_cast<double>(point.answers)), y(static_cast<double>(point.cumulative))});
  svg.path(path_data(simplify(points)), plot::series_class(system.index) + " curve solid");
  svg.line(split, top, split, bottom, "threshold");
  const Point mark{split, y(static_cast<double>(chosen.cumulative))};
  svg.path(plot::series_mark(system.index, mark), plot::series_class(system.index) + " dot");
  const std::string sum = print_count(chosen.cumulative);
  const bool beside = panel_right - split > 40;
  svg.text(beside ? split + 7 : split - 7, mark.y - 4, beside ? TextAnchor::start : TextAnchor::end, "strong", sum);
  svg.text((panel_left + panel_right) / 2, bottom + 31, TextAnchor::middle, "title",
           "answers by descending confidence");
}

struct Bin {
  std::int64_t right = 0;
  std::int64_t wrong = 0;
};

struct Histogram {
  std::vector<Bin> bins = std::vector<Bin>(static_cast<std::size_t>(bin_count));
  double low = 0;  // ends of the axis
  double high = 0;
  bool clipped = false;  // some confidences lie beyond the axis and are counted in its outermost bins
  std::int64_t max_right = 0;
  std::int64_t max_wrong = 0;
};

// Clamps a finite confidence so that the difference of two of them is finite.
double within_reach(double confidence) {
  return std::isfinite(confidence) ? std::clamp(confidence, -1e300, 1e300) : confidence;
}

// The confidence that the fraction `share` of the answers reaches or exceeds.
double quantile(const ConfidenceRanking& ranking, double share) {
  const double wanted = share * static_cast<double>(ranking.answers());
  for (const auto& step : ranking.steps())
    if (static_cast<double>(step.kept.answered()) >= wanted) return within_reach(step.confidence.real());
  return within_reach(ranking.steps().back().confidence.real());
}

// Moves the axis so that the threshold lies between two bins: a bar is then answered or abstained from as a whole.
void align_bins(Histogram& hist, std::optional<double> threshold) {
  if (!threshold || !(*threshold > hist.low && *threshold <= hist.high)) return;
  const double width = (hist.high - hist.low) / (bin_count - 1);
  const double below = std::ceil((*threshold - hist.low) / width);
  hist.low = *threshold - below * width;
  hist.high = hist.low + bin_count * width;
}

// With a few far outliers (a Mahalanobis distance, an infinite log-probability), all other answers would share one bar
// of an otherwise empty axis; the axis then spans the middle 98% of the answers.
Histogram histogram(const ConfidenceRanking& ranking, std::optional<double> threshold) {
  Histogram hist;
  const auto& steps = ranking.steps();
  hist.high = within_reach(steps.front().confidence.real());
  hist.low = within_reach(steps.back().confidence.real());
  const double low = quantile(ranking, 0.99);
  const double high = quantile(ranking, 0.01);
  if (!std::isfinite(hist.high) || !std::isfinite(hist.low) || hist.high - hist.low > 4 * (high - low)) {
    if (high > low && std::isfinite(high) && std::isfinite(low)) {
      hist.high = high;
      hist.low = low;
    }
    hist.clipped = true;
  }
  if (!std::isfinite(hist.low) || !std::isfinite(hist.high)) {  // infinite throughout, or nearly so
    hist.low = std::isfinite(hist.low) ? hist.low : (std::isfinite(hist.high) ? hist.high - 1 : -1);
    hist.high = std::isfinite(hist.high) ? hist.high : hist.low + 1;
  }
  align_bins(hist, threshold);
  const Scale position = Scale::linear(hist.low, hist.high, 0, bin_count);
  CaseCounts before;
  for (const auto& step : steps) {
    // Up to rounding, the threshold is the edge of a bin, and belongs to the upper one.
    const auto index =
        static_cast<std::size_t>(std::clamp(std::floor(position(step.confidence.real()) + 1e-9), 0.0, bin_count - 1));
    Bin& bin = hist.bins[index];
    bin.right += step.kept.useful() - before.useful();
    bin.wrong += step.kept.harmful() - before.harmful();
    before = step.kept;
  }
  for (const auto& bin : hist.bins) {
    hist.max_right = std::max(hist.max_right, bin.right);
    hist.max_wrong = std::max(hist.max_wrong, bin.wrong);
  }
  return hist;
}

// Figure 3: right answers above the line, wrong ones below it.
void draw_by_confidence(SvgWriter& svg, const PlottedConfidence& system, double top) {
  const Histogram hist =
      histogram(system.ranking, system.threshold ? std::optional(system.threshold->real()) : std::nullopt);
  const auto& chosen = system.at_threshold();
  const double bottom = top + panel_height;
  const double down = static_cast<double>(std::max<std::int64_t>(hist.max_wrong, 1));
  const double up = static_cast<double>(std::max<std::int64_t>(hist.max_right, 1));
  const Scale x =
      Scale::linear(hist.low, hist.high, panel_right, panel_left);  // the most confident at the left, as above
  const Scale y = Scale::linear(-1.05 * down, up + 0.2 * (up + down), bottom, top);
  const double split = system.threshold ? x(system.threshold->real()) : panel_left;
  svg.text(panel_left, top - 6, TextAnchor::start, "strong", "Right (above) and wrong (below) answers");
  draw_decision(svg, split, top, bottom, chosen.answers, system.ranking.answers() - chosen.answers);
  auto ticks = y.ticks(5);
  std::erase_if(ticks, [&](double tick) { return tick != std::floor(tick) || tick > up; });
  std::vector<double> sizes;
  for (const double tick : ticks) sizes.push_back(std::abs(tick));  // numbers of answers on either side
  const auto labels = tick_labels(sizes);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    svg.line(panel_left, y(ticks[i]), panel_right, y(ticks[i]), ticks[i] == 0 ? "zero" : "grid");
    svg.text(panel_left - 6, y(ticks[i]) + 3.8, TextAnchor::end, {}, labels[i]);
  }
  const double width = (panel_right - panel_left) / bin_count;
  const double unit = y(0) - y(1);
  const double radius = std::min({width / 2 - 0.5, unit / 2 - 0.3, 3.5});
  const bool dots = std::max(hist.max_right, hist.max_wrong) <= max_dots && radius >= 1.5;
  std::string right_marks;
  std::string wrong_marks;
  std::string hatching;
  for (std::size_t i = 0; i < hist.bins.size(); ++i) {
    const auto& bin = hist.bins[i];
    const double x0 = panel_right - width * static_cast<double>(i + 1);
    if (!dots) {
      svg.rect(x0 + 0.4, y(static_cast<double>(bin.right)), width - 0.8, y(0) - y(static_cast<double>(bin.right)),
               "r1");
      const double height = y(-static_cast<double>(bin.wrong)) - y(0);
      svg.rect(x0 + 0.4, y(0), width - 0.8, height, "r3");
      hatching += hatch_data({x0 + 0.4, y(0)}, width - 0.8, height, 6);
      continue;
    }
    const double middle = x0 + width / 2;
    for (std::int64_t k = 0; k < bin.right; ++k)
      right_marks += plot::series_mark(1, {middle, y(static_cast<double>(k) + 0.5)}, radius);
    for (std::int64_t k = 0; k < bin.wrong; ++k) {
      const double cy = y(-static_cast<double>(k) - 0.5);
      wrong_marks += path_data({{middle - radius, cy - radius}, {middle + radius, cy + radius}});
      wrong_marks += path_data({{middle - radius, cy + radius}, {middle + radius, cy - radius}});
    }
  }
  svg.path(right_marks, "r1");
  svg.path(wrong_marks, "cross");
  svg.path(hatching, "hatch");
  svg.line(split, top, split, bottom, "threshold");
  svg.line(panel_left, bottom, panel_right, bottom, "axis");
  plot::draw_x_axis(svg, x, x.ticks(6), bottom);
  svg.text((panel_left + panel_right) / 2, bottom + 31, TextAnchor::middle, "title",
           hist.clipped ? "confidence (outliers are in the outermost bars)" : "confidence");
}

}  // namespace

std::string plot_threshold(std::string_view id, const PlottedConfidence& system) {
  const auto& chosen = system.at_threshold();
  std::string description =
      "In order of descending confidence, " + print_count(system.ranking.answers()) + " answers. ";
  if (system.threshold) {
    description += "The threshold " + print_significant(system.threshold->real()) + " answers " +
                   print_count(chosen.answers) + " of them: right minus wrong " + print_count(chosen.cumulative) + ".";
  } else {
    description += "The best threshold abstains from all.";
  }
  constexpr double second = heading + panel_height + 42 + heading;
  SvgWriter svg(id, plot::figure_width, second + panel_height + 38, "Threshold of " + cut_text(system.system, 60),
                description);
  draw_cumulative(svg, system, heading);
  draw_by_confidence(svg, system, second);
  return std::move(svg).finish();
}

}  // namespace trustsql
