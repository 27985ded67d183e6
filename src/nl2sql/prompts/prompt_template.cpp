#include "nl2sql/prompts/prompt_template.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/text.hpp"

namespace trustsql::nl2sql {

namespace {

using Node = PromptTemplate::Node;

bool is_name_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

std::string_view take_name(std::string_view& text) {
  const auto end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_name_byte) - text.begin());
  const auto name = text.substr(0, end);
  text.remove_prefix(end);
  return name;
}

// --- shapes ----------------------------------------------------------------------------------------------------------

std::optional<PromptShape> parse_shape(std::string_view& text) {
  PromptShape shape;
  for (;;) {
    text = text.substr(std::min(text.size(), text.find_first_not_of(' ')));
    const auto name = take_name(text);
    if (name.empty()) return std::nullopt;
    if (text.starts_with('[')) {
      text.remove_prefix(1);
      auto items = parse_shape(text);
      if (!items || !text.starts_with(']')) return std::nullopt;
      text.remove_prefix(1);
      shape.lists.emplace(name, std::move(*items));
    } else {
      shape.texts.emplace_back(name);
    }
    if (!text.starts_with(',')) return shape;
    text.remove_prefix(1);
  }
}

// The shapes that are visible at a place in a template, innermost last.
class Scope {
 public:
  explicit Scope(const PromptShape& shape) : shapes_{&shape} {}

  bool has_text(std::string_view name) const {
    return std::any_of(shapes_.begin(), shapes_.end(), [&](const auto* s) {
      return std::find(s->texts.begin(), s->texts.end(), name) != s->texts.end();
    });
  }
  const PromptShape* list(std::string_view name) const {
    for (auto shape = shapes_.rbegin(); shape != shapes_.rend(); ++shape)
      if (const auto shape_of_list = (*shape)->lists.find(name); shape_of_list != (*shape)->lists.end())
        return &shape_of_list->second;
    return nullptr;
  }
  void enter(const PromptShape& items) { shapes_.push_back(&items); }
  void leave() { shapes_.pop_back(); }

  std::string names() const {
    std::vector<std::string> names;
    for (const auto* shape : shapes_) {
      for (const auto& text : shape->texts) names.push_back("{" + text + "}");
      for (const auto& [name, items] : shape->lists) names.push_back("{#" + name + "}");
    }
    return join(names, ", ");
  }

 private:
  std::vector<const PromptShape*> shapes_;
};

// --- parsing ---------------------------------------------------------------------------------------------------------

struct Tag {
  char kind = 0;  // '#', '?', '!', '/'; 0: a value
  std::string_view name;
  std::size_t length = 0;  // with its braces
};

// The tag at the start of `text`, which begins with '{'.
std::optional<Tag> read_tag(std::string_view text) {
  Tag tag;
  auto unread = text.substr(1);
  if (!unread.empty() && std::string_view("#?!/").find(unread.front()) != std::string_view::npos) {
    tag.kind = unread.front();
    unread.remove_prefix(1);
  }
  tag.name = take_name(unread);
  if (tag.name.empty() || !unread.starts_with('}')) return std::nullopt;
  tag.length = text.size() - unread.size() + 1;
  return tag;
}

std::optional<llm::Role> message_of(std::string_view line) {
  constexpr std::pair<std::string_view, llm::Role> marks[] = {
      {"[system]", llm::Role::system}, {"[user]", llm::Role::user}, {"[assistant]", llm::Role::assistant}};
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  for (const auto& [mark, role] : marks)
    if (line == mark) return role;
  return std::nullopt;
}

class Parser {
 public:
  Parser(std::string_view text, const PromptShape& shape) : text_(text), scope_(shape) {}

  Result<std::vector<Node>> parse() {
    open_.push_back({});
    while (offset_ < text_.size()) TRUSTSQL_RETURN_IF_ERROR(parse_line());
    if (open_.size() > 1) {
      line_ = open_.back().line;
      return error("section {" + open_.back().tag + "} has no end");
    }
    if (has_message_ && begins_with_text(open_.front().body))
      return invalid_argument("there is text before the first message of the template");
    return std::move(open_.front().body);
  }

 private:
  struct Open {
    std::string tag;  // with its sign
    Node::Kind kind = Node::Kind::text;
    std::size_t line = 0;
    std::vector<Node> body;
  };

  // Whether there is text before the first message.
  static bool begins_with_text(const std::vector<Node>& nodes) {
    for (const auto& node : nodes) {
      if (node.kind == Node::Kind::message) return false;
      if (node.body.empty()) return node.kind == Node::Kind::value || !trim(node.text).empty();
      return begins_with_text(node.body);
    }
    return false;
  }

  Status parse_line() {
    const auto line_end = std::min(text_.find('\n', offset_), text_.size());
    const auto line = text_.substr(offset_, line_end - offset_);
    const auto next_line = std::min(line_end + 1, text_.size());
    if (const auto role = message_of(line)) {
      has_message_ = true;
      add(Node{.kind = Node::Kind::message, .text = {}, .role = *role, .body = {}});
    } else if (const auto tag = only_tag(line)) {
      TRUSTSQL_RETURN_IF_ERROR(section(*tag));
    } else {
      TRUSTSQL_RETURN_IF_ERROR(parse_text(text_.substr(offset_, next_line - offset_)));
    }
    offset_ = next_line;
    ++line_;
    return ok_status();
  }

  // The section tag that is the only content of `line`, if there is one.
  static std::optional<Tag> only_tag(std::string_view line) {
    const auto bare = trim(line);
    if (!bare.starts_with('{')) return std::nullopt;
    const auto tag = read_tag(bare);
    return tag && tag->kind != 0 && tag->length == bare.size() ? tag : std::nullopt;
  }

  Status parse_text(std::string_view text) {
    while (!text.empty()) {
      const auto brace = std::min(text.find_first_of("{}"), text.size());
      add_text(text.substr(0, brace));
      text.remove_prefix(brace);
      if (text.empty()) break;
      if (text.starts_with("{{") || text.starts_with("}}")) {
        add_text(text.substr(0, 1));
        text.remove_prefix(2);
        continue;
      }
      const auto tag = text.front() == '{' ? read_tag(text) : std::nullopt;
      if (!tag) return error("a single brace that does not begin a placeholder; write {{ or }} for the character");
      text.remove_prefix(tag->length);
      if (tag->kind != 0) {
        TRUSTSQL_RETURN_IF_ERROR(section(*tag));
      } else if (scope_.has_text(tag->name)) {
        add(Node{.kind = Node::Kind::value, .text = std::string(tag->name), .role = {}, .body = {}});
      } else {
        return unknown(*tag);
      }
    }
    return ok_status();
  }

  Status section(const Tag& tag) {
    if (tag.kind == '/') return close(tag);
    const auto* items = scope_.list(tag.name);
    if (tag.kind == '#' ? items == nullptr : items == nullptr && !scope_.has_text(tag.name)) return unknown(tag);
    if (open_.size() > PromptTemplate::max_depth)
      return error("sections are nested more than " + std::to_string(PromptTemplate::max_depth) + " deep");
    const auto kind = tag.kind == '#'   ? Node::Kind::each
                      : tag.kind == '?' ? Node::Kind::if_present
                                        : Node::Kind::if_empty;
    if (kind == Node::Kind::each) scope_.enter(*items);
    open_.push_back({.tag = tag.kind + std::string(tag.name), .kind = kind, .line = line_, .body = {}});
    return ok_status();
  }

  Status close(const Tag& tag) {
    if (open_.size() == 1 || open_.back().tag.substr(1) != tag.name)
      return error("{/" + std::string(tag.name) + "} does not end a section that is open here");
    auto section = std::move(open_.back());
    open_.pop_back();
    if (section.kind == Node::Kind::each) scope_.leave();
    add(Node{.kind = section.kind, .text = section.tag.substr(1), .role = {}, .body = std::move(section.body)});
    return ok_status();
  }

  void add(Node node) { open_.back().body.push_back(std::move(node)); }
  void add_text(std::string_view text) {
    if (text.empty()) return;
    auto& body = open_.back().body;
    if (body.empty() || body.back().kind != Node::Kind::text)
      body.push_back(Node{.kind = Node::Kind::text, .text = {}, .role = {}, .body = {}});
    body.back().text += text;
  }

  Error error(std::string message) const {
    return invalid_argument("line " + std::to_string(line_) + " of the template: " + std::move(message));
  }
  Error unknown(const Tag& tag) const {
    const std::string written =
        "{" + (tag.kind == 0 ? std::string() : std::string(1, tag.kind)) + std::string(tag.name) + "}";
    return error("there is no " + written + " here; the known ones are " + scope_.names());
  }

  std::string_view text_;
  Scope scope_;
  std::vector<Open> open_;
  std::size_t offset_ = 0;
  std::size_t line_ = 1;
  bool has_message_ = false;
};

// --- rendering -------------------------------------------------------------------------------------------------------

class Renderer {
 public:
  explicit Renderer(const PromptValues& values) : scopes_{&values} {}

  Status render(std::span<const Node> nodes) {
    for (const auto& node : nodes) TRUSTSQL_RETURN_IF_ERROR(render(node));
    return ok_status();
  }

  std::vector<llm::Message> finish() && {
    std::vector<llm::Message> kept;
    for (auto& message : messages_) {
      message.text = std::string(trim(message.text));
      if (!message.text.empty()) kept.push_back(std::move(message));
    }
    return kept;
  }

 private:
  Status render(const Node& node) {
    switch (node.kind) {
      case Node::Kind::text: return append(node.text);
      case Node::Kind::message: messages_.push_back({.role = node.role, .text = {}}); return ok_status();
      case Node::Kind::value: {
        const auto* text = find(&PromptValues::texts, node.text);
        return text != nullptr ? append(*text) : missing(node.text);
      }
      case Node::Kind::each: {
        const auto* items = find(&PromptValues::lists, node.text);
        if (items == nullptr) return missing(node.text);
        for (const auto& item : *items) {
          scopes_.push_back(&item);
          TRUSTSQL_RETURN_IF_ERROR(render(std::span(node.body)));
          scopes_.pop_back();
        }
        return ok_status();
      }
      case Node::Kind::if_present:
      case Node::Kind::if_empty: {
        const auto* text = find(&PromptValues::texts, node.text);
        const auto* items = find(&PromptValues::lists, node.text);
        if (text == nullptr && items == nullptr) return missing(node.text);
        const bool empty = text != nullptr ? text->empty() : items->empty();
        return empty == (node.kind == Node::Kind::if_empty) ? render(std::span(node.body)) : ok_status();
      }
    }
    return ok_status();
  }

  template <class Map>
  const typename Map::mapped_type* find(Map PromptValues::*member, std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto value = ((*scope)->*member).find(name); value != ((*scope)->*member).end()) return &value->second;
    return nullptr;
  }

  Status append(std::string_view text) {
    bytes_ += text.size();
    if (bytes_ > PromptTemplate::max_rendered_bytes) {
      return limit_exceeded("the prompt is longer than " + std::to_string(PromptTemplate::max_rendered_bytes) +
                            " bytes");
    }
    if (messages_.empty()) messages_.push_back({.role = llm::Role::user, .text = {}});
    messages_.back().text += text;
    return ok_status();
  }

  static Status missing(const std::string& name) { return internal_error("no value for {" + name + "} was given"); }

  std::vector<const PromptValues*> scopes_;
  std::vector<llm::Message> messages_;
  std::size_t bytes_ = 0;
};

}  // namespace

Result<PromptShape> PromptShape::parse(std::string_view text) {
  auto shape = parse_shape(text);
  if (!shape || !text.empty()) return internal_error("not the shape of a prompt's values");
  return std::move(*shape);
}

Result<PromptTemplate> PromptTemplate::parse(std::string_view text, const PromptShape& shape) {
  if (text.size() > max_bytes)
    return invalid_argument("the template is longer than " + std::to_string(max_bytes) + " bytes");
  TRUSTSQL_ASSIGN_OR_RETURN(auto nodes, Parser(text, shape).parse());
  return PromptTemplate(std::move(nodes));
}

Result<std::vector<llm::Message>> PromptTemplate::render(const PromptValues& values) const {
  Renderer renderer(values);
  TRUSTSQL_RETURN_IF_ERROR(renderer.render(nodes_));
  return std::move(renderer).finish();
}

}  // namespace trustsql::nl2sql
