// FromExpander: the expansion of * and t.*, and the columns of a parenthesised join.

#include <algorithm>

#include "base/text.hpp"
#include "sql/resolver/from_expander.hpp"

namespace trustsql::resolver {

namespace {

bool column_matches_table(const FromEntry& entry, std::size_t column, std::string_view table) {
  return equals_ignore_case(entry.group->columns[column].table, table);
}

bool is_joined_later(const FromList& list, std::size_t entry, std::string_view name) {
  return std::any_of(list.entries.begin() + static_cast<std::ptrdiff_t>(entry) + 1, list.entries.end(),
                     [&](const FromEntry& later) { return later.joins_using(name); });
}

}  // namespace

// * is replaced by column names, which are bound like any others, so two tables with the same name make it ambiguous.
void FromExpander::star(const FromList& list, const ast::Star& star, SelectWork& work) {
  if (context_.options.names_columns_in_full)
    context_.fail(Diagnosis::Kind::other, "the connection gives the columns of * their full names",
                  work.select->node->span);
  const auto* table = star.table ? &star.table->text : nullptr;
  bool seen = false;
  for (std::size_t i = 0; i < list.entries.size(); ++i) {
    const FromEntry& entry = list.entries[i];
    if (table != nullptr && !entry.group && !equals_ignore_case(*table, entry.name)) continue;
    for (std::size_t column = 0; column < entry.column_count(); ++column) {
      if (table != nullptr && entry.group && !column_matches_table(entry, column, *table)) continue;
      if (entry.is_hidden(column) || (table == nullptr && entry.not_in_star(column))) continue;
      seen = true;
      const auto name = entry.column_name(column);
      // If USING joins two columns, the one on the left stands for both.
      if (i > 0 && table == nullptr && entry.joins_using(name)) continue;
      const bool is_merged = entry.left_of_right && is_joined_later(list, i, name);
      const bool is_qualified = list.entries.size() > 1 && !is_merged;
      const auto* expr = is_qualified ? make_column(entry.group ? std::string_view() : entry.schema, entry.name, name)
                                      : make_column({}, {}, name);
      work.items.push_back({.expr = expr, .alias = name, .has_alias = true});
    }
  }
  if (seen) return;
  if (table == nullptr) {
    context_.fail(Diagnosis::Kind::misuse, "no tables specified", work.select->node->span);
  } else {
    context_.fail({.kind = Diagnosis::Kind::missing_table,
                   .message = "no such table: " + *table,
                   .span = work.select->node->span,
                   .name = *table});
  }
}

// As for SELECT * FROM group, with one difference: columns that USING joins are listed for both sides, so that each can
// be qualified with its table, and once more as the column that stands for both.
void FromExpander::group_columns(FromList& group) {
  UniqueNames unique(tables_);
  std::vector<std::string_view> using_columns;
  const auto add = [&](GroupColumn column, std::string_view name) {
    // A column with the name of a USING column can only be referred to with its table. The same holds if a name that
    // SQLite makes up for it is one's.
    column.unique_name = unique.add(name, [&](std::string_view taken) {
      const auto has_same_name = [taken](std::string_view other) { return equals_ignore_case(other, taken); };
      if (std::any_of(using_columns.begin(), using_columns.end(), has_same_name)) column.not_in_star = true;
    });
    if (column.stands_for_using) using_columns.push_back(column.unique_name);
    group.columns.push_back(column);
  };
  for (std::size_t i = 0; i < group.entries.size(); ++i) {
    const FromEntry& entry = group.entries[i];
    const FromEntry* next = i + 1 < group.entries.size() ? &group.entries[i + 1] : nullptr;
    if (next != nullptr) {
      for (const auto name : next->using_names)
        add({.name = name, .expr = make_column({}, {}, name), .stands_for_using = true}, name);
    }
    for (std::size_t column = 0; column < entry.column_count(); ++column) {
      if (entry.is_hidden(column)) continue;
      const auto name = entry.column_name(column);
      GroupColumn added{.schema = entry.schema, .table = entry.name, .name = name};
      if (entry.group) {
        const GroupColumn& inner = entry.group->columns[column];
        added.schema = inner.schema;
        added.table = inner.table;
        added.name = inner.name;
        added.expr = make_column({}, entry.name, name);
      } else {
        added.expr = make_column(entry.schema, entry.name, name);
      }
      added.not_in_star =
          entry.joins_using(name) || (next != nullptr && next->joins_using(name)) || entry.not_in_star(column);
      add(added, name);
    }
  }
}

const ast::Expr* FromExpander::make_column(std::string_view schema, std::string_view table, std::string_view column) {
  ast::ColumnRef ref;
  if (!schema.empty()) ref.schema = ast::Name{std::string(schema)};
  if (!table.empty()) ref.table = ast::Name{std::string(table)};
  ref.column = ast::Name{std::string(column)};
  return &tables_.exprs.emplace_back(ast::Expr{std::move(ref)});
}

}  // namespace trustsql::resolver
