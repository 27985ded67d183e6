// FromExpander: which columns USING and NATURAL equate.

#include <algorithm>

#include "base/text.hpp"
#include "sql/folding.hpp"
#include "sql/resolver/from_expander.hpp"

namespace trustsql::resolver {

// Processes the items in order; a NATURAL join is a USING of all columns of its right side, except hidden ones, that
// the left side has.
bool FromExpander::joins(FromList& list) {
  for (std::size_t right = 1; right < list.entries.size(); ++right) {
    FromEntry& entry = list.entries[right];
    if (entry.natural) {
      for (std::size_t column = 0; column < entry.column_count(); ++column) {
        const auto name = entry.column_name(column);
        if (!entry.is_hidden(column) && find_column(list, 0, right, name, true)) entry.using_names.push_back(name);
      }
    } else {
      for (const auto& name : entry.item->using_columns) entry.using_names.push_back(name.text);
    }
    for (const auto name : entry.using_names) {
      if (!join_pair(list, right, name)) return false;
    }
    if (context_.failed()) return false;
  }
  return true;
}

// Whether WHERE or the ON of an inner join is 0, so that the conjunction of all conditions is.
bool FromExpander::conditions_fold(const FromList& list, const ast::Expr* where) const {
  if (context_.options.version >= 3'042'000) return false;
  if (where != nullptr && is_parsed_as_false(*where)) return true;
  return std::any_of(list.entries.begin(), list.entries.end(), [](const FromEntry& entry) {
    return entry.item->on && !entry.left && !entry.right && is_parsed_as_false(*entry.item->on);
  });
}

bool FromExpander::join_pair(FromList& list, std::size_t right, std::string_view name) {
  const FromEntry& entry = list.entries[right];
  const int right_column = entry.find_column(name);
  auto left = find_column(list, 0, right, name, entry.natural);
  if (right_column < 0 || !left) {
    return context_.fail(
        {.kind = Diagnosis::Kind::columns,
         .message = "cannot join using column " + std::string(name) + " - column not present in both tables",
         .span = entry.item->span,
         .name = std::string(name)});
  }
  UsingPair pair{.name = name, .left = {*left}, .right = {right, right_column}};
  // With a RIGHT or FULL JOIN, the left side is the first value that is not NULL among all columns that USING has
  // joined before. From 3.50 on SQLite looks no further after an error.
  const bool looks = list.has_right_join && (context_.options.version < 3'050'000 || !context_.failed());
  while (looks && (left = find_column(list, left->entry + 1, right, name, entry.natural))) {
    if (!list.entries[left->entry].joins_using(name)) {
      context_.fail({.kind = Diagnosis::Kind::ambiguous_column,
                     .message = "ambiguous reference to " + std::string(name) + " in USING()",
                     .span = entry.item->span,
                     .name = std::string(name)});
      break;
    }
    pair.left.push_back(*left);
  }
  list.pairs.push_back(std::move(pair));
  return true;
}

// The first column `name` of the entries [begin, end).
std::optional<ColumnPlace> FromExpander::find_column(const FromList& list, std::size_t begin, std::size_t end,
                                                     std::string_view name, bool skip_hidden) {
  for (std::size_t i = begin; i < end; ++i) {
    const int column = list.entries[i].find_column(name);
    if (column < 0 || (skip_hidden && list.entries[i].is_hidden(static_cast<std::size_t>(column)))) continue;
    return ColumnPlace{i, column};
  }
  return std::nullopt;
}

}  // namespace trustsql::resolver
