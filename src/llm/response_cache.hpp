// ResponseCache: what endpoints answered, kept in a SQLite file, so that every answer can be replayed.
//
// The key is the exact request: the service, its address, the body. Never a key or a header.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/side_store.hpp"

namespace trustsql::llm {

class ResponseCache {
 public:
  enum class Mode {
    read_write,  // what is lacking is asked for and added
    replay,      // what is lacking is an error: nothing may touch the network
  };

  // Opens the file `path`, and in mode read_write makes it. Errors (io): as SideStore::open().
  static Result<std::shared_ptr<ResponseCache>> open(const std::string& path, Mode mode);
  ResponseCache(std::unique_ptr<SideStore> store, Mode mode) : store_(std::move(store)), mode_(mode) {}

  Mode mode() const { return mode_; }

  // What is kept for `requests` of `service` at the address `url`; empty where there is nothing. Thread-safe.
  // Errors (io): the file; in mode replay a request that is lacking.
  Result<std::vector<std::optional<std::string>>> find(std::string_view service, std::string_view url,
                                                       std::span<const std::string> requests);

  // Keeps answers[i] for requests[i], in place of what was kept before. Thread-safe. Errors (io): the file.
  Status keep(std::string_view service, std::string_view url, std::span<const std::string> requests,
              std::span<const std::string> answers);

 private:
  std::unique_ptr<SideStore> store_;
  Mode mode_;
};

}  // namespace trustsql::llm
