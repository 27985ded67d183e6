// The search for a counterexample of one pair of queries, on databases that come from elsewhere one by one.
#pragma once

#include "equiv/refuter.hpp"
#include "equiv/refuter/order_probe.hpp"
#include "equiv/refuter/query_traits.hpp"
#include "equiv/refuter/value_pools.hpp"

namespace trustsql::equiv {

// What stays the same for all databases of a search.
struct SearchSetting {
  const SchemaDefinition& definition;
  const SandboxLimits& limits;
  const DataModel& model;
  const ValuePools& pools;
  const QueryTexts& texts;
  const std::vector<std::array<std::string, 3>>& reads;  // of both queries
  std::string_view sql_a;
  std::string_view sql_b;
  bool order_matters = false;  // a result may depend on an order that nothing fixes
  bool ties_matter = false;    // an ORDER BY at the top may leave one open, and results are compared as lists
  const RefuteOptions& options;
};

class Search {
 public:
  // `trial` as OrderProbe has it; `make_unkeyed` is asked once, when the order of rows matters. All must outlive the
  // search.
  Search(const SearchSetting& setting, Trial& trial, std::function<Result<Trial*>()> make_unkeyed);

  // Tries one more database. False: there is no need to go on, or no time. Errors: interrupted, out_of_memory, io.
  Result<bool> offer(const Instance& instance);

  // No counterexample with these deviations of a database, or more of them, would be better than what has been found.
  bool is_worth(Deviations of_database) const;

  // What has been found, shrunk and replayed.
  Refutation finish();

 private:
  Result<bool> look_at(const Instance& instance);
  // A difference that counts, on a database as it is stored.
  struct Finding {
    Instance instance;
    Deviations deviations;  // of the database and of the results
  };

  // offer(), while there is time.
  Result<bool> consider(const Instance& instance);
  // Whether the difference `of_results` on `stored` counts and is milder than none that is known: its finding.
  Result<std::optional<Finding>> judge(Instance stored, Deviations of_results, bool thorough);
  bool needs_probe(Deviations of_results) const;
  Result<OrderProbe*> probe();  // made where it is first asked for
  Status shrink_finding(Finding& finding);
  Result<bool> shrink_step(const Instance& instance, Finding& finding);
  Result<std::optional<Counterexample>> replay(const Finding& finding);
  bool out_of_time() const;

  const SearchSetting& setting_;
  Trial& trial_;
  std::function<Result<Trial*>()> make_unkeyed_;
  std::optional<OrderProbe> probe_;
  Random random_;
  int dependent_ = 0;  // differences that were found to hang on an order
  Refutation refutation_;
};

}  // namespace trustsql::equiv
