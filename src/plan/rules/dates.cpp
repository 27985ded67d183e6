#include "plan/rules/dates.hpp"

#include <algorithm>
#include <array>

#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

bool PartOfDate::is_number() const {
  constexpr std::array<std::pair<std::int64_t, std::int64_t>, 6> numbers{
      {{1, 4}, {6, 2}, {9, 2}, {12, 2}, {15, 2}, {18, 2}}};
  return std::ranges::find(numbers, std::pair(part.first, part.length)) != numbers.end();
}

namespace {

// What substr() takes of a text of `length` characters, as a part that is within it; nullopt if that is nothing, or if
// its arguments are not literals.
std::optional<TextPart> taken_part(const Function& call, std::int64_t length) {
  const auto* first = literal_as<std::int64_t>(call.arguments[1]);
  const auto* count = call.arguments.size() == 3 ? literal_as<std::int64_t>(call.arguments[2]) : &length;
  if (first == nullptr || count == nullptr || *first == 0 || *count <= 0 || *first > length || *first < -length)
    return std::nullopt;
  const auto begin = *first > 0 ? *first : length + 1 + *first;
  return TextPart{begin, std::min(*count, length + 1 - begin)};
}

}  // namespace

std::optional<PartOfDate> part_of_date(const Expr& expr, const RuleContext& context) {
  if (const auto* id = column_id(expr)) {
    const auto reading = context.dates_in(*id);
    if (!reading) return std::nullopt;
    return PartOfDate{*id, *reading, {1, length_of_dates(*reading)}};
  }
  const auto* call = expr.as<Function>();
  if (call == nullptr || call->info == nullptr || call->name != "substr" || call->arguments.size() < 2)
    return std::nullopt;
  auto source = part_of_date(call->arguments.front(), context);
  const auto taken = source ? taken_part(*call, source->part.length) : std::nullopt;
  if (!taken) return std::nullopt;
  source->part = {source->part.first + taken->first - 1, taken->length};
  return source;
}

std::optional<Expr> expression_of(const PartOfDate& part) {
  if (part.is_whole()) return column(part.column);
  return part_of_text(column(part.column), part.part.first, part.part.length);
}

}  // namespace trustsql::plan::rules
