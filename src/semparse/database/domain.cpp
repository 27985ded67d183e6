#include "semparse/database/domain.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "link/lexicon/lexicon.hpp"
#include "link/schema_words.hpp"
#include "link/word_forms.hpp"
#include "link/word_split.hpp"
#include "semparse/database/data_kind.hpp"
#include "semparse/database/people.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::array<std::string_view, 9> id_words = {"id", "code", "key", "no", "num", "uid", "sku", "ean", "barcode"};

// Words that say only that a name is a table's.
constexpr std::array<std::string_view, 4> table_prefixes = {"tbl", "table", "vw", "view"};
// Texts that say what kind of row it is, or something about it, and not which one.
constexpr std::array<std::string_view, 10> kind_words = {"type", "kind",   "category", "status", "comment",
                                                         "note", "remark", "email",    "phone",  "gender"};

bool ends_with(const std::vector<std::string>& words, const std::vector<std::string>& suffix) {
  return words.size() >= suffix.size() && std::equal(suffix.rbegin(), suffix.rend(), words.rbegin());
}

bool starts_with(const std::vector<std::string>& words, const std::vector<std::string>& prefix) {
  return words.size() > prefix.size() && std::equal(prefix.begin(), prefix.end(), words.begin());
}

// Whether the column holds the first, or the last part of people's names.
bool is_part_of_name(const DomainColumn& column, bool first) {
  const auto has = [&column](std::string_view word) {
    return std::find(column.all_words.begin(), column.all_words.end(), word) != column.all_words.end();
  };
  if (column.kind != DataKind::text) return false;
  // In base forms: forename is fore and name, and given_name is give and name.
  if (first) return has("name") && (has("first") || has("give") || has("fore"));
  return has("surname") || (has("name") && (has("last") || has("family")));
}

// How well a column names its table's rows to people; 0: not at all.
int display_rank(const DomainColumn& column, const DomainTable& table) {
  // "Room number", in the table of rooms.
  const bool is_numbered = column.kind == DataKind::number && column.words.size() == 1 &&
                           column.words.front() == "number" && column.all_words.size() > 1;
  if (is_numbered && !column.shared && !column.is_foreign) return 1;
  if (column.kind != DataKind::text) return 0;
  const auto has = [&column](std::string_view word) {
    return std::find(column.all_words.begin(), column.all_words.end(), word) != column.all_words.end();
  };
  if (column.words.size() == 1 && column.words.front() == "name") return 9;
  if (column.words == table.words) return 8;
  // The owner's name is no name of a flat.
  if (has("name") && column.words.size() == 2 && column.words.back() == "name" &&
      is_word_for_people(column.words.front()) && !table.words.empty() && !is_word_for_people(table.words.back()))
    return 0;
  if (is_part_of_name(column, true)) return 6;
  if (is_part_of_name(column, false)) return 5;
  if (has("name")) return 7;
  if (has("title") && !column.repeats) return 6;  // "job title" is a kind
  if (column.repeats || (!column.words.empty() && is_listed(kind_words, column.words.back()))) return 0;
  if (column.shared) return 0;
  if (has("description") || has("detail")) return 2;
  return column.is_foreign || column.is_id ? 1 : 3;
}

// "cust_no", "room_number": it may refer to the table that has it as its key.
bool is_numbered(const DomainColumn& column) {
  return column.all_words.size() > 1 && column.all_words.back() == "number";
}

// The singular of a plural noun, any other word unchanged: names consist of nouns, so that "rating" is not "rate".
std::string singular(const std::string& word) {
  if (const auto base = link::lexicon::irregular_base(word)) return std::string(*base);
  if (!word.ends_with('s') || word.ends_with("ss") || word.size() < 4) return word;
  for (const auto& form : link::word_forms(word))
    if (form.lemma != word && word.size() - form.lemma.size() <= 3 &&
        word.starts_with(form.lemma.substr(0, form.lemma.size() - 1)))
      return form.lemma;
  return word;
}

// What a column of this name is for, where initials of its table stand before it: "name" for wname of a table whse;
// empty if none do. "Sname" and "sid" are usual in textbooks and old systems.
std::string_view behind_initials(std::string_view column, const DomainTable& table) {
  constexpr std::string_view endings[] = {"name", "id", "no", "num", "code", "date", "type"};
  constexpr std::size_t most_initials = 3;
  for (const auto ending : endings) {
    if (!column.ends_with(ending) || column.size() == ending.size() || column.size() > ending.size() + most_initials ||
        link::lexicon::find(std::string(column)))
      continue;
    const auto initials = column.substr(0, column.size() - ending.size());
    std::string of_words;
    for (const auto& word : table.words) of_words += word.front();
    if (to_lower_ascii(table.name).starts_with(initials) || of_words == initials ||
        std::any_of(table.words.begin(), table.words.end(),
                    [&](const std::string& word) { return word.starts_with(initials); }))
      return ending;
  }
  return {};
}

}  // namespace

std::vector<std::string> name_words(std::string_view name) {
  // "Duration_min" is in minutes, and "price_min" is a minimum.
  constexpr std::string_view time_words[] = {"duration", "length",  "time", "runtime", "running", "cook", "cooking",
                                             "prep",     "delay",   "late", "run",     "play",    "wait", "waiting",
                                             "travel",   "session", "song", "track",   "break",   "dur",  "len"};
  std::vector<std::string> words;
  bool of_time = false;
  for (const auto& word : link::split_words(name)) {
    if (word == "id" || word == "ids") {
      words.emplace_back("id");
      continue;
    }
    if (word == "min" && of_time) {
      words.emplace_back("minute");
      continue;
    }
    of_time = is_listed(time_words, word);
    const auto expanded = link::expansion(word);
    if (expanded.empty()) {
      words.push_back(singular(word));
      continue;
    }
    for (const auto part : split(expanded, ' ')) words.push_back(singular(std::string(part)));
  }
  return words;
}

namespace {

// What the names of all tables begin with, if it is no word: "dn_" of dn_patient, dn_visit and dn_dentist.
std::string common_prefix(const std::vector<const trustsql::Table*>& tables) {
  constexpr std::size_t least_tables = 3;
  constexpr std::size_t longest = 4;
  if (tables.size() < least_tables) return {};
  const auto end = tables.front()->name.find('_');
  if (end == std::string::npos || end == 0 || end > longest) return {};
  const auto prefix = to_lower_ascii(tables.front()->name.substr(0, end + 1));
  const bool shared = std::all_of(tables.begin(), tables.end(), [&prefix](const trustsql::Table* table) {
    return table->name.size() > prefix.size() && to_lower_ascii(table->name).starts_with(prefix);
  });
  return shared && !link::lexicon::find(prefix.substr(0, end)) ? prefix : std::string();
}

}  // namespace

void Domain::add_table(const trustsql::Table& source, std::string_view prefix, const DomainOptions& options) {
  if (columns_.size() + source.columns.size() > options.max_columns) return;
  const auto id = static_cast<TableId>(tables_.size());
  DomainTable table;
  table.schema = source.schema;
  table.name = source.name;
  table.words = name_words(std::string_view(source.name).substr(prefix.size()));
  if (table.words.size() > 1 && is_listed(table_prefixes, table.words.front())) table.words.erase(table.words.begin());
  table.first_column = static_cast<ColumnId>(columns_.size());
  for (const auto& from : source.columns) {
    if (from.hidden) continue;
    DomainColumn column;
    column.name = from.name;
    column.table = id;
    column.all_words = name_words(from.name);
    const auto lower = to_lower_ascii(from.name);
    if (const auto ending = behind_initials(lower, table); !ending.empty()) {
      column.all_words = table.words;
      for (const auto& word : name_words(ending)) column.all_words.push_back(word);
    }
    column.words = column.all_words;
    if (starts_with(column.words, table.words))
      column.words.erase(column.words.begin(), column.words.begin() + static_cast<std::ptrdiff_t>(table.words.size()));
    column.is_id = !column.all_words.empty() && is_listed(id_words, column.all_words.back());
    column.kind = kind_of(column, from.declared_type, {}, {}, 0, 0);
    columns_.push_back(std::move(column));
  }
  table.last_column = static_cast<ColumnId>(columns_.size());
  tables_.push_back(std::move(table));
  auto& added = tables_.back();
  added.keyless = source.kind == trustsql::Table::Kind::table &&
                  std::none_of(source.keys.begin(), source.keys.end(),
                               [](const Key& key) { return key.origin == Key::Origin::primary_key; });
  for (const auto& key : source.keys) {
    if (key.parts.size() != 1 || key.parts.front().column < 0 || key.is_partial) continue;
    const auto column = find_column(id, source.columns[static_cast<std::size_t>(key.parts.front().column)].name);
    if (column == nothing) continue;
    columns_[static_cast<std::size_t>(column)].is_key = true;
    if (key.origin == Key::Origin::primary_key) {
      columns_[static_cast<std::size_t>(column)].is_id |=
          columns_[static_cast<std::size_t>(column)].kind == DataKind::number;
      added.key = column;
    }
  }
}

void Domain::add_declared_edges(const Catalog& catalog, const std::vector<const trustsql::Table*>& sources) {
  for (const auto* source : sources) {
    for (const auto& key : source->foreign_keys) {
      const auto* parent = catalog.parent(*source, key);
      if (parent == nullptr || key.columns.size() != 1 || key.parent_columns.size() != 1) continue;
      const auto child_table = find_table(source->name);
      const auto parent_table = find_table(parent->name);
      if (child_table == nothing || parent_table == nothing) continue;
      const JoinEdge edge{find_column(child_table, source->columns[static_cast<std::size_t>(key.columns.front())].name),
                          find_column(parent_table, key.parent_columns.front())};
      if (edge.child == nothing || edge.parent == nothing) continue;
      auto& child = columns_[static_cast<std::size_t>(edge.child)];
      child.is_foreign = true;
      child.is_id = true;
      edges_.push_back(edge);
    }
  }
}

// Tables that were imported declare no keys: an id whose values differ, and that is named after its table, if anything.
void Domain::infer_keys() {
  for (auto& table : tables_) {
    for (auto id = table.first_column; id < table.last_column && table.keyless && table.key == nothing; ++id) {
      auto& column = columns_[static_cast<std::size_t>(id)];
      if (!column.is_id || column.has_nulls || column.shared) continue;
      const std::vector<std::string> owner(column.all_words.begin(), column.all_words.end() - 1);
      if (!ends_with(table.words, owner)) continue;
      table.key = id;
      column.is_key = true;
    }
  }
}

// Without a declaration: a column that has the name of another table's key, or that table's name and "id".
void Domain::infer_edges() {
  for (TableId parent = 0; parent < static_cast<TableId>(tables_.size()); ++parent) {
    const auto key = table(parent).key;
    if (key == nothing) continue;
    for (ColumnId child = 0; child < static_cast<ColumnId>(columns_.size()); ++child) {
      const auto& from = column(child);
      const auto& to = column(key);
      if (from.table == parent || from.is_foreign || !(from.is_id || is_numbered(from)) || from.kind != to.kind)
        continue;
      auto qualified = table(parent).words;
      qualified.insert(qualified.end(), to.words.begin(), to.words.end());
      const bool plain_id = to.all_words.size() == 1;
      const bool same_name = !plain_id && from.all_words == to.all_words;
      // "start_station_id" and "station_id" both refer to station.id.
      if (!same_name && !ends_with(from.all_words, qualified)) continue;
      if (from.is_key && table(from.table).key == child && same_name) continue;  // two tables with keys of one name
      edges_.push_back({child, key, false});
      columns_[static_cast<std::size_t>(child)].is_foreign = true;
      columns_[static_cast<std::size_t>(child)].is_id = true;
    }
  }
}

void Domain::choose_display_columns() {
  for (auto& table : tables_) {
    for (ColumnId id = table.first_column; id < table.last_column; ++id) {
      const int rank = display_rank(column(id), table);
      if (rank > table.display_rank) {
        table.next_display_rank = std::exchange(table.display_rank, rank);
        table.display = id;
      } else {
        table.next_display_rank = std::max(table.next_display_rank, rank);
      }
    }
    if (table.display == nothing || !is_part_of_name(column(table.display), true)) continue;
    for (ColumnId id = table.first_column; id < table.last_column; ++id)
      if (table.surname == nothing && is_part_of_name(column(id), false)) table.surname = id;
  }
}

void Domain::find_only_dates() {
  for (const auto& table : tables_) {
    DomainColumn* only = nullptr;
    bool several = false;
    for (auto id = table.first_column; id < table.last_column; ++id) {
      auto& each = columns_[static_cast<std::size_t>(id)];
      const auto says_date = [](const std::string& word) { return is_date_word(word) || word == "year"; };
      several |= std::any_of(each.all_words.begin(), each.all_words.end(), says_date);
      if (each.kind != DataKind::date) continue;
      several |= only != nullptr;
      only = &each;
    }
    if (only != nullptr) only->is_only_date = !several;
  }
}

void Domain::index_edges() {
  edges_of_.resize(tables_.size());
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const auto child = column(edges_[i].child).table;
    const auto parent = column(edges_[i].parent).table;
    edges_of_[static_cast<std::size_t>(child)].push_back(i);
    if (parent != child) edges_of_[static_cast<std::size_t>(parent)].push_back(i);
  }
}

Result<Domain> Domain::build(const Catalog& catalog, Sandbox& sandbox, const DomainOptions& options) {
  Domain domain;
  std::vector<const trustsql::Table*> sources;
  for (const auto& table : catalog.tables()) {
    if (table.is_internal() || table.kind == trustsql::Table::Kind::shadow_table || !table.error.empty() ||
        table.name.starts_with("trustsql_"))
      continue;
    sources.push_back(&table);
  }
  const auto prefix = common_prefix(sources);
  for (const auto* table : sources) domain.add_table(*table, prefix, options);
  domain.add_declared_edges(catalog, sources);
  TRUSTSQL_RETURN_IF_ERROR(domain.read_statistics(sandbox, options));
  domain.find_only_dates();
  domain.infer_keys();
  domain.infer_edges();
  domain.infer_roles();
  domain.index_edges();
  domain.choose_display_columns();
  return domain;
}

TableId Domain::find_table(std::string_view name) const {
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (equals_ignore_case(tables_[i].name, name)) return static_cast<TableId>(i);
  return nothing;
}

bool Domain::is_display(ColumnId id) const {
  const auto& owner = table(column(id).table);
  return owner.display == id || owner.surname == id;
}

std::size_t Domain::full_names(const std::vector<ColumnId>& columns) const {
  const auto has = [&columns](ColumnId id) { return std::find(columns.begin(), columns.end(), id) != columns.end(); };
  return static_cast<std::size_t>(std::count_if(columns.begin(), columns.end(), [&](ColumnId id) {
    const auto& owner = table(column(id).table);
    return owner.surname == id && has(owner.display);
  }));
}

ColumnId Domain::find_column(TableId table, std::string_view name) const {
  for (ColumnId id = this->table(table).first_column; id < this->table(table).last_column; ++id)
    if (equals_ignore_case(column(id).name, name)) return id;
  return nothing;
}

std::vector<std::size_t> Domain::edges_between(TableId a, TableId b) const {
  std::vector<std::size_t> between;
  for (const auto i : edges_of(a)) {
    const auto child = column(edges_[i].child).table;
    const auto parent = column(edges_[i].parent).table;
    if ((child == a && parent == b) || (child == b && parent == a)) between.push_back(i);
  }
  return between;
}

}  // namespace trustsql::semparse
