#include "score/report/svg_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "score/report/html_text.hpp"

namespace trustsql {

namespace {

std::vector<Point> extremes_of_columns(const std::vector<Point>& points, double column) {
  std::vector<Point> kept;
  std::size_t start = 0;
  while (start < points.size()) {
    const double cell = std::floor(points[start].x / column);
    std::size_t end = start;
    std::size_t lowest = start;
    std::size_t highest = start;
    for (; end < points.size() && std::floor(points[end].x / column) == cell; ++end) {
      if (points[end].y < points[lowest].y) lowest = end;
      if (points[end].y > points[highest].y) highest = end;
    }
    std::size_t indices[] = {start, std::min(lowest, highest), std::max(lowest, highest), end - 1};
    for (std::size_t i = 0; i < 4; ++i)
      if (i == 0 || indices[i] != indices[i - 1]) kept.push_back(points[indices[i]]);
    start = end;
  }
  return kept;
}

double distance_to_segment(Point p, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  const double t = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace

std::vector<Point> simplify(const std::vector<Point>& points, double column, double tolerance) {
  const auto candidates = extremes_of_columns(points, column);
  if (candidates.size() < 3) return candidates;
  std::vector<bool> keep(candidates.size());
  keep.front() = keep.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, candidates.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    double farthest = tolerance;
    std::size_t split = 0;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double distance = distance_to_segment(candidates[i], candidates[first], candidates[last]);
      if (distance > farthest) {
        farthest = distance;
        split = i;
      }
    }
    if (split == 0) continue;
    keep[split] = true;
    open.emplace_back(first, split);
    open.emplace_back(split, last);
  }
  std::vector<Point> kept;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (keep[i]) kept.push_back(candidates[i]);
  return kept;
}

std::string path_data(const std::vector<Point>& points) {
  std::string data;
  for (const auto& point : points)
    data += (data.empty() ? "M" : "L") + plain_number(point.x) + " " + plain_number(point.y);
  return data;
}

std::string hatch_data(const Point& corner, double width, double height, double distance, bool falling) {
  constexpr double most_strokes = 1000;
  if (!(width > 0) || !(height > 0) || (width + height) / distance > most_strokes) return {};
  const double right = corner.x + width;
  const double bottom = corner.y + height;
  // A stroke lies on x + y = k if it rises, on x - y = k if it falls.
  const double sign = falling ? -1 : 1;
  const double low = falling ? corner.x - bottom : corner.x + corner.y;
  const double high = falling ? right - corner.y : right + bottom;
  std::string data;
  for (double k = std::ceil(low / distance) * distance; k < high; k += distance) {
    const double at_top = k - sign * corner.y;
    const double at_bottom = k - sign * bottom;
    const double from = std::max(corner.x, std::min(at_top, at_bottom));
    const double to = std::min(right, std::max(at_top, at_bottom));
    if (to - from < 0.1) continue;
    data += path_data({{from, sign * (k - from)}, {to, sign * (k - to)}});
  }
  return data;
}

}  // namespace trustsql
