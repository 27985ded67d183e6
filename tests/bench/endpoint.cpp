// Requests in flight: how close to the ideal many threads get that wait for one server through one multi handle.
//
//   trustsql_bench_endpoint [requests] [delay_ms] [concurrency ...]
//
// The server, on loopback in this process, answers each request after the delay. The ideal is requests / concurrency *
// delay.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel_for.hpp"
#include "endpoint/scripted_server.hpp"
#include "llm/endpoint_chat.hpp"
#include "llm/endpoint_client.hpp"

namespace {

using namespace trustsql;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void measure(const std::string& url, std::size_t requests, int delay_ms, std::size_t concurrency) {
  llm::EndpointSettings settings;
  settings.endpoint = llm::parse_endpoint(url, llm::Service::chat).value();
  auto client =
      std::make_shared<llm::EndpointClient>(std::move(settings), std::make_shared<llm::HttpTransport>(concurrency));
  llm::EndpointChat chat(client, nullptr, {});
  std::vector<int> failed(requests, 0);
  const auto begin = std::chrono::steady_clock::now();
  const auto processor_begin = std::clock();
  parallel_for(
      requests, concurrency,
      [&](std::size_t i) {
        llm::ChatRequest request;
        request.messages = {{llm::Role::user, "question " + std::to_string(i)}};
        failed[i] = chat.complete(request, {}).ok() ? 0 : 1;
      },
      [] { return false; });
  const double seconds = seconds_since(begin);
  const double processor = static_cast<double>(std::clock() - processor_begin) / CLOCKS_PER_SEC;
  const double ideal = static_cast<double>((requests + concurrency - 1) / concurrency) * delay_ms / 1000.0;
  int failures = 0;
  for (const int has_failed : failed) failures += has_failed;
  std::printf("%5zu requests, %4zu at a time, %4d ms each: %7.3f s, ideal %7.3f s", requests, concurrency, delay_ms,
              seconds, ideal);
  if (ideal > 0) std::printf(", %.3f times", seconds / ideal);
  std::printf("; processor time %.0f us a request, the server's included; %d failed\n",
              processor / static_cast<double>(requests) * 1e6, failures);
}

}  // namespace

int main(int count, char** arguments) {
  const std::size_t requests = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 512;
  const int delay_ms = count > 2 ? std::atoi(arguments[2]) : 200;
  std::vector<std::size_t> concurrencies;
  for (int i = 3; i < count; ++i) concurrencies.push_back(std::strtoul(arguments[i], nullptr, 10));
  if (concurrencies.empty()) concurrencies = {16, 64, 256};
  for (const auto concurrency : concurrencies) {
    const endpoint_testing::ScriptedServer server(
        [&](const endpoint_testing::SeenRequest&) {
          return endpoint_testing::ScriptedReply{.body = endpoint_testing::chat_body({"SELECT 1"}),
                                                 .delay_ms = delay_ms};
        },
        concurrency + 8);
    measure(server.url(), requests, delay_ms, concurrency);
  }
}
