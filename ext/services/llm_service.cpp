#include "ext/services/llm_service.hpp"

#include "llm/endpoint_chat.hpp"
#include "llm/endpoint_client.hpp"
#include "llm/response_cache.hpp"

namespace trustsql::ext {

namespace {

// Whether `choice` (loopback, always or never) permits sending data to the server at `url`.
bool may_go(const std::string& choice, const std::string& url) {
  if (choice != "loopback") return choice == "always";
  const auto endpoint = llm::parse_endpoint(url, llm::Service::chat);
  return endpoint.ok() && endpoint->loopback;
}

}  // namespace

struct LlmService::Clients {
  std::shared_ptr<llm::HttpTransport> transport;
  std::shared_ptr<llm::ResponseCache> cache;  // null: none
  std::shared_ptr<llm::ChatModel> chat;
  std::shared_ptr<llm::EmbeddingClient> embeddings;
};

LlmService::LlmService(Session& session) : session_(session) {}

bool LlmService::has_chat() const {
  return session_.entry_point() == EntryPoint::full && llm::has_endpoint(session_.settings(), llm::Service::chat);
}

bool LlmService::has_embeddings() const {
  return session_.entry_point() == EntryPoint::full && llm::has_endpoint(session_.settings(), llm::Service::embeddings);
}

llm::Budget& LlmService::connection_budget() {
  const Settings& settings = session_.settings();
  connection_budget_.set_limits(settings.integer(Setting::llm_connection_requests),
                                settings.integer(Setting::llm_connection_tokens));
  return connection_budget_;
}

// Replaces clients that were created from older settings.
Status LlmService::refresh() {
  const Settings& settings = session_.settings();
  if (session_.entry_point() != EntryPoint::full)
    return not_allowed("the extension was loaded without network access (sqlite3_trustsql_init has it)");
  if (clients_ && generation_ == settings.generation()) return ok_status();
  auto clients = std::make_shared<Clients>();
  const auto& mode = settings.text(Setting::cache_mode);
  const auto& path = settings.text(Setting::cache_path);
  if (mode == "replay" && path.empty()) return invalid_argument("cache_mode is replay, but cache_path names no file");
  if (mode != "off" && !path.empty()) {
    TRUSTSQL_ASSIGN_OR_RETURN(clients->cache,
                              llm::ResponseCache::open(path, mode == "replay" ? llm::ResponseCache::Mode::replay
                                                                              : llm::ResponseCache::Mode::read_write));
  }
  clients->transport =
      std::make_shared<llm::HttpTransport>(static_cast<std::size_t>(settings.integer(Setting::llm_concurrency)));
  clients_ = std::move(clients);
  generation_ = settings.generation();
  return ok_status();
}

Result<std::shared_ptr<llm::ChatModel>> LlmService::chat() {
  TRUSTSQL_RETURN_IF_ERROR(refresh());
  if (clients_->chat) return clients_->chat;
  const Settings& settings = session_.settings();
  TRUSTSQL_ASSIGN_OR_RETURN(auto endpoint, llm::endpoint_settings(settings, llm::Service::chat,
                                                                  Settings::process_environment("OPENAI_API_KEY")));
  llm::EndpointChat::Defaults defaults;
  if (const auto tokens = settings.integer(Setting::llm_max_tokens); tokens > 0)
    defaults.max_tokens = static_cast<int>(tokens);
  if (const auto seed = settings.integer(Setting::llm_seed); seed >= 0) defaults.seed = seed;
  auto client = std::make_shared<llm::EndpointClient>(std::move(endpoint), clients_->transport);
  clients_->chat = std::make_shared<llm::EndpointChat>(std::move(client), clients_->cache, defaults);
  return clients_->chat;
}

Result<std::shared_ptr<llm::EmbeddingClient>> LlmService::embeddings() {
  TRUSTSQL_RETURN_IF_ERROR(refresh());
  if (clients_->embeddings) return clients_->embeddings;
  const Settings& settings = session_.settings();
  TRUSTSQL_ASSIGN_OR_RETURN(auto endpoint, llm::endpoint_settings(settings, llm::Service::embeddings,
                                                                  Settings::process_environment("OPENAI_API_KEY")));
  auto client = std::make_shared<llm::EndpointClient>(std::move(endpoint), clients_->transport);
  clients_->embeddings =
      std::make_shared<llm::EmbeddingClient>(std::move(client), clients_->cache, settings.text(Setting::embed_model),
                                             static_cast<std::size_t>(settings.integer(Setting::llm_concurrency)));
  return clients_->embeddings;
}

void LlmService::raise_concurrency(std::size_t concurrency) { clients_->transport->raise_concurrency(concurrency); }

bool LlmService::sends_rows() const {
  const Settings& settings = session_.settings();
  return may_go(settings.text(Setting::llm_send_rows), settings.text(Setting::llm_url));
}

bool LlmService::sends_examples(llm::Service service) const {
  const Settings& settings = session_.settings();
  const auto& own = settings.text(Setting::llm_send_examples);
  const auto& embed_url = settings.text(Setting::embed_url);
  const bool has_own_url = service == llm::Service::embeddings && !embed_url.empty();
  return may_go(own == "as_rows" ? settings.text(Setting::llm_send_rows) : own,
                has_own_url ? embed_url : settings.text(Setting::llm_url));
}

Status LlmService::check_examples_may_go() const {
  if (sends_examples(llm::Service::chat)) return ok_status();
  return not_allowed(
      "option 'examples': examples may not be sent to the server of llm_url (settings llm_send_examples and "
      "llm_send_rows)");
}

const std::string& model_of(const Settings& settings, Setting stage) {
  const auto& model = settings.text(stage);
  return model.empty() ? settings.text(Setting::llm_model) : model;
}

LlmCall::LlmCall(Session& session)
    : database_(session.database()),
      host_thread_(std::this_thread::get_id()),
      budget_(llm::Budget::Scope::call, session.settings().integer(Setting::llm_call_requests),
              session.settings().integer(Setting::llm_call_tokens)) {
  context_.stop = [this] { return stopped(); };
  context_.call_budget = &budget_;
  context_.connection_budget = &LlmService::of(session).connection_budget();
  context_.may_use_threads = session.database().may_use_threads();
}

bool LlmCall::stopped() {
  if (!stopped_ && std::this_thread::get_id() == host_thread_ && database_.interrupted()) stopped_ = true;
  return stopped_;
}

}  // namespace trustsql::ext
