#include "sql/query_check.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/edit_distance.hpp"
#include "base/text.hpp"
#include "sql/parser.hpp"

namespace trustsql {

namespace {

using Kind = Diagnosis::Kind;

constexpr std::size_t most_names = 5;

std::string_view kind_name(Kind kind) {
  static constexpr std::string_view names[] = {
      "missing_column", "ambiguous_column", "missing_table", "missing_function", "function_arguments", "misuse", "columns", "order_by", "limit",
      "other"};
  return names[static_cast<std::size_t>(kind)];
}

std::string table_name(const Table& table) { return table.schema == "main" ? table.name : table.schema + "." + table.name; }

// Collects names that are spelt like one.
class Nearest {
 public:
  explicit Nearest(std::string_view name) : name_(name), limit_(name.size() < 5 ? 1 : std::max<std::size_t>(2, name.size() / 3)) {}

  // `name` is what is compared, `shown` what to call it. Of equally like names those that came first come first.
  void add(std::string_view name, std::string shown) {
    auto distance = edit_distance(name_, name, limit_);
    // singerid for singer_id, and name for song_name.
    const bool contains = name_.size() > 3 && name.size() > 3 && (contains_ignore_case(name, name_) || contains_ignore_case(name_, name));
    if (distance > limit_ && contains) distance = limit_;
    if (distance > limit_ || distance >= std::max(name.size(), name_.size())) return;
    if (seen_.insert(shown).second) found_.push_back({distance, std::move(shown)});
  }

  std::vector<std::string> take() {
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.distance < b.distance; });
    std::vector<std::string> names;
    for (auto& candidate : found_) {
      if (names.size() < most_names) names.push_back(std::move(candidate.shown));
    }
    return names;
  }

 private:
  struct Candidate {
    std::size_t distance;
    std::string shown;
  };
  std::string_view name_;
  std::size_t limit_;
  std::vector<Candidate> found_;
  std::set<std::string> seen_;
};

void explain_column(QueryProblem& problem, const Diagnosis& diagnosis, const Catalog& catalog) {
  const auto is_it = [&](std::string_view column) { return equals_ignore_case(column, diagnosis.name); };
  for (const auto& table : catalog.tables()) {
    if (table.is_internal() || table.kind == Table::Kind::shadow_table) continue;
    if (table.find_column(diagnosis.name)) problem.tables.push_back(table_name(table));
  }
  Nearest nearest(diagnosis.name);
  for (const auto& visible : diagnosis.visible) {
    if (std::any_of(visible.columns.begin(), visible.columns.end(), is_it) && !visible.relation.empty()) problem.in_scope.push_back(visible.relation);
    for (const auto& column : visible.columns) {
      // Where T1.x is missing and T2 has one, T2.x is what was meant more often than not.
      nearest.add(column, visible.relation.empty() ? column : visible.relation + "." + column);
    }
  }
  if (diagnosis.kind == Kind::ambiguous_column) return;
  for (const auto& table : catalog.tables()) {
    if (table.is_internal() || table.kind == Table::Kind::shadow_table) continue;
    const bool is_visible = std::any_of(diagnosis.visible.begin(), diagnosis.visible.end(),
                                        [&](const Diagnosis::Visible& visible) { return equals_ignore_case(visible.relation, table.name); });
    for (const auto& column : table.columns) {
      if (!is_visible) nearest.add(column.name, table_name(table) + "." + column.name);
    }
  }
  problem.nearest = nearest.take();
}

void explain_table(QueryProblem& problem, const Diagnosis& diagnosis, const Catalog& catalog) {
  Nearest nearest(diagnosis.name);
  for (const auto& table : catalog.tables()) {
    if (!table.is_internal() && table.kind != Table::Kind::shadow_table) nearest.add(table.name, table_name(table));
  }
  problem.nearest = nearest.take();
}

void explain_function(QueryProblem& problem, const Diagnosis& diagnosis, const FunctionTable& functions) {
  Nearest nearest(diagnosis.name);
  for (const auto& function : functions.all()) nearest.add(function.name, std::string(function.name));
  problem.nearest = nearest.take();
}

// The line and column of a byte of `sql`, as the parser counts.
void locate(QueryProblem& problem, std::string_view sql, std::size_t byte) {
  const auto before = sql.substr(0, byte);
  const auto line_start = before.rfind('\n') + 1;  // 0 if there is none
  problem.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  problem.column = 1;
  for (std::size_t i = line_start; i < before.size(); i += utf8_step(sql.substr(i)).length) ++problem.column;
}

// "line 1, column 8: expected ..." taken apart.
void split_position(QueryProblem& problem) {
  int length = 0;
  if (std::sscanf(problem.message.c_str(), "line %d, column %d: %n", &problem.line, &problem.column, &length) == 2 && length > 0) {
    problem.message.erase(0, static_cast<std::size_t>(length));
  }
}

}  // namespace

std::optional<QueryProblem> check_query(std::string_view sql, const Catalog& catalog, const ResolveOptions& options) {
  QueryProblem problem;
  const auto query = parse_query(sql, {.version = options.version});
  if (!query.ok()) {
    problem.kind = query.error().code == ErrorCode::limit_exceeded ? "limit" : "syntax";
    problem.message = query.error().message;
    split_position(problem);
    return problem;
  }
  Diagnosis diagnosis;
  const auto resolution = resolve(*query, catalog, options, &diagnosis);
  if (resolution.ok()) return std::nullopt;
  problem.kind = kind_name(diagnosis.kind);
  problem.message = diagnosis.message;
  if (diagnosis.span.end > 0) locate(problem, sql, diagnosis.span.begin);
  switch (diagnosis.kind) {
    case Kind::missing_column:
    case Kind::ambiguous_column: explain_column(problem, diagnosis, catalog); break;
    case Kind::missing_table: explain_table(problem, diagnosis, catalog); break;
    case Kind::missing_function:
      explain_function(problem, diagnosis, options.functions != nullptr ? *options.functions : FunctionTable::latest());
      break;
    default: break;
  }
  problem.name = std::move(diagnosis.name);
  return problem;
}

std::string to_json(const QueryProblem& problem) {
  nlohmann::ordered_json json = {{"kind", problem.kind}, {"message", problem.message}};
  if (problem.line > 0) {
    json["line"] = problem.line;
    json["column"] = problem.column;
  }
  if (!problem.name.empty()) json["name"] = problem.name;
  if (problem.kind == "missing_column" || problem.kind == "ambiguous_column") json["tables"] = problem.tables;
  if (!problem.in_scope.empty()) json["in_scope"] = problem.in_scope;
  if (!problem.nearest.empty()) json["nearest"] = problem.nearest;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace trustsql
