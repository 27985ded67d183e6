#include "semparse/abstention/far_meaning.hpp"

#include <algorithm>

#include "semparse/database/people.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/question/sentence.hpp"
#include "semparse/question/units.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

class FarMeaningFinder {
 public:
  FarMeaningFinder(const QuestionView& view, const Explanation& explanation) : view_(view), explanation_(explanation) {
    for (const auto& use : explanation.uses)
      if (use.column != nothing) columns_.push_back(use.column);
  }

  std::optional<FarMeaning> find() {
    for (std::size_t i = 0; i < view_.question().words.size(); ++i) {
      if (!explanation_.explained[i] || says_nothing(i) || is_literal(i)) continue;
      near_ = false;
      far_.clear();
      for (const auto table : explanation_.tables)
        look_at(i, view_.linking().tables[static_cast<std::size_t>(table)], view_.domain().table(table).words, nullptr);
      for (const auto id : columns_) {
        const auto& column = view_.domain().column(id);
        look_at(i, view_.linking().columns[static_cast<std::size_t>(id)], column.words, &column);
      }
      if (!near_ && !far_.empty()) return FarMeaning{i, far_};
      for (const auto id : columns_)
        if (says_other_side(i, id)) return FarMeaning{i, name_in_words(view_.domain().column(id))};
    }
    return std::nullopt;
  }

 private:
  // A word of an operator, or one that says only that something has a name.
  bool says_nothing(std::size_t i) const {
    constexpr std::string_view naming[] = {"call", "name", "entitle"};
    const auto& word = view_.question().words[i];
    return word.quoted || word.number || is_function_word(word) || is_operator_word(view_.question(), i) ||
           is_more_word(word.lower) || is_less_word(word.lower) || is_listed(naming, word.lemma());
  }

  bool is_literal(std::size_t i) const {
    return std::any_of(view_.literals().begin(), view_.literals().end(),
                       [i](const Literal& literal) { return literal.span.first <= i && i < literal.span.last; });
  }

  // What the mentions of a name make of word `i`. `column`: whose name it is; nullptr for a table.
  void look_at(std::size_t i, const std::vector<Mention>& mentions, const std::vector<std::string>& name,
               const DomainColumn* column) {
    // Without a unit at the end: weight_kg.
    const auto size = static_cast<int>(name.size()) - (name.size() > 1 && !unit_of(name.back()).empty() ? 1 : 0);
    constexpr std::string_view vague[] = {"amount", "value", "figure", "measure"};
    constexpr std::string_view date_parts[] = {"year", "month", "week", "day", "quarter", "weekday", "hour"};
    const auto here = [i](const Mention& mention) { return mention.span.first <= i && i < mention.span.last; };
    if (std::none_of(mentions.begin(), mentions.end(), here)) return;
    const auto& word = view_.question().words[i];
    auto best = WordMatch::none;
    for (const auto& part : name) best = std::max(best, matcher_.match(word, part));
    // "Bought in 2020", of purchase_year.
    const bool says_when = column != nullptr && (column->kind == DataKind::date || is_point_in_time(*column));
    bool far = false;
    if (best == WordMatch::related || best == WordMatch::synonym) {
      const bool is_part =
          column != nullptr && std::none_of(mentions.begin(), mentions.end(),
                                            [&](const Mention& each) { return here(each) && each.matched >= size; });
      const bool is_wide = best == WordMatch::related && (column != nullptr || is_narrower(word, name));
      const bool is_vague = column != nullptr && is_listed(vague, word.lemma());
      // "Live in Oslo", of home_city.
      const bool says_where =
          column != nullptr && (word.lemma() == "live" || word.lemma() == "reside") && is_residence(*column);
      far = says_where  ? false
            : says_when ? is_returned_date(column) && is_listed(date_parts, word.lemma())
                        : is_part || is_wide || is_vague || (column == nullptr && names_reference(word, best));
    }
    // "Placed an order" names orders twice.
    far &= column != nullptr || !is_past_participle(word) ||
           std::none_of(mentions.begin(), mentions.end(),
                        [&](const Mention& each) { return !here(each) && each.spelled_out(); });
    far |= column == nullptr && best == WordMatch::form && is_doer_of(word, name);
    near_ |= !far;
    if (!far || !far_.empty()) return;
    for (const auto& part : name) far_ += (far_.empty() ? "" : " ") + part;
  }

  bool is_narrower(const Word& word, const std::vector<std::string>& name) {
    return std::any_of(name.begin(), name.end(),
                       [&](const std::string& part) { return matcher_.is_narrower(word, part); });
  }

  // "The seller" is no sale.
  static bool is_doer_of(const Word& word, const std::vector<std::string>& name) {
    const auto& lemma = word.lemma();
    return (lemma.ends_with("er") || lemma.ends_with("or")) && !is_listed(name, lemma) &&
           !is_word_for_people(name.back());
  }

  // What people "pay" is not their income, and what "was open in 2021" need not have opened then.
  bool says_other_side(std::size_t i, ColumnId id) const {
    const auto& column = view_.domain().column(id);
    const auto& mentions = view_.linking().columns[static_cast<std::size_t>(id)];
    if (i == 0 || std::none_of(mentions.begin(), mentions.end(), [i](const Mention& mention) {
          return mention.span == WordSpan{i, i + 1};
        }))
      return false;
    constexpr std::string_view earnings[] = {"income", "salary", "wage", "earning", "earnings"};
    constexpr std::string_view copulas[] = {"was", "were", "is", "are", "been"};
    const auto& words = view_.question().words;
    const auto has = [&column](std::string_view word) { return is_listed(column.all_words, word); };
    if (words[i].lemma() == "pay" && are_people(view_.domain(), column.table))
      return std::any_of(std::begin(earnings), std::end(earnings), has);
    return words[i].lower == "open" && i + 1 < words.size() && words[i + 1].lower == "in" &&
           is_listed(copulas, words[i - 1].lower) && (column.kind == DataKind::date || is_point_in_time(column));
  }

  // "The month of the sales" is no whole date.
  bool is_returned_date(const DomainColumn* column) const {
    return std::any_of(explanation_.uses.begin(), explanation_.uses.end(), [&](const Explanation::Use& use) {
      return use.step == StepKind::select_columns && use.column != nothing &&
             &view_.domain().column(use.column) == column && column->part_of.date == nothing;
    });
  }

  // "Buyers" are clients, but those that buyer_id refers to.
  bool names_reference(const Word& word, WordMatch as_table) const {
    if (as_table == WordMatch::form) return false;
    return std::any_of(view_.domain().columns().begin(), view_.domain().columns().end(),
                       [&](const DomainColumn& column) {
                         return column.is_foreign &&
                                std::any_of(column.all_words.begin(), column.all_words.end(),
                                            [&](const std::string& part) { return is_listed(word.lemmas, part); });
                       });
  }

  const QuestionView& view_;
  const Explanation& explanation_;
  std::vector<ColumnId> columns_{};
  WordMatcher matcher_{};
  bool near_ = false;  // something in the reading is what the word at hand says
  std::string far_{};  // the name that it is taken for
};

}  // namespace

std::optional<FarMeaning> far_meaning(const QuestionView& view, const Explanation& explanation) {
  return FarMeaningFinder(view, explanation).find();
}

}  // namespace trustsql::semparse
