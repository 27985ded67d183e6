// How similar two queries are, as the metrics that FuncEvalGMN compares itself with see it: a number from 0 to 1, 1 for
// a query and itself. None of them says whether two queries mean the same.
//
// A metric is one row of similarity_metrics() and one file pair in similarity/.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.hpp"
#include "db/catalog.hpp"
#include "equiv/similarity/options.hpp"
#include "sql/ast.hpp"
#include "sql/resolver.hpp"
#include "sql/token.hpp"

namespace trustsql {

// The two queries of one call. Trees are made when a metric asks for them.
class QueryPair {
 public:
  // `version`: the grammar of which SQLite, as SQLITE_VERSION_NUMBER. `catalog` and `dialect` are for the metrics that
  // look names up. What is handed over must outlive the pair.
  QueryPair(std::string_view reference, std::string_view candidate, int version, const Catalog* catalog = nullptr,
            const ResolveOptions& dialect = {})
      : reference_(reference), candidate_(candidate), version_(version), catalog_(catalog), dialect_(dialect) {}

  std::string_view reference() const { return reference_; }
  std::string_view candidate() const { return candidate_; }
  int version() const { return version_; }
  const Catalog* catalog() const { return catalog_; }
  const ResolveOptions& dialect() const { return dialect_; }

  struct Trees {
    ast::Query reference;
    ast::Query candidate;
  };
  // Errors: of parse_query(), with "a" or "b" before them.
  Result<Trees> parse() const;

 private:
  std::string_view reference_;
  std::string_view candidate_;
  int version_;
  const Catalog* catalog_;
  ResolveOptions dialect_;
};

struct SimilarityMetric {
  std::string_view name;
  std::string_view summary;
  Result<double> (*compute)(const QueryPair& pair, const SimilarityOptions& options);
  bool needs_catalog = false;
};

std::span<const SimilarityMetric> similarity_metrics();
// The metric of that name, nullptr if there is none.
const SimilarityMetric* find_similarity_metric(std::string_view name);

// Errors: invalid_argument for a name that is none (the message lists the metrics), and those of the metric.
Result<double> similarity(const QueryPair& pair, std::string_view metric, const SimilarityOptions& options);

}  // namespace trustsql
