#include "db/functions.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "base/guard.hpp"
#include "base/linear_text.hpp"
#include "base/text.hpp"
#include "db/connection.hpp"

namespace trustsql {

namespace {

using ScalarBody = void (*)(sqlite3_context*, sqlite3_value**);

template <ScalarBody body>
void call(sqlite3_context* context, int, sqlite3_value** arguments) noexcept {
  const auto done = guarded([&] { body(context, arguments); });
  if (done.ok()) return;
  if (done.error().code == ErrorCode::out_of_memory) return sqlite3_result_error_nomem(context);
  sqlite3_result_error(context, done.error().message.c_str(), -1);
}

std::size_t length_limit(sqlite3_context* context) {
  return static_cast<std::size_t>(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
}

// The value's text; data() is nullptr for NULL or exhausted memory, as with sqlite3_value_text().
std::string_view text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

struct ValueFree {
  void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
};
using ValueCopy = std::unique_ptr<sqlite3_value, ValueFree>;

// https://sqlite.org/lang_corefunc.html#instr: counted in bytes if both arguments are BLOBs, else in characters.
void instr_body(sqlite3_context* context, sqlite3_value** arguments) {
  const int type0 = sqlite3_value_type(arguments[0]);
  const int type1 = sqlite3_value_type(arguments[1]);
  if (type0 == SQLITE_NULL || type1 == SQLITE_NULL) return;
  if (type0 == SQLITE_BLOB && type1 == SQLITE_BLOB) {
    const std::string_view haystack(static_cast<const char*>(sqlite3_value_blob(arguments[0])),
                                    static_cast<std::size_t>(sqlite3_value_bytes(arguments[0])));
    const std::string_view needle(static_cast<const char*>(sqlite3_value_blob(arguments[1])),
                                  static_cast<std::size_t>(sqlite3_value_bytes(arguments[1])));
    sqlite3_result_int64(context, instr_bytes(haystack, needle));
    return;
  }
  // A blob that is read as a text would look like one to the rest of the query, hence the copies.
  const ValueCopy copy0(type0 == SQLITE_BLOB ? sqlite3_value_dup(arguments[0]) : nullptr);
  const ValueCopy copy1(type1 == SQLITE_BLOB ? sqlite3_value_dup(arguments[1]) : nullptr);
  const std::string_view haystack = text_of(copy0 ? copy0.get() : arguments[0]);
  const std::string_view needle = text_of(copy1 ? copy1.get() : arguments[1]);
  if (haystack.data() == nullptr || needle.data() == nullptr) return sqlite3_result_error_nomem(context);
  sqlite3_result_int64(context, instr_characters(haystack, needle));
}

// https://sqlite.org/lang_corefunc.html#replace
void replace_body(sqlite3_context* context, sqlite3_value** arguments) {
  const std::string_view text = text_of(arguments[0]);
  if (text.data() == nullptr) return;
  const std::string_view pattern = text_of(arguments[1]);
  if (pattern.data() == nullptr) return;
  if (pattern.empty() || pattern.front() == '\0') return sqlite3_result_value(context, arguments[0]);
  const std::string_view replacement = text_of(arguments[2]);
  if (replacement.data() == nullptr) return;

  const auto result = replace_all(text, pattern, replacement, length_limit(context));
  if (!result) return sqlite3_result_error_toobig(context);
  sqlite3_result_text64(context, result->data(), result->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

enum class TrimSide { left, right, both };

// https://sqlite.org/lang_corefunc.html#trim
template <TrimSide side>
void trim_body(sqlite3_context* context, sqlite3_value** arguments) {
  if (sqlite3_value_type(arguments[0]) == SQLITE_NULL) return;
  std::string_view text = text_of(arguments[0]);
  const std::string_view characters = text_of(arguments[1]);
  if (text.data() == nullptr || characters.data() == nullptr) return;
  const auto set = TrimSet::of(characters);
  if (!set) return sqlite3_result_error(context, "the second argument of trim() is not valid UTF-8", -1);
  if (side != TrimSide::right) text = set->trim_front(text);
  if (side != TrimSide::left) text = set->trim_back(text);
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void unhex2_body(sqlite3_context* context, sqlite3_value**) {
  sqlite3_result_error(context, "unhex() with two arguments may not be used in the sandbox", -1);
}

struct Replacement {
  const char* name;
  int arity;
  int since;  // version of SQLite that has the function
  void (*body)(sqlite3_context*, int, sqlite3_value**) noexcept;
};

constexpr std::array replacements = {
    Replacement{"instr", 2, 0, call<instr_body>},
    Replacement{"replace", 3, 0, call<replace_body>},
    Replacement{"trim", 2, 0, call<trim_body<TrimSide::both>>},
    Replacement{"ltrim", 2, 0, call<trim_body<TrimSide::left>>},
    Replacement{"rtrim", 2, 0, call<trim_body<TrimSide::right>>},
    Replacement{"unhex", 2, 3041000, call<unhex2_body>},
};

}  // namespace

bool is_replacement(std::string_view name, int arity) {
  return std::ranges::any_of(replacements, [&](const Replacement& r) { return arity == r.arity && equals_ignore_case(name, r.name); });
}

Status replace_quadratic_functions(sqlite3* db) {
  for (const Replacement& replacement : replacements) {
    if (sqlite3_libversion_number() < replacement.since) continue;
    const int code = sqlite3_create_function_v2(db, replacement.name, replacement.arity, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                                nullptr, replacement.body, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return sqlite_error(db, code);
  }
  return ok_status();
}

}  // namespace trustsql
