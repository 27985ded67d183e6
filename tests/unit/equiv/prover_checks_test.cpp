// What CHECK constraints let the prover conclude, if they may be assumed.
#include <algorithm>

#include "equiv/checker/check_facts.hpp"
#include "unit/equiv/prover_fixture.hpp"

namespace trustsql::equiv {
namespace {

using plan::Assume;
using plan::Assumption;

class ProverWithChecks : public ProverOfPairs {
 protected:
  ProverWithChecks()
      : ProverOfPairs(R"(
  CREATE TABLE crate(id INTEGER PRIMARY KEY, pieces INTEGER NOT NULL CHECK (pieces > 0),
                     sealed INTEGER NOT NULL CHECK (sealed IN (0, 1)), colour TEXT CHECK (colour IN ('red', 'blue')),
                     share INTEGER CHECK (share BETWEEN 0 AND 100), from_id INTEGER NOT NULL, to_id INTEGER NOT NULL,
                     CHECK (from_id <> to_id));
  CREATE TABLE label(id INTEGER PRIMARY KEY, crate_id INTEGER REFERENCES crate(id), word TEXT COLLATE NOCASE CHECK (word <> 'none'),
                     weight REAL CHECK (weight >= 0), twice AS (weight * 2) CHECK (twice < 10), grade CHECK (grade IS NOT NULL));
  CREATE TABLE odd(a INT CHECK (typeof(a) = 'integer'), b INT CHECK (odd.b < 5), "c d" INT CHECK ("c d" < 5),
                   e INT CHECK (e <> 'x'), f TEXT CHECK (f IN ("north", "south")), g TEXT CHECK (g <> 'none'));
)") {}

  static Assume constraints() {
    auto assume = Assume::nothing();
    assume.checks = true;
    return assume;
  }
  static Assume with_types() {
    auto assume = constraints();
    assume.declared_types = true;
    return assume;
  }
  void holds(const std::string& a, const std::string& b, const Assume& assume = constraints()) const {
    same(a, b, {.assume = assume});
    EXPECT_FALSE(attempt(a, b, {.assume = Assume::nothing()}).proof) << "without the CHECK: " << a << "\n" << b;
  }
  void open(const std::string& a, const std::string& b, const Assume& assume = constraints()) const {
    unknown(a, b, ProofGap::Kind::different_trees, {.assume = assume});
  }
};

TEST_F(ProverWithChecks, ConditionsFollowFromThem) {
  holds("SELECT id FROM crate WHERE pieces > 0", "SELECT id FROM crate");
  holds("SELECT id FROM crate WHERE sealed <> 0", "SELECT id FROM crate WHERE sealed = 1");
  holds("SELECT id FROM crate WHERE colour <> 'red'", "SELECT id FROM crate WHERE colour = 'blue'");
  holds("SELECT count(*) FROM crate WHERE from_id <> to_id", "SELECT count(*) FROM crate");
  holds("SELECT id FROM crate WHERE colour = 'green'", "SELECT id FROM crate WHERE 1 = 0");
  holds("SELECT colour, sum(pieces) FROM crate WHERE colour IN ('red', 'blue') GROUP BY colour",
        "SELECT colour, sum(pieces) FROM crate WHERE colour IS NOT NULL GROUP BY colour");
  holds("SELECT l.id FROM label l JOIN crate c ON c.id = l.crate_id WHERE c.sealed IN (0, 1)",
        "SELECT l.id FROM label l JOIN crate c ON c.id = l.crate_id");
  holds("SELECT f FROM odd WHERE f <> 'north'", "SELECT f FROM odd WHERE f = 'south'");
}

// SQLite takes NULL for no violation.
TEST_F(ProverWithChecks, NullPasses) {
  holds("SELECT id FROM crate WHERE share >= 0", "SELECT id FROM crate WHERE share IS NOT NULL");
  open("SELECT id FROM crate WHERE share >= 0", "SELECT id FROM crate");
  open("SELECT id FROM crate WHERE colour <> 'red' OR colour IS NULL", "SELECT id FROM crate WHERE colour = 'blue'");
  open("SELECT id FROM label WHERE weight >= 0", "SELECT id FROM label");
}

// An integer column may hold 0.5 and 'abc', both of which are greater than 0.
TEST_F(ProverWithChecks, TypesAreAnotherAssumption) {
  open("SELECT id FROM crate WHERE pieces >= 1", "SELECT id FROM crate");
  holds("SELECT id FROM crate WHERE pieces >= 1", "SELECT id FROM crate", with_types());
  open("SELECT id FROM crate WHERE pieces >= 2", "SELECT id FROM crate", with_types());
}

// The rows that an outer join makes have not been checked.
TEST_F(ProverWithChecks, RowsOfOuterJoinsMayViolateThem) {
  open("SELECT c.id FROM crate c LEFT JOIN label l ON l.crate_id = c.id WHERE l.grade IS NOT NULL",
       "SELECT c.id FROM crate c LEFT JOIN label l ON l.crate_id = c.id");
  holds("SELECT l.id FROM label l WHERE l.grade IS NOT NULL", "SELECT l.id FROM label l");
  holds("SELECT c.id, l.grade FROM crate c LEFT JOIN label l ON l.crate_id = c.id AND l.grade IS NOT NULL",
        "SELECT c.id, l.grade FROM crate c LEFT JOIN label l ON l.crate_id = c.id");
}

TEST_F(ProverWithChecks, UnusualOnesAreIgnored) {
  open("SELECT id FROM label WHERE twice < 10", "SELECT id FROM label WHERE twice IS NOT NULL");
  open("SELECT a FROM odd WHERE typeof(a) = 'integer'", "SELECT a FROM odd");
  // The collation is that of the column.
  open("SELECT g FROM odd WHERE g <> 'none' COLLATE NOCASE", "SELECT g FROM odd WHERE g IS NOT NULL");
  holds("SELECT id FROM label WHERE word <> 'NONE'", "SELECT id FROM label WHERE word IS NOT NULL");
}

TEST_F(ProverWithChecks, NamesAreThoseOfTheTable) {
  holds("SELECT b FROM odd WHERE b < 5", "SELECT b FROM odd WHERE b IS NOT NULL");
  holds("SELECT 1 FROM odd WHERE \"c d\" < 5", "SELECT 1 FROM odd WHERE \"c d\" IS NOT NULL");
  holds("SELECT o.b FROM odd AS o WHERE o.b < 5", "SELECT p.b FROM odd AS p WHERE p.b IS NOT NULL");
}

TEST_F(ProverWithChecks, AreSaidToBeAssumed) {
  const auto proved = attempt("SELECT id FROM crate WHERE sealed <> 0 AND colour = 'red'",
                              "SELECT id FROM crate WHERE sealed = 1 AND colour = 'red'", {.assume = with_types()});
  ASSERT_TRUE(proved.proof);
  const Assumption check{Assumption::Kind::check, "crate", {"sealed IN (0, 1)"}, {}};
  EXPECT_EQ(proved.proof->assumptions, std::vector{check});
  EXPECT_EQ(describe(check), "CHECK (sealed IN (0, 1)) of crate holds");
  const auto needless = attempt("SELECT id FROM crate WHERE pieces > 3", "SELECT id FROM crate WHERE 3 < pieces",
                                {.assume = with_types()});
  ASSERT_TRUE(needless.proof);
  EXPECT_TRUE(needless.proof->assumptions.empty());
}

// What the checker takes for a CHECK, with other code than the search.
TEST_F(ProverWithChecks, CheckerReadsThemItself) {
  const auto plan = maker_.plan("SELECT * FROM label, odd, crate");
  std::vector<const plan::Scan*> scans;
  plan::walk(plan.root, [&](const plan::Scan& scan) { scans.push_back(&scan); });
  ASSERT_EQ(scans.size(), 3U);
  checker::CheckFacts facts;
  const auto read = [&](const char* table, const char* text) {
    const auto scan = *std::ranges::find_if(scans, [&](const auto* each) { return each->name == table; });
    return facts
        .read(*scan->table, text,
              [&](int position) -> std::optional<plan::AttributeId> {
                for (const auto& column : scan->columns) {
                  if (column.position == position) return column.id;
                }
                return std::nullopt;
              })
        .has_value();
  };
  EXPECT_TRUE(read("crate", "pieces > 0"));
  EXPECT_TRUE(read("crate", "from_id <> to_id"));
  EXPECT_FALSE(read("crate", "pieces > 1")) << "no such CHECK";
  EXPECT_FALSE(read("label", "twice < 10")) << "a computed column";
  EXPECT_FALSE(read("odd", "typeof(a) = 'integer'")) << "a function that it does not know";
  EXPECT_TRUE(read("odd", "odd.b < 5"));
}

}  // namespace
}  // namespace trustsql::equiv
