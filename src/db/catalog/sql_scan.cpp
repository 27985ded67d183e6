#include "db/catalog/sql_scan.hpp"

#include <algorithm>
#include <array>

namespace trustsql {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool continues_word(char c) { return starts_word(c) || is_digit(c) || c == '$'; }

// Length of the white space and comments at the start of `text`.
std::size_t blank_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const std::string_view rest = text.substr(length);
    if (is_space(rest.front())) {
      ++length;
    } else if (rest.starts_with("--")) {
      length += std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      length += end == std::string_view::npos ? rest.size() : end + 2;
    } else {
      break;
    }
  }
  return length;
}

// Length of a quoted text, in which a doubled closing quote represents one if `doubles` is set; brackets neither nest
// nor double.
std::size_t quoted_length(std::string_view text, char close, bool doubles) {
  std::size_t i = 1;
  while (i < text.size()) {
    if (text[i] == close) {
      if (!doubles || i + 1 >= text.size() || text[i + 1] != close) return i + 1;
      ++i;
    }
    ++i;
  }
  return text.size();
}

std::size_t number_length(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const bool exponent_sign = (text[i] == '+' || text[i] == '-') && i > 0 &&
                               (text[i - 1] == 'e' || text[i - 1] == 'E') && !text.starts_with("0x") &&
                               !text.starts_with("0X");
    if (!continues_word(text[i]) && text[i] != '.' && !exponent_sign) break;
    ++i;
  }
  return i;
}

std::size_t word_length(std::string_view text, std::size_t from) {
  return static_cast<std::size_t>(
      std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), continues_word) - text.begin());
}

}  // namespace

std::string SqlToken::name() const {
  if (text.size() < 2 || (kind != Kind::quoted_identifier && kind != Kind::string)) return std::string(text);
  const char close = text.front() == '[' ? ']' : text.front();
  std::string_view inner = text.substr(1);
  if (inner.back() == close) inner.remove_suffix(1);
  if (close == ']') return std::string(inner);
  std::string name;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    name += inner[i];
    if (inner[i] == close) ++i;  // the second of a pair
  }
  return name;
}

SqlToken SqlScanner::next() {
  position_ += blank_length(sql_.substr(position_));
  const std::string_view rest = sql_.substr(position_);
  if (rest.empty()) return {SqlToken::Kind::end, {}, position_};

  using Kind = SqlToken::Kind;
  Kind kind = Kind::punctuation;
  std::size_t length = 1;
  const char c = rest.front();
  const char following = rest.size() > 1 ? rest[1] : '\0';
  if ((c == 'x' || c == 'X') && following == '\'') {
    kind = Kind::blob;
    length = 1 + quoted_length(rest.substr(1), '\'', true);
  } else if (starts_word(c)) {
    kind = Kind::word;
    length = word_length(rest, 1);
  } else if (is_digit(c) || (c == '.' && is_digit(following))) {
    kind = Kind::number;
    length = number_length(rest);
  } else if (c == '\'') {
    kind = Kind::string;
    length = quoted_length(rest, '\'', true);
  } else if (c == '"' || c == '`') {
    kind = Kind::quoted_identifier;
    length = quoted_length(rest, c, true);
  } else if (c == '[') {
    kind = Kind::quoted_identifier;
    length = quoted_length(rest, ']', false);
  } else if (c == '?' || c == ':' || c == '@' || c == '$' || c == '#') {
    kind = Kind::variable;
    length = word_length(rest, 1);
  } else {
    constexpr auto operators =
        std::to_array<std::string_view>({"->>", "->", "||", "<=", "<>", "<<", ">=", ">>", "==", "!="});
    for (const std::string_view op : operators) {
      if (!rest.starts_with(op)) continue;
      length = op.size();
      break;
    }
  }
  const SqlToken token{kind, rest.substr(0, length), position_};
  position_ += length;
  return token;
}

}  // namespace trustsql
