// Leaves, and operators that do the same to the same inputs.
#include <algorithm>

#include "equiv/checker/correspondence_checker.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

// The sort keys that decide which rows a limit keeps.
const std::vector<SortKey>* order_of(const Limit& limit) {
  const Rel* rel = limit.input.get();
  while (const auto* project = rel->as<Project>()) rel = project->input.get();
  const auto* sort = rel->as<Sort>();
  return sort != nullptr ? &sort->keys : nullptr;
}

}  // namespace

bool CorrespondenceChecker::leaf(const Rel& to, const Rel& from) {
  if (to.node.index() != from.node.index() || !spend()) return false;
  return std::visit(
      [&](const auto& n) {
        using T = std::remove_cvref_t<decltype(n)>;
        if constexpr (requires { same(n, n); }) {
          return same(n, *from.as<T>());
        } else {
          return false;
        }
      },
      to.node);
}

bool CorrespondenceChecker::same(const Scan& to, const Scan& from) {
  if (to.schema != from.schema || to.name != from.name) return false;
  for (const auto& each : from.columns) bind(each.id, column(column_of(to, each)));
  bind(from.row, column(to.row));
  return true;
}

bool CorrespondenceChecker::same(const Values& to, const Values& from) {
  if (to.ids.size() != from.ids.size() || to.rows.size() != from.rows.size()) return false;
  for (std::size_t i = 0; i < to.rows.size(); ++i) {
    for (std::size_t k = 0; k < to.ids.size(); ++k) {
      if (!(expand(to.rows[i][k]) == expand(from.rows[i][k]))) return false;
    }
  }
  bind(from.ids, to.ids);
  return true;
}

bool CorrespondenceChecker::same(const TableFunction& to, const TableFunction& from) {
  if (to.name != from.name || to.arguments.size() != from.arguments.size()) return false;
  for (std::size_t i = 0; i < to.arguments.size(); ++i) {
    if (!(expand(to.arguments[i]) == expand(from.arguments[i]))) return false;
  }
  for (const auto& each : from.columns) {
    const auto same_column = std::find_if(to.columns.begin(), to.columns.end(),
                                          [&](const TableColumn& c) { return c.position == each.position; });
    if (same_column == to.columns.end()) return false;
    bind(each.id, column(same_column->id));
  }
  return true;
}

bool CorrespondenceChecker::same_keys(Rows& rows, const std::vector<SortKey>& to, const std::vector<SortKey>& from) {
  return std::equal(to.begin(), to.end(), from.begin(), from.end(), [&](const SortKey& a, const SortKey& b) {
    return a.descending == b.descending && a.nulls_first == b.nulls_first && a.collation == b.collation &&
           rows.claims.identical(expand(a.expr), expand(b.expr));
  });
}

bool CorrespondenceChecker::same_filters(Rows& rows, const ast::Box<Expr>& to, const ast::Box<Expr>& from) {
  if (!to || !from) return !to && !from;
  const auto implies = [&](const Expr& a, const Expr& b) {
    Claims given = rows.claims;
    given.add(a);
    return given.contradictory() || given.true_of(b);
  };
  const auto a = expand(*to);
  const auto b = expand(*from);
  return implies(a, b) && implies(b, a);
}

bool CorrespondenceChecker::same_call(Rows& rows, const WindowCall& to, const WindowCall& from) {
  if (to.name != from.name || to.star != from.star || to.collation != from.collation ||
      to.frame.has_value() != from.frame.has_value())
    return false;
  const auto same_offsets = [&](const ast::Box<Expr>& a, const ast::Box<Expr>& b) {
    return (!a && !b) || (a && b && expand(*a) == expand(*b));
  };
  if (to.frame) {
    const auto& a = *to.frame;
    const auto& b = *from.frame;
    if (a.unit != b.unit || a.exclude != b.exclude || a.start.kind != b.start.kind || a.end.kind != b.end.kind ||
        !same_offsets(a.start.offset, b.start.offset) || !same_offsets(a.end.offset, b.end.offset)) {
      return false;
    }
  }
  const auto same_values = [&](const Expr& a, const Expr& b) { return rows.claims.identical(expand(a), expand(b)); };
  return std::equal(to.arguments.begin(), to.arguments.end(), from.arguments.begin(), from.arguments.end(),
                    same_values) &&
         to.partition_by.size() == from.partition_by.size() &&
         std::is_permutation(to.partition_by.begin(), to.partition_by.end(), from.partition_by.begin(),
                             [&](const GroupKey& a, const GroupKey& b) {
                               return a.collation == b.collation && same_values(a.expr, b.expr);
                             }) &&
         same_keys(rows, to.order_by, from.order_by) && same_filters(rows, to.filter, from.filter);
}

bool CorrespondenceChecker::same(const Window& to, const Window& from) {
  return bags(*to.input, *from.input, [&](Rows& rows) {
    std::vector<std::pair<AttributeId, AttributeId>> found_bindings;
    for (const auto& call : from.calls) {
      const auto to_call = std::find_if(to.calls.begin(), to.calls.end(),
                                        [&](const WindowCall& other) { return same_call(rows, other, call); });
      if (to_call == to.calls.end()) return false;
      found_bindings.emplace_back(call.id, to_call->id);
    }
    for (const auto& [id, other] : found_bindings) bind(id, column(other));
    return true;
  });
}

bool CorrespondenceChecker::same(const Distinct& to, const Distinct& from) {
  const auto to_columns = outputs(*to.input);
  const auto from_columns = outputs(*from.input);
  const auto bound = bound_;
  const bool by_bags = bags(*to.input, *from.input, [&](Rows& rows) {
    std::vector<std::pair<AttributeId, Expr>> found_bindings;
    std::vector<bool> used(to_columns.size(), false);
    for (const auto id : from_columns) {
      std::optional<Expr> value;
      for (std::size_t i = 0; i < to_columns.size(); ++i) {
        if (!rows.claims.identical(expand(to_columns[i]), expand(id))) continue;
        used[i] = true;
        if (!value) value = column(to_columns[i]);
      }
      // It may also be a constant, which distinguishes no rows.
      if (auto expanded = expand(id); !value && literal_value(expanded) != nullptr) value = std::move(expanded);
      if (!value) return false;
      found_bindings.emplace_back(id, *std::move(value));
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (used[i]) continue;
      const auto expanded = expand(to_columns[i]);
      const auto* id = column_id(expanded);
      if (literal_value(expanded) == nullptr && (id == nullptr || !rows.claims.is_constant(*id))) return false;
    }
    for (auto& [id, expr] : found_bindings) bind(id, std::move(expr));
    return true;
  });
  if (by_bags) return true;
  bound_ = bound;
  if (!sets(*to.input, to_columns, *from.input, from_columns, true)) return false;
  bind(from_columns, to_columns);
  return true;
}

// UNION ALL that was not split: branch by branch, in some order.
bool CorrespondenceChecker::same(const SetOp& to, const SetOp& from) {
  if (to.op != from.op || to.op != ast::SetOp::union_all || to.inputs.size() != from.inputs.size()) return false;
  std::vector<bool> used(to.inputs.size(), false);
  std::vector<std::size_t> order;  // for each column of `from`, the corresponding column of `to`
  for (const auto& input : from.inputs) {
    const auto from_columns = outputs(input);
    bool is_paired = false;
    for (std::size_t i = 0; i < to.inputs.size() && !is_paired; ++i) {
      if (used[i]) continue;
      const auto bound = bound_;
      const auto to_columns = outputs(to.inputs[i]);
      auto columns = order;
      is_paired = bags(to.inputs[i], input, [&](Rows& rows) {
        const auto same_column = [&](std::size_t a, std::size_t b) {
          return rows.claims.identical(expand(to_columns[a]), expand(from_columns[b]));
        };
        for (std::size_t c = 0; c < from_columns.size(); ++c) {
          if (c < order.size()) {
            if (!same_column(columns[c], c)) return false;
            continue;
          }
          std::size_t k = 0;
          while (k < to_columns.size() &&
                 (std::find(columns.begin(), columns.end(), k) != columns.end() || !same_column(k, c)))
            ++k;
          if (k == to_columns.size()) return false;
          columns.push_back(k);
        }
        return true;
      });
      if (is_paired) {
        used[i] = true;
        order = columns;
      } else {
        bound_ = bound;
      }
    }
    if (!is_paired) return false;
  }
  for (std::size_t i = 0; i < from.ids.size(); ++i) bind(from.ids[i], column(to.ids[order[i]]));
  return true;
}

bool CorrespondenceChecker::same_order(Rows& rows, const std::vector<SortKey>& to, const std::vector<SortKey>& from) {
  AttributeSet before;
  const auto is_superfluous = [&](const SortKey& key) {
    const auto expr = expand(key.expr);
    return literal_value(expr) != nullptr || is_determined(rows, expr, determined(rows, before));
  };
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < to.size() || k < from.size()) {
    if (i < to.size() && k < from.size() && same_keys(rows, {to[i]}, {from[k]})) {
      const auto expr = expand(to[i].expr);
      if (const auto* id = column_id(expr); id != nullptr && to[i].collation == binary_collation) before.add(*id);
      ++i;
      ++k;
    } else if (i < to.size() && is_superfluous(to[i])) {
      ++i;
    } else if (k < from.size() && is_superfluous(from[k])) {
      ++k;
    } else {
      return false;
    }
  }
  return true;
}

bool CorrespondenceChecker::same(const Limit& to, const Limit& from) {
  const auto same_numbers = [&](const ast::Box<Expr>& a, const ast::Box<Expr>& b) {
    return (!a && !b) || (a && b && expand(*a) == expand(*b));
  };
  if (!same_numbers(to.count, from.count) || !same_numbers(to.offset, from.offset)) return false;
  return bags(*to.input, *from.input, [&](Rows& rows) {
    static const std::vector<SortKey> none;
    const auto* a = order_of(to);
    const auto* b = order_of(from);
    return same_order(rows, a != nullptr ? *a : none, b != nullptr ? *b : none);
  });
}

// FULL JOIN, whose sides may be exchanged.
bool CorrespondenceChecker::same(const Join& to, const Join& from) {
  if (to.type != from.type || to.type != JoinType::full) return false;
  const auto with = [&](const Rel& left, const Rel& right) {
    return bags(*to.left, left, [&](Rows& of_left) {
      return bags(*to.right, right, [&](Rows& of_right) {
        Rows both = of_left;
        for (const auto* each : of_right.leaves) add_leaf(both, *each);
        both.claims.add_all(of_right.claims);
        const auto one_way = [&](const std::vector<Expr>& given, const std::vector<Expr>& wanted) {
          Claims claims = both.claims;
          for (const auto& condition : given) claims.add(expand(condition));
          return std::all_of(wanted.begin(), wanted.end(),
                             [&](const Expr& condition) { return claims.true_of(expand(condition)); });
        };
        return one_way(to.on, from.on) && one_way(from.on, to.on) && bind_filled(both.claims, *to.left, left) &&
               bind_filled(both.claims, *to.right, right);
      });
    });
  };
  const auto bound = bound_;
  if (with(*from.left, *from.right)) return true;
  bound_ = bound;
  return with(*from.right, *from.left);
}

}  // namespace trustsql::equiv::checker
