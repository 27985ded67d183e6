#include "semparse/question/column_comparisons.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view greater_words[] = {"more", "greater", "higher", "larger", "bigger"};
constexpr std::string_view smaller_words[] = {"less", "fewer", "lower", "smaller"};
constexpr std::string_view words_above[] = {"above", "over", "exceeds", "exceed", "exceeded", "exceeding"};
constexpr std::string_view words_below[] = {"below", "under"};

struct ComparedColumns {
  WordSpan span{};
  ColumnId column = nothing;
  Comparison comparison = Comparison::equal;
  ColumnId other = nothing;
};

class ColumnComparisonFinder {
 public:
  ColumnComparisonFinder(const Domain& domain, const Question& question, const Linking& linking)
      : domain_(domain), question_(question), words_(question.words), linking_(linking) {}

  std::optional<ComparedColumns> find_at(std::size_t at) const {
    const auto cue = cue_at(at);
    if (!cue || is_negated(at)) return std::nullopt;
    std::optional<ComparedColumns> found;
    for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table) {
      if (domain_.stored_table(table) != table) continue;
      const auto before = cue->divided ? named_from(table, at + 1) : named_before(table, at);
      if (!before) continue;
      auto next = cue->last;
      if (cue->divided) {
        if (word(before->span.last) != "than") continue;
        next = before->span.last + 1;
      }
      const auto behind = named_from(table, skip_determiners(next));
      if (!behind || behind->column == before->column || !are_comparable(*cue, before->column, behind->column))
        continue;
      if (found) return std::nullopt;
      found = ComparedColumns{
          {std::min(at, before->span.first), behind->span.last}, before->column, cue->comparison, behind->column};
    }
    return found;
  }

 private:
  struct Cue {
    Comparison comparison = Comparison::equal;
    std::size_t last = 0;   // the word behind it
    bool of_dates = false;  // "after", "before"
    bool divided = false;   // "more ... than": the first column stands between
  };
  struct Named {
    ColumnId column = nothing;
    WordSpan span{};
  };

  std::string_view word(std::size_t i) const { return i < words_.size() ? words_[i].lower : std::string_view(); }

  std::optional<Cue> cue_at(std::size_t at) const {
    if (words_[at].quoted) return std::nullopt;
    const auto first = word(at);
    const auto next = word(at + 1);
    const bool than = next == "than";
    if (first == "after" || (than && first == "later")) return Cue{Comparison::greater, than ? at + 2 : at + 1, true};
    if (first == "before" || (than && first == "earlier")) return Cue{Comparison::less, than ? at + 2 : at + 1, true};
    if (is_listed(words_above, first)) return Cue{Comparison::greater, at + 1};
    if (is_listed(words_below, first)) return Cue{Comparison::less, at + 1};
    if (is_listed(greater_words, first)) return Cue{Comparison::greater, at + 2, false, !than};
    if (is_listed(smaller_words, first)) return Cue{Comparison::less, at + 2, false, !than};
    if (first == "equals") return Cue{Comparison::equal, at + 1};
    if (first == "equal" && next == "to") return Cue{Comparison::equal, at + 2};
    if (first == "differs" && next == "from") return Cue{Comparison::not_equal, at + 2};
    if (first == "different" && next == "from") return Cue{Comparison::not_equal, at + 2};
    return std::nullopt;
  }

  bool is_negated(std::size_t at) const {
    constexpr std::size_t reach = 3;
    for (std::size_t i = at > reach ? at - reach : 0; i < at; ++i)
      if (word(i) == "not" || word(i) == "never" || word(i) == "no") return true;
    return false;
  }

  std::size_t skip_determiners(std::size_t i) const {
    constexpr std::string_view determiners[] = {"the", "a",    "its", "their", "his", "her", "our",
                                                "it",  "they", "was", "were",  "is",  "are", "of"};
    while (i < words_.size() && is_listed(determiners, word(i))) ++i;
    return i;
  }

  // The column of the table that the words in front of `at` name.
  std::optional<Named> named_before(TableId table, std::size_t at) const {
    constexpr std::string_view between[] = {"is", "are", "was", "were", "been", "being", "much", "far", "well", "even"};
    while (at > 0 && is_listed(between, word(at - 1))) --at;
    return best_of(table, [at](WordSpan name) { return name.last == at; });
  }
  // And those from `at` on.
  std::optional<Named> named_from(TableId table, std::size_t at) const {
    return best_of(table, [at](WordSpan name) { return name.first == at; });
  }

  // nullopt if two columns are named equally well.
  template <class IsThere>
  std::optional<Named> best_of(TableId table, const IsThere& is_there) const {
    constexpr float same = 0.05F;
    Named best;
    float most = 0;
    bool tied = false;
    for (auto id = domain_.table(table).first_column; id < domain_.table(table).last_column; ++id)
      for (const auto& mention : linking_.columns[static_cast<std::size_t>(id)]) {
        const WordSpan name{mention.span.first, end_of_name(mention, domain_.column(id), question_)};
        if (!names_surely(mention, domain_.column(id)) || !is_there(name)) continue;
        const auto size = static_cast<float>(mention.matched) + mention.coverage;
        if (size < most - same) continue;
        tied = size < most + same && (tied || best.column != id);
        if (size > most || tied) best = {id, name};
        most = std::max(most, size);
      }
    if (best.column == nothing || tied) return std::nullopt;
    return best;
  }

  bool are_comparable(const Cue& cue, ColumnId a, ColumnId b) const {
    const auto& one = domain_.column(a);
    const auto& other = domain_.column(b);
    if (one.is_id || other.is_id || one.kind != other.kind) return false;
    if (one.kind == DataKind::date) {
      const bool ordered = cue.comparison == Comparison::greater || cue.comparison == Comparison::less;
      return one.has_iso_dates && other.has_iso_dates && one.has_times == other.has_times && (cue.of_dates || !ordered);
    }
    return one.kind == DataKind::number && !cue.of_dates;
  }

  const Domain& domain_;
  const Question& question_;
  const std::vector<Word>& words_;
  const Linking& linking_;
};

}  // namespace

void link_column_comparisons(const Domain& domain, Question& question, Linking& linking) {
  for (std::size_t at = 0; at < question.words.size(); ++at) {
    const auto found = ColumnComparisonFinder(domain, question, linking).find_at(at);
    if (!found) continue;
    add_column_test({.span = found->span,
                     .text = {},
                     .capitalised = true,
                     .cells = {{found->column, {}}},
                     .test = ColumnTest::compared,
                     .comparison = found->comparison,
                     .compared_with = found->other},
                    question, linking);
    at = found->span.last - 1;
  }
}

}  // namespace trustsql::semparse
