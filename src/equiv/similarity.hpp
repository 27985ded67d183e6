// How similar two queries are, according to the metrics that FuncEvalGMN is compared with: a number from 0 to 1,
// which is 1 for identical queries. None of them decides whether two queries are equivalent.
//
// A metric is one row of similarity_metrics() and one file pair in similarity/.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "base/sql_token.hpp"
#include "db/catalog/catalog.hpp"
#include "equiv/similarity/options.hpp"
#include "sql/ast.hpp"
#include "sql/resolver.hpp"

namespace trustsql {

// The two queries of one call. Trees are built when a metric asks for them.
class QueryPair {
 public:
  // `grammar`: how the queries are read. `catalog` and `dialect` are for metrics that resolve names. All references
  // must outlive the pair.
  QueryPair(std::string_view reference, std::string_view candidate, const ParseOptions& grammar,
            const Catalog* catalog = nullptr, ResolveOptions dialect = {})
      : reference_(reference),
        candidate_(candidate),
        grammar_(grammar),
        catalog_(catalog),
        dialect_(std::move(dialect)) {}

  std::string_view reference() const { return reference_; }
  std::string_view candidate() const { return candidate_; }
  int version() const { return grammar_.version; }
  const Catalog* catalog() const { return catalog_; }
  const ResolveOptions& dialect() const { return dialect_; }

  struct Trees {
    ast::Query reference;
    ast::Query candidate;
  };
  // Errors: those of parse_query(), prefixed with "a" or "b".
  Result<Trees> parse() const;

 private:
  std::string_view reference_;
  std::string_view candidate_;
  ParseOptions grammar_;
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
// The metric of that name; nullptr if there is none.
const SimilarityMetric* find_similarity_metric(std::string_view name);

// Errors: invalid_argument for an unknown name (the message lists the metrics), and those of the metric.
Result<double> similarity(const QueryPair& pair, std::string_view metric, const SimilarityOptions& options);

}  // namespace trustsql
