// The `opts` argument that many functions take last: a JSON object with a fixed set of keys.
//
// An option is a typed value that is declared once, with its key, description, default and range:
//
//   inline constexpr Option<double> alpha_option = {
//       .key = "alpha", .description = "The weight of a node itself.", .default_value = 0.5, .min = 0.01, .max = 0.99};
//   inline constexpr Option<std::optional<std::string>> corpus_option = {.key = "corpus", .description = "..."};
//
// A function lists its options in a table, and reads them by their declarations:
//
//   constexpr auto similarity_options = option_table(alpha_option, corpus_option, schema_options);
//   const double alpha = options.get(alpha_option);
//
// Parsing checks a text against the table, so that a misspelt key, a value of the wrong type or one out of range is an
// error that names what is allowed. The same tables print the options in docs/api.md.
//
// T in Option<T> is one of
//   bool, an integer type, double, std::string
//   Value                            a number or a text
//   an enumeration                   one of the texts in `choices`, each of which stands for a value
//   std::vector of Value, std::string or an enumeration: an array; a single value stands for an array of one
//   JsonTexts                        an array of texts, or a text that is such an array as JSON (always optional)
//   std::optional of any of these    an option without a default
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/option_types.hpp"
#include "base/result.hpp"
#include "base/type_traits.hpp"
#include "base/value.hpp"

namespace trustsql {

// An option with a default. Its address identifies it, so it must be a variable of static duration.
template <class T>
struct Option {
  std::string_view key;
  std::string_view description;  // sentences for the documentation, which adds the default
  OptionDefault<T> default_value;
  Choices<T> choices = {};
  double min = -std::numeric_limits<double>::infinity();  // for numbers
  double max = std::numeric_limits<double>::infinity();

  // The row of a table. In a constant expression, a default outside the range or the choices does not compile.
  constexpr operator OptionSpec() const {  // NOLINT(google-explicit-constructor): options are listed by their name
    check_declaration<T>(choices, min, max);
    if (!OptionCodec<T>::is_valid(default_value, choices, min, max)) std::abort();
    return {key, OptionCodec<T>::type, description, choices.names(), min, max, this, [](const void* option) {
              const auto& self = *static_cast<const Option*>(option);
              return OptionCodec<T>::text(self.default_value, self.choices);
            }};
  }
};

// An option without a default.
template <class T>
struct Option<std::optional<T>> {
  std::string_view key;
  std::string_view description;  // sentences for the documentation, with what applies if the option is not given
  Choices<T> choices = {};
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();

  constexpr operator OptionSpec() const {  // NOLINT(google-explicit-constructor)
    check_declaration<T>(choices, min, max);
    return {key, OptionCodec<T>::type, description, choices.names(), min, max, this, nullptr};
  }
};

template <class Part>
inline constexpr std::size_t option_rows = 1;
template <std::size_t n>
inline constexpr std::size_t option_rows<std::array<OptionSpec, n>> = n;

// The rows of the parts, one after the other: a part is an option or another table. In a constant expression, a key
// that occurs twice does not compile.
template <class... Parts>
constexpr auto option_table(const Parts&... parts) {
  std::array<OptionSpec, (option_rows<Parts> + ... + 0)> table{};
  std::size_t size = 0;
  const auto add = [&](const OptionSpec& row) {
    for (std::size_t i = 0; i < size; ++i)
      if (table[i].key == row.key) std::abort();
    table[size++] = row;
  };
  const auto add_part = [&](const auto& part) {
    if constexpr (std::is_convertible_v<decltype(part), OptionSpec>) {
      add(part);
    } else {
      for (const auto& row : part) add(row);
    }
  };
  (add_part(parts), ...);
  return table;
}

// Parsed options. Options that were not given, or were given as null, have their default.
class Options {
 public:
  static constexpr std::size_t max_bytes = 1 << 20;

  // Lists no option.
  Options() = default;
  // None of `known`, which must outlive the object, is given.
  explicit Options(std::span<const OptionSpec> known) : known_(known), given_(known.size()) {}

  // Parses `json`, an object. `known` must outlive the result. Errors (invalid_argument): not JSON, not an object,
  // longer than max_bytes, an unknown key (the message lists the known ones), a value of the wrong type or range.
  static Result<Options> parse(std::string_view json, std::span<const OptionSpec> known);

  // The value of an option. Precondition (asserted), as for the following: the table lists it.
  template <class T>
  T get(const Option<T>& option) const {
    const auto* given = find(&option);
    if constexpr (is_instance_of<T, std::optional>) {
      using Bare = typename T::value_type;
      return given != nullptr ? T(OptionCodec<Bare>::read(*given, option.choices)) : T();
    } else {
      return given != nullptr ? OptionCodec<T>::read(*given, option.choices)
                              : OptionCodec<T>::copy(option.default_value);
    }
  }
  // Whether it was given.
  template <class T>
  bool has(const Option<T>& option) const {
    return find(&option) != nullptr;
  }
  // Sets `target` to its value if it was given.
  template <class T, class Target>
  void get_given(const Option<T>& option, Target& target) const {
    if (has(option)) target = get(option);
  }
  // Whether the table lists it: for code that functions with different options share.
  template <class T>
  bool lists(const Option<T>& option) const {
    return row_of(&option) < known_.size();
  }

 private:
  std::size_t row_of(const void* option) const;
  const std::vector<Value>* find(const void* option) const;

  std::span<const OptionSpec> known_;
  std::vector<std::optional<std::vector<Value>>> given_;  // by row of the table
};

// The keys of `known`, as messages list them: "a, b, c".
std::string option_names(std::span<const OptionSpec> known);

}  // namespace trustsql
