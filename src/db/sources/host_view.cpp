#include "db/sources/host_view.hpp"

#include <cstring>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "db/sqlite/connection.hpp"

namespace trustsql {

namespace {

constexpr const char* host_name = "the database of this connection";
constexpr int pending_lock =
    3;  // a value of SQLITE_FCNTL_LOCKSTATE; from this level on no other connection can begin to read

struct NamedFile {
  std::string name;
  std::string file;
};

std::string text_or_empty(const char* text) { return text == nullptr ? std::string() : std::string(text); }

// The schemas of `host` except temp, in order.
Result<std::vector<NamedFile>> list_schemas(sqlite3* host) {
  std::vector<NamedFile> schemas;
  if (sqlite_shim::can_name_schemas()) {
    for (int i = 0; const char* name = sqlite_shim::db_name(host, i); ++i)
      if (i != 1) schemas.push_back({name, text_or_empty(sqlite3_db_filename(host, name))});
    return schemas;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(Statement list, prepare(host, "PRAGMA database_list"));
  while (true) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool row, list.step());
    if (!row) return schemas;
    if (list.column_integer(0) == 1) continue;
    std::string name(list.column_text(1));
    std::string file = text_or_empty(sqlite3_db_filename(host, name.c_str()));
    schemas.push_back({std::move(name), std::move(file)});
  }
}

bool in_write_transaction(sqlite3* host, const char* schema) {
  return sqlite3_txn_state(host, schema) == SQLITE_TXN_WRITE;
}

// Whether another connection that opens the file by its name would read what `host` reads, as far as can be determined
// without opening it. Called for every SQL call with a NULL database.
bool can_be_opened_again(sqlite3* host, const char* schema) {
  if (in_write_transaction(host, schema)) return false;
  int lock = 0;  // as reported by the unix and Windows VFS; locking_mode=exclusive keeps the lock after a commit
  if (sqlite3_file_control(host, schema, SQLITE_FCNTL_LOCKSTATE, &lock) == SQLITE_OK && lock >= pending_lock)
    return false;
  int moved = 0;  // renamed or deleted while open
  return sqlite3_file_control(host, schema, SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK || moved == 0;
}

// The URI parameters that the host opened the file with and that a reader needs as well.
std::string inherited_parameters(sqlite3* host, const char* schema) {
  std::string parameters = "&vfs=" + escape_uri(vfs_name(host, schema));
  const char* file = sqlite3_db_filename(host, schema);
  for (int i = 0; const char* key = sqlite3_uri_key(file, i); ++i) {
    const std::string_view name = key;
    if (name == "mode" || name == "cache" || name == "vfs") continue;
    const char* value = sqlite3_uri_parameter(file, key);
    parameters.append("&").append(escape_uri(name)).append("=").append(escape_uri(value == nullptr ? "" : value));
  }
  return parameters;
}

Result<std::int64_t> pragma(sqlite3* host, const std::string& schema, std::string_view name) {
  return query_integer(host, "PRAGMA " + quote_identifier(schema) + "." + std::string(name));
}

// Whether the temp database shows anything. SQLite also creates it, empty, for a query that only looks into it.
bool has_temp(sqlite3* host) {
  if (sqlite3_db_filename(host, "temp") == nullptr) return false;
  if (in_write_transaction(host, "temp")) return true;
  const auto schema_version = pragma(host, "temp", "schema_version");
  return !schema_version.ok() || *schema_version != 0;
}

// Copies databases into images until the budget is used up.
class Copier {
 public:
  Copier(sqlite3* host, std::int64_t budget) : host_(host), budget_(budget) {}

  Result<std::shared_ptr<const DatabaseImage>> copy(const std::string& schema) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto image, DatabaseImage::take(host_, schema, budget_));
    budget_ -= image->byte_size();
    return image;
  }

 private:
  sqlite3* host_;
  std::int64_t budget_;
};

}  // namespace

Result<HostOpening> HostView::open(sqlite3* host, std::int64_t snapshot_max_bytes,
                                   std::chrono::milliseconds lock_wait) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto schemas, list_schemas(host));
  Copier copier(host, snapshot_max_bytes);
  HostOpening opening;
  HostView& view = opening.view;
  opening.layout.name = host_name;

  const auto copy = [&](std::size_t i) -> Status {
    Schema& seen = view.schemas_[i];
    seen.copied = view.anything_copied_ = true;
    if (in_write_transaction(host, seen.name.c_str())) view.reusable_ = false;
    TRUSTSQL_ASSIGN_OR_RETURN(seen.data_version, pragma(host, seen.name, "data_version"));
    TRUSTSQL_ASSIGN_OR_RETURN(seen.schema_version, pragma(host, seen.name, "schema_version"));
    TRUSTSQL_ASSIGN_OR_RETURN(opening.layout.databases[i].image, copier.copy(seen.name));
    return ok_status();
  };

  view.total_changes_ = sqlite3_total_changes64(host);
  for (const auto& [name, file] : schemas) {
    view.schemas_.push_back({name, file});
    LayoutDatabase database;
    database.schema = name;
    const bool in_memory = file.empty() || vfs_name(host, name.c_str()) == "memdb";
    if (!in_memory) database.uri = file_uri(file, inherited_parameters(host, name.c_str()));
    opening.layout.databases.push_back(std::move(database));
    if (in_memory || !can_be_opened_again(host, name.c_str())) TRUSTSQL_RETURN_IF_ERROR(copy(view.schemas_.size() - 1));
  }
  opening.layout.databases.front().schema = "main";  // even if SQLITE_DBCONFIG_MAINDBNAME renamed it

  if (has_temp(host)) {
    view.has_temp_ = view.anything_copied_ = true;
    if (in_write_transaction(host, "temp")) view.reusable_ = false;
    TRUSTSQL_ASSIGN_OR_RETURN(view.temp_schema_version_, pragma(host, "temp", "schema_version"));
    TRUSTSQL_ASSIGN_OR_RETURN(opening.layout.temp, copier.copy("temp"));
  }
  TRUSTSQL_ASSIGN_OR_RETURN(Statement encoding, prepare(host, "PRAGMA encoding"));
  TRUSTSQL_RETURN_IF_ERROR(encoding.step());
  opening.layout.encoding = encoding.column_text(0);

  while (true) {
    OpenFailure failure;
    auto connection = open_layout(opening.layout, lock_wait, &failure);
    if (connection.ok()) {
      opening.connection = std::move(connection).value();
      return opening;
    }
    // A file that only the host can read has to be copied.
    if (failure.database >= opening.layout.databases.size() || opening.layout.databases[failure.database].image)
      return std::move(connection).error();
    auto copied = copy(failure.database);
    if (!copied.ok()) return std::move(copied).error().with_prefix(connection.error().message);
  }
}

bool HostView::still_holds(sqlite3* host) const {
  if (!reusable_ || schemas_.empty()) return false;
  if (has_temp_ != has_temp(host)) return false;
  if (anything_copied_ && sqlite3_total_changes64(host) != total_changes_) return false;

  const auto same_schema = [&](const Schema& seen, const std::string& name, const char* file) {
    if (seen.name != name || (file == nullptr ? !seen.file.empty() : seen.file != file)) return false;
    if (!seen.copied) return can_be_opened_again(host, name.c_str());
    if (in_write_transaction(host, name.c_str())) return false;
    const auto data_version = pragma(host, name, "data_version");
    if (!data_version.ok() || *data_version != seen.data_version) return false;
    const auto schema_version = pragma(host, name, "schema_version");
    return schema_version.ok() && *schema_version == seen.schema_version;
  };

  if (sqlite_shim::can_name_schemas()) {
    for (std::size_t i = 0; i < schemas_.size(); ++i) {
      const char* name = sqlite_shim::db_name(host, static_cast<int>(i == 0 ? 0 : i + 1));
      if (name == nullptr || schemas_[i].name != name ||
          !same_schema(schemas_[i], schemas_[i].name, sqlite3_db_filename(host, name)))
        return false;
    }
    if (sqlite_shim::db_name(host, static_cast<int>(schemas_.size() + 1)) != nullptr) return false;
  } else {
    const auto schemas = list_schemas(host);
    if (!schemas.ok() || schemas->size() != schemas_.size()) return false;
    for (std::size_t i = 0; i < schemas_.size(); ++i)
      if (!same_schema(schemas_[i], (*schemas)[i].name, (*schemas)[i].file.c_str())) return false;
  }
  if (!has_temp_) return true;
  if (in_write_transaction(host, "temp")) return false;
  const auto temp_version = pragma(host, "temp", "schema_version");
  return temp_version.ok() && *temp_version == temp_schema_version_;
}

}  // namespace trustsql
