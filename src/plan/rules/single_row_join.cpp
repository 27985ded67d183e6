#include "plan/rules/single_row_join.hpp"

#include "plan/rules/cluster.hpp"

namespace trustsql::plan::rules {

namespace {

// One row without columns.
bool is_unit(const Rel& rel) {
  const auto* values = rel.as<Values>();
  return values != nullptr && values->rows.size() == 1 && values->ids.empty();
}

Rel unit() {
  Values values;
  values.rows.emplace_back();
  return Rel{std::move(values)};
}

bool simplify_single_row_join(Rel& rel, RuleContext&) {
  if (auto* values = rel.as<Values>()) {
    if (values->rows.size() != 1 || values->ids.empty()) return false;
    Project project;
    for (std::size_t i = 0; i < values->ids.size(); ++i)
      project.items.push_back({values->ids[i], std::move(values->rows.front()[i])});
    project.input = unit();
    rel = Rel{std::move(project)};
    return true;
  }
  if (auto* aggregate = rel.as<Aggregate>()) {
    if (aggregate->grouped || !aggregate->calls.empty()) return false;
    rel = unit();
    return true;
  }
  auto* join = rel.as<Join>();
  Rel* kept = nullptr;
  if (is_unit(*join->right) &&
      (join->type == JoinType::inner || join->type == JoinType::semi || join->type == JoinType::left)) {
    kept = join->left.get();
  } else if (is_unit(*join->left) && join->type == JoinType::inner) {
    kept = join->right.get();
  }
  if (kept == nullptr) return false;
  auto on = join->type == JoinType::left ? std::vector<Expr>() : std::move(join->on);
  Rel filtered = with_filter(std::move(*kept), std::move(on));
  rel = std::move(filtered);
  return true;
}

}  // namespace

const Rule single_row_join{
    .name = "single_row_join",
    .kinds = rel_kinds<Values, Aggregate, Join>,
    .apply = simplify_single_row_join,
    .example = single_row_join_example,
};

}  // namespace trustsql::plan::rules
