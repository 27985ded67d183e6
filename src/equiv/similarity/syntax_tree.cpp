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

using plan::PlanGraph;

// Nodes that only wrap another node.
template <class T>
constexpr bool is_wrapper = std::is_same_v<T, ast::Expr> || std::is_same_v<T, ast::Subquery>;
// Nodes whose parts are clauses.
template <class T>
constexpr bool has_clauses = std::is_same_v<T, ast::Select> || std::is_same_v<T, ast::Query>;

// Adds a syntax tree to `Sink`, whose add(parent, value, text) returns the number of a new node: `value` is its type
// with its operators and flags, `text` what a name or a literal says, or null.
template <class Sink>
class Builder {
 public:
  explicit Builder(Sink& sink) : sink_(sink) {}

  template <ast::Node T>
  void add(int parent, const T& node) {
    const int index = is_wrapper<T> ? parent : add_labelled(parent, node);
    const auto add_field = [&](const auto& field) {
      const auto& part = node.*field.part;
      if (is_there(part)) add_part(has_clauses<T> ? sink_.add(index, std::string(field.name), nullptr) : index, part);
    };
    T::with_fields([&](const auto&... field) { (add_field(field), ...); });
  }

 private:
  template <class T>
  int add_labelled(int parent, const T& node) {
    std::string value(node_type<T>);
    const std::string* text = nullptr;
    const auto take = [&](const auto& part) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part)>, std::string>) text = &part;
      append_own(value, part);
    };
    T::with_fields([&](const auto&... field) { (take(node.*field.part), ...); });
    return sink_.add(parent, std::move(value), text);
  }
  // The part of a value that comes from one part of the node.
  template <class Part>
  static void append_own(std::string& value, const Part& part) {
    if constexpr (std::is_enum_v<Part> || std::is_same_v<Part, bool>)
      value.append(" ").append(std::to_string(static_cast<int>(part)));
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
  void add_part(int parent, const Part& part) {
    if constexpr (std::is_same_v<Part, ast::Name>) {
      const auto text = to_lower_ascii(part.text);
      sink_.add(parent, "name", &text);
    } else if constexpr (std::is_same_v<Part, std::vector<ast::Arm>>) {
      for (std::size_t i = 0; i < part.size(); ++i) {
        std::string value = "set operator";
        append_own(value, part[i].op);
        add_part(i == 0 ? parent : sink_.add(parent, std::move(value), nullptr), part[i].body);
      }
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

  Sink& sink_;
};

struct GraphSink {
  int add(int parent, std::string value, const std::string* text) {
    const int index = static_cast<int>(graph.nodes.size());
    const auto kind = text != nullptr ? PlanGraph::NodeKind::content : PlanGraph::NodeKind::computing;
    graph.nodes.push_back({kind, text != nullptr ? *text : std::move(value)});
    if (index > 0) graph.edges.push_back({PlanGraph::EdgeKind::tree, parent, index});
    return index;
  }

  PlanGraph graph{};
};

struct TreeSink {
  int add(int parent, const std::string& value, const std::string* text) {
    std::uint64_t label = std::hash<std::string>{}(value);
    if (text != nullptr) label = mix64(label ^ mix64(leaves == Leaves::named ? std::hash<std::string>{}(*text) : 0));
    return static_cast<int>(tree.add(static_cast<std::uint32_t>(parent), label));
  }

  Leaves leaves;
  MatchTree tree{};
};

}  // namespace

plan::PlanGraph syntax_graph(const ast::Query& query) {
  GraphSink sink;
  Builder(sink).add(0, query);
  return std::move(sink.graph);
}

MatchTree syntax_tree(const ast::Query& query, Leaves leaves) {
  TreeSink sink{leaves};
  Builder(sink).add(0, query);
  return std::move(sink.tree);
}

}  // namespace trustsql
