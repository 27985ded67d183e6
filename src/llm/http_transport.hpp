// HttpTransport: sends the POST requests of many threads through one libcurl multi handle, hence over shared,
// kept-alive connections.
//
// It has no thread of its own. One of the threads that wait for answers is the leader: it drives all transfers until
// its own has ended, and then another thread takes over. No thread waits longer than 50 ms without checking whether it
// should stop. (Leader/followers, Schmidt et al. 2000; https://curl.se/libcurl/c/libcurl-multi.html)
//
// Redirects are not followed, certificates are verified, and the environment's proxies, .netrc and cookies are ignored.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "llm/endpoint_settings.hpp"

namespace trustsql::llm {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  // "Name: value"
  std::string body;
  std::string proxy;
  std::string ca_file;
  TransferLimits limits;
};

struct HttpResponse {
  long status = 0;
  std::string body;
  std::string redirect_url;                         // where a redirect would lead
  std::optional<std::chrono::seconds> retry_after;  // from the header, in seconds or as a date; greater than 0
};

// Why there is no response.
struct HttpFailure {
  bool is_transient = false;  // may be transient: worth another attempt
  Error error;                // may contain secrets
  bool is_refusal = false;    // nothing listens at the address
};

class HttpTransport {
 public:
  static constexpr std::size_t max_concurrency = 1024;

  // Loads and opens nothing. `concurrency`: the maximum number of concurrent transfers, up to max_concurrency; further
  // ones wait.
  explicit HttpTransport(std::size_t concurrency);
  // Precondition: no request is in progress.
  ~HttpTransport();
  HttpTransport(const HttpTransport&) = delete;
  HttpTransport& operator=(const HttpTransport&) = delete;

  // Raises the maximum number of concurrent transfers to `concurrency`, if it is smaller. Thread-safe.
  void raise_concurrency(std::size_t concurrency);

  // Sends `request` and waits for the whole answer. Thread-safe. `stop` is called in the calling thread, every 50 ms;
  // it may be empty. On failure returns nullopt and sets `failure`, with the error interrupted, limit_exceeded (the
  // answer is too long) or io (anything else).
  std::optional<HttpResponse> post(const HttpRequest& request, const std::function<bool()>& stop, HttpFailure& failure);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql::llm
