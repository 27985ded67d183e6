#include "score/reliability/system_diff.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.hpp"

namespace trustsql {

namespace {

// The pair of a question's cases in the two systems, as one number.
constexpr std::size_t joint_cells = reliability_case_count * reliability_case_count;
constexpr std::size_t joint_cell(ReliabilityCase a, ReliabilityCase b) {
  return static_cast<std::size_t>(a) * reliability_case_count + static_cast<std::size_t>(b);
}
using JointCounts = std::array<std::int64_t, joint_cells>;

struct Marginals {
  CaseCounts a, b;
};
Marginals marginals(std::span<const std::int64_t> joint) {
  Marginals counts;
  for (std::size_t cell = 0; cell < joint_cells; ++cell) {
    counts.a.by_case[cell / reliability_case_count] += joint[cell];
    counts.b.by_case[cell % reliability_case_count] += joint[cell];
  }
  return counts;
}

std::string kind_of(const OutcomeTable& table, const Outcome& row) {
  const std::string& kind = table.error_kinds().name(row.error_kind);
  if (!kind.empty()) return kind;
  return row.reliability_case == ReliabilityCase::IV ? "infeasible" : "unclassified";
}

// Adds the errors of one question to the counts of their kinds.
void count_errors(const OutcomeTable& table, const Outcome& a, const Outcome& b,
                  std::map<std::string, ErrorChanges>& kinds) {
  if (is_harmful(*a.reliability_case)) {
    ErrorChanges& changes = kinds[kind_of(table, a)];
    ++changes.errors_a;
    if (is_useful(*b.reliability_case)) ++changes.fixed;
    if (b.reliability_case == ReliabilityCase::II) ++changes.withheld;
  }
  if (is_harmful(*b.reliability_case)) {
    ErrorChanges& changes = kinds[kind_of(table, b)];
    ++changes.errors_b;
    if (is_useful(*a.reliability_case)) ++changes.introduced;
    if (a.reliability_case == ReliabilityCase::II) ++changes.exposed;
  }
}

void sum_up_kinds(std::map<std::string, ErrorChanges>& kinds, SystemDiff& diff) {
  for (auto& [name, changes] : kinds) {
    changes.kind = name;
    diff.total.errors_a += changes.errors_a;
    diff.total.errors_b += changes.errors_b;
    diff.total.fixed += changes.fixed;
    diff.total.introduced += changes.introduced;
    diff.total.withheld += changes.withheld;
    diff.total.exposed += changes.exposed;
    diff.kinds.push_back(std::move(changes));
  }
  std::stable_sort(diff.kinds.begin(), diff.kinds.end(),
                   [](const auto& x, const auto& y) { return x.fixed + x.introduced > y.fixed + y.introduced; });
}

Status score_differences(const Resampler& resampler, const BootstrapOptions& options,
                         const std::function<bool()>& interrupted, SystemDiff& diff) {
  const std::array<double, 3> penalties = {0, 10, static_cast<double>(diff.n)};
  const auto statistics = [&](std::span<const std::int64_t> drawn) {
    const auto [a, b] = marginals(drawn);
    std::array<std::optional<double>, 3> differences;
    for (std::size_t i = 0; i < penalties.size(); ++i)
      differences[i] = *reliability_score(b, penalties[i]) - *reliability_score(a, penalties[i]);
    return differences;
  };
  bool stop = false;
  const auto intervals = bootstrap<3>(resampler, options, statistics, [&] { return stop = stop || interrupted(); });
  if (stop) return Error{ErrorCode::interrupted, "interrupted"};
  const std::array<ScoreDifference*, 3> scores = {&diff.rs_0, &diff.rs_10, &diff.rs_n};
  for (std::size_t i = 0; i < scores.size(); ++i)
    *scores[i] = {*reliability_score(diff.counts_a, penalties[i]), *reliability_score(diff.counts_b, penalties[i]),
                  intervals[i]};
  return ok_status();
}

}  // namespace

Result<std::pair<std::uint32_t, std::uint32_t>> systems_to_compare(const OutcomeTable& table,
                                                                   const std::optional<std::string>& a,
                                                                   const std::optional<std::string>& b) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < table.systems().size(); ++i)
    names.push_back(quote_for_message(table.systems().name(i), 60));
  if (!a && !b) {
    if (names.size() == 2) return std::pair(0U, 1U);
    if (names.size() < 2) {
      return invalid_argument("the source must have two systems, in its column 'system', but it has " +
                              (names.empty() ? "no row" : "only " + names.front()));
    }
    return invalid_argument("the source has " + std::to_string(names.size()) + " systems (" + join(names, ", ") +
                            "); name two of its column 'system' as {\"a\":..., \"b\":...}");
  }
  if (!a || !b) return invalid_argument("give both of the options 'a' and 'b', or neither");
  const auto number_a = table.systems().find(*a);
  const auto number_b = table.systems().find(*b);
  if (number_a && number_b) return std::pair(*number_a, *number_b);
  return invalid_argument("the source has no system " + quote_for_message(number_a ? *b : *a, 60) +
                          "; it has: " + join(names, ", "));
}

Result<SystemDiff> compare_systems(const OutcomeTable& table, std::uint32_t a, std::uint32_t b,
                                   const DiffOptions& options, const std::function<bool()>& interrupted) {
  if (table.anonymous())
    return invalid_argument("the rows of the two systems cannot be paired without a column 'id' or 'question'");
  TRUSTSQL_RETURN_IF_ERROR(table.check(options.missing));
  std::unordered_map<std::uint32_t, const Outcome*> rows_of_a;
  for (const auto& row : table.rows())
    if (row.system == a && row.reliability_case) rows_of_a.emplace(row.question, &row);

  SystemDiff diff;
  JointCounts joint{};
  std::map<std::uint32_t, JointCounts> clusters;
  std::map<std::string, ErrorChanges> kinds;
  for (const auto& second : table.rows()) {
    if (second.system != b || !second.reliability_case) continue;
    const auto first = rows_of_a.find(second.question);
    if (first == rows_of_a.end()) continue;
    const auto case_a = *first->second->reliability_case;
    const auto case_b = *second.reliability_case;
    ++diff.n;
    ++joint[joint_cell(case_a, case_b)];
    if (options.clustered) ++clusters[second.cluster][joint_cell(case_a, case_b)];
    if (is_useful(case_b) && !is_useful(case_a)) ++diff.gained;
    if (is_useful(case_a) && !is_useful(case_b)) ++diff.lost;
    count_errors(table, *first->second, second, kinds);
  }
  if (diff.n == 0) return invalid_argument("there is no question for which both systems have a case");
  const auto counts = marginals(joint);
  diff.counts_a = counts.a;
  diff.counts_b = counts.b;
  diff.test = mcnemar(diff.lost, diff.gained);
  sum_up_kinds(kinds, diff);
  std::vector<std::int64_t> flat;
  for (const auto& [cluster, cells] : clusters) flat.insert(flat.end(), cells.begin(), cells.end());
  const auto resampler =
      options.clustered ? Resampler::by_cluster(std::move(flat), joint_cells) : Resampler::by_question(joint);
  TRUSTSQL_RETURN_IF_ERROR(score_differences(resampler, options.bootstrap, interrupted, diff));
  return diff;
}

}  // namespace trustsql
