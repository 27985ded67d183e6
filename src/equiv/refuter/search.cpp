#include "equiv/refuter/search.hpp"

#include <algorithm>

#include "equiv/refuter/script.hpp"
#include "equiv/refuter/shrinking.hpp"

namespace trustsql::equiv {

namespace {

// How many orders of rows are tried: at first, for each step of shrinking, and before anything is reported.
constexpr int quick_orders = 8;
constexpr int shrinking_orders = 24;
constexpr int thorough_orders = 720;

// The maximum number of tests during one shrinking.
constexpr int max_questions = 400;

// The number of order-dependent differences after which a pair is given up.
constexpr int max_dependent_trials = 60;

// Bytes of a text or blob in a replay with SQLite's own LIKE, which nothing interrupts: with a pattern of 200
// characters, the longest that is allowed, it takes some 30 ms then.
constexpr int longest_text_of_like = 1 << 16;

// How many of these may be discovered only after shrinking.
constexpr int max_thorough_trials = 6;

// The number of timeouts of queries after which a pair is given up.
constexpr int max_timeouts = 3;

}  // namespace

Search::Search(const SearchSetting& setting, Trial& trial, std::function<Result<Trial*>()> make_unkeyed)
    : setting_(setting), trial_(trial), make_unkeyed_(std::move(make_unkeyed)), random_(setting.options.seed, 2) {}

bool Search::out_of_time() const {
  return std::chrono::steady_clock::now() >= setting_.options.deadline ||
         (setting_.options.stop && setting_.options.stop());
}

bool Search::needs_probe(Deviations of_results) const {
  return setting_.order_matters || (setting_.ties_matter && !of_results.none());
}

Result<OrderProbe*> Search::probe() {
  if (!probe_) {
    TRUSTSQL_ASSIGN_OR_RETURN(Trial * unkeyed, make_unkeyed_());
    probe_.emplace(trial_, unkeyed);
  }
  return &*probe_;
}

bool Search::is_worth(Deviations of_database) const {
  return !refutation_.counterexample || cost(of_database) < cost(refutation_.counterexample->deviations);
}

// Of a database as it is stored, which may differ from what it was filled with.
Result<Deviations> Search::deviations_of_stored(const Instance& stored) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto computed, trial_.deviations_of_computed(stored));
  return deviations_of(setting_.model, stored, setting_.texts) | computed;
}

Result<std::optional<Search::Finding>> Search::judge(Instance stored, Deviations of_results, bool thorough) {
  using Judgement = std::optional<Finding>;
  TRUSTSQL_ASSIGN_OR_RETURN(const Deviations of_database, deviations_of_stored(stored));
  const auto counts = [&](Deviations results) {
    const Deviations all = of_database | results;
    return all.within(setting_.options.allowed) && is_worth(all);
  };
  if (!counts(of_results)) return Judgement();
  if (needs_probe(of_results)) {
    TRUSTSQL_ASSIGN_OR_RETURN(OrderProbe * orders, probe());
    TRUSTSQL_ASSIGN_OR_RETURN(const auto mildest,
                              orders->mildest_difference(stored, thorough ? thorough_orders : quick_orders, thorough,
                                                         setting_.options.same_ties, random_));
    if (!mildest) {
      refutation_.order_dependent = true;
      ++dependent_;
      return Judgement();
    }
    if (!counts(*mildest)) return Judgement();
    of_results = *mildest;
  }
  return Judgement(Finding{std::move(stored), of_database | of_results});
}

Result<bool> Search::offer(const Instance& instance) {
  auto more = look_at(instance);
  if (more.ok() || more.error().code != ErrorCode::limit_exceeded) return more;
  refutation_.complete = false;  // the time ran out while the tables were filled or read
  return false;
}

Result<bool> Search::look_at(const Instance& instance) {
  if (out_of_time() || trial_.timeouts() >= max_timeouts) {
    refutation_.complete = false;
    return false;
  }
  auto more = consider(instance);
  // Nobody asked to stop: the time ran out during the trial.
  if (!more.ok() && more.error().code == ErrorCode::interrupted &&
      !(setting_.options.stop && setting_.options.stop())) {
    refutation_.complete = false;
    return false;
  }
  return more;
}

Result<bool> Search::consider(const Instance& instance) {
  TRUSTSQL_ASSIGN_OR_RETURN(const Observation seen, trial_.observe(instance));
  if (!seen.ran) {
    if (refutation_.databases == 0) refutation_.failure = seen.failure;
    return true;
  }
  ++refutation_.databases;
  refutation_.failure.clear();
  if (!seen.difference) return true;
  TRUSTSQL_ASSIGN_OR_RETURN(Instance stored, trial_.stored());
  // SQLite rejected rows that others have for parents: without these, it may be a database that obeys the schema.
  if (stored.row_count() < instance.row_count() && has_orphan(setting_.model, stored) &&
      !has_orphan(setting_.model, instance)) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, consider(without_orphans(setting_.model, stored)));
    if (!more) return false;
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto finding, judge(std::move(stored), *seen.difference, false));
  if (!finding) return dependent_ < max_dependent_trials;
  Finding shrunk = *finding;
  // All orders can be tried only for few rows.
  if (setting_.options.shrink || needs_probe(*seen.difference)) TRUSTSQL_RETURN_IF_ERROR(shrink_finding(shrunk));
  for (const Finding* candidate : {&shrunk, &*finding}) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto counterexample, replay(*candidate));
    if (!counterexample) continue;
    refutation_.counterexample = std::move(counterexample);
    break;
  }
  if (!refutation_.counterexample) {
    // The difference was order-dependent after all, which took long to find out.
    dependent_ += max_dependent_trials / max_thorough_trials;
    return dependent_ < max_dependent_trials;
  }
  return setting_.options.best_grade && !refutation_.counterexample->deviations.none();
}

Result<bool> Search::shrink_step(const Instance& instance, Finding& finding) {
  if (out_of_time()) return false;
  TRUSTSQL_ASSIGN_OR_RETURN(const Observation seen, trial_.observe(instance));
  if (!seen.ran || !seen.difference) return false;
  TRUSTSQL_ASSIGN_OR_RETURN(const Instance stored, trial_.stored());
  if (stored.row_count() != instance.row_count()) return false;
  TRUSTSQL_ASSIGN_OR_RETURN(const Deviations of_database, deviations_of_stored(stored));
  Deviations deviations = of_database | *seen.difference;
  if (cost(deviations) > cost(finding.deviations) || !deviations.within(setting_.options.allowed)) return false;
  if (needs_probe(*seen.difference)) {
    TRUSTSQL_ASSIGN_OR_RETURN(OrderProbe * orders, probe());
    TRUSTSQL_ASSIGN_OR_RETURN(const auto mildest, orders->mildest_difference(stored, shrinking_orders, false,
                                                                             setting_.options.same_ties, random_));
    if (!mildest) return false;
    deviations = deviations | *mildest;
    if (cost(deviations) > cost(finding.deviations) || !deviations.within(setting_.options.allowed)) return false;
  }
  finding.deviations = deviations;
  return true;
}

Status Search::shrink_finding(Finding& finding) {
  return shrink(setting_.model, setting_.pools, finding.instance, max_questions,
                [&](const Instance& instance) { return shrink_step(instance, finding); });
}

Result<std::optional<Counterexample>> Search::replay(const Finding& finding) {
  using Replayed = std::optional<Counterexample>;
  // Once more, with all orders that can be tried.
  TRUSTSQL_ASSIGN_OR_RETURN(const Observation again, trial_.observe(finding.instance));
  if (!again.ran || !again.difference) return Replayed();
  TRUSTSQL_ASSIGN_OR_RETURN(const auto judged, judge(finding.instance, *again.difference, true));
  if (!judged) return Replayed();

  Counterexample counterexample;
  counterexample.deviations = judged->deviations;
  counterexample.script = data_script(setting_.definition, setting_.model, setting_.reads, finding.instance,
                                      {setting_.sql_a, setting_.sql_b});
  std::vector<std::string> schemas;
  for (const auto& schema : setting_.definition.catalog->schemas()) schemas.push_back(schema.name);
  // SQLite looks up patterns in an index, and not always rightly; the sandbox's LIKE, which the search uses, has no
  // index.
  SandboxLimits limits = setting_.limits;
  if (setting_.uses_like) limits.max_length = std::min(limits.max_length, longest_text_of_like);
  const auto like = setting_.uses_like ? LikeFunction::of_sqlite : LikeFunction::bounded;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto fresh, ScratchDatabase::create_empty(schemas, limits, like));
  // What cannot be replayed is no counterexample; but if memory has run out, that says nothing about it.
  const auto not_replayed = [](Error error) -> Result<Replayed> {
    if (error.code == ErrorCode::out_of_memory) return error;
    return Replayed();
  };
  if (auto replayed = fresh->replay(counterexample.script); !replayed.ok())
    return not_replayed(std::move(replayed).error());
  for (const bool first : {true, false}) {
    auto query = fresh->prepare(first ? setting_.sql_a : setting_.sql_b);
    if (!query.ok()) return not_replayed(std::move(query).error());
    auto rows = fresh->run(*query);
    if (!rows.ok()) return not_replayed(std::move(rows).error());
    (first ? counterexample.a : counterexample.b) = *std::move(rows);
  }
  if (!result_difference(counterexample.a, counterexample.b, trial_.how())) return Replayed();
  counterexample.script += as_comment("a", setting_.sql_a) + as_comment("b", setting_.sql_b);
  return Replayed(std::move(counterexample));
}

Refutation Search::finish() { return std::move(refutation_); }

}  // namespace trustsql::equiv
