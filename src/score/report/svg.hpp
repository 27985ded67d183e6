// SvgWriter: one inline SVG image, written element by element.
//
// Colours and strokes come from the page's style sheet by class, so that they adapt to light, dark and print; the
// writer handles only geometry and text. Coordinates are in units of the viewBox, with y downward, and are printed with
// one decimal. Texts are escaped here; class names and path data come from the caller's code and are not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trustsql {

enum class TextAnchor { start, middle, end };

class SvgWriter {
 public:
  // `id` is unique on the page and consists of letters, digits and hyphens. `title` and `description` are for readers
  // who cannot see the image (https://www.w3.org/TR/svg-aam-1.0/).
  SvgWriter(std::string_view id, double width, double height, std::string_view title, std::string_view description);

  // Begins a group with these classes, which lasts until close_group(). A title becomes its tooltip.
  void open_group(std::string_view classes, std::string_view title = {});
  void close_group();

  void line(double x1, double y1, double x2, double y2, std::string_view classes);
  // A rectangle; omitted if it has no area.
  void rect(double x, double y, double width, double height, std::string_view classes);
  // `data` is path data ("M0 0L1 1").
  void path(std::string_view data, std::string_view classes);
  void text(double x, double y, TextAnchor anchor, std::string_view classes, std::string_view content);
  // Text that reads upward, centred at (x, y).
  void text_upward(double x, double y, std::string_view classes, std::string_view content);

  // The finished <svg> element. Precondition: every group is closed.
  std::string finish() &&;

 private:
  std::string id_;
  std::string body_;
};

}  // namespace trustsql
