// The fields of the nodes of the syntax tree, declared once for all algorithms that traverse a tree.
//
// A node type is a plain struct that lists its fields with TRUSTSQL_FIELDS. Deep equality and hashing (below), the
// walks of ast_walk.hpp and the JSON form of ast_json.hpp are derived from that list, so all of them cover a new field
// as soon as it is listed. What is not listed, such as the position in the text, is not part of the tree's value.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/value.hpp"

namespace trustsql::ast {

// A child that a node owns: a unique_ptr with value semantics. Copies are deep, and == compares the children. It may be
// empty only where a node says so.
template <class T>
class Box {
 public:
  Box() = default;
  Box(T value) : owned_(std::make_unique<T>(std::move(value))) {}
  Box(Box&&) noexcept = default;
  Box& operator=(Box&&) noexcept = default;
  Box(const Box& other) : owned_(other.owned_ ? std::make_unique<T>(*other.owned_) : nullptr) {}
  Box& operator=(const Box& other) {
    if (this != &other) *this = Box(other);
    return *this;
  }
  ~Box() = default;

  explicit operator bool() const { return owned_ != nullptr; }
  // Precondition of the next four: not empty.
  T& operator*() { return *owned_; }
  const T& operator*() const { return *owned_; }
  T* operator->() { return owned_.get(); }
  const T* operator->() const { return owned_.get(); }
  // nullptr if empty.
  T* get() { return owned_.get(); }
  const T* get() const { return owned_.get(); }

  friend bool operator==(const Box& a, const Box& b) { return a && b ? *a == *b : !a && !b; }

 private:
  std::unique_ptr<T> owned_;
};

template <class Node, class Part>
struct Field {
  std::string_view name;
  Part Node::*part;
};
template <class Node, class Part>
Field(const char*, Part Node::*) -> Field<Node, Part>;

// A struct with TRUSTSQL_FIELDS().
template <class T>
concept Node = std::same_as<typename T::FieldsOf, T>;

// Base class of a node type that holds one of several node types in its variant `node`.
template <class Self>
struct OneOf {
  // The node as a T, or nullptr if it is another: if (const auto* call = expr.as<Call>()) ...
  template <class T>
  const T* as() const {
    return std::get_if<T>(&static_cast<const Self*>(this)->node);
  }
  template <class T>
  T* as() {
    return std::get_if<T>(&static_cast<Self*>(this)->node);
  }
  template <class T>
  bool is() const {
    return std::holds_alternative<T>(static_cast<const Self*>(this)->node);
  }
};

// Whether T is one of the types of the variant V.
template <class T, class V>
inline constexpr bool is_alternative = false;
template <class T, class... U>
inline constexpr bool is_alternative<T, std::variant<U...>> = (std::is_same_v<T, U> || ...);

namespace detail {

inline std::uint64_t combine(std::uint64_t seed, std::uint64_t value) { return mix64(seed ^ mix64(value)); }

template <class T>
struct Hasher {
  static std::uint64_t hash(const T& value, std::uint64_t seed) {
    if constexpr (requires { value.hash(seed); }) {
      return value.hash(seed);
    } else if constexpr (Node<T>) {
      T::with_fields([&](const auto&... field) {
        ((seed = Hasher<std::decay_t<decltype(value.*field.part)>>::hash(value.*field.part, seed)), ...);
      });
      return seed;
    } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
      return combine(seed, static_cast<std::uint64_t>(value));
    } else {
      return combine(seed, std::hash<T>{}(value));
    }
  }
};
template <class T>
struct Hasher<Box<T>> {
  static std::uint64_t hash(const Box<T>& box, std::uint64_t seed) {
    return box ? Hasher<T>::hash(*box, combine(seed, 1)) : combine(seed, 0);
  }
};
template <class T>
struct Hasher<std::optional<T>> {
  static std::uint64_t hash(const std::optional<T>& value, std::uint64_t seed) {
    return value ? Hasher<T>::hash(*value, combine(seed, 1)) : combine(seed, 0);
  }
};
template <class T>
struct Hasher<std::vector<T>> {
  static std::uint64_t hash(const std::vector<T>& list, std::uint64_t seed) {
    seed = combine(seed, list.size());
    for (const auto& element : list) seed = Hasher<T>::hash(element, seed);
    return seed;
  }
};
template <class... T>
struct Hasher<std::variant<T...>> {
  static std::uint64_t hash(const std::variant<T...>& value, std::uint64_t seed) {
    seed = combine(seed, value.index());
    return std::visit([&](const auto& held) { return Hasher<std::decay_t<decltype(held)>>::hash(held, seed); }, value);
  }
};

}  // namespace detail

// Equal in every field, at any depth. Types that define their own equality say why.
template <Node T>
bool operator==(const T& a, const T& b) {
  return T::with_fields([&](const auto&... field) { return (... && (a.*field.part == b.*field.part)); });
}

// A hash under which equal trees are equal. `seed` selects an independent function.
template <Node T>
std::uint64_t hash(const T& node, std::uint64_t seed = 0) {
  return detail::Hasher<T>::hash(node, seed);
}

}  // namespace trustsql::ast

// Lists the fields of the node type `Type`, in the order of the text: TRUSTSQL_FIELDS(Binary, op, left, right).
// Binary::with_fields(use) is then use(field, ...) with a Field for each.
#define TRUSTSQL_FIELDS(Type, ...)                                          \
  using FieldsOf = Type;                                                    \
  template <class Use>                                                      \
  static constexpr decltype(auto) with_fields(Use&& use) {                  \
    return use(TRUSTSQL_EXPAND_(TRUSTSQL_FIELD_FIRST_(Type, __VA_ARGS__))); \
  }

#define TRUSTSQL_FIELD_FIRST_(Type, name, ...) \
  ::trustsql::ast::Field{#name, &Type::name} __VA_OPT__(TRUSTSQL_FIELD_AGAIN_ TRUSTSQL_PARENS_(Type, __VA_ARGS__))
#define TRUSTSQL_FIELD_NEXT_(Type, name, ...) \
  , ::trustsql::ast::Field{#name, &Type::name} __VA_OPT__(TRUSTSQL_FIELD_AGAIN_ TRUSTSQL_PARENS_(Type, __VA_ARGS__))
#define TRUSTSQL_FIELD_AGAIN_() TRUSTSQL_FIELD_NEXT_
#define TRUSTSQL_PARENS_ ()
// Rescans often enough for 16 fields.
#define TRUSTSQL_EXPAND_(...) TRUSTSQL_EXPAND4_(TRUSTSQL_EXPAND4_(TRUSTSQL_EXPAND4_(TRUSTSQL_EXPAND4_(__VA_ARGS__))))
#define TRUSTSQL_EXPAND4_(...) TRUSTSQL_EXPAND1_(TRUSTSQL_EXPAND1_(TRUSTSQL_EXPAND1_(TRUSTSQL_EXPAND1_(__VA_ARGS__))))
#define TRUSTSQL_EXPAND1_(...) __VA_ARGS__

// Copying, moving, destroying and comparing values of `Type`, a struct around a variant of many node types. They are
// defined in one source file, by TRUSTSQL_DEFINE_VALUE: instantiating them in every file that uses a tree would cost
// seconds of compile time per file.
#define TRUSTSQL_DECLARE_VALUE(Type)      \
  Type(const Type& other);                \
  Type(Type&& other) noexcept;            \
  Type& operator=(const Type& other);     \
  Type& operator=(Type&& other) noexcept; \
  ~Type();                                \
  friend bool operator==(const Type& a, const Type& b);
#define TRUSTSQL_DEFINE_VALUE(Type)                       \
  Type::Type() = default;                                 \
  Type::Type(const Type& other) = default;                \
  Type::Type(Type&& other) noexcept = default;            \
  Type& Type::operator=(const Type& other) = default;     \
  Type& Type::operator=(Type&& other) noexcept = default; \
  Type::~Type() = default;                                \
  bool operator==(const Type& a, const Type& b) { return a.node == b.node; }
