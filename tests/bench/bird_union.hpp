// CRUSH4SQL's questions on the union of BIRD's development databases, with the hallucinated schemas that its authors
// recorded.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "link/element.hpp"

namespace trustsql::bench {

struct BirdQuestion {
  std::string text;
  std::string database;
  bool chosen_on = false;                        // of the half on which the constants of src/link were chosen
  std::vector<std::optional<std::size_t>> gold;  // numbers of elements; none for one that is not in the union
  std::vector<std::string> hallucinated;
};

// How the union is written down: databases beside each other, or one schema whose tables' names carry the database.
enum class Layout { databases, qualified_names };

struct BirdUnion {
  link::ElementSet elements;
  std::vector<BirdQuestion> questions;
};

// The folder of the data: `argument`, $TRUSTSQL_DATA or ../shared/data, with "/crush".
inline std::string bird_union_folder(const char* argument) {
  const char* set = std::getenv("TRUSTSQL_DATA");
  const std::string data = argument != nullptr ? argument
                           : set != nullptr    ? set
                                               : TRUSTSQL_SOURCE_DIR "/../shared/data";
  return data + "/crush";
}

// Lines "db.table.column"; a column may have dots. Without the files there are no questions.
inline BirdUnion read_bird_union(const std::string& folder, Layout layout) {
  BirdUnion read;
  std::vector<link::Element> elements;
  std::map<std::string, std::size_t> numbers;
  std::ifstream corpus(folder + "/bird_union.txt");
  for (std::string line; std::getline(corpus, line);) {
    const auto first = line.find('.');
    const auto second = line.find('.', first + 1);
    if (second == std::string::npos || !numbers.try_emplace(line, elements.size()).second) continue;
    if (layout == Layout::databases) {
      elements.push_back({line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)});
    } else {
      elements.push_back({"", line.substr(0, second), line.substr(second + 1)});
    }
  }
  link::split_databases(elements);
  for (auto& element : elements) read.elements.add(std::move(element));
  read.elements.infer_links();
  std::ifstream questions(folder + "/questions.jsonl");
  for (std::string line; std::getline(questions, line);) {
    const auto json = nlohmann::json::parse(line);
    BirdQuestion question;
    question.text = json["question"];
    question.database = json["db_id"];
    question.chosen_on = question.database == "california_schools" || question.database == "formula_1" ||
                         question.database == "superhero";
    question.hallucinated = json["hallucinated"].get<std::vector<std::string>>();
    for (const auto& name : json["gold_elements"].get<std::set<std::string>>()) {
      const auto number = numbers.find(name);
      question.gold.push_back(number == numbers.end() ? std::nullopt : std::optional(number->second));
    }
    read.questions.push_back(std::move(question));
  }
  return read;
}

}  // namespace trustsql::bench
