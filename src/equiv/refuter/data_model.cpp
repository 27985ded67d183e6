#include "equiv/refuter/data_model.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"

namespace trustsql::equiv {

namespace {

bool is_truth_value(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer == 0 || *integer == 1;
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return false;
  for (const char* known : {"t", "f", "true", "false", "y", "n", "yes", "no"}) {
    if (equals_ignore_case(*text, known)) return true;
  }
  return false;
}

}  // namespace

bool is_of_kind(const Value& value, ColumnKind kind) {
  const ValueType type = view(value).type;
  switch (kind) {
    case ColumnKind::integer: return type == ValueType::integer;
    case ColumnKind::real:
    case ColumnKind::number: return type == ValueType::integer || type == ValueType::real;
    case ColumnKind::text: return type == ValueType::text;
    case ColumnKind::date:
    case ColumnKind::datetime:
    case ColumnKind::time: return type != ValueType::blob;
    case ColumnKind::boolean: return is_truth_value(value);
    case ColumnKind::any: break;
  }
  return true;
}

bool is_read_as(const Value& value, plan::Reading reading) {
  if (reading == plan::Reading::as_text) return true;
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && plan::is_read_as(*text, reading);
}

int TableModel::place_of(int position) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].position == position) return static_cast<int>(i);
  }
  return -1;
}

std::vector<int> TableModel::positions() const {
  std::vector<int> all;
  all.reserve(columns.size());
  for (const auto& column : columns) all.push_back(column.position);
  return all;
}

void DataModel::forbid_null_primary_keys() {
  for (auto& table : tables) {
    for (auto& column : table.columns) {
      if (table.table->columns[static_cast<std::size_t>(column.position)].primary_key_position > 0)
        column.nullable = false;
    }
  }
}

void DataModel::note(const plan::ColumnReadings& readings) {
  for (auto& table : tables) {
    for (auto& column : table.columns) {
      column.reading = std::max(column.reading, readings.of(*table.table, column.position));
    }
    for (auto& column : table.computed)
      column.reading = std::max(column.reading, readings.of(*table.table, column.position));
  }
  // Children and their parents share values.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& table : tables) {
      for (const auto& link : table.parents) {
        for (std::size_t i = 0; i < link.columns.size(); ++i) {
          auto& child = table.columns[static_cast<std::size_t>(link.columns[i])];
          auto& parent =
              tables[static_cast<std::size_t>(link.parent)].columns[static_cast<std::size_t>(link.parent_columns[i])];
          if (child.reading == parent.reading || child.kind != parent.kind) continue;
          child.reading = parent.reading = std::max(child.reading, parent.reading);
          changed = true;
        }
      }
    }
  }
}

int DataModel::place_of(const Table* table) const {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto& known = *tables[i].table;
    if (&known == table || (known.name == table->name && known.schema == table->schema)) return static_cast<int>(i);
  }
  return -1;
}

namespace {

class ModelMaker {
 public:
  explicit ModelMaker(const Catalog& catalog) : catalog_(catalog) {}

  void read(const Table& table, std::string_view column) {
    auto& draft = need(table);
    draft.used = true;
    // An empty name means that rows are counted. ROWID has a value without being given one, unless it is a
    // column.
    if (const auto position = table.find_column(column)) {
      draft.read.insert(static_cast<int>(*position));
      fill(table, static_cast<int>(*position));
      // A generated column: fill what it is computed from.
      if (table.columns[*position].generated != Column::Generated::no) fill_all(table);
    }
  }

  DataModel make() {
    follow_foreign_keys();
    DataModel model;
    for (const Table* table : order_) place(*table);
    for (const Table* table : placed_) model.tables.push_back(table_model(*table));
    for (auto& table : model.tables) link(table);
    return model;
  }

 private:
  struct Draft {
    bool used = false;
    std::set<int> read;
    std::set<int> filled;
  };

  // Whether the column is NULL if a row is inserted without a value for it.
  static bool is_null_by_default(const Column& column) {
    return !column.is_rowid_alias && !column.default_value && column.generated == Column::Generated::no;
  }
  static bool can_be_given(const Column& column) { return column.generated == Column::Generated::no && !column.hidden; }

  Draft& need(const Table& table) {
    const auto [entry, is_new] = drafts_.try_emplace(&table);
    if (is_new) {
      order_.push_back(&table);
      const bool tangled = !table.checks.empty() || std::ranges::any_of(table.keys, [](const Key& key) {
        return key.has_expression || key.is_partial;
      });
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto& column = table.columns[i];
        const bool asked_for = (column.not_null && !column.default_value) || column.primary_key_position > 0;
        if (tangled || (asked_for && !column.is_rowid_alias)) fill(table, static_cast<int>(i));
      }
      for (const auto& key : table.foreign_keys) {
        for (const int position : key.columns) {
          if (!is_null_by_default(table.columns[static_cast<std::size_t>(position)])) fill(table, position);
        }
      }
    }
    return entry->second;
  }

  void fill(const Table& table, int position) {
    if (can_be_given(table.columns[static_cast<std::size_t>(position)])) drafts_[&table].filled.insert(position);
  }
  void fill_all(const Table& table) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) fill(table, static_cast<int>(i));
  }

  // The parent that a row of `table` must have, with the places of its columns; nullptr if the declaration has no
  // effect or no action is needed for it.
  const Table* live_parent(const Table& table, const ForeignKey& key, std::vector<int>& parent_columns) {
    const Table* parent = catalog_.parent(table, key);
    if (parent == nullptr || parent->kind != Table::Kind::table || key.parent_columns.size() != key.columns.size())
      return nullptr;
    const auto& filled = drafts_[&table].filled;
    for (std::size_t i = 0; i < key.columns.size(); ++i) {
      const auto theirs = parent->find_column(key.parent_columns[i]);
      if (!filled.contains(key.columns[i]) || !theirs || !can_be_given(parent->columns[*theirs])) return nullptr;
      parent_columns.push_back(static_cast<int>(*theirs));
    }
    return parent;
  }

  void follow_foreign_keys() {
    for (bool changed = true; changed;) {
      changed = false;
      // NOLINTNEXTLINE(modernize-loop-convert): need() adds to the tables in order_
      for (std::size_t i = 0; i < order_.size(); ++i) {
        const Table& table = *order_[i];
        for (const auto& key : table.foreign_keys) {
          std::vector<int> parent_columns;
          const Table* parent = live_parent(table, key, parent_columns);
          if (parent == nullptr) continue;
          if (!drafts_.contains(parent)) changed = true;
          need(*parent);
          for (const int column : parent_columns) {
            if (drafts_[parent].filled.contains(column)) continue;
            fill(*parent, column);
            changed = true;
          }
        }
      }
    }
  }

  // Places `table` after its parents.
  void place(const Table& table) {
    if (!visited_.insert(&table).second) return;
    for (const auto& key : table.foreign_keys) {
      std::vector<int> parent_columns;
      if (const Table* parent = live_parent(table, key, parent_columns)) place(*parent);
    }
    placed_.push_back(&table);
  }

  TableModel table_model(const Table& table) const {
    const Draft& draft = drafts_.at(&table);
    TableModel model;
    model.table = &table;
    model.used = draft.used;
    for (const int position : draft.filled) {
      const auto& column = table.columns[static_cast<std::size_t>(position)];
      model.columns.push_back({position, plan::kind_of(column), draft.read.contains(position), !column.not_null,
                               column.primary_key_position > 0});
    }
    for (const int position : draft.read) {
      const auto& column = table.columns[static_cast<std::size_t>(position)];
      if (column.generated != Column::Generated::no) model.computed.push_back({position, plan::kind_of(column)});
    }
    for (const auto& key : table.keys) {
      if (key.is_partial || key.has_expression) continue;
      std::vector<int> places;
      for (const auto& part : key.parts) places.push_back(model.place_of(part.column));
      if (!places.empty() && std::ranges::find(places, -1) == places.end()) model.keys.push_back(std::move(places));
    }
    return model;
  }

  void link(TableModel& model) {
    for (const auto& key : model.table->foreign_keys) {
      std::vector<int> parent_columns;
      const Table* parent = live_parent(*model.table, key, parent_columns);
      if (parent == nullptr) {
        // The columns that it is computed from do not tell whether the parent exists.
        const auto is_computed = [&](int position) {
          return model.table->columns[static_cast<std::size_t>(position)].generated != Column::Generated::no;
        };
        model.may_lack_parents = model.may_lack_parents || std::ranges::any_of(key.columns, is_computed);
        continue;
      }
      ParentLink link;
      link.parent = static_cast<int>(std::ranges::find(placed_, parent) - placed_.begin());
      for (const int column : key.columns) link.columns.push_back(model.place_of(column));
      const auto& filled = drafts_.at(parent).filled;
      for (const int column : parent_columns)
        link.parent_columns.push_back(static_cast<int>(std::distance(filled.begin(), filled.find(column))));
      model.parents.push_back(std::move(link));
    }
  }

  const Catalog& catalog_;
  std::map<const Table*, Draft> drafts_;
  std::vector<const Table*> order_;  // in order of appearance
  std::set<const Table*> visited_;
  std::vector<const Table*> placed_;
};

}  // namespace

DataModel DataModel::for_reads(const Catalog& catalog, const std::vector<std::array<std::string, 3>>& reads) {
  ModelMaker maker(catalog);
  for (const auto& [schema, name, column] : reads) {
    const Table* table = catalog.find(schema, name);
    if (table != nullptr && table->kind == Table::Kind::table && !table->is_internal()) maker.read(*table, column);
  }
  return maker.make();
}

DataModel DataModel::for_whole_schema(const Catalog& catalog) {
  ModelMaker maker(catalog);
  for (const auto& table : catalog.tables()) {
    if (table.kind != Table::Kind::table || table.is_internal() || table.schema != "main") continue;
    maker.read(table, {});
    for (const auto& column : table.columns) maker.read(table, column.name);
  }
  return maker.make();
}

}  // namespace trustsql::equiv
