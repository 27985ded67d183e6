#include "unit/equiv/families/verdict_check.hpp"

#include "base/settings.hpp"
#include "base/text.hpp"
#include "db/sources/ddl_source.hpp"

namespace trustsql::families {

namespace {

using equiv::Deviation;
using equiv::Deviations;

equiv::ComparisonOptions random_options(Picker& picker) {
  equiv::ComparisonOptions options;
  options.timeout = std::chrono::milliseconds(3000);
  options.databases = 30;
  options.seed = 1 + picker.below(1000);
  options.best_grade = picker.chance(70);
  const auto assumed = picker.below(4);
  if (assumed > 1) options.assume = assumed == 2 ? plan::Assume{} : plan::Assume::everything();
  options.assume.ties = picker.chance(30);
  static constexpr equiv::RowsAs rows[] = {equiv::RowsAs::automatic, equiv::RowsAs::automatic, equiv::RowsAs::list,
                                           equiv::RowsAs::bag, equiv::RowsAs::set};
  options.rows = picker.of(rows);
  if (picker.chance(50)) return options;
  for (int i = 0; i < equiv::deviation_count; ++i) {
    if (picker.chance(25)) options.ignored.add(static_cast<Deviation>(i));
  }
  return options;
}

std::string text_of(const equiv::ComparisonOptions& options) {
  static constexpr std::string_view rows[] = {"automatic", "list", "bag", "set"};
  return std::string("assume ") + (options.assume.primary_key_not_null ? "primary_key_not_null " : "") +
         (options.assume.foreign_keys ? "foreign_keys " : "") +
         (options.assume.declared_types ? "declared_types " : "") +
         (options.assume.number_texts ? "number_texts " : "") + (options.assume.ties ? "ties " : "") +
         "rows=" + std::string(rows[static_cast<std::size_t>(options.rows)]) + " ignore=" + options.ignored.text() +
         (options.best_grade ? "" : " best_grade=false") + " seed=" + std::to_string(options.seed);
}

// Whether two results count as the same under the options, as lists or not. Lists that may repeat rows keep their
// order.
Setting setting_of(const equiv::ComparisonOptions& options, bool lists) {
  Setting setting;
  const bool any_order = !lists || options.ignored.has(Deviation::row_order);
  setting.options.rows_as_set =
      options.rows == equiv::RowsAs::set || (any_order && options.ignored.has(Deviation::duplicates));
  setting.options.rows_as_bag = options.rows == equiv::RowsAs::bag || options.ignored.has(Deviation::row_order);
  setting.options.any_column_order = options.ignored.has(Deviation::column_order);
  setting.options.ignore_empty_aggregate_row = setting.no_empty_tables = options.ignored.has(Deviation::empty);
  setting.options.ignore_letter_case = options.ignored.has(Deviation::letter_case);
  setting.no_nulls = options.ignored.has(Deviation::null);
  return setting;
}

// The columns that the INSERT statements of a script give values, as "t.a"; a counterexample leaves out what no query
// reads.
std::set<std::string> filled_columns(const std::string& script) {
  std::set<std::string> columns;
  const std::string insert = "INSERT INTO ";
  for (std::size_t position = script.find(insert); position != script.npos;
       position = script.find(insert, position + 1)) {
    const auto open = script.find('(', position);
    const auto close = script.find(')', position);
    if (open == script.npos || close == script.npos) break;
    const auto table = script.substr(position + insert.size(), open - position - insert.size());
    const auto names = script.substr(open + 1, close - open - 1);
    for (const auto name : split(names, ',')) columns.insert(table + "." + std::string(trim(name)));
  }
  return columns;
}

// Whether a table that one of the queries reads has no rows.
bool has_empty_table(const Ground& ground, const Node& a, const Node& b) {
  bool has_empty = false;
  for (const Node* query : {&a, &b}) {
    visit(*query, [&](const Node& node) {
      has_empty = has_empty || (node.is(Kind::table) && ground.run("SELECT 1 FROM " + node.text).rows.empty());
    });
  }
  return has_empty;
}

// A lower bound of the deviations that a counterexample has.
Deviations deviations_of(const Ground& ground, const std::string& script, const Node& a, const Node& b) {
  const auto departures = ground.departures(filled_columns(script));
  Deviations deviations;
  if (departures.null) deviations.add(Deviation::null);
  if (departures.orphan) deviations.add(Deviation::foreign_key);
  if (departures.other_type) deviations.add(Deviation::type);
  if (departures.case_variants) deviations.add(Deviation::letter_case);
  if (has_empty_table(ground, a, b)) deviations.add(Deviation::empty);
  return deviations;
}

}  // namespace

std::unique_ptr<VerdictChecker> VerdictChecker::create(Ground& ground) {
  static const Settings settings = *Settings::create([](std::string_view) { return std::nullopt; });
  std::unique_ptr<VerdictChecker> checker(new VerdictChecker(ground));
  auto source = open_ddl(ground.schema().ddl(), settings);
  if (!source.ok()) return nullptr;
  checker->source_ = *std::move(source);
  auto comparer = equiv::QueryComparer::create(*checker->source_, SandboxLimits{});
  if (!comparer.ok()) return nullptr;
  checker->comparer_ = *std::move(comparer);
  return checker;
}

std::optional<std::string> VerdictChecker::check(const Query& a, const Query& b, const std::vector<Filling>& fillings,
                                                 Picker& picker, VerdictCounts& counts) {
  const auto options = random_options(picker);
  const auto comparison = comparer_->compare(a.sql, b.sql, options, {});
  const auto wrong = [&](const std::string& problem, const std::string& more) {
    return problem + "; " + text_of(options) + "\n" + ground_.schema().ddl() + a.sql + ";\n" + b.sql + ";\n" + more;
  };
  if (!comparison.ok()) return wrong("the comparison fails", comparison.error().message);
  const bool lists = options.rows == equiv::RowsAs::list ||
                     (options.rows == equiv::RowsAs::automatic && (has_order(a.tree) || has_order(b.tree)));
  const auto setting = setting_of(options, lists);
  if (comparison->verdict == equiv::Verdict::unknown) {
    ++counts.unknown;
    return std::nullopt;
  }
  if (comparison->verdict == equiv::Verdict::proved) {
    ++counts.proved;
    for (const auto& filling : fillings) {
      ground_.fill(filling);
      if (!covers(setting, comparison->proof->assumptions, ground_.departures())) continue;
      const auto difference = compare(ground_, filling, setting, a.tree, b.tree);
      if (difference == Difference::none || difference == Difference::numbers || difference == Difference::ties)
        continue;
      if (may_be_of_ties(difference) && allows_ties(comparison->proof->assumptions)) continue;
      std::string data;
      for (const auto& insert : filling) data += insert + ";\n";
      return wrong("a wrong proof (" + std::string(name(difference)) + ")",
                   data + "-- " + show(ground_.run(a.sql)) + "\n-- " + show(ground_.run(b.sql)));
    }
    return std::nullopt;
  }
  ++counts.refuted;
  const auto& counterexample = *comparison->counterexample;
  const auto replayed = Ground::replay(ground_.schema(), counterexample.script);
  if (!replayed) return wrong("the script of the counterexample fails", counterexample.script);
  const auto of_a = replayed->run(a.sql);
  const auto of_b = replayed->run(b.sql);
  const bool list = lists && !setting.options.rows_as_bag && !setting.options.rows_as_set;
  const auto results = counterexample.script + "\n-- " + show(of_a) + "\n-- " + show(of_b);
  if (!of_a.ok || !of_b.ok) return wrong("a query fails on the counterexample", results);
  // A row of NULLs counts as no row only if an aggregate produced it, which the refuter sees.
  auto strict = setting;
  strict.options.ignore_empty_aggregate_row = false;
  if (same_result(of_a, of_b, strict, list, true)) return wrong("the counterexample shows no difference", results);
  const auto actual = deviations_of(*replayed, counterexample.script, a.tree, b.tree);
  const auto claimed = counterexample.deviations;
  if (!actual.within(claimed))
    return wrong("the grade is " + claimed.text() + ", but the database has " + actual.text(), results);
  if (!(claimed - options.ignored == claimed))
    return wrong("the grade is " + claimed.text() + ", of which some do not count", results);
  return std::nullopt;
}

}  // namespace trustsql::families
