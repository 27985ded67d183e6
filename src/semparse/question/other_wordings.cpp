#include "semparse/question/other_wordings.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "semparse/question/edits.hpp"
#include "semparse/question/light_verbs.hpp"
#include "semparse/question/linked_question.hpp"
#include "semparse/question/named_measures.hpp"
#include "semparse/question/named_people.hpp"
#include "semparse/question/named_rows.hpp"
#include "semparse/question/named_values.hpp"
#include "semparse/question/other_requests.hpp"

namespace trustsql::semparse {

namespace {

class OtherWordings {
 public:
  OtherWordings(const QuestionView& view, QuestionLinker& linker, const Vocabulary& vocabulary, bool explains_all)
      : view_(view), linker_(linker), vocabulary_(vocabulary), explains_all_(explains_all) {}

  Wordings find() {
    const auto values = value_edits(view_);
    const auto measures = measure_edits(view_);
    const auto columns = column_edits(view_);
    auto verbs = light_verb_edits(view_);
    append(verbs, people_edits(view_));
    if (!verbs.empty()) add_naming({&verbs, &values, &measures});
    add_naming({&values, &measures});
    if (!columns.empty()) add_naming({&verbs, &values, &measures, &columns});
    if (!values.empty() && !measures.empty()) add_naming({&values});
    if (!wordings_.naming.empty()) add_requests(LinkedQuestion(wordings_.naming.front(), linker_, vocabulary_).view());
    add_requests(view_);
    return std::move(wordings_);
  }

 private:
  static void append(std::vector<Edit>& edits, const std::vector<Edit>& others) {
    edits.insert(edits.end(), others.begin(), others.end());
  }

  // The question for what names the rows or the groups that it asks for.
  static std::optional<std::string> named(const QuestionView& of) {
    auto rows = with_named_rows(of);
    return rows ? rows : with_named_groups(of);
  }

  static bool knows_all(const QuestionView& of) {
    for (std::size_t i = 0; i < of.question().words.size(); ++i)
      if (of.kind(i) == Symbol::unknown && !is_function_word(of.question().words[i])) return false;
    return true;
  }

  // The question with the edits, of which those that stand first come before others that overlap them.
  void add_naming(std::initializer_list<const std::vector<Edit>*> parts) {
    std::vector<Edit> edits;
    for (const auto* part : parts) append(edits, *part);
    std::string text;
    if (edits.empty()) {
      text = explains_all_ ? named(view_).value_or("") : "";
    } else {
      text = edited(view_.question(), in_order(std::move(edits)));
      // What has no place in the first reading may have one by its new name.
      const LinkedQuestion linked(text, linker_, vocabulary_);
      if (explains_all_ || (!knows_all(view_) && knows_all(linked.view())))
        if (auto names = named(linked.view())) text = std::move(*names);
    }
    auto& naming = wordings_.naming;
    if (!text.empty() && std::find(naming.begin(), naming.end(), text) == naming.end())
      naming.push_back(std::move(text));
  }

  void add_requests(const QuestionView& of) {
    for (auto& text : other_requests(of)) wordings_.requests.push_back(std::move(text));
  }

  const QuestionView& view_;
  QuestionLinker& linker_;
  const Vocabulary& vocabulary_;
  bool explains_all_;
  Wordings wordings_{};
};

}  // namespace

Wordings other_wordings(const QuestionView& view, QuestionLinker& linker, const Vocabulary& vocabulary,
                        bool explains_all) {
  return OtherWordings(view, linker, vocabulary, explains_all).find();
}

}  // namespace trustsql::semparse
