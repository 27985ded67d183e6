#include "llm/http_transport.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <mutex>

#include "base/guard.hpp"
#include "base/sigpipe_guard.hpp"
#include "llm/curl_api.hpp"

namespace trustsql::llm {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto stop_interval = std::chrono::milliseconds(50);

// A server without TLS is usually near, and often small, with a backlog of only 5 new connections (for example
// llama.cpp's). A connection that arrives when the backlog is full is dropped, and retried by the kernel a second
// later. So only a few are opened at a time: 64 take 32 ms.
constexpr std::size_t connections_at_a_time = 2;
constexpr auto connect_interval = std::chrono::milliseconds(1);

struct EasyDeleter {
  const CurlApi* api;
  void operator()(CURL* handle) const { api->easy_cleanup(handle); }
};
struct MultiDeleter {
  const CurlApi* api;
  void operator()(CURLM* handle) const { api->multi_cleanup(handle); }
};
struct ListDeleter {
  const CurlApi* api;
  void operator()(curl_slist* list) const { api->slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, EasyDeleter>;
using Multi = std::unique_ptr<CURLM, MultiDeleter>;
using List = std::unique_ptr<curl_slist, ListDeleter>;

// Whether a failure may be transient. An invalid certificate is not: it stays invalid.
bool is_transient(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_PARTIAL_FILE:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    default: return false;
  }
}

// One request in progress. Created and destroyed by the thread that waits for it.
class Transfer {
 public:
  Transfer(const CurlApi& api, const HttpRequest& request)
      : is_throttled(request.url.starts_with("http://")),
        api_(api),
        limits_(request.limits),
        easy_(api.easy_init(), {&api}),
        headers_(nullptr, {&api}) {
    if (easy_) set_options(request);
  }

  CURL* handle() const { return easy_.get(); }
  bool usable() const { return easy_ != nullptr && headers_ != nullptr && options_code_ == CURLE_OK; }
  std::string options_message() const {
    return options_code_ == CURLE_OK ? "out of memory" : api_.easy_strerror(options_code_);
  }

  bool stalled(Clock::time_point now) const { return last_byte_ && now - *last_byte_ > limits_.stall; }

  // The outcome of the transfer, once it has ended with `code`.
  std::optional<HttpResponse> finish(CURLcode code, HttpFailure& failure) {
    if (too_long_) {
      failure = {false, limit_exceeded("the answer is longer than " + std::to_string(limits_.max_response_bytes) +
                                       " bytes (setting llm_max_response_bytes)")};
      return std::nullopt;
    }
    if (receive_error_) {
      failure = {false, *std::move(receive_error_)};
      return std::nullopt;
    }
    if (code != CURLE_OK) {
      const char* detail = error_[0] != '\0' ? error_ : api_.easy_strerror(code);
      failure = {is_transient(code), io_error(detail)};
      long reason = 0;  // as errno
      if (code == CURLE_COULDNT_CONNECT && api_.easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &reason) == CURLE_OK)
        failure.is_refusal = reason == ECONNREFUSED;
      return std::nullopt;
    }
    HttpResponse response;
    api_.easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &response.status);
    curl_off_t wait = 0;
    api_.easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &wait);
    if (wait > 0) response.retry_after = std::chrono::seconds(wait);
    const char* redirect = nullptr;
    api_.easy_getinfo(easy_.get(), CURLINFO_REDIRECT_URL, &redirect);
    if (redirect != nullptr) response.redirect_url = redirect;
    response.body = std::move(body_);
    return response;
  }
  HttpFailure stall_failure() const {
    return {true, io_error("no data received for " + std::to_string(limits_.stall.count()) +
                           " ms (setting llm_stall_timeout_ms)")};
  }

  const bool is_throttled;  // only a few such transfers are connected at a time

  // State of the transport, guarded by its mutex.
  enum class State { waiting, active, done };
  State state = State::waiting;
  bool cancelled = false;
  CURLcode code = CURLE_OK;
  bool was_stalled = false;
  std::condition_variable changed;

 private:
  // libcurl's functions are variadic; these overloads have the types that the options used here require.
  void set(CURLoption option, long value) { check(api_.easy_setopt(easy_.get(), option, value)); }
  void set(CURLoption option, const char* value) { check(api_.easy_setopt(easy_.get(), option, value)); }
  template <class T>
  void set_pointer(CURLoption option, T* value) {
    check(api_.easy_setopt(easy_.get(), option, value));
  }
  void check(CURLcode code) {
    if (code != CURLE_OK && options_code_ == CURLE_OK) options_code_ = code;
  }

  void set_options(const HttpRequest& request) {
    for (const auto& header : request.headers) add_header(header.c_str());
    add_header("Content-Type: application/json");
    add_header("Expect:");  // no "100-continue" before a long body, which some servers answer only after a second
    set(CURLOPT_URL, request.url.c_str());
    set_pointer(CURLOPT_HTTPHEADER, headers_.get());
    set(CURLOPT_POSTFIELDSIZE, static_cast<long>(request.body.size()));
    set_pointer(CURLOPT_POSTFIELDS, request.body.data());  // not copied: the request outlives the transfer
    set(CURLOPT_USERAGENT, "trustsql/" TRUSTSQL_VERSION);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    if (!request.ca_file.empty()) set(CURLOPT_CAINFO, request.ca_file.c_str());
    set(CURLOPT_PROXY, request.proxy.c_str());  // an empty value disables the environment's proxy
    set(CURLOPT_NOPROXY, "");
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits_.connect.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(limits_.total.count()));
    set_pointer(CURLOPT_ERRORBUFFER, static_cast<char*>(error_));
    set_pointer(CURLOPT_PRIVATE, this);
    set_pointer(CURLOPT_WRITEDATA, this);
    set_pointer(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    set_pointer(CURLOPT_HEADERDATA, this);
    set_pointer(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
    // Older libraries lack these options, which are not essential: URLs have been checked to be http or https, and
    // redirects are off; without QUICK_EXIT, stopping during name resolution waits for the resolver's thread.
#if LIBCURL_VERSION_NUM >= 0x075500
    api_.easy_setopt(easy_.get(), CURLOPT_PROTOCOLS_STR, "http,https");
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
    api_.easy_setopt(easy_.get(), CURLOPT_QUICK_EXIT, 1L);
#endif
  }

  void add_header(const char* header) {
    curl_slist* longer = api_.slist_append(headers_.get(), header);
    if (longer == nullptr) {
      check(CURLE_OUT_OF_MEMORY);
    } else {
      headers_.release();
      headers_.reset(longer);
    }
  }

  // Both return the number of bytes that they accepted; if that is less than given, the transfer ends.
  static std::size_t on_body(const char* data, std::size_t size, std::size_t count, void* self) noexcept {
    return static_cast<Transfer*>(self)->receive(data, size * count, true);
  }
  static std::size_t on_header(const char* data, std::size_t size, std::size_t count, void* self) noexcept {
    return static_cast<Transfer*>(self)->receive(data, size * count, false);
  }
  std::size_t receive(const char* data, std::size_t bytes, bool is_body) noexcept {
    last_byte_ = Clock::now();
    received_ += bytes;
    too_long_ = received_ > limits_.max_response_bytes;
    if (too_long_) return 0;
    auto stored = guarded([&] {
      if (is_body) body_.append(data, bytes);
    });
    if (stored.ok()) return bytes;
    receive_error_ = std::move(stored).error();
    return 0;
  }

  const CurlApi& api_;
  const TransferLimits limits_;
  Easy easy_;
  List headers_;
  CURLcode options_code_ = CURLE_OK;
  char error_[CURL_ERROR_SIZE] = {};
  std::string body_;
  std::size_t received_ = 0;  // including headers
  bool too_long_ = false;
  std::optional<Error> receive_error_;
  std::optional<Clock::time_point> last_byte_;
};

}  // namespace

struct HttpTransport::Impl {
  explicit Impl(std::size_t limit) {
    raise_concurrency(limit);
    active.reserve(max_concurrency);
    ended.reserve(max_concurrency);
  }
  ~Impl() {
    const SigpipeGuard guard;  // closing TLS connections writes to sockets
    multi.reset();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  struct Ended {
    Transfer* transfer;
    CURLcode code;
    bool stalled;
  };

  void raise_concurrency(std::size_t limit) {
    const std::lock_guard lock(mutex);
    concurrency = std::clamp<std::size_t>(limit, std::max<std::size_t>(concurrency, 1), max_concurrency);
  }

  // Guards what follows; only the leader uses `multi`, `active` and `ended`, except for multi_wakeup(). Nothing is
  // allocated while a transfer is in these lists, so that no failure can leave a destroyed one there.
  std::mutex mutex;
  const CurlApi* api = nullptr;
  Multi multi{nullptr, {nullptr}};
  std::size_t concurrency = 0;
  bool has_leader = false;
  std::vector<Transfer*> all;      // transfers that are not done
  std::vector<Transfer*> waiting;  // those of them that have not begun, in order of arrival
  std::vector<Transfer*> active;
  std::vector<Ended> ended;
  std::size_t connections = 0;       // connections that have been opened, approximately
  std::size_t connections_left = 0;  // connections that may be opened before next_connections
  Clock::time_point next_connections;

  Status open() {
    if (multi) return ok_status();
    TRUSTSQL_ASSIGN_OR_RETURN(api, CurlApi::get());
    multi = Multi(api->multi_init(), {api});
    if (!multi) return Error{ErrorCode::out_of_memory, "libcurl: out of memory"};
    api->multi_setopt(multi.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(max_concurrency));
    return ok_status();
  }

  // Starts transfers that may start, and removes cancelled ones. Called by the leader, with the mutex held.
  void admit() {
    std::erase_if(waiting, [this](Transfer* transfer) {
      if (transfer->cancelled) end(*transfer, CURLE_ABORTED_BY_CALLBACK);
      return transfer->cancelled;
    });
    std::erase_if(active, [this](Transfer* transfer) {
      if (!transfer->cancelled) return false;
      api->multi_remove_handle(multi.get(), transfer->handle());
      end(*transfer, CURLE_ABORTED_BY_CALLBACK);
      return true;
    });
    const auto now = Clock::now();
    if (now >= next_connections) {
      next_connections = now + connect_interval;
      connections_left = connections_at_a_time;
    }
    while (active.size() < concurrency && !waiting.empty()) {
      Transfer* transfer = waiting.front();
      // There are as many connections as the highest number of concurrent transfers so far.
      const bool connects = active.size() >= connections;
      if (connects && transfer->is_throttled && connections_left == 0) break;
      if (connects) {
        connections = active.size() + 1;
        if (transfer->is_throttled) --connections_left;
      }
      waiting.erase(waiting.begin());
      if (api->multi_add_handle(multi.get(), transfer->handle()) != CURLM_OK) {
        end(*transfer, CURLE_FAILED_INIT);
        continue;
      }
      transfer->state = Transfer::State::active;
      active.push_back(transfer);
    }
  }

  // Marks a transfer as done. Called with the mutex held.
  void end(Transfer& transfer, CURLcode code) {
    transfer.code = code;
    transfer.state = Transfer::State::done;
    std::erase(all, &transfer);
    transfer.changed.notify_one();
  }

  // Drives all transfers for one step, then waits for at most `timeout` until there is more to do. Called by the
  // leader, with the mutex held by `lock`, which is released while libcurl works.
  void drive(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds timeout) {
    ended.clear();
    {
      const SigpipeGuard guard;
      admit();
      const bool more_waiting = active.size() < concurrency && !waiting.empty();
      lock.unlock();
      int running = 0;
      api->multi_perform(multi.get(), &running);
      int left = 0;
      while (const CURLMsg* message = api->multi_info_read(multi.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        CURL* handle = message->easy_handle;
        const CURLcode code = message->data.result;
        Transfer* transfer = nullptr;
        api->easy_getinfo(handle, CURLINFO_PRIVATE, &transfer);
        api->multi_remove_handle(multi.get(), handle);
        ended.push_back({transfer, code, false});
      }
      const auto now = Clock::now();
      for (Transfer* transfer : active) {
        const bool has_ended =
            std::ranges::any_of(ended, [&](const Ended& entry) { return entry.transfer == transfer; });
        if (has_ended || !transfer->stalled(now)) continue;
        api->multi_remove_handle(multi.get(), transfer->handle());
        ended.push_back({transfer, CURLE_OPERATION_TIMEDOUT, true});
      }
      // Transfers that have ended may allow others to begin.
      if (more_waiting) timeout = std::min(timeout, connect_interval);
      if (ended.empty()) api->multi_poll(multi.get(), nullptr, 0, static_cast<int>(timeout.count()), nullptr);
    }
    lock.lock();
    for (const auto& entry : ended) {
      std::erase(active, entry.transfer);
      entry.transfer->was_stalled = entry.stalled;
      end(*entry.transfer, entry.code);
    }
  }

  // Waits until `transfer` is done. Errors: `interrupted` if `stop` ended it; that of an exception from `stop`, which
  // ends it as well.
  Status wait(Transfer& transfer, const std::function<bool()>& stop) {
    std::unique_lock lock(mutex);
    all.reserve(all.size() + 1);
    waiting.reserve(all.size() + 1);
    all.push_back(&transfer);
    waiting.push_back(&transfer);
    Status outcome = ok_status();
    if (has_leader) api->multi_wakeup(multi.get());
    auto next_stop_check = Clock::now() + stop_interval;
    while (transfer.state != Transfer::State::done) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_stop_check - Clock::now());
      const auto timeout = std::clamp(left, std::chrono::milliseconds(0), std::chrono::milliseconds(stop_interval));
      if (has_leader) {
        transfer.changed.wait_for(lock, timeout);
      } else {
        has_leader = true;
        drive(lock, timeout);
        has_leader = false;
      }
      if (Clock::now() < next_stop_check) continue;
      next_stop_check = Clock::now() + stop_interval;
      if (stop && !transfer.cancelled) {
        lock.unlock();
        auto stopped = guarded(stop);
        lock.lock();
        if (!stopped.ok()) outcome = std::move(stopped).error();
        const bool must_end = !stopped.ok() || *stopped;
        if (must_end && transfer.state != Transfer::State::done) {
          if (outcome.ok()) outcome = Error{ErrorCode::interrupted, "interrupted"};
          transfer.cancelled = true;
          if (has_leader) api->multi_wakeup(multi.get());
        }
      }
    }
    if (!has_leader && !all.empty()) all.front()->changed.notify_one();  // that thread leads from now on
    return outcome;
  }
};

HttpTransport::HttpTransport(std::size_t concurrency) : impl_(std::make_unique<Impl>(concurrency)) {}

HttpTransport::~HttpTransport() = default;

void HttpTransport::raise_concurrency(std::size_t concurrency) { impl_->raise_concurrency(concurrency); }

std::optional<HttpResponse> HttpTransport::post(const HttpRequest& request, const std::function<bool()>& stop,
                                                HttpFailure& failure) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (auto opened = impl_->open(); !opened.ok()) {
      failure = {false, std::move(opened).error()};
      return std::nullopt;
    }
  }
  Transfer transfer(*impl_->api, request);
  if (!transfer.usable()) {
    failure = {false, io_error("libcurl: " + transfer.options_message())};
    return std::nullopt;
  }
  if (auto waited = impl_->wait(transfer, stop); !waited.ok()) {
    failure = {false, std::move(waited).error()};
    return std::nullopt;
  }
  if (transfer.was_stalled) {
    failure = transfer.stall_failure();
    return std::nullopt;
  }
  return transfer.finish(transfer.code, failure);
}

}  // namespace trustsql::llm
