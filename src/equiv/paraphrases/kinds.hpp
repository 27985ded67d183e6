// The functions behind the table of paraphrases; its rows say what each does.
#pragma once

#include "equiv/rewriting/query_rewriter.hpp"

namespace trustsql::equiv::paraphrases {

using rewriting::QueryRewriter;

// conditions.cpp
void operand_order(QueryRewriter& rewriter);
void between(QueryRewriter& rewriter);
void in_list(QueryRewriter& rewriter);
void de_morgan(QueryRewriter& rewriter);
void not_equal(QueryRewriter& rewriter);
void integer_bound(QueryRewriter& rewriter);
void implied_condition(QueryRewriter& rewriter);
void equal_column(QueryRewriter& rewriter);

// joins.cpp
void join_order(QueryRewriter& rewriter);
void comma_join(QueryRewriter& rewriter);
void join_using(QueryRewriter& rewriter);
void outer_join(QueryRewriter& rewriter);
void derived_table(QueryRewriter& rewriter);
void common_table(QueryRewriter& rewriter);

// subqueries.cpp
void join_to_in(QueryRewriter& rewriter);
void in_to_join(QueryRewriter& rewriter);
void in_to_exists(QueryRewriter& rewriter);
void exists_to_in(QueryRewriter& rewriter);
void not_in_to_outer_join(QueryRewriter& rewriter);
void exists_to_count(QueryRewriter& rewriter);
void extreme_row(QueryRewriter& rewriter);

// set_operations.cpp
void set_operation_to_condition(QueryRewriter& rewriter);
void set_operation_to_in(QueryRewriter& rewriter);
void in_to_set_operation(QueryRewriter& rewriter);
void or_to_union(QueryRewriter& rewriter);

// grouping.cpp
void distinct(QueryRewriter& rewriter);
void distinct_group_by(QueryRewriter& rewriter);
void having_where(QueryRewriter& rewriter);
void having_to_derived_table(QueryRewriter& rewriter);
void group_key(QueryRewriter& rewriter);
void count_column(QueryRewriter& rewriter);
void count_distinct(QueryRewriter& rewriter);

// names.cpp
void qualifiers(QueryRewriter& rewriter);
void table_aliases(QueryRewriter& rewriter);
void column_aliases(QueryRewriter& rewriter);
void star(QueryRewriter& rewriter);
void order_term(QueryRewriter& rewriter);
void whole_query(QueryRewriter& rewriter);

// plans.cpp
void printed_plan(QueryRewriter& rewriter);
void normal_form(QueryRewriter& rewriter);
void planner_rule(QueryRewriter& rewriter);

}  // namespace trustsql::equiv::paraphrases
