// Analogies between templates: if examples show both "how many patients had procedure X" and "... diagnosis X", the
// queries differ in a few names; what the difference does to one template it may do to another (transfer by schema
// analogy).
//
// A rule is a difference between two templates: names that are replaced wherever they stand, or one piece that is
// replaced, put in or left out between two tokens. Rules know nothing of SQL or of a schema; a template that a rule
// makes is only a candidate, whose names must have been seen together.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "semparse/examples/query_template.hpp"

namespace trustsql::semparse {

struct TemplateRule {
  // The keys of tokens and what stands in their place; empty for a rule about a piece.
  std::vector<std::pair<std::uint64_t, TemplateToken>> renaming{};
  // The piece: the keys before it, of it, and after it, and what replaces it. 0: the begin or end of the query.
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  std::vector<std::uint64_t> removed{};
  std::vector<TemplateToken> inserted{};
  std::size_t support = 0;                                   // pairs of templates that show it
  std::vector<std::pair<std::size_t, std::size_t>> pairs{};  // some of them: indexes of templates
};

// The names that stand together in queries: "table.column".
using NamePairs = std::set<std::pair<std::uint64_t, std::uint64_t>>;
void add_name_pairs(const QueryTemplate& query, NamePairs& pairs);

// The rules that at least `min_support` pairs of `templates` show, the best supported first, `max_rules` at most.
std::vector<TemplateRule> find_rules(const std::vector<const QueryTemplate*>& templates, std::size_t min_support,
                                     std::size_t max_rules);

// `query` changed by `rule`; nullopt if the rule does not apply, or two names stand together that do so nowhere in
// `pairs`.
std::optional<QueryTemplate> apply_rule(const TemplateRule& rule, const QueryTemplate& query, const NamePairs& pairs);

// Fills in the columns of the template's slots, after a rule has changed its names.
void find_slot_columns(QueryTemplate& query);

}  // namespace trustsql::semparse
