#include "equiv/refuter/value_origins.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/query_plan.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// Longer chains of projections and operands are not followed.
constexpr int deepest = 40;

constexpr std::array<std::string_view, 18> functions_of_documents = {
    "json",          "json_array_length", "json_extract", "json_insert",  "json_patch",    "json_pretty",
    "json_remove",   "json_replace",      "json_set",     "json_type",    "json_valid",    "jsonb",
    "jsonb_extract", "jsonb_insert",      "jsonb_patch",  "jsonb_remove", "jsonb_replace", "jsonb_set"};
constexpr std::array<std::string_view, 4> functions_of_one_path = {"json_array_length", "json_extract", "json_type",
                                                                   "jsonb_extract"};

bool is_one_of(std::string_view name, auto names) { return std::ranges::find(names, name) != names.end(); }

JsonPath path_of(const Expr& expr) {
  const auto* text = literal_as<std::string>(expr);
  return text == nullptr ? JsonPath() : parse_json_path(*text).value_or(JsonPath());
}

}  // namespace

std::optional<JsonAccess> json_access(const Expr& expr) {
  if (const auto* n = expr.as<Binary>()) {
    if (n->op != ast::BinaryOp::arrow && n->op != ast::BinaryOp::double_arrow) return std::nullopt;
    const auto* operand = literal_value(*n->right);
    return JsonAccess{&*n->left, operand == nullptr ? JsonPath() : json_operand_path(*operand).value_or(JsonPath())};
  }
  const auto* n = expr.as<Function>();
  if (n == nullptr || n->arguments.empty() || !is_one_of(n->name, functions_of_documents)) return std::nullopt;
  const bool has_path = n->arguments.size() == 2 && is_one_of(n->name, functions_of_one_path);
  return JsonAccess{&n->arguments.front(), has_path ? path_of(n->arguments[1]) : JsonPath()};
}

std::optional<JsonAccess> json_access(const TableFunction& function) {
  if (function.arguments.empty() ||
      (!equals_ignore_case(function.name, "json_each") && !equals_ignore_case(function.name, "json_tree")))
    return std::nullopt;
  const bool has_path = function.arguments.size() > 1;
  return JsonAccess{&function.arguments.front(), has_path ? path_of(function.arguments[1]) : JsonPath()};
}

ColumnOrigins::ColumnOrigins(const Plan& plan, const DataModel& model) : plan_(plan), model_(model) { note(plan.root); }

void ColumnOrigins::note(const Rel& rel) {
  for_each_rel(rel, [&](const Rel& input) { note(input); });
  for_each_expr(rel, [&](const Expr& expr) { note(expr); });
  const auto define = [&](AttributeId id, const Expr& expr) {
    const auto* column = column_id(expr);
    if (column == nullptr || *column != id) definitions_.emplace(id, &expr);
  };
  if (const auto* n = rel.as<Project>()) {
    for (const auto& item : n->items) define(item.id, item.expr);
  } else if (const auto* m = rel.as<Aggregate>()) {
    for (const auto& key : m->keys) define(key.id, key.expr);
    for (const auto& call : m->calls) {
      if (!call.arguments.empty() && call.name != "count") define(call.id, call.arguments.front());
    }
  } else if (const auto* w = rel.as<Window>()) {
    for (const auto& call : w->calls) {
      if (!call.arguments.empty() && call.name != "count" && call.name != "ntile")
        define(call.id, call.arguments.front());
    }
  } else if (const auto* s = rel.as<SetOp>()) {
    const auto first = outputs(s->inputs.front());
    for (std::size_t i = 0; i < std::min(first.size(), s->ids.size()); ++i) first_branch_.emplace(s->ids[i], first[i]);
  } else if (const auto* r = rel.as<Recursive>()) {
    const auto first = outputs(*r->seed);
    for (std::size_t i = 0; i < std::min(first.size(), r->ids.size()); ++i) first_branch_.emplace(r->ids[i], first[i]);
  } else if (const auto* f = rel.as<TableFunction>()) {
    const auto access = json_access(*f);
    if (!access || f->table == nullptr) return;
    for (const auto& column : f->columns) {
      const bool is_key =
          column.position >= 0 && f->table->columns[static_cast<std::size_t>(column.position)].name == "key";
      members_.emplace(column.id, Member{*access, is_key});
    }
  }
}

void ColumnOrigins::note(const Expr& expr) {
  for_each_expr(expr, [&](const Expr& operand) { note(operand); });
  for_each_rel(expr, [&](const Rel& rel) { note(rel); });
}

std::optional<ColumnOrigins::Origin> ColumnOrigins::of(AttributeId id, int depth) const {
  if (depth > deepest) return std::nullopt;
  // Computed once: definitions may use one column many times.
  if (const auto known = known_.find(id); known != known_.end()) return known->second;
  auto origin = find(id, depth);
  known_.emplace(id, origin);
  return origin;
}

std::optional<ColumnOrigins::Origin> ColumnOrigins::find(AttributeId id, int depth) const {
  if (const auto member = members_.find(id); member != members_.end()) {
    auto origin = of_part(member->second.access, depth);
    if (!origin) return std::nullopt;
    origin->part->is_key = member->second.is_key;
    if (!origin->part->is_key) origin->part->path.push_back(JsonStep::to_element(0));
    return origin;
  }
  const auto& attribute = plan_.attributes[id];
  if (attribute.table != nullptr && attribute.position >= 0) {
    for (std::size_t t = 0; t < model_.tables.size(); ++t) {
      const auto& table = *model_.tables[t].table;
      if (attribute.table != &table && (attribute.table->name != table.name || attribute.table->schema != table.schema))
        continue;
      const int place = model_.tables[t].place_of(attribute.position);
      if (place >= 0) return Origin{t, static_cast<std::size_t>(place)};
      for (const auto& [position, origin] : model_.tables[t].generated) {
        if (position == attribute.position) return origin;
      }
    }
    return std::nullopt;
  }
  const auto definition = definitions_.find(id);
  if (definition != definitions_.end()) return of(*definition->second, depth + 1);
  const auto branch = first_branch_.find(id);
  if (branch != first_branch_.end()) return of(branch->second, depth + 1);
  return std::nullopt;
}

std::optional<ColumnOrigins::Origin> ColumnOrigins::of_part(const JsonAccess& access, int depth) const {
  auto origin = of(*access.document, depth + 1);
  if (!origin) return std::nullopt;
  if (!origin->part) origin->part.emplace();
  auto& path = origin->part->path;
  path.insert(path.end(), access.path.begin(), access.path.end());
  return origin;
}

std::optional<ColumnOrigins::Origin> ColumnOrigins::of(const Expr& expr, int depth) const {
  if (depth > deepest) return std::nullopt;
  if (const auto access = json_access(expr)) return of_part(*access, depth);
  if (const auto* id = column_id(expr)) return of(*id, depth + 1);
  if (const auto* subquery = expr.as<ScalarSubquery>()) {
    const auto ids = outputs(*subquery->rel);
    return ids.empty() ? std::nullopt : of(ids.front(), depth + 1);
  }
  std::optional<Origin> origin;
  for_each_expr(expr, [&](const Expr& operand) {
    if (!origin) origin = of(operand, depth + 1);
  });
  return origin;
}

std::string query_of_declarations(const trustsql::Table& table, bool with_checks) {
  std::string columns;
  const auto add = [&](const std::string& expression) {
    columns += (columns.empty() ? "(" : ", (") + expression + "\n)";
  };
  for (const auto& column : table.columns) {
    if (column.generated != trustsql::Column::Generated::no) add(column.generated_expression);
  }
  for (const auto& check : table.checks) {
    if (with_checks) add(check.expression);
  }
  if (columns.empty()) return {};
  return "SELECT " + columns + " FROM " + quote_identifier(table.schema) + "." + quote_identifier(table.name);
}

void trace_generated_columns(DataModel& model, const Catalog& catalog) {
  for (auto& table : model.tables) {
    const auto sql = query_of_declarations(*table.table, false);
    if (sql.empty()) continue;
    const auto plan = plan_query(sql, catalog);
    if (!plan.ok()) continue;
    const ColumnOrigins origins(*plan, model);
    const auto ids = outputs(plan->root);
    std::size_t i = 0;
    for (std::size_t position = 0; position < table.table->columns.size() && i < ids.size(); ++position) {
      if (table.table->columns[position].generated == trustsql::Column::Generated::no) continue;
      if (auto origin = origins.of(ids[i++]))
        table.generated.emplace_back(static_cast<int>(position), *std::move(origin));
    }
  }
}

}  // namespace trustsql::equiv
