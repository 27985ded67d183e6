#include "plan/rules/common.hpp"

#include <algorithm>
#include <limits>

#include "plan/aggregates.hpp"
#include "plan/strictness.hpp"

namespace trustsql::plan::rules {

bool is_boolean(const Expr& expr) {
  if (const auto* value = literal_value(expr)) {
    const auto* integer = std::get_if<std::int64_t>(value);
    return value->index() == 0 || (integer != nullptr && (*integer == 0 || *integer == 1));
  }
  if (const auto* like = expr.as<Like>()) return like->op == ast::LikeOp::like || like->op == ast::LikeOp::glob;
  return expr.is<Compare>() || expr.is<RowCompare>() || expr.is<And>() || expr.is<Or>() || expr.is<Not>() ||
         expr.is<IsNull>() || expr.is<IsTruth>() || expr.is<Between>() || expr.is<InList>() || expr.is<Exists>() ||
         expr.is<InSubquery>();
}

bool is_repeatable(const Expr& expr) { return !has_subquery(expr) && !is_volatile(expr); }

bool is_short(const Expr& expr) {
  constexpr std::size_t largest = 40;
  return size_of(expr) <= largest;
}

bool is_copyable(const Expr& expr) {
  if (!is_repeatable(expr) || !is_short(expr)) return false;
  // The results of SQLite's JSON functions have a JSON subtype, which they lose when they pass through a subquery.
  const auto* function = expr.as<Function>();
  return function == nullptr || !function->name.starts_with("json");
}

bool may_grow(const Expr& expr) {
  constexpr int highest = 1000;  // the maximum height of an expression that SQLite accepts
  return height(expr) < highest;
}

bool is_true_literal(const Expr& expr) {
  const auto* value = literal_value(expr);
  return value != nullptr && truth_of(*value) == Truth::yes;
}

bool is_untrue_literal(const Expr& expr) {
  const auto* value = literal_value(expr);
  if (value == nullptr) return false;
  const auto truth = truth_of(*value);
  return truth == Truth::no || truth == Truth::null;
}

bool is_integer_literal(const Expr& expr, std::int64_t wanted) {
  const auto* integer = literal_as<std::int64_t>(expr);
  return integer != nullptr && *integer == wanted;
}

std::optional<Bound> as_bound(const Expr& expr) {
  const auto* compare = expr.as<Compare>();
  if (compare == nullptr) return std::nullopt;
  if (const auto* value = literal_value(*compare->right))
    return Bound{compare->left.get(), compare->op, value, compare->how};
  if (const auto* value = literal_value(*compare->left))
    return Bound{compare->right.get(), mirrored(compare->op), value, compare->how};
  return std::nullopt;
}

std::vector<Expr>* conjuncts_of(Rel& rel) {
  if (auto* filter = rel.as<Filter>()) return &filter->conjuncts;
  if (auto* join = rel.as<Join>()) return &join->on;
  if (auto* apply = rel.as<Apply>()) return &apply->on;
  return nullptr;
}

bool passes_all_through(const Project& project) {
  return std::all_of(project.items.begin(), project.items.end(),
                     [](const ProjectItem& item) { return item.is_pass_through(); });
}

Rel& below_renamings(Rel& rel) {
  Rel* current = &rel;
  while (auto* project = current->as<Project>()) {
    if (!passes_all_through(*project)) break;
    current = project->input.get();
  }
  return *current;
}

const Rel& below_renamings(const Rel& rel) { return below_renamings(const_cast<Rel&>(rel)); }

bool compares_columns(const Expr& condition, const Plan& plan) {
  const auto* test = condition.as<IsNull>();
  if (test != nullptr) return test->operand->is<Column>();
  const auto* compare = condition.as<Compare>();
  const auto is_simple = [](const Expr& operand) { return operand.is<Column>() || operand.is<Literal>(); };
  return compare != nullptr && is_plain(*compare, plan) && is_simple(*compare->left) && is_simple(*compare->right);
}

AttributeSet agreed_columns(const Aggregate& aggregate, const GroupKey* without) {
  AttributeSet columns;
  for (const auto& key : aggregate.keys) {
    const auto* id = column_id(key.expr);
    if (&key != without && id != nullptr && key.collation == binary_collation) columns.add(*id);
  }
  return columns;
}

bool is_result(const Rel& rel, const Plan& plan) {
  const Rel* each = &plan.root;
  while (each != &rel) {
    const auto* project = each->as<Project>();
    const auto* sort = each->as<Sort>();
    const auto* limit = each->as<Limit>();
    if (project == nullptr && sort == nullptr && limit == nullptr) return false;
    each = project != nullptr ? project->input.get() : sort != nullptr ? sort->input.get() : limit->input.get();
  }
  return true;
}

std::optional<Expr> summed_condition(const AggregateCall& call, const Rel& input, RuleContext& context) {
  const auto& argument = call.arguments.front();
  const auto* choice = argument.as<Case>();
  if (choice != nullptr && !choice->operand && choice->branches.size() == 1 && choice->otherwise &&
      is_integer_literal(*choice->branches.front().result, 1) && is_integer_literal(*choice->otherwise, 0)) {
    return *choice->branches.front().condition;
  }
  if (is_boolean(argument) && !argument.is<Literal>() && context.non_null(argument, context.facts(input)))
    return argument;
  return std::nullopt;
}

std::optional<Expr> part_of_text(Expr text, std::int64_t first, std::int64_t length) {
  const auto* info = FunctionTable::latest().find("substr", 3);
  if (info == nullptr) return std::nullopt;
  Function part;
  part.name = info->name;
  part.info = info;
  part.arguments.push_back(std::move(text));
  part.arguments.push_back(literal(first));
  part.arguments.push_back(literal(length));
  return Expr{std::move(part)};
}

void project_above(Rel& rel, const std::vector<AttributeId>& ids, const std::map<AttributeId, Expr>& calculated) {
  Project project;
  project.items.reserve(ids.size());
  for (const auto id : ids) {
    const auto expr = calculated.find(id);
    project.items.push_back({id, expr != calculated.end() ? expr->second : column(id)});
  }
  project.input = std::move(rel);
  rel = Rel{std::move(project)};
}

std::optional<std::string> prefix_of_pattern(const Like& like) {
  const bool glob = like.op == ast::LikeOp::glob;
  if ((!glob && like.op != ast::LikeOp::like) || like.escape) return std::nullopt;
  const auto* text = literal_as<std::string>(*like.pattern);
  if (text == nullptr || text->size() < 2 || !text->ends_with(glob ? '*' : '%')) return std::nullopt;
  auto prefix = text->substr(0, text->size() - 1);
  const bool plain = std::none_of(prefix.begin(), prefix.end(), [&](char c) {
    if (glob) return c <= 0 || c == '*' || c == '?' || c == '[';
    return c <= 0 || c == '%' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return plain ? std::optional(std::move(prefix)) : std::nullopt;
}

namespace {

// Whether a value of the column that is equal to `value` is identical to it.
bool is_only_spelling(const Value& value, Affinity storage) {
  switch (storage) {
    case Affinity::integer: {
      const auto* integer = std::get_if<std::int64_t>(&value);
      return integer != nullptr && *integer != std::numeric_limits<std::int64_t>::min();
    }
    case Affinity::text: return std::holds_alternative<std::string>(value);
    case Affinity::real: return std::holds_alternative<double>(value) && std::get<double>(value) != 0;
    default: return false;
  }
}

}  // namespace

std::optional<std::pair<AttributeId, Expr>> pinned_by(const Expr& condition, const Plan& plan) {
  if (const auto* test = condition.as<IsNull>()) {
    const auto* id = column_id(*test->operand);
    return id != nullptr && !test->negated ? std::optional(std::pair{*id, literal({})}) : std::nullopt;
  }
  const auto bound = as_bound(condition);
  const auto* id = bound && bound->op == CompareOp::equal ? column_id(*bound->operand) : nullptr;
  if (id == nullptr || !bound->how.is_binary() || !is_only_spelling(*bound->value, storage_of(column(*id), plan)))
    return std::nullopt;
  return std::pair{*id, literal(Value(*bound->value))};
}

std::optional<AggregateCall> count_of_rows(AttributeId like, Plan& plan) {
  const auto* info = FunctionTable::latest().find("count", 0);
  if (info == nullptr) return std::nullopt;
  AggregateCall call;
  call.id = plan.add_attribute_like(like);
  auto& attribute = plan.attributes[call.id];
  attribute.types = types::integer;
  attribute.affinity = Affinity::none;
  attribute.storage = Affinity::none;
  call.name = info->name;
  call.info = info;
  return call;
}

namespace {

std::vector<Expr> terms_of(const Expr& condition) {
  const auto* both = condition.as<And>();
  return both != nullptr ? both->terms : std::vector<Expr>{condition};
}

bool contains(const std::vector<Expr>& list, const Expr& expr) {
  return std::find(list.begin(), list.end(), expr) != list.end();
}

}  // namespace

std::vector<Expr> common_filters(const std::vector<AggregateCall>& calls) {
  if (calls.empty() || std::any_of(calls.begin(), calls.end(), [](const AggregateCall& call) { return !call.filter; }))
    return {};
  std::vector<Expr> common;
  for (auto& term : terms_of(*calls.front().filter)) {
    const bool everywhere = std::all_of(
        calls.begin(), calls.end(), [&](const AggregateCall& call) { return contains(terms_of(*call.filter), term); });
    if (everywhere && !is_volatile(term)) common.push_back(std::move(term));
  }
  return common;
}

void drop_filters(std::vector<AggregateCall>& calls, const std::vector<Expr>& conditions) {
  for (auto& call : calls) {
    auto rest = terms_of(*call.filter);
    std::erase_if(rest, [&](const Expr& term) { return contains(conditions, term); });
    if (rest.empty()) {
      call.filter = {};
    } else {
      call.filter = conjunction(std::move(rest));
    }
  }
}

bool is_untrue_over_no_rows(const Expr& conjunct, const std::vector<AggregateCall>& calls, const Plan& plan) {
  AttributeSet nulls;
  std::vector<std::pair<AttributeId, Expr>> values;
  for (const auto& call : calls) {
    values.emplace_back(call.id, literal(*value_over_empty_input(call)));
    if (is_null_literal(values.back().second)) nulls.add(call.id);
  }
  if (null_rejected(conjunct, plan).intersects(nulls)) return true;
  Expr of_nothing = conjunct;
  substitute(of_nothing, [&](AttributeId id) -> const Expr* {
    const auto found = std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.first == id; });
    return found != values.end() ? &found->second : nullptr;
  });
  const auto value = evaluate(of_nothing);
  return value && is_untrue_literal(literal(*value));
}

const AggregateCall* call_in(const Aggregate& aggregate, const Expr& expr, std::string_view name) {
  const auto* id = column_id(expr);
  const auto found = std::find_if(aggregate.calls.begin(), aggregate.calls.end(), [&](const AggregateCall& call) {
    return id != nullptr && call.id == *id && call.name == name && call.info != nullptr && !call.distinct;
  });
  return found != aggregate.calls.end() ? &*found : nullptr;
}

bool is_coalesce(const Function& function) {
  return function.info != nullptr && (function.name == "coalesce" || function.name == "ifnull");
}

Aggregate* groups_below(Rel& rel) {
  auto* filter = rel.as<Filter>();
  Rel* below = filter != nullptr ? filter->input.get() : rel.as<Project>()->input.get();
  while (auto* condition = below->as<Filter>()) below = condition->input.get();
  return below->as<Aggregate>();
}

}  // namespace trustsql::plan::rules
