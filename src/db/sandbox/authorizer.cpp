#include "db/sandbox/authorizer.hpp"

#include <algorithm>
#include <optional>

#include "base/guard.hpp"
#include "base/text.hpp"
#include "db/sandbox/allow_list.hpp"

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

// Whether a statement that builds a schema may perform `action`. `argument` is the module of CREATE VIRTUAL TABLE.
bool is_schema_action(int action, std::string_view argument) {
  switch (action) {
    case SQLITE_CREATE_INDEX:
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_TRIGGER:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_VIEW:
    case SQLITE_DROP_INDEX:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_TEMP_INDEX:
    case SQLITE_DROP_TEMP_TABLE:
    case SQLITE_DROP_TEMP_TRIGGER:
    case SQLITE_DROP_TEMP_VIEW:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_VIEW:
    case SQLITE_ALTER_TABLE:
    case SQLITE_REINDEX:
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE: return true;
    case SQLITE_CREATE_VTABLE:
    case SQLITE_DROP_VTABLE: return is_allowed_module(argument);
    default: return false;
  }
}

// The rtree module prepares its INSERT and DELETE statements on these shadow tables as soon as it is connected, so
// that a query could not read an rtree if they were denied. They cannot be run: a private connection is read-only,
// and a statement that is not a SELECT is refused by its first word and by sqlite3_stmt_readonly().
bool is_rtree_shadow(std::string_view table) {
  return table.ends_with("_node") || table.ends_with("_rowid") || table.ends_with("_parent");
}

// The same holds for the schema table: sqlite3_declare_vtab() appears to write to it when a virtual table is connected.
bool is_schema_table(std::string_view table) { return table == "sqlite_master" || table == "sqlite_temp_master"; }

// Preparing may increase SQLite's memory use by this much. Flattening a chain of subqueries in which each names the
// column of the next twice doubles the query at each link: 28 links would exhaust the memory. The deadline alone would
// come too late, and before 3.41 the progress handler is not called while a statement is prepared. Where a link
// multiplies the query by much more than two, less is allowed before it: SQLite finishes the one that is denied, so
// that two are to come.
constexpr std::int64_t prepare_memory = std::int64_t{32} << 20;
constexpr std::int64_t copied_memory = std::int64_t{1} << 30;

}  // namespace

void Authorizer::install(sqlite3* db) { sqlite3_set_authorizer(db, callback, this); }

int Authorizer::callback(void* self, int action, const char* first, const char* second, const char* schema,
                         const char*) noexcept {
  auto* authorizer = static_cast<Authorizer*>(self);
  if (authorizer->mode_ == Mode::trusted) return SQLITE_OK;
  if (authorizer->mode_ == Mode::no_select) return action == SQLITE_SELECT ? SQLITE_DENY : SQLITE_OK;
  const auto verdict = guarded([&] {
    if (authorizer->use_ != nullptr) authorizer->note(action, first, second, schema);
    return authorizer->check(action, first, second);
  });
  if (verdict.ok()) return *verdict;
  if (!authorizer->denial_) authorizer->denial_ = verdict.error();
  return SQLITE_DENY;
}

void Authorizer::note(int action, const char* first, const char* second, const char* schema) {
  if (action == SQLITE_READ)
    use_->columns.push_back({std::string(text(schema)), std::string(text(first)), std::string(text(second))});
  if (action == SQLITE_FUNCTION) use_->functions.push_back(to_lower_ascii(text(second)));
}

int Authorizer::check(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_READ:  // always allowed: other virtual tables are not registered, and pragmas are denied below
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_SELECT: return check_select();
    case SQLITE_FUNCTION: return check_function(text(second));
    case SQLITE_PRAGMA:
      if (is_allowed_pragma(text(first), second != nullptr)) return SQLITE_OK;
      // ALTER TABLE ADD COLUMN runs it if the column has a CHECK, say, to see whether the rows satisfy it.
      if (mode_ == Mode::schema && text(first) == "quick_check") return SQLITE_OK;
      return deny(not_allowed("the pragma " + std::string(text(first)) + " may not be used in the sandbox"));
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
      if (is_rtree_shadow(text(first)) || is_schema_table(text(first))) return SQLITE_OK;
      break;
    default: break;
  }
  if (mode_ == Mode::schema) {
    if (is_schema_action(action, text(second))) return SQLITE_OK;
    return deny(not_allowed("a schema consists of CREATE statements, not of " + std::string(action_name(action))));
  }
  return deny(not_allowed("the sandbox runs SELECT statements only, not " + std::string(action_name(action))));
}

// Called for each subquery that is prepared, and for each that is flattened into its outer query.
int Authorizer::check_select() {
  // Other threads use memory as well, so it is not looked at where it does not matter.
  const int first_measured = copies_ > 1 ? 1 : 9;
  if (++selects_ < first_measured) return SQLITE_OK;
  const std::int64_t memory = sqlite3_memory_used();
  if (selects_ == first_measured) memory_before_ = memory;
  const std::int64_t most = std::min(prepare_memory, copied_memory / static_cast<std::int64_t>(copies_ * copies_));
  if (memory - memory_before_ <= most && std::chrono::steady_clock::now() < deadline_) return SQLITE_OK;
  return deny(limit_exceeded("the query is too complex: preparing it takes too much time or memory"));
}

int Authorizer::check_function(std::string_view name) {
  const std::optional<int> cost = function_cost(name);
  if (!cost) return deny(not_allowed("the function " + std::string(name) + "() may not be used in the sandbox"));
  if (!replaced_.empty()) {
    const auto same = [&](const std::string& other) { return equals_ignore_case(name, other); };
    if (std::ranges::any_of(replaced_, same))
      return deny(not_allowed("the function " + std::string(name) +
                              "() may not be used in the sandbox: an extension has replaced SQLite's own"));
  }
  bulk_calls_ += *cost;
  return SQLITE_OK;
}

int Authorizer::deny(Error why) {
  if (!denial_) denial_ = std::move(why);
  return SQLITE_DENY;
}

}  // namespace trustsql
