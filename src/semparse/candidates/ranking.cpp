#include "semparse/candidates/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "semparse/question/extremes.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/question/units.hpp"
#include "semparse/tree/joins.hpp"
#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

namespace {

enum RankingFeature : std::uint64_t {
  score_feature = 0x1000,
  skeleton_feature,
  unexplained_unknown,
  unexplained_linked,
  unexplained_word,
  unused_literal,
  unnamed_use,
  named_use,
  table_feature,
  join_feature,
  shape_feature,
  better_name,
  suspicious_word,
};

std::uint64_t bucket(std::size_t count) { return std::min<std::size_t>(count, 4); }

// "Newest" and "oldest" stand for an extreme of a date or a year, "newest first" for an order.
void explain_extremes(const QuestionView& view, const Block& block, std::vector<bool>& explained) {
  const auto& question = view.question();
  const auto& domain = view.domain();
  const auto extremes = extremes_of(block);
  for (std::size_t i = 0; i < question.words.size(); ++i) {
    const bool order = is_order_superlative(question, i);
    if (!order && !is_superlative_word(question, i) && question.words[i].lower != "recent") continue;
    const auto is_asked = [&](ColumnId column) {
      return is_point_in_time(domain.column(column)) &&
             asked_extreme(question, i, domain.column(column)) != Extreme::unknown;
    };
    bool asked = false;
    if (order && !block.limit)
      for (const auto& each : block.order) asked |= each.term.column != nothing && is_asked(each.term.column);
    if (!order)
      for (const auto& each : extremes)
        asked |= is_asked(each.column) && asked_extreme(question, i, domain.column(each.column)) == each.extreme;
    if (asked) explained[i] = true;
  }
}

// Words that say what is measured, where it is used: "expensive" of a price, "earn" of a salary; and the unit behind a
// number.
void explain_measures(const QuestionView& view, const Draft& draft, Explanation& explanation) {
  const auto& words = view.question().words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto* gradable = gradable_of(words[i]);
    if (gradable == nullptr) continue;
    for (const auto& use : explanation.uses)
      if (use.column != nothing && measures(*gradable, view.domain().column(use.column)))
        explanation.explained[i] = true;
  }
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view.literals()[i];
    const auto at = literal.span.last;
    if (draft.uses[i] != LiteralUse::where || literal.number == nullptr || draft.literal_columns[i] == nothing ||
        at >= words.size())
      continue;
    const auto unit = unit_of(words[at].lower);
    if (!unit.empty() && may_be_in(view.domain().column(draft.literal_columns[i]), unit))
      explanation.explained[at] = true;
  }
}

}  // namespace

Explanation explain(const QuestionView& view, const Candidate& candidate) {
  const auto& draft = candidate.draft;
  const auto& domain = view.domain();
  Explanation result;
  result.explained.assign(view.question().words.size(), false);
  const auto explain_span = [&result](WordSpan span) {
    for (auto i = span.first; i < span.last; ++i) result.explained[i] = true;
  };
  const auto use_column = [&](StepKind step, ColumnId column) {
    if (column == nothing) return;
    const auto* mention = view.column_mention(column);
    result.uses.push_back({step, column, domain.column(column).table, mention});
    for (const auto& each : view.linking().columns[static_cast<std::size_t>(column)])
      if (each.coverage > mention->coverage - 0.2F) explain_span(each.span);
  };
  const auto use_table = [&](StepKind step, TableId table) {
    if (table != nothing) result.uses.push_back({step, nothing, table, view.table_mention(table)});
  };
  for (const auto& columns : draft.select)
    for (const auto column : columns) use_column(StepKind::select_columns, column);
  for (const auto table : draft.rows) use_table(StepKind::select_rows, table);
  use_column(StepKind::group, draft.group);
  use_column(StepKind::having_column, draft.having.column);
  use_table(StepKind::having_rows, draft.having.table);
  use_column(StepKind::order_column, draft.order.column);
  use_table(StepKind::order_rows, draft.order.table);
  use_column(StepKind::null_column, draft.null_column);
  use_column(StepKind::subquery_column, draft.outer_column);
  use_table(StepKind::further_table, draft.further);
  use_table(StepKind::other_table, draft.other_further);
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view.literals()[i];
    if (draft.uses[i] != LiteralUse::unused) {
      explain_span(literal.span);
      use_column(StepKind::literal_column, draft.literal_columns[i]);
    } else if (literal.number != nullptr || literal.value->quoted || literal.value->capitalised) {
      result.unused_literals.push_back(i);
    }
  }
  explain_extremes(view, candidate.tree.block, result.explained);
  explain_measures(view, draft, result);
  auto terminals = tables_of(domain, candidate.tree.block);
  if (!terminals.empty()) {
    const auto trees = join_trees(domain, terminals, 4, candidate.tree.block.joins);
    if (!trees.empty()) {
      result.tables = trees.front().tables;
      result.joins = trees.front().edges.size();
      for (const auto edge : trees.front().edges) result.inferred_joins += domain.edges()[edge].declared ? 0U : 1U;
      for (const auto& tree : trees) result.join_trees += tree.edges.size() == result.joins ? 1U : 0U;
    }
  }
  if (draft.inner_column != nothing) result.tables.push_back(domain.column(draft.inner_column).table);
  std::sort(result.tables.begin(), result.tables.end());
  result.tables.erase(std::unique(result.tables.begin(), result.tables.end()), result.tables.end());
  for (const auto table : result.tables)
    for (const auto& mention : view.linking().tables[static_cast<std::size_t>(table)]) explain_span(mention.span);
  return result;
}

Features ranking_features(const QuestionView& view, const std::vector<Candidate>& candidates, std::size_t number) {
  const auto& candidate = candidates[number];
  const auto& skeleton = *candidate.draft.skeleton;
  const auto explanation = explain(view, candidate);
  Features features;
  const auto add = [&features](auto... parts) { features.push_back({feature_key(parts...)}); };
  const auto value = [&features](float amount, auto... parts) { features.push_back({feature_key(parts...), amount}); };
  value(candidate.skeleton_score, score_feature, 1);
  value(candidate.score - candidate.skeleton_score, score_feature, 2);
  value(candidate.score - candidates.front().score, score_feature, 3);
  add(score_feature, 4, bucket(number));
  add(skeleton_feature, hash_bytes(text_of(skeleton), 3));

  const auto& words = view.question().words;
  std::size_t unknown = 0;
  std::size_t linked = 0;
  std::size_t plain = 0;
  std::size_t suspicious = 0;
  float suspicion = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (explanation.explained[i] || is_function_word(words[i])) continue;
    switch (view.kind(i)) {
      case Symbol::unknown: ++unknown; break;
      case Symbol::column:
      case Symbol::table: ++linked; break;
      case Symbol::part: ++plain; break;
      default: {
        add(unexplained_word, view.symbol(static_cast<std::ptrdiff_t>(i)));
        const float idle = view.vocabulary().idle(words[i].lower);
        if (idle > 0.5F) break;
        suspicion -= std::log(std::max(idle, 0.01F));
        ++suspicious;
        break;
      }
    }
  }
  value(suspicion, suspicious_word, 0);
  add(suspicious_word, 1, bucket(suspicious));
  add(suspicious_word, 2, bucket(suspicious + unknown + linked + plain));
  value(static_cast<float>(unknown), unexplained_unknown, 0);
  value(static_cast<float>(linked), unexplained_linked, 0);
  value(static_cast<float>(plain), unexplained_linked, 9);
  add(unexplained_unknown, 1, bucket(unknown));
  add(unexplained_linked, 1, bucket(linked));
  add(unexplained_linked, 2, bucket(plain));
  add(unused_literal, bucket(explanation.unused_literals.size()));
  value(static_cast<float>(explanation.unused_literals.size()), unused_literal, 99);

  std::set<std::pair<std::size_t, std::size_t>> spans;
  for (const auto& use : explanation.uses) {
    const bool display = use.column != nothing && view.domain().is_display(use.column);
    const auto step = static_cast<std::uint64_t>(use.step);
    const int how = naming(use.mention);
    add(use.mention == nullptr ? unnamed_use : named_use, step, how, display);
    if (use.column != nothing) {
      const auto& column = view.domain().column(use.column);
      add(named_use, 64 + step, how, static_cast<int>(column.kind), column.is_id);
      // Another column has the same words, in a table that is named, and is not used.
      if (use.mention != nullptr) {
        int better = 0;
        for (ColumnId other = 0; other < static_cast<ColumnId>(view.domain().columns().size()); ++other) {
          const auto* rival = other == use.column ? nullptr : view.column_mention(other);
          if (rival == nullptr || !rival->span.overlaps(use.mention->span)) continue;
          if (rival->coverage > use.mention->coverage + 0.05F && rival->matched > use.mention->matched) better |= 1;
          if (rival->coverage > use.mention->coverage - 0.05F &&
              naming(view.table_mention(view.domain().column(other).table)) > naming(view.table_mention(column.table)))
            better |= 2;
        }
        add(better_name, step, better);
      }
    }
  }
  std::size_t unnamed_tables = 0;
  for (const auto table : explanation.tables) {
    const auto* mention = view.table_mention(table);
    const bool by_column = std::any_of(explanation.uses.begin(), explanation.uses.end(),
                                       [&](const auto& use) { return use.table == table && use.mention != nullptr; });
    if (mention == nullptr && !by_column) ++unnamed_tables;
    add(table_feature, naming(mention), by_column, explanation.tables.size() == 1);
  }
  add(table_feature, 64, bucket(unnamed_tables), bucket(explanation.tables.size()));
  value(static_cast<float>(explanation.tables.size()), table_feature, 65);
  add(join_feature, bucket(explanation.joins), bucket(explanation.inferred_joins));
  add(join_feature, 16, bucket(explanation.join_trees), bucket(explanation.joins));

  std::size_t selected = 0;
  for (const auto& columns : candidate.draft.select) selected += columns.size() - view.domain().full_names(columns);
  add(shape_feature, 1, bucket(selected));
  bool selected_and_fixed = false;
  bool grouped = candidate.draft.group == nothing;
  for (const auto& columns : candidate.draft.select)
    for (const auto column : columns) {
      for (std::size_t i = 0; i < candidate.draft.uses.size(); ++i)
        selected_and_fixed |= candidate.draft.literal_columns[i] == column &&
                              candidate.draft.uses[i] == LiteralUse::where &&
                              candidate.draft.operators[i] == LiteralOperator::equal;
      grouped |= column == candidate.draft.group;
    }
  add(shape_feature, 2, selected_and_fixed);
  add(shape_feature, 3, grouped, skeleton.select.size() > 1,
      candidate.draft.group != nothing && view.domain().column(candidate.draft.group).is_id);
  if (skeleton.operation != SetOperation::none)
    add(shape_feature, 5, candidate.tree.other.front().where.empty() && candidate.tree.other.front().tables.empty(),
        candidate.tree.block.where == candidate.tree.other.front().where);
  if (skeleton.operation != SetOperation::none || skeleton.subquery == SubqueryKind::missing)
    add(shape_feature, 4, static_cast<int>(skeleton.operation), explanation.tables.size());
  return features;
}

}  // namespace trustsql::semparse
