#include "semparse/examples/query_template.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "base/value.hpp"
#include "semparse/examples/query_parts.hpp"

namespace trustsql::semparse {

namespace {

// Whether a space is written between two tokens.
bool space_between(std::string_view left, std::string_view right) {
  const auto is_one_of = [](std::string_view text, std::string_view marks) {
    return text.size() == 1 && marks.find(text.front()) != std::string_view::npos;
  };
  if (is_one_of(left, "(.") || is_one_of(right, "),.;")) return false;
  if (!is_one_of(right, "(")) return true;
  // A function's parenthesis follows its name.
  const auto token = next_token(left, 0);
  return !token.is(TokenKind::identifier) || token.end() != left.size();
}

std::string join_tokens(const std::vector<std::string>& tokens) {
  std::string sql;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && space_between(tokens[i - 1], tokens[i])) sql += ' ';
    sql += tokens[i];
  }
  return sql;
}

// A number of the phrase that the digits `run` write and that is not used yet; nullopt if there is none.
std::optional<std::size_t> number_for(const TimePhrase& phrase, std::string_view run, std::vector<bool>& used) {
  if (run.empty() || run.size() > 9) return std::nullopt;
  const int value = std::stoi(std::string(run));
  for (std::size_t i = 0; i < phrase.numbers.size(); ++i) {
    if (used[i] || phrase.numbers[i].value != value) continue;
    used[i] = true;
    return i;
  }
  return std::nullopt;
}

// The form of a condition, if it is one for `phrase`: every number of the phrase is in it, or, for a phrase without
// numbers, its unit. Its other numbers are parts of the form.
std::optional<TimeForm> form_for(std::string_view sql, const std::vector<Token>& tokens, const TimeCondition& condition,
                                 const TimePhrase& phrase) {
  std::vector<std::string> written;
  std::vector<bool> found(phrase.numbers.size(), false);
  const auto unit = phrase.shape.substr(phrase.shape.rfind(' ') + 1);
  bool has_unit = false;
  for (std::size_t i = condition.first; i < condition.last; ++i) {
    const auto text = tokens[i].text(sql);
    if (condition.is_column(i)) {
      if (written.empty() || written.back() != "{C}") written.emplace_back("{C}");
      continue;
    }
    const bool is_string = tokens[i].is(TokenKind::string);
    if (!is_string && !tokens[i].is(TokenKind::integer)) {
      written.emplace_back(text);
      continue;
    }
    std::string form;
    std::vector<bool> used(phrase.numbers.size(), false);
    if (contains_ignore_case(text, unit)) has_unit = true;
    for (std::size_t at = 0; at < text.size();) {
      auto end = at;
      while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
      if (end == at) {
        form += text[at++];
        continue;
      }
      const auto run = text.substr(at, end - at);
      const auto number = number_for(phrase, run, used);
      if (!number) {
        // '-0 month' is this month, '-1 month' the last one; another number is something that the phrase does not say.
        const bool is_interval =
            at > 0 && (text[at - 1] == '-' || text[at - 1] == '+') && text.substr(end).starts_with(' ');
        const bool is_this = phrase.shape.find("this ") != std::string::npos;
        const bool is_other = !is_this && phrase.shape.find("last ") == std::string::npos;
        if (run.size() > 1 || (is_interval && !is_other && run != (is_this ? "0" : "1"))) return std::nullopt;
        form += run;
      } else {
        found[*number] = true;
        const auto part = phrase.numbers[*number].part;
        const bool two = is_string && (part == TimePart::month || part == TimePart::day || part == TimePart::clock);
        form += "{" + std::to_string(*number) + (two ? ":2}" : "}");
      }
      at = end;
    }
    written.push_back(std::move(form));
  }
  if (std::find(found.begin(), found.end(), false) != found.end()) return std::nullopt;
  if (phrase.numbers.empty() && !has_unit) return std::nullopt;
  return join_tokens(written);
}

std::string filled_form(const TimeForm& form, std::string_view column, const TimePhrase& phrase) {
  std::string sql;
  for (std::size_t i = 0; i < form.size();) {
    const auto close = form[i] == '{' ? form.find('}', i) : std::string::npos;
    if (close == std::string::npos) {
      sql += form[i++];
      continue;
    }
    const auto name = std::string_view(form).substr(i + 1, close - i - 1);
    if (name == "C") {
      sql += column;
    } else if (!name.empty() && name[0] >= '0' && static_cast<std::size_t>(name[0] - '0') < phrase.numbers.size()) {
      auto digits = std::to_string(phrase.numbers[static_cast<std::size_t>(name[0] - '0')].value);
      if (name.ends_with(":2") && digits.size() < 2) digits.insert(0, "0");
      sql += digits;
    } else {
      sql += form.substr(i, close - i + 1);
    }
    i = close + 1;
  }
  return sql;
}

// Whether `words` [at, at + count) are free.
bool is_free(const std::vector<int>& owner, std::size_t at, std::size_t count) {
  return std::all_of(owner.begin() + static_cast<std::ptrdiff_t>(at),
                     owner.begin() + static_cast<std::ptrdiff_t>(at + count), [](int each) { return each == -1; });
}

constexpr int taken_by_time = -2;

class Apart {
 public:
  Apart(std::string_view question, std::string_view sql, const AliasTable& aliases)
      : question_(question), sql_(sql), aliases_(aliases), words_(pattern_words(question)) {}

  std::optional<ExampleParts> run() {
    auto parts = parts_of_query(sql_);
    if (!parts) return std::nullopt;
    query_ = std::move(*parts);
    owner_.assign(words_.size(), -1);
    bind_times();
    bind_literals();
    number_slots();
    write_template();
    write_pattern();
    return std::move(result_);
  }

 private:
  // Conditions on time and the phrases that they stand for.
  void bind_times() {
    const auto phrases = find_time_phrases(question_, words_);
    std::vector<bool> used(phrases.size(), false);
    std::vector<int> numbers(phrases.size(), -1);
    std::vector<TimeForm> forms(phrases.size());
    for (auto& condition : query_.times) {
      std::optional<std::size_t> best;
      TimeForm best_form;
      for (std::size_t i = 0; i < phrases.size(); ++i) {
        auto form = form_for(sql_, query_.tokens, condition, phrases[i]);
        if (!form || (used[i] && forms[i] != *form)) continue;
        const auto better = [&] {
          if (!best) return true;
          const auto size = phrases[i].numbers.size();
          const auto best_size = phrases[*best].numbers.size();
          return size > best_size || (size == best_size && used[*best] && !used[i]);
        };
        if (!better()) continue;
        best = i;
        best_form = std::move(*form);
      }
      if (!best) continue;
      used[*best] = true;
      forms[*best] = std::move(best_form);
      if (numbers[*best] == -1) numbers[*best] = result_.query.times++;
      condition.number = numbers[*best];
    }
    for (std::size_t i = 0; i < phrases.size(); ++i) {
      if (!used[i]) continue;
      for (auto at = phrases[i].span.first; at < phrases[i].span.last; ++at) owner_[at] = taken_by_time;
      result_.phrases.push_back(phrases[i]);
      result_.phrase_times.push_back(numbers[i]);
      result_.forms.emplace_back(phrases[i].shape, forms[i]);
    }
  }

  // Where the question has these words and nothing else claims them.
  std::vector<std::size_t> places_of(const std::vector<PatternWord>& wanted) const {
    std::vector<std::size_t> places;
    if (wanted.empty()) return places;
    for (std::size_t at = 0; at + wanted.size() <= words_.size(); ++at) {
      bool same = is_free(owner_, at, wanted.size());
      for (std::size_t i = 0; i < wanted.size() && same; ++i) same = words_[at + i].text == wanted[i].text;
      if (same) places.push_back(at);
    }
    return places;
  }
  std::vector<std::size_t> places_of_number(double number) const {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < words_.size(); ++at)
      if (owner_[at] == -1 && words_[at].number == number) places.push_back(at);
    return places;
  }

  // The longest values choose their words first.
  void bind_literals() {
    auto& literals = query_.literals;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < literals.size(); ++i)
      if (!query_.in_time(literals[i].token)) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return literals[a].value.size() > literals[b].value.size(); });
    for (const auto i : order) {
      auto& literal = literals[i];
      if (literal.slot != -1) continue;
      // The same value elsewhere in the query is the same slot, unless the question has it as often.
      std::vector<std::size_t> same;
      for (std::size_t j = 0; j < literals.size(); ++j)
        if (literals[j].slot == -1 && !query_.in_time(literals[j].token) && literals[j].value == literal.value &&
            literals[j].number == literal.number)
          same.push_back(j);
      std::size_t length = 1;
      std::vector<std::size_t> places;
      if (literal.number) {
        places = places_of_number(*literal.number);
      } else {
        const auto wanted = pattern_words(literal.value);
        length = wanted.size();
        places = places_of(wanted);
        if (places.empty()) {
          const auto alias = aliases_.find({literal.column, words_key(literal.value)});
          if (alias != aliases_.end()) {
            for (const auto& words : alias->second) {
              const auto other = pattern_words(words);
              places = places_of(other);
              length = other.size();
              if (!places.empty()) break;
            }
          }
        }
      }
      if (places.empty()) {
        if (!literal.number && !literal.column.empty() && literal.compared)
          result_.unnamed.emplace_back(literal.column, literal.value);
        continue;
      }
      std::vector<std::string> columns;
      for (const auto j : same)
        if (std::find(columns.begin(), columns.end(), literals[j].column) == columns.end())
          columns.push_back(literals[j].column);
      const bool apart = columns.size() > 1 && places.size() >= columns.size();
      const int slot = static_cast<int>(result_.query.slots.size());
      result_.query.slots.push_back({literal.column, literal.number.has_value(), literal.quoted, literal.equality,
                                     literal.before, literal.after});
      for (const auto j : same)
        if (!apart || literals[j].column == literal.column) literals[j].slot = slot;
      // A value that the question repeats is masked at each place, if it is one slot.
      const auto claimed = apart ? std::size_t{1} : places.size();
      for (std::size_t p = 0; p < claimed && p < places.size(); ++p)
        for (std::size_t k = 0; k < length; ++k) owner_[places[p] + k] = slot;
      result_.values.push_back(literal.value);
      result_.spans.push_back(words_key(words_, places[0], places[0] + length));
    }
  }

  // Slots and times get the numbers in which the query first has them, so that templates that differ in their times
  // alone number their slots alike.
  void number_slots() {
    std::vector<int> slots(result_.query.slots.size(), -1);
    int next = 0;
    std::sort(query_.literals.begin(), query_.literals.end(),
              [](const QueryLiteral& a, const QueryLiteral& b) { return a.token < b.token; });
    for (auto& literal : query_.literals) {
      if (literal.slot == -1) continue;
      auto& slot = slots[static_cast<std::size_t>(literal.slot)];
      if (slot == -1) slot = next++;
      literal.slot = slot;
    }
    for (auto& owner : owner_)
      if (owner >= 0) owner = slots[static_cast<std::size_t>(owner)];
    const auto put = [&slots](auto& list) {
      auto old = list;
      for (std::size_t i = 0; i < old.size(); ++i) list[static_cast<std::size_t>(slots[i])] = std::move(old[i]);
    };
    put(result_.query.slots);
    put(result_.values);
    put(result_.spans);
    std::vector<int> times(static_cast<std::size_t>(result_.query.times), -1);
    next = 0;
    for (auto& condition : query_.times) {
      if (condition.number == -1) continue;
      auto& time = times[static_cast<std::size_t>(condition.number)];
      if (time == -1) time = next++;
      condition.number = time;
    }
    for (auto& number : result_.phrase_times) number = times[static_cast<std::size_t>(number)];
  }

  void write_template() {
    auto& tokens = result_.query.tokens;
    std::vector<int> slot_of(query_.tokens.size(), -1);
    std::vector<int> offset_of(query_.tokens.size(), 0);
    for (const auto& literal : query_.literals) slot_of[literal.token] = literal.slot;
    for (const auto& literal : query_.literals) {
      if (literal.slot != -1 || !literal.number || literal.low_bound == 0 || slot_of[literal.low_bound] == -1) continue;
      const auto low = std::find_if(query_.literals.begin(), query_.literals.end(),
                                    [&](const QueryLiteral& each) { return each.token == literal.low_bound; });
      const double offset = low == query_.literals.end() || !low->number ? 0 : *literal.number - *low->number;
      if (offset <= 0 || offset > 1e6 || offset != std::floor(offset)) continue;
      slot_of[literal.token] = low->slot;
      offset_of[literal.token] = static_cast<int>(offset);
    }
    for (std::size_t i = 0; i < query_.tokens.size();) {
      const auto* condition = query_.time_at(i);
      if (condition != nullptr && condition->number != -1) {
        std::string column;
        for (auto at = condition->first; at < condition->last; ++at) {
          if (!condition->is_column(at)) continue;
          column += query_.tokens[at].text(sql_);
          if (at + 1 >= condition->last || !condition->is_column(at + 1)) break;
        }
        const auto key = hash_bytes(to_lower_ascii(column), 3);
        tokens.push_back({std::move(column), key, -1, condition->number});
        i = condition->last;
        continue;
      }
      const auto& token = query_.tokens[i];
      TemplateToken out{std::string(token.text(sql_))};
      if (slot_of[i] != -1) {
        out.slot = slot_of[i];
        const auto& slot = result_.query.slots[static_cast<std::size_t>(out.slot)];
        out.offset = offset_of[i];
        out.key = hash_bytes(
            (slot.number ? "?number" : "?text") + slot.before + "|" + slot.after + std::to_string(out.offset), 2);
      } else {
        const bool text = token.is(TokenKind::string);
        out.key = hash_bytes(text ? out.text : to_lower_ascii(out.text), 1);
      }
      tokens.push_back(std::move(out));
      ++i;
    }
    result_.query.set_key();
  }

  void write_pattern() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (owner_[i] == taken_by_time) continue;
      if (owner_[i] == -1) {
        result_.pattern.push_back({words_[i].text});
      } else if (result_.pattern.empty() || result_.pattern.back().slot != owner_[i]) {
        result_.pattern.push_back({{}, owner_[i]});
      }
    }
  }

  std::string_view question_;
  std::string_view sql_;
  const AliasTable& aliases_;
  std::vector<PatternWord> words_;
  std::vector<int> owner_{};  // of each word: its slot, or taken_by_time
  QueryParts query_{};
  ExampleParts result_{};
};

}  // namespace

void QueryTemplate::set_key() {
  key.clear();
  for (const auto& token : tokens) {
    const int number = 1 + std::max(token.slot, token.time);
    const auto hash = mix64(token.key + static_cast<std::uint64_t>(number));
    key.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  }
}

std::optional<ExampleParts> take_apart(std::string_view question, std::string_view sql, const AliasTable& aliases) {
  return Apart(question, sql, aliases).run();
}

std::string fill_template(const QueryTemplate& query, const Filler& filler) {
  std::vector<std::string> tokens;
  tokens.reserve(query.tokens.size());
  for (const auto& token : query.tokens) {
    if (token.slot >= 0) {
      const auto& slot = query.slots[static_cast<std::size_t>(token.slot)];
      auto value = filler.values[static_cast<std::size_t>(token.slot)];
      if (token.offset != 0) value = std::to_string(std::strtoll(value.c_str(), nullptr, 10) + token.offset);
      const auto text = slot.before + value + slot.after;
      tokens.push_back(slot.quoted ? quote_string(text) : text);
    } else if (token.time >= 0) {
      const auto& [phrase, form] = filler.times[static_cast<std::size_t>(token.time)];
      tokens.push_back(filled_form(form, token.text, *phrase));
    } else {
      tokens.push_back(token.text);
    }
  }
  return join_tokens(tokens);
}

std::string token_text(std::string_view sql) {
  std::vector<std::string> texts;
  std::vector<bool> literal;
  bool compared = false;  // the token before is a comparison, so a text in double quotes is a value
  auto tokens = significant_tokens(sql);
  drop_zero_offsets(sql, tokens);
  for (const auto& token : tokens) {
    if (token.is(TokenKind::semicolon)) continue;
    const bool is_text = token.is(TokenKind::string) || (compared && token.is(TokenKind::quoted));
    texts.push_back(is_text ? quote_string(token.name(sql)) : to_lower_ascii(token.text(sql)));
    literal.push_back(is_text || token.is(TokenKind::integer) || token.is(TokenKind::real));
    compared = is_comparison(token);
  }
  // IN ('b', 'a') is IN ('a', 'b').
  for (std::size_t i = 0; i + 2 < texts.size(); ++i) {
    if (texts[i] != "in" || texts[i + 1] != "(") continue;
    std::vector<std::string> list;
    auto at = i + 2;
    for (; at + 1 < texts.size() && literal[at]; at += 2) {
      list.push_back(texts[at]);
      if (texts[at + 1] != ",") break;
    }
    if (list.size() < 2 || at + 1 >= texts.size() || texts[at + 1] != ")") continue;
    std::sort(list.begin(), list.end());
    for (std::size_t k = 0; k < list.size(); ++k) texts[i + 2 + 2 * k] = list[k];
  }
  return join(texts, " ");
}

}  // namespace trustsql::semparse
