// KnowledgeCache: what the parser knows about the last few databases, so that each state of one is read once.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "db/sandbox/sandbox.hpp"
#include "semparse/parser.hpp"

namespace trustsql::semparse {

// Thread-safe: of several threads that ask for the same state at once, one reads it and the others wait.
class KnowledgeCache {
 public:
  static constexpr std::size_t max_databases = 8;  // the oldest is dropped

  // Where what is read from now on is kept for other processes; null: nowhere.
  void keep_in(std::shared_ptr<ValueStore> store);

  // The knowledge about the state of `source` that `sandbox`, a lease of it, sees. Errors: those of Knowledge::build(),
  // and of reading the database's version.
  Result<std::shared_ptr<const Knowledge>> knowledge(SandboxSource& source, const Catalog& catalog, Sandbox& sandbox);

 private:
  struct Known {
    std::uint64_t database;  // SandboxSource::identity()
    std::uint64_t version;   // Sandbox::version()
    std::shared_ptr<const Knowledge> knowledge;
  };
  std::mutex mutex_;
  std::vector<Known> known_;  // the most recent last
  std::shared_ptr<ValueStore> store_;
};

}  // namespace trustsql::semparse
