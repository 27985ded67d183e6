#include "equiv/similarity.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/ranking_metrics.hpp"
#include "db/catalog/catalog_reader.hpp"
#include "equiv/similarity/codebleu.hpp"
#include "equiv/similarity/data_flow.hpp"
#include "equiv/similarity/match_tree.hpp"
#include "equiv/similarity/syntax_tree.hpp"
#include "equiv/similarity/words.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "sql/parser.hpp"
#include "unit/score/development_data.hpp"

namespace trustsql {
namespace {

// t(a, b, c, d, id), u(id, b), v(c)
const Catalog& catalog() {
  static const Catalog tables = [] {
    const auto table = [](std::string name, std::initializer_list<const char*> columns) {
      Table table;
      table.schema = "main";
      table.name = std::move(name);
      for (const char* column : columns) {
        table.columns.emplace_back();
        table.columns.back().name = column;
      }
      return table;
    };
    return Catalog({{"main"}}, {table("t", {"a", "b", "c", "d", "id"}), table("u", {"id", "b"}), table("v", {"c"})});
  }();
  return tables;
}

double score(std::string_view a, std::string_view b, std::string_view metric, const SimilarityOptions& options = {},
             const Catalog* tables = &catalog()) {
  const auto result = similarity(QueryPair(a, b, {}, tables), metric, options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : -1;
}

constexpr std::string_view queries[] = {
    "SELECT 1",
    "SELECT count(*) FROM t",
    "SELECT a, b FROM t WHERE c = 'x' ORDER BY d DESC LIMIT 3",
    "SELECT T1.a FROM t AS T1 JOIN u AS T2 ON T1.id = T2.id WHERE T2.b IN (SELECT c FROM v) GROUP BY T1.a HAVING "
    "count(*) > 2",
    "WITH c AS (VALUES (1, 2)) SELECT * FROM c UNION SELECT max(a) OVER (ORDER BY b), 'x' FROM t EXCEPT SELECT 1, 2",
};

TEST(Similarity, OfAQueryAndItselfIsOne) {
  for (const auto& metric : similarity_metrics())
    for (const auto query : queries)
      EXPECT_DOUBLE_EQ(score(query, query, metric.name), 1) << metric.name << ' ' << query;
}

TEST(Similarity, IsBetweenZeroAndOne) {
  for (const auto& metric : similarity_metrics()) {
    for (const auto a : queries) {
      for (const auto b : queries) {
        const double value = score(a, b, metric.name);
        EXPECT_GE(value, 0) << metric.name;
        EXPECT_LE(value, 1 + 1e-12) << metric.name;
        EXPECT_EQ(value > 1 - 1e-12, a == b) << metric.name << ' ' << a << ' ' << b;
      }
    }
  }
}

TEST(Similarity, Errors) {
  const auto message = [](std::string_view a, std::string_view b, std::string_view metric) {
    const auto result = similarity(QueryPair(a, b, {}), metric, {});
    return result.ok() ? "" : result.error().message;
  };
  EXPECT_EQ(message("SELECT 1", "SELECT 1", "cosine"),
            "unknown metric 'cosine'; there are relpm, astpm, bleu, crystalbleu, codebleu, codebleu-rot");
  EXPECT_EQ(message("SELECT", "SELECT 1", "astpm").substr(0, 16), "a: line 1, colum");
  EXPECT_EQ(message("SELECT 1", "SELECT", "codebleu").substr(0, 16), "b: line 1, colum");
  EXPECT_EQ(message("no query", "not one", "bleu"), "");
  std::string wide = "SELECT a";
  for (int i = 0; i < 5000; ++i) wide += ", a";
  EXPECT_NE(message(wide, wide, "astpm").find("nodes; at most 4000 are allowed"), std::string::npos);
  for (int i = 0; i < 100'000; ++i) wide += ", a";
  EXPECT_EQ(message(wide, wide, "bleu"), "a: the query has more than 100000 words");
}

TEST(Words, AreFoldedTokens) {
  const auto all = words("select \"A\" , [b]<>'It''s' -- comment\n==x'0f';", {});
  std::string joined;
  for (const auto& word : *all) joined += word.text + ' ';
  EXPECT_EQ(joined, "SELECT a , b != 'It''s' = x'0f' ");
  EXPECT_TRUE((*all)[0].is_keyword);
  EXPECT_TRUE((*all)[2].is_syntax);
  EXPECT_FALSE((*all)[1].is_syntax);
}

// Worked out by hand: 1-grams 4 of 5, 2-grams 3 of 4, 3-grams 2 of 3, 4-grams 1 of 2; the same length.
TEST(Bleu, IsTheGeometricMeanOfPrecisions) {
  EXPECT_NEAR(score("SELECT a FROM t LIMIT", "SELECT a FROM t x", "bleu"),
              std::pow(4.0 / 5 * 3 / 4 * 2 / 3 * 1 / 2, 0.25), 1e-12);
  // Shorter by one of five: exp(1 - 5/4).
  EXPECT_NEAR(score("SELECT a FROM t LIMIT", "SELECT a FROM t", "bleu"), std::exp(1 - 5.0 / 4), 1e-12);
  // An n-gram order without a match counts as a tenth of an n-gram.
  EXPECT_NEAR(score("a b", "a c", "bleu"), std::sqrt(0.5 * 0.1), 1e-12);
  EXPECT_EQ(score("a b", "c d", "bleu"), 0);
  EXPECT_EQ(score("a b", "", "bleu"), 0);
  EXPECT_NEAR(score("a b c", "a b d", "bleu", {.max_n = 1}), 2.0 / 3, 1e-12);
  // A word counts at most as often as it occurs in the reference.
  EXPECT_NEAR(score("a b c", "a a a", "bleu", {.max_n = 1}), 1.0 / 3, 1e-12);
}

TEST(CrystalBleu, LeavesOutWhatQueriesShare) {
  // In SELECT x FROM y, only x and y tell queries apart.
  EXPECT_EQ(score("SELECT a FROM t", "SELECT b FROM u", "crystalbleu", {.max_n = 1}), 0);
  EXPECT_NEAR(score("SELECT a FROM t", "SELECT a FROM u", "crystalbleu", {.max_n = 1}), 0.5, 1e-12);
  EXPECT_EQ(score("SELECT *", "SELECT (*)", "crystalbleu"), 0);
  NgramCounter counter(1);
  for (const char* const sql : {"a b", "a c", "a b d"}) EXPECT_TRUE(counter.add(sql, {}).ok());
  const auto frequent = counter.most_frequent(2);
  EXPECT_EQ(frequent, (std::unordered_set<std::string>{"a", "b"}));
  const SimilarityOptions options = {.max_n = 1, .shared_ngrams = &frequent};
  EXPECT_EQ(score("a b c", "a b d", "crystalbleu", options), 0);
  EXPECT_EQ(score("a b c", "b c a", "crystalbleu", options), 1);
}

MatchTree tree(std::initializer_list<std::pair<std::uint32_t, std::uint64_t>> nodes) {
  MatchTree tree;
  for (const auto& [parent, label] : nodes) tree.add(parent, label);
  return tree;
}

double mean_match(const MatchTree& tree, const MatchTree& other, double alpha) {
  return mean_score(tree, *best_matches(tree, other, alpha));
}

TEST(MatchTree, PartialMatches) {
  const auto abc = tree({{0, 'a'}, {0, 'b'}, {0, 'c'}}), abd = tree({{0, 'a'}, {0, 'b'}, {0, 'd'}});
  // The root matches itself with alpha + (1 - alpha) / 2, b fully, c not at all.
  EXPECT_NEAR(mean_match(abc, abd, 0.5), (0.75 + 1 + 0) / 3, 1e-6);
  EXPECT_NEAR(mean_match(abc, abd, 0.8), (0.9 + 1 + 0) / 3, 1e-6);
  EXPECT_NEAR(*partial_match(abc, abd, {}), (0.75 + 1) / 3, 1e-6);
  // A node with another label can be the better match because of its children: a low alpha ignores the label.
  const auto or_node = tree({{0, 'r'}, {0, 'o'}, {1, 'x'}, {1, 'y'}}),
             and_node = tree({{0, 'r'}, {0, 'n'}, {1, 'x'}, {1, 'y'}, {0, 'o'}});
  EXPECT_NEAR(mean_match(or_node, and_node, 0.2), ((0.2 + 0.8 * 0.8) + 0.8 + 1 + 1) / 4, 1e-6);
  // Precision and recall differ where one tree is larger; beta decides between them.
  const auto a = tree({{0, 'a'}});
  EXPECT_NEAR(mean_match(a, abc, 0.5), 1, 1e-6);
  EXPECT_NEAR(mean_match(abc, a, 0.5), 0.5 / 3, 1e-6);
  EXPECT_GT(*partial_match(a, abc, {.beta = 2}), *partial_match(a, abc, {.beta = 0.5}));
  EXPECT_EQ(*partial_match(a, tree({{0, 'z'}}), {}), 0);
  // Weights: only the root counts.
  auto weighted = abc;
  weighted.nodes[1].weight = weighted.nodes[2].weight = 0;
  EXPECT_NEAR(mean_match(weighted, abd, 0.5), 0.75, 1e-6);
}

// Appendix A.2: the root's own share, and the rest from its children, and so on.
TEST(MatchTree, ScoresRecursively) {
  const auto tree_a = tree({{0, 'r'}, {0, 's'}, {1, 'x'}, {0, 'f'}, {3, 'y'}}),
             tree_b = tree({{0, 'r'}, {0, 's'}, {1, 'x'}, {0, 'f'}, {3, 'z'}});
  // With alpha 0.5: y 0, f 0.5, x and s 1, r 0.5 + 0.5 * (1 + 0.5) / 2 = 0.875.
  const auto matches = *best_matches(tree_a, tree_b, 0.5);
  EXPECT_EQ(matches, (std::vector<double>{0.875, 1, 1, 0.5, 0}));
  EXPECT_DOUBLE_EQ(mean_score(tree_a, matches), (0.875 + 1 + 1 + 0.5 + 0) / 5);
  // f: omega * 0.5 + (1 - omega) * 0; r: omega * 0.875 + (1 - omega) * (1 + f) / 2.
  EXPECT_DOUBLE_EQ(recursive_score(tree_a, matches, 0.5), 0.5 * 0.875 + 0.5 * (1 + 0.25) / 2);
  EXPECT_DOUBLE_EQ(recursive_score(tree_a, matches, 0.2), 0.2 * 0.875 + 0.8 * (1 + 0.1) / 2);
  EXPECT_DOUBLE_EQ(*partial_match(tree_a, tree_b, {.scoring = TreeScoring::recursive}), 0.75);
  // Weights: those of the children of one node against each other.
  auto weighted = tree_a;
  weighted.nodes[3].weight = 3;
  EXPECT_DOUBLE_EQ(recursive_score(weighted, matches, 0.5), 0.5 * 0.875 + 0.5 * (1 + 3 * 0.25) / 4);
  weighted.nodes[1].weight = weighted.nodes[3].weight = 0;
  EXPECT_DOUBLE_EQ(recursive_score(weighted, matches, 0.5), 0.875) << "no children count";
  EXPECT_DOUBLE_EQ(recursive_score(weighted, *best_matches(weighted, weighted, 0.5), 0.3), 1) << "a tree and itself";
}

TEST(SyntaxTree, ClausesAndNamesAreNodes) {
  const auto count = [](std::string_view sql, Leaves leaves) {
    return syntax_tree(*parse_query(sql), leaves).nodes.size();
  };
  // Query, arms, Select, items, SelectItem, ColumnRef, a
  EXPECT_EQ(count("SELECT a", Leaves::named), 7U);
  // where and its ColumnRef, table and column more; from, FromItem, Table, TableName, t
  EXPECT_EQ(count("SELECT a FROM t WHERE t.b", Leaves::named), 7U + 4 + 5);
  EXPECT_EQ(score("SELECT a FROM t", "SELECT A FROM \"T\"", "astpm"), 1);
  EXPECT_LT(score("SELECT a FROM t", "SELECT DISTINCT a FROM t", "astpm"), 1);
  EXPECT_LT(score("SELECT a FROM t WHERE b", "SELECT a FROM t HAVING b", "astpm"), 1);
  EXPECT_LT(score("SELECT 1 UNION SELECT 2", "SELECT 1 EXCEPT SELECT 2", "astpm"), 1);
}

TEST(DataFlow, ColumnsGoFromTablesIntoClauses) {
  const auto flows = *data_flows(*parse_query(
      "SELECT x.a FROM t AS x JOIN u ON x.id = u.id WHERE u.b IN (SELECT c FROM v WHERE d = x.e) ORDER BY x.a"));
  EXPECT_EQ(flows, (std::unordered_map<std::string, std::size_t>{{"t.a -> select", 1},
                                                                 {"t.id -> from", 1},
                                                                 {"u.id -> from", 1},
                                                                 {"u.b -> where", 1},
                                                                 {"v.c -> select", 1},
                                                                 {"v.d -> where", 1},
                                                                 {"t.e -> where", 1},
                                                                 {"t.a -> order by", 1}}));
}

TEST(CodeBleu, IsTheWeightedMeanOfItsParts) {
  const std::string_view a = "SELECT T1.a FROM t AS T1 WHERE T1.b = 1", b = "SELECT a FROM t WHERE b = 2";
  // Other words, the same data flow; the qualified names have other shapes.
  EXPECT_DOUBLE_EQ(score(a, b, "codebleu", {.ngram_weight = 0, .keyword_weight = 0, .syntax_weight = 0}), 1);
  EXPECT_LT(score(a, b, "codebleu", {.keyword_weight = 0, .syntax_weight = 0, .dataflow_weight = 0}), 1);
  EXPECT_DOUBLE_EQ(score(b, "SELECT c FROM u WHERE d = 3", "codebleu",
                         {.ngram_weight = 0, .keyword_weight = 0, .dataflow_weight = 0}),
                   1);
  // Keywords weigh five times as much: of eight words, SELECT, FROM, WHERE, = and 2 are present.
  EXPECT_NEAR(score(b, "SELECT x FROM y WHERE z = 2", "codebleu",
                    {.ngram_weight = 0, .syntax_weight = 0, .dataflow_weight = 0}),
              (3 + 0.2 * 2) / 4, 1e-9);
  EXPECT_FALSE(similarity(QueryPair("SELECT 1", "SELECT 2", {}), "codebleu",
                          {.ngram_weight = 0, .keyword_weight = 0, .syntax_weight = 0})
                   .ok());
}

plan::PlanGraph normalised_graph(std::string_view sql) {
  return plan::graph_of(plan::normalise(*plan::plan_query(sql, catalog(), {})).plan);
}

TEST(DataFlow, OfAPlanGoesFromOperatorToOperator) {
  using Flows = std::unordered_map<std::string, std::size_t>;
  EXPECT_EQ(data_flows(normalised_graph("SELECT x.a FROM t AS x WHERE b > 1 AND a = 't.d'")),
            (Flows{{"t.b -> Filter", 1}, {"t.a -> Filter", 1}, {"t.a: Filter -> Project", 1}}));
  EXPECT_EQ(data_flows(normalised_graph("SELECT b, count(*) FROM t GROUP BY b ORDER BY count(*)")),
            (Flows{{"t.b -> Aggregate", 1},
                   {"t.b: Aggregate -> Project", 1},
                   {"count: Aggregate -> Sort", 1},
                   {"count: Sort -> Project", 1}}));
  EXPECT_EQ(data_flows(normalised_graph("SELECT 1")), Flows());
}

TEST(CodeBleuRot, ComparesOperatorTrees) {
  const auto part = [](std::string_view a, std::string_view b, double syntax, double flow) {
    return score(a, b, "codebleu-rot",
                 {.ngram_weight = 0, .keyword_weight = 0, .syntax_weight = syntax, .dataflow_weight = flow});
  };
  // Another spelling has the same tree and the same data flow; CodeBLEU on syntax trees tells them apart.
  constexpr std::string_view a = "SELECT x.a FROM t AS x WHERE x.b = 1 AND x.c BETWEEN 2 AND 3";
  constexpr std::string_view b = "SELECT a FROM (SELECT * FROM t WHERE c >= 2 AND c <= 3) WHERE 1 = b";
  EXPECT_DOUBLE_EQ(part(a, b, 1, 1), 1);
  EXPECT_LT(score(a, b, "codebleu", {.ngram_weight = 0, .keyword_weight = 0}), 1);
  // Leaves do not count in the tree, but in the data flow.
  EXPECT_DOUBLE_EQ(part("SELECT a FROM t WHERE b = 1", "SELECT c FROM t WHERE d = 2", 1, 0), 1);
  EXPECT_DOUBLE_EQ(part("SELECT a FROM t WHERE b = 1", "SELECT c FROM t WHERE d = 2", 0, 1), 0);
  EXPECT_DOUBLE_EQ(part("SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE d = 2", 0, 1), 0.5);
  // Rels(Scan(.) Filter(=(. .)) Project(.)) against Rels(Scan(.) Project(.)): Scan and Project of five subtrees.
  EXPECT_DOUBLE_EQ(part("SELECT a FROM t WHERE b = 1", "SELECT a FROM t", 1, 0), 2.0 / 5);
  // n-grams and keywords are those of the texts.
  const SimilarityOptions texts = {.syntax_weight = 0, .dataflow_weight = 0};
  EXPECT_DOUBLE_EQ(score(a, b, "codebleu-rot", texts), score(a, b, "codebleu", texts));
  const auto no_schema = similarity(QueryPair(a, b, {}), "codebleu-rot", {});
  ASSERT_FALSE(no_schema.ok());
  EXPECT_EQ(no_schema.error().message, "codebleu-rot needs a schema");
}

const Catalog* catalog_of(const std::filesystem::path& data, const std::string& db_id,
                          std::map<std::string, Catalog>& known) {
  const auto entry = known.find(db_id);
  if (entry != known.end()) return &entry->second;
  sqlite3* db = nullptr;
  const auto path = data / "spider" / "databases" / (db_id + ".sqlite");
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK) << path;
  auto read = read_catalog(db);
  EXPECT_TRUE(read.ok()) << path;
  sqlite3_close(db);
  return &known.emplace(db_id, read.ok() ? *std::move(read) : Catalog()).first->second;
}

// FuncEvalGMN's Table 1 has an AUC of 0.8442 for RelPM, 0.8281 for ASTPM, 0.6721 for CrystalBLEU and 0.8395 for
// CodeBLEU on operator trees.
TEST(SimilarityData, RanksAnnotatedPairs) {
  TRUSTSQL_NEEDS_DEVELOPMENT_DATA(data);
  const auto rows = read_jsonl(*data / "pairs" / "spider_pair_validation.jsonl");
  ASSERT_GT(rows.size(), 700U);
  std::map<std::string, Catalog> catalogs;
  const auto rank = [&](const SimilarityMetric& metric, TreeScoring scoring) {
    std::vector<LabelledScore> scores;
    for (const auto& row : rows) {
      const auto a = row.at("a").get<std::string>();
      const auto b = row.at("b").get<std::string>();
      const auto* tables =
          metric.needs_catalog ? catalog_of(*data, row.at("db_id").get<std::string>(), catalogs) : nullptr;
      scores.push_back({score(a, b, metric.name, {.scoring = scoring}, tables), row.at("label").get<int>() == 1});
    }
    const auto auc = roc_auc(scores);
    std::cout << metric.name << (scoring == TreeScoring::mean ? "" : ", recursive") << ": AUC " << *auc << '\n';
    EXPECT_GT(*auc, 0.6) << metric.name;
  };
  for (const auto& metric : similarity_metrics()) rank(metric, TreeScoring::mean);
  for (const std::string_view name : {"relpm", "astpm"}) rank(*find_similarity_metric(name), TreeScoring::recursive);
}

TEST(RelPm, SeesThroughSpelling) {
  EXPECT_DOUBLE_EQ(
      score("SELECT x.a FROM t AS x WHERE x.b = 1 AND x.c > 2", "select T.A from T where t.c > 2 and t.b = 1", "relpm"),
      1);
  EXPECT_DOUBLE_EQ(score("SELECT a FROM (SELECT * FROM t WHERE b > 1 + 1) WHERE c = 1",
                         "SELECT a FROM t WHERE c = 1 AND b > 2", "relpm"),
                   1);
  EXPECT_LT(score("SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = 2", "relpm"), 1);
}

TEST(RelPm, BetaAboveOneWeighsRecall) {
  // The candidate has everything that the reference has, and more: its recall is 1.
  constexpr std::string_view reference = "SELECT a FROM t WHERE b = 1";
  constexpr std::string_view candidate = "SELECT a FROM t WHERE b = 1 AND c = 2 AND d = 3";
  const double even = score(reference, candidate, "relpm");
  EXPECT_GT(score(reference, candidate, "relpm", {.beta = 3}), even);
  EXPECT_LT(score(reference, candidate, "relpm", {.beta = 0.3}), even);
  EXPECT_LT(score(candidate, reference, "relpm", {.beta = 3}), even);
}

TEST(RelPm, ClausesHaveWeights) {
  constexpr std::string_view a = "SELECT a FROM t WHERE b = 1";
  constexpr std::string_view b = "SELECT a FROM t WHERE c < 2";
  SimilarityOptions filter_heavy, no_filter;
  filter_heavy.clause_weights.weights[static_cast<std::size_t>(OperatorGroup::filter)] = 5;
  no_filter.clause_weights.weights[static_cast<std::size_t>(OperatorGroup::filter)] = 0;
  EXPECT_LT(score(a, b, "relpm", filter_heavy), score(a, b, "relpm"));
  EXPECT_GT(score(a, b, "relpm", no_filter), score(a, b, "relpm"));
  EXPECT_DOUBLE_EQ(score(a, a, "relpm", filter_heavy), 1);
  EXPECT_DOUBLE_EQ(score(a, a, "relpm", no_filter), 1);
}

TEST(RelPm, OfAQueryAndItselfIsOneInBothScorings) {
  SimilarityOptions options = {.scoring = TreeScoring::recursive, .omega = 0.3};
  options.clause_weights.weights[static_cast<std::size_t>(OperatorGroup::filter)] = 0;
  for (const auto query : queries) {
    EXPECT_DOUBLE_EQ(score(query, query, "relpm", options), 1) << query;
    EXPECT_DOUBLE_EQ(score(query, query, "astpm", options), 1) << query;
  }
}

TEST(RelPm, AWorkedExample) {
  // Trees: Rels(Scan(t) Project(t.a)) and Rels(Scan(t) Project(t.b)). With alpha 0.5: t.a matches nothing (0), Project
  // 0.5 + 0.5 * 0, Rels 0.5 + 0.5 * (1 + 0.5) / 2, Scan and t 1: (0.875 + 1 + 1 + 0.5 + 0) / 5 in both directions.
  EXPECT_NEAR(score("SELECT a FROM t", "SELECT b FROM t", "relpm"), 0.675, 1e-6);
  // Recursively: Scan 1, Project 0.5 * 0.5 + 0.5 * 0, Rels 0.5 * 0.875 + 0.5 * (1 + 0.25) / 2.
  EXPECT_NEAR(score("SELECT a FROM t", "SELECT b FROM t", "relpm", {.scoring = TreeScoring::recursive}), 0.75, 1e-6);
}

TEST(RelPm, Errors) {
  const auto message = [](std::string_view a, std::string_view b, const Catalog* tables) {
    const auto result = similarity(QueryPair(a, b, {}, tables), "relpm", {});
    return result.ok() ? "" : result.error().message;
  };
  EXPECT_EQ(message("SELECT 1", "SELECT 1", nullptr), "relpm needs a schema");
  EXPECT_EQ(message("SELECT 1", "SELECT nope FROM t", &catalog()), "b: no such column: nope");
  EXPECT_EQ(message("SELECT a FROM nope", "SELECT 1", &catalog()), "a: no such table: nope");
}

}  // namespace
}  // namespace trustsql
