#include "equiv/checker/check_facts.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "plan/builder.hpp"
#include "plan/walk.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

bool has_fixed_value(std::string_view function) {
  for (const char* known : {"abs", "length", "lower", "upper", "trim", "substr", "instr", "coalesce", "ifnull", "date",
                            "time", "datetime"}) {
    if (function == known) return true;
  }
  return false;
}

}  // namespace

std::optional<Expr> CheckFacts::read(const trustsql::Table& table, const std::string& text,
                                     FunctionRef<std::optional<AttributeId>(int)> column_at) {
  const bool is_declared = std::any_of(table.checks.begin(), table.checks.end(),
                                       [&](const trustsql::Check& check) { return check.expression == text; });
  if (!is_declared || table.kind != Table::Kind::table) return std::nullopt;
  auto& source = sources_.emplace_back(Source{Catalog({{.name = table.schema}}, {table}), Plan()});
  const auto query = parse_query("SELECT 1 FROM " + quote_identifier(table.name) + " WHERE (" + text + "\n)");
  if (!query.ok()) return std::nullopt;
  const auto resolution = resolve(*query, source.catalog);
  if (!resolution.ok()) return std::nullopt;
  auto planned = build_plan(*resolution);
  if (!planned.ok()) return std::nullopt;
  source.plan = *std::move(planned);
  const auto* project = source.plan.root.as<Project>();
  const auto* filter = project != nullptr ? project->input->as<Filter>() : nullptr;
  if (filter == nullptr || !filter->input->is<Scan>()) return std::nullopt;
  Expr all{And{filter->conjuncts}};
  if (has_subquery(all)) return std::nullopt;
  bool usable = true;
  walk(all, [&](const Function& function) {
    usable = usable && function.info != nullptr && function.info->deterministic && has_fixed_value(function.name);
  });
  std::vector<std::pair<AttributeId, Expr>> columns;
  references(all).for_each([&](AttributeId id) {
    const int position = source.plan.attributes[id].position;
    const auto own = position < 0 ? std::nullopt : column_at(position);
    usable =
        usable && own && table.columns[static_cast<std::size_t>(position)].generated == trustsql::Column::Generated::no;
    if (own) columns.emplace_back(id, column(*own));
  });
  if (!usable || columns.empty()) return std::nullopt;
  substitute(all, [&](AttributeId id) -> const Expr* {
    const auto own = std::find_if(columns.begin(), columns.end(), [&](const auto& each) { return each.first == id; });
    return own == columns.end() ? nullptr : &own->second;
  });
  return Expr{Or{{all, is_null(all)}}};
}

}  // namespace trustsql::equiv::checker
