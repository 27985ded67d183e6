// Function calls and windows (https://sqlite.org/windowfunctions.html).
#include "sql/parser/parser_impl.hpp"

namespace trustsql::parser {

namespace {

constexpr int ordered_arguments_version = 3044000;  // group_concat(x ORDER BY y)

}  // namespace

ast::Expr Parser::call() {
  ast::Expr expr{ast::Call{}};
  auto& call = *expr.as<ast::Call>();
  call.name = take_name();
  expect_left();
  if (tokens_.accept(TokenKind::star)) {
    call.star = true;
  } else {
    if (!tokens_.accept(Keyword::All)) call.distinct = tokens_.accept(Keyword::Distinct);
    const bool no_arguments = tokens_.at(TokenKind::right_parenthesis) || tokens_.at(Keyword::Order);
    if (!no_arguments) call.arguments = expressions();
    if (tokens_.version() >= ordered_arguments_version) call.order_by = order_by();
  }
  expect_right();
  if (ordered_sets_ && !call.star && call.order_by.empty() && tokens_.at_word("within")) within_group(call);
  if (tokens_.accept(Keyword::Filter)) {
    expect_left();
    tokens_.expect(Keyword::Where);
    call.filter = expression();
    expect_right();
  }
  if (tokens_.accept(Keyword::Over)) {
    if (tokens_.accept(TokenKind::left_parenthesis)) {
      call.over = std::variant<ast::Name, ast::Window>(window());
      expect_right();
    } else {
      call.over = std::variant<ast::Name, ast::Window>(expect_name("the name of a window or '('"));
    }
  }
  add_level();
  return expr;
}

// WITHIN GROUP (ORDER BY x). Behind the parentheses of a call, WITHIN is no alias in a library that has the clause.
void Parser::within_group(ast::Call& call) {
  tokens_.advance();
  tokens_.expect(Keyword::Group);
  expect_left();
  tokens_.expect(Keyword::Order);
  tokens_.expect(Keyword::By);
  call.within_group = true;
  call.arguments.insert(call.arguments.begin(), expression());
  expect_right();
}

// The part between the parentheses.
ast::Window Parser::window() {
  ast::Window window;
  const auto at_frame = [&] {
    return tokens_.at(Keyword::Rows) || tokens_.at(Keyword::Range) || tokens_.at(Keyword::Groups);
  };
  if (!tokens_.at(Keyword::Partition) && !tokens_.at(Keyword::Order) && !at_frame() && is_name(tokens_.token()))
    window.base = take_name();
  if (tokens_.accept(Keyword::Partition)) {
    tokens_.expect(Keyword::By);
    window.partition_by = expressions();
  }
  window.order_by = order_by();
  if (at_frame()) window.frame = frame();
  return window;
}

ast::Frame Parser::frame() {
  ast::Frame frame;
  switch (tokens_.advance().keyword) {
    case Keyword::Rows: frame.unit = ast::FrameUnit::rows; break;
    case Keyword::Groups: frame.unit = ast::FrameUnit::groups; break;
    default: frame.unit = ast::FrameUnit::range; break;
  }
  const bool between = tokens_.accept(Keyword::Between);
  frame.start = frame_bound(true);
  if (between) {
    tokens_.expect(Keyword::And);
    frame.end = frame_bound(false);
  }
  if (tokens_.accept(Keyword::Exclude)) {
    if (tokens_.accept(Keyword::No)) {
      tokens_.expect(Keyword::Others);
      frame.says_no_others = true;
    } else if (tokens_.accept(Keyword::Current)) {
      tokens_.expect(Keyword::Row);
      frame.exclude = ast::FrameExclude::current_row;
    } else if (tokens_.accept(Keyword::Group)) {
      frame.exclude = ast::FrameExclude::group;
    } else if (tokens_.accept(Keyword::Ties)) {
      frame.exclude = ast::FrameExclude::ties;
    } else {
      tokens_.fail_expecting("NO OTHERS, CURRENT ROW, GROUP or TIES");
    }
  }
  return frame;
}

// UNBOUNDED PRECEDING is allowed only as the start of a frame, UNBOUNDED FOLLOWING only as its end.
ast::FrameBound Parser::frame_bound(bool start) {
  using Kind = ast::FrameBound::Kind;
  if (tokens_.accept(Keyword::Unbounded)) {
    tokens_.expect(start ? Keyword::Preceding : Keyword::Following);
    return {start ? Kind::unbounded_preceding : Kind::unbounded_following, {}};
  }
  if (tokens_.accept(Keyword::Current)) {
    tokens_.expect(Keyword::Row);
    return {Kind::current_row, {}};
  }
  // The AND of the frame's own BETWEEN is not an operator of the bound: PRECEDING or FOLLOWING comes before it.
  ast::Expr offset = expression();
  if (tokens_.accept(Keyword::Preceding)) return {Kind::preceding, std::move(offset)};
  if (tokens_.accept(Keyword::Following)) return {Kind::following, std::move(offset)};
  tokens_.fail_expecting("PRECEDING or FOLLOWING");
  return {};
}

std::vector<ast::NamedWindow> Parser::named_windows() {
  std::vector<ast::NamedWindow> windows;
  do {
    ast::NamedWindow named{expect_name("the name of a window"), {}};
    tokens_.expect(Keyword::As);
    expect_left();
    named.window = window();
    expect_right();
    windows.push_back(std::move(named));
  } while (tokens_.accept(TokenKind::comma));
  return windows;
}

}  // namespace trustsql::parser
