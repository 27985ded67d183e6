#include "db/sources/database_image.hpp"

#include "base/text.hpp"
#include "db/sources/row_copy.hpp"

namespace trustsql {

namespace {

// Bytes 18 and 19 of the header say 2 in a database in WAL mode; such an image cannot be opened, since it has no -wal
// file (https://sqlite.org/fileformat2.html#file_format_version_numbers). Its content is complete without it.
void leave_wal_mode(unsigned char* image, sqlite3_int64 size) {
  if (size >= 20) image[18] = image[19] = 1;
}

}  // namespace

Result<std::shared_ptr<const DatabaseImage>> DatabaseImage::take(sqlite3* host, const std::string& schema,
                                                                 std::int64_t max_bytes) {
  const std::string quoted = quote_identifier(schema);
  // An open SELECT keeps other connections from changing the database between the steps below.
  TRUSTSQL_ASSIGN_OR_RETURN(Statement lock, prepare(host, "SELECT 1 FROM " + quoted + ".sqlite_schema"));
  TRUSTSQL_RETURN_IF_ERROR(lock.step());
  TRUSTSQL_ASSIGN_OR_RETURN(const std::int64_t pages, query_integer(host, "PRAGMA " + quoted + ".page_count"));
  TRUSTSQL_ASSIGN_OR_RETURN(const std::int64_t page_size, query_integer(host, "PRAGMA " + quoted + ".page_size"));
  // Asking sqlite3_serialize for a database without pages would make it write one.
  if (pages == 0) return std::make_shared<const DatabaseImage>();
  if (pages > max_bytes / page_size) {
    return limit_exceeded(
        "the database of this connection has to be copied (it is in memory, has uncommitted changes, or is locked), "
        "but its " +
        std::to_string(pages * page_size) +
        " bytes are more than the setting snapshot_max_bytes = " + std::to_string(max_bytes) + " allows");
  }
  // With uncommitted changes sqlite3_serialize may produce a malformed image (inside CREATE TABLE AS), and
  // sqlite3_backup fails.
  if (sqlite3_txn_state(host, schema.c_str()) != SQLITE_TXN_WRITE) {
    if (sqlite_shim::can_serialize()) {
      auto image = std::make_shared<DatabaseImage>();
      sqlite3_int64 size = 0;
      image->data_.reset(sqlite_shim::serialize(host, schema.c_str(), &size));
      image->size_ = size;
      if (image->data_ != nullptr && size > 0) {
        leave_wal_mode(image->data_.get(), size);
        return std::shared_ptr<const DatabaseImage>(std::move(image));
      }
    } else {
      TRUSTSQL_ASSIGN_OR_RETURN(Connection copy, Connection::open_memory());
      if (copy_database(copy.handle(), "main", host, schema).ok()) return of_connection(std::move(copy));
    }
  }
  TRUSTSQL_ASSIGN_OR_RETURN(Connection copy, copy_rows(host, schema, max_bytes));
  return of_connection(std::move(copy));
}

Result<std::shared_ptr<const DatabaseImage>> DatabaseImage::of_connection(Connection copy) {
  auto image = std::make_shared<DatabaseImage>();
  TRUSTSQL_ASSIGN_OR_RETURN(const std::int64_t pages, query_integer(copy.handle(), "PRAGMA main.page_count"));
  TRUSTSQL_ASSIGN_OR_RETURN(const std::int64_t page_size, query_integer(copy.handle(), "PRAGMA main.page_size"));
  image->size_ = pages * page_size;
  if (pages > 0 && sqlite_shim::can_serialize()) {
    sqlite3_int64 size = 0;
    image->data_.reset(sqlite_shim::serialize(copy.handle(), "main", &size));
    if (image->data_ == nullptr) return sqlite_error(nullptr, SQLITE_NOMEM);
    image->size_ = size;
  } else {
    image->connection_ = std::move(copy);
  }
  return std::shared_ptr<const DatabaseImage>(std::move(image));
}

Status DatabaseImage::install(sqlite3* db, const std::string& schema) const {
  if (size_ == 0) return ok_status();
  if (connection_) {
    const std::lock_guard guard(mutex_);
    return copy_database(db, schema, connection_.handle(), "main");
  }
  if (equals_ignore_case(schema, "temp")) {  // sqlite3_deserialize does not support temp
    TRUSTSQL_ASSIGN_OR_RETURN(const Connection copy, Connection::open_memory());
    TRUSTSQL_RETURN_IF_ERROR(install(copy.handle(), "main"));
    return copy_database(db, schema, copy.handle(), "main");
  }
  const int code = sqlite_shim::deserialize(db, schema.c_str(), data_.get(), size_, SQLITE_DESERIALIZE_READONLY);
  // If sqlite3_deserialize's internal statement lacks memory it returns SQLITE_ERROR; nothing else causes that code
  // here.
  if (code == SQLITE_ERROR) return sqlite_error(nullptr, SQLITE_NOMEM);
  if (code != SQLITE_OK) return sqlite_error(db, code);
  return ok_status();
}

}  // namespace trustsql
