#include "unit/ext/support.hpp"

namespace trustsql::ext::testing_support {

std::string example_database() {
  return R"sql(
    CREATE TABLE singer(name TEXT, country TEXT, age INTEGER);
    INSERT INTO singer VALUES ('Edith', 'France', 30), ('Charles', 'France', 41), ('Nina', 'USA', 35);
  )sql";
}

}  // namespace trustsql::ext::testing_support
