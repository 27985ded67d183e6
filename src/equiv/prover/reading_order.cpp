#include "equiv/prover/reading_order.hpp"

#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

void add_order(const Rel& rel, std::string& order) {
  const bool keeps_order = rel.is<Filter>() || rel.is<Project>() || rel.is<Derived>() || rel.is<Sort>();
  if (!keeps_order) {
    order += " " + std::to_string(rel.node.index());
    if (const auto* scan = rel.as<Scan>()) order.append(scan->schema).append(".").append(scan->name);
    if (const auto* function = rel.as<TableFunction>()) order += function->name;
    if (const auto* join = rel.as<Join>()) order += ":" + std::to_string(static_cast<int>(join->type));
    if (const auto* apply = rel.as<Apply>()) order += ":" + std::to_string(static_cast<int>(apply->type));
    order += "(";
  }
  for_each_rel(rel, [&](const Rel& input) { add_order(input, order); });
  if (!keeps_order) order += ")";
}

}  // namespace

std::string reading_order(const Plan& plan) {
  std::string order;
  add_order(plan.root, order);
  return order;
}

}  // namespace trustsql::equiv
