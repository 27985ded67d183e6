#include "score/report/html_table.hpp"

#include "base/text.hpp"
#include "score/report/html_plot_parts.hpp"
#include "score/report/html_text.hpp"

namespace trustsql {

namespace {

constexpr std::size_t longest_name = 120;  // characters

std::string exact(const std::string& value, const std::string& shown) {
  return "<data value=\"" + value + "\">" + shown + "</data>";
}
std::string exact(double value, const std::string& shown) { return exact(format_real(value), shown); }

}  // namespace

HtmlTable::HtmlTable(std::string_view id, std::string_view caption, const std::vector<std::string>& columns)
    : columns_(columns.size()) {
  const std::string name(id);
  html_ = "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"" + name +
          "\">\n<table>\n<caption id=\"" + name + "\">" + html_text(caption) + "</caption>\n<thead><tr>";
  for (const auto& column : columns) {
    const auto lines = split(column, '\n');
    html_ += "<th scope=\"col\">" + html_text(lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i) html_ += "<small>" + html_text(lines[i]) + "</small>";
    html_ += "</th>";
  }
  html_ += "</tr></thead>\n";
}

void HtmlTable::close_row() {
  if (in_row_) html_ += "</tr>\n";
  in_row_ = false;
}

void HtmlTable::group(std::string_view name) {
  close_row();
  if (in_body_) html_ += "</tbody>\n";
  html_ += "<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"" + std::to_string(columns_) + "\">" +
           html_text(cut_text(name, longest_name)) + "</th></tr>\n";
  in_body_ = true;
}

void HtmlTable::row(std::string_view name, std::string_view classes, std::optional<std::size_t> index) {
  close_row();
  if (!in_body_) html_ += "<tbody>\n";
  in_body_ = true;
  in_row_ = true;
  html_ += classes.empty() ? "<tr>" : "<tr class=\"" + std::string(classes) + "\">";
  html_ += index ? "<th scope=\"row\" class=\"keyed\">" : "<th scope=\"row\">";
  if (index) html_ += "<span class=\"swatch " + plot::series_class(*index) + "\"></span>";
  html_ += html_text(cut_text(name, longest_name)) + "</th>";
}

void HtmlTable::text(std::string_view content) { html_ += "<td>" + html_text(content) + "</td>"; }

void HtmlTable::count(std::int64_t value) {
  html_ += "<td>" + exact(std::to_string(value), print_count(value)) + "</td>";
}

void HtmlTable::number(std::optional<double> value, const NumberStyle& style) {
  if (!value) {
    html_ += "<td>\xe2\x80\x93</td>";
    return;
  }
  const std::string shown =
      exact(*value, style.digits > 0 ? print_significant(*value, style.digits) : print_number(*value, style.decimals));
  html_ += style.best ? "<td><strong>" + shown + "</strong>" : "<td>" + shown;
  if (const auto& interval = style.interval) {
    html_ += "<small>" + exact(interval->low, print_number(interval->low)) + " to " +
             exact(interval->high, print_number(interval->high)) + "</small>";
  }
  html_ += "</td>";
}

std::string HtmlTable::finish() && {
  close_row();
  if (in_body_) html_ += "</tbody>\n";
  return std::move(html_) + "</table>\n</div>\n";
}

}  // namespace trustsql
