// What the figures have in common: axes, labels and the look of a system.
#pragma once

#include <string>
#include <vector>

#include "score/report/svg.hpp"
#include "score/report/svg_path.hpp"
#include "score/report/svg_scale.hpp"

namespace trustsql::plot {

inline constexpr double figure_width = 400;
inline constexpr double text_size = 11;        // of axis and line labels; as in the style sheet
inline constexpr double small_text_size = 10;  // of notes within a figure

// The CSS classes of the line and the mark of system `index`: its colour and its dashes.
std::string series_class(std::size_t index);
// Path data of the mark of system `index`, a filled shape around `center`.
std::string series_mark(std::size_t index, Point center, double radius = 3.6);

// The swatch of system `index` for a table: a piece of its line with its mark, so that 140 systems look different. It
// refers to swatch_marks(), which must be on the page once.
std::string swatch(std::size_t index);
std::string swatch_marks();

// Grid lines and labels of the ticks of a vertical axis; `left` and `right` bound the lines.
void draw_y_axis(SvgWriter& svg, const Scale& y, const std::vector<double>& ticks, double left, double right);
// Ticks and labels below a horizontal axis at `bottom`. Labels that would touch their left neighbour are left out.
void draw_x_axis(SvgWriter& svg, const Scale& x, const std::vector<double>& ticks, double bottom);

// A name to be written beside the end of a line.
struct LineLabel {
  Point end;  // of the line
  std::string name;
  std::string classes;  // of the line, for its colour
};
// Writes `labels` at the right of the figure, within [top, bottom], with a thin leader from each to the end of its
// line.
void draw_line_labels(SvgWriter& svg, const std::vector<LineLabel>& labels, double top, double bottom);
// The right end of a plot with `count` labels beside it, and the height that these labels need.
double right_beside_labels(std::size_t count);
double height_of_labels(std::size_t count);

}  // namespace trustsql::plot
