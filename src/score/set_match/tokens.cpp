#include "score/set_match/tokens.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace trustsql::set_match {

namespace {

// In the input of the tokenizer, a quoted text is replaced by its number between two "\x01" bytes, which SQL does not
// use.
constexpr char quoted_mark = '\x01';

// The length of the white-space character, as defined by Python's str.split(), at the start of `text`; 0 if there is
// none.
std::size_t space_length(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte == ' ' || (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x1c && byte <= 0x1f)) return 1;
  constexpr std::array<std::string_view, 19> wide = {
      "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
      "\u2007", "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000",
  };
  if (byte < 0x80) return 0;
  const auto* const token =
      std::find_if(wide.begin(), wide.end(), [&](std::string_view space) { return text.starts_with(space); });
  return token == wide.end() ? 0 : token->size();
}

// The text with spaces around every character that is a word of its own. A comma or colon is one unless a digit
// follows; the character after it is not examined, so the second of two commas stays with what follows. A period is a
// word only at the end of the text; consecutive periods are a word.
std::string separated(std::string_view text) {
  std::string spaced;
  spaced.reserve(text.size() + text.size() / 4);
  std::string_view body = text;
  while (!body.empty() &&
         (is_space(body.back()) || std::string_view("])}>").find(body.back()) != std::string_view::npos))
    body.remove_suffix(1);
  const bool ends_in_period = body.size() > 1 && body.back() == '.' && body[body.size() - 2] != '.';
  const std::size_t final_period = ends_in_period ? body.size() - 1 : std::string_view::npos;

  const auto alone = [&](std::string_view word) {
    spaced += ' ';
    spaced += word;
    spaced += ' ';
  };
  bool passed_over = false;  // the previous character was such a comma or colon
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool after_comma = std::exchange(passed_over, false);
    if ((c == ',' || c == ':') && !after_comma && (i + 1 == text.size() || !is_digit(text[i + 1]))) {
      alone(text.substr(i, 1));
      passed_over = true;
    } else if (i == final_period || std::string_view(";@#$%&?!*[](){}<>`").find(c) != std::string_view::npos) {
      alone(text.substr(i, 1));
    } else if (c == '-' && i + 1 < text.size() && text[i + 1] == '-') {
      alone("--");
      ++i;
    } else if (c == '.' && i + 1 < text.size() && text[i + 1] == '.') {
      const std::size_t end = std::min(text.find_first_not_of('.', i), text.size());
      alone(text.substr(i, end - i));
      i = end - 1;
    } else {
      spaced += c;
    }
  }
  return spaced;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> all;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) all.push_back(std::move(word));
    word.clear();
  };
  while (!text.empty()) {
    const std::size_t space = space_length(text);
    if (space != 0) {
      end_word();
    } else {
      word += to_lower_ascii(text.front());
    }
    text.remove_prefix(std::max<std::size_t>(space, 1));
  }
  end_word();
  return all;
}

}  // namespace

Result<std::vector<std::string>> tokens(std::string_view sql) {
  if (sql.find('\0') != std::string_view::npos) return invalid_argument("the query contains a NUL character");
  std::string unquoted;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    if (sql[i] != '"' && sql[i] != '\'') {
      if (sql[i] != quoted_mark) unquoted += sql[i];
      continue;
    }
    const std::size_t end = sql.find_first_of("\"'", i + 1);
    if (end == std::string_view::npos) return invalid_argument("the query has an odd number of quotes");
    unquoted += quoted_mark + std::to_string(quoted.size());
    unquoted += quoted_mark;
    quoted.push_back('"' + std::string(sql.substr(i + 1, end - i - 1)) + '"');
    i = end;
  }

  std::vector<std::string> all = words(separated(unquoted));
  for (auto& token : all) {
    if (token.size() < 3 || token.front() != quoted_mark || token.find(quoted_mark, 1) != token.size() - 1) continue;
    token = quoted[std::stoul(token.substr(1))];
  }
  // "! =" becomes "!=", working from the end as the evaluator does.
  for (std::size_t i = all.size(); i-- > 1;) {
    if (all[i] != "=" || (all[i - 1] != "!" && all[i - 1] != ">" && all[i - 1] != "<")) continue;
    all[i - 1] += '=';
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return all;
}

}  // namespace trustsql::set_match
