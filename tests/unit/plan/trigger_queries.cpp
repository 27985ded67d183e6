#include "unit/plan/trigger_queries.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace trustsql::testing_support {

namespace {

// The position of the bracket that closes the one at `open`; npos if there is none.
std::size_t closing_bracket(std::string_view form, std::size_t open) {
  const char opening = form[open];
  const char closing = opening == '[' ? ']' : '}';
  int level = 0;
  for (std::size_t i = open; i < form.size(); ++i) {
    if (form[i] == '\\')
      ++i;
    else if (form[i] == opening)
      ++level;
    else if (form[i] == closing && --level == 0)
      return i;
  }
  return form.npos;
}

// What is between the | of `choices`, the inside of a pair of square brackets.
std::vector<std::string_view> split_choices(std::string_view choices) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  int level = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == '\\') {
      ++i;
    } else if (choices[i] == '[') {
      ++level;
    } else if (choices[i] == ']') {
      --level;
    } else if (choices[i] == '|' && level == 0) {
      parts.push_back(choices.substr(start, i - start));
      start = i + 1;
    }
  }
  parts.push_back(choices.substr(start));
  return parts;
}

// What is wrong with a form; "" if nothing is.
std::string fault_of(std::string_view form, const TriggerForms::Sections& macros) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '\\') {
      if (++i == form.size()) return "a \\ at the end";
    } else if (form[i] == ']' || form[i] == '}') {
      return form[i] == ']' ? "] closes nothing" : "} closes nothing";
    } else if (form[i] == '[' || form[i] == '{') {
      const auto end = closing_bracket(form, i);
      if (end == form.npos) return form[i] == '[' ? "[ is not closed" : "{ is not closed";
      const auto inside = form.substr(i + 1, end - i - 1);
      if (form[i] == '{' && macros.find(inside) == macros.end()) return "no macro " + std::string(inside);
      if (form[i] == '[') {
        for (const auto choice : split_choices(inside)) {
          if (auto fault = fault_of(choice, macros); !fault.empty()) return fault;
        }
      }
      i = end;
    }
  }
  return "";
}

const TriggerForms& trigger_forms() {
  static const TriggerForms forms = [] {
    const std::string path = TRUSTSQL_SOURCE_DIR "/tests/unit/plan/trigger_queries.txt";
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::ostringstream text;
    text << file.rdbuf();
    auto parsed = parse_trigger_forms(text.str());
    if (!parsed.ok()) throw std::runtime_error(path + ": " + parsed.error().message);
    return *std::move(parsed);
  }();
  return forms;
}

}  // namespace

Result<TriggerForms> parse_trigger_forms(std::string_view text) {
  TriggerForms forms;
  std::vector<std::string> schema;
  std::vector<std::string>* section = nullptr;
  std::string section_name;
  int number = 0;
  int number_of_section = 0;
  std::vector<std::pair<int, std::string>> texts;  // to be checked when all macros are known
  const auto error = [](int line, const std::string& what) {
    return invalid_argument("line " + std::to_string(line) + ": " + what);
  };
  const auto section_is_empty = [&] { return section != nullptr && section->empty(); };
  for (std::size_t start = 0; start < text.size(); ++number) {
    const auto end = std::min(text.find('\n', start), text.size());
    const std::string line(text.substr(start, end - start));
    start = end + 1;
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("  ")) {
      if (section == nullptr) return error(number + 1, "a text outside of a section");
      section->push_back(line.substr(2));
      if (section != &schema) texts.emplace_back(number + 1, section->back());
      continue;
    }
    if (section_is_empty()) return error(number_of_section, "no text in the section " + section_name);
    number_of_section = number + 1;
    section_name = line;
    const auto name = line.substr(std::min(line.find(' '), line.size() - 1) + 1);
    if (line == "schema") {
      section = &schema;
    } else if (line.starts_with("macro ")) {
      section = &forms.macros[name];
    } else if (line.starts_with("rule ")) {
      section = &forms.rules[name];
    } else {
      return error(number + 1, "neither schema nor macro NAME nor rule NAME: " + line);
    }
    if (!section->empty()) return error(number + 1, "a section twice: " + line);
  }
  if (section_is_empty()) return error(number_of_section, "no text in the section " + section_name);
  for (const auto& [line, form] : texts) {
    if (const auto fault = fault_of(form, forms.macros); !fault.empty()) return error(line, fault + ": " + form);
  }
  for (const auto& statement : schema) forms.schema += statement + "\n";
  return forms;
}

const char* TriggerQueries::schema() { return trigger_forms().schema.c_str(); }

std::vector<std::string> TriggerQueries::rules() {
  std::vector<std::string> names;
  for (const auto& [rule, forms] : trigger_forms().rules) names.push_back(rule);
  return names;
}

std::string TriggerQueries::query(const std::string& rule) {
  const auto& forms = trigger_forms().rules.at(rule);
  return expand(forms[random_() % forms.size()]);
}

std::string TriggerQueries::expand(std::string_view form) {
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '\\') {
      text += form[++i];
    } else if (form[i] == '[') {
      const auto end = closing_bracket(form, i);
      const auto choices = split_choices(form.substr(i + 1, end - i - 1));
      text += expand(choices[random_() % choices.size()]);
      i = end;
    } else if (form[i] == '{') {
      const auto end = closing_bracket(form, i);
      const auto& choices = trigger_forms().macros.find(form.substr(i + 1, end - i - 1))->second;
      ++depth_;
      // Conditions within conditions end somewhere.
      text += expand(choices[random_() % (depth_ > 4 ? 1 : choices.size())]);
      --depth_;
      i = end;
    } else {
      text += form[i];
    }
  }
  return text;
}

}  // namespace trustsql::testing_support
