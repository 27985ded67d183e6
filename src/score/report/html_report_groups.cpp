// The sections on groups of questions.

#include <algorithm>
#include <map>

#include "score/report/html_report_parts.hpp"
#include "score/report/html_text.hpp"

namespace trustsql::page {

namespace {

constexpr std::size_t max_groups_side_by_side = 6;  // groups shown side by side, as in the paper's Table 3
constexpr std::size_t max_group_rows = 600;         // rows of the single table that shows more groups

struct Group {
  std::string name;
  std::int64_t size = 0;  // questions of the system that has the most of them
  std::vector<const ReportRow*> rows;
  std::map<std::optional<std::uint32_t>, const ReportRow*> row_of;  // by system
};

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::vector<Group> groups_of(const ReportByColumn& grouped) {
  std::vector<Group> groups;
  std::map<std::uint32_t, std::size_t> positions;
  for (const auto& row : grouped.rows) {
    if (!row.group) continue;
    const auto [position, is_new] = positions.try_emplace(*row.group, groups.size());
    if (is_new) groups.push_back({grouped.values[*row.group], 0, {}, {}});
    Group& group = groups[position->second];
    group.rows.push_back(&row);
    group.row_of.emplace(row.system, &row);
    group.size = std::max(group.size, row.counts.total());
  }
  return groups;
}

// One table per score, with a column for each group.
std::string tables_by_score(const HtmlReport& report, const std::vector<Group>& groups, const std::string& id) {
  std::vector<std::string> headings = {"System"};
  for (const auto& group : groups)
    headings.push_back(one_line(cut_text(group.name, longest_name)) + "\nN = " + print_count(group.size));
  std::string html = "<div class=\"tables\">\n";
  std::size_t number = 0;
  for (const auto& column : score_columns(report)) {
    HtmlTable table(id + "-" + std::to_string(number++), column.name, headings);
    std::vector<std::optional<double>> best;
    for (const auto& group : groups) best.push_back(best_of(group.rows, column));
    for (const auto& total : report.totals) {
      begin_row(table, report, total);
      for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto row = groups[i].row_of.find(total.system);
        const auto value = row == groups[i].row_of.end() ? std::nullopt : column.value(*row->second);
        table.number(value, {.best = total.system && best[i] && value == best[i]});
      }
    }
    html += std::move(table).finish();
  }
  return html + "</div>\n";
}

// Drops the smallest groups until the others have at most max_group_rows rows in total; at least one group remains.
void keep_largest(std::vector<Group>& groups) {
  std::vector<const Group*> by_size;
  for (const auto& group : groups) by_size.push_back(&group);
  std::stable_sort(by_size.begin(), by_size.end(), [](const Group* a, const Group* b) { return a->size > b->size; });
  std::size_t rows = 0;
  std::vector<bool> kept(groups.size());
  for (const auto* group : by_size) {
    rows += group->rows.size();
    if (rows > max_group_rows && group != by_size.front()) break;
    kept[static_cast<std::size_t>(group - groups.data())] = true;
  }
  std::vector<Group> left;
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (kept[i]) left.push_back(std::move(groups[i]));
  groups = std::move(left);
}

// A single table, with the groups one below the other.
std::string table_by_group(const HtmlReport& report, const std::vector<Group>& groups, const std::string& id) {
  auto columns = score_columns(report);
  for (auto& column : columns) column.interval = [](const ReportRow&) { return std::optional<Interval>(); };
  std::vector<std::string> headings = {"System"};
  for (const auto& column : columns) headings.push_back(column.name);
  HtmlTable table(id, "Scores by group", headings, {}, /*grouped=*/true);
  for (const auto& group : groups) {
    table.group(group.name, " (N = " + print_count(group.size) + ")");
    write_scores(table, report, group.rows, columns);
  }
  return std::move(table).finish();
}

}  // namespace

std::string group_section(const HtmlReport& report, const ReportByColumn& grouped, std::size_t number) {
  auto groups = groups_of(grouped);
  if (groups.empty()) return {};
  const std::string id = "by-" + std::to_string(number);
  const std::size_t group_count = groups.size();
  if (group_count > max_groups_side_by_side) keep_largest(groups);
  std::string note = "In percent; N is the number of questions of a group.";
  if (groups.size() < group_count)
    note += " The " + std::to_string(groups.size()) + " largest of " + std::to_string(group_count) +
            " groups; rs_report lists all.";
  return heading("By " + cut_text(grouped.column, longest_name)) + paragraph(note, "note") +
         (group_count > max_groups_side_by_side ? table_by_group(report, groups, id)
                                                : tables_by_score(report, groups, id));
}

}  // namespace trustsql::page
