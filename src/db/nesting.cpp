#include "db/nesting.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/text.hpp"
#include "db/sql_scan.hpp"

namespace trustsql {

namespace {

constexpr std::size_t shortest_select = 8;  // "SELECT 1"

bool begins_select(const SqlToken& token) { return token.is("select") || token.is("values"); }

struct View {
  std::string sql;
  std::size_t depth = 0;  // SELECTs that it nests, those of other views included; 0: not known yet
  bool entered = false;
};

// Views by lower-case name. Views of the same name in several databases are taken as one that uses what all of them use.
class ViewNesting {
 public:
  Status add(sqlite3* db, const std::string& schema) {
    TRUSTSQL_ASSIGN_OR_RETURN(Statement rows,
                              prepare(db, "SELECT name, sql FROM " + quote_identifier(schema) + ".sqlite_schema WHERE type = 'view'"));
    while (true) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool row, rows.step());
      if (!row) return ok_status();
      View& view = views_[to_lower_ascii(rows.column_text(0))];
      view.sql.append(rows.column_text(1)).append("\n");
      bytes_ += rows.column_text(1).size();
    }
  }

  Status check() {
    if (bytes_ / shortest_select <= most_selects_in_views) return ok_status();
    for (auto& [name, view] : views_)
      if (depth_of(view) > most_selects_in_views) return limit_exceeded("its views are nested too deeply, at " + quote_for_message(name));
    return ok_status();
  }

 private:
  // Depth-first without recursion, for the depth is what must be found out.
  std::size_t depth_of(View& root) {
    std::vector<View*> path = {&root};
    while (!path.empty()) {
      View& view = *path.back();
      if (view.depth != 0) {
        path.pop_back();
        continue;
      }
      const bool first_visit = !view.entered;
      view.entered = true;
      std::size_t own = 1;
      std::size_t deepest = 0;
      bool waits = false;
      SqlScanner scanner(view.sql);
      for (SqlToken token = scanner.next(); !token.is_end(); token = scanner.next()) {
        if (begins_select(token)) ++own;
        if (!token.is_name()) continue;
        const auto used = views_.find(to_lower_ascii(token.name()));
        if (used == views_.end()) continue;
        View& other = used->second;
        if (other.depth == 0 && !other.entered && first_visit) {
          path.push_back(&other);
          waits = true;
        }
        deepest = std::max(deepest, other.depth);
      }
      if (waits) continue;
      view.depth = own + deepest;  // a view that is still open here is part of a circle, which SQLite refuses
      path.pop_back();
    }
    return root.depth;
  }

  std::unordered_map<std::string, View> views_;
  std::size_t bytes_ = 0;
};

}  // namespace

Status check_query_nesting(std::string_view query) {
  if (query.size() / shortest_select <= most_selects_in_query) return ok_status();
  std::size_t selects = 0;
  SqlScanner scanner(query);
  for (SqlToken token = scanner.next(); !token.is_end(); token = scanner.next()) selects += begins_select(token) ? 1 : 0;
  if (selects <= most_selects_in_query) return ok_status();
  return limit_exceeded("the query has " + std::to_string(selects) + " SELECT and VALUES clauses, more than " +
                        std::to_string(most_selects_in_query));
}

Status check_view_nesting(sqlite3* db, const Layout& layout) {
  ViewNesting nesting;
  for (const LayoutDatabase& database : layout.databases) TRUSTSQL_RETURN_IF_ERROR(nesting.add(db, database.schema));
  if (layout.temp) TRUSTSQL_RETURN_IF_ERROR(nesting.add(db, "temp"));
  return nesting.check();
}

}  // namespace trustsql
