#include "plan/show.hpp"

#include "base/json_writer.hpp"
#include "plan/show/outline.hpp"

namespace trustsql::plan {

namespace {

void write_text(const Outline& outline, std::size_t depth, std::string_view prefix, std::string& text) {
  text.append(2 * depth, ' ').append(prefix).append(one_line(outline)).append("\n");
  for (const auto& input : outline.inputs) write_text(input, depth + 1, {}, text);
  for (const auto& subquery : outline.subqueries) write_text(subquery.outline, depth + 1, subquery.name + ": ", text);
}

void write_json(const Outline& outline, JsonWriter& json) {
  json.begin_object().key("op").value(outline.op);
  for (const auto& detail : outline.details) {
    if (detail.items.empty()) continue;
    json.key(detail.name);
    if (detail.is_list) {
      json.value(detail.items);
    } else {
      json.value(detail.items.front());
    }
  }
  json.key("columns").value(outline.columns);
  if (!outline.inputs.empty()) {
    json.key("inputs").begin_array();
    for (const auto& input : outline.inputs) write_json(input, json);
    json.end_array();
  }
  if (!outline.subqueries.empty()) {
    json.key("subqueries").begin_array();
    for (const auto& subquery : outline.subqueries) {
      json.begin_object().key("name").value(subquery.name).key("plan");
      write_json(subquery.outline, json);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
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
  JsonWriter json;
  write_json(outline_of(plan, naming), json);
  return std::move(json).text();
}

std::string plan_dot(const Plan& plan, Naming naming) {
  std::string dot = "digraph plan {\n  rankdir=BT;\n  node [shape=box];\n";
  int next = 0;
  write_dot(outline_of(plan, naming), next, dot);
  return dot += "}\n";
}

}  // namespace trustsql::plan
