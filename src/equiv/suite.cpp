#include "equiv/suite.hpp"

#include <algorithm>
#include <optional>

#include "equiv/mutants.hpp"
#include "equiv/refuter/directed_instances.hpp"
#include "equiv/refuter/random_instance.hpp"
#include "equiv/refuter/result_difference.hpp"
#include "equiv/refuter/script.hpp"
#include "equiv/refuter/value_origins.hpp"
#include "plan/builder.hpp"
#include "plan/normaliser.hpp"
#include "plan/order_dependence.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"
#include "sql/query_shape.hpp"

namespace trustsql::equiv {

namespace {

// Queries on a few rows are fast, unless a neighbour lacks the condition that kept a join small.
constexpr std::chrono::milliseconds max_neighbour_time{200};
constexpr std::int64_t max_neighbour_rows = 20'000;

// Neighbours that fail or time out this many times are dropped for good.
constexpr int max_failures = 5;

struct Neighbour {
  std::string sql;
  ScratchDatabase::Query query;
  int failures = 0;
};

// A gold query with the neighbours to be distinguished from it.
struct Gold {
  std::string sql;
  plan::Plan plan;  // normalised
  ScratchDatabase::Query query;
  bool ordered = false;
  bool order_dependent = false;
  std::vector<Neighbour> neighbours;
};

// A database that distinguishes some neighbours from their gold queries: their numbers over all gold queries,
// ascending.
struct Candidate {
  Instance instance;
  std::vector<std::size_t> told_apart;
};

// The comparison of EX: the same rows, under some permutation of columns, in order if the gold query asks for one.
bool distinguishes(const ResultSet& gold, const ResultSet& neighbour, bool ordered) {
  const auto difference =
      result_difference(gold, neighbour, {ordered ? RowsMatter::as_list : RowsMatter::as_bag, false});
  return difference && *difference != Deviations{Deviation::column_order};
}

class Distiller {
 public:
  Distiller(const SchemaDefinition& definition, const SuiteOptions& options, const ResolveOptions& dialect,
            const SandboxLimits& limits)
      : definition_(definition),
        options_(options),
        dialect_(dialect),
        limits_(limits),
        model_(DataModel::for_whole_schema(*definition.catalog)) {
    trace_generated_columns(model_, *definition.catalog);
    limits_.timeout = std::min(limits_.timeout, max_neighbour_time);
    limits_.max_rows = std::min(limits_.max_rows, max_neighbour_rows);
  }

  Result<Suite> run(std::span<const std::string> gold) {
    TRUSTSQL_ASSIGN_OR_RETURN(scratch_, ScratchDatabase::create(definition_, limits_));
    scratch_->set_stop(options_.stop);
    gold_.reserve(gold.size());
    for (const auto& sql : gold) TRUSTSQL_RETURN_IF_ERROR(add_gold(sql));
    TRUSTSQL_RETURN_IF_ERROR(try_databases());
    return choose();
  }

 private:
  Status add_gold(const std::string& sql) {
    TRUSTSQL_ASSIGN_OR_RETURN(const ast::Query query, parse_query(sql, dialect_.grammar()));
    TRUSTSQL_ASSIGN_OR_RETURN(const Resolution resolution, resolve(query, *definition_.catalog, dialect_));
    TRUSTSQL_ASSIGN_OR_RETURN(auto plan, plan::build_plan(resolution));
    Gold gold;
    gold.sql = sql;
    gold.plan =
        std::move(plan::normalise(std::move(plan), {.deadline = options_.deadline, .stop = options_.stop}).plan);
    gold.ordered = has_outermost_order_by(sql);
    gold.order_dependent = gold.ordered || !plan::order_dependence(gold.plan).empty();
    TRUSTSQL_ASSIGN_OR_RETURN(gold.query, scratch_->prepare(sql));
    for (const auto& mutant : mutants_of(query, &resolution, options_.neighbours)) {
      std::string text = print_query(mutant.query);
      if (auto prepared = scratch_->prepare(text); prepared.ok())
        gold.neighbours.push_back({std::move(text), *std::move(prepared)});
    }
    neighbours_ += gold.neighbours.size();
    gold_.push_back(std::move(gold));
    return ok_status();
  }

  bool out_of_time() {
    if (std::chrono::steady_clock::now() >= options_.deadline) complete_ = false;
    return !complete_;
  }

  // Runs everything on one database, which becomes a candidate if it distinguishes anything. False if the time is
  // up.
  Result<bool> offer(const Instance& instance) {
    if (out_of_time()) return false;
    if (options_.stop && options_.stop()) return Error{ErrorCode::interrupted, "interrupted"};
    for (std::size_t t = 0; t < model_.tables.size(); ++t) {
      const auto& table = model_.tables[t];
      TRUSTSQL_RETURN_IF_ERROR(scratch_->fill(*table.table, table.positions(), instance.tables[t]));
    }
    TRUSTSQL_ASSIGN_OR_RETURN(Candidate candidate, stored());
    if (!deviations_of(model_, candidate.instance, {}).within(options_.deviations)) return true;
    ++candidates_tried_;
    std::size_t number = 0;
    for (auto& gold : gold_) {
      TRUSTSQL_ASSIGN_OR_RETURN(const auto result, gold_result(gold));
      for (auto& neighbour : gold.neighbours) {
        const std::size_t own_number = number++;
        if (!result || neighbour.failures >= max_failures) continue;
        auto other = scratch_->run(neighbour.query);
        if (!other.ok()) {
          const auto code = other.error().code;
          if (code == ErrorCode::interrupted || code == ErrorCode::out_of_memory || code == ErrorCode::io)
            return std::move(other).error();
          ++neighbour.failures;
        }
        // A failing prediction is wrong, so a neighbour that fails where the gold query does not is
        // distinguished.
        if (!other.ok() || distinguishes(*result, *other, gold.ordered)) candidate.told_apart.push_back(own_number);
      }
    }
    if (!candidate.told_apart.empty()) candidates_.push_back(std::move(candidate));
    return true;
  }

  Result<Candidate> stored() {
    Candidate candidate;
    for (const auto& table : model_.tables) {
      TRUSTSQL_ASSIGN_OR_RETURN(auto rows, scratch_->rows(*table.table, table.positions()));
      candidate.instance.tables.push_back(std::move(rows));
    }
    return candidate;
  }

  // The result of the gold query; nullopt if the query fails, or if its result depends on an order which nothing
  // fixes, so that a correct prediction might be judged wrong.
  Result<std::optional<ResultSet>> gold_result(const Gold& gold) {
    using Answer = std::optional<ResultSet>;
    auto result = scratch_->run(gold.query);
    if (!result.ok()) {
      const auto code = result.error().code;
      if (code == ErrorCode::interrupted || code == ErrorCode::out_of_memory || code == ErrorCode::io)
        return std::move(result).error();
      return Answer();
    }
    if (gold.order_dependent) {
      TRUSTSQL_RETURN_IF_ERROR(scratch_->set_reversed(true));
      const auto reversed = scratch_->run(gold.query);
      TRUSTSQL_RETURN_IF_ERROR(scratch_->set_reversed(false));
      if (!reversed.ok() || distinguishes(*result, *reversed, gold.ordered)) return Answer();
    }
    return Answer(*std::move(result));
  }

  Status try_databases() {
    ValuePools pools(model_);
    for (const auto& gold : gold_) pools.learn(gold.plan);
    pools.learn_declarations(*definition_.catalog);
    pools.finish();
    std::vector<Sketch> sketches;
    for (const auto& gold : gold_) sketches.push_back(sketch_of(gold.plan, model_));
    Random random(options_.seed);
    bool more = true;
    const auto try_random = [&](Deviations deviations, int count) -> Status {
      RandomInstanceOptions instance_options{.deviations = deviations};
      for (int i = 0; more && i < count; ++i) {
        instance_options.max_rows = 2 + static_cast<std::size_t>(i % 4) * 2;
        TRUSTSQL_ASSIGN_OR_RETURN(more, offer(random_instance(model_, pools, instance_options, random)));
      }
      return ok_status();
    };
    TRUSTSQL_RETURN_IF_ERROR(try_random({}, options_.databases / 2));
    const DirectedInstances directed(model_, pools, sketches, random);
    using Directed = Result<bool> (DirectedInstances::*)(DirectedInstances::Offer) const;
    const auto try_directed = [&](Directed kind) -> Status {
      if (!more) return ok_status();
      TRUSTSQL_ASSIGN_OR_RETURN(more, (directed.*kind)([&](const Instance& instance) { return offer(instance); }));
      return ok_status();
    };
    TRUSTSQL_RETURN_IF_ERROR(try_directed(&DirectedInstances::without_deviation));
    if (options_.deviations.has(Deviation::null)) TRUSTSQL_RETURN_IF_ERROR(try_directed(&DirectedInstances::with_null));
    if (options_.deviations.has(Deviation::foreign_key))
      TRUSTSQL_RETURN_IF_ERROR(try_directed(&DirectedInstances::with_orphans));
    if (options_.deviations.has(Deviation::empty))
      TRUSTSQL_RETURN_IF_ERROR(try_directed(&DirectedInstances::with_empty_tables));
    return try_random(options_.deviations, options_.databases - options_.databases / 2);
  }

  // Greedy set cover; among databases that distinguish equally many neighbours, the one with the fewest rows.
  Suite choose() {
    Suite suite;
    suite.neighbours = neighbours_;
    suite.candidates = candidates_tried_;
    suite.complete = complete_;
    std::vector<bool> covered(neighbours_);
    const auto gain = [&](const Candidate& candidate) {
      return std::ranges::count_if(candidate.told_apart, [&](std::size_t neighbour) { return !covered[neighbour]; });
    };
    std::vector<std::array<std::string, 3>> views;
    for (const auto& object : definition_.objects) {
      if (object.kind == SchemaObject::Kind::view) views.push_back({object.schema, object.name, ""});
    }
    while (suite.scripts.size() < options_.largest) {
      const Candidate* best = nullptr;
      std::ptrdiff_t best_gain = 0;
      for (const auto& candidate : candidates_) {
        const auto own = gain(candidate);
        const bool better = own > best_gain || (own == best_gain && own > 0 &&
                                                candidate.instance.row_count() < best->instance.row_count());
        if (!better) continue;
        best = &candidate;
        best_gain = own;
      }
      if (best == nullptr) break;
      for (const auto neighbour : best->told_apart) covered[neighbour] = true;
      suite.told_apart += static_cast<std::size_t>(best_gain);
      suite.scripts.push_back(data_script(definition_, model_, views, best->instance));
    }
    std::size_t number = 0;
    for (const auto& gold : gold_) {
      for (const auto& neighbour : gold.neighbours) {
        if (!covered[number++]) suite.survivors.push_back(neighbour.sql);
      }
    }
    return suite;
  }

  const SchemaDefinition& definition_;
  const SuiteOptions& options_;
  const ResolveOptions& dialect_;
  SandboxLimits limits_;
  DataModel model_;
  std::unique_ptr<ScratchDatabase> scratch_;
  std::vector<Gold> gold_;
  std::size_t neighbours_ = 0;
  std::vector<Candidate> candidates_;
  int candidates_tried_ = 0;
  bool complete_ = true;
};

}  // namespace

Result<Suite> distil_suite(const SchemaDefinition& definition, std::span<const std::string> gold,
                           const SuiteOptions& options, const ResolveOptions& dialect, const SandboxLimits& limits) {
  return Distiller(definition, options, dialect, limits).run(gold);
}

}  // namespace trustsql::equiv
