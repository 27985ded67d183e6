// The words of infeasible questions that are made (synthesis.hpp): attributes that things of a kind often have, and
// requests that no query answers. General English, kept as data.
#pragma once

#include <span>
#include <string_view>

namespace trustsql::semparse {

// A kind of thing: nouns that name it, and attributes that it often has.
struct EntityKind {
  std::span<const std::string_view> nouns;    // in the singular
  std::span<const std::string_view> numbers;  // attributes that are numbers
  std::span<const std::string_view> texts;    // other attributes
};
std::span<const EntityKind> entity_kinds();

// Requests in which {nouns}, {noun} and {column} stand for a table's rows, one of them, and one of their columns.
std::span<const std::string_view> task_requests();
std::span<const std::string_view> knowledge_requests();

}  // namespace trustsql::semparse
