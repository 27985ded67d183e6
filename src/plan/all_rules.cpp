#include <array>

#include "plan/normaliser.hpp"
#include "plan/rules/between_expansion.hpp"
#include "plan/rules/boolean_simplification.hpp"
#include "plan/rules/case_simplification.hpp"
#include "plan/rules/column_pruning.hpp"
#include "plan/rules/comparison_conversion.hpp"
#include "plan/rules/conjunct_simplification.hpp"
#include "plan/rules/constant_folding.hpp"
#include "plan/rules/derived_table_inlining.hpp"
#include "plan/rules/empty_relation.hpp"
#include "plan/rules/filter_pushdown_join.hpp"
#include "plan/rules/filter_pushdown_project.hpp"
#include "plan/rules/filter_pushdown_set.hpp"
#include "plan/rules/function_spelling.hpp"
#include "plan/rules/having_to_where.hpp"
#include "plan/rules/in_list_normalisation.hpp"
#include "plan/rules/integer_bounds.hpp"
#include "plan/rules/limit_simplification.hpp"
#include "plan/rules/negation_pushdown.hpp"
#include "plan/rules/null_simplification.hpp"
#include "plan/rules/outer_to_inner.hpp"
#include "plan/rules/projection_pull_up.hpp"
#include "plan/rules/projection_removal.hpp"
#include "plan/rules/range_merging.hpp"
#include "plan/rules/right_to_left_join.hpp"
#include "plan/rules/self_comparison.hpp"
#include "plan/rules/single_row_join.hpp"
#include "plan/rules/sort_key_reduction.hpp"
#include "plan/rules/sort_removal.hpp"
#include "plan/rules/truth_simplification.hpp"

namespace trustsql::plan {

namespace {

using namespace rules;

constexpr std::array all{
    // Expressions.
    &constant_folding,
    &comparison_conversion,
    &negation_pushdown,
    &boolean_simplification,
    &between_expansion,
    &in_list_normalisation,
    &case_simplification,
    &function_spelling,
    &self_comparison,
    &null_simplification,
    &truth_simplification,
    &integer_bounds,
    &range_merging,
    // Operators.
    &conjunct_simplification,
    &range_merging_of_conjuncts,
    &empty_relation,
    &single_row_join,
    &right_to_left_join,
    &outer_to_inner,
    &filter_pushdown_project,
    &filter_pushdown_set,
    &having_to_where,
    &filter_pushdown_outer_join,
    &filter_pushdown_join,
    &projection_pull_up,
    &limit_simplification,
    &sort_key_reduction,
    // Those that look at what becomes of the rows.
    &derived_table_inlining,
    &sort_removal,
    &projection_removal,
    &column_pruning,
};

}  // namespace

std::span<const Rule* const> all_rules() { return all; }

}  // namespace trustsql::plan
