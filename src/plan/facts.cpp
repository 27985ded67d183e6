#include "plan/facts.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/compound_rows.hpp"
#include "plan/dependencies.hpp"
#include "plan/strictness.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

std::string describe(const Assumption& assumption) {
  const auto columns = [&] {
    return assumption.columns.size() == 1 ? assumption.table + "." + assumption.columns.front()
                                          : assumption.table + "(" + join(assumption.columns, ", ") + ")";
  };
  switch (assumption.kind) {
    case Assumption::Kind::primary_key_not_null: return "the primary key column " + columns() + " holds no NULL";
    case Assumption::Kind::foreign_key: return "the foreign key " + columns() + " to " + assumption.parent + " holds";
    case Assumption::Kind::check: return "CHECK (" + assumption.columns.front() + ") of " + assumption.table + " holds";
    case Assumption::Kind::declared_type: return "the column " + columns() + " holds only values of its declared type";
    case Assumption::Kind::number_text: return "the column " + columns() + " holds only texts of numbers";
    case Assumption::Kind::integer_text: return "the column " + columns() + " holds only texts of integers";
    case Assumption::Kind::date_text: return "the column " + columns() + " holds only dates such as '2021-06-15'";
    case Assumption::Kind::datetime_text:
      return "the column " + columns() + " holds only dates with a time, such as '2021-06-15 12:30:00'";
    case Assumption::Kind::no_null: return "no value is NULL";
    case Assumption::Kind::no_empty_table: return "no table is empty";
    case Assumption::Kind::no_case_variants: return "no two texts differ only in letter case";
    case Assumption::Kind::same_ties: return "both queries take tied rows in the same order";
  }
  return {};
}

std::vector<std::string> descriptions(const std::vector<Assumption>& assumptions) {
  std::vector<std::string> texts;
  texts.reserve(assumptions.size());
  for (const auto& assumption : assumptions) texts.push_back(describe(assumption));
  return texts;
}

namespace {

void add_non_null(Facts& facts, const AttributeSet& attributes) {
  facts.non_null |= attributes;
  facts.assumed_non_null -= attributes;
}

void add_equality(Facts& facts, const Compare& compare, const Plan& plan) {
  if (!compare.how.is_binary()) return;
  const auto* left = column_id(*compare.left);
  const auto* right = column_id(*compare.right);
  const bool left_inside = left != nullptr && facts.outputs.contains(*left);
  const bool right_inside = right != nullptr && facts.outputs.contains(*right);
  if (left_inside && right_inside) {
    // A column that is not converted is equal to what the other one is converted to. As texts, 1 and 1.0 differ.
    const auto determines = [&](const Expr& from, const Expr& to) {
      return !converts(to, compare.how.affinity, plan) &&
             (compare.how.affinity != Affinity::text || !converts(from, compare.how.affinity, plan) ||
              equal_is_identical(from, plan));
    };
    if (determines(*compare.left, *compare.right)) facts.dependencies.push_back({{*left}, {*right}, {}, {}});
    if (determines(*compare.right, *compare.left)) facts.dependencies.push_back({{*right}, {*left}, {}, {}});
    return;
  }
  const auto fix = [&](const Expr& inside, AttributeId id, const Expr& other) {
    if (converts(inside, compare.how.affinity, plan) || references(other).intersects(facts.outputs) ||
        is_volatile(other))
      return;
    facts.dependencies.push_back({{}, {id}, {}, {}});
  };
  if (left_inside) fix(*compare.left, *left, *compare.right);
  if (right_inside) fix(*compare.right, *right, *compare.left);
}

}  // namespace

void add_facts_of_conjuncts(Facts& facts, const std::vector<Expr>& conjuncts, const Plan& plan) {
  for (const auto& conjunct : conjuncts) {
    add_non_null(facts, null_rejected(conjunct, plan) & facts.outputs);
    if (const auto* compare = conjunct.as<Compare>();
        compare != nullptr && (compare->op == CompareOp::equal || compare->op == CompareOp::is)) {
      add_equality(facts, *compare, plan);
    }
    if (const auto* null = conjunct.as<IsNull>(); null != nullptr && !null->negated) {
      if (const auto* id = column_id(*null->operand)) facts.dependencies.push_back({{}, {*id}, {}, {}});
    }
  }
}

namespace {

class FactFinder {
 public:
  explicit FactFinder(const Plan& plan) : plan_(plan) {}

  Facts operator()(const Rel& rel) const {
    return std::visit([this](const auto& node) { return of(node); }, rel.node);
  }

 private:
  bool never_null(AttributeId id) const { return !plan_.attributes[id].types.may_be_null(); }

  static Facts one_row() {
    Facts facts;
    facts.has_identity = true;
    facts.non_empty = true;
    return facts;
  }

  Facts of(const Scan& n) const {
    Facts facts;
    facts.identity.add(n.row);
    facts.has_identity = true;
    facts.non_empty = plan_.tables_have_rows;
    facts.non_null.add(n.row);
    for (const auto& column : n.columns) {
      facts.outputs.add(column.id);
      if (never_null(column.id)) {
        facts.non_null.add(column.id);
      } else if (column.position >= 0 &&
                 n.table->columns[static_cast<std::size_t>(column.position)].primary_key_position > 0) {
        facts.assumed_non_null.add(column.id);
      }
    }
    auto all = facts.outputs;
    all.add(n.row);
    facts.dependencies.push_back({{n.row}, facts.outputs, {}, {}});
    for (const auto& column : n.columns) {
      if (column.position == -1 || n.table->columns[static_cast<std::size_t>(column.position)].is_rowid_alias)
        facts.dependencies.push_back({{column.id}, all, {}, {}});
    }
    for (const auto& index : n.table->keys) {
      if (index.is_partial || index.has_expression) continue;
      AttributeSet key;
      bool complete = !index.parts.empty();
      for (const auto& part : index.parts) {
        const auto found = std::find_if(n.columns.begin(), n.columns.end(),
                                        [&](const TableColumn& c) { return c.position == part.column; });
        if (found == n.columns.end()) {
          complete = false;
          break;
        }
        key.add(found->id);
      }
      if (complete) facts.dependencies.push_back({key, all, key, {}});
    }
    return facts;
  }

  Facts of(const TableFunction& n) const {
    Facts facts;
    for (const auto& column : n.columns) facts.outputs.add(column.id);
    return facts;
  }

  Facts of(const Values& n) const {
    Facts facts;
    facts.outputs = AttributeSet::of(n.ids);
    facts.non_empty = !n.rows.empty();
    facts.has_identity = n.rows.size() <= 1;
    for (std::size_t i = 0; i < n.ids.size(); ++i) {
      if (std::all_of(n.rows.begin(), n.rows.end(), [&](const auto& row) { return is_non_null(row[i], plan_, {}); }))
        facts.non_null.add(n.ids[i]);
    }
    if (n.rows.size() <= 1) facts.dependencies.push_back({{}, facts.outputs, {}, {}});
    return facts;
  }

  Facts of(const Filter& n) const {
    auto facts = (*this)(*n.input);
    facts.non_empty = false;
    add_facts_of_conjuncts(facts, n.conjuncts, plan_);
    return facts;
  }

  Facts of(const Project& n) const {
    auto facts = (*this)(*n.input);
    AttributeSet outputs;
    for (const auto& item : n.items) {
      outputs.add(item.id);
      if (item.is_pass_through()) continue;
      if (is_non_null(item.expr, plan_, facts.non_null)) {
        facts.non_null.add(item.id);
      }
      if (has_subquery(item.expr) || is_volatile(item.expr)) continue;
      const auto used = references(item.expr);
      if (const auto* from = column_id(item.expr)) {
        facts.dependencies.push_back({used, {item.id}, {}, {}});
        facts.dependencies.push_back({{item.id}, {*from}, {}, {}});
        continue;
      }
      bool identical = true;
      used.for_each([&](AttributeId id) { identical = identical && equal_is_identical(column(id), plan_); });
      if (identical) facts.dependencies.push_back({used & facts.outputs, {item.id}, {}, {}});
    }
    facts.outputs = std::move(outputs);
    return facts;
  }

  // Adjusts the facts of a side that an outer join may fill with NULLs. Rows of NULLs agree with each other. They agree
  // with another row only if it has NULLs in the columns of the dependency, which a column that is never NULL rules
  // out.
  static void extend_with_nulls(Facts& facts) {
    std::erase_if(facts.dependencies, [&](Dependency& d) {
      const auto missing = d.needs - facts.non_null;
      if (missing.is_subset_of(facts.assumed_non_null)) {
        d.assumed |= missing;
        d.needs = {};
      }
      if (!d.needs.empty() || d.from.intersects(facts.non_null)) return false;
      const auto known = d.from & facts.assumed_non_null;
      d.assumed |= known;
      return known.empty();
    });
    facts.non_null = {};
    facts.assumed_non_null = {};
    facts.non_empty = false;
  }

  static void merge(Facts& left, Facts&& right) {
    left.outputs |= right.outputs;
    left.non_null |= right.non_null;
    left.assumed_non_null |= right.assumed_non_null;
    for (auto& d : right.dependencies) left.dependencies.push_back(std::move(d));
    left.identity |= right.identity;
    left.has_identity = left.has_identity && right.has_identity;
    left.non_empty = left.non_empty && right.non_empty;
  }

  // If each row of `side` has at most one match among `partners`, then what identifies the row identifies the pair.
  void add_single_match(const Facts& side, Facts partners, const std::vector<Expr>& on, Facts& joined) const {
    if (!side.has_identity) return;
    const auto determined = partners.outputs | partners.identity;
    add_facts_of_conjuncts(partners, on, plan_);
    AttributeSet assumed;
    if (at_most_one_row(partners, &assumed)) joined.dependencies.push_back({side.identity, determined, {}, assumed});
  }

  // A column that `on` equates with columns of `kept` has the same value in all matches of a row, and is NULL if there
  // is no match. The columns of `kept` that `on` uses decide whether there is one.
  void add_matched_columns(const Facts& kept, const Facts& filled, const std::vector<Expr>& on, Facts& matches) const {
    AttributeSet from;
    AttributeSet to;
    for (const auto& conjunct : on) {
      if (has_subquery(conjunct) || is_volatile(conjunct)) return;
      from |= references(conjunct) & kept.outputs;
      const auto* compare = conjunct.as<Compare>();
      if (compare == nullptr || compare->op != CompareOp::equal || !is_plain(*compare, plan_)) continue;
      const auto* left = column_id(*compare->left);
      const auto* right = column_id(*compare->right);
      if (left == nullptr || right == nullptr) continue;
      if (kept.outputs.contains(*left) && filled.outputs.contains(*right)) to.add(*right);
      if (kept.outputs.contains(*right) && filled.outputs.contains(*left)) to.add(*left);
    }
    if (!to.empty()) matches.dependencies.push_back({from, to, {}, {}});
  }

  Facts of(const Join& n) const {
    auto left = (*this)(*n.left);
    if (n.type == JoinType::anti) {
      left.non_empty = false;
      return left;
    }
    if (n.type == JoinType::semi) {
      for (const auto& conjunct : n.on) add_non_null(left, null_rejected(conjunct, plan_) & left.outputs);
      left.non_empty = false;
      return left;
    }
    auto right = (*this)(*n.right);
    Facts matches;
    if (n.type == JoinType::left || n.type == JoinType::full) {
      add_single_match(left, right, n.on, matches);
      add_matched_columns(left, right, n.on, matches);
    }
    if (n.type == JoinType::right || n.type == JoinType::full) {
      add_single_match(right, left, n.on, matches);
      add_matched_columns(right, left, n.on, matches);
    }
    const bool left_non_empty = left.non_empty;
    const bool right_non_empty = right.non_empty;
    if (n.type == JoinType::left || n.type == JoinType::full) extend_with_nulls(right);
    if (n.type == JoinType::right || n.type == JoinType::full) extend_with_nulls(left);
    if (n.type == JoinType::full) matches.dependencies.clear();  // rows of NULLs have no identity
    merge(left, std::move(right));
    for (auto& d : matches.dependencies) left.dependencies.push_back(std::move(d));
    switch (n.type) {
      case JoinType::inner:
        left.non_empty = left_non_empty && right_non_empty && n.on.empty();
        add_facts_of_conjuncts(left, n.on, plan_);
        break;
      case JoinType::left: left.non_empty = left_non_empty; break;
      case JoinType::right: left.non_empty = right_non_empty; break;
      default: left.non_empty = left_non_empty || right_non_empty; break;
    }
    return left;
  }

  Facts of(const Apply& n) const {
    auto left = (*this)(*n.left);
    switch (n.type) {
      case ApplyType::scalar: {
        const auto right = output_set(*n.right);
        left.outputs |= right;
        if (left.has_identity) left.dependencies.push_back({left.identity, right, {}, {}});
        return left;
      }
      case ApplyType::semi:
        for (const auto& conjunct : n.on) add_non_null(left, null_rejected(conjunct, plan_) & left.outputs);
        left.non_empty = false;
        return left;
      case ApplyType::anti: left.non_empty = false; return left;
      case ApplyType::lateral:
      case ApplyType::lateral_left: break;
    }
    left.outputs |= output_set(*n.right);
    left.has_identity = false;
    left.non_empty = left.non_empty && n.type == ApplyType::lateral_left;
    if (n.type == ApplyType::lateral) add_facts_of_conjuncts(left, n.on, plan_);
    return left;
  }

  Facts of(const Aggregate& n) const {
    auto facts = (*this)(*n.input);
    AttributeSet outputs;
    for (const auto& key : n.keys) {
      outputs.add(key.id);
      if (is_non_null(key.expr, plan_, facts.non_null)) facts.non_null.add(key.id);
    }
    facts.identity = outputs;
    const bool has_rows = n.grouped || facts.non_empty;
    if (!has_rows) {
      // The input of the single row may be empty; then its bare columns are NULL.
      facts.non_null = {};
      facts.assumed_non_null = {};
      facts.dependencies.clear();
    }
    for (const auto& call : n.calls) {
      outputs.add(call.id);
      const bool of_some_row = call.is_bare() || ((call.name == "min" || call.name == "max") && !call.filter);
      // Inf - Inf is NULL, even in total().
      const bool counts = call.name == "count" || (call.name == "total" && never_null(call.id));
      if (counts || (has_rows && of_some_row && is_non_null(call.arguments.front(), plan_, facts.non_null))) {
        facts.non_null.add(call.id);
      }
    }
    if (!n.grouped) facts.non_empty = true;
    facts.has_identity = true;
    facts.dependencies.push_back({facts.identity, outputs, {}, {}});
    facts.outputs = std::move(outputs);
    return facts;
  }

  Facts of(const Window& n) const {
    auto facts = (*this)(*n.input);
    for (const auto& call : n.calls) {
      facts.outputs.add(call.id);
      if (call.info != nullptr && !call.info->types.may_be_null() && call.info->returns == SqlFunction::Returns::types)
        facts.non_null.add(call.id);
    }
    return facts;
  }

  Facts of(const Distinct& n) const {
    auto facts = (*this)(*n.input);
    if (facts.has_identity) facts.dependencies.push_back({facts.identity, facts.outputs, {}, {}});
    if (!facts.has_identity || !facts.identity.is_subset_of(facts.outputs)) facts.identity = facts.outputs;
    facts.has_identity = true;
    return facts;
  }

  Facts of(const Sort& n) const { return (*this)(*n.input); }
  Facts of(const Derived& n) const { return (*this)(*n.input); }

  Facts of(const Limit& n) const {
    auto facts = (*this)(*n.input);
    const auto* rows = literal_as<std::int64_t>(*n.count);
    if (rows != nullptr && (*rows == 0 || *rows == 1)) {
      facts.identity = {};
      facts.has_identity = true;
      facts.dependencies.push_back({{}, facts.outputs, {}, {}});
    }
    if (rows == nullptr || *rows == 0 || n.offset) facts.non_empty = false;
    return facts;
  }

  Facts of(const SetOp& n) const {
    Facts facts;
    facts.outputs = AttributeSet::of(n.ids);
    bool first = true;
    for (const auto& input : n.inputs) {
      const auto input_facts = (*this)(input);
      const auto ids = plan::outputs(input);
      AttributeSet non_null;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (input_facts.non_null.contains(ids[i])) non_null.add(n.ids[i]);
      }
      switch (n.op) {
        case ast::SetOp::union_all:
        case ast::SetOp::union_distinct:
          facts.non_null = first ? non_null : facts.non_null & non_null;
          facts.non_empty = facts.non_empty || input_facts.non_empty;
          break;
        case ast::SetOp::intersect: facts.non_null |= non_null; break;
        case ast::SetOp::except:
          if (first) facts.non_null = non_null;
          break;
      }
      first = false;
    }
    if (n.op != ast::SetOp::union_all) {
      facts.identity = facts.outputs;
      facts.has_identity = true;
    }
    return facts;
  }

  Facts of(const Recursive& n) const {
    Facts facts;
    facts.outputs = AttributeSet::of(n.ids);
    facts.identity = facts.outputs;
    facts.has_identity = n.distinct && stays_distinct(n, plan_);
    return facts;
  }

  Facts of(const RecursiveRef& n) const {
    auto facts = one_row();
    facts.outputs = AttributeSet::of(n.ids);
    facts.dependencies.push_back({{}, facts.outputs, {}, {}});
    return facts;
  }

  const Plan& plan_;
};

}  // namespace

Facts facts_of(const Rel& rel, const Plan& plan) { return FactFinder(plan)(rel); }

}  // namespace trustsql::plan
