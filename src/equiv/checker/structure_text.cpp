#include "equiv/checker/structure_text.hpp"

#include <bit>
#include <type_traits>
#include <unordered_map>

#include "base/type_traits.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

namespace {

class Writer {
 public:
  Writer(AttributeName name, AttributeSet own) : name_(name), own_(std::move(own)) {}

  template <class T>
  void write(const T& part) {
    if constexpr (std::is_same_v<T, AttributeId>) {
      attribute(part);
    } else if constexpr (std::is_same_v<T, Literal>) {
      value(part.value);
    } else if constexpr (std::is_same_v<T, Compare>) {
      compare(part);
    } else if constexpr (ast::Node<T>) {
      T::with_fields([&](const auto&... field) { (write(part.*field.part), ...); });
    } else if constexpr (is_instance_of<T, std::variant>) {
      number('v', part.index());
      std::visit([&](const auto& held) { write(held); }, part);
    } else if constexpr (is_instance_of<T, std::vector>) {
      number('n', part.size());
      for (const auto& element : part) write(element);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      text(part);
    } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      number('i', static_cast<std::uint64_t>(part));
    } else {  // Box, optional
      text_ += part ? '+' : '-';
      if (part) write(*part);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  // a > b becomes b < a, and symmetric operators get one order of operands.
  void compare(const Compare& n) {
    std::string sides[2];
    const auto before = text_.size();
    for (const auto* side : {&*n.left, &*n.right}) {
      write(*side);
      sides[side == &*n.right ? 1 : 0] = text_.substr(before);
      text_.resize(before);
    }
    auto op = n.op;
    const bool symmetric =
        op == CompareOp::equal || op == CompareOp::not_equal || op == CompareOp::is || op == CompareOp::is_not;
    if (op == CompareOp::greater || op == CompareOp::greater_equal || (symmetric && sides[1] < sides[0])) {
      std::swap(sides[0], sides[1]);
      op = mirrored(op);
    }
    write(op);
    write(n.how);
    text_ += sides[0];
    text_ += sides[1];
  }

  void attribute(AttributeId id) {
    if (!own_.contains(id)) return number('f', name_(id));
    number('o', numbers_.emplace(id, numbers_.size()).first->second);
  }

  void value(const Value& value) {
    number('l', value.index());
    const auto shown = view(value);
    switch (shown.type) {
      case ValueType::null: break;
      case ValueType::integer: number('i', static_cast<std::uint64_t>(shown.integer)); break;
      case ValueType::real: number('r', std::bit_cast<std::uint64_t>(shown.real)); break;
      default: text(shown.bytes); break;
    }
  }
  void text(std::string_view value) {
    number('t', value.size());
    text_ += value;
  }
  void number(char kind, std::uint64_t value) {
    text_ += kind;
    text_ += std::to_string(value);
  }

  AttributeName name_;
  AttributeSet own_;
  std::unordered_map<AttributeId, std::size_t> numbers_;  // of its own attributes, in order of appearance
  std::string text_;
};

template <class Node>
std::string text_of(const Node& node, AttributeName name) {
  AttributeSet own;
  add_produced(node, own);
  Writer writer(name, std::move(own));
  writer.write(node);
  return writer.take();
}

}  // namespace

std::string structure_text(const Expr& expr, AttributeName name) { return text_of(expr, name); }
std::string structure_text(const Rel& rel, AttributeName name) { return text_of(rel, name); }

}  // namespace trustsql::equiv::checker
