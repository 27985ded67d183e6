// JSON in replies: models wrap it in prose and code fences, and write lists where an object was asked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trustsql::nl2sql {

// The first JSON array in `reply` whose elements are texts; others in it are left out. nullopt if there is none.
std::optional<std::vector<std::string>> text_list_in(std::string_view reply);

// The first JSON object in `reply`, its members in their order, each a list of texts (a text alone counts as a list of
// one; other values are left out). nullopt if there is none.
using TextLists = std::vector<std::pair<std::string, std::vector<std::string>>>;
std::optional<TextLists> text_lists_in(std::string_view reply);

}  // namespace trustsql::nl2sql
