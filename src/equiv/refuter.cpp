#include "equiv/refuter.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/sandbox/scratch_database.hpp"
#include "equiv/refuter/directed_instances.hpp"
#include "equiv/refuter/random_instance.hpp"
#include "equiv/refuter/search.hpp"
#include "equiv/refuter/value_origins.hpp"
#include "plan/dependencies.hpp"
#include "plan/facts.hpp"
#include "plan/order_dependence.hpp"

namespace trustsql::equiv {

namespace {

// Random databases without deviations are tried first; they refute most pairs that can be refuted.
constexpr int first_databases = 12;
// More of them are tried after the directed ones.
constexpr int second_databases = 20;
// Random databases for each deviation alone.
constexpr int databases_per_deviation = 8;

// Queries that take longer than this on a few rows, or return more, are not tested.
constexpr std::chrono::milliseconds max_trial_time{500};
constexpr std::int64_t max_result_rows = 20'000;
constexpr std::int64_t max_result_bytes = std::int64_t{16} << 20;
constexpr int longest_value = 1 << 20;

// The deviations of databases, starting with those that leave least doubt.
constexpr Deviation database_deviations[] = {Deviation::foreign_key, Deviation::null,     Deviation::letter_case,
                                             Deviation::empty,       Deviation::affinity, Deviation::type};

SandboxLimits for_small_databases(SandboxLimits limits) {
  limits.timeout = std::min(limits.timeout, max_trial_time);
  limits.max_rows = std::min(limits.max_rows, max_result_rows);
  limits.max_bytes = std::min(limits.max_bytes, max_result_bytes);
  limits.max_length = std::min(limits.max_length, longest_value);
  return limits;
}

RowsMatter rows_of(const RefuterQuery& a, const RefuterQuery& b, RowsAs rows) {
  switch (rows) {
    case RowsAs::automatic: return a.ordered && b.ordered ? RowsMatter::as_list : RowsMatter::as_bag;
    case RowsAs::list: return RowsMatter::as_list;
    case RowsAs::bag: return RowsMatter::as_bag;
    case RowsAs::set: break;
  }
  return RowsMatter::as_set;
}

bool is_total(const plan::Plan* plan) {
  if (plan == nullptr) return false;
  const auto* sort = plan::order_of_result(plan->root);
  return sort != nullptr && plan::is_total_order(*sort, *plan);
}

// Whether the query returns exactly one row whatever the tables hold.
bool gives_one_row(const plan::Plan* plan) {
  if (plan == nullptr) return true;
  const auto facts = plan::facts_of(plan->root, *plan);
  return facts.non_empty && plan::at_most_one_row(facts);
}

bool is_order_dependent(const plan::Plan* plan) { return plan == nullptr || !plan::order_dependence(*plan).empty(); }

}  // namespace

struct Refuter::Impl {
  SchemaDefinition definition;
  SandboxLimits limits;
  std::unique_ptr<ScratchDatabase> scratch;
  std::unique_ptr<ScratchDatabase> unkeyed;  // created when first needed
};

namespace {

// The databases that a pair is tried on, the most promising first.
class Schedule {
 public:
  // All must outlive the schedule.
  Schedule(Search& search, const DataModel& model, const ValuePools& pools, const RefuteOptions& options,
           Random& random)
      : search_(search), model_(model), pools_(pools), options_(options), random_(random) {}

  // Offers them to the search until it wants no more.
  Status run(const RefuterQuery& a, const RefuterQuery& b) {
    TRUSTSQL_RETURN_IF_ERROR(offer_random({}, first_databases));
    std::vector<Sketch> sketches;
    if (more_ && options_.directed) {
      for (const auto* query : {&a, &b}) {
        if (query->plan != nullptr) sketches.push_back(sketch_of(*query->plan, model_));
      }
    }
    const DirectedInstances directed(model_, pools_, sketches, random_);
    TRUSTSQL_RETURN_IF_ERROR(offer_directed({}, directed, &DirectedInstances::without_deviation));
    TRUSTSQL_RETURN_IF_ERROR(offer_random({}, second_databases));
    Deviations allowed;
    for (const Deviation deviation : database_deviations) {
      if (!options_.allowed.has(deviation)) continue;
      allowed.add(deviation);
      TRUSTSQL_RETURN_IF_ERROR(offer_deviating(deviation, directed));
    }
    return offer_remaining(allowed);
  }

 private:
  using Directed = Result<bool> (DirectedInstances::*)(DirectedInstances::Offer) const;

  Status offer_random(Deviations deviations, int count) {
    RandomInstanceOptions instance_options;
    instance_options.deviations = deviations;
    for (int i = 0; more_ && i < count && used_ < options_.databases && search_.is_worth(deviations); ++i, ++used_) {
      instance_options.max_rows = 2 + static_cast<std::size_t>(i % 3) * 2;
      TRUSTSQL_ASSIGN_OR_RETURN(more_, search_.offer(random_instance(model_, pools_, instance_options, random_)));
    }
    return ok_status();
  }

  Status offer_directed(Deviations deviations, const DirectedInstances& directed, Directed kind) {
    if (!more_ || !options_.directed) return ok_status();
    TRUSTSQL_ASSIGN_OR_RETURN(more_, (directed.*kind)([&](const Instance& instance) -> Result<bool> {
                                if (!search_.is_worth(deviations)) return true;
                                return search_.offer(instance);
                              }));
    return ok_status();
  }

  Status offer_deviating(Deviation deviation, const DirectedInstances& directed) {
    TRUSTSQL_RETURN_IF_ERROR(offer_random({deviation}, databases_per_deviation));
    switch (deviation) {
      case Deviation::null: return offer_directed({deviation}, directed, &DirectedInstances::with_null);
      case Deviation::foreign_key: return offer_directed({deviation}, directed, &DirectedInstances::with_orphans);
      case Deviation::empty: return offer_directed({deviation}, directed, &DirectedInstances::with_empty_tables);
      default: return ok_status();
    }
  }

  // Random databases, without deviations and with each of `all` in turn, as many as the question allows.
  Status offer_remaining(Deviations all) {
    while (more_ && used_ < options_.databases) {
      const int before = used_;
      TRUSTSQL_RETURN_IF_ERROR(offer_random({}, 4));
      TRUSTSQL_RETURN_IF_ERROR(offer_random(all, 4));
      if (used_ == before) break;
    }
    return ok_status();
  }

  Search& search_;
  const DataModel& model_;
  const ValuePools& pools_;
  const RefuteOptions& options_;
  Random& random_;
  int used_ = 0;  // random databases used so far
  bool more_ = true;
};

}  // namespace

// The search for one pair of queries.
class Refuter::PairSearch {
 public:
  PairSearch(Impl& schema, const RefuterQuery& a, const RefuterQuery& b, const RefuteOptions& options)
      : schema_(schema), a_(a), b_(b), options_(options), random_(options.seed) {}

  Result<Refutation> run() {
    schema_.scratch->set_stop(options_.stop);
    schema_.scratch->set_deadline(options_.deadline);
    Refutation untried;
    TRUSTSQL_ASSIGN_OR_RETURN(untried.obstacle, prepare(untried.failure));
    untried.complete = untried.obstacle != Obstacle::no_time;
    if (untried.obstacle != Obstacle::none) return untried;
    learn();
    TRUSTSQL_ASSIGN_OR_RETURN(auto refutation, search());
    if (asks_for_order(refutation)) TRUSTSQL_RETURN_IF_ERROR(search_for_order(refutation));
    return refutation;
  }

 private:
  // Prepares both queries on the schema. The result says why they cannot be tried although they are valid, `why` the
  // same in words.
  Result<Obstacle> prepare(std::string& why) {
    for (const auto& [query, name] : {std::pair(&a_, "a"), std::pair(&b_, "b")}) {
      // Preparing one may take long, and nothing can stop SQLite meanwhile.
      if (std::chrono::steady_clock::now() >= options_.deadline || (options_.stop && options_.stop())) {
        why = "no time was left to prepare the queries";
        return Obstacle::no_time;
      }
      std::string missing;
      auto prepared = prepare(*query, missing);
      if (prepared.ok()) continue;
      if (!missing.empty()) {
        why =
            "the table or view " + missing + " cannot be created in memory: " + schema_.scratch->missing().at(missing);
        return is_virtual(missing) ? Obstacle::virtual_table : Obstacle::missing_object;
      }
      return std::move(prepared).error().with_prefix(name);
    }
    std::ranges::sort(use_.columns);
    use_.columns.erase(std::unique(use_.columns.begin(), use_.columns.end()), use_.columns.end());
    if (!traits_.varies) return Obstacle::none;
    why = "a query returns a different result each time: it uses random numbers or the clock";
    return Obstacle::varies;
  }

  bool is_virtual(std::string_view table) const {
    return std::ranges::any_of(schema_.definition.catalog->tables(), [&](const trustsql::Table& known) {
      return known.kind == trustsql::Table::Kind::virtual_table && equals_ignore_case(known.name, table);
    });
  }

  // `missing`: the name of the table of the query that could not be created in memory, if that is the problem.
  Status prepare(const RefuterQuery& query, std::string& missing) {
    QueryUse query_use;
    auto prepared = schema_.scratch->prepare(query.sql, &query_use);
    if (!prepared.ok()) {
      for (const auto& [table, why] : schema_.scratch->missing())
        if (contains_ignore_case(prepared.error().message, table)) missing = table;
      return std::move(prepared).error();
    }
    // If no column of a table is read, SQLite reports the table's name as the query spells it.
    for (auto& [schema, table, column] : query_use.columns) {
      if (!schema.empty()) continue;
      if (const auto* known = schema_.definition.catalog->find(table)) schema = known->schema;
    }
    const QueryTraits own_traits = traits_of(query.sql, query_use, *schema_.definition.catalog);
    traits_.varies |= own_traits.varies;
    traits_.uses_rowid |= own_traits.uses_rowid;
    traits_.reads_generated |= own_traits.reads_generated;
    traits_.uses_like |= own_traits.uses_like;
    use_.columns.insert(use_.columns.end(), query_use.columns.begin(), query_use.columns.end());
    use_.functions.insert(use_.functions.end(), query_use.functions.begin(), query_use.functions.end());
    queries_.push_back(*std::move(prepared));
    return ok_status();
  }

  // Learns what the rows should look like for these queries.
  void learn() {
    model_ = DataModel::for_reads(*schema_.definition.catalog, use_.columns);
    if (!options_.primary_keys_null) model_.forbid_null_primary_keys();
    plan::ColumnReadings readings;
    for (const auto* query : {&a_, &b_}) {
      if (query->plan != nullptr) readings.add(*query->plan);
    }
    model_.note(readings);
    trace_generated_columns(model_, *schema_.definition.catalog);
    pools_.emplace(model_);
    for (const auto* query : {&a_, &b_}) {
      if (query->plan != nullptr) {
        pools_->learn(*query->plan);
      } else {
        pools_->learn(query->sql);
      }
    }
    pools_->learn_declarations(*schema_.definition.catalog);
    pools_->finish();
    texts_ = query_texts(model_, a_.sql, b_.sql);
  }

  SearchSetting setting(RowsMatter rows, const RefuteOptions& options) const {
    return {.definition = schema_.definition,
            .limits = schema_.limits,
            .model = model_,
            .pools = *pools_,
            .texts = texts_,
            .reads = use_.columns,
            .sql_a = a_.sql,
            .sql_b = b_.sql,
            .order_matters = is_order_dependent(a_.plan) || is_order_dependent(b_.plan),
            .ties_matter = rows == RowsMatter::as_list && (!is_total(a_.plan) || !is_total(b_.plan)),
            .uses_like = traits_.uses_like,
            .options = options};
  }

  // The same queries on a schema without keys, where rows may be in any order; nullptr if that is not possible.
  Result<Trial*> make_unkeyed() {
    if (traits_.uses_rowid || traits_.reads_generated) return nullptr;
    if (!schema_.unkeyed) {
      TRUSTSQL_ASSIGN_OR_RETURN(
          schema_.unkeyed, ScratchDatabase::create(schema_.definition, schema_.limits, ScratchDatabase::Keys::dropped));
    }
    schema_.unkeyed->set_stop(options_.stop);
    schema_.unkeyed->set_deadline(options_.deadline);
    unkeyed_queries_.clear();
    for (const auto* query : {&a_, &b_}) {
      auto prepared = schema_.unkeyed->prepare(query->sql);
      if (!prepared.ok()) return nullptr;
      unkeyed_queries_.push_back(*std::move(prepared));
    }
    unkeyed_trial_.emplace(*schema_.unkeyed, model_, unkeyed_queries_[0], unkeyed_queries_[1],
                           comparison(rows_of(a_, b_, options_.rows)));
    return &*unkeyed_trial_;
  }

  ResultComparison comparison(RowsMatter rows) const {
    return {rows, gives_one_row(a_.plan) || gives_one_row(b_.plan)};
  }

  Result<Refutation> search() {
    const auto how = comparison(rows_of(a_, b_, options_.rows));
    const auto setting_of_search = setting(how.rows, options_);
    Trial trial(*schema_.scratch, model_, queries_[0], queries_[1], how);
    Search search(setting_of_search, trial, [&] { return make_unkeyed(); });
    TRUSTSQL_RETURN_IF_ERROR(Schedule(search, model_, *pools_, options_, random_).run(a_, b_));
    return search.finish();
  }

  // If only one query asks for an order, the order in which SQLite returns the rows of the other is a difference as
  // well: nothing guarantees that it stays the requested one.
  bool asks_for_order(const Refutation& refutation) const {
    const auto by_order = Deviations{Deviation::row_order};
    const bool one_ordered =
        options_.rows == RowsAs::automatic && a_.ordered != b_.ordered && is_total(a_.ordered ? a_.plan : b_.plan);
    const bool is_better = !refutation.counterexample ||
                           (options_.best_grade && cost(by_order) < cost(refutation.counterexample->deviations));
    return one_ordered && is_better && by_order.within(options_.allowed);
  }

  Status search_for_order(Refutation& refutation) {
    RefuteOptions options = options_;
    options.allowed = Deviations{Deviation::row_order};
    const auto how = comparison(RowsMatter::as_list);
    auto setting_of_search = setting(how.rows, options);
    setting_of_search.ties_matter = false;  // one of them has no ORDER BY that could leave ties
    Trial trial(*schema_.scratch, model_, queries_[0], queries_[1], how);
    Search search(setting_of_search, trial, [&] { return make_unkeyed(); });
    bool more = refutation.complete;
    for (int i = 0; more && i < first_databases; ++i) {
      TRUSTSQL_ASSIGN_OR_RETURN(more, search.offer(random_instance(model_, *pools_, {.max_rows = 4}, random_)));
    }
    Refutation of_order = search.finish();
    refutation.databases += of_order.databases;
    if (of_order.counterexample) refutation.counterexample = std::move(of_order.counterexample);
    return ok_status();
  }

  Impl& schema_;
  const RefuterQuery& a_;
  const RefuterQuery& b_;
  const RefuteOptions& options_;
  Random random_;
  std::vector<ScratchDatabase::Query> queries_;
  QueryUse use_;  // by both queries
  QueryTraits traits_;
  DataModel model_;
  std::optional<ValuePools> pools_;
  QueryTexts texts_;
  std::vector<ScratchDatabase::Query> unkeyed_queries_;
  std::optional<Trial> unkeyed_trial_;
};

Refuter::Refuter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Refuter::~Refuter() = default;

Result<std::unique_ptr<Refuter>> Refuter::create(SandboxSource& source, const SandboxLimits& limits) {
  auto impl = std::make_unique<Impl>();
  TRUSTSQL_ASSIGN_OR_RETURN(impl->definition, SchemaDefinition::read(source));
  impl->limits = for_small_databases(limits);
  TRUSTSQL_ASSIGN_OR_RETURN(impl->scratch, ScratchDatabase::create(impl->definition, impl->limits));
  return std::unique_ptr<Refuter>(new Refuter(std::move(impl)));  // the constructor is private
}

Result<Refutation> Refuter::refute(const RefuterQuery& a, const RefuterQuery& b, const RefuteOptions& options) {
  auto refutation = PairSearch(*impl_, a, b, options).run();
  // The next pair starts with empty tables, and with new connections if these may be broken.
  for (auto* scratch : {&impl_->scratch, &impl_->unkeyed}) {
    if (!*scratch) continue;
    (*scratch)->set_stop({});
    (*scratch)->set_deadline(std::chrono::steady_clock::time_point::max());
    if (auto cleared = (*scratch)->clear(); cleared.ok() && !(*scratch)->broken()) continue;
    auto keys = scratch == &impl_->unkeyed ? ScratchDatabase::Keys::dropped : ScratchDatabase::Keys::kept;
    TRUSTSQL_ASSIGN_OR_RETURN(*scratch, ScratchDatabase::create(impl_->definition, impl_->limits, keys));
  }
  return refutation;
}

}  // namespace trustsql::equiv
