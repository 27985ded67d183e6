#include "equiv/prover/flat_block.hpp"

#include <algorithm>

#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

std::optional<BlockPart> part_of(const Rel& rel) {
  if (const auto* join = rel.as<Join>()) {
    const auto part = [&](BlockPart::Kind kind) { return BlockPart{kind, join->right.get(), &join->on}; };
    if (join->type == JoinType::semi) return part(BlockPart::Kind::exists);
    if (join->type == JoinType::anti) return part(BlockPart::Kind::not_exists);
    if (join->type == JoinType::left) return part(BlockPart::Kind::optional);
  }
  if (const auto* apply = rel.as<Apply>()) {
    const auto part = [&](BlockPart::Kind kind) { return BlockPart{kind, apply->right.get(), &apply->on}; };
    switch (apply->type) {
      case ApplyType::scalar: return part(BlockPart::Kind::scalar);
      case ApplyType::semi: return part(BlockPart::Kind::exists);
      case ApplyType::anti: return part(BlockPart::Kind::not_exists);
      case ApplyType::lateral: return part(BlockPart::Kind::lateral);
      case ApplyType::lateral_left: return part(BlockPart::Kind::optional);
    }
  }
  return std::nullopt;
}

const Rel& left_of(const Rel& rel) {
  if (const auto* join = rel.as<Join>()) return *join->left;
  return *rel.as<Apply>()->left;
}

// Whether only identical rows are merged.
bool is_binary(const Distinct& distinct) {
  return std::all_of(distinct.collations.begin(), distinct.collations.end(),
                     [](std::string_view c) { return c == binary_collation; });
}
bool is_distinct_of_keys(const Aggregate& aggregate) {
  return aggregate.grouped && aggregate.calls.empty() &&
         std::all_of(aggregate.keys.begin(), aggregate.keys.end(),
                     [](const GroupKey& key) { return key.collation == binary_collation; });
}

class Expander {
 public:
  Expander(Bindings& bindings, bool as_set, std::size_t limit) : bindings_(bindings), as_set_(as_set), limit_(limit) {}

  std::optional<std::vector<FlatBlock>> expand(const Rel& rel) {
    auto blocks = blocks_of(rel);
    if (too_many_) return std::nullopt;
    return blocks;
  }

 private:
  static void add(std::vector<FlatBlock>& blocks, const std::vector<Expr>& conjuncts) {
    for (auto& block : blocks) {
      for (const auto& conjunct : conjuncts) block.conjuncts.push_back(&conjunct);
    }
  }

  std::vector<FlatBlock> product(std::vector<FlatBlock> left, std::vector<FlatBlock> right) {
    if (left.size() * right.size() > limit_) {
      too_many_ = true;
      return {};
    }
    std::vector<FlatBlock> result;
    for (const auto& a : left) {
      for (const auto& b : right) {
        FlatBlock both = a;
        const auto append = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
        append(both.leaves, b.leaves);
        append(both.conjuncts, b.conjuncts);
        append(both.parts, b.parts);
        append(both.columns, b.columns);
        result.push_back(std::move(both));
      }
    }
    return result;
  }

  std::vector<FlatBlock> blocks_of(const Rel& rel) {
    if (too_many_) return {};
    if (const auto* n = rel.as<Filter>()) {
      auto blocks = blocks_of(*n->input);
      add(blocks, n->conjuncts);
      return blocks;
    }
    if (const auto* n = rel.as<Project>()) return blocks_of(*n->input);
    if (const auto* n = rel.as<Sort>()) return blocks_of(*n->input);
    if (const auto* n = rel.as<Derived>(); n != nullptr && !is_volatile(rel)) return blocks_of(*n->input);
    if (const auto* n = rel.as<Join>(); n != nullptr && n->type == JoinType::inner) {
      auto blocks = product(blocks_of(*n->left), blocks_of(*n->right));
      add(blocks, n->on);
      return blocks;
    }
    if (const auto part = part_of(rel)) {
      auto blocks = blocks_of(left_of(rel));
      if (as_set_ && part->kind == BlockPart::Kind::exists) {
        blocks = product(std::move(blocks), blocks_of(*part->rel));
        add(blocks, *part->on);
      } else {
        for (auto& block : blocks) block.parts.push_back(*part);
      }
      return blocks;
    }
    if (const auto* n = rel.as<Distinct>(); n != nullptr && as_set_ && is_binary(*n)) return blocks_of(*n->input);
    if (const auto* n = rel.as<Aggregate>(); n != nullptr && as_set_ && is_distinct_of_keys(*n))
      return blocks_of_groups(*n);
    if (const auto* n = rel.as<SetOp>(); n != nullptr && n->op == ast::SetOp::union_all) return blocks_of_union(*n);
    if (const auto* n = rel.as<Values>()) return blocks_of_values(rel, *n);
    return {FlatBlock{{&rel}, {}, {}, {}}};
  }

  std::vector<FlatBlock> blocks_of_groups(const Aggregate& n) {
    auto blocks = blocks_of(*n.input);
    for (auto& block : blocks) {
      for (const auto& key : n.keys) {
        if (const auto* from = column_id(key.expr); from == nullptr || *from != key.id)
          block.columns.emplace_back(key.id, &key.expr);
      }
    }
    return blocks;
  }

  std::vector<FlatBlock> blocks_of_union(const SetOp& n) {
    std::vector<FlatBlock> result;
    for (const auto& input : n.inputs) {
      const auto ids = outputs(input);
      for (auto& block : blocks_of(input)) {
        for (std::size_t i = 0; i < ids.size(); ++i)
          block.columns.emplace_back(n.ids[i], &bindings_.keep(column(ids[i])));
        result.push_back(std::move(block));
      }
      if (result.size() > limit_) {
        too_many_ = true;
        return {};
      }
    }
    return result;
  }

  // Each row becomes a block without leaves.
  std::vector<FlatBlock> blocks_of_values(const Rel& rel, const Values& n) {
    if (n.rows.size() > limit_) return {FlatBlock{{&rel}, {}, {}, {}}};
    std::vector<FlatBlock> result;
    for (const auto& row : n.rows) {
      FlatBlock block;
      for (std::size_t i = 0; i < n.ids.size(); ++i) block.columns.emplace_back(n.ids[i], &row[i]);
      result.push_back(std::move(block));
    }
    return result;
  }

  Bindings& bindings_;
  bool as_set_;
  std::size_t limit_;
  bool too_many_ = false;
};

void flatten(const Rel& rel, FlatBlock& block) {
  const auto add = [&](const std::vector<Expr>& conjuncts) {
    for (const auto& conjunct : conjuncts) block.conjuncts.push_back(&conjunct);
  };
  if (const auto* n = rel.as<Filter>()) {
    flatten(*n->input, block);
    add(n->conjuncts);
  } else if (const auto* n = rel.as<Project>()) {
    flatten(*n->input, block);
  } else if (const auto* n = rel.as<Sort>()) {
    flatten(*n->input, block);
  } else if (const auto* n = rel.as<Derived>(); n != nullptr && !is_volatile(rel)) {
    flatten(*n->input, block);
  } else if (const auto* n = rel.as<Join>(); n != nullptr && n->type == JoinType::inner) {
    flatten(*n->left, block);
    flatten(*n->right, block);
    add(n->on);
  } else if (const auto part = part_of(rel)) {
    flatten(left_of(rel), block);
    block.parts.push_back(*part);
  } else if (const auto* n = rel.as<Values>(); n != nullptr && n->ids.empty() && n->rows.size() == 1) {
    // A row without columns needs no leaf.
  } else {
    block.leaves.push_back(&rel);
  }
}

}  // namespace

FlatBlock block_of(const Rel& rel) {
  FlatBlock block;
  flatten(rel, block);
  return block;
}

std::optional<std::vector<FlatBlock>> blocks_of_set(const Rel& rel, Bindings& bindings, std::size_t limit) {
  return Expander(bindings, true, limit).expand(rel);
}
std::optional<std::vector<FlatBlock>> blocks_of_bag(const Rel& rel, Bindings& bindings, std::size_t limit) {
  return Expander(bindings, false, limit).expand(rel);
}

void define_projections(const Rel& rel, Bindings& bindings) {
  walk(rel, [&](const Project& project) {
    for (const auto& item : project.items) {
      if (!item.is_pass_through()) bindings.define(item.id, item.expr);
    }
  });
}

}  // namespace trustsql::equiv
