// A plan: the tree of relational operators of a query, and the properties of its attributes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plan/rel.hpp"
#include "sql/expr_type.hpp"

namespace trustsql::plan {

// Texts that the nodes of a plan point to: names from the query, which the plan outlives. A copy shares the texts that
// existed when it was made; texts added later are not shared.
class TextPool {
 public:
  TextPool() = default;
  TextPool(TextPool&&) noexcept = default;
  TextPool& operator=(TextPool&&) noexcept = default;
  TextPool(const TextPool& other) : blocks_(other.blocks_) {}
  TextPool& operator=(const TextPool& other);

  // A copy of `text` that lives as long as this pool or any copy of it made from now on.
  std::string_view keep(std::string_view text);

 private:
  std::vector<std::shared_ptr<char[]>> blocks_;
  char* free_ = nullptr;
  std::size_t left_ = 0;
};

struct Attribute {
  std::string_view name{};             // for display; not unique
  TypeSet types = types::any;          // the types that it can have (an upper bound), not counting NULLs of outer joins
  Affinity affinity = Affinity::none;  // its affinity as a column
  // Whether it is open how it compares as a column: it is one of VALUES whose rows differ in affinity, or of a view
  // over a compound query whose parts differ in collation.
  bool is_open = false;
  std::string_view collation = binary_collation;  // its collation as a column
  // An affinity that changes none of its values. For a table column it is the column's own, since SQLite applied it
  // when it stored the values. numeric: no text that looks like a number; integer: in addition, no real that is an
  // integer but -2^63; real: no -0.0, which it turns into 0.0; text: no numbers.
  Affinity storage = Affinity::none;
  // Whether the query may tell the integer -2^63 and the equal real apart, if it has both (smallest_integer.hpp).
  bool smallest_matters = false;
  const Table* table = nullptr;  // for a table column: its table
  int position = -1;             // in `table`; -1: the rowid, or not a table column
  std::uint64_t shape =
      0;  // for a computed attribute: the shape of its expression (shape.hpp), once it has been computed
};

// Refers only to the catalog that it was built with, which must outlive it.
struct Plan {
  Rel root{};
  std::vector<std::string_view> names{};  // of the result's columns, one for each output of `root`
  std::vector<Attribute> attributes{};    // by id
  TextPool texts{};
  int recursions = 0;             // numbers given to Recursive nodes so far
  bool tables_have_rows = false;  // whether every table may be assumed to have a row
  bool is_utf16 = false;          // of the database (Catalog::is_utf16())
  // What SQLite gets wrong (sqlite_bugs.cpp), and a plan does not show: the rowid of a subquery in FROM or a view;
  // USING with a column that is declared NOT NULL and that an outer join fills with NULLs; names that SQLite
  // understands otherwise (Resolution::has_doubtful_names()).
  bool reads_rowid_of_subquery = false;
  bool joins_filled_column_by_using = false;
  bool has_doubtful_names = false;

  AttributeId add_attribute(Attribute attribute) {
    attributes.push_back(attribute);
    return static_cast<AttributeId>(attributes.size() - 1);
  }
  // A new attribute that is like `id`.
  AttributeId add_attribute_like(AttributeId id) { return add_attribute(Attribute(attributes[id])); }
};

// Whether the trees are equal, including the numbers of their attributes; normalisation numbers equal trees alike.
inline bool same_tree(const Plan& a, const Plan& b) { return a.root == b.root; }

}  // namespace trustsql::plan
