#include "equiv/explanation/compound_arms.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "base/text.hpp"
#include "sql/ast_walk.hpp"

namespace trustsql::equiv::explanation {

std::vector<QueryClauses> named_apart(std::vector<QueryClauses> arms) {
  for (auto& arm : arms) {
    std::map<std::string, std::string> names;
    std::map<std::string, int> counts;
    for (auto& source : arm.sources) {
      if (source.subquery) continue;
      const int count = ++counts[to_lower_ascii(source.name)];
      const auto name = count == 1 ? source.name : source.name + "_" + std::to_string(count);
      names[source.table] = name;
      source.table = name;
    }
    const auto rename = [&names](ast::Expr& expr) {
      ast::walk(expr, [&names](ast::ColumnRef& node) {
        if (!node.table) return;
        if (const auto found = names.find(node.table->text); found != names.end()) node.table->text = found->second;
      });
    };
    for (auto* exprs : {&arm.columns, &arm.conditions, &arm.keys, &arm.group_conditions})
      std::for_each(exprs->begin(), exprs->end(), rename);
    for (auto& source : arm.sources) std::for_each(source.conditions.begin(), source.conditions.end(), rename);
    for (auto& term : arm.order) rename(term.expr);
  }
  return arms;
}

}  // namespace trustsql::equiv::explanation
