#include "semparse/question/edits.hpp"

#include <algorithm>
#include <string_view>

#include "base/text.hpp"

namespace trustsql::semparse {

std::vector<Edit> in_order(std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.span.first < b.span.first; });
  const auto overlap = [](const Edit& a, const Edit& b) { return a.span.overlaps(b.span); };
  edits.erase(std::unique(edits.begin(), edits.end(), overlap), edits.end());
  return edits;
}

std::string edited(const Question& question, const std::vector<Edit>& edits) {
  const std::string_view text = question.text;
  std::string result;
  std::size_t done = 0;
  for (const auto& edit : edits) {
    result += text.substr(done, question.words[edit.span.first].begin - done);
    result += edit.text;
    done = question.words[edit.span.last - 1].end;
    while (edit.text.empty() && done < text.size() && is_space(text[done])) ++done;
    const bool ends =
        done == text.size() || !(is_word_character(text[done]) || text[done] == '\'' || text[done] == '"');
    if (edit.text.empty() && ends && result.ends_with(' ')) result.pop_back();
  }
  result += text.substr(done);
  return result;
}

}  // namespace trustsql::semparse
