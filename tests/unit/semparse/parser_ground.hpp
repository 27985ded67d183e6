// A small database for the tests of the semantic parser.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "db/sources/ddl_source.hpp"
#include "semparse/model/model_file.hpp"
#include "semparse/parser.hpp"
#include "semparse/tree/tree_of_sql.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "sql/parser.hpp"
#include "tests/unit/db/support.hpp"

namespace trustsql::semparse {

class ParserGround {
 public:
  explicit ParserGround(const char* ddl = shop) {
    source_ = std::move(open_ddl(ddl, test::default_settings())).value();
    sandbox_ = std::move(source_->lease()).value();
    catalog_ = std::move(source_->catalog()).value();
    knowledge_ = std::move(Knowledge::build(*catalog_, *sandbox_)).value();
  }

  SandboxSource& source() { return *source_; }
  Sandbox& sandbox() { return *sandbox_; }
  const Catalog& catalog() const { return *catalog_; }
  const Knowledge& knowledge() const { return *knowledge_; }
  const Domain& domain() const { return knowledge_->domain; }

  TableId table(std::string_view name) const { return domain().find_table(name); }
  ColumnId column(std::string_view table, std::string_view name) const {
    return domain().find_column(domain().find_table(table), name);
  }

  std::optional<Tree> tree(std::string_view sql) const {
    const auto query = parse_query(sql);
    return query.ok() ? tree_of(domain(), *query) : std::nullopt;
  }

  static constexpr const char* shop = R"(
CREATE TABLE customer(customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER);
CREATE TABLE product(product_id INTEGER PRIMARY KEY, title TEXT, price REAL, category TEXT);
CREATE TABLE purchase(purchase_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer,
                      product_id INTEGER REFERENCES product, quantity INTEGER, day TEXT);
INSERT INTO customer VALUES (1, 'Ann', 'New York', 31), (2, 'Bob', 'Paris', 25), (3, 'Carla', 'Paris', 47);
INSERT INTO product VALUES (1, 'Lamp', 19.5, 'home'), (2, 'Chair', 45, 'home'), (3, 'Novel', 8, 'books');
INSERT INTO purchase VALUES (1, 1, 1, 2, '2024-05-01'), (2, 1, 3, 1, '2024-05-02'), (3, 2, 2, 4, '2024-06-11');
)";

 private:
  std::shared_ptr<SandboxSource> source_;
  SandboxLease sandbox_;
  std::shared_ptr<const Catalog> catalog_;
  std::shared_ptr<const Knowledge> knowledge_;
};

// What `read` makes of the question as it is linked, with no word that features know.
template <class Read>
auto on_view(const ParserGround& ground, std::string_view text, const Read& read) {
  auto question = read_question(text);
  const auto linking = QuestionLinker(ground.domain(), ground.knowledge().values).link(question);
  const Vocabulary vocabulary;
  return read(QuestionView(ground.domain(), question, linking, vocabulary));
}

// What the shipped model makes of a question.
inline Parse parsed(ParserGround& ground, std::string_view question) {
  return std::move(Parser(shipped_model()).parse(question, ground.knowledge(), ground.sandbox())).value();
}

}  // namespace trustsql::semparse
