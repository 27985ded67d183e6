#include "nl2sql/stages/vote.hpp"

#include <algorithm>
#include <map>

#include "db/results/column_match.hpp"
#include "nl2sql/stages/query_trial.hpp"
#include "score/execution/prediction_text.hpp"
#include "sql/query_shape.hpp"

namespace trustsql::nl2sql {

namespace {

using Ballot = std::vector<std::optional<std::size_t>>;

std::string normalised(const std::string& sql) {
  return clean_prediction(sql, {.quotes = true, .space = true}).value_or("");
}

// The class of each sample, identified by its first sample: the first one for which `agrees(first, sample)`, or the
// sample itself. Samples that may not vote have no class.
template <class MayVote, class Agrees>
Result<Ballot> classes_of(std::size_t samples, const MayVote& may_vote, const Agrees& agrees) {
  Ballot ballot(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    if (!may_vote(i)) continue;
    for (std::size_t first = 0; first < i && !ballot[i]; ++first) {
      if (ballot[first] != first) continue;
      TRUSTSQL_ASSIGN_OR_RETURN(const bool same, agrees(first, i));
      if (same) ballot[i] = first;
    }
    if (!ballot[i]) ballot[i] = i;
  }
  return ballot;
}

Result<Ballot> by_text(std::span<const Candidate> candidates, bool raw) {
  std::vector<std::string> texts;
  for (const auto& candidate : candidates) texts.push_back(raw ? candidate.reply : normalised(candidate.sql));
  return classes_of(
      candidates.size(), [&](std::size_t i) { return raw || !candidates[i].sql.empty(); },
      [&](std::size_t a, std::size_t b) -> Result<bool> { return texts[a] == texts[b]; });
}

// Runs each sample, equal texts only once. A trial is null if the sample has no SQL.
Result<std::vector<const QueryTrial*>> run_all(std::span<Candidate> candidates, StageContext& context,
                                               std::map<std::string, QueryTrial, std::less<>>& trials) {
  std::vector<const QueryTrial*> sample_trials;
  for (auto& candidate : candidates) {
    if (candidate.sql.empty()) {
      sample_trials.push_back(nullptr);
      continue;
    }
    auto place = trials.find(candidate.sql);
    if (place == trials.end()) {
      TRUSTSQL_ASSIGN_OR_RETURN(auto trial, try_query(candidate.sql, context));
      place = trials.emplace(candidate.sql, std::move(trial)).first;
    }
    candidate.error = place->second.error;
    candidate.refused = place->second.refused;
    sample_trials.push_back(&place->second);
  }
  return sample_trials;
}

class Agreement {
 public:
  Agreement(std::span<const Candidate> candidates, const std::vector<const QueryTrial*>& trials, const VoteRule& rule,
            StageContext& context)
      : candidates_(candidates), trials_(trials), rule_(rule), context_(context) {}

  Result<bool> operator()(std::size_t a, std::size_t b) {
    if (trials_[a] == trials_[b]) return true;  // the same text
    TRUSTSQL_ASSIGN_OR_RETURN(const bool same_rows, have_same_rows(a, b));
    // Queries with different results on this database are not equivalent; only the others need a proof.
    if (!same_rows || rule_.by == VoteBy::execution) return same_rows;
    return are_proved_equal(candidates_[a].sql, candidates_[b].sql);
  }

 private:
  // The default semantics of EX: equal bags up to a permutation of columns, or equal lists if either query has ORDER
  // BY.
  Result<bool> have_same_rows(std::size_t a, std::size_t b) const {
    const bool ordered = has_outermost_order_by(candidates_[a].sql) || has_outermost_order_by(candidates_[b].sql);
    TRUSTSQL_ASSIGN_OR_RETURN(const auto permutation,
                              match_columns(*trials_[a]->rows, *trials_[b]->rows,
                                            ordered ? RowOrder::list : RowOrder::bag, context_.match_max_steps));
    return permutation.has_value();
  }

  Result<bool> are_proved_equal(const std::string& a, const std::string& b) {
    if (comparer_ == nullptr) {
      TRUSTSQL_ASSIGN_OR_RETURN(comparer_, context_.comparers->lease(context_.source));
    }
    equiv::ComparisonOptions options;
    options.ignored.add(equiv::Deviation::column_order);
    options.best_grade = false;
    options.counterexample = false;
    options.timeout = rule_.proof_timeout;
    options.stop = context_.call.stop;
    TRUSTSQL_ASSIGN_OR_RETURN(
        const auto comparison,
        comparer_->compare(text_to_run(a, context_), text_to_run(b, context_), options, context_.dialect));
    return comparison.verdict == equiv::Verdict::proved;
  }

  std::span<const Candidate> candidates_;
  const std::vector<const QueryTrial*>& trials_;
  const VoteRule& rule_;
  StageContext& context_;
  equiv::ComparerPool::Lease comparer_;
};

Result<Ballot> by_results(std::span<Candidate> candidates, const VoteRule& rule, StageContext& context) {
  std::map<std::string, QueryTrial, std::less<>> trials_by_text;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto trials, run_all(candidates, context, trials_by_text));
  Agreement agreement(candidates, trials, rule, context);
  return classes_of(
      candidates.size(), [&](std::size_t i) { return trials[i] != nullptr && trials[i]->ok(); },
      [&](std::size_t a, std::size_t b) { return agreement(a, b); });
}

}  // namespace

std::string describe(const VoteRule& rule) {
  std::string text = rule.by == VoteBy::text        ? (rule.raw ? "reply" : "text")
                     : rule.by == VoteBy::execution ? "execution"
                                                    : "equivalence";
  return text + (rule.quorum == Quorum::unanimous ? ", unanimous" : ", majority");
}

std::string Vote::summary() const {
  std::string text =
      std::to_string(votes) + " of " + std::to_string(samples) + (samples == 1 ? " sample" : " samples") + " agree";
  if (winner) text += ", sample " + std::to_string(*winner + 1) + " represents them";
  if (tied) text += "; a tie, won by the earliest";
  if (!agreed) text += winner ? "; none of them ran" : "; that is not enough";
  return text;
}

Result<Vote> vote(std::span<Candidate> candidates, const VoteRule& rule, StageContext& context) {
  Vote vote;
  vote.samples = candidates.size();
  TRUSTSQL_ASSIGN_OR_RETURN(
      vote.ballot, rule.by == VoteBy::text ? by_text(candidates, rule.raw) : by_results(candidates, rule, context));
  std::vector<std::size_t> votes(candidates.size());
  for (const auto& first : vote.ballot) {
    if (first) ++votes[*first];
  }
  const auto largest = std::max_element(votes.begin(), votes.end());  // the first one if there are several
  const auto has_sql = [](const Candidate& candidate) { return !candidate.sql.empty(); };
  if (largest == votes.end() || *largest == 0) {
    // No sample has a vote.
    const auto first = std::find_if(candidates.begin(), candidates.end(), has_sql);
    if (rule.quorum == Quorum::majority && first != candidates.end())
      vote.winner = static_cast<std::size_t>(first - candidates.begin());
    return vote;
  }
  vote.votes = *largest;
  vote.tied = std::count(votes.begin(), votes.end(), *largest) > 1;
  vote.agreed = rule.quorum == Quorum::majority || *largest == candidates.size();
  const auto winner = static_cast<std::size_t>(largest - votes.begin());
  if (vote.agreed && has_sql(candidates[winner])) vote.winner = winner;
  return vote;
}

}  // namespace trustsql::nl2sql
