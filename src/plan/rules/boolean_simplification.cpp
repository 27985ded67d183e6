#include "plan/rules/boolean_simplification.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The terms of `expr` if it is a Junction, otherwise `expr` itself.
template <class Junction>
std::vector<const Expr*> parts(const Expr& expr) {
  std::vector<const Expr*> result;
  if (const auto* junction = expr.as<Junction>()) {
    for (const auto& term : junction->terms) result.push_back(&term);
  } else {
    result.push_back(&expr);
  }
  return result;
}

bool contains(const std::vector<const Expr*>& list, const Expr& expr) {
  return std::any_of(list.begin(), list.end(), [&](const Expr* other) { return *other == expr; });
}

// Whether a and b cannot both be true: one is the negation of the other.
bool exclude_each_other(const Expr& a, const Expr& b) {
  if (const auto* n = a.as<Not>(); n != nullptr && *n->operand == b) return true;
  if (const auto* n = b.as<Not>(); n != nullptr && *n->operand == a) return true;
  const auto opposite = [](auto first, const auto& second) {
    first.negated = !first.negated;
    return first == second;
  };
  if (a.node.index() != b.node.index()) return false;
  if (const auto* n = a.as<Compare>()) {
    auto other = *n;
    other.op = negated(other.op);
    return other == *b.as<Compare>();
  }
  if (const auto* n = a.as<IsNull>()) return opposite(*n, *b.as<IsNull>());
  if (const auto* n = a.as<InList>()) return opposite(*n, *b.as<InList>());
  if (const auto* n = a.as<Like>()) return opposite(*n, *b.as<Like>());
  return false;
}

// Flattens the terms and removes neutral ones. Returns 1 if a term decides the result, -1 if terms were removed, else
// 0.
template <class Junction>
int reduce(std::vector<Expr>& terms, bool is_and, const ExprSite& site) {
  const auto before = terms.size();
  std::vector<Expr> kept;
  kept.reserve(terms.size());
  bool nested = false;
  for (auto& term : terms) {
    if (auto* inner = term.as<Junction>()) {
      nested = true;
      for (auto& part : inner->terms) kept.push_back(std::move(part));
    } else {
      kept.push_back(std::move(term));
    }
  }
  terms = std::move(kept);
  bool decided = false;
  for (const auto& term : terms) {
    const auto* value = literal_value(term);
    const auto truth = value != nullptr ? truth_of(*value) : std::nullopt;
    if (!truth) continue;
    decided =
        decided || *truth == (is_and ? Truth::no : Truth::yes) || (is_and && site.truth_only && *truth == Truth::null);
  }
  if (decided && std::none_of(terms.begin(), terms.end(), [](const Expr& term) { return is_volatile(term); })) return 1;
  std::erase_if(terms, [&](const Expr& term) {
    const auto* value = literal_value(term);
    const auto truth = value != nullptr ? truth_of(*value) : std::nullopt;
    if (!truth) return false;
    return *truth == (is_and ? Truth::yes : Truth::no) || (!is_and && site.truth_only && *truth == Truth::null);
  });
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto same = std::remove_if(terms.begin() + static_cast<std::ptrdiff_t>(i) + 1, terms.end(),
                                     [&](const Expr& term) { return term == terms[i] && !is_volatile(term); });
    terms.erase(same, terms.end());
  }
  return nested || terms.size() != before ? -1 : 0;
}

// p AND (p OR q) = p and its dual: drops terms that contain all parts of another term.
template <class Inner>
bool absorb(std::vector<Expr>& terms) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!terms[i].is<Inner>() || is_volatile(terms[i])) continue;
    const auto own = parts<Inner>(terms[i]);
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (i == j) continue;
      const auto other = parts<Inner>(terms[j]);
      if (other.size() >= own.size() ||
          !std::all_of(other.begin(), other.end(), [&](const Expr* part) { return contains(own, *part); }))
        continue;
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
  }
  return false;
}

// (p AND q) OR (p AND r) = p AND (q OR r).
bool factor(Expr& expr) {
  auto& terms = expr.as<Or>()->terms;
  std::vector<Expr> common;
  for (const auto* part : parts<And>(terms.front())) {
    const bool everywhere = std::all_of(terms.begin() + 1, terms.end(),
                                        [&](const Expr& term) { return contains(parts<And>(term), *part); });
    if (everywhere && is_repeatable(*part)) common.push_back(*part);
  }
  if (common.empty()) return false;
  const auto is_common = [&](const Expr& part) {
    return std::find(common.begin(), common.end(), part) != common.end();
  };
  std::vector<Expr> rest;
  for (auto& term : terms) {
    std::vector<Expr> own;
    for (const auto* part : parts<And>(term)) {
      if (!is_common(*part)) own.push_back(*part);
    }
    rest.push_back(conjunction(std::move(own)));
  }
  common.push_back(disjunction(std::move(rest)));
  expr = conjunction(std::move(common));
  return true;
}

template <class Junction, class Inner>
bool simplify_junction(Expr& expr, const ExprSite& site) {
  constexpr bool is_and = std::is_same_v<Junction, And>;
  auto& terms = expr.as<Junction>()->terms;
  const int outcome = reduce<Junction>(terms, is_and, site);
  if (outcome == 1) {
    expr = literal(std::int64_t{is_and ? 0 : 1});
    return true;
  }
  bool changed = outcome != 0;
  while (absorb<Inner>(terms)) changed = true;
  if (is_and && site.truth_only) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (std::size_t j = i + 1; j < terms.size(); ++j) {
        if (!exclude_each_other(terms[i], terms[j]) || is_volatile(expr)) continue;
        expr = literal(std::int64_t{0});
        return true;
      }
    }
  }
  if (terms.empty()) {
    expr = literal(std::int64_t{is_and ? 1 : 0});
    return true;
  }
  if (terms.size() == 1) {
    if (site.truth_only || is_boolean(terms.front())) {
      replace_by_part(expr, terms.front());
    } else {
      // The truth of the term as a value.
      expr = negation(negation(Expr(std::move(terms.front()))));
    }
    return true;
  }
  return changed;
}

bool simplify_boolean(Expr& expr, const ExprSite& site, RuleContext&) {
  if (expr.is<And>()) return simplify_junction<And, Or>(expr, site);
  return simplify_junction<Or, And>(expr, site) || (expr.is<Or>() && factor(expr));
}

}  // namespace

const Rule boolean_simplification{
    .name = "boolean_simplification",
    .kinds = expr_kinds<And, Or>,
    .apply = simplify_boolean,
    .example = boolean_simplification_example,
};

}  // namespace trustsql::plan::rules
