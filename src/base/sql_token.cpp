#include "base/sql_token.hpp"

#include <array>
#include <cassert>

namespace trustsql {

namespace {

// Classes of bytes.
constexpr std::uint8_t space_byte = 1;     // can continue white space; \v can, but cannot begin it
constexpr std::uint8_t digit_byte = 2;     // 0-9
constexpr std::uint8_t hex_byte = 4;       // 0-9 a-f A-F
constexpr std::uint8_t id_byte = 8;        // can continue an identifier
constexpr std::uint8_t keyword_byte = 16;  // can occur in keywords: letters and '_'

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    unsigned flags = 0;
    if (c == ' ' || (c >= '\t' && c <= '\r')) flags |= space_byte;
    if (digit) flags |= digit_byte;
    if (digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) flags |= hex_byte;
    if (digit || letter || c == '_' || c == '$' || c >= 0x80) flags |= id_byte;
    if (letter || c == '_') flags |= keyword_byte;
    classes[c] = static_cast<std::uint8_t>(flags);
  }
  return classes;
}
constexpr auto classes = make_classes();

// The text from the token's first byte on; reading past its end gives NUL bytes, as in SQLite.
class Cursor {
 public:
  explicit Cursor(std::string_view rest) : rest_(rest) {}

  char operator[](std::size_t i) const { return i < rest_.size() ? rest_[i] : '\0'; }
  bool has(std::size_t i, std::uint8_t byte_class) const {
    return (classes[static_cast<unsigned char>((*this)[i])] & byte_class) != 0;
  }
  // The first position from `i` on whose byte is not of the class.
  std::size_t skip(std::size_t i, std::uint8_t byte_class) const {
    while (has(i, byte_class)) ++i;
    return i;
  }
  std::string_view first(std::size_t length) const { return rest_.substr(0, length); }

 private:
  std::string_view rest_;
};

struct Measure {
  TokenKind kind;
  std::size_t length;
  Keyword keyword = Keyword::None;
};

Measure measure_word(const Cursor& z) {
  const std::size_t letters = z.skip(0, keyword_byte);
  if (!z.has(letters, id_byte)) {
    const auto keyword = find_keyword(z.first(letters));
    if (keyword != Keyword::None) return {TokenKind::keyword, letters, keyword};
    return {TokenKind::identifier, letters};
  }
  return {TokenKind::identifier, z.skip(letters, id_byte)};
}

// 'x', "x" and `x`; a doubled mark stands for one mark.
Measure measure_quoted(const Cursor& z) {
  const char mark = z[0];
  std::size_t i = 1;
  for (; z[i] != '\0'; ++i) {
    if (z[i] != mark) continue;
    if (z[i + 1] != mark) return {mark == '\'' ? TokenKind::string : TokenKind::quoted, i + 1};
    ++i;
  }
  return {TokenKind::illegal, i};
}

Measure measure_bracketed(const Cursor& z) {
  std::size_t i = 1;
  while (z[i] != '\0' && z[i] != ']') ++i;
  if (z[i] == ']') return {TokenKind::quoted, i + 1};
  return {TokenKind::illegal, i};
}

// x'53': an even number of hexadecimal digits. Anything else up to the next quote is one illegal token.
Measure measure_blob(const Cursor& z) {
  std::size_t i = z.skip(2, hex_byte);
  if (z[i] == '\'' && i % 2 == 0) return {TokenKind::blob, i + 1};
  while (z[i] != '\0' && z[i] != '\'') ++i;
  return {TokenKind::illegal, z[i] == '\0' ? i : i + 1};
}

// Digits and, if the grammar has them, separators; each separator must be between two digits
// (https://sqlite.org/lang_expr.html#literal_values_constants_). SQLite's tokenizer accepts other separators, and its
// parser then rejects the number as an unrecognized token; here the token is illegal from the start.
struct Digits {
  std::size_t end;
  bool well_formed = true;
};
Digits skip_digits(const Cursor& z, std::size_t i, std::uint8_t digit_class, bool separators) {
  if (!separators) return {z.skip(i, digit_class)};
  Digits digits{i};
  for (; z.has(digits.end, digit_class) || z[digits.end] == '_'; ++digits.end) {
    const bool between = z[digits.end] != '_' ||
                         (digits.end > i && z.has(digits.end - 1, digit_class) && z.has(digits.end + 1, digit_class));
    digits.well_formed = digits.well_formed && between;
  }
  return digits;
}

Measure measure_number(const Cursor& z, int grammar) {
  const bool separators = grammar >= digit_separator_version;
  if (z[0] == '0' && (z[1] == 'x' || z[1] == 'X') && z.has(2, hex_byte)) {
    const Digits digits = skip_digits(z, 2, hex_byte, separators);
    // Before digit separators were introduced, a hexadecimal number ended at the first other byte: 0x1g was 0x1 and g.
    if (!separators) return {TokenKind::integer, digits.end};
    const std::size_t end = z.skip(digits.end, id_byte);
    return {digits.well_formed && end == digits.end ? TokenKind::integer : TokenKind::illegal, end};
  }
  auto kind = TokenKind::integer;
  Digits digits = skip_digits(z, 0, digit_byte, separators);
  bool well_formed = digits.well_formed;
  if (z[digits.end] == '.') {
    kind = TokenKind::real;
    digits = skip_digits(z, digits.end + 1, digit_byte, separators);
    well_formed = well_formed && digits.well_formed;
  }
  if (z[digits.end] == 'e' || z[digits.end] == 'E') {
    const std::size_t sign = z[digits.end + 1] == '+' || z[digits.end + 1] == '-' ? 1 : 0;
    if (z.has(digits.end + 1 + sign, digit_byte)) {
      kind = TokenKind::real;
      digits = skip_digits(z, digits.end + 1 + sign, digit_byte, separators);
      well_formed = well_formed && digits.well_formed;
    }
  }
  const std::size_t end = z.skip(digits.end, id_byte);
  return {well_formed && end == digits.end ? kind : TokenKind::illegal, end};
}

// :a @a #a $a, and Tcl-style $a::b(c), where the parenthesis ends at the first ')' and contains no space.
Measure measure_variable(const Cursor& z) {
  std::size_t i = 1;
  bool named = false;
  for (; z[i] != '\0'; ++i) {
    if (z.has(i, id_byte)) {
      named = true;
    } else if (z[i] == '(' && named) {
      do ++i;
      while (z[i] != '\0' && !z.has(i, space_byte) && z[i] != ')');
      if (z[i] == ')') return {TokenKind::variable, i + 1};
      return {TokenKind::illegal, i};
    } else if (z[i] == ':' && z[i + 1] == ':') {
      ++i;
    } else {
      break;
    }
  }
  return {named ? TokenKind::variable : TokenKind::illegal, i};
}

Measure measure_line_comment(const Cursor& z) {
  std::size_t i = 2;
  while (z[i] != '\0' && z[i] != '\n') ++i;
  return {TokenKind::comment, i};
}

// An unterminated comment extends to the end of the text.
Measure measure_block_comment(const Cursor& z) {
  std::size_t i = 3;
  while (z[i] != '\0' && !(z[i - 1] == '*' && z[i] == '/')) ++i;
  return {TokenKind::comment, z[i] == '\0' ? i : i + 1};
}

Measure measure(const Cursor& z, int grammar) {
  switch (z[0]) {
    case '\0': return {TokenKind::end, 0};
    case ' ':
    case '\t':
    case '\n':
    case '\f':
    case '\r': return {TokenKind::space, z.skip(1, space_byte)};
    case '-':
      if (z[1] == '-') return measure_line_comment(z);
      if (z[1] == '>' && grammar >= arrow_version)
        return z[2] == '>' ? Measure{TokenKind::double_arrow, 3} : Measure{TokenKind::arrow, 2};
      return {TokenKind::minus, 1};
    case '/':
      if (z[1] == '*' && z[2] != '\0') return measure_block_comment(z);  // at the very end, "/*" is a slash and a star
      return {TokenKind::slash, 1};
    case '(': return {TokenKind::left_parenthesis, 1};
    case ')': return {TokenKind::right_parenthesis, 1};
    case ';': return {TokenKind::semicolon, 1};
    case '+': return {TokenKind::plus, 1};
    case '*': return {TokenKind::star, 1};
    case '%': return {TokenKind::percent, 1};
    case ',': return {TokenKind::comma, 1};
    case '&': return {TokenKind::ampersand, 1};
    case '~': return {TokenKind::tilde, 1};
    case '=': return {TokenKind::equal, z[1] == '=' ? std::size_t{2} : std::size_t{1}};
    case '<':
      if (z[1] == '=') return {TokenKind::less_equal, 2};
      if (z[1] == '>') return {TokenKind::not_equal, 2};
      if (z[1] == '<') return {TokenKind::shift_left, 2};
      return {TokenKind::less, 1};
    case '>':
      if (z[1] == '=') return {TokenKind::greater_equal, 2};
      if (z[1] == '>') return {TokenKind::shift_right, 2};
      return {TokenKind::greater, 1};
    case '!':
      if (z[1] == '=') return {TokenKind::not_equal, 2};
      return {TokenKind::illegal, 1};
    case '|': return z[1] == '|' ? Measure{TokenKind::concat, 2} : Measure{TokenKind::bar, 1};
    case '\'':
    case '"':
    case '`': return measure_quoted(z);
    case '[': return measure_bracketed(z);
    case '.':
      if (!z.has(1, digit_byte)) return {TokenKind::dot, 1};
      return measure_number(z, grammar);
    case '?': return {TokenKind::variable, z.skip(1, digit_byte)};
    case '$':
    case '@':
    case '#':
    case ':': return measure_variable(z);
    case 'x':
    case 'X':
      if (z[1] == '\'') return measure_blob(z);
      return measure_word(z);
    case '\xef':
      if (z[1] == '\xbb' && z[2] == '\xbf') return {TokenKind::space, 3};
      return measure_word(z);
    default:
      if (z.has(0, digit_byte)) return measure_number(z, grammar);
      if (z.has(0, id_byte)) return measure_word(z);
      return {TokenKind::illegal, 1};
  }
}

}  // namespace

std::string unquote(std::string_view quoted) {
  const char mark = quoted.front();
  const auto inner = quoted.substr(1, quoted.size() - 2);
  if (mark == '[' || inner.find(mark) == std::string_view::npos) return std::string(inner);
  std::string text;
  text.reserve(inner.size());
  for (std::size_t i = 0; i < inner.size(); ++i) {
    text += inner[i];
    if (inner[i] == mark) ++i;
  }
  return text;
}

std::string Token::name(std::string_view sql) const {
  return is_quoted() ? unquote(text(sql)) : std::string(text(sql));
}

Token next_token(std::string_view sql, std::size_t offset, int grammar) {
  assert(offset <= sql.size() && sql.size() <= UINT32_MAX);
  const Measure m = measure(Cursor(sql.substr(offset)), grammar);
  return {m.kind, m.keyword, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(m.length)};
}

std::vector<Token> significant_tokens(std::string_view sql, int grammar) {
  std::vector<Token> tokens;
  tokens.reserve(sql.size() / 4);
  Tokenizer tokenizer(sql, grammar);
  for (Token token = tokenizer.next_significant(); token.kind != TokenKind::end; token = tokenizer.next_significant())
    tokens.push_back(token);
  return tokens;
}

}  // namespace trustsql
