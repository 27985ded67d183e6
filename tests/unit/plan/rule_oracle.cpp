#include "unit/plan/rule_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "plan/types.hpp"
#include "plan/walk.hpp"

namespace trustsql::testing_support {

using namespace plan;

namespace {

// The ORDER BY of the query itself.
const Sort* order_of(const Rel& rel) {
  if (const auto* n = rel.as<Sort>()) return n;
  if (const auto* n = rel.as<Project>()) return order_of(*n->input);
  if (const auto* n = rel.as<Limit>()) return order_of(*n->input);
  return nullptr;
}

bool is_total(const Sort& sort, const Plan& plan) {
  AttributeSet keys;
  for (const auto& key : sort.keys) {
    const auto* id = column_id(key.expr);
    if (id != nullptr && key.collation == binary_collation) keys.add(*id);
  }
  return is_superkey(keys, facts_of(*sort.input, plan));
}

class LooseFinder {
 public:
  explicit LooseFinder(const Plan& plan) : plan_(plan) {}

  std::string find() {
    visit(plan_.root);
    if (reason_.empty() && is_volatile(plan_.root)) reason_ = "volatile function";
    return reason_;
  }

 private:
  void found(const char* reason) {
    if (reason_.empty()) reason_ = reason;
  }

  void visit(const Rel& rel) {
    for_each_rel(rel, [&](const Rel& input) { visit(input); });
    for_each_expr(rel, [&](const Expr& expr) { visit(expr); });
    if (const auto* n = rel.as<Limit>()) check_limit(*n);
    if (const auto* n = rel.as<Aggregate>()) check_aggregate(*n);
    if (rel.is<Window>()) found("window function");
    if (rel.is<Recursive>()) found("recursion");
    if (const auto* n = rel.as<Distinct>()) check_columns(outputs(*n->input), n->collations);
    if (const auto* n = rel.as<SetOp>(); n != nullptr && n->op != ast::SetOp::union_all) {
      for (const auto& input : n->inputs) check_columns(outputs(input), n->collations);
      const auto first = outputs(n->inputs.front());
      for (const auto& input : n->inputs) {
        const auto ids = outputs(input);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          if (!equal_is_identical(column(first[i]), column(ids[i]), plan_)) found("1 and 1.0 are merged");
        }
      }
    }
    if (const auto* n = rel.as<Join>(); n != nullptr && (n->type == JoinType::right || n->type == JoinType::full)) {
      if (n->left->is<TableFunction>() || n->right->is<TableFunction>())
        found("a table-valued function in RIGHT or FULL JOIN, which SQLite 3.40 gets wrong");
    }
    if (const auto* n = rel.as<SetOp>(); n != nullptr) {
      // Which SELECT gives a column its affinity is left open (https://sqlite.org/datatype3.html, section 3.3), and with it
      // how it compares, and whether integers in it become reals.
      const auto first = outputs(n->inputs.front());
      for (const auto& input : n->inputs) {
        const auto ids = outputs(input);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          if (plan_.attributes[first[i]].affinity != plan_.attributes[ids[i]].affinity) found("a compound query of different affinities");
        }
      }
    }
    if (const auto* n = rel.as<Apply>(); n != nullptr && n->type == ApplyType::scalar && !at_most_one_row(facts_of(*n->right, plan_))) {
      found("first row of several");
    }
  }

  void visit(const Expr& expr) {
    for_each_expr(expr, [&](const Expr& operand) { visit(operand); });
    for_each_rel(expr, [&](const Rel& rel) { visit(rel); });
    if (const auto* n = expr.as<ScalarSubquery>(); n != nullptr && !at_most_one_row(facts_of(*n->rel, plan_))) found("first row of several");
  }

  void check_columns(const std::vector<AttributeId>& ids, const std::vector<std::string_view>& collations) {
    for (const auto id : ids) {
      if (!equal_is_identical(column(id), plan_)) found("1 and 1.0 are merged");
    }
    for (const auto collation : collations) {
      if (collation != binary_collation) found("texts are merged by a collation");
    }
  }

  void check_aggregate(const Aggregate& n) {
    const auto facts = facts_of(*n.input, plan_);
    AttributeSet keys;
    for (const auto& key : n.keys) {
      const auto* id = column_id(key.expr);
      if (id != nullptr && key.collation == binary_collation) keys.add(*id);
      if (key.collation != binary_collation) found("texts are merged by a collation");
      if (!equal_is_identical(key.expr, plan_)) found("1 and 1.0 are merged");
    }
    for (const auto& call : n.calls) {
      if (call.is_bare()) {
        // Over no rows at all SQLite makes it NULL, or what an expression in its place gives for a row of NULLs.
        if (!n.grouped || !references(call.arguments.front()).is_subset_of(closure(keys, facts))) found("bare column");
      } else if (call.name == "min" || call.name == "max") {
        if (call.collation != binary_collation || !equal_is_identical(call.arguments.front(), plan_)) found("one of equal values");
      } else if (call.name != "count" && call.name != "sum" && call.name != "avg" && call.name != "total") {
        found("aggregate that sees the order");
      } else if (call.distinct && (call.collation != binary_collation || !equal_is_identical(call.arguments.front(), plan_))) {
        found("one of equal values");
      }
    }
  }

  void check_limit(const Limit& n) {
    if (at_most_one_row(facts_of(*n.input, plan_))) return;
    const Rel* input = n.input.get();
    while (const auto* project = input->as<Project>()) input = project->input.get();
    const auto* sort = input->as<Sort>();
    if (sort == nullptr) {
      found("LIMIT without ORDER BY");
      return;
    }
    if (!is_total(*sort, plan_)) found("LIMIT with ties");
  }

  const Plan& plan_;
  std::string reason_;
};

std::string text_of(sqlite3_stmt* statement, int column, bool merge_numbers) {
  const auto bytes = [&](const void* data) {
    return std::string(static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
  };
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: {
      const auto value = sqlite3_column_int64(statement, column);
      if (merge_numbers && std::abs(static_cast<double>(value)) < 1e9) return std::to_string(value) + "n";
      return std::to_string(value) + (merge_numbers ? "n" : "i");
    }
    case SQLITE_FLOAT: {
      double value = sqlite3_column_double(statement, column);
      if (value == 0) value = 0;  // -0.0
      char text[40];
      // Sums of reals depend on their order in the last digits.
      std::snprintf(text, sizeof text, merge_numbers ? "%.9gn" : "%.9gr", value);
      return text;
    }
    case SQLITE_TEXT: return "'" + bytes(sqlite3_column_text(statement, column)) + "'";
    case SQLITE_BLOB: return "x'" + bytes(sqlite3_column_blob(statement, column)) + "'";
    default: return "NULL";
  }
}

QueryRows run_query(sqlite3* db, const std::string& sql, bool merge_numbers, bool reversed) {
  QueryRows result;
  if (reversed) sqlite3_exec(db, "PRAGMA reverse_unordered_selects = 1", nullptr, nullptr, nullptr);
  sqlite3_stmt* statement = nullptr;
  int rc = sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr);
  if (rc == SQLITE_OK && statement != nullptr) {
    int left = 300;
    sqlite3_progress_handler(
        db, 10'000, [](void* counter) { return --*static_cast<int*>(counter) < 0 ? 1 : 0; }, &left);
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW && result.list.size() < 100'000) {
      std::string row;
      for (int i = 0; i < sqlite3_column_count(statement); ++i) row += text_of(statement, i, merge_numbers) + "|";
      result.list.push_back(std::move(row));
    }
    sqlite3_progress_handler(db, 0, nullptr, nullptr);
  }
  result.ok = rc == SQLITE_DONE;
  if (!result.ok) result.message = rc == SQLITE_ROW ? "interrupted" : sqlite3_errmsg(db);
  sqlite3_finalize(statement);
  if (reversed) sqlite3_exec(db, "PRAGMA reverse_unordered_selects = 0", nullptr, nullptr, nullptr);
  result.bag = result.list;
  std::sort(result.bag.begin(), result.bag.end());
  return result;
}

// Errors of single rows, which a query may raise or not, as it happens to look at them.
bool is_error_of_a_row(const std::string& message) {
  for (const char* known : {"integer overflow", "malformed JSON", "interrupted", "pattern too complex", "ESCAPE expression", "datatype mismatch",
                            "too big", "JSON path"}) {
    if (message.find(known) != message.npos) return true;
  }
  return false;
}

std::string show(const std::vector<std::string>& rows) {
  std::string text = std::to_string(rows.size()) + " rows";
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 5); ++i) text += (i == 0 ? ": " : " / ") + rows[i].substr(0, 200);
  return text;
}

std::string dump(sqlite3* db) {
  std::string text;
  sqlite3_stmt* tables = nullptr;
  sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'", -1, &tables, nullptr);
  while (sqlite3_step(tables) == SQLITE_ROW) {
    const std::string name(reinterpret_cast<const char*>(sqlite3_column_text(tables, 0)));
    const auto rows = run_query(db, "SELECT * FROM \"" + name + "\"", false, false);
    if (!rows.list.empty()) text += "\n    " + name + ": ";
    for (const auto& row : rows.list) text += row + " / ";
  }
  sqlite3_finalize(tables);
  return text.substr(0, 3000);
}

}  // namespace

std::string is_loose(const Plan& plan) { return LooseFinder(plan).find(); }

RuleOracle::RuleOracle(sqlite3* source, const Catalog& catalog, const ValueHints& hints, int count, std::uint64_t seed) {
  const auto ddl = ddl_of(source);
  for (int i = 0; i < count; ++i) {
    for (const auto manner : {Manner::orderly, Manner::wild}) {
      databases_.push_back(
          {random_database(ddl, catalog, hints, manner, mix64(seed + static_cast<std::uint64_t>(i) * 2 + (manner == Manner::wild ? 1 : 0))), manner});
    }
  }
}

RuleOracle::Original RuleOracle::run(const std::string& sql, const Plan& plan) {
  const auto* sort = order_of(plan.root);
  Original original{.sql = sql, .ordered = sort != nullptr, .total = sort != nullptr && is_total(*sort, plan), .loose = !is_loose(plan).empty()};
  for (const auto& entry : databases_) original.rows.push_back(run_query(entry.db.get(), sql, original.loose, false));
  return original;
}

Verdict RuleOracle::compare(const Original& original, const std::string& sql, bool orderly_only) {
  Verdict verdict;
  using Outcome = Verdict::Outcome;
  for (std::size_t i = 0; i < databases_.size(); ++i) {
    const auto& expected = original.rows[i];
    if (!expected.ok || (orderly_only && databases_[i].manner != Manner::orderly)) continue;
    auto* db = databases_[i].db.get();
    const auto found = run_query(db, sql, original.loose, false);
    ++verdict.runs;
    if (!found.ok) {
      if (is_error_of_a_row(found.message)) continue;
      return {Outcome::different, verdict.runs, found.message};
    }
    if (found.bag == expected.bag && (!original.ordered || found.list == expected.list)) continue;
    const auto reversed = run_query(db, original.sql, original.loose, true);
    const bool only_order = found.bag == expected.bag;
    const auto difference =
        (only_order ? "order: " + show(expected.list) + "  AND  " + show(found.list) : show(expected.bag) + "  AND  " + show(found.bag)) + dump(db);
    if (only_order) {
      if (original.total && !original.loose) return {Outcome::different, verdict.runs, difference};
      if (reversed.list != expected.list) continue;  // ties
      // Ties that come in the same order forwards and backwards are possible, too; what ORDER BY says decides.
      verdict = {Outcome::doubtful, verdict.runs, difference};
      continue;
    }
    if (!original.loose) return {Outcome::different, verdict.runs, difference};
    if (verdict.outcome == Outcome::doubtful) continue;
    const bool open = reversed.bag != expected.bag;
    if (!open || verdict.outcome == Outcome::same) verdict = {open ? Outcome::loose : Outcome::doubtful, verdict.runs, difference};
  }
  if (verdict.runs == 0) verdict.outcome = Outcome::skipped;
  return verdict;
}

}  // namespace trustsql::testing_support
