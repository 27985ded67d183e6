// Pairs as in reports: matches over several tables, running totals, ranks, the second and the most.
#include <gtest/gtest.h>

#include "unit/equiv/prover_fixture.hpp"

namespace trustsql::equiv {
namespace {

using plan::Assume;

const char* const school = R"(
  CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT);
  CREATE TABLE player(id INTEGER PRIMARY KEY, team_id INTEGER NOT NULL REFERENCES team(id), born TEXT NOT NULL,
                      score INTEGER NOT NULL, height INTEGER);
  CREATE TABLE goal(id INTEGER PRIMARY KEY, player_id INTEGER NOT NULL REFERENCES player(id), minute INTEGER, kind TEXT);
)";

class ProverReports : public ProverOfPairs {
 protected:
  ProverReports() : ProverOfPairs(school) {}

  void same(const std::string& a, const std::string& b, const Assume& assume = Assume::nothing()) const {
    ProverOfPairs::same(a, b, {.assume = assume});
  }
  // For whatever reason.
  void unknown(const std::string& a, const std::string& b, const Assume& assume = Assume::everything()) const {
    EXPECT_FALSE(attempt(a, b, {.assume = assume}).proof) << a << "\n" << b;
  }
  static Assume keys() {
    auto assume = Assume::nothing();
    assume.foreign_keys = true;
    return assume;
  }
};

TEST_F(ProverReports, MatchesOfMatches) {
  const std::string chain =
      " FROM team t LEFT JOIN player p ON p.team_id = t.id LEFT JOIN goal g ON g.player_id = p.id GROUP BY t.id";
  same("SELECT t.name, count(g.id)" + chain,
       "SELECT t.name, (SELECT count(*) FROM goal g JOIN player p ON g.player_id = p.id WHERE p.team_id = t.id) FROM "
       "team t");
  same("SELECT t.name, max(g.minute)" + chain,
       "SELECT t.name, m FROM team t LEFT JOIN (SELECT p.team_id, max(g.minute) AS m FROM player p JOIN goal g ON "
       "g.player_id = p.id GROUP BY p.team_id) AS x ON x.team_id = t.id");
  // Players without a goal are counted.
  unknown(
      "SELECT t.name, count(p.id)" + chain,
      "SELECT t.name, (SELECT count(*) FROM goal g JOIN player p ON g.player_id = p.id WHERE p.team_id = t.id) FROM "
      "team t");
  unknown(
      "SELECT t.name, count(*)" + chain,
      "SELECT t.name, (SELECT count(*) FROM goal g JOIN player p ON g.player_id = p.id WHERE p.team_id = t.id) FROM "
      "team t");
  const std::string parents =
      "SELECT t.name, g.minute, p.score FROM team t LEFT JOIN goal g ON g.kind = t.city LEFT JOIN player p ON p.id = "
      "g.player_id";
  const std::string nested =
      "SELECT t.name, x.minute, x.score FROM team t LEFT JOIN (SELECT g.kind, g.minute, p.score FROM goal g JOIN "
      "player "
      "p ON p.id = g.player_id) AS x ON x.kind = t.city";
  same(parents, nested, keys());
  EXPECT_FALSE(attempt(parents, nested).proof);
  same("SELECT t.name, count(CASE WHEN g.kind = 'own' THEN g.id END)" + chain,
       "SELECT t.name, count(CASE WHEN g.kind = 'own' THEN 1 END)" + chain);
}

TEST_F(ProverReports, AveragesPerParent) {
  same(
      "SELECT avg(n) FROM (SELECT t.id, count(p.id) AS n FROM team t LEFT JOIN player p ON p.team_id = t.id GROUP BY "
      "t.id)",
      "SELECT (SELECT count(*) FROM player) * 1.0 / (SELECT count(*) FROM team)", keys());
  same("SELECT count(p.height) * 1.0 / count(DISTINCT t.id) FROM team t LEFT JOIN player p ON p.team_id = t.id",
       "SELECT (SELECT count(height) FROM player) * 1.0 / (SELECT count(*) FROM team)", keys());
  unknown(
      "SELECT avg(n) FROM (SELECT t.id, count(*) AS n FROM team t LEFT JOIN player p ON p.team_id = t.id GROUP BY "
      "t.id)",
      "SELECT (SELECT count(*) FROM player) * 1.0 / (SELECT count(*) FROM team)");
}

TEST_F(ProverReports, RanksAndRunningTotals) {
  same("SELECT id, rank() OVER (PARTITION BY team_id ORDER BY score DESC) FROM player",
       "SELECT p.id, 1 + (SELECT count(*) FROM player q WHERE q.team_id = p.team_id AND q.score > p.score) FROM player "
       "p");
  same(
      "SELECT id FROM (SELECT id, dense_rank() OVER (PARTITION BY team_id ORDER BY score DESC) AS r FROM player) WHERE "
      "r "
      "<= 3",
      "SELECT p.id FROM player p WHERE (SELECT count(DISTINCT q.score) FROM player q WHERE q.team_id = p.team_id AND "
      "q.score > p.score) < 3");
  same("SELECT id, sum(score) OVER (ORDER BY id) FROM player",
       "SELECT p.id, (SELECT sum(q.score) FROM player q WHERE q.id <= p.id) FROM player p");
  same("SELECT id, sum(score) OVER (ORDER BY born, id ROWS UNBOUNDED PRECEDING) FROM player",
       "SELECT p.id, (SELECT sum(q.score) FROM player q WHERE q.born < p.born OR (q.born = p.born AND q.id <= p.id)) "
       "FROM "
       "player p");
  same("SELECT id, lag(born) OVER (PARTITION BY team_id ORDER BY born, id) FROM player",
       "SELECT p.id, (SELECT max(q.born) FROM player q WHERE q.team_id = p.team_id AND (q.born < p.born OR (q.born = "
       "p.born AND q.id < p.id))) FROM player p");
  unknown("SELECT id, rank() OVER (ORDER BY score DESC) FROM player",
          "SELECT p.id, (SELECT count(*) FROM player q WHERE q.score >= p.score) FROM player p");
  unknown("SELECT id, dense_rank() OVER (ORDER BY score DESC) FROM player",
          "SELECT p.id, 1 + (SELECT count(*) FROM player q WHERE q.score > p.score) FROM player p");
  // Nobody is higher than a NULL.
  unknown("SELECT id, rank() OVER (ORDER BY height DESC) FROM player",
          "SELECT p.id, 1 + (SELECT count(*) FROM player q WHERE q.height > p.height) FROM player p");
  unknown("SELECT id, sum(score) OVER (ORDER BY born ROWS UNBOUNDED PRECEDING) FROM player",
          "SELECT p.id, (SELECT sum(q.score) FROM player q WHERE q.born <= p.born) FROM player p");
  unknown("SELECT id, lag(born) OVER (ORDER BY born) FROM player",
          "SELECT p.id, (SELECT max(q.born) FROM player q WHERE q.born < p.born) FROM player p");
}

TEST_F(ProverReports, TheSecondAndTheMost) {
  const std::string below = "SELECT max(score) FROM player WHERE score < (SELECT max(score) FROM player)";
  same("SELECT (SELECT DISTINCT score FROM player ORDER BY score DESC LIMIT 1 OFFSET 1)", below);
  same("SELECT id FROM player WHERE score = (SELECT DISTINCT score FROM player ORDER BY score DESC LIMIT 1 OFFSET 1)",
       "SELECT id FROM player WHERE score = (" + below + ")");
  unknown("SELECT (SELECT score FROM player ORDER BY score DESC LIMIT 1 OFFSET 1)", below);
  unknown("SELECT DISTINCT score FROM player ORDER BY score DESC LIMIT 1 OFFSET 1", below);
  unknown("SELECT (SELECT DISTINCT score FROM player ORDER BY score DESC LIMIT 1 OFFSET 2)", below);
  const std::string groups = "WITH g AS (SELECT team_id, count(*) AS n FROM player GROUP BY team_id) ";
  const std::string most = groups + "SELECT team_id FROM g WHERE n = (SELECT max(n) FROM g)";
  same(groups + "SELECT a.team_id FROM g a WHERE NOT EXISTS (SELECT 1 FROM g b WHERE b.n > a.n)", most);
  same(
      "SELECT team_id FROM player GROUP BY team_id HAVING count(*) >= (SELECT max(n) FROM (SELECT count(*) AS n FROM "
      "player GROUP BY team_id))",
      most);
  unknown(
      "SELECT team_id FROM player WHERE score > 1 GROUP BY team_id HAVING count(*) >= (SELECT max(n) FROM (SELECT "
      "count(*) AS n FROM player GROUP BY team_id))",
      "SELECT team_id FROM player WHERE score > 1 GROUP BY team_id HAVING count(*) = (SELECT max(n) FROM (SELECT "
      "count(*) AS n FROM player GROUP BY team_id))");
}

TEST_F(ProverReports, GroupsThatAreLargeEnough) {
  const std::string large = "SELECT t.name, avg(p.height) FROM team t JOIN player p ON p.team_id = t.id ";
  same(large + "GROUP BY t.id, t.name HAVING count(*) >= 3",
       large + "WHERE t.id IN (SELECT team_id FROM player GROUP BY team_id HAVING count(*) > 2) GROUP BY t.id");
  same(large + "WHERE p.score > 1 GROUP BY t.id HAVING max(p.score) > 5",
       large +
           "WHERE p.score > 1 AND t.id IN (SELECT team_id FROM player WHERE score > 1 GROUP BY team_id HAVING "
           "max(score) > 5) GROUP BY t.id");
  unknown(large + "WHERE p.score > 1 GROUP BY t.id HAVING count(*) >= 3",
          large +
              "WHERE p.score > 1 AND t.id IN (SELECT team_id FROM player GROUP BY team_id HAVING count(*) > 2) GROUP "
              "BY t.id");
  unknown(large + "GROUP BY t.city HAVING count(*) >= 3",
          large + "WHERE t.id IN (SELECT team_id FROM player GROUP BY team_id HAVING count(*) > 2) GROUP BY t.city");
}

}  // namespace
}  // namespace trustsql::equiv
