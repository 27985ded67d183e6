#include "unit/equiv/families/edits.hpp"

namespace trustsql::families {

Edit::Edit(Node& root, QueryMaker& maker) : root(root), maker(maker), picker(maker.picker()) {
  visit_scoped(root, maker, {}, [&](Node& node, const Scope& scope) { places.push_back({&node, scope}); });
}

bool Edit::apply(Node& root, QueryMaker& maker) {
  auto& picker = maker.picker();
  for (int attempt = 0; attempt < 12; ++attempt) {
    Edit edit(root, maker);
    const auto kinds = {expression_edits(), membership_edits(), membership_edits(), query_edits(), join_edits()};
    if (picker.of(picker.of(kinds))(edit)) return true;
  }
  return false;
}

bool is_predicate(const Node& node) {
  switch (node.kind) {
    case Kind::postfix:
    case Kind::between:
    case Kind::in_list:
    case Kind::in_query:
    case Kind::exists: return true;
    case Kind::prefix: return node.text == "NOT";
    case Kind::binary: return node.text.find_first_of("+-*|/%") == std::string::npos;
    default: return false;
  }
}

bool is_plain(const Node& query) {
  if (!query.is(Kind::select) || !query.text.empty()) return false;
  if (!query[Part::group].parts.empty() || !query[Part::having].is(Kind::none) || !query[Part::limit].is(Kind::none))
    return false;
  for (const auto& item : query[Part::items].parts) {
    bool aggregates = false;
    visit(item,
          [&](const Node& node) { aggregates = aggregates || node.is(Kind::aggregate) || node.is(Kind::window); });
    if (aggregates) return false;
  }
  return true;
}

Node derived_of(Node query, QueryMaker& maker) {
  Node node = make(Kind::derived, {}, {std::move(query)});
  node.alias = maker.alias();
  return node;
}

std::vector<Node> columns_of_derived(const Node& derived) {
  std::vector<Node> columns;
  for (std::size_t i = 1; i <= width(derived.parts[0]); ++i)
    columns.push_back(column_of(derived.alias, "c" + std::to_string(i)));
  return columns;
}

}  // namespace trustsql::families
