#include "equiv/checker/knowledge.hpp"

#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "equiv/checker/evaluator.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

AttributeSet Knowledge::closure(AttributeSet from) const {
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& each : determines) {
      if (each.to.is_subset_of(from) || !each.from.is_subset_of(from) || !each.needs.is_subset_of(non_null)) continue;
      from |= each.to;
      grown = true;
    }
  }
  return from;
}

bool Given::may_be_null(const Expr& expr, const AttributeSet& non_null) const {
  return possible_types(expr, attributes, non_null).may_be_null();
}

bool Given::assumes_not_null(AttributeId id) const {
  const auto& attribute = attributes[id];
  return attribute.table != nullptr && std::any_of(assumptions.begin(), assumptions.end(), [&](const Assumption& each) {
           return each.kind == Assumption::Kind::primary_key_not_null && each.table == attribute.table->name &&
                  each.columns.size() == 1 && each.columns.front() == attribute.name;
         });
}

void learn(Knowledge& knowledge, const std::vector<Expr>& conditions, const Given& given) {
  for (const auto& condition : conditions) {
    knowledge.non_null |= null_sensitive(condition, false, given) & knowledge.columns;
    if (const auto* test = condition.as<IsNull>(); test != nullptr && !test->negated) {
      if (const auto* id = column_id(*test->operand)) knowledge.determines.push_back({{}, {*id}, {}});
    }
    const auto* compare = condition.as<Compare>();
    if (compare == nullptr || (compare->op != CompareOp::equal && compare->op != CompareOp::is) ||
        !compare->how.is_binary())
      continue;
    const auto* left = column_id(*compare->left);
    const auto* right = column_id(*compare->right);
    const bool left_inside = left != nullptr && knowledge.columns.contains(*left);
    const bool right_inside = right != nullptr && knowledge.columns.contains(*right);
    if (left_inside && right_inside) {
      // What is compared as it is has the value that the other column is converted to; equal numbers may become
      // different texts.
      const auto affinity = compare->how.affinity;
      const bool left_stays = !may_convert(*compare->left, affinity, given.attributes);
      const bool right_stays = !may_convert(*compare->right, affinity, given.attributes);
      const auto is_safe = [&](const Expr& from, bool stays) {
        return stays || affinity != Affinity::text || has_one_spelling(from, given.attributes);
      };
      if (right_stays && is_safe(*compare->left, left_stays)) knowledge.determines.push_back({{*left}, {*right}, {}});
      if (left_stays && is_safe(*compare->right, right_stays)) knowledge.determines.push_back({{*right}, {*left}, {}});
      continue;
    }
    const auto fix = [&](const Expr& column, AttributeId id, const Expr& other) {
      if (may_convert(column, compare->how.affinity, given.attributes) ||
          references(other).intersects(knowledge.columns) || is_volatile(other))
        return;
      knowledge.determines.push_back({{}, {id}, {}});
    };
    if (left_inside) fix(*compare->left, *left, *compare->right);
    if (right_inside) fix(*compare->right, *right, *compare->left);
  }
}

namespace {

class Learner {
 public:
  explicit Learner(const Given& given) : given_(given) {}

  Knowledge operator()(const Rel& rel) const {
    return std::visit([this](const auto& node) { return of(node); }, rel.node);
  }

 private:
  Knowledge of(const Scan& n) const {
    Knowledge k;
    k.row.add(n.row);
    k.rows_differ = true;
    k.has_rows = given_.tables_have_rows;
    k.non_null.add(n.row);
    for (const auto& column : n.columns) {
      k.columns.add(column.id);
      if (!given_.attributes[column.id].types.may_be_null() || given_.assumes_not_null(column.id))
        k.non_null.add(column.id);
    }
    auto all_columns = k.columns;
    all_columns.add(n.row);
    k.determines.push_back({{n.row}, all_columns, {}});
    const auto find_column = [&](int position) {
      return std::find_if(n.columns.begin(), n.columns.end(),
                          [&](const TableColumn& c) { return c.position == position; });
    };
    for (const auto& column : n.columns) {
      if (column.position < 0 || n.table->columns[static_cast<std::size_t>(column.position)].is_rowid_alias)
        k.determines.push_back({{column.id}, all_columns, {}});
    }
    for (const auto& index : n.table->keys) {
      AttributeSet key;
      const bool usable = !index.is_partial && !index.has_expression && !index.parts.empty() &&
                          std::all_of(index.parts.begin(), index.parts.end(), [&](const KeyPart& part) {
                            const auto column = find_column(part.column);
                            if (column != n.columns.end()) key.add(column->id);
                            return column != n.columns.end();
                          });
      // A unique index admits NULLs any number of times.
      if (usable) k.determines.push_back({key, all_columns, key});
    }
    return k;
  }

  Knowledge of(const TableFunction& n) const {
    Knowledge k;
    for (const auto& column : n.columns) k.columns.add(column.id);
    return k;
  }

  Knowledge of(const Values& n) const {
    Knowledge k;
    k.columns = AttributeSet::of(n.ids);
    k.has_rows = !n.rows.empty();
    k.rows_differ = n.rows.size() <= 1;
    if (n.rows.size() <= 1) k.determines.push_back({{}, k.columns, {}});
    for (std::size_t i = 0; i < n.ids.size(); ++i) {
      if (std::none_of(n.rows.begin(), n.rows.end(), [&](const auto& row) { return given_.may_be_null(row[i], {}); }))
        k.non_null.add(n.ids[i]);
    }
    return k;
  }

  Knowledge of(const Filter& n) const {
    auto k = (*this)(*n.input);
    k.has_rows = false;
    learn(k, n.conjuncts, given_);
    return k;
  }

  Knowledge of(const Project& n) const {
    auto k = (*this)(*n.input);
    const auto inside = k.columns;
    k.columns = {};
    for (const auto& item : n.items) {
      k.columns.add(item.id);
      if (item.is_pass_through()) continue;
      if (!given_.may_be_null(item.expr, k.non_null)) k.non_null.add(item.id);
      if (has_subquery(item.expr) || is_volatile(item.expr)) continue;
      const auto used = references(item.expr);
      bool fixed = true;
      used.for_each([&](AttributeId id) { fixed = fixed && has_one_spelling(column(id), given_.attributes); });
      if (const auto* from = column_id(item.expr)) {
        k.determines.push_back({{item.id}, {*from}, {}});
        k.determines.push_back({{*from}, {item.id}, {}});
      } else if (fixed) {
        k.determines.push_back({used & inside, {item.id}, {}});
      }
    }
    return k;
  }

  // The side of an outer join that may be filled with NULLs: a row of NULLs agrees with a real row only where the
  // latter has NULLs.
  static void admit_nulls(Knowledge& k) {
    std::erase_if(k.determines, [&](Determines& each) {
      if (each.from.intersects(k.non_null)) {
        each.needs -= k.non_null;
        return false;
      }
      // A dependency that needs values in its own columns says nothing about rows of NULLs.
      return each.needs.empty() || each.needs.is_subset_of(k.non_null);
    });
    k.non_null = {};
    k.has_rows = false;
  }

  // The dependencies that hold for the matches of `kept` in `filled`, which may be none.
  std::vector<Determines> dependencies_of_matches(const Knowledge& kept, const Knowledge& filled,
                                                  const std::vector<Expr>& on) const {
    std::vector<Determines> result;
    auto matches = filled;
    learn(matches, on, given_);
    if (kept.rows_differ && matches.has_one_row_at_most())
      result.push_back({kept.row, filled.columns | filled.row, {}});
    AttributeSet compared;
    AttributeSet equated;
    for (const auto& condition : on) {
      if (has_subquery(condition) || is_volatile(condition)) return result;
      compared |= references(condition) & kept.columns;
      const auto* compare = condition.as<Compare>();
      if (compare == nullptr || compare->op != CompareOp::equal || !compares_plainly(*compare, given_.attributes))
        continue;
      for (const auto& [own, other] : {std::pair{column_id(*compare->left), column_id(*compare->right)},
                                       std::pair{column_id(*compare->right), column_id(*compare->left)}}) {
        if (own != nullptr && other != nullptr && kept.columns.contains(*own) && filled.columns.contains(*other))
          equated.add(*other);
      }
    }
    if (!equated.empty()) result.push_back({compared, equated, {}});
    return result;
  }

  static void add(Knowledge& k, Knowledge other) {
    k.columns |= other.columns;
    k.non_null |= other.non_null;
    k.determines.insert(k.determines.end(), other.determines.begin(), other.determines.end());
    k.row |= other.row;
    k.rows_differ = k.rows_differ && other.rows_differ;
  }

  Knowledge chosen(Knowledge left, const std::vector<Expr>& on, bool semi) const {
    if (semi) {
      for (const auto& condition : on) left.non_null |= null_sensitive(condition, false, given_) & left.columns;
    }
    left.has_rows = false;
    return left;
  }

  Knowledge of(const Join& n) const {
    auto left = (*this)(*n.left);
    if (n.type == JoinType::semi || n.type == JoinType::anti)
      return chosen(std::move(left), n.on, n.type == JoinType::semi);
    auto right = (*this)(*n.right);
    std::vector<Determines> dependencies;
    const bool keeps_left = n.type == JoinType::left || n.type == JoinType::full;
    const bool keeps_right = n.type == JoinType::right || n.type == JoinType::full;
    if (n.type == JoinType::left) dependencies = dependencies_of_matches(left, right, n.on);
    if (n.type == JoinType::right) dependencies = dependencies_of_matches(right, left, n.on);
    const bool has_rows = n.type == JoinType::inner ? left.has_rows && right.has_rows && n.on.empty()
                                                    : (keeps_left && left.has_rows) || (keeps_right && right.has_rows);
    if (keeps_left) admit_nulls(right);
    if (keeps_right) admit_nulls(left);
    add(left, std::move(right));
    left.determines.insert(left.determines.end(), dependencies.begin(), dependencies.end());
    left.has_rows = has_rows;
    if (n.type == JoinType::inner) learn(left, n.on, given_);
    return left;
  }

  Knowledge of(const Apply& n) const {
    auto left = (*this)(*n.left);
    if (n.type == ApplyType::semi || n.type == ApplyType::anti)
      return chosen(std::move(left), n.on, n.type == ApplyType::semi);
    const auto right = output_set(*n.right);
    left.columns |= right;
    if (n.type == ApplyType::scalar) {
      if (left.rows_differ) left.determines.push_back({left.row, right, {}});
      return left;
    }
    left.rows_differ = false;
    left.has_rows = left.has_rows && n.type == ApplyType::lateral_left;
    if (n.type == ApplyType::lateral) learn(left, n.on, given_);
    return left;
  }

  Knowledge of(const Aggregate& n) const {
    auto k = (*this)(*n.input);
    const bool of_rows = n.grouped || k.has_rows;
    AttributeSet keys;
    for (const auto& key : n.keys) {
      keys.add(key.id);
      if (!given_.may_be_null(key.expr, k.non_null)) k.non_null.add(key.id);
    }
    const auto of_input = k.non_null;
    if (!of_rows) {
      k.non_null = {};
      k.determines.clear();
    }
    k.columns = keys;
    for (const auto& call : n.calls) {
      k.columns.add(call.id);
      const bool counts =
          call.name == "count" || (call.name == "total" && !given_.attributes[call.id].types.may_be_null());
      const bool picks = call.is_bare() || ((call.name == "min" || call.name == "max") && !call.filter);
      if (counts || (of_rows && picks && !given_.may_be_null(call.arguments.front(), of_input)))
        k.non_null.add(call.id);
    }
    k.row = keys;
    k.rows_differ = true;
    k.has_rows = k.has_rows || !n.grouped;
    k.determines.push_back({keys, k.columns, {}});
    return k;
  }

  Knowledge of(const Window& n) const {
    auto k = (*this)(*n.input);
    for (const auto& call : n.calls) {
      k.columns.add(call.id);
      if (call.info != nullptr && call.info->returns == SqlFunction::Returns::types && !call.info->types.may_be_null())
        k.non_null.add(call.id);
    }
    return k;
  }

  Knowledge of(const Distinct& n) const {
    auto k = (*this)(*n.input);
    if (k.rows_differ) k.determines.push_back({k.row, k.columns, {}});
    if (!k.rows_differ || !k.row.is_subset_of(k.columns)) k.row = k.columns;
    k.rows_differ = true;
    return k;
  }

  Knowledge of(const Sort& n) const { return (*this)(*n.input); }
  Knowledge of(const Derived& n) const { return (*this)(*n.input); }

  Knowledge of(const Limit& n) const {
    auto k = (*this)(*n.input);
    const auto* rows = literal_as<std::int64_t>(*n.count);
    if (rows != nullptr && (*rows == 0 || *rows == 1)) {
      k.row = {};
      k.rows_differ = true;
      k.determines.push_back({{}, k.columns, {}});
    }
    k.has_rows = k.has_rows && rows != nullptr && *rows != 0 && !n.offset;
    return k;
  }

  Knowledge of(const SetOp& n) const {
    Knowledge k;
    k.columns = AttributeSet::of(n.ids);
    const bool all_count = n.op == ast::SetOp::union_all || n.op == ast::SetOp::union_distinct;
    for (std::size_t each = 0; each < n.inputs.size(); ++each) {
      const auto of_input = (*this)(n.inputs[each]);
      const auto ids = outputs(n.inputs[each]);
      AttributeSet non_null;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (of_input.non_null.contains(ids[i])) non_null.add(n.ids[i]);
      }
      if (each == 0) k.non_null = non_null;
      if (each > 0 && all_count) k.non_null &= non_null;
      if (each > 0 && n.op == ast::SetOp::intersect) k.non_null |= non_null;
      k.has_rows = k.has_rows || (all_count && of_input.has_rows);
    }
    k.rows_differ = n.op != ast::SetOp::union_all;
    k.row = k.columns;
    return k;
  }

  // Rows of a recursive UNION are compared before they are converted to the affinities of its columns. Which arm gives
  // a column its affinity is left open here.
  bool may_convert_rows(const Recursive& n) const {
    std::vector<std::vector<AttributeId>> arms = {outputs(*n.seed)};
    for (const auto& step : n.steps) arms.push_back(outputs(step));
    for (std::size_t i = 0; i < n.ids.size(); ++i) {
      AttributeSet converted;  // by an earlier step
      for (const auto& step : n.steps) {
        walk(step, [&](const RecursiveRef& ref) {
          if (ref.number == n.number) converted.add(ref.ids[i]);
        });
      }
      for (const auto& of_affinity : arms) {
        const auto affinity = given_.attributes[of_affinity[i]].affinity;
        for (const auto& arm : arms) {
          const auto& attribute = given_.attributes[arm[i]];
          if (converted.contains(arm[i])) continue;
          const bool rounds = affinity == Affinity::real && attribute.storage != Affinity::real &&
                              attribute.types.contains(ValueType::integer);
          if (rounds || may_convert(column(arm[i]), affinity, given_.attributes)) return true;
        }
      }
    }
    return false;
  }

  Knowledge of(const Recursive& n) const {
    Knowledge k;
    k.columns = AttributeSet::of(n.ids);
    k.row = k.columns;
    k.rows_differ = n.distinct && !may_convert_rows(n);
    return k;
  }

  Knowledge of(const RecursiveRef& n) const {
    Knowledge k;
    k.columns = AttributeSet::of(n.ids);
    k.rows_differ = true;
    k.has_rows = true;
    k.determines.push_back({{}, k.columns, {}});
    return k;
  }

  const Given& given_;
};

}  // namespace

Knowledge knowledge_of(const Rel& rel, const Given& given) { return Learner(given)(rel); }

}  // namespace trustsql::equiv::checker
