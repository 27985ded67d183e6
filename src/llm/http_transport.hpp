// HttpTransport: POST requests of many threads through one multi handle of libcurl, hence over shared, kept-alive
// connections.
//
// There is no thread of its own. Of the threads that wait for answers one leads: it drives the transfers of all, until
// its own has ended, and then another one takes over. None of them waits longer than 50 ms without asking whether it is
// to stop. (Leader/followers, Schmidt et al. 2000; https://curl.se/libcurl/c/libcurl-multi.html)
//
// Redirects are not followed, certificates are checked, the environment's proxies, .netrc and cookies are left out.
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
  std::optional<std::chrono::seconds> retry_after;  // from the header, seconds and dates alike; more than 0
};

// Why there is no response.
struct HttpFailure {
  bool may_pass = false;  // worth another attempt
  Error error;            // not scrubbed
};

class HttpTransport {
 public:
  static constexpr std::size_t max_concurrency = 1024;

  // Loads and opens nothing. `concurrency`: the most transfers at a time, up to max_concurrency; further ones wait
  // their turn.
  explicit HttpTransport(std::size_t concurrency);
  // Precondition: no request is under way.
  ~HttpTransport();
  HttpTransport(const HttpTransport&) = delete;
  HttpTransport& operator=(const HttpTransport&) = delete;

  // Raises the number of transfers at a time to `concurrency`, if it is smaller. Thread-safe.
  void allow(std::size_t concurrency);

  // Sends `request` and waits for the whole answer. Thread-safe. `stop` is asked in the calling thread, every 50 ms; it
  // may be empty. On failure returns an empty optional and sets `failure`, its error: interrupted, limit_exceeded (the
  // answer is too long), io (anything else).
  std::optional<HttpResponse> post(const HttpRequest& request, const std::function<bool()>& stop, HttpFailure& failure);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trustsql::llm
