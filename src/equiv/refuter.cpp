#include "equiv/refuter.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "db/scratch_database.hpp"
#include "equiv/refuter/directed_instances.hpp"
#include "equiv/refuter/random_instance.hpp"
#include "equiv/refuter/search.hpp"
#include "plan/facts.hpp"
#include "plan/order_dependence.hpp"

namespace trustsql::equiv {

namespace {

// Random databases without deviations before anything else; they refute most of what can be refuted.
constexpr int first_databases = 12;
// More of them after the directed ones.
constexpr int second_databases = 20;
// Random databases for each deviation alone.
constexpr int databases_per_deviation = 8;

// A query on a few rows that takes longer than this, or gives more, is not for testing.
constexpr std::chrono::milliseconds longest_run{500};
constexpr std::int64_t most_rows = 20'000;
constexpr std::int64_t most_bytes = std::int64_t{16} << 20;
constexpr int longest_value = 1 << 20;

// The deviations of databases, those first that are found with least doubt.
constexpr Deviation database_deviations[] = {Deviation::foreign_key, Deviation::null, Deviation::letter_case, Deviation::empty, Deviation::type};

SandboxLimits for_small_databases(SandboxLimits limits) {
  limits.timeout = std::min(limits.timeout, longest_run);
  limits.max_rows = std::min(limits.max_rows, most_rows);
  limits.max_bytes = std::min(limits.max_bytes, most_bytes);
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

// The ORDER BY of the query itself, if it is left in its plan.
const plan::Sort* order_of(const plan::Rel& rel) {
  if (const auto* n = rel.as<plan::Sort>()) return n;
  if (const auto* n = rel.as<plan::Project>()) return order_of(*n->input);
  if (const auto* n = rel.as<plan::Limit>()) return order_of(*n->input);
  return nullptr;
}

bool is_total(const plan::Plan* plan) {
  if (plan == nullptr) return false;
  const auto* sort = order_of(plan->root);
  return sort != nullptr && plan::is_total_order(*sort, *plan);
}

// Whether the query gives exactly one row whatever the tables hold.
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
  std::unique_ptr<ScratchDatabase> unkeyed;  // made when it is first needed

  Result<Refutation> refute(const RefuterQuery& a, const RefuterQuery& b, const RefuteOptions& options);
  Status prepare(const RefuterQuery& query, std::string_view name, std::vector<ScratchDatabase::Query>& queries, QueryUse& use, QueryTraits& traits,
                 std::string& missing);
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
  auto found = impl_->refute(a, b, options);
  // The next pair starts with empty tables, and with new connections where these may be broken.
  for (auto* scratch : {&impl_->scratch, &impl_->unkeyed}) {
    if (!*scratch) continue;
    (*scratch)->set_stop({});
    (*scratch)->set_deadline(std::chrono::steady_clock::time_point::max());
    if (auto cleared = (*scratch)->clear(); cleared.ok() && !(*scratch)->broken()) continue;
    auto keys = scratch == &impl_->unkeyed ? ScratchDatabase::Keys::dropped : ScratchDatabase::Keys::kept;
    TRUSTSQL_ASSIGN_OR_RETURN(*scratch, ScratchDatabase::create(impl_->definition, impl_->limits, keys));
  }
  return found;
}

Status Refuter::Impl::prepare(const RefuterQuery& query, std::string_view name, std::vector<ScratchDatabase::Query>& queries, QueryUse& use,
                              QueryTraits& traits, std::string& missing) {
  QueryUse own;
  auto prepared = scratch->prepare(query.sql, &own);
  if (!prepared.ok()) {
    for (const auto& [table, why] : scratch->missing()) {
      if (contains_ignore_case(prepared.error().message, table)) missing = "the table or view " + table + " cannot be made in memory: " + why;
    }
    return std::move(prepared).error().with_prefix(name);
  }
  // Where no column of a table is read, SQLite reports its name as the query has it.
  for (auto& [schema, table, column] : own.columns) {
    if (!schema.empty()) continue;
    if (const auto* known = definition.catalog->find(table)) schema = known->schema;
  }
  const QueryTraits own_traits = traits_of(query.sql, own, *definition.catalog);
  traits.varies |= own_traits.varies;
  traits.uses_rowid |= own_traits.uses_rowid;
  traits.reads_generated |= own_traits.reads_generated;
  use.columns.insert(use.columns.end(), own.columns.begin(), own.columns.end());
  use.functions.insert(use.functions.end(), own.functions.begin(), own.functions.end());
  queries.push_back(*std::move(prepared));
  return ok_status();
}

Result<Refutation> Refuter::Impl::refute(const RefuterQuery& a, const RefuterQuery& b, const RefuteOptions& options) {
  scratch->set_stop(options.stop);
  scratch->set_deadline(options.deadline);
  std::vector<ScratchDatabase::Query> queries;
  QueryUse use;
  QueryTraits traits;
  std::string missing;
  for (const auto& [query, name] : {std::pair(&a, "a"), std::pair(&b, "b")}) {
    auto prepared = prepare(*query, name, queries, use, traits, missing);
    if (prepared.ok()) continue;
    if (missing.empty()) return std::move(prepared).error();
    Refutation none;
    none.failure = missing;
    return none;
  }
  Refutation none;
  if (traits.varies) {
    none.failure = "a query gives another result each time: it uses random numbers or the clock";
    return none;
  }

  std::ranges::sort(use.columns);
  const auto repeated = std::ranges::unique(use.columns);
  use.columns.erase(repeated.begin(), repeated.end());
  DataModel model = DataModel::of_reads(*definition.catalog, use.columns);
  if (!options.primary_keys_null) model.forbid_null_primary_keys();
  ValuePools pools(model);
  for (const auto* query : {&a, &b}) {
    if (query->plan != nullptr) {
      pools.learn(*query->plan);
    } else {
      pools.learn(query->sql);
    }
  }
  pools.finish();
  const QueryTexts texts = query_texts(model, a.sql, b.sql);
  const ResultComparison how{rows_of(a, b, options.rows), gives_one_row(a.plan) || gives_one_row(b.plan)};
  SearchSetting setting{definition, limits, model, pools, texts, use.columns, a.sql, b.sql, false, false, options};
  setting.order_matters = is_order_dependent(a.plan) || is_order_dependent(b.plan);
  setting.ties_matter = how.rows == RowsMatter::as_list && (!is_total(a.plan) || !is_total(b.plan));

  Trial trial(*scratch, model, queries[0], queries[1], how);
  std::vector<ScratchDatabase::Query> unkeyed_queries;
  std::optional<Trial> unkeyed_trial;
  const auto make_unkeyed = [&]() -> Result<Trial*> {
    if (traits.uses_rowid || traits.reads_generated) return nullptr;
    if (!unkeyed) {
      TRUSTSQL_ASSIGN_OR_RETURN(unkeyed, ScratchDatabase::create(definition, limits, ScratchDatabase::Keys::dropped));
    }
    unkeyed->set_stop(options.stop);
    unkeyed->set_deadline(options.deadline);
    for (const auto* query : {&a, &b}) {
      auto prepared = unkeyed->prepare(query->sql);
      if (!prepared.ok()) return nullptr;
      unkeyed_queries.push_back(*std::move(prepared));
    }
    unkeyed_trial.emplace(*unkeyed, model, unkeyed_queries[0], unkeyed_queries[1], how);
    return &*unkeyed_trial;
  };

  Search search(setting, trial, make_unkeyed);
  Random random(options.seed);
  int used = 0;
  bool more = true;
  const auto try_random = [&](Deviations deviations, int count) -> Status {
    RandomManner manner;
    manner.deviations = deviations;
    for (int i = 0; more && i < count && used < options.databases && search.is_worth(deviations); ++i, ++used) {
      manner.most_rows = 2 + static_cast<std::size_t>(i % 3) * 2;
      TRUSTSQL_ASSIGN_OR_RETURN(more, search.offer(random_instance(model, pools, manner, random)));
    }
    return ok_status();
  };
  TRUSTSQL_RETURN_IF_ERROR(try_random({}, first_databases));

  std::vector<Sketch> sketches;
  if (more && options.directed) {
    for (const auto* query : {&a, &b}) {
      if (query->plan != nullptr) sketches.push_back(sketch_of(*query->plan, model));
    }
  }
  const DirectedInstances directed(model, pools, sketches, random);
  using Directed = Result<bool> (DirectedInstances::*)(DirectedInstances::Offer) const;
  const auto try_directed = [&](Deviations deviations, Directed kind) -> Status {
    if (!more || !options.directed) return ok_status();
    TRUSTSQL_ASSIGN_OR_RETURN(more, (directed.*kind)([&](const Instance& instance) -> Result<bool> {
                                if (!search.is_worth(deviations)) return true;
                                return search.offer(instance);
                              }));
    return ok_status();
  };
  TRUSTSQL_RETURN_IF_ERROR(try_directed({}, &DirectedInstances::without_deviation));
  TRUSTSQL_RETURN_IF_ERROR(try_random({}, second_databases));
  Deviations all;
  for (const Deviation deviation : database_deviations) {
    if (!options.allowed.has(deviation)) continue;
    all.add(deviation);
    TRUSTSQL_RETURN_IF_ERROR(try_random({deviation}, databases_per_deviation));
    if (deviation == Deviation::null) TRUSTSQL_RETURN_IF_ERROR(try_directed({deviation}, &DirectedInstances::with_null));
    if (deviation == Deviation::foreign_key) TRUSTSQL_RETURN_IF_ERROR(try_directed({deviation}, &DirectedInstances::with_orphans));
    if (deviation == Deviation::empty) TRUSTSQL_RETURN_IF_ERROR(try_directed({deviation}, &DirectedInstances::with_empty_tables));
  }
  while (more && used < options.databases) {
    const int before = used;
    TRUSTSQL_RETURN_IF_ERROR(try_random({}, 4));
    TRUSTSQL_RETURN_IF_ERROR(try_random(all, 4));
    if (used == before) break;
  }
  Refutation refutation = search.finish();

  // Where one of them alone asks for an order, the order in which SQLite gives the rows of the other is a difference as well:
  // nothing promises that it stays the asked one.
  const auto by_order = Deviations{Deviation::row_order};
  const bool one_ordered = options.rows == RowsAs::automatic && a.ordered != b.ordered && is_total(a.ordered ? a.plan : b.plan);
  const bool is_better = !refutation.counterexample || (options.best_grade && cost(by_order) < cost(refutation.counterexample->deviations));
  if (!one_ordered || !is_better || !by_order.within(options.allowed)) return refutation;
  RefuteOptions order_options = options;
  order_options.allowed = by_order;
  SearchSetting order_setting{definition, limits, model, pools, texts, use.columns, a.sql, b.sql, setting.order_matters, false, order_options};
  Trial order_trial(*scratch, model, queries[0], queries[1], {RowsMatter::as_list, how.may_be_of_nothing});
  Search order_search(order_setting, order_trial, make_unkeyed);
  bool go_on = refutation.complete;
  for (int i = 0; go_on && i < first_databases; ++i) {
    TRUSTSQL_ASSIGN_OR_RETURN(go_on, order_search.offer(random_instance(model, pools, {.most_rows = 4}, random)));
  }
  Refutation of_order = order_search.finish();
  refutation.databases += of_order.databases;
  if (of_order.counterexample) refutation.counterexample = std::move(of_order.counterexample);
  return refutation;
}

}  // namespace trustsql::equiv
