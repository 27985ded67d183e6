#include <cmath>

#include "base/settings.hpp"
#include "base/text.hpp"
#include "ext/registry.hpp"

namespace trustsql::ext {

namespace {

std::string_view type_phrase(OptionType type) {
  switch (type) {
    case OptionType::boolean: return "true or false";
    case OptionType::integer: return "integer";
    case OptionType::real: return "number";
    case OptionType::text: return "text";
    case OptionType::scalar: return "number or text";
    case OptionType::list: return "array";
    case OptionType::texts: return "array of texts, or its JSON text";
  }
  return "";
}

std::string_view entry_phrase(EntryPoint entry_point) {
  switch (entry_point) {
    case EntryPoint::pure: return "pure, offline, full";
    case EntryPoint::offline: return "offline, full";
    case EntryPoint::full: return "full";
  }
  return "";
}

std::string_view kind_phrase(const FunctionSpec& spec) {
  switch (spec.kind) {
    case FunctionKind::scalar: return "Scalar";
    case FunctionKind::aggregate: return "Aggregate";
    case FunctionKind::window: return "Aggregate and window function";
    case FunctionKind::table: return spec.max_arguments == 0 ? "Table" : "Table-valued function";
  }
  return "";
}

// "30.0" as people write it: "30".
std::string without_zero(std::string number) {
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number;
}

std::string range(const OptionSpec& option) {
  const bool low = std::isfinite(option.min);
  const bool high = std::isfinite(option.max);
  const auto bound = [&](double number) {
    return option.type == OptionType::integer ? std::to_string(static_cast<std::int64_t>(number))
                                              : without_zero(format_real(number));
  };
  if (low && high) return ", " + bound(option.min) + " to " + bound(option.max);
  if (low) return ", at least " + bound(option.min);
  if (high) return ", at most " + bound(option.max);
  return "";
}

// A vertical bar would end a table's cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

// " Default: 3."; empty if there is none, or if it is an empty text.
std::string default_sentence(const OptionSpec& option) {
  const std::string json = option.default_text != nullptr ? option.default_text(option.option) : "";
  if (json.empty() || json == "\"\"") return "";
  if (json.front() == '"') return " Default: `" + json.substr(1, json.size() - 2) + "`.";
  return " Default: " + (json.front() == '[' ? "`" + json + "`" : without_zero(json)) + ".";
}

std::string option_row(const OptionSpec& option) {
  std::string type(type_phrase(option.type));
  if (!option.choices.empty()) type = "`" + join(option.choices, "`, `") + "`";
  return "| `" + std::string(option.key) + "` | " + type + range(option) + " | " + cell(option.description) +
         cell(default_sentence(option)) + " |\n";
}

std::string function_section(const FunctionSpec& spec) {
  std::string text = "### `" + std::string(spec.signature) + "`\n\n";
  text += std::string(kind_phrase(spec)) + "; entry points: " + std::string(entry_phrase(spec.entry_point)) +
          (spec.effect == Effect::none ? "; deterministic.\n\n" : "; top-level SQL only.\n\n");
  text += std::string(spec.summary) + "\n\n";
  if (!spec.columns.empty()) text += "Columns: `" + std::string(spec.columns) + "`\n\n";
  if (!spec.options.empty()) {
    text += "| option | value | meaning |\n|---|---|---|\n";
    for (const auto& option : spec.options) text += option_row(option);
    text += "\n";
  }
  return text + "```sql\n" + std::string(spec.example) + "\n```\n\n";
}

std::string settings_section() {
  std::string text =
      "## Settings\n\nEach connection has its own settings: `trustsql_config(key, value)` sets one. When the extension "
      "is loaded, a setting takes its value from the environment variable named `TRUSTSQL_` followed by the key in "
      "capitals, if it exists.\n\n| key | default | values | meaning |\n|---|---|---|---|\n";
  for (const auto& spec : setting_specs()) {
    std::string values = "text";
    if (spec.type == SettingType::integer) values = std::to_string(spec.min) + " to " + std::to_string(spec.max);
    if (!spec.choices.empty()) values = "`" + join(split(spec.choices, '|'), "`, `") + "`";
    text += "| `" + std::string(spec.key) + "` | " + spec.default_value() + " | " + values + " | " +
            cell(spec.description) + " |\n";
  }
  return text;
}

}  // namespace

std::string api_markdown() {
  std::string text =
      "# SQL functions of trustsql\n\nGenerated from the registration tables by `scripts/api_docs.sh`. The text after "
      "`--` in an example is its result, which a test checks.\n\n`opts` is a JSON object and the last argument; a text "
      "that begins with `{` in the position of an optional argument is the opts. *Deterministic* functions depend on "
      "their arguments alone and may be used anywhere; functions for *top-level SQL only* (`SQLITE_DIRECTONLY`) are "
      "rejected in views and triggers that are not TEMP.\n\n";
  for (const auto& family : families()) {
    text += "## " + std::string(family.title) + "\n\n" + std::string(family.introduction) + "\n\n";
    for (const auto& spec : family.functions) text += function_section(spec);
  }
  return text + settings_section();
}

}  // namespace trustsql::ext
