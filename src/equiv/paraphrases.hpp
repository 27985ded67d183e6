// Paraphrases: rewrites of a query that are meant to keep its meaning, as another author would have written it.
//
// Each kind of paraphrase is a row of a table: a name, a summary, and a function that changes the syntax tree. Most
// keep the meaning under conditions that the function does not check (DISTINCT for IN against JOIN needs a key, MAX for
// ORDER BY ... LIMIT 1 that there are no ties): a paraphrase is a candidate, and the prover or a counterexample decides
// (verdict.hpp). Candidates that a counterexample refutes are the hardest negative pairs.
//
// They serve to make labelled pairs (labelled_pairs.hpp) without a language model, where FuncEvalGMN (section 5.1 and
// Appendix E) asks several models for SQL and people for labels.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sql/resolver.hpp"

namespace trustsql::equiv {

namespace rewriting {
class QueryRewriter;
}

struct ParaphraseKind {
  std::string_view name;
  std::string_view summary;
  void (*rewrite)(rewriting::QueryRewriter& rewriter);
  unsigned weight = 1;  // how often it is drawn where pairs are made at random, relative to the others
};

// All kinds, ordered by what they change: conditions, joins, subqueries, set operations, groups, names, plans.
std::span<const ParaphraseKind> paraphrase_kinds();
// The kind of that name, nullptr if there is none.
const ParaphraseKind* find_paraphrase_kind(std::string_view name);

struct Paraphrase {
  const ParaphraseKind* kind = nullptr;
  std::string sql;
};

struct ParaphraseOptions {
  static constexpr std::size_t default_most_of_kind = 8;

  std::span<const ParaphraseKind* const> kinds{};  // empty: all
  std::size_t most_of_kind = default_most_of_kind;
  std::function<bool()> stop{};  // called before each kind and for each candidate; true ends the work
};

// The candidates for `sql`, without duplicates and without the query itself, kind by kind, in the order of its text.
// SQLite may reject a candidate. Errors: those of parse_query() and resolve().
Result<std::vector<Paraphrase>> paraphrases_of(std::string_view sql, const Catalog& catalog,
                                               const ResolveOptions& dialect, const ParaphraseOptions& options);

}  // namespace trustsql::equiv
