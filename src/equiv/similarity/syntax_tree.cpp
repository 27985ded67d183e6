#include "equiv/similarity/syntax_tree.hpp"

#include <functional>
#include <string>
#include <type_traits>

#include "base/text.hpp"
#include "base/type_traits.hpp"
#include "sql/ast_types.hpp"
#include "sql/ast_walk.hpp"

namespace trustsql {

namespace {

std::uint64_t hash_text(std::string_view text) { return std::hash<std::string_view>{}(text); }
std::uint64_t combined(std::uint64_t a, std::uint64_t b) { return mix64(a ^ mix64(b)); }

// Nodes that only wrap another node.
template <class T>
constexpr bool is_wrapper = std::is_same_v<T, ast::Expr> || std::is_same_v<T, ast::Subquery>;
// Nodes whose parts are clauses.
template <class T>
constexpr bool has_clauses = std::is_same_v<T, ast::Select> || std::is_same_v<T, ast::Query>;

class Builder {
 public:
  Builder(MatchTree& tree, Leaves leaves) : tree_(tree), leaves_(leaves) {}

  template <ast::Node T>
  void add(std::uint32_t parent, const T& node) {
    const std::uint32_t index = is_wrapper<T> ? parent : tree_.add(parent, label(node));
    const auto add_field = [&](const auto& field) {
      const auto& part = node.*field.part;
      if (is_there(part)) add_part(has_clauses<T> ? tree_.add(index, hash_text(field.name)) : index, part);
    };
    std::apply([&](const auto&... field) { (add_field(field), ...); }, T::fields());
  }

 private:
  template <class T>
  std::uint64_t label(const T& node) const {
    std::uint64_t hash = hash_text(node_type<T>);
    std::apply([&](const auto&... field) { ((hash = combined(hash, own_label(node.*field.part))), ...); }, T::fields());
    return hash;
  }
  // The part of a label that comes from one part of the node.
  template <class Part>
  std::uint64_t own_label(const Part& part) const {
    if constexpr (std::is_enum_v<Part> || std::is_same_v<Part, bool>) {
      return static_cast<std::uint64_t>(part) + 1;
    } else if constexpr (std::is_same_v<Part, std::string>) {
      return leaves_ == Leaves::named ? hash_text(part) : 0;
    } else {
      return 0;
    }
  }

  template <class Part>
  static bool is_there(const Part& part) {
    if constexpr (is_instance_of<Part, std::vector>) {
      return !part.empty();
    } else if constexpr (std::is_enum_v<Part> || std::is_same_v<Part, bool> || std::is_same_v<Part, std::string>) {
      return false;
    } else if constexpr (Nullable<Part>) {
      return static_cast<bool>(part);
    } else {
      return true;
    }
  }
  template <class Part>
  void add_part(std::uint32_t parent, const Part& part) {
    if constexpr (std::is_same_v<Part, ast::Name>) {
      tree_.add(parent,
                combined(hash_text("name"), leaves_ == Leaves::named ? hash_text(to_lower_ascii(part.text)) : 0));
    } else if constexpr (std::is_same_v<Part, std::vector<ast::Arm>>) {
      for (std::size_t i = 0; i < part.size(); ++i)
        add_part(i == 0 ? parent : tree_.add(parent, combined(hash_text("set operator"), own_label(part[i].op))),
                 part[i].body);
    } else if constexpr (ast::Node<Part>) {
      add(parent, part);
    } else if constexpr (is_instance_of<Part, std::variant>) {
      std::visit([&](const auto& held) { add_part(parent, held); }, part);
    } else if constexpr (is_instance_of<Part, std::vector>) {
      for (const auto& element : part) add_part(parent, element);
    } else if constexpr (Nullable<Part>) {
      if (part) add_part(parent, *part);
    }
  }

  MatchTree& tree_;
  Leaves leaves_;
};

}  // namespace

MatchTree syntax_tree(const ast::Query& query, Leaves leaves) {
  MatchTree tree;
  Builder(tree, leaves).add(0, query);
  return tree;
}

}  // namespace trustsql
