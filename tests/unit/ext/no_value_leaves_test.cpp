// If llm_send_rows keeps values local, none leaves: every function that asks a server, with every method, against a
// server that answers with SQL which carries values into error messages, numbers of rows and names, and reads what it
// is asked next.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"
#include "endpoint/scripted_server.hpp"
#include "trustsql/trustsql.h"
#include "unit/ext/support.hpp"

namespace trustsql::ext {
namespace {

using endpoint_testing::ScriptedReply;
using endpoint_testing::ScriptedServer;
using endpoint_testing::SeenRequest;
using testing_support::Database;

// The values, of which no other text has a part, and the numbers of rows, which no other number is.
const std::vector<std::string> cells = {
    "Quillfeather", "Zorvanek",           "Ybbitonia",          "bio: xylokarp wurzelsepp",
    "739154",       "28.40417",           "Hjartvig",           "Umbrellastan",
    "5150517",      "exampler-value-vok", "other-db-value-wix", "ddl-value-wax"};
constexpr int all_rows = 4817;
constexpr int found_rows = 1205;  // a quarter of them, rounded up

std::string setup() {
  return "CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT, country TEXT, bio TEXT, fee INT, score REAL);"
         "INSERT INTO singer VALUES (1, 'Quillfeather', 'Ybbitonia', 'bio: xylokarp wurzelsepp', 739154, 28.40417);"
         "INSERT INTO singer VALUES (2, 'Zorvanek', 'Umbrellastan', NULL, 5150517, NULL);"
         "CREATE TABLE many(n INTEGER PRIMARY KEY, label TEXT);"
         "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < " +
         std::to_string(all_rows) +
         ") INSERT INTO many SELECT i, 'Hjartvig' FROM c;"
         "CREATE VIEW names AS SELECT name FROM singer;"
         "SELECT nl2sql_learn('Who is exampler-value-vok?', 'SELECT name FROM singer WHERE name = "
         "''exampler-value-vok''');"
         "SELECT nl2sql_learn('Paint exampler-value-vok', NULL, '{\"type\":\"non-sql\"}');"
         "SELECT nl2sql_learn('Where is other-db-value-wix?', 'SELECT 1', '{\"db\":\"other\",\"schema\":\"CREATE TABLE "
         "t(a); "
         "INSERT INTO t VALUES (''ddl-value-wax'')\"}');"
         "INSERT INTO trustsql_examples(question, sql, db, schema) VALUES ('Is there other-db-value-wix?', 'SELECT 1', "
         "'broken', 'CREATE TABLE t(a; "
         "INSERT INTO t VALUES (''ddl-value-wax'')')";
}

// SQL that brings values, or a number of rows, into the messages about it.
const std::vector<std::string> hostile_queries = {
    "SELECT json_extract('{}', group_concat(name || coalesce(bio, ''), '|')) FROM singer",
    "SELECT json_extract(name, '$') FROM singer",
    "SELECT json('[' || fee) FROM singer",
    "SELECT json_object(x'00', name) FROM singer",
    "SELECT json_set('{}', bio, 1) FROM singer",
    "SELECT count(*) FROM singer, json_each(name)",
    "SELECT p.name FROM singer, pragma_table_info(singer.name) AS p",
    "SELECT abs(-9223372036854775808) FROM singer WHERE name > 'P'",
    "SELECT name LIKE 'a' ESCAPE name FROM singer",
    "SELECT strftime(name, 'now', bio), printf(name) FROM singer",
    "SELECT label FROM many",
    "SELECT label FROM many WHERE n % 4 = 1",
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < (SELECT count(*) FROM many WHERE n % 4 = "
    "1)) SELECT i FROM c",
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < (SELECT fee FROM singer)) SELECT i FROM "
    "c",
    "SELECT name FROM singer WHERE fee < 0",
    "SELECT name, bio, fee, score FROM singer",
    "SELECT * FROM names",
    "SELECT \"nmae\" FROM singer",
    "SELECT nmae FROM singer",
    "SELECT load_extension(name) FROM singer",
    "SELECT zeroblob(1 << 40), name FROM singer",
    "SELECT (SELECT name, bio FROM singer)",
    "SELECT name FROM singer ORDER BY 9",
    "SELECT name FROM",
    "SELECT name FROM missing",
    "SELECT sum(fee * 9223372036854775807) FROM singer",
};

std::string embedding_body(const nlohmann::json& request) {
  nlohmann::json body;
  body["data"] = nlohmann::json::array();
  const auto& input = request.at("input");
  for (std::size_t i = 0; i < (input.is_array() ? input.size() : 1); ++i)
    body["data"].push_back({{"index", i}, {"embedding", {1.0, 0.5, 0.25}}});
  return body.dump();
}

// Answers each request with the next of the hostile queries; every third time as a judge that is not satisfied.
class HostileServer {
 public:
  HostileServer()
      : server_([this](const SeenRequest& request) {
          const auto json = nlohmann::json::parse(request.body);
          if (json.contains("input")) return ScriptedReply{.body = embedding_body(json)};
          const std::string& asked = json.at("messages").back().at("content").get_ref<const std::string&>();
          if (asked.find("answerable or not_answerable") != std::string::npos) return reply(json, "answerable");
          if (asked.find("Begin with Yes") != std::string::npos)
            return reply(json, "No. Something else was asked for.");
          return reply(json, "");
        }) {}

  // A form of this machine's address that counts as another machine.
  std::string remote_url() const {
    auto url = server_.url();
    return url.replace(url.find("127.0.0.1"), 9, "127.1");
  }
  std::string local_url() const { return server_.url(); }
  std::vector<SeenRequest> requests() const { return server_.requests(); }

 private:
  ScriptedReply reply(const nlohmann::json& request, const std::string& fixed) {
    std::vector<std::string> contents;
    for (int i = 0; i < request.value("n", 1); ++i)
      contents.push_back(fixed.empty() ? "```sql\n" + hostile_queries[next_++ % hostile_queries.size()] + "\n```"
                                       : fixed);
    return {.body = endpoint_testing::chat_body(contents)};
  }

  std::atomic<std::size_t> next_ = 0;
  ScriptedServer server_;
};

std::string hex_of(std::string_view bytes, const char* digits) {
  std::string hex;
  for (const char c : bytes) {
    hex += digits[static_cast<unsigned char>(c) >> 4];
    hex += digits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

std::string base64_of(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i + 3 <= bytes.size(); i += 3) {
    const auto byte = [&](std::size_t offset) {
      return static_cast<unsigned>(static_cast<unsigned char>(bytes[i + offset]));
    };
    const unsigned bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (const int shift : {18, 12, 6, 0}) text += digits[bits >> shift & 63];
  }
  return text;
}

// How a value may look in a request: as it is, in hexadecimal, in base64 from each of the three places, with each
// character escaped.
std::vector<std::string> forms_of(const std::string& value) {
  std::vector<std::string> forms = {value, hex_of(value, "0123456789abcdef"), hex_of(value, "0123456789ABCDEF")};
  for (std::size_t skipped = 0; skipped < 3 && value.size() >= skipped + 6; ++skipped)
    forms.push_back(base64_of(std::string_view(value).substr(skipped)));
  std::string escaped;
  std::string percent;
  for (const char c : value) {
    escaped += "\\u00" + hex_of(std::string_view(&c, 1), "0123456789abcdef");
    percent += "%" + hex_of(std::string_view(&c, 1), "0123456789ABCDEF");
  }
  forms.push_back(escaped);
  forms.push_back(percent);
  return forms;
}

// The requests' text without what the server itself has said, such as the numbers in its own queries.
std::string text_of(const SeenRequest& request) {
  std::string text = request.target + "\n";
  for (const auto& [name, value] : request.headers)
    if (name != "content-length" && name != "host") text += name + ": " + value + "\n";
  text += request.body;
  for (const auto& query : hostile_queries) {
    const auto quoted = nlohmann::json(query).dump();
    const auto own = quoted.substr(1, quoted.size() - 2);
    for (auto position = text.find(own); position != std::string::npos; position = text.find(own, position))
      text.erase(position, own.size());
  }
  return text;
}

// Whether `number` occurs in `text` as a separate number.
bool has_number(const std::string& text, const std::string& number) {
  for (auto position = text.find(number); position != std::string::npos; position = text.find(number, position + 1)) {
    const auto is_digit = [&](std::size_t i) {
      return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    };
    if (!is_digit(position + number.size()) && (position == 0 || !is_digit(position - 1))) return true;
  }
  return false;
}

std::set<std::string> leaked(const std::vector<SeenRequest>& requests) {
  std::set<std::string> leaks;
  for (const auto& request : requests) {
    const auto text = text_of(request);
    for (const auto& cell : cells)
      for (const auto& form : forms_of(cell))
        if (text.find(form) != std::string::npos) leaks.insert(cell);
    for (const int count : {all_rows, found_rows})
      if (has_number(text, std::to_string(count))) leaks.insert(std::to_string(count));
  }
  return leaks;
}

// Runs everything that asks a server. Calls may fail: the queries do.
void ask_everything(Database& db) {
  const std::string question = "'How many singers are there?'";
  std::vector<std::string> methods;
  for (const char* base : {"SQLPROMPT", "SQLPROMPT[DEMO]", "DIN-SQL", "MAC-SQL", "DAIL", "C3", "DART", "DART[C3]"})
    for (const char* more : {"", "+SC", "[VOTING]"})
      methods.push_back(std::string("CLS->") + base + "+RW+CAP+ER+CRUSH" + more + "->ERROR->RUNS");
  std::vector<std::string> calls;
  for (const auto& method : methods)
    calls.push_back("SELECT sql FROM nl2sql_ask(" + question + ", '{\"method\":\"" + method +
                    "\",\"link_budget\":2}')");
  for (const auto& query : hostile_queries) {
    calls.push_back("SELECT nl2sql_refine(" + question + ", " + quote_string(query) + ")");
    calls.push_back("SELECT nl2sql_refine(" + question + ", " + quote_string(query) + ", '{\"method\":\"MAC-SQL\"}')");
  }
  for (const char* call : {"nl2sql(Q)", "nl2sql_triage(Q)", "nl2sql_rewrite(Q)",
                           "nl2sql_verify(Q, 'SELECT name FROM singer')", "schema_hallucinate(Q)", "embed(Q)",
                           "sql_similarity('SELECT name FROM singer', 'SELECT bio FROM singer', 'g-eval')"}) {
    std::string text = call;
    if (const auto position = text.find('Q');
        position != std::string::npos && text[position - 1] == '(' && text[position + 1] != 'U')
      text.replace(position, 1, question);
    calls.push_back("SELECT " + text);
  }
  calls.push_back("SELECT count(*) FROM schema_link(" + question + ", 3)");
  calls.push_back("SELECT count(*) FROM nl2sql_trace(" + question + ")");
  calls.push_back("SELECT count(*) FROM nl2sql_batch('SELECT 1 AS id, ''How many singers are there?'' AS question')");
  calls.push_back("CREATE VIRTUAL TABLE temp.answer USING nl2sql_answer(" + question + ")");
  for (const auto& call : calls) (void)db.error(call);
}

std::set<std::string> leaked_with(const std::vector<std::pair<std::string, std::string>>& settings,
                                  std::size_t& requests, const std::string& more_setup = {}) {
  HostileServer server;
  Database db;
  db.load(sqlite3_trustsql_init);
  db.rows(setup());
  if (!more_setup.empty()) db.rows(more_setup);
  db.rows("SELECT trustsql_config('llm_url', '" + server.remote_url() +
          "'), trustsql_config('llm_allow_http', 1), trustsql_config('embed_model', 'e'),"
          "trustsql_config('llm_retries', 0), trustsql_config('timeout_ms', 200)");
  for (const auto& [key, value] : settings) {
    const auto text = value == "LOCAL" ? server.local_url() : value == "REMOTE" ? server.remote_url() : value;
    db.rows("SELECT trustsql_config('" + key + "', '" + text + "')");
  }
  ask_everything(db);
  requests = server.requests().size();
  return leaked(server.requests());
}

// Both the default, with a remote server, and never, with a local one.
TEST(NoValueLeaves, UnderLoopbackAndNever) {
  std::size_t requests = 0;
  EXPECT_EQ(leaked_with({}, requests), std::set<std::string>());
  EXPECT_GT(requests, 200U);
  EXPECT_EQ(leaked_with({{"llm_url", "LOCAL"}, {"llm_send_rows", "never"}}, requests), std::set<std::string>());
  EXPECT_GT(requests, 200U);
}

// Values for a model on this machine do not go to embeddings elsewhere.
TEST(NoValueLeaves, ToAServerOfEmbeddingsElsewhere) {
  HostileServer embeddings;
  HostileServer chat;
  Database db;
  db.load(sqlite3_trustsql_init);
  db.rows(setup());
  db.rows("SELECT trustsql_config('llm_url', '" + chat.local_url() + "'), trustsql_config('embed_url', '" +
          embeddings.remote_url() +
          "'), trustsql_config('llm_allow_http', 1), trustsql_config('embed_model', 'e'), "
          "trustsql_config('timeout_ms', 200)");
  ask_everything(db);
  EXPECT_GT(embeddings.requests().size(), 0U);
  EXPECT_EQ(leaked(embeddings.requests()), std::set<std::string>());
}

// The search finds what does leave: where values may be sent, each of them is sent somewhere, except those in examples.
TEST(NoValueLeaves, TheSearchFindsWhatMayLeave) {
  std::size_t requests = 0;
  const auto all = leaked_with({{"llm_send_rows", "always"}}, requests);
  std::set<std::string> expected(cells.begin(), cells.end());
  expected.erase("ddl-value-wax");  // schemas of other databases are shown where there are no examples of this one
  for (const int count : {all_rows, found_rows}) expected.insert(std::to_string(count));
  EXPECT_EQ(all, expected);
  const std::set<std::string> in_examples = {"exampler-value-vok", "other-db-value-wix"};
  EXPECT_EQ(leaked_with({{"llm_send_examples", "always"}}, requests), in_examples);
}

// Examples of other databases bring their schemas, and with those the values that the DDL inserts only where rows may
// go.
TEST(NoValueLeaves, InTheSchemasOfExamples) {
  std::size_t requests = 0;
  const std::string others_only = "DELETE FROM trustsql_examples WHERE db IS NULL";
  EXPECT_EQ(leaked_with({{"llm_send_examples", "always"}}, requests, others_only),
            std::set<std::string>{"other-db-value-wix"});
  EXPECT_TRUE(leaked_with({{"llm_send_rows", "always"}}, requests, others_only).count("ddl-value-wax") > 0);
}

}  // namespace
}  // namespace trustsql::ext
