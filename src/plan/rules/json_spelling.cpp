#include "plan/rules/json_spelling.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "plan/json_subtypes.hpp"
#include "plan/rules/common.hpp"

namespace trustsql::plan::rules {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// A name without quotes; not one that begins with a digit, which -> takes for the number of an element.
bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

// $ followed by .name and [number].
bool is_plain_path(std::string_view path) {
  if (!path.starts_with('$')) return false;
  path.remove_prefix(1);
  while (!path.empty()) {
    const bool is_member = path.front() == '.';
    if (!is_member && path.front() != '[') return false;
    path.remove_prefix(1);
    const auto end = is_member ? std::min(path.find_first_of(".["), path.size()) : path.find(']');
    if (end == std::string_view::npos) return false;
    const auto step = path.substr(0, end);
    constexpr std::size_t longest_number = 9;
    if (is_member ? !is_name(step)
                  : step.empty() || step.size() > longest_number || !std::all_of(step.begin(), step.end(), is_digit))
      return false;
    path.remove_prefix(is_member ? end : end + 1);
  }
  return true;
}

// The path that the right operand of -> or ->> stands for; empty if it is not a plain one.
std::string path_of(const Expr& operand) {
  constexpr std::int64_t largest_index = 999'999'999;
  if (const auto* index = literal_as<std::int64_t>(operand))
    return *index >= 0 && *index <= largest_index ? "$[" + std::to_string(*index) + "]" : std::string();
  const auto* text = literal_as<std::string>(operand);
  if (text == nullptr) return {};
  if (is_name(*text)) return "$." + *text;
  return is_plain_path(*text) ? *text : std::string();
}

// Goes on from `document` to what it is a part of, as long as it is written with ->; `path` becomes the path from
// there. Returns whether it did.
bool go_up(const Expr*& document, std::string& path) {
  bool changed = false;
  while (const auto* arrow = document->as<Binary>()) {
    const auto first = arrow->op == ast::BinaryOp::arrow ? path_of(*arrow->right) : std::string();
    if (first.empty()) break;
    path.replace(0, 1, first);
    document = &*arrow->left;
    changed = true;
  }
  return changed;
}

bool respell_json(Expr& expr, const ExprSite&, RuleContext& context) {
  const auto* n = expr.as<Binary>();
  const auto* call = expr.as<Function>();
  if (call != nullptr && (call->name != "json_extract" || call->info == nullptr || call->arguments.size() != 2))
    return false;
  const auto& operand = n != nullptr ? *n->right : call->arguments[1];
  const Expr* document = n != nullptr ? &*n->left : call->arguments.data();
  const bool is_arrow = n != nullptr && n->op == ast::BinaryOp::arrow;
  const bool is_double_arrow = n != nullptr && n->op == ast::BinaryOp::double_arrow;
  if (n != nullptr && !is_arrow && !is_double_arrow) return false;
  const auto* text = literal_as<std::string>(operand);
  if (call != nullptr && (text == nullptr || !text->starts_with('$'))) return false;  // not a path
  auto path = path_of(operand);
  if (path.empty()) return false;
  if (!go_up(document, path) && !is_double_arrow && text != nullptr && *text == path) return false;
  Expr whole = *document;
  if (is_arrow) {
    expr = Expr{Binary{ast::BinaryOp::arrow, std::move(whole), literal(std::move(path)), n->is_json}};
    return true;
  }
  const auto* info = FunctionTable::latest().find("json_extract", 2);
  if (info == nullptr || reads_subtypes(context.plan())) return false;
  Function extract{info->name, {}, binary_collation, info};
  extract.is_json = call != nullptr && call->is_json;
  extract.arguments.push_back(std::move(whole));
  extract.arguments.push_back(literal(std::move(path)));
  expr = Expr{std::move(extract)};
  return true;
}

}  // namespace

const Rule json_spelling{
    .name = "json_spelling",
    .kinds = expr_kinds<Function, Binary>,
    .apply = respell_json,
    .example = json_spelling_example,
};

}  // namespace trustsql::plan::rules
