#include "plan/rel.hpp"

#include <algorithm>

#include "sql/ast_walk.hpp"

namespace trustsql::plan {

TRUSTSQL_DEFINE_VALUE(Rel)

bool Aggregate::has_bare_columns() const {
  return std::any_of(calls.begin(), calls.end(), [](const AggregateCall& call) { return call.is_bare(); });
}

namespace {

void append_outputs(const Rel& rel, std::vector<AttributeId>& ids) {
  const auto append = [&](const auto& list) { ids.insert(ids.end(), list.begin(), list.end()); };
  const auto append_ids_of = [&](const auto& list) {
    for (const auto& element : list) ids.push_back(element.id);
  };
  std::visit(ast::Overloaded{
                 [&](const Scan& n) { append_ids_of(n.columns); },
                 [&](const TableFunction& n) { append_ids_of(n.columns); },
                 [&](const Values& n) { append(n.ids); },
                 [&](const Filter& n) { append_outputs(*n.input, ids); },
                 [&](const Project& n) { append_ids_of(n.items); },
                 [&](const Join& n) {
                   append_outputs(*n.left, ids);
                   if (n.type != JoinType::semi && n.type != JoinType::anti) append_outputs(*n.right, ids);
                 },
                 [&](const Apply& n) {
                   append_outputs(*n.left, ids);
                   if (n.type != ApplyType::semi && n.type != ApplyType::anti) append_outputs(*n.right, ids);
                 },
                 [&](const Aggregate& n) {
                   append_ids_of(n.keys);
                   append_ids_of(n.calls);
                 },
                 [&](const Window& n) {
                   append_outputs(*n.input, ids);
                   append_ids_of(n.calls);
                 },
                 [&](const Distinct& n) { append_outputs(*n.input, ids); },
                 [&](const Sort& n) { append_outputs(*n.input, ids); },
                 [&](const Limit& n) { append_outputs(*n.input, ids); },
                 [&](const SetOp& n) { append(n.ids); },
                 [&](const Derived& n) { append_outputs(*n.input, ids); },
                 [&](const Recursive& n) { append(n.ids); },
                 [&](const RecursiveRef& n) { append(n.ids); },
             },
             rel.node);
}

}  // namespace

std::vector<AttributeId> outputs(const Rel& rel) {
  std::vector<AttributeId> ids;
  append_outputs(rel, ids);
  return ids;
}

AttributeSet output_set(const Rel& rel) { return AttributeSet::of(outputs(rel)); }

}  // namespace trustsql::plan
