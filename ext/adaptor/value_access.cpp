#include "ext/adaptor/value_access.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql::ext {

// SQLite keeps auxiliary data with a negative argument number for the whole statement, not for one function call in it,
// until the statement is reset; its JSON functions share their parsed texts in this way (sqlite3_get_auxdata in
// vdbeapi.c). The number only has to differ from theirs.
SharedScope statement_scope(sqlite3_context* context) {
  constexpr int scope_key = -1'953'657'716;
  if (const auto* stored_scope = static_cast<SharedScope*>(sqlite3_get_auxdata(context, scope_key));
      stored_scope != nullptr)
    return *stored_scope;
  auto scope = std::make_shared<StatementScope>();
  auto stored_scope = std::make_unique<SharedScope>(scope);
  sqlite3_set_auxdata(context, scope_key, stored_scope.release(),
                      [](void* pointer) { std::unique_ptr<SharedScope>(static_cast<SharedScope*>(pointer)).reset(); });
  return scope;
}

ValueView view(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: return ValueView::of_integer(sqlite3_value_int64(value));
    case SQLITE_FLOAT: return ValueView::of_real(sqlite3_value_double(value));
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
      if (text == nullptr) throw std::bad_alloc();
      return ValueView::of_text({text, static_cast<std::size_t>(sqlite3_value_bytes(value))});
    }
    case SQLITE_BLOB: {
      const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
      const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
      return ValueView::of_blob(bytes == nullptr ? std::string_view() : std::string_view(bytes, size));
    }
    default: return ValueView::null();
  }
}

std::string ArgumentPlace::text() const {
  return "argument " + std::to_string(index + 1) + " (" + argument_name(spec, index) + ")";
}

Error must_be(std::string_view subject, std::string_view expected, sqlite3_value* value) {
  const ValueView actual = view(value);
  std::string message =
      std::string(subject) + " must be " + std::string(expected) + ", not " + std::string(type_name(actual.type));
  if (actual.type != ValueType::blob) message += " " + quote_for_message(format_value(actual), 60);
  return invalid_argument(std::move(message));
}

Result<std::int64_t> ArgumentReader<std::int64_t>::read(sqlite3_value* value, const ArgumentPlace& place) {
  switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_INTEGER: return sqlite3_value_int64(value);
    case SQLITE_FLOAT: {
      const double real = sqlite3_value_double(value);
      if (real >= -9007199254740992.0 && real <= 9007199254740992.0 &&
          real == static_cast<double>(static_cast<std::int64_t>(real)))
        return static_cast<std::int64_t>(real);
      break;
    }
    default: break;
  }
  return must_be(place.text(), "an integer", value);
}

Result<double> ArgumentReader<double>::read(sqlite3_value* value, const ArgumentPlace& place) {
  TRUSTSQL_ASSIGN_OR_RETURN(const Number number, ArgumentReader<Number>::read(value, place));
  return number.real();
}

Result<Number> ArgumentReader<Number>::read(sqlite3_value* value, const ArgumentPlace& place) {
  switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_INTEGER: return Number(std::int64_t{sqlite3_value_int64(value)});
    case SQLITE_FLOAT: return Number(sqlite3_value_double(value));
    default: return must_be(place.text(), "a number", value);
  }
}

Result<std::string_view> ArgumentReader<std::string_view>::read(sqlite3_value* value, const ArgumentPlace& place) {
  if (sqlite3_value_type(value) != SQLITE_TEXT) return must_be(place.text(), "a text", value);
  return view(value).bytes;
}

Result<BlobView> ArgumentReader<BlobView>::read(sqlite3_value* value, const ArgumentPlace& place) {
  if (sqlite3_value_type(value) != SQLITE_BLOB) return must_be(place.text(), "a blob", value);
  return BlobView{view(value).bytes};
}

void set_result(sqlite3_context* context, const FunctionSpec& spec, ValueView value) {
  sqlite3* db = sqlite3_context_db_handle(context);
  if ((value.type == ValueType::text || value.type == ValueType::blob) &&
      value.bytes.size() > static_cast<std::size_t>(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1)))
    return set_error(context, spec,
                     limit_exceeded("the result has " + std::to_string(value.bytes.size()) + " bytes" +
                                    describe_limit(db, SQLITE_LIMIT_LENGTH)));
  switch (value.type) {
    case ValueType::null: sqlite3_result_null(context); break;
    case ValueType::integer: sqlite3_result_int64(context, value.integer); break;
    case ValueType::real: sqlite3_result_double(context, value.real); break;
    case ValueType::text:
      sqlite3_result_text64(context, value.bytes.data(), value.bytes.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
      break;
    case ValueType::blob:
      sqlite3_result_blob64(context, value.bytes.data(), value.bytes.size(), SQLITE_TRANSIENT);
      break;
  }
}

namespace {

int sqlite_code(const Error& error) {
  switch (error.code) {
    case ErrorCode::interrupted: return SQLITE_INTERRUPT;
    case ErrorCode::out_of_memory: return SQLITE_NOMEM;
    default: return SQLITE_ERROR;
  }
}

// "name: message", always in valid UTF-8, whatever it quotes. Every error message passes through this function. Error:
// out_of_memory.
Result<std::string> error_text(const FunctionSpec& spec, const Error& error) noexcept {
  return guarded([&] { return replace_invalid_utf8(std::string(spec.name) + ": " + error.message); });
}

// SQLite drops a message that is longer than the host's limit.
int shown_length(sqlite3* db, const std::string& text) {
  const auto limit = static_cast<std::size_t>(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1));
  // In some places SQLite counts the NUL at the end.
  auto length = std::min(text.size(), std::max<std::size_t>(limit, 1) - 1);
  while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
    --length;  // whole characters
  return static_cast<int>(length);
}

}  // namespace

void set_error(sqlite3_context* context, const FunctionSpec& spec, const Error& error) noexcept {
  const auto text = error_text(spec, error);
  if (!text.ok()) return sqlite3_result_error_nomem(context);
  sqlite3_result_error(context, text->data(), shown_length(sqlite3_context_db_handle(context), *text));
  sqlite3_result_error_code(context, sqlite_code(error));
}

int set_error(char** message, const Binding& binding, const Error& error) noexcept {
  sqlite3_free(*message);
  const auto text = error_text(binding.spec, error);
  *message = text.ok() ? sqlite3_mprintf("%.*s", shown_length(binding.session->host(), *text), text->c_str()) : nullptr;
  return text.ok() ? sqlite_code(error) : SQLITE_NOMEM;
}

}  // namespace trustsql::ext
