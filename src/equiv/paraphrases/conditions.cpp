// Paraphrases of conditions: operators and their operands.

#include <algorithm>
#include <limits>

#include "equiv/paraphrases/kinds.hpp"
#include "equiv/rewriting/tree_edit.hpp"

namespace trustsql::equiv::paraphrases {

using namespace ast;
using namespace rewriting;

namespace {

bool may_exchange(BinaryOp op) {
  return is_comparison(op) || op == BinaryOp::is || op == BinaryOp::is_not || op == BinaryOp::logical_and ||
         op == BinaryOp::logical_or || op == BinaryOp::add || op == BinaryOp::multiply;
}

constexpr std::size_t longest_list = 8;  // of elements that become comparisons

// Of a chain of comparisons `x op constant`: the position of another one with the same x.
template <class Fits>
std::optional<std::size_t> partner(const std::vector<Expr>& operands, std::size_t from, Fits fits) {
  for (std::size_t i = from; i < operands.size(); ++i) {
    if (const auto* comparison = operands[i].as<Binary>(); comparison != nullptr && fits(*comparison)) return i;
  }
  return std::nullopt;
}

// x >= low AND x <= high as x BETWEEN low AND high, in a chain of AND.
std::optional<Expr> with_between(const Expr& chain) {
  auto operands = operands_of(chain);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto* first = operands[i].as<Binary>();
    if (first == nullptr || (first->op != BinaryOp::greater_equal && first->op != BinaryOp::less_equal)) continue;
    const auto second = partner(operands, i + 1, [&](const Binary& other) {
      return other.op == mirrored(first->op) && *other.left == *first->left;
    });
    if (!second) continue;
    const auto* other = operands[*second].as<Binary>();
    const bool low_first = first->op == BinaryOp::greater_equal;
    Expr between(
        Between{first->left, false, low_first ? first->right : other->right, low_first ? other->right : first->right});
    operands[i] = std::move(between);
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(*second));
    return *chain_of(std::move(operands));
  }
  return std::nullopt;
}

// x = 1 OR x = 2 as x IN (1, 2), in a chain of OR.
std::optional<Expr> with_list(const Expr& chain) {
  const auto operands = operands_of(chain, BinaryOp::logical_or);
  for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
    const auto* first = operands[i].as<Binary>();
    if (first == nullptr || first->op != BinaryOp::equal) continue;
    std::vector<Expr> elements;
    std::vector<Expr> rest;
    for (const auto& operand : operands) {
      const auto* equality = operand.as<Binary>();
      const bool fits = equality != nullptr && equality->op == BinaryOp::equal && *equality->left == *first->left;
      fits ? elements.push_back(*equality->right) : rest.push_back(operand);
    }
    if (elements.size() < 2) continue;
    rest.insert(rest.begin(), Expr(In{first->left, false, std::move(elements)}));
    return *chain_of(std::move(rest), BinaryOp::logical_or);
  }
  return std::nullopt;
}

// The conditions of all clauses that have one.
template <class Visit>
void each_condition(QueryRewriter& rewriter, Visit visit) {
  rewriter.each_select([&](Select& select, const ResolvedSelect& resolved) {
    if (select.where) visit(*select.where, select, resolved);
    if (select.having) visit(*select.having, select, resolved);
  });
}

}  // namespace

void operand_order(QueryRewriter& rewriter) {
  rewriter.each_expr([&](Expr& expr) {
    const auto* node = expr.as<Binary>();
    if (node == nullptr || !may_exchange(node->op)) return;
    rewriter.with(expr, binary(mirrored(node->op), *node->right, *node->left));
  });
}

void between(QueryRewriter& rewriter) {
  rewriter.each_expr([&](Expr& expr) {
    if (const auto* node = expr.as<Between>()) {
      const auto low = binary(node->negated ? BinaryOp::less : BinaryOp::greater_equal, *node->operand, *node->low);
      const auto high = binary(node->negated ? BinaryOp::greater : BinaryOp::less_equal, *node->operand, *node->high);
      rewriter.with(expr, binary(node->negated ? BinaryOp::logical_or : BinaryOp::logical_and, low, high));
    } else if (const auto* chain = expr.as<Binary>(); chain != nullptr && chain->op == BinaryOp::logical_and) {
      if (auto changed = with_between(expr)) rewriter.with(expr, *std::move(changed));
    }
  });
}

void in_list(QueryRewriter& rewriter) {
  rewriter.each_expr([&](Expr& expr) {
    if (const auto* node = expr.as<In>()) {
      const auto* list = std::get_if<std::vector<Expr>>(&node->set);
      if (list == nullptr || list->empty() || list->size() > longest_list) return;
      std::vector<Expr> comparisons;
      for (const auto& element : *list)
        comparisons.push_back(binary(node->negated ? BinaryOp::not_equal : BinaryOp::equal, *node->operand, element));
      const auto op = node->negated ? BinaryOp::logical_and : BinaryOp::logical_or;
      rewriter.with(expr, *chain_of(std::move(comparisons), op));
    } else if (const auto* chain = expr.as<Binary>(); chain != nullptr && chain->op == BinaryOp::logical_or) {
      if (auto changed = with_list(expr)) rewriter.with(expr, *std::move(changed));
    }
  });
}

void de_morgan(QueryRewriter& rewriter) {
  const auto negated = [](Expr expr) { return Expr(Unary{UnaryOp::logical_not, Box<Expr>(std::move(expr))}); };
  rewriter.each_expr([&](Expr& expr) {
    if (const auto* chain = expr.as<Binary>()) {
      if (is_comparison(chain->op)) return rewriter.with(expr, negated(negation(expr)));
      if (chain->op != BinaryOp::logical_and && chain->op != BinaryOp::logical_or) return;
      const auto other = chain->op == BinaryOp::logical_and ? BinaryOp::logical_or : BinaryOp::logical_and;
      rewriter.with(expr, negated(binary(other, negation(*chain->left), negation(*chain->right))));
    } else if (const auto* unary = expr.as<Unary>(); unary != nullptr && unary->op == UnaryOp::logical_not) {
      const auto* inner = unary->operand->as<Binary>();
      if (inner != nullptr && (inner->op == BinaryOp::logical_and || inner->op == BinaryOp::logical_or)) {
        const auto other = inner->op == BinaryOp::logical_and ? BinaryOp::logical_or : BinaryOp::logical_and;
        rewriter.with(expr, binary(other, negation(*inner->left), negation(*inner->right)));
      } else {
        rewriter.with(expr, negation(*unary->operand));
      }
    }
  });
}

void not_equal(QueryRewriter& rewriter) {
  rewriter.each_expr([&](Expr& expr) {
    const auto* node = expr.as<Binary>();
    if (node == nullptr || node->op != BinaryOp::not_equal) return;
    rewriter.with(expr, binary(BinaryOp::logical_or, binary(BinaryOp::less, *node->left, *node->right),
                               binary(BinaryOp::greater, *node->left, *node->right)));
  });
}

void integer_bound(QueryRewriter& rewriter) {
  const auto step = [](BinaryOp op) -> std::pair<BinaryOp, std::int64_t> {
    switch (op) {
      case BinaryOp::greater: return {BinaryOp::greater_equal, 1};
      case BinaryOp::greater_equal: return {BinaryOp::greater, -1};
      case BinaryOp::less: return {BinaryOp::less_equal, -1};
      case BinaryOp::less_equal: return {BinaryOp::less, 1};
      default: return {op, 0};
    }
  };
  rewriter.each_expr([&](Expr& expr) {
    const auto* node = expr.as<Binary>();
    if (node == nullptr) return;
    const auto [op, change] = step(node->op);
    Value storage;
    const auto* bound = change == 0 ? nullptr : integer_value(*node->right, storage);
    // Negative numbers are not literals.
    if (bound == nullptr || *bound + change < 0 || *bound == std::numeric_limits<std::int64_t>::max()) return;
    rewriter.with(expr, binary(op, *node->left, integer(*bound + change)));
  });
}

void implied_condition(QueryRewriter& rewriter) {
  each_condition(rewriter, [&](Expr& condition, Select&, const ResolvedSelect&) {
    for (const auto& conjunct : operands_of(condition)) {
      const auto* comparison = conjunct.as<Binary>();
      if (comparison == nullptr || !is_comparison(comparison->op) || !comparison->left->is<ColumnRef>()) continue;
      rewriter.with(condition, binary(BinaryOp::logical_and, condition, Expr(IsNull{comparison->left, true})));
    }
  });
  each_condition(rewriter, [&](Expr& condition, Select&, const ResolvedSelect&) {
    auto conjuncts = operands_of(condition);
    for (std::size_t i = 0; i < conjuncts.size() && conjuncts.size() > 1; ++i) {
      const auto* test = conjuncts[i].as<IsNull>();
      if (test == nullptr || !test->negated) continue;
      auto rest = conjuncts;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      rewriter.with(condition, *chain_of(std::move(rest)));
    }
  });
}

void equal_column(QueryRewriter& rewriter) {
  // Pairs of columns that a join or WHERE equates.
  std::vector<std::pair<ColumnId, ColumnId>> equal;
  std::vector<const ColumnRef*> in_equality;
  const auto collect = [&](const Box<Expr>& condition) {
    if (!condition) return;
    ast::walk(*condition, [&](const Binary& node) {
      if (node.op != BinaryOp::equal || !node.left->is<ColumnRef>() || !node.right->is<ColumnRef>()) return;
      const auto left = rewriter.column_of(*node.left);
      const auto right = rewriter.column_of(*node.right);
      if (left.relation == nullptr || right.relation == nullptr || left.relation == right.relation) return;
      equal.emplace_back(left, right);
      in_equality.push_back(node.left->as<ColumnRef>());
      in_equality.push_back(node.right->as<ColumnRef>());
    });
  };
  rewriter.each_select([&](Select& select, const ResolvedSelect&) {
    for (const auto& joined : select.from) collect(joined.on);
    collect(select.where);
  });
  if (equal.empty()) return;
  ast::walk(rewriter.query(), [&](ColumnRef& reference) {
    if (rewriter.done()) return;
    if (std::find(in_equality.begin(), in_equality.end(), &reference) != in_equality.end()) return;
    const auto own = rewriter.column_of(reference);
    for (const auto& [left, right] : equal) {
      const auto* other = own == left ? &right : own == right ? &left : nullptr;
      if (own.relation == nullptr || other == nullptr) continue;
      const Expr replacement = column(other->relation->name, QueryRewriter::column_name(*other));
      rewriter.with(reference, *replacement.as<ColumnRef>());
    }
  });
}

}  // namespace trustsql::equiv::paraphrases
