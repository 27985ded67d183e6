// Session: what the extension keeps for one host connection.
//
// Created by an entry point and shared by every function registered with it; it is destroyed with the last of them,
// when the connection closes. The host connection is used by one thread at a time, and so is this object.
#pragma once

#include <memory>

#include "base/settings.hpp"
#include "db/sources/host_database.hpp"
#include "db/sqlite/sqlite_api.hpp"

namespace trustsql::ext {

// The entry point that loaded the extension. Each level includes all functions of the lower ones.
enum class EntryPoint {
  pure,     // no network, no files, no SQL run on the host's data
  offline,  // no network
  full,
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(sqlite3* host, EntryPoint entry_point, Settings settings)
      : host_(host), entry_point_(entry_point), settings_(std::move(settings)), database_(host) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  sqlite3* host() const { return host_; }
  EntryPoint entry_point() const { return entry_point_; }
  // Called when a higher entry point has been loaded as well.
  void raise_to(EntryPoint entry_point) { entry_point_ = entry_point; }
  Settings& settings() { return settings_; }
  const Settings& settings() const { return settings_; }
  HostDatabase& database() { return database_; }
  const HostDatabase& database() const { return database_; }
  // Objects that function families keep for the connection.
  SharedObjects& objects() { return objects_; }

 private:
  sqlite3* host_;
  EntryPoint entry_point_;
  Settings settings_;
  HostDatabase database_;
  SharedObjects objects_;
};

}  // namespace trustsql::ext
