#include "equiv/prover/leaf_matcher.hpp"

#include <algorithm>
#include <optional>

#include "db/catalog/catalog.hpp"
#include "equiv/prover/null_extension.hpp"
#include "equiv/prover/sort_keys.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

bool LeafMatcher::match(const Rel& to, const Rel& from, Then then) {
  if (to.node.index() != from.node.index()) return false;
  state_.note_pair(to, from);
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
                        [&](const Aggregate& n) { return groups_.match(n, *from.as<Aggregate>(), then); },
                    },
                    to.node);
}

// --- leaves without inputs

bool LeafMatcher::match(const Scan& to, const Scan& from, Then then) {
  if (to.schema != from.schema || to.name != from.name) return false;
  for (const auto& column : from.columns) state_.bindings().bind(column.id, state_.column_of(to, column));
  state_.bindings().bind(from.row, to.row);
  const auto shown = [](const Scan& scan) {
    std::string text(scan.name);
    if (!scan.alias.empty() && scan.alias != scan.name) text += " AS " + std::string(scan.alias);
    return text;
  };
  state_.note_step(shown(to) + " is " + shown(from));
  return then();
}

bool LeafMatcher::match(const Values& to, const Values& from, Then then) {
  if (to.ids.size() != from.ids.size() || to.rows.size() != from.rows.size()) return false;
  for (std::size_t row = 0; row < to.rows.size(); ++row) {
    for (std::size_t i = 0; i < to.ids.size(); ++i) {
      if (!(state_.apply(to.rows[row][i]) == state_.apply(from.rows[row][i]))) return false;
    }
  }
  for (std::size_t i = 0; i < to.ids.size(); ++i) state_.bindings().bind(from.ids[i], to.ids[i]);
  return then();
}

bool LeafMatcher::match(const TableFunction& to, const TableFunction& from, Then then) {
  if (to.name != from.name || to.arguments.size() != from.arguments.size()) return false;
  for (std::size_t i = 0; i < to.arguments.size(); ++i) {
    if (!(state_.apply(to.arguments[i]) == state_.apply(from.arguments[i]))) return false;
  }
  for (const auto& column : from.columns) {
    const auto same = std::find_if(to.columns.begin(), to.columns.end(),
                                   [&](const TableColumn& c) { return c.position == column.position; });
    if (same == to.columns.end()) return false;
    state_.bindings().bind(column.id, same->id);
  }
  return then();
}

// --- window functions

namespace {

// Whether window functions do the same to the same rows.
class WindowCalls {
 public:
  // `given`: what holds for the rows.
  WindowCalls(SearchState& state, ConditionSolver& given) : state_(state), given_(given) {}

  bool same(const WindowCall& a, const WindowCall& b) {
    return a.name == b.name && a.star == b.star && a.collation == b.collation && same_frames(a.frame, b.frame) &&
           same_lists(a.arguments, b.arguments, [&](const Expr& x, const Expr& y) { return same(x, y); }) &&
           same_lists(a.order_by, b.order_by, [&](const SortKey& x, const SortKey& y) { return same(x, y); }) &&
           a.partition_by.size() == b.partition_by.size() &&
           std::is_permutation(a.partition_by.begin(), a.partition_by.end(), b.partition_by.begin(),
                               [&](const GroupKey& x, const GroupKey& y) { return same(x, y); }) &&
           same_filters(a, b);
  }

 private:
  bool same(const Expr& a, const Expr& b) { return state_.same(given_, a, b); }
  bool same(const GroupKey& a, const GroupKey& b) { return a.collation == b.collation && same(a.expr, b.expr); }
  bool same(const SortKey& a, const SortKey& b) {
    return a.descending == b.descending && a.nulls_first == b.nulls_first && a.collation == b.collation &&
           same(a.expr, b.expr);
  }
  bool same(const FrameBound& a, const FrameBound& b) {
    return a.kind == b.kind && ((!a.offset && !b.offset) || (a.offset && b.offset && same(*a.offset, *b.offset)));
  }

  bool same_frames(const std::optional<Frame>& a, const std::optional<Frame>& b) {
    if (!a || !b) return !a && !b;
    return a->unit == b->unit && a->exclude == b->exclude && same(a->start, b->start) && same(a->end, b->end);
  }
  bool same_filters(const WindowCall& a, const WindowCall& b) {
    return (!a.filter && !b.filter) ||
           (a.filter && b.filter && given_.same_truth(state_.apply(*a.filter), state_.apply(*b.filter)));
  }
  template <class List, class Equal>
  static bool same_lists(const List& a, const List& b, Equal&& equal) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), equal);
  }

  SearchState& state_;
  ConditionSolver& given_;
};

}  // namespace

bool LeafMatcher::match(const Window& to, const Window& from, Then then) {
  return relations_.bags(*to.input, *from.input, [&] {
    return state_.attempt([&] {
      auto given = chase_.conditions_of(*to.input);
      WindowCalls calls(state_, given);
      for (const auto& call : from.calls) {
        const auto counterpart = std::find_if(to.calls.begin(), to.calls.end(),
                                              [&](const WindowCall& other) { return calls.same(other, call); });
        if (counterpart == to.calls.end()) return false;
        state_.bindings().bind(call.id, counterpart->id);
      }
      return then();
    });
  });
}

// --- DISTINCT

// Whether rows that agree in one list of columns agree in the other. If so, binds each column of `from` to an
// identical column of `to`, or to the constant that it equals. From here on the columns of `to` stand for themselves.
bool LeafMatcher::same_columns(ConditionSolver& given, const Columns& to, const Columns& from) {
  std::vector<const Expr*> to_exprs;
  std::vector<const Expr*> from_exprs;
  for (const auto id : to) to_exprs.push_back(&state_.apply(id));
  for (const auto id : from) from_exprs.push_back(&state_.apply(id));
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
    if (const auto counterpart = find_same(*from_exprs[i], to_exprs)) {
      bound.emplace_back(from[i], &state_.column(to[*counterpart]));
    } else if (const auto* value = given.constant(*from_exprs[i])) {
      bound.emplace_back(from[i], &state_.bindings().keep(literal(*value)));
    } else {
      return false;
    }
  }
  state_.close_columns(to);
  for (const auto& [id, expr] : bound) state_.bindings().bind(id, *expr);
  return true;
}

bool LeafMatcher::match(const Distinct& to, const Distinct& from, Then then) {
  const auto to_columns = outputs(*to.input);
  const auto from_columns = outputs(*from.input);
  const bool by_bags = state_.attempt([&] {
    return relations_.bags(*to.input, *from.input, [&] {
      return state_.attempt([&] {
        auto given = chase_.conditions_of(*to.input);
        return same_columns(given, to_columns, from_columns) && then();
      });
    });
  });
  if (by_bags) return true;
  if (to_columns.size() != from_columns.size() ||
      !relations_.sets(*to.input, to_columns, *from.input, from_columns, true))
    return false;
  return state_.attempt([&] {
    state_.equate(to_columns, from_columns);
    return then();
  });
}

// --- UNION ALL

bool LeafMatcher::match(const SetOp& to, const SetOp& from, Then then) {
  if (to.op != from.op || to.inputs.size() != from.inputs.size() || to.op != ast::SetOp::union_all) return false;
  ColumnMap columns;
  std::vector<bool> used(to.inputs.size(), false);
  return match_inputs(to, from, columns, used, 0, then);
}

// `columns`: for each column of `from` the corresponding column of `to`, determined at the first input.
bool LeafMatcher::match_inputs(const SetOp& to, const SetOp& from, ColumnMap& columns, std::vector<bool>& used,
                               std::size_t input, Then then) {
  if (input == from.inputs.size()) {
    return state_.attempt([&] {
      for (std::size_t i = 0; i < from.ids.size(); ++i) state_.bindings().bind(from.ids[i], to.ids[columns[i]]);
      return then();
    });
  }
  const Budget::Level level(state_.budget());
  if (!level) return false;
  for (std::size_t i = 0; i < to.inputs.size(); ++i) {
    if (used[i]) continue;
    used[i] = true;
    const bool success = state_.attempt([&] {
      return relations_.bags(to.inputs[i], from.inputs[input], [&] {
        const auto before = columns;
        if (map_columns(to.inputs[i], from.inputs[input], columns, input == 0) &&
            match_inputs(to, from, columns, used, input + 1, then))
          return true;
        columns = before;
        return false;
      });
    });
    used[i] = false;
    if (success) return true;
  }
  return false;
}

// Whether the columns of two inputs correspond as `columns` says, which is filled in at the first input.
bool LeafMatcher::map_columns(const Rel& to, const Rel& from, ColumnMap& columns, bool first) {
  const auto to_columns = outputs(to);
  const auto from_columns = outputs(from);
  auto given = chase_.conditions_of(to);
  const auto same_column = [&](std::size_t a, std::size_t b) {
    return given.same(state_.apply(to_columns[a]), state_.apply(from_columns[b]));
  };
  for (std::size_t c = 0; c < from_columns.size(); ++c) {
    if (!first) {
      if (!same_column(columns[c], c)) return false;
      continue;
    }
    std::size_t counterpart = 0;
    while (counterpart < to_columns.size() &&
           !(std::find(columns.begin(), columns.end(), counterpart) == columns.end() && same_column(counterpart, c)))
      ++counterpart;
    if (counterpart == to_columns.size()) return false;
    columns.push_back(counterpart);
  }
  return true;
}

// --- LIMIT

namespace {

// The operator that orders the rows below a LIMIT, skipping projections.
const Sort* order_below(const Limit& limit) {
  const Rel* rel = limit.input.get();
  while (const auto* project = rel->as<Project>()) rel = project->input.get();
  return rel->as<Sort>();
}

}  // namespace

bool LeafMatcher::match(const Limit& to, const Limit& from, Then then) {
  const auto same_boxes = [&](const ast::Box<Expr>& a, const ast::Box<Expr>& b) {
    return (!a && !b) || (a && b && state_.apply(*a) == state_.apply(*b));
  };
  if (!same_boxes(to.count, from.count) || !same_boxes(to.offset, from.offset)) return false;
  const auto* to_order = order_below(to);
  const auto* from_order = order_below(from);
  return relations_.bags(*to.input, *from.input, [&] {
    static const std::vector<SortKey> none;
    return same_order(state_, chase_, *to.input, to_order != nullptr ? to_order->keys : none,
                      from_order != nullptr ? from_order->keys : none) &&
           then();
  });
}

// --- FULL JOIN; the other types of joins are not leaves

bool LeafMatcher::match(const Join& to, const Join& from, Then then) {
  if (to.type != from.type || to.type != JoinType::full) return false;
  return match_sides(to, *from.left, *from.right, from.on, then) ||
         match_sides(to, *from.right, *from.left, from.on, then);
}

// Pairs the sides of `to` with `left` and `right`, which are joined by `from_on`.
bool LeafMatcher::match_sides(const Join& to, const Rel& left, const Rel& right, const std::vector<Expr>& from_on,
                              Then then) {
  const auto same_matches = [&] {
    auto both = block_of(*to.left);
    const auto other = block_of(*to.right);
    both.leaves.insert(both.leaves.end(), other.leaves.begin(), other.leaves.end());
    both.conjuncts.insert(both.conjuncts.end(), other.conjuncts.begin(), other.conjuncts.end());
    auto tableau = chase_.tableau_of({both.leaves, both.conjuncts, {}, {}});
    const auto one_way = [&](const std::vector<Expr>& known, const std::vector<Expr>& wanted) {
      auto given = tableau.conditions;
      for (const auto& conjunct : known) given.assume(state_.apply(conjunct));
      return std::all_of(wanted.begin(), wanted.end(),
                         [&](const Expr& conjunct) { return given.implies(state_.apply(conjunct)); });
    };
    if (!one_way(to.on, from_on) || !one_way(from_on, to.on)) return false;
    bind_null_extended(state_, tableau.conditions, *to.left, left);
    bind_null_extended(state_, tableau.conditions, *to.right, right);
    return then();
  };
  return state_.attempt([&] {
    return relations_.bags(*to.left, left, [&] {
      return relations_.bags(*to.right, right, [&] { return state_.attempt(same_matches); });
    });
  });
}

}  // namespace trustsql::equiv
