#include "db/authorizer.hpp"

#include <algorithm>
#include <new>

#include "base/text.hpp"
#include "db/allow_list.hpp"

namespace trustsql {

namespace {

std::string_view text(const char* name) { return name == nullptr ? std::string_view() : std::string_view(name); }

// The action in words, for messages.
std::string_view action_name(int action) {
  switch (action) {
    case SQLITE_INSERT: return "INSERT";
    case SQLITE_UPDATE: return "UPDATE";
    case SQLITE_DELETE: return "DELETE";
    case SQLITE_ATTACH: return "ATTACH";
    case SQLITE_DETACH: return "DETACH";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT: return "a transaction statement";
    case SQLITE_PRAGMA: return "PRAGMA";
    case SQLITE_REINDEX: return "REINDEX";
    case SQLITE_ANALYZE: return "ANALYZE";
    case SQLITE_ALTER_TABLE: return "ALTER TABLE";
    default: return "changing the schema";
  }
}

// The rtree module prepares its INSERT and DELETE statements on these shadow tables as soon as it is connected, so
// that a query could not read an rtree if they were denied. They cannot be run: a private connection is read-only,
// and a statement that is not a SELECT is refused by its first word and by sqlite3_stmt_readonly().
bool is_rtree_shadow(std::string_view table) { return table.ends_with("_node") || table.ends_with("_rowid") || table.ends_with("_parent"); }

}  // namespace

void Authorizer::install(sqlite3* db) { sqlite3_set_authorizer(db, callback, this); }

int Authorizer::callback(void* self, int action, const char* first, const char* second, const char*, const char*) noexcept {
  auto* authorizer = static_cast<Authorizer*>(self);
  if (!authorizer->restricted_) return SQLITE_OK;
  try {
    return authorizer->check(action, first, second);
  } catch (const std::bad_alloc&) {
    return SQLITE_DENY;
  }
}

int Authorizer::check(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_READ:  // reading is what the sandbox is for: virtual tables it does not have, and pragmas are denied below
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return check_function(text(second));
    case SQLITE_PRAGMA:
      if (is_allowed_pragma(text(first), second != nullptr)) return SQLITE_OK;
      return deny("the pragma " + std::string(text(first)) + " may not be used in the sandbox");
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
      if (is_rtree_shadow(text(first))) return SQLITE_OK;
      break;
    default: break;
  }
  return deny("the sandbox runs SELECT statements only, not " + std::string(action_name(action)));
}

int Authorizer::check_function(std::string_view name) {
  if (!is_allowed_function(name)) return deny("the function " + std::string(name) + "() may not be used in the sandbox");
  if (!replaced_.empty()) {
    const auto same = [&](const std::string& other) { return equals_ignore_case(name, other); };
    if (std::ranges::any_of(replaced_, same))
      return deny("the function " + std::string(name) + "() may not be used in the sandbox: an extension has replaced SQLite's own");
  }
  return SQLITE_OK;
}

int Authorizer::deny(std::string message) {
  if (denied_.empty()) denied_ = std::move(message);
  return SQLITE_DENY;
}

}  // namespace trustsql
