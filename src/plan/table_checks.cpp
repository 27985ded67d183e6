#include "plan/table_checks.hpp"

#include "base/text.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

TableChecks::TableChecks(const Table& table, const std::optional<Assume>& assume, std::function<bool()> stop) {
  if (table.checks.empty() || table.kind != Table::Kind::table) return;
  catalog_ = Catalog({{.name = table.schema}}, {table});
  const auto from = ") FROM " + quote_identifier(table.schema) + "." + quote_identifier(table.name);
  for (const auto& check : table.checks) {
    // The line break ends a comment.
    auto planned = plan_query("SELECT (" + check.expression + "\n" + from, catalog_);
    if (!planned.ok()) continue;
    Plan plan = *std::move(planned);
    std::vector<Assumption> assumptions;
    if (assume) {
      auto normalised = normalise(plan, {.assume = *assume, .stop = stop});
      plan = std::move(normalised.plan);
      assumptions = std::move(normalised.assumptions);
    }
    const auto* project = plan.root.as<Project>();
    if (project == nullptr || project->items.size() != 1 || !project->input->is<Scan>()) continue;
    TableCheck own{check.expression, project->items.front().expr, {}, std::move(assumptions)};
    if (has_subquery(own.condition)) continue;
    references(own.condition).for_each([&](AttributeId id) {
      own.columns.emplace_back(id, plan.attributes[id].position);
    });
    checks_.push_back(std::move(own));
    plans_.push_back(std::move(plan));
  }
}

}  // namespace trustsql::plan
