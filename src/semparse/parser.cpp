#include "semparse/parser.hpp"

#include <algorithm>
#include <numeric>

#include "base/text.hpp"
#include "semparse/linking.hpp"
#include "semparse/ranking.hpp"
#include "semparse/tree_sql.hpp"

namespace trustsql::semparse {

namespace {

std::string name_of_column(const Domain& domain, ColumnId id) {
  const auto& column = domain.column(id);
  return domain.table(column.table).name + "." + column.name;
}

// Candidates in the order of the ranker, with the probabilities that it gives them.
struct Ranked {
  std::vector<std::size_t> order{};    // of the candidates that can be written as SQL
  std::vector<float> probabilities{};  // in that order
  std::vector<std::string> sql{};      // in that order
  Features best_features{};
};

Ranked rank_candidates(const ParserModel& model, const QuestionView& view, const std::vector<Candidate>& candidates) {
  std::vector<std::size_t> written;
  std::vector<std::string> sql;
  std::vector<float> scores;
  std::vector<Features> features;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    auto text = sql_of(view.domain(), candidates[i].tree);
    if (!text) continue;
    written.push_back(i);
    sql.push_back(std::move(*text));
    features.push_back(ranking_features(view, candidates, i));
    scores.push_back(model.ranking.score(features.back()));
  }
  log_softmax(scores);
  std::vector<std::size_t> by_score(written.size());
  std::iota(by_score.begin(), by_score.end(), std::size_t{0});
  std::stable_sort(by_score.begin(), by_score.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  Ranked ranked;
  for (const auto i : by_score) {
    ranked.order.push_back(written[i]);
    ranked.probabilities.push_back(std::exp(scores[i]));
    ranked.sql.push_back(std::move(sql[i]));
  }
  if (!by_score.empty()) ranked.best_features = std::move(features[by_score.front()]);
  return ranked;
}

void explain_links(const QuestionView& view, const Candidate& candidate, const Explanation& explanation, Parse& parse) {
  const auto& domain = view.domain();
  const auto& question = view.question();
  const auto add = [&](WordSpan span, std::string meaning) {
    Link link{std::string(question.text_of(span)), std::move(meaning)};
    const bool known = std::any_of(parse.links.begin(), parse.links.end(), [&](const Link& other) {
      return other.words == link.words && other.meaning == link.meaning;
    });
    if (!known) parse.links.push_back(std::move(link));
  };
  for (std::size_t i = 0; i < candidate.draft.uses.size(); ++i) {
    const auto& literal = view.literals()[i];
    if (candidate.draft.uses[i] == LiteralUse::unused) continue;
    const auto column = candidate.draft.literal_columns[i];
    const std::string what = literal.number != nullptr ? "number" : "value";
    add(literal.span, column == nothing ? what : what + " of " + name_of_column(domain, column));
  }
  for (const auto& use : explanation.uses) {
    if (use.mention == nullptr) continue;
    add(use.mention->span, use.column != nothing ? "column " + name_of_column(domain, use.column)
                                                 : "table " + domain.table(use.table).name);
    if (use.column == nothing || !parse.ambiguous_words.empty()) continue;
    for (ColumnId other = 0; other < static_cast<ColumnId>(domain.columns().size()); ++other) {
      const auto* rival = other == use.column ? nullptr : view.column_mention(other);
      if (rival == nullptr || rival->span != use.mention->span || rival->coverage < use.mention->coverage) continue;
      parse.ambiguous_words = question.text_of(use.mention->span);
      parse.ambiguous_names = name_of_column(domain, use.column) + " or " + name_of_column(domain, other);
      break;
    }
  }
  for (const auto table : explanation.tables)
    if (const auto* mention = view.table_mention(table)) add(mention->span, "table " + domain.table(table).name);
  for (std::size_t i = 0; i < question.words.size(); ++i) {
    if (explanation.explained[i] || is_function_word(question.words[i])) continue;
    if (view.kind(i) != Symbol::word) parse.unexplained.push_back(question.words[i].text);
  }
}

}  // namespace

Result<std::shared_ptr<const Knowledge>> Knowledge::build(const Catalog& catalog, Sandbox& sandbox) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto domain, Domain::build(catalog, sandbox));
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, ValueIndex::build(domain, sandbox));
  return std::make_shared<const Knowledge>(Knowledge{std::move(domain), std::move(values)});
}

Result<Parse> Parser::parse(std::string_view question_text, const Knowledge& knowledge, Sandbox& sandbox,
                            const ParserOptions& options) const {
  Parse parse;
  const auto question = read_question(question_text);
  if (question.words.empty() || knowledge.domain.columns().empty()) {
    parse.triage = question.words.empty() ? Triage{Feasibility::ambiguous, "the question has no words"}
                                          : Triage{Feasibility::column_unrelated, "the database has no tables"};
    return parse;
  }
  const auto linking = QuestionLinker(knowledge.domain, knowledge.values).link(question);
  const QuestionView view(knowledge.domain, question, linking, model_->vocabulary);
  const auto candidates = find_candidates(*model_, view, options.candidates);
  auto ranked = rank_candidates(*model_, view, candidates);
  std::vector<std::optional<Outcome>> outcomes;
  for (std::size_t i = 0; i < ranked.order.size(); ++i) {
    Reading reading{std::move(ranked.sql[i]), text_of(*candidates[ranked.order[i]].draft.skeleton),
                    ranked.probabilities[i]};
    if (i < options.runs) {
      const auto result = sandbox.run(reading.sql);
      if (result.ok()) {
        reading.outcome = outcome_of(*result);
      } else if (result.error().code == ErrorCode::interrupted || result.error().code == ErrorCode::out_of_memory) {
        return result.error();
      }
      outcomes.push_back(reading.outcome);
    }
    parse.readings.push_back(std::move(reading));
  }
  if (parse.readings.empty()) {
    parse.triage = triage_of(view, {});
    return parse;
  }
  const auto& best = candidates[ranked.order.front()];
  auto standing = standing_of(ranked.probabilities, outcomes);
  standing.skeleton_score = best.skeleton_score;
  standing.weakest_step = best.draft.weakest;
  parse.confidence = logistic(model_->confidence.score(confidence_features(standing, ranked.best_features)));
  const auto explanation = explain(view, best);
  parse.unified = {ranked.probabilities, unified_features(view, best)};
  explain_links(view, best, explanation, parse);
  parse.triage = triage_of(view, {.has_reading = true,
                                  .explained = explanation.explained,
                                  .tables = explanation.tables,
                                  .values_known = !knowledge.values.empty()});
  return parse;
}

}  // namespace trustsql::semparse
