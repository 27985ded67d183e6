#include "equiv/paraphrases.hpp"

#include <algorithm>
#include <unordered_set>

#include "equiv/paraphrases/kinds.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"

namespace trustsql::equiv {

namespace {

// Those that change the structure of a query apply to few queries, and are drawn more often.
constexpr unsigned often = 4;

constexpr ParaphraseKind kinds[] = {
    {"operand_order", "the operands of =, <, AND, OR, + and * are exchanged", paraphrases::operand_order},
    {"between", "BETWEEN as two comparisons, two comparisons as BETWEEN", paraphrases::between, often},
    {"in_list", "an IN list as comparisons joined by OR, and the reverse", paraphrases::in_list, often},
    {"de_morgan", "a condition as NOT of its negation, and NOT pushed into AND and OR", paraphrases::de_morgan},
    {"not_equal", "<> as < OR >", paraphrases::not_equal},
    {"integer_bound", "> 2 as >= 3: the same for integers", paraphrases::integer_bound, often},
    {"implied_condition", "IS NOT NULL is added beside a comparison, or removed", paraphrases::implied_condition},
    {"equal_column", "a column by one that a join equates it with", paraphrases::equal_column, often},
    {"join_order", "the tables of FROM in another order", paraphrases::join_order},
    {"comma_join", "JOIN ... ON as a comma and WHERE, and the reverse", paraphrases::comma_join},
    {"using", "ON a.x = b.x as USING (x), and the reverse", paraphrases::join_using},
    {"outer_join", "JOIN as LEFT JOIN whose rows without a match are removed", paraphrases::outer_join},
    {"derived_table", "a table as a subquery in FROM that filters it", paraphrases::derived_table},
    {"common_table", "a table as a common table expression that filters it", paraphrases::common_table},
    {"join_to_in", "a joined table as IN (SELECT ...)", paraphrases::join_to_in, often},
    {"in_to_join", "IN (SELECT ...) as a join, with and without DISTINCT", paraphrases::in_to_join, often},
    {"in_to_exists", "IN as EXISTS, NOT IN as NOT EXISTS", paraphrases::in_to_exists, often},
    {"exists_to_in", "EXISTS as IN", paraphrases::exists_to_in, often},
    {"not_in_to_outer_join", "NOT IN as LEFT JOIN ... WHERE ... IS NULL", paraphrases::not_in_to_outer_join, often},
    {"exists_to_count", "EXISTS as a count greater than 0", paraphrases::exists_to_count, often},
    {"extreme_row", "ORDER BY x LIMIT 1 as x = (SELECT min(x) ...); min(x) as ORDER BY x LIMIT 1",
     paraphrases::extreme_row, often},
    {"set_operation_to_condition", "UNION as OR, INTERSECT as AND, EXCEPT as AND NOT",
     paraphrases::set_operation_to_condition, often},
    {"set_operation_to_in", "INTERSECT as IN, EXCEPT as NOT IN", paraphrases::set_operation_to_in, often},
    {"in_to_set_operation", "IN as INTERSECT, NOT IN as EXCEPT", paraphrases::in_to_set_operation, often},
    {"or_to_union", "OR as UNION or UNION ALL", paraphrases::or_to_union, often},
    {"distinct", "DISTINCT is added or removed", paraphrases::distinct},
    {"distinct_group_by", "DISTINCT as GROUP BY, and the reverse", paraphrases::distinct_group_by, often},
    {"having_where", "a condition on groups as one on rows, and the reverse", paraphrases::having_where, often},
    {"having_to_derived_table", "HAVING as WHERE around a subquery in FROM", paraphrases::having_to_derived_table,
     often},
    {"group_key", "columns are added to GROUP BY, or removed from it", paraphrases::group_key, often},
    {"count_column", "count(*) as count of a column or of 1, and the reverse", paraphrases::count_column, often},
    {"count_distinct", "count(DISTINCT x) as the count of a subquery with DISTINCT, count(*) as count(DISTINCT key)",
     paraphrases::count_distinct, often},
    {"qualifiers", "all columns qualified by their tables, or none", paraphrases::qualifiers},
    {"table_aliases", "other aliases of tables, or none", paraphrases::table_aliases},
    {"column_aliases", "aliases of result columns, or none", paraphrases::column_aliases},
    {"star", "* as a list of columns, and the reverse", paraphrases::star},
    {"order_term", "a term of ORDER BY as an alias or the number of a result column, and the reverse",
     paraphrases::order_term, often},
    {"whole_query", "the query as a subquery in FROM, or as a common table expression", paraphrases::whole_query},
    {"plan", "the plan of the query, printed as SQL", paraphrases::printed_plan},
    {"normal_form", "the normalised plan, printed as SQL", paraphrases::normal_form},
    {"planner_rule", "the plan after one rule of the planner, printed as SQL", paraphrases::planner_rule},
};

}  // namespace

std::span<const ParaphraseKind> paraphrase_kinds() { return kinds; }

const ParaphraseKind* find_paraphrase_kind(std::string_view name) {
  const auto* found = std::ranges::find(kinds, name, &ParaphraseKind::name);
  return found == std::end(kinds) ? nullptr : found;
}

Result<std::vector<Paraphrase>> paraphrases_of(std::string_view sql, const Catalog& catalog,
                                               const ResolveOptions& dialect, const ParaphraseOptions& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto query, parse_query(sql, dialect.grammar()));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto names, resolve(query, catalog, dialect));
  std::vector<Paraphrase> found;
  std::unordered_set<std::string> seen = {print_query(query)};
  const auto rewrite = [&](const ParaphraseKind& kind) {
    std::size_t of_kind = 0;
    const auto receive = [&](const ast::Query& candidate) {
      if (auto text = print_query(candidate); seen.insert(text).second) {
        found.push_back({&kind, std::move(text)});
        ++of_kind;
      }
      return of_kind < options.most_of_kind && !(options.stop && options.stop());
    };
    if (options.most_of_kind == 0 || (options.stop && options.stop())) return;
    rewriting::QueryRewriter rewriter(query, names, catalog, receive, options.stop);
    kind.rewrite(rewriter);
  };
  if (options.kinds.empty()) {
    for (const auto& kind : kinds) rewrite(kind);
  } else {
    for (const auto* kind : options.kinds) rewrite(*kind);
  }
  return found;
}

}  // namespace trustsql::equiv
