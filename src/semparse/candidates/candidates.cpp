#include "semparse/candidates/candidates.hpp"

#include <algorithm>

#include "semparse/candidates/licence.hpp"
#include "semparse/question/cues.hpp"
#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

namespace {

void keep_best(std::vector<Draft>& drafts, std::size_t count) {
  std::stable_sort(drafts.begin(), drafts.end(), [](const Draft& a, const Draft& b) { return a.score > b.score; });
  if (drafts.size() > count) drafts.resize(count);
}

// The best `count` drafts after a step; only these are made.
std::vector<Draft> take_step(Filling& filling, const Step& step, const std::vector<Draft>& drafts,
                             std::size_t branching, std::size_t count) {
  struct Next {
    std::size_t draft;
    Option option;
    float score;
  };
  std::vector<Next> next;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    for (auto& option : filling.options(step, drafts[i], branching)) {
      const float score = drafts[i].score + option.score;
      next.push_back({i, std::move(option), score});
    }
  std::stable_sort(next.begin(), next.end(), [](const Next& a, const Next& b) { return a.score > b.score; });
  if (next.size() > count) next.resize(count);
  std::vector<Draft> best;
  best.reserve(next.size());
  for (const auto& each : next) {
    best.push_back(drafts[each.draft]);
    filling.take(step, each.option, best.back());
  }
  return best;
}

std::vector<Draft> fill(Filling& filling, const Skeleton& skeleton, const CandidateOptions& options) {
  std::vector<Draft> drafts = {filling.start(skeleton)};
  // All uses of literals are kept until they are complete, since most of them are not what the skeleton needs.
  constexpr std::size_t max_uses = 64;
  for (const auto& step : filling.literal_steps())
    drafts = take_step(filling, step, drafts, options.branching, max_uses);
  std::erase_if(drafts, [&filling](const Draft& draft) { return !filling.consistent(draft); });
  constexpr std::size_t kept_uses = 4;
  keep_best(drafts, kept_uses);
  std::vector<Draft> filled;
  for (const auto& start : drafts) {
    std::vector<Draft> beam = {start};
    for (const auto& step : filling.later_steps(start))
      beam = take_step(filling, step, beam, options.branching, options.beam);
    filled.insert(filled.end(), beam.begin(), beam.end());
  }
  keep_best(filled, options.beam);
  return filled;
}

// "For each", "per": a third of the forms that are filled, the first `count`, have a group, if there are so many.
void reserve_for_groups(const ParserModel& model, std::size_t count, std::vector<std::size_t>& order) {
  const auto groups = [&model](std::size_t skeleton) { return model.skeletons[skeleton].skeleton.group; };
  if (order.size() <= count) return;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count - count / 3);
  std::stable_partition(middle, order.end(), groups);
}

// Keeps the candidates that are `wanted`, if there are any.
template <class Wanted>
void keep_if_any(std::vector<Candidate>& candidates, const Wanted& wanted) {
  if (std::any_of(candidates.begin(), candidates.end(), wanted))
    std::erase_if(candidates, [&wanted](const Candidate& each) { return !wanted(each); });
}

// Whether a set operation has the same query on both sides, or all rows on one of them, which nobody asks for.
bool is_idle(const Domain& domain, const Tree& tree) {
  if (tree.operation == SetOperation::none || tree.other.empty()) return false;
  const auto& other = tree.other.front();
  const auto has_all_rows = [&domain](const Block& block) {
    return block.where.empty() && block.having.empty() && !block.limit && tables_of(domain, block).size() == 1;
  };
  if (other == tree.block || (other.where.empty() && other.tables.empty()) || has_all_rows(other)) return true;
  return tree.operation == SetOperation::intersect && has_all_rows(tree.block);
}

// Whether a block or its subquery says the same twice, or that a column has no value and something of its values: of
// "cows heavier than the average cow", one is the subquery's.
bool contradicts_itself(const Block& block) {
  const auto& where = block.where;
  for (auto each = where.begin(); each != where.end(); ++each) {
    const bool is_missing = each->comparison == Comparison::is_null && !block.any;
    if (std::find(where.begin(), each, *each) != each ||
        std::any_of(each->subquery.begin(), each->subquery.end(), contradicts_itself) ||
        std::any_of(where.begin(), where.end(), [&](const Condition& other) {
          return is_missing && other.term == each->term && other.comparison != Comparison::is_null;
        }))
      return true;
  }
  return false;
}

// The tables of whose columns or rows a block or its subquery says something, and that are not joined alone.
void add_tables(const Domain& domain, Block block, std::vector<TableId>& tables) {
  block.tables.clear();
  for (const auto table : tables_of(domain, block)) tables.push_back(table);
  for (const auto& condition : block.where)
    for (const auto& inner : condition.subquery) add_tables(domain, inner, tables);
}

// Whether each role has a part in the query, and is not alone in it: a question has roles only where it needs them.
// What a value says of a role needs no subquery, and no second query.
bool plays_all_roles(const Domain& domain, const Tree& tree) {
  if (domain.tables().back().role_of == nothing) return true;
  if (std::any_of(tree.block.where.begin(), tree.block.where.end(),
                  [](const Condition& condition) { return condition.comparison == Comparison::in; }) ||
      (tree.operation != SetOperation::none && tree.block.where.empty()))
    return false;
  std::vector<TableId> used;
  add_tables(domain, tree.block, used);
  for (const auto& other : tree.other) add_tables(domain, other, used);
  const auto is_used = [&used](TableId table) { return std::find(used.begin(), used.end(), table) != used.end(); };
  for (TableId id = 0; id < static_cast<TableId>(domain.tables().size()); ++id) {
    if (domain.table(id).role_of == nothing) continue;
    const bool alone = std::all_of(used.begin(), used.end(), [id](TableId table) { return table == id; });
    if (!is_used(id) || alone) return false;
  }
  return true;
}

// Whether the block tells years or months of dates apart: a question has date parts only where it asks for them.
bool uses_date_part(const Domain& domain, const Block& block) {
  const auto is_part = [&domain](ColumnId id) { return id != nothing && domain.column(id).part_of.date != nothing; };
  return std::any_of(block.group.begin(), block.group.end(), is_part) ||
         std::any_of(block.select.begin(), block.select.end(), [&](const Term& term) { return is_part(term.column); });
}

}  // namespace

std::vector<Candidate> find_candidates(const ParserModel& model, const QuestionView& view,
                                       const CandidateOptions& options) {
  const auto scores = score_skeletons(model, view);
  const auto cues = find_cues(view.question());
  const Licence licence(view, cues);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (licence.allows(model.skeletons[i].skeleton)) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&scores](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  if (licence.asks_for_groups()) reserve_for_groups(model, options.skeletons, order);
  if (order.size() > options.skeletons) order.resize(options.skeletons);
  Filling filling(view, model.weights);
  std::vector<Candidate> candidates;
  for (const auto index : order) {
    for (auto& draft : fill(filling, model.skeletons[index].skeleton, options)) {
      filling.count_groups(draft);
      Candidate candidate{filling.tree_of(draft), {}, {}, scores[index], scores[index] + draft.score};
      if (is_idle(view.domain(), candidate.tree) || contradicts_itself(candidate.tree.block) ||
          !plays_all_roles(view.domain(), candidate.tree) || !licence.allows(draft, candidate.tree))
        continue;
      auto sql = sql_of(view.domain(), candidate.tree);
      if (!sql) continue;
      candidate.sql = std::move(*sql);
      candidate.draft = std::move(draft);
      candidates.push_back(std::move(candidate));
    }
  }
  if (licence.asks_when())
    keep_if_any(candidates, [&licence](const Candidate& each) { return licence.gives_time(each.tree); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return licence.returns_list(each.draft); });
  keep_if_any(candidates,
              [&licence](const Candidate& each) { return licence.returns_asked_rows(each.draft, each.tree); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return licence.returns_pairs(each.draft); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return licence.may_give_people(each.draft); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return licence.uses_sure_values(each.draft); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return licence.uses_negated_values(each.draft); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return !licence.gives_references(each.draft); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return !licence.gives_keys(each.draft); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return !licence.gives_other_names(each.draft); });
  keep_if_any(candidates,
              [&licence](const Candidate& each) { return licence.counts_asked_rows(each.draft, each.tree); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return licence.counts_named_rows(each.tree); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return licence.groups_as_asked(each.draft); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return licence.returns_what_groups_have(each.draft); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return licence.sorts_by_what_is_named(each.tree); });
  keep_if_any(candidates, [&licence](const Candidate& each) { return !licence.groups_by_part_of_name(each.draft); });
  keep_if_any(candidates, [&view](const Candidate& each) { return uses_date_part(view.domain(), each.tree.block); });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  std::vector<Candidate> distinct;
  for (auto& candidate : candidates) {
    if (distinct.size() == options.candidates) break;
    if (std::any_of(distinct.begin(), distinct.end(),
                    [&](const Candidate& other) { return other.sql == candidate.sql; }))
      continue;
    distinct.push_back(std::move(candidate));
  }
  return distinct;
}

}  // namespace trustsql::semparse
