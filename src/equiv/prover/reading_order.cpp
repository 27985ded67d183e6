#include "equiv/prover/reading_order.hpp"

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "db/catalog/catalog.hpp"
#include "plan/equal_columns.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// The terms of an OR are looked up in their indexes one after the other.
void add_choices(const Expr& expr, const Plan& plan, std::string& order) {
  if (const auto* choice = expr.as<Or>(); choice != nullptr && is_looked_up(*choice, plan)) {
    order += " or(";
    for (const auto& term : choice->terms)
      references(term).for_each([&](AttributeId id) { order.append(plan.attributes[id].name).append(" "); });
    order += ")";
  }
  for_each_expr(expr, [&](const Expr& operand) { add_choices(operand, plan, order); });
}

void add_order(const Rel& rel, const Plan& plan, std::string& order) {
  const bool keeps_order = rel.is<Filter>() || rel.is<Project>() || rel.is<Derived>() || rel.is<Sort>();
  if (!keeps_order) {
    order += " " + std::to_string(rel.node.index());
    if (const auto* scan = rel.as<Scan>()) order.append(scan->schema).append(".").append(scan->name);
    if (const auto* function = rel.as<TableFunction>()) order += function->name;
    if (const auto* join = rel.as<Join>()) order += ":" + std::to_string(static_cast<int>(join->type));
    if (const auto* apply = rel.as<Apply>()) order += ":" + std::to_string(static_cast<int>(apply->type));
    order += "(";
  }
  for_each_expr(rel, [&](const Expr& expr) { add_choices(expr, plan, order); });
  for_each_rel(rel, [&](const Rel& input) { add_order(input, plan, order); });
  if (!keeps_order) order += ")";
}

// Whether a table is read twice, or rows are written out.
bool repeats_tables(const Plan& plan) {
  std::set<std::pair<std::string_view, std::string_view>> tables;
  bool repeats = false;
  walk(plan.root, [&](const Rel& rel) {
    if (const auto* scan = rel.as<Scan>()) repeats = repeats || !tables.emplace(scan->schema, scan->name).second;
    if (const auto* values = rel.as<Values>()) repeats = repeats || values->rows.size() > 1;
    const auto* set = rel.as<SetOp>();
    for (std::size_t i = 0; set != nullptr && i < set->inputs.size(); ++i) {
      bool reads = false;
      walk(set->inputs[i], [&reads](const Scan&) { reads = true; });
      repeats = repeats || !reads;
    }
  });
  return repeats;
}

// No table is read twice, so that a column's name tells it apart.
class GroupingOrder {
 public:
  explicit GroupingOrder(const Plan& plan) : equal_(plan.attributes.size()) {
    std::map<AttributeId, std::string> columns;
    walk(plan.root, [&](const Rel& rel) {
      const auto* scan = rel.as<Scan>();
      if (scan == nullptr) return;
      for (const auto id : outputs(rel))
        columns[id] =
            std::string(scan->schema) + "." + std::string(scan->name) + "." + std::string(plan.attributes[id].name);
    });
    walk(plan.root, [this](const Project& project) {
      for (const auto& item : project.items)
        if (const auto* id = column_id(item.expr)) equal_.unite(item.id, *id);
    });
    walk(plan.root, [this](const Filter& filter) { unite_equal(filter.conjuncts); });
    walk(plan.root, [this](const Join& join) {
      if (join.type == JoinType::inner) unite_equal(join.on);
    });
    for (const auto& [id, name] : columns) {
      auto& least = names_[equal_.find(id)];
      if (least.empty() || name < least) least = name;
    }
    add(plan.root, nullptr);
  }

  std::optional<std::string> order() && { return known_ ? std::optional(std::move(order_)) : std::nullopt; }

 private:
  // Groups of equal columns come in the same order.
  void unite_equal(const std::vector<Expr>& conjuncts) {
    for (const auto& conjunct : conjuncts) {
      const auto* compare = conjunct.as<Compare>();
      if (compare == nullptr || compare->op != CompareOp::equal || !compare->how.is_binary()) continue;
      const auto* left = column_id(*compare->left);
      const auto* right = column_id(*compare->right);
      if (left != nullptr && right != nullptr) equal_.unite(*left, *right);
    }
  }

  void add_key(const Expr& expr) {
    const auto* id = column_id(expr);
    const auto found = id == nullptr ? names_.end() : names_.find(equal_.find(*id));
    const auto name = found == names_.end() ? std::string() : found->second;
    known_ = known_ && !name.empty();
    order_ += " " + name;
  }

  // `sort`: of the same SELECT.
  void add(const Rel& rel, const Sort* sort) {
    if (const auto* below = rel.as<Sort>()) sort = below;
    if (const auto* aggregate = rel.as<Aggregate>(); aggregate != nullptr && aggregate->grouped) {
      order_ += " (groups";
      for (const auto& key : aggregate->keys) add_key(key.expr);
      if (sort != nullptr && sort->keys.size() == aggregate->keys.size())
        for (const auto& key : sort->keys)
          if (key.descending) order_ += " falling";
      order_ += ")";
    }
    if (const auto* window = rel.as<Window>()) {
      for (const auto& call : window->calls) {
        order_ += " (window";
        for (const auto& key : call.partition_by) add_key(key.expr);
        for (const auto& key : call.order_by) {
          add_key(key.expr);
          if (key.descending) order_ += " falling";
        }
        order_ += ")";
      }
    }
    const bool same_select = rel.is<Project>() || rel.is<Filter>() || rel.is<Sort>() || rel.is<Limit>() ||
                             rel.is<Distinct>() || rel.is<Window>();
    for_each_expr(rel, [this](const Expr& expr) { add_subqueries(expr); });
    for_each_rel(rel, [&](const Rel& input) { add(input, same_select ? sort : nullptr); });
  }

  void add_subqueries(const Expr& expr) {
    for_each_expr(expr, [this](const Expr& operand) { add_subqueries(operand); });
    for_each_rel(expr, [this](const Rel& subquery) { add(subquery, nullptr); });
  }

  ColumnSets equal_;
  std::map<AttributeId, std::string> names_{};  // of each set of equal columns
  std::string order_{};
  bool known_ = true;
};

}  // namespace

bool is_looked_up(const Or& choice, const Plan& plan) {
  int terms = 0;
  for (const auto& term : choice.terms) {
    bool indexed = false;
    references(term).for_each([&](AttributeId id) {
      const auto& attribute = plan.attributes[id];
      indexed = indexed || attribute.table == nullptr || attribute.position < 0 ||
                attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_indexed ||
                attribute.table->columns[static_cast<std::size_t>(attribute.position)].is_rowid_alias;
    });
    terms += indexed ? 1 : 0;
  }
  return terms > 1;
}

std::optional<std::string> reading_order(const Plan& plan) {
  if (repeats_tables(plan)) return std::nullopt;
  std::string order;
  add_order(plan.root, plan, order);
  return order;
}

std::optional<std::string> grouping_order(const Plan& plan) {
  return repeats_tables(plan) ? std::nullopt : GroupingOrder(plan).order();
}

}  // namespace trustsql::equiv
