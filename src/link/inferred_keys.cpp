#include "link/inferred_keys.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.hpp"
#include "link/word_split.hpp"

namespace trustsql::link {

namespace {

using Words = std::vector<std::string>;

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

// Last words of names that identify something.
constexpr std::array<std::string_view, 12> identifying = {"id",    "ids", "uuid", "guid", "key",    "code",
                                                          "codes", "no",  "nr",   "num",  "number", "cd"};
// What may be missing at the end of the same name in another table.
constexpr std::array<std::string_view, 6> omitted = {"code", "id", "key", "no", "num", "number"};

Words singular(Words words) {
  if (words.empty()) return words;
  std::string& last = words.back();
  if (last.size() > 3 && last.ends_with("ies")) {
    last.replace(last.size() - 3, 3, "y");
  } else if (last.size() > 2 && last.back() == 's' && !last.ends_with("ss")) {
    last.pop_back();
  }
  return words;
}

// The words of a column's name without a number at the end ("atom_id2").
Words words_without_number(std::string_view name) {
  Words words = split_words(name);
  if (words.size() > 1 && words.back().find_first_not_of("0123456789") == std::string::npos) words.pop_back();
  return words;
}

bool is_identifier(const Words& words) { return !words.empty() && is_one_of(identifying, words.back()); }
bool is_plain_id(const Words& words) { return words.size() == 1 && words[0] == "id"; }

// What follows "link to", "ref", "fk" ...; empty if the name does not begin so.
std::span<const std::string> referred(const Words& words) {
  static constexpr std::array<std::string_view, 7> begins = {"link", "links", "ref", "refs", "fk", "reference", "fkey"};
  std::size_t i = 0;
  while (i < words.size() && (is_one_of(begins, words[i]) || (i > 0 && (words[i] == "to" || words[i] == "of")))) ++i;
  return i == 0 ? std::span<const std::string>() : std::span(words).subspan(i);
}

struct Column {
  std::size_t number;
  std::size_t table;
  Words words;
  bool is_first = false;     // of its table
  bool is_numbered = false;  // a number is left out at the end
};

struct TableName {
  Words words;               // in the singular
  bool is_one_word = false;  // as it is written: "superhero", though its words are "super hero"
  std::size_t first_column = 0;
  std::size_t owner = 0;  // position of the column that identifies its rows; the number of columns if there is none
};

// One database.
class Inference {
 public:
  Inference(ElementSet& elements, std::span<const std::size_t> numbers) : elements_(elements) {
    for (const auto number : numbers) {
      const std::size_t table = elements.table_of(number);
      const auto [entry, is_new] = tables_.try_emplace(table);
      if (is_new) {
        const auto& name = elements[number].table;
        entry->second.words = singular(split_words(name));
        // Capitals after the first letter may begin words.
        entry->second.is_one_word =
            std::ranges::all_of(std::string_view(name).substr(std::min<std::size_t>(1, name.size())),
                                [](char c) { return c >= 'a' && c <= 'z'; });
        order_.push_back(table);
      }
      const auto& name = elements[number].column;
      columns_.push_back({number, table, words_without_number(name), is_new});
      columns_.back().is_numbered = columns_.back().words.size() < split_words(name).size();
    }
    for (const auto table : order_) tables_[table].owner = columns_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i) find_owner(i);
  }

  void run() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t target = referred_by(i);
      if (target != columns_.size()) connect(i, target);
    }
    connect_same_names();
    connect_shortened_names();
    if (!has_link_) connect_plain_ids();
  }

 private:
  void connect(std::size_t a, std::size_t b) {
    if (columns_[a].table == columns_[b].table) return;
    elements_.connect_inferred(columns_[a].number, columns_[b].number);
    has_link_ = true;
  }

  // How well column `i` fits as the identifier of its table: "race id" of races, "id", "team api id" of team.
  static int owner_rank(const Column& column, const TableName& table) {
    Words named = table.words;
    const bool is_named_id = [&] {
      named.push_back("id");
      return column.words == named;
    }();
    if (is_named_id) return 4;
    if (is_plain_id(column.words)) return 3;
    if (column.is_first && column.words == table.words) return 2;
    if (column.is_first && is_identifier(column.words)) return 1;
    return 0;
  }

  void find_owner(std::size_t i) {
    TableName& table = tables_[columns_[i].table];
    const int rank = owner_rank(columns_[i], table);
    const bool is_better =
        rank > 0 && (table.owner == columns_.size() || rank > owner_rank(columns_[table.owner], table));
    if (is_better) table.owner = i;
  }

  // The column that the name of column `i` says it refers to: the longest end of the name decides.
  std::size_t referred_by(std::size_t i) const {
    const Column& column = columns_[i];
    if (owner_rank(column, tables_.at(column.table)) == 4) return columns_.size();
    std::size_t best = columns_.size();
    std::size_t best_length = 0;
    const auto consider = [&](std::size_t target, std::size_t length) {
      if (target == columns_.size() || columns_[target].table == column.table || length <= best_length) return;
      best = target;
      best_length = length;
    };
    if (const auto rest = referred(column.words); !rest.empty()) {
      for (const auto table : order_) {
        const auto& name = tables_.at(table);
        if (std::ranges::equal(rest, name.words)) consider(name.owner, rest.size() + 1);
      }
    }
    if (is_plain_id(column.words)) return best;
    if (!is_identifier(column.words)) {
      if (column.is_numbered) return best;  // one of a list of values
      // "source airport" for the owner of airports.
      for (const auto table : order_) {
        const auto& name = tables_.at(table);
        if (!name.words.empty() && ends_with(column.words, name.words)) consider(name.owner, name.words.size());
      }
      return best;
    }
    for (const auto table : order_) {
      const auto& name = tables_.at(table);
      if (name.words.empty()) continue;
      // "... user id" for the owner of users; "hero id" for that of superhero.
      if (column.words.back() == "id" && column.words.size() > 1) {
        const auto before = std::span(column.words).first(column.words.size() - 1);
        if (ends_with(before, name.words)) consider(name.owner, name.words.size() + 1);
        const bool is_end_of_compound =
            name.is_one_word && before.size() == 1 && before[0].size() > 3 && join(name.words, "").ends_with(before[0]);
        if (is_end_of_compound && best_length == 0) consider(name.owner, 1);
      }
    }
    // "home team api id" for team's "team api id", "set code" for the "code" of sets.
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Column& other = columns_[j];
      const auto& name = tables_.at(other.table).words;
      const bool is_named_after_table = !name.empty() && other.words.size() > name.size() &&
                                        std::equal(name.begin(), name.end(), other.words.begin());
      if (is_named_after_table && is_identifier(other.words) && ends_with(column.words, other.words))
        consider(j, other.words.size());
      const bool is_qualified = column.words.size() == name.size() + 1 && other.words.size() == 1 &&
                                ends_with(column.words, other.words) &&
                                std::equal(name.begin(), name.end(), column.words.begin());
      if (is_qualified && !name.empty()) consider(j, column.words.size());
    }
    return best;
  }

  static bool ends_with(std::span<const std::string> words, std::span<const std::string> end) {
    return words.size() >= end.size() && std::ranges::equal(words.last(end.size()), end);
  }

  // Names of identifiers that several tables have: the one that is the first column of its table is referred to.
  void connect_same_names() {
    std::map<Words, std::vector<std::size_t>> by_name;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (is_identifier(columns_[i].words) && !is_plain_id(columns_[i].words)) by_name[columns_[i].words].push_back(i);
    for (const auto& [words, same] : by_name) {
      if (same.size() < 2) continue;
      const bool is_linked =
          std::ranges::any_of(same, [&](std::size_t i) { return !elements_.linked(columns_[i].number).empty(); });
      if (is_linked) continue;
      auto hub = std::ranges::find_if(same, [&](std::size_t i) { return tables_.at(columns_[i].table).owner == i; });
      // A code such as "type code" is an attribute, unless it identifies the rows of a table.
      const bool is_id = words.back().ends_with("id");
      if (hub == same.end() && !is_id) continue;
      if (hub == same.end()) hub = same.begin();
      for (const auto i : same) connect(i, *hub);
    }
  }

  // "cds" for "cds code", "zip" for "zip code".
  void connect_shortened_names() {
    std::unordered_map<std::string, std::vector<std::size_t>> by_letters;
    for (std::size_t i = 0; i < columns_.size(); ++i) by_letters[join(columns_[i].words, "")].push_back(i);
    for (const auto table : order_) {
      const std::size_t owner = tables_.at(table).owner;
      if (owner == columns_.size() || is_plain_id(columns_[owner].words)) continue;
      const std::string letters = join(columns_[owner].words, "");
      for (const auto end : omitted) {
        if (letters.size() < end.size() + 3 || !letters.ends_with(end)) continue;
        const auto shorter = by_letters.find(letters.substr(0, letters.size() - end.size()));
        if (shorter == by_letters.end()) continue;
        for (const auto i : shorter->second) connect(i, owner);
      }
    }
  }

  // All with each other, since none of the tables is known to be the one that the others refer to; with many tables,
  // with the first one.
  void connect_plain_ids() {
    constexpr std::size_t few = 8;
    std::vector<std::size_t> ids;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (is_plain_id(columns_[i].words)) ids.push_back(i);
    for (std::size_t a = 0; a < (ids.size() > few ? 1 : ids.size()); ++a)
      for (std::size_t b = a + 1; b < ids.size(); ++b) connect(ids[a], ids[b]);
  }

  ElementSet& elements_;
  std::vector<Column> columns_;
  std::map<std::size_t, TableName> tables_;
  std::vector<std::size_t> order_;
  bool has_link_ = false;
};

}  // namespace

void infer_keys(ElementSet& elements) {
  std::vector<std::vector<std::size_t>> databases(elements.database_count());
  for (std::size_t i = 0; i < elements.size(); ++i)
    databases[elements.database_of_table(elements.table_of(i))].push_back(i);
  for (const auto& numbers : databases) {
    const bool declares_keys =
        std::ranges::any_of(numbers, [&](std::size_t i) { return !elements.declared(i).empty(); });
    if (!declares_keys) Inference(elements, numbers).run();
  }
}

}  // namespace trustsql::link
