// FromExpander: the items of a FROM clause.

#include "base/text.hpp"
#include "sql/built_in_tables.hpp"
#include "sql/resolver/from_expander.hpp"

namespace trustsql::resolver {

using Kind = Relation::Kind;

// The list without redundant parentheses: those around the first items, and those around a single item, whose own alias
// SQLite then ignores.
void FromExpander::flatten(FromList& list, const std::vector<ast::FromItem>& items) {
  for (const auto& item : items) {
    FromEntry entry;
    entry.item = &item;
    entry.source = &item;
    if (const auto* group = std::get_if<ast::JoinGroup>(&item.source)) {
      const bool is_plain = !item.alias && !item.on && item.using_columns.empty();
      if (list.entries.empty() && is_plain) {
        flatten(list, group->items);
        continue;
      }
      auto inner = std::make_unique<FromList>();
      flatten(*inner, group->items);
      if (inner->entries.size() == 1) {
        FromEntry& single = inner->entries.front();
        entry.source = single.source;
        entry.named_by_source = false;
        entry.group = std::move(single.group);
      } else {
        inner->is_group = true;
        entry.group = std::move(inner);
      }
    }
    entry.natural = item.natural;
    list.entries.push_back(std::move(entry));
  }
  // If the list was spliced into another one, these are set again there.
  bool right_follows = false;
  for (auto entry = list.entries.rbegin(); entry != list.entries.rend(); ++entry) {
    const bool is_first = std::next(entry) == list.entries.rend();
    const auto join = is_first ? ast::JoinType::comma : entry->item->join;
    entry->left = join == ast::JoinType::left || join == ast::JoinType::full;
    entry->right = join == ast::JoinType::right || join == ast::JoinType::full;
    entry->left_of_right = right_follows;
    right_follows = right_follows || entry->right;
  }
  list.has_right_join = right_follows;
}

bool FromExpander::from(FromList& list, SelectWork& work) {
  for (auto& entry : list.entries) {
    if (entry.relation == nullptr && !source(entry, work)) return false;
  }
  return !context_.failed() && joins(list);
}

bool FromExpander::source(FromEntry& entry, SelectWork& work) {
  const auto alias = entry.alias();
  if (entry.group) {
    const DepthGuard depth(context_, bytes_of_query_level);
    if (!depth.ok() || !from(*entry.group, work) || context_.failed()) return false;
    entry.group->conditions_fold = conditions_fold(*entry.group, nullptr);
    group_columns(*entry.group);
    entry.name = alias ? std::string_view((entry.named_by_source ? entry.source : entry.item)->alias->text)
                       : tables_.keep("(join-" + std::to_string(++generated_names_) + ")");
    entry.schema = "*";
    return true;
  }
  const auto& source = entry.source->source;
  if (const auto* table = std::get_if<ast::Table>(&source)) return named_source(entry, table->name, nullptr, work);
  if (const auto* function = std::get_if<ast::TableFunction>(&source))
    return named_source(entry, function->name, function, work);
  return subquery_source(entry, *std::get<ast::DerivedTable>(source).query, work);
}

bool FromExpander::named_source(FromEntry& entry, const ast::TableName& name, const ast::TableFunction* function,
                                SelectWork& work) {
  if (const auto definition = find_common_table(name); definition.table != nullptr) {
    return common_table(entry, definition, function != nullptr, work);
  }
  return catalog_source(entry, name, function, work);
}

bool FromExpander::catalog_source(FromEntry& entry, const ast::TableName& name, const ast::TableFunction* function,
                                  SelectWork& work) {
  // The tables of a view's definition are looked up in the view's schema.
  const std::string_view schema = !view_schema_.empty() ? view_schema_
                                  : name.schema         ? std::string_view(name.schema->text)
                                                        : std::string_view();
  const Table* table = find_table(context_.catalog, schema, name.name.text);
  if (table == nullptr && context_.options.find_eponymous) table = context_.options.find_eponymous(name.name.text);
  if (table == nullptr) {
    Diagnosis diagnosis{.kind = Diagnosis::Kind::missing_table, .span = entry.source->span, .name = name.name.text};
    diagnosis.schema = schema;
    diagnosis.message = "no such table: " + (schema.empty() ? "" : diagnosis.schema + ".") + diagnosis.name;
    return context_.fail(std::move(diagnosis));
  }
  const bool is_virtual = table->kind == Table::Kind::virtual_table;
  if (function != nullptr && !is_virtual) {
    return context_.fail(Diagnosis::Kind::misuse, "'" + name.name.text + "' is not a function", entry.source->span);
  }
  if (is_virtual && table->columns.empty()) {
    return context_.fail(Diagnosis::Kind::other,
                         table->error.empty() ? "the columns of " + table->name + " are not known" : table->error,
                         entry.source->span);
  }
  if (table->kind == Table::Kind::view) {
    if (!view(entry, *table, work)) return false;
  } else {
    Relation* relation = make_relation(entry, function != nullptr ? Kind::table_function : Kind::table, work);
    if (relation == nullptr) return false;
    relation->has_rowid = table->has_rowid();
    for (const auto& column : table->columns)
      relation->columns.push_back({.name = column.name, .hidden = column.hidden});
  }
  Relation& relation = *entry.relation;
  relation.table = table;
  relation.schema_name = table->schema;
  entry.schema = table->schema;
  if (entry.name.empty()) entry.name = name_in_sqlite(*table);
  if (relation.name.empty()) relation.name = entry.name;
  return true;
}

bool FromExpander::subquery_source(FromEntry& entry, const ast::Query& subquery, SelectWork& work) {
  const QueryWork* resolved = query(subquery, work.select->outer);
  if (resolved == nullptr || context_.failed()) return false;
  Relation* relation = make_relation(entry, Kind::subquery, work);
  if (relation == nullptr) return false;
  relation->query = resolved->query;
  relation->has_rowid = context_.options.rowid_in_views;
  entry.schema = "*";
  if (entry.name.empty()) entry.name = tables_.keep("(subquery-" + std::to_string(++generated_names_) + ")");
  query_columns(*relation, *resolved, {}, false);
  return true;
}

Relation* FromExpander::make_relation(FromEntry& entry, Kind kind, SelectWork& work) {
  if (tables_.relations.size() >= max_relations) {
    context_.exceed("the query refers to too many tables after its views and common tables are expanded");
    return nullptr;
  }
  Relation& relation = tables_.relations.emplace_back();
  relation.kind = kind;
  relation.id = static_cast<int>(tables_.relation_list.size());
  relation.item = entry.source;
  relation.select = work.select;
  const auto& named = entry.named_by_source ? *entry.source : *entry.item;
  if (named.alias) {
    relation.name = named.alias->text;
    entry.name = named.alias->text;
  }
  tables_.relation_list.push_back(&relation);
  entry.relation = &relation;
  return &relation;
}

// The columns of a relation defined by a query: their names are `names`, or those of the first arm's items; see
// subquery_column_name() for `resolved`.
void FromExpander::query_columns(Relation& relation, const QueryWork& query, const std::vector<std::string_view>& names,
                                 bool resolved) {
  UniqueNames unique(tables_);
  for (std::size_t i = 0; i < names.size(); ++i)
    relation.columns.push_back({.name = unique.add(column_name(names[i], i, context_))});
  if (!names.empty()) return;
  const auto& items = query.arms.front()->items;
  for (std::size_t i = 0; i < items.size(); ++i)
    relation.columns.push_back({.name = unique.add(subquery_column_name(items[i], i, resolved, context_))});
}

}  // namespace trustsql::resolver
