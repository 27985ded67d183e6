#include "semparse/parser.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "semparse/abstention/confidence_checks.hpp"
#include "semparse/abstention/empty_groups.hpp"
#include "semparse/abstention/far_meaning.hpp"
#include "semparse/abstention/lost_relation.hpp"
#include "semparse/abstention/lost_restriction.hpp"
#include "semparse/abstention/question_classifier.hpp"
#include "semparse/abstention/ties.hpp"
#include "semparse/abstention/unclear_people.hpp"
#include "semparse/abstention/unclear_reference.hpp"
#include "semparse/candidates/ranking.hpp"
#include "semparse/evidence/evidence.hpp"
#include "semparse/question/correction.hpp"
#include "semparse/question/linked_question.hpp"
#include "semparse/question/other_wordings.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/tree/description.hpp"
#include "semparse/tree/query_leaves.hpp"
#include "semparse/tree/tree_operators.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

std::string name_of_column(const Domain& domain, ColumnId id) {
  const auto& column = domain.column(id);
  return domain.table(column.table).name + "." + column.name;
}

struct RankedCandidate {
  std::size_t candidate;
  float probability = 0;  // of the ranker
};

// In the order of the ranker.
std::vector<RankedCandidate> rank_candidates(const ParserModel& model, const QuestionView& view,
                                             const std::vector<Candidate>& candidates) {
  std::vector<RankedCandidate> ranked;
  std::vector<float> scores;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    scores.push_back(model.ranking.score(ranking_features(view, candidates, i)));
  log_softmax(scores);
  for (std::size_t i = 0; i < scores.size(); ++i) ranked.push_back({i, std::exp(scores[i])});
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const RankedCandidate& a, const RankedCandidate& b) { return a.probability > b.probability; });
  return ranked;
}

// Runs the first candidates and collects the evidence for each.
Result<std::vector<Contender>> find_contenders(const ParserModel& model, const QuestionView& view,
                                               const std::vector<Candidate>& candidates,
                                               const std::vector<RankedCandidate>& ranked, Sandbox& sandbox,
                                               std::chrono::milliseconds run_time) {
  const auto evidence = question_evidence(model, view);
  const auto deadline = std::chrono::steady_clock::now() + run_time;
  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < std::min(ranked.size(), max_contenders); ++i) {
    auto& contender = contenders.emplace_back();
    contender.probability = ranked[i].probability;
    contender.evidence = evidence_values(view, evidence, candidates, ranked[i].candidate);
    const auto now = std::chrono::steady_clock::now();
    if (now >= deadline) continue;
    const ScopedDeadline limit(sandbox, std::min(deadline, now + run_time / 4));
    const auto result = sandbox.run(candidates[ranked[i].candidate].sql);
    if (result.ok()) {
      contender.outcome = outcome_of(*result);
    } else if (ends_the_call(result.error().code)) {
      return result.error();
    }
  }
  return contenders;
}

// The likeliest contender with other rows than the chosen one; none if it is far less likely.
std::optional<std::size_t> find_rival(const std::vector<Contender>& contenders, const Choice& choice) {
  constexpr float min_share = 0.1F;  // of the probability of the chosen one
  const auto& chosen = contenders[choice.best].outcome;
  std::optional<std::size_t> rival;
  for (std::size_t i = 0; chosen && i < contenders.size(); ++i) {
    const auto& other = contenders[i].outcome;
    if (!other || other->fingerprint == chosen->fingerprint ||
        choice.probabilities[i] < min_share * choice.probabilities[choice.best])
      continue;
    if (!rival || choice.probabilities[i] > choice.probabilities[*rival]) rival = i;
  }
  return rival;
}

// Whether an operator of the query stands for the cue.
bool stands_for(const Operators& operators, Cue cue) {
  switch (cue) {
    case Cue::average: return operators.average > 0;
    case Cue::sum: return operators.sum + operators.count > 0;
    case Cue::count: return operators.count > 0;
    case Cue::each: return operators.group > 0;
    case Cue::maximum:
    case Cue::highest: return operators.maximum + operators.first_descending + operators.first_ascending > 0;
    case Cue::minimum:
    case Cue::lowest: return operators.minimum + operators.first_descending + operators.first_ascending > 0;
    case Cue::order: return operators.order > 0;
    case Cue::distinct: return operators.distinct > 0;
    default: return true;
  }
}

// The words that the reading accounts for, for people: also those of its operators, "number of" before a number that is
// stored, and further words for the names that it uses.
std::vector<bool> accounted_words(const QuestionView& view, const Candidate& candidate,
                                  const Explanation& explanation) {
  auto accounted = explanation.explained;
  const auto mark = [&accounted](WordSpan span) {
    for (auto i = span.first; i < span.last; ++i) accounted[i] = true;
  };
  const auto& words = view.question().words;
  const auto operators = operators_of(candidate.tree);
  const auto names_amount = [&](std::size_t word) {
    return std::any_of(explanation.uses.begin(), explanation.uses.end(), [&](const auto& use) {
      return use.column != nothing && use.mention != nullptr && use.mention->span.first == word &&
             view.domain().column(use.column).kind == DataKind::number;
    });
  };
  for (const auto& mention : find_cues(view.question())) {
    auto next = mention.span.last;
    while (next < words.size() && is_function_word(words[next])) ++next;
    if (stands_for(operators, mention.cue) || (mention.cue == Cue::count && names_amount(next))) mark(mention.span);
  }
  for (const auto& use : explanation.uses)
    if (use.column != nothing)
      for (const auto& mention : view.linking().columns[static_cast<std::size_t>(use.column)]) mark(mention.span);
  return accounted;
}

// Whether the words name one of the two columns more likely: one that is no key rather than a key, another column of
// the same table where one of the two is a key, or one of a table that the question does not name where it names that
// of the other.
bool is_settled(const QuestionView& view, ColumnId used, ColumnId other) {
  const auto& domain = view.domain();
  const auto& a = domain.column(used);
  const auto& b = domain.column(other);
  if (!a.is_id && b.is_id) return true;
  if (a.table == b.table) return a.is_id != b.is_id || domain.table(a.table).display == used;
  return naming(view.table_mention(a.table)) == 4 && naming(view.table_mention(b.table)) < 4;
}

void explain_links(const QuestionView& view, const Candidate& candidate, const Explanation& explanation, Parse& parse) {
  constexpr float named_from = 0.5F;  // words that hardly name a column are not called ambiguous
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
    if (use.column == nothing || use.mention->coverage < named_from || !parse.ambiguous_words.empty()) continue;
    for (ColumnId other = 0; other < static_cast<ColumnId>(domain.columns().size()); ++other) {
      const bool also_used = std::any_of(explanation.uses.begin(), explanation.uses.end(),
                                         [other](const auto& each) { return each.column == other; });
      const auto* rival = also_used ? nullptr : view.column_mention(other);
      if (rival == nullptr || rival->span != use.mention->span || rival->coverage < use.mention->coverage ||
          is_settled(view, use.column, other))
        continue;
      parse.ambiguous_words = question.text_of(use.mention->span);
      parse.ambiguous_names = name_of_column(domain, use.column) + " or " + name_of_column(domain, other);
      break;
    }
  }
  for (const auto table : explanation.tables)
    if (const auto* mention = view.table_mention(table)) add(mention->span, "table " + domain.table(table).name);
  const auto accounted = accounted_words(view, candidate, explanation);
  for (std::size_t i = 0; i < question.words.size(); ++i) {
    if (explanation.explained[i] || is_function_word(question.words[i])) continue;
    if (view.kind(i) == Symbol::word) continue;
    parse.unexplained.push_back(question.words[i].text);
    if (view.kind(i) != Symbol::unknown && !accounted[i]) parse.left_out.push_back(question.words[i].text);
  }
}

// Quotations that the reading compares with a column for equality, or leaves out, and that no column holds. None where
// not all values were read.
void find_missing_quotations(const QuestionView& view, const ValueIndex& values, const Candidate& candidate,
                             Parse& parse) {
  const auto& columns = view.domain().columns();
  for (ColumnId id = 0; id < static_cast<ColumnId>(columns.size()); ++id)
    if (columns[static_cast<std::size_t>(id)].kind == DataKind::text &&
        !values.is_complete(view.domain().stored_column(id)))
      return;
  for (std::size_t i = 0; i < view.literals().size(); ++i) {
    const auto* value = view.literals()[i].value;
    const bool pattern =
        candidate.draft.uses[i] != LiteralUse::unused && candidate.draft.operators[i] >= LiteralOperator::contains;
    if (value != nullptr && value->quoted && value->cells.empty() && !pattern && value->span.size() > 0)
      parse.missing_quotations.push_back(value->text);
  }
}

// Whether two wordings of a question have the same answer: queries that say the same, and return the same rows.
bool have_same_answer(const Parse& first, const Parse& second) {
  if (first.readings.empty() || second.readings.empty() || first.content != second.content) return false;
  const auto& rows = first.readings.front().outcome;
  const auto& others = second.readings.front().outcome;
  return rows && others && rows->rows > 0 && rows->fingerprint == others->fingerprint;
}

// Adds what unknown words may have meant, for people, and capitalised words that have no place in the reading where
// they are near a value. To be called last: nothing that is trained may see it.
void add_corrections(const QuestionView& view, const ValueIndex& values, const std::vector<bool>& explained,
                     Parse& parse) {
  const auto& words = view.question().words;
  std::vector<std::size_t> positions = parse.triage.unknown;
  std::vector<std::size_t> names;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_function_word(words[i]) || (i < explained.size() && explained[i])) continue;
    if (view.kind(i) == Symbol::unknown) {
      positions.push_back(i);
      parse.unknown.push_back(words[i].text);
    } else if (view.kind(i) == Symbol::word && is_written_as_name(view.question(), i)) {
      positions.push_back(i);
      names.push_back(i);
    }
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  parse.corrections = corrections_of(view, values, positions);
  for (const auto& correction : parse.corrections) {
    if (correction.quoted) parse.unknown.push_back(correction.words.front());
    for (const auto name : names)
      if (!correction.quoted && correction.concerns(words[name].text)) parse.unknown.push_back(words[name].text);
  }
  if (parse.triage.unknown.empty()) return;
  std::vector<std::string> unknown;
  for (const auto position : parse.triage.unknown) unknown.push_back(words[position].text);
  parse.triage.detail = unknown_text(unknown, parse.corrections);
  if (auto suggestion = suggestion_for(unknown, parse.corrections); !suggestion.empty())
    parse.triage.suggestion = std::move(suggestion);
}

}  // namespace

Result<std::shared_ptr<const Knowledge>> Knowledge::build(const Catalog& catalog, Sandbox& sandbox,
                                                          std::chrono::milliseconds time, ValueStore* store) {
  const ScopedDeadline limit(sandbox, std::chrono::steady_clock::now() + time);
  TRUSTSQL_ASSIGN_OR_RETURN(auto domain, Domain::build(catalog, sandbox));
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, ValueIndex::build(domain, sandbox, {}, store));
  return std::make_shared<const Knowledge>(Knowledge{std::move(domain), std::move(values)});
}

Result<Parse> Parser::parse(std::string_view question, const Knowledge& knowledge, Sandbox& sandbox,
                            const ParserOptions& options) const {
  const bool has_words = !read_question(question).words.empty();
  if (!has_words || knowledge.domain.columns().empty()) {
    Parse nothing_read;
    nothing_read.triage = has_words ? Triage{Feasibility::column_unrelated, "the database has no tables", {}, {}}
                                    : Triage{Feasibility::ambiguous, "the question has no words", {}, {}};
    return nothing_read;
  }
  QuestionLinker linker(knowledge.domain, knowledge.values);
  Wordings wordings;
  auto parse = read(question, linker, sandbox, options, &wordings);
  if (!parse.ok() || parse->tied) return parse;
  // A word that the reading may not leave out may have a place in other words.
  auto objections = parse->objections;
  if (std::any_of(wordings.naming.begin(), wordings.naming.end(), [&objections](const std::string& wording) {
        return !contains_ignore_case(wording, objections.lost_word);
      }))
    objections.lost_word.clear();
  if (!objections.none()) return parse;
  // Reads a wording. If it has the same answer and is sure of it, the query and the confidence are its.
  constexpr double least = 0.9;  // the best of several wordings that are not sure would be too good
  double surest = parse->confidence;
  const auto read_again = [&](std::string& wording) -> Status {
    auto other = read(wording, linker, sandbox, options, nullptr);
    if (!other.ok()) return ends_the_call(other.error().code) ? Status(other.error()) : ok_status();
    if (!other->objections.none() || !have_same_answer(*parse, *other)) return ok_status();
    surest = std::max(surest, other->confidence);
    if (other->confidence < std::max(least, parse->confidence)) return ok_status();
    const auto same = std::find_if(parse->readings.begin(), parse->readings.end(), [&other](const Reading& reading) {
      return reading.sql == other->readings.front().sql;
    });
    if (same != parse->readings.end()) {
      std::rotate(parse->readings.begin(), same, same + 1);
      parse->reading = std::move(other->reading);
    }
    parse->confidence = other->confidence;
    parse->objections = {};
    parse->links = std::move(other->links);
    parse->unexplained = std::move(other->unexplained);
    parse->left_out = std::move(other->left_out);
    parse->unknown = std::move(other->unknown);
    parse->reworded = std::move(wording);
    return ok_status();
  };
  constexpr double sure = 0.97;
  constexpr double sure_enough = 0.93;  // above it, and below `doubtful`, another request is not worth its time
  constexpr double doubtful = 0.5;
  // Where there is much to read, only the first wording.
  constexpr std::size_t many_columns = 1'000;
  const bool is_large = knowledge.domain.columns().size() > many_columns;
  if (is_large && wordings.naming.size() > 1) wordings.naming.resize(1);
  const std::size_t most_requests = is_large ? 0 : 5;
  for (std::size_t i = 0; i < wordings.naming.size(); ++i)
    if (surest < (i == 0 ? sure : sure_enough)) TRUSTSQL_RETURN_IF_ERROR(read_again(wordings.naming[i]));
  for (std::size_t i = 0; i < std::min(wordings.requests.size(), most_requests); ++i) {
    if (!parse->objections.none() || surest < doubtful || surest >= sure_enough) break;
    TRUSTSQL_RETURN_IF_ERROR(read_again(wordings.requests[i]));
  }
  return parse;
}

Result<Parse> Parser::read(std::string_view question_text, QuestionLinker& linker, Sandbox& sandbox,
                           const ParserOptions& options, Wordings* wordings) const {
  Parse parse;
  const LinkedQuestion linked(question_text, linker, model_->vocabulary);
  const auto& view = linked.view();
  const auto& values = linker.values();
  parse.restated = linked.restated();
  for (const auto& number : view.linking().numbers)
    if (!number.exists && parse.impossible_date.empty()) parse.impossible_date = view.question().text_of(number.span);
  const auto candidates = find_candidates(*model_, view, options.candidates);
  const auto ranked = rank_candidates(*model_, view, candidates);
  if (ranked.empty()) {
    parse.triage = triage_of(view, {});
    parse.question_inputs = classifier_inputs(view, parse);
    add_corrections(view, values, {}, parse);
    return parse;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto contenders,
                            find_contenders(*model_, view, candidates, ranked, sandbox, options.run_time));
  const auto inputs = choice_inputs(contenders);
  const auto choice = choose(model_->choice, inputs);
  const auto& best = candidates[ranked[choice.best].candidate];
  contenders[choice.best].checks = confidence_checks(view, values, best);
  parse.confidence = logistic(model_->confidence.score(confidence_inputs(contenders, inputs, choice)));
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const auto& candidate = candidates[ranked[i].candidate];
    Reading reading{candidate.sql, text_of(*candidate.draft.skeleton)};
    if (i < contenders.size()) {
      reading.probability = choice.probabilities[i];
      reading.outcome = contenders[i].outcome;
    }
    parse.readings.push_back(std::move(reading));
  }
  std::stable_sort(parse.readings.begin(), parse.readings.end(),
                   [](const Reading& a, const Reading& b) { return a.probability > b.probability; });
  parse.reading = describe(view.domain(), best.tree);
  parse.content = content_of(best.tree, view.domain());
  if (const auto rival = find_rival(contenders, choice))
    parse.rival = describe(view.domain(), candidates[ranked[*rival].candidate].tree);
  if (parse.rival == parse.reading) parse.rival.clear();
  const auto explanation = explain(view, best);
  parse.unified = {choice.sorted_probabilities(), unified_features(view, best)};
  explain_links(view, best, explanation, parse);
  parse.objections = objections_to(view, best, explanation);
  if (const auto& outcome = contenders[choice.best].outcome; outcome && outcome->rows > 1)
    parse.objections.unclear_person = last_name_alone(view, best).value_or("");
  if (parse.objections.unclear_person.empty()) {
    TRUSTSQL_ASSIGN_OR_RETURN(parse.objections.unclear_person, shared_name(view, best, sandbox));
  }
  if (wordings != nullptr && contenders[choice.best].outcome) {
    const ScopedDeadline limit(sandbox, std::chrono::steady_clock::now() + options.run_time / 4);
    TRUSTSQL_ASSIGN_OR_RETURN(parse.tied, cuts_ties(view.domain(), best.tree, sandbox));
    if (parse.tied && parse.objections.lost_word.empty())
      if (const auto word = plural_superlative(view)) parse.objections.lost_word = view.question().words[*word].text;
    parse.tied |= contenders[choice.best].outcome->rows > 1 && asks_for_the_one(view, best.tree);
    TRUSTSQL_ASSIGN_OR_RETURN(const auto left_out, left_out_rows(view.domain(), best.tree, sandbox));
    if (left_out != nothing && parse.objections.unclear_columns.empty())
      parse.objections.unclear_columns =
          "all rows of " + quote_for_message(view.domain().table(left_out).name, 60) + " or only those that have some";
  }
  parse.triage = triage_of(view, {.has_reading = true,
                                  .explained = explanation.explained,
                                  .tables = explanation.tables,
                                  .values_known = !values.empty()});
  parse.question_inputs = classifier_inputs(view, parse);
  find_missing_quotations(view, values, best, parse);
  add_corrections(view, values, explanation.explained, parse);
  if (wordings != nullptr) *wordings = other_wordings(view, linker, model_->vocabulary, parse.unexplained.empty());
  return parse;
}

}  // namespace trustsql::semparse
