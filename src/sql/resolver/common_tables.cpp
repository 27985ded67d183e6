// FromExpander: common tables and views, the relations that have a definition.

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "sql/resolver/from_expander.hpp"
#include "sql/resolver/name_resolver.hpp"
#include "sql/view_definition.hpp"

namespace trustsql::resolver {

using Kind = Relation::Kind;

FromExpander::Definition FromExpander::find_common_table(const ast::TableName& name) {
  if (name.schema || context_.failed()) return {};
  for (With* with = with_; with != nullptr && !with->view; with = with->outer) {
    for (auto& table : with->tables) {
      if (equals_ignore_case(table.definition->name.text, name.name.text)) return {with, &table};
    }
  }
  return {};
}

bool FromExpander::common_table(FromEntry& entry, Definition reference, bool as_function, SelectWork& work) {
  CommonTableState& state = *reference.table;
  const ast::CommonTable& table = *state.definition;
  if (state.refusal != nullptr) {
    return context_.fail(Diagnosis::Kind::misuse, std::string(state.refusal) + ": " + table.name.text,
                         entry.source->span);
  }
  if (as_function)
    return context_.fail(Diagnosis::Kind::misuse, "'" + table.name.text + "' is not a function", entry.source->span);

  const DepthGuard depth(context_, bytes_of_query_level);
  Relation* relation = make_relation(entry, Kind::common_table, work);
  if (!depth.ok() || relation == nullptr) return false;
  relation->common_table = &table;
  if (relation->name.empty()) relation->name = table.name.text;
  entry.name = relation->name;
  entry.schema = "*";

  const ast::Query* definition = table.query.get();
  if (state.used) {
    if (!may_copy(definition->span.end - definition->span.begin)) return false;
    definition = &tables_.trees.emplace_back(*definition);
  }
  state.used = true;

  // The definition sees the common tables around its WITH, not those around its use.
  With* const saved = std::exchange(with_, reference.with);
  push_with(*definition);
  QueryWork& query = make_query(*definition, work.select->outer);
  relation->query = query.query;
  const bool ok = common_table_arms(query, state, *relation);
  with_ = saved;
  state.refusal = nullptr;
  return ok;
}

bool FromExpander::common_table_arms(QueryWork& query, CommonTableState& state, Relation& relation) {
  const ast::CommonTable& table = *state.definition;
  std::size_t first_recursive = query.arms.size();
  if (!recursive_arms(query, table, first_recursive)) return false;
  const bool is_recursive = first_recursive < query.arms.size();

  // The non-recursive arms must not refer to the table at all.
  state.refusal = "circular reference";
  for (std::size_t i = first_recursive; i-- > 0;) {
    if (!query.arms[i]->expanded && !arm(query, i)) return false;
  }
  const auto width = query.arms.front()->items.size();
  if (!table.columns.empty() && table.columns.size() != width) {
    return context_.fail(Diagnosis::Kind::columns,
                         "table " + table.name.text + " has " + std::to_string(width) + " values for " +
                             std::to_string(table.columns.size()) + " columns",
                         query.query->node->span);
  }
  std::vector<std::string_view> names;
  for (const auto& name : table.columns) names.push_back(name.text);
  query_columns(relation, query, names, false);
  if (!is_recursive) return true;

  query.query->first_recursive_arm = static_cast<int>(
      std::find(query.query->arms.begin(), query.query->arms.end(), query.arms[first_recursive]->select) -
      query.query->arms.begin());
  for (std::size_t i = first_recursive; i < query.arms.size(); ++i) {
    for (auto& entry : query.arms[i]->from.entries) {
      if (entry.relation == nullptr || entry.relation->kind != Kind::recursive_table) continue;
      entry.relation->columns = relation.columns;
      entry.relation->query = query.query;
    }
  }
  state.refusal = "multiple recursive references";
  return arms(query, first_recursive);
}

// Only the last arms can be recursive, if all of them are joined by UNION or all by UNION ALL, and only through a
// reference in their own FROM clause.
bool FromExpander::recursive_arms(QueryWork& query, const ast::CommonTable& table, std::size_t& first) {
  const std::size_t last = query.arms.size() - 1;
  const auto op = query.ops[last];
  if (op != ast::SetOp::union_all && op != ast::SetOp::union_distinct) return true;
  for (std::size_t i = last; i > 0 && query.ops[i] == op; --i) {
    SelectWork& work = *query.arms[i];
    if (work.is_values) return true;
    flatten(work.from, work.select->node->from);
    work.flattened = true;
    for (auto& entry : work.from.entries) {
      const auto* named = std::get_if<ast::Table>(&entry.source->source);
      if (entry.group || named == nullptr || named->name.schema ||
          !equals_ignore_case(named->name.name.text, table.name.text))
        continue;
      if (work.is_recursive) {
        return context_.fail(Diagnosis::Kind::misuse, "multiple references to recursive table: " + table.name.text,
                             entry.source->span);
      }
      work.is_recursive = true;
      Relation* relation = make_relation(entry, Kind::recursive_table, work);
      if (relation == nullptr) return false;
      relation->common_table = &table;
      if (relation->name.empty()) relation->name = table.name.text;
      entry.name = relation->name;
      entry.schema = "*";
    }
    if (!work.is_recursive) return true;
    first = i;
  }
  return true;
}

bool FromExpander::view(FromEntry& entry, const Table& table, SelectWork& work) {
  if (std::find(views_.begin(), views_.end(), &table) != views_.end()) {
    return context_.fail(Diagnosis::Kind::misuse, "view " + table.name + " is circularly defined", entry.source->span);
  }
  auto definition = parse_view(table.sql, context_.options.grammar());
  if (!may_copy(table.sql.size())) return false;
  if (!definition.ok()) {
    return context_.fail(Diagnosis::Kind::other, "view " + table.name + ": " + definition.error().message,
                         entry.source->span);
  }
  Relation* relation = make_relation(entry, Kind::view, work);
  if (relation == nullptr) return false;
  const ast::Query& tree = tables_.trees.emplace_back(std::move(definition->query));

  // The view does not see the common tables of the query, and unless it is temporary, it finds only tables of its own
  // schema.
  With& barrier = with_clauses_.emplace_back();
  barrier.view = true;
  With* const saved = std::exchange(with_, &barrier);
  const bool is_temporary = equals_ignore_case(table.schema, "temp");
  const auto outside = std::exchange(view_schema_, is_temporary ? std::string_view() : std::string_view(table.schema));
  views_.push_back(&table);
  ++context_.view_depth;

  QueryWork* query = this->query(tree, nullptr);
  const bool ok = query != nullptr && !context_.failed() && names_.view(*query);

  --context_.view_depth;
  views_.pop_back();
  view_schema_ = outside;
  with_ = saved;
  if (!ok) return false;
  relation->query = query->query;
  relation->has_rowid = context_.options.rowid_in_views;
  relation->typed_by_last_arm = context_.options.version < 3'041'000 && !definition->columns.empty();
  const auto width = query->arms.front()->items.size();
  if (!definition->columns.empty() && definition->columns.size() != width) {
    return context_.fail(Diagnosis::Kind::columns,
                         "expected " + std::to_string(definition->columns.size()) + " columns for '" + table.name +
                             "' but got " + std::to_string(width),
                         entry.source->span);
  }
  std::vector<std::string_view> names;
  for (auto& name : definition->columns) names.push_back(tables_.keep(std::move(name)));
  query_columns(*relation, *query, names, true);
  return true;
}

bool FromExpander::may_copy(std::size_t bytes) {
  copied_bytes_ += bytes;
  return copied_bytes_ <= max_copied_bytes ||
         context_.exceed("the views and common tables of the query expand too far");
}

}  // namespace trustsql::resolver
