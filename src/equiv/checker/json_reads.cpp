#include "equiv/checker/json_reads.hpp"

#include <cctype>

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

using Steps = std::vector<std::string>;

bool is_word(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return false;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x80 || (c != '_' && std::isalnum(code) == 0)) return false;
  }
  return true;
}

// The steps of a path; nullopt if it has one of another form.
std::optional<Steps> steps_of_path(const std::string& path) {
  if (path.empty() || path[0] != '$') return std::nullopt;
  Steps steps;
  std::string step;
  const auto end_step = [&] {
    if (step.empty()) return true;
    const auto inside = step[0] == '.' ? step.substr(1) : step.size() > 2 ? step.substr(1, step.size() - 2) : "";
    const bool is_number = !inside.empty() && inside.size() < 10 &&
                           inside.find_first_not_of("0123456789") == std::string::npos && step.back() == ']';
    if (step[0] == '.' ? !is_word(inside) : !is_number) return false;
    steps.push_back(step[0] == '.' ? step : "[" + std::to_string(std::stol(inside)) + "]");
    step.clear();
    return true;
  };
  for (std::size_t i = 1; i < path.size(); ++i) {
    if ((path[i] == '.' || path[i] == '[') && !end_step()) return std::nullopt;
    if (step.empty() && path[i] != '.' && path[i] != '[') return std::nullopt;
    step += path[i];
  }
  if (!end_step()) return std::nullopt;
  return steps;
}

// Of the right side of an arrow.
std::optional<Steps> steps_of_operand(const Expr& operand) {
  if (const auto* number = literal_as<std::int64_t>(operand)) {
    if (*number < 0 || *number > 999'999'999) return std::nullopt;
    return Steps{"[" + std::to_string(*number) + "]"};
  }
  const auto* text = literal_as<std::string>(operand);
  if (text == nullptr) return std::nullopt;
  if (is_word(*text)) return Steps{"." + *text};
  return steps_of_path(*text);
}

std::optional<JsonRead> one_read(const Expr& expr) {
  if (const auto* arrow = expr.as<Binary>()) {
    const bool as_json = arrow->op == ast::BinaryOp::arrow;
    if (!as_json && arrow->op != ast::BinaryOp::double_arrow) return std::nullopt;
    auto steps = steps_of_operand(*arrow->right);
    if (!steps) return std::nullopt;
    return JsonRead{&*arrow->left, *std::move(steps), as_json, arrow->is_json};
  }
  const auto* call = expr.as<Function>();
  if (call == nullptr || call->info == nullptr || call->name != "json_extract" || call->arguments.size() != 2)
    return std::nullopt;
  const auto* path = literal_as<std::string>(call->arguments[1]);
  auto steps = path == nullptr ? std::nullopt : steps_of_path(*path);
  if (!steps) return std::nullopt;
  return JsonRead{call->arguments.data(), *std::move(steps), false, call->is_json};
}

}  // namespace

std::optional<JsonRead> json_read(const Expr& expr) {
  auto read = one_read(expr);
  if (!read) return std::nullopt;
  for (auto outer = one_read(*read->document); outer && outer->as_json; outer = one_read(*read->document)) {
    read->document = outer->document;
    read->steps.insert(read->steps.begin(), outer->steps.begin(), outer->steps.end());
  }
  return read;
}

}  // namespace trustsql::equiv::checker
