#include "db/sandbox/private_sandbox.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "db/catalog/catalog_reader.hpp"
#include "db/sandbox/nesting.hpp"
#include "db/sources/file_state.hpp"

namespace trustsql {

PrivateSandbox::PrivateSandbox(Connection connection, const Layout& layout, VersionLedger& ledger)
    : connection_(std::move(connection)), layout_(layout), ledger_(ledger) {
  ledger_.join();
}

PrivateSandbox::~PrivateSandbox() { ledger_.leave(); }

Result<std::unique_ptr<PrivateSandbox>> PrivateSandbox::create(Connection connection, const Layout& layout,
                                                               VersionLedger& ledger) {
  std::unique_ptr<PrivateSandbox> sandbox(
      new PrivateSandbox(std::move(connection), layout, ledger));  // the constructor is private
  TRUSTSQL_ASSIGN_OR_RETURN(sandbox->versions_, DataVersions::watch(sandbox->connection_.handle(), layout));
  TRUSTSQL_RETURN_IF_ERROR(sandbox->read_views());
  TRUSTSQL_RETURN_IF_ERROR(sandbox->connection_.guard());
  return sandbox;
}

bool PrivateSandbox::in_wal_mode() const {
  return std::ranges::any_of(layout_.databases, [&](const LayoutDatabase& database) {
    if (database.image) return false;
    // The journal of a read-only connection is open only in WAL mode.
    sqlite3_file* journal = nullptr;
    sqlite3_file_control(connection_.handle(), database.schema.c_str(), SQLITE_FCNTL_JOURNAL_POINTER,
                         static_cast<void*>(&journal));
    return journal != nullptr && journal->pMethods != nullptr;
  });
}

Result<std::uint64_t> PrivateSandbox::begin_read() {
  if (versions_.constant()) return std::uint64_t{1};
  const auto clock = connection_.start_clock();
  auto version = ledger_.begin_read(member_, versions_);
  reading_ = version.ok();
  if (!version.ok()) return about_database(connection_.read_error(std::move(version).error()));
  return version;
}

void PrivateSandbox::end_read() {
  versions_.release();
  reading_ = false;
}

std::optional<FileState> PrivateSandbox::file_state() {
  return reading_ ? trustsql::file_state(connection_.handle(), layout_) : std::nullopt;
}

Result<std::uint64_t> PrivateSandbox::version() {
  if (reading_) return member_.number;
  auto version = begin_read();
  end_read();
  return version;
}

Result<std::vector<Catalog::Schema>> PrivateSandbox::schema_cookies() {
  const Authorizer::Trusted trusted(connection_.authorizer());
  const auto clock = connection_.start_clock();
  return explain(read_schema_cookies(connection_.handle()));
}

Result<Catalog> PrivateSandbox::read_catalog() {
  const Authorizer::Trusted trusted(connection_.authorizer());
  const auto clock = connection_.start_clock();
  TRUSTSQL_RETURN_IF_ERROR(read_views());  // they may have changed
  std::optional<Authorizer::Within> without_selects;
  return explain(trustsql::read_catalog(
      connection_.handle(), {.deny_selects =
                                 [&](bool deny) {
                                   without_selects.reset();
                                   if (deny)
                                     without_selects.emplace(connection_.authorizer(), Authorizer::Mode::no_select);
                                 },
                             .must_stop = [this] { return connection_.look_at_clock(); }}));
}

Result<ResultSet> PrivateSandbox::run(std::string_view sql) {
  const auto clock = connection_.start_clock();
  auto query = connection_.prepare_query(sql);
  if (!query.ok()) return about_database(std::move(query).error());
  auto rows = connection_.fetch(*query);
  if (!rows.ok()) return about_database(std::move(rows).error());
  return rows;
}

Result<std::vector<std::string>> PrivateSandbox::prepare(std::string_view sql) {
  const auto clock = connection_.start_clock();
  auto query = connection_.prepare_query(sql);
  if (!query.ok()) return about_database(std::move(query).error());
  return query->column_names();
}

Status PrivateSandbox::read_views() {
  auto views = trustsql::read_views(connection_.handle(), layout_);
  if (!views.ok()) {
    Error error = std::move(views).error();
    if (error.code == ErrorCode::limit_exceeded) error.code = ErrorCode::io;  // no query is to blame
    return about_database(std::move(error));
  }
  connection_.set_views(*std::move(views));
  return ok_status();
}

Error PrivateSandbox::about_database(Error error) const {
  return error.code == ErrorCode::io ? std::move(error).with_prefix("cannot read " + layout_.name) : error;
}

}  // namespace trustsql
