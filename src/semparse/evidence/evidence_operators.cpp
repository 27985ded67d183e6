// Whether the operators of a candidate are those that the question asks for: their direction, and what they are about.

#include <algorithm>

#include "semparse/evidence/evidence_collector.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/question_cues.hpp"

namespace trustsql::semparse {

void EvidenceCollector::form() {
  FormFit fit;
  if (const auto own = question_.forms.find(draft_.skeleton); own != question_.forms.end()) fit = own->second;
  float best = fit.all;
  for (const auto& candidate : candidates_) {
    const auto other = question_.forms.find(candidate.draft.skeleton);
    if (other != question_.forms.end()) best = std::max(best, other->second.all);
  }
  write_("fit of the form", fit.all);
  write_("fit of the form, the worst part that it has", fit.present);
  write_("fit of the form, the worst part that it lacks", fit.absent);
  write_("fit of the form below the best", fit.all - best);
}

void EvidenceCollector::turn_cues() {
  const auto& question = view_.question();
  auto& highest = cue_counts_[static_cast<std::size_t>(Cue::highest)];
  auto& lowest = cue_counts_[static_cast<std::size_t>(Cue::lowest)];
  auto& descending = cue_counts_[static_cast<std::size_t>(Cue::descending)];
  const auto extremes = extremes_of(candidate_.tree.block);
  for (const auto& mention : question_.cues) {
    const auto at = mention.span.first;
    if (mention.cue == Cue::order && is_order_superlative(question, at)) {
      for (const auto& order : candidate_.tree.block.order) {
        if (order.term.column == nothing) continue;
        const auto asked = asked_extreme(question, at, domain_.column(order.term.column));
        if (asked != Extreme::unknown) descending = asked == Extreme::greatest ? 1 : 0;
      }
    }
    if ((mention.cue != Cue::highest && mention.cue != Cue::lowest) || extremes.empty()) continue;
    const auto asked = asked_extreme(question, at, domain_.column(extremes.front().column));
    if (asked == Extreme::unknown || (asked == Extreme::greatest) == (mention.cue == Cue::highest)) continue;
    const int turn = mention.cue == Cue::highest ? 1 : -1;
    highest -= turn;
    lowest += turn;
  }
}

void EvidenceCollector::directions() {
  const auto& f = operators_;
  const auto excess = [](int a, int b) { return std::max(0, a - b); };
  const int lowest = cue(Cue::lowest) + cue(Cue::minimum);
  const int highest = cue(Cue::highest) + cue(Cue::maximum) + cue(Cue::top);
  const int low = f.first_ascending + f.minimum;
  const int high = f.first_descending + f.maximum;
  write_("lowest missing", excess(lowest, low));
  write_("lowest extra", excess(low, lowest));
  write_("highest missing", excess(highest, high));
  write_("highest extra", excess(high, highest));
  write_("highest where the lowest is asked for", lowest > 0 && highest == 0 && high > 0 && low == 0);
  write_("lowest where the highest is asked for", highest > 0 && lowest == 0 && low > 0 && high == 0);
  const bool descending = f.order_descending > f.first_descending;
  const bool ascending_asked = has_cue(view_.question(), AskedCue::ascending, true);
  write_("descending without a cue", f.order > 0 && descending && cue(Cue::descending) == 0);
  write_("ascending against a cue", f.order > 0 && !descending && cue(Cue::descending) > 0);
  write_("descending where 'ascending' is said", f.order > 0 && descending && ascending_asked);
  // "ordered by X", "in the order of X": whether X is what is ordered by.
  float after_cue = unknown;
  const auto column = draft_.order.column;
  if (column != nothing) {
    constexpr std::size_t reach = 5;
    for (const auto& each : question_.cues) {
      if (each.cue != Cue::order && each.cue != Cue::descending) continue;
      after_cue = std::max(after_cue, 0.0F);
      for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(column)])
        if (mention.span.first >= each.span.last && mention.span.first < each.span.last + reach)
          after_cue =
              std::max(after_cue, mention.coverage / static_cast<float>(1 + mention.span.first - each.span.last));
    }
  }
  write_("the order's column behind its cue", after_cue);
}

void EvidenceCollector::agreements() {
  const auto& f = operators_;
  const auto excess = [](int a, int b) { return std::max(0, a - b); };
  int counts = 0;
  for (const auto& term : candidate_.tree.block.select) counts += term.aggregate == Aggregate::count ? 1 : 0;
  const int counting = cue(Cue::count) + cue(Cue::sum);
  write_("counts without a cue", counts > 0 && counting == 0);
  write_("no count despite a cue", counts == 0 && counting > 0);
  write_("more counts than cues", excess(counts, counting));
  // "3 or more" is no alternative.
  const auto& words = view_.question().words;
  int either = 0;
  for (const auto& each : question_.cues) {
    if (each.cue != Cue::either) continue;
    const bool bound = std::any_of(question_.cues.begin(), question_.cues.end(), [&](const CueMention& other) {
      return (other.cue == Cue::more || other.cue == Cue::less) && other.span.first == each.span.first;
    });
    const bool compared = each.span.last + 1 < words.size() && words[each.span.last].lower == "equal";
    if (!bound && !compared) ++either;
  }
  write_("alternatives missing", either > 0 && f.any + f.union_ == 0);
  write_("alternatives without a cue", either == 0 && f.any + f.union_ > 0);
  write_("intersection of alternatives", either > 0 && f.intersect > 0);
  bool fixed = false;
  for (const auto& part : draft_.select)
    for (const auto column : part)
      for (std::size_t i = 0; i < draft_.uses.size(); ++i)
        fixed |= draft_.uses[i] == LiteralUse::where && draft_.literal_columns[i] == column &&
                 draft_.operators[i] == LiteralOperator::equal;
  write_("a selected column has one value", fixed);
  int conjunctions = 0;
  for (const auto& word : words) conjunctions += word.lower == "and" || word.lower == "," ? 1 : 0;
  auto items = static_cast<int>(candidate_.tree.block.select.size());
  for (const auto& part : draft_.select) items -= static_cast<int>(domain_.full_names(part));
  write_("items beyond conjunctions", items - 1 - conjunctions);
  write_("items", items);
  write_("averages missing", excess(cue(Cue::average), f.average));
  write_("averages extra", excess(f.average, cue(Cue::average)));
  write_("sums extra", excess(f.sum, cue(Cue::sum)));
  // Names: of what is selected, whether a column's words are those of a used table as well.
  int as_tables = 0;
  for (const auto& part : draft_.select)
    for (const auto column : part) {
      const auto* mention = mention_of(column);
      if (mention == nullptr) continue;
      for (const auto table : explanation_.tables) {
        const auto* named = mention_of_table(table);
        if (named == nullptr || !named->whole() || !named->span.contains(mention->span)) continue;
        ++as_tables;
        break;
      }
    }
  write_("selected columns whose words name a table", as_tables);
}

}  // namespace trustsql::semparse
