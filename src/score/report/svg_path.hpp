// Lines of many points, reduced to short path data that looks the same.
#pragma once

#include <string>
#include <vector>

namespace trustsql {

struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// A line through `points` (ordered by x) that looks the same with far fewer points. Within every column of `column`
// units only the first, the lowest, the highest and the last point are kept (M4, Jugel et al. 2014: the same pixels),
// then points that lie within `tolerance` units of the line through their neighbours are left out (Ramer, Douglas,
// Peucker). The first and last point stay. O(n log n) for lines that occur in practice.
std::vector<Point> simplify(const std::vector<Point>& points, double column = 0.5, double tolerance = 0.1);

// Path data ("M0 0L1.5 2") through `points` with one decimal; empty for no points.
std::string path_data(const std::vector<Point>& points);

// Path data of strokes that hatch a rectangle: at 45 degrees, rising to the right, `distance` units apart along the x
// axis, clipped to the rectangle. With `falling`, those that fall to the right instead. Strokes of neighbouring
// rectangles continue each other. (A pattern would be shorter, but viewers and printers turn patterns into images.)
std::string hatch_data(const Point& corner, double width, double height, double distance, bool falling = false);

}  // namespace trustsql
