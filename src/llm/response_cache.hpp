// ResponseCache: stores the answers of endpoints in a SQLite file, so that every answer can be replayed.
//
// The cache key is the exact request: the service, its address, the body. It never contains an API key or a header.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "db/stores/side_store.hpp"

namespace trustsql::llm {

class ResponseCache {
 public:
  enum class Mode {
    read_write,  // missing answers are requested and added
    replay,      // a missing answer is an error: the network must not be used
  };

  // Opens the file `path`; in mode read_write creates it if necessary. Errors (io): as SideStore::open().
  static Result<std::shared_ptr<ResponseCache>> open(const std::string& path, Mode mode);
  ResponseCache(std::unique_ptr<SideStore> store, Mode mode) : store_(std::move(store)), mode_(mode) {}

  Mode mode() const { return mode_; }

  // The stored answers to `requests` of `service` at the address `url`; nullopt for a request without one. Thread-safe.
  // Errors (io): those of the file; in mode replay also a missing answer.
  Result<std::vector<std::optional<std::string>>> find(std::string_view service, std::string_view url,
                                                       std::span<const std::string> requests);

  // Stores answers[i] for requests[i], replacing a previous answer. Thread-safe. Errors (io): those of the file.
  Status keep(std::string_view service, std::string_view url, std::span<const std::string> requests,
              std::span<const std::string> answers);

 private:
  std::unique_ptr<SideStore> store_;
  Mode mode_;
};

}  // namespace trustsql::llm
