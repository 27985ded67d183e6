// The recursive-descent parser behind parse_query(). Its files: query.cpp (WITH, SELECT, VALUES, set operators),
// from.cpp, expression.cpp (operators), operand.cpp, window.cpp, and parser.cpp in the folder above.
//
// Each function reads one construct that begins at the current token. After a failure (TokenStream::fail) its result is
// never used.
#pragma once

#include <algorithm>

#include "sql/ast.hpp"
#include "sql/parser.hpp"
#include "sql/parser/token_stream.hpp"
#include "sql/precedence.hpp"

namespace trustsql::parser {

// The limits of nesting and height for the calling thread: those of parser.hpp, or less if its stack is small.
struct Depths {
  int nesting = max_parser_nesting;
  int height = max_tree_height;

  std::string too_deep(std::string_view what) const;
};
Depths depths_for_this_thread();

class Parser {
 public:
  Parser(std::string_view sql, const ParseOptions& options)
      : tokens_(sql, options.version), ordered_sets_(options.ordered_sets), depths_(depths_for_this_thread()) {}

  // Reads the whole text.
  Result<ast::Query> statement();

  // The offset of the error. Precondition: parsing failed.
  std::size_t failed_at() const { return tokens_.failed_at(); }

 private:
  // query.cpp
  ast::Query query();
  ast::With with();
  ast::CommonTable common_table();
  ast::Arm arm();
  ast::Select select();
  ast::SelectItem select_item();
  ast::Values values();
  bool set_operator(ast::SetOp& op);
  void order_and_limit(ast::Query& query);
  std::vector<ast::OrderTerm> order_by();
  bool at_query() const;

  // from.cpp
  std::vector<ast::FromItem> from_items();
  bool join_operator(ast::FromItem& item);
  ast::FromItem::Source source();
  ast::TableName table_name();
  void join_constraint(ast::FromItem& item, bool first);

  // expression.cpp
  struct Infix;
  Infix infix() const;
  ast::Expr expression(Level loosest = Level::logical_or, bool stop_at_and = false);
  ast::Expr infix_expression(ast::Expr left, const Infix& infix);
  ast::Expr is_expression(ast::Expr left);
  ast::Expr not_expression(ast::Expr left);
  ast::Expr between(ast::Expr left, bool negated);
  ast::Expr like(ast::Expr left, ast::LikeOp op, bool negated);
  ast::Expr in(ast::Expr left, bool negated);
  std::vector<ast::Expr> expressions();

  // operand.cpp
  ast::Expr operand();
  ast::Expr composite_operand();
  ast::Expr unary(ast::UnaryOp op);
  ast::Expr literal(ast::Literal::Kind kind);
  ast::Expr parameter();
  ast::Expr column();
  ast::Expr parenthesised();
  ast::Expr case_expression();
  ast::Expr cast();
  std::string type_name();
  ast::Expr exists();

  // window.cpp
  ast::Expr call();
  void within_group(ast::Call& call);
  ast::Window window();
  ast::Frame frame();
  ast::FrameBound frame_bound(bool start);
  std::vector<ast::NamedWindow> named_windows();

  // Names: the current token becomes a name if it is of the class that the grammar requires.
  ast::Name take_name();                             // precondition: the current token is a name
  ast::Name expect_name(std::string_view expected);  // nm
  std::optional<ast::Name> alias();                  // [[AS] name]
  std::vector<ast::Name> name_list();                // (name, ...)

  void expect_left() { tokens_.expect(TokenKind::left_parenthesis, "'('"); }
  void expect_right() { tokens_.expect(TokenKind::right_parenthesis, "')'"); }
  ast::Span span_from(std::uint32_t begin) const { return {begin, static_cast<std::uint32_t>(tokens_.previous_end())}; }
  void fail_here(ErrorCode code, std::string_view reason) { tokens_.fail(tokens_.token().offset, code, reason); }

  // Counts the nesting depth of the functions that can call themselves.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > parser_.depths_.nesting)
        parser_.fail_here(ErrorCode::limit_exceeded, parser_.depths_.too_deep("the query"));
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // The height of the tree is tracked during parsing: height_ is that of the tallest of the siblings read so far. It is
  // reset before the children of a node are read (start_children); the finished node adds its own level (add_level),
  // and finish_children compares it with its siblings.
  int start_children() { return std::exchange(height_, 0); }
  void add_level() {
    if (++height_ > depths_.height) fail_here(ErrorCode::limit_exceeded, depths_.too_deep("the expression"));
  }
  void finish_children(int siblings) { height_ = std::max(siblings, height_); }

  TokenStream tokens_;
  const bool ordered_sets_;
  const Depths depths_;
  int nesting_ = 0;
  int height_ = 0;
};

// LIKE, GLOB, REGEXP, MATCH. Precondition: it is one of them.
ast::LikeOp like_operator(Keyword keyword);

}  // namespace trustsql::parser
