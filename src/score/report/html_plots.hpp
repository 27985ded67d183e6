// The figures of the HTML report, each an inline SVG (svg.hpp) 400 units wide: about the width of a phone screen, and
// half a page in print.
//
// They draw numbers that other parts of score/ computed; they compute only coordinates. A system has the same colour,
// dashes and mark in every figure, determined by its index. Since there may be more systems than colours, and for
// colour-blind readers, its name is written beside its line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "score/reliability/confidence_ranking.hpp"
#include "score/reliability/reliability.hpp"
#include "score/reliability/risk_curve.hpp"

namespace trustsql {

// One system in a figure that compares systems by their counts.
struct PlottedCounts {
  std::string system;
  std::size_t index = 0;  // among all systems of the report
  CaseCounts counts;
};

// The five regions of Figure 1(c) as a stacked bar for each system: the useful ones (I, V) from the left, the neutral
// one (II), the harmful ones (IV, III) at the right. The length of the green part is therefore RS(0), and that of the
// red part the risk that is multiplied by the penalty.
std::string plot_regions(std::string_view id, const std::vector<PlottedCounts>& systems);

// RS(c) of each system against c from 0 to N, both on symmetric logarithmic scales, with marks at 0, 10 and N;
// ABSTAIN-ALL, if given, as a dashed line.
std::string plot_penalty(std::string_view id, const std::vector<PlottedCounts>& systems,
                         const std::optional<CaseCounts>& abstain_all);

// One system in a figure about confidences.
struct PlottedConfidence {
  std::string system;
  std::size_t index = 0;            // among all systems of the report; determines the colour
  ConfidenceRanking ranking;        // has at least one step
  std::vector<CurvePoint> curve;    // risk_curve(ranking)
  std::optional<Number> threshold;  // nullopt: abstains from everything
  std::optional<double> aurc;       // the area under the curve of all answers, in [0, 1]

  // The point of the curve at the threshold.
  const CurvePoint& at_threshold() const;
};

// The share of wrong answers among those given against the share of questions answered, with a mark at the threshold.
std::string plot_risk_coverage(std::string_view id, const std::vector<PlottedConfidence>& systems);

// Figures 2 and 3 for one system, one above the other: the cumulative sum of right minus wrong answers in order of
// descending confidence, and the numbers of right and wrong answers at each confidence. Both show the threshold between
// answering and abstaining.
std::string plot_threshold(std::string_view id, const PlottedConfidence& system);

}  // namespace trustsql
