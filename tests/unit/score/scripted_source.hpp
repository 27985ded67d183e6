// A fake database: a function gives the result of each query.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "db/catalog/catalog.hpp"
#include "db/sandbox/sandbox.hpp"

namespace trustsql {

class ScriptedSource final : public SandboxSource {
 public:
  using Answer = std::function<Result<ResultSet>(const std::string& sql, Sandbox& sandbox)>;

  explicit ScriptedSource(Answer answer, std::uint64_t identity = 1)
      : answer_(std::move(answer)), identity_(identity) {}

  Result<SandboxLease> lease() override {
    ++leases;
    return SandboxLease(std::make_unique<Connection>(*this).release(),
                        [](Sandbox* sandbox) { std::unique_ptr<Sandbox>(sandbox).reset(); });
  }
  Result<std::shared_ptr<const Catalog>> catalog() override { return io_error("a scripted source has no catalog"); }
  std::string_view name() const override { return "scripted"; }
  std::uint64_t identity() const override { return identity_; }

  // How often the query was run.
  std::size_t runs(const std::string& sql) {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::count(run_.begin(), run_.end(), sql));
  }

  std::atomic<std::uint64_t> version{1};
  std::atomic<int> leases{0};

  class Connection final : public Sandbox {
   public:
    explicit Connection(ScriptedSource& source) : source_(source) {}

    Result<ResultSet> run(std::string_view sql) override {
      const std::string text(sql);
      {
        const std::lock_guard lock(source_.mutex_);
        source_.run_.push_back(text);
      }
      return source_.answer_(text, *this);
    }
    Result<std::vector<std::string>> prepare(std::string_view) override { return std::vector<std::string>(); }
    void interrupt() override { interrupted = true; }
    void set_stop(std::function<bool()> stop) override { stop_ = std::move(stop); }
    void set_deadline(std::chrono::steady_clock::time_point) override {}
    Result<std::uint64_t> version() override { return source_.version.load(); }
    Result<std::uint64_t> begin_read() override { return source_.version.load(); }
    void end_read() override {}

    bool must_stop() const { return interrupted || (stop_ && stop_()); }
    std::atomic<bool> interrupted{false};

   private:
    ScriptedSource& source_;
    std::function<bool()> stop_;
  };

 private:
  Answer answer_;
  std::uint64_t identity_;
  std::mutex mutex_;
  std::vector<std::string> run_;
};

}  // namespace trustsql
