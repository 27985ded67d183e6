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
     "a result depends on random(), or on an order of rows that the query leaves open (ties under LIMIT, bare columns "
     "beside aggregates)"},
    {UnknownReason::unsupported, "unsupported",
     "one of the queries uses something that the prover does not support, and no counterexample was found"},
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

plan::Assume assume_of(const Question& question) {
  auto assume = question.assume;
  if (question.ignored.has(Deviation::foreign_key)) assume.foreign_keys = true;
  if (question.ignored.has(Deviation::null)) assume.primary_key_not_null = true;
  if (question.ignored.has(Deviation::type)) assume.declared_types = true;
  return assume;
}

ProveOptions prove_options(const Question& question, bool lists, bool same_text,
                           std::chrono::steady_clock::time_point deadline) {
  // Lists in which the number of duplicates does not matter still have an order.
  const bool any_order = !lists || question.ignored.has(Deviation::row_order);
  return {.assume = assume_of(question),
          .rows_as_set = question.rows == RowsAs::set || (any_order && question.ignored.has(Deviation::duplicates)),
          .rows_as_bag = any_order,
          .any_column_order = question.ignored.has(Deviation::column_order),
          .ignore_empty_aggregate_row = question.ignored.has(Deviation::empty),
          .ignore_letter_case = question.ignored.has(Deviation::letter_case),
          .same_text = same_text,
          .deadline = deadline};
}

// Adds what the question assumes about databases, whether the proof needs it or not.
void note_ignored(Deviations ignored, Proof& proof) {
  using Kind = plan::Assumption::Kind;
  for (const auto& [deviation, kind] :
       {std::pair(Deviation::null, Kind::no_null), std::pair(Deviation::empty, Kind::no_empty_table),
        std::pair(Deviation::letter_case, Kind::no_case_variants)}) {
    if (ignored.has(deviation)) proof.assumptions.push_back({kind, {}, {}});
  }
}

// The deviations that may occur in a database, or between two results, for the question.
Deviations allowed_by(const Question& question) {
  auto allowed = Deviations::all() - question.ignored;
  if (question.assume.foreign_keys) allowed.remove(Deviation::foreign_key);
  if (question.assume.declared_types) allowed.remove(Deviation::type);
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

Comparison unknown(UnknownReason reason, std::string detail) {
  Comparison comparison;
  comparison.reason = reason;
  comparison.detail = std::move(detail);
  return comparison;
}

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

std::string_view Comparison::method() const {
  return verdict == Verdict::proved ? "proof" : verdict == Verdict::refuted ? "counterexample" : "";
}

Result<std::unique_ptr<QueryComparer>> QueryComparer::create(SandboxSource& source, const SandboxLimits& limits) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto catalog, source.catalog());
  TRUSTSQL_ASSIGN_OR_RETURN(auto refuter, Refuter::create(source, limits));
  return std::unique_ptr<QueryComparer>(new QueryComparer(std::move(catalog), std::move(refuter)));
}

Result<QueryComparer*> ComparerCache::get(SandboxSource& source, const SandboxLimits& limits) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto catalog, source.catalog());
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.comparer->catalog() == catalog && entry.limits == limits;
  });
  if (found != entries_.end()) {
    std::rotate(found, found + 1, entries_.end());
  } else {
    TRUSTSQL_ASSIGN_OR_RETURN(auto comparer, QueryComparer::create(source, limits));
    if (entries_.size() == capacity) entries_.erase(entries_.begin());
    entries_.push_back({limits, std::move(comparer)});
  }
  return entries_.back().comparer.get();
}

const Catalog& QueryComparer::catalog_for(const Question& question) {
  if (!question.ignored.has(Deviation::null)) return *catalog_;
  if (!catalog_without_nulls_) catalog_without_nulls_ = catalog_->without_nulls();
  return *catalog_without_nulls_;
}

// First a few databases, which distinguish most pairs that differ; then the prover; then the rest of the search. So a
// pair is always tried on databases before it is proved, and most refutations need no attempt at a proof.
Result<Comparison> QueryComparer::compare(std::string_view a, std::string_view b, const Question& question,
                                          const ResolveOptions& dialect) {
  const Catalog& catalog = catalog_for(question);
  const auto deadline = std::chrono::steady_clock::now() + question.timeout;
  Side sides[2] = {read(a, catalog, dialect), read(b, catalog, dialect)};
  const bool both_planned = sides[0].plan && sides[1].plan;
  if (both_planned) {
    for (auto& side : sides) side.plan->tables_have_rows = question.ignored.has(Deviation::empty);
    for (auto& side : sides)
      side.normalised = plan::normalise(*side.plan, {.assume = assume_of(question), .deadline = deadline});
  }
  const bool lists =
      question.rows == RowsAs::list || (question.rows == RowsAs::automatic && (sides[0].ordered || sides[1].ordered));

  RefuteOptions search{.allowed = allowed_by(question),
                       .primary_keys_null = !question.assume.primary_key_not_null,
                       .rows = question.rows,
                       .best_grade = question.best_grade,
                       .shrink = question.counterexample,
                       .databases = question.databases,
                       .seed = question.seed,
                       .deadline = deadline,
                       .stop = question.stop};
  const auto refute = [&](const RefuteOptions& options) {
    return refuter_->refute(for_refuter(sides[0]), for_refuter(sides[1]), options);
  };

  Comparison comparison;
  const auto take = [&](Refutation& refutation) {
    comparison.databases += refutation.databases;
    comparison.order_dependent |= refutation.order_dependent;
    if (!refutation.counterexample) return false;
    comparison.verdict = Verdict::refuted;
    comparison.counterexample = std::move(refutation.counterexample);
    return true;
  };
  const auto failed = [&](const Error& error) -> Result<Comparison> {
    if (!is_about_query(error.code)) return error;
    auto result = unknown(error.code == ErrorCode::limit_exceeded ? UnknownReason::limit : UnknownReason::invalid_query,
                          error.message);
    result.score = grade_score(result);
    return result;
  };

  RefuteOptions quick_check = search;
  quick_check.allowed = {};
  quick_check.databases = quick_check_databases;
  quick_check.directed = false;
  ++search.seed;  // to get other databases
  auto first = refute(quick_check);
  if (!first.ok()) return failed(first.error());
  ProofAttempt attempt;
  if (!take(*first)) {
    if (both_planned) {
      attempt = prove(*sides[0].plan, *sides[1].plan, prove_options(question, lists, a == b, deadline));
      if (attempt.proof) {
        comparison.verdict = Verdict::proved;
        comparison.proof = std::move(attempt.proof);
        note_ignored(question.ignored, *comparison.proof);
      }
    }
    if (comparison.verdict == Verdict::unknown) {
      auto rest = refute(search);
      if (!rest.ok()) return failed(rest.error());
      if (!take(*rest)) {
        const auto gap = attempt.gap.kind;
        const bool order_open = gap == ProofGap::Kind::order_dependent ||
                                (comparison.order_dependent && gap == ProofGap::Kind::different_trees);
        comparison.reason = !rest->complete        ? UnknownReason::limit
                            : !both_planned        ? UnknownReason::unsupported
                            : order_open           ? UnknownReason::nondeterministic
                            : rest->databases == 0 ? UnknownReason::always_fails
                                                   : reason_of(gap);
        comparison.detail = !both_planned ? (sides[0].error ? sides[0].error : sides[1].error)->message
                            : rest->databases == 0 && !order_open ? rest->failure
                                                                  : attempt.gap.detail;
      }
    }
  }
  // If the queries are not equivalent unconditionally, find out whether they are under assumptions.
  if (comparison.verdict != Verdict::proved && both_planned && question.best_grade) {
    auto options = prove_options(question, lists, a == b, deadline);
    options.assume = plan::Assume::everything();
    auto assuming = prove(*sides[0].plan, *sides[1].plan, options);
    if (assuming.proof) {
      comparison.proof = std::move(assuming.proof);
      if (comparison.reason == UnknownReason::undecided) comparison.reason = UnknownReason::assumption_needed;
    }
  }
  comparison.score = grade_score(comparison);
  return comparison;
}

}  // namespace trustsql::equiv
