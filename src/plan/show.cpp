#include "plan/show.hpp"

#include <nlohmann/json.hpp>

#include "plan/show/outline.hpp"

namespace trustsql::plan {

namespace {

void write_text(const Outline& outline, std::size_t depth, std::string_view prefix, std::string& text) {
  text.append(2 * depth, ' ').append(prefix).append(one_line(outline)).append("\n");
  for (const auto& input : outline.inputs) write_text(input, depth + 1, {}, text);
  for (const auto& subquery : outline.subqueries) write_text(subquery.outline, depth + 1, subquery.name + ": ", text);
}

nlohmann::ordered_json to_json(const Outline& outline) {
  nlohmann::ordered_json json = {{"op", outline.op}};
  for (const auto& detail : outline.details) {
    if (detail.items.empty()) continue;
    auto& value = json[std::string(detail.name)];
    if (detail.is_list) {
      value = detail.items;
    } else {
      value = detail.items.front();
    }
  }
  json["columns"] = outline.columns;
  for (const auto& input : outline.inputs) json["inputs"].push_back(to_json(input));
  for (const auto& subquery : outline.subqueries)
    json["subqueries"].push_back({{"name", subquery.name}, {"plan", to_json(subquery.outline)}});
  return json;
}

std::string dot_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted += '"';
}

int write_dot(const Outline& outline, int& next, std::string& dot) {
  const int own = next++;
  const auto name = [](int number) { return "n" + std::to_string(number); };
  dot += "  " + name(own) + " [label=" + dot_string(one_line(outline)) + "];\n";
  for (const auto& input : outline.inputs) {
    const int from = write_dot(input, next, dot);
    dot += "  " + name(from) + " -> " + name(own) + ";\n";
  }
  for (const auto& subquery : outline.subqueries) {
    const int from = write_dot(subquery.outline, next, dot);
    dot += "  " + name(from) + " -> " + name(own) + " [style=dashed, label=" + dot_string(subquery.name) + "];\n";
  }
  return own;
}

}  // namespace

std::string plan_text(const Plan& plan, Naming naming) {
  std::string text;
  write_text(outline_of(plan, naming), 0, {}, text);
  return text;
}

std::string plan_json(const Plan& plan, Naming naming) {
  return to_json(outline_of(plan, naming)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string plan_dot(const Plan& plan, Naming naming) {
  std::string dot = "digraph plan {\n  rankdir=BT;\n  node [shape=box];\n";
  int next = 0;
  write_dot(outline_of(plan, naming), next, dot);
  return dot += "}\n";
}

}  // namespace trustsql::plan
