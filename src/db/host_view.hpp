// HostView: what the host connection shows, and how a private connection can be made to show the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "db/layout.hpp"

namespace trustsql {

struct HostOpening;

// What was seen of the host when a Layout of its databases was made. Reads the host with PRAGMA and SELECT only.
class HostView {
 public:
  // Looks at `host` and opens a private connection that shows what it shows now: its files where they can be opened a
  // second time, copies of at most `snapshot_max_bytes` in all where not. Errors: of DatabaseImage::take(), io.
  static Result<HostOpening> open(sqlite3* host, std::int64_t snapshot_max_bytes);

  // Whether a connection that was opened then still shows what `host` shows now. Where nothing was copied this takes
  // well under a microsecond. Never true of a copy that was taken inside a write transaction: neither a change of the
  // schema nor ROLLBACK moves anything that could be compared there.
  bool still_holds(sqlite3* host) const;

 private:
  struct Schema {
    std::string name;
    std::string file;  // path; empty in memory
    bool copied = false;
    std::int64_t data_version = 0;  // of a copied one
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
