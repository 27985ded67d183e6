#include "semparse/candidates/filling.hpp"

#include <algorithm>
#include <numeric>

#include "semparse/question/asked_joins.hpp"
#include "semparse/question/asked_times.hpp"
#include "semparse/question/question_cues.hpp"

namespace trustsql::semparse {

namespace {

constexpr int literal_operators = 11;
// Numbers that are years where a column holds dates.
constexpr std::int64_t first_year = 1000;
constexpr std::int64_t last_year = 2999;
// How much less likely (a logarithm) a join edge is where the question chooses another one.
constexpr float other_edge_penalty = 3.0F;
// How much less likely a column is for a year where the question speaks of another date.
constexpr float other_date_penalty = 3.0F;

// How much more likely an operator is that the words in front of a number say.
constexpr float said_bound_bonus = 3.0F;

std::optional<LiteralOperator> operator_of(Bound bound) {
  switch (bound) {
    case Bound::none: return std::nullopt;
    case Bound::at_least: return LiteralOperator::greater_equal;
    case Bound::at_most: return LiteralOperator::less_equal;
    case Bound::more: return LiteralOperator::greater;
    case Bound::less: return LiteralOperator::less;
  }
  return std::nullopt;
}

// The operator that the words beside a number say, if they say one.
std::optional<LiteralOperator> said_operator(const Question& question, WordSpan number) {
  const auto bound = bound_of(question, number);
  const bool is_denied = is_denied_number(question, number);
  if (bound == Bound::none && is_denied) return LiteralOperator::not_equal;
  return operator_of(is_denied ? denied(bound) : bound);
}

bool is_number_column(const DomainColumn& column) {
  return column.kind == DataKind::number || column.kind == DataKind::date || column.kind == DataKind::boolean;
}

}  // namespace

Comparison comparison_of(LiteralOperator op) {
  switch (op) {
    case LiteralOperator::equal: return Comparison::equal;
    case LiteralOperator::not_equal: return Comparison::not_equal;
    case LiteralOperator::less: return Comparison::less;
    case LiteralOperator::less_equal: return Comparison::less_equal;
    case LiteralOperator::greater: return Comparison::greater;
    case LiteralOperator::greater_equal: return Comparison::greater_equal;
    case LiteralOperator::between: return Comparison::between;
    case LiteralOperator::contains:
    case LiteralOperator::starts_with:
    case LiteralOperator::ends_with: return Comparison::like;
    case LiteralOperator::lacks: return Comparison::not_like;
  }
  return Comparison::equal;
}

Filling::Filling(const QuestionView& view, const LinearModel& model)
    : view_(view),
      model_(model),
      asked_joins_(asked_joins(view)),
      asked_name_(name_of_asked_rows()),
      list_(opening_list(view)) {
  for (const auto& literal : view.literals()) other_dates_.push_back(dates_of_something_else(view, literal));
}

Draft Filling::start(const Skeleton& skeleton) const {
  Draft draft;
  draft.skeleton = &skeleton;
  const auto literals = view_.literals().size();
  draft.uses.assign(literals, LiteralUse::unused);
  draft.literal_columns.assign(literals, nothing);
  draft.operators.assign(literals, LiteralOperator::equal);
  draft.select.resize(skeleton.select.size());
  draft.rows.assign(skeleton.select.size(), nothing);
  return draft;
}

std::vector<Step> Filling::literal_steps() const {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < view_.literals().size(); ++i) steps.push_back({StepKind::literal_use, i});
  return steps;
}

std::vector<Step> Filling::later_steps(const Draft& draft) const {
  const auto& skeleton = *draft.skeleton;
  std::vector<Step> steps;
  const auto add_literals = [&](LiteralUse use) {
    for (std::size_t i = 0; i < draft.uses.size(); ++i) {
      if (draft.uses[i] != use) continue;
      steps.push_back({StepKind::literal_operator, i});
      if (use != LiteralUse::having) steps.push_back({StepKind::literal_column, i});
    }
  };
  add_literals(LiteralUse::where);
  for (std::size_t i = 0; i < skeleton.select.size(); ++i) {
    const auto& part = skeleton.select[i];
    const auto kind = part.rows                           ? StepKind::select_rows
                      : part.aggregate == Aggregate::none ? StepKind::select_columns
                                                          : StepKind::select_column;
    steps.push_back({kind, i});
  }
  if (skeleton.group) steps.push_back({StepKind::group});
  if (skeleton.having) {
    steps.push_back({skeleton.having->rows ? StepKind::having_rows : StepKind::having_column});
    add_literals(LiteralUse::having);
  }
  if (skeleton.order) steps.push_back({skeleton.order->rows ? StepKind::order_rows : StepKind::order_column});
  if (skeleton.null_test != NullTest::none) steps.push_back({StepKind::null_column});
  if (skeleton.subquery == SubqueryKind::aggregate) steps.push_back({StepKind::subquery_column});
  if (skeleton.subquery == SubqueryKind::missing || skeleton.subquery == SubqueryKind::existing)
    steps.push_back({StepKind::subquery_edge});
  add_literals(LiteralUse::subquery);
  add_literals(LiteralUse::other);
  steps.push_back({StepKind::further_table});
  if (skeleton.operation != SetOperation::none) steps.push_back({StepKind::other_table});
  return steps;
}

std::vector<int> Filling::choices(const Step& step, const Draft& draft) const {
  const auto& domain = view_.domain();
  const auto& skeleton = *draft.skeleton;
  std::vector<int> choices;
  switch (step.kind) {
    case StepKind::literal_use: {
      const bool number = view_.literals()[step.index].number != nullptr;
      choices.push_back(static_cast<int>(LiteralUse::unused));
      if (skeleton.literals) choices.push_back(static_cast<int>(LiteralUse::where));
      if (skeleton.having && number) choices.push_back(static_cast<int>(LiteralUse::having));
      if (skeleton.limit == LimitKind::number && number) choices.push_back(static_cast<int>(LiteralUse::limit));
      if (skeleton.other_literals) choices.push_back(static_cast<int>(LiteralUse::other));
      if (skeleton.subquery_literals) choices.push_back(static_cast<int>(LiteralUse::subquery));
      return choices;
    }
    case StepKind::literal_operator: {
      const auto& literal = view_.literals()[step.index];
      const bool range = literal.number != nullptr && literal.number->second.has_value();
      if (range) return {static_cast<int>(LiteralOperator::between)};
      if (literal.value != nullptr && literal.value->test != ColumnTest::none)
        return {static_cast<int>(LiteralOperator::equal)};
      for (int op = 0; op < literal_operators; ++op) {
        const auto which = static_cast<LiteralOperator>(op);
        const bool like = which >= LiteralOperator::contains;
        const bool order = which >= LiteralOperator::less && which <= LiteralOperator::greater_equal;
        if (which == LiteralOperator::between || (literal.number != nullptr && like)) continue;
        if (literal.value != nullptr && order) continue;
        choices.push_back(op);
      }
      return choices;
    }
    case StepKind::literal_column: {
      // A value belongs to a column that holds it, if there is one.
      const auto& literal = view_.literals()[step.index];
      if (literal.value != nullptr && draft.operators[step.index] < LiteralOperator::contains) {
        for (const auto& cell : literal.value->cells)
          if (choices.empty() || choices.back() != cell.column) choices.push_back(cell.column);
        if (!choices.empty()) return choices;
      }
      const bool date = literal.number != nullptr && std::holds_alternative<std::string>(literal.number->value);
      const bool has_dates =
          date && std::any_of(domain.columns().begin(), domain.columns().end(),
                              [](const DomainColumn& column) { return column.kind == DataKind::date; });
      const auto owner = literal.owner();
      for (ColumnId id = 0; id < static_cast<ColumnId>(domain.columns().size()); ++id) {
        const auto& column = domain.column(id);
        if (column.part_of.date != nothing) continue;
        if (owner != nothing && column.table != owner &&
            domain.stored_table(column.table) == domain.stored_table(owner))
          continue;
        const auto* year = literal.number == nullptr ? nullptr : std::get_if<std::int64_t>(&literal.number->value);
        const bool no_year = column.has_iso_dates && literal.number != nullptr && !date &&
                             (year == nullptr || *year < first_year || *year > last_year);
        const bool no_date = literal.number != nullptr && literal.number->spelled && !column.has_iso_dates;
        const bool fits = no_year || no_date          ? false
                          : date                      ? column.kind == (has_dates ? DataKind::date : DataKind::text)
                          : literal.number != nullptr ? column.kind != DataKind::other
                                                      : !is_number_column(column) || column.kind == DataKind::date;
        if (fits) choices.push_back(id);
      }
      return choices;
    }
    case StepKind::subquery_edge: {
      for (std::size_t i = 0; i < domain.edges().size(); ++i) choices.push_back(static_cast<int>(i));
      return choices;
    }
    case StepKind::further_table:
    case StepKind::other_table: choices.push_back(nothing); [[fallthrough]];
    case StepKind::select_rows:
    case StepKind::having_rows:
    case StepKind::order_rows: {
      for (TableId id = 0; id < static_cast<TableId>(domain.tables().size()); ++id) choices.push_back(id);
      return choices;
    }
    default: {
      // Parts of dates are told apart, counted and sorted, and nothing else.
      const bool parts =
          step.kind == StepKind::group || step.kind == StepKind::order_column ||
          step.kind == StepKind::select_columns ||
          (step.kind == StepKind::select_column && skeleton.select[step.index].aggregate == Aggregate::count);
      for (ColumnId id = 0; id < static_cast<ColumnId>(domain.columns().size()); ++id)
        if (parts || domain.column(id).part_of.date == nothing) choices.push_back(id);
      return choices;
    }
  }
}

// Drafts of different skeletons come to the same state again and again.
std::vector<Option> Filling::options(const Step& step, const Draft& draft, std::size_t limit) {
  const auto state = state_key(step, draft);
  if (!state) return find_options(step, draft, limit);
  const auto [known, is_new] = known_options_.try_emplace(feature_key(*state, limit));
  if (is_new) known->second = find_options(step, draft, limit);
  return known->second;
}

std::vector<Option> Filling::find_options(const Step& step, const Draft& draft, std::size_t limit) {
  if (step.kind == StepKind::select_columns) return select_sets(step, draft, limit);
  const auto all = choices(step, draft);
  auto scores = this->scores(step, draft, all);
  if (step.kind == StepKind::subquery_edge)
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_other_edge(static_cast<std::size_t>(all[i]))) scores[i] -= other_edge_penalty;
  if (step.kind == StepKind::literal_column && !other_dates_[step.index].empty())
    for (std::size_t i = 0; i < all.size(); ++i)
      if (other_dates_[step.index][static_cast<std::size_t>(all[i])]) scores[i] -= other_date_penalty;
  if (step.kind == StepKind::literal_operator && view_.literals()[step.index].number != nullptr)
    if (const auto bound = said_operator(view_.question(), view_.literals()[step.index].span))
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] == static_cast<int>(*bound)) scores[i] += said_bound_bonus;
  log_softmax(scores);
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto kept = std::min(limit, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
      [&](std::size_t a, std::size_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : all[a] < all[b]; });
  std::vector<Option> options;
  for (std::size_t i = 0; i < kept; ++i) options.push_back({all[order[i]], {}, scores[order[i]]});
  return options;
}

// Whether the question chooses another edge between the same two tables.
bool Filling::is_other_edge(std::size_t edge) const {
  const auto& edges = view_.domain().edges();
  const auto table = [&](ColumnId column) { return view_.domain().column(column).table; };
  return std::any_of(asked_joins_.begin(), asked_joins_.end(), [&](std::size_t asked) {
    return asked != edge && table(edges[asked].child) == table(edges[edge].child) &&
           table(edges[asked].parent) == table(edges[edge].parent);
  });
}

void Filling::use_table(Draft& draft, TableId table) const {
  const auto at = std::lower_bound(draft.used.begin(), draft.used.end(), table);
  if (at == draft.used.end() || *at != table) draft.used.insert(at, table);
}

void Filling::take(const Step& step, const Option& option, Draft& draft) const {
  const auto& skeleton = *draft.skeleton;
  const auto& domain = view_.domain();
  const auto table_of = [&domain](ColumnId column) { return domain.column(column).table; };
  draft.score += option.score;
  draft.weakest = std::min(draft.weakest, option.score);
  const int choice = option.choice;
  switch (step.kind) {
    case StepKind::literal_use: draft.uses[step.index] = static_cast<LiteralUse>(choice); break;
    case StepKind::literal_operator: draft.operators[step.index] = static_cast<LiteralOperator>(choice); break;
    case StepKind::literal_column:
      draft.literal_columns[step.index] = choice;
      if (draft.uses[step.index] == LiteralUse::where) use_table(draft, table_of(choice));
      break;
    case StepKind::select_columns:
      draft.select[step.index] = option.columns;
      for (const auto column : option.columns) use_table(draft, table_of(column));
      break;
    case StepKind::select_column:
      draft.select[step.index] = {choice};
      use_table(draft, table_of(choice));
      break;
    case StepKind::select_rows:
      draft.rows[step.index] = choice;
      use_table(draft, choice);
      break;
    case StepKind::group:
      draft.group = choice;
      use_table(draft, table_of(choice));
      break;
    case StepKind::having_column:
      draft.having = {skeleton.having->aggregate, skeleton.having->distinct, choice, nothing};
      use_table(draft, table_of(choice));
      break;
    case StepKind::having_rows:
      draft.having = {Aggregate::count, false, nothing, choice};
      use_table(draft, choice);
      break;
    case StepKind::order_column:
      draft.order = {skeleton.order->aggregate, skeleton.order->distinct, choice, nothing};
      use_table(draft, table_of(choice));
      break;
    case StepKind::order_rows:
      draft.order = {Aggregate::count, false, nothing, choice};
      use_table(draft, choice);
      break;
    case StepKind::subquery_edge: {
      const auto& edge = domain.edges()[static_cast<std::size_t>(choice)];
      draft.outer_column = edge.parent;
      draft.inner_column = edge.child;
      use_table(draft, table_of(edge.parent));
      break;
    }
    case StepKind::subquery_column:
      draft.outer_column = choice;
      draft.inner_column = choice;
      use_table(draft, table_of(choice));
      break;
    case StepKind::null_column:
      draft.null_column = choice;
      use_table(draft, table_of(choice));
      break;
    case StepKind::further_table:
      draft.further = choice;
      if (choice != nothing) use_table(draft, choice);
      break;
    case StepKind::other_table: draft.other_further = choice; break;
  }
}

bool Filling::consistent(const Draft& draft) const {
  const auto& skeleton = *draft.skeleton;
  const auto count = [&draft](LiteralUse use) { return std::count(draft.uses.begin(), draft.uses.end(), use); };
  return (count(LiteralUse::where) > 0) == skeleton.literals &&
         count(LiteralUse::having) == (skeleton.having ? 1 : 0) &&
         count(LiteralUse::limit) == (skeleton.limit == LimitKind::number ? 1 : 0) &&
         (count(LiteralUse::other) > 0) == skeleton.other_literals &&
         (count(LiteralUse::subquery) > 0) == skeleton.subquery_literals &&
         (!skeleton.any || count(LiteralUse::where) > 1);
}

}  // namespace trustsql::semparse
