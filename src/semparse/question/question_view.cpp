#include "semparse/question/question_view.hpp"

#include <algorithm>
#include <array>
#include <deque>

namespace trustsql::semparse {

namespace {

// What a feature says; the numbers are part of trained weights.
enum ViewFeature : std::uint64_t {
  question_word = 1,
  question_bigram,
  question_trigram,
  symbol_bigram,
  symbol_trigram,
  first_words,
  literal_counts,
  mention_counts,
  column_match,
  column_match_kind,
  column_match_owner,
  column_unique,
  column_rank,
  column_position,
  column_context,
  column_name,
  column_kind_question,
  column_display,
  column_values,
  table_match,
  table_context,
  table_position,
  table_size,
  literal_kind,
  literal_context,
  column_prior,
};

constexpr std::uint64_t edge_mark = 0xedce;
constexpr std::uint64_t unknown_mark = 0x0b0b;
constexpr int far = 9;

constexpr std::array<std::string_view, 6> articles = {"the", "a", "an", "all", "their", "its"};
bool is_article(const std::string& word) { return std::find(articles.begin(), articles.end(), word) != articles.end(); }

int coverage_bucket(const Mention* mention) {
  if (mention == nullptr) return 0;
  if (mention->whole()) return mention->weakest == WordMatch::form ? 6 : 5;
  const bool certain = mention->weakest == WordMatch::form;
  if (mention->coverage > 0.6F) return certain ? 4 : 3;
  return certain ? 2 : 1;
}

// "Per" says what "each" says, and people ask short questions with it.
std::string_view said_word(std::string_view word) { return word == "per" ? "each" : word; }

std::uint64_t key_of_word(std::string_view word) { return hash_bytes(word, 11); }

}  // namespace

QuestionView::QuestionView(const Domain& domain, const Question& question, const Linking& linking,
                           const Vocabulary& vocabulary)
    : domain_(domain), question_(question), linking_(linking), vocabulary_(vocabulary) {
  find_literals();
  choose_symbols();
  group_names();
  make_question_features();
  column_features_.resize(domain.columns().size());
  table_features_.resize(domain.tables().size());
  distances_.resize(domain.tables().size());
  make_literal_features();
}

void QuestionView::find_literals() {
  for (const auto& value : linking_.values) literals_.push_back({value.span, &value, nullptr});
  for (const auto& number : linking_.numbers) literals_.push_back({number.span, nullptr, &number});
  std::sort(literals_.begin(), literals_.end(),
            [](const Literal& a, const Literal& b) { return a.span.first < b.span.first; });
}

void QuestionView::choose_symbols() {
  const auto n = question_.words.size();
  kinds_.assign(n, Symbol::word);
  std::vector<float> strength(n, 0);
  const auto mark = [&](const Mention& mention, Symbol symbol, float bonus) {
    if (mention.coverage < 0.4F) return;
    const float value = mention.coverage * static_cast<float>(mention.matched) + bonus;
    for (auto i = mention.span.first; i < mention.span.last; ++i) {
      if (value <= strength[i] || is_function_word(question_.words[i])) continue;
      strength[i] = value;
      kinds_[i] = mention.whole() ? symbol : Symbol::part;
    }
  };
  for (const auto& mentions : linking_.tables)
    for (const auto& mention : mentions) mark(mention, Symbol::table, 0.05F);
  for (const auto& mentions : linking_.columns)
    for (const auto& mention : mentions) mark(mention, Symbol::column, 0);
  for (const auto& literal : literals_) {
    if (literal.value != nullptr && literal.value->is_name && !literal.value->quoted) continue;
    for (auto i = literal.span.first; i < literal.span.last; ++i)
      kinds_[i] = literal.number != nullptr ? Symbol::number : Symbol::value;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto& word = question_.words[i];
    const bool known = vocabulary_.contains(word.lower);
    if (kinds_[i] == Symbol::word && !known) kinds_[i] = Symbol::unknown;
    raw_.push_back(kinds_[i] == Symbol::value || kinds_[i] == Symbol::number
                       ? feature_key(kinds_[i] == Symbol::value ? 3 : 4)
                   : known ? key_of_word(said_word(word.lower))
                           : unknown_mark);
    symbols_.push_back(kinds_[i] == Symbol::word ? key_of_word(said_word(word.lower))
                                                 : feature_key(0x5b, static_cast<std::uint64_t>(kinds_[i])));
  }
}

std::uint64_t QuestionView::symbol(std::ptrdiff_t position) const {
  if (position < 0 || position >= static_cast<std::ptrdiff_t>(symbols_.size())) return edge_mark;
  return symbols_[static_cast<std::size_t>(position)];
}

std::uint64_t QuestionView::neighbour(std::size_t position, int distance) const {
  const int step = distance < 0 ? -1 : 1;
  auto at = static_cast<std::ptrdiff_t>(position);
  for (int passed = 0; passed != distance;) {
    at += step;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(symbols_.size())) return edge_mark;
    if (!is_article(question_.words[static_cast<std::size_t>(at)].lower)) passed += step;
  }
  return symbol(at);
}

void QuestionView::make_question_features() {
  auto& keys = question_features_;
  const auto n = static_cast<std::ptrdiff_t>(raw_.size());
  const auto raw = [this, n](std::ptrdiff_t i) {
    return i < 0 || i >= n ? edge_mark : raw_[static_cast<std::size_t>(i)];
  };
  // Runs of symbols of one kind are one symbol, so that "name, country and age" looks like "name and age".
  std::vector<std::uint64_t> merged = {edge_mark};
  for (const auto symbol : symbols_)
    if (merged.back() != symbol) merged.push_back(symbol);
  merged.push_back(edge_mark);
  for (std::ptrdiff_t i = 0; i <= n; ++i) {
    if (i < n) keys.push_back(feature_key(question_word, raw(i)));
    keys.push_back(feature_key(question_bigram, raw(i - 1), raw(i)));
    if (i < n) keys.push_back(feature_key(question_trigram, raw(i - 1), raw(i), raw(i + 1)));
  }
  for (std::size_t i = 0; i + 1 < merged.size(); ++i) {
    keys.push_back(feature_key(symbol_bigram, merged[i], merged[i + 1]));
    if (i + 2 < merged.size()) keys.push_back(feature_key(symbol_trigram, merged[i], merged[i + 1], merged[i + 2]));
  }
  keys.push_back(feature_key(first_words, raw(0), raw(1)));
  keys.push_back(feature_key(first_words, raw(0), raw(1), raw(2)));
  std::size_t values = 0;
  std::size_t numbers = 0;
  std::size_t weak = 0;
  for (const auto& literal : literals_) {
    if (literal.number != nullptr)
      ++numbers;
    else if (literal.value->quoted || literal.value->capitalised)
      ++values;
    else
      ++weak;
  }
  const auto few = [](std::size_t count) { return std::min<std::size_t>(count, 3); };
  keys.push_back(feature_key(literal_counts, few(values), few(numbers), few(weak)));
  keys.push_back(feature_key(literal_counts, few(values), few(numbers)));
  keys.push_back(feature_key(literal_counts, few(values + numbers)));
  const auto whole = [](const auto& lists) {
    return static_cast<std::size_t>(std::count_if(lists.begin(), lists.end(), [](const auto& mentions) {
      return !mentions.empty() && mentions.front().whole();
    }));
  };
  keys.push_back(feature_key(mention_counts, 1, few(whole(linking_.tables))));
  keys.push_back(feature_key(mention_counts, 2, few(whole(linking_.columns))));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

const Mention* QuestionView::column_mention(ColumnId column) const {
  const auto& mentions = linking_.columns[static_cast<std::size_t>(column)];
  return mentions.empty() ? nullptr : &mentions.front();
}

const Mention* QuestionView::table_mention(TableId table) const {
  const auto& mentions = linking_.tables[static_cast<std::size_t>(table)];
  return mentions.empty() ? nullptr : &mentions.front();
}

int QuestionView::owner_bucket(TableId table) const { return coverage_bucket(table_mention(table)); }

void QuestionView::add_context(std::vector<std::uint64_t>& keys, WordSpan span, std::uint64_t about) const {
  const auto before = neighbour(span.first, -1);
  const auto before_2 = neighbour(span.first, -2);
  const auto after = neighbour(span.last - 1, 1);
  const auto after_2 = neighbour(span.last - 1, 2);
  keys.push_back(feature_key(about, 1, before));
  keys.push_back(feature_key(about, 2, before_2, before));
  keys.push_back(feature_key(about, 3, after));
  keys.push_back(feature_key(about, 4, after, after_2));
  keys.push_back(feature_key(about, 5, before, after));
  keys.push_back(feature_key(about, 6, before_2));
  keys.push_back(feature_key(about, 7, after_2));
  keys.push_back(feature_key(about, 8, neighbour(span.first, -3)));
}

std::vector<std::uint64_t> QuestionView::make_column_features(ColumnId id) const {
  const auto& column = domain_.column(id);
  const auto* mention = column_mention(id);
  const auto match = static_cast<std::uint64_t>(coverage_bucket(mention));
  const auto owner = static_cast<std::uint64_t>(owner_bucket(column.table));
  const auto kind = static_cast<std::uint64_t>(column.kind) * 8 + (column.is_id ? 4 : 0) + (column.is_foreign ? 2 : 0) +
                    (column.is_key ? 1 : 0);
  const bool display = domain_.table(column.table).display == id;
  std::vector<std::uint64_t> keys = {
      feature_key(column_prior),
      feature_key(column_match, match),
      feature_key(column_match, match, mention == nullptr ? 0 : mention->matched),
      feature_key(column_match_kind, match, kind),
      feature_key(column_match_owner, match, owner),
      feature_key(column_display, display, match, owner),
      feature_key(column_kind_question, kind, raw_.empty() ? 0 : raw_.front()),
      feature_key(column_kind_question, kind, match, raw_.size() < 2 ? 0 : raw_[0], raw_.size() < 2 ? 0 : raw_[1])};
  if (!column.words.empty() && vocabulary_.contains(column.words.back())) {
    keys.push_back(feature_key(column_name, key_of_word(column.words.back())));
    keys.push_back(feature_key(column_name, key_of_word(column.words.back()), match));
  }
  const bool holds_value = holds_value_[static_cast<std::size_t>(id)];
  keys.push_back(feature_key(column_values, holds_value, match));
  if (mention == nullptr) return keys;
  // How many columns the same words could mean as well, and whether this one's table is named best among them.
  int rivals = 0;
  int better = 0;
  int better_owner = 0;
  for (const auto& group : column_groups_) {
    if (!group.span.overlaps(mention->span)) continue;
    const bool own = group.span == mention->span && group.coverage == mention->coverage &&
                     group.owner == static_cast<int>(owner) && group.whole == mention->whole();
    const int others = group.count - (own ? 1 : 0);
    if (group.coverage > mention->coverage + 0.01F) {
      better += others;
    } else if (group.coverage > mention->coverage - 0.01F) {
      rivals += others;
      if (group.owner > static_cast<int>(owner)) better_owner += others;
    }
  }
  keys.push_back(feature_key(column_unique, std::min(rivals, 2), std::min(better, 2), std::min(better_owner, 1)));
  keys.push_back(
      feature_key(column_unique, std::min(rivals, 2), std::min(better, 2), std::min(better_owner, 1), match));
  const auto position = mention->span.first * 4 / std::max<std::size_t>(1, question_.words.size());
  keys.push_back(feature_key(column_position, position, match));
  const bool before_literal = literals_.empty() || mention->span.last <= literals_.front().span.first;
  keys.push_back(feature_key(column_position, 16 + before_literal, match));
  // A table that is named right after the column ("name of the singer") or before it ("singer name").
  const auto* table = table_mention(column.table);
  int attached = 0;
  if (table != nullptr) {
    const auto gap = static_cast<int>(table->span.first) - static_cast<int>(mention->span.last);
    const auto back = static_cast<int>(mention->span.first) - static_cast<int>(table->span.last);
    attached = gap >= 0 && gap <= 2 ? 1 : back >= 0 && back <= 1 ? 2 : gap > 0 ? 3 : 4;
  }
  keys.push_back(feature_key(column_rank, attached, match));
  add_context(keys, mention->span, feature_key(column_context, match > 2));
  return keys;
}

const std::vector<std::uint64_t>& QuestionView::column_features(ColumnId column) const {
  auto& keys = column_features_[static_cast<std::size_t>(column)];
  if (keys.empty()) keys = make_column_features(column);
  return keys;
}

std::vector<std::uint64_t> QuestionView::make_table_features(TableId id) const {
  const auto* mention = table_mention(id);
  const auto match = static_cast<std::uint64_t>(coverage_bucket(mention));
  int rivals = 0;
  int better = 0;
  int before = 0;  // tables that are named in full before this one
  for (const auto& group : table_groups_) {
    if (mention == nullptr) break;
    if (group.whole && group.span.last <= mention->span.first) before += group.count;
    if (!group.span.overlaps(mention->span)) continue;
    const bool own =
        group.span == mention->span && group.coverage == mention->coverage && group.whole == mention->whole();
    const int others = group.count - (own ? 1 : 0);
    if (group.coverage > mention->coverage + 0.01F)
      better += others;
    else if (group.coverage > mention->coverage - 0.01F)
      rivals += others;
  }
  const auto& table = domain_.table(id);
  int parents = 0;
  int children = 0;
  for (const auto number : domain_.edges_of(id)) {
    const auto& edge = domain_.edges()[number];
    if (domain_.column(edge.child).table == id) ++parents;
    if (domain_.column(edge.parent).table == id) ++children;
  }
  std::vector<std::uint64_t> keys = {
      feature_key(table_match, 99), feature_key(table_match, match),
      feature_key(table_match, match, std::min(rivals, 2), std::min(better, 2)),
      feature_key(table_size, std::min(parents, 3), std::min(children, 2), table.display == nothing),
      feature_key(table_size, match, std::min(parents, 3), std::min(children, 2))};
  if (mention == nullptr) return keys;
  keys.push_back(
      feature_key(table_position, mention->span.first * 4 / std::max<std::size_t>(1, question_.words.size()), match));
  keys.push_back(feature_key(table_position, 16 + std::min(before, 3), match));
  add_context(keys, mention->span, feature_key(table_context, match > 2));
  return keys;
}

const std::vector<std::uint64_t>& QuestionView::table_features(TableId table) const {
  auto& keys = table_features_[static_cast<std::size_t>(table)];
  if (keys.empty()) keys = make_table_features(table);
  return keys;
}

void QuestionView::make_literal_features() {
  for (const auto& literal : literals_) {
    std::uint64_t kind = 0;
    if (literal.value != nullptr) {
      kind = feature_key(1, literal.value->quoted, literal.value->capitalised, literal.value->is_name,
                         std::min<std::size_t>(literal.value->cells.size(), 2),
                         std::min<std::size_t>(literal.span.size(), 2));
    } else {
      const auto* integer = std::get_if<std::int64_t>(&literal.number->value);
      const auto& first = question_.words[literal.span.first];
      const bool spelled = first.text.front() < '0' || first.text.front() > '9';
      const std::uint64_t size = integer == nullptr ? 9
                                 : *integer == 1    ? 1
                                 : *integer < 20    ? 2
                                 : *integer < 1000  ? 3
                                 : *integer < 1900  ? 4
                                 : *integer < 2100  ? 5
                                                    : 6;
      kind = feature_key(2, size, spelled, literal.number->second.has_value());
    }
    std::vector<std::uint64_t> keys = {feature_key(literal_kind, kind),
                                       feature_key(literal_kind, literal.number != nullptr)};
    add_context(keys, literal.span, literal_context);
    keys.push_back(feature_key(literal_context, kind, neighbour(literal.span.first, -1)));
    keys.push_back(feature_key(literal_context, kind, 77, neighbour(literal.span.last - 1, 1)));
    keys.push_back(feature_key(literal_context, 9, neighbour(literal.span.first, -3), neighbour(literal.span.first, -2),
                               neighbour(literal.span.first, -1)));
    // The words near it, wherever they stand: "above age 20".
    constexpr int window = 5;
    for (int distance = 1; distance <= window; ++distance) {
      const auto before = neighbour(literal.span.first, -distance);
      if (before == edge_mark) break;
      keys.push_back(feature_key(literal_context, 20, before));
    }
    for (int distance = 1; distance <= 3; ++distance) {
      const auto after = neighbour(literal.span.last - 1, distance);
      if (after == edge_mark) break;
      keys.push_back(feature_key(literal_context, 21, after));
    }
    literal_features_.push_back(std::move(keys));
  }
}

const std::vector<int>& QuestionView::distances_from(TableId start) const {
  auto& row = distances_[static_cast<std::size_t>(start)];
  if (!row.empty()) return row;
  row.assign(domain_.tables().size(), far);
  row[static_cast<std::size_t>(start)] = 0;
  std::deque<TableId> open = {start};
  while (!open.empty()) {
    const auto table = open.front();
    open.pop_front();
    const int next = row[static_cast<std::size_t>(table)] + 1;
    for (const auto number : domain_.edges_of(table)) {
      const auto& edge = domain_.edges()[number];
      const auto child = domain_.column(edge.child).table;
      const auto other = child == table ? domain_.column(edge.parent).table : child;
      if (row[static_cast<std::size_t>(other)] <= next) continue;
      row[static_cast<std::size_t>(other)] = next;
      open.push_back(other);
    }
  }
  return row;
}

void QuestionView::add_to_group(const Mention& mention, int owner, std::vector<NameGroup>& groups) {
  const auto group = std::find_if(groups.begin(), groups.end(), [&](const NameGroup& each) {
    return each.span == mention.span && each.coverage == mention.coverage && each.whole == mention.whole() &&
           each.owner == owner;
  });
  if (group != groups.end())
    ++group->count;
  else
    groups.push_back({mention.span, mention.coverage, mention.whole(), owner, 1});
}

void QuestionView::group_names() {
  for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id)
    if (const auto* mention = column_mention(id))
      add_to_group(*mention, owner_bucket(domain_.column(id).table), column_groups_);
  for (TableId id = 0; id < static_cast<TableId>(domain_.tables().size()); ++id)
    if (const auto* mention = table_mention(id)) add_to_group(*mention, 0, table_groups_);
  holds_value_.assign(domain_.columns().size(), false);
  for (const auto& value : linking_.values)
    for (const auto& cell : value.cells) holds_value_[static_cast<std::size_t>(cell.column)] = true;
}

}  // namespace trustsql::semparse
