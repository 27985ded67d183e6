// SigpipeGuard: writing to a connection that the other side has closed must not end the host's process.
//
// If a library writes to such a connection with write(), the writing thread receives SIGPIPE. The guard blocks the
// signal for this thread and consumes any that was raised in the meantime; the signal handlers, which belong to the
// host, stay as they are.
#pragma once

#include <csignal>
#include <ctime>

namespace trustsql {

class SigpipeGuard {
 public:
  SigpipeGuard() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
  }
  ~SigpipeGuard() {
    if (!was_pending_) {
      constexpr timespec no_time = {0, 0};
      while (sigtimedwait(&sigpipe_, nullptr, &no_time) == SIGPIPE) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SigpipeGuard(const SigpipeGuard&) = delete;
  SigpipeGuard& operator=(const SigpipeGuard&) = delete;

 private:
  sigset_t sigpipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace trustsql
