#include "equiv/mutants.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_set>

#include "base/text.hpp"
#include "equiv/rewriting/schema_mutants.hpp"
#include "sql/ast_walk.hpp"

namespace trustsql::equiv {

using namespace ast;

namespace {

constexpr MutantKindDescription descriptions_of_mutants[mutant_kind_count] = {
    {MutantKind::comparison, "comparison", "another operator for =, <>, <, <=, > or >="},
    {MutantKind::logic, "logic", "OR for AND, and a NOT more or less"},
    {MutantKind::condition, "condition", "a condition is removed, or an element of an IN list"},
    {MutantKind::constant, "constant", "a number one larger or smaller, another text or pattern"},
    {MutantKind::column, "column", "another column of the same table"},
    {MutantKind::aggregate, "aggregate", "another aggregate, or DISTINCT in one"},
    {MutantKind::arithmetic, "arithmetic", "- for +, / for *, and the reverse"},
    {MutantKind::join, "join", "LEFT JOIN for JOIN and the reverse, or a join without its condition"},
    {MutantKind::distinct, "distinct", "DISTINCT is added or removed"},
    {MutantKind::set_operation, "set_operation", "another one of UNION, UNION ALL, INTERSECT and EXCEPT"},
    {MutantKind::grouping, "grouping", "GROUP BY loses a term"},
    {MutantKind::order, "order", "ORDER BY is removed or reversed"},
    {MutantKind::limit, "limit", "LIMIT or OFFSET is removed"},
    {MutantKind::other_table, "other_table", "a column of another table in FROM"},
    {MutantKind::result_column, "result_column", "a result column is removed, added, or exchanged with the next one"},
    {MutantKind::redundant_join, "redundant_join", "a table is joined along a foreign key, and not used"},
    {MutantKind::missing_join, "missing_join", "a joined table is left out, with its conditions"},
    {MutantKind::extra_condition, "extra_condition", "a condition is added"},
    {MutantKind::value, "value", "another value of the same column"},
    {MutantKind::scalar_subquery, "scalar_subquery", "= (SELECT ...) for IN (SELECT ...), and the reverse"},
};
// The table is in the order of the enumeration.
static_assert([] {
  for (std::size_t i = 0; i < mutant_kind_count; ++i) {
    if (descriptions_of_mutants[i].kind != static_cast<MutantKind>(i)) return false;
  }
  return true;
}());

// How many other columns of the same table replace a column.
constexpr std::size_t max_other_columns = 3;

std::span<const BinaryOp> others(BinaryOp op) {
  using enum BinaryOp;
  static constexpr BinaryOp of_equal[] = {not_equal, less_equal, greater_equal};
  static constexpr BinaryOp of_not_equal[] = {equal, less, greater};
  static constexpr BinaryOp of_less[] = {less_equal, greater};
  static constexpr BinaryOp of_less_equal[] = {less, greater_equal, equal};
  static constexpr BinaryOp of_greater[] = {greater_equal, less};
  static constexpr BinaryOp of_greater_equal[] = {greater, less_equal, equal};
  static constexpr BinaryOp of_is[] = {is_not};
  static constexpr BinaryOp of_is_not[] = {is};
  static constexpr BinaryOp of_add[] = {subtract};
  static constexpr BinaryOp of_subtract[] = {add};
  static constexpr BinaryOp of_multiply[] = {divide};
  static constexpr BinaryOp of_divide[] = {multiply};
  static constexpr BinaryOp of_or[] = {logical_and};
  static constexpr BinaryOp of_and[] = {logical_or};
  switch (op) {
    case equal: return of_equal;
    case not_equal: return of_not_equal;
    case less: return of_less;
    case less_equal: return of_less_equal;
    case greater: return of_greater;
    case greater_equal: return of_greater_equal;
    case is: return of_is;
    case is_not: return of_is_not;
    case add: return of_add;
    case subtract: return of_subtract;
    case multiply: return of_multiply;
    case divide: return of_divide;
    case logical_or: return of_or;
    case logical_and: return of_and;
    default: return {};
  }
}

MutantKind kind_of(BinaryOp op) {
  if (op == BinaryOp::logical_and || op == BinaryOp::logical_or) return MutantKind::logic;
  return op < BinaryOp::bit_and ? MutantKind::comparison : MutantKind::arithmetic;
}

// For each column reference of `query`, in the order of walk(), the columns that may replace it.
std::vector<std::vector<std::string>> other_columns(const ast::Query& query, const Resolution& resolution) {
  std::vector<std::vector<std::string>> replacements;
  walk(query, [&](const ColumnRef& reference) {
    auto& names = replacements.emplace_back();
    const auto* binding = resolution.find_binding(reference);
    if (binding == nullptr || binding->kind != ColumnBinding::Kind::column) return;
    const auto* relation = binding->column.relation;
    if (relation == nullptr || binding->column.column < 0) return;
    const auto& own = relation->columns[static_cast<std::size_t>(binding->column.column)];
    // Those of the same affinity first: they are more easily confused.
    for (const bool alike : {true, false}) {
      for (const auto& column : relation->columns) {
        if (column.hidden || column.name == own.name || (column.type.affinity == own.type.affinity) != alike) continue;
        if (names.size() < max_other_columns) names.emplace_back(column.name);
      }
    }
  });
  return replacements;
}

class Mutator {
 public:
  Mutator(const ast::Query& query, const Resolution* resolution, std::size_t most, std::size_t most_of_kind)
      : root_(query), most_(most), most_of_kind_(most_of_kind) {
    if (resolution != nullptr) columns_ = other_columns(query, *resolution);
    seen_.insert(hash(root_));
  }

  std::vector<Mutant> make() {
    walk(root_, Overloaded{
                    [&](ast::Expr& node) { return !full() && (mutate(node), true); },
                    [&](Select& node) { mutate(node); },
                    [&](ast::Query& node) { mutate(node); },
                    [&](FromItem& node) { mutate(node); },
                    [&](OrderTerm& node) { flip(MutantKind::order, node.descending); },
                    [&](ColumnRef& node) { mutate(node); },
                    [&](Literal& node) { mutate(node); },
                    [&](Binary& node) { mutate(node); },
                    [&](IsNull& node) { flip(MutantKind::logic, node.negated); },
                    [&](Between& node) { flip(MutantKind::logic, node.negated); },
                    [&](Like& node) { flip(MutantKind::logic, node.negated); },
                    [&](In& node) { mutate(node); },
                    [&](Call& node) { mutate(node); },
                });
    return std::move(mutants_);
  }

 private:
  bool full() const { return mutants_.size() >= most_; }

  void keep(MutantKind kind) {
    auto& of_kind = of_kind_[static_cast<std::size_t>(kind)];
    if (full() || of_kind >= most_of_kind_ || !seen_.insert(hash(root_)).second) return;
    mutants_.push_back({kind, root_});
    ++of_kind;
  }
  // Records the query with `part` replaced.
  template <class T>
  void with(MutantKind kind, T& part, T replacement) {
    std::swap(part, replacement);
    keep(kind);
    std::swap(part, replacement);
  }
  void flip(MutantKind kind, bool& flag) { with(kind, flag, !flag); }
  // Records the query without one element of `list`, for each element, as long as one is left.
  template <class T>
  void with_fewer(MutantKind kind, std::vector<T>& list) {
    if (list.size() < 2) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
      auto fewer = list;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      with(kind, list, std::move(fewer));
    }
  }
  template <class T>
  void without(MutantKind kind, Box<T>& part) {
    if (part) with(kind, part, Box<T>());
  }

  // Replaces the expression itself.
  void mutate(ast::Expr& node) {
    if (const auto* binary = node.as<Binary>(); binary != nullptr && kind_of(binary->op) == MutantKind::logic) {
      const ast::Expr left = *binary->left;
      const ast::Expr right = *binary->right;
      with(MutantKind::condition, node, left);
      with(MutantKind::condition, node, right);
    } else if (const auto* unary = node.as<Unary>(); unary != nullptr && unary->op == UnaryOp::logical_not) {
      with(MutantKind::logic, node, ast::Expr(*unary->operand));
    } else if (const auto* between = node.as<Between>(); between != nullptr && !between->negated) {
      const Between whole = *between;
      with(MutantKind::condition, node, ast::Expr{Binary{BinaryOp::greater_equal, whole.operand, whole.low}});
      with(MutantKind::condition, node, ast::Expr{Binary{BinaryOp::less_equal, whole.operand, whole.high}});
    } else if (node.is<Exists>()) {
      with(MutantKind::logic, node, ast::Expr{Unary{UnaryOp::logical_not, Box<ast::Expr>(node)}});
    }
  }

  void mutate(Select& node) {
    flip(MutantKind::distinct, node.distinct);
    without(MutantKind::condition, node.where);
    without(MutantKind::condition, node.having);
    with_fewer(MutantKind::grouping, node.group_by);
    if (node.group_by.size() == 1 && !node.having) with(MutantKind::grouping, node.group_by, {});
  }

  void mutate(ast::Query& node) {
    for (std::size_t i = 1; i < node.arms.size(); ++i) {
      for (const auto op : {SetOp::union_distinct, SetOp::union_all, SetOp::intersect, SetOp::except})
        with(MutantKind::set_operation, node.arms[i].op, op);
    }
    if (!node.order_by.empty()) with(MutantKind::order, node.order_by, {});
    if (node.limit && !node.offset) without(MutantKind::limit, node.limit);
    without(MutantKind::limit, node.offset);
  }

  void mutate(FromItem& node) {
    switch (node.join) {
      case JoinType::inner: with(MutantKind::join, node.join, JoinType::left); break;
      case JoinType::left: with(MutantKind::join, node.join, JoinType::inner); break;
      default: break;
    }
    if (node.join == JoinType::inner) without(MutantKind::join, node.on);
  }

  void mutate(ColumnRef& node) {
    const std::size_t index = next_column_++;
    if (index >= columns_.size()) return;
    for (const auto& name : columns_[index]) with(MutantKind::column, node.column, Name{name, Quote::backticks});
  }

  void mutate(Literal& node) {
    if (node.kind == Literal::Kind::integer) {
      const Value value = node.value();
      const auto* integer = std::get_if<std::int64_t>(&value);
      if (integer == nullptr || *integer < 0 || *integer == std::numeric_limits<std::int64_t>::max()) return;
      with(MutantKind::constant, node.text, std::to_string(*integer + 1));
      if (*integer > 0) with(MutantKind::constant, node.text, std::to_string(*integer - 1));
    } else if (node.kind == Literal::Kind::real) {
      with(MutantKind::constant, node.text, node.text + "1");
    } else if (node.kind == Literal::Kind::string) {
      with(MutantKind::constant, node.text, node.text + "x");
      if (node.text.starts_with('%')) with(MutantKind::constant, node.text, node.text.substr(1));
      if (node.text.ends_with('%')) with(MutantKind::constant, node.text, node.text.substr(0, node.text.size() - 1));
      if (auto lower = to_lower_ascii(node.text); lower != node.text)
        with(MutantKind::constant, node.text, std::move(lower));
    }
  }

  void mutate(Binary& node) {
    for (const auto op : others(node.op)) with(kind_of(node.op), node.op, op);
  }

  void mutate(In& node) {
    flip(MutantKind::logic, node.negated);
    if (auto* list = std::get_if<std::vector<ast::Expr>>(&node.set)) with_fewer(MutantKind::condition, *list);
  }

  void mutate(Call& node) {
    const auto is_named = [&](const char* name) { return equals_ignore_case(node.name.text, name); };
    const bool aggregates =
        !node.star && node.arguments.size() == 1 &&
        (is_named("count") || is_named("min") || is_named("max") || is_named("sum") || is_named("avg"));
    if (!aggregates) return;
    for (const char* other : {"count", "min", "max", "sum", "avg"})
      with(MutantKind::aggregate, node.name, Name{other, Quote::none});
    if (is_named("count") || is_named("sum") || is_named("avg")) flip(MutantKind::aggregate, node.distinct);
  }

  ast::Query root_;
  std::size_t most_;
  std::size_t most_of_kind_;
  std::array<std::size_t, mutant_kind_count> of_kind_{};
  std::vector<std::vector<std::string>> columns_;
  std::size_t next_column_ = 0;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<Mutant> mutants_;
};

}  // namespace

std::span<const MutantKindDescription> mutant_kinds() { return descriptions_of_mutants; }

std::string_view name(MutantKind kind) { return descriptions_of_mutants[static_cast<std::size_t>(kind)].name; }

std::vector<Mutant> mutants_of(const ast::Query& query, const Resolution* resolution, std::size_t most) {
  return Mutator(query, resolution, most, most).make();
}

std::vector<Mutant> mutants_of(ast::Query& query, const MutantContext& context, std::size_t most_of_kind) {
  const std::size_t most = most_of_kind * mutant_kind_count;
  auto mutants = Mutator(query, context.resolution, most, most_of_kind).make();
  if (context.resolution == nullptr || context.catalog == nullptr) return mutants;
  std::unordered_set<std::uint64_t> seen = {hash(query)};
  for (const auto& mutant : mutants) seen.insert(hash(mutant.query));
  for (auto& mutant : schema_mutants_of(query, context, most_of_kind)) {
    if (seen.insert(hash(mutant.query)).second) mutants.push_back(std::move(mutant));
  }
  return mutants;
}

}  // namespace trustsql::equiv
