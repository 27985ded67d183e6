// Paraphrases of DISTINCT, GROUP BY, HAVING and COUNT.

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "equiv/paraphrases/kinds.hpp"
#include "equiv/rewriting/tree_edit.hpp"

namespace trustsql::equiv::paraphrases {

using namespace ast;
using namespace rewriting;

namespace {

bool is_count(const Call& node) { return equals_ignore_case(node.name.text, "count") && !node.filter && !node.over; }

bool has_aggregate(const Expr& expr) {
  bool found = false;
  ast::walk(expr, Overloaded{[&](const Call& node) {
                               static constexpr std::string_view names[] = {"count", "min",   "max",         "sum",
                                                                            "avg",   "total", "group_concat"};
                               found = found || std::ranges::any_of(names, [&](std::string_view name) {
                                         return equals_ignore_case(node.name.text, name);
                                       });
                             },
                             [](const Query&) { return false; }});
  return found;
}

// The expressions of all result columns; empty if one of them is a star.
std::vector<Expr> result_columns(const Select& select) {
  std::vector<Expr> columns;
  for (const auto& element : select.items) {
    if (element.expr() == nullptr) return {};
    columns.push_back(*element.expr());
  }
  return columns;
}

}  // namespace

void distinct(QueryRewriter& rewriter) {
  rewriter.each_select(
      [&](Select& select, const ResolvedSelect&) { rewriter.with(select.distinct, !select.distinct); });
}

void distinct_group_by(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    const auto columns = result_columns(select);
    if (columns.empty() || select.having || !resolved.aggregates.empty() || !resolved.windows.empty()) return;
    if (select.distinct && select.group_by.empty()) {
      Select changed = select;
      changed.distinct = false;
      changed.group_by = columns;
      rewriter.with(select, std::move(changed));
    } else if (!select.distinct && !select.group_by.empty()) {
      Select changed = select;
      changed.distinct = true;
      changed.group_by.clear();
      rewriter.with(select, std::move(changed));
    }
  });
}

void having_where(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect&) {
    if (select.group_by.empty()) return;
    const auto move = [&](const Box<Expr>& from, const Box<Expr>& to, bool to_where) {
      const auto conjuncts = conjuncts_of(from);
      for (std::size_t i = 0; i < conjuncts.size(); ++i) {
        if (has_aggregate(conjuncts[i])) continue;
        auto rest = conjuncts;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        Select changed = select;
        (to_where ? changed.having : changed.where) = chain_of(std::move(rest));
        (to_where ? changed.where : changed.having) = both(to, Box<Expr>(conjuncts[i]));
        rewriter.with(select, std::move(changed));
      }
    };
    move(select.having, select.where, true);
    move(select.where, select.having, false);
  });
}

void having_to_derived_table(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect&) {
    if (!select.having || select.distinct || select.group_by.empty()) return;
    const auto columns = result_columns(select);
    if (columns.empty()) return;
    const auto conjuncts = conjuncts_of(select.having);
    if (conjuncts.size() != 1) return;
    const auto* comparison = conjuncts[0].as<Binary>();
    if (comparison == nullptr || !is_comparison(comparison->op)) return;
    // SELECT a FROM (SELECT a, count(*) AS value ... GROUP BY a) WHERE value > 1
    const std::string name = rewriter.fresh_name("grouped");
    Select inner = select;
    inner.having = {};
    Select outer;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string alias = "column_" + std::to_string(i + 1);
      inner.items[i] = item(columns[i], alias);
      const auto original = select.items[i].alias;
      outer.items.push_back(item(column(name, alias), original ? original->text : std::string_view()));
    }
    inner.items.push_back(item(*comparison->left, "value"));
    outer.from.push_back(rewriting::derived_table(query_of(std::move(inner)), name));
    outer.where = Box<Expr>(binary(comparison->op, column(name, "value"), *comparison->right));
    rewriter.with(select, std::move(outer));
  });
}

void group_key(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect&) {
    if (select.group_by.empty()) return;
    // The result columns that are not grouped by, as other systems require.
    auto keys = select.group_by;
    for (const auto& element : result_columns(select)) {
      if (!element.is<ColumnRef>()) continue;
      const auto id = rewriter.column_of(element);
      const bool is_key = std::ranges::any_of(select.group_by, [&](const Expr& key) {
        return key == element || (id.relation != nullptr && rewriter.column_of(key) == id);
      });
      if (!is_key) keys.push_back(element);
    }
    if (keys.size() > select.group_by.size()) rewriter.with(select.group_by, keys);
    for (std::size_t i = 0; i < select.group_by.size() && select.group_by.size() > 1; ++i) {
      auto fewer = select.group_by;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      rewriter.with(select.group_by, std::move(fewer));
    }
  });
}

void count_column(QueryRewriter& rewriter) {
  std::map<const Call*, const ResolvedSelect*> counts;
  rewriter.each_select([&](Select&, const ResolvedSelect& resolved) {
    for (const auto* aggregate : resolved.aggregates) {
      if (is_count(*aggregate) && !aggregate->distinct) counts[aggregate] = &resolved;
    }
  });
  ast::walk(rewriter.query(), [&](Call& node) {
    const auto owner = counts.find(&node);
    if (owner == counts.end() || rewriter.done()) return;
    if (!node.star) {
      Call all_rows = node;
      all_rows.star = true;
      all_rows.arguments.clear();
      return rewriter.with(node, std::move(all_rows));
    }
    const auto with_argument = [&](Expr argument) {
      Call changed = node;
      changed.star = false;
      changed.arguments = {std::move(argument)};
      rewriter.with(node, std::move(changed));
    };
    for (const auto& joined : owner->second->from) {
      const auto* relation = joined.relation;
      if (relation == nullptr || relation->table == nullptr) continue;
      const auto position = identifying_column(*relation->table);
      if (position) with_argument(column(relation->name, relation->table->columns[*position].name));
    }
    with_argument(integer(1));
  });
}

void count_distinct(QueryRewriter& rewriter) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (select.items.size() != 1 || !select.group_by.empty() || select.having || select.distinct) return;
    const auto* value = select.items[0].expr();
    const auto* count = value == nullptr ? nullptr : value->as<Call>();
    if (count == nullptr || !is_count(*count) || select.from.empty()) return;
    const std::string name = rewriter.fresh_name("counted");
    if (count->distinct && count->arguments.size() == 1) {
      // SELECT count(value) FROM (SELECT DISTINCT x AS value ...)
      Select inner = select;
      inner.distinct = true;
      inner.items = {item(count->arguments[0], "value")};
      Select outer;
      outer.items.push_back(item(call("count", {column(name, "value")})));
      outer.from.push_back(rewriting::derived_table(query_of(std::move(inner)), name));
      rewriter.with(select, std::move(outer));
    } else if (!count->distinct) {
      for (const auto& joined : resolved.from) {
        const auto* relation = joined.relation;
        if (relation == nullptr || relation->table == nullptr) continue;
        const auto position = identifying_column(*relation->table);
        if (!position) continue;
        Select changed = select;
        Call counted = *count;
        counted.star = false;
        counted.distinct = true;
        counted.arguments = {column(relation->name, relation->table->columns[*position].name)};
        changed.items[0].value = Expr(std::move(counted));
        rewriter.with(select, std::move(changed));
      }
    }
  });
}

}  // namespace trustsql::equiv::paraphrases
