// Triage without a language model: which questions the embedded parser calls feasible.
//
//   trustsql_bench_triage [DATA [FILE]]     FILE: every question as a line of JSON
//
// TriageSQL's test questions come with the names of tables and columns and without rows, so any word may be a value
// there. Spider's come with databases: each question is asked of its own database, of another one, and with another
// column in the place of one of its own (semparse/training/infeasible.hpp). Of the training questions every seventh is
// asked.
#include <cstdio>
#include <cstdlib>

#include "base/random.hpp"
#include "base/text.hpp"
#include "semparse/parser.hpp"
#include "semparse/training/infeasible.hpp"
#include "semparse/tree/tree_of_sql.hpp"
#include "spider_databases.hpp"
#include "sql/parser.hpp"

namespace {

using namespace trustsql;
using namespace trustsql::semparse;
using trustsql_bench::Databases;

class Counter {
 public:
  explicit Counter(const char* path) {
    if (path != nullptr) file_.open(path);
  }

  void count(const std::string& kind, const std::string& question, const Parse& parse) {
    ++counts_[kind][parse.triage.type];
    if (!file_.is_open()) return;
    nlohmann::json links = nlohmann::json::array();
    for (const auto& link : parse.links) links.push_back(link.words + ": " + link.meaning);
    file_ << nlohmann::json{{"kind", kind},
                            {"question", question},
                            {"triage", feasibility_name(parse.triage.type)},
                            {"detail", parse.triage.detail},
                            {"suggestion", parse.triage.suggestion},
                            {"sql", parse.readings.empty() ? "" : parse.readings.front().sql},
                            {"confidence", parse.confidence},
                            {"links", links}}
                 .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
          << "\n";
  }

  void print() const {
    constexpr Feasibility types[] = {
        Feasibility::feasible, Feasibility::column_surface, Feasibility::column_related, Feasibility::column_unrelated,
        Feasibility::non_sql,  Feasibility::ext_know,       Feasibility::ambiguous,      Feasibility::small_talk};
    std::printf("| questions |");
    for (const auto type : types) std::printf(" %s |", std::string(feasibility_name(type)).c_str());
    std::printf("\n");
    for (const auto& [kind, by_type] : counts_) {
      double total = 0;
      for (const auto& [type, count] : by_type) total += count;
      std::printf("| %s (%.0f) |", kind.c_str(), total);
      for (const auto type : types) {
        const auto found = by_type.find(type);
        std::printf(" %.1f%% |", 100 * (found == by_type.end() ? 0 : found->second) / total);
      }
      std::printf("\n");
    }
  }

 private:
  std::map<std::string, std::map<Feasibility, double>> counts_{};
  std::ofstream file_{};
};

std::string ddl_of(const nlohmann::json& tables) {
  std::string ddl;
  for (const auto& [name, columns] : tables.items()) {
    std::string list;
    std::vector<std::string> known;
    for (const std::string column : columns) {
      if (column.empty() || std::find(known.begin(), known.end(), to_lower_ascii(column)) != known.end()) continue;
      known.push_back(to_lower_ascii(column));
      list += (list.empty() ? "" : ", ") + quote_identifier(column);
    }
    if (!list.empty()) ddl += "CREATE TABLE " + quote_identifier(name) + "(" + list + ");\n";
  }
  return ddl;
}

void ask_triagesql(Databases& databases, const Parser& parser, Counter& counter) {
  std::ifstream file(databases.folder + "/infeasible/triagesql.jsonl");
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    const auto source = databases.opener->open_schema(ddl_of(json["tables"]), databases.settings);
    if (!source.ok()) continue;
    const auto sandbox = (*source)->lease();
    const auto knowledge = Knowledge::build(**(*source)->catalog(), **sandbox);
    if (!knowledge.ok()) continue;
    const std::string question = json["question"];
    const auto parse = parser.parse(question, **knowledge, **sandbox);
    if (parse.ok()) counter.count("TriageSQL " + json["type"].get<std::string>(), question, *parse);
  }
}

void ask_spider(Databases& databases, const std::string& name, const Parser& parser, Counter& counter) {
  const auto before = databases.list.size();
  const auto questions = databases.read(name + ".jsonl");
  std::vector<SandboxLease> sandboxes(before);
  std::vector<std::shared_ptr<const Knowledge>> knowledge(before);
  for (auto i = before; i < databases.list.size(); ++i) {
    sandboxes.push_back(*databases.list[i]->lease());
    knowledge.push_back(*Knowledge::build(**databases.list[i]->catalog(), *sandboxes.back()));
  }
  const auto ask = [&](std::size_t database, const std::string& question, const std::string& kind) {
    const auto parse = parser.parse(question, *knowledge[database], *sandboxes[database]);
    if (parse.ok()) counter.count(name + " " + kind, question, *parse);
  };
  Random random(17);
  const std::size_t step = questions.size() > 1'000 ? 7 : 1;
  for (std::size_t i = 0; i < questions.size(); i += step) {
    const auto& item = questions[i];
    if (item.database < before) continue;
    ask(item.database, item.question, "own");
    const auto count = databases.list.size() - before;
    const auto other = before + (item.database - before + 1 + random.below(count - 1)) % count;
    ask(other, item.question, "other database");
    const auto& domain = knowledge[item.database]->domain;
    const auto query = parse_query(item.sql);
    const auto tree = query.ok() ? tree_of(domain, *query) : std::nullopt;
    if (!tree) continue;
    QuestionLinker linker(domain, knowledge[item.database]->values);
    if (const auto text = surface_question(domain, linker, item.question, *tree, random))
      ask(item.database, *text, "surface");
    if (const auto text = unrelated_question(domain, linker, knowledge[other]->domain, item.question, *tree, random))
      ask(item.database, *text, "unrelated");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* set = std::getenv("TRUSTSQL_DATA");
  Databases databases(argc > 1 ? argv[1] : set != nullptr ? set : TRUSTSQL_SOURCE_DIR "/../shared/data");
  Counter counter(argc > 2 ? argv[2] : nullptr);
  const Parser parser(shipped_model());
  ask_triagesql(databases, parser, counter);
  for (const auto* name : {"train", "validation"}) ask_spider(databases, name, parser, counter);
  counter.print();
}
