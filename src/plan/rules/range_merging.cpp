#include "plan/rules/range_merging.hpp"

#include <algorithm>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// Everything known about one expression from comparisons with literals.
struct Range {
  const Expr* operand = nullptr;
  Comparison how{};
  std::vector<std::size_t> terms{};  // the terms it was derived from
  const Value* low = nullptr;
  bool low_strict = false;
  const Value* high = nullptr;
  bool high_strict = false;
  std::optional<std::vector<const Value*>> allowed{};  // from = and IN
  std::vector<const Value*> excluded{};                // from <> and NOT IN
};

// Whether the order of the literals that `terms` compare with is the same in all encodings of a database.
bool has_known_order(const Range& range, const std::vector<Expr>& terms) {
  if (range.how.collation != binary_collation) return true;
  const auto is_ascii = [](const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text == nullptr || std::ranges::all_of(*text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  };
  bool ascii = true;
  bool ordered = false;
  for (const auto i : range.terms) {
    if (const auto* list = terms[i].as<InList>()) {
      for (const auto& item : list->items) ascii = ascii && is_ascii(*literal_value(item));
    } else if (const auto bound = as_bound(terms[i])) {
      ascii = ascii && is_ascii(*bound->value);
      ordered = ordered || (bound->op != CompareOp::equal && bound->op != CompareOp::not_equal);
    }
  }
  return ascii || !ordered;
}

bool is_value(const Value& value) { return value.index() != 0; }

// Adds the comparison of `term` with literals; false if it is not such a comparison.
bool add_term(Range& range, const Expr& term) {
  const auto order = [&](const Value& a, const Value& b) { return compare_values(a, b, range.how.collation); };
  const auto allow = [&](const std::vector<const Value*>& values) {
    if (!range.allowed) {
      range.allowed = values;
      return;
    }
    std::erase_if(*range.allowed, [&](const Value* old) {
      return std::none_of(values.begin(), values.end(), [&](const Value* value) { return order(*old, *value) == 0; });
    });
  };
  if (const auto* list = term.as<InList>()) {
    std::vector<const Value*> values;
    for (const auto& item : list->items) values.push_back(literal_value(item));
    if (list->negated) {
      range.excluded.insert(range.excluded.end(), values.begin(), values.end());
    } else {
      allow(values);
    }
    return true;
  }
  const auto bound = as_bound(term);
  switch (bound->op) {
    case CompareOp::equal: allow({bound->value}); break;
    case CompareOp::not_equal: range.excluded.push_back(bound->value); break;
    case CompareOp::greater:
    case CompareOp::greater_equal: {
      const bool strict = bound->op == CompareOp::greater;
      const auto c = range.low != nullptr ? order(*bound->value, *range.low) : std::partial_ordering::greater;
      if (c > 0 || (c == 0 && strict)) {
        range.low = bound->value;
        range.low_strict = strict;
      }
      break;
    }
    default: {
      const bool strict = bound->op == CompareOp::less;
      const auto c = range.high != nullptr ? order(*bound->value, *range.high) : std::partial_ordering::less;
      if (c < 0 || (c == 0 && strict)) {
        range.high = bound->value;
        range.high_strict = strict;
      }
      break;
    }
  }
  return true;
}

// The expression that `term` compares with literals, and the comparison, if it does.
std::optional<std::pair<const Expr*, Comparison>> subject(const Expr& term) {
  if (const auto* list = term.as<InList>()) {
    for (const auto& item : list->items) {
      const auto* value = literal_value(item);
      if (value == nullptr || !is_value(*value)) return std::nullopt;
    }
    if (list->items.empty()) return std::nullopt;
    return std::pair{list->operand.get(), list->how};
  }
  const auto bound = as_bound(term);
  if (!bound || bound->op == CompareOp::is || bound->op == CompareOp::is_not || !is_value(*bound->value))
    return std::nullopt;
  return std::pair{bound->operand, bound->how};
}

bool in_range(const Range& range, const Value& value) {
  const auto order = [&](const Value& a, const Value& b) { return compare_values(a, b, range.how.collation); };
  if (range.low != nullptr) {
    const auto c = order(value, *range.low);
    if (c < 0 || (c == 0 && range.low_strict)) return false;
  }
  if (range.high != nullptr) {
    const auto c = order(value, *range.high);
    if (c > 0 || (c == 0 && range.high_strict)) return false;
  }
  return std::none_of(range.excluded.begin(), range.excluded.end(),
                      [&](const Value* excluded) { return order(value, *excluded) == 0; });
}

// The range as conditions; nullopt if it is empty.
std::optional<std::vector<Expr>> to_terms(Range& range) {
  const auto order = [&](const Value& a, const Value& b) { return compare_values(a, b, range.how.collation); };
  const auto make = [&](CompareOp op, const Value& value) {
    return compare(op, Expr(*range.operand), literal(value), range.how);
  };
  std::vector<Expr> terms;
  if (!range.allowed && range.low != nullptr && range.high != nullptr) {
    const auto c = order(*range.low, *range.high);
    if (c > 0 || (c == 0 && (range.low_strict || range.high_strict))) return std::nullopt;
    if (c == 0) range.allowed = {range.low};
  }
  if (range.allowed) {
    std::erase_if(*range.allowed, [&](const Value* value) { return !in_range(range, *value); });
    if (range.allowed->empty()) return std::nullopt;
    if (range.allowed->size() == 1) {
      terms.push_back(make(CompareOp::equal, *range.allowed->front()));
    } else {
      InList list{Expr(*range.operand), false, {}, range.how};
      for (const auto* value : *range.allowed) list.items.push_back(literal(*value));
      terms.emplace_back(std::move(list));
    }
    return terms;
  }
  if (range.low != nullptr)
    terms.push_back(make(range.low_strict ? CompareOp::greater : CompareOp::greater_equal, *range.low));
  if (range.high != nullptr)
    terms.push_back(make(range.high_strict ? CompareOp::less : CompareOp::less_equal, *range.high));
  // Of the excluded values, only those that the bounds do not exclude already.
  std::vector<const Value*> excluded;
  std::swap(excluded, range.excluded);
  std::vector<const Value*> kept;
  for (const auto* value : excluded) {
    const bool known =
        std::any_of(kept.begin(), kept.end(), [&](const Value* other) { return order(*value, *other) == 0; });
    if (!known && in_range(range, *value)) kept.push_back(value);
  }
  if (kept.size() == 1) terms.push_back(make(CompareOp::not_equal, *kept.front()));
  if (kept.size() > 1) {
    InList list{Expr(*range.operand), true, {}, range.how};
    for (const auto* value : kept) list.items.push_back(literal(*value));
    terms.emplace_back(std::move(list));
  }
  return terms;
}

// Merges ranges among terms that must all hold. Sets `impossible` if they cannot.
bool merge_ranges(std::vector<Expr>& terms, bool& impossible) {
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto subject_of_term = subject(terms[i]);
    if (!subject_of_term || !is_known_collation(subject_of_term->second.collation) ||
        subject_of_term->second.affinity != Affinity::none || !is_repeatable(*subject_of_term->first))
      continue;
    auto range = std::find_if(ranges.begin(), ranges.end(), [&](const Range& r) {
      return r.how == subject_of_term->second && *r.operand == *subject_of_term->first;
    });
    if (range == ranges.end()) {
      ranges.push_back({.operand = subject_of_term->first, .how = subject_of_term->second});
      range = ranges.end() - 1;
    }
    range->terms.push_back(i);
  }
  for (auto& range : ranges) {
    if (range.terms.size() < 2 || !has_known_order(range, terms)) continue;
    for (const auto i : range.terms) add_term(range, terms[i]);
    const auto before = range.terms.size();
    auto merged = to_terms(range);
    if (!merged) {
      impossible = true;
      return true;
    }
    if (merged->size() >= before) continue;
    std::vector<Expr> rest;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (std::find(range.terms.begin(), range.terms.end(), i) == range.terms.end())
        rest.push_back(std::move(terms[i]));
    }
    for (auto& term : *merged) rest.push_back(std::move(term));
    terms = std::move(rest);
    return true;
  }
  return false;
}

bool merge_terms(Expr& expr, const ExprSite& site, RuleContext&) {
  if (!site.truth_only) return false;
  auto& terms = expr.as<And>()->terms;
  bool impossible = false;
  if (!merge_ranges(terms, impossible)) return false;
  if (impossible) {
    expr = literal(std::int64_t{0});
  } else if (terms.size() == 1) {
    replace_by_part(expr, terms.front());
  }
  return true;
}

bool merge_conjuncts(Rel& rel, RuleContext&) {
  auto& conjuncts = *conjuncts_of(rel);
  if (conjuncts.size() < 2) return false;
  bool impossible = false;
  if (!merge_ranges(conjuncts, impossible)) return false;
  if (impossible) {
    conjuncts.clear();
    conjuncts.push_back(literal(std::int64_t{0}));
  }
  return true;
}

}  // namespace

bool are_exclusive_bounds(const Expr& a, const Expr& b) {
  std::vector<Expr> terms{a, b};
  bool impossible = false;
  return merge_ranges(terms, impossible) && impossible;
}

const Rule range_merging{
    .name = "range_merging",
    .kinds = expr_kinds<And>,
    .apply = merge_terms,
    .example = range_merging_example,
};

const Rule range_merging_of_conjuncts{
    .name = "range_merging",
    .kinds = rel_kinds<Filter, Join, Apply>,
    .apply = merge_conjuncts,
    .example = range_merging_of_conjuncts_example,
};

}  // namespace trustsql::plan::rules
