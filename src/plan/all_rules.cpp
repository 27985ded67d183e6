#include "plan/all_rules.hpp"

#include <array>

#include "plan/rules/aggregate_filter.hpp"
#include "plan/rules/aggregate_pull_up.hpp"
#include "plan/rules/aggregate_to_distinct.hpp"
#include "plan/rules/anti_join_to_extreme.hpp"
#include "plan/rules/apply_to_join.hpp"
#include "plan/rules/arithmetic_simplification.hpp"
#include "plan/rules/average_of_conditions.hpp"
#include "plan/rules/average_of_counts.hpp"
#include "plan/rules/bare_column_to_key.hpp"
#include "plan/rules/between_expansion.hpp"
#include "plan/rules/boolean_simplification.hpp"
#include "plan/rules/case_simplification.hpp"
#include "plan/rules/coalesced_count.hpp"
#include "plan/rules/column_pruning.hpp"
#include "plan/rules/common_column.hpp"
#include "plan/rules/common_filter.hpp"
#include "plan/rules/comparison_conversion.hpp"
#include "plan/rules/conjunct_simplification.hpp"
#include "plan/rules/constant_aggregate.hpp"
#include "plan/rules/constant_folding.hpp"
#include "plan/rules/constant_key_removal.hpp"
#include "plan/rules/correlated_aggregate_unnesting.hpp"
#include "plan/rules/correlated_row_unnesting.hpp"
#include "plan/rules/correlation_above_groups.hpp"
#include "plan/rules/count_bounds.hpp"
#include "plan/rules/count_difference.hpp"
#include "plan/rules/count_of_parents.hpp"
#include "plan/rules/count_simplification.hpp"
#include "plan/rules/count_to_exists.hpp"
#include "plan/rules/counted_join_to_semi_join.hpp"
#include "plan/rules/counted_rows_to_semi_join.hpp"
#include "plan/rules/counted_union_to_semi_join.hpp"
#include "plan/rules/counted_values_to_semi_join.hpp"
#include "plan/rules/date_parts.hpp"
#include "plan/rules/date_ranges.hpp"
#include "plan/rules/derived_table_inlining.hpp"
#include "plan/rules/distinct_above_left_join.hpp"
#include "plan/rules/distinct_into_aggregate.hpp"
#include "plan/rules/distinct_join_to_semi_join.hpp"
#include "plan/rules/distinct_removal.hpp"
#include "plan/rules/distinct_to_semi_join.hpp"
#include "plan/rules/division_by_zero.hpp"
#include "plan/rules/duplicate_aggregate.hpp"
#include "plan/rules/empty_relation.hpp"
#include "plan/rules/exclusive_union.hpp"
#include "plan/rules/existence_absorption.hpp"
#include "plan/rules/existence_union.hpp"
#include "plan/rules/exists_to_semi_join.hpp"
#include "plan/rules/extreme_comparison.hpp"
#include "plan/rules/extreme_to_count.hpp"
#include "plan/rules/extreme_to_semi_join.hpp"
#include "plan/rules/filter_of_matches.hpp"
#include "plan/rules/filter_pushdown_join.hpp"
#include "plan/rules/filter_pushdown_project.hpp"
#include "plan/rules/filter_pushdown_set.hpp"
#include "plan/rules/first_row_to_anti_join.hpp"
#include "plan/rules/first_row_to_group.hpp"
#include "plan/rules/foreign_key_join_removal.hpp"
#include "plan/rules/function_spelling.hpp"
#include "plan/rules/group_by_removal.hpp"
#include "plan/rules/group_key_reduction.hpp"
#include "plan/rules/grouped_scalar.hpp"
#include "plan/rules/groups_of_joined_rows.hpp"
#include "plan/rules/having_not_null.hpp"
#include "plan/rules/having_to_where.hpp"
#include "plan/rules/ignored_nulls.hpp"
#include "plan/rules/in_list_normalisation.hpp"
#include "plan/rules/in_to_exists.hpp"
#include "plan/rules/in_to_semi_join.hpp"
#include "plan/rules/integer_bounds.hpp"
#include "plan/rules/integer_sums.hpp"
#include "plan/rules/joined_aggregate_merging.hpp"
#include "plan/rules/joined_groups_merging.hpp"
#include "plan/rules/joined_matches.hpp"
#include "plan/rules/json_spelling.hpp"
#include "plan/rules/left_join_removal.hpp"
#include "plan/rules/left_join_to_exists.hpp"
#include "plan/rules/left_to_anti_join.hpp"
#include "plan/rules/like_prefix.hpp"
#include "plan/rules/limit_below_left_join.hpp"
#include "plan/rules/limit_in_union.hpp"
#include "plan/rules/limit_simplification.hpp"
#include "plan/rules/limited_constant.hpp"
#include "plan/rules/matched_outer_join.hpp"
#include "plan/rules/negation_pushdown.hpp"
#include "plan/rules/null_order.hpp"
#include "plan/rules/null_simplification.hpp"
#include "plan/rules/null_test_to_exists.hpp"
#include "plan/rules/nullable_anti_join.hpp"
#include "plan/rules/number_text_comparison.hpp"
#include "plan/rules/numbered_rows_to_limit.hpp"
#include "plan/rules/operand_order.hpp"
#include "plan/rules/outer_to_inner.hpp"
#include "plan/rules/pairs_to_count.hpp"
#include "plan/rules/partial_aggregate_merging.hpp"
#include "plan/rules/pinned_column.hpp"
#include "plan/rules/projection_pull_up.hpp"
#include "plan/rules/projection_removal.hpp"
#include "plan/rules/projection_renaming.hpp"
#include "plan/rules/range_merging.hpp"
#include "plan/rules/rank_to_extreme.hpp"
#include "plan/rules/real_arithmetic.hpp"
#include "plan/rules/repeated_sort_removal.hpp"
#include "plan/rules/right_to_left_join.hpp"
#include "plan/rules/scalar_aggregate_merging.hpp"
#include "plan/rules/scalar_subquery_inlining.hpp"
#include "plan/rules/scalar_subquery_unnesting.hpp"
#include "plan/rules/scalars_of_left_join.hpp"
#include "plan/rules/second_value_to_extreme.hpp"
#include "plan/rules/self_comparison.hpp"
#include "plan/rules/self_join_removal.hpp"
#include "plan/rules/semi_join_below_distinct.hpp"
#include "plan/rules/semi_join_below_groups.hpp"
#include "plan/rules/semi_join_pull_up.hpp"
#include "plan/rules/semi_join_to_join.hpp"
#include "plan/rules/set_operation_simplification.hpp"
#include "plan/rules/single_group.hpp"
#include "plan/rules/single_row_above_groups.hpp"
#include "plan/rules/single_row_join.hpp"
#include "plan/rules/sort_by_row_number.hpp"
#include "plan/rules/sort_key_reduction.hpp"
#include "plan/rules/sort_removal.hpp"
#include "plan/rules/sum_of_conditions.hpp"
#include "plan/rules/sum_or_null.hpp"
#include "plan/rules/sum_over_count.hpp"
#include "plan/rules/top_row_by_key.hpp"
#include "plan/rules/top_row_to_extreme.hpp"
#include "plan/rules/transitive_equalities.hpp"
#include "plan/rules/truth_simplification.hpp"
#include "plan/rules/unmatched_groups.hpp"
#include "plan/rules/unneeded_null_test.hpp"
#include "plan/rules/values_join_to_filter.hpp"
#include "plan/rules/window_rows_to_groups.hpp"
#include "plan/rules/window_to_groups.hpp"
#include "plan/rules/window_to_subquery.hpp"
#include "plan/rules/windows_of_keys.hpp"

namespace trustsql::plan {

namespace {

using namespace rules;

constexpr std::array all{
    // Expressions.
    &constant_folding,
    &operand_order,
    &comparison_conversion,
    &negation_pushdown,
    &boolean_simplification,
    &between_expansion,
    &in_list_normalisation,
    &case_simplification,
    &function_spelling,
    &json_spelling,
    &self_comparison,
    &null_simplification,
    &truth_simplification,
    &arithmetic_simplification,
    &real_arithmetic,
    &division_by_zero,
    &integer_sums,
    &integer_bounds,
    &number_text_comparison,
    &date_parts,
    &date_ranges,
    &like_prefix,
    &range_merging,
    &scalar_subquery_inlining,
    &grouped_scalar,
    &existence_union,
    &in_to_exists,
    &count_to_exists,
    &existence_absorption,
    &null_test_to_exists,
    // Operators.
    &conjunct_simplification,
    &range_merging_of_conjuncts,
    &empty_relation,
    &exists_to_semi_join,
    &in_to_semi_join,
    &nullable_anti_join,
    &scalar_subquery_unnesting,
    &apply_to_join,
    &correlated_aggregate_unnesting,
    &correlation_above_groups,
    &correlated_row_unnesting,
    &set_operation_simplification,
    &semi_join_pull_up,
    &semi_join_below_distinct,
    &semi_join_below_groups,
    &single_row_join,
    &right_to_left_join,
    &extreme_comparison,
    &outer_to_inner,
    &matched_outer_join,
    &left_to_anti_join,
    &distinct_above_left_join,
    &filter_pushdown_project,
    &filter_pushdown_set,
    &having_to_where,
    &having_not_null,
    &unmatched_groups,
    &unneeded_null_test,
    &count_bounds,
    &counted_union_to_semi_join,
    &counted_values_to_semi_join,
    &filter_pushdown_outer_join,
    &filter_pushdown_join,
    &transitive_equalities,
    &aggregate_filter,
    &sum_of_conditions,
    &average_of_conditions,
    &average_of_counts,
    &coalesced_count,
    &count_difference,
    &sum_over_count,
    &sum_or_null,
    &constant_aggregate,
    &common_filter,
    &partial_aggregate_merging,
    &joined_aggregate_merging,
    &distinct_into_aggregate,
    &count_simplification,
    &filter_of_matches,
    &joined_matches,
    &scalars_of_left_join,
    &ignored_nulls,
    &bare_column_to_key,
    &aggregate_to_distinct,
    &pairs_to_count,
    &distinct_to_semi_join,
    &counted_join_to_semi_join,
    &count_of_parents,
    &group_by_removal,
    &pinned_column,
    &constant_key_removal,
    &single_group,
    &joined_groups_merging,
    &groups_of_joined_rows,
    &aggregate_pull_up,
    &scalar_aggregate_merging,
    &single_row_above_groups,
    &projection_pull_up,
    &limit_simplification,
    &limit_below_left_join,
    &limit_in_union,
    &top_row_to_extreme,
    &second_value_to_extreme,
    &top_row_by_key,
    &anti_join_to_extreme,
    &grouped_scalar_applied,
    &common_column,
    &exclusive_union,
    &null_order,
    &sort_key_reduction,
    &repeated_sort_removal,
    &window_function_spelling,
    &windows_of_keys,
    &sort_by_row_number,
    &window_to_subquery,
    // Rules that depend on how the rows are used.
    &derived_table_inlining,
    &distinct_removal,
    &distinct_join_to_semi_join,
    &semi_join_to_join,
    &group_key_reduction,
    &left_join_removal,
    &left_join_to_exists,
    &foreign_key_join_removal,
    &values_join_to_filter,
    &self_join_removal,
    &joined_count_to_exists,
    &extreme_to_count,
    &extreme_to_semi_join,
    &counted_rows_to_semi_join,
    &duplicate_aggregate,
    &limited_constant,
    &sort_removal,
    &projection_renaming,
    &projection_removal,
    &column_pruning,
    &numbered_rows_to_limit,
    &window_rows_to_groups,
    &first_row_to_group,
    &rank_to_extreme,
    &first_row_to_anti_join,
    &window_to_groups,
};

}  // namespace

std::span<const Rule* const> all_rules() { return all; }

}  // namespace trustsql::plan
