#include "semparse/database/value_index.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "link/lexicon/lexicon.hpp"
#include "semparse/database/value_store.hpp"

namespace trustsql::semparse {

std::string value_words(std::string_view text) {
  std::string words;
  bool gap = false;
  for (const char c : text) {
    const char lower = to_lower_ascii(c);
    const bool part = (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (!part) {
      gap = !words.empty();
      continue;
    }
    if (gap) words += ' ';
    gap = false;
    words += lower;
  }
  return words;
}

void ValueIndex::add(ColumnId column, std::string_view text, WordTable::Builder& table) {
  const auto words = value_words(text);
  if (words.empty()) return;
  const auto cell = static_cast<std::uint32_t>(cells_.size());
  cells_.push_back({column, static_cast<std::uint32_t>(text.size()), texts_.size()});
  texts_ += text;
  by_words_.push_back({hash_of(words), cell});
  table.add(cell, column, words);
  add_meaning(words, cell);
}

// Names of few words, such as countries.
void ValueIndex::add_meaning(const std::string& words, std::uint32_t cell) {
  constexpr std::size_t max_meanings = 50'000;
  constexpr std::size_t max_length = 24;
  if (words.size() > max_length || by_meaning_.size() >= max_meanings ||
      std::count(words.begin(), words.end(), ' ') > 1)
    return;
  std::string name = words;
  std::replace(name.begin(), name.end(), ' ', '_');
  const auto word = link::lexicon::find(name);
  if (word && link::lexicon::sense_count(*word) > 0) by_meaning_.emplace(link::lexicon::sense(*word, 0).meaning, cell);
}

ValueIndex::Cell ValueIndex::cell(WordTable::TextId number) const {
  const auto& stored = cells_[number];
  return {stored.column, std::string_view(texts_).substr(stored.offset, stored.length)};
}

std::pair<WordTable::TextId, WordTable::TextId> ValueIndex::cells_of(ColumnId column) const {
  struct Less {
    bool operator()(const Stored& a, ColumnId b) const { return a.column < b; }
    bool operator()(ColumnId a, const Stored& b) const { return a < b.column; }
  };
  const auto [first, last] = std::equal_range(cells_.begin(), cells_.end(), column, Less());
  return {static_cast<WordTable::TextId>(first - cells_.begin()),
          static_cast<WordTable::TextId>(last - cells_.begin())};
}

std::vector<ValueIndex::Cell> ValueIndex::find_meaning(std::string_view word) const {
  namespace lexicon = link::lexicon;
  std::vector<Cell> cells;
  const auto id = lexicon::find(word);
  if (!id || by_meaning_.empty()) return cells;
  constexpr std::size_t max_senses = 2;
  const auto add = [&](lexicon::ConceptId meaning) {
    const auto [begin, end] = by_meaning_.equal_range(meaning);
    for (auto entry = begin; entry != end; ++entry) cells.push_back(cell(entry->second));
  };
  for (std::size_t i = 0; i < std::min(max_senses, lexicon::sense_count(*id)); ++i) {
    const auto meaning = lexicon::sense(*id, i).meaning;
    add(meaning);
    for (std::size_t r = 0; r < lexicon::related_count(meaning); ++r) {
      const auto related = lexicon::related(meaning, r);
      if (related.relation == link::Relation::derived) add(related.meaning);
    }
  }
  const auto less = [](const Cell& a, const Cell& b) {
    return a.column != b.column ? a.column < b.column : a.text < b.text;
  };
  std::sort(cells.begin(), cells.end(), less);
  const auto same = [](const Cell& a, const Cell& b) { return a.column == b.column && a.text == b.text; };
  cells.erase(std::unique(cells.begin(), cells.end(), same), cells.end());
  return cells;
}

namespace {

// The distinct texts of a column; nullopt if it cannot be read. Errors: interrupted, out_of_memory, io; limit_exceeded
// if it takes too long.
Result<std::optional<std::vector<std::string>>> read_texts(const Domain& domain, ColumnId id, Sandbox& sandbox,
                                                           const ValueIndexOptions& options) {
  const auto& table = domain.table(domain.column(id).table);
  const auto name = quote_identifier(domain.column(id).name);
  const auto result =
      sandbox.run("SELECT DISTINCT " + name + " FROM " + quote_identifier(table.schema) + "." +
                  quote_identifier(table.name) + " WHERE typeof(" + name + ") = 'text' AND length(" + name +
                  ") <= " + std::to_string(options.max_value_bytes) + " LIMIT " + std::to_string(options.max_values));
  if (!result.ok()) {
    const auto code = result.error().code;
    if (ends_the_call(code) || code == ErrorCode::limit_exceeded) return result.error();
    return std::optional<std::vector<std::string>>();
  }
  std::vector<std::string> texts;
  texts.reserve(result->row_count());
  for (std::size_t row = 0; row < result->row_count(); ++row) texts.emplace_back(result->at(row, 0).bytes);
  return std::optional(std::move(texts));
}

}  // namespace

Result<ValueIndex> ValueIndex::build(const Domain& domain, Sandbox& sandbox, const ValueIndexOptions& options,
                                     ValueStore* store) {
  ValueIndex index;
  WordTable::Builder words(options.words);
  index.complete_.assign(domain.columns().size(), false);
  const auto state = store == nullptr ? std::nullopt : sandbox.file_state();
  if (state) TRUSTSQL_RETURN_IF_ERROR(store->begin(*state));
  TableId slow = nothing;  // a table or view that took too long: its other columns would, too
  for (ColumnId id = 0; id < static_cast<ColumnId>(domain.columns().size()); ++id) {
    const auto& column = domain.column(id);
    if (column.kind != DataKind::text && column.kind != DataKind::boolean) continue;
    if (index.bytes() >= options.max_bytes) break;
    if (column.table == slow) continue;
    const ValueStore::Column stored{domain.table(column.table).name, column.name, options.max_values,
                                    options.max_value_bytes};
    std::optional<std::vector<std::string>> texts;
    if (state) {
      TRUSTSQL_ASSIGN_OR_RETURN(texts, store->get(*state, stored));
    }
    if (!texts) {
      auto read = read_texts(domain, id, sandbox, options);
      if (!read.ok() && read.error().code == ErrorCode::limit_exceeded) {
        slow = column.table;
        continue;
      }
      TRUSTSQL_ASSIGN_OR_RETURN(texts, std::move(read));
      if (!texts) continue;
      // A program that ignores locks may have changed the file meanwhile.
      if (state && sandbox.file_state() == state) TRUSTSQL_RETURN_IF_ERROR(store->put(*state, stored, *texts));
    }
    std::size_t row = 0;
    for (; row < texts->size() && index.bytes() < options.max_bytes; ++row) index.add(id, (*texts)[row], words);
    index.complete_[static_cast<std::size_t>(id)] =
        row == texts->size() && row > 0 && row < static_cast<std::size_t>(options.max_values);
  }
  std::sort(index.by_words_.begin(), index.by_words_.end(),
            [](const Entry& a, const Entry& b) { return a.hash != b.hash ? a.hash < b.hash : a.cell < b.cell; });
  index.words_ = std::move(words).finish();
  return index;
}

std::vector<ValueIndex::Cell> ValueIndex::find(std::string_view text) const {
  const auto words = value_words(text);
  std::vector<Cell> cells;
  const auto hash = hash_of(words);
  auto entry = std::lower_bound(by_words_.begin(), by_words_.end(), hash,
                                [](const Entry& a, std::uint32_t b) { return a.hash < b; });
  for (; entry != by_words_.end() && entry->hash == hash; ++entry) {
    const auto found = cell(entry->cell);
    if (value_words(found.text) == words) cells.push_back(found);
  }
  std::sort(cells.begin(), cells.end(),
            [](const Cell& a, const Cell& b) { return a.column != b.column ? a.column < b.column : a.text < b.text; });
  return cells;
}

}  // namespace trustsql::semparse
