// CrystalBLEU (Eghbali and Pradel 2022): BLEU without the n-grams that all queries share.
//
// The paper ignores the k = 500 most frequent n-grams of a corpus; a corpus can be given. Without one, n-grams that
// consist only of SQL keywords, operators and punctuation are ignored.
#pragma once

#include "equiv/similarity.hpp"

namespace trustsql {

Result<double> crystalbleu(const QueryPair& pair, const SimilarityOptions& options);

}  // namespace trustsql
