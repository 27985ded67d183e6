#include "equiv/prover/chase.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.hpp"
#include "equiv/prover/null_extension.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

constexpr std::size_t max_leaves_to_chase = 24;
constexpr std::size_t max_parents = 12;

// The column of the table's column number `position`; end() if the query does not use it.
auto find_position(const Scan& scan, int position) {
  return std::find_if(scan.columns.begin(), scan.columns.end(),
                      [&](const TableColumn& c) { return c.position == position; });
}

}  // namespace

bool is_usable_check(const TableCheck& check, const trustsql::Table& table) {
  static constexpr std::array<std::string_view, 12> functions = {
      "abs", "coalesce", "date", "datetime", "ifnull", "instr", "length", "lower", "substr", "time", "trim", "upper"};
  const bool of_stored_columns = std::all_of(check.columns.begin(), check.columns.end(), [&](const auto& column) {
    return column.second >= 0 &&
           table.columns[static_cast<std::size_t>(column.second)].generated == trustsql::Column::Generated::no;
  });
  bool known = !check.columns.empty() && of_stored_columns && !is_volatile(check.condition);
  walk(check.condition, [&](const Function& function) {
    known = known && std::find(functions.begin(), functions.end(), function.name) != functions.end();
  });
  return known;
}

// --- tableaus

// What holds for each row of a leaf.
void Chase::add_facts(ConditionSolver& conditions, const Rel& leaf) {
  const auto& plan = state_.plan();
  if (const auto* scan = leaf.as<Scan>()) {
    const auto add = [&](AttributeId id, int position) {
      if (!plan.attributes[id].types.may_be_null()) {
        conditions.assume_non_null(id);
      } else if (position >= 0 && scan->table->columns[static_cast<std::size_t>(position)].primary_key_position > 0 &&
                 state_.rely_on_not_null(id)) {
        conditions.assume_non_null(id);
      }
    };
    for (const auto& column : scan->columns) add(column.id, column.position);
    for (const auto& extra : state_.extra_columns()) {
      if (extra.row == scan->row) add(extra.id, extra.position);
    }
    return add_checks(conditions, *scan);
  }
  const auto ids = outputs(leaf);
  state_.close_columns(ids);
  const auto facts = facts_of(leaf, plan);
  for (const auto id : ids) {
    if (facts.non_null.contains(id)) conditions.assume_non_null(id);
  }
}

// Adds the CHECKs over columns that the queries use.
void Chase::add_checks(ConditionSolver& conditions, const Scan& scan) {
  if (!state_.allowed().checks || scan.table == nullptr) return;
  const auto column_at = [&](int position) -> const Expr* {
    if (const auto own = find_position(scan, position); own != scan.columns.end()) return &state_.column(own->id);
    for (const auto& extra : state_.extra_columns()) {
      if (extra.row == scan.row && extra.position == position) return &state_.column(extra.id);
    }
    return nullptr;
  };
  AttributeSet non_null;
  for (const auto& column : scan.columns) {
    if (!state_.plan().attributes[column.id].types.may_be_null()) non_null.add(column.id);
  }
  for (const auto& check : state_.checks_of(*scan.table)) {
    if (!is_usable_check(check, *scan.table)) continue;
    std::map<AttributeId, const Expr*> columns;
    for (const auto& [id, position] : check.columns) columns.emplace(id, column_at(position));
    const bool complete =
        std::all_of(columns.begin(), columns.end(), [](const auto& c) { return c.second != nullptr; });
    const Assumption assumption{Assumption::Kind::check, scan.table->name, {std::string(check.text)}, {}};
    const bool may_rely = complete && state_.may_rely_on(assumption) &&
                          std::all_of(check.assumptions.begin(), check.assumptions.end(),
                                      [&](const Assumption& each) { return state_.may_rely_on(each); });
    if (!may_rely) continue;
    state_.rely_on(assumption);
    for (const auto& each : check.assumptions) state_.rely_on(each);
    Expr condition = check.condition;
    substitute(condition, [&](AttributeId id) { return columns.at(id); });
    const auto truth =
        is_non_null(condition, state_.plan(), non_null) ? TruthSet::yes() : TruthSet::yes() | TruthSet::null();
    conditions.assume(state_.bindings().keep(std::move(condition)), truth);
  }
}

bool Chase::is_new(const Tableau& tableau, const FlatBlock& block) const {
  return std::all_of(block.leaves.begin(), block.leaves.end(), [&](const Rel* leaf) {
    const auto ids = outputs(*leaf);
    return std::find(tableau.leaves.begin(), tableau.leaves.end(), leaf) == tableau.leaves.end() &&
           std::none_of(ids.begin(), ids.end(), [&](AttributeId id) { return state_.bindings().is_bound(id); });
  });
}

void Chase::add(Tableau& tableau, const FlatBlock& block) {
  for (const auto* leaf : block.leaves) {
    tableau.leaves.push_back(leaf);
    add_facts(tableau.conditions, *leaf);
  }
  for (const auto& part : block.parts) {
    if (part.kind == BlockPart::Kind::exists) continue;
    tableau.parts.push_back(part);
    if (part.kind != BlockPart::Kind::optional && part.kind != BlockPart::Kind::scalar) continue;
    state_.close_columns(filled_columns(state_, *part.rel));
  }
  for (const auto* conjunct : block.conjuncts) tableau.conditions.assume(state_.apply(*conjunct));
  for (const auto& part : block.parts) {
    if (part.kind != BlockPart::Kind::exists) continue;
    const auto blocks = blocks_of_set(*part.rel, state_.bindings(), 1);
    if (!blocks || blocks->size() != 1 || !is_new(tableau, blocks->front())) continue;
    state_.define_columns(blocks->front());
    add(tableau, blocks->front());
    for (const auto& conjunct : *part.on) tableau.conditions.assume(state_.apply(conjunct));
  }
}

Tableau Chase::tableau_of(const FlatBlock& block) {
  Tableau tableau{{}, {}, state_.new_solver()};
  if (!is_new(tableau, block)) state_.budget().exhaust();
  add(tableau, block);
  chase_keys(tableau);
  return tableau;
}

// --- keys

void Chase::chase_keys(Tableau& tableau) {
  const auto n = tableau.leaves.size();
  if (n > max_leaves_to_chase) return;
  for (bool again = true; again && state_.budget().spend();) {
    again = false;
    for (std::size_t i = 0; i < n; ++i) {
      const auto* a = tableau.leaves[i]->as<Scan>();
      if (a == nullptr || a->table == nullptr) continue;
      for (std::size_t j = 0; j < i; ++j) {
        const auto* b = tableau.leaves[j]->as<Scan>();
        if (b != nullptr && b->table == a->table && merge_rows(tableau.conditions, *a, *b)) again = true;
      }
    }
  }
}

// Two rows of a table that agree in a key are the same row. Returns whether that was new.
bool Chase::merge_rows(ConditionSolver& conditions, const Scan& a, const Scan& b) {
  if (conditions.same(column(a.row), column(b.row)) || !agree_in_key(conditions, a, b)) return false;
  const auto assume_same = [&](AttributeId x, AttributeId y) {
    conditions.assume_same(state_.column(x), state_.column(y));
  };
  assume_same(a.row, b.row);
  for (const auto& column : a.columns) assume_same(column.id, state_.column_of(b, column));
  for (const auto& column : b.columns) assume_same(column.id, state_.column_of(a, column));
  return true;
}

bool Chase::agree_in_key(ConditionSolver& conditions, const Scan& a, const Scan& b) {
  const auto agree = [&](int position) {
    const auto a_column = find_position(a, position);
    const auto b_column = find_position(b, position);
    return a_column != a.columns.end() && b_column != b.columns.end() &&
           conditions.same(state_.column(a_column->id), state_.column(b_column->id)) &&
           conditions.non_null(state_.column(a_column->id));
  };
  if (agree(-1)) return true;
  return std::any_of(a.table->keys.begin(), a.table->keys.end(), [&](const Key& key) {
    return !key.is_partial && !key.has_expression && !key.parts.empty() &&
           std::all_of(key.parts.begin(), key.parts.end(), [&](const KeyPart& part) { return agree(part.column); });
  });
}

// --- foreign keys

bool Chase::chase_foreign_keys(Tableau& tableau, const std::vector<FlatBlock>& patterns) {
  if (!state_.allowed().foreign_keys) return false;
  bool added = false;
  std::size_t parents = 0;
  for (std::size_t i = 0; i < tableau.leaves.size() && parents < max_parents; ++i) {
    const auto* child = tableau.leaves[i]->as<Scan>();
    if (child == nullptr || child->table == nullptr) continue;
    for (const auto& pattern : patterns) {
      for (const auto* leaf : pattern.leaves) {
        const auto* parent = leaf->as<Scan>();
        if (parent == nullptr || parent->table == nullptr || !state_.budget().spend() ||
            !add_parent(tableau, *child, *parent))
          continue;
        added = true;
        ++parents;
      }
    }
  }
  if (added) chase_keys(tableau);
  return added;
}

// If the table of `child` has a foreign key to that of `parent`, the parent row becomes a leaf. `parent` determines
// which columns are needed.
bool Chase::add_parent(Tableau& tableau, const Scan& child, const Scan& parent) {
  auto& conditions = tableau.conditions;
  for (const auto& key : child.table->foreign_keys) {
    if (child.schema != parent.schema || !equals_ignore_case(key.parent_table, parent.name)) continue;
    if (key.columns.empty() || key.columns.size() != key.parent_columns.size()) continue;
    auto row = parent_row(conditions, key, child, parent);
    if (!row || has_row(tableau, *row) ||
        !state_.rely_on({Assumption::Kind::foreign_key, child.table->name, row->child_columns, parent.table->name}))
      continue;
    parents_.emplace_back(std::move(row->scan));
    tableau.leaves.push_back(&parents_.back());
    add_facts(conditions, parents_.back());
    for (const auto& [child_column, parent_column] : row->columns)
      conditions.assume_same(state_.column(child_column), state_.column(parent_column));
    return true;
  }
  return false;
}

// The row of the table of `parent` to which `key` leads from `child`; nullopt if the queries lack one of its columns,
// or the key may be NULL or equal to the parent's without being identical.
std::optional<Chase::ParentRow> Chase::parent_row(ConditionSolver& conditions, const ForeignKey& key, const Scan& child,
                                                  const Scan& parent) {
  auto& plan = state_.plan();
  ParentRow row{parent, {}, {}};
  row.scan.row = plan.add_attribute_like(parent.row);
  for (auto& column : row.scan.columns) column.id = plan.add_attribute_like(column.id);
  for (std::size_t i = 0; i < key.columns.size(); ++i) {
    const auto position = parent.table->find_column(key.parent_columns[i]);
    const auto child_column = find_position(child, key.columns[i]);
    if (!position || child_column == child.columns.end()) return std::nullopt;
    const auto parent_column = find_position(row.scan, static_cast<int>(*position));
    if (parent_column == row.scan.columns.end()) return std::nullopt;
    const Expr& from = state_.column(child_column->id);
    const Expr& to = state_.column(parent_column->id);
    const auto& attribute = plan.attributes[parent_column->id];
    if (!conditions.non_null(from) || attribute.collation != binary_collation || !equal_is_identical(from, to, plan) ||
        converts(from, effective_affinity(attribute.affinity), plan))
      return std::nullopt;
    row.columns.emplace_back(child_column->id, parent_column->id);
    row.child_columns.push_back(child.table->columns[static_cast<std::size_t>(key.columns[i])].name);
  }
  return row;
}

// Whether the parent row is a leaf already.
bool Chase::has_row(Tableau& tableau, const ParentRow& row) {
  return std::any_of(tableau.leaves.begin(), tableau.leaves.end(), [&](const Rel* leaf) {
    const auto* scan = leaf->as<Scan>();
    if (scan == nullptr || scan->table != row.scan.table) return false;
    return std::all_of(row.columns.begin(), row.columns.end(), [&](const auto& pair) {
      const int position = state_.plan().attributes[pair.second].position;
      return std::any_of(scan->columns.begin(), scan->columns.end(), [&](const TableColumn& c) {
        return c.position == position && tableau.conditions.same(state_.column(c.id), state_.column(pair.first));
      });
    });
  });
}

}  // namespace trustsql::equiv
