#include "unit/plan/rule_tester.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "db/catalog/catalog_reader.hpp"
#include "plan/all_rules.hpp"
#include "plan/builder.hpp"
#include "plan/put_in_order.hpp"
#include "plan/to_sql.hpp"
#include "plan/walk.hpp"
#include "sql/parser.hpp"
#include "sql/resolver.hpp"

namespace trustsql::testing_support {

using namespace plan;

std::string TestCounts::to_text() const {
  std::string text = std::to_string(queries) + " queries planned, " + std::to_string(refused) +
                     " refused; raw different " + std::to_string(raw_different) + ", doubtful " +
                     std::to_string(raw_doubtful) + "; incomplete " + std::to_string(incomplete) + "\n";
  for (const auto& [name, c] : rules) {
    char line[200];
    std::snprintf(line, sizeof line, "  %-36s fired %6d  runs %7d  loose %5d  doubtful %4d  different %d\n",
                  name.c_str(), c.fired, c.runs, c.loose, c.doubtful, c.different);
    text += line;
  }
  return text;
}

std::optional<Plan> plan_of(const std::string& sql, const Catalog& catalog, const FunctionTable& functions) {
  const auto query = parse_query(sql, {.version = sqlite3_libversion_number()});
  if (!query.ok()) return std::nullopt;
  const auto resolution = resolve(*query, catalog, {.functions = &functions});
  if (!resolution.ok()) return std::nullopt;
  auto plan = build_plan(*resolution);
  if (!plan.ok()) return std::nullopt;
  verify_or_throw(*plan, "the builder, for " + sql);
  return *std::move(plan);
}

RuleTester::RuleTester(sqlite3* source, const std::vector<std::string>& queries, int databases, std::uint64_t seed,
                       TestCounts& counts)
    : counts_(counts), random_(seed) {
  auto catalog = read_catalog(source);
  if (!catalog.ok()) {
    counts_.failures.push_back(catalog.error().message);
    return;
  }
  catalog_ = *std::move(catalog);
  static const FunctionTable functions = FunctionTable::built_in(sqlite3_libversion_number());
  for (const auto& sql : queries) {
    auto plan = plan_of(sql, catalog_, functions);
    if (!plan) {
      ++counts_.refused;
      if (counts_.doubts.size() < 20) counts_.doubts.push_back("refused: " + sql);
      continue;
    }
    queries_.push_back({sql, *std::move(plan)});
  }
  std::vector<const Plan*> plans;
  for (const auto& query : queries_) plans.push_back(&query.plan);
  oracle_.emplace(source, catalog_, plans, databases, seed);
}

void RuleTester::run(std::string_view only) {
  for (const auto& query : queries_) {
    if (counts_.failures.size() > 40) return;
    try {
      test(query, only);
    } catch (const std::logic_error& violation) {  // what NormaliseOptions::verify found
      counts_.failures.push_back("not in order: " + std::string(violation.what()) + "\n  query: " + query.sql);
    }
  }
}

bool RuleTester::check(const std::string& name, const RuleOracle::Original& original, const Normalised& after,
                       bool assuming, const std::string& before_sql) {
  auto& count = counts_.rules[name];
  ++count.fired;
  const auto sql = to_sql(after.plan);
  const bool orderly_only = assuming && !after.assumptions.empty();
  auto known = verdicts_.find({sql, orderly_only});
  if (known == verdicts_.end())
    known = verdicts_.emplace(std::pair{sql, orderly_only}, oracle_->compare(original, sql, orderly_only)).first;
  const auto& verdict = known->second;
  count.runs += verdict.runs;
  using Outcome = Verdict::Outcome;
  const auto report = [&](const char* problem) {
    std::string text = std::string(problem) + " by " + name + (assuming ? " (assuming)" : "") +
                       "\n  query:  " + original.sql + "\n  before: " + before_sql + "\n  after:  " + sql + "\n  " +
                       verdict.difference;
    for (const auto& assumption : after.assumptions) text += "\n  assumed: " + describe(assumption);
    return text;
  };
  switch (verdict.outcome) {
    case Outcome::loose: ++count.loose; break;
    case Outcome::doubtful:
      ++count.doubtful;
      if (counts_.doubts.size() < 60) counts_.doubts.push_back(report("doubtful"));
      break;
    case Outcome::different:
      ++count.different;
      counts_.failures.push_back(report("different"));
      return false;
    default: break;
  }
  return verdict.outcome == Outcome::same || verdict.outcome == Outcome::skipped;
}

std::string RuleTester::culprit(const RuleOracle::Original& original, const Plan& plan, NormaliseOptions options,
                                bool assuming) {
  std::string before = to_sql(plan);
  std::vector<Firing> fired_before;
  const bool ordering = options.put_in_order;
  options.put_in_order = false;
  for (int steps = 1; steps < 400; ++steps) {
    options.max_steps = steps;
    const auto after = normalise(plan, options);
    const auto sql = to_sql(after.plan);
    if (sql != before) {
      const auto verdict = oracle_->compare(original, sql, assuming && !after.assumptions.empty());
      if (verdict.outcome == Verdict::Outcome::different) {
        for (const auto& firing : after.fired) {
          const auto old = std::find_if(fired_before.begin(), fired_before.end(),
                                        [&](const Firing& f) { return f.rule == firing.rule; });
          if (old == fired_before.end() || old->times != firing.times)
            return "\n  culprit: step " + std::to_string(steps) + ", " + std::string(firing.rule) + "\n    " + before +
                   "\n    " + sql;
        }
      }
    }
    if (after.complete) break;
    before = sql;
    fired_before = after.fired;
  }
  return ordering ? "\n  culprit: the order" : "\n  culprit: not found";
}

void RuleTester::test(const Query& query, std::string_view only) {
  verdicts_.clear();
  ++counts_.queries;
  const auto original = oracle_->run(query.sql, query.plan);
  if (std::none_of(original.rows.begin(), original.rows.end(), [](const QueryRows& rows) { return rows.ok; })) return;
  if (is_volatile(query.plan.root)) return;
  const auto raw_sql = to_sql(query.plan);
  const auto raw = oracle_->compare(original, raw_sql, false);
  if (raw.outcome == Verdict::Outcome::different) {
    ++counts_.raw_different;
    counts_.failures.push_back("raw plan\n  query: " + query.sql + "\n  SQL:   " + raw_sql + "\n  " + raw.difference);
    return;
  }
  if (raw.outcome == Verdict::Outcome::doubtful) {
    ++counts_.raw_doubtful;
    if (counts_.doubts.size() < 60)
      counts_.doubts.push_back("raw plan\n  query: " + query.sql + "\n  SQL:   " + raw_sql + "\n  " + raw.difference);
    return;
  }
  for (const bool assuming : {false, true}) {
    NormaliseOptions options;
    options.assume = assuming ? Assume::everything() : Assume::nothing();
    options.verify = true;

    if (only.empty()) {
      auto all = normalise(query.plan, options);
      if (!all.complete) {
        ++counts_.incomplete;
        counts_.failures.push_back("does not end" + std::string(assuming ? " (assuming)" : "") +
                                   "\n  query: " + query.sql);
        continue;
      }
      const auto failures = counts_.failures.size();
      check("(all)", original, all, assuming, raw_sql);
      if (counts_.failures.size() > failures)
        counts_.failures.back() += culprit(original, query.plan, options, assuming);
      auto again = normalise(all.plan, options);
      if (!again.fired.empty() || !same_tree(again.plan, all.plan)) {
        std::string text = "not idempotent" + std::string(assuming ? " (assuming)" : "") + "\n  query: " + query.sql +
                           "\n  once:  " + to_sql(all.plan) + "\n  twice: " + to_sql(again.plan);
        for (const auto& firing : again.fired) text += "\n  fired again: " + std::string(firing.rule);
        counts_.failures.push_back(text);
      }
      auto ordered = query.plan;
      put_in_order(ordered);
      check("(order)", original, {.plan = std::move(ordered), .fired = {}, .assumptions = {}}, false, raw_sql);
    }

    // Each rule alone, on the plan as it was built and on one that other rules have changed.
    std::vector<const Rule*> some_rules;
    for (const auto* rule : all_rules()) {
      if (random_() % 3 != 0) some_rules.push_back(rule);
    }
    NormaliseOptions partly = options;
    partly.rules = some_rules;
    partly.put_in_order = random_() % 2 == 0;
    partly.max_steps = static_cast<int>(1 + random_() % 12);
    if (random_() % 3 == 0) partly.max_steps = 1000;
    const auto changed = normalise(query.plan, partly);
    const auto failures = counts_.failures.size();
    const bool usable = some_rules.empty() || check("(some)", original, changed, assuming, raw_sql);
    if (counts_.failures.size() > failures) counts_.failures.back() += culprit(original, query.plan, partly, assuming);
    for (const bool on_changed : {false, true}) {
      if (on_changed && !usable) continue;
      const auto& base = on_changed ? changed.plan : query.plan;
      for (const auto* rule : all_rules()) {
        if (!only.empty() && rule->name != only) continue;
        const Rule* const alone[] = {rule};
        NormaliseOptions single = options;
        single.rules = alone;
        single.put_in_order = false;
        auto after = normalise(base, single);
        if (after.fired.empty()) continue;
        if (on_changed)
          after.assumptions.insert(after.assumptions.end(), changed.assumptions.begin(), changed.assumptions.end());
        check(std::string(rule->name), original, after, assuming, on_changed ? to_sql(base) : raw_sql);
      }
    }
  }
}

}  // namespace trustsql::testing_support
