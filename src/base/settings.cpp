#include "base/settings.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/nearest_names.hpp"
#include "base/setting_specs.hpp"
#include "base/text.hpp"

namespace trustsql {

namespace {

constexpr std::span<const SettingSpec> specs = setting_rows::table;

constexpr std::string_view mask = "********";

// `url` with its user name and password, the values of its query except api-version, and its fragment masked.
// Everything up to the last @ before the query may be a password, whatever it looks like: the URL need not be valid.
std::string masked_url(std::string_view url) {
  const auto scheme = url.find("://");
  std::string shown(url.substr(0, scheme == std::string_view::npos ? 0 : scheme + 3));
  std::string_view rest = url.substr(shown.size());
  const auto query = rest.find_first_of("?#");
  std::string_view authority_and_path = rest.substr(0, query);
  if (const auto at = authority_and_path.rfind('@'); at != std::string_view::npos) {
    shown += mask;
    authority_and_path.remove_prefix(at);
  }
  shown += authority_and_path;
  if (query == std::string_view::npos) return shown;
  shown += rest[query];
  std::vector<std::string> parameters;
  for (const auto parameter : split(rest.substr(query + 1), '&')) {
    const auto equals = parameter.find('=');
    const std::string name(equals == std::string_view::npos ? std::string_view() : parameter.substr(0, equals + 1));
    parameters.push_back(name == "api-version=" && parameter.find('#') == std::string_view::npos
                             ? std::string(parameter)
                             : name + (parameter.empty() ? "" : std::string(mask)));
  }
  return shown + join(parameters, "&");
}

std::string env_name(const SettingSpec& spec) {
  std::string name = "TRUSTSQL_";
  for (const char c : spec.key) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

Result<std::int64_t> to_integer(const SettingSpec& spec, ValueView value) {
  std::optional<std::int64_t> parsed;
  if (value.type == ValueType::integer) parsed = value.integer;
  // Within the range of integers, before it becomes one.
  constexpr double end_of_integers = 9223372036854775808.0;
  if (value.type == ValueType::real && value.real >= -end_of_integers && value.real < end_of_integers &&
      value.real == std::trunc(value.real))
    parsed = static_cast<std::int64_t>(value.real);
  if (value.type == ValueType::text) {
    const auto text = trim(value.bytes);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) parsed = number;
  }
  if (!parsed || *parsed < spec.min || *parsed > spec.max) {
    return invalid_argument("setting '" + std::string(spec.key) + "' must be an integer from " +
                            std::to_string(spec.min) + " to " + std::to_string(spec.max) + ", not " +
                            quote_for_message(format_value(value)));
  }
  return *parsed;
}

Result<Value> to_setting(const SettingSpec& spec, ValueView value) {
  if (spec.type == SettingType::integer) {
    TRUSTSQL_ASSIGN_OR_RETURN(const std::int64_t number, to_integer(spec, value));
    return Value(number);
  }
  if (value.type != ValueType::text) {
    return invalid_argument("setting '" + std::string(spec.key) + "' must be a text, not " +
                            std::string(type_name(value.type)));
  }
  // File paths and server names would end at a NUL.
  if (value.bytes.find('\0') != std::string_view::npos)
    return invalid_argument("setting '" + std::string(spec.key) + "' must be a text without a NUL character");
  if (!spec.choices.empty()) {
    const auto choices = split(spec.choices, '|');
    bool known = false;
    for (const auto choice : choices) known = known || choice == value.bytes;
    if (!known) {
      return invalid_argument("setting '" + std::string(spec.key) + "' must be one of " + join(choices, ", ") +
                              ", not " + (spec.secret ? std::string("this value") : quote_for_message(value.bytes)));
    }
  }
  return Value(std::string(value.bytes));
}

Result<std::size_t> find(std::string_view key) {
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].key == key) return i;
  std::vector<std::string_view> keys;
  NearestNames nearest(key);
  for (const auto& spec : specs) {
    keys.push_back(spec.key);
    nearest.add(spec.key, std::string(spec.key));
  }
  const auto similar = nearest.take();
  return invalid_argument("unknown setting " + quote_for_message(key) +
                          (similar.empty() ? "" : " (did you mean '" + similar.front() + "'?)") +
                          "; known: " + join(keys, ", "));
}

}  // namespace

std::span<const SettingSpec> setting_specs() { return specs; }

std::string SettingSpec::default_value() const {
  return type == SettingType::integer ? std::to_string(default_integer) : std::string(default_text);
}

std::string_view source_name(Settings::Source source) {
  switch (source) {
    case Settings::Source::default_value: return "default";
    case Settings::Source::env: return "env";
    case Settings::Source::set: return "set";
  }
  return "";
}

Result<Settings> Settings::create(const Environment& environment) {
  Settings settings;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Entry& entry = settings.entries_[i];
    std::string text = specs[i].default_value();
    if (auto variable = environment(env_name(specs[i])); variable && !variable->empty()) {
      text = std::move(*variable);
      entry.source = Source::env;
    }
    auto value = to_setting(specs[i], ValueView::of_text(text));
    if (!value.ok()) return std::move(value).error().with_prefix("environment variable " + env_name(specs[i]));
    entry.value = std::move(value).value();
    entry.reset_value = entry.value;
    entry.reset_source = entry.source;
  }
  for (std::size_t i = 0; i < specs.size(); ++i)
    settings.entries_[i].url = settings.entries_[i].reset_url = settings.url_in_force(specs[i]);
  return settings;
}

std::optional<std::string> Settings::process_environment(std::string_view name) {
  const char* value =
      std::getenv(std::string(name).c_str());  // NOLINT(concurrency-mt-unsafe): nothing here calls setenv
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::int64_t Settings::integer(Setting setting) const {
  return *std::get_if<std::int64_t>(&entries_[static_cast<std::size_t>(setting)].value);
}

const std::string& Settings::text(Setting setting) const {
  return *std::get_if<std::string>(&entries_[static_cast<std::size_t>(setting)].value);
}

Result<Value> Settings::get(std::string_view key) const {
  TRUSTSQL_ASSIGN_OR_RETURN(const std::size_t index, find(key));
  return display(index);
}

Status Settings::set(std::string_view key, ValueView value) {
  TRUSTSQL_ASSIGN_OR_RETURN(const std::size_t index, find(key));
  Entry& entry = entries_[index];
  if (value.is_null()) {
    entry.value = entry.reset_value;
    entry.source = entry.reset_source;
    entry.url = entry.reset_url;
  } else {
    TRUSTSQL_ASSIGN_OR_RETURN(entry.value, to_setting(specs[index], value));
    entry.source = Source::set;
    entry.url = url_in_force(specs[index]);
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Entry& other = entries_[i];
    if (other.source == Source::set && other.url.empty()) other.url = url_in_force(specs[i]);
  }
  ++generation_;
  return ok_status();
}

// The first URL in the settings `url_keys` that is not empty.
std::string Settings::url_in_force(const SettingSpec& spec) const {
  if (spec.url_keys.empty()) return {};
  for (const auto key : split(spec.url_keys, '|')) {
    const auto index = find(key);
    if (const auto* url = std::get_if<std::string>(&entries_[index.value()].value); !url->empty()) return *url;
  }
  return {};
}

Value Settings::display(std::size_t index) const {
  const Value& value = entries_[index].value;
  if (specs[index].secret && view(value).bytes.size() > 0) return Value(std::string(mask));
  if (specs[index].url) return Value(masked_url(view(value).bytes));
  return value;
}

}  // namespace trustsql
