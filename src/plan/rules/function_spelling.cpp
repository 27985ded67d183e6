#include "plan/rules/function_spelling.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

// The first name of the types with this affinity (https://sqlite.org/datatype3.html, section 3.1).
std::string_view type_of(Affinity affinity) {
  switch (affinity) {
    case Affinity::integer: return "INTEGER";
    case Affinity::text: return "TEXT";
    case Affinity::real: return "REAL";
    case Affinity::blob: return "BLOB";
    default: return "NUMERIC";
  }
}

bool respell(Expr& expr, const ExprSite&, RuleContext&) {
  if (auto* cast = expr.as<Cast>()) {
    const auto type = type_of(cast->affinity);
    if (cast->type == type) return false;
    cast->type = type;
    return true;
  }
  auto* n = expr.as<Function>();
  if (n->info == nullptr) return false;
  const auto rename_to = [&](std::string_view name) {
    const auto* info = FunctionTable::latest().find(name, static_cast<int>(n->arguments.size()));
    if (info == nullptr) return false;
    n->name = info->name;
    n->info = info;
    return true;
  };
  if (n->name == "ifnull") return rename_to("coalesce");
  if (n->name == "substring") return rename_to("substr");
  // format() was added in SQLite 3.38; printf() is always available.
  if (n->name == "format") return rename_to("printf");
  if ((n->name == "upper" || n->name == "lower") && n->arguments.size() == 1) {
    auto* inner = n->arguments.front().as<Function>();
    if (inner == nullptr || inner->info == nullptr || (inner->name != "upper" && inner->name != "lower") ||
        inner->arguments.size() != 1)
      return false;
    replace_by_part(n->arguments.front(), inner->arguments.front());
    return true;
  }
  if (n->name == "iif" && n->arguments.size() == 3) {
    Case choice;
    choice.branches.push_back({std::move(n->arguments[0]), std::move(n->arguments[1]), {}});
    choice.otherwise = std::move(n->arguments[2]);
    expr = Expr{std::move(choice)};
    return true;
  }
  return false;
}

bool respell_calls(Rel& rel, RuleContext&) {
  bool changed = false;
  for (auto& call : rel.as<Window>()->calls) {
    if (call.name != "nth_value" || call.info == nullptr || call.arguments.size() != 2 ||
        !is_integer_literal(call.arguments.back(), 1))
      continue;
    const auto* info = FunctionTable::latest().find("first_value", 1);
    if (info == nullptr) return changed;
    call.name = info->name;
    call.info = info;
    call.arguments.pop_back();
    changed = true;
  }
  return changed;
}

}  // namespace

const Rule function_spelling{
    .name = "function_spelling",
    .kinds = expr_kinds<Function, Cast>,
    .apply = respell,
    .example = function_spelling_example,
};

const Rule window_function_spelling{
    .name = "function_spelling",
    .kinds = rel_kinds<Window>,
    .apply = respell_calls,
    .example = window_function_spelling_example,
};

}  // namespace trustsql::plan::rules
