#include "semparse/examples/question_form.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "semparse/learning/linear_model.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t longest_unknown_value = 25;  // words
constexpr float impossible = 1e6F;
constexpr float compound_cost = 2;      // of a value that ends inside a compound
constexpr float neighbour_cost = 0.8F;  // of a word beside a value that stands only in values
constexpr float bracket_cost = 1;       // of a value before a bracket that is not part of it

}  // namespace

QuestionForm::QuestionForm(std::string_view text, const ExampleBank& bank, const KnownValues* values)
    : text_(text), bank_(bank), values_(values), words_(pattern_words(text_)) {
  for (const auto& word : words_) {
    ids_.push_back(bank.find_word(word.text));
    stems_.push_back(hash_bytes(word_stem(word.text), 5));
    likelihoods_.push_back(bank.column_likelihoods(word.text));
  }
  priors_ = bank.column_priors();
  phrases_ = find_time_phrases(text_, words_);
  timed_.assign(words_.size(), false);
  for (const auto& phrase : phrases_)
    for (auto i = phrase.span.first; i < phrase.span.last; ++i) timed_[i] = true;
  QuestionReading all;
  QuestionReading timeless;
  timeless.without_times = true;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    all.at.push_back(i);
    all.ids.push_back(ids_[i]);
    if (timed_[i]) continue;
    timeless.at.push_back(i);
    timeless.ids.push_back(ids_[i]);
  }
  readings_.push_back(std::move(timeless));
  if (!phrases_.empty()) readings_.push_back(std::move(all));
  longest_ = std::max<std::size_t>(bank.longest_value(), 8);
  find_value_spans();
}

float QuestionForm::outside(std::size_t word) const {
  if (ids_[word] == -1) return 0;
  const auto& known = bank_.word(ids_[word]);
  return static_cast<float>((known.outside + 0.1) / (known.outside + known.inside + 0.2));
}

float QuestionForm::outside_before(std::size_t word) const {
  if (ids_[word] == -1) return 0;
  const auto& known = bank_.word(ids_[word]);
  return (static_cast<float>(known.before) + outside(word)) / (static_cast<float>(known.before + known.first) + 1);
}

float QuestionForm::outside_after(std::size_t word) const {
  if (ids_[word] == -1) return 0;
  const auto& known = bank_.word(ids_[word]);
  return (static_cast<float>(known.after) + outside(word)) / (static_cast<float>(known.after + known.last) + 1);
}

float QuestionForm::edge_cost(std::size_t first, std::size_t last) const {
  const auto gap = [this](std::size_t left) {
    return std::string_view(text_).substr(words_[left].end, words_[left + 1].begin - words_[left].end);
  };
  // What stands between two words, and how much the one outside belongs to values.
  const auto cost = [](std::string_view between, float inside) {
    if (between == "-" || between == "/") return compound_cost;
    const bool listed = between.find(',') != std::string_view::npos;
    return neighbour_cost * inside * (listed ? 0.5F : 1.0F);
  };
  float sum = 0;
  if (first > 0 && !timed_[first - 1] && !words_[first - 1].number)
    sum += cost(gap(first - 1), 1 - outside_before(first - 1));
  if (last < words_.size() && !timed_[last] && !words_[last].number) {
    const auto between = gap(last - 1);
    sum += cost(between, 1 - outside_after(last));
    if (between.find('(') != std::string_view::npos || between.find('[') != std::string_view::npos) sum += bracket_cost;
  }
  return sum;
}

bool QuestionForm::is_any_value(std::size_t word) const {
  return words_[word].digits || std::any_of(value_spans_.begin(), value_spans_.end(), [word](const WordSpan& span) {
           return span.first <= word && word < span.last;
         });
}

float QuestionForm::extra_cost(std::size_t word) const {
  if (ids_[word] == -1) return 1.5F;
  return bank_.word(ids_[word]).weight * (outside(word) < 0.5F ? 1.5F : 1.0F);
}

bool QuestionForm::is_known_somewhere(std::size_t first, std::size_t last) const {
  auto& known = facts_[{first, last}].known;
  if (!known) {
    const auto begin = words_[first].begin;
    known = bank_.columns_with(words_key(words_, first, last)) != nullptr ||
            (values_ != nullptr && values_->holds(std::string_view(text_).substr(begin, words_[last - 1].end - begin)));
  }
  return *known;
}

const std::vector<float>& QuestionForm::column_shares(std::size_t first, std::size_t last) const {
  auto& shares = facts_[{first, last}].shares;
  if (!shares.empty()) return shares;
  shares = priors_;
  for (auto i = first; i < last; ++i)
    for (std::size_t c = 0; c < shares.size(); ++c) shares[c] += likelihoods_[i][c];
  log_softmax(shares);
  for (auto& share : shares) share = std::exp(share);
  return shares;
}

// The longest first; a run whose words are mostly words of questions is no value.
void QuestionForm::find_value_spans() {
  auto taken = timed_;
  for (auto length = std::min(longest_, words_.size()); length > 0; --length) {
    for (std::size_t first = 0; first + length <= words_.size(); ++first) {
      float used_outside = 0;
      bool is_free = true;
      for (auto i = first; i < first + length; ++i) {
        is_free = is_free && !taken[i];
        used_outside += outside(i);
      }
      if (!is_free || used_outside > 0.7F * static_cast<float>(length)) continue;
      if (length == 1 && words_[first].number) continue;
      if (!is_known_somewhere(first, first + length) || edge_cost(first, first + length) >= compound_cost) continue;
      for (auto i = first; i < first + length; ++i) taken[i] = true;
      value_spans_.push_back({first, first + length});
    }
  }
}

std::vector<int> QuestionForm::search_words() const {
  std::vector<int> found;
  for (const auto at : readings_.front().at) {
    const bool value = std::any_of(value_spans_.begin(), value_spans_.end(),
                                   [at](const WordSpan& span) { return span.first <= at && at < span.last; });
    if (value || words_[at].digits) {
      if (found.empty() || found.back() != -2) found.push_back(-2);
    } else {
      found.push_back(ids_[at]);
    }
  }
  return found;
}

// Signs that belong to the words: "(glucose)", "0.9%", "c++". What ends a sentence or a quotation does not.
std::string_view QuestionForm::written_as(std::size_t first, std::size_t last) const {
  std::size_t begin = words_[first].begin;
  std::size_t end = words_[last - 1].end;
  const auto text = std::string_view(text_);
  const auto inside = text.substr(begin, end - begin);
  const auto opened = std::count(inside.begin(), inside.end(), '(') - std::count(inside.begin(), inside.end(), ')');
  const auto braces = std::count(inside.begin(), inside.end(), '[') - std::count(inside.begin(), inside.end(), ']');
  if (opened > 0 && end < text.size() && text[end] == ')') ++end;
  if (braces > 0 && end < text.size() && text[end] == ']') ++end;
  if (opened < 0 && begin > 0 && text[begin - 1] == '(') --begin;
  if (braces < 0 && begin > 0 && text[begin - 1] == '[') --begin;
  while (end < text.size() && (text[end] == '%' || text[end] == '+' || text[end] == '#')) ++end;
  return text.substr(begin, end - begin);
}

SlotValue QuestionForm::value_of(const TemplateSlot& slot, std::size_t first, std::size_t last) const {
  const auto number = bank_.find_column(slot.column);
  const auto* column = number == -1 ? nullptr : &bank_.columns()[static_cast<std::size_t>(number)];
  if (slot.number) {
    const auto& word = words_[first];
    SlotValue found{word.digits ? word.text : print_real(*word.number), ValueStanding::fits};
    if (found.value.ends_with(".0") && !word.digits) found.value.resize(found.value.size() - 2);
    if (column == nullptr || column->most_digits == 0) return found;
    const auto point = found.value.find('.');
    const auto digits = std::min(point, found.value.size());
    const bool decimals = point != std::string::npos && !column->decimals;
    if (digits + 1 < column->fewest_digits || digits > column->most_digits + 1 || decimals)
      found.standing = ValueStanding::unknown;
    return found;
  }
  const auto written = written_as(first, last);
  const auto key = words_key(words_, first, last);
  if (values_ != nullptr)
    if (auto stored = values_->find(slot.column, written)) return {std::move(*stored), ValueStanding::known};
  if (column != nullptr) {
    if (const auto entry = column->values.find(key); entry != column->values.end()) {
      const auto& spellings = entry->second;
      const auto same = std::find_if(spellings.begin(), spellings.end(), [written](const std::string& spelling) {
        return equals_ignore_case(spelling, written);
      });
      return {same == spellings.end() ? spellings.back() : *same, ValueStanding::known};
    }
  }
  SlotValue found{std::string(written), ValueStanding::unknown};
  if (column != nullptr && column->lower_case && !column->values.empty()) found.value = to_lower_ascii(found.value);
  if (slot.equality && values_ != nullptr && values_->is_complete(slot.column)) {
    found.standing = ValueStanding::absent;
  } else if (is_known_somewhere(first, last)) {
    found.standing = ValueStanding::elsewhere;
  } else if (number != -1) {
    found.share = column_shares(first, last)[static_cast<std::size_t>(number)];
  }
  return found;
}

float QuestionForm::span_cost(const TemplateSlot& slot, std::size_t first, std::size_t last) const {
  if (slot.number) {
    if (last != first + 1 || !words_[first].number) return impossible;
    const bool fits = value_of(slot, first, last).standing == ValueStanding::fits;
    return (fits ? 0.0F : 1.0F) + (words_[first].digits ? 0.0F : 0.05F);
  }
  const auto value = value_of(slot, first, last);
  const float edges = edge_cost(first, last);
  if (value.standing == ValueStanding::known) return edges;
  float cost = value.standing == ValueStanding::absent      ? 4.0F
               : value.standing == ValueStanding::elsewhere ? 2.5F
                                                            : 0.8F;
  cost += 1 - value.share + edges;
  const float before = outside_before(first);
  const float after = outside_after(last - 1);
  for (auto i = first; i < last; ++i) {
    float use = outside(i);
    if (i == first) use = before;
    if (i + 1 == last) use = i == first ? std::max(before, after) : after;
    cost += 0.02F + use * (0.3F + 0.7F * (ids_[i] == -1 ? 0.0F : bank_.word(ids_[i]).weight));
  }
  // Words that seldom stand in values do not begin or end one.
  if (before > 0.9F || after > 0.9F) cost += 0.5F;
  return cost;
}

const std::vector<std::vector<SlotSpan>>& QuestionForm::spans(std::size_t reading, const TemplateSlot& slot) const {
  auto [entry, is_new] = spans_.try_emplace({reading, (slot.number     ? "n"
                                                       : slot.equality ? "e"
                                                                       : "t") +
                                                          slot.column},
                                            std::vector<std::vector<SlotSpan>>());
  auto& found = entry->second;
  if (!is_new) return found;
  const auto& at = readings_[reading].at;
  found.resize(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto most = slot.number ? std::size_t{1} : std::max(longest_, longest_unknown_value);
    for (std::size_t length = 1; length <= most && i + length <= at.size(); ++length) {
      if (at[i + length - 1] != at[i] + length - 1) break;  // a time expression lies between
      const float cost = span_cost(slot, at[i], at[i] + length);
      if (cost < impossible && cost < 6) found[i].push_back({length, cost});
    }
  }
  return found;
}

}  // namespace trustsql::semparse
