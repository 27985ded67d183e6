#include "unit/equiv/families/judge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "equiv/refuter/script.hpp"
#include "plan/query_plan.hpp"
#include "sql/functions.hpp"

namespace trustsql::families {

namespace {

using Row = std::vector<Value>;

double number_of(const Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
}

bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

// `loose`: numbers that are close count as equal, whatever their storage class.
bool same_value(const Value& a, const Value& b, bool loose) {
  if (a == b) return true;
  if (!is_number(a) || !is_number(b)) return false;
  if (!loose && a.index() != b.index()) return false;
  if (std::holds_alternative<std::int64_t>(a) && std::holds_alternative<std::int64_t>(b)) return false;
  const double x = number_of(a);
  const double y = number_of(b);
  // An integer next to a real is rounded, so that it differs only from those neighbours that a real can tell apart.
  constexpr double max_exact = 9007199254740992.0;
  if (a.index() != b.index() && std::max(std::abs(x), std::abs(y)) >= max_exact) {
    const auto* integer = std::get_if<std::int64_t>(&a);
    return integer != nullptr ? compare_integer_real(*integer, y) == 0
                              : compare_integer_real(std::get<std::int64_t>(b), x) == 0;
  }
  if (x == y) return true;
  return loose && std::isfinite(x - y) && std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y));
}

bool same_row(const Row& a, const Row& b, bool loose) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [&](const Value& x, const Value& y) { return same_value(x, y, loose); });
}

bool same_bag(const std::vector<Row>& a, const std::vector<Row>& b, bool loose) {
  if (a.size() != b.size()) return false;
  std::vector<bool> used(b.size(), false);
  for (const auto& row : a) {
    std::size_t partner = 0;
    while (partner < b.size() && (used[partner] || !same_row(row, b[partner], loose))) ++partner;
    if (partner == b.size()) return false;
    used[partner] = true;
  }
  return true;
}

bool same_set(const std::vector<Row>& a, const std::vector<Row>& b, bool loose) {
  const auto within = [&](const auto& x, const auto& y) {
    return std::ranges::all_of(x, [&](const Row& row) {
      return std::ranges::any_of(y, [&](const Row& other) { return same_row(row, other, loose); });
    });
  };
  return within(a, b) && within(b, a);
}

bool is_empty_aggregate_row(const std::vector<Row>& rows) {
  if (rows.size() != 1) return false;
  return std::ranges::all_of(rows.front(), [](const Value& value) {
    return std::holds_alternative<std::monostate>(value) || (is_number(value) && number_of(value) == 0);
  });
}

bool same_rows(const std::vector<Row>& a, const std::vector<Row>& b, const Setting& setting, bool list, bool loose) {
  if (setting.options.ignore_empty_aggregate_row &&
      ((a.empty() && is_empty_aggregate_row(b)) || (b.empty() && is_empty_aggregate_row(a))))
    return true;
  if (setting.options.rows_as_set) return same_set(a, b, loose);
  if (list)
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [&](const Row& x, const Row& y) { return same_row(x, y, loose); });
  return same_bag(a, b, loose);
}

// Whether no two texts in the database and the queries differ only in letter case.
bool is_of_one_case(const Ground& ground, const Node& a, const Node& b) {
  auto texts = ground.texts();
  const auto collect = [&](const Node& node) {
    if (node.is(Kind::literal) && node.text[0] == '\'') texts.push_back(node.text.substr(1, node.text.size() - 2));
  };
  visit(a, collect);
  visit(b, collect);
  return std::ranges::all_of(texts, [&](const auto& x) {
    return std::ranges::all_of(texts, [&](const auto& y) { return x == y || to_lower_ascii(x) != to_lower_ascii(y); });
  });
}

}  // namespace

bool same_result(const Rows& a, const Rows& b, const Setting& setting, bool list, bool loose) {
  if (same_rows(a.rows, b.rows, setting, list, loose)) return true;
  if (!setting.options.any_column_order || a.rows.empty() || b.rows.empty()) return false;
  std::vector<std::size_t> order(b.rows.front().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  while (std::next_permutation(order.begin(), order.end())) {
    auto permuted = b.rows;
    for (std::size_t r = 0; r < permuted.size(); ++r) {
      for (std::size_t i = 0; i < order.size(); ++i) permuted[r][i] = b.rows[r][order[i]];
    }
    if (same_rows(a.rows, permuted, setting, list, loose)) return true;
  }
  return false;
}

std::string Setting::text() const {
  std::string text = std::string("assume ") + (options.assume.primary_key_not_null ? "primary_key_not_null " : "") +
                     (options.assume.foreign_keys ? "foreign_keys " : "") +
                     (options.assume.declared_types ? "declared_types " : "") +
                     (options.assume.number_texts ? "number_texts " : "") + (options.assume.ties ? "ties " : "");
  if (text == "assume ") text += "nothing ";
  text += options.rows_as_set ? "rows=set" : options.rows_as_bag ? "rows=bag" : "rows=list";
  if (options.any_column_order) text += " any_column_order";
  if (no_nulls) text += " no_null";
  if (no_empty_tables) text += " no_empty_table+ignore_empty_aggregate_row";
  if (options.ignore_letter_case) text += " ignore_letter_case";
  return text;
}

Setting random_setting(Picker& picker) {
  Setting setting;
  auto& options = setting.options;
  options.max_steps = 3000;
  options.assume = plan::Assume::nothing();
  const auto assumed = picker.below(10);
  if (assumed >= 5) options.assume = assumed < 7 ? plan::Assume{} : plan::Assume::everything();
  options.assume.ties = picker.chance(30);
  const auto rows = picker.below(10);
  options.rows_as_set = rows == 0;
  options.rows_as_bag = rows == 1 || rows == 2;
  if (picker.chance(65)) return setting;
  options.any_column_order = picker.chance(30);
  options.ignore_letter_case = picker.chance(30);
  if (picker.chance(30)) setting.no_empty_tables = options.ignore_empty_aggregate_row = true;
  if (picker.chance(30)) setting.no_nulls = options.assume.primary_key_not_null = true;
  return setting;
}

std::optional<Query> read(const Node& tree, const Ground& ground, const Setting& setting) {
  static const FunctionTable functions = FunctionTable::built_in(sqlite3_libversion_number());
  auto sql = print(tree);
  auto statement = ground.prepare(sql);
  if (!statement) return std::nullopt;
  auto plan = plan::plan_query(sql, setting.no_nulls ? ground.catalog_without_nulls() : ground.catalog(),
                               {.functions = &functions, .version = sqlite3_libversion_number()});
  if (!plan.ok()) return std::nullopt;
  plan->tables_have_rows = setting.no_empty_tables;
  return Query{tree, std::move(sql), equiv::ProverQuery(*std::move(plan)), std::move(statement), {}};
}

bool covers(const Setting& setting, const std::vector<plan::Assumption>& assumptions, const Departures& departures) {
  if (setting.no_nulls && departures.null) return false;
  if (setting.no_empty_tables && departures.empty_table) return false;
  if (setting.options.ignore_letter_case && departures.case_variants) return false;
  return std::ranges::none_of(assumptions, [&](const plan::Assumption& assumption) {
    const auto departs = [&](const std::set<std::string>& columns) {
      return columns.contains(assumption.table + "." + assumption.columns.front());
    };
    switch (assumption.kind) {
      case plan::Assumption::Kind::primary_key_not_null: return departures.null_in_primary_key;
      case plan::Assumption::Kind::foreign_key: return departures.orphan;
      case plan::Assumption::Kind::check: return false;  // SQLite checks them
      case plan::Assumption::Kind::declared_type: return departures.other_type;
      case plan::Assumption::Kind::no_null: return departures.null;
      case plan::Assumption::Kind::no_empty_table: return departures.empty_table;
      case plan::Assumption::Kind::no_case_variants: return departures.case_variants;
      case plan::Assumption::Kind::number_text: return departs(departures.not_numbers);
      case plan::Assumption::Kind::integer_text: return departs(departures.not_integers);
      case plan::Assumption::Kind::date_text: return departs(departures.not_dates);
      case plan::Assumption::Kind::datetime_text: return departs(departures.not_datetimes);
      case plan::Assumption::Kind::same_ties: return false;  // allows_ties()
    }
    return false;
  });
}

bool allows_ties(const std::vector<plan::Assumption>& assumptions) {
  return std::ranges::any_of(
      assumptions, [](const auto& assumption) { return assumption.kind == plan::Assumption::Kind::same_ties; });
}

bool has_order(const Node& query) { return query.is(Kind::select) && !query[Part::order].parts.empty(); }

bool is_list(const Setting& setting, const Node& a, const Node& b) {
  return !setting.options.rows_as_set && !setting.options.rows_as_bag && has_order(a) && has_order(b);
}

std::string_view name(Difference difference) {
  switch (difference) {
    case Difference::none: return "none";
    case Difference::numbers: return "numbers";
    case Difference::ties: return "ties";
    case Difference::order_open: return "order_open";
    case Difference::sqlite: return "sqlite";
    case Difference::plain: return "wrong_proof";
  }
  return "";
}

bool may_be_of_ties(Difference difference) {
  return difference == Difference::order_open || difference == Difference::sqlite;
}

namespace {

// Whether the results of two lists differ in nothing but the order of rows that one of them leaves tied: they are the
// same once ties are broken by the columns of the result. With a LIMIT the ties decide which rows there are.
bool differ_only_in_ties(Ground& ground, const Setting& setting, const Node& a, const Node& b) {
  const auto without_ties = [&](Node query) {
    for (std::size_t i = 1; i <= width(query); ++i) query[Part::order].parts.push_back(literal(std::to_string(i)));
    return ground.run(print(query));
  };
  if (!a[Part::limit].is(Kind::none) || !b[Part::limit].is(Kind::none)) return false;
  const auto of_a = without_ties(a);
  const auto of_b = without_ties(b);
  return of_a.ok && of_b.ok && same_result(of_a, of_b, setting, true, true);
}

}  // namespace

Difference compare(Ground& ground, const Filling& filling, const Setting& setting, const Node& a, const Node& b) {
  auto backwards = ground.fill(filling);
  if (setting.options.ignore_letter_case && !is_of_one_case(ground, a, b)) return Difference::none;
  const bool list = is_list(setting, a, b);
  const std::string sql_a = print(a);
  const std::string sql_b = print(b);
  const auto of_a = ground.run(sql_a);
  const auto of_b = ground.run(sql_b);
  if (!of_a.ok || !of_b.ok || same_result(of_a, of_b, setting, list, false)) return Difference::none;
  if (same_result(of_a, of_b, setting, list, true)) return Difference::numbers;
  if (list && same_result(of_a, of_b, setting, false, true) && differ_only_in_ties(ground, setting, a, b))
    return Difference::ties;

  const auto differs_from_itself = [&](Way way) {
    const auto again = [&](const std::string& sql, const Rows& before) {
      const auto after = ground.run(sql, way);
      return after.ok && !same_result(before, after, setting, list, true);
    };
    return again(sql_a, of_a) || again(sql_b, of_b);
  };
  // Sums of reals and averages are rounded after each row: large values that cancel out leave an arbitrary rest.
  const auto without_reals = [](Rows rows) {
    for (auto& row : rows.rows) {
      for (auto& value : row) {
        if (std::holds_alternative<double>(value)) value = Value("a real");
      }
    }
    return rows;
  };
  const bool only_reals = same_result(without_reals(of_a), without_reals(of_b), setting, list, false);
  if (only_reals && differs_from_itself({.reverse_scans = true})) return Difference::numbers;
  const auto open = list && same_result(of_a, of_b, setting, false, true) ? Difference::ties : Difference::order_open;
  if (differs_from_itself({.reverse_scans = true}) || differs_from_itself({.more_indexes = true})) return open;
  const bool sqlite =
      differs_from_itself({.no_optimisations = true}) || differs_from_itself({.no_automatic_index = true});
  const auto stored = ground.contents();
  std::ranges::reverse(backwards);
  ground.fill(backwards);
  if (same_bag(stored, ground.contents(), false) && differs_from_itself({})) return open;
  ground.fill(filling);
  return sqlite ? Difference::sqlite : Difference::plain;
}

std::string show(const Rows& rows) {
  if (!rows.ok) return "failed";
  std::string text = std::to_string(rows.rows.size()) + " rows";
  for (const auto& row : rows.rows) {
    std::string line;
    for (const auto& value : row) line += (line.empty() ? "" : ", ") + equiv::literal_text(value);
    text += "\n    " + line;
  }
  return text;
}

}  // namespace trustsql::families
