#include "plan/rules/date_ranges.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "plan/rules/common.hpp"
#include "plan/rules/dates.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > 0; });
}

// Whether the comparison orders the text and dates as BINARY does without conversion.
bool compares_bytes(const Comparison& how, const std::string& text) {
  if (how.affinity != Affinity::none && apply_affinity(text, how.affinity) != Value(text)) return false;
  if (how.is_binary()) return true;
  const bool plain = std::ranges::all_of(text, [](char c) { return is_digit(c) || c == ':' || c == '-' || c == ' '; });
  return is_known_collation(how.collation) && plain && !text.ends_with(' ');
}

// The first text that comes after all those that begin with `prefix`, which is ASCII.
std::string after_all(std::string prefix) {
  ++prefix.back();
  return prefix;
}

// `date >= text` and `date < text` for a column of dates: bounds that are dates.
std::optional<Expr> at_least(const PartOfDate& date, std::string_view text) {
  auto first = first_date_from(text, date.reading);
  if (!first) return std::nullopt;
  return compare(CompareOp::greater_equal, column(date.column), literal(Value(*std::move(first))));
}
std::optional<Expr> before(const PartOfDate& date, std::string_view text) {
  auto last = last_date_before(text, date.reading);
  if (!last) return std::nullopt;
  return compare(CompareOp::less_equal, column(date.column), literal(Value(*std::move(last))));
}

// `part op text` for a part at the beginning of a date, which is as long as the text: bounds of the date.
std::optional<Expr> bounds_of(const PartOfDate& date, CompareOp op, const std::string& text) {
  const auto end = after_all(text);
  const bool equal = op == CompareOp::equal;
  if (op == CompareOp::less) return before(date, text);
  if (op == CompareOp::less_equal) return before(date, end);
  if (op == CompareOp::greater_equal) return at_least(date, text);
  if (op == CompareOp::greater) return at_least(date, end);
  if (!equal && op != CompareOp::not_equal) return std::nullopt;
  auto first = equal ? at_least(date, text) : before(date, text);
  auto second = equal ? before(date, end) : at_least(date, end);
  if (!first || !second) return std::nullopt;
  std::vector<Expr> both{*std::move(first), *std::move(second)};
  return equal ? conjunction(std::move(both)) : disjunction(std::move(both));
}

// `number` with as many digits as the part; nullopt if it has more.
std::optional<std::string> digits_of(std::int64_t number, const PartOfDate& part) {
  auto digits = std::to_string(number);
  const auto length = static_cast<std::size_t>(part.part.length);
  if (number < 0 || digits.size() > length) return std::nullopt;
  return digits.insert(0, length - digits.size(), '0');
}

// The part of a date that the expression converts to a number.
std::optional<PartOfDate> converted_part(const Expr& expr, const RuleContext& context) {
  const Expr* operand = nullptr;
  if (const auto* cast = expr.as<Cast>(); cast != nullptr && is_numeric(cast->affinity)) operand = cast->operand.get();
  if (const auto* sum = expr.as<Binary>(); sum != nullptr && sum->op == ast::BinaryOp::add) {
    if (is_integer_literal(*sum->right, 0)) operand = sum->left.get();
    if (is_integer_literal(*sum->left, 0)) operand = sum->right.get();
  }
  const auto part = operand != nullptr ? part_of_date(*operand, context) : std::nullopt;
  return part && part->is_number() ? part : std::nullopt;
}

// Puts bounds on numbers of digits in one form: `>=` and `<=`.
std::optional<Expr> number_bound(const PartOfDate& part, CompareOp op, const std::string& text) {
  const bool strict = op == CompareOp::greater || op == CompareOp::less;
  if (!strict || !part.is_number() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  auto next = digits_of(std::stoll(text) + (op == CompareOp::greater ? 1 : -1), part);
  auto taken = next ? expression_of(part) : std::nullopt;
  if (!taken) return std::nullopt;
  return compare(op == CompareOp::greater ? CompareOp::greater_equal : CompareOp::less_equal, *std::move(taken),
                 literal(Value(*std::move(next))));
}

// The comparison of a whole date with a text.
std::optional<Expr> whole_bound(const PartOfDate& date, CompareOp op, const std::string& text) {
  // What is greater than the text begins with it and has more characters, or does not come before this.
  const auto after = text + '\1';
  switch (op) {
    case CompareOp::less: return before(date, text);
    case CompareOp::less_equal: return before(date, after);
    case CompareOp::greater: return at_least(date, after);
    case CompareOp::greater_equal: return at_least(date, text);
    default: return compare(op, column(date.column), literal(Value(text)));
  }
}

std::optional<Expr> simplified(const Bound& bound, const RuleContext& context, AttributeId& relied_on) {
  if (const auto* number = std::get_if<std::int64_t>(bound.value)) {
    const auto part = converted_part(*bound.operand, context);
    auto digits = part && bound.how.affinity != Affinity::text ? digits_of(*number, *part) : std::nullopt;
    auto taken = digits ? expression_of(*part) : std::nullopt;
    if (!taken) return std::nullopt;
    relied_on = part->column;
    return compare(bound.op, *std::move(taken), literal(Value(*std::move(digits))));
  }
  const auto* text = std::get_if<std::string>(bound.value);
  const auto part = text != nullptr ? part_of_date(*bound.operand, context) : std::nullopt;
  if (!part || text->empty() || !is_ascii(*text) || !compares_bytes(bound.how, *text)) return std::nullopt;
  relied_on = part->column;
  if (part->is_whole()) return whole_bound(*part, bound.op, *text);
  const auto length = static_cast<std::int64_t>(text->size());
  const bool is_order = bound.op != CompareOp::equal && bound.op != CompareOp::not_equal && bound.op != CompareOp::is &&
                        bound.op != CompareOp::is_not;
  // A shorter text is never equal, and in the same order with all of the date.
  if (length < part->part.length && part->part.first == 1 && is_order) return whole_bound(*part, bound.op, *text);
  if (length != part->part.length) return std::nullopt;
  return part->part.first == 1 ? bounds_of(*part, bound.op, *text) : number_bound(*part, bound.op, *text);
}

// The place of `text` in dates: where digits meet digits and marks are the same; nullopt if there is none or several.
std::optional<TextPart> only_place(std::string_view text, Reading reading) {
  const auto form =
      std::string_view("0000-00-00 00:00:00").substr(0, static_cast<std::size_t>(length_of_dates(reading)));
  std::optional<TextPart> place;
  for (std::size_t at = 0; at + text.size() <= form.size(); ++at) {
    const bool fits = std::equal(text.begin(), text.end(), form.begin() + static_cast<std::ptrdiff_t>(at),
                                 [](char c, char of_form) { return is_digit(c) ? of_form == '0' : c == of_form; });
    if (fits && place) return std::nullopt;
    if (fits) place = TextPart{static_cast<std::int64_t>(at) + 1, static_cast<std::int64_t>(text.size())};
  }
  return place;
}

// `date LIKE pattern`: the beginning of dates, or '%-06-%', what they have in one place.
std::optional<Expr> bounds_of_pattern(const PartOfDate& date, const Like& like) {
  const auto op = like.negated ? CompareOp::not_equal : CompareOp::equal;
  const auto prefix = prefix_of_pattern(like);
  if (prefix && static_cast<std::int64_t>(prefix->size()) <= date.part.length) return bounds_of(date, op, *prefix);
  const auto* pattern = literal_as<std::string>(*like.pattern);
  if (pattern == nullptr || like.op != ast::LikeOp::like || like.escape || pattern->size() < 3 ||
      !pattern->starts_with('%') || !pattern->ends_with('%'))
    return std::nullopt;
  std::string_view text(*pattern);
  text = text.substr(1, text.size() - 2);
  auto place = only_place(text, date.reading);
  if (!place || std::ranges::none_of(text, is_digit)) return std::nullopt;
  // The marks at its ends are in all dates.
  const auto begin = text.find_first_of("0123456789");
  text = text.substr(begin, text.find_last_of("0123456789") + 1 - begin);
  auto taken =
      expression_of({date.column,
                     date.reading,
                     {place->first + static_cast<std::int64_t>(begin), static_cast<std::int64_t>(text.size())}});
  return taken ? std::optional(compare(op, *std::move(taken), literal(Value(std::string(text))))) : std::nullopt;
}

bool bound_dates(Expr& expr, RuleContext& context) {
  AttributeId relied_on = 0;
  std::optional<Expr> bounds;
  if (const auto* like = expr.as<Like>()) {
    const auto date = part_of_date(*like->operand, context);
    if (!date || !date->is_whole()) return false;
    relied_on = date->column;
    bounds = bounds_of_pattern(*date, *like);
  } else if (const auto bound = as_bound(expr)) {
    bounds = simplified(*bound, context, relied_on);
  }
  if (!bounds || *bounds == expr) return false;
  context.rely_on_dates(relied_on);
  expr = *std::move(bounds);
  return true;
}

// CAST(part AS INTEGER) IN (1, 2) compares texts.
bool list_digits(InList& list, RuleContext& context) {
  const auto part = list.how.affinity != Affinity::text ? converted_part(*list.operand, context) : std::nullopt;
  auto taken = part ? expression_of(*part) : std::nullopt;
  if (!taken) return false;
  std::vector<Expr> items;
  items.reserve(list.items.size());
  for (const auto& item : list.items) {
    const auto* number = literal_as<std::int64_t>(item);
    auto digits = number != nullptr ? digits_of(*number, *part) : std::nullopt;
    if (!digits) return false;
    items.push_back(literal(Value(*std::move(digits))));
  }
  context.rely_on_dates(part->column);
  list.operand = *std::move(taken);
  list.items = std::move(items);
  list.how = {};
  return true;
}

bool compare_dates(Expr& expr, const ExprSite&, RuleContext& context) {
  if (auto* list = expr.as<InList>()) return list_digits(*list, context);
  return bound_dates(expr, context);
}

}  // namespace

const Rule date_ranges{
    .name = "date_ranges",
    .kinds = expr_kinds<Compare, InList, Like>,
    .apply = compare_dates,
    .example = date_ranges_example,
};

}  // namespace trustsql::plan::rules
