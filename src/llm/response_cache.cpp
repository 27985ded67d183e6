#include "llm/response_cache.hpp"

#include "base/text.hpp"

namespace trustsql::llm {

namespace {

// An address contains no line break, so no two requests have the same key.
std::vector<std::string> keys_of(std::string_view url, std::span<const std::string> requests) {
  std::vector<std::string> keys;
  keys.reserve(requests.size());
  for (const auto& request : requests) keys.push_back(std::string(url) + "\n" + request);
  return keys;
}

}  // namespace

Result<std::shared_ptr<ResponseCache>> ResponseCache::open(const std::string& path, Mode mode) {
  auto store = SideStore::open(path, mode == Mode::replay ? SideStore::Mode::read_only : SideStore::Mode::read_write);
  if (!store.ok()) return std::move(store).error().with_prefix("setting 'cache_path'");
  return std::make_shared<ResponseCache>(std::move(store).value(), mode);
}

Result<std::vector<std::optional<std::string>>> ResponseCache::find(std::string_view service, std::string_view url,
                                                                    std::span<const std::string> requests) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto answers, store_->get(service, keys_of(url, requests)));
  if (mode_ == Mode::replay) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (answers[i]) continue;
      return io_error("the cache (cache_mode is replay) does not contain this request to " + std::string(url) + ": " +
                      quote_for_message(requests[i]));
    }
  }
  return answers;
}

Status ResponseCache::keep(std::string_view service, std::string_view url, std::span<const std::string> requests,
                           std::span<const std::string> answers) {
  return store_->put(service, keys_of(url, requests), answers);
}

}  // namespace trustsql::llm
