#include "equiv/prover.hpp"

#include <algorithm>
#include <memory>

#include "db/catalog/catalog.hpp"
#include "equiv/checker/correspondence.hpp"
#include "equiv/checker/rewrites.hpp"
#include "equiv/checker/same_statement.hpp"
#include "equiv/prover/determinism.hpp"
#include "equiv/prover/proof_search.hpp"
#include "equiv/prover/reading_order.hpp"
#include "equiv/prover/same_statement.hpp"
#include "equiv/prover/standard_names.hpp"
#include "equiv/prover/tolerance.hpp"
#include "equiv/prover/unifier.hpp"
#include "plan/dependencies.hpp"
#include "plan/normaliser.hpp"
#include "plan/readings.hpp"
#include "plan/walk.hpp"
#include "sql/parser.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

// Whether each attribute is produced by one operator only, on which everything below depends.
bool has_unique_attributes(const Rel& rel) {
  AttributeSet produced;
  bool unique = true;
  walk(rel, [&](const Rel& each) {
    for_each_produced(each, [&](AttributeId id) {
      unique = unique && !produced.contains(id);
      produced.add(id);
    });
  });
  return unique;
}

void add_firings(std::vector<ProofStep>& steps, const char* side, const Normalised& normalised) {
  for (const auto& firing : normalised.fired) {
    steps.push_back({std::string(side) + ": " + std::string(firing.rule) +
                         (firing.times > 1 ? " (" + std::to_string(firing.times) + " times)" : ""),
                     firing.assumptions});
  }
}

// What is concluded from the assumptions under which the results are determined.
std::string step_of(const std::vector<Assumption>& of_results) {
  const bool ties = std::any_of(of_results.begin(), of_results.end(),
                                [](const Assumption& each) { return each.kind == Assumption::Kind::same_ties; });
  return ties ? "equal orders of equal rows are the same" : "the results do not depend on the order of rows";
}

// `of_a` and `of_b` were normalised under these assumptions. `same_reading`: the queries have the same reading_order().
ProofAttempt prove_normalised(const Normalised& of_a, const Normalised& of_b, const ProveOptions& options,
                              const Assume& assume, bool same_reading, Budget& budget) {
  const bool is_list = !options.rows_as_set && !options.rows_as_bag;
  if (is_list && (order_of(of_a.plan.root) == nullptr) != (order_of(of_b.plan.root) == nullptr))
    return {std::nullopt, {ProofGap::Kind::different_trees, "only one of them asks for an order of its rows"}};
  const bool same_trees = same_tree(of_a.plan, of_b.plan);
  std::vector<Assumption> of_results;
  for (const auto* normalised : {&of_a, &of_b}) {
    auto gap = find_open_result(*normalised, assume, same_reading, of_results);
    if (!gap) continue;
    if (same_trees) gap->detail += "; otherwise the queries are the same";
    return {std::nullopt, *std::move(gap)};
  }
  Proof proof;
  add_firings(proof.steps, "a", of_a);
  add_firings(proof.steps, "b", of_b);
  if (!of_results.empty()) proof.steps.push_back({step_of(of_results), of_results});
  if (same_trees) {
    proof.steps.push_back({"both are the same now", {}});
  } else {
    const auto joint = join(of_a.plan, of_b.plan);
    if (!has_unique_attributes(joint.plan.root) || !has_unique_attributes(joint.b)) return {};
    std::vector<Assumption> denied;
    auto search = std::make_unique<ProofSearch>(joint, options, assume, denied, budget);
    if (!search->succeeds()) return {};
    // Find out which of the assumptions the proof needs.
    for (std::size_t i = 0; i < search->assumptions().size() && !budget.exhausted();) {
      auto without = denied;
      without.push_back(search->assumptions()[i]);
      auto leaner = std::make_unique<ProofSearch>(joint, options, assume, without, budget);
      if (leaner->succeeds() && !budget.exhausted()) {
        denied = std::move(without);
        search = std::move(leaner);
        i = 0;
      } else {
        ++i;
      }
    }
    for (auto& step : search->correspondence()) proof.steps.push_back({std::move(step), {}});
    proof.steps.back().assumptions = search->assumptions();
    if (auto reason = options.check ? search->rejected() : std::nullopt) {
      return {std::nullopt, {ProofGap::Kind::rejected, "the checker does not accept the proof: " + *std::move(reason)}};
    }
  }
  for (const auto& step : proof.steps) add(proof.assumptions, step.assumptions);
  return {std::move(proof), {}};
}

// Subsets of the allowed assumptions, starting with none; those about ties last.
std::vector<Assume> choices(const Assume& allowed) {
  std::vector<Assume> result;
  const auto add = [&](const Assume& choice) {
    const bool is_allowed =
        (allowed.primary_key_not_null || !choice.primary_key_not_null) &&
        (allowed.foreign_keys || !choice.foreign_keys) && (allowed.declared_types || !choice.declared_types) &&
        (allowed.number_texts || !choice.number_texts) && (!choice.dates || choice.dates == allowed.dates) &&
        (allowed.ties || !choice.ties) && (allowed.checks || !choice.checks);
    if (is_allowed && choice != allowed) result.push_back(choice);
  };
  constexpr auto with = [](bool primary_key_not_null, bool foreign_keys, bool declared_types, bool ties) {
    auto choice = Assume::nothing();
    choice.primary_key_not_null = primary_key_not_null;
    choice.foreign_keys = foreign_keys;
    choice.declared_types = declared_types;
    choice.ties = ties;
    return choice;
  };
  for (const bool ties : {false, true}) {
    add(with(false, false, false, ties));
    add(with(true, false, false, ties));
    add(with(false, true, false, ties));
    add(with(false, false, true, ties));
    add(with(true, true, false, ties));
    auto texts = with(false, false, false, ties);
    texts.number_texts = allowed.number_texts;
    texts.dates = allowed.dates;
    if (texts.number_texts || (texts.dates && !texts.dates->empty())) add(texts);
  }
  return result;
}

// The plans, with the differences that the question tolerates worked in.
std::pair<Plan, Plan> with_tolerance(const Plan& a, const Plan& b, const ProveOptions& options,
                                     std::vector<ProofStep>& steps) {
  std::pair<Plan, Plan> both(a, b);
  if (options.ignore_letter_case && unify_letter_case(both.first, both.second))
    steps.push_back({"text constants in one letter case", {}});
  if (!options.ignore_empty_aggregate_row) return both;
  const NormaliseOptions plain{.assume = Assume::nothing(), .deadline = options.deadline, .stop = options.stop};
  auto of_a = normalise(both.first, plain).plan;
  auto of_b = normalise(both.second, plain).plan;
  // Rows that both queries have would have to be the same.
  const auto has_one_row = [](const Plan& plan) {
    const auto facts = facts_of(plan.root, plan);
    return facts.non_empty && at_most_one_row(facts);
  };
  if (has_one_row(of_a) == has_one_row(of_b)) return both;
  for (const bool first : {true, false}) {
    Plan& plan = first ? of_a : of_b;
    if (!has_one_row(plan) || !remove_empty_aggregate_row(plan)) continue;
    (first ? both.first : both.second) = std::move(plan);
    steps.push_back({std::string(first ? "a" : "b") + ": the row that aggregates return over no rows is removed", {}});
  }
  return both;
}

// The steps that a search may take: more for larger queries.
int steps_for(const Plan& a, const Plan& b, int max_steps) {
  // The steps of the search are large; the budget counts small ones.
  constexpr std::int64_t small_steps = 5;
  constexpr std::int64_t max_small_steps = 1'000'000'000;
  constexpr std::int64_t usual_operators = 60;
  std::int64_t operators = 0;
  for (const auto* plan : {&a, &b}) walk(plan->root, [&](const Rel&) { ++operators; });
  const auto scale = std::max<std::int64_t>(1, operators / usual_operators);
  return static_cast<int>(std::min(max_small_steps, max_steps * small_steps * scale));
}

// Whether a table of the query has a CHECK that the search would use.
bool has_checks(const Plan& plan) {
  bool found = false;
  walk(plan.root, [&](const Scan& scan) { found = found || (scan.table != nullptr && !scan.table->checks.empty()); });
  return found;
}

ProofAttempt prove_as_they_are(ProverQuery& a, ProverQuery& b, const ProveOptions& options, bool same_reading) {
  Budget budget(steps_for(a.plan(), b.plan(), options.max_steps), options.deadline, options.stop);
  ProofAttempt attempt;
  // Whether `attempt` is the answer.
  const auto try_assuming = [&](const Assume& assume) {
    attempt = prove_normalised(a.normalised(assume, options), b.normalised(assume, options), options, assume,
                               same_reading, budget);
    if (budget.exhausted())
      attempt = {std::nullopt,
                 {ProofGap::Kind::too_large, "the search for a correspondence of rows takes too many steps"}};
    if (!attempt.proof || !options.check) return attempt.proof || budget.exhausted();
    const auto begun = std::chrono::steady_clock::now();
    int checked_steps = 0;
    for (const bool first : {true, false}) {
      const auto& check = (first ? a : b).rewrites(assume, options);
      checked_steps += check.steps;
      if (!check.rejection) continue;
      attempt = {std::nullopt,
                 {ProofGap::Kind::rejected,
                  std::string("the checker rejects a step of ") + (first ? "a" : "b") + ": " + *check.rejection}};
      break;
    }
    attempt.checked_steps = checked_steps;
    attempt.checking = std::chrono::steady_clock::now() - begun;
    return true;
  };
  // The rules may have relied on more assumptions than the proof needs.
  if (!a.normalised(options.assume, options).assumptions.empty() ||
      !b.normalised(options.assume, options).assumptions.empty()) {
    for (const auto& assume : choices(options.assume)) {
      if (try_assuming(assume)) return attempt;
    }
  }
  // Most proofs need no CHECK, and some nothing else.
  if (options.assume.checks && (has_checks(a.plan()) || has_checks(b.plan()))) {
    auto without = options.assume;
    without.checks = false;
    auto alone = Assume::nothing();
    alone.checks = true;
    for (const auto& assume : {without, alone}) {
      if (assume != options.assume && try_assuming(assume)) return attempt;
    }
  }
  try_assuming(options.assume);
  return attempt;
}

void put_first(Proof& proof, const std::vector<ProofStep>& steps) {
  proof.steps.insert(proof.steps.begin(), steps.begin(), steps.end());
  for (const auto& step : steps) add(proof.assumptions, step.assumptions);
}

// The plan, if its columns declared as integers hold only integers, so that equal values of one are identical
// (smallest_integer.hpp); adds what is assumed of the columns for which this matters.
Plan holding_integers(Plan plan, std::vector<Assumption>& assumed) {
  for (auto& attribute : plan.attributes) {
    if (!attribute.smallest_matters || attribute.storage != Affinity::integer) continue;
    attribute.smallest_matters = false;
    if (attribute.table != nullptr && attribute.position >= 0)
      add(assumed, {{Assumption::Kind::declared_type, attribute.table->name, {std::string(attribute.name)}, {}}});
  }
  return plan;
}

}  // namespace

ProverQuery::Form& ProverQuery::form(const Assume& assume, const ProveOptions& options) {
  const unsigned bits = (assume.primary_key_not_null ? 1U : 0U) | (assume.foreign_keys ? 2U : 0U) |
                        (assume.declared_types ? 4U : 0U) | (assume.number_texts ? 8U : 0U) | (assume.ties ? 16U : 0U) |
                        (options.check ? 32U : 0U);
  const auto known =
      std::ranges::find_if(forms_, [&](const Form& form) { return form.bits == bits && form.dates == assume.dates; });
  if (known != forms_.end()) return *known;
  return forms_.emplace_back(Form{
      .bits = bits,
      .dates = assume.dates,
      .normalised = normalise(
          plan_, {.assume = assume, .deadline = options.deadline, .stop = options.stop, .record = options.check})});
}

const Normalised& ProverQuery::normalised(const Assume& assume, const ProveOptions& options) {
  return form(assume, options).normalised;
}

const checker::RewriteCheck& ProverQuery::rewrites(const Assume& assume, const ProveOptions& options) {
  auto& kept = form(assume, options);
  if (!kept.rewrites) kept.rewrites = checker::check_rewrites(plan_, kept.normalised);
  return *kept.rewrites;
}

namespace {

// What may be assumed of the texts in columns and of ties, in view of both queries.
Assume permitted(const Assume& asked, const Plan& a, const Plan& b, bool same_reading) {
  auto assume = asked;
  if (assume.number_texts) {
    ColumnReadings readings;
    readings.add(a);
    readings.add(b);
    assume.number_texts = !readings.are_mixed();
    assume.dates = readings.dates();
  }
  if (assume.ties) {
    const auto groups = grouping_order(a);
    const bool same_groups = groups && groups == grouping_order(b);
    assume.ties = !has_ties_of_ordered_rows(a, same_reading, same_groups) &&
                  !has_ties_of_ordered_rows(b, same_reading, same_groups);
  }
  return assume;
}

// If neither query has an unreliable form.
ProofAttempt prove_reliable(ProverQuery& a, ProverQuery& b, ProveOptions options) {
  const auto reading = options.assume.ties ? reading_order(a.plan()) : std::nullopt;
  const bool same_reading = reading && reading == reading_order(b.plan());
  options.assume = permitted(options.assume, a.plan(), b.plan(), same_reading);
  std::vector<Assumption> of_forms;
  for (const auto* query : {&a, &b}) {
    if (auto gap = find_undefined_types(query->plan())) return {std::nullopt, *std::move(gap)};
    if (auto gap = find_unreliable_form(query->plan(), options.assume, of_forms))
      return {std::nullopt, *std::move(gap)};
  }
  std::vector<ProofStep> first_steps;
  if (!of_forms.empty()) first_steps.push_back({"a number of at most 15 digits is found among the rowids", of_forms});
  ProofAttempt attempt;
  if (options.ignore_empty_aggregate_row || options.ignore_letter_case) {
    auto both = with_tolerance(a.plan(), b.plan(), options, first_steps);
    ProverQuery first(std::move(both.first));
    ProverQuery second(std::move(both.second));
    attempt = prove_as_they_are(first, second, options, same_reading);
  } else {
    attempt = prove_as_they_are(a, b, options, same_reading);
  }
  if (attempt.proof) put_first(*attempt.proof, first_steps);
  return attempt;
}

}  // namespace

ProofAttempt prove(ProverQuery& a, ProverQuery& b, const ProveOptions& options) {
  auto attempt = prove_reliable(a, b, options);
  if (attempt.proof || !options.assume.declared_types) return attempt;
  std::vector<Assumption> of_integers;
  ProverQuery first(holding_integers(a.plan(), of_integers));
  ProverQuery second(holding_integers(b.plan(), of_integers));
  if (of_integers.empty()) return attempt;
  auto of_integer_columns = prove_reliable(first, second, options);
  if (!of_integer_columns.proof) return attempt;
  put_first(*of_integer_columns.proof, {{"no column of integers holds the real -2^63", of_integers}});
  return of_integer_columns;
}

ProofAttempt prove(const Plan& a, const Plan& b, const ProveOptions& options) {
  ProverQuery first(a);
  ProverQuery second(b);
  return prove(first, second, options);
}

namespace {

// Whether the statements are the same but for names; they are if the copies with standard names are.
bool differ_in_names(const ast::Query& a, const ast::Query& b, const Catalog& catalog, const ResolveOptions& dialect) {
  const auto of_a = resolve(a, catalog, dialect);
  const auto of_b = resolve(b, catalog, dialect);
  if (!of_a.ok() || !of_b.ok()) return false;
  const auto named_a = with_standard_names(a, *of_a);
  const auto named_b = named_a ? with_standard_names(b, *of_b) : std::nullopt;
  return named_b && *named_a == *named_b;
}

}  // namespace

std::optional<Proof> prove_same_statement(std::string_view a, std::string_view b, const Catalog& catalog,
                                          const ResolveOptions& dialect) {
  const auto query_a = parse_query(a, dialect.grammar());
  const auto query_b = parse_query(b, dialect.grammar());
  if (!query_a.ok() || !query_b.ok()) return std::nullopt;
  if (is_same_statement(*query_a, *query_b) && !checker::reject_same_statement(a, b, catalog, dialect.grammar()))
    return Proof{{{"both are the same statement"}}, {}};
  if (!has_same_size(*query_a, *query_b) || !differ_in_names(*query_a, *query_b, catalog, dialect) ||
      checker::reject_renamed_statement(a, b, catalog, dialect))
    return std::nullopt;
  return Proof{{{"both are the same statement but for names"}}, {}};
}

}  // namespace trustsql::equiv
