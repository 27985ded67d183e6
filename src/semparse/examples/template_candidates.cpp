#include "semparse/examples/template_candidates.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace trustsql::semparse {

namespace {

constexpr float min_cue = 0.5F;
constexpr float same_cost = 1e-3F;          // costs that differ by less are the same
constexpr float left_over_cost = 1.5F;      // of a value or number that no slot takes
constexpr float unusual_order_cost = 0.7F;  // of values in an order that no pattern of the template has
constexpr float order_cost = 0.2F;          // of a value that stands elsewhere than in the pattern

class CandidateSearch {
 public:
  CandidateSearch(const QuestionForm& question, const TemplateLimits& limits, const Exclusion& exclusion)
      : question_(question), bank_(question.bank()), limits_(limits), exclusion_(exclusion) {}

  std::vector<TemplateCandidate> run() {
    align_patterns();
    std::vector<TemplateCandidate> found;
    for (auto& [variant, candidate] : best_) found.push_back(std::move(candidate));
    std::stable_sort(found.begin(), found.end(), cheaper);
    if (found.size() > limits_.variants) found.resize(limits_.variants);
    for (auto& candidate : found) compare_nearness(candidate);
    for (auto& candidate : found) write(candidate);
    derive(found);
    if (infeasible_.pattern != -1) found.push_back(std::move(infeasible_));
    std::set<std::string> known;
    std::erase_if(found, [&known](const TemplateCandidate& each) { return !known.insert(each.sql).second; });
    return found;
  }

 private:
  static bool cheaper(const TemplateCandidate& a, const TemplateCandidate& b) { return a.cost < b.cost; }

  bool is_excluded(int number) const {
    if (exclusion_.pattern == -1) return false;
    if (number == exclusion_.pattern) return true;
    const auto& own = bank_.pattern(exclusion_.pattern);
    const auto& other = bank_.pattern(number);
    if (exclusion_.variant != -1 && other.variant == exclusion_.variant) return true;
    return own.items == other.items;
  }

  void align_patterns() {
    for (const auto& [number, nearness] :
         bank_.nearest(question_.search_words(), limits_.patterns, limits_.per_family)) {
      if (is_excluded(number)) continue;
      const auto& pattern = bank_.pattern(number);
      nearness_.emplace(pattern.family, nearness);
      if (pattern.variant == -1) {
        align_infeasible(number);
        continue;
      }
      const auto& family = bank_.family(pattern.family);
      for (std::size_t reading = 0; reading < question_.readings().size(); ++reading) {
        const auto& slots = bank_.variant(pattern.variant).query.slots;
        auto alignment = align(question_, reading, pattern.items, slots);
        if (!alignment) continue;
        const bool unfilled = std::any_of(alignment->slots.begin(), alignment->slots.end(),
                                          [](const WordSpan& span) { return span.size() == 0; });
        if (unfilled) continue;
        for (const int variant : family.variants) add(number, variant, reading, *alignment);
      }
    }
  }

  void align_infeasible(int number) {
    auto alignment = align(question_, 0, bank_.pattern(number).items, {});
    if (!alignment) return;
    // With another number or value the question is the same.
    std::erase_if(alignment->extra, [&](std::size_t at) {
      const bool any = question_.is_any_value(at);
      if (any) alignment->cost -= question_.extra_cost(at);
      return any;
    });
    if (infeasible_.pattern != -1 && infeasible_.cost <= alignment->cost) return;
    infeasible_ = {};
    infeasible_.pattern = number;
    infeasible_.cost = alignment->cost;
    infeasible_.alignment = std::move(*alignment);
  }

  void add(int pattern, int variant, std::size_t reading, const Alignment& alignment) {
    const auto& query = bank_.variant(variant).query;
    const bool timed = question_.readings()[reading].without_times;
    if (query.times != (timed ? static_cast<int>(question_.phrases().size()) : 0)) return;

    if (exclusion_.pattern != -1 && variant == exclusion_.variant) return;
    const auto known = best_.find(variant);
    TemplateCandidate candidate;
    candidate.pattern = pattern;
    candidate.variant = variant;
    candidate.reading = reading;
    candidate.alignment = alignment;
    repair(query, candidate.alignment);
    candidate.cost = candidate.alignment.cost;
    if (!has_forms(candidate)) return;
    find_left_over(candidate);
    candidate.cost += left_over_cost * static_cast<float>(candidate.left_values.size() + candidate.left_numbers.size());
    candidate.cost +=
        unusual_order_cost *
        (1 - bank_.family(bank_.variant(variant).family).orders.share(query.slots, candidate.alignment.slots));
    if (known == best_.end()) {
      best_.emplace(variant, std::move(candidate));
      return;
    }
    auto& best = known->second;
    const bool other = candidate.alignment.slots != best.alignment.slots;
    const bool better = candidate.cost < best.cost - same_cost ||
                        (candidate.cost <= best.cost + same_cost &&
                         bank_.pattern(candidate.pattern).alike > bank_.pattern(best.pattern).alike);
    if (better) {
      candidate.rival_cost = other ? best.cost : best.rival_cost;
      best = std::move(candidate);
    } else if (other) {
      best.rival_cost = std::min(best.rival_cost, candidate.cost);
    }
  }

  // People name things in another order than the pattern: numbers that fit only when they change places do, and a slot
  // that is filled with something unknown takes a value that is left over and that its column holds.
  void repair(const QueryTemplate& query, Alignment& alignment) const {
    const auto& slots = query.slots;
    const auto standing = [&](std::size_t slot, const WordSpan& span) {
      return question_.value_of(slots[slot], span.first, span.last).standing;
    };
    auto& spans = alignment.slots;
    for (std::size_t a = 0; a < slots.size(); ++a) {
      for (std::size_t b = a + 1; b < slots.size(); ++b) {
        if (!slots[a].number || !slots[b].number) continue;
        const auto misfits = [&](const WordSpan& first, const WordSpan& second) {
          return (standing(a, first) == ValueStanding::fits ? 0 : 1) +
                 (standing(b, second) == ValueStanding::fits ? 0 : 1);
        };
        const int change = misfits(spans[a], spans[b]) - misfits(spans[b], spans[a]);
        if (change <= 0) continue;
        std::swap(spans[a], spans[b]);
        alignment.cost -= static_cast<float>(change);
      }
    }
    for (std::size_t s = 0; s < slots.size(); ++s) {
      if (slots[s].number || standing(s, spans[s]) == ValueStanding::known) continue;
      for (const auto& value : question_.value_spans()) {
        const bool taken = std::any_of(spans.begin(), spans.end(), [&](const WordSpan& other) {
          return other.overlaps(value) && (&other != &spans[s] || question_.edge_cost(value.first, value.last) >= 0.5F);
        });
        if (taken || value == spans[s] || standing(s, value) != ValueStanding::known) continue;
        exchange(alignment, s, value, slots[s]);
        break;
      }
    }
  }

  void exchange(Alignment& alignment, std::size_t slot, const WordSpan& value, const TemplateSlot& kind) const {
    const auto old = alignment.slots[slot];
    for (const auto& span : question_.spans(0, kind)[position_of(old.first)])
      if (span.length == old.size()) alignment.cost -= span.cost;
    std::erase_if(alignment.extra, [&](std::size_t at) {
      const bool inside = value.first <= at && at < value.last;
      if (inside) alignment.cost -= question_.extra_cost(at);
      return inside;
    });
    for (auto at = old.first; at < old.last; ++at) {
      if (value.first <= at && at < value.last) continue;
      alignment.extra.push_back(at);
      alignment.cost += question_.extra_cost(at);
    }
    std::sort(alignment.extra.begin(), alignment.extra.end());
    alignment.cost += order_cost;
    alignment.slots[slot] = value;
  }

  std::size_t position_of(std::size_t word) const {
    const auto& at = question_.readings().front().at;
    const auto found = std::lower_bound(at.begin(), at.end(), word);
    return found == at.end() ? 0 : static_cast<std::size_t>(found - at.begin());
  }

  // The place of the question's time expression `i` among those of the template; nullopt if there is none.
  std::optional<std::size_t> place_of_time(const TemplateCandidate& candidate, std::size_t i) const {
    const auto& pattern = bank_.pattern(candidate.pattern);
    const auto times = static_cast<std::size_t>(candidate.query(bank_).times);
    if (times > 1)
      if (const auto places = ExampleBank::time_places(bank_.variant(candidate.variant), question_.phrases());
          i < places.size() && places[i] < times)
        return places[i];
    const auto place = pattern.phrase_times.size() == times ? static_cast<std::size_t>(pattern.phrase_times[i]) : i;
    return place < times ? std::optional(place) : std::nullopt;
  }

  const TimeForm* form_of(const TemplateCandidate& candidate, std::size_t i) const {
    return bank_.time_form(bank_.variant(candidate.variant), question_.phrases()[i].shape);
  }

  // Whether all times of the template can be written.
  bool has_forms(const TemplateCandidate& candidate) const {
    const auto times = static_cast<std::size_t>(candidate.query(bank_).times);
    std::vector<bool> filled(times, false);
    for (std::size_t i = 0; i < times; ++i) {
      const auto place = place_of_time(candidate, i);
      if (!place || form_of(candidate, i) == nullptr) return false;
      filled[*place] = true;
    }
    return std::find(filled.begin(), filled.end(), false) == filled.end();
  }

  // Fills in the values and the SQL. Precondition: has_forms().
  void write(TemplateCandidate& candidate) const {
    const auto& query = candidate.query(bank_);
    Filler filler;
    candidate.values.clear();
    for (std::size_t i = 0; i < query.slots.size(); ++i) {
      const auto& span = candidate.alignment.slots[i];
      candidate.values.push_back(question_.value_of(query.slots[i], span.first, span.last));
      filler.values.push_back(candidate.values.back().value);
    }
    const auto times = static_cast<std::size_t>(query.times);
    filler.times.assign(times, {nullptr, {}});
    for (std::size_t i = 0; i < times; ++i)
      filler.times[*place_of_time(candidate, i)] = {&question_.phrases()[i], *form_of(candidate, i)};
    candidate.sql = fill_template(query, filler);
  }

  void find_left_over(TemplateCandidate& candidate) const {
    const auto filled = [&](const WordSpan& span) {
      return std::any_of(candidate.alignment.slots.begin(), candidate.alignment.slots.end(),
                         [&](const WordSpan& slot) { return slot.overlaps(span); });
    };
    for (const auto& span : question_.value_spans()) {
      const auto& extra = candidate.alignment.extra;
      const bool is_extra =
          std::any_of(extra.begin(), extra.end(), [&](std::size_t at) { return span.first <= at && at < span.last; });
      if (!filled(span) && is_extra) candidate.left_values.push_back(span);
    }
    for (const auto at : candidate.alignment.extra)
      if (question_.words()[at].digits) candidate.left_numbers.push_back(at);
  }

  void compare_nearness(TemplateCandidate& candidate) const {
    const int own = bank_.variant(candidate.variant).family;
    for (const auto& [family, nearness] : nearness_) {
      auto& most = family == own ? candidate.nearness : candidate.other_nearness;
      most = std::max(most, nearness);
    }
  }

  struct Source {
    const TemplateCandidate* candidate;
    const DerivedVariant* derived;
    float cue;
  };

  // How well the words that the alignment leaves over fit to a rule, and how much of their weight that explains.
  std::pair<float, float> cue_of(const TemplateCandidate& candidate, int rule) const {
    float cue = 0;
    float explained = 0;
    for (const auto at : candidate.alignment.extra) {
      const int word = bank_.find_word(question_.words()[at].text);
      if (word == -1) continue;
      const float part = bank_.cue(rule, word);
      cue += part;
      if (part > 1) explained += bank_.word(word).weight;
    }
    for (const int word : candidate.alignment.missing) {
      const float part = bank_.cue(rule, word);
      cue -= part;
      if (part < -1) explained += bank_.word(word).weight;
    }
    return {cue, explained};
  }

  bool is_known(const DerivedVariant& derived) const {
    const bool hidden = exclusion_.pattern != -1 && derived.existing == exclusion_.variant;
    return derived.existing != -1 && !hidden && bank_.variant(derived.existing).count > 0;
  }

  void derive(std::vector<TemplateCandidate>& found) const {
    std::vector<Source> sources;
    std::map<int, float> costs;  // of the variants that were found
    for (const auto& each : found) costs[each.variant] = each.cost;
    for (std::size_t i = 0; i < found.size() && i < limits_.sources; ++i) {
      for (const auto& derived : bank_.derived()[static_cast<std::size_t>(found[i].variant)]) {
        const auto [cue, explained] = cue_of(found[i], derived.rule);
        // A template that examples have, too, is made where no question of its own is as near.
        const auto cost = is_known(derived) ? costs.find(derived.existing) : costs.end();
        if (cost != costs.end() && cost->second <= found[i].cost - explained) continue;
        if (cue > min_cue) sources.push_back({&found[i], &derived, cue - found[i].cost});
      }
    }
    std::stable_sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) { return a.cue > b.cue; });
    std::set<std::string> keys;
    std::vector<TemplateCandidate> made;
    for (const auto& source : sources) {
      if (made.size() == limits_.derived) break;
      const auto& rule = bank_.rules()[static_cast<std::size_t>(source.derived->rule)];
      auto query = apply_rule(rule, bank_.variant(source.candidate->variant).query, bank_.name_pairs());
      if (!query || !keys.insert(query->key).second) continue;
      find_slot_columns(*query);
      TemplateCandidate candidate = *source.candidate;
      candidate.rule = source.derived->rule;
      candidate.derived = std::make_shared<const QueryTemplate>(std::move(*query));
      candidate.template_known = is_known(*source.derived);
      candidate.cost = std::max(0.0F, candidate.cost - cue_of(candidate, candidate.rule).second);
      write(candidate);
      made.push_back(std::move(candidate));
    }
    for (auto& each : made) found.push_back(std::move(each));
  }

  const QuestionForm& question_;
  const ExampleBank& bank_;
  const TemplateLimits& limits_;
  const Exclusion& exclusion_;
  std::map<int, TemplateCandidate> best_{};  // of each variant
  std::map<int, float> nearness_{};          // of each family
  TemplateCandidate infeasible_{};
};

}  // namespace

std::vector<TemplateCandidate> find_template_candidates(const QuestionForm& question, const TemplateLimits& limits,
                                                        const Exclusion& exclusion) {
  return CandidateSearch(question, limits, exclusion).run();
}

}  // namespace trustsql::semparse
