// NameResolver: a column name, from the innermost scope outwards (lookupName in SQLite's resolve.c).

#include <algorithm>

#include "base/text.hpp"
#include "sql/resolver/name_resolver.hpp"

namespace trustsql::resolver {

// The columns of one FROM clause that match a name.
struct NameResolver::Match {
  int count = 0;
  const FromEntry* entry = nullptr;  // the last one found
  int column = 0;
  std::vector<ColumnPlace> merged{};  // for a FULL JOIN: the earlier matches, all joined with that one by USING
  bool can_merge = false;
  int rowids = 0;  // relations to whose rowid the name could refer
  const FromEntry* rowid_entry = nullptr;
  std::string_view rowid_name = "rowid";  // that of its rowid
};

namespace {

// The column that is an alias of the rowid, otherwise ColumnId::rowid.
int rowid_column(const Relation& relation) {
  if (relation.table == nullptr || relation.query != nullptr) return ColumnId::rowid;
  const auto& columns = relation.table->columns;
  const auto alias =
      std::find_if(columns.begin(), columns.end(), [](const Column& column) { return column.is_rowid_alias; });
  return alias == columns.end() ? ColumnId::rowid : static_cast<int>(alias - columns.begin());
}

// The name of the rowid that no column of the relation has; empty if there is none.
std::string_view free_rowid_name(const Relation& relation) {
  for (const std::string_view name : {"_ROWID_", "ROWID", "OID"}) {
    if (std::ranges::none_of(relation.columns,
                             [&](const auto& column) { return equals_ignore_case(column.name, name); }))
      return name;
  }
  return {};
}

}  // namespace

bool NameResolver::column(Scope& scope, const ast::ColumnRef& ref, ast::Span span) {
  return tables_.bindings.find(&ref) != nullptr || bind(scope, ref, span);
}

bool NameResolver::bind(Scope& top, const ast::ColumnRef& ref, ast::Span span) {
  int rowids = 0;
  for (Scope* scope = &top; scope != nullptr; scope = scope->outer) {
    ColumnBinding binding;
    if (scope->from != nullptr) {
      Match candidates;
      // The count includes inner SELECTs, as in SQLite.
      candidates.rowids = rowids;
      match(*scope->from, ref, candidates);
      // From 3.46 on, several rowids are ambiguous; before, they are not found.
      bool is_inside = false;  // a rowid inside a parenthesised join
      const bool many_count = candidates.rowids > 1 && context_.options.version >= 3'046'000;
      if (candidates.count == 0 && candidates.rowid_entry != nullptr && (candidates.rowids == 1 || many_count) &&
          is_rowid_name(ref.column.text)) {
        candidates.count = candidates.rowids;
        candidates.entry = candidates.rowid_entry;
        candidates.column = rowid_column(*candidates.entry->relation);
        is_inside = candidates.rowid_name != "rowid";
      }
      rowids = candidates.rowids;
      if (candidates.count > 1 &&
          !(candidates.can_merge && static_cast<int>(candidates.merged.size()) + 1 == candidates.count)) {
        return missing(top, ref, true, span);
      }
      if (candidates.count > 0) {
        binding = place(*candidates.entry, candidates.column);
        if (candidates.count > 1) {
          ColumnBinding merged;
          merged.kind = ColumnBinding::Kind::coalesce;
          std::vector<ColumnId> merged_columns;
          const auto append = [&](const ColumnBinding& part) {
            merged_columns.push_back(part.column);
            merged_columns.insert(merged_columns.end(), part.more.begin(), part.more.end());
          };
          for (const auto& merged_place : candidates.merged)
            append(place(scope->from->entries[merged_place.entry], merged_place.column));
          append(binding);
          const auto is_group = [scope](std::size_t entry) {
            return static_cast<bool>(scope->from->entries[entry].group);
          };
          if (ref.table &&
              (candidates.entry->group || std::any_of(candidates.merged.begin(), candidates.merged.end(),
                                                      [&](const ColumnPlace& each) { return is_group(each.entry); })))
            tables_.has_doubtful_names = true;
          if (context_.options.merged_name_is_typed.value_or(context_.options.version >= 3'053'002)) {
            const ColumnPlace& first = candidates.merged.front();
            merged.merged = merged_as(place(scope->from->entries[first.entry], first.column));
          }
          merged.column = merged_columns.front();
          merged.more.assign(merged_columns.begin() + 1, merged_columns.end());
          binding = std::move(merged);
        } else {
          context_.declared_names[&ref] =
              is_inside || candidates.column == ColumnId::rowid
                  ? candidates.rowid_name
                  : candidates.entry->column_name(static_cast<std::size_t>(candidates.column));
        }
        record_scope(top, *scope, binding);
        tables_.bindings[&ref] = std::move(binding);
        return true;
      }
    }
    if (scope->aliases && !ref.table) {
      bool is_alias = false;
      if (!bind_alias(top, *scope, ref, span, is_alias)) return false;
      if (is_alias) return true;
    }
  }
  if (ref.may_be_string() || ref.may_be_boolean()) {
    ColumnBinding binding;
    binding.kind = ref.may_be_string() ? ColumnBinding::Kind::string : ColumnBinding::Kind::boolean;
    tables_.bindings[&ref] = std::move(binding);
    if (view_ != nullptr) view_->fallbacks.push_back({&ref, top.work});
    return true;
  }
  return missing(top, ref, false, span);
}

void NameResolver::match(const FromList& list, const ast::ColumnRef& ref, Match& candidates) {
  const std::string_view name = ref.column.text;
  const std::string_view table = ref.table ? std::string_view(ref.table->text) : std::string_view();
  const std::string_view schema = ref.schema ? std::string_view(ref.schema->text) : std::string_view();

  // Records a matching column. False if USING joins it with a column on its left, which stands for both.
  const auto note = [&](std::size_t index, const FromEntry& entry, std::size_t column) {
    if (candidates.count > 0) {
      // From 3.51 on, two columns of a parenthesised join are not taken for those that USING joins.
      const bool is_same_entry = context_.options.version >= 3'051'000 && candidates.entry == &entry;
      if (is_same_entry || !entry.joins_using(name)) {
        candidates.can_merge = false;
        candidates.merged.clear();
      } else if (!entry.right) {
        return false;
      } else if (!entry.left) {
        // In a RIGHT JOIN the column on the right stands for both.
        candidates.count = 0;
        candidates.can_merge = false;
        candidates.merged.clear();
      } else {
        candidates.can_merge = true;
        candidates.merged.push_back(
            {static_cast<std::size_t>(candidates.entry - list.entries.data()), candidates.column});
      }
    }
    ++candidates.count;
    candidates.entry = &list.entries[index];
    candidates.column = static_cast<int>(column);
    return true;
  };

  for (std::size_t i = 0; i < list.entries.size(); ++i) {
    const FromEntry& entry = list.entries[i];
    if (entry.group) {
      bool hit = false;
      for (std::size_t j = 0; j < entry.group->columns.size(); ++j) {
        const GroupColumn& column = entry.group->columns[j];
        if (!equals_ignore_case(column.name, name)) continue;
        if (ref.table && !equals_ignore_case(column.table, table)) continue;
        if (ref.schema && !equals_ignore_case(column.schema, schema)) continue;
        if (!note(i, entry, j)) continue;
        candidates.rowids = 2;
        hit = true;
        if (column.stands_for_using) break;
      }
      if (candidates.count == 0 && is_rowid_name(name) && context_.options.version >= 3'044'000)
        match_rowids_inside(*entry.group, ref, candidates);
      if (hit || !ref.table) continue;
    }
    if (ref.table) {
      if (ref.schema && !equals_ignore_case(entry.schema, schema)) continue;
      if (!equals_ignore_case(entry.name, table) && !is_schema_table(entry, ref)) continue;
    }
    const int column = entry.find_column(name);
    if (column >= 0 && !note(i, entry, static_cast<std::size_t>(column))) continue;
    if (candidates.count == 0 && entry.relation != nullptr && entry.relation->has_rowid) note_rowid(entry, candidates);
  }
}

// The rowids of the tables in a parenthesised join, which SQLite finds there from 3.44 on; not those of a join in it.
void NameResolver::match_rowids_inside(const FromList& group, const ast::ColumnRef& ref, Match& candidates) const {
  for (const auto& entry : group.entries) {
    if (entry.relation == nullptr || !entry.relation->has_rowid) continue;
    if (ref.table && !equals_ignore_case(entry.name, ref.table->text)) continue;
    if (ref.schema && !equals_ignore_case(entry.schema, ref.schema->text)) continue;
    const auto free_name = free_rowid_name(*entry.relation);
    if (free_name.empty()) continue;
    note_rowid(entry, candidates);
    candidates.rowid_name = free_name;
  }
}

// From 3.46 on, where subqueries have rowids at all, a table's takes precedence over one of theirs.
void NameResolver::note_rowid(const FromEntry& entry, Match& candidates) const {
  const auto is_subquery = [](const FromEntry& e) {
    return e.relation->query != nullptr && e.relation->table == nullptr;
  };
  const bool replaces = context_.options.version >= 3'046'000 && candidates.rowids == 1 &&
                        candidates.rowid_entry != nullptr && is_subquery(*candidates.rowid_entry) &&
                        !is_subquery(entry);
  if (!replaces) ++candidates.rowids;
  candidates.rowid_entry = &entry;
  candidates.rowid_name = "rowid";
}

// Whether the name's qualifier is another name of the schema table that stands in FROM without alias: from 3.41 on,
// sqlite_schema for sqlite_master, and the same with temp_ in it.
bool NameResolver::is_schema_table(const FromEntry& entry, const ast::ColumnRef& ref) const {
  if (context_.options.version < 3'041'000 || entry.relation == nullptr || entry.alias()) return false;
  const auto is = [&](std::string_view name) { return equals_ignore_case(ref.table->text, name); };
  if (entry.name == "sqlite_master") return is("sqlite_schema");
  if (entry.name != "sqlite_temp_master") return false;
  return is("sqlite_temp_schema") || (ref.schema && (is("sqlite_master") || is("sqlite_schema")));
}

// The alias of a result column, which stands for the column's expression (an extension of SQLite in WHERE, GROUP BY,
// HAVING and inside a term of ORDER BY).
bool NameResolver::bind_alias(Scope& top, Scope& scope, const ast::ColumnRef& ref, ast::Span span, bool& is_alias) {
  const auto& items = scope.work->items;
  const auto item = std::find_if(items.begin(), items.end(), [&](const Item& i) {
    return i.has_alias && equals_ignore_case(i.alias, ref.column.text);
  });
  if (item == items.end()) return true;
  is_alias = true;
  const auto misuse = [&](std::string_view kind) {
    return context_.fail(Diagnosis::Kind::misuse,
                         "misuse of aliased " + std::string(kind) + " " + std::string(item->alias), span);
  };
  if (item->has_aggregate && !scope.aggregates) return misuse("aggregate");
  if (item->has_window && (!scope.windows || &scope != &top)) return misuse("window function");
  if (row_size(*item->expr, context_) != 1) return context_.fail(Diagnosis::Kind::misuse, "row value misused", span);
  ColumnBinding binding;
  binding.kind = ColumnBinding::Kind::alias;
  binding.item = static_cast<int>(item - items.begin());
  record_scope(top, scope, binding);
  tables_.bindings[&ref] = std::move(binding);
  return true;
}

ColumnBinding NameResolver::place(const FromEntry& entry, int column) const {
  if (entry.group) {
    const auto* inner = tables_.binding(*entry.group->columns[static_cast<std::size_t>(column)].expr);
    if (inner != nullptr) {
      ColumnBinding binding = *inner;
      if (binding.merged == ColumnBinding::Merged::computed) binding.merged = ColumnBinding::Merged::passed;
      return binding;
    }
  }
  ColumnBinding binding;
  binding.column = {entry.relation, column};
  return binding;
}

// How columns compare that are merged and typed like the first of them.
ColumnBinding::Merged NameResolver::merged_as(const ColumnBinding& first) {
  return first.kind == ColumnBinding::Kind::coalesce ? first.merged : ColumnBinding::Merged::typed;
}

// Records the scope in which the name was found; the queries between that scope and this one are correlated.
void NameResolver::record_scope(const Scope& top, const Scope& scope, ColumnBinding& binding) {
  const ResolvedSelect* const target = scope.work->select;
  binding.select = target;
  binding.depth = 0;
  for (const ResolvedSelect* select = top.work->select; select != nullptr && select != target; select = select->outer) {
    (*context_.work_of.find(select->query))->query->correlated = true;
    ++binding.depth;
  }
}

bool NameResolver::missing(const Scope& top, const ast::ColumnRef& ref, bool ambiguous, ast::Span span) {
  Diagnosis diagnosis{.kind = ambiguous ? Diagnosis::Kind::ambiguous_column : Diagnosis::Kind::missing_column,
                      .span = span};
  diagnosis.name = ref.column.text;
  if (ref.table) diagnosis.table = ref.table->text;
  if (ref.schema) diagnosis.schema = ref.schema->text;
  diagnosis.message = ambiguous ? "ambiguous column name: " : "no such column: ";
  if (ref.schema) diagnosis.message += diagnosis.schema + ".";
  if (ref.table) diagnosis.message += diagnosis.table + ".";
  diagnosis.message += diagnosis.name;
  for (const Scope* scope = &top; scope != nullptr && !context_.is_trial; scope = scope->outer) {
    if (scope->from == nullptr) continue;
    for (const auto& entry : scope->from->entries) {
      Diagnosis::Visible visible{.relation =
                                     entry.relation != nullptr ? std::string(entry.relation->name) : std::string()};
      for (std::size_t i = 0; i < entry.column_count(); ++i) visible.columns.emplace_back(entry.column_name(i));
      diagnosis.visible.push_back(std::move(visible));
    }
  }
  return context_.fail(std::move(diagnosis));
}

}  // namespace trustsql::resolver
