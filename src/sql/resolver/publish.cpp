// NameResolver: copies the results to the form that a Resolution exposes.

#include "sql/resolver/name_resolver.hpp"

namespace trustsql::resolver {

namespace {

std::string as_written(const ast::Name& name) {
  static constexpr std::string_view quotes[] = {"", "\"\"", "``", "[]", "''"};
  const auto pair = quotes[static_cast<std::size_t>(name.quote)];
  if (pair.empty()) return name.text;
  std::string text(1, pair[0]);
  for (const char c : name.text) text.append(c == pair[1] && c != ']' ? 2 : 1, c);
  return text + pair[1];
}

// A name as in the query, without spaces and comments in it: SQLite names columns so if it turns the name into an
// expression.
std::string as_written(const ast::ColumnRef& ref) {
  std::string text;
  if (ref.schema) text += as_written(*ref.schema) + ".";
  if (ref.table) text += as_written(*ref.table) + ".";
  return text + as_written(ref.column);
}

bool has_collate(const ast::Expr& expr) { return expr.is<ast::Collate>(); }

// Marks the relations that an outer join of the list, or of an enclosing one, may fill with NULLs.
void mark_null_extended(const FromList& list, bool around) {
  for (const auto& entry : list.entries) {
    const bool extended = around || entry.left || entry.left_of_right;
    if (entry.group) {
      mark_null_extended(*entry.group, extended);
    } else if (extended) {
      entry.relation->null_extended = true;
    }
  }
}

bool is_sorted_as_subquery(const QueryWork& query) {
  bool distinct = false;
  for (std::size_t i = 1; i < query.ops.size(); ++i) distinct = distinct || query.ops[i] != ast::SetOp::union_all;
  bool collates = false;
  for (const auto& term : query.query->node->order_by) collates = collates || has_collate(term.expr);
  return distinct && collates;
}

}  // namespace

void NameResolver::publish(const QueryWork& query, std::size_t index) {
  const SelectWork& work = *query.arms[index];
  ResolvedSelect& select = *work.select;
  const bool first_row = !work.is_values || index == 0 || query.arms[index - 1]->select != &select;
  if (!first_row) return;
  mark_null_extended(work.from, false);
  select.from = publish(work.from, work);
  if (work.from.conditions_fold) {
    select.where = &tables_.exprs.emplace_back(ast::Expr{ast::Literal{ast::Literal::Kind::integer, "0"}});
  } else if (select.node != nullptr) {
    select.where = select.node->where.get();
  }
  for (std::size_t i = 0; i < work.items.size(); ++i) {
    const Item& item = work.items[i];
    OutputColumn column{.expr = item.expr};
    const auto* ref = item.expr->as<ast::ColumnRef>();
    const auto* declared = ref != nullptr ? context_.declared_names.find(ref) : nullptr;
    if (item.has_alias) {
      column.name = item.alias;
    } else if (ref != nullptr && tables_.binding(*item.expr)->kind == ColumnBinding::Kind::coalesce) {
      column.name = tables_.keep(as_written(*ref));
    } else if (declared != nullptr) {
      column.name = *declared;
    } else if (!item.text.empty()) {
      column.name = item.text;
    } else if (ref != nullptr && !work.is_values) {
      column.name = ref->column.text;
    } else {
      column.name = tables_.keep("column" + std::to_string(i + 1));
    }
    select.columns.push_back(column);
  }
}

void NameResolver::publish_columns(const QueryWork& query) {
  const SelectWork& first = *query.arms.front();
  query.query->columns = first.select->columns;
  query.query->sorted_as_subquery = is_sorted_as_subquery(query);
  if (!query.query->sorted_as_subquery) return;
  // The columns of such a subquery have unique names.
  UniqueNames unique(tables_);
  for (std::size_t i = 0; i < first.items.size(); ++i) {
    query.query->columns[i].name = unique.add(subquery_column_name(first.items[i], i, false, context_));
  }
}

std::vector<ResolvedFromItem> NameResolver::publish(const FromList& list, const SelectWork& work) {
  std::vector<ResolvedFromItem> items;
  items.reserve(list.entries.size());
  for (const auto& entry : list.entries) {
    ResolvedFromItem& item = items.emplace_back();
    item.item = entry.item;
    item.join = entry.item->join;
    if (!list.conditions_fold) item.on = entry.item->on.get();
    item.relation = entry.relation;
    if (entry.group) {
      item.group = publish(*entry.group, work);
      item.group_is_empty = entry.group->conditions_fold;
    }
  }
  for (const auto& pair : list.pairs) {
    items[pair.right.entry].using_columns.push_back(
        {pair.name, using_side(list, pair.left, work), using_side(list, {pair.right}, work)});
  }
  return items;
}

// A ColumnRef bound to the column in `places`; if there are several, to the first that is not NULL.
const ast::Expr* NameResolver::using_side(const FromList& list, const std::vector<ColumnPlace>& places,
                                          const SelectWork& work) {
  const FromEntry& first = list.entries[places.front().entry];
  const auto first_part = place(first, places.front().column);
  ColumnBinding binding;
  // A single column may be one that a parenthesised join has merged.
  if (places.size() == 1 || context_.options.merged_side_is_typed.value_or(context_.options.version >= 3'050'000))
    binding.merged = merged_as(first_part);
  std::vector<ColumnId> columns;
  for (const auto& column_place : places) {
    const auto part = place(list.entries[column_place.entry], column_place.column);
    columns.push_back(part.column);
    columns.insert(columns.end(), part.more.begin(), part.more.end());
  }
  binding.kind = columns.size() > 1 ? ColumnBinding::Kind::coalesce : ColumnBinding::Kind::column;
  binding.column = columns.front();
  binding.more.assign(columns.begin() + 1, columns.end());
  binding.select = work.select;
  ast::ColumnRef ref;
  ref.table = ast::Name{std::string(first.name)};
  ref.column = ast::Name{std::string(first.column_name(static_cast<std::size_t>(places.front().column)))};
  const ast::Expr& expr = tables_.exprs.emplace_back(ast::Expr{std::move(ref)});
  tables_.bindings[expr.as<ast::ColumnRef>()] = std::move(binding);
  return &expr;
}

}  // namespace trustsql::resolver
