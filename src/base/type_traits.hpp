// Type traits for generic code.
#pragma once

#include <type_traits>

namespace trustsql {

// Whether T is an instance of the class template `Of`: is_instance_of<T, std::vector>.
template <class T, template <class...> class Of>
inline constexpr bool is_instance_of = false;
template <template <class...> class Of, class... Arguments>
inline constexpr bool is_instance_of<Of<Arguments...>, Of> = true;

// Holds one value or none: std::optional, an owning pointer.
template <class T>
concept Nullable = requires(const T& value) {
  static_cast<bool>(value);
  *value;
};

}  // namespace trustsql
