#include "link/hallucination.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_release.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"

namespace trustsql::link {

namespace {

constexpr std::size_t max_relations = 64;
constexpr std::size_t max_name = 200;  // bytes; anything longer is not a name

// Removes quotes, bullets and blanks around a name.
std::string_view bare(std::string_view text) {
  constexpr std::string_view around = " \t\r\n\f\"'`*-;.:";
  const auto begin = text.find_first_not_of(around);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(around) - begin + 1);
}

// A column's name without the type that some models write after it ("id INTEGER", "name: text").
std::string_view without_type(std::string_view column) {
  if (const auto colon = column.find(':'); colon != std::string_view::npos) column = column.substr(0, colon);
  static constexpr std::string_view types[] = {"integer", "int",  "text",     "varchar", "real",
                                               "float",   "date", "datetime", "boolean", "string"};
  const auto space = column.rfind(' ');
  if (space == std::string_view::npos) return column;
  const std::string last = to_lower_ascii(column.substr(space + 1));
  const bool is_upper = last != column.substr(space + 1);  // "birth date" is a name, "birth DATE" has a type
  for (const auto type : types)
    if (last == type && is_upper) return trim(column.substr(0, space));
  return column;
}

bool has_word_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return (u >= '0' && u <= '9') || (u >= 'A' && u <= 'Z') || (u >= 'a' && u <= 'z') || u >= 0x80;
  });
}

// The position of the parenthesis that closes the one at `open`; the end of `relation` if it is not closed, as in a
// truncated reply.
std::size_t end_of_columns(std::string_view relation, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < relation.size(); ++i) {
    if (relation[i] == '(') ++depth;
    if (relation[i] == ')' && --depth == 0) return i;
  }
  return relation.size();
}

void add(std::vector<Probe>& probes, Probe probe) {
  if (!has_word_character(probe.text()) || probe.text().size() > 2 * max_name || probes.size() == max_probes) return;
  if (std::find(probes.begin(), probes.end(), probe) == probes.end()) probes.push_back(std::move(probe));
}

// The parts of `text` between commas, semicolons and line ends outside of parentheses.
std::vector<std::string_view> top_level_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    const bool separates = i == text.size() || c == '\n' || (depth == 0 && (c == ',' || c == ';'));
    if (!separates) continue;
    if (c == '\n') depth = 0;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

}  // namespace

std::vector<Probe> probes_of(const std::vector<std::string>& relations) {
  std::vector<Probe> probes;
  for (const auto& relation : relations) {
    const auto open = relation.find('(');
    const auto name = bare(std::string_view(relation).substr(0, open));
    if (open == std::string::npos) {
      add(probes, {"", std::string(name)});
      continue;
    }
    const auto end = end_of_columns(relation, open);
    bool has_columns = false;
    for (const auto part : top_level_parts(std::string_view(relation).substr(open + 1, end - open - 1))) {
      const auto column = without_type(bare(part));
      if (column.empty()) continue;
      add(probes, {std::string(name), std::string(column)});
      has_columns = true;
    }
    if (!has_columns) add(probes, {std::string(name), ""});
  }
  return probes;
}

std::optional<std::vector<std::string>> relations_from_json(std::string_view json) {
  auto parsed = nlohmann::json::parse(json, nullptr, false);
  const JsonRelease release(parsed);
  if (!parsed.is_array()) return std::nullopt;
  std::vector<std::string> relations;
  for (const auto& entry : parsed) {
    if (!entry.is_string()) return std::nullopt;
    relations.push_back(entry.get<std::string>());
  }
  return relations;
}

std::string relations_to_json(const std::vector<std::string>& relations) {
  return std::move(JsonWriter().value(relations)).text();
}

std::vector<std::string> relations_in_reply(std::string_view reply) {
  if (const auto open = reply.find('['); open != std::string_view::npos) {
    if (const auto close = reply.rfind(']'); close != std::string_view::npos && close > open) {
      if (auto parsed = relations_from_json(reply.substr(open, close - open + 1))) {
        if (parsed->size() > max_relations) parsed->resize(max_relations);
        return std::move(parsed).value();
      }
    }
  }
  std::vector<std::string> relations;
  std::vector<std::string> plain;
  for (const auto part : top_level_parts(reply)) {
    const auto text = bare(part);
    if (text.empty() || text.size() > 20 * max_name || text.starts_with("```")) continue;
    auto& list = text.find('(') != std::string_view::npos ? relations : plain;
    if (list.size() < max_relations && (&list == &relations || text.size() <= max_name)) list.emplace_back(text);
  }
  // Prose around relations is ignored; if there are only lines of words, these are the requested variables or
  // relations.
  return relations.empty() ? plain : relations;
}

}  // namespace trustsql::link
