// The search for a counterexample for one pair of queries, on databases that the caller provides one by one.
#pragma once

#include "equiv/refuter.hpp"
#include "equiv/refuter/order_probe.hpp"
#include "equiv/refuter/query_traits.hpp"
#include "equiv/refuter/value_pools.hpp"

namespace trustsql::equiv {

// The settings that are the same for all databases of a search.
struct SearchSetting {
  const SchemaDefinition& definition;
  const SandboxLimits& limits;
  const DataModel& model;
  const ValuePools& pools;
  const QueryTexts& texts;
  const std::vector<std::array<std::string, 3>>& reads;  // by both queries
  std::string_view sql_a;
  std::string_view sql_b;
  bool order_matters = false;  // a result may depend on an order that nothing fixes
  bool ties_matter = false;    // an outermost ORDER BY may leave ties, and results are compared as lists
  bool uses_like = false;      // LIKE or GLOB occurs in a query, or in a view or constraint
  const RefuteOptions& options;
};

class Search {
 public:
  // `trial`: as in OrderProbe; `make_unkeyed`: called once, if the order of rows matters. All arguments must
  // outlive the search.
  Search(const SearchSetting& setting, Trial& trial, std::function<Result<Trial*>()> make_unkeyed);

  // Tries one more database. Returns false if the search is done, or out of time. Errors: interrupted,
  // out_of_memory, io.
  Result<bool> offer(const Instance& instance);

  // Whether a counterexample with these deviations of a database, or more, could be better than the one already
  // found.
  bool is_worth(Deviations of_database) const;

  // The counterexample found, shrunk and replayed.
  Refutation finish();

 private:
  Result<bool> look_at(const Instance& instance);
  // A difference that counts, on a database as it is stored.
  struct Finding {
    Instance instance;
    Deviations deviations;  // of the database and of the results
  };

  // offer() without the check of time limits.
  Result<bool> consider(const Instance& instance);
  // The finding for the difference `of_results` on `stored`, if it counts and costs less than the best one known.
  Result<std::optional<Finding>> judge(Instance stored, Deviations of_results, bool thorough);
  Result<Deviations> deviations_of_stored(const Instance& stored);
  bool needs_probe(Deviations of_results) const;
  Result<OrderProbe*> probe();  // created on first use
  Status shrink_finding(Finding& finding);
  Result<bool> shrink_step(const Instance& instance, Finding& finding);
  Result<std::optional<Counterexample>> replay(const Finding& finding);
  bool out_of_time() const;

  const SearchSetting& setting_;
  Trial& trial_;
  std::function<Result<Trial*>()> make_unkeyed_;
  std::optional<OrderProbe> probe_;
  Random random_;
  int dependent_ = 0;  // differences that turned out to depend on an order
  Refutation refutation_;
};

}  // namespace trustsql::equiv
