// What makes two queries different, in one sentence for people.
//
//   b requires age > 30 instead of age > 20: with the row (name 'c', age 21) in singer, only a returns ('c').
//
// The first half comes from the clauses of the two normalised plans (explanation/query_clauses.hpp), the second from
// the counterexample: what each query returns, on which rows. Either may be missing, never both.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "equiv/verdict.hpp"

namespace trustsql::equiv {

// What the sentence calls the queries.
struct QueryNames {
  std::string first = "a";
  std::string second = "b";
};

// The sentence for a pair that `counterexample` refutes. `catalog`: the schema of both. `stop` is called now and then;
// once it returns true, clauses are compared as far as they have been normalised.
std::string explain_difference(std::string_view a, std::string_view b, const Counterexample& counterexample,
                               const Catalog& catalog, const ResolveOptions& dialect, const QueryNames& names,
                               const std::function<bool()>& stop);

}  // namespace trustsql::equiv
