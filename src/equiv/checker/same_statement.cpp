#include "equiv/checker/same_statement.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "plan/query_plan.hpp"
#include "plan/walk.hpp"
#include "sql/ast_walk.hpp"
#include "sql/functions.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "sql/view_definition.hpp"

namespace trustsql::equiv::checker {

namespace {

constexpr int max_nested_views = 20;

bool is_plain_name(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

bool names_a_column(std::string_view name, const Catalog& catalog) {
  return std::ranges::any_of(catalog.tables(), [&](const Table& table) { return table.find_column(name).has_value(); });
}

// Whether the statement may name a column by the text of an expression, in which even white space counts.
bool may_name_expressions(std::string_view sql, const Catalog& catalog, int version) {
  return std::ranges::any_of(significant_tokens(sql, version), [&](const Token& token) {
    if (token.is(TokenKind::quoted)) {
      const auto name = token.name(sql);
      return !is_plain_name(name) && !names_a_column(name, catalog);
    }
    return token.is_name() && equals_ignore_case(token.text(sql), "natural");
  });
}

// Whether the printed statements have the same tokens. Only texts in double or single quotes depend on letter case.
bool same_tokens(std::string_view a, std::string_view b, int version) {
  const auto of_a = significant_tokens(a, version);
  const auto of_b = significant_tokens(b, version);
  return std::ranges::equal(of_a, of_b, [&](const Token& x, const Token& y) {
    if (x.kind != y.kind) return false;
    const auto text = x.text(a);
    return x.is(TokenKind::string) || text.starts_with('"') ? text == y.text(b) : equals_ignore_case(text, y.text(b));
  });
}

// The statement without its names, and without the terms of ORDER BY and GROUP BY, which may name a column of the
// result in several ways.
ast::Query without_names(ast::Query query) {
  ast::walk(query,
            ast::Overloaded{[](ast::Query& each) {
                              for (auto& term : each.order_by) term.expr = ast::Expr();
                            },
                            [](ast::Select& select) {
                              for (auto& term : select.group_by) term = ast::Expr();
                            },
                            [](ast::CommonTable& table) {
                              table.name = {};
                              table.columns.clear();
                            },
                            [](ast::FromItem& item) {
                              item.alias.reset();
                              item.using_columns.clear();
                            },
                            [](ast::TableName& name) { name = {}; }, [](ast::SelectItem& item) { item.alias.reset(); },
                            [](ast::Star& star) { star.table.reset(); }, [](ast::ColumnRef& column) { column = {}; }});
  return query;
}

// Of which common tables the plan has rows, in the order of its operators.
std::vector<int> common_tables_of(const plan::Plan& plan) {
  std::vector<int> definitions;
  plan::walk(plan.root, [&](const plan::Rel& rel) {
    if (const auto* derived = rel.as<plan::Derived>()) definitions.push_back(derived->definition);
  });
  return definitions;
}

bool same_plan(const plan::Plan& a, const plan::Plan& b) {
  return plan::same_tree(a, b) && common_tables_of(a) == common_tables_of(b) &&
         std::ranges::equal(a.attributes, b.attributes, [](const plan::Attribute& x, const plan::Attribute& y) {
           return x.affinity == y.affinity;
         });
}

class FixedResult {
 public:
  FixedResult(const Catalog& catalog, const ParseOptions& grammar) : catalog_(catalog), grammar_(grammar) {}

  // Why the result of the query may change between two runs.
  std::optional<std::string> reject(const ast::Query& query, int depth = 0) {
    std::set<std::string> common;  // tables that the query itself defines
    bool has_dates = false;
    ast::walk(query,
              ast::Overloaded{[&](const ast::CommonTable& table) { common.insert(to_lower_ascii(table.name.text)); },
                              [&](const ast::Call& call) {
                                has_dates = has_dates || FunctionTable::latest().is_date_function(call.name.text);
                              }});
    ast::walk(query,
              ast::Overloaded{[&](const ast::Call& call) { check(call); }, [&](const ast::Like& like) { check(like); },
                              [&](const ast::Literal& literal) { check(literal, has_dates); },
                              [&](const ast::Binary& binary) { check(binary, has_dates); },
                              [&](const ast::Collate& collate) { check(collate); },
                              [&](const ast::TableName& name) { check(name, common, depth); }});
    return reason_;
  }

 private:
  void note(std::string reason) {
    if (!reason_) reason_ = std::move(reason);
  }

  void check(const ast::Call& call) {
    const auto* function = FunctionTable::latest().find(call.name.text, static_cast<int>(call.arguments.size()));
    if (function == nullptr || !function->deterministic)
      return note("the function " + call.name.text + " may return another value in each run");
    const std::size_t before_time = equals_ignore_case(call.name.text, "strftime") ? 1 : 0;
    if (FunctionTable::latest().is_date_function(call.name.text) && call.arguments.size() <= before_time)
      note("it reads the clock");
  }

  void check(const ast::Like& like) {
    if (like.op == ast::LikeOp::regexp || like.op == ast::LikeOp::match)
      note("REGEXP and MATCH are functions of the application");
  }

  void check(const ast::Literal& literal, bool has_dates) {
    using Kind = ast::Literal::Kind;
    const bool is_clock = literal.kind == Kind::current_date || literal.kind == Kind::current_time ||
                          literal.kind == Kind::current_timestamp;
    bool asks_for_clock = has_dates && literal.kind == Kind::blob;
    if (has_dates && literal.kind == Kind::string) {
      for (const char* word : {"now", "local", "utc", "subsec"})
        asks_for_clock = asks_for_clock || contains_ignore_case(literal.text, word);
    }
    if (is_clock || asks_for_clock) note("it reads the clock or the time zone");
  }

  // A word such as "now" may be put together.
  void check(const ast::Binary& binary, bool has_dates) {
    if (has_dates && binary.op == ast::BinaryOp::concat) note("a text that is put together may stand for the clock");
  }

  void check(const ast::Collate& collate) {
    constexpr std::array<std::string_view, 3> built_in = {"BINARY", "NOCASE", "RTRIM"};
    if (std::ranges::none_of(built_in,
                             [&](std::string_view name) { return equals_ignore_case(name, collate.collation.text); }))
      note("a collation of the application");
  }

  void check(const ast::TableName& name, const std::set<std::string>& common, int depth) {
    const auto& text = name.name.text;
    const auto* table = name.schema ? catalog_.find(name.schema->text, text) : catalog_.find(text);
    if (table == nullptr) {
      const bool is_known = equals_ignore_case(text, "json_each") || equals_ignore_case(text, "json_tree") ||
                            (!name.schema && common.contains(to_lower_ascii(text)));
      if (!is_known) note("the rows of " + text + " do not come from the database");
    } else if (table->kind == Table::Kind::virtual_table) {
      note("the virtual table " + text + " may return other rows in each run");
    } else if (table->kind == Table::Kind::view && views_.insert(table).second) {
      if (depth == max_nested_views) return note("views are nested too deeply");
      const auto definition = parse_view(table->sql, grammar_);
      if (!definition.ok()) return note("the view " + text + " cannot be read");
      reject(definition->query, depth + 1);
    }
  }

  const Catalog& catalog_;
  const ParseOptions& grammar_;
  std::set<const Table*> views_;  // that have been looked at
  std::optional<std::string> reason_;
};

}  // namespace

std::optional<std::string> reject_same_statement(std::string_view a, std::string_view b, const Catalog& catalog,
                                                 const ParseOptions& grammar) {
  const auto query_a = parse_query(a, grammar);
  const auto query_b = parse_query(b, grammar);
  if (!query_a.ok() || !query_b.ok()) return "a statement cannot be read";
  if (!same_tokens(print_query(*query_a), print_query(*query_b), grammar.version))
    return "the statements are not the same";
  if (a != b &&
      (may_name_expressions(a, catalog, grammar.version) || may_name_expressions(b, catalog, grammar.version)))
    return "the statements may name a column by the text of an expression, and are not written alike";
  return FixedResult(catalog, grammar).reject(*query_a);
}

std::optional<std::string> reject_renamed_statement(std::string_view a, std::string_view b, const Catalog& catalog,
                                                    const ResolveOptions& dialect) {
  const auto grammar = dialect.grammar();
  auto query_a = parse_query(a, grammar);
  auto query_b = parse_query(b, grammar);
  if (!query_a.ok() || !query_b.ok()) return "a statement cannot be read";
  if (auto reason = FixedResult(catalog, grammar).reject(*query_a)) return reason;
  if (!(without_names(*std::move(query_a)) == without_names(*std::move(query_b))))
    return "the statements differ in more than names";
  const auto plan_a = plan::plan_query(a, catalog, dialect);
  const auto plan_b = plan::plan_query(b, catalog, dialect);
  if (!plan_a.ok() || !plan_b.ok()) return "a statement has no plan";
  if (!same_plan(*plan_a, *plan_b)) return "the names stand for different columns";
  return std::nullopt;
}

}  // namespace trustsql::equiv::checker
