// The plans that a known bug of SQLite may affect: one function for each entry of the lists of bugs, which say what
// goes wrong. Joins are in sqlite_bug_joins.cpp, IN is in sqlite_bug_in.cpp, other comparisons are in
// sqlite_bug_comparisons.cpp, values are in sqlite_bug_values.cpp, and the others are in sqlite_bug_patterns.cpp.
// Each answers for one operator of a plan as built from a query; its inputs and subqueries are not searched.
#pragma once

#include <span>

#include "plan/plan.hpp"
#include "plan/sqlite_bugs.hpp"

namespace trustsql::plan {

bool is_right_join_after_constant(const Rel& rel, const Plan& plan);
bool is_right_join_of_table_function(const Rel& rel, const Plan& plan);
bool is_right_join_in_union_all(const Rel& rel, const Plan& plan);
bool is_left_join_after_right_join(const Rel& rel, const Plan& plan);
bool is_row_in_beside_right_join(const Rel& rel, const Plan& plan);
bool is_left_join_of_subquery_value(const Rel& rel, const Plan& plan);
bool merges_union_all_of_other_collation(const Rel& rel, const Plan& plan);
bool compares_column_by_rtrim(const Rel& rel, const Plan& plan);
bool compares_rowid_with_real(const Rel& rel, const Plan& plan);
// Whether a rowid may be compared with the real -2^63, which `expr` has, or a text has that is converted. A column of
// integers may hold it as well, but is left out: otherwise no foreign key could be followed (the guide says so).
bool may_be_smallest_real(const Expr& expr, const Plan& plan);
bool converts_aggregated_value(const Rel& rel, const Plan& plan);
bool looks_up_aggregated_value(const Rel& rel, const Plan& plan);
bool is_row_in_with_conversion(const Rel& rel, const Plan& plan);
bool is_row_in_index(const Rel& rel, const Plan& plan);
bool is_in_with_real_affinity(const Rel& rel, const Plan& plan);
bool is_in_under_other_collation(const Rel& rel, const Plan& plan);
bool is_pattern_of_numbers(const Rel& rel, const Plan& plan);
bool is_in_descending_index(const Rel& rel, const Plan& plan);
bool passes_on_outer_column(const Rel& rel, const Plan& plan);
bool reads_index_on_virtual_column(const Rel& rel, const Plan& plan);
bool sorts_by_converted_column(const Rel& rel, const Plan& plan);
bool skips_distinct_values(const Rel& rel, const Plan& plan);
bool is_outer_join_of_pattern(const Rel& rel, const Plan& plan);
bool replaces_nothing(const Rel& rel, const Plan& plan);
bool tests_bare_column_for_null(const Rel& rel, const Plan& plan);
bool takes_constant_of_no_rows(const Rel& rel, const Plan& plan);
bool reads_hidden_nulls(const Rel& rel, const Plan& plan);
bool reads_integer_defaults(const Rel& rel, const Plan& plan);
bool reads_truth_defaults(const Rel& rel, const Plan& plan);
bool keeps_hidden_column(const Rel& rel, const Plan& plan);
bool reads_virtual_real(const Rel& rel, const Plan& plan);
bool infers_under_other_collation(const Rel& rel, const Plan& plan);
bool is_choice_under_other_collation(const Rel& rel, const Plan& plan);
bool is_equivalence_beside_right_join(const Rel& rel, const Plan& plan);
bool passes_constant_to_subquery(const Rel& rel, const Plan& plan);
bool puts_constant_for_untyped_column(const Rel& rel, const Plan& plan);
bool is_pattern_of_other_letters(const Rel& rel, const Plan& plan);
bool is_distinct_of_outer_join(const Rel& rel, const Plan& plan);
bool sorts_distinct_with_nulls_behind(const Rel& rel, const Plan& plan);
bool filters_distinct_values(const Rel& rel, const Plan& plan);
bool sorts_after_outer_join(const Rel& rel, const Plan& plan);
bool is_outer_join_of_outer_column(const Rel& rel, const Plan& plan);
bool scans_index_for_in(const Rel& rel, const Plan& plan);
bool compares_null_test_by_is(const Rel& rel, const Plan& plan);
bool reads_index_on_expression(const Rel& rel, const Plan& plan);
bool slides_window(const Rel& rel, const Plan& plan);

// Lists of bugs that stand beside their patterns; sqlite_bugs() has them all.
std::span<const SqliteBug> bugs_of_joins();
std::span<const SqliteBug> bugs_of_in();
std::span<const SqliteBug> bugs_of_values();

}  // namespace trustsql::plan
