// CodeBLEU (Ren et al. 2020) for SQL: the weighted mean of four numbers,
//   n-grams    BLEU
//   keywords   the same with n = 1, where a keyword has five times the weight of another word
//   syntax     the share of the reference's subtrees, without their leaves, that the candidate's tree has
//   data flow  the share of the reference's data flows that the candidate has. Ignored, together with its weight, if
//              the reference has none.
// The paper defines data flow for variables of programs; its forms here are our own. A metric differs from another in
// its tree and its data flow:
//   codebleu      the syntax tree. A data flow is a column of a table that is used in a clause: (table, column,
//                 clause), with aliases replaced by what they stand for.
//   codebleu-rot  the relational operator tree, as in FuncEvalGMN's Table 1 (operator_tree.hpp). A data flow is an edge
//                 of the plan's data flow: (column, the operator that it comes from, the operator that uses it).
// The first two numbers are those of the texts in both.
#pragma once

#include <string>
#include <unordered_map>

#include "equiv/similarity.hpp"
#include "plan/graph.hpp"

namespace trustsql {

Result<double> codebleu(const QueryPair& pair, const SimilarityOptions& options);

// Errors: those of codebleu() and operator_graphs().
Result<double> codebleu_rot(const QueryPair& pair, const SimilarityOptions& options);

// The data flows of a plan with their number of occurrences: "t.a -> Filter" where an operator is the first to use a
// column, "t.a: Filter -> Project" where one uses it after another.
std::unordered_map<std::string, std::size_t> data_flows(const plan::PlanGraph& graph);

}  // namespace trustsql
