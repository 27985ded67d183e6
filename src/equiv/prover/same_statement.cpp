#include "equiv/prover/same_statement.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"

namespace trustsql::equiv {

namespace {

// What SQLite sees of a statement beside its tree, in the order of the text.
struct Spelling {
  std::vector<std::string> strings;     // "x", where it may be a string
  std::vector<std::string> item_texts;  // the names that SQLite gives to columns without an alias
  std::vector<std::string> quoted;      // names in quotes, which may be those of such columns
  bool natural = false;                 // columns are joined because their names are equal
};

Spelling spelling_of(const ast::Query& query) {
  Spelling spelling;
  const auto note = [&](const ast::Name& name) {
    if (name.quote != ast::Quote::none) spelling.quoted.push_back(name.text);
  };
  ast::walk(query, ast::Overloaded{[&](const ast::ColumnRef& column) {
                                     if (column.may_be_string()) spelling.strings.push_back(column.column.text);
                                     note(column.column);
                                   },
                                   [&](const ast::SelectItem& item) { spelling.item_texts.push_back(item.text); },
                                   [&](const ast::FromItem& item) {
                                     spelling.natural |= item.natural;
                                     for (const auto& name : item.using_columns) note(name);
                                   }});
  return spelling;
}

}  // namespace

bool is_same_statement(const ast::Query& a, const ast::Query& b) {
  if (!(a == b)) return false;
  const auto of_a = spelling_of(a);
  const auto of_b = spelling_of(b);
  if (of_a.strings != of_b.strings) return false;
  for (std::size_t i = 0; i < of_a.item_texts.size(); ++i) {
    if (equals_ignore_case(of_a.item_texts[i], of_b.item_texts[i])) continue;
    const auto names_item = [&](const std::string& name) {
      return equals_ignore_case(name, of_a.item_texts[i]) || equals_ignore_case(name, of_b.item_texts[i]);
    };
    if (of_a.natural || std::ranges::any_of(of_a.quoted, names_item)) return false;
  }
  return true;
}

bool has_same_size(const ast::Query& a, const ast::Query& b) {
  const auto size_of = [](const ast::Query& query) {
    std::size_t size = 0;
    ast::walk(query, ast::Overloaded{[&](const ast::Expr&) { ++size; }, [&](const ast::FromItem&) { ++size; }});
    return size;
  };
  return size_of(a) == size_of(b);
}

}  // namespace trustsql::equiv
