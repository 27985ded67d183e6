#include "plan/rules/count_simplification.hpp"

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool simplify(Rel& rel, RuleContext& context) {
  auto* aggregate = rel.as<Aggregate>();
  std::optional<Facts> facts;
  const auto input = [&]() -> const Facts& {
    if (!facts) facts = context.facts(*aggregate->input);
    return *facts;
  };
  AttributeSet keys;
  for (const auto& key : aggregate->keys) {
    if (const auto* id = column_id(key.expr); id != nullptr && key.collation == binary_collation) keys.add(*id);
  }
  bool changed = false;
  for (auto& call : aggregate->calls) {
    if (call.info == nullptr || call.arguments.size() != 1) continue;
    if (call.distinct) {
      bool superfluous = call.name == "min" || call.name == "max";
      if (call.name == "count" || call.name == "sum" || call.name == "avg" || call.name == "total") {
        const auto* id = column_id(call.arguments.front());
        if (id != nullptr && call.collation == binary_collation) {
          auto all = keys;
          all.add(*id);
          superfluous = context.superkey(all, input());
        }
      }
      if (superfluous) {
        call.distinct = false;
        if (call.name != "min" && call.name != "max") call.collation = binary_collation;
        changed = true;
      }
    }
    if (auto* cast = call.arguments.front().as<Cast>();
        cast != nullptr && cast->affinity == Affinity::real && !call.distinct && (call.name == "avg" || call.name == "total")) {
      replace_by_part(call.arguments.front(), *cast->operand);
      changed = true;
    }
    if (call.name == "count" && !call.distinct && is_repeatable(call.arguments.front()) && context.non_null(call.arguments.front(), input())) {
      call.arguments.clear();
      call.collation = binary_collation;
      changed = true;
    }
  }
  return changed;
}

}  // namespace

const Rule count_simplification{
    .name = "count_simplification",
    .kinds = rel_kinds<Aggregate>,
    .on_rel = simplify,
};

}  // namespace trustsql::plan::rules
