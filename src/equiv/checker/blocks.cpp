#include "equiv/checker/blocks.hpp"

#include <algorithm>

#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

constexpr std::size_t max_blocks = 32;

std::optional<Companion> companion_of(const Rel& rel) {
  using Kind = Companion::Kind;
  if (const auto* n = rel.as<Join>()) {
    if (n->type == JoinType::semi) return Companion{Kind::semi, n->right.get(), &n->on};
    if (n->type == JoinType::anti) return Companion{Kind::anti, n->right.get(), &n->on};
    if (n->type == JoinType::left) return Companion{Kind::left, n->right.get(), &n->on};
  } else if (const auto* n = rel.as<Apply>()) {
    switch (n->type) {
      case ApplyType::scalar: return Companion{Kind::scalar, n->right.get(), &n->on};
      case ApplyType::semi: return Companion{Kind::semi, n->right.get(), &n->on};
      case ApplyType::anti: return Companion{Kind::anti, n->right.get(), &n->on};
      case ApplyType::lateral: return Companion{Kind::lateral, n->right.get(), &n->on};
      case ApplyType::lateral_left: return Companion{Kind::left, n->right.get(), &n->on};
    }
  }
  return std::nullopt;
}

const Rel& left_side(const Rel& rel) { return rel.is<Join>() ? *rel.as<Join>()->left : *rel.as<Apply>()->left; }

bool is_empty_row(const Values& values) { return values.ids.empty() && values.rows.size() == 1; }

bool merges_equal_rows(const Rel& rel) {
  const auto is_binary = [](std::string_view collation) { return collation == binary_collation; };
  if (const auto* n = rel.as<Distinct>()) return std::all_of(n->collations.begin(), n->collations.end(), is_binary);
  const auto* n = rel.as<Aggregate>();
  return n != nullptr && n->grouped && n->calls.empty() &&
         std::all_of(n->keys.begin(), n->keys.end(), [&](const GroupKey& key) { return is_binary(key.collation); });
}

void append(JoinBlock& block, const JoinBlock& more) {
  block.leaves.insert(block.leaves.end(), more.leaves.begin(), more.leaves.end());
  block.conditions.insert(block.conditions.end(), more.conditions.begin(), more.conditions.end());
  block.companions.insert(block.companions.end(), more.companions.begin(), more.companions.end());
  block.definitions.insert(more.definitions.begin(), more.definitions.end());
}

class Splitter {
 public:
  // `alternatives`: whether UNION ALL and VALUES are split into blocks.
  Splitter(bool as_set, bool alternatives) : as_set_(as_set), alternatives_(alternatives) {}

  std::vector<JoinBlock> split(const Rel& rel) {
    if (too_many_) return {};
    if (const auto* n = rel.as<Filter>()) return with_conditions(split(*n->input), n->conjuncts);
    if (const auto* n = rel.as<Sort>()) return split(*n->input);
    if (const auto* n = rel.as<Derived>(); n != nullptr && !is_volatile(rel)) return split(*n->input);
    if (const auto* n = rel.as<Project>()) {
      auto blocks = split(*n->input);
      for (auto& block : blocks) {
        for (const auto& item : n->items) {
          if (!item.is_pass_through()) block.definitions.emplace(item.id, item.expr);
        }
      }
      return blocks;
    }
    if (const auto* n = rel.as<Join>(); n != nullptr && n->type == JoinType::inner) {
      return with_conditions(product(split(*n->left), split(*n->right)), n->on);
    }
    if (const auto companion = companion_of(rel)) {
      auto blocks = split(left_side(rel));
      if (as_set_ && companion->kind == Companion::Kind::semi)
        return with_conditions(product(std::move(blocks), split(*companion->rel)), *companion->on);
      for (auto& block : blocks) block.companions.push_back(*companion);
      return blocks;
    }
    if (as_set_ && merges_equal_rows(rel)) return split_merged(rel);
    if (const auto* n = rel.as<SetOp>(); alternatives_ && n != nullptr && n->op == ast::SetOp::union_all)
      return split_union(*n);
    if (const auto* n = rel.as<Values>()) {
      if (!alternatives_ && is_empty_row(*n)) return {JoinBlock{}};
      if (alternatives_ && n->rows.size() <= max_blocks) return split_values(*n);
    }
    return {JoinBlock{{&rel}, {}, {}, {}}};
  }

  bool too_many() const { return too_many_; }

 private:
  static std::vector<JoinBlock> with_conditions(std::vector<JoinBlock> blocks, const std::vector<Expr>& conditions) {
    for (auto& block : blocks) block.conditions.insert(block.conditions.end(), conditions.begin(), conditions.end());
    return blocks;
  }

  std::vector<JoinBlock> product(const std::vector<JoinBlock>& left, const std::vector<JoinBlock>& right) {
    std::vector<JoinBlock> result;
    too_many_ = too_many_ || left.size() * right.size() > max_blocks;
    if (too_many_) return result;
    for (const auto& a : left) {
      for (const auto& b : right) append(result.emplace_back(a), b);
    }
    return result;
  }

  std::vector<JoinBlock> split_merged(const Rel& rel) {
    if (const auto* n = rel.as<Distinct>()) return split(*n->input);
    const auto& aggregate = *rel.as<Aggregate>();
    auto blocks = split(*aggregate.input);
    for (auto& block : blocks) {
      for (const auto& key : aggregate.keys) {
        const auto* from = column_id(key.expr);
        if (from == nullptr || *from != key.id) block.definitions.emplace(key.id, key.expr);
      }
    }
    return blocks;
  }

  std::vector<JoinBlock> split_union(const SetOp& n) {
    std::vector<JoinBlock> result;
    for (const auto& input : n.inputs) {
      const auto ids = outputs(input);
      for (auto& block : split(input)) {
        for (std::size_t i = 0; i < ids.size(); ++i) block.definitions.emplace(n.ids[i], column(ids[i]));
        result.push_back(std::move(block));
      }
    }
    too_many_ = too_many_ || result.size() > max_blocks;
    return result;
  }

  static std::vector<JoinBlock> split_values(const Values& n) {
    std::vector<JoinBlock> result;
    for (const auto& row : n.rows) {
      auto& block = result.emplace_back();
      for (std::size_t i = 0; i < n.ids.size(); ++i) block.definitions.emplace(n.ids[i], row[i]);
    }
    return result;
  }

  bool as_set_;
  bool alternatives_;
  bool too_many_ = false;
};

}  // namespace

JoinBlock join_block(const Rel& rel) { return Splitter(false, false).split(rel).front(); }

std::optional<std::vector<JoinBlock>> union_blocks(const Rel& rel, bool as_set) {
  Splitter splitter(as_set, true);
  auto blocks = splitter.split(rel);
  if (splitter.too_many()) return std::nullopt;
  return blocks;
}

}  // namespace trustsql::equiv::checker
