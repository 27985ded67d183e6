// Rows of blocks as sets: what is true of them, homomorphisms, and matches that exist or do not.
#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "equiv/checker/correspondence_checker.hpp"
#include "equiv/checker/structure_text.hpp"
#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {
constexpr std::size_t max_candidates = 12;
constexpr int max_containments = 12;
}  // namespace

CorrespondenceChecker::Rows CorrespondenceChecker::rows_of(const std::vector<const Rel*>& leaves,
                                                           const JoinBlock& block) {
  Rows rows{Claims(plan_, assumed_)};
  for (const auto* each : leaves) add_leaf(rows, *each);
  add_block(rows, block);
  return rows;
}

void CorrespondenceChecker::add_leaf(Rows& rows, const Rel& leaf) {
  rows.leaves.push_back(&leaf);
  if (const auto* scan = leaf.as<Scan>()) {
    if (scan->table != nullptr) rows.claims.add_row(*scan);
    rows.claims.add_non_null(scan->row);
    const auto add = [&](AttributeId id) {
      if (!plan_.attributes[id].types.may_be_null() || assumed_.non_null.contains(id)) rows.claims.add_non_null(id);
    };
    for (const auto& column : scan->columns) add(column.id);
    add_checks(rows, *scan);
    return add_facts_of_extra_columns(rows);
  }
  const auto* aggregate = leaf.as<Aggregate>();
  if (aggregate == nullptr) return;
  for (const auto& call : aggregate->calls) {
    if (call.name == "count") rows.claims.add_non_null(call.id);
  }
  if (!aggregate->grouped) return;
  // A column that is never NULL in the rows is not NULL in the groups.
  const Restore restore(*this);
  const auto block = join_block(*aggregate->input);
  define(block);
  auto inputs = rows_of(block.leaves, block);
  const auto is_filled = [&](const Expr& expr) { return inputs.claims.true_of(is_null(expand(expr), true)); };
  for (const auto& key : aggregate->keys) {
    if (is_filled(key.expr)) rows.claims.add_non_null(key.id);
  }
  for (const auto& call : aggregate->calls) {
    const bool of_some_row = call.is_bare() || ((call.name == "min" || call.name == "max") && !call.filter);
    if (of_some_row && is_filled(call.arguments.front())) rows.claims.add_non_null(call.id);
  }
}

// Adds the CHECKs that the proof relies on.
void CorrespondenceChecker::add_checks(Rows& rows, const Scan& scan) {
  const auto attribute_at = [&](int position) -> std::optional<AttributeId> {
    for (const auto& column : scan.columns) {
      if (column.position == position) return column.id;
    }
    const auto extra = extra_columns_.find({scan.row, position});
    return extra == extra_columns_.end() ? std::nullopt : std::optional(extra->second);
  };
  for (const auto& assumption : claimed_.assumptions) {
    if (assumption.kind != Assumption::Kind::check || scan.table == nullptr || assumption.table != scan.table->name ||
        assumption.columns.size() != 1)
      continue;
    auto condition = checks_.read(*scan.table, assumption.columns.front(), attribute_at);
    if (!condition) continue;
    // Without values that make it true, trying values would accept everything.
    Claims probe(plan_, assumed_);
    probe.add(condition->as<Or>()->terms.front());
    if (!probe.contradictory()) rows.claims.add(*std::move(condition));
  }
}

// Adds facts of columns that only the other side uses.
void CorrespondenceChecker::add_facts_of_extra_columns(Rows& rows) const {
  for (const auto* leaf : rows.leaves) {
    const auto* scan = leaf->as<Scan>();
    for (const auto& [column, id] : extra_columns_) {
      if (scan == nullptr || column.first != scan->row) continue;
      if (!plan_.attributes[id].types.may_be_null() || assumed_.non_null.contains(id)) rows.claims.add_non_null(id);
    }
  }
}

// Adds the block's conditions and what its companions imply; its leaves have been added.
void CorrespondenceChecker::add_block(Rows& rows, const JoinBlock& block) {
  for (const auto& condition : block.conditions) rows.claims.add(expand(condition));
  for (const auto& companion : block.companions) {
    if (companion.kind == Companion::Kind::anti) rows.antis.push_back(companion);
    if (companion.kind != Companion::Kind::semi) continue;
    const auto partners = union_blocks(*companion.rel, true);
    if (!partners || partners->size() != 1) continue;
    const auto& partner = partners->front();
    const bool is_new = std::none_of(partner.leaves.begin(), partner.leaves.end(), [&](const Rel* leaf) {
      const auto ids = outputs(*leaf);
      return std::find(rows.leaves.begin(), rows.leaves.end(), leaf) != rows.leaves.end() ||
             std::any_of(ids.begin(), ids.end(), [&](AttributeId id) { return bound_.contains(id); });
    });
    if (!is_new) continue;
    define(partner);
    for (const auto* leaf : partner.leaves) add_leaf(rows, *leaf);
    add_block(rows, partner);
    for (const auto& condition : *companion.on) rows.claims.add(expand(condition));
  }
}

bool CorrespondenceChecker::is_impossible(Rows& rows) {
  if (rows.claims.contradictory()) return true;
  const auto antis = rows.antis;
  Candidates candidates;
  const bool has_match = std::any_of(antis.begin(), antis.end(), [&](const Companion& companion) {
    const auto patterns = union_blocks(*companion.rel, true);
    return patterns && has_homomorphism(rows, *patterns, *companion.on, false, candidates);
  });
  // Some rows may have a match in one anti-join, the others in another one.
  return has_match || (candidates.size() > 1 && rows.claims.one_true_of(candidates));
}

// Whether the conditions of `block` are true of the rows, and its semi- and anti-joins keep them.
bool CorrespondenceChecker::follows(Rows& rows, const JoinBlock& block) {
  for (const auto& condition : block.conditions) {
    if (!spend()) return false;
    const auto expanded = expand(condition);
    if (rows.claims.true_of(expanded)) continue;
    // It also follows if a row for which it is not true would have a match that it must not have.
    if (rows.antis.empty()) return false;
    Rows against = rows;
    against.claims.add(Expr{IsTruth{expanded, true, true}});
    if (!is_impossible(against)) return false;
  }
  return std::all_of(block.companions.begin(), block.companions.end(), [&](const Companion& companion) {
    if (companion.kind == Companion::Kind::semi) return has_partner(rows, companion);
    return companion.kind != Companion::Kind::anti || has_no_partner(rows, companion);
  });
}

bool CorrespondenceChecker::has_partner(Rows& rows, const Companion& companion) {
  const auto patterns = union_blocks(*companion.rel, true);
  return patterns && has_homomorphism(rows, *patterns, *companion.on, false);
}

bool CorrespondenceChecker::is_same_companion(Claims& claims, const Companion& a, const Companion& b) const {
  const auto text = [&](const Companion& companion) {
    const Rel joined{Join{JoinType::semi, Rel{Values{{}, {{}}}}, *companion.rel, *companion.on}};
    return structure_text(joined, [&](AttributeId id) -> std::uint32_t {
      const auto expr = expand(id);
      const auto* to = column_id(expr);
      return to != nullptr ? claims.representative(*to) : std::uint32_t{1} << 31U | id;
    });
  };
  return a.kind == b.kind && text(a) == text(b);
}

bool CorrespondenceChecker::has_no_partner(const Rows& rows, const Companion& companion) {
  for (const auto& anti : rows.antis) {
    if (!spend()) return false;
    Claims claims = rows.claims;
    if (is_same_companion(claims, anti, companion)) return true;
  }
  const auto partners = union_blocks(*companion.rel, true);
  if (!partners || depth_ >= max_containments) return false;
  ++depth_;
  const bool impossible = std::all_of(partners->begin(), partners->end(), [&](const JoinBlock& partner) {
    if (!spend()) return false;
    const bool is_new = std::none_of(partner.leaves.begin(), partner.leaves.end(), [&](const Rel* leaf) {
      return std::find(rows.leaves.begin(), rows.leaves.end(), leaf) != rows.leaves.end();
    });
    if (!is_new) return false;
    const Restore restore(*this);
    define(partner);
    Rows with = rows;
    for (const auto* leaf : partner.leaves) add_leaf(with, *leaf);
    add_block(with, partner);
    for (const auto& condition : *companion.on) with.claims.add(expand(condition));
    return is_impossible(with);
  });
  --depth_;
  return impossible;
}

bool CorrespondenceChecker::sets(const Rel& a, const Columns& a_columns, const Rel& b, const Columns& b_columns,
                                 bool identical) {
  return a_columns.size() == b_columns.size() && contained(a, a_columns, b, b_columns, identical) &&
         contained(b, b_columns, a, a_columns, identical);
}

bool CorrespondenceChecker::contained(const Rel& part, const Columns& part_columns, const Rel& whole,
                                      const Columns& whole_columns, bool identical) {
  const auto blocks = union_blocks(part, true);
  const auto patterns = union_blocks(whole, true);
  if (!blocks || !patterns || depth_ >= max_containments) return false;
  std::vector<Expr> equal;
  for (std::size_t i = 0; i < part_columns.size(); ++i) {
    equal.push_back(compare(CompareOp::is, column(whole_columns[i]), column(part_columns[i])));
  }
  ++depth_;
  const bool holds = std::all_of(blocks->begin(), blocks->end(), [&](const JoinBlock& block) {
    const Restore restore(*this);
    define(block);
    auto rows = rows_of(block.leaves, block);
    return is_impossible(rows) || has_homomorphism(rows, *patterns, equal, identical);
  });
  --depth_;
  return holds;
}

// Whether in each of the rows one of the patterns is found, with `on` true.
bool CorrespondenceChecker::has_homomorphism(Rows& rows, const std::vector<JoinBlock>& patterns,
                                             const std::vector<Expr>& on, bool identical) {
  Candidates candidates;
  return has_homomorphism(rows, patterns, on, identical, candidates) ||
         (candidates.size() > 1 && rows.claims.one_true_of(candidates));
}

// The same for one of the patterns in all rows. To `candidates` are added conditions: rows for which all conditions of
// a candidate are true have a pattern.
bool CorrespondenceChecker::has_homomorphism(Rows& rows, const std::vector<JoinBlock>& patterns,
                                             const std::vector<Expr>& on, bool identical, Candidates& candidates) {
  static const Certificate::Pairs no_hints;
  const auto found_with = [&](const JoinBlock& pattern, const Certificate::Pairs& hints) {
    if (!spend()) return false;
    const Restore restore(*this);
    const auto* outer_hints = std::exchange(hints_, &hints);
    Rows extended = rows;
    const bool mapped = map_leaves(extended, pattern, hints);
    hints_ = outer_hints;
    if (!mapped) return false;
    add_facts_of_extra_columns(extended);
    define(pattern);
    std::vector<Expr> unproved;
    const auto check = [&](const Expr& condition) {
      auto expanded = expand(condition);
      if (const auto* comparison = expanded.as<Compare>(); identical && comparison != nullptr) {
        if (extended.claims.identical(*comparison->left, *comparison->right)) return true;
      } else if (extended.claims.true_of(expanded)) {
        return true;
      }
      unproved.push_back(std::move(expanded));
      return !identical;
    };
    for (const auto& condition : on) {
      if (!check(condition)) return false;
    }
    for (const auto& condition : pattern.conditions) {
      auto expanded = expand(condition);
      if (!extended.claims.true_of(expanded)) unproved.push_back(std::move(expanded));
    }
    for (const auto& companion : pattern.companions) {
      if (companion.kind == Companion::Kind::anti && !has_no_partner(extended, companion)) return false;
    }
    if (unproved.empty()) return true;
    // Values must come from existing rows, not from an added parent.
    if (candidates.size() < max_candidates && extended.leaves.size() == rows.leaves.size())
      candidates.push_back(std::move(unproved));
    return false;
  };
  for (const auto& pattern : patterns) {
    const bool narrow = std::none_of(
        pattern.companions.begin(), pattern.companions.end(),
        [](const Companion& companion) { return companion.adds_columns() || companion.kind == Companion::Kind::semi; });
    if (!narrow) continue;
    if (pattern.leaves.empty()) {
      if (found_with(pattern, no_hints)) return true;
      continue;
    }
    if (found_with(pattern, *hints_)) return true;
    for (const auto& group : claimed_.certificate.groups) {
      if (found_with(pattern, group)) return true;
    }
  }
  return false;
}

// Pairs the leaves of the pattern with leaves of the rows, or with parents of these.
bool CorrespondenceChecker::map_leaves(Rows& rows, const JoinBlock& pattern, const Certificate::Pairs& hints) {
  for (const auto* each : pattern.leaves) {
    const auto* to = partner(each, hints, rows.leaves);
    if (to == nullptr) {
      const auto parent = std::find_if(hints.begin(), hints.end(), [&](const auto& pair) {
        return pair.from == each && pair.to->template is<Scan>();
      });
      if (parent == hints.end() || !add_parent(rows, *parent->to)) return false;
      to = parent->to;
    }
    if (!leaf(*to, *each)) return false;
  }
  return true;
}

// Adds the parent of an existing row, by a foreign key that is assumed to hold.
bool CorrespondenceChecker::add_parent(Rows& rows, const Rel& leaf) {
  const auto& parent = *leaf.as<Scan>();
  if (parent.table == nullptr) return false;
  const auto column_at = [](const Scan& scan, int position) {
    const auto own_column = std::find_if(scan.columns.begin(), scan.columns.end(),
                                         [&](const TableColumn& c) { return c.position == position; });
    return own_column != scan.columns.end() ? &*own_column : nullptr;
  };
  for (const auto* each : rows.leaves) {
    const auto* child = each->as<Scan>();
    if (child == nullptr || child->table == nullptr || child->schema != parent.schema) continue;
    for (const auto& key : child->table->foreign_keys) {
      if (!equals_ignore_case(key.parent_table, parent.name) || key.columns.empty() ||
          key.columns.size() != key.parent_columns.size())
        continue;
      std::vector<Expr> equal;
      std::vector<std::string> names;
      for (std::size_t i = 0; i < key.columns.size(); ++i) {
        const auto* own = column_at(*child, key.columns[i]);
        const auto position = parent.table->find_column(key.parent_columns[i]);
        const auto* theirs = position ? column_at(parent, static_cast<int>(*position)) : nullptr;
        if (own == nullptr || theirs == nullptr) break;
        const Expr from = column(own->id);
        const Expr to = column(theirs->id);
        const auto& attribute = plan_.attributes[theirs->id];
        const bool plain = attribute.collation == binary_collation && equal_is_identical(from, to, plan_) &&
                           !converts(from, effective_affinity(attribute.affinity), plan_);
        if (!plain || !rows.claims.true_of(is_null(from, true))) break;
        equal.push_back(compare(CompareOp::equal, from, to));
        names.push_back(child->table->columns[static_cast<std::size_t>(key.columns[i])].name);
      }
      const Assumption assumption{Assumption::Kind::foreign_key, child->table->name, names, parent.table->name};
      const auto& assumed = claimed_.assumptions;
      if (equal.size() != key.columns.size() || std::find(assumed.begin(), assumed.end(), assumption) == assumed.end())
        continue;
      add_leaf(rows, leaf);
      for (auto& condition : equal) rows.claims.add(std::move(condition));
      return true;
    }
  }
  return false;
}

// The columns that `by` determines in the rows.
AttributeSet CorrespondenceChecker::determined(Rows& rows, AttributeSet by) const {
  const auto is_determined_by = [&](AttributeId id) {
    bool is_equal = by.contains(id);
    by.for_each([&](AttributeId each) {
      is_equal = is_equal || rows.claims.representative(each) == rows.claims.representative(id);
    });
    return is_equal || rows.claims.is_constant(id);
  };
  for (bool again = true; again;) {
    again = false;
    for (const auto* each : rows.leaves) {
      const auto ids = output_set(*each);
      if (ids.is_subset_of(by)) continue;
      bool is_key = false;
      if (const auto* scan = each->as<Scan>(); scan != nullptr && scan->table != nullptr) {
        const auto has_column = [&](int position) {
          return std::any_of(scan->columns.begin(), scan->columns.end(),
                             [&](const TableColumn& c) { return c.position == position && is_determined_by(c.id); });
        };
        const auto is_filled = [&](int position) {
          return std::any_of(scan->columns.begin(), scan->columns.end(), [&](const TableColumn& c) {
            return c.position == position && rows.claims.is_non_null(c.id);
          });
        };
        is_key = has_column(-1);
        for (const auto& key : scan->table->keys) {
          is_key = is_key || (!key.is_partial && !key.has_expression && !key.parts.empty() &&
                              std::all_of(key.parts.begin(), key.parts.end(), [&](const KeyPart& part) {
                                return has_column(part.column) && is_filled(part.column);
                              }));
        }
      } else if (const auto* aggregate = each->as<Aggregate>()) {
        is_key = std::all_of(aggregate->keys.begin(), aggregate->keys.end(),
                             [&](const GroupKey& key) { return is_determined_by(key.id); });
      }
      if (!is_key) continue;
      by |= ids;
      again = true;
    }
  }
  return by;
}

bool CorrespondenceChecker::is_determined(Rows& rows, const Expr& expr, const AttributeSet& by) const {
  if (is_volatile(expr) || has_subquery(expr)) return false;
  bool all_determined = true;
  references(expr).for_each([&](AttributeId id) {
    bool is_known = by.contains(id) || rows.claims.is_constant(id);
    by.for_each([&](AttributeId each) {
      is_known = is_known || rows.claims.representative(each) == rows.claims.representative(id);
    });
    all_determined = all_determined && is_known && (expr.is<plan::Column>() || equal_is_identical(column(id), plan_));
  });
  return all_determined;
}

}  // namespace trustsql::equiv::checker
