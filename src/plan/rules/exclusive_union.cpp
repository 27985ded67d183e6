#include "plan/rules/exclusive_union.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "plan/rules/cluster.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/range_merging.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

namespace {

// Whether `b` is true only where `a` is not, by its form.
bool is_negation(const Expr& a, const Expr& b) {
  if (const auto* n = b.as<Not>()) return *n->operand == a;
  if (const auto* n = b.as<IsTruth>()) return *n->operand == a && n->truth == n->negated;
  const auto* left = a.as<Compare>();
  const auto* right = b.as<Compare>();
  if (left != nullptr && right != nullptr) {
    auto opposite = *left;
    opposite.op = negated(left->op);
    return opposite == *right;
  }
  const auto* like = a.as<Like>();
  const auto* unlike = b.as<Like>();
  if (like == nullptr || unlike == nullptr) return false;
  auto opposite = *like;
  opposite.negated = !like->negated;
  return opposite == *unlike;
}

// Whether `test` is true only for a NULL with which `other` is not true.
bool is_null_beside(const Expr& test, const Expr& other, const Plan& plan) {
  const auto* null = test.as<IsNull>();
  const auto* id = null != nullptr && !null->negated ? column_id(*null->operand) : nullptr;
  return id != nullptr && null_rejected(other, plan).contains(*id);
}

// Whether two conditions are never true of one row. AND and OR are followed on both sides, in a bounded number of
// steps.
class ExclusionTest {
 public:
  explicit ExclusionTest(const Plan& plan) : plan_(plan) {}

  bool operator()(const Expr& a, const Expr& b) {
    if (--steps_left_ < 0) return false;
    if (const auto* choice = a.as<Or>()) return all_exclude(choice->terms, b);
    if (const auto* choice = b.as<Or>()) return all_exclude(choice->terms, a);
    if (const auto* both = a.as<And>(); both != nullptr && any_excludes(both->terms, b)) return true;
    if (const auto* both = b.as<And>(); both != nullptr && any_excludes(both->terms, a)) return true;
    return is_negation(a, b) || is_negation(b, a) || is_null_beside(a, b, plan_) || is_null_beside(b, a, plan_) ||
           are_exclusive_bounds(a, b);
  }

 private:
  bool all_exclude(const std::vector<Expr>& terms, const Expr& other) {
    return std::all_of(terms.begin(), terms.end(), [&](const Expr& term) { return (*this)(term, other); });
  }
  bool any_excludes(const std::vector<Expr>& terms, const Expr& other) {
    return std::any_of(terms.begin(), terms.end(), [&](const Expr& term) { return (*this)(term, other); });
  }

  const Plan& plan_;
  int steps_left_ = 2'000;
};

// An input of the UNION ALL: expressions over the rows of a cluster.
struct UnionInput {
  std::vector<ProjectItem> items;
  Cluster rows;
};

UnionInput read_input(const Rel& input) {
  UnionInput result;
  Rel copy = input;
  if (auto* project = copy.as<Project>()) {
    result.items = std::move(project->items);
    result.rows = take_apart(*project->input);
  } else {
    for (const auto id : outputs(input)) result.items.push_back({id, column(id)});
    result.rows = take_apart(copy);
  }
  return result;
}

// Both inputs as one; nullopt if the law does not hold for them.
std::optional<Rel> united(UnionInput a, UnionInput b, const Plan& plan) {
  const auto columns = unite_tables(a.rows, b.rows);
  if (!columns) return std::nullopt;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    rename(b.items[i].expr, *columns);
    if (!(a.items[i].expr == b.items[i].expr) || !is_repeatable(a.items[i].expr)) return std::nullopt;
  }
  for (auto& conjunct : b.rows.conjuncts) rename(conjunct, *columns);
  auto of_b = std::move(b.rows.conjuncts);
  const auto is_shared = [&](const Expr& conjunct) {
    const auto same = std::find(of_b.begin(), of_b.end(), conjunct);
    if (same == of_b.end()) return false;
    of_b.erase(same);
    return true;
  };
  const auto shared = take_if(a.rows.conjuncts, is_shared);
  auto of_a = std::move(a.rows.conjuncts);
  const bool repeatable = std::all_of(of_a.begin(), of_a.end(), is_repeatable) &&
                          std::all_of(of_b.begin(), of_b.end(), is_repeatable) &&
                          std::all_of(shared.begin(), shared.end(), is_repeatable);
  if (!repeatable || of_a.empty() || of_b.empty()) return std::nullopt;
  const Expr p = conjunction(std::move(of_a));
  const Expr q = conjunction(std::move(of_b));
  if (!ExclusionTest(plan)(p, q)) return std::nullopt;
  a.rows.conjuncts = shared;
  a.rows.conjuncts.push_back(disjunction({p, q}));
  Project project;
  project.items = std::move(a.items);
  project.input = put_together(std::move(a.rows));
  return Rel{std::move(project)};
}

bool unite_inputs(Rel& rel, RuleContext& context) {
  auto& set = *rel.as<SetOp>();
  if (set.op != ast::SetOp::union_all) return false;
  auto& inputs = set.inputs;
  std::vector<UnionInput> read;
  for (const auto& input : inputs) read.push_back(read_input(input));
  constexpr int max_pairs = 1'000;  // of hundreds of inputs not all pairs are looked at
  int pairs = 0;
  for (std::size_t first = 0; first < inputs.size(); ++first) {
    for (std::size_t second = first + 1; second < inputs.size() && pairs < max_pairs; ++second, ++pairs) {
      auto both = united(read[first], read[second], context.plan());
      if (!both) continue;
      inputs[first] = *std::move(both);
      inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(second));
      if (inputs.size() > 1) return true;
      Project project;
      const auto ids = outputs(inputs.front());
      for (std::size_t i = 0; i < ids.size(); ++i) project.items.push_back({set.ids[i], column(ids[i])});
      project.input = std::move(inputs.front());
      rel = Rel{std::move(project)};
      return true;
    }
  }
  return false;
}

}  // namespace

const Rule exclusive_union{
    .name = "exclusive_union",
    .kinds = rel_kinds<SetOp>,
    .apply = unite_inputs,
    .example = exclusive_union_example,
};

}  // namespace trustsql::plan::rules
