// A plan: the tree of relational operators of a query, and what is known of its attributes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plan/rel.hpp"
#include "sql/expr_type.hpp"

namespace trustsql::plan {

// Texts that the nodes of a plan point to: names from the query, which the plan outlives. Copies share the texts that
// were there, and grow apart.
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
  std::string_view name{};                        // for people to read; not unique
  TypeSet types = types::any;                     // an upper bound of what it can be, NULLs of outer joins aside
  Affinity affinity = Affinity::none;             // that it has as a column
  std::string_view collation = binary_collation;  // that it has as a column
  // An affinity that changes none of its values: of a column of a table its own, since SQLite applied it when it stored
  // them. numeric: no text that looks like a number; integer: besides, no real that is an integer; text: no numbers.
  Affinity storage = Affinity::none;
  const Table* table = nullptr;  // of a table's column: where it comes from
  int position = -1;             // in `table`; -1: the rowid, or no column of a table
  std::uint64_t shape = 0;       // of a computed one: of its expression (shape.hpp), once that has been determined
};

// Refers to the catalog that it was built with, which must outlive it, and to nothing else.
struct Plan {
  Rel root{};
  std::vector<std::string_view> names{};  // of the result's columns, one for each output of `root`
  std::vector<Attribute> attributes{};    // by id
  TextPool texts{};
  int recursions = 0;             // numbers given to Recursive nodes so far
  bool tables_have_rows = false;  // may be taken for granted of every table

  AttributeId add_attribute(Attribute attribute) {
    attributes.push_back(attribute);
    return static_cast<AttributeId>(attributes.size() - 1);
  }
  // A new attribute that is like `id`.
  AttributeId add_attribute_like(AttributeId id) { return add_attribute(Attribute(attributes[id])); }
};

// The tree, with the attributes' numbers as they are; after normalisation equal trees have equal numbers.
inline bool same_tree(const Plan& a, const Plan& b) { return a.root == b.root; }

}  // namespace trustsql::plan
