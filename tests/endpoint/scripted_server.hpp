// ScriptedServer: an HTTP server on loopback for tests, which answers as told and misbehaves on demand.
//
//   ScriptedServer server([](const SeenRequest& request) { return ScriptedReply{.body = "..."}; });
//   ... server.url() ... server.requests() ...
//
// A client should be destroyed before the server, which waits for connections that are kept alive.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace endpoint_testing {

struct SeenRequest {
  std::string path;    // "/v1/chat/completions"
  std::string target;  // with the query
  std::string body;
  std::map<std::string, std::string> headers;  // names in lower case

  bool has_header(const std::string& name) const { return headers.count(name) != 0; }
};

struct ScriptedReply {
  int status = 200;
  std::string body = {};
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
  int delay_ms = 0;                                      // before the first byte
  int drip_ms = 0;                                       // before each byte of the body
  bool endless = false;                                  // the body again and again
  std::optional<std::size_t> cut_after = std::nullopt;   // the connection breaks off after this many bytes of the body
  std::optional<std::size_t> hang_after = std::nullopt;  // nothing more comes after this many bytes of the body
};

struct TlsFiles {
  std::string certificate;  // PEM
  std::string key;
};

class ScriptedServer {
 public:
  using Handler = std::function<ScriptedReply(const SeenRequest&)>;

  // Listens on a free port of 127.0.0.1 until it is destroyed. `handler` is called on `threads` threads; each
  // connection that is kept alive takes one. Throws std::runtime_error.
  explicit ScriptedServer(Handler handler, std::size_t threads = 16, const std::optional<TlsFiles>& tls = std::nullopt);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  // "http://127.0.0.1:12345"; with TLS "https://localhost:12345".
  std::string url() const;

  // What has arrived so far, in order.
  std::vector<SeenRequest> requests() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Chat completions as an endpoint answers them, with `contents` as its choices.
std::string chat_body(const std::vector<std::string>& contents);

}  // namespace endpoint_testing
