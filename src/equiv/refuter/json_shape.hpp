// What queries read in a column of JSON documents, and documents in which they find it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.hpp"
#include "base/random.hpp"
#include "base/value.hpp"

namespace trustsql::equiv {

// One step from a part of a document to a smaller part: to a member of an object, or to an element of an array.
struct JsonStep {
  std::string member{};
  std::size_t elements = 0;  // that the array must have at least; 0 for a member

  static JsonStep to_member(std::string_view name) { return {std::string(name), 0}; }
  static JsonStep to_element(std::size_t index) { return {{}, index + 1}; }
  friend bool operator==(const JsonStep&, const JsonStep&) = default;
};

// From the whole document; without steps it is the document itself.
using JsonPath = std::vector<JsonStep>;

// A path such as $.a.b[2] or $."a b"[#-1] (https://sqlite.org/json1.html, 3.3). nullopt if it is none.
std::optional<JsonPath> parse_json_path(std::string_view text);

// The right operand of -> or ->>: a path, a name, or the number of an element; from the end if it is negative. nullopt
// for other values. (https://sqlite.org/json1.html, 4.10)
std::optional<JsonPath> json_operand_path(const Value& operand);

constexpr int deepest_document = 100;  // deeper documents are not looked into

class JsonShape {
 public:
  // Something is at `path`.
  void read(const JsonPath& path) { find(path); }
  // `value`, a number or a text, may be there.
  void hold(const JsonPath& path, const Value& value);
  // What is there is calculated with.
  void calculate(const JsonPath& path);
  // What is there is read element by element; it may have `elements` of them.
  void list(const JsonPath& path, std::size_t elements);
  void add(const JsonShape& other) { merge(root_, other.root_); }

  // Documents in which the queries find what they read, and some that lack a part of it or have something else there;
  // all different, at most `count`.
  std::vector<std::string> documents(std::size_t count) const;
  // The first of these in another letter case; empty if there is none.
  std::string other_case() const;

 private:
  struct Node {
    std::vector<Value> values{};
    std::vector<std::pair<std::string, Node>> members{};  // of an object
    std::vector<Node> element{};                          // of an array: what all its elements look like
    std::size_t elements = 0;
    bool numeric = false;
  };

  static Node& step(Node& node, const JsonStep& step);
  Node* find(const JsonPath& path);  // the part at `path`, added if it is new; null if it is too deep
  static void merge(Node& node, const Node& other);

  // How a document is written.
  struct Style {
    std::size_t turn = 0;      // which of the values comes first
    Random* chance = nullptr;  // for parts that are left out or replaced
    bool upper = false;        // texts have the other letter case
  };
  static void write(JsonWriter& out, const Node& node, const Style& style);
  static void write_value(JsonWriter& out, const Node& node, const Style& style);
  std::string document(const Style& style) const;

  Node root_;
};

}  // namespace trustsql::equiv
