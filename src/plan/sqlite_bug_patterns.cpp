#include "plan/sqlite_bug_patterns.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <variant>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/equal_columns.hpp"
#include "plan/sqlite_bug_search.hpp"
#include "plan/types.hpp"

namespace trustsql::plan {

// --- comparisons and collations

// Also if UNION ALL is only in one of the inputs: SQLite makes its parts inputs of the other operator.
bool merges_union_all_of_other_collation(const Rel& rel, const Plan& plan) {
  const auto* n = rel.as<SetOp>();
  if (n == nullptr || n->op == ast::SetOp::union_all) return false;
  const auto has_union_all = [](const Rel& input) {
    bool found = false;
    walk(input, [&found](const Derived& derived) {
      const Rel* below = derived.input.get();
      while (below->is<Project>() || below->is<Sort>())
        below = below->is<Project>() ? below->as<Project>()->input.get() : below->as<Sort>()->input.get();
      const auto* set = below->as<SetOp>();
      found = found || (set != nullptr && set->op == ast::SetOp::union_all);
    });
    return found;
  };
  if (std::none_of(n->inputs.begin(), n->inputs.end(), has_union_all)) return false;
  bool has_other = false;
  for (const auto& input : n->inputs) {
    for (const auto id : outputs(input)) {
      const auto collation = plan.attributes[id].collation;
      has_other = has_other || (!collation.empty() && collation != binary_collation);
    }
  }
  return has_other;
}

bool may_be_smallest_real(const Expr& expr, const Plan& plan) {
  constexpr double smallest = -0x1p63;
  if (const auto* literal = expr.as<Literal>()) {
    if (const auto* real = std::get_if<double>(&literal->value)) return *real == smallest;
    const auto* text = std::get_if<std::string>(&literal->value);
    return text != nullptr && std::strtod(text->c_str(), nullptr) == smallest;
  }
  if (affinity_of(expr, plan) == Affinity::integer || storage_of(expr, plan) == Affinity::integer) return false;
  const auto types = types_of(expr, plan, {});
  return types.contains(ValueType::real) || types.contains(ValueType::text);
}

// Whether a rowid, or a column that is equal to one, is looked up by what may be a real. Ranges of rowids are searched
// rightly. Answers for the whole plan, at its root.
bool compares_rowid_with_real(const Rel& rel, const Plan& plan) {
  if (&rel != &plan.root) return false;
  const auto is_rowid = [&](AttributeId id) {
    const auto& attribute = plan.attributes[id];
    if (attribute.table == nullptr) return false;
    return attribute.position < 0 ||
           attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_rowid_alias;
  };
  std::optional<EqualColumns> equal;
  const auto is_lookup = [&](const Expr& a, const Expr& b) {
    const auto* id = column_id(a);
    if (id == nullptr || !may_be_smallest_real(b, plan)) return false;
    if (!equal) equal.emplace(plan);
    return equal->any(*id, is_rowid);
  };
  bool found = false;
  walk(plan.root, [&](const InList& list) {
    for (const auto& item : list.items) found = found || is_lookup(*list.operand, item);
  });
  walk(plan.root, [&](const InSubquery& in) {
    const auto columns = outputs(*in.rel);
    for (std::size_t i = 0; i < columns.size() && i < in.operands.size(); ++i) {
      const Expr right = column(columns[i]);
      found = found || is_lookup(in.operands[i], right) || is_lookup(right, in.operands[i]);
    }
  });
  walk(plan.root, [&](const Compare& n) {
    if (n.op == CompareOp::equal || n.op == CompareOp::is)
      found = found || is_lookup(*n.left, *n.right) || is_lookup(*n.right, *n.left);
  });
  walk(plan.root, [&](const RowCompare& rows) {
    visit_row_pairs(rows, [&](const Expr& left, const Expr& right, const Comparison&) {
      found = found || is_lookup(left, right) || is_lookup(right, left);
    });
  });
  return found;
}

// --- patterns

namespace {

// Whether a number may have a text with this prefix, though SQLite, which reads the prefix as a number itself, does not
// see that: the start of Inf and of -Inf, and numbers that end at their exponent, "1.0e+".
bool is_unseen_start_of_number(std::string_view prefix) {
  if (prefix.starts_with('-')) prefix.remove_prefix(1);
  if (prefix.empty()) return false;
  constexpr std::string_view infinity = "inf";
  const auto same = [](char a, char b) { return to_lower_ascii(a) == b; };
  if (prefix.size() <= infinity.size() && std::equal(prefix.begin(), prefix.end(), infinity.begin(), same)) return true;
  if (prefix.ends_with('+') || prefix.ends_with('-')) prefix.remove_suffix(1);
  return !prefix.empty() && is_digit(prefix.front()) && to_lower_ascii(prefix.back()) == 'e';
}

// Whether SQLite may take the pattern of LIKE or GLOB for a range of texts, and so miss numbers. A column of a subquery
// may be a literal, which SQLite puts in its place.
bool may_miss_numbers(const Expr& operand, const Expr& pattern, bool has_escape, const Plan& plan) {
  if ((types_of(operand, plan, {}) & types::real) == TypeSet()) return false;
  if (pattern.is<Parameter>()) return true;
  if (const auto* id = column_id(pattern)) return plan.attributes[*id].table == nullptr;
  const auto* literal = pattern.as<Literal>();
  const auto* text = literal == nullptr ? nullptr : std::get_if<std::string>(&literal->value);
  if (text == nullptr) return false;
  return has_escape || is_unseen_start_of_number(std::string_view(*text).substr(0, text->find_first_of("%_*?[")));
}

}  // namespace

namespace {

// Whether SQLite may take the pattern for a range of texts in an index whose end is not where it should be: in UTF-16,
// and after a letter outside ASCII.
bool may_miss_texts(const Expr& operand, const Expr& pattern, const Plan& plan) {
  const auto* id = column_id(operand);
  if (id == nullptr) return false;
  const auto is_other_letter = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  const auto* text = literal_as<std::string>(pattern);
  const bool known = text != nullptr || literal_value(pattern) != nullptr;
  if (!plan.is_utf16 && known && (text == nullptr || std::none_of(text->begin(), text->end(), is_other_letter)))
    return false;
  return EqualColumns(plan).any(*id, [&](AttributeId each) {
    const auto& attribute = plan.attributes[each];
    return attribute.table == nullptr ||
           (attribute.position >= 0 &&
            attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_indexed);
  });
}

}  // namespace

bool is_pattern_of_other_letters(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    if (const auto* like = expr.as<Like>())
      return (like->op == ast::LikeOp::like || like->op == ast::LikeOp::glob) &&
             may_miss_texts(*like->operand, *like->pattern, plan);
    const auto* call = expr.as<Function>();
    return call != nullptr && (call->name == "like" || call->name == "glob") && call->arguments.size() >= 2 &&
           may_miss_texts(call->arguments[1], call->arguments[0], plan);
  });
}

bool is_pattern_of_numbers(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    if (const auto* like = expr.as<Like>())
      return (like->op == ast::LikeOp::like || like->op == ast::LikeOp::glob) &&
             may_miss_numbers(*like->operand, *like->pattern, static_cast<bool>(like->escape), plan);
    const auto* call = expr.as<Function>();
    return call != nullptr && (call->name == "like" || call->name == "glob") && call->arguments.size() >= 2 &&
           may_miss_numbers(call->arguments[1], call->arguments[0], call->arguments.size() > 2, plan);
  });
}

// --- columns of outer queries

namespace {

// Whether the expression is a column of an outer query, or a subquery whose value may be one, that compares with an
// affinity or a collation of its own. `inside`: the columns of the query that it stands in.
bool is_outer_column(const Expr& expr, const AttributeSet& inside, const Plan& plan) {
  const auto compares_by_itself = [&plan](AttributeId id) {
    const auto& attribute = plan.attributes[id];
    return attribute.affinity != Affinity::none || attribute.collation != binary_collation;
  };
  if (const auto* id = column_id(expr)) return !inside.contains(*id) && compares_by_itself(*id);
  const auto* subquery = expr.as<ScalarSubquery>();
  if (subquery == nullptr) return false;
  const auto columns = outputs(*subquery->rel);
  return std::any_of(columns.begin(), columns.end(), compares_by_itself) && !references(expr).is_subset_of(inside);
}

// Calls `visit` on the operators of a SELECT, or of the SELECTs of a compound query, down to what they select from.
template <class Visit>
void visit_select(const Rel& rel, const Visit& visit) {
  visit(rel);
  if (rel.is<Project>() || rel.is<Aggregate>() || rel.is<Filter>() || rel.is<Sort>() || rel.is<Limit>() ||
      rel.is<Distinct>() || rel.is<SetOp>() || rel.is<Window>())
    for_each_rel(rel, [&visit](const Rel& input) { visit_select(input, visit); });
}

}  // namespace

// Whether a subquery in FROM passes on a column of an outer query unchanged.
bool passes_on_outer_column(const Rel& rel, const Plan& plan) {
  const auto* derived = rel.as<Derived>();
  if (derived == nullptr) return false;
  bool passes = false;
  visit_select(*derived->input, [&](const Rel& arm) {
    const auto check = [&](const Expr& expr, const AttributeSet& inside) {
      passes = passes || is_outer_column(expr, inside, plan);
    };
    if (const auto* project = arm.as<Project>()) {
      for (const auto& item : project->items) check(item.expr, output_set(*project->input));
    } else if (const auto* aggregate = arm.as<Aggregate>()) {
      for (const auto& key : aggregate->keys) check(key.expr, output_set(*aggregate->input));
    } else if (const auto* values = arm.as<Values>()) {
      for (const auto& row : values->rows) {
        for (const auto& term : row) check(term, {});  // all columns in VALUES belong to outer queries
      }
    }
  });
  return passes;
}

// --- orders

namespace {

// Columns that a condition equates with something and converts for the comparison: of the values that pass, all equal
// to the same value, one may be a text and another a number. Includes the columns that conditions equate with these,
// and those that projections and set operations derive from them.
AttributeSet converted_columns(const Plan& plan) {
  AttributeSet converted;
  walk(plan.root, [&](const Compare& compare) {
    if (compare.op != CompareOp::equal && compare.op != CompareOp::is) return;
    for (const auto* side : {&*compare.left, &*compare.right}) {
      if (const auto* id = column_id(*side); id != nullptr && converts(*side, compare.how.affinity, plan))
        converted.add(*id);
    }
  });
  walk(plan.root, [&](const InList& list) {
    if (list.items.size() != 1) return;
    for (const auto* side : {&*list.operand, &list.items.front()}) {
      if (const auto* id = column_id(*side); id != nullptr && converts(*side, list.how.affinity, plan))
        converted.add(*id);
    }
  });
  walk(plan.root, [&](const RowCompare& rows) {
    visit_row_pairs(rows, [&](const Expr& left, const Expr& right, const Comparison& how) {
      for (const auto* side : {&left, &right}) {
        if (const auto* id = column_id(*side); id != nullptr && converts(*side, how.affinity, plan)) converted.add(*id);
      }
    });
  });
  if (converted.empty()) return converted;
  for (bool again = true; again;) {
    again = false;
    const auto join = [&](AttributeId a, AttributeId b) {
      if (converted.contains(a) == converted.contains(b)) return;
      converted.add(a);
      converted.add(b);
      again = true;
    };
    walk(plan.root, [&](const Compare& compare) {
      const auto* left = column_id(*compare.left);
      const auto* right = column_id(*compare.right);
      const bool equates = compare.op == CompareOp::equal || compare.op == CompareOp::is;
      if (equates && left != nullptr && right != nullptr) join(*left, *right);
    });
    walk(plan.root, [&](const Project& project) {
      for (const auto& item : project.items) {
        if (const auto* from = column_id(item.expr)) join(*from, item.id);
      }
    });
    walk(plan.root, [&](const SetOp& set) {
      for (const auto& input : set.inputs) {
        const auto ids = outputs(input);
        for (std::size_t i = 0; i < ids.size(); ++i) join(ids[i], set.ids[i]);
      }
    });
  }
  return converted;
}

// The columns by which the operator may sort its rows.
AttributeSet sorted_columns(const Rel& rel) {
  AttributeSet sorted;
  const auto add = [&](const Expr& expr) {
    if (const auto* id = column_id(expr)) sorted.add(*id);
  };
  const auto add_keys = [&](const auto& keys) {
    for (const auto& key : keys) add(key.expr);
  };
  if (const auto* n = rel.as<Sort>()) {
    add_keys(n->keys);
  } else if (const auto* n = rel.as<Aggregate>()) {
    add_keys(n->keys);
    for (const auto& call : n->calls) {
      if ((call.name == "min" || call.name == "max" || call.distinct) && !call.arguments.empty())
        add(call.arguments.front());
      add_keys(call.order_by);
    }
  } else if (const auto* n = rel.as<Window>()) {
    for (const auto& call : n->calls) {
      add_keys(call.partition_by);
      add_keys(call.order_by);
    }
  } else if (const auto* n = rel.as<Distinct>()) {
    sorted = output_set(*n->input);
  } else if (const auto* n = rel.as<SetOp>(); n != nullptr && n->op != ast::SetOp::union_all) {
    for (const auto& input : n->inputs) sorted |= output_set(input);
  }
  return sorted;
}

}  // namespace

// Answers for the whole plan, at its root: what is converted anywhere counts for every operator.
bool sorts_by_converted_column(const Rel& rel, const Plan& plan) {
  if (&rel != &plan.root) return false;
  const auto converted = converted_columns(plan);
  if (converted.empty()) return false;
  bool sorts = false;
  walk(plan.root, [&](const Rel& each) { sorts = sorts || sorted_columns(each).intersects(converted); });
  return sorts;
}

namespace {

const Rel& below_shape(const Rel& rel) {
  if (const auto* project = rel.as<Project>()) return below_shape(*project->input);
  const auto* derived = rel.as<Derived>();
  return derived != nullptr ? below_shape(*derived->input) : rel;
}

// Whether SQLite sorts the rows of a table by this column, instead of reading them in this order from an index or by
// rowid, or leaving out the sort of a column that is constant.
bool is_sorted_by(const Expr& key, const Rel& rows, const Plan& plan) {
  const auto* id = column_id(key);
  const auto* table = id != nullptr ? plan.attributes[*id].table : nullptr;
  if (table == nullptr || plan.attributes[*id].position < 0) return false;
  const auto& column = table->columns[static_cast<std::size_t>(plan.attributes[*id].position)];
  const auto* filter = rows.as<Filter>();
  const auto is_no_equation = [](const Expr& conjunct) {
    if (conjunct.is<IsNull>()) return conjunct.as<IsNull>()->negated;
    const auto* compare = conjunct.as<Compare>();
    return compare != nullptr && compare->op != CompareOp::equal && compare->op != CompareOp::is;
  };
  return !column.is_indexed && !column.is_rowid_alias && (filter != nullptr ? *filter->input : rows).is<Scan>() &&
         (filter == nullptr || std::all_of(filter->conjuncts.begin(), filter->conjuncts.end(), is_no_equation));
}

}  // namespace

namespace {

// Whether DISTINCT decides which rows there are, in a part of UNION ALL or as a whole.
bool has_distinct_part(const Rel& rel) {
  const Rel& rows = below_shape(rel);
  if (rows.is<Distinct>()) return true;
  if (const auto* aggregate = rows.as<Aggregate>()) return aggregate->of_distinct;
  if (const auto* sort = rows.as<Sort>()) return has_distinct_part(*sort->input);
  if (const auto* limit = rows.as<Limit>()) return has_distinct_part(*limit->input);
  const auto* parts = rows.as<SetOp>();
  return parts != nullptr && parts->op == ast::SetOp::union_all &&
         std::any_of(parts->inputs.begin(), parts->inputs.end(), has_distinct_part);
}

}  // namespace

bool skips_distinct_values(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* scalar = expr.as<ScalarSubquery>();
    const auto* exists = expr.as<Exists>();
    if (const auto* in = expr.as<InSubquery>(); in != nullptr && in->how.size() > 1) {
      // SQLite leaves out columns that no index helps to look up.
      const auto* cut = below_shape(*in->rel).as<Limit>();
      return cut != nullptr && has_distinct_part(*cut->input);
    }
    if (scalar == nullptr && exists == nullptr) return false;
    const auto* limit = below_shape(scalar != nullptr ? *scalar->rel : *exists->rel).as<Limit>();
    if (limit == nullptr || !limit->offset || !has_distinct_part(*limit->input)) return false;
    const auto* sort = below_shape(*limit->input).as<Sort>();
    const auto* distinct = sort != nullptr ? below_shape(*sort->input).as<Distinct>() : nullptr;
    return exists != nullptr || distinct == nullptr || outputs(*distinct->input).size() != 1 ||
           !is_sorted_by(sort->keys.front().expr, below_shape(*distinct->input), plan);
  });
}

}  // namespace trustsql::plan
