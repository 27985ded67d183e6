// The features of the options of a step (filling.hpp).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "semparse/candidates/filling.hpp"

namespace trustsql::semparse {

namespace {

// What a feature says; the numbers are part of trained weights.
enum SlotFeature : std::uint64_t {
  slot_base = 0x100,
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

Filling::Chosen Filling::chosen_of(const Draft& draft) const {
  const auto& domain = view_.domain();
  Chosen chosen;
  for (const auto table : draft.used) chosen.distances.push_back(&view_.distances_from(table));
  for (const auto& columns : draft.select) chosen.select.insert(chosen.select.end(), columns.begin(), columns.end());
  if (!chosen.select.empty()) {
    const auto selected = chosen.select.front();
    chosen.selected_table = domain.column(selected).table;
    chosen.selected_is_id = domain.column(selected).is_id;
    chosen.selected_is_display = domain.table(chosen.selected_table).display == selected;
  }
  for (const auto rows : draft.rows)
    if (rows != nothing) chosen.counted = rows;
  if (draft.having.table != nothing) chosen.counted = draft.having.table;
  chosen.groups = draft.skeleton->group && draft.skeleton->select.size() > 1;
  return chosen;
}

Filling::Relation Filling::relation_of(const Chosen& chosen, TableId table, ColumnId column) const {
  Relation relation;
  if (!chosen.distances.empty()) relation.nearest = 9;
  for (const auto* distances : chosen.distances)
    relation.nearest = std::min(relation.nearest, (*distances)[static_cast<std::size_t>(table)]);
  relation.is_column = column != nothing;
  const auto* mention = relation.is_column ? view_.column_mention(column) : view_.table_mention(table);
  relation.named = mention != nullptr && mention->whole();
  for (const auto each : chosen.select) relation.in_select |= each == column;
  relation.same_table = !chosen.select.empty() && chosen.selected_table == table;
  relation.key = relation.is_column && view_.domain().table(table).key == column;
  relation.counted = chosen.counted == table;
  return relation;
}

unsigned Filling::Relation::bits() const {
  return static_cast<unsigned>(nearest) | (named ? 16U : 0U) | (in_select ? 32U : 0U) | (same_table ? 64U : 0U) |
         (key ? 128U : 0U) | (counted ? 256U : 0U) | (is_column ? 512U : 0U);
}

void Filling::relation_features(std::uint64_t role, StepKind step, const Chosen& chosen, const Relation& relation,
                                Features& features) {
  const auto add = [&](auto... parts) { features.push_back({feature_key(role, parts...)}); };
  add(relation_distance, relation.nearest);
  add(relation_distance, 16 + relation.nearest, relation.named);
  if (relation.is_column && !chosen.select.empty()) {
    add(relation_select, relation.in_select, relation.same_table, relation.key, chosen.groups);
    if (step == StepKind::group) {
      add(relation_group, relation.in_select, relation.same_table, relation.key, chosen.selected_is_id);
      add(relation_group, 64, relation.in_select, relation.same_table && relation.key, chosen.selected_is_display);
    }
  }
  if (chosen.counted != nothing)
    add(relation_rows, relation.counted, relation.same_table);
  else if (!chosen.select.empty() && !relation.is_column)
    add(relation_rows, 8, relation.same_table, relation.nearest, relation.named);
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
    for (const auto key : keys) features.push_back({feature_key(slot_base, role, key)});
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
      const auto chosen = chosen_of(draft);
      relation_features(role(step, draft), step.kind, chosen, relation_of(chosen, parent, nothing), features);
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
    const auto chosen = chosen_of(draft);
    relation_features(role(step, draft), step.kind, chosen, relation_of(chosen, choice, nothing), features);
    features.push_back({feature_key(none_feature, role(step, draft), 7, contains(draft.used, choice))});
    return features;
  }
  if (step.kind != StepKind::literal_column) add_base(role(step, draft), view_.column_features(choice));
  const auto chosen = chosen_of(draft);
  const auto relation = relation_of(chosen, view_.domain().column(choice).table, choice);
  relation_features(role(step, draft), step.kind, chosen, relation, features);
  return features;
}

std::vector<float>& Filling::base_scores(std::uint64_t role, bool table) {
  auto& known = base_scores_[role];
  const auto& domain = view_.domain();
  if (known.empty())
    known.assign(table ? domain.tables().size() : domain.columns().size(), std::numeric_limits<float>::quiet_NaN());
  return known;
}

// As the scores of features(), to the last bit: weights are added in the same order.
std::vector<float> Filling::scores(const Step& step, const Draft& draft, const std::vector<int>& choices) {
  std::vector<float> scores;
  scores.reserve(choices.size());
  if (step.kind == StepKind::literal_use || step.kind == StepKind::literal_operator ||
      step.kind == StepKind::subquery_edge) {
    for (const auto choice : choices) scores.push_back(model_.score(features(step, draft, choice)));
    return scores;
  }
  const auto role = this->role(step, draft);
  const bool table = chooses_table(step.kind);
  const auto chosen = chosen_of(draft);
  auto& base = base_scores(role, table);
  std::vector<float>* of_literal = nullptr;
  if (step.kind == StepKind::literal_column) {
    of_literal = &literal_scores_[feature_key(step.index, draft.operators[step.index])];
    if (of_literal->empty()) of_literal->assign(base.size(), std::numeric_limits<float>::quiet_NaN());
  }
  std::array<std::vector<float>, Relation::count> weights;  // of the features of each relation
  Features features;
  for (const auto choice : choices) {
    if (choice == nothing) {
      scores.push_back(model_.score(this->features(step, draft, choice)));
      continue;
    }
    auto& own = base[static_cast<std::size_t>(choice)];
    if (std::isnan(own)) {
      own = 0;
      for (const auto key : table ? view_.table_features(choice) : view_.column_features(choice))
        own += model_.weight(feature_key(slot_base, role, key));
    }
    float rest = 0;
    if (of_literal != nullptr) {
      auto& sum = (*of_literal)[static_cast<std::size_t>(choice)];
      if (std::isnan(sum)) {
        features.clear();
        literal_features(step, draft, choice, features);
        sum = model_.score(features);
      }
      rest = sum;
    }
    const auto relation =
        relation_of(chosen, table ? choice : view_.domain().column(choice).table, table ? nothing : choice);
    auto& of_relation = weights[relation.bits()];
    if (of_relation.empty()) {
      features.clear();
      relation_features(role, step.kind, chosen, relation, features);
      for (const auto& feature : features) of_relation.push_back(model_.weight(feature.key));
    }
    for (const auto weight : of_relation) rest += weight;
    if (table) rest += model_.weight(feature_key(none_feature, role, 7, contains(draft.used, choice)));
    scores.push_back(own + rest);
  }
  return scores;
}

std::optional<std::uint64_t> Filling::state_key(const Step& step, const Draft& draft) const {
  if (step.kind == StepKind::literal_use || step.kind == StepKind::literal_operator) return std::nullopt;
  const bool of_literal = step.kind == StepKind::literal_column;
  auto key = feature_key(role(step, draft), step.kind, of_literal ? step.index : 0,
                         of_literal ? static_cast<int>(draft.operators[step.index]) : -1,
                         draft.skeleton->group && draft.skeleton->select.size() > 1, draft.having.table);
  for (const auto table : draft.used) key = feature_key(key, 1, table);
  for (const auto& columns : draft.select)
    for (const auto column : columns) key = feature_key(key, 2, column);
  for (const auto table : draft.rows)
    if (table != nothing) key = feature_key(key, 3, table);
  return key;
}

}  // namespace trustsql::semparse
