// Tableaus: what holds for the rows of a block, and the chase with keys and foreign keys (Maier, Mendelzon and Sagiv
// 1979).
#include <algorithm>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "equiv/prover/unifier.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {
constexpr std::size_t max_leaves_to_chase = 24;
constexpr std::size_t max_parents = 12;
}  // namespace

bool Unifier::rely_on(Assumption assumption) {
  if (std::find(denied_.begin(), denied_.end(), assumption) != denied_.end()) return false;
  if (std::find(assumptions_.begin(), assumptions_.end(), assumption) == assumptions_.end())
    assumptions_.push_back(std::move(assumption));
  return true;
}

bool Unifier::rely_on_not_null(AttributeId id) {
  const auto& attribute = plan_.attributes[id];
  if (!assume_.primary_key_not_null || attribute.table == nullptr) return false;
  return rely_on({Assumption::Kind::primary_key_not_null, attribute.table->name, {std::string(attribute.name)}, {}});
}

bool Unifier::rely_on_integers(AttributeId id) {
  const auto& attribute = plan_.attributes[id];
  if (!assume_.declared_types || attribute.table == nullptr || attribute.position < 0 ||
      attribute.storage != Affinity::integer)
    return false;
  return rely_on({Assumption::Kind::declared_type, attribute.table->name, {std::string(attribute.name)}, {}});
}

void Unifier::add_facts(ConditionSolver& context, const Rel& leaf) {
  if (const auto* scan = leaf.as<Scan>()) {
    const auto add = [&](AttributeId id, int position) {
      if (!plan_.attributes[id].types.may_be_null()) {
        context.assume_non_null(id);
      } else if (position >= 0 && scan->table->columns[static_cast<std::size_t>(position)].primary_key_position > 0 &&
                 rely_on_not_null(id)) {
        context.assume_non_null(id);
      }
    };
    for (const auto& column : scan->columns) add(column.id, column.position);
    for (const auto& extra : extra_columns_) {
      if (extra.row == scan->row) add(extra.id, extra.position);
    }
    return;
  }
  const auto ids = outputs(leaf);
  close_columns(ids);
  const auto facts = facts_of(leaf, plan_);
  for (const auto id : ids) {
    if (facts.non_null.contains(id)) context.assume_non_null(id);
  }
}

// Whether the leaves of `block` may become leaves of the tableau: none of them is one already, and none is being
// paired with another. Two rows of one leaf would share their attributes.
bool Unifier::is_new(const Tableau& tableau, const Block& block) const {
  return std::all_of(block.leaves.begin(), block.leaves.end(), [&](const Rel* leaf) {
    const auto ids = outputs(*leaf);
    return std::find(tableau.leaves.begin(), tableau.leaves.end(), leaf) == tableau.leaves.end() &&
           std::none_of(ids.begin(), ids.end(), [&](AttributeId id) { return bindings_.is_bound(id); });
  });
}

// Precondition: is_new().
void Unifier::add_to(Tableau& tableau, const Block& block) {
  for (const auto* leaf : block.leaves) {
    tableau.leaves.push_back(leaf);
    add_facts(tableau.conditions, *leaf);
  }
  for (const auto& part : block.parts) {
    if (part.kind == Part::Kind::exists) continue;
    tableau.parts.push_back(part);
    if (part.kind != Part::Kind::optional && part.kind != Part::Kind::scalar) continue;
    close_columns(filled_columns(*part.rel));
  }
  for (const auto* conjunct : block.conjuncts) tableau.conditions.assume(apply(*conjunct));
  for (const auto& part : block.parts) {
    if (part.kind != Part::Kind::exists) continue;
    const auto blocks = blocks_of_set(*part.rel, bindings_, 1);
    if (!blocks || blocks->size() != 1 || !is_new(tableau, blocks->front())) continue;
    define_columns(blocks->front());
    add_to(tableau, blocks->front());
    for (const auto& conjunct : *part.on) tableau.conditions.assume(apply(conjunct));
  }
}

Unifier::Tableau Unifier::tableau_of(const Block& block) {
  Tableau tableau{{}, {}, ConditionSolver(plan_, terms_, budget_, assume_integer_)};
  if (!is_new(tableau, block)) budget_.exhaust();
  add_to(tableau, block);
  chase_keys(tableau);
  return tableau;
}

// --- keys

void Unifier::chase_keys(Tableau& tableau) {
  const auto n = tableau.leaves.size();
  if (n > max_leaves_to_chase) return;
  for (bool again = true; again && budget_.spend();) {
    again = false;
    for (std::size_t i = 0; i < n; ++i) {
      const auto* a = tableau.leaves[i]->as<Scan>();
      if (a == nullptr || a->table == nullptr) continue;
      for (std::size_t j = 0; j < i; ++j) {
        const auto* b = tableau.leaves[j]->as<Scan>();
        if (b != nullptr && b->table == a->table && chase_keys(tableau, *a, *b)) again = true;
      }
    }
  }
}

// Two rows of a table that agree in a key are the same row.
bool Unifier::chase_keys(Tableau& tableau, const Scan& a, const Scan& b) {
  auto& context = tableau.conditions;
  if (context.same(column(a.row), column(b.row))) return false;
  const auto agree = [&](int position) {
    const auto find = [&](const Scan& scan) {
      return std::find_if(scan.columns.begin(), scan.columns.end(),
                          [&](const TableColumn& c) { return c.position == position; });
    };
    const auto of_a = find(a);
    const auto of_b = find(b);
    return of_a != a.columns.end() && of_b != b.columns.end() &&
           context.same(bindings_.keep(column(of_a->id)), bindings_.keep(column(of_b->id))) &&
           context.non_null(bindings_.keep(column(of_a->id)));
  };
  bool one_row = agree(-1);
  for (const auto& key : a.table->keys) {
    if (one_row) break;
    if (key.is_partial || key.has_expression || key.parts.empty()) continue;
    one_row = std::all_of(key.parts.begin(), key.parts.end(), [&](const KeyPart& part) { return agree(part.column); });
  }
  if (!one_row) return false;
  const auto same = [&](AttributeId x, AttributeId y) {
    context.assume_same(bindings_.keep(column(x)), bindings_.keep(column(y)));
  };
  same(a.row, b.row);
  for (const auto& column : a.columns) same(column.id, column_of(b, column));
  for (const auto& column : b.columns) same(column.id, column_of(a, column));
  return true;
}

// --- foreign keys

bool Unifier::chase_foreign_keys(Tableau& tableau, const std::vector<Block>& patterns) {
  if (!assume_.foreign_keys) return false;
  bool added = false;
  std::size_t parents = 0;
  for (std::size_t i = 0; i < tableau.leaves.size() && parents < max_parents; ++i) {
    const auto* child = tableau.leaves[i]->as<Scan>();
    if (child == nullptr || child->table == nullptr) continue;
    for (const auto& pattern : patterns) {
      for (const auto* leaf : pattern.leaves) {
        const auto* parent = leaf->as<Scan>();
        if (parent == nullptr || parent->table == nullptr || !budget_.spend() ||
            !chase_foreign_key(tableau, *child, *parent))
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
bool Unifier::chase_foreign_key(Tableau& tableau, const Scan& child, const Scan& parent) {
  auto& context = tableau.conditions;
  for (const auto& key : child.table->foreign_keys) {
    if (child.schema != parent.schema || !equals_ignore_case(key.parent_table, parent.name)) continue;
    if (key.columns.empty() || key.columns.size() != key.parent_columns.size()) continue;
    Scan row = parent;
    row.row = plan_.add_attribute_like(parent.row);
    for (auto& column : row.columns) column.id = plan_.add_attribute_like(column.id);
    std::vector<std::pair<AttributeId, AttributeId>> pairs;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < key.columns.size(); ++i) {
      const auto position = parent.table->find_column(key.parent_columns[i]);
      const auto child_column = std::find_if(child.columns.begin(), child.columns.end(),
                                             [&](const TableColumn& c) { return c.position == key.columns[i]; });
      if (!position || child_column == child.columns.end()) break;
      auto parent_column = std::find_if(row.columns.begin(), row.columns.end(), [&](const TableColumn& c) {
        return c.position == static_cast<int>(*position);
      });
      if (parent_column == row.columns.end()) break;
      const Expr& from = bindings_.keep(column(child_column->id));
      const Expr& to = bindings_.keep(column(parent_column->id));
      const auto& attribute = plan_.attributes[parent_column->id];
      if (!context.non_null(from) || attribute.collation != binary_collation || !equal_is_identical(from, to, plan_))
        break;
      if (converts(from, effective_affinity(attribute.affinity), plan_)) break;
      pairs.emplace_back(child_column->id, parent_column->id);
      names.push_back(child.table->columns[static_cast<std::size_t>(key.columns[i])].name);
    }
    if (pairs.size() != key.columns.size()) continue;
    // Not if the parent row is a leaf already.
    const bool there = std::any_of(tableau.leaves.begin(), tableau.leaves.end(), [&](const Rel* leaf) {
      const auto* scan = leaf->as<Scan>();
      if (scan == nullptr || scan->table != parent.table) return false;
      return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        const int position = plan_.attributes[pair.second].position;
        return std::any_of(scan->columns.begin(), scan->columns.end(), [&](const TableColumn& c) {
          return c.position == position &&
                 context.same(bindings_.keep(column(c.id)), bindings_.keep(column(pair.first)));
        });
      });
    });
    if (there || !rely_on({Assumption::Kind::foreign_key, child.table->name, names, parent.table->name})) continue;
    added_parents_.push_back(Rel{std::move(row)});
    tableau.leaves.push_back(&added_parents_.back());
    add_facts(context, added_parents_.back());
    for (const auto& [own, theirs] : pairs)
      context.assume_same(bindings_.keep(column(own)), bindings_.keep(column(theirs)));
    return true;
  }
  return false;
}

}  // namespace trustsql::equiv
