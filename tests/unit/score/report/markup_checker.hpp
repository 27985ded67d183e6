// A strict reader of the markup that html_report() writes, for tests.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql::testing_support {

struct MarkupElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;               // of the element and everything in it, references decoded
  std::vector<std::string> path;  // the names of the elements around it, the outermost first
};

struct Markup {
  std::string error;  // empty: well-formed
  std::vector<MarkupElement> elements;

  std::vector<const MarkupElement*> named(std::string_view name) const;
};

// Reads HTML as the report writes it, which is XML except for the doctype and the void elements <meta>: every other
// element is closed, in order; attribute values are in double quotes and no name occurs twice in an element; & and <
// stand for themselves only in <style> and <script>; only &amp; &lt; &gt; &quot; &#39; are used; everything is valid
// UTF-8 without control characters other than line feeds; ids are unique and every reference to one (aria-labelledby,
// aria-describedby, href="#...", url(#...)) has a target.
Markup read_markup(std::string_view html);

}  // namespace trustsql::testing_support
