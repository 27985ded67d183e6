#include "plan/sqlite_bug_patterns.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/sqlite_bugs.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

// Whether `holds(expr)` for any expression of the operator, including operands.
template <class Holds>
bool any_value(const Rel& rel, const Holds& holds) {
  const auto search = [&](const auto& self, const Expr& expr) -> bool {
    bool found = holds(expr);
    for_each_expr(expr, [&](const Expr& operand) { found = found || self(self, operand); });
    return found;
  };
  bool found = false;
  for_each_expr(rel, [&](const Expr& expr) { found = found || search(search, expr); });
  return found;
}

}  // namespace

// --- joins

namespace {

bool is_right_or_full(const Join& join) { return join.type == JoinType::right || join.type == JoinType::full; }

// Whether `holds(join)` for a join in this FROM clause, or in that of a subquery that SQLite may make part of it.
template <class Holds>
bool has_join(const Rel& rel, const Holds& holds) {
  const auto* n = rel.as<Join>();
  if (n != nullptr && holds(*n)) return true;
  if (n == nullptr && !rel.is<Project>() && !rel.is<Filter>() && !rel.is<Derived>() && !rel.is<Apply>()) return false;
  bool found = false;
  for_each_rel(rel, [&](const Rel& input) { found = found || has_join(input, holds); });
  return found;
}

bool has_table_function(const Rel& rel) {
  bool found = rel.is<TableFunction>();
  if (rel.is<Join>() || rel.is<Apply>() || rel.is<Project>())
    for_each_rel(rel, [&](const Rel& input) { found = found || has_table_function(input); });
  return found;
}

}  // namespace

bool has_condition_without_columns(const Rel& rel) {
  if (const auto* n = rel.as<Project>()) return has_condition_without_columns(*n->input);
  const auto in_either_side = [](const Rel& left, const Rel& right, const std::vector<Expr>& on, bool inner) {
    const auto columns = output_set(left) | output_set(right);
    const auto is_without = [&](const Expr& conjunct) { return !references(conjunct).intersects(columns); };
    return (inner && std::any_of(on.begin(), on.end(), is_without)) || has_condition_without_columns(left) ||
           has_condition_without_columns(right);
  };
  if (const auto* n = rel.as<Join>()) return in_either_side(*n->left, *n->right, n->on, n->type == JoinType::inner);
  if (const auto* n = rel.as<Apply>()) return in_either_side(*n->left, *n->right, n->on, n->type == ApplyType::lateral);
  return false;
}

bool selects_from_right_join(const Rel& rel) {
  if (const auto* n = rel.as<Project>()) return selects_from_right_join(*n->input);
  if (const auto* n = rel.as<Filter>()) return selects_from_right_join(*n->input);
  if (const auto* n = rel.as<Apply>()) return selects_from_right_join(*n->left);
  const auto* n = rel.as<Join>();
  return n != nullptr &&
         (is_right_or_full(*n) || selects_from_right_join(*n->left) || selects_from_right_join(*n->right));
}

bool computes_subquery_once(const Rel& rel) {
  if (const auto* n = rel.as<Derived>()) return computes_subquery_once(*n->input);
  if (const auto* n = rel.as<Sort>()) return computes_subquery_once(*n->input);
  if (const auto* n = rel.as<Filter>()) return computes_subquery_once(*n->input);
  const auto* project = rel.as<Project>();
  if (project == nullptr) return false;
  return std::any_of(project->items.begin(), project->items.end(),
                     [](const ProjectItem& item) {
                       const auto* scalar = item.expr.as<ScalarSubquery>();
                       const auto* exists = item.expr.as<Exists>();
                       return (scalar != nullptr && free_attributes(*scalar->rel).empty()) ||
                              (exists != nullptr && free_attributes(*exists->rel).empty());
                     }) ||
         computes_subquery_once(*project->input);
}

bool is_right_join_after_constant(const Rel& rel, const Plan&) {
  const auto* n = rel.as<Join>();
  return n != nullptr && is_right_or_full(*n) && has_condition_without_columns(*n->left);
}

bool is_right_join_of_table_function(const Rel& rel, const Plan&) {
  const auto* n = rel.as<Join>();
  return n != nullptr && is_right_or_full(*n) && (has_table_function(*n->left) || has_table_function(*n->right));
}

bool is_right_join_in_union_all(const Rel& rel, const Plan&) {
  const auto* derived = rel.as<Derived>();
  if (derived == nullptr) return false;
  const Rel* input = derived->input.get();
  while (const auto* sort = input->as<Sort>()) input = sort->input.get();
  const auto* n = input->as<SetOp>();
  return n != nullptr && n->op == ast::SetOp::union_all &&
         std::any_of(n->inputs.begin(), n->inputs.end(), selects_from_right_join);
}

bool is_left_join_after_right_join(const Rel& rel, const Plan&) {
  const auto* n = rel.as<Join>();
  if (n == nullptr || n->type != JoinType::inner || n->on.empty()) return false;
  return has_join(*n->left, is_right_or_full) &&
         has_join(*n->right, [](const Join& join) { return join.type == JoinType::left; });
}

bool is_left_join_of_subquery_value(const Rel& rel, const Plan&) {
  const auto* n = rel.as<Join>();
  if (n == nullptr) return false;
  const bool fills_left = n->type == JoinType::right || n->type == JoinType::full;
  const bool fills_right = n->type == JoinType::left || n->type == JoinType::full;
  return (fills_left && computes_subquery_once(*n->left)) || (fills_right && computes_subquery_once(*n->right));
}

// This includes joins elsewhere in the query, since SQLite moves conditions into subqueries.
bool is_row_in_beside_right_join(const Rel& rel, const Plan& plan) {
  if (!rel.is<Filter>() && !rel.is<Join>()) return false;
  const bool has_row_in = any_value(rel, [](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    return in != nullptr && in->how.size() > 1;
  });
  bool found = false;
  if (has_row_in) walk(plan.root, [&](const Join& join) { found = found || is_right_or_full(join); });
  return found;
}

// --- comparisons and collations

// Also if UNION ALL is only in one of the inputs: SQLite makes its parts inputs of the other operator.
bool merges_union_all_of_other_collation(const Rel& rel, const Plan& plan) {
  const auto* n = rel.as<SetOp>();
  if (n == nullptr || n->op == ast::SetOp::union_all) return false;
  const auto is_union_all = [](const Rel& input) {
    const Rel* below = &input;
    while (const auto* project = below->as<Project>()) below = project->input.get();
    const auto* derived = below->as<Derived>();
    const auto* set = derived != nullptr ? derived->input->as<SetOp>() : nullptr;
    return set != nullptr && set->op == ast::SetOp::union_all;
  };
  if (std::none_of(n->inputs.begin(), n->inputs.end(), is_union_all)) return false;
  bool has_other = false;
  for (const auto& input : n->inputs) {
    for (const auto id : outputs(input)) {
      const auto collation = plan.attributes[id].collation;
      has_other = has_other || (!collation.empty() && collation != binary_collation);
    }
  }
  return has_other;
}

bool compares_column_by_rtrim(const Rel& rel, const Plan&) {
  return any_value(rel, [](const Expr& expr) {
    const auto* n = expr.as<Compare>();
    return n != nullptr && (n->op == CompareOp::equal || n->op == CompareOp::is) && n->how.collation == "RTRIM" &&
           !(references(*n->left).empty() && references(*n->right).empty());
  });
}

// Whether a rowid is compared with a column of affinity REAL.
bool compares_rowid_with_real(const Rel& rel, const Plan& plan) {
  const auto is_rowid = [&](const Expr& expr) {
    const auto* id = column_id(expr);
    if (id == nullptr || plan.attributes[*id].table == nullptr) return false;
    const auto& attribute = plan.attributes[*id];
    return attribute.position < 0 ||
           attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_rowid_alias;
  };
  const auto is_real = [&](const Expr& expr) { return affinity_of(expr, plan) == Affinity::real; };
  return any_value(rel, [&](const Expr& expr) {
    const auto* n = expr.as<Compare>();
    return n != nullptr && ((is_rowid(*n->left) && is_real(*n->right)) || (is_rowid(*n->right) && is_real(*n->left)));
  });
}

// --- IN

namespace {

// The aggregation in the same SELECT whose result `rel` uses; nullptr if there is none.
const Aggregate* aggregate_below(const Rel& rel) {
  if (!rel.is<Project>() && !rel.is<Filter>() && !rel.is<Sort>()) return nullptr;
  const Rel* input = &rel;
  while (!input->is<Aggregate>()) {
    const Rel* next = nullptr;
    if (const auto* project = input->as<Project>()) next = project->input.get();
    if (const auto* filter = input->as<Filter>()) next = filter->input.get();
    if (const auto* sort = input->as<Sort>()) next = sort->input.get();
    if (const auto* window = input->as<Window>()) next = window->input.get();
    if (next == nullptr) return nullptr;
    input = next;
  }
  return input->as<Aggregate>();
}

// Whether SQLite may use an index of a table instead of running the subquery: its columns are plain columns of one
// table.
bool may_be_an_index(const Rel& rel) {
  if (const auto* n = rel.as<Derived>()) return may_be_an_index(*n->input);
  const auto* n = rel.as<Project>();
  if (n == nullptr) return rel.is<Scan>();
  return may_be_an_index(*n->input) &&
         std::all_of(n->items.begin(), n->items.end(), [](const ProjectItem& item) { return item.expr.is<Column>(); });
}

}  // namespace

bool converts_aggregated_value(const Rel& rel, const Plan& plan) {
  const auto* aggregate = aggregate_below(rel);
  if (aggregate == nullptr) return false;
  AttributeSet columns;
  for (const auto& key : aggregate->keys) columns.add(key.id);
  for (const auto& call : aggregate->calls) columns.add(call.id);
  const auto converts_column = [&](const Expr& operand, const Comparison& how) {
    const auto* id = column_id(operand);
    return id != nullptr && columns.contains(*id) && converts(operand, how.affinity, plan);
  };
  return any_value(rel, [&](const Expr& expr) {
    if (const auto* in = expr.as<InList>()) return converts_column(*in->operand, in->how);
    const auto* in = expr.as<InSubquery>();
    return in != nullptr && in->operands.size() == 1 && in->how.size() == 1 &&
           converts_column(in->operands.front(), in->how.front());
  });
}

bool is_row_in_with_conversion(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr || in->how.size() < 2) return false;
    for (std::size_t i = 0; i < in->how.size(); ++i) {
      const bool converted = in->operands.size() == in->how.size()
                                 ? converts(in->operands[i], in->how[i].affinity, plan)
                                 : in->how[i].affinity != Affinity::none;
      if (converted || !in->how[i].is_binary()) return true;
    }
    return false;
  });
}

bool is_row_in_index(const Rel& rel, const Plan& plan) {
  // If an outer join fills a column with NULLs, SQLite knows that it may be NULL, and checks.
  const auto is_declared_non_null = [&](const Expr& operand) {
    const auto* id = column_id(operand);
    return id != nullptr ? !plan.attributes[*id].types.may_be_null() : is_non_null(operand, plan, {});
  };
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr || in->how.size() < 2 || !may_be_an_index(*in->rel)) return false;
    // The affinities are applied in the order of the index.
    const auto has_other_affinity = [&](const Comparison& how) { return how.affinity != in->how.front().affinity; };
    if (std::any_of(in->how.begin(), in->how.end(), has_other_affinity)) return true;
    if (in->operands.size() < in->how.size()) return true;
    const auto non_null = std::count_if(in->operands.begin(), in->operands.end(), is_declared_non_null);
    return non_null > 0 && static_cast<std::size_t>(non_null) < in->operands.size();
  });
}

bool is_in_with_real_affinity(const Rel& rel, const Plan& plan) {
  // Or a text that is converted to an integer.
  const auto may_be_integer = [&](const Expr& expr) {
    return (types_of(expr, plan, {}) & types::integer) != TypeSet() || converts(expr, Affinity::numeric, plan);
  };
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr) return false;
    const auto columns = outputs(*in->rel);
    for (std::size_t i = 0; i < columns.size() && i < in->operands.size(); ++i) {
      const Expr right = column(columns[i]);
      const Expr& left = in->operands[i];
      if (affinity_of(left, plan) == Affinity::real && may_be_integer(right)) return true;
      if (affinity_of(right, plan) == Affinity::real && may_be_integer(left)) return true;
    }
    return false;
  });
}

bool is_in_under_other_collation(const Rel& rel, const Plan& plan) {
  // Only COLLATE makes the comparison of a column have another collation than the column: beside the column, where
  // SQLite knows what to do, or in the subquery, which a plan does not tell apart. An expression has no collation, but
  // an index on it has.
  const auto is_column_searched_for = [&](const Attribute& attribute, const Comparison& how) {
    if (how.collation == attribute.collation) return false;
    return attribute.table == nullptr ||
           (attribute.position >= 0 &&
            attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_indexed);
  };
  const auto is_expression_searched_for = [&](const Expr& operand, const Comparison& how) {
    bool indexed = false;
    bool binary = how.is_binary();
    references(operand).for_each([&](AttributeId id) {
      const auto& attribute = plan.attributes[id];
      binary = binary && attribute.collation == binary_collation;
      // Columns of subqueries may be expressions.
      indexed = indexed || attribute.table == nullptr || attribute.table->has_index_on_expression;
    });
    return indexed && !binary;
  };
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    for (std::size_t i = 0; in != nullptr && i < in->how.size() && i < in->operands.size(); ++i) {
      const auto* id = column_id(in->operands[i]);
      if (id != nullptr ? is_column_searched_for(plan.attributes[*id], in->how[i])
                        : is_expression_searched_for(in->operands[i], in->how[i]))
        return true;
    }
    return false;
  });
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether a number may have a text with this prefix, though SQLite, which reads the prefix as a number itself, does not
// see that: the start of Inf and of -Inf, and numbers that end at their exponent, "1.0e+".
bool is_unseen_start_of_number(std::string_view prefix) {
  if (prefix.starts_with('-')) prefix.remove_prefix(1);
  if (prefix.empty()) return false;
  constexpr std::string_view infinity = "inf";
  const auto same = [](char a, char b) { return to_lower_ascii(a) == b; };
  if (prefix.size() <= infinity.size() && std::equal(prefix.begin(), prefix.end(), infinity.begin(), same)) return true;
  if (prefix.ends_with('+') || prefix.ends_with('-')) prefix.remove_suffix(1);
  return is_digit(prefix.front()) && to_lower_ascii(prefix.back()) == 'e';
}

// Whether SQLite may take the pattern of LIKE or GLOB for a range of texts, and so miss numbers.
bool may_miss_numbers(const Expr& operand, const Expr& pattern, bool has_escape, const Plan& plan) {
  if ((types_of(operand, plan, {}) & types::real) == TypeSet()) return false;
  if (pattern.is<Parameter>()) return true;
  const auto* literal = pattern.as<Literal>();
  const auto* text = literal == nullptr ? nullptr : std::get_if<std::string>(&literal->value);
  if (text == nullptr) return false;
  return has_escape || is_unseen_start_of_number(std::string_view(*text).substr(0, text->find_first_of("%_*?[")));
}

}  // namespace

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

bool is_in_descending_index(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* in = expr.as<InSubquery>();
    if (in == nullptr || !may_be_an_index(*in->rel)) return false;
    const auto results = outputs(*in->rel);
    return std::any_of(results.begin(), results.end(), [&](AttributeId id) {
      const auto& attribute = plan.attributes[id];
      return attribute.types.may_be_null() && attribute.table != nullptr && attribute.table->has_descending_index;
    });
  });
}

// --- columns of outer queries

// Whether a subquery in FROM passes on a column of an outer query unchanged.
bool passes_on_outer_column(const Rel& rel, const Plan& plan) {
  const auto* derived = rel.as<Derived>();
  if (derived == nullptr) return false;
  const auto* project = derived->input->as<Project>();
  // All columns in VALUES belong to outer queries.
  if (const auto* values = (project != nullptr ? project->input : derived->input)->as<Values>()) {
    for (const auto& row : values->rows) {
      for (const auto& term : row) {
        if (column_id(term) != nullptr && affinity_of(term, plan) != Affinity::none) return true;
      }
    }
  }
  if (project == nullptr) return false;
  const auto inside = output_set(*project->input);
  return std::any_of(project->items.begin(), project->items.end(), [&](const ProjectItem& item) {
    const auto* id = column_id(item.expr);
    return id != nullptr && !inside.contains(*id) && plan.attributes[*id].affinity != Affinity::none;
  });
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

bool reads_index_on_virtual_column(const Rel& rel, const Plan&) {
  const auto* scan = rel.as<Scan>();
  return scan != nullptr && scan->table != nullptr && scan->table->has_index_on_virtual_column;
}

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

bool skips_distinct_values(const Rel& rel, const Plan& plan) {
  return any_value(rel, [&](const Expr& expr) {
    const auto* scalar = expr.as<ScalarSubquery>();
    const auto* exists = expr.as<Exists>();
    if (scalar == nullptr && exists == nullptr) return false;
    const auto* limit = below_shape(scalar != nullptr ? *scalar->rel : *exists->rel).as<Limit>();
    if (limit == nullptr || !limit->offset) return false;
    const Rel& rows = below_shape(*limit->input);
    const auto* sort = rows.as<Sort>();
    const auto* distinct = (sort != nullptr ? below_shape(*sort->input) : rows).as<Distinct>();
    if (distinct == nullptr) return false;
    return exists != nullptr || sort == nullptr ||
           !is_sorted_by(sort->keys.front().expr, below_shape(*distinct->input), plan);
  });
}

}  // namespace trustsql::plan
