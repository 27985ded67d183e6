// JsonRelease: frees an nlohmann::json document without allocating.
//
// The destructor of nlohmann::json moves the children of a value into a vector, so it allocates memory, and terminates
// the process if there is none. This class takes the document apart beforehand, value by value.
//
//   nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
//   const JsonRelease release(document);
#pragma once

#include <iterator>
#include <utility>

namespace trustsql {

template <class Json>
class JsonRelease {
 public:
  // `document` outlives this object.
  explicit JsonRelease(Json& document) : document_(document) {}
  ~JsonRelease() { take_apart(document_); }  // NOLINT(bugprone-exception-escape): see take_apart()
  JsonRelease(const JsonRelease&) = delete;
  JsonRelease& operator=(const JsonRelease&) = delete;

 private:
  static bool holds_more(const Json& value) { return value.is_structured() && !value.empty(); }

  static Json& last(Json& value) { return value.is_array() ? value.back() : std::prev(value.end()).value(); }

  static void drop_last(Json& value) {
    if (value.is_array()) {
      value.erase(value.size() - 1);
    } else {
      value.erase(std::prev(value.end()));
    }
  }

  // Works from the last value to the first, depth first. The path back to the root is kept in the places of the values
  // that were taken out.
  // NOLINTNEXTLINE(bugprone-exception-escape): what it calls throws for values of other types alone
  static void take_apart(Json& document) noexcept {
    Json above;  // the parent of `current`; its last element holds its own parent, and so on
    Json current = std::move(document);
    while (true) {
      if (holds_more(current)) {
        Json& place = last(current);
        if (!holds_more(place)) {
          drop_last(current);
          continue;
        }
        Json inner = std::move(place);
        place = std::move(above);
        above = std::move(current);
        current = std::move(inner);
      } else {
        if (above.is_null()) return;
        Json outer = std::move(above);
        above = std::move(last(outer));
        drop_last(outer);
        current = std::move(outer);
      }
    }
  }

  Json& document_;
};

}  // namespace trustsql
