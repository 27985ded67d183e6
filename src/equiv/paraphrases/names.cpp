// Paraphrases of names: qualifiers, aliases, stars, the terms of ORDER BY, and the query as a subquery.

#include <algorithm>

#include "base/text.hpp"
#include "equiv/paraphrases/kinds.hpp"
#include "equiv/rewriting/tree_edit.hpp"

namespace trustsql::equiv::paraphrases {

using namespace ast;
using namespace rewriting;

namespace {

// The query with other names for its relations, which are tables of the query's own FROM clauses.
std::optional<Query> renamed(const QueryRewriter& rewriter, const Query& query, const RelationNames& names) {
  Query changed = rewriter.qualified(query, names);
  // The FROM items of the copy, in the order of the original.
  std::vector<const FromItem*> items;
  ast::walk(query, [&](const FromItem& node) { items.push_back(&node); });
  std::map<const FromItem*, std::string> alias_of;
  for (const auto& [relation, name] : names) {
    if (relation->item == nullptr) return std::nullopt;
    alias_of[relation->item] = name;
  }
  std::size_t next = 0;
  ast::walk(changed, [&](FromItem& node) {
    const auto found = alias_of.find(items[next++]);
    if (found == alias_of.end()) return;
    const auto* source = std::get_if<ast::Table>(&node.source);
    const bool is_own = source != nullptr && equals_ignore_case(source->name.name.text, found->second);
    node.alias = is_own ? std::optional<Name>() : unquoted(found->second);
  });
  // A star that is qualified keeps the old name.
  bool has_qualified_star = false;
  ast::walk(changed, [&](const Star& node) { has_qualified_star = has_qualified_star || node.table; });
  return has_qualified_star ? std::nullopt : std::optional(std::move(changed));
}

// The tables of FROM clauses that the text of the query itself has, in its order.
std::vector<const Relation*> own_tables(const QueryRewriter& rewriter, const Query& query) {
  std::set<const FromItem*> items;
  ast::walk(query, [&](const FromItem& node) { items.insert(&node); });
  std::vector<const Relation*> tables;
  for (const auto* relation : rewriter.names().relations()) {
    if (relation->kind == Relation::Kind::table && relation->table != nullptr && items.contains(relation->item))
      tables.push_back(relation);
  }
  return tables;
}

std::string initials(std::string_view name) {
  std::string letters;
  bool at_start = true;
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_letter && at_start) letters += to_lower_ascii(c);
    at_start = !is_letter;
  }
  return letters.empty() ? std::string("t") : letters;
}

}  // namespace

void qualifiers(QueryRewriter& rewriter) {
  rewriter.whole(rewriter.qualified(rewriter.query()));
  Query bare = rewriter.query();
  ast::walk(bare, [](ColumnRef& reference) {
    if (!reference.table) return;
    reference.schema = {};
    reference.table = std::nullopt;
    reference.column.quote = Quote::backticks;
  });
  rewriter.whole(bare);
}

void table_aliases(QueryRewriter& rewriter) {
  const auto tables = own_tables(rewriter, rewriter.query());
  if (tables.empty()) return;
  RelationNames numbered;
  RelationNames abbreviated;
  RelationNames plain;
  std::map<std::string, int> times;
  for (const auto* relation : tables) {
    numbered[relation] = "T" + std::to_string(numbered.size() + 1);
    auto letters = initials(relation->table->name);
    const int number = ++times[letters];
    abbreviated[relation] = number == 1 ? letters : letters + std::to_string(number);
    plain[relation] = relation->table->name;
  }
  for (const auto& names : {numbered, abbreviated, plain}) {
    if (const auto changed = renamed(rewriter, rewriter.query(), names)) rewriter.whole(*changed);
  }
}

void column_aliases(QueryRewriter& rewriter) {
  auto* select = rewriter.query().arms.front().select();
  if (select == nullptr) return;
  Select named = *select;
  Select unnamed = *select;
  for (std::size_t i = 0; i < named.items.size(); ++i) {
    auto& element = named.items[i];
    if (element.expr() == nullptr) continue;
    if (!element.alias && !element.expr()->is<ColumnRef>()) element.alias = unquoted("value_" + std::to_string(i + 1));
    unnamed.items[i].alias = std::nullopt;
  }
  rewriter.with(*select, std::move(named));
  rewriter.with(*select, std::move(unnamed));
}

void star(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    const bool has_star = std::ranges::any_of(select.items, [](const SelectItem& i) { return i.expr() == nullptr; });
    if (has_star) {
      Select changed = select;
      changed.items.clear();
      for (const auto& result : resolved.columns) {
        if (result.expr == nullptr) return;
        changed.items.push_back(item(rewriter.qualified(*result.expr)));
      }
      return rewriter.with(select, std::move(changed));
    }
    // The whole list of columns as a star.
    if (select.from.size() != 1 || resolved.from.size() != 1 || resolved.from[0].relation == nullptr) return;
    const auto* relation = resolved.from[0].relation;
    std::size_t next = 0;
    for (const auto& element : select.items) {
      while (next < relation->columns.size() && relation->columns[next].hidden) ++next;
      const auto id = rewriter.column_of(*element.expr());
      if (element.alias || id.relation != relation || id.column != static_cast<int>(next)) return;
      ++next;
    }
    if (next == relation->columns.size()) rewriter.with(select.items, {SelectItem{Star{}}});
  });
}

void order_term(QueryRewriter& rewriter) {
  ast::walk(rewriter.query(), [&](Query& query) {
    auto* select = query.arms.front().select();
    if (select == nullptr || query.order_by.empty() || rewriter.done()) return;
    for (auto& term : query.order_by) {
      const auto found = std::ranges::find_if(
          select->items, [&](const SelectItem& i) { return i.expr() != nullptr && *i.expr() == term.expr; });
      if (found != select->items.end()) {
        rewriter.with(term.expr, integer(found - select->items.begin() + 1));
        if (query.arms.size() > 1 || found->alias) continue;
        const auto place = static_cast<std::size_t>(found - select->items.begin());
        Query changed = query;
        changed.arms.front().select()->items[place].alias = unquoted("sort_value");
        changed.order_by[static_cast<std::size_t>(&term - query.order_by.data())].expr = column({}, "sort_value");
        rewriter.with(query, std::move(changed));
      } else if (Value storage; const auto* position = integer_value(term.expr, storage)) {
        const auto index = static_cast<std::size_t>(*position - 1);
        if (index < select->items.size() && select->items[index].expr() != nullptr)
          rewriter.with(term.expr, Expr(*select->items[index].expr()));
      }
    }
  });
}

void whole_query(QueryRewriter& rewriter) {
  const auto& query = rewriter.query();
  Select outer;
  outer.items.push_back(SelectItem{Star{}});
  Select by_name = outer;
  outer.from.push_back(rewriting::derived_table(query, rewriter.fresh_name("result")));
  rewriter.whole(query_of(std::move(outer)));
  if (query.with) return;
  Query named = query_of({});
  CommonTable definition;
  definition.name = unquoted(rewriter.fresh_name("result"));
  definition.query = Box<Query>(query);
  by_name.from.push_back(rewriting::table(TableName{{}, definition.name}, {}));
  named = query_of(std::move(by_name));
  With with;
  with.tables.push_back(std::move(definition));
  named.with = std::move(with);
  rewriter.whole(named);
}

}  // namespace trustsql::equiv::paraphrases
