// Random edits after which a query looks the same: some keep its meaning, most nearly do.
#pragma once

#include <span>
#include <vector>

#include "unit/equiv/families/query_maker.hpp"

namespace trustsql::families {

// A place in a query, and what is visible there.
struct Place {
  Node* node = nullptr;
  Scope scope{};
};

class Edit {
 public:
  Edit(Node& root, QueryMaker& maker);

  // Makes one random edit of `root`; false if none of those that were tried fits. The result may be wrong SQL.
  static bool apply(Node& root, QueryMaker& maker);

  Node& root;
  QueryMaker& maker;
  Picker& picker;
  std::vector<Place> places;

  // A random place whose node satisfies `test`; nullptr if there is none.
  template <class Test>
  Place* find(const Test& test) {
    std::vector<Place*> fitting;
    for (auto& place : places) {
      if (test(*place.node)) fitting.push_back(&place);
    }
    return fitting.empty() ? nullptr : picker.of(fitting);
  }
  Place* find(Kind kind) {
    return find([&](const Node& node) { return node.is(kind); });
  }
};

// Edits by what they change; each returns whether it fitted.
using EditFunction = bool (*)(Edit& edit);
std::span<const EditFunction> expression_edits();
std::span<const EditFunction> membership_edits();
std::span<const EditFunction> query_edits();
std::span<const EditFunction> join_edits();

// Whether it has a truth value by its form.
bool is_predicate(const Node& node);
// Whether a SELECT is without grouping, aggregates, LIMIT and DISTINCT, so that conditions can be added to its WHERE.
bool is_plain(const Node& query);
// (query) AS a FROM item.
Node derived_of(Node query, QueryMaker& maker);
// SELECT c1, c2 ... of a derived table.
std::vector<Node> columns_of_derived(const Node& derived);

}  // namespace trustsql::families
