// nl2sql_batch against a slow server: how close to the ideal, and what our own work costs.
//
//   trustsql_bench_batch [questions] [delay_ms] [concurrency] [columns] [method]
//
// The server, on loopback in this process, answers each request after the delay. The ideal time is the number of
// requests / concurrency * delay. Our own work is the processor time of a second run with a server that answers at
// once; it includes what the server itself takes, which cannot be measured separately. It is given as the time of the
// whole process per question.

#include <chrono>
#include <ctime>

#include "bench/host.hpp"
#include "endpoint/scripted_server.hpp"

namespace {

using trustsql_bench::Host;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void make_schema(Host& host, int columns) {
  constexpr int columns_a_table = 6;
  for (int table = 0; table * columns_a_table < columns; ++table) {
    std::string sql = "CREATE TABLE table_" + std::to_string(table) + "(id INTEGER PRIMARY KEY";
    for (int i = 1; i < columns_a_table; ++i)
      sql += ", name_" + std::to_string(table) + "_" + std::to_string(i) + " TEXT";
    sql += "); INSERT INTO table_" + std::to_string(table) +
           " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) SELECT i";
    for (int i = 1; i < columns_a_table; ++i) sql += ", 'value ' || i * " + std::to_string(i);
    host.rows(sql + " FROM n");
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int questions = count > 1 ? std::atoi(arguments[1]) : 512;
  const int delay_ms = count > 2 ? std::atoi(arguments[2]) : 200;
  const int concurrency = count > 3 ? std::atoi(arguments[3]) : 64;
  const int columns = count > 4 ? std::atoi(arguments[4]) : 30;
  const std::string method = count > 5 ? arguments[5] : "SQLPROMPT";
  for (const int delay : {delay_ms, 0}) {
    const endpoint_testing::ScriptedServer server(
        [&](const endpoint_testing::SeenRequest& request) {
          const bool judges = request.body.find("Begin with Yes") != std::string::npos;
          return endpoint_testing::ScriptedReply{
              .body = endpoint_testing::chat_body({judges ? "Yes" : "SELECT count(*) FROM table_0"}),
              .delay_ms = delay};
        },
        static_cast<std::size_t>(concurrency) + 8);
    Host host;
    make_schema(host, columns);
    host.set("llm_url", server.url() + "/v1");
    host.set("llm_model", "m");
    host.set("llm_concurrency", std::to_string(concurrency));
    host.set("nl2sql_method", method);
    host.rows(
        "CREATE TEMP TABLE questions AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
        std::to_string(questions) +
        ") SELECT i AS id, 'How many rows with value ' || i || ' are there?' AS question FROM n");
    const auto begin = std::chrono::steady_clock::now();
    const auto processor = std::clock();
    const auto row =
        host.rows("SELECT count(*), count(sql), sum(requests), avg(ms) FROM nl2sql_batch('questions')").front();
    const double seconds = seconds_since(begin);
    const double work = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
    const double ideal = std::stod(row[2]) / concurrency * delay / 1000.0;
    std::printf("%s, %d columns, %s questions (%s answered), %s requests of %d ms, %d at a time: %.3f s",
                method.c_str(), columns, row[0].c_str(), row[1].c_str(), row[2].c_str(), delay, concurrency, seconds);
    if (ideal > 0) std::printf(", ideal %.3f s, %.3f times", ideal, seconds / ideal);
    std::printf("; processor time %.2f ms a question, the server's included\n", work / questions * 1000);
  }
}
