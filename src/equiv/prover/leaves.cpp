// Leaves, and operators of the same kind.
#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "equiv/prover/unifier.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

bool Unifier::match_leaf(const Rel& to, const Rel& from, Then then) {
  if (to.node.index() != from.node.index()) return false;
  certificate_.pairs.push_back({&to, &from});
  return std::visit(Overloaded{
                        [](const auto&) { return false; },
                        [&](const Scan& n) { return match(n, *from.as<Scan>(), then); },
                        [&](const Values& n) { return match(n, *from.as<Values>(), then); },
                        [&](const TableFunction& n) { return match(n, *from.as<TableFunction>(), then); },
                        [&](const Window& n) { return match(n, *from.as<Window>(), then); },
                        [&](const Distinct& n) { return match(n, *from.as<Distinct>(), then); },
                        [&](const SetOp& n) { return match(n, *from.as<SetOp>(), then); },
                        [&](const Limit& n) { return match(n, *from.as<Limit>(), then); },
                        [&](const Join& n) { return match(n, *from.as<Join>(), then); },
                        [&](const Aggregate& n) { return match(n, *from.as<Aggregate>(), then); },
                    },
                    to.node);
}

// The attribute of `scan` for the column `like` of another use of the table; it is created if the query does not use
// the column.
AttributeId Unifier::column_of(const Scan& scan, const TableColumn& like) {
  for (const auto& column : scan.columns) {
    if (column.position == like.position) return column.id;
  }
  for (const auto& extra : extra_columns_) {
    if (extra.row == scan.row && extra.position == like.position) return extra.id;
  }
  const auto id = plan_.add_attribute_like(like.id);
  extra_columns_.push_back({scan.row, like.position, id});
  return id;
}

bool Unifier::match(const Scan& to, const Scan& from, Then then) {
  if (to.schema != from.schema || to.name != from.name) return false;
  for (const auto& column : from.columns) bindings_.bind(column.id, column_of(to, column));
  bindings_.bind(from.row, to.row);
  const auto shown = [](const Scan& scan) {
    std::string text(scan.name);
    if (!scan.alias.empty() && scan.alias != scan.name) text += " AS " + std::string(scan.alias);
    return text;
  };
  pairs_.push_back(shown(to) + " is " + shown(from));
  return then();
}

bool Unifier::match(const Values& to, const Values& from, Then then) {
  if (to.ids.size() != from.ids.size() || to.rows.size() != from.rows.size()) return false;
  for (std::size_t row = 0; row < to.rows.size(); ++row) {
    for (std::size_t i = 0; i < to.ids.size(); ++i) {
      if (!(apply(to.rows[row][i]) == apply(from.rows[row][i]))) return false;
    }
  }
  for (std::size_t i = 0; i < to.ids.size(); ++i) bindings_.bind(from.ids[i], to.ids[i]);
  return then();
}

bool Unifier::match(const TableFunction& to, const TableFunction& from, Then then) {
  if (to.name != from.name || to.arguments.size() != from.arguments.size()) return false;
  for (std::size_t i = 0; i < to.arguments.size(); ++i) {
    if (!(apply(to.arguments[i]) == apply(from.arguments[i]))) return false;
  }
  for (const auto& column : from.columns) {
    const auto same = std::find_if(to.columns.begin(), to.columns.end(),
                                   [&](const TableColumn& c) { return c.position == column.position; });
    if (same == to.columns.end()) return false;
    bindings_.bind(column.id, same->id);
  }
  return then();
}

bool Unifier::match(const Window& to, const Window& from, Then then) {
  return bags(*to.input, *from.input, [&] {
    return attempt([&] {
      auto given = context(*to.input);
      const auto same_lists = [&](const auto& a, const auto& b, auto&& equal) {
        return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), equal);
      };
      const auto same_boxes = [&](const ast::Box<Expr>& a, const ast::Box<Expr>& b) {
        return (!a && !b) || (a && b && same(given, *a, *b));
      };
      const auto same_frames = [&](const std::optional<Frame>& a, const std::optional<Frame>& b) {
        if (!a || !b) return !a && !b;
        const auto bounds = [&](const FrameBound& x, const FrameBound& y) {
          return x.kind == y.kind && same_boxes(x.offset, y.offset);
        };
        return a->unit == b->unit && a->exclude == b->exclude && bounds(a->start, b->start) && bounds(a->end, b->end);
      };
      const auto same_keys = [&](const GroupKey& a, const GroupKey& b) {
        return a.collation == b.collation && same(given, a.expr, b.expr);
      };
      const auto same_sorting = [&](const SortKey& a, const SortKey& b) {
        return a.descending == b.descending && a.nulls_first == b.nulls_first && a.collation == b.collation &&
               same(given, a.expr, b.expr);
      };
      const auto same_calls = [&](const WindowCall& a, const WindowCall& b) {
        return a.name == b.name && a.star == b.star && a.collation == b.collation && same_frames(a.frame, b.frame) &&
               same_lists(a.arguments, b.arguments, [&](const Expr& x, const Expr& y) { return same(given, x, y); }) &&
               same_lists(a.order_by, b.order_by, same_sorting) && a.partition_by.size() == b.partition_by.size() &&
               std::is_permutation(a.partition_by.begin(), a.partition_by.end(), b.partition_by.begin(), same_keys) &&
               ((!a.filter && !b.filter) ||
                (a.filter && b.filter && given.same_truth(apply(*a.filter), apply(*b.filter))));
      };
      for (const auto& call : from.calls) {
        const auto found = std::find_if(to.calls.begin(), to.calls.end(),
                                        [&](const WindowCall& other) { return same_calls(other, call); });
        if (found == to.calls.end()) return false;
        bindings_.bind(call.id, found->id);
      }
      return then();
    });
  });
}

// Whether rows that agree in one list of columns agree in the other. If so, binds each column of `from` to an
// identical column of `to`, or to the constant that it equals. From here on the columns of `to` stand for themselves.
bool Unifier::same_columns(ConditionSolver& given, const Columns& to, const Columns& from) {
  std::vector<const Expr*> to_exprs;
  std::vector<const Expr*> from_exprs;
  for (const auto id : to) to_exprs.push_back(&apply(id));
  for (const auto id : from) from_exprs.push_back(&apply(id));
  const auto find_same = [&](const Expr& expr, const std::vector<const Expr*>& among) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < among.size(); ++i) {
      if (given.same(*among[i], expr)) return i;
    }
    return std::nullopt;
  };
  for (const auto* expr : to_exprs) {
    if (!find_same(*expr, from_exprs) && given.constant(*expr) == nullptr) return false;
  }
  std::vector<std::pair<AttributeId, const Expr*>> bound;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (const auto found = find_same(*from_exprs[i], to_exprs)) {
      bound.emplace_back(from[i], &bindings_.keep(column(to[*found])));
    } else if (const auto* value = given.constant(*from_exprs[i])) {
      bound.emplace_back(from[i], &bindings_.keep(literal(*value)));
    } else {
      return false;
    }
  }
  close_columns(to);
  for (const auto& [id, expr] : bound) bindings_.bind(id, *expr);
  return true;
}

bool Unifier::match(const Distinct& to, const Distinct& from, Then then) {
  const auto to_columns = outputs(*to.input);
  const auto from_columns = outputs(*from.input);
  const bool by_bags = attempt([&] {
    return bags(*to.input, *from.input, [&] {
      return attempt([&] {
        auto given = context(*to.input);
        return same_columns(given, to_columns, from_columns) && then();
      });
    });
  });
  if (by_bags) return true;
  if (to_columns.size() != from_columns.size() || !sets(*to.input, to_columns, *from.input, from_columns, true))
    return false;
  return attempt([&] {
    equate(to_columns, from_columns);
    return then();
  });
}

bool Unifier::match(const SetOp& to, const SetOp& from, Then then) {
  if (to.op != from.op || to.inputs.size() != from.inputs.size() || to.op != ast::SetOp::union_all) return false;
  Columns columns;
  std::vector<bool> used(to.inputs.size(), false);
  return match_inputs(to, from, columns, used, 0, then);
}

// `columns`: for each column of `from` the corresponding column of `to`, determined at the first input.
bool Unifier::match_inputs(const SetOp& to, const SetOp& from, Columns& columns, std::vector<bool>& used,
                           std::size_t input, Then then) {
  if (input == from.inputs.size()) {
    return attempt([&] {
      for (std::size_t i = 0; i < from.ids.size(); ++i) bindings_.bind(from.ids[i], to.ids[columns[i]]);
      return then();
    });
  }
  const Budget::Level level(budget_);
  if (!level) return false;
  const auto from_columns = outputs(from.inputs[input]);
  for (std::size_t i = 0; i < to.inputs.size(); ++i) {
    if (used[i]) continue;
    const auto to_columns = outputs(to.inputs[i]);
    used[i] = true;
    const bool success = attempt([&] {
      return bags(to.inputs[i], from.inputs[input], [&] {
        auto given = context(to.inputs[i]);
        const auto same_column = [&](std::size_t a, std::size_t b) {
          return given.same(apply(to_columns[a]), apply(from_columns[b]));
        };
        const auto before = columns;
        if (input == 0) {
          for (std::size_t c = 0; c < from_columns.size(); ++c) {
            AttributeId to_column = 0;
            while (
                to_column < to_columns.size() &&
                !(std::find(columns.begin(), columns.end(), to_column) == columns.end() && same_column(to_column, c)))
              ++to_column;
            if (to_column == to_columns.size()) {
              columns = before;
              return false;
            }
            columns.push_back(to_column);
          }
        } else {
          for (std::size_t c = 0; c < from_columns.size(); ++c) {
            if (!same_column(columns[c], c)) return false;
          }
        }
        if (match_inputs(to, from, columns, used, input + 1, then)) return true;
        columns = before;
        return false;
      });
    });
    used[i] = false;
    if (success) return true;
  }
  return false;
}

namespace {

// The operator that orders the rows below a LIMIT, skipping projections.
const Sort* order_below(const Limit& limit) {
  const Rel* rel = limit.input.get();
  while (const auto* project = rel->as<Project>()) rel = project->input.get();
  return rel->as<Sort>();
}

}  // namespace

bool Unifier::match(const Limit& to, const Limit& from, Then then) {
  const auto same_boxes = [&](const ast::Box<Expr>& a, const ast::Box<Expr>& b) {
    return (!a && !b) || (a && b && apply(*a) == apply(*b));
  };
  if (!same_boxes(to.count, from.count) || !same_boxes(to.offset, from.offset)) return false;
  const auto* to_order = order_below(to);
  const auto* from_order = order_below(from);
  return bags(*to.input, *from.input, [&] {
    static const std::vector<SortKey> none;
    if (!same_order(*to.input, to_order != nullptr ? to_order->keys : none,
                    from_order != nullptr ? from_order->keys : none))
      return false;
    return then();
  });
}

// FULL JOIN; the other types of joins are not leaves.
bool Unifier::match(const Join& to, const Join& from, Then then) {
  if (to.type != from.type || to.type != JoinType::full) return false;
  const auto with = [&](const Rel& left, const Rel& right) {
    return attempt([&] {
      return bags(*to.left, left, [&] {
        return bags(*to.right, right, [&] {
          return attempt([&] {
            auto both = block_of(*to.left);
            const auto other = block_of(*to.right);
            both.leaves.insert(both.leaves.end(), other.leaves.begin(), other.leaves.end());
            both.conjuncts.insert(both.conjuncts.end(), other.conjuncts.begin(), other.conjuncts.end());
            auto tableau = tableau_of({both.leaves, both.conjuncts, {}, {}});
            const auto one_way = [&](const std::vector<Expr>& given, const std::vector<Expr>& wanted) {
              ConditionSolver context = tableau.conditions;
              for (const auto& conjunct : given) context.assume(apply(conjunct));
              return std::all_of(wanted.begin(), wanted.end(),
                                 [&](const Expr& conjunct) { return context.implies(apply(conjunct)); });
            };
            if (!one_way(to.on, from.on) || !one_way(from.on, to.on)) return false;
            return bind_nullable(tableau.conditions, *to.left, left) &&
                   bind_nullable(tableau.conditions, *to.right, right) && then();
          });
        });
      });
    });
  };
  return with(*from.left, *from.right) || with(*from.right, *from.left);
}

}  // namespace trustsql::equiv
