#include "unit/ext/support.hpp"

namespace trustsql::ext::testing_support {

std::string_view writer_for_example(std::string_view function) {
  if (function == "sql_suite_match") return "sql_suite_generate";
  if (function == "gmn_load") return "gmn_save";
  return {};
}

std::string example_database() {
  return R"sql(
    CREATE TABLE singer(name TEXT, country TEXT, age INTEGER);
    INSERT INTO singer VALUES ('Edith', 'France', 30), ('Charles', 'France', 41), ('Nina', 'USA', 35);
    CREATE TABLE predictions(system TEXT, id INTEGER, gold TEXT, pred TEXT, confidence REAL);
    INSERT INTO predictions VALUES
      ('bold', 1, 'SELECT count(*) FROM singer', 'SELECT count(name) FROM singer', 0.9),
      ('bold', 2, 'SELECT name FROM singer WHERE age > 40', 'SELECT name FROM singer WHERE age >= 41', 0.8),
      ('bold', 3, 'SELECT avg(age) FROM singer', 'SELECT max(age) FROM singer', 0.6),
      ('bold', 4, NULL, 'SELECT name FROM singer', 0.5),
      ('careful', 1, 'SELECT count(*) FROM singer', 'SELECT count(*) FROM singer', 0.9),
      ('careful', 2, 'SELECT name FROM singer WHERE age > 40', 'SELECT name FROM singer WHERE 40 < age', 0.7),
      ('careful', 3, 'SELECT avg(age) FROM singer', NULL, NULL),
      ('careful', 4, NULL, NULL, NULL);
  )sql";
}

}  // namespace trustsql::ext::testing_support
