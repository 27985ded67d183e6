#include "equiv/labelled_pairs.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/random.hpp"
#include "base/text.hpp"
#include "equiv/paraphrases.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "sql/ast_walk.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"

namespace trustsql::equiv {

namespace {

constexpr std::size_t attempts_of_pair = 6;   // for each pair that is wanted
constexpr std::size_t attempts_of_step = 12;  // kinds that are tried for one rewrite
constexpr std::size_t most_mutants_of_kind = 6;
constexpr double share_of_rewritten_firsts = 0.25;  // pairs whose first query is a paraphrase, too
constexpr std::size_t longest_query = 4000;         // bytes: chains may grow

std::pair<std::string, std::size_t> pool_key(const ::trustsql::Table& table, std::size_t column) {
  return {to_lower_ascii(table.schema) + "." + to_lower_ascii(table.name), column};
}

// A query on its way from one rewrite to the next.
struct Rewritten {
  std::string sql;
  std::string kinds;

  void add(std::string_view kind, std::string text) {
    if (!kinds.empty()) kinds += '+';
    kinds += kind;
    sql = std::move(text);
  }
};

class PairGenerator {
 public:
  PairGenerator(QueryComparer& comparer, const LabelledPairsOptions& options, const ResolveOptions& dialect)
      : comparer_(comparer), options_(options), dialect_(dialect) {}

  void add_literals(std::string_view sql) {
    const auto query = parse_query(sql, dialect_.grammar());
    if (!query.ok()) return;
    const auto names = resolve(*query, catalog(), dialect_);
    if (names.ok()) literals_.add(*query, *names);
  }

  Status run(std::size_t number, const std::string& sql, const std::function<void(const LabelledPair&)>& receive) {
    Random random(options_.seed, number);
    const auto wanted_same = static_cast<std::size_t>(
        static_cast<double>(options_.pairs_of_query) * std::clamp(options_.share_of_same, 0.0, 1.0) + 0.5);
    std::array<std::size_t, 2> wanted = {options_.pairs_of_query - wanted_same, wanted_same};
    std::unordered_set<std::string> seen;
    const std::size_t attempts = options_.pairs_of_query * attempts_of_pair;
    for (std::size_t i = 0; i < attempts && wanted[0] + wanted[1] > 0; ++i) {
      const bool intended = wanted[1] > 0 && (wanted[0] == 0 || random.below(wanted[0] + wanted[1]) < wanted[1]);
      LabelledPair pair{.query = number};
      if (!make(sql, intended, random, pair) || pair.a == pair.b || !seen.insert(pair.a + '\0' + pair.b).second)
        continue;
      TRUSTSQL_ASSIGN_OR_RETURN(const bool known, label(pair));
      if (!known || wanted[pair.same ? 1 : 0] == 0) continue;
      --wanted[pair.same ? 1 : 0];
      receive(pair);
    }
    return ok_status();
  }

 private:
  const Catalog& catalog() const { return *comparer_.catalog(); }

  // Makes both queries; false if no rewrite applies.
  bool make(const std::string& sql, bool same, Random& random, LabelledPair& pair) {
    Rewritten a{sql, {}};
    Rewritten b{sql, {}};
    if (random.uniform() < share_of_rewritten_firsts) paraphrase(a, random);
    const std::size_t steps = random.below(options_.longest_chain + (same ? 0 : 1)) + (same ? 1 : 0);
    const std::size_t mutation = same ? steps + 1 : random.below(steps + 1);
    for (std::size_t step = 0; step <= steps; ++step) {
      if (step == mutation && !mutate(b, random)) return false;
      if (step < steps) paraphrase(b, random);
    }
    pair.a = std::move(a.sql);
    pair.b = std::move(b.sql);
    pair.kind = a.kinds.empty() ? b.kinds : a.kinds + ":" + b.kinds;
    return !b.kinds.empty();
  }

  // Applies one paraphrase of a random kind, if one of those tried applies.
  void paraphrase(Rewritten& query, Random& random) {
    for (std::size_t i = 0; i < attempts_of_step; ++i) {
      const ParaphraseKind* const kind[] = {&draw_kind(random)};
      auto found = paraphrases_of(query.sql, catalog(), dialect_, {.kinds = kind});
      if (!found.ok()) return;
      std::erase_if(*found, [](const Paraphrase& candidate) { return candidate.sql.size() > longest_query; });
      if (found->empty()) continue;
      return query.add(kind[0]->name, std::move((*found)[random.below(found->size())].sql));
    }
  }

  static const ParaphraseKind& draw_kind(Random& random) {
    const auto kinds = paraphrase_kinds();
    std::uint64_t sum = 0;
    for (const auto& kind : kinds) sum += kind.weight;
    auto drawn = random.below(sum);
    std::size_t i = 0;
    while (drawn >= kinds[i].weight) drawn -= kinds[i++].weight;
    return kinds[i];
  }

  bool mutate(Rewritten& query, Random& random) {
    auto tree = parse_query(query.sql, dialect_.grammar());
    if (!tree.ok()) return false;
    const auto names = resolve(*tree, catalog(), dialect_);
    if (!names.ok()) return false;
    const MutantContext context{.resolution = &*names,
                                .catalog = &catalog(),
                                .values = [this](const ::trustsql::Table& table, std::size_t column) {
                                  return literals_.values(table, column);
                                }};
    const auto mutants = mutants_of(*tree, context, most_mutants_of_kind);
    if (mutants.empty()) return false;
    // Each kind is as likely as any other.
    std::vector<MutantKind> kinds;
    for (const auto& mutant : mutants) {
      if (std::ranges::find(kinds, mutant.kind) == kinds.end()) kinds.push_back(mutant.kind);
    }
    const auto kind = kinds[random.below(kinds.size())];
    std::vector<const Mutant*> of_kind;
    for (const auto& mutant : mutants) {
      if (mutant.kind == kind) of_kind.push_back(&mutant);
    }
    query.add("mutant " + std::string(name(kind)), print_query(of_kind[random.below(of_kind.size())]->query));
    return true;
  }

  // Labels the pair by the verdict; false if that is unknown.
  Result<bool> label(LabelledPair& pair) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto comparison, comparer_.compare(pair.a, pair.b, options_.comparison, dialect_));
    if (comparison.verdict == Verdict::unknown) return false;
    pair.same = comparison.verdict == Verdict::proved;
    pair.confirmation = confirmation_of(pair.a, pair.b, pair.same, catalog(), dialect_, options_.comparison.stop);
    if (comparison.counterexample) pair.deviations = comparison.counterexample->deviations;
    return true;
  }

  QueryComparer& comparer_;
  const LabelledPairsOptions& options_;
  const ResolveOptions& dialect_;
  LiteralPool literals_;
};

}  // namespace

void LiteralPool::add(const ast::Query& query, const Resolution& resolution) {
  const auto keep = [&](const ast::Expr& subject, const ast::Expr& constant) {
    const auto* reference = subject.as<ast::ColumnRef>();
    const auto* literal = constant.as<ast::Literal>();
    const auto* binding = reference == nullptr ? nullptr : resolution.find_binding(*reference);
    if (literal == nullptr || binding == nullptr || binding->kind != ColumnBinding::Kind::column) return;
    const auto& id = binding->column;
    if (id.relation == nullptr || id.relation->table == nullptr || id.column < 0) return;
    auto& known = literals_[pool_key(*id.relation->table, static_cast<std::size_t>(id.column))];
    if (known.size() < most_of_column && std::ranges::find(known, *literal) == known.end()) known.push_back(*literal);
  };
  ast::walk(query, ast::Overloaded{[&](const ast::Binary& node) {
                                     if (node.op < ast::BinaryOp::equal || node.op > ast::BinaryOp::greater_equal)
                                       return;
                                     keep(*node.left, *node.right);
                                     keep(*node.right, *node.left);
                                   },
                                   [&](const ast::In& node) {
                                     const auto* list = std::get_if<std::vector<ast::Expr>>(&node.set);
                                     if (list == nullptr) return;
                                     for (const auto& element : *list) keep(*node.operand, element);
                                   }});
}

std::vector<ast::Literal> LiteralPool::values(const ::trustsql::Table& table, std::size_t column) const {
  const auto found = literals_.find(pool_key(table, column));
  return found == literals_.end() ? std::vector<ast::Literal>() : found->second;
}

ComparisonOptions LabelledPairsOptions::quick_comparison() {
  ComparisonOptions options;
  options.counterexample = false;
  options.databases = 40;
  options.timeout = std::chrono::milliseconds(200);
  return options;
}

std::string_view name(LabelledPair::Confirmation confirmation) {
  switch (confirmation) {
    case LabelledPair::Confirmation::same_plan: return "same_plan";
    case LabelledPair::Confirmation::proof: return "proof";
    case LabelledPair::Confirmation::counterexample: return "counterexample";
  }
  return "";
}

LabelledPair::Confirmation confirmation_of(std::string_view a, std::string_view b, bool proved, const Catalog& catalog,
                                           const ResolveOptions& dialect, const std::function<bool()>& stop) {
  if (!proved) return LabelledPair::Confirmation::counterexample;
  auto first = plan::plan_query(a, catalog, dialect);
  auto second = plan::plan_query(b, catalog, dialect);
  if (!first.ok() || !second.ok()) return LabelledPair::Confirmation::proof;
  const plan::NormaliseOptions options{.assume = plan::Assume::nothing(), .stop = stop};
  const auto normal_a = plan::normalise(*std::move(first), options);
  const auto normal_b = plan::normalise(*std::move(second), options);
  return plan::same_tree(normal_a.plan, normal_b.plan) ? LabelledPair::Confirmation::same_plan
                                                       : LabelledPair::Confirmation::proof;
}

Status labelled_pairs(QueryComparer& comparer, std::span<const std::string> queries,
                      const LabelledPairsOptions& options, const ResolveOptions& dialect,
                      const std::function<void(const LabelledPair&)>& receive) {
  PairGenerator generator(comparer, options, dialect);
  for (const auto& sql : queries) generator.add_literals(sql);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (options.comparison.stop && options.comparison.stop()) return Error{ErrorCode::interrupted, "interrupted"};
    TRUSTSQL_RETURN_IF_ERROR(generator.run(i, queries[i], receive));
  }
  return ok_status();
}

}  // namespace trustsql::equiv
