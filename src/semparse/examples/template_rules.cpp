#include "semparse/examples/template_rules.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/text.hpp"
#include "semparse/examples/query_parts.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_renamed = 6;
constexpr std::size_t max_piece = 40;  // tokens of a piece, on both sides together
constexpr std::size_t kept_pairs = 12;

// What a token is, its number included.
std::uint64_t identity(const TemplateToken& token) {
  return token.slot < 0 && token.time < 0
             ? token.key
             : mix64(token.key + static_cast<std::uint64_t>(1 + std::max(token.slot, token.time)));
}

std::vector<std::uint64_t> identities(const QueryTemplate& query) {
  std::vector<std::uint64_t> keys;
  keys.reserve(query.tokens.size());
  for (const auto& token : query.tokens) keys.push_back(identity(token));
  return keys;
}

std::uint64_t combine(std::uint64_t a, std::uint64_t b) { return mix64(a ^ mix64(b)); }

struct Collector {
  const std::vector<const QueryTemplate*>& templates;
  std::vector<std::vector<std::uint64_t>> keys{};
  // Most differences are seen once: they are counted first, and only those with enough support are kept.
  std::size_t min_support = 1;
  bool counting = true;
  std::unordered_map<std::uint64_t, std::uint32_t> counts{};
  std::map<std::uint64_t, TemplateRule> rules{};

  void add(std::uint64_t hash, std::size_t a, std::size_t b, const TemplateRule& rule) {
    if (counting) {
      ++counts[hash];
      return;
    }
    if (counts[hash] < min_support) return;
    auto [entry, is_new] = rules.try_emplace(hash, rule);
    ++entry->second.support;
    if (entry->second.pairs.size() < kept_pairs) entry->second.pairs.emplace_back(a, b);
  }

  void renaming(std::size_t a, std::size_t b) {
    const auto& left = keys[a];
    const auto& right = keys[b];
    if (left.size() != right.size()) return;
    TemplateRule rule;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i] == right[i]) continue;
      const auto& from = templates[a]->tokens[i];
      const auto& to = templates[b]->tokens[i];
      if (from.slot >= 0 || to.slot >= 0 || (from.time >= 0) != (to.time >= 0) || from.time != to.time) return;
      const auto known = std::find_if(rule.renaming.begin(), rule.renaming.end(),
                                      [&](const auto& each) { return each.first == from.key; });
      if (known == rule.renaming.end()) {
        if (rule.renaming.size() == max_renamed) return;
        rule.renaming.emplace_back(from.key, to);
        rule.renaming.back().second.time = -1;
      } else if (known->second.key != to.key) {
        return;
      }
    }
    if (rule.renaming.empty()) return;
    std::sort(rule.renaming.begin(), rule.renaming.end(),
              [](const auto& x, const auto& y) { return x.first < y.first; });
    std::uint64_t hash = 1;
    for (const auto& [key, token] : rule.renaming) hash = combine(hash, combine(key, token.key));
    add(hash, a, b, rule);
  }

  void piece(std::size_t a, std::size_t b) {
    const auto& left = keys[a];
    const auto& right = keys[b];
    const auto shorter = std::min(left.size(), right.size());
    std::size_t front = 0;
    while (front < shorter && left[front] == right[front]) ++front;
    std::size_t back = 0;
    while (back < shorter - front && left[left.size() - 1 - back] == right[right.size() - 1 - back]) ++back;
    const auto removed = left.size() - front - back;
    const auto inserted = right.size() - front - back;
    if (removed + inserted > max_piece || front == 0) return;
    TemplateRule rule;
    const auto plain = [](const TemplateToken& token) { return token.slot < 0 && token.time < 0; };
    for (std::size_t i = front; i < left.size() - back; ++i) {
      if (!plain(templates[a]->tokens[i])) return;
      rule.removed.push_back(left[i]);
    }
    for (std::size_t i = front; i < right.size() - back; ++i) {
      if (!plain(templates[b]->tokens[i])) return;
      rule.inserted.push_back(templates[b]->tokens[i]);
    }
    rule.left = templates[a]->tokens[front - 1].key;
    rule.right = back == 0 ? 0 : templates[a]->tokens[left.size() - back].key;
    std::uint64_t hash = combine(2, combine(rule.left, rule.right));
    for (const auto key : rule.removed) hash = combine(hash, key);
    hash = combine(hash, 7);
    for (const auto& token : rule.inserted) hash = combine(hash, token.key);
    add(hash, a, b, rule);
  }
};

bool has_known_names(const QueryTemplate& query, const NamePairs& pairs) {
  NamePairs own;
  add_name_pairs(query, own);
  return std::includes(pairs.begin(), pairs.end(), own.begin(), own.end());
}

}  // namespace

void add_name_pairs(const QueryTemplate& query, NamePairs& pairs) {
  for (std::size_t i = 0; i + 2 < query.tokens.size(); ++i)
    if (query.tokens[i + 1].text == ".") pairs.emplace(query.tokens[i].key, query.tokens[i + 2].key);
}

std::vector<TemplateRule> find_rules(const std::vector<const QueryTemplate*>& templates, std::size_t min_support,
                                     std::size_t max_rules) {
  Collector collector{.templates = templates, .min_support = min_support};
  for (const auto* each : templates) collector.keys.push_back(identities(*each));
  for (const bool counting : {true, false}) {
    collector.counting = counting;
    for (std::size_t a = 0; a < templates.size(); ++a) {
      for (std::size_t b = 0; b < templates.size(); ++b) {
        if (a == b) continue;
        collector.renaming(a, b);
        collector.piece(a, b);
      }
    }
  }
  std::vector<TemplateRule> rules;
  for (auto& [hash, rule] : collector.rules)
    if (rule.support >= min_support) rules.push_back(std::move(rule));
  std::stable_sort(rules.begin(), rules.end(),
                   [](const TemplateRule& a, const TemplateRule& b) { return a.support > b.support; });
  if (rules.size() > max_rules) rules.resize(max_rules);
  return rules;
}

std::optional<QueryTemplate> apply_rule(const TemplateRule& rule, const QueryTemplate& query, const NamePairs& pairs) {
  QueryTemplate changed;
  if (!rule.renaming.empty()) {
    std::size_t found = 0;
    for (const auto& [from, to] : rule.renaming) {
      const auto key = from;
      if (!std::any_of(query.tokens.begin(), query.tokens.end(),
                       [key](const TemplateToken& token) { return token.slot < 0 && token.key == key; }))
        break;
      ++found;
    }
    if (found < rule.renaming.size()) return std::nullopt;
    changed = query;
    for (auto& token : changed.tokens) {
      if (token.slot >= 0) continue;
      for (const auto& [from, to] : rule.renaming) {
        if (token.key != from) continue;
        token.text = to.text;
        token.key = to.key;
        break;
      }
    }
  } else {
    const auto fits = [&](std::size_t at) {
      if (at + rule.removed.size() > query.tokens.size() || query.tokens[at - 1].key != rule.left) return false;
      for (std::size_t i = 0; i < rule.removed.size(); ++i) {
        const auto& token = query.tokens[at + i];
        if (token.slot >= 0 || token.time >= 0 || token.key != rule.removed[i]) return false;
      }
      const auto after = at + rule.removed.size();
      return (after == query.tokens.size() ? 0 : query.tokens[after].key) == rule.right;
    };
    // In every place: a query that looks at the same rows twice changes in both.
    bool any = false;
    for (std::size_t at = 0; at < query.tokens.size();) {
      if (at > 0 && fits(at)) {
        any = true;
        changed.tokens.insert(changed.tokens.end(), rule.inserted.begin(), rule.inserted.end());
        at += rule.removed.size();
        if (at < query.tokens.size()) changed.tokens.push_back(query.tokens[at++]);
      } else {
        changed.tokens.push_back(query.tokens[at++]);
      }
    }
    if (!any) return std::nullopt;
    changed.slots = query.slots;
    changed.times = query.times;
  }
  if (!has_known_names(changed, pairs)) return std::nullopt;
  changed.set_key();
  return changed;
}

void find_slot_columns(QueryTemplate& query) {
  // The template filled with marks that are found again among the literals.
  Filler marks;
  const TimePhrase phrase;
  for (std::size_t i = 0; i < query.slots.size(); ++i)
    marks.values.push_back(query.slots[i].number ? std::to_string(900000000 + i) : "mark" + std::to_string(i));
  for (int i = 0; i < query.times; ++i) marks.times.emplace_back(&phrase, "{C} = 1");
  const auto sql = fill_template(query, marks);
  const auto parts = parts_of_query(sql);
  if (!parts) return;
  for (const auto& literal : parts->literals) {
    for (std::size_t i = 0; i < marks.values.size(); ++i)
      if (literal.value == marks.values[i]) query.slots[i].column = literal.column;
  }
}

}  // namespace trustsql::semparse
