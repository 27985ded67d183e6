#include "equiv/checker/correspondence_checker.hpp"

#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

constexpr int max_depth = 60;
// Accepted real and random pairs take fewer than two hundred steps. Larger queries may take more.
constexpr int max_checker_steps = 5'000;
constexpr int checker_steps_per_attribute = 20;

std::size_t count_wide(const JoinBlock& block) {
  return static_cast<std::size_t>(std::count_if(block.companions.begin(), block.companions.end(),
                                                [](const Companion& companion) { return companion.adds_columns(); }));
}

const std::vector<SortKey>* order_of(const Rel& rel) {
  if (const auto* n = rel.as<Sort>()) return &n->keys;
  if (const auto* n = rel.as<Project>()) return order_of(*n->input);
  if (const auto* n = rel.as<Limit>()) return order_of(*n->input);
  return nullptr;
}

}  // namespace

CorrespondenceChecker::CorrespondenceChecker(const Correspondence& claimed)
    : claimed_(claimed), plan_(claimed.plan), hints_(&claimed.certificate.pairs) {
  for (AttributeId id = 0; id < plan_.attributes.size(); ++id) {
    const auto& attribute = plan_.attributes[id];
    if (attribute.table == nullptr) continue;
    for (const auto& assumption : claimed.assumptions) {
      if (assumption.table != attribute.table->name ||
          assumption.columns != std::vector<std::string>{std::string(attribute.name)})
        continue;
      if (assumption.kind == Assumption::Kind::declared_type && attribute.storage == Affinity::integer)
        assumed_.integers.add(id);
      if (assumption.kind == Assumption::Kind::primary_key_not_null) assumed_.non_null.add(id);
    }
  }
}

std::optional<std::string> CorrespondenceChecker::reject() {
  steps_left_ = max_checker_steps + checker_steps_per_attribute * static_cast<int>(plan_.attributes.size());
  auto reason = reject_within_steps();
  if (steps_left_ <= 0) return "the correspondence takes too many steps to check";
  return reason;
}

std::optional<std::string> CorrespondenceChecker::reject_within_steps() {
  if (claimed_.how == RowsCorrespond::none) return reject_emptiness();
  if (outputs(claimed_.a).size() != outputs(claimed_.b).size())
    return "the queries differ in the number of their columns";
  if (claimed_.how == RowsCorrespond::one_to_one) return reject_one_to_one();
  return reject_sets();
}

// That neither relation has rows.
std::optional<std::string> CorrespondenceChecker::reject_emptiness() {
  for (const auto* rel : {&claimed_.a, &claimed_.b}) {
    const auto blocks = union_blocks(*rel, false);
    if (!blocks) return "a relation without rows has too many parts";
    for (const auto& block : *blocks) {
      const Restore restore(*this);
      define(block);
      auto rows = rows_of(block.leaves, block);
      if (!is_impossible(rows)) return "a relation may have rows";
    }
  }
  return std::nullopt;
}

std::optional<std::string> CorrespondenceChecker::reject_one_to_one() {
  const auto a_columns = outputs(claimed_.a);
  const auto b_columns = outputs(claimed_.b);
  const bool corresponds = bags(claimed_.a, claimed_.b, [&](Rows& rows) {
    std::vector<bool> used(a_columns.size(), false);
    for (std::size_t i = 0; i < b_columns.size(); ++i) {
      const auto same_column = [&](std::size_t k) {
        return !used[k] && rows.claims.equal(expand(a_columns[k]), expand(b_columns[i]));
      };
      std::size_t k = i;
      if (!same_column(k)) {
        for (k = 0; k < a_columns.size() && (!claimed_.any_column_order || !same_column(k));) ++k;
      }
      if (k == a_columns.size()) return false;
      used[k] = true;
    }
    return is_in_order(rows);
  });
  if (!corresponds) return "the rows do not correspond one to one";
  return std::nullopt;
}

std::optional<std::string> CorrespondenceChecker::reject_sets() {
  const auto a_columns = outputs(claimed_.a);
  const auto b_columns = outputs(claimed_.b);
  auto order = b_columns;
  std::sort(order.begin(), order.end());
  auto permuted = b_columns;
  do {
    if (!sets(claimed_.a, a_columns, claimed_.b, permuted, false)) {
      if (!claimed_.any_column_order || order.size() > 4) break;
      permuted = order;
      continue;
    }
    if (!orders_count()) return std::nullopt;
    const Restore restore(*this);
    const auto block = join_block(claimed_.a);
    define(block);
    bind(permuted, a_columns);
    auto rows = rows_of(block.leaves, block);
    for (std::size_t i = 0; i < permuted.size(); ++i) defined_.erase(permuted[i]);
    if (is_in_order(rows)) return std::nullopt;
    if (!claimed_.any_column_order) break;
    permuted = order;
  } while (std::next_permutation(order.begin(), order.end()));
  return "the queries do not have the same sets of rows";
}

// Whether both queries ask for an order, and the claim is that it is the same.
bool CorrespondenceChecker::orders_count() const {
  return claimed_.ordered && order_of(claimed_.a) != nullptr && order_of(claimed_.b) != nullptr;
}

bool CorrespondenceChecker::is_in_order(Rows& rows) {
  return !orders_count() || same_order(rows, *order_of(claimed_.a), *order_of(claimed_.b));
}

// --- attributes

Expr CorrespondenceChecker::expand(const Expr& expr) const {
  Expr copy = expr;
  AttributeSet own;
  if (has_subquery(copy)) add_produced(copy, own);
  std::vector<Expr> kept;
  kept.reserve(64);
  substitute(copy, [&](AttributeId id) -> const Expr* {
    if (own.contains(id)) return nullptr;
    if (const auto bound = bound_.find(id); bound != bound_.end()) return &bound->second;
    const auto defined = defined_.find(id);
    if (defined == defined_.end() || kept.size() == kept.capacity()) return nullptr;
    kept.push_back(expand(defined->second));
    return &kept.back();
  });
  return copy;
}

void CorrespondenceChecker::define(const JoinBlock& block) {
  for (const auto& [id, expr] : block.definitions) defined_.insert_or_assign(id, expr);
}

void CorrespondenceChecker::bind(const Columns& from, const Columns& to) {
  for (std::size_t i = 0; i < from.size(); ++i) bind(from[i], column(to[i]));
}

AttributeId CorrespondenceChecker::column_of(const Scan& scan, const TableColumn& like) {
  for (const auto& column : scan.columns) {
    if (column.position == like.position) return column.id;
  }
  const auto [column, is_new] = extra_columns_.try_emplace({scan.row, like.position});
  if (is_new) {
    column->second = plan_.add_attribute_like(like.id);
    // What is assumed of a column is assumed of each use of its table.
    if (assumed_.integers.contains(like.id)) assumed_.integers.add(column->second);
    if (assumed_.non_null.contains(like.id)) assumed_.non_null.add(column->second);
  }
  return column->second;
}

// --- bags

const Rel* CorrespondenceChecker::partner(const Rel* from, const Certificate::Pairs& among,
                                          const std::vector<const Rel*>& candidates) const {
  for (const auto& pair : among) {
    if (pair.from == from && std::find(candidates.begin(), candidates.end(), pair.to) != candidates.end())
      return pair.to;
  }
  return nullptr;
}

bool CorrespondenceChecker::bags(const Rel& to, const Rel& from, Then then) {
  if (depth_ >= max_depth || !spend()) return false;
  ++depth_;
  const Restore definitions(*this, false);
  const auto bound = bound_;
  bool corresponds = blocks(join_block(to), join_block(from), nullptr, then);
  if (!corresponds) {
    bound_ = bound;
    corresponds = sums(to, from, then);
  }
  --depth_;
  return corresponds;
}

bool CorrespondenceChecker::blocks(const JoinBlock& to, const JoinBlock& from, const JoinBlock* around, Then then) {
  if (!spend()) return false;
  const Restore definitions(*this, false);
  define(to);
  define(from);
  const auto bound = bound_;
  if (to.leaves.size() == from.leaves.size() && count_wide(to) == count_wide(from) && same_rows(to, from) &&
      same_conditions(to, from, around, then))
    return true;
  bound_ = bound;
  auto of_to = rows_within(around, to.leaves, to);
  auto of_from = rows_within(around, from.leaves, from);
  if (!is_impossible(of_to) || !is_impossible(of_from)) return false;
  of_to.claims.add(literal(std::int64_t{0}));
  return then(of_to);
}

// Pairs leaves, and companions that add columns, one to one.
bool CorrespondenceChecker::same_rows(const JoinBlock& to, const JoinBlock& from) {
  auto leaves = to.leaves;
  for (const auto* each : from.leaves) {
    const auto* other = partner(each, *hints_, leaves);
    if (other == nullptr || !leaf(*other, *each)) return false;
    std::erase(leaves, other);
  }
  std::vector<const Companion*> wide;
  std::vector<const Rel*> relations;
  for (const auto& companion : to.companions) {
    if (!companion.adds_columns()) continue;
    wide.push_back(&companion);
    relations.push_back(companion.rel);
  }
  for (const auto& companion : from.companions) {
    if (!companion.adds_columns()) continue;
    const auto* other = partner(companion.rel, *hints_, relations);
    const auto position = std::find(relations.begin(), relations.end(), other);
    if (other == nullptr) return false;
    const auto& partner = *wide[static_cast<std::size_t>(position - relations.begin())];
    if (partner.kind != companion.kind || !companions(to, partner, companion)) return false;
    wide.erase(wide.begin() + (position - relations.begin()));
    relations.erase(position);
  }
  return true;
}

bool CorrespondenceChecker::same_conditions(const JoinBlock& to, const JoinBlock& from, const JoinBlock* around,
                                            Then then) {
  auto of_to = rows_within(around, to.leaves, to);
  if (!follows(of_to, from)) return false;
  auto of_from = rows_within(around, to.leaves, from);
  return follows(of_from, to) && then(of_to);
}

// The rows of `leaves` and of `around`, if there is one, that the conditions of `block` leave.
CorrespondenceChecker::Rows CorrespondenceChecker::rows_within(const JoinBlock* around,
                                                               const std::vector<const Rel*>& leaves,
                                                               const JoinBlock& block) {
  if (around == nullptr) return rows_of(leaves, block);
  auto rows = rows_of(around->leaves, *around);
  for (const auto* each : leaves) add_leaf(rows, *each);
  add_block(rows, block);
  return rows;
}

// Whether the right sides of two left joins (or similar) have the same matches for each row of the rest.
bool CorrespondenceChecker::companions(const JoinBlock& block, const Companion& to, const Companion& from) {
  const auto partners = [](const Companion& companion) {
    auto rows = join_block(*companion.rel);
    rows.conditions.insert(rows.conditions.end(), companion.on->begin(), companion.on->end());
    return rows;
  };
  AttributeSet of_companions;
  for (const auto& each : block.companions) {
    if (each.adds_columns()) add_produced(*each.rel, of_companions);
  }
  JoinBlock around{block.leaves, {}, {}, {}};
  for (const auto& condition : block.conditions) {
    if (!references(expand(condition)).intersects(of_companions)) around.conditions.push_back(condition);
  }
  return blocks(partners(to), partners(from), &around, [&](Rows& rows) {
    return to.kind == Companion::Kind::lateral || bind_filled(rows.claims, *to.rel, *from.rel);
  });
}

// Columns that are NULL where there is no match, whatever computes them. A column that is NULL whenever the columns
// it is computed from are NULL can stand for its definition above the join as well.
bool CorrespondenceChecker::bind_filled(Claims& claims, const Rel& to, const Rel& from) {
  AttributeSet produced;
  add_produced(to, produced);
  const auto is_strict = [&](const Expr& expr) {
    const auto used = references(expr);
    if (used.empty() || !used.is_subset_of(produced)) return false;
    Claims nulls(plan_, assumed_);
    used.for_each([&](AttributeId each) { nulls.add(is_null(column(each))); });
    return nulls.true_of(is_null(expr));
  };
  std::vector<std::pair<AttributeId, Expr>> found_bindings;
  std::vector<std::pair<AttributeId, Expr>> others;  // columns of `to`
  for (const auto id : outputs(to)) {
    auto expr = expand(id);
    if (expr.is<plan::Column>() || is_strict(expr)) {
      if (!expr.is<plan::Column>()) found_bindings.emplace_back(id, std::move(expr));
    } else {
      others.emplace_back(id, std::move(expr));
    }
  }
  for (const auto id : outputs(from)) {
    auto expr = expand(id);
    if (expr.is<plan::Column>() || is_strict(expr)) {
      found_bindings.emplace_back(id, std::move(expr));
      continue;
    }
    const auto same = std::find_if(others.begin(), others.end(),
                                   [&](const auto& other) { return claims.identical(other.second, expr); });
    if (same != others.end()) found_bindings.emplace_back(id, column(same->first));
  }
  for (auto& [id, expr] : found_bindings) bind(id, std::move(expr));
  return true;
}

// Splits UNION ALL: each branch of one must be a branch of the other.
bool CorrespondenceChecker::sums(const Rel& to, const Rel& from, Then then) {
  const auto to_blocks = union_blocks(to, false);
  const auto from_blocks = union_blocks(from, false);
  const auto to_columns = outputs(to);
  const auto from_columns = outputs(from);
  if (!to_blocks || !from_blocks || to_columns.size() != from_columns.size()) return false;
  if (to_blocks->size() == 1 && from_blocks->size() == 1) return false;
  const auto possible = [&](const std::vector<JoinBlock>& blocks) {
    std::vector<const JoinBlock*> result;
    for (const auto& block : blocks) {
      const Restore restore(*this);
      define(block);
      auto rows = rows_of(block.leaves, block);
      if (!is_impossible(rows)) result.push_back(&block);
    }
    return result;
  };
  auto unpaired = possible(*to_blocks);
  const auto from_branches = possible(*from_blocks);
  if (unpaired.size() != from_branches.size()) return false;
  const auto* hints = hints_;
  for (const auto* from_block : from_branches) {
    const auto match = std::find_if(unpaired.begin(), unpaired.end(), [&](const JoinBlock* to_block) {
      const auto with = [&](const Certificate::Pairs& pairs) {
        const Restore restore(*this);
        hints_ = &pairs;
        const bool corresponds = blocks(*to_block, *from_block, nullptr, [&](Rows& rows) {
          for (std::size_t i = 0; i < to_columns.size(); ++i) {
            if (!rows.claims.identical(expand(to_columns[i]), expand(from_columns[i]))) return false;
          }
          return true;
        });
        hints_ = hints;
        return corresponds;
      };
      return with(*hints) || std::any_of(claimed_.certificate.groups.begin(), claimed_.certificate.groups.end(), with);
    });
    if (match == unpaired.end()) return false;
    unpaired.erase(match);
  }
  bind(from_columns, to_columns);
  Rows rows{Claims(plan_, assumed_)};
  if (from_branches.empty()) rows.claims.add(literal(std::int64_t{0}));
  return then(rows);
}

std::optional<std::string> reject(const Correspondence& claimed) { return CorrespondenceChecker(claimed).reject(); }

}  // namespace trustsql::equiv::checker
