// Questions and schemas for the embedded parser: the input is a schema, a line "--", a question, and optionally another
// such line and a query. Nothing crashes or hangs; readings run on the schema; probabilities are probabilities; and the
// grounding of any query that resolves is made of rules.

#include <cmath>
#include <cstdint>
#include <string>

#include "base/settings.hpp"
#include "db/sources/ddl_source.hpp"
#include "fuzz/check.hpp"
#include "semparse/grounding/grounding.hpp"
#include "semparse/parser.hpp"
#include "semparse/words/intent.hpp"
#include "sql/parser.hpp"

namespace {

using namespace trustsql;
using namespace trustsql::semparse;

constexpr const char* shop = R"(
CREATE TABLE customer(customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER);
CREATE TABLE product(product_id INTEGER PRIMARY KEY, title TEXT, price REAL, category TEXT);
CREATE TABLE purchase(customer_id INTEGER REFERENCES customer, product_id INTEGER REFERENCES product, day TEXT);
INSERT INTO customer VALUES (1, 'Ann', 'New York', 31), (2, 'Bob', 'Paris', 25);
INSERT INTO product VALUES (1, 'Lamp', 19.5, 'home'), (2, 'Chair', 45, 'home');
INSERT INTO purchase VALUES (1, 1, '2024-05-01'), (2, 1, '2024-05-02');
)";

struct Input {
  std::string schema;
  std::string question;
  std::string query;
};

Input split(const std::string& text) {
  const auto first = text.find("\n--\n");
  if (first == std::string::npos) return {{}, text, {}};
  const auto begin = first + 4;
  const auto second = text.find("\n--\n", begin);
  if (second == std::string::npos) return {text.substr(0, first), text.substr(begin), {}};
  return {text.substr(0, first), text.substr(begin, second - begin), text.substr(second + 4)};
}

void check_parse(const Parse& parse, Sandbox& sandbox) {
  FUZZ_CHECK(parse.confidence >= 0 && parse.confidence <= 1);
  FUZZ_CHECK(!feasibility_name(parse.triage.type).empty());
  FUZZ_CHECK(parse.triage.feasible() || !parse.triage.detail.empty());
  for (const float p : parse.unified.probabilities) FUZZ_CHECK(p >= 0 && p <= 1.001F);
  for (const float feature : parse.unified.features) FUZZ_CHECK(std::isfinite(feature));
  for (std::size_t i = 0; i < parse.readings.size() && i < 3; ++i) {
    const auto& sql = parse.readings[i].sql;
    FUZZ_CHECK(parse_query(sql).ok() && sandbox.prepare(sql).ok());
  }
}

void check_grounding(const Input& input, const Catalog& catalog, const Knowledge& knowledge) {
  const auto query = parse_query(input.query);
  if (!query.ok()) return;
  const auto resolution = resolve(*query, catalog);
  if (!resolution.ok()) return;
  const auto grounding = ground(input.question, *query, *resolution, knowledge, input.schema);
  for (const auto& violation : grounding.violations)
    FUZZ_CHECK(!rule_name(violation.rule).empty() && !violation.detail.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Settings settings = *Settings::create([](std::string_view) { return std::optional<std::string>(); });
  const auto input = split(std::string(reinterpret_cast<const char*>(data), size));
  const auto question = read_question(input.question);
  FUZZ_CHECK(question.words.size() <= max_question_words);
  const auto intent = intent_of(question);
  FUZZ_CHECK(intent.wants_data() || !intent.what.empty());
  FUZZ_CHECK(intent.span.last <= question.words.size());

  auto source = open_ddl(input.schema.empty() ? shop : input.schema, settings);
  if (!source.ok()) source = open_ddl(shop, settings);
  FUZZ_CHECK(source.ok());
  const auto sandbox = (*source)->lease();
  const auto catalog = (*source)->catalog();
  if (!sandbox.ok() || !catalog.ok()) return 0;
  const auto knowledge = Knowledge::build(**catalog, **sandbox);
  if (!knowledge.ok()) return 0;
  static const Parser parser(shipped_model());
  const auto parse = parser.parse(input.question, **knowledge, **sandbox);
  if (!parse.ok()) return 0;
  check_parse(*parse, **sandbox);
  check_grounding(input, **catalog, **knowledge);
  return 0;
}
