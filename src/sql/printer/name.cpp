// Names, quoted where necessary.
#include "base/sql_keyword.hpp"
#include "base/text.hpp"
#include "sql/parser/token_stream.hpp"
#include "sql/printer/printer_impl.hpp"

namespace trustsql::printer {

namespace {

// Whether the unquoted keyword `keyword` is read as a name in the given role. Keywords for which this depends on the
// surrounding words are quoted.
bool may_stand_bare(Keyword keyword, NameRole role) {
  switch (keyword) {
    case Keyword::Cast:
    case Keyword::Raise:
    case Keyword::With:
    case Keyword::CurrentDate:
    case Keyword::CurrentTime:
    case Keyword::CurrentTimestamp: return role == NameRole::other;
    case Keyword::Indexed: return true;
    default: return parser::is_fallback(keyword);
  }
}

std::string quote(std::string_view text, char mark) {
  std::string quoted(1, mark);
  for (const char c : text) {
    quoted += c;
    if (c == mark) quoted += c;
  }
  return quoted += mark;
}

}  // namespace

bool is_plain_identifier(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
  };
  if (text.empty() || !is_letter(text.front())) return false;
  // SQLite treats a byte order mark at the beginning of a token as white space.
  if (text.substr(0, 3) == "\xef\xbb\xbf") return false;
  for (const char c : text)
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '$') return false;
  return true;
}

std::string name_text(const ast::Name& name, NameRole role) {
  const bool may_be_string = role == NameRole::column && name.quote == ast::Quote::double_quotes;
  if (!may_be_string && is_plain_identifier(name.text)) {
    const Keyword keyword = find_keyword(name.text);
    // A keyword that was written without quotes was a name in its place; a quoted one might not be.
    if (keyword != Keyword::None && name.quote == ast::Quote::none && may_stand_bare(keyword, role)) return name.text;
    // TRUE and FALSE are values only as bare words.
    const bool boolean = equals_ignore_case(name.text, "true") || equals_ignore_case(name.text, "false");
    if (keyword == Keyword::None && (!boolean || name.quote == ast::Quote::none || role == NameRole::other))
      return name.text;
  }
  return quote(name.text, role == NameRole::column && !may_be_string ? '`' : '"');
}

}  // namespace trustsql::printer
