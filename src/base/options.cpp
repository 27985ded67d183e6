#include "base/options.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_release.hpp"
#include "base/text.hpp"

namespace trustsql {

namespace {

using Json = nlohmann::json;

std::string_view describe(OptionType type) {
  switch (type) {
    case OptionType::boolean: return "true or false";
    case OptionType::integer: return "an integer";
    case OptionType::real: return "a number";
    case OptionType::text: return "a text";
    case OptionType::scalar: return "a number or a text";
    case OptionType::list: return "an array of numbers and texts";
    case OptionType::texts: return "a JSON array of texts";
  }
  return "";
}

Error wrong_type(const OptionSpec& spec, const Json& value) {
  std::string message = "option '" + std::string(spec.key) + "' must be " + std::string(describe(spec.type)) + ", not ";
  message += value.type_name();
  if (value.is_string()) message += " " + quote_for_message(value.get_ref<const std::string&>(), 60);
  if (value.is_number()) message += " " + value.dump();
  return invalid_argument(std::move(message));
}

// A bound or a value of a number, as the type of the option writes numbers.
std::string format_number(const OptionSpec& spec, double number) {
  if (spec.type == OptionType::integer && number == std::floor(number) && std::abs(number) < 9e15)
    return std::to_string(static_cast<std::int64_t>(number));
  return format_real(number);
}

std::optional<Value> scalar_of(const Json& value) {
  if (value.is_boolean()) return Value(std::int64_t{value.get<bool>() ? 1 : 0});
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return Value(value.get<double>());
  if (value.is_number_integer()) return Value(value.get<std::int64_t>());
  if (value.is_number_float()) return Value(value.get<double>());
  if (value.is_string()) return Value(value.get<std::string>());
  return std::nullopt;
}

bool is_integral(const Value& value) {
  if (value.index() == 1) return true;
  const auto* real = std::get_if<double>(&value);
  return real != nullptr && *real == std::floor(*real) && std::abs(*real) < 9e15;
}

Status check_scalar(const OptionSpec& spec, Value& value, const Json& json) {
  switch (spec.type) {
    case OptionType::boolean:
      if (!json.is_boolean() && value != Value(std::int64_t{0}) && value != Value(std::int64_t{1}))
        return wrong_type(spec, json);
      break;
    case OptionType::integer:
      if (!is_integral(value) || json.is_boolean()) return wrong_type(spec, json);
      if (const auto* real = std::get_if<double>(&value)) value = static_cast<std::int64_t>(*real);
      break;
    case OptionType::real:
      if (!json.is_number()) return wrong_type(spec, json);
      break;
    case OptionType::text:
    case OptionType::texts:
      if (!json.is_string()) return wrong_type(spec, json);
      break;
    case OptionType::scalar:
    case OptionType::list: break;
  }
  if (json.is_number()) {
    const double number = json.get<double>();
    if (number < spec.min || number > spec.max) {
      return invalid_argument("option '" + std::string(spec.key) + "' must be between " +
                              format_number(spec, spec.min) + " and " + format_number(spec, spec.max) + ", not " +
                              format_number(spec, number));
    }
  }
  if (!spec.choices.empty()) {
    const auto* text = std::get_if<std::string>(&value);
    if (text != nullptr && std::ranges::find(spec.choices, *text) != spec.choices.end()) return ok_status();
    return invalid_argument("option '" + std::string(spec.key) + "' must be one of " + join(spec.choices, ", ") +
                            ", not " + quote_for_message(format_value(view(value))));
  }
  return ok_status();
}

Result<std::vector<Value>> values_of(const OptionSpec& spec, const Json& json) {
  std::vector<Value> values;
  const auto add = [&](const Json& element) -> Status {
    auto value = scalar_of(element);
    if (!value) return wrong_type(spec, element);
    TRUSTSQL_RETURN_IF_ERROR(check_scalar(spec, *value, element));
    values.push_back(std::move(*value));
    return ok_status();
  };
  if (json.is_string() && spec.type == OptionType::texts) {
    const auto& text = json.get_ref<const std::string&>();
    Json array = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    const JsonRelease release(array);
    if (!array.is_array()) return wrong_type(spec, json);
    for (const auto& element : array) TRUSTSQL_RETURN_IF_ERROR(add(element));
  } else if (json.is_array() && (spec.type == OptionType::list || spec.type == OptionType::texts)) {
    for (const auto& element : json) TRUSTSQL_RETURN_IF_ERROR(add(element));
  } else {
    TRUSTSQL_RETURN_IF_ERROR(add(json));
  }
  return values;
}

}  // namespace

std::string option_names(std::span<const OptionSpec> known) {
  std::string names;
  for (const auto& spec : known) {
    if (!names.empty()) names += ", ";
    names += spec.key;
  }
  return names;
}

Result<Options> Options::parse(std::string_view json, std::span<const OptionSpec> known) {
  if (json.size() > max_bytes)
    return invalid_argument("the options are longer than " + std::to_string(max_bytes) + " bytes");
  Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  const JsonRelease release(document);
  if (document.is_discarded()) return invalid_argument("the options are not valid JSON: " + quote_for_message(json));
  if (!document.is_object())
    return invalid_argument(std::string("the options must be a JSON object, not ") + document.type_name());
  Options options(known);
  for (const auto& [key, value] : document.items()) {
    const auto spec = std::ranges::find(known, key, &OptionSpec::key);
    if (spec == known.end())
      return invalid_argument("unknown option " + quote_for_message(key) + "; known: " + option_names(known));
    if (value.is_null()) continue;
    TRUSTSQL_ASSIGN_OR_RETURN(auto values, values_of(*spec, value));
    options.given_[static_cast<std::size_t>(spec - known.begin())] = std::move(values);
  }
  return options;
}

// The number of rows if there is none.
std::size_t Options::row_of(const void* option) const {
  return static_cast<std::size_t>(std::ranges::find(known_, option, &OptionSpec::option) - known_.begin());
}

// The values that were given for an option, nullptr if it was not given.
const std::vector<Value>* Options::find(const void* option) const {
  const std::size_t row = row_of(option);
  assert(row < known_.size() && "the table does not list this option");
  return row < given_.size() && given_[row] ? &*given_[row] : nullptr;
}

}  // namespace trustsql
