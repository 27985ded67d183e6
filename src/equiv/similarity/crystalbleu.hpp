// CrystalBLEU (Eghbali and Pradel 2022): BLEU without the n-grams that queries share because they are queries.
//
// The paper leaves out the k most frequent n-grams of a corpus, 500 of them; a corpus can be given. Without one, those
// n-grams are left out that consist of SQL's keywords, operators and punctuation alone.
#pragma once

#include "equiv/similarity.hpp"

namespace trustsql {

Result<double> crystalbleu(const QueryPair& pair, const SimilarityOptions& options);

}  // namespace trustsql
