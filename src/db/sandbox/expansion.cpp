#include "db/sandbox/expansion.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "base/sql_token.hpp"
#include "base/text.hpp"

namespace trustsql {

namespace {

using Use = Expansion::Use;

constexpr std::uint64_t countless = 1'000'000'000;  // products of two do not overflow

// The nodes of expressions that a query may have. Each takes some 72 bytes.
constexpr std::uint64_t max_nodes = 16'000'000;

constexpr std::uint64_t most_columns = 2'000;  // of a SELECT (https://sqlite.org/limits.html)

// A query this short does not expand far, unless it reads views.
constexpr std::size_t short_query = 256;

void add_product(std::uint64_t& count, std::uint64_t more, std::uint64_t times) {
  count = std::min(countless, count + more * times);
}

// Definitions that refer to each other by name, and what they are expanded to. A definition that refers to itself is
// not expanded by that: SQLite reads a recursive table, and rejects other circles.
class Definitions {
 public:
  void define(std::string name, Expansion expansion) { all_[std::move(name)] = {std::move(expansion)}; }

  Expansion expand(const Expansion& text) {
    Expansion expanded = text;
    expanded.tables.clear();
    for (const auto& [name, use] : text.tables) {
      const auto known = all_.find(name);
      if (known == all_.end()) {
        expanded.tables[name] = use;
      } else if (const auto* definition = expansion_of(known->second)) {
        expanded.add(*definition, use);
      }
    }
    return expanded;
  }

 private:
  enum class State { open, entered, done };
  struct Definition {
    Expansion expansion;
    State state = State::open;
  };

  const Expansion* expansion_of(Definition& definition) {
    if (definition.state == State::entered) return nullptr;
    if (definition.state == State::open) {
      definition.state = State::entered;
      definition.expansion = expand(definition.expansion);
      definition.expansion.widest = std::max(definition.expansion.widest, definition.expansion.columns);
      definition.state = State::done;
    }
    return &definition.expansion;
  }

  std::unordered_map<std::string, Definition> all_;
};

bool is_one_of(const Token& token, std::initializer_list<Keyword> words) {
  return token.is(TokenKind::keyword) && std::ranges::find(words, token.keyword) != words.end();
}

bool ends_from(const Token& token) {
  return is_one_of(token, {Keyword::Select, Keyword::Values, Keyword::Where, Keyword::Group, Keyword::Having,
                           Keyword::Order, Keyword::Limit, Keyword::Union, Keyword::Except, Keyword::Intersect});
}

// A word of the grammar that is no name.
bool is_reserved(const Token& token) {
  return ends_from(token) ||
         is_one_of(token, {Keyword::And,     Keyword::Or,     Keyword::Not,    Keyword::In,      Keyword::Is,
                           Keyword::Null,    Keyword::Case,   Keyword::When,   Keyword::Then,    Keyword::Else,
                           Keyword::On,      Keyword::From,   Keyword::Join,   Keyword::As,      Keyword::Between,
                           Keyword::Exists,  Keyword::Escape, Keyword::Isnull, Keyword::Notnull, Keyword::Collate,
                           Keyword::Distinct});
}

// Reads a text once, from the left to the right.
class Reader {
 public:
  explicit Reader(std::string_view sql) : sql_(sql), tokens_(significant_tokens(sql)) {}

  Expansion read() {
    scopes_.emplace_back();
    for (at_ = 0; at_ < tokens_.size(); ++at_) read(tokens_[at_]);
    while (scopes_.size() > 1) close();
    return expansion_of(scopes_.back());
  }

 private:
  // The text between two parentheses, or all of it. A WITH clause holds within it.
  struct Scope {
    Expansion inner{};  // what it reads
    Definitions definitions{};
    std::optional<std::string> defines{};  // the common table of which this is the body
    bool is_table = false;                 // a subquery in FROM, or a join
    bool has_select = false;
    bool in_from = false;
    bool expects_table = false;
    bool in_list = false;      // between SELECT and FROM
    std::uint64_t listed = 0;  // tokens there
    std::uint64_t items = 0;   // columns there
    std::uint64_t stars = 0;   // each mentions all columns
    std::size_t open_cases = 0;
    std::unordered_map<std::string, std::uint64_t> mentions{};
  };

  void read(const Token& token) {
    Scope& scope = scopes_.back();
    if (scope.in_list) ++scope.listed;
    if (token.is(TokenKind::left_parenthesis)) {
      Scope inner;
      inner.defines = defined_name();
      inner.is_table = inner.in_from = inner.expects_table = !inner.defines && scope.expects_table;
      inner.in_list = scope.in_list;
      scope.expects_table = false;
      scopes_.push_back(std::move(inner));
    } else if (token.is(TokenKind::right_parenthesis)) {
      if (scopes_.size() > 1) close();
    } else if (ends_from(token)) {
      const bool is_select = token.is(Keyword::Select);
      if (is_select || token.is(Keyword::Values)) {
        ++scope.inner.selects;
        scope.has_select = true;
      }
      if (is_select) ++scope.items;
      scope.in_from = scope.expects_table = false;
      scope.in_list = is_select;
    } else if (token.is(Keyword::From)) {
      if (before(Keyword::Distinct)) return;  // IS DISTINCT FROM
      scope.in_from = scope.expects_table = true;
      scope.in_list = false;
    } else if (token.is(Keyword::Join)) {
      scope.in_from = scope.expects_table = true;
    } else if (token.is(TokenKind::comma)) {
      scope.expects_table = scope.in_from;
      if (scope.in_list) ++scope.items;
    } else if (token.is(Keyword::In)) {
      scope.expects_table = at_ + 1 < tokens_.size() && tokens_[at_ + 1].is_name();
    } else if (token.is(TokenKind::star)) {
      ++scope.stars;
    } else if (token.is(Keyword::Case)) {
      ++scope.open_cases;
    } else if (token.is(Keyword::End) && scope.open_cases > 0) {
      --scope.open_cases;
    } else if (token.is_name() && !is_reserved(token)) {
      read_name(scope);
    }
  }

  void read_name(Scope& scope) {
    const bool is_qualifier = at_ + 2 < tokens_.size() && tokens_[at_ + 1].is(TokenKind::dot);
    if (scope.expects_table) {
      scope.expects_table = false;
      if (is_qualifier) at_ += 2;
      auto& use = (is_qualifier ? scope.inner.qualified : scope.inner.tables)[name_at(at_)];
      ++use.times;
      ++use.copies;
      ++use.stars;
    } else if (!is_qualifier && !before(Keyword::As) && !is_function() && !tokens_[at_].is(TokenKind::string)) {
      ++scope.mentions[name_at(at_)];
    }
  }

  bool is_function() const { return at_ + 1 < tokens_.size() && tokens_[at_ + 1].is(TokenKind::left_parenthesis); }
  bool before(Keyword keyword) const { return at_ > 0 && tokens_[at_ - 1].is(keyword); }
  std::string name_at(std::size_t at) const { return to_lower_ascii(tokens_[at].name(sql_)); }

  void close() {
    Scope closed = std::move(scopes_.back());
    scopes_.pop_back();
    Scope& scope = scopes_.back();
    const std::uint64_t stars = closed.is_table ? 1 : 0;
    if (!closed.has_select) {
      // A part of an expression, or a join.
      scope.listed += closed.listed;
      scope.stars += closed.stars;
      scope.inner.add(closed.inner, {1, 1, stars});
      merge_mentions(closed, scope);
      return;
    }
    Expansion expansion = expansion_of(closed);
    if (!closed.is_table && !closed.defines) merge_mentions(closed, scope);  // it may mention columns of this level
    if (closed.defines) {
      scope.definitions.define(*std::move(closed.defines), std::move(expansion));
    } else {
      scope.inner.add(expansion, {1, 1, stars});
    }
  }

  static void merge_mentions(Scope& from, Scope& to) {
    if (from.mentions.size() > to.mentions.size()) std::swap(from.mentions, to.mentions);
    for (const auto& [name, count] : from.mentions) to.mentions[name] += count;
  }

  static Expansion expansion_of(Scope& scope) {
    Expansion expansion = scope.definitions.expand(scope.inner);
    std::uint64_t mentions = scope.stars;
    for (const auto& [name, count] : scope.mentions) mentions = std::max(mentions, scope.stars + count);
    const std::uint64_t copies = std::max(mentions, std::uint64_t{1});
    const std::uint64_t below = expansion.nodes;
    expansion.nodes = scope.listed;
    add_product(expansion.nodes, below, copies);
    const std::uint64_t columns_below = expansion.columns;
    expansion.columns = scope.items;
    add_product(expansion.columns, columns_below, scope.stars);
    expansion.columns = std::min(most_columns, expansion.columns);
    expansion.widest = std::max(expansion.widest, expansion.columns);
    for (auto* names : {&expansion.tables, &expansion.qualified}) {
      for (auto& [name, use] : *names) {
        use.copies = std::min(countless, use.copies * copies);
        use.stars = std::min(most_columns, use.stars * scope.stars);
      }
    }
    expansion.mentions = std::max(expansion.mentions, copies);
    expansion.aliased = std::max(expansion.aliased, std::min(countless, scope.listed * copies));
    return expansion;
  }

  // The name of the common table whose body begins at the parenthesis here: name (columns) AS NOT MATERIALIZED (
  std::optional<std::string> defined_name() const {
    std::size_t at = at_;
    const auto behind = [&](auto what) { return at > 0 && tokens_[at - 1].is(what); };
    if (behind(Keyword::Materialized)) --at;
    if (behind(Keyword::Not)) --at;
    if (!behind(Keyword::As)) return std::nullopt;
    --at;
    if (behind(TokenKind::right_parenthesis)) {
      while (at > 0 && !behind(TokenKind::left_parenthesis)) --at;
      if (at > 0) --at;
    }
    if (at == 0 || !tokens_[at - 1].is_name()) return std::nullopt;
    return name_at(at - 1);
  }

  std::string_view sql_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::vector<Scope> scopes_;
};

}  // namespace

void Expansion::add(const Expansion& other, Use use) {
  add_product(selects, other.selects, use.times);
  add_product(nodes, other.nodes, use.copies);
  add_product(columns, other.columns, use.stars);
  columns = std::min(most_columns, columns);
  widest = std::max(widest, other.widest);
  mentions = std::max(mentions, other.mentions);
  aliased = std::max(aliased, other.aliased);
  const auto add_names = [&](const auto& from, auto& to) {
    for (const auto& [name, other_use] : from) {
      Use& sum = to[name];
      add_product(sum.times, other_use.times, use.times);
      add_product(sum.copies, other_use.copies, use.copies);
      add_product(sum.stars, other_use.stars, use.stars);
      sum.stars = std::min(most_columns, sum.stars);
    }
  };
  add_names(other.tables, tables);
  add_names(other.qualified, qualified);
}

Expansion expansion_of(std::string_view sql) { return Reader(sql).read(); }

void ViewExpansions::add_table(std::string_view name, std::uint64_t columns) {
  Expansion& table = tables_[to_lower_ascii(name)];
  table.columns = std::max(table.columns, std::min(most_columns, columns));
}

void ViewExpansions::add(std::string_view name, std::string_view sql) {
  tables_[to_lower_ascii(name)].add(expansion_of(sql), {1, 1, 1});
  has_views_ = true;
}

namespace {

// Both kinds of names in one.
Expansion with_names_joined(Expansion expansion) {
  for (const auto& [name, use] : std::exchange(expansion.qualified, {})) {
    Use& sum = expansion.tables[name];
    add_product(sum.times, use.times, 1);
    add_product(sum.copies, use.copies, 1);
    add_product(sum.stars, use.stars, 1);
  }
  return expansion;
}

bool is_too_large(const Expansion& expansion) {
  return expansion.selects > max_expanded_selects ||
         expansion.selects * std::max(expansion.widest, std::uint64_t{1}) > max_expanded_columns;
}

}  // namespace

Status ViewExpansions::expand() {
  if (!has_views_) return ok_status();
  Definitions definitions;
  for (const auto& [name, table] : tables_) {
    Expansion known = with_names_joined(table);
    std::erase_if(known.tables, [&](const auto& entry) { return !tables_.contains(entry.first); });
    definitions.define(name, std::move(known));
  }
  for (auto& [name, table] : tables_) {
    table = definitions.expand({.tables = {{name, {1, 1, 1}}}});
    if (is_too_large(table) || table.aliased > max_nodes)
      return limit_exceeded("the database's views expand to too many SELECTs or columns, at " +
                            quote_for_message(name));
  }
  return ok_status();
}

Result<std::uint64_t> ViewExpansions::copies_in(std::string_view query) const {
  if (query.size() <= short_query && !has_views_) return std::uint64_t{1};
  const Expansion text = with_names_joined(expansion_of(query));
  Expansion expanded = text;
  for (const auto& [name, use] : text.tables)
    if (const auto table = tables_.find(name); table != tables_.end()) expanded.add(table->second, use);
  expanded.widest = std::max(expanded.widest, expanded.columns);
  if (is_too_large(expanded))
    return limit_exceeded(
        "the query expands to too many SELECTs or columns, with those of its views and common table expressions");
  // SQLite stops one step of copying too late.
  const bool multiplies = expanded.nodes > max_nodes;
  if (expanded.aliased * (multiplies ? expanded.mentions : 1) > max_nodes)
    return limit_exceeded("the query is too complex: preparing it takes too much time or memory");
  return multiplies ? expanded.mentions : std::uint64_t{1};
}

}  // namespace trustsql
