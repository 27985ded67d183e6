// The graph of a plan, on worked examples.
#include "plan/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/plan/plan_of.hpp"

namespace trustsql::plan {
namespace {

using testing_support::PlanMaker;

constexpr const char* schema =
    "CREATE TABLE Pets(PetId INTEGER PRIMARY KEY, Type TEXT, Weight REAL); CREATE TABLE Owner(Id INTEGER PRIMARY KEY, "
    "PetId INT, Name TEXT);";

// The tree edges as nested texts: computing nodes bare, content nodes quoted.
std::string tree(const PlanGraph& graph, int node = 0) {
  const auto& own = graph.nodes[static_cast<std::size_t>(node)];
  std::string text = own.kind == PlanGraph::NodeKind::content ? "'" + own.value + "'" : own.value;
  std::string children;
  for (const auto& edge : graph.edges) {
    if (edge.kind == PlanGraph::EdgeKind::tree && edge.from == node)
      children += (children.empty() ? "" : " ") + tree(graph, edge.to);
  }
  return children.empty() ? text : text + "(" + children + ")";
}

// The edges of one kind as the values of their ends.
std::vector<std::string> edges(const PlanGraph& graph, PlanGraph::EdgeKind kind) {
  std::vector<std::string> edges;
  for (const auto& edge : graph.edges) {
    if (edge.kind == kind)
      edges.push_back(graph.nodes[static_cast<std::size_t>(edge.from)].value + " > " +
                      graph.nodes[static_cast<std::size_t>(edge.to)].value);
  }
  return edges;
}

using Texts = std::vector<std::string>;

TEST(PlanGraph, OperatorsStandBelowRelsInTheOrderOfExecution) {
  PlanMaker maker(schema);
  const auto graph = graph_of(maker.plan("SELECT type, max(weight) FROM pets p WHERE weight > 2.5 GROUP BY type"));
  EXPECT_EQ(tree(graph),
            "Rels(Scan('pets') Filter(>('pets.weight' '2.5')) Aggregate(Key('pets.type') max('pets.weight')) "
            "Project('pets.type' 'max'))");
  EXPECT_EQ(edges(graph, PlanGraph::EdgeKind::logic),
            (Texts{"Scan > Filter", "Filter > Aggregate", "Aggregate > Project"}));
  // The weight goes from the filter to the aggregate, and the result of that to the projection.
  EXPECT_EQ(edges(graph, PlanGraph::EdgeKind::data),
            (Texts{"pets.weight > pets.weight", "pets.type > pets.type", "max > max"}));
}

TEST(PlanGraph, BothInputsOfAJoinLeadToIt) {
  PlanMaker maker(schema);
  const auto graph =
      graph_of(maker.plan("SELECT name FROM owner o LEFT JOIN pets ON o.petid = pets.petid ORDER BY weight DESC"));
  EXPECT_EQ(tree(graph),
            "Rels(Scan('owner') Scan('pets') LeftJoin(=('owner.petid' 'pets.petid')) Project('owner.name' "
            "'pets.weight') Sort(Desc('pets.weight')) "
            "Project('owner.name'))");
  EXPECT_EQ(edges(graph, PlanGraph::EdgeKind::logic),
            (Texts{"Scan > LeftJoin", "Scan > LeftJoin", "LeftJoin > Project", "Project > Sort", "Sort > Project"}));
}

TEST(PlanGraph, ColumnsOfTwoInstancesOfATableAreNotConnected) {
  PlanMaker maker(schema);
  const auto graph =
      graph_of(maker.plan("SELECT a.type FROM pets a, pets b WHERE a.weight > b.weight AND a.weight > 1"));
  EXPECT_EQ(edges(graph, PlanGraph::EdgeKind::data), Texts{"pets.weight > pets.weight"});
}

TEST(PlanGraph, ASubqueryHasARelsNodeOfItsOwn) {
  PlanMaker maker(schema);
  const auto graph =
      graph_of(maker.plan("SELECT name FROM owner WHERE petid IN (SELECT petid FROM pets WHERE type = 'cat')"));
  EXPECT_EQ(tree(graph),
            "Rels(Scan('owner') Filter(IN('owner.petid' Rels(Scan('pets') Filter(=('pets.type' ''cat'')) "
            "Project('pets.petid')))) Project('owner.name'))");
}

TEST(PlanGraph, AColumnOfASetOperationComesFromAllItsArms) {
  PlanMaker maker(schema);
  const auto graph = graph_of(maker.plan("SELECT type FROM pets UNION SELECT name FROM owner ORDER BY 1"));
  EXPECT_EQ(edges(graph, PlanGraph::EdgeKind::data), (Texts{"pets.type > pets.type", "owner.name > pets.type"}));
}

TEST(PlanGraph, DoesNotDependOnAliasesOrCase) {
  PlanMaker maker(schema);
  EXPECT_EQ(graph_of(maker.plan("SELECT X.NAME AS n FROM OWNER X")),
            graph_of(maker.plan("select owner.name from owner")));
  EXPECT_FALSE(graph_of(maker.plan("SELECT name FROM owner")) == graph_of(maker.plan("SELECT id FROM owner")));
}

TEST(PlanGraph, NodesOfSubtreesAreContiguous) {
  PlanMaker maker(schema);
  const auto graph =
      graph_of(maker.plan("SELECT CASE WHEN weight > 1 THEN type ELSE upper(type) END, sum(weight) OVER (PARTITION BY "
                          "type ORDER BY petid) FROM pets"));
  // Each node except the first has one parent, which comes before it.
  std::vector<int> parents(graph.nodes.size(), 0);
  for (const auto& edge : graph.edges) {
    if (edge.kind != PlanGraph::EdgeKind::tree) continue;
    EXPECT_LT(edge.from, edge.to);
    ++parents[static_cast<std::size_t>(edge.to)];
  }
  EXPECT_EQ(parents.front(), 0);
  EXPECT_TRUE(std::all_of(parents.begin() + 1, parents.end(), [](int n) { return n == 1; }));
}

}  // namespace
}  // namespace trustsql::plan
