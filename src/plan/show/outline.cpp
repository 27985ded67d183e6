#include "plan/show/outline.hpp"

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/show/expr_text.hpp"
#include "plan/to_sql/pieces.hpp"
#include "plan/walk.hpp"
#include "sql/printer.hpp"

namespace trustsql::plan {

namespace {

class Outliner {
 public:
  Outliner(const Plan& plan, Naming naming) : names_(plan, naming) {}

  Outline operator()(const Rel& rel) const {
    Outline outline;
    std::visit([&](const auto& node) { describe(node, rel, outline); }, rel.node);
    for (const auto id : outputs(rel)) outline.columns.push_back(text(id));
    for_each_rel(rel, [&](const Rel& input) { outline.inputs.push_back((*this)(input)); });
    for_each_expr(rel, [&](const Expr& expr) { add_subqueries(expr, outline); });
    return outline;
  }

 private:
  using Detail = Outline::Detail;

  void add_subqueries(const Expr& expr, Outline& outline) const {
    for_each_expr(expr, [&](const Expr& operand) { add_subqueries(operand, outline); });
    for_each_rel(expr, [&](const Rel& rel) { outline.subqueries.push_back({names_.of_subquery(rel), (*this)(rel)}); });
  }

  std::string text(const Expr& expr) const { return expr_text(expr, names_); }
  std::string text(AttributeId id) const { return expr_text(column(id), names_); }
  template <class Range>
  std::vector<std::string> texts(const Range& range) const {
    std::vector<std::string> all;
    for (const auto& element : range) all.push_back(text(element));
    return all;
  }
  std::vector<std::string> conjuncts(const std::vector<Expr>& exprs) const {
    std::vector<std::string> all;
    // An OR among several conjuncts needs its parentheses.
    for (const auto& expr : exprs)
      all.push_back(exprs.size() > 1 && expr.is<Or>() ? "(" + text(expr) + ")" : text(expr));
    return all;
  }
  static std::string collated(std::string expr, std::string_view collation) {
    if (collation != binary_collation) expr.append(" COLLATE ").append(collation);
    return expr;
  }
  std::string text(const SortKey& key) const {
    auto shown = collated(text(key.expr), key.collation);
    if (key.descending) shown += " DESC";
    if (key.nulls_first == key.descending) shown += key.nulls_first ? " NULLS FIRST" : " NULLS LAST";
    return shown;
  }
  std::string with_name(std::string expr, AttributeId id) const {
    const auto name = text(id);
    return expr == name ? name : std::move(expr) + " AS " + name;
  }
  std::string text(const GroupKey& key) const { return with_name(collated(text(key.expr), key.collation), key.id); }
  std::string call_text(std::string_view name, const std::vector<Expr>& arguments, bool star, bool distinct,
                        std::string_view collation, const ast::Box<Expr>& filter,
                        const std::vector<SortKey>& order_by = {}) const {
    auto shown = std::string(name) + "(" + (distinct ? "DISTINCT " : "") + (star ? "*" : join(texts(arguments), ", "));
    if (!order_by.empty()) shown += " ORDER BY " + join(texts(order_by), ", ");
    shown = collated(std::move(shown), collation) + ")";
    if (filter) shown += " FILTER (WHERE " + text(*filter) + ")";
    return shown;
  }
  std::string text(const AggregateCall& call) const {
    if (call.is_bare()) return with_name("any(" + text(call.arguments.front()) + ")", call.id);
    return with_name(call_text(call.name, call.arguments, call.arguments.empty(), call.distinct, call.collation,
                               call.filter, call.order_by),
                     call.id);
  }
  std::string text(const WindowCall& call) const {
    auto shown = call_text(call.name, call.arguments, call.star, false, call.collation, call.filter) + " OVER (";
    std::vector<std::string> parts;
    if (!call.partition_by.empty()) {
      std::vector<std::string> keys;
      for (const auto& key : call.partition_by) keys.push_back(collated(text(key.expr), key.collation));
      parts.push_back("PARTITION BY " + join(keys, ", "));
    }
    if (!call.order_by.empty()) parts.push_back("ORDER BY " + join(texts(call.order_by), ", "));
    if (call.frame) parts.push_back(text(*call.frame));
    return with_name(shown + join(parts, " ") + ")", call.id);
  }
  std::string text(const Frame& frame) const {
    static constexpr std::string_view units[] = {"ROWS", "RANGE", "GROUPS"};
    static constexpr std::string_view excluded[] = {"", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES"};
    const auto bound = [&](const FrameBound& b) -> std::string {
      using Kind = ast::FrameBound::Kind;
      switch (b.kind) {
        case Kind::unbounded_preceding: return "UNBOUNDED PRECEDING";
        case Kind::preceding: return text(*b.offset) + " PRECEDING";
        case Kind::current_row: return "CURRENT ROW";
        case Kind::following: return text(*b.offset) + " FOLLOWING";
        case Kind::unbounded_following: return "UNBOUNDED FOLLOWING";
      }
      return {};
    };
    return std::string(units[static_cast<int>(frame.unit)]) + " BETWEEN " + bound(frame.start) + " AND " +
           bound(frame.end) + std::string(excluded[static_cast<int>(frame.exclude)]);
  }
  static std::string table_text(std::string_view schema, std::string_view name) {
    const auto quoted = [](std::string_view part) {
      return print_expression({ast::ColumnRef{{}, {}, sql_name(part)}, {}});
    };
    return schema.empty() || schema == "main" ? quoted(name) : quoted(schema) + "." + quoted(name);
  }
  void add_instance(const Rel& rel, std::string_view name, Outline& outline) const {
    const auto& instance = names_.of_instance(rel);
    if (instance != name) outline.details.push_back({"alias", {instance}, "AS", ", ", false});
  }

  void describe(const Scan& n, const Rel& rel, Outline& outline) const {
    outline.op = "Scan";
    outline.details.push_back({"table", {table_text(n.schema, n.name)}, {}, ", ", false});
    add_instance(rel, n.name, outline);
    Detail reads{"reads"};
    for (const auto& column : n.columns)
      reads.items.push_back(print_expression({ast::ColumnRef{{}, {}, sql_name(names_.of(column.id).name)}, {}}));
    reads.in_parentheses = true;
    outline.details.push_back(std::move(reads));
  }
  void describe(const TableFunction& n, const Rel& rel, Outline& outline) const {
    outline.op = "TableFunction";
    outline.details.push_back({"function", {table_text(n.schema, n.name)}, {}, ", ", false});
    outline.details.push_back({"arguments", texts(n.arguments), "of"});
    add_instance(rel, n.name, outline);
  }
  void describe(const Values& n, const Rel&, Outline& outline) const {
    outline.op = "Values";
    Detail rows{"rows"};
    for (const auto& row : n.rows) rows.items.push_back("(" + join(texts(row), ", ") + ")");
    outline.details.push_back(std::move(rows));
  }
  void describe(const Filter& n, const Rel&, Outline& outline) const {
    outline.op = "Filter";
    outline.details.push_back({"conjuncts", conjuncts(n.conjuncts), {}, " AND "});
  }
  void describe(const Project& n, const Rel&, Outline& outline) const {
    outline.op = "Project";
    Detail items{"items"};
    for (const auto& item : n.items) items.items.push_back(with_name(text(item.expr), item.id));
    outline.details.push_back(std::move(items));
  }
  void describe(const Join& n, const Rel&, Outline& outline) const {
    static constexpr std::string_view types[] = {"inner", "left", "right", "full", "semi", "anti"};
    outline.op = "Join";
    outline.details.push_back({"type", {std::string(types[static_cast<int>(n.type)])}, {}, ", ", false});
    outline.details.push_back({"on", conjuncts(n.on), "on", " AND "});
  }
  void describe(const Apply& n, const Rel&, Outline& outline) const {
    static constexpr std::string_view types[] = {"scalar", "semi", "anti", "lateral", "lateral left"};
    outline.op = "Apply";
    outline.details.push_back({"type", {std::string(types[static_cast<int>(n.type)])}, {}, ", ", false});
    outline.details.push_back({"on", conjuncts(n.on), "on", " AND "});
  }
  void describe(const Aggregate& n, const Rel&, Outline& outline) const {
    outline.op = "Aggregate";
    outline.details.push_back({"calls", texts(n.calls)});
    if (!n.grouped) return;
    outline.details.push_back({"keys", texts(n.keys), "by"});
    if (n.keys.empty()) outline.details.back().items.emplace_back("()");
  }
  void describe(const Window& n, const Rel&, Outline& outline) const {
    outline.op = "Window";
    outline.details.push_back({"calls", texts(n.calls)});
  }
  void add_collations(const std::vector<std::string_view>& collations, Outline& outline) const {
    if (!collations.empty())
      outline.details.push_back({"collations", {collations.begin(), collations.end()}, "COLLATE"});
  }
  void describe(const Distinct& n, const Rel&, Outline& outline) const {
    outline.op = "Distinct";
    add_collations(n.collations, outline);
  }
  void describe(const Sort& n, const Rel&, Outline& outline) const {
    outline.op = "Sort";
    outline.details.push_back({"keys", texts(n.keys), "by"});
  }
  void describe(const Limit& n, const Rel&, Outline& outline) const {
    outline.op = "Limit";
    outline.details.push_back({"count", {text(*n.count)}, {}, ", ", false});
    if (n.offset) outline.details.push_back({"offset", {text(*n.offset)}, "offset", ", ", false});
  }
  void describe(const SetOp& n, const Rel&, Outline& outline) const {
    switch (n.op) {
      case ast::SetOp::union_distinct: outline.op = "Union"; break;
      case ast::SetOp::union_all: outline.op = "UnionAll"; break;
      case ast::SetOp::intersect: outline.op = "Intersect"; break;
      case ast::SetOp::except: outline.op = "Except"; break;
    }
    add_collations(n.collations, outline);
  }
  void describe(const Derived& n, const Rel&, Outline& outline) const {
    static constexpr std::string_view kinds[] = {"subquery", "view", "common table"};
    outline.op = "Derived";
    outline.details.push_back({"kind", {std::string(kinds[static_cast<int>(n.kind)])}, {}, ", ", false});
    if (!n.name.empty()) outline.details.push_back({"name", {std::string(n.name)}, "AS", ", ", false});
  }
  void describe(const Recursive& n, const Rel&, Outline& outline) const {
    outline.op = "Recursive";
    outline.details.push_back({"number", {std::to_string(n.number)}, {}, ", ", false});
    if (n.distinct) outline.details.push_back({"distinct", {"distinct"}, {}, ", ", false});
    add_collations(n.collations, outline);
    outline.details.push_back({"order_by", texts(n.order_by), "by"});
    if (n.count) outline.details.push_back({"count", {text(*n.count)}, "limit", ", ", false});
    if (n.offset) outline.details.push_back({"offset", {text(*n.offset)}, "offset", ", ", false});
  }
  void describe(const RecursiveRef& n, const Rel&, Outline& outline) const {
    outline.op = "RecursiveRef";
    outline.details.push_back({"number", {std::to_string(n.number)}, {}, ", ", false});
  }

  ShownNames names_;
};

}  // namespace

Outline outline_of(const Plan& plan, Naming naming) { return Outliner(plan, naming)(plan.root); }

std::string one_line(const Outline& outline) {
  std::string line(outline.op);
  for (const auto& detail : outline.details) {
    if (detail.items.empty()) continue;
    line += ' ';
    if (!detail.label.empty()) line.append(detail.label).append(" ");
    const auto items = join(detail.items, detail.separator);
    line += detail.in_parentheses ? "(" + items + ")" : items;
  }
  return line;
}

}  // namespace trustsql::plan
