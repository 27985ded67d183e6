// Spider's questions and databases, for the benches of the embedded parser.
#pragma once

#include <sqlite3.h>

#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/settings.hpp"
#include "db/sources/host_database.hpp"
#include "semparse/training/fitting.hpp"

namespace trustsql_bench {

struct Databases {
  explicit Databases(std::string data_folder) : folder(std::move(data_folder)) {
    sqlite3_open(":memory:", &host);
    opener = std::make_unique<trustsql::HostDatabase>(host);
    // Steps rather than time, so that the same queries end everywhere.
    (void)settings.set("max_steps", trustsql::ValueView::of_integer(20'000'000));
  }
  ~Databases() {
    list.clear();
    opener.reset();
    sqlite3_close(host);
  }
  Databases(const Databases&) = delete;
  Databases& operator=(const Databases&) = delete;

  // Adds the pairs of a file, with the question in `field`; those whose database is missing are left out.
  std::vector<trustsql::semparse::LabelledQuestion> read(const std::string& name,
                                                         const std::string& field = "question") {
    std::vector<trustsql::semparse::LabelledQuestion> questions;
    std::ifstream file(folder + "/spider/" + name);
    for (std::string line; std::getline(file, line);) {
      const auto json = nlohmann::json::parse(line);
      const std::string id = json["db_id"];
      if (numbers.count(id) == 0) {
        auto source = opener->open_file(folder + "/spider/databases/" + id + ".sqlite", settings);
        if (!source.ok()) continue;
        numbers[id] = list.size();
        list.push_back(*source);
      }
      questions.push_back({numbers[id], json[field], json["gold"]});
    }
    return questions;
  }

  std::string folder;
  sqlite3* host = nullptr;
  std::unique_ptr<trustsql::HostDatabase> opener;
  trustsql::Settings settings =
      *trustsql::Settings::create([](std::string_view) { return std::optional<std::string>(); });
  std::map<std::string, std::size_t> numbers;
  std::vector<std::shared_ptr<trustsql::SandboxSource>> list;
};

}  // namespace trustsql_bench
