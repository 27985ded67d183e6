// The numbers of a method, with the values that they have unless its name or an option says otherwise (DART-SQL,
// section 4.1).
#pragma once

namespace trustsql::nl2sql {

struct MethodNumbers {
  int rewrite_rows = 5;     // K: rows of each table that RW sees
  int content_rows = 15;    // N: rows of each table that CAP puts into the prompt
  int ranked_rows = 10000;  // rows of each table that CAP ranks by their relevance
  int rounds = 3;           // R: rounds of ER
  int result_rows = 15;     // M: rows of a result that ER shows
  int recall_samples = 10;  // for C3's recall of tables and columns
  int asks_again = 2;       // how often SQL with LEFT JOIN or SELECT * is requested again, if these are forbidden
  int link_budget = 100;    // columns that a linked schema keeps
};

}  // namespace trustsql::nl2sql
