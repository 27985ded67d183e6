// CodeBLEU (Ren et al. 2020) for SQL: the weighted mean of four numbers,
//   n-grams    BLEU
//   keywords   the same with n = 1, where a keyword weighs five times as much as another word
//   syntax     the share of the reference's subtrees, without their leaves, that the candidate's syntax tree has
//   data flow  the share of the reference's data flows that the candidate has. A data flow of a query is a column that
//   goes from
//              a table into a clause: (table, column, clause), with aliases replaced by what they stand for. Left out,
//              and its weight with it, where the reference has none.
// The paper's definition is for variables of programs; data flow in this form is ours. FuncEvalGMN's Table 1 takes
// operator trees in place of syntax trees.
#pragma once

#include "equiv/similarity.hpp"

namespace trustsql {

Result<double> codebleu(const QueryPair& pair, const SimilarityOptions& options);

}  // namespace trustsql
