#include "base/json_tree.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_brackets.hpp"

namespace trustsql {

namespace {

// Receives the events of nlohmann's parser. Values are put into the innermost array or object that is open; members are
// not moved while they are open, because only the last one of each can be.
class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit TreeBuilder(JsonTree& root) : root_(root) {}

  bool null() override { return put({}); }
  bool boolean(bool value) override {
    JsonTree tree;
    tree.kind = JsonTree::Kind::boolean;
    tree.truth = value;
    return put(std::move(tree));
  }
  bool number_integer(number_integer_t value) override {
    JsonTree tree;
    tree.kind = JsonTree::Kind::integer;
    tree.integer = value;
    tree.real = static_cast<double>(value);
    return put(std::move(tree));
  }
  bool number_unsigned(number_unsigned_t value) override {
    JsonTree tree;
    tree.kind = JsonTree::Kind::natural;
    tree.natural = value;
    tree.real = static_cast<double>(value);
    return put(std::move(tree));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    JsonTree tree;
    tree.kind = JsonTree::Kind::real;
    tree.real = value;
    return put(std::move(tree));
  }
  bool string(string_t& value) override {
    JsonTree tree;
    tree.kind = JsonTree::Kind::text;
    tree.text = value;
    return put(std::move(tree));
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(JsonTree::Kind::object); }
  bool key(string_t& name) override {
    name_ = name;
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(JsonTree::Kind::array); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

 private:
  JsonTree& add(JsonTree tree) {
    if (open_.empty()) {
      root_ = std::move(tree);
      return root_;
    }
    auto& members = open_.back()->members;
    members.emplace_back(std::exchange(name_, {}), std::move(tree));
    return members.back().second;
  }
  bool put(JsonTree tree) {
    add(std::move(tree));
    return true;
  }
  bool open(JsonTree::Kind kind) {
    JsonTree tree;
    tree.kind = kind;
    open_.push_back(&add(std::move(tree)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  JsonTree& root_;
  std::vector<JsonTree*> open_;
  std::string name_;
};

}  // namespace

const JsonTree* JsonTree::find(std::string_view name) const {
  const auto found = std::ranges::find_if(members, [&](const auto& member) { return member.first == name; });
  return found == members.end() ? nullptr : &found->second;
}

std::optional<JsonTree> parse_json(std::string_view text, int nesting) {
  if (json_nesting(text) > nesting) return std::nullopt;
  JsonTree root;
  TreeBuilder builder(root);
  if (!nlohmann::json::sax_parse(text, &builder)) return std::nullopt;
  return root;
}

}  // namespace trustsql
