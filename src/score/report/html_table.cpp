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

HtmlTable::HtmlTable(std::string_view id, std::string_view caption, const std::vector<std::string>& columns,
                     const std::vector<bool>& intervals, bool grouped)
    : id_(id), columns_(columns.size()), intervals_(intervals), grouped_(grouped) {
  intervals_.resize(columns_);
  html_ =
      "<div class=\"scroll\">\n<table>\n<caption id=\"" + id_ + "\">" + html_text(caption) + "</caption>\n<thead><tr>";
  if (grouped_) csv_.text("Group");
  for (std::size_t i = 0; i < columns_; ++i) {
    const auto lines = split(columns[i], '\n');
    html_ += "<th scope=\"col\">" + html_text(lines.front());
    for (std::size_t line = 1; line < lines.size(); ++line) html_ += "<small>" + html_text(lines[line]) + "</small>";
    html_ += "</th>";
    csv_.text(lines.front());
    if (!intervals_[i]) continue;
    csv_.text(std::string(lines.front()) + " low");
    csv_.text(std::string(lines.front()) + " high");
  }
  csv_.end_row();
  html_ += "</tr></thead>\n";
}

void HtmlTable::close_row() {
  if (in_row_) {
    html_ += "</tr>\n";
    csv_.end_row();
  }
  in_row_ = false;
}

void HtmlTable::group(std::string_view name, std::string_view note) {
  close_row();
  if (in_body_) html_ += "</tbody>\n";
  html_ += "<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"" + std::to_string(columns_) + "\">" +
           html_text(cut_text(name, longest_name)) + html_text(note) + "</th></tr>\n";
  group_ = name;
  in_body_ = true;
}

void HtmlTable::row(std::string_view name, std::string_view classes, std::optional<std::size_t> index) {
  close_row();
  if (!in_body_) html_ += "<tbody>\n";
  in_body_ = true;
  in_row_ = true;
  column_ = 0;
  html_ += classes.empty() ? "<tr>" : "<tr class=\"" + std::string(classes) + "\">";
  html_ += index ? "<th scope=\"row\" class=\"keyed\">" + plot::swatch(*index) : "<th scope=\"row\">";
  html_ += html_text(cut_text(name, longest_name)) + "</th>";
  if (grouped_) csv_.text(group_);
  csv_.text(name);
  ++column_;
}

void HtmlTable::text(std::string_view content) {
  html_ += "<td>" + html_text(content) + "</td>";
  csv_.text(content);
  ++column_;
}

void HtmlTable::count(std::int64_t value) {
  html_ += "<td>" + exact(std::to_string(value), print_count(value)) + "</td>";
  csv_.number(std::to_string(value));
  ++column_;
}

void HtmlTable::number(std::optional<double> value, const NumberStyle& style) {
  const auto& interval = style.interval;
  csv_.number(value ? format_real(*value) : std::string());
  if (column_ < intervals_.size() && intervals_[column_]) {
    csv_.number(value && interval ? format_real(interval->low) : std::string());
    csv_.number(value && interval ? format_real(interval->high) : std::string());
  }
  ++column_;
  if (!value) {
    html_ += "<td>\xe2\x80\x93</td>";
    return;
  }
  const std::string shown =
      exact(*value, style.digits > 0 ? print_significant(*value, style.digits) : print_number(*value, style.decimals));
  html_ += style.best ? "<td><strong>" + shown + "</strong>" : "<td>" + shown;
  if (interval) {
    html_ += "<small>" + exact(interval->low, print_number(interval->low)) + " to " +
             exact(interval->high, print_number(interval->high)) + "</small>";
  }
  html_ += "</td>";
}

std::string HtmlTable::finish() && {
  close_row();
  if (in_body_) html_ += "</tbody>\n";
  return std::move(html_) + "</table>\n<p class=\"save\"><a download=\"" + id_ + ".csv\" href=\"" + csv_.data_uri() +
         "\" aria-describedby=\"" + id_ + "\">CSV</a></p>\n</div>\n";
}

}  // namespace trustsql
