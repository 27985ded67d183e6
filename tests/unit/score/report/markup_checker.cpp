#include "unit/score/report/markup_checker.hpp"

#include <set>

#include "base/text.hpp"

namespace trustsql::testing_support {

namespace {

class Reader {
 public:
  explicit Reader(std::string_view html) : rest_(html) {}

  Markup read() {
    if (!is_valid_utf8(rest_)) fail("not UTF-8");
    for (const char c : rest_)
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n') fail("control character");
    if (rest_.starts_with("<!DOCTYPE html>\n")) rest_.remove_prefix(16);
    while (!rest_.empty() && made_.error.empty()) {
      if (rest_.front() == '<') {
        tag();
      } else {
        text();
      }
    }
    if (made_.error.empty() && !open_.empty()) fail("not closed: " + made_.elements[open_.back()].name);
    for (const auto& target : references_)
      if (!ids_.contains(target)) fail("no element has the id " + target);
    return std::move(made_);
  }

 private:
  void fail(const std::string& message) {
    if (made_.error.empty()) made_.error = message + " before: " + std::string(rest_.substr(0, 80));
  }

  std::string decode(std::string_view raw) {
    std::string decoded;
    while (!raw.empty()) {
      if (raw.front() == '<' || raw.front() == '>') fail("bare bracket");
      if (raw.front() != '&') {
        decoded += raw.front();
        raw.remove_prefix(1);
        continue;
      }
      static constexpr std::pair<std::string_view, char> known[] = {
          {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
      bool is_known = false;
      for (const auto& [reference, character] : known) {
        if (is_known || !raw.starts_with(reference)) continue;
        decoded += character;
        raw.remove_prefix(reference.size());
        is_known = true;
      }
      if (!is_known) {
        fail("bare ampersand");
        return decoded;
      }
    }
    return decoded;
  }

  void text() {
    const auto end = std::min(rest_.find('<'), rest_.size());
    const std::string decoded = decode(rest_.substr(0, end));
    if (open_.empty() && !trim(decoded).empty()) fail("text outside of every element");
    for (const auto index : open_) made_.elements[index].text += decoded;
    rest_.remove_prefix(end);
  }

  std::string name() {
    std::size_t length = 0;
    while (length < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[length])) != 0 || rest_[length] == '-'))
      ++length;
    std::string name(rest_.substr(0, length));
    if (name.empty()) fail("a name is missing");
    rest_.remove_prefix(length);
    return name;
  }

  bool skip(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  void close() {
    const std::string closed = name();
    if (open_.empty() || made_.elements[open_.back()].name != closed) return fail("</" + closed + "> closes nothing");
    open_.pop_back();
    if (!skip(">")) fail("> is missing");
  }

  void attribute(MarkupElement& element) {
    const std::string key = name();
    if (!skip("=\"")) return fail("the value of " + key + " is not in double quotes");
    const auto end = rest_.find('"');
    if (end == std::string_view::npos) return fail("a quote is not closed");
    const std::string value = decode(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    if (!element.attributes.emplace(key, value).second) fail("attribute twice: " + key);
    if (key == "id" && !ids_.insert(value).second) fail("id twice: " + value);
    if (key == "aria-labelledby" || key == "aria-describedby")
      for (const auto id : split(value, ' ')) references_.emplace_back(id);
    if (key == "href" && value.starts_with("#")) references_.push_back(value.substr(1));
    if (value.starts_with("url(#")) references_.push_back(value.substr(5, value.size() - 6));
  }

  void tag() {
    rest_.remove_prefix(1);
    if (skip("/")) return close();
    MarkupElement element;
    element.name = name();
    for (const auto index : open_) element.path.push_back(made_.elements[index].name);
    while (made_.error.empty() && skip(" ")) attribute(element);
    const bool empty = skip("/");
    if (!skip(">")) return fail("> is missing in " + element.name);
    const bool is_void = empty || element.name == "meta";
    made_.elements.push_back(element);
    if (is_void) return;
    open_.push_back(made_.elements.size() - 1);
    if (element.name != "style" && element.name != "script") return;
    const auto end = std::min(rest_.find("</" + element.name + ">"), rest_.size());
    made_.elements.back().text = std::string(rest_.substr(0, end));
    rest_.remove_prefix(end);
  }

  std::string_view rest_;
  Markup made_;
  std::vector<std::size_t> open_;
  std::set<std::string> ids_;
  std::vector<std::string> references_;
};

}  // namespace

std::vector<const MarkupElement*> Markup::named(std::string_view name) const {
  std::vector<const MarkupElement*> elements_of_name;
  for (const auto& element : elements)
    if (element.name == name) elements_of_name.push_back(&element);
  return elements_of_name;
}

Markup read_markup(std::string_view html) { return Reader(html).read(); }

}  // namespace trustsql::testing_support
