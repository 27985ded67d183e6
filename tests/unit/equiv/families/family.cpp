#include "unit/equiv/families/family.hpp"

#include <algorithm>
#include <set>

#include "unit/equiv/families/edits.hpp"
#include "unit/equiv/families/shrinker.hpp"

namespace trustsql::families {

namespace {

constexpr std::size_t largest_query = 80;  // nodes
constexpr int max_slow_comparisons = 40;   // of a pair whose results are not the same to the last bit

constexpr int max_shrinking_trials = 600;

// The pair without names and constants, by which findings are told apart.
std::string signature_of(const Node& a, const Node& b) {
  std::string text;
  for (const Node* node : {&a, &b}) {
    Node copy = *node;
    visit(copy, [](Node& each) {
      if (each.is(Kind::literal)) each.text = each.text == "NULL" ? "NULL" : "?";
      if (each.is(Kind::table)) each.text = "t";
      if (each.is(Kind::column)) each.text = "a";
      each.alias = each.is(Kind::aggregate) ? each.alias : "x";
    });
    text += print(copy) + " / ";
  }
  return text;
}

class Family {
 public:
  Family(std::uint64_t seed, const FamilyOptions& options, FamilyCounts& counts, const BeforePair& before_pair)
      : seed_(seed), options_(options), counts_(counts), before_pair_(before_pair), picker_(seed) {}

  std::vector<Finding> check() {
    const auto schema = random_schema(picker_);
    ground_ = Ground::create(schema);
    if (!ground_) return {};
    ++counts_.families;
    setting_ = random_setting(picker_);
    const auto values = random_values(picker_);
    make_queries(values);
    fillings_ = random_fillings(schema, values, options_.databases, picker_);
    run_queries();
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) check_pair(queries_[k], queries_[i]);
    }
    check_verdicts();
    return std::move(findings_);
  }

 private:
  void make_queries(const std::vector<std::string>& values) {
    QueryMaker maker(ground_->schema(), values, picker_);
    std::set<std::string> seen;
    for (int attempt = 0; queries_.empty() && attempt < 50; ++attempt) add(maker.query(), seen);
    for (int attempt = 0;
         static_cast<int>(queries_.size()) < options_.variants && attempt < 20 * options_.variants && !queries_.empty();
         ++attempt) {
      // The earlier queries more often than the others, so that pairs are a few edits apart.
      Node tree = queries_[picker_.below(1 + picker_.below(queries_.size()))].tree;
      if (Edit::apply(tree, maker)) add(tree, seen);
    }
  }

  void add(const Node& tree, std::set<std::string>& seen) {
    if (size_of(tree) > largest_query || !seen.insert(print(tree)).second) return;
    auto query = read(tree, *ground_, setting_);
    if (!query || (!queries_.empty() && width(tree) != width(queries_.front().tree))) return;
    queries_.push_back(*std::move(query));
  }

  void run_queries() {
    for (const auto& filling : fillings_) {
      ground_->fill(filling);
      departures_.push_back(ground_->departures());
      for (auto& query : queries_) query.outcomes.push_back(ground_->outcome(query.statement.get()));
    }
  }

  bool same(const Outcome& a, const Outcome& b, bool list) const {
    if (setting_.options.rows_as_set) return a.set == b.set;
    return list ? a.list == b.list && a.bag == b.bag : a.bag == b.bag;
  }

  void check_pair(Query& a, Query& b) {
    ++counts_.pairs;
    if (before_pair_) before_pair_(ground_->schema().ddl(), setting_, a.sql, b.sql);
    const auto attempt = options_.prover(a.plan, b.plan, setting_.options);
    if (!attempt.proof) return;
    ++counts_.proofs;
    counts_.assuming += attempt.proof->assumptions.empty() ? 0 : 1;
    const bool list = is_list(setting_, a.tree, b.tree);
    int left = max_slow_comparisons;
    bool numbers = false;
    bool ties = false;
    for (std::size_t d = 0; d < fillings_.size() && left > 0; ++d) {
      const auto& x = a.outcomes[d];
      const auto& y = b.outcomes[d];
      if (!x.ok || !y.ok || !covers(setting_, attempt.proof->assumptions, departures_[d])) continue;
      ++counts_.comparisons;
      if (same(x, y, list)) continue;
      --left;
      const auto difference = compare(*ground_, fillings_[d], setting_, a.tree, b.tree);
      if (difference == Difference::none) continue;
      if (may_be_of_ties(difference) && allows_ties(attempt.proof->assumptions)) continue;
      if (difference == Difference::numbers) {
        if (!numbers) ++counts_.numbers;
        numbers = true;
        continue;
      }
      if (difference == Difference::ties) {
        if (!ties) ++counts_.ties;
        ties = true;
        continue;
      }
      report({a.tree, b.tree, fillings_[d]}, difference);
      return;
    }
  }

  void check_verdicts() {
    const auto checker = VerdictChecker::create(*ground_);
    if (!checker || queries_.size() < 2) return;
    for (int i = 0; i < options_.verdicts; ++i) {
      const auto& a = queries_[picker_.below(queries_.size())];
      const auto& b = queries_[picker_.below(queries_.size())];
      if (&a == &b) continue;
      if (before_pair_) before_pair_(ground_->schema().ddl(), setting_, a.sql, b.sql);
      const auto wrong = checker->check(a, b, fillings_, picker_, counts_.verdicts);
      if (!wrong) continue;
      ++counts_.wrong_verdicts;
      findings_.push_back({"wrong_verdict", wrong->substr(0, wrong->find(';')) + signature_of(a.tree, b.tree),
                           "-- wrong_verdict (family " + std::to_string(seed_) + "): " + *wrong + "\n"});
    }
  }

  void report(WrongPair pair, Difference kind) {
    ++counts_.findings;
    if (static_cast<int>(findings_.size()) >= options_.max_findings) return;
    const auto small =
        shrink(std::move(pair), kind, options_.prover, *ground_, setting_, fillings_, max_shrinking_trials);
    auto signature = std::string(name(kind)) + ": " + signature_of(small.a, small.b);
    if (std::ranges::any_of(findings_, [&](const Finding& other) { return other.signature == signature; })) return;
    findings_.push_back({std::string(name(kind)), std::move(signature), describe(small, kind)});
  }

  std::string describe(const WrongPair& pair, Difference kind) {
    auto a = read(pair.a, *ground_, setting_);
    auto b = read(pair.b, *ground_, setting_);
    std::string text = "-- " + std::string(name(kind)) + " (family " + std::to_string(seed_) + "); " + setting_.text() +
                       "\n" + ground_->schema().ddl();
    for (const auto& insert : pair.filling) text += insert + ";\n";
    text += a->sql + ";\n" + b->sql + ";\n";
    ground_->fill(pair.filling);
    text += "-- a gives " + show(ground_->run(a->sql)) + "\n-- b gives " + show(ground_->run(b->sql)) + "\n";
    const Way ways[] = {
        {.reverse_scans = true}, {.no_optimisations = true}, {.no_automatic_index = true}, {.more_indexes = true}};
    const char* const names[] = {"reverse_unordered_selects", "no optimisations", "automatic_index=off",
                                 "more indexes"};
    for (std::size_t i = 0; i < std::size(ways); ++i) {
      for (const auto* query : {&*a, &*b}) {
        const auto other = ground_->run(query->sql, ways[i]);
        if (other.rows != ground_->run(query->sql).rows)
          text += "-- " + std::string(query == &*a ? "a" : "b") + " with " + names[i] + " gives " + show(other) + "\n";
      }
    }
    if (const auto proof = options_.prover(a->plan, b->plan, setting_.options).proof) {
      text += "-- proof:\n";
      for (const auto& step : proof->steps) {
        text += "--   " + step.what;
        for (const auto& assumption : step.assumptions) text += " [" + plan::describe(assumption) + "]";
        text += "\n";
      }
    }
    return text;
  }

  std::uint64_t seed_;
  const FamilyOptions& options_;
  FamilyCounts& counts_;
  const BeforePair& before_pair_;
  Picker picker_;
  std::unique_ptr<Ground> ground_;
  Setting setting_;
  std::vector<Query> queries_;
  std::vector<Filling> fillings_;
  std::vector<Departures> departures_;
  std::vector<Finding> findings_;
};

}  // namespace

FamilyCounts& FamilyCounts::operator+=(const FamilyCounts& other) {
  families += other.families;
  pairs += other.pairs;
  proofs += other.proofs;
  assuming += other.assuming;
  comparisons += other.comparisons;
  numbers += other.numbers;
  ties += other.ties;
  findings += other.findings;
  verdicts.proved += other.verdicts.proved;
  verdicts.refuted += other.verdicts.refuted;
  verdicts.unknown += other.verdicts.unknown;
  wrong_verdicts += other.wrong_verdicts;
  return *this;
}

std::string FamilyCounts::text() const {
  return std::to_string(families) + " families, " + std::to_string(pairs) + " pairs, " + std::to_string(proofs) +
         " proved (" + std::to_string(assuming) + " under assumptions), " + std::to_string(comparisons) +
         " comparisons, " + std::to_string(numbers) + " differ in the class of numbers, " + std::to_string(ties) +
         " in the order of ties, " + std::to_string(findings) +
         " contradicted; verdicts: " + std::to_string(verdicts.proved) + " proved, " +
         std::to_string(verdicts.refuted) + " refuted, " + std::to_string(verdicts.unknown) + " unknown, " +
         std::to_string(wrong_verdicts) + " wrong";
}

std::vector<Finding> check_family(std::uint64_t seed, const FamilyOptions& options, FamilyCounts& counts,
                                  const BeforePair& before_pair) {
  return Family(seed, options, counts, before_pair).check();
}

}  // namespace trustsql::families
