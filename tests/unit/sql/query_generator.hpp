// Random queries over a small schema, for comparing what the resolver finds with what SQLite does.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace trustsql::testing_support {

class QueryGenerator {
 public:
  // The tables and views that the queries are about, with rows: statements for an empty database.
  static const char* schema();

  // `mistakes`: the probability that a name or place is wrong on purpose. There is one mistake in a query at most,
  // though others can happen, since names are often ambiguous.
  QueryGenerator(std::uint64_t seed, double mistakes) : random_(seed), mistakes_(mistakes) {}

  std::string query() {
    has_mistake_ = false;
    return query(3);
  }
  // An expression over the columns of t, u and w, without subqueries and aggregates.
  std::string expression();

 private:
  struct Source {
    std::string name;
    std::vector<std::string> columns;
  };
  struct Scope {
    const Scope* outer = nullptr;
    std::vector<Source> sources{};
    bool aggregates = false;
    bool windows = false;
  };

  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
  bool mistake() {
    if (has_mistake_ || !chance(mistakes_)) return false;
    has_mistake_ = true;
    return true;
  }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(pick(static_cast<int>(values.size())))];
  }

  // `named`: the columns are called c1, c2 ...
  std::string query(int depth, const Scope* outer = nullptr, int columns = 0, bool named = false);
  std::string with(int depth, const Scope* outer);
  std::string select(int depth, const Scope* outer, int columns, bool ordered, bool named,
                     std::vector<std::string>& names);
  std::string from(int depth, const Scope* outer, std::vector<Source>& sources, int items);
  std::string source(int depth, const Scope* outer, Source& source);
  std::string join_condition(int depth, const Scope* outer, const std::vector<Source>& left,
                             const std::vector<Source>& right);
  std::string order_by(int depth, const Scope& scope, int columns, const std::vector<std::string>& names);

  std::string expr(int depth, const Scope& scope);
  std::string subquery_expr(int depth, const Scope& scope);
  std::string call(int depth, const Scope& scope);
  std::string aggregate(int depth, const Scope& scope);
  std::string window(int depth, const Scope& scope);
  std::string column(const Scope& scope);
  std::string literal();

  std::mt19937_64 random_;
  double mistakes_;
  bool has_mistake_ = false;
  bool last_is_grouped_ = false;  // the SELECT that was generated last
  std::vector<Source> common_tables_;
  int names_ = 0;
};

}  // namespace trustsql::testing_support
