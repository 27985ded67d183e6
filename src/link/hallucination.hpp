// Hallucinated schemas: schemas that could answer a question, invented without seeing the database (CRUSH4SQL, 3.1),
// and their probes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trustsql::link {

// A hallucinated element, "t.c". For a column without a table, or a table without columns, the other member is empty.
struct Probe {
  std::string table;
  std::string column;

  std::string text() const { return table.empty() ? column : column.empty() ? table : table + "." + column; }
  friend bool operator==(const Probe&, const Probe&) = default;
};

// The maximum number of probes; further ones are dropped.
inline constexpr std::size_t max_probes = 128;

// The probes in texts such as "Club(name, id)", one relation each: "Club.name", "Club.id". A text without parentheses
// is a variable or a relation in words ("Age of club members") and becomes one probe. Each probe once, in order.
std::vector<Probe> probes_of(const std::vector<std::string>& relations);

// Extracts the relations from a model's reply in any form: a JSON array of texts, prose, or lines with bullets; commas
// within parentheses belong to a relation. Empty if there are none.
std::vector<std::string> relations_in_reply(std::string_view reply);

// The relations of a JSON array of texts (`["Club(name, id)"]`); nullopt if it is not such an array.
std::optional<std::vector<std::string>> relations_from_json(std::string_view json);
std::string relations_to_json(const std::vector<std::string>& relations);

}  // namespace trustsql::link
