#include "equiv/verdict.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "equiv/grade_score.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "sql/query_shape.hpp"

namespace trustsql::equiv {

namespace {

constexpr std::array<ReasonDescription, 8> reasons = {{
    {UnknownReason::invalid_query, "invalid_query", "SQLite cannot prepare one of the queries"},
    {UnknownReason::nondeterministic, "nondeterministic",
     "a result depends on random() or the clock, or on an order of rows that the query leaves open (ties under LIMIT, "
     "bare columns beside aggregates)"},
    {UnknownReason::unsupported, "unsupported",
     "one of the queries uses something that the prover or the search for a counterexample does not support, and no "
     "counterexample was found"},
    {UnknownReason::undefined_types, "undefined_types",
     "SQLite's documentation does not define how some value is compared or stored"},
    {UnknownReason::assumption_needed, "assumption_needed",
     "equal under an assumption that was not made (column `assumptions`), and no counterexample was found"},
    {UnknownReason::always_fails, "always_fails", "one of the queries failed on every database that was tried"},
    {UnknownReason::limit, "limit", "the limit on time or steps was reached"},
    {UnknownReason::undecided, "undecided", "neither a proof nor a counterexample was found"},
}};

// A query, with its plan if there is one.
struct Side {
  std::string_view sql;
  std::optional<plan::Plan> plan{};              // as built
  std::optional<plan::Normalised> normalised{};  // the normalised plan, which guides the search
  std::optional<Error> error{};                  // why there is no plan
  bool ordered = false;
};

Side read(std::string_view sql, const Catalog& catalog, const ResolveOptions& dialect) {
  Side side{.sql = sql, .ordered = has_outermost_order_by(sql)};
  auto plan = plan::plan_query(sql, catalog, dialect);
  if (plan.ok()) {
    side.plan = *std::move(plan);
  } else {
    side.error = plan.error();
  }
  return side;
}

RefuterQuery for_refuter(const Side& side) {
  return {.sql = side.sql, .plan = side.normalised ? &side.normalised->plan : nullptr, .ordered = side.ordered};
}

// Whether the error concerns a query, not the machine.
bool is_about_query(ErrorCode code) {
  return code == ErrorCode::query_failed || code == ErrorCode::unknown_function || code == ErrorCode::not_allowed ||
         code == ErrorCode::invalid_argument || code == ErrorCode::limit_exceeded;
}

plan::Assume assume_of(const ComparisonOptions& options) {
  auto assume = options.assume;
  if (options.ignored.has(Deviation::foreign_key)) assume.foreign_keys = true;
  if (options.ignored.has(Deviation::null)) assume.primary_key_not_null = true;
  if (options.ignored.has(Deviation::type)) assume.declared_types = true;
  if (options.ignored.has(Deviation::affinity)) assume.number_texts = true;
  return assume;
}

ProveOptions prove_options(const ComparisonOptions& options, bool lists,
                           std::chrono::steady_clock::time_point deadline) {
  // Lists in which the number of duplicates does not matter still have an order.
  const bool any_order = !lists || options.ignored.has(Deviation::row_order);
  return {.assume = assume_of(options),
          .rows_as_set = options.rows == RowsAs::set || (any_order && options.ignored.has(Deviation::duplicates)),
          .rows_as_bag = any_order,
          .any_column_order = options.ignored.has(Deviation::column_order),
          .ignore_empty_aggregate_row = options.ignored.has(Deviation::empty),
          .ignore_letter_case = options.ignored.has(Deviation::letter_case),
          .deadline = deadline,
          .stop = options.stop};
}

// Adds what the options assume about databases, whether the proof needs it or not.
void note_ignored(Deviations ignored, Proof& proof) {
  using Kind = plan::Assumption::Kind;
  for (const auto& [deviation, kind] :
       {std::pair(Deviation::null, Kind::no_null), std::pair(Deviation::empty, Kind::no_empty_table),
        std::pair(Deviation::letter_case, Kind::no_case_variants)}) {
    if (ignored.has(deviation)) proof.assumptions.push_back({kind, {}, {}});
  }
}

// The deviations that may occur in a database, or between two results, for the options.
Deviations allowed_by(const ComparisonOptions& options) {
  auto allowed = Deviations::all() - options.ignored;
  if (options.assume.foreign_keys) allowed.remove(Deviation::foreign_key);
  if (options.assume.declared_types) allowed.remove(Deviation::type);
  if (options.assume.number_texts) allowed.remove(Deviation::affinity);
  return allowed;
}

UnknownReason reason_of(ProofGap::Kind kind) {
  switch (kind) {
    case ProofGap::Kind::order_dependent: return UnknownReason::nondeterministic;
    case ProofGap::Kind::too_large: return UnknownReason::limit;
    case ProofGap::Kind::types_undefined: return UnknownReason::undefined_types;
    case ProofGap::Kind::rejected:
    case ProofGap::Kind::different_trees: return UnknownReason::undecided;
  }
  return UnknownReason::undecided;
}

UnknownReason reason_untried(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::none: return UnknownReason::always_fails;
    case Obstacle::varies: return UnknownReason::nondeterministic;
    case Obstacle::missing_object:
    case Obstacle::virtual_table: return UnknownReason::unsupported;
    case Obstacle::no_time: return UnknownReason::limit;
  }
  return UnknownReason::always_fails;
}

// One comparison: the steps of QueryComparer::compare(), in their order.
class PairComparison {
 public:
  PairComparison(Refuter& refuter, const Catalog& catalog, std::string_view a, std::string_view b,
                 const ComparisonOptions& options, const ResolveOptions& dialect)
      : refuter_(refuter),
        catalog_(catalog),
        options_(options),
        dialect_(dialect),
        deadline_(std::chrono::steady_clock::now() + options.timeout),
        sides_{read(a, catalog, dialect), read(b, catalog, dialect)},
        both_planned_(sides_[0].plan && sides_[1].plan),
        lists_(options.rows == RowsAs::list ||
               (options.rows == RowsAs::automatic && (sides_[0].ordered || sides_[1].ordered))) {
    if (!both_planned_) return;
    for (auto& side : sides_) side.plan->tables_have_rows = options.ignored.has(Deviation::empty);
    // For the search, texts that are taken for numbers stay recognisable.
    auto assume = assume_of(options);
    assume.number_texts = false;
    for (auto& side : sides_)
      side.normalised = plan::normalise(*side.plan, {.assume = assume, .deadline = deadline_, .stop = options.stop});
  }

  // First a few databases, which distinguish most pairs that differ; then the prover; then the rest of the search. So a
  // pair is always tried on databases before it is proved, and most refutations need no attempt at a proof.
  Result<ComparisonResult> run() {
    auto quick_check = refute(quick_check_options());
    if (!quick_check.ok()) return failed(quick_check.error());
    if (quick_check->obstacle == Obstacle::virtual_table || quick_check->obstacle == Obstacle::no_time)
      return untried(std::move(*quick_check));
    // Nothing is proved about random numbers and the clock.
    provable_ = both_planned_ && quick_check->obstacle != Obstacle::varies;
    if (!take(*quick_check)) {
      if (quick_check->obstacle == Obstacle::none) prove_same();
      if (result_.verdict == Verdict::unknown && both_planned_) prove_pair();
      if (result_.verdict == Verdict::unknown) {
        auto search = refute(search_options());
        if (!search.ok()) return failed(search.error());
        if (!take(*search)) explain(*search);
      }
    }
    if (result_.verdict != Verdict::proved && provable_ && options_.best_grade) prove_under_assumptions();
    result_.score = grade_score(result_);
    return std::move(result_);
  }

 private:
  static constexpr int quick_check_databases = 10;

  // --- refuting

  RefuteOptions search_options() const {
    return {.allowed = allowed_by(options_),
            .primary_keys_null = !options_.assume.primary_key_not_null,
            .same_ties = options_.assume.ties,
            .rows = options_.rows,
            .best_grade = options_.best_grade,
            .shrink = options_.counterexample,
            .databases = options_.databases,
            .seed = options_.seed + 1,  // to get other databases than the quick check
            .deadline = deadline_,
            .stop = options_.stop};
  }
  RefuteOptions quick_check_options() const {
    auto quick_check = search_options();
    quick_check.allowed = {};
    quick_check.databases = quick_check_databases;
    quick_check.directed = false;
    quick_check.seed = options_.seed;
    return quick_check;
  }

  Result<Refutation> refute(const RefuteOptions& options) {
    return refuter_.refute(for_refuter(sides_[0]), for_refuter(sides_[1]), options);
  }

  // Adds what a search has shown. Returns whether it has refuted the pair.
  bool take(Refutation& refutation) {
    result_.databases += refutation.databases;
    result_.order_dependent |= refutation.order_dependent;
    if (!refutation.counterexample) return false;
    result_.verdict = Verdict::refuted;
    result_.counterexample = std::move(refutation.counterexample);
    return true;
  }

  static ComparisonResult untried(Refutation refutation) {
    ComparisonResult unknown;
    unknown.reason = reason_untried(refutation.obstacle);
    unknown.detail = std::move(refutation.failure);
    unknown.score = grade_score(unknown);
    return unknown;
  }

  // The result for a pair that cannot be run, or the error if that is not the fault of a query.
  static Result<ComparisonResult> failed(const Error& error) {
    if (!is_about_query(error.code)) return error;
    ComparisonResult unknown;
    unknown.reason = error.code == ErrorCode::limit_exceeded ? UnknownReason::limit : UnknownReason::invalid_query;
    unknown.detail = error.message;
    unknown.score = grade_score(unknown);
    return unknown;
  }

  // --- proving

  // Both have been prepared.
  void prove_same() {
    auto proof = prove_same_statement(sides_[0].sql, sides_[1].sql, catalog_, dialect_);
    if (!proof) return;
    result_.verdict = Verdict::proved;
    result_.proof = std::move(proof);
  }

  void prove_pair() {
    auto attempt = prove(*sides_[0].plan, *sides_[1].plan, prove_options(options_, lists_, deadline_));
    gap_ = std::move(attempt.gap);
    if (!attempt.proof || !provable_) return;
    result_.verdict = Verdict::proved;
    result_.proof = std::move(attempt.proof);
    note_ignored(options_.ignored, *result_.proof);
  }

  // If the queries are not equivalent unconditionally, finds out whether they are under assumptions.
  void prove_under_assumptions() {
    auto assuming = prove_options(options_, lists_, deadline_);
    assuming.assume = plan::Assume::everything();
    auto attempt = prove(*sides_[0].plan, *sides_[1].plan, assuming);
    if (!attempt.proof) return;
    result_.proof = std::move(attempt.proof);
    if (result_.reason == UnknownReason::undecided || result_.reason == UnknownReason::nondeterministic)
      result_.reason = UnknownReason::assumption_needed;
  }

  // Says why the verdict is unknown after the whole search.
  void explain(const Refutation& search) {
    const bool order_open = gap_.kind == ProofGap::Kind::order_dependent ||
                            (result_.order_dependent && gap_.kind == ProofGap::Kind::different_trees);
    result_.reason = !search.complete        ? UnknownReason::limit
                     : !both_planned_        ? UnknownReason::unsupported
                     : order_open            ? UnknownReason::nondeterministic
                     : search.databases == 0 ? reason_untried(search.obstacle)
                                             : reason_of(gap_.kind);
    result_.detail = !both_planned_ ? (sides_[0].error ? sides_[0].error : sides_[1].error)->message
                     : search.databases == 0 && !order_open && search.obstacle != Obstacle::no_time ? search.failure
                                                                                                    : gap_.detail;
  }

  Refuter& refuter_;
  const Catalog& catalog_;
  const ComparisonOptions& options_;
  const ResolveOptions& dialect_;
  std::chrono::steady_clock::time_point deadline_;
  Side sides_[2];
  bool both_planned_;
  bool provable_ = false;  // a proof counts
  bool lists_;             // the order of the rows counts
  ProofGap gap_{};         // of the attempt without further assumptions
  ComparisonResult result_;
};

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved: return "proved";
    case Verdict::refuted: return "refuted";
    case Verdict::unknown: return "unknown";
  }
  return "";
}

std::span<const ReasonDescription> unknown_reasons() { return reasons; }

std::string_view name(UnknownReason reason) { return reasons[static_cast<std::size_t>(reason)].name; }

std::string_view ComparisonResult::method() const {
  return verdict == Verdict::proved ? "proof" : verdict == Verdict::refuted ? "counterexample" : "";
}

Result<std::unique_ptr<QueryComparer>> QueryComparer::create(SandboxSource& source, const SandboxLimits& limits) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto catalog, source.catalog());
  TRUSTSQL_ASSIGN_OR_RETURN(auto refuter, Refuter::create(source, limits));
  return std::unique_ptr<QueryComparer>(new QueryComparer(std::move(catalog), std::move(refuter)));
}

Result<QueryComparer*> ComparerCache::get(SandboxSource& source, const SandboxLimits& limits) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, source.catalog());
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.comparer->catalog() == catalog && entry.limits == limits;
  });
  if (known != entries_.end()) {
    std::rotate(known, known + 1, entries_.end());
  } else {
    TRUSTSQL_ASSIGN_OR_RETURN(auto comparer, QueryComparer::create(source, limits));
    if (entries_.size() == capacity) entries_.erase(entries_.begin());
    entries_.push_back({limits, std::move(comparer)});
  }
  return entries_.back().comparer.get();
}

const Catalog& QueryComparer::catalog_for(const ComparisonOptions& options) {
  if (!options.ignored.has(Deviation::null)) return *catalog_;
  if (!catalog_without_nulls_) catalog_without_nulls_ = catalog_->without_nulls();
  return *catalog_without_nulls_;
}

Result<ComparisonResult> QueryComparer::compare(std::string_view a, std::string_view b,
                                                const ComparisonOptions& options, const ResolveOptions& dialect) {
  return PairComparison(*refuter_, catalog_for(options), a, b, options, dialect).run();
}

}  // namespace trustsql::equiv
