#include "plan/shape.hpp"

#include "base/text.hpp"
#include "base/type_traits.hpp"
#include "db/catalog/catalog.hpp"

namespace trustsql::plan {

namespace {

class ShapeOrder {
 public:
  explicit ShapeOrder(const Plan& plan) : plan_(plan) {}

  template <class T>
  int operator()(const T& a, const T& b) const {
    if constexpr (std::is_same_v<T, AttributeId>) {
      return of_attributes(a, b);
    } else if constexpr (std::is_same_v<T, Literal>) {
      return of_values(a.value, b.value);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      return a.compare(b);
    } else if constexpr (ast::Node<T>) {
      int result = 0;
      T::with_fields([&](const auto&... field) {
        static_cast<void>((... || ((result = (*this)(a.*field.part, b.*field.part)) != 0)));
      });
      return result;
    } else if constexpr (is_instance_of<T, std::variant>) {
      if (a.index() != b.index()) return a.index() < b.index() ? -1 : 1;
      return std::visit(
          [&](const auto& held) {
            using Held = std::decay_t<decltype(held)>;
            return (*this)(held, *std::get_if<Held>(&b));
          },
          a);
    } else if constexpr (is_instance_of<T, std::vector>) {
      if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (const int order = (*this)(a[i], b[i]); order != 0) return order;
      }
      return 0;
    } else if constexpr (Nullable<T>) {
      if (static_cast<bool>(a) != static_cast<bool>(b)) return a ? 1 : -1;
      return a ? (*this)(*a, *b) : 0;
    } else {
      return a < b ? -1 : b < a ? 1 : 0;
    }
  }

 private:
  int of_attributes(AttributeId a, AttributeId b) const {
    if (a == b) return 0;
    const auto& first = plan_.attributes[a];
    const auto& second = plan_.attributes[b];
    if ((first.table == nullptr) != (second.table == nullptr)) return first.table != nullptr ? -1 : 1;
    if (first.table != nullptr) {
      if (first.table != second.table) {
        if (const int order = first.table->name.compare(second.table->name); order != 0) return order;
      }
      return first.position < second.position ? -1 : first.position > second.position ? 1 : 0;
    }
    return first.shape < second.shape ? -1 : first.shape > second.shape ? 1 : 0;
  }

  static int of_values(const Value& a, const Value& b) {
    const auto order = compare(view(a), view(b));
    if (order != 0) return order < 0 ? -1 : 1;
    return a.index() < b.index() ? -1 : a.index() > b.index() ? 1 : 0;
  }

  const Plan& plan_;
};

class ShapeHash {
 public:
  explicit ShapeHash(const Plan& plan) : plan_(plan) {}

  template <class T>
  std::uint64_t operator()(const T& value, std::uint64_t seed) const {
    if constexpr (std::is_same_v<T, AttributeId>) {
      const auto& attribute = plan_.attributes[value];
      if (attribute.table == nullptr) return combine(seed, attribute.shape);
      return combine(combine(seed, std::hash<std::string_view>{}(attribute.table->name)),
                     static_cast<std::uint64_t>(attribute.position + 2));
    } else if constexpr (std::is_same_v<T, Literal>) {
      return value.hash(seed);
    } else if constexpr (ast::Node<T>) {
      T::with_fields([&](const auto&... field) { ((seed = (*this)(value.*field.part, seed)), ...); });
      return seed;
    } else if constexpr (is_instance_of<T, std::variant>) {
      seed = combine(seed, value.index());
      return std::visit([&](const auto& held) { return (*this)(held, seed); }, value);
    } else if constexpr (is_instance_of<T, std::vector>) {
      seed = combine(seed, value.size());
      for (const auto& element : value) seed = (*this)(element, seed);
      return seed;
    } else if constexpr (Nullable<T>) {
      seed = combine(seed, value ? 1 : 0);
      return value ? (*this)(*value, seed) : seed;
    } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      return combine(seed, static_cast<std::uint64_t>(value));
    } else {
      return combine(seed, std::hash<T>{}(value));
    }
  }

 private:
  static std::uint64_t combine(std::uint64_t seed, std::uint64_t value) { return mix64(seed ^ mix64(value)); }

  const Plan& plan_;
};

}  // namespace

int compare_shape(const Expr& a, const Expr& b, const Plan& plan) { return ShapeOrder(plan)(a, b); }
int compare_shape(const Rel& a, const Rel& b, const Plan& plan) { return ShapeOrder(plan)(a, b); }
int compare_shape(const SortKey& a, const SortKey& b, const Plan& plan) { return ShapeOrder(plan)(a, b); }
int compare_shape(AttributeId a, AttributeId b, const Plan& plan) { return ShapeOrder(plan)(a, b); }
std::uint64_t shape_hash(const Expr& expr, const Plan& plan, std::uint64_t seed) { return ShapeHash(plan)(expr, seed); }
std::uint64_t shape_hash(const Rel& rel, const Plan& plan, std::uint64_t seed) { return ShapeHash(plan)(rel, seed); }

}  // namespace trustsql::plan
