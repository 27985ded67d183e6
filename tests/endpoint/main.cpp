// trustsql_scripted_server: an OpenAI-compatible server on loopback that answers according to a script (script.hpp).
//
//   trustsql_scripted_server script.json [log.jsonl]
//
// Its first line of output is its base URL. It ends when its standard input does, hence with the program that started
// it. In the log, each request is a line of JSON: path, headers, body.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>

#include "endpoint/script.hpp"

int main(int count, char** arguments) {
  try {
    if (count < 2) throw std::runtime_error("usage: trustsql_scripted_server script.json [log.jsonl]");
    std::ifstream in(arguments[1], std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw std::runtime_error(std::string("cannot read ") + arguments[1]);
    endpoint_testing::Script script(text.str());
    std::ofstream log;
    if (count > 2) log.open(arguments[2], std::ios::binary | std::ios::app);
    std::mutex mutex;
    const endpoint_testing::ScriptedServer server(
        [&](const endpoint_testing::SeenRequest& request) {
          auto reply = script.answer(request);
          if (log.is_open()) {
            const std::lock_guard lock(mutex);
            const auto body = nlohmann::json::parse(request.body, nullptr, false);
            const nlohmann::ordered_json line = {
                {"path", request.target}, {"headers", request.headers}, {"body", body}};
            log << line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
          }
          return reply;
        },
        128);
    std::cout << server.url() << std::endl;
    for (char c = 0; std::cin.get(c);) {
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
