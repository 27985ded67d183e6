// Grounding: whether a question licenses a query, and whether the query has a place for all that the question says.
//
// Every content span of the question has one role, and every leaf of the query one licence (PRECISE, Popescu et al.
// 2003, made compositional). What is checked here are rules that hold whatever wrote the query, a language model or the
// parser: a literal comes from the question; a value stands in a column that holds it; what the question quotes or
// counts is used; an operator is asked for; a cue of the question has its operator; the answer is of the asked type. Of
// rules that were tried, those are kept that right queries hardly ever break (tests/bench/grounding.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "semparse/parser.hpp"
#include "semparse/question/linking.hpp"
#include "semparse/tree/query_leaves.hpp"

namespace trustsql::semparse {

enum class GroundingRule : std::uint8_t {
  task,           // the question wants no data
  literal,        // a text of the query that the question does not have
  number,         // a number of the query that the question does not have
  quotation,      // a quotation of the question that the query does not use
  count,          // a number of the question that the query does not use
  value,          // a value of the data that the question names, and the query does not use
  elsewhere,      // a value compared with a column that does not hold it, while another one does
  letter_case,    // a value in other letters than the data have it
  average_asked,  // cues of the question without their operator
  extreme_asked,
  order_asked,
  direction_asked,
  negation_asked,
  range_asked,
  both_asked,
  bound_asked,    // "at least 3" is >= 3
  average_given,  // operators of the query without a cue
  extreme_given,
  sum_given,
  count_given,
  limit_given,
  negation_given,
  both_given,
  range_given,
  answer_type,    // who, how many
  column_unused,  // a column that the question names, and the query does not use
  table_unused,
  select_unlicensed,  // a selected column that nothing in the question asks for
  nothing_shared,     // no word of the question names anything that the query uses
};
inline constexpr std::size_t grounding_rules = static_cast<std::size_t>(GroundingRule::nothing_shared) + 1;

// "task", "literal", ...
std::string_view rule_name(GroundingRule rule);

struct Violation {
  GroundingRule rule = GroundingRule::task;
  std::string detail{};  // for people: "'France' is not in singer.name, but in singer.country"
};

// A value that the query compares with a column which does not hold it, but one that is spelt similarly. It is no rule:
// a model that was trained on the rules (error_detector.hpp) does not know it.
struct MisspeltValue {
  std::string detail{};      // "no value 'Frnace' in singer.country; the nearest is 'France'"
  std::string suggestion{};  // "did you mean 'France' (singer.country)?"
};

struct Grounding {
  std::vector<Violation> violations{};
  std::vector<MisspeltValue> misspelt{};
  std::vector<std::string> without_role{};     // content words of the question for which the query has no place
  std::vector<std::string> without_licence{};  // columns of the query that the question does not name
};

// The grounding of `query`, resolved by `resolution`, in `question`. `knowledge` is of the same database. `evidence`,
// what was given with the question, may license literals, and asks for nothing.
Grounding ground(std::string_view question, const ast::Query& query, const Resolution& resolution,
                 const Knowledge& knowledge, std::string_view evidence = {});

// The same with the question read and linked to `domain` already, of which the leaves are too. It may have roles
// (Domain::with_roles()) that the domain of `values` lacks.
Grounding ground(const Question& question, const Linking& linking, const QueryLeaves& leaves, const Domain& domain,
                 const ValueIndex& values, std::string_view evidence = {});

}  // namespace trustsql::semparse
