#include "equiv/refuter/json_shape.hpp"

#include <algorithm>
#include <charconv>
#include <variant>

#include "base/text.hpp"

namespace trustsql::equiv {

namespace {

constexpr std::size_t deepest_path = 8;
constexpr std::size_t max_members = 16;  // of an object
constexpr std::size_t max_elements = 6;  // of an array
constexpr std::size_t max_values = 12;   // at one place
constexpr std::size_t longest_json_text = 100;
constexpr std::size_t complete_documents = 3;
constexpr std::int64_t largest_varied = std::int64_t{1} << 60;

// One in so many parts of a document ...
constexpr std::uint64_t one_is_absent_of = 6;
constexpr std::uint64_t one_is_null_of = 10;
constexpr std::uint64_t one_is_no_container_of = 12;

bool is_text(const Value& value) { return std::holds_alternative<std::string>(value); }
bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

std::string in_other_case(const std::string& text) {
  std::string lower = to_lower_ascii(text);
  if (lower != text) return lower;
  for (char& c : lower) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return lower;
}

// Reads a path step by step.
class PathReader {
 public:
  explicit PathReader(std::string_view rest) : rest_(rest) {}

  std::optional<JsonPath> read() {
    if (!skip('$')) return std::nullopt;
    JsonPath path;
    while (!rest_.empty()) {
      auto step = skip('.') ? member() : skip('[') ? element() : std::nullopt;
      if (!step) return std::nullopt;
      path.push_back(*std::move(step));
    }
    return path;
  }

 private:
  bool skip(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view take(std::size_t size) {
    const auto taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::optional<JsonStep> member() {
    if (skip('"')) {
      const auto end = rest_.find('"');
      if (end == std::string_view::npos) return std::nullopt;
      const auto name = take(end);
      skip('"');
      return JsonStep::to_member(name);
    }
    const auto name = take(std::min(rest_.find_first_of(".["), rest_.size()));
    if (name.empty()) return std::nullopt;
    return JsonStep::to_member(name);
  }

  // [3], [#] or [#-2].
  std::optional<JsonStep> element() {
    const bool from_end = skip('#');
    const bool before_end = from_end && skip('-');
    std::size_t index = 0;
    if (!from_end || before_end) {
      const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), index);
      if (read.ec != std::errc()) return std::nullopt;
      take(static_cast<std::size_t>(read.ptr - rest_.data()));
    }
    if (!skip(']')) return std::nullopt;
    return JsonStep::to_element(before_end && index > 0 ? index - 1 : index);
  }

  std::string_view rest_;
};

}  // namespace

std::optional<JsonPath> parse_json_path(std::string_view text) { return PathReader(text).read(); }

std::optional<JsonPath> json_operand_path(const Value& operand) {
  if (const auto* index = std::get_if<std::int64_t>(&operand))
    return JsonPath{JsonStep::to_element(static_cast<std::size_t>(*index < 0 ? -(*index + 1) : *index))};
  const auto* text = std::get_if<std::string>(&operand);
  if (text == nullptr) return std::nullopt;
  if (text->starts_with('$')) return parse_json_path(*text);
  return JsonPath{JsonStep::to_member(*text)};
}

JsonShape::Node& JsonShape::step(Node& node, const JsonStep& step) {
  if (step.elements > 0) {
    node.elements = std::max(node.elements, std::min(step.elements, max_elements));
    if (node.element.empty()) node.element.emplace_back();
    return node.element.front();
  }
  auto& members = node.members;
  const auto known = std::ranges::find(members, step.member, &std::pair<std::string, Node>::first);
  if (known != members.end()) return known->second;
  if (members.size() == max_members) return members.back().second;
  return members.emplace_back(step.member, Node()).second;
}

JsonShape::Node* JsonShape::find(const JsonPath& path) {
  if (path.size() > deepest_path) return nullptr;
  Node* node = &root_;
  for (const auto& each : path) node = &step(*node, each);
  return node;
}

void JsonShape::hold(const JsonPath& path, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (!is_number(value) && (text == nullptr || text->size() > longest_json_text)) return;
  Node* node = find(path);
  if (node == nullptr) return;
  const auto take = [&](const Value& each) {
    if (node->values.size() < max_values && std::ranges::find(node->values, each) == node->values.end())
      node->values.push_back(each);
  };
  take(value);
  if (text != nullptr) {
    take(*text + "x");
    take("x" + *text);
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value);
      integer != nullptr && std::abs(*integer) < largest_varied) {
    take(*integer + 1);
    take(*integer - 1);
    take(std::to_string(*integer));
  }
  if (const auto* real = std::get_if<double>(&value)) {
    take(*real + 0.5);
    take(*real - 0.5);
  }
}

void JsonShape::calculate(const JsonPath& path) {
  if (Node* node = find(path)) node->numeric = true;
}

void JsonShape::list(const JsonPath& path, std::size_t elements) {
  auto first = path;
  first.push_back(JsonStep::to_element(elements > 0 ? elements - 1 : 0));
  find(first);
}

void JsonShape::merge(Node& node, const Node& other) {
  for (const auto& value : other.values) {
    if (node.values.size() < max_values && std::ranges::find(node.values, value) == node.values.end())
      node.values.push_back(value);
  }
  for (const auto& [name, member] : other.members) merge(step(node, JsonStep::to_member(name)), member);
  if (!other.element.empty()) merge(step(node, JsonStep::to_element(other.elements - 1)), other.element.front());
  node.numeric = node.numeric || other.numeric;
}

void JsonShape::write_value(JsonWriter& out, const Node& node, const Style& style) {
  static const std::vector<Value> numbers = {std::int64_t{1}, std::int64_t{2}, 2.5, std::int64_t{-3}};
  static const std::vector<Value> usual = {std::int64_t{1}, std::string("a"), std::int64_t{2}, std::string("b")};
  static const std::vector<Value> texts = {std::string("a"), std::string("b")};
  if (style.chance != nullptr && style.chance->below(one_is_null_of) == 0) {
    out.null();
    return;
  }
  const auto& others = node.numeric ? numbers : std::ranges::any_of(node.values, is_text) ? texts : usual;
  const auto at =
      (style.chance != nullptr ? style.chance->below(64) : style.turn) % (node.values.size() + others.size());
  const auto& value = at < node.values.size() ? node.values[at] : others[at - node.values.size()];
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    out.value(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    out.value(*real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    out.value(style.upper ? in_other_case(*text) : *text);
  }
}

void JsonShape::write(JsonWriter& out, const Node& node, const Style& style) {
  const auto is_chosen = [&](std::uint64_t one_of) {
    return style.chance != nullptr && style.chance->below(one_of) == 0;
  };
  const bool is_array = !node.element.empty() && (node.members.empty() || is_chosen(2));
  const bool is_container = is_array || !node.members.empty();
  if (!is_container || is_chosen(one_is_no_container_of)) return write_value(out, node, style);
  if (is_array) {
    const auto usual = node.elements + style.turn % 2;
    const auto size = style.chance == nullptr ? usual : style.chance->below(node.elements + 2);
    out.begin_array();
    Style own = style;
    for (std::size_t i = 0; i < size; ++i, ++own.turn) write(out, node.element.front(), own);
    out.end_array();
    return;
  }
  out.begin_object();
  for (const auto& [name, member] : node.members) {
    if (is_chosen(one_is_absent_of)) continue;
    out.key(name);
    write(out, member, style);
  }
  out.end_object();
}

std::string JsonShape::document(const Style& style) const {
  JsonWriter out;
  write(out, root_, style);
  return std::move(out).text();
}

std::vector<std::string> JsonShape::documents(std::size_t count) const {
  std::vector<std::string> all;
  Random random(count);
  // Some of those that are made will be the same.
  for (std::size_t i = 0; i < 2 * count && all.size() < count; ++i) {
    auto text = document({.turn = i, .chance = i < complete_documents ? nullptr : &random});
    if (std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
  }
  return all;
}

std::string JsonShape::other_case() const {
  auto text = document({.upper = true});
  return text == document({}) ? std::string() : text;
}

}  // namespace trustsql::equiv
