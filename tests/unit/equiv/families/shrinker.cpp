#include "unit/equiv/families/shrinker.hpp"

#include <algorithm>

namespace trustsql::families {

namespace {

// The node at a path of part numbers.
Node& at(Node& root, const std::vector<std::size_t>& path) {
  Node* node = &root;
  for (const auto step : path) node = &node->parts[step];
  return *node;
}

// A way to make the node at `path` smaller.
struct Reduction {
  enum class What : std::uint8_t { to_part, drop_part, clear, clear_text } what = What::clear;
  std::vector<std::size_t> path;
  std::size_t part = 0;

  friend bool operator==(const Reduction&, const Reduction&) = default;
};

void collect(const Node& node, std::vector<std::size_t>& path, std::vector<Reduction>& all) {
  using What = Reduction::What;
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    const auto& part = node.parts[i];
    const bool same_sort = (is_expr(node) && is_expr(part) && !part.is(Kind::row)) ||
                           (is_from(node) && is_from(part)) || (is_query(node) && is_query(part));
    if (same_sort) all.push_back({What::to_part, path, i});
    const bool droppable =
        (node.is(Kind::list) || node.is(Kind::in_list) || node.is(Kind::values)) && node.parts.size() > 1;
    if (droppable) all.push_back({What::drop_part, path, i});
    const bool optional = (node.is(Kind::select) && i >= static_cast<std::size_t>(Part::where)) ||
                          (node.is(Kind::join) && i == 2) || (node.is(Kind::aggregate) && i == 1) ||
                          (node.is(Kind::window) && i > 0);
    if (optional && (part.is(Kind::list) ? !part.parts.empty() : !part.is(Kind::none)))
      all.push_back({What::clear, path, i});
  }
  if (node.is(Kind::select) && !node.text.empty()) all.push_back({What::clear_text, path, 0});
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    path.push_back(i);
    collect(node.parts[i], path, all);
    path.pop_back();
  }
}

std::vector<Reduction> reductions_of(const Node& root) {
  std::vector<Reduction> all;
  std::vector<std::size_t> path;
  collect(root, path, all);
  return all;
}

// Precondition: it is one of reductions_of(root).
Node reduced(const Node& root, const Reduction& reduction) {
  Node copy = root;
  Node& node = at(copy, reduction.path);
  switch (reduction.what) {
    case Reduction::What::clear_text: node.text.clear(); break;
    case Reduction::What::drop_part:
      node.parts.erase(node.parts.begin() + static_cast<std::ptrdiff_t>(reduction.part));
      break;
    case Reduction::What::to_part: {
      Node kept = std::move(node.parts[reduction.part]);
      node = std::move(kept);
      break;
    }
    case Reduction::What::clear: {
      Node& part = node.parts[reduction.part];
      part = make(part.is(Kind::list) ? Kind::list : Kind::none);
    }
  }
  return copy;
}

class Shrinker {
 public:
  Shrinker(WrongPair pair, Difference kind, const Prover& prover, Ground& ground, const Setting& setting,
           const std::vector<Filling>& others, int max_trials)
      : best_(std::move(pair)),
        kind_(kind),
        prover_(prover),
        ground_(ground),
        setting_(setting),
        others_(others),
        left_(max_trials) {}

  WrongPair shrink() {
    while (left_ > 0 && shrink_queries()) {
    }
    shrink_filling();
    return best_;
  }

 private:
  // Whether a smaller pair was found, which becomes the best one.
  bool shrink_queries() {
    const auto of_a = reductions_of(best_.a);
    const auto of_b = reductions_of(best_.b);
    for (const auto& reduction : of_a) {
      const bool of_both = std::ranges::find(of_b, reduction) != of_b.end();
      if (of_both && accept(reduced(best_.a, reduction), reduced(best_.b, reduction))) return true;
    }
    for (const auto& reduction : of_a) {
      if (accept(reduced(best_.a, reduction), best_.b)) return true;
    }
    for (const auto& reduction : of_b) {
      if (accept(best_.a, reduced(best_.b, reduction))) return true;
    }
    return false;
  }

  // By value: the best pair is replaced.
  bool accept(Node a, Node b) {
    if (left_ <= 0) return false;
    auto of_a = read(a, ground_, setting_);
    auto of_b = read(b, ground_, setting_);
    if (!of_a || !of_b || of_a->sql == of_b->sql || width(a) != width(b)) return false;
    --left_;
    const auto proof = prover_(of_a->plan, of_b->plan, setting_.options).proof;
    if (!proof) return false;
    const auto contradicts = [&](const Filling& filling) {
      ground_.fill(filling);
      if (!covers(setting_, proof->assumptions, ground_.departures())) return false;
      const auto x = ground_.outcome(of_a->statement.get());
      const auto y = ground_.outcome(of_b->statement.get());
      if (!x.ok || !y.ok || (x.list == y.list && x.bag == y.bag)) return false;
      if (compare(ground_, filling, setting_, a, b) != kind_) return false;
      best_ = {a, b, filling};
      return true;
    };
    if (contradicts(Filling(best_.filling))) return true;
    for (const auto& filling : others_) {
      if (contradicts(filling)) return true;
    }
    return false;
  }

  void shrink_filling() {
    auto of_a = read(best_.a, ground_, setting_);
    auto of_b = read(best_.b, ground_, setting_);
    if (!of_a || !of_b) return;
    const auto proof = prover_(of_a->plan, of_b->plan, setting_.options).proof;
    if (!proof) return;
    for (std::size_t i = 0; i < best_.filling.size();) {
      auto fewer = best_.filling;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      ground_.fill(fewer);
      if (covers(setting_, proof->assumptions, ground_.departures()) &&
          compare(ground_, fewer, setting_, best_.a, best_.b) == kind_) {
        best_.filling = std::move(fewer);
      } else {
        ++i;
      }
    }
  }

  WrongPair best_;
  Difference kind_;
  const Prover& prover_;
  Ground& ground_;
  const Setting& setting_;
  const std::vector<Filling>& others_;
  int left_;
};

}  // namespace

WrongPair shrink(WrongPair pair, Difference kind, const Prover& prover, Ground& ground, const Setting& setting,
                 const std::vector<Filling>& others, int max_trials) {
  return Shrinker(std::move(pair), kind, prover, ground, setting, others, max_trials).shrink();
}

}  // namespace trustsql::families
