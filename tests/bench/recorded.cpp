// Recorded answers of published systems, played by a server through the whole pipeline: what generation, voting and
// refinement make of them (TrustSQL's Table 4: RS(0), RS(10), RS(N) on feasible questions), and kinds of voting
// compared at equal coverage.
//
//   trustsql_bench_recorded [data]     data: the folder with recorded/ and spider/
//
// The server answers as the system that the model is named after; if n samples are requested, as the first n of them.
// Refinement asks a model that considers every result right and, after an error, gives the next system's query. The
// answers are an ensemble rather than one model's votes.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/host.hpp"
#include "endpoint/scripted_server.hpp"

namespace {

using nlohmann::json;
using trustsql_bench::Host;

std::vector<json> read_lines(const std::filesystem::path& path) {
  std::vector<json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
  return lines;
}

// Questions are told apart by their evidence, which is in every prompt.
std::string mark(const json& line) { return "recorded question " + std::to_string(line["id"].get<int>()) + "."; }

class Player {
 public:
  explicit Player(const std::vector<json>& lines) {
    for (const auto& line : lines) {
      for (const auto& sample : line["samples"]) answers_[mark(line)].push_back({sample["system"], sample["sql"]});
    }
  }

  endpoint_testing::ScriptedReply answer(const endpoint_testing::SeenRequest& seen) const {
    const auto request = json::parse(seen.body);
    std::string text;
    for (const auto& message : request["messages"]) text += message["content"].get<std::string>() + "\n";
    const auto place = text.find("recorded question ");
    const auto end = text.find('.', place);
    const auto entry = place == std::string::npos ? answers_.end() : answers_.find(text.substr(place, end + 1 - place));
    if (text.find("Begin with Yes") != std::string::npos) return reply({"Yes"});
    if (entry == answers_.end()) return {.status = 400, .body = "{\"error\":{\"message\":\"no such question\"}}"};
    const auto& answers = entry->second;
    const std::string model = request["model"];
    if (model == "next") return reply({next(answers, text)});
    const auto samples = request.value("n", 1);
    std::vector<std::string> texts;
    for (const auto& [system, sql] : answers) {
      if (model == "all" ? static_cast<int>(texts.size()) < samples : system == model) texts.push_back(sql);
    }
    return reply(texts);
  }

 private:
  using Answers = std::vector<std::pair<std::string, std::string>>;

  static endpoint_testing::ScriptedReply reply(const std::vector<std::string>& texts) {
    return {.body = endpoint_testing::chat_body(texts)};
  }

  // The first query that the conversation does not have yet.
  static std::string next(const Answers& answers, const std::string& text) {
    for (const auto& [system, sql] : answers) {
      if (text.find(sql) == std::string::npos) return sql;
    }
    return "none";
  }

  std::map<std::string, Answers> answers_;
};

void line_of(Host& host, const std::string& name, const std::string& predictions) {
  const auto row = host.rows(
                           "SELECT printf('%.1f', rs_score(gold, pred, 0, database, '{\"semantics\":\"spider\"}')), "
                           "printf('%.1f', rs_score(gold, "
                           "pred, 10, database, "
                           "'{\"semantics\":\"spider\"}')), printf('%.1f', rs_score(gold, pred, 'N', database, "
                           "'{\"semantics\":\"spider\"}')), "
                           "printf('%.1f', 100.0 * "
                           "count(pred) / count(*)) FROM " +
                           predictions)
                       .front();
  std::printf("| %s | %s | %s | %s | %s |\n", name.c_str(), row[0].c_str(), row[1].c_str(), row[2].c_str(),
              row[3].c_str());
  std::fflush(stdout);
}

struct Judged {
  double confidence;
  double correct;
};

// The share of right answers among the `coverage` most confident ones; equally confident ones count in
// proportion.
double precision_at(std::vector<Judged> judged, double coverage) {
  std::sort(judged.begin(), judged.end(), [](const auto& a, const auto& b) { return a.confidence > b.confidence; });
  const double wanted = coverage * static_cast<double>(judged.size());
  double answered = 0;
  double right = 0;
  for (std::size_t i = 0; i < judged.size() && answered < wanted;) {
    std::size_t end = i;
    double of_group = 0;
    while (end < judged.size() && judged[end].confidence == judged[i].confidence) of_group += judged[end++].correct;
    const double size = static_cast<double>(end - i);
    const double part = std::min(1.0, (wanted - answered) / size);
    right += part * of_group;
    answered += part * size;
    i = end;
  }
  return answered > 0 ? right / answered : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::filesystem::path data = count > 1 ? arguments[1] : "../shared/data";
  const auto lines = read_lines(data / "recorded" / "recorded.jsonl");
  if (lines.empty()) {
    std::fprintf(stderr, "no recorded answers below %s\n", data.c_str());
    return 1;
  }
  const Player player(lines);
  const endpoint_testing::ScriptedServer server(
      [&](const endpoint_testing::SeenRequest& request) { return player.answer(request); }, 40);
  Host host;
  host.set("llm_url", server.url() + "/v1");
  host.set("llm_concurrency", "16");
  host.set("timeout_ms", "4000");
  host.rows("CREATE TABLE questions(id INTEGER PRIMARY KEY, question, evidence, database, gold)");
  for (const auto& line : lines) {
    const auto path = (data / "spider" / "databases" / (line["db_id"].get<std::string>() + ".sqlite")).string();
    host.rows("INSERT INTO questions VALUES (" + std::to_string(line["id"].get<int>()) + ", " +
              Host::quoted(line["question"]) + ", " + Host::quoted(mark(line)) + ", " + Host::quoted(path) + ", " +
              Host::quoted(line["gold"]) + ")");
  }
  const auto run = [&](const std::string& model, const std::string& options) {
    host.set("llm_model_generate", model);
    host.rows(
        "DROP TABLE IF EXISTS answers; CREATE TABLE answers AS SELECT id, sql, confidence FROM "
        "nl2sql_batch('questions', " +
        Host::quoted(options) + ")");
    host.rows(
        "DROP TABLE IF EXISTS predictions; CREATE TABLE predictions AS SELECT q.id, q.database, q.gold, a.sql AS pred, "
        "a.confidence FROM questions "
        "AS q JOIN "
        "answers AS a USING (id)");
  };
  host.set("llm_model_refine", "next");

  std::printf("| method | RS(0) | RS(10) | RS(N) | answered |\n|---|---|---|---|---|\n");
  for (const auto& sample : lines.front()["samples"]) {
    run(sample["system"], R"({"method":"SQLPROMPT"})");
    line_of(host, sample["system"], "predictions");
  }
  for (const std::string system : {"dail_sql_gpt4", "gpt4_zero_shot", "testsuite_7"}) {
    run(system, R"({"method":"SQLPROMPT->RUNS"})");
    line_of(host, system + ", RUNS", "predictions");
    run(system, R"({"method":"SQLPROMPT+ER","asks_again":0})");
    line_of(host, system + ", ER", "predictions");
  }
  for (const std::string samples : {"5", "7", "13"}) {
    for (const std::string vote : {"reply", "text", "execution", "equivalence"}) {
      for (const std::string quorum : {"unanimous", "majority"}) {
        run("all", "{\"method\":\"SQLPROMPT\",\"samples\":" + samples + ",\"vote\":\"" + vote + "\",\"quorum\":\"" +
                       quorum + "\"}");
        line_of(host, samples + " samples, " + vote + ", " + quorum, "predictions");
      }
    }
  }

  std::printf(
      "\n| samples, vote | AURC | right among the most confident 20%% | 40%% | 60%% | 80%% | 100%% "
      "|\n|---|---|---|---|---|---|---|\n");
  for (const std::string samples : {"5", "7", "13"}) {
    for (const std::string vote : {"text", "execution", "equivalence"}) {
      run("all",
          "{\"method\":\"SQLPROMPT\",\"samples\":" + samples + ",\"vote\":\"" + vote + "\",\"quorum\":\"majority\"}");
      std::vector<Judged> judged;
      for (const auto& row : host.rows("SELECT coalesce(confidence, 0), rs_case(gold, pred, database, "
                                       "'{\"semantics\":\"spider\"}') = 'I' FROM predictions"))
        judged.push_back({std::stod(row[0]), std::stod(row[1])});
      const auto aurc = host.value(
          "SELECT printf('%.4f', aurc(coalesce(confidence, 0), rs_case(gold, pred, database, "
          "'{\"semantics\":\"spider\"}') = 'I')) FROM predictions");
      std::printf("| %s, %s | %s |", samples.c_str(), vote.c_str(), aurc.c_str());
      for (const double coverage : {0.2, 0.4, 0.6, 0.8, 1.0})
        std::printf(" %.1f |", 100 * precision_at(judged, coverage));
      std::printf("\n");
    }
  }
}
