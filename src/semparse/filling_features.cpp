// The features of the options of a step (filling.hpp).

#include <algorithm>

#include "semparse/filling.hpp"

namespace trustsql::semparse {

namespace {

// What a feature says; the numbers are part of trained weights.
enum SlotFeature : std::uint64_t {
  base = 0x100,
  relation_distance,
  relation_select,
  relation_group,
  relation_rows,
  use_feature,
  operator_feature,
  literal_near,
  literal_cell,
  literal_fit,
  literal_about,
  edge_feature,
  none_feature,
  set_feature,
};

bool chooses_table(StepKind kind) {
  return kind == StepKind::select_rows || kind == StepKind::having_rows || kind == StepKind::order_rows ||
         kind == StepKind::further_table || kind == StepKind::other_table;
}

bool contains(const std::vector<TableId>& sorted, TableId table) {
  return std::binary_search(sorted.begin(), sorted.end(), table);
}

std::uint64_t aggregate_key(const SelectPart& part) {
  return static_cast<std::uint64_t>(part.aggregate) * 4 + (part.distinct ? 2 : 0) + (part.rows ? 1 : 0);
}

}  // namespace

std::uint64_t Filling::role(const Step& step, const Draft& draft) const {
  const auto& skeleton = *draft.skeleton;
  const auto kind = static_cast<std::uint64_t>(step.kind);
  switch (step.kind) {
    case StepKind::select_rows: return feature_key(kind, aggregate_key(skeleton.select[step.index]));
    case StepKind::select_column: return feature_key(kind, aggregate_key(skeleton.select[step.index]));
    case StepKind::having_column: return feature_key(kind, aggregate_key(*skeleton.having));
    case StepKind::order_column: return feature_key(kind, aggregate_key(*skeleton.order));
    case StepKind::subquery_column: return feature_key(kind, aggregate_key(skeleton.subquery_select));
    case StepKind::literal_column: return feature_key(kind, view_.literals()[step.index].number != nullptr);
    default: return feature_key(kind);
  }
}

// How a choice stands to what was chosen before it.
void Filling::relation_features(const Step& step, const Draft& draft, TableId table, ColumnId column,
                                Features& features) const {
  const auto role = this->role(step, draft);
  const auto add = [&](auto... parts) { features.push_back({feature_key(role, parts...)}); };
  int nearest = draft.used.empty() ? 8 : 9;
  for (const auto other : draft.used) nearest = std::min(nearest, view_.distance(table, other));
  add(relation_distance, nearest);
  const auto* mention = column != nothing ? view_.column_mention(column) : view_.table_mention(table);
  const bool named = mention != nullptr && mention->whole();
  add(relation_distance, 16 + nearest, named);
  ColumnId selected = nothing;
  bool in_select = false;
  for (const auto& columns : draft.select)
    for (const auto each : columns) {
      if (selected == nothing) selected = each;
      in_select |= each == column;
    }
  if (column != nothing && selected != nothing) {
    const auto& domain = view_.domain();
    const bool same_table = domain.column(selected).table == table;
    const bool key = domain.table(table).key == column;
    add(relation_select, in_select, same_table, key, draft.skeleton->group && draft.skeleton->select.size() > 1);
    if (step.kind == StepKind::group) {
      add(relation_group, in_select, same_table, key, domain.column(selected).is_id);
      const bool display = domain.table(domain.column(selected).table).display == selected;
      add(relation_group, 64, in_select, same_table && key, display);
    }
  }
  TableId counted = nothing;
  for (const auto rows : draft.rows)
    if (rows != nothing) counted = rows;
  if (draft.having.table != nothing) counted = draft.having.table;
  if (counted != nothing)
    add(relation_rows, counted == table, selected != nothing && view_.domain().column(selected).table == table);
  else if (selected != nothing && column == nothing)
    add(relation_rows, 8, view_.domain().column(selected).table == table, nearest, named);
}

void Filling::literal_features(const Step& step, const Draft& draft, int choice, Features& features) const {
  const auto& literal = view_.literals()[step.index];
  const auto add = [&](auto... parts) { features.push_back({feature_key(parts...)}); };
  if (step.kind == StepKind::literal_use) {
    const auto& skeleton = *draft.skeleton;
    const int rivals = (skeleton.literals ? 1 : 0) + (skeleton.having ? 2 : 0) +
                       (skeleton.limit == LimitKind::number ? 4 : 0) + (skeleton.other_literals ? 8 : 0) +
                       (skeleton.subquery_literals ? 16 : 0);
    add(use_feature, choice);
    add(use_feature, choice, rivals);
    add(use_feature, choice, 999, step.index, rivals > 7 ? rivals : 0);
    if (step.index > 0) add(use_feature, choice, 998, static_cast<int>(draft.uses[step.index - 1]));
    for (const auto key : view_.literal_features(step.index)) add(use_feature, choice, key);
    return;
  }
  if (step.kind == StepKind::literal_operator) {
    const int use = static_cast<int>(draft.uses[step.index]);
    add(operator_feature, choice, literal.number != nullptr);
    add(operator_feature, choice, use, literal.number != nullptr);
    if (literal.value != nullptr) add(operator_feature, choice, 3, literal.value->cells.empty(), literal.value->quoted);
    for (const auto key : view_.literal_features(step.index)) add(operator_feature, choice, key);
    return;
  }
  // The column of a literal.
  const auto& column = view_.domain().column(choice);
  const auto op = static_cast<int>(draft.operators[step.index]);
  const int sort = literal.number != nullptr ? 1 : 0;
  const auto* mention = view_.column_mention(choice);
  int gap = 50;
  if (mention != nullptr) {
    for (const auto& each : view_.linking().columns[static_cast<std::size_t>(choice)]) {
      if (each.coverage < mention->coverage - 0.2F) continue;
      const int after = static_cast<int>(literal.span.first) - static_cast<int>(each.span.last);
      const int before = static_cast<int>(each.span.first) - static_cast<int>(literal.span.last);
      const int distance = after >= 0 ? after : before >= 0 ? 20 + before : 40;
      gap = std::min(gap, distance);
    }
  }
  const int near = gap >= 50   ? 9
                   : gap >= 40 ? 8
                   : gap >= 20 ? (gap <= 21 ? 6 : 7)
                   : gap <= 1  ? 0
                   : gap <= 3  ? 1
                   : gap <= 6  ? 2
                               : 3;
  const int match = mention == nullptr ? 0 : mention->whole() ? 3 : mention->coverage > 0.5F ? 2 : 1;
  add(literal_near, sort, near, match);
  add(literal_near, sort, near);
  add(literal_fit, sort, static_cast<int>(column.kind), column.is_id, op);
  add(literal_fit, sort, static_cast<int>(column.kind), near, op);
  if (literal.value != nullptr) {
    int columns = 0;
    bool exact = false;
    bool here = false;
    ColumnId last = nothing;
    for (const auto& cell : literal.value->cells) {
      if (cell.column != last) ++columns;
      last = cell.column;
      if (cell.column != choice) continue;
      here = true;
      exact |= cell.text == literal.value->text;
    }
    add(literal_cell, here, exact, std::min(columns, 3), column.is_foreign);
    add(literal_cell, 99, here, near, column.is_foreign);
    const auto* table = view_.domain().table(column.table).display == choice ? &column : nullptr;
    add(literal_cell, 98, here, table != nullptr, near);
  } else {
    const auto* integer = std::get_if<std::int64_t>(&literal.number->value);
    const auto* real = std::get_if<double>(&literal.number->value);
    const double number = integer != nullptr ? static_cast<double>(*integer) : real != nullptr ? *real : 0;
    int range = 3;
    if (column.min && column.max) {
      const double width = *column.max - *column.min;
      range = number >= *column.min && number <= *column.max                   ? 0
              : number >= *column.min - width && number <= *column.max + width ? 1
                                                                               : 2;
    }
    add(literal_fit, 77, range, op);
    add(literal_fit, 77, range, near);
    const bool year = integer != nullptr && *integer >= 1900 && *integer < 2100;
    const bool named_year =
        std::find(column.all_words.begin(), column.all_words.end(), "year") != column.all_words.end();
    add(literal_fit, 78, year, named_year, column.kind == DataKind::date);
    // "older than 30": what the word before measures.
    add(literal_about, view_.neighbour(literal.span.first, -2), static_cast<int>(column.kind), match);
  }
}

Features Filling::features(const Step& step, const Draft& draft, int choice) const {
  Features features;
  const auto add_base = [&](std::uint64_t role, const std::vector<std::uint64_t>& keys) {
    for (const auto key : keys) features.push_back({feature_key(base, role, key)});
  };
  switch (step.kind) {
    case StepKind::literal_use:
    case StepKind::literal_operator: literal_features(step, draft, choice, features); return features;
    case StepKind::literal_column:
      add_base(role(step, draft), view_.column_features(choice));
      literal_features(step, draft, choice, features);
      break;
    case StepKind::subquery_edge: {
      const auto& edge = view_.domain().edges()[static_cast<std::size_t>(choice)];
      const auto child = view_.domain().column(edge.child).table;
      const auto parent = view_.domain().column(edge.parent).table;
      add_base(role(step, draft), view_.table_features(child));
      add_base(feature_key(role(step, draft), 1), view_.table_features(parent));
      features.push_back({feature_key(edge_feature, contains(draft.used, parent), contains(draft.used, child))});
      relation_features(step, draft, parent, nothing, features);
      return features;
    }
    default: break;
  }
  if (chooses_table(step.kind)) {
    if (choice == nothing) {
      features.push_back({feature_key(none_feature, role(step, draft))});
      features.push_back({feature_key(none_feature, role(step, draft), draft.used.size())});
      return features;
    }
    add_base(role(step, draft), view_.table_features(choice));
    relation_features(step, draft, choice, nothing, features);
    features.push_back({feature_key(none_feature, role(step, draft), 7, contains(draft.used, choice))});
    return features;
  }
  if (step.kind != StepKind::literal_column) add_base(role(step, draft), view_.column_features(choice));
  relation_features(step, draft, view_.domain().column(choice).table, choice, features);
  return features;
}

// As the score of features(), with what does not depend on the draft remembered.
float Filling::score(const Step& step, const Draft& draft, int choice) {
  if (step.kind == StepKind::literal_use || step.kind == StepKind::literal_operator || choice == nothing ||
      step.kind == StepKind::subquery_edge)
    return model_.score(features(step, draft, choice));
  const auto role = this->role(step, draft);
  const bool table = chooses_table(step.kind);
  const auto [entry, is_new] = base_scores_.try_emplace(feature_key(role, choice), 0.0F);
  if (is_new) {
    float sum = 0;
    for (const auto key : table ? view_.table_features(choice) : view_.column_features(choice))
      sum += model_.weight(feature_key(base, role, key));
    entry->second = sum;
  }
  float score = entry->second;
  Features rest;
  if (step.kind == StepKind::literal_column) literal_features(step, draft, choice, rest);
  if (table) {
    relation_features(step, draft, choice, nothing, rest);
    rest.push_back({feature_key(none_feature, role, 7, contains(draft.used, choice))});
  } else {
    relation_features(step, draft, view_.domain().column(choice).table, choice, rest);
  }
  return score + model_.score(rest);
}

}  // namespace trustsql::semparse
