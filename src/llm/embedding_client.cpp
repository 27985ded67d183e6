#include "llm/embedding_client.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <optional>

#include "base/guard.hpp"
#include "base/parallel_for.hpp"
#include "llm/embedding_codec.hpp"
#include "llm/endpoint_client.hpp"
#include "llm/response_cache.hpp"

namespace trustsql::llm {

namespace {

constexpr std::string_view embedding_service = "embedding";
constexpr std::size_t batch_texts = 128;  // maximum texts of one request
constexpr std::size_t batch_bytes = 256 * 1024;

// The texts of one request, as a range of indices.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Range> batches_of(std::span<const std::string> texts) {
  std::vector<Range> batches;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (batches.empty() || i - batches.back().begin >= batch_texts || bytes + texts[i].size() > batch_bytes) {
      batches.push_back({i, i});
      bytes = 0;
    }
    bytes += texts[i].size();
    batches.back().end = i + 1;
  }
  return batches;
}

}  // namespace

EmbeddingClient::EmbeddingClient(std::shared_ptr<EndpointClient> client, std::shared_ptr<ResponseCache> cache,
                                 std::string model, std::size_t concurrency)
    : client_(std::move(client)),
      cache_(std::move(cache)),
      model_(std::move(model)),
      name_(client_->endpoint().public_url + " " + model_),
      concurrency_(std::max<std::size_t>(concurrency, 1)) {}

Result<std::vector<std::vector<float>>> EmbeddingClient::embed(std::span<const std::string> texts,
                                                               const RequestContext& context, Usage* usage) {
  Usage spent;
  // Embed every distinct text once.
  std::map<std::string_view, std::size_t> unique_index;
  std::vector<std::string> unique;
  for (const auto& text : texts)
    if (unique_index.emplace(text, unique.size()).second) unique.push_back(text);
  std::vector<std::vector<float>> vectors(unique.size());

  std::vector<std::string> requests;  // the keys of the cache
  std::vector<std::size_t> uncached;
  if (cache_) {
    for (const auto& text : unique) requests.push_back(encode_embedding_request(model_, std::span(&text, 1)));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto cached_vectors,
                              cache_->find(embedding_service, client_->endpoint().public_url, requests));
    for (std::size_t i = 0; i < unique.size(); ++i) {
      if (!cached_vectors[i]) {
        uncached.push_back(i);
        continue;
      }
      TRUSTSQL_ASSIGN_OR_RETURN(vectors[i], vector_of(*cached_vectors[i]));
      ++spent.cached;
    }
  } else {
    for (std::size_t i = 0; i < unique.size(); ++i) uncached.push_back(i);
  }

  if (!uncached.empty()) {
    std::vector<std::string> uncached_texts;
    for (const auto i : uncached) uncached_texts.push_back(unique[i]);
    std::vector<std::vector<float>> new_vectors(uncached_texts.size());
    TRUSTSQL_RETURN_IF_ERROR(ask(uncached_texts, new_vectors, context, spent));
    if (cache_) {
      std::vector<std::string> keys;
      std::vector<std::string> values;
      for (std::size_t k = 0; k < uncached.size(); ++k) {
        keys.push_back(std::move(requests[uncached[k]]));
        values.push_back(vector_bytes(new_vectors[k]));
      }
      TRUSTSQL_RETURN_IF_ERROR(cache_->keep(embedding_service, client_->endpoint().public_url, keys, values));
    }
    for (std::size_t k = 0; k < uncached.size(); ++k) vectors[uncached[k]] = std::move(new_vectors[k]);
  }
  for (const auto& vector : vectors)
    if (vector.size() != vectors.front().size()) return io_error(name_ + ": embeddings of different sizes");
  if (!vectors.empty()) dimensions_ = vectors.front().size();
  if (usage != nullptr) *usage += spent;

  std::vector<std::vector<float>> result;
  result.reserve(texts.size());
  for (const auto& text : texts) result.push_back(vectors[unique_index.find(text)->second]);
  return result;
}

// Gets the vectors of `texts` from the server, in concurrent batches.
Status EmbeddingClient::ask(std::span<const std::string> texts, std::span<std::vector<float>> vectors,
                            const RequestContext& context, Usage& usage) {
  const auto batches = batches_of(texts);
  const auto ask_one = [&](Range range, const RequestContext& batch_context, Usage& batch_usage) {
    return ask_batch(texts.subspan(range.begin, range.end - range.begin),
                     vectors.subspan(range.begin, range.end - range.begin), batch_context, batch_usage);
  };
  if (batches.size() == 1) return ask_one(batches.front(), context, usage);

  std::atomic<bool> stopped = false;
  RequestContext on_workers = context;
  on_workers.stop = [&stopped] { return stopped.load(); };
  std::vector<std::optional<Status>> outcomes(batches.size());
  std::vector<Usage> usages(batches.size());
  const auto poll = [&] {
    if (context.stop && context.stop()) stopped = true;
    return stopped.load();
  };
  if (!context.may_use_threads) on_workers.stop = poll;
  parallel_for(
      batches.size(), context.may_use_threads ? concurrency_ : 1,
      [&](std::size_t i) {
        outcomes[i] = guarded([&] { return ask_one(batches[i], on_workers, usages[i]); });
        if (!outcomes[i]->ok()) stopped = true;
      },
      poll);
  const Error* first = nullptr;  // the others may have been interrupted because of it
  bool all_finished = true;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    usage += usages[i];
    all_finished = all_finished && outcomes[i];
    if (outcomes[i] && !outcomes[i]->ok() && (first == nullptr || first->code == ErrorCode::interrupted))
      first = &outcomes[i]->error();
  }
  if (first != nullptr) return *first;
  if (!all_finished) return Error{ErrorCode::interrupted, "interrupted"};
  return ok_status();
}

Status EmbeddingClient::ask_batch(std::span<const std::string> texts, std::span<std::vector<float>> vectors,
                                  const RequestContext& context, Usage& usage) {
  EmbeddingReply reply;
  const auto read = [&](const std::string& body) -> Status {
    TRUSTSQL_ASSIGN_OR_RETURN(reply, decode_embeddings(body, texts.size(), client_->secrets()));
    return ok_status();
  };
  TRUSTSQL_ASSIGN_OR_RETURN(const auto answer,
                            client_->post(encode_embedding_request(model_, texts), read, context, usage));
  if (!answer.ok()) return client_->refusal(answer);
  usage.prompt_tokens += reply.tokens;
  for (Budget* budget : {context.call_budget, context.connection_budget})
    if (budget != nullptr) budget->count_tokens(reply.tokens);
  std::ranges::move(reply.vectors, vectors.begin());
  return ok_status();
}

}  // namespace trustsql::llm
