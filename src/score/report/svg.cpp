#include "score/report/svg.hpp"

#include "score/report/html_text.hpp"

namespace trustsql {

namespace {

std::string attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + plain_number(value) + "\"";
}

std::string class_attribute(std::string_view classes) {
  return classes.empty() ? std::string() : " class=\"" + std::string(classes) + "\"";
}

std::string_view anchor_class(TextAnchor anchor) {
  switch (anchor) {
    case TextAnchor::start: return {};
    case TextAnchor::middle: return "mid";
    case TextAnchor::end: return "end";
  }
  return {};
}

}  // namespace

SvgWriter::SvgWriter(std::string_view id, double width, double height, std::string_view title,
                     std::string_view description)
    : id_(id) {
  body_ = "<svg viewBox=\"0 0 " + plain_number(width) + " " + plain_number(height) +
          "\" role=\"img\" aria-labelledby=\"" + id_ + "-t " + id_ + "-d\"><title id=\"" + id_ + "-t\">" +
          html_text(title) + "</title><desc id=\"" + id_ + "-d\">" + html_text(description) + "</desc>";
}

void SvgWriter::open_group(std::string_view classes, std::string_view title) {
  body_ += "<g" + class_attribute(classes) + ">";
  if (!title.empty()) body_ += "<title>" + html_text(title) + "</title>";
}

void SvgWriter::close_group() { body_ += "</g>"; }

void SvgWriter::line(double x1, double y1, double x2, double y2, std::string_view classes) {
  body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
           class_attribute(classes) + "/>";
}

void SvgWriter::rect(double x, double y, double width, double height, std::string_view classes) {
  if (!(width > 0) || !(height > 0)) return;
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) + attribute("height", height) +
           class_attribute(classes) + "/>";
}

void SvgWriter::path(std::string_view data, std::string_view classes) {
  if (data.empty()) return;
  body_ += "<path d=\"" + std::string(data) + "\"" + class_attribute(classes) + "/>";
}

void SvgWriter::text(double x, double y, TextAnchor anchor, std::string_view classes, std::string_view content) {
  std::string all(classes);
  if (const auto anchored = anchor_class(anchor); !anchored.empty())
    all += (all.empty() ? "" : " ") + std::string(anchored);
  body_ +=
      "<text" + attribute("x", x) + attribute("y", y) + class_attribute(all) + ">" + html_text(content) + "</text>";
}

void SvgWriter::text_upward(double x, double y, std::string_view classes, std::string_view content) {
  body_ += "<text transform=\"translate(" + plain_number(x) + " " + plain_number(y) + ") rotate(-90)\"" +
           class_attribute(std::string(classes) + (classes.empty() ? "mid" : " mid")) + ">" + html_text(content) +
           "</text>";
}

std::string SvgWriter::finish() && { return std::move(body_) + "</svg>"; }

}  // namespace trustsql
