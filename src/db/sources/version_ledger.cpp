#include "db/sources/version_ledger.hpp"

#include "base/text.hpp"

namespace trustsql {

namespace {

bool can_change(const LayoutDatabase& database) { return !database.image && !database.immutable; }

Layout changeable_part(const Layout& layout) {
  Layout part;
  part.name = layout.name;
  for (const LayoutDatabase& database : layout.databases) {
    if (!can_change(database)) continue;
    part.databases.push_back(database);
    if (part.databases.size() == 1) part.databases.front().schema = "main";
  }
  return part;
}

}  // namespace

Result<DataVersions> DataVersions::watch(sqlite3* db, const Layout& layout) {
  DataVersions versions;
  for (const LayoutDatabase& database : layout.databases) {
    if (!can_change(database)) continue;
    TRUSTSQL_ASSIGN_OR_RETURN(Statement statement,
                              prepare(db, "PRAGMA " + quote_identifier(database.schema) + ".data_version"));
    versions.statements_.push_back(std::move(statement));
  }
  return versions;
}

Result<bool> DataVersions::look() {
  const bool first = seen_.empty();
  if (first) seen_.resize(statements_.size());
  bool changed = first;
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    auto row = statements_[i].step();
    if (!row.ok()) {
      release();
      seen_.clear();  // versions that were read incompletely are worthless
      return std::move(row).error();
    }
    const std::int64_t version = statements_[i].column_integer(0);
    changed = changed || version != seen_[i];
    seen_[i] = version;
  }
  return changed;
}

void DataVersions::release() {
  for (Statement& statement : statements_) statement.reset();
}

VersionLedger::VersionLedger(const Layout& layout) : watched_(changeable_part(layout)) {}

Result<bool> VersionLedger::ask_witness() {
  if (!witness_) {
    TRUSTSQL_ASSIGN_OR_RETURN(Connection connection, open_layout(watched_, least_lock_wait));
    TRUSTSQL_ASSIGN_OR_RETURN(DataVersions versions, DataVersions::watch(connection.handle(), watched_));
    witness_.emplace(Witness{std::move(connection), std::move(versions)});
  }
  auto changed = witness_->versions.look();
  witness_->versions.release();
  return changed;
}

Result<std::uint64_t> VersionLedger::begin_read(Member& member, DataVersions& versions) {
  TRUSTSQL_ASSIGN_OR_RETURN(const bool changed, versions.look());
  if (!changed && member.number == current_) return member.number;
  const std::lock_guard guard(mutex_);
  // Read again, since the witness's reads must come before and after the member's.
  bool witness_looked = false;
  if (members_ > 1) {
    const auto witnessed = ask_witness();
    witness_looked = witnessed.ok();
    witness_confirms_ = witness_confirms_ && witnessed.ok() && !*witnessed;
  }
  versions.release();
  TRUSTSQL_ASSIGN_OR_RETURN(const bool changed_again, versions.look());
  return number(member, changed || changed_again, witness_looked);
}

void VersionLedger::dismiss_witness() {
  const std::lock_guard guard(mutex_);
  witness_.reset();
  witness_confirms_ = false;
}

// `witness_looked`: before the member did. Precondition: the member holds the state that it reads, and the witness has
// not read since the member did.
std::uint64_t VersionLedger::number(Member& member, bool changed, bool witness_looked) {
  if (members_ == 1) {
    if (changed || member.number != current_) current_ = member.number = ++last_;
    witness_confirms_ = false;
    return member.number;
  }
  const auto witnessed = ask_witness();
  if (witnessed.ok() && !*witnessed && witness_looked) {
    // The witness saw one state before and after the member looked, so that is the member's state too.
    if (!witness_confirms_) {
      current_ = changed || member.number == 0 ? ++last_ : member.number;
      witness_confirms_ = true;
    }
    member.number = current_;
    return member.number;
  }
  // Nothing is known about the states of other members, so this member gets a number of its own. The next number is for
  // members that turn out to see what the witness sees now.
  if (changed || member.number == 0) member.number = ++last_;
  witness_confirms_ = witnessed.ok();
  current_ = ++last_;
  return member.number;
}

}  // namespace trustsql
