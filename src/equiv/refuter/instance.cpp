#include "equiv/refuter/instance.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/function_ref.hpp"
#include "base/json_tree.hpp"
#include "base/text.hpp"
#include "plan/evaluate.hpp"
#include "plan/plan.hpp"

namespace trustsql::equiv {

namespace {

const Column& column_of(const TableModel& table, int place) {
  return table.table->columns[static_cast<std::size_t>(table.columns[static_cast<std::size_t>(place)].position)];
}

// A child's value as the parent's column would store it, which is how they are compared
// (https://sqlite.org/foreignkeys.html#fk_indexes).
Value as_parent_value(const Value& child, const Column& column) {
  auto converted = plan::apply_affinity(child, column.affinity);
  return converted ? *std::move(converted) : child;
}

bool is_parent_value(const Value& child, const Value& parent, const Column& column) {
  if (equal(view(child), view(parent))) return true;
  if (column.collation == plan::binary_collation || !plan::is_known_collation(column.collation)) return false;
  return !view(child).is_null() && !view(parent).is_null() &&
         plan::compare_values(child, parent, column.collation) == 0;
}

// Calls `visit` for each text in a JSON document.
void for_each_text(const JsonTree& document, FunctionRef<void(const std::string&)> visit) {
  if (document.is(JsonTree::Kind::text)) visit(document.text);
  for (const auto& [name, member] : document.members) for_each_text(member, visit);
}

bool has_case_variants(const Instance& instance, const QueryTexts& texts) {
  std::unordered_map<std::string, std::string> spellings;
  bool found = false;
  const auto look_at = [&](const std::string& text) {
    const auto [entry, is_new] = spellings.try_emplace(to_lower_ascii(text), text);
    found = found || entry->second != text || (is_new && texts.vary(text));
  };
  for (const auto& rows : instance.tables) {
    for (const auto& row : rows) {
      for (const auto& value : row) {
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr) continue;
        look_at(*text);
        if (!text->starts_with('{') && !text->starts_with('[') && !text->starts_with('"')) continue;
        if (const auto document = parse_json(*text, deepest_document)) for_each_text(*document, look_at);
      }
    }
  }
  return found;
}

}  // namespace

void QueryTexts::add_constant(const std::string& text) {
  auto [entry, is_new] = constants_.try_emplace(to_lower_ascii(text), Constant{text});
  if (!is_new && entry->second.text != text) entry->second.varies = true;
}

bool QueryTexts::vary(std::string_view text) const {
  const auto known = constants_.find(to_lower_ascii(text));
  if (known != constants_.end() && (known->second.varies || known->second.text != text)) return true;
  return std::ranges::any_of(pieces_, [&](const std::string& piece) {
    return text.find(piece) == std::string_view::npos && contains_ignore_case(text, piece);
  });
}

std::size_t Instance::row_count() const {
  std::size_t count = 0;
  for (const auto& rows : tables) count += rows.size();
  return count;
}

bool has_parent(const DataModel& model, const Instance& instance, const ParentLink& link, const DataRow& row) {
  const auto parent_place = static_cast<std::size_t>(link.parent);
  const auto& parent = model.tables[parent_place];
  std::vector<Value> parent_values;
  for (std::size_t i = 0; i < link.columns.size(); ++i) {
    const Value& value = row[static_cast<std::size_t>(link.columns[i])];
    if (view(value).is_null()) return true;
    parent_values.push_back(as_parent_value(value, column_of(parent, link.parent_columns[i])));
  }
  return std::ranges::any_of(instance.tables[parent_place], [&](const DataRow& candidate) {
    for (std::size_t i = 0; i < parent_values.size(); ++i) {
      if (!is_parent_value(parent_values[i], candidate[static_cast<std::size_t>(link.parent_columns[i])],
                           column_of(parent, link.parent_columns[i])))
        return false;
    }
    return true;
  });
}

bool has_orphan(const DataModel& model, const Instance& instance) {
  for (std::size_t t = 0; t < model.tables.size(); ++t) {
    if (model.tables[t].may_lack_parents && !instance.tables[t].empty()) return true;
    for (const auto& link : model.tables[t].parents) {
      for (const auto& row : instance.tables[t]) {
        if (!has_parent(model, instance, link, row)) return true;
      }
    }
  }
  return false;
}

Instance without_orphans(const DataModel& model, Instance instance) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t t = 0; t < model.tables.size(); ++t) {
      for (const auto& link : model.tables[t].parents) {
        std::vector<DataRow> kept;
        for (const auto& row : instance.tables[t]) {
          if (has_parent(model, instance, link, row)) kept.push_back(row);
        }
        changed = changed || kept.size() < instance.tables[t].size();
        instance.tables[t] = std::move(kept);
      }
    }
  }
  return instance;
}

Deviations deviations_of(const DataModel& model, const Instance& instance, const QueryTexts& texts) {
  Deviations deviations;
  for (std::size_t t = 0; t < model.tables.size(); ++t) {
    const auto& table = model.tables[t];
    if (instance.tables[t].empty() && table.used) deviations.add(Deviation::empty);
    for (const auto& row : instance.tables[t]) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (view(row[i]).is_null()) {
          deviations.add(Deviation::null);
        } else {
          if (!is_of_kind(row[i], table.columns[i].kind)) deviations.add(Deviation::type);
          if (!is_read_as(row[i], table.columns[i].reading)) deviations.add(Deviation::affinity);
        }
      }
    }
  }
  if (has_orphan(model, instance)) deviations.add(Deviation::foreign_key);
  if (has_case_variants(instance, texts)) deviations.add(Deviation::letter_case);
  return deviations;
}

}  // namespace trustsql::equiv
