// Samples queries of forms that people ask for, for questions that are made (synthesis.hpp).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "base/result.hpp"
#include "db/sandbox/sandbox.hpp"
#include "semparse/database/domain.hpp"
#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

enum class QueryForm : std::uint8_t {
  list,         // columns of rows
  count,        // of rows
  aggregate,    // of a column
  extreme,      // the row with the highest or lowest value
  top,          // the first few of these
  sorted,       // columns of all rows, in an order
  group_count,  // rows for each value of a column
  group_average,
  popular,       // values that more than so many rows have
  most_related,  // the row with the most rows of another table
  unrelated,     // rows without any of another table
  above_average,
  count_values,  // different values of a column
};
inline constexpr std::size_t query_forms = static_cast<std::size_t>(QueryForm::count_values) + 1;

struct SampledQuery {
  QueryForm form = QueryForm::list;
  Tree tree{};
  TableId table = nothing;    // that the question is about
  TableId related = nothing;  // of most_related and unrelated
};

class TreeSampler {
 public:
  // All must outlive this object. `sandbox` is of the database of `domain`.
  TreeSampler(const Domain& domain, Sandbox& sandbox, Random& random)
      : domain_(domain), sandbox_(sandbox), random_(random) {}

  // Finds the tables that have rows. False if there are none with a column that questions can be about. Errors:
  // interrupted, out_of_memory.
  Result<bool> prepare();

  // A query; nullopt if the form that was drawn does not fit the table that was drawn. Errors: as prepare().
  Result<std::optional<SampledQuery>> sample();

  // A table with rows, and one of its columns that questions can be about. Precondition: prepare() returned true.
  ColumnId any_column();

 private:
  struct Usable {
    TableId table = nothing;
    std::size_t rows = 0;
    std::vector<ColumnId> shown{};    // that questions can be about: no keys
    std::vector<ColumnId> texts{};    // of these
    std::vector<ColumnId> numbers{};  // of these
  };

  ColumnId pick(const std::vector<ColumnId>& columns) { return columns[random_.below(columns.size())]; }
  // The column that names a row to people, if it is among those shown; else any.
  ColumnId shown_first(const Usable& usable);
  const Usable* usable(TableId table) const;
  // An edge whose parent is `table` and whose child table has rows.
  const JoinEdge* edge_to(TableId table);

  // Distinct values of a column, sorted.
  Result<const std::vector<Value>*> values_of(ColumnId column);
  // Whether the values of a column repeat, so that they make groups. Errors: as prepare().
  Result<bool> makes_groups(const Usable& usable, ColumnId column);
  bool has_word(ColumnId column, std::span<const std::string_view> words) const;
  Result<std::optional<Condition>> condition_on(ColumnId column);
  // Adds up to `most` conditions on columns of the table, or of one that it refers to.
  Status add_conditions(const Usable& usable, std::size_t most, Block& block);

  const Domain& domain_;
  Sandbox& sandbox_;
  Random& random_;
  std::vector<Usable> usable_{};
  std::map<ColumnId, std::vector<Value>> values_{};
};

}  // namespace trustsql::semparse
