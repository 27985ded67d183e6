// The printer behind print_query() and print_expression(): a function for each kind of node, writing into a Layout. Its
// files: query.cpp, expression.cpp, name.cpp, and printer.cpp in the folder above.
#pragma once

#include <set>

#include "sql/ast.hpp"
#include "sql/precedence.hpp"
#include "sql/printer/layout.hpp"

namespace trustsql::printer {

// The position of a name, as far as it determines the quoting.
enum class NameRole : std::uint8_t {
  column,  // alone in an expression, where "x" could be a string and some words begin another construct
  other,   // before or after a dot, or the name of a table, an alias, a function ...
};

std::string name_text(const ast::Name& name, NameRole role = NameRole::other);

// Whether `text` is a single token, either an identifier or a keyword.
bool is_plain_identifier(std::string_view text);

class Printer {
 public:
  explicit Printer(Layout& layout) : out_(layout) {}

  // Collects the columns of subqueries that `query` refers to by their text; must be called once before printing.
  void find_text_names(const ast::Query& query);

  // query.cpp
  void print(const ast::Query& query);

  // expression.cpp: parenthesised if it binds looser than `loosest`.
  void print(const ast::Expr& expr, Level loosest = Level::none);

 private:
  // query.cpp
  void print(const ast::With& with);
  void print(const ast::Select& select);
  void print(const ast::SelectItem& item);
  void print(const ast::Values& values);
  void print(const ast::FromItem& item, bool first);
  void print(const ast::TableFunction& function);
  void print(const ast::TableName& table);
  void print(const ast::Name& name) { out_.text(name_text(name)); }
  void print(const ast::OrderTerm& term);
  void print(const ast::Window& window);
  void print(const ast::Frame& frame);
  void print(const ast::FrameBound& bound);
  void print_source(const ast::FromItem::Source& source);
  void print_limit(const ast::Query& query);
  void subquery(const ast::Query& query);  // in parentheses
  void clause(std::string_view keyword, const ast::Expr& expr);

  // expression.cpp
  void print_node(const ast::Literal& literal);
  void print_node(const ast::ColumnRef& column);
  void print_node(const ast::Parameter& parameter) { out_.text(parameter.text); }
  void print_node(const ast::Unary& unary);
  void print_node(const ast::Binary& binary);
  void print_node(const ast::IsNull& is_null);
  void print_node(const ast::Between& between);
  void print_node(const ast::Like& like);
  void print_node(const ast::In& in);
  void print_node(const ast::Case& expr);
  void print_node(const ast::Cast& cast);
  void print_node(const ast::Collate& collate);
  void print_node(const ast::Call& call);
  void print_node(const ast::Subquery& subquery);
  void print_node(const ast::Exists& exists);
  void print_node(const ast::Row& row);
  void print_logical(const ast::Binary& binary);

  // element, element, ...; without opening a group.
  template <class Elements>
  void list(const Elements& elements) {
    bool first = true;
    for (const auto& element : elements) {
      if (!first) {
        out_.text(',');
        out_.line();
      }
      first = false;
      print(element);
    }
  }
  // (element, element, ...)
  template <class T>
  void parenthesised(const std::vector<T>& elements) {
    out_.text('(');
    {
      const Group group(out_);
      out_.soft_line();
      list(elements);
    }
    out_.text(')');
  }
  // KEYWORD element, element, ...
  template <class T>
  void clause(std::string_view keyword, const std::vector<T>& elements) {
    const Group group(out_);
    out_.text(keyword);
    out_.line();
    list(elements);
  }

  // Whether the text of a select item is used as a column name somewhere, so that it must not change.
  bool is_text_name(const std::string& text) const;

  Layout& out_;
  std::set<std::string> text_names_;  // in lower case
  bool any_text_names_ = false;       // a NATURAL join may use any name
};

}  // namespace trustsql::printer
