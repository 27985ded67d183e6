// CodeBLEU (Ren et al. 2020) for SQL: the weighted mean of four numbers,
//   n-grams    BLEU
//   keywords   the same with n = 1, where a keyword has five times the weight of another word
//   syntax     the share of the reference's subtrees, without their leaves, that the candidate's syntax tree has
//   data flow  the share of the reference's data flows that the candidate has. A data flow of a query is a column of a
//              table that is used in a clause: (table, column, clause), with aliases replaced by what they stand for.
//              Ignored, together with its weight, if the reference has none.
// The paper defines data flow for variables of programs; this form is our own. FuncEvalGMN's Table 1 uses operator
// trees instead of syntax trees.
#pragma once

#include "equiv/similarity.hpp"

namespace trustsql {

Result<double> codebleu(const QueryPair& pair, const SimilarityOptions& options);

}  // namespace trustsql
