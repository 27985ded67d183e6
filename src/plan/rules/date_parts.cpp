#include "plan/rules/date_parts.hpp"

#include "plan/rules/dates.hpp"

namespace trustsql::plan::rules {

namespace {

constexpr TextPart day{1, 10};
constexpr TextPart time_of_day{12, 8};
constexpr TextPart day_and_time{1, 19};

// What a date function writes of its argument, a date; nullopt if it is no part of it, or if there are modifiers.
std::optional<TextPart> written_part(const Function& call) {
  if (call.name == "strftime") {
    const auto* format = call.arguments.size() == 2 ? literal_as<std::string>(call.arguments.front()) : nullptr;
    return format != nullptr ? part_of_format(*format) : std::nullopt;
  }
  if (call.arguments.size() != 1) return std::nullopt;
  if (call.name == "date") return day;
  if (call.name == "time") return time_of_day;
  if (call.name == "datetime") return day_and_time;
  return std::nullopt;
}

bool take_part(Expr& expr, const ExprSite&, RuleContext& context) {
  const auto& call = *expr.as<Function>();
  if (call.info == nullptr || call.arguments.empty()) return false;
  auto part = part_of_date(expr, context);
  if (!part) {
    const auto written = written_part(call);
    part = written ? part_of_date(call.arguments.back(), context) : std::nullopt;
    // The argument must be a date, or a date with a time, and have what is written.
    if (!part || part->part.first != 1 || (!part->is_whole() && part->part.length != day.length) ||
        written->first + written->length - 1 > part->part.length)
      return false;
    part->part = *written;
  }
  auto taken = expression_of(*part);
  if (!taken || *taken == expr) return false;
  context.rely_on_dates(part->column);
  expr = *std::move(taken);
  return true;
}

}  // namespace

const Rule date_parts{
    .name = "date_parts",
    .kinds = expr_kinds<Function>,
    .apply = take_part,
    .example = date_parts_example,
};

}  // namespace trustsql::plan::rules
