#include "db/sandbox/bounded_functions.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/guard.hpp"
#include "base/like_pattern.hpp"
#include "base/linear_text.hpp"
#include "base/printf_bounds.hpp"
#include "base/text.hpp"
#include "db/sqlite/connection.hpp"
#include "db/sqlite/routines.hpp"
#include "db/sqlite/statement.hpp"

namespace trustsql {

namespace {

using Values = std::span<sqlite3_value* const>;
using ScalarBody = void (*)(sqlite3_context*, Values);

template <ScalarBody body>
void call(sqlite3_context* context, int count, sqlite3_value** arguments) noexcept {
  const auto result = guarded([&] { body(context, {arguments, static_cast<std::size_t>(count)}); });
  if (result.ok()) return;
  if (result.error().code == ErrorCode::out_of_memory) return sqlite3_result_error_nomem(context);
  sqlite3_result_error(context, result.error().message.c_str(), -1);
}

// SQLite's own functions, on a separate connection on which nothing hides them.
class Originals {
 public:
  // From the index of an argument to the value that replaces it. The value must outlive the call.
  using Replaced = std::map<std::size_t, ValueView>;

  // Sets the result of `context` to that of the function `name` for these arguments. Arguments that are JSON (by their
  // subtype) are passed as JSON.
  void call(sqlite3_context* context, std::string_view name, Values arguments, const Replaced& replaced);

 private:
  Result<sqlite3_stmt*> statement(std::string_view name, Values arguments);

  Connection connection_;
  std::map<std::string, Statement> statements_;  // by their SQL
};

// The state that the replacements on one connection share.
struct FunctionState {
  std::function<bool()> must_stop;
  bool like_matches_blobs = true;  // false if SQLite was built with LIKE_DOESNT_MATCH_BLOBS
  Originals originals;
};

FunctionState& state_of(sqlite3_context* context) {
  return **static_cast<std::shared_ptr<FunctionState>*>(sqlite3_user_data(context));
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
void instr_body(sqlite3_context* context, Values arguments) {
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
  // Reading a blob as a text would turn it into one for the rest of the query, hence the copies.
  const ValueCopy copy0(type0 == SQLITE_BLOB ? sqlite3_value_dup(arguments[0]) : nullptr);
  const ValueCopy copy1(type1 == SQLITE_BLOB ? sqlite3_value_dup(arguments[1]) : nullptr);
  const std::string_view haystack = text_of(copy0 ? copy0.get() : arguments[0]);
  const std::string_view needle = text_of(copy1 ? copy1.get() : arguments[1]);
  if (haystack.data() == nullptr || needle.data() == nullptr) return sqlite3_result_error_nomem(context);
  sqlite3_result_int64(context, instr_characters(haystack, needle));
}

// https://sqlite.org/lang_corefunc.html#replace
void replace_body(sqlite3_context* context, Values arguments) {
  const std::string_view text = text_of(arguments[0]);
  if (text.data() == nullptr) return;
  const std::string_view pattern = text_of(arguments[1]);
  if (pattern.data() == nullptr) return;
  if (pattern.empty() || pattern.front() == '\0') {
    constexpr int always_text_version = 3045000;
    if (sqlite3_libversion_number() < always_text_version) return sqlite3_result_value(context, arguments[0]);
    return sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  const std::string_view replacement = text_of(arguments[2]);
  if (replacement.data() == nullptr) return;

  const auto result = replace_all(text, pattern, replacement, length_limit(context));
  if (!result) return sqlite3_result_error_toobig(context);
  sqlite3_result_text64(context, result->data(), result->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

enum class TrimSide { left, right, both };

// https://sqlite.org/lang_corefunc.html#trim
template <TrimSide side>
void trim_body(sqlite3_context* context, Values arguments) {
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

// The character of a text that consists of a single character, else nullopt.
std::optional<std::uint32_t> only_character(const char* text) {
  const auto* next = reinterpret_cast<const unsigned char*>(text);
  const std::uint32_t character = read_character(&next);
  if (character == 0 || *next != 0) return std::nullopt;
  return character;
}

// https://sqlite.org/lang_corefunc.html#like, and #glob
template <bool is_glob>
void like_body(sqlite3_context* context, Values arguments) {
  const auto is_blob = [](sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_BLOB; };
  if (!state_of(context).like_matches_blobs && (is_blob(arguments[0]) || is_blob(arguments[1])))
    return sqlite3_result_int(context, 0);
  const int longest = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1);
  if (sqlite3_value_bytes(arguments[0]) > longest)
    return sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
  PatternSyntax syntax = is_glob ? glob_syntax() : like_syntax(0);
  if (arguments.size() == 3) {
    const auto* escape = reinterpret_cast<const char*>(sqlite3_value_text(arguments[2]));
    if (escape == nullptr) return;
    const auto character = only_character(escape);
    if (!character) return sqlite3_result_error(context, "ESCAPE expression must be a single character", -1);
    syntax = like_syntax(*character);
  }
  const auto* pattern = reinterpret_cast<const char*>(sqlite3_value_text(arguments[0]));
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(arguments[1]));
  if (pattern == nullptr || text == nullptr) return;
  const auto match = match_pattern(pattern, text, syntax, state_of(context).must_stop);
  if (match == PatternMatch::stopped) return sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  sqlite3_result_int(context, match == PatternMatch::match ? 1 : 0);
}

// https://sqlite.org/lang_corefunc.html#format: SQLite's own result, in bounded time.
void printf_body(sqlite3_context* context, Values arguments) {
  if (arguments.empty()) return;
  const std::string_view format = text_of(arguments[0]);
  if (format.data() == nullptr) return;
  const std::size_t limit = length_limit(context);
  const Values values = arguments.subspan(1);
  // SQLite reads a whole text wherever a number is expected.
  std::size_t bytes = 0;
  for (sqlite3_value* value : values) {
    const int type = sqlite3_value_type(value);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB) bytes += static_cast<std::size_t>(sqlite3_value_bytes(value));
  }
  if (bytes > 4 * limit) return sqlite3_result_error_toobig(context);
  const BoundedFormat bounded = bound_format(
      format, limit,
      {.integer =
           [&](std::size_t i) { return i < values.size() ? static_cast<int>(sqlite3_value_int64(values[i])) : 0; },
       .is_finite =
           [&](std::size_t i) { return i >= values.size() || std::isfinite(sqlite3_value_double(values[i])); }});
  Originals& originals = state_of(context).originals;
  if (bounded.outcome == BoundedFormat::Outcome::too_many) {
    const std::string message =
        "the format of printf() has more than " + std::to_string(printf_conversions) + " conversions";
    return sqlite3_result_error(context, message.c_str(), -1);
  }
  if (bounded.outcome == BoundedFormat::Outcome::too_long) {  // let SQLite report that, by an error or NULL
    const std::string wide = "%" + std::to_string(std::min<std::size_t>(limit + 1, INT_MAX)) + "d";
    return originals.call(context, "printf", arguments.first(1), {{0, ValueView::of_text(wide)}});
  }
  Originals::Replaced replaced = {{0, ValueView::of_text(bounded.format)}};
  for (const auto& [index, precision] : bounded.replaced) replaced[index + 1] = ValueView::of_integer(precision);
  originals.call(context, "printf", arguments, replaced);
}

enum class JsonEdit { json_set, json_insert, jsonb_set, jsonb_insert };

constexpr std::string_view name_of(JsonEdit edit) {
  switch (edit) {
    case JsonEdit::json_set: return "json_set";
    case JsonEdit::json_insert: return "json_insert";
    case JsonEdit::jsonb_set: return "jsonb_set";
    case JsonEdit::jsonb_insert: return "jsonb_insert";
  }
  return {};
}

// https://sqlite.org/json1.html#jset: SQLite's own, except for paths so long that SQLite overflows the stack: it
// creates missing steps by recursion.
template <JsonEdit edit>
void json_edit_body(sqlite3_context* context, Values arguments) {
  constexpr std::ptrdiff_t max_steps = 2000;  // JSON_MAX_DEPTH: SQLite cannot read JSON that is nested more deeply
  for (std::size_t i = 1; i < arguments.size(); i += 2) {
    if (sqlite3_value_type(arguments[i]) == SQLITE_NULL) continue;
    const std::string_view path = text_of(arguments[i]);
    if (std::ranges::count_if(path, [](char c) { return c == '.' || c == '['; }) <= max_steps) continue;
    const std::string message =
        "a path of " + std::string(name_of(edit)) + "() has more than " + std::to_string(max_steps) + " steps";
    return sqlite3_result_error(context, message.c_str(), -1);
  }
  state_of(context).originals.call(context, name_of(edit), arguments, {});
  constexpr unsigned json = 'J';
  if (edit == JsonEdit::json_set || edit == JsonEdit::json_insert) sqlite3_result_subtype(context, json);
}

Result<sqlite3_stmt*> Originals::statement(std::string_view name, Values arguments) {
  if (!connection_) {
    TRUSTSQL_ASSIGN_OR_RETURN(connection_, Connection::open_memory());
  }
  std::string sql = "SELECT " + std::string(name) + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i)
    sql += std::string(i == 0 ? "" : ", ") + (sqlite3_value_subtype(arguments[i]) != 0 ? "json(?)" : "?");
  sql += ")";
  auto& cached = statements_[sql];
  if (!cached) {
    TRUSTSQL_ASSIGN_OR_RETURN(cached, prepare(connection_.handle(), sql));
  }
  return cached.handle();
}

// Texts are not copied: they live until Originals::call() returns, which clears the bindings before that.
int bind(sqlite3_stmt* statement, int parameter, sqlite3_value* argument, const ValueView* replaced) {
  if (replaced != nullptr && replaced->type == ValueType::integer)
    return sqlite3_bind_int64(statement, parameter, replaced->integer);
  if (replaced == nullptr && sqlite3_value_type(argument) != SQLITE_TEXT)
    return sqlite3_bind_value(statement, parameter, argument);
  const std::string_view text = replaced != nullptr ? replaced->bytes : text_of(argument);
  return sqlite3_bind_text64(statement, parameter, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Originals::call(sqlite3_context* context, std::string_view name, Values arguments, const Replaced& replaced) {
  const auto prepared = statement(name, arguments);
  if (!prepared.ok()) return sqlite3_result_error(context, prepared.error().message.c_str(), -1);
  sqlite3_stmt* statement = *prepared;
  sqlite3_limit(connection_.handle(), SQLITE_LIMIT_LENGTH, static_cast<int>(length_limit(context)));
  int code = SQLITE_OK;
  for (std::size_t i = 0; i < arguments.size() && code == SQLITE_OK; ++i) {
    const auto other = replaced.find(i);
    code = bind(statement, static_cast<int>(i) + 1, arguments[i], other == replaced.end() ? nullptr : &other->second);
  }
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    sqlite3_result_value(context, sqlite3_column_value(statement, 0));
  } else if (code == SQLITE_TOOBIG) {
    sqlite3_result_error_toobig(context);
  } else {
    sqlite3_result_error(context, sqlite3_errmsg(connection_.handle()), -1);
  }
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
}

void unhex2_body(sqlite3_context* context, Values) {
  sqlite3_result_error(context, "unhex() with two arguments may not be used in the sandbox", -1);
}

struct Replacement {
  const char* name;
  int arity;  // -1: any
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
    Replacement{"printf", -1, 0, call<printf_body>},
    Replacement{"format", -1, 3038000, call<printf_body>},
    Replacement{"json_set", -1, 0, call<json_edit_body<JsonEdit::json_set>>},
    Replacement{"json_insert", -1, 0, call<json_edit_body<JsonEdit::json_insert>>},
    Replacement{"jsonb_set", -1, 3045000, call<json_edit_body<JsonEdit::jsonb_set>>},
    Replacement{"jsonb_insert", -1, 3045000, call<json_edit_body<JsonEdit::jsonb_insert>>},
    Replacement{"like", 2, 0, call<like_body<false>>},
    Replacement{"like", 3, 0, call<like_body<false>>},
    Replacement{"glob", 2, 0, call<like_body<true>>},
};

// Whether this SQLite's LIKE may treat letter case differently from the replacement above.
bool has_other_like() { return may_be_compiled_with("ENABLE_ICU") || may_be_compiled_with("CASE_SENSITIVE_LIKE"); }

}  // namespace

bool is_replacement(std::string_view name, int arity) {
  return std::ranges::any_of(
      replacements, [&](const Replacement& r) { return arity == r.arity && equals_ignore_case(name, r.name); });
}

Status replace_slow_functions(sqlite3* db, LikeFunction like, std::function<bool()> must_stop) {
  const auto state = std::make_shared<FunctionState>();
  state->must_stop = std::move(must_stop);
  state->like_matches_blobs = !may_be_compiled_with("LIKE_DOESNT_MATCH_BLOBS");
  const bool keeps_like = like == LikeFunction::of_sqlite || has_other_like();
  constexpr int result_subtype = 0x1000000;  // SQLITE_RESULT_SUBTYPE, since 3.45; unknown to earlier versions
  const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS | SQLITE_SUBTYPE |
                    (sqlite3_libversion_number() >= 3045000 ? result_subtype : 0);
  for (const Replacement& replacement : replacements) {
    if (sqlite3_libversion_number() < replacement.since) continue;
    if (keeps_like && (replacement.name == std::string_view("like") || replacement.name == std::string_view("glob")))
      continue;
    const auto destroy = [](void* pointer) {
      std::unique_ptr<std::shared_ptr<FunctionState>>(static_cast<std::shared_ptr<FunctionState>*>(pointer)).reset();
    };
    const int code = sqlite3_create_function_v2(db, replacement.name, replacement.arity, flags,
                                                std::make_unique<std::shared_ptr<FunctionState>>(state).release(),
                                                replacement.body, nullptr, nullptr, destroy);
    if (code != SQLITE_OK) return sqlite_error(db, code);
  }
  return ok_status();
}

}  // namespace trustsql
