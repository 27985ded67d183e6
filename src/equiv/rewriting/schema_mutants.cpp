#include "equiv/rewriting/schema_mutants.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "equiv/rewriting/query_rewriter.hpp"
#include "equiv/rewriting/tree_edit.hpp"

namespace trustsql::equiv {

using namespace ast;
using namespace rewriting;

namespace {

// How many columns of another table replace a column, and how many values a value.
constexpr std::size_t max_replacements = 2;

using SchemaMutation = void (*)(QueryRewriter& rewriter, const MutantContext& context);

// Calls visit(column) for the visible columns of the tables of a FROM clause, those like `own` first.
template <class Visit>
void each_column(const Relation& relation, Affinity affinity, Visit visit) {
  for (const bool alike : {true, false}) {
    for (std::size_t i = 0; i < relation.columns.size(); ++i) {
      const auto& candidate = relation.columns[i];
      if (!candidate.hidden && (candidate.type.affinity == affinity) == alike) visit(i);
    }
  }
}

void other_table(QueryRewriter& rewriter, const MutantContext&) {
  ast::walk(rewriter.query(), [&](ColumnRef& reference) {
    const auto own = rewriter.column_of(reference);
    if (own.relation == nullptr || own.relation->select == nullptr || rewriter.done()) return;
    const auto affinity =
        own.column < 0 ? Affinity::integer : own.relation->columns[static_cast<std::size_t>(own.column)].type.affinity;
    for (const auto& joined : own.relation->select->from) {
      const auto* other = joined.relation;
      if (other == nullptr || other == own.relation) continue;
      std::size_t replaced = 0;
      const auto replace = [&](std::string_view name) {
        const Expr replacement = column(other->name, name);
        rewriter.with(reference, *replacement.as<ColumnRef>());
        ++replaced;
      };
      // A column of the same name is the likeliest mistake.
      const auto name = QueryRewriter::column_name(own);
      for (const auto& candidate : other->columns) {
        if (equals_ignore_case(candidate.name, name)) replace(candidate.name);
      }
      each_column(*other, affinity, [&](std::size_t i) {
        if (replaced < max_replacements && !equals_ignore_case(other->columns[i].name, name))
          replace(other->columns[i].name);
      });
    }
  });
}

void result_column(QueryRewriter& rewriter, const MutantContext&) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (resolved.outer != nullptr || resolved.query != &rewriter.names().query()) return;
    for (std::size_t i = 0; i < select.items.size() && select.items.size() > 1; ++i) {
      auto fewer = select.items;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      rewriter.with(select.items, std::move(fewer));
      if (i + 1 == select.items.size()) continue;
      auto exchanged = select.items;
      std::swap(exchanged[i], exchanged[i + 1]);
      rewriter.with(select.items, std::move(exchanged));
    }
    const auto add = [&](Expr expr) {
      auto more = select.items;
      if (std::ranges::any_of(more, [&](const SelectItem& i) { return i.expr() != nullptr && *i.expr() == expr; }))
        return;
      more.push_back(item(std::move(expr)));
      rewriter.with(select.items, std::move(more));
    };
    // What a query is ordered by, or counts, is often shown as well.
    for (const auto& term : rewriter.query().order_by) {
      Value storage;
      if (integer_value(term.expr, storage) == nullptr) add(term.expr);
    }
    for (const auto& key : select.group_by) add(key);
    if (!select.group_by.empty()) add(call("count"));
    for (const auto& joined : resolved.from) {
      if (joined.relation != nullptr && !joined.relation->columns.empty())
        add(column(joined.relation->name, joined.relation->columns.front().name));
    }
  });
}

// The FROM clause with `table` joined to `relation` where their columns are equal.
void join_along(QueryRewriter& rewriter, Select& select, const Relation& relation, std::string_view own_column,
                const ::trustsql::Table& table, std::string_view its_column) {
  Select changed = rewriter.qualified(select);
  const std::string name = rewriter.fresh_name(table.name);
  auto joined = rewriting::table(TableName{{}, unquoted(table.name)},
                                 name == table.name ? std::string_view() : std::string_view(name));
  joined.join = JoinType::inner;
  joined.on = Box<Expr>(binary(BinaryOp::equal, column(relation.name, own_column), column(name, its_column)));
  // A comma before it would hide the tables from its condition no more than JOIN does.
  changed.from.push_back(std::move(joined));
  rewriter.with(select, std::move(changed));
}

void redundant_join(QueryRewriter& rewriter, const MutantContext& context) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (std::ranges::any_of(select.items, [](const SelectItem& i) { return i.expr() == nullptr; })) return;
    const auto is_joined = [&](const ::trustsql::Table* table) {
      return std::ranges::any_of(resolved.from, [&](const ResolvedFromItem& i) {
        return i.relation != nullptr && i.relation->table == table;
      });
    };
    for (const auto& joined : resolved.from) {
      const auto* relation = joined.relation;
      if (relation == nullptr || relation->kind != Relation::Kind::table || relation->table == nullptr) continue;
      const auto& own = *relation->table;
      for (const auto& key : own.foreign_keys) {
        const auto* parent = context.catalog->parent(own, key);
        if (parent == nullptr || is_joined(parent) || key.columns.size() != 1 || key.parent_columns.size() != 1)
          continue;
        join_along(rewriter, select, *relation, own.columns[static_cast<std::size_t>(key.columns[0])].name, *parent,
                   key.parent_columns[0]);
      }
      for (const auto& child : context.catalog->tables()) {
        if (is_joined(&child)) continue;
        for (const auto& key : child.foreign_keys) {
          if (context.catalog->parent(child, key) != &own || key.columns.size() != 1 || key.parent_columns.size() != 1)
            continue;
          join_along(rewriter, select, *relation, key.parent_columns[0], child,
                     child.columns[static_cast<std::size_t>(key.columns[0])].name);
        }
      }
    }
  });
}

void missing_join(QueryRewriter& rewriter, const MutantContext&) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (!is_flat_join(select, resolved, 2)) return;
    for (std::size_t i = 0; i < select.from.size() && !rewriter.done(); ++i) {
      const auto* relation = resolved.from[i].relation;
      if (!rewriter.only_conditions_use(select, relation)) continue;
      // Only what does not mention the table stays.
      const auto without = [&](const Box<Expr>& condition) {
        std::vector<Expr> rest;
        for (const auto* conjunct : conjuncts_in(condition)) {
          if (!rewriter.uses(*conjunct, relation)) rest.push_back(*conjunct);
        }
        return chain_of(std::move(rest));
      };
      Select changed = select;
      changed.from.erase(changed.from.begin() + static_cast<std::ptrdiff_t>(i));
      for (std::size_t k = 0, kept = 0; k < select.from.size(); ++k) {
        if (k == i) continue;
        changed.from[kept++].on = without(select.from[k].on);
      }
      changed.from.front().on = {};
      changed.where = without(select.where);
      rewriter.with(select, std::move(changed));
    }
  });
}

void extra_condition(QueryRewriter& rewriter, const MutantContext& context) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    const auto add = [&](Expr condition) {
      rewriter.with(select.where, both(select.where, Box<Expr>(std::move(condition))));
    };
    for (const auto& joined : resolved.from) {
      const auto* relation = joined.relation;
      if (relation == nullptr || relation->table == nullptr) continue;
      for (std::size_t i = 0; i < relation->columns.size() && !rewriter.done(); ++i) {
        if (relation->columns[i].hidden) continue;
        const Expr subject = column(relation->name, relation->columns[i].name);
        const auto values = context.values && i < relation->table->columns.size() ? context.values(*relation->table, i)
                                                                                  : std::vector<Literal>();
        if (!values.empty()) add(binary(BinaryOp::equal, subject, Expr(values.front())));
      }
      for (const auto& result : resolved.columns) {
        const auto id = result.expr == nullptr ? ColumnId() : rewriter.column_of(*result.expr);
        if (id.relation == relation) add(Expr(IsNull{Box<Expr>(rewriter.qualified(*result.expr)), true}));
      }
    }
  });
}

void other_value(QueryRewriter& rewriter, const MutantContext& context) {
  if (!context.values) return;
  const auto replace = [&](const Expr& subject, Expr& constant) {
    const auto id = rewriter.column_of(subject);
    auto* literal = constant.as<Literal>();
    if (literal == nullptr || id.relation == nullptr || id.relation->table == nullptr || id.column < 0) return;
    const auto position = static_cast<std::size_t>(id.column);
    if (position >= id.relation->table->columns.size()) return;
    std::size_t replaced = 0;
    for (const auto& other : context.values(*id.relation->table, position)) {
      if (other == *literal || replaced == max_replacements) continue;
      rewriter.with(constant, Expr(other));
      ++replaced;
    }
  };
  rewriter.each_expr([&](Expr& expr) {
    if (auto* comparison = expr.as<Binary>(); comparison != nullptr && is_comparison(comparison->op)) {
      replace(*comparison->left, *comparison->right);
      replace(*comparison->right, *comparison->left);
    } else if (auto* node = expr.as<In>()) {
      if (auto* list = std::get_if<std::vector<Expr>>(&node->set)) {
        for (auto& element : *list) replace(*node->operand, element);
      }
    }
  });
}

void scalar_subquery(QueryRewriter& rewriter, const MutantContext&) {
  rewriter.each_expr([&](Expr& expr) {
    if (const auto* member = expr.as<In>()) {
      const auto* list = std::get_if<Box<Query>>(&member->set);
      if (list == nullptr) return;
      const auto op = member->negated ? BinaryOp::not_equal : BinaryOp::equal;
      rewriter.with(expr, binary(op, *member->operand, Expr(Subquery{*list})));
    } else if (const auto* comparison = expr.as<Binary>(); comparison != nullptr && comparison->op == BinaryOp::equal) {
      const auto* subquery = comparison->right->as<Subquery>();
      if (subquery != nullptr) rewriter.with(expr, Expr(In{comparison->left, false, subquery->query}));
    }
  });
}

constexpr std::pair<MutantKind, SchemaMutation> schema_mutations[] = {
    {MutantKind::other_table, other_table},         {MutantKind::result_column, result_column},
    {MutantKind::redundant_join, redundant_join},   {MutantKind::missing_join, missing_join},
    {MutantKind::extra_condition, extra_condition}, {MutantKind::value, other_value},
    {MutantKind::scalar_subquery, scalar_subquery}};

}  // namespace

std::vector<Mutant> schema_mutants_of(ast::Query& query, const MutantContext& context, std::size_t most_of_kind) {
  std::vector<Mutant> mutants;
  for (const auto& [kind, mutate] : schema_mutations) {
    std::size_t of_kind = 0;
    const auto receive = [&, kind = kind](const ast::Query& mutant) {
      mutants.push_back({kind, mutant});
      return ++of_kind < most_of_kind;
    };
    QueryRewriter rewriter(query, *context.resolution, *context.catalog, receive);
    if (most_of_kind > 0) mutate(rewriter, context);
  }
  return mutants;
}

}  // namespace trustsql::equiv
