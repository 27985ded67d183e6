// What a proof claims: the question that it answers, and whether two results agree with it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "equiv/prover.hpp"
#include "unit/equiv/families/ground.hpp"
#include "unit/equiv/families/tree.hpp"

namespace trustsql::families {

// What is asked of the pairs of a family.
struct Setting {
  equiv::ProveOptions options;
  bool no_nulls = false;         // no column of any table holds NULL
  bool no_empty_tables = false;  // every table has a row

  std::string text() const;
};

Setting random_setting(Picker& picker);

// One query of a family.
struct Query {
  Node tree;
  std::string sql;
  equiv::ProverQuery plan;
  Prepared statement;
  std::vector<Outcome> outcomes{};  // by database
};

// What is tested: equiv::prove(), or something that is wrong on purpose.
using Prover = std::function<equiv::ProofAttempt(equiv::ProverQuery& a, equiv::ProverQuery& b,
                                                 const equiv::ProveOptions& options)>;

// nullopt if SQLite or the builder rejects it.
std::optional<Query> read(const Node& tree, const Ground& ground, const Setting& setting);

// Whether a proof covers a database with these departures.
bool covers(const Setting& setting, const std::vector<plan::Assumption>& assumptions, const Departures& departures);

// Whether a proof relies on ties being taken alike, so that results which depend on the order of rows may differ.
bool allows_ties(const std::vector<plan::Assumption>& assumptions);

// Whether a query has an ORDER BY at its outermost level.
bool has_order(const Node& query);
// Whether the order of rows counts for a pair.
bool is_list(const Setting& setting, const Node& a, const Node& b);

enum class Difference {
  none,
  numbers,     // 1 and 1.0, reals that differ in their last digits, or that SQLite rounds otherwise in another order
  ties,        // only rows that ORDER BY leaves tied are in another order
  order_open,  // one of the queries gives a different result when SQLite reads rows in another order
  sqlite,      // one of them gives a different result without SQLite's optimisations or automatic indexes
  plain,
};
std::string_view name(Difference difference);
// Whether a difference may come from rows that a query takes in an order which nothing fixes. Automatic indexes and
// other optimisations change that order too, and the order of tied rows within a window is seen by nothing else.
bool may_be_of_ties(Difference difference);

// Whether two results are the same for `setting`. `loose`: 1 is 1.0, and reals may differ in their last digits.
bool same_result(const Rows& a, const Rows& b, const Setting& setting, bool list, bool loose);

// How the results of two queries differ on what `ground` was filled with.
Difference compare(Ground& ground, const Filling& filling, const Setting& setting, const Node& a, const Node& b);

// The rows of a result, for people.
std::string show(const Rows& rows);

}  // namespace trustsql::families
