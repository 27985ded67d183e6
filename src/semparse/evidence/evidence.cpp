#include "semparse/evidence/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "semparse/evidence/evidence_collector.hpp"

namespace trustsql::semparse {

void EvidenceCollector::standing() {
  const auto& first = candidates_.front();
  write_("score of the form", candidate_.skeleton_score);
  write_("score of the slots", candidate_.score - candidate_.skeleton_score);
  write_("score below the best", candidate_.score - first.score);
  write_("weakest step", std::max(draft_.weakest, -8.0F));
  write_("rank", number_);
  write_("candidates", candidates_.size());
  // Marginals: how much of the probability of all candidates agrees with each clause of this one.
  double total = 0;
  double form = 0;
  double select = 0;
  double where = 0;
  double group = 0;
  double order = 0;
  double from = 0;
  const auto& block = candidate_.tree.block;
  for (const auto& other : candidates_) {
    const double mass = std::exp(static_cast<double>(other.score - first.score));
    const auto& rival = other.tree.block;
    total += mass;
    if (other.draft.skeleton == draft_.skeleton) form += mass;
    if (rival.select == block.select) select += mass;
    if (rival.where == block.where) where += mass;
    if (rival.group == block.group && rival.having == block.having) group += mass;
    if (rival.order == block.order && rival.limit == block.limit) order += mass;
    if (other.draft.used == draft_.used) from += mass;
  }
  write_("marginal of the form", static_cast<float>(form / total));
  write_("marginal of SELECT", static_cast<float>(select / total));
  write_("marginal of WHERE", static_cast<float>(where / total));
  write_("marginal of GROUP BY", static_cast<float>(group / total));
  write_("marginal of ORDER BY", static_cast<float>(order / total));
  write_("marginal of FROM", static_cast<float>(from / total));
  write_("probability among the candidates",
         static_cast<float>(std::exp(static_cast<double>(candidate_.score - first.score)) / total));
}

void EvidenceCollector::cues() {
  const auto& f = operators_;
  write_("cue: average", cue(Cue::average));
  write_("avg", f.average);
  write_("cue: sum", cue(Cue::sum));
  write_("sum", f.sum);
  write_("cue: count", cue(Cue::count));
  write_("count", f.count);
  write_("cue: maximum", cue(Cue::maximum));
  write_("max", f.maximum);
  write_("cue: minimum", cue(Cue::minimum));
  write_("min", f.minimum);
  write_("cue: highest", cue(Cue::highest));
  write_("cue: lowest", cue(Cue::lowest));
  write_("first, descending", f.first_descending);
  write_("first, ascending", f.first_ascending);
  write_("cue: order", cue(Cue::order));
  write_("order", f.order);
  write_("cue: descending", cue(Cue::descending));
  write_("descending", f.order_descending);
  write_("cue: each", cue(Cue::each));
  write_("group", f.group);
  write_("cue: distinct", cue(Cue::distinct));
  write_("distinct", f.distinct);
  write_("cue: negation", cue(Cue::negation));
  write_("negation", f.negation);
  write_("cue: both", cue(Cue::both));
  write_("intersect", f.intersect);
  write_("cue: either", cue(Cue::either));
  write_("or", f.any + f.union_);
  write_("cue: more", cue(Cue::more));
  write_("greater", f.greater);
  write_("cue: less", cue(Cue::less));
  write_("less", f.less);
  write_("cue: between", cue(Cue::between));
  write_("between", f.between);
  write_("cue: pattern", cue(Cue::pattern));
  write_("like", f.like);
  write_("cue: top", cue(Cue::top));
  write_("limit above one", f.limit_number);
  write_("cue: same", cue(Cue::same));
  write_("cue: than average", cue(Cue::than_average));
  write_("compared with an aggregate", f.than_aggregate);
  write_("except", f.except);
  write_("NULL tests", f.nulls);
  const auto missing = [](int asked, int done) { return std::max(0, asked - done); };
  const auto extra = [](int asked, int done) { return std::max(0, done - asked); };
  const int superlatives = cue(Cue::highest) + cue(Cue::lowest) + cue(Cue::maximum) + cue(Cue::minimum) + cue(Cue::top);
  const int firsts = f.maximum + f.minimum + f.first_ascending + f.first_descending;
  write_("operators missing", missing(cue(Cue::average), f.average) + missing(superlatives, firsts) +
                                  missing(cue(Cue::count) + cue(Cue::sum), f.count + f.sum) +
                                  missing(cue(Cue::order), f.order) + missing(cue(Cue::negation), f.negation) +
                                  missing(cue(Cue::between), f.between) + missing(cue(Cue::pattern), f.like) +
                                  missing(cue(Cue::both), f.intersect) + missing(cue(Cue::each), f.group) +
                                  missing(cue(Cue::than_average), f.than_aggregate) +
                                  missing(cue(Cue::more), f.greater) + missing(cue(Cue::less), f.less));
  write_("operators extra",
         extra(cue(Cue::average), f.average) + extra(superlatives, firsts) +
             extra(cue(Cue::order) + cue(Cue::descending), f.order) + extra(cue(Cue::negation), f.negation) +
             extra(cue(Cue::between), f.between) + extra(cue(Cue::pattern), f.like) + extra(cue(Cue::more), f.greater) +
             extra(cue(Cue::less), f.less) + extra(cue(Cue::sum), f.sum) +
             extra(cue(Cue::count) + cue(Cue::sum) + superlatives + cue(Cue::more) + cue(Cue::less), f.count));
}

void EvidenceCollector::words() {
  const auto& words = view_.question().words;
  auto explained = explanation_.explained;
  for (const auto& mention : question_.cues)
    for (auto i = mention.span.first; i < mention.span.last; ++i) explained[i] = true;
  int content = 0;
  int unknowns = 0;
  int linked = 0;
  int parts = 0;
  int plain = 0;
  float suspicion = 0;
  float worst = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_function_word(words[i])) continue;
    ++content;
    if (explained[i]) continue;
    float weight = 1;
    switch (view_.kind(i)) {
      case Symbol::unknown: ++unknowns; break;
      case Symbol::column:
      case Symbol::table: ++linked; break;
      case Symbol::part: ++parts; break;
      default:
        ++plain;
        weight = 1 - view_.vocabulary().idle(words[i].lower);
        break;
    }
    suspicion += weight;
    worst = std::max(worst, weight);
  }
  write_("words", words.size());
  write_("content words", content);
  write_("unexplained: unknown words", unknowns);
  write_("unexplained: names", linked);
  write_("unexplained: parts of names", parts);
  write_("unexplained: common words", plain);
  write_("unexplained weight", suspicion);
  write_("unexplained, the heaviest", worst);
  write_("unused values", explanation_.unused_literals.size());
  write_("literals", view_.literals().size());
}

QuestionEvidence question_evidence(const ParserModel& model, const QuestionView& view) {
  QuestionEvidence evidence{find_cues(view.question()), {}, {}, opening_list(view)};
  const auto fits = form_fits(model, view);
  for (std::size_t i = 0; i < fits.size(); ++i) evidence.forms[&model.skeletons[i].skeleton] = fits[i];
  for (const auto& mention : evidence.cues) ++evidence.cue_counts[static_cast<std::size_t>(mention.cue)];
  return evidence;
}

std::vector<Evidence> evidence_of(const QuestionView& view, const QuestionEvidence& question,
                                  const std::vector<Candidate>& candidates, std::size_t number) {
  auto evidence = EvidenceCollector(view, question, candidates, number).collect();
  evidence.resize(evidence_count);  // trees name their inputs by number: never fewer
  return evidence;
}

std::vector<float> evidence_values(const QuestionView& view, const QuestionEvidence& question,
                                   const std::vector<Candidate>& candidates, std::size_t number) {
  std::vector<float> values;
  for (const auto& each : evidence_of(view, question, candidates, number)) values.push_back(each.value);
  return values;
}

}  // namespace trustsql::semparse
