#include "semparse/tree/tree_sql.hpp"

#include <algorithm>

#include "base/sql_keyword.hpp"
#include "base/text.hpp"

namespace trustsql::semparse {

namespace {

std::string identifier(const std::string& name) {
  const bool plain = !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
                     std::all_of(name.begin(), name.end(), [](char c) {
                       const char lower = to_lower_ascii(c);
                       return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_';
                     });
  return plain && find_keyword(name) == Keyword::None ? name : quote_identifier(name);
}

std::string literal(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return quote_string(*text);
  return format_value(view(value));
}

std::string_view operator_text(Comparison comparison) {
  switch (comparison) {
    case Comparison::equal: return " = ";
    case Comparison::not_equal: return " <> ";
    case Comparison::less: return " < ";
    case Comparison::less_equal: return " <= ";
    case Comparison::greater: return " > ";
    case Comparison::greater_equal: return " >= ";
    case Comparison::between: return " BETWEEN ";
    case Comparison::like: return " LIKE ";
    case Comparison::not_like: return " NOT LIKE ";
    case Comparison::in: return " IN ";
    case Comparison::not_in: return " NOT IN ";
    case Comparison::is_null: return " IS NULL";
    case Comparison::is_not_null: return " IS NOT NULL";
  }
  return {};
}

// Whether a row of the table may occur several times among the joined rows: on the way from it to another table, rows
// are joined that refer to it.
bool repeats_rows(const Domain& domain, const JoinTree& joins, TableId counted) {
  std::vector<TableId> reached = {counted};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const auto number : joins.edges) {
      const auto& edge = domain.edges()[number];
      const auto child = domain.column(edge.child).table;
      const auto parent = domain.column(edge.parent).table;
      if (child != reached[i] && parent != reached[i]) continue;
      const auto next = child == reached[i] ? parent : child;
      if (std::find(reached.begin(), reached.end(), next) != reached.end()) continue;
      if (next == child && !domain.column(edge.child).is_key) return true;
      reached.push_back(next);
    }
  return false;
}

class BlockWriter {
 public:
  BlockWriter(const Domain& domain, const Block& block) : domain_(domain), block_(block) {}

  // False if the tables cannot be joined.
  bool write(std::string& sql, std::size_t join_number) {
    const auto terminals = tables_of(domain_, block_);
    if (terminals.empty() || block_.select.empty()) return false;
    const auto trees = join_trees(domain_, terminals, join_number + 1, block_.joins);
    if (trees.size() <= join_number) return false;
    joins_ = trees[join_number];
    if (adds_up_repeated_rows()) return false;
    if (block_.counts_groups) sql += "SELECT count(*) FROM (";
    sql += block_.distinct ? "SELECT DISTINCT " : "SELECT ";
    for (std::size_t i = 0; i < block_.select.size(); ++i) sql += (i == 0 ? "" : ", ") + term(block_.select[i]);
    sql += from();
    if (!conditions(sql, " WHERE ", block_.where, block_.any)) return false;
    if (sorts_nulls_first()) exclude_nulls(sql, term(block_.order.front().term));
    if (groups_nulls()) exclude_nulls(sql, column(block_.group.front()));
    for (std::size_t i = 0; i < block_.group.size(); ++i)
      sql += (i == 0 ? " GROUP BY " : ", ") + column(block_.group[i]);
    if (!conditions(sql, " HAVING ", block_.having, false)) return false;
    for (std::size_t i = 0; i < block_.order.size(); ++i) {
      sql += (i == 0 ? " ORDER BY " : ", ") + term(block_.order[i].term);
      if (block_.order[i].descending) sql += " DESC";
    }
    if (block_.limit) sql += " LIMIT " + std::to_string(*block_.limit);
    if (block_.counts_groups) sql += ')';
    return true;
  }

 private:
  // "The oldest" has a least date of birth, and is not someone without one, whom SQLite sorts first.
  bool sorts_nulls_first() const {
    if (!block_.limit || block_.order.size() != 1 || !block_.group.empty() || (block_.any && !block_.where.empty()))
      return false;
    const auto& order = block_.order.front();
    return !order.descending && order.term.aggregate == Aggregate::none && order.term.column != nothing &&
           domain_.column(order.term.column).has_nulls;
  }

  // Whether groups are picked, and rows without a value would be one: "which companies have more than one member" asks
  // for no members without a company. Not where a join leaves these out.
  bool groups_nulls() const {
    const bool picks = block_.counts_groups || !block_.having.empty() || (block_.limit && !block_.order.empty());
    if (!picks || block_.group.empty() || (block_.any && !block_.where.empty())) return false;
    const auto group = block_.group.front();
    return domain_.column(group).has_nulls &&
           std::none_of(joins_.edges.begin(), joins_.edges.end(), [&](std::size_t number) {
             const auto& edge = domain_.edges()[number];
             return edge.child == group || edge.parent == group;
           });
  }

  void exclude_nulls(std::string& sql, const std::string& tested) const {
    sql += (block_.where.empty() ? " WHERE " : " AND ") + tested + " IS NOT NULL";
  }

  // A total or an average over all rows, where some of them are joined several times: of the pages of books by British
  // authors, each once for each of its authors. A join is no way to say that.
  bool adds_up_repeated_rows() const {
    return block_.group.empty() && std::any_of(block_.select.begin(), block_.select.end(), [this](const Term& term) {
             const bool adds = term.aggregate == Aggregate::sum || term.aggregate == Aggregate::avg;
             return adds && term.column != nothing && repeats_rows(domain_, joins_, domain_.column(term.column).table);
           });
  }

  std::string alias(TableId table) const {
    const auto at = std::find(joins_.tables.begin(), joins_.tables.end(), table) - joins_.tables.begin();
    return "T" + std::to_string(at + 1);
  }

  std::string column(ColumnId id) const {
    const auto& column = domain_.column(id);
    auto stored = (joins_.tables.size() > 1 ? alias(column.table) + "." : "") + identifier(column.name);
    switch (column.part_of.unit) {
      case DateUnit::year: return "strftime('%Y', " + stored + ")";
      case DateUnit::month: return "strftime('%Y-%m', " + stored + ")";
      case DateUnit::none: return stored;
    }
    return stored;
  }

  std::string term(const Term& term) const {
    if (term.aggregate == Aggregate::none && term.column == nothing)
      return joins_.tables.size() > 1 ? alias(term.table) + ".*" : "*";
    if (term.aggregate == Aggregate::none) return column(term.column);
    std::string text(aggregate_name(term.aggregate));
    text += '(';
    const auto key = term.column == nothing ? counted_key(domain_, block_, joins_, term.table) : nothing;
    if (term.distinct || key != nothing) text += "DISTINCT ";
    const auto counted = key != nothing ? key : term.column;
    return text + (counted == nothing ? "*" : column(counted)) + ")";
  }

  std::string table_name(TableId id) const {
    const auto& table = domain_.table(id);
    const auto first = domain_.find_table(table.name);
    return (first != domain_.stored_table(id) ? identifier(table.schema) + "." : "") + identifier(table.name);
  }

  std::string from() const {
    std::string sql = " FROM " + table_name(joins_.tables.front());
    if (joins_.tables.size() > 1) sql += " AS T1";
    for (std::size_t i = 0; i < joins_.edges.size(); ++i) {
      const auto& edge = domain_.edges()[joins_.edges[i]];
      sql += " JOIN " + table_name(joins_.tables[i + 1]) + " AS T" + std::to_string(i + 2) + " ON " +
             column(edge.child) + " = " + column(edge.parent);
    }
    return sql;
  }

  bool conditions(std::string& sql, std::string_view clause, const std::vector<Condition>& list, bool any) const {
    for (std::size_t i = 0; i < list.size(); ++i) {
      sql += i == 0 ? clause : any ? " OR " : " AND ";
      if (!condition(sql, list[i])) return false;
    }
    return true;
  }

  bool condition(std::string& sql, const Condition& condition) const {
    if (!condition.values.empty() && condition.comparison == Comparison::is_null) {
      const auto tested = term(condition.term);
      sql += "(" + tested + " IS NULL OR " + tested + " = " + literal(condition.values.front()) + ")";
      return true;
    }
    sql += term(condition.term);
    if (!condition.values.empty() && condition.comparison == Comparison::is_not_null) {
      sql += " <> " + literal(condition.values.front());
      return true;
    }
    if (condition.comparison == Comparison::equal && condition.values.size() > 1) {
      for (std::size_t i = 0; i < condition.values.size(); ++i)
        sql += (i == 0 ? " IN (" : ", ") + literal(condition.values[i]);
      sql += ')';
      return true;
    }
    sql += operator_text(condition.comparison);
    if (!condition.subquery.empty()) {
      sql += '(';
      auto inner = condition.subquery.front();
      // Nothing is NOT IN what holds a NULL.
      if (condition.comparison == Comparison::not_in && !inner.select.empty() && !inner.any &&
          inner.select.front().column != nothing && domain_.column(inner.select.front().column).has_nulls)
        inner.where.push_back({inner.select.front(), Comparison::is_not_null, {}, {}});
      if (!BlockWriter(domain_, inner).write(sql, 0)) return false;
      sql += ')';
      return !condition.of_others || write_others(condition, sql);
    }
    if (condition.other != nothing) sql += column(condition.other);
    for (std::size_t i = 0; i < condition.values.size(); ++i)
      sql += (i == 0 ? "" : " AND ") + literal(condition.values[i]);
    return true;
  }

  // "AND name <> 'Acme'": the rows are others than the one of the subquery, by its name if that is one column, and by
  // its key.
  bool write_others(const Condition& condition, std::string& sql) const {
    auto inner = condition.subquery.front();
    const auto& name = inner.where.front();
    const auto key = domain_.table(domain_.column(name.term.column).table).key;
    sql += " AND ";
    if (inner.where.size() == 1) {
      sql += column(name.term.column) + " <> " + literal(name.values.front());
      return true;
    }
    if (key == nothing) return false;
    sql += column(key) + " <> (";
    inner.select = {{Aggregate::none, false, key, nothing}};
    if (!BlockWriter(domain_, inner).write(sql, 0)) return false;
    sql += ')';
    return true;
  }

  const Domain& domain_;
  const Block& block_;
  JoinTree joins_{};
};

}  // namespace

std::string_view aggregate_name(Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::none: return "";
    case Aggregate::count: return "count";
    case Aggregate::sum: return "sum";
    case Aggregate::avg: return "avg";
    case Aggregate::min: return "min";
    case Aggregate::max: return "max";
  }
  return "";
}

ColumnId counted_key(const Domain& domain, const Block& block, const JoinTree& joins, TableId table) {
  const auto key = domain.table(table).key;
  const bool of_group = std::any_of(block.group.begin(), block.group.end(),
                                    [&](ColumnId id) { return domain.column(id).table == table; });
  return key != nothing && !of_group && repeats_rows(domain, joins, table) ? key : nothing;
}

std::vector<TableId> tables_of(const Domain& domain, const Block& block) {
  std::vector<TableId> tables = block.tables;
  const auto add = [&](const Term& term) {
    if (term.column != nothing)
      tables.push_back(domain.column(term.column).table);
    else if (term.table != nothing)
      tables.push_back(term.table);
  };
  for (const auto& term : block.select) add(term);
  for (const auto& condition : block.where) add(condition.term);
  for (const auto& condition : block.having) add(condition.term);
  for (const auto& order : block.order) add(order.term);
  for (const auto column : block.group) tables.push_back(domain.column(column).table);
  std::sort(tables.begin(), tables.end());
  tables.erase(std::unique(tables.begin(), tables.end()), tables.end());
  return tables;
}

std::optional<std::string> sql_of(const Domain& domain, const Tree& tree, std::size_t join_number) {
  std::string sql;
  if (!BlockWriter(domain, tree.block).write(sql, join_number)) return std::nullopt;
  if (tree.operation != SetOperation::none && !tree.other.empty()) {
    sql += tree.operation == SetOperation::intersect ? " INTERSECT "
           : tree.operation == SetOperation::union_  ? " UNION "
                                                     : " EXCEPT ";
    if (!BlockWriter(domain, tree.other.front()).write(sql, 0)) return std::nullopt;
  }
  if (sql.find('\0') != std::string::npos || !is_valid_utf8(sql)) return std::nullopt;
  return sql;
}

}  // namespace trustsql::semparse
