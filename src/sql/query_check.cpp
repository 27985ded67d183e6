#include "sql/query_check.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/json_writer.hpp"
#include "base/nearest_names.hpp"
#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/parser.hpp"

namespace trustsql {

namespace {

std::string_view kind_name(Diagnosis::Kind kind) {
  static constexpr std::string_view names[] = {"missing_column",
                                               "ambiguous_column",
                                               "missing_table",
                                               "missing_function",
                                               "function_arguments",
                                               "misuse",
                                               "columns",
                                               "order_by",
                                               "limit",
                                               "other"};
  return names[static_cast<std::size_t>(kind)];
}

std::string table_name(const Table& table) {
  return table.schema == "main" ? table.name : table.schema + "." + table.name;
}

void explain_column(QueryProblem& problem, const Diagnosis& diagnosis, const Catalog& catalog) {
  const auto has_its_name = [&](std::string_view column) { return equals_ignore_case(column, diagnosis.name); };
  for (const auto& table : catalog.tables()) {
    if (table.is_internal() || table.kind == Table::Kind::shadow_table) continue;
    if (table.find_column(diagnosis.name)) problem.tables.push_back(table_name(table));
  }
  NearestNames nearest(diagnosis.name);
  for (const auto& visible : diagnosis.visible) {
    if (std::any_of(visible.columns.begin(), visible.columns.end(), has_its_name) && !visible.relation.empty())
      problem.in_scope.push_back(visible.relation);
    for (const auto& column : visible.columns) {
      // If T1.x is missing and T2 has a column x, T2.x was usually meant.
      nearest.add(column, visible.relation.empty() ? column : visible.relation + "." + column);
    }
  }
  if (diagnosis.kind == Diagnosis::Kind::ambiguous_column) return;
  for (const auto& table : catalog.tables()) {
    if (table.is_internal() || table.kind == Table::Kind::shadow_table) continue;
    const bool is_visible = std::any_of(
        diagnosis.visible.begin(), diagnosis.visible.end(),
        [&](const Diagnosis::Visible& visible) { return equals_ignore_case(visible.relation, table.name); });
    for (const auto& column : table.columns) {
      if (!is_visible) nearest.add(column.name, table_name(table) + "." + column.name);
    }
  }
  problem.nearest = nearest.take();
}

void explain_table(QueryProblem& problem, const Diagnosis& diagnosis, const Catalog& catalog) {
  NearestNames nearest(diagnosis.name);
  for (const auto& table : catalog.tables()) {
    if (!table.is_internal() && table.kind != Table::Kind::shadow_table) nearest.add(table.name, table_name(table));
  }
  problem.nearest = nearest.take();
}

void explain_function(QueryProblem& problem, const Diagnosis& diagnosis, const FunctionTable& functions) {
  NearestNames nearest(diagnosis.name);
  for (const auto& function : functions.all()) nearest.add(function.name, std::string(function.name));
  problem.nearest = nearest.take();
}

// Sets the line and column of a byte of `sql`, counted as in the parser.
void locate(QueryProblem& problem, std::string_view sql, std::size_t byte) {
  const auto before = sql.substr(0, byte);
  const auto line_start = before.rfind('\n') + 1;  // 0 if there is none
  problem.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  problem.column = 1;
  for (std::size_t i = line_start; i < before.size(); i += utf8_step(sql.substr(i)).length) ++problem.column;
}

// Splits "line 1, column 8: expected ..." into its parts.
void split_position(QueryProblem& problem) {
  int length = 0;
  if (std::sscanf(problem.message.c_str(), "line %d, column %d: %n", &problem.line, &problem.column, &length) == 2 &&
      length > 0) {
    problem.message.erase(0, static_cast<std::size_t>(length));
  }
}

// Collects the "x" that SQLite treats as strings: all of them, and those that are used as values.
class QuotedTexts {
 public:
  QuotedTexts(const ast::Query& query, const Resolution& resolution) : resolution_(resolution) {
    walk(query,
         ast::Overloaded{[&](const ast::Expr& expr) {
                           if (is_text(expr)) all_.push_back(&expr);
                         },
                         [&](const ast::Binary& binary) { compare(binary); },
                         [&](const ast::Between& between) {
                           compared_with(*between.operand, {&*between.low, &*between.high});
                         },
                         [&](const ast::Like& like) { compared_with(*like.operand, {&*like.pattern}); },
                         [&](const ast::In& in) { compare(in); }, [&](const ast::Case& branches) { compare(branches); },
                         [&](const ast::Call& call) { pass(call); }});
  }

  // The first that is not used as a value; nullptr if there is none.
  const ast::Expr* first_for_column() const {
    const auto first =
        std::find_if(all_.begin(), all_.end(), [&](const ast::Expr* text) { return values_.count(text) == 0; });
    return first == all_.end() ? nullptr : *first;
  }

 private:
  bool is_text(const ast::Expr& expr) const {
    const auto* ref = expr.as<ast::ColumnRef>();
    if (ref == nullptr || !ref->may_be_string()) return false;
    const auto* binding = resolution_.find_binding(*ref);
    return binding != nullptr && binding->kind == ColumnBinding::Kind::string;
  }
  bool has_column(const ast::Expr& expr) const {
    bool has_any = false;
    walk(expr, [&](const ast::ColumnRef& ref) {
      const auto* binding = resolution_.find_binding(ref);
      has_any = has_any || (binding != nullptr && binding->kind != ColumnBinding::Kind::string &&
                            binding->kind != ColumnBinding::Kind::boolean);
    });
    return has_any;
  }
  void compared_with(const ast::Expr& compared, const std::vector<const ast::Expr*>& values) {
    if (!has_column(compared)) return;
    for (const auto* value : values) {
      if (is_text(*value)) values_.insert(value);
    }
  }
  void compare(const ast::Binary& binary) {
    using Op = ast::BinaryOp;
    switch (binary.op) {
      case Op::equal:
      case Op::not_equal:
      case Op::is:
      case Op::is_not:
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
      case Op::arrow:
      case Op::double_arrow:
        compared_with(*binary.left, {&*binary.right});
        compared_with(*binary.right, {&*binary.left});
        break;
      default: break;
    }
  }
  void compare(const ast::In& in) {
    const auto* list = std::get_if<std::vector<ast::Expr>>(&in.set);
    if (list == nullptr) return;
    for (const auto& value : *list) compared_with(*in.operand, {&value});
  }
  void compare(const ast::Case& branches) {
    if (!branches.operand) return;
    for (const auto& branch : branches.branches) compared_with(*branches.operand, {&*branch.condition});
  }
  // strftime("%Y", day), replace(name, "-", "").
  void pass(const ast::Call& call) {
    if (std::none_of(call.arguments.begin(), call.arguments.end(),
                     [&](const auto& argument) { return has_column(argument); }))
      return;
    for (const auto& argument : call.arguments) {
      if (!is_text(argument)) continue;
      const auto& text = argument.as<ast::ColumnRef>()->column.text;
      const auto is_name_character = [](char c) {
        return c == '_' || c == ' ' || (c & 0x80) != 0 || std::isalnum(static_cast<unsigned char>(c)) != 0;
      };
      if (text.empty() || !std::all_of(text.begin(), text.end(), is_name_character)) values_.insert(&argument);
    }
  }

  const Resolution& resolution_;
  std::vector<const ast::Expr*> all_;
  std::set<const ast::Expr*> values_;
};

}  // namespace

std::optional<QueryProblem> find_text_for_column(std::string_view sql, const Catalog& catalog,
                                                 const ResolveOptions& options) {
  if (sql.find('"') == std::string_view::npos) return std::nullopt;
  const auto query = parse_query(sql, options.grammar());
  if (!query.ok()) return std::nullopt;
  const auto resolution = resolve(*query, catalog, options);
  if (!resolution.ok()) return std::nullopt;
  const auto* text = QuotedTexts(*query, *resolution).first_for_column();
  if (text == nullptr) return std::nullopt;
  Diagnosis diagnosis;
  diagnosis.kind = Diagnosis::Kind::missing_column;
  diagnosis.name = text->as<ast::ColumnRef>()->column.text;
  QueryProblem problem;
  problem.kind = kind_name(diagnosis.kind);
  problem.message = "no such column: " + diagnosis.name;
  if (text->span.end > 0) locate(problem, sql, text->span.begin);
  explain_column(problem, diagnosis, catalog);
  problem.name = std::move(diagnosis.name);
  return problem;
}

std::optional<QueryProblem> check_query(std::string_view sql, const Catalog& catalog, const ResolveOptions& options) {
  QueryProblem problem;
  const auto query = parse_query(sql, options.grammar());
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
    case Diagnosis::Kind::missing_column:
    case Diagnosis::Kind::ambiguous_column: explain_column(problem, diagnosis, catalog); break;
    case Diagnosis::Kind::missing_table: explain_table(problem, diagnosis, catalog); break;
    case Diagnosis::Kind::missing_function:
      explain_function(problem, diagnosis, options.functions != nullptr ? *options.functions : FunctionTable::latest());
      break;
    default: break;
  }
  problem.name = std::move(diagnosis.name);
  return problem;
}

std::string to_json(const QueryProblem& problem) {
  JsonWriter json;
  json.begin_object().key("kind").value(problem.kind).key("message").value(problem.message);
  if (problem.line > 0) json.key("line").value(problem.line).key("column").value(problem.column);
  if (!problem.name.empty()) json.key("name").value(problem.name);
  if (problem.kind == "missing_column" || problem.kind == "ambiguous_column") json.key("tables").value(problem.tables);
  if (!problem.in_scope.empty()) json.key("in_scope").value(problem.in_scope);
  if (!problem.nearest.empty()) json.key("nearest").value(problem.nearest);
  return std::move(json.end_object()).text();
}

}  // namespace trustsql
