#include "score/report/report.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <new>
#include <numeric>
#include <span>
#include <unordered_set>

#include "base/parallel_for.hpp"
#include "score/report/group_order.hpp"
#include "score/statistics/clopper_pearson.hpp"

namespace trustsql {

namespace {

// What is accumulated for one row of the report.
struct Tally {
  std::optional<std::uint32_t> system;
  std::optional<std::uint32_t> group;
  std::int64_t rows = 0;
  std::int64_t skipped = 0;
  std::int64_t fenced = 0;
  std::int64_t stopped = 0;
  CaseCounts counts;
  PipelineCounts parts;
  std::map<std::uint32_t, CaseCounts> clusters;  // counts by cluster, if intervals are clustered

  void add(const Outcome& row, bool has_error_detector, bool clustered) {
    ++rows;
    if (!row.reliability_case) {
      ++skipped;
      return;
    }
    ++counts[*row.reliability_case];
    if (row.obstacle == Obstacle::fence) ++fenced;
    if (row.obstacle == Obstacle::limit) ++stopped;
    parts.add(row, has_error_detector);
    if (clustered) ++clusters[row.cluster][*row.reliability_case];
  }
};

// For each system, whether some row has a verdict of ERROR.
std::vector<bool> systems_with_error_detector(const OutcomeTable& table) {
  std::vector<bool> has(table.systems().size());
  for (const auto& row : table.rows())
    if (row.parts.error_found) has[row.system] = true;
  return has;
}

// Tallies of every system's total and groups, in the order of the report.
std::vector<Tally> tallies_of_systems(const OutcomeTable& table, const ReportOptions& options, const Grouping& grouping,
                                      std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  const auto has_error_detector = systems_with_error_detector(table);
  // By system, then the total (rank 0) and the groups (their rank + 1).
  std::map<std::pair<std::uint32_t, std::uint32_t>, Tally> tallies;
  for (const auto& row : table.rows()) {
    Tally& total = tallies[{row.system, 0}];
    total.system = row.system;
    total.add(row, has_error_detector[row.system], options.clustered);
    if (!options.by_group) continue;
    Tally& group = tallies[{row.system, rank[grouping.group_of[row.group]] + 1}];
    group.system = row.system;
    group.group = grouping.group_of[row.group];
    group.add(row, has_error_detector[row.system], options.clustered);
  }
  std::vector<Tally> ordered;
  ordered.reserve(tallies.size());
  for (auto& [key, tally] : tallies) ordered.push_back(std::move(tally));
  return ordered;
}

// ABSTAIN-ALL if rows have no identity: for the total and for each group, the questions of the system that has the most
// of them.
std::vector<Tally> abstaining_like(const std::vector<Tally>& systems) {
  std::map<std::uint32_t, CaseCounts> most;  // by group number + 1; the total is 0
  std::vector<std::optional<std::uint32_t>> order;
  for (const auto& tally : systems) {
    const auto [counts_of_group, is_new] = most.try_emplace(tally.group ? *tally.group + 1 : 0);
    if (is_new) order.push_back(tally.group);
    if (tally.counts.total() > counts_of_group->second.total()) counts_of_group->second = tally.counts.abstain_all();
  }
  std::vector<Tally> tallies;
  for (const auto& group : order) {
    Tally tally;
    tally.group = group;
    tally.counts = most[group ? *group + 1 : 0];
    tallies.push_back(std::move(tally));
  }
  return tallies;
}

// ABSTAIN-ALL: each question counts once in the total and once in each group that contains it.
std::vector<Tally> tallies_of_abstaining(const OutcomeTable& table, const ReportOptions& options,
                                         const Grouping& grouping, std::span<const std::uint32_t> order) {
  std::vector<Tally> tallies(1);
  std::vector<Tally> groups(options.by_group ? grouping.values.size() : 0);
  std::unordered_set<std::uint64_t> seen;
  for (const auto& row : table.rows()) {
    if (!row.reliability_case) continue;
    const auto abstained = is_feasible(*row.reliability_case) ? ReliabilityCase::II : ReliabilityCase::V;
    if (seen.insert(std::uint64_t{row.question} << 32 | UINT32_MAX).second) ++tallies[0].counts[abstained];
    const std::uint32_t group = grouping.group_of[row.group];
    if (options.by_group && seen.insert(std::uint64_t{row.question} << 32 | group).second)
      ++groups[group].counts[abstained];
  }
  if (!options.by_group) return tallies;
  for (const auto group : order) {
    groups[group].group = group;
    tallies.push_back(std::move(groups[group]));
  }
  return tallies;
}

ReportIntervals intervals_of(const Tally& tally, const ReportOptions& options, const std::function<bool()>& stopped) {
  if (tally.counts.total() == 0 || options.bootstrap.replicates == 0) return {};
  const auto n = static_cast<double>(tally.counts.total());
  const double c = options.c ? options.c->value(tally.counts.total()) : 0;
  std::vector<std::int64_t> clusters;
  for (const auto& [cluster, counts] : tally.clusters)
    clusters.insert(clusters.end(), counts.by_case.begin(), counts.by_case.end());
  const auto resampler = options.clustered ? Resampler::by_cluster(std::move(clusters), reliability_case_count)
                                           : Resampler::by_question(tally.counts.by_case);
  const auto statistics = [&](std::span<const std::int64_t> drawn) {
    CaseCounts counts;
    std::copy(drawn.begin(), drawn.end(), counts.by_case.begin());
    return std::array<std::optional<double>, 5>{
        reliability_score(counts, 0), reliability_score(counts, 10), reliability_score(counts, n),
        options.c ? reliability_score(counts, c) : std::nullopt, answer_precision(counts)};
  };
  auto intervals = bootstrap<5>(resampler, options.bootstrap, statistics, stopped);
  // Where all answers are right (or all wrong), so are those of every replicate: the bootstrap would claim certainty.
  if (auto& precision = intervals[4]; precision && precision->low == precision->high)
    precision = clopper_pearson(tally.counts[ReliabilityCase::I], tally.counts.answered(), options.bootstrap.level);
  return {intervals[0], intervals[1], intervals[2], intervals[3], intervals[4]};
}

ReportRow row_of(const Tally& tally, const OutcomeTable& table, const ReportOptions& options,
                 const std::function<bool()>& stopped) {
  ReportRow row;
  row.system = tally.system;
  row.group = tally.group;
  row.skipped = tally.skipped;
  row.fenced = tally.fenced;
  row.stopped = tally.stopped;
  if (tally.system && !tally.group) row.missing = table.missing(*tally.system);
  row.counts = tally.counts;
  row.parts = tally.parts;
  row.rs = reliability_scores(tally.counts);
  if (options.c) row.rs_c = reliability_score(tally.counts, *options.c);
  row.feasible_rs = reliability_scores(tally.counts.feasible_only());
  if (options.infeasible_share) {
    const auto score_at = [&](Penalty c) {
      return reliability_score_at_share(tally.counts, c, *options.infeasible_share);
    };
    row.share_rs = {score_at(Penalty::of(0)), score_at(Penalty::of(10)), score_at(Penalty::n())};
  }
  if (tally.system) row.intervals = intervals_of(tally, options, stopped);
  return row;
}

}  // namespace

void PipelineCounts::add(const Outcome& row, bool has_error_detector) {
  if (!row.reliability_case) return;
  const bool feasible = is_feasible(*row.reliability_case);
  const auto& parts = row.parts;
  if (parts.cls_feasible) {
    const bool right = *parts.cls_feasible == feasible;
    (feasible ? cls_kept : cls_filtered) += {right ? 1 : 0, 1};
  }
  if (feasible && parts.raw) ++sql[*parts.raw];
  if (!has_error_detector) return;
  if (parts.raw && !is_answered(*parts.raw)) {
    // Nothing was generated: an abstention that ERROR has no part in.
    (feasible ? error_feasible : error_infeasible) += {feasible ? 0 : 1, 1};
  } else if (parts.error_found && !feasible) {
    error_infeasible += {*parts.error_found ? 1 : 0, 1};
  } else if (parts.error_found && parts.raw) {
    const bool wrong = *parts.raw == ReliabilityCase::III;
    error_feasible += {*parts.error_found == wrong ? 1 : 0, 1};
  }
}

ReliabilityScores reliability_scores(const CaseCounts& counts) {
  return {reliability_score(counts, Penalty::of(0)), reliability_score(counts, Penalty::of(10)),
          reliability_score(counts, Penalty::n())};
}

Grouping Grouping::by_all(const OutcomeTable& table) {
  Grouping grouping{table.groups(), std::vector<std::uint32_t>(table.groups().size())};
  std::iota(grouping.group_of.begin(), grouping.group_of.end(), 0U);
  return grouping;
}

Grouping Grouping::by_one(const OutcomeTable& table, std::size_t column) {
  const auto less = [](const Value& a, const Value& b) { return compare(view(a), view(b)) < 0; };
  std::map<Value, std::uint32_t, decltype(less)> numbers(less);
  Grouping grouping;
  for (const auto& values : table.groups()) {
    const auto [number, is_new] = numbers.try_emplace(values[column], static_cast<std::uint32_t>(numbers.size()));
    if (is_new) grouping.values.push_back({values[column]});
    grouping.group_of.push_back(number->second);
  }
  return grouping;
}

Result<std::vector<ReportRow>> reliability_report(const OutcomeTable& table, const ReportOptions& options,
                                                  std::size_t threads, const std::function<bool()>& interrupted) {
  return reliability_report(table, options, Grouping::by_all(table), threads, interrupted);
}

Result<std::vector<ReportRow>> reliability_report(const OutcomeTable& table, const ReportOptions& options,
                                                  const Grouping& grouping, std::size_t threads,
                                                  const std::function<bool()>& interrupted) {
  TRUSTSQL_RETURN_IF_ERROR(table.check(options.missing));
  const auto order = sorted_groups(grouping.values);
  auto systems = tallies_of_systems(table, options, grouping, order);
  auto tallies = table.anonymous() ? abstaining_like(systems) : tallies_of_abstaining(table, options, grouping, order);
  std::move(systems.begin(), systems.end(), std::back_inserter(tallies));
  std::vector<ReportRow> rows(tallies.size());
  std::atomic<bool> stop{false};
  // Only the caller's thread may call `interrupted`. With a single thread it also does the work; otherwise it only
  // polls.
  const auto ask = [&] { return stop = stop || interrupted(); };
  const auto asked = [&] { return stop.load(std::memory_order_relaxed); };
  const std::function<bool()> stopped = std::min(threads, tallies.size()) <= 1 ? std::function<bool()>(ask) : asked;
  const auto work = [&](std::size_t i) { rows[i] = row_of(tallies[i], table, options, stopped); };
  if (!parallel_for(tallies.size(), threads, work, ask) || stop) return Error{ErrorCode::interrupted, "interrupted"};
  return rows;
}

}  // namespace trustsql
