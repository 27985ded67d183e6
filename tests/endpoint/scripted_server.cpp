#include "endpoint/scripted_server.hpp"

#include <httplib.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

namespace endpoint_testing {

namespace {

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace

struct ScriptedServer::Impl {
  Handler handler;
  std::unique_ptr<httplib::Server> server;
  bool tls = false;
  int port = 0;
  std::thread thread;
  std::atomic<bool> stopping = false;
  mutable std::mutex mutex;
  mutable std::condition_variable stopped;
  std::vector<SeenRequest> requests;

  // False if the server is being destroyed.
  bool sleep(int ms) const {
    std::unique_lock lock(mutex);
    return !stopped.wait_for(lock, std::chrono::milliseconds(ms), [this] { return stopping.load(); });
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    SeenRequest seen;
    seen.path = request.path;
    seen.target = request.target;
    seen.body = request.body;
    for (const auto& [name, value] : request.headers) seen.headers[lower(name)] = value;
    {
      const std::lock_guard lock(mutex);
      requests.push_back(seen);
    }
    const auto reply = std::make_shared<ScriptedReply>(handler(seen));
    sleep(reply->delay_ms);
    response.status = reply->status;
    for (const auto& [name, value] : reply->headers) response.set_header(name, value);
    if (reply->endless) {
      response.set_chunked_content_provider(reply->content_type, [this, reply](std::size_t, httplib::DataSink& sink) {
        return !stopping && sink.write(reply->body.data(), reply->body.size());
      });
    } else if (reply->drip_ms > 0 || reply->cut_after || reply->hang_after) {
      response.set_content_provider(reply->body.size(), reply->content_type,
                                    [this, reply](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                      return misbehave(*reply, offset, length, sink);
                                    });
    } else {
      response.set_content(reply->body, reply->content_type.c_str());
    }
  }

  bool misbehave(const ScriptedReply& reply, std::size_t offset, std::size_t length, httplib::DataSink& sink) const {
    if (reply.cut_after && offset >= *reply.cut_after) return false;
    if (reply.hang_after && offset >= *reply.hang_after) {
      sleep(3'600'000);
      return false;
    }
    if (reply.drip_ms > 0) {
      length = 1;
      if (!sleep(reply.drip_ms)) return false;
    }
    for (const auto limit : {reply.cut_after, reply.hang_after})
      if (limit) length = std::min(length, *limit - offset);
    return sink.write(reply.body.data() + offset, length);
  }
};

ScriptedServer::ScriptedServer(Handler handler, std::size_t threads, const std::optional<TlsFiles>& tls)
    : impl_(std::make_unique<Impl>()) {
  impl_->handler = std::move(handler);
  impl_->tls = tls.has_value();
  if (tls) {
    impl_->server = std::make_unique<httplib::SSLServer>(tls->certificate.c_str(), tls->key.c_str());
  } else {
    impl_->server = std::make_unique<httplib::Server>();
  }
  auto& server = *impl_->server;
  if (!server.is_valid()) throw std::runtime_error("the server cannot be set up");
  server.new_task_queue = [threads] { return new httplib::ThreadPool(threads); };
  server.set_keep_alive_timeout(2);
  server.set_keep_alive_max_count(1'000'000);
  server.set_tcp_nodelay(true);
  int listening = -1;
  server.set_socket_options([&listening](int socket) { listening = socket; });
  const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
    impl_->answer(request, response);
  };
  server.Get(".*", answer);
  server.Post(".*", answer);
  impl_->port = server.bind_to_any_port("127.0.0.1");
  if (impl_->port < 0) throw std::runtime_error("no port is free on 127.0.0.1");
  listen(listening, 1024);  // httplib's queue of new connections holds five
  impl_->thread = std::thread([this] { impl_->server->listen_after_bind(); });
  while (!server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

ScriptedServer::~ScriptedServer() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->stopped.notify_all();
  impl_->server->stop();
  impl_->thread.join();
}

std::string ScriptedServer::url() const {
  return (impl_->tls ? "https://localhost:" : "http://127.0.0.1:") + std::to_string(impl_->port);
}

std::vector<SeenRequest> ScriptedServer::requests() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->requests;
}

std::string chat_body(const std::vector<std::string>& contents) {
  nlohmann::json json;
  auto& choices = json["choices"] = nlohmann::json::array();
  for (const auto& content : contents)
    choices.push_back({{"index", choices.size()},
                       {"message", {{"role", "assistant"}, {"content", content}}},
                       {"finish_reason", "stop"}});
  json["usage"] = {{"prompt_tokens", 10}, {"completion_tokens", 5 * contents.size()}};
  return json.dump();
}

}  // namespace endpoint_testing
