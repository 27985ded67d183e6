// The types that an option may have: how a value is read from JSON's values, and how its default is written. For
// options.hpp, which says what they are.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "base/type_traits.hpp"
#include "base/value.hpp"

namespace trustsql {

enum class OptionType {
  boolean,  // true or false; 0 and 1 are accepted as well, since SQLite's json_object() writes those
  integer,
  real,  // any JSON number
  text,
  scalar,  // a number or a text
  list,    // an array of numbers and texts; a single one stands for an array of one
  texts,   // an array of texts, or a text that is such an array as JSON
};

// A row of a table of options: an Option without its type.
struct OptionSpec {
  std::string_view key;
  OptionType type = OptionType::text;
  std::string_view description;
  std::span<const std::string_view> choices = {};  // for texts: the allowed ones; empty: any
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  const void* option = nullptr;                        // the Option
  std::string (*default_text)(const void*) = nullptr;  // writes the default of `option` as JSON; null: there is none
};

// --- choices ---------------------------------------------------------------------------------------------------------

template <class Enum>
struct Choice {
  std::string_view name;
  Enum value;
};

// The texts that an option accepts. This one: any.
template <class T>
class Choices {
 public:
  constexpr std::span<const std::string_view> names() const { return {}; }
};

// The texts alone.
template <>
class Choices<std::string> {
 public:
  static constexpr std::size_t capacity = 12;

  constexpr Choices() = default;
  constexpr Choices(std::initializer_list<std::string_view> names) {
    for (const auto name : names) names_[size_++] = name;
  }
  template <std::size_t n>
  explicit constexpr Choices(const std::array<std::string_view, n>& names) {
    for (const auto name : names) names_[size_++] = name;
  }

  constexpr std::span<const std::string_view> names() const { return {names_.data(), size_}; }
  constexpr bool allow(std::string_view name) const {
    for (const auto allowed : names())
      if (allowed == name) return true;
    return size_ == 0;
  }

 private:
  std::array<std::string_view, capacity> names_{};
  std::size_t size_ = 0;
};

// Texts and the values that they stand for.
template <class Enum>
requires std::is_enum_v<Enum>
class Choices<Enum> {
 public:
  static constexpr std::size_t capacity = 12;

  constexpr Choices(std::initializer_list<Choice<Enum>> choices) {
    for (const auto& choice : choices) {
      names_[size_] = choice.name;
      values_[size_++] = choice.value;
    }
  }

  constexpr std::span<const std::string_view> names() const { return {names_.data(), size_}; }
  constexpr std::span<const Enum> values() const { return {values_.data(), size_}; }
  // Precondition: `name` is one of names().
  constexpr Enum value(std::string_view name) const {
    std::size_t i = 0;
    while (names_[i] != name) ++i;
    return values_[i];
  }
  // The name of a value; empty if it has none.
  constexpr std::string_view name(Enum value) const {
    for (std::size_t i = 0; i < size_; ++i)
      if (values_[i] == value) return names_[i];
    return {};
  }

 private:
  std::array<std::string_view, capacity> names_{};
  std::array<Enum, capacity> values_{};
  std::size_t size_ = 0;
};

// An array has the choices of its elements.
template <class T>
class Choices<std::vector<T>> : public Choices<T> {
  using Choices<T>::Choices;
};

// --- values and defaults
// -----------------------------------------------------------------------------------------------

// Of OptionCodec<T>:
//   type                             what JSON must hold
//   Default                          how a declaration states the default; a literal type
//   read(given, choices)             the value, from the values of JSON that were checked by the option's row
//   copy(default)                    the value that the default is
//   text(default, choices)           the default as JSON
//   is_valid(default, choices, min, max)
template <class T>
struct OptionCodec;

template <>
struct OptionCodec<bool> {
  using Default = bool;
  static constexpr OptionType type = OptionType::boolean;
  static bool read(const std::vector<Value>& given, const Choices<bool>&) {
    return std::get<std::int64_t>(given.front()) != 0;
  }
  static bool copy(bool value) { return value; }
  static std::string text(bool value, const Choices<bool>&) { return value ? "true" : "false"; }
  static constexpr bool is_valid(bool, const Choices<bool>&, double, double) { return true; }
};

template <std::integral T>
struct OptionCodec<T> {
  using Default = T;
  static constexpr OptionType type = OptionType::integer;
  static T read(const std::vector<Value>& given, const Choices<T>&) {
    return static_cast<T>(std::get<std::int64_t>(given.front()));
  }
  static T copy(T value) { return value; }
  static std::string text(T value, const Choices<T>&) { return std::to_string(value); }
  static constexpr bool is_valid(T value, const Choices<T>&, double min, double max) {
    return static_cast<double>(value) >= min && static_cast<double>(value) <= max;
  }
};

template <>
struct OptionCodec<double> {
  using Default = double;
  static constexpr OptionType type = OptionType::real;
  static double read(const std::vector<Value>& given, const Choices<double>&) {
    const auto* integer = std::get_if<std::int64_t>(&given.front());
    return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(given.front());
  }
  static double copy(double value) { return value; }
  static std::string text(double value, const Choices<double>&) { return format_real(value); }
  static constexpr bool is_valid(double value, const Choices<double>&, double min, double max) {
    return value >= min && value <= max;
  }
};

template <>
struct OptionCodec<std::string> {
  using Default = std::string_view;
  static constexpr OptionType type = OptionType::text;
  static std::string read(const std::vector<Value>& given, const Choices<std::string>&) {
    return std::get<std::string>(given.front());
  }
  static std::string copy(std::string_view value) { return std::string(value); }
  static std::string text(std::string_view value, const Choices<std::string>&) {
    return "\"" + std::string(value) + "\"";
  }
  static constexpr bool is_valid(std::string_view value, const Choices<std::string>& choices, double, double) {
    return choices.allow(value);
  }
};

// The default is a number.
template <>
struct OptionCodec<Value> {
  using Default = double;
  static constexpr OptionType type = OptionType::scalar;
  static Value read(const std::vector<Value>& given, const Choices<Value>&) { return given.front(); }
  static Value copy(double value) { return value; }
  static std::string text(double value, const Choices<Value>&) { return format_real(value); }
  static constexpr bool is_valid(double value, const Choices<Value>&, double min, double max) {
    return value >= min && value <= max;
  }
};

template <class Enum>
requires std::is_enum_v<Enum>
struct OptionCodec<Enum> {
  using Default = Enum;
  static constexpr OptionType type = OptionType::text;
  static Enum read(const std::vector<Value>& given, const Choices<Enum>& choices) {
    return choices.value(std::get<std::string>(given.front()));
  }
  static Enum copy(Enum value) { return value; }
  static std::string text(Enum value, const Choices<Enum>& choices) {
    return "\"" + std::string(choices.name(value)) + "\"";
  }
  static constexpr bool is_valid(Enum value, const Choices<Enum>& choices, double, double) {
    return !choices.name(value).empty();
  }
};

// The default of an array is a span over an array of static duration; that of an array of Value holds numbers.
template <class T>
struct OptionCodec<std::vector<T>> {
  using Element = OptionCodec<T>;
  using Default = std::span<const typename Element::Default>;
  static constexpr OptionType type = OptionType::list;
  static std::vector<T> read(const std::vector<Value>& given, const Choices<std::vector<T>>& choices) {
    std::vector<T> values;
    values.reserve(given.size());
    for (const auto& value : given) {
      if constexpr (std::is_same_v<T, std::string>) {
        values.push_back(format_value(view(value)));  // also of a number
      } else {
        values.push_back(Element::read({value}, choices));
      }
    }
    return values;
  }
  static std::vector<T> copy(Default defaults) {
    std::vector<T> values;
    values.reserve(defaults.size());
    for (const auto& value : defaults) values.push_back(Element::copy(value));
    return values;
  }
  static std::string text(Default defaults, const Choices<std::vector<T>>& choices) {
    std::vector<std::string> texts;
    for (const auto& value : defaults) texts.push_back(Element::text(value, choices));
    return "[" + join(texts, ", ") + "]";
  }
  static constexpr bool is_valid(Default defaults, const Choices<std::vector<T>>& choices, double min, double max) {
    for (const auto& value : defaults)
      if (!Element::is_valid(value, choices, min, max)) return false;
    return true;
  }
};

// Texts such as the result of another function: an array of them, or the JSON text of one. An option of this type has
// no default.
struct JsonTexts {
  std::vector<std::string> values;
};

template <>
struct OptionCodec<JsonTexts> {
  using Default = std::string_view;
  static constexpr OptionType type = OptionType::texts;
  static JsonTexts read(const std::vector<Value>& given, const Choices<JsonTexts>&) {
    JsonTexts texts;
    for (const auto& value : given) texts.values.push_back(std::get<std::string>(value));
    return texts;
  }
};

template <class T>
using OptionDefault = typename OptionCodec<T>::Default;

// What a declaration must satisfy; in a constant expression, one that does not is not compiled: an integer type that
// cannot hold the range, an enumeration without choices.
template <class T>
constexpr void check_declaration(const Choices<T>& choices, double min, double max) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) < sizeof(std::int64_t)) {
    if (min < static_cast<double>(std::numeric_limits<T>::min())) std::abort();
    if (max > static_cast<double>(std::numeric_limits<T>::max())) std::abort();
  }
  if constexpr (requires { choices.values(); }) {
    if (choices.values().empty()) std::abort();
  }
}

}  // namespace trustsql
