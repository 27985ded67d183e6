// HostView: what the host connection shows, and how a private connection can be made to show the same.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "db/sources/layout.hpp"

namespace trustsql {

struct HostOpening;

// The state of the host that was recorded when a Layout of its databases was made. Reads the host with PRAGMA and
// SELECT only.
class HostView {
 public:
  // Opens a private connection that shows what `host` shows now: its files if they can be opened a second time,
  // otherwise copies of at most `snapshot_max_bytes` in total. Waits at most `lock_wait` for each lock. Errors: those
  // of DatabaseImage::take(), io.
  static Result<HostOpening> open(sqlite3* host, std::int64_t snapshot_max_bytes, std::chrono::milliseconds lock_wait);

  // Whether a connection that was opened then still shows what `host` shows now. If nothing was copied this takes well
  // under a microsecond. Always false for a copy that was taken inside a write transaction: there, neither a schema
  // change nor ROLLBACK changes any counter that could be compared.
  bool still_holds(sqlite3* host) const;

 private:
  struct Schema {
    std::string name;
    std::string file;  // path; empty in memory
    bool copied = false;
    std::int64_t data_version = 0;  // of a copied database
    std::int64_t schema_version = 0;
  };

  bool reusable_ = true;
  bool has_temp_ = false;
  bool anything_copied_ = false;
  std::int64_t temp_schema_version_ = 0;
  std::int64_t total_changes_ = 0;
  std::vector<Schema> schemas_;  // main, then the attached ones
};

struct HostOpening {
  HostView view;
  Layout layout;
  Connection connection;  // opened from the layout
};

}  // namespace trustsql
