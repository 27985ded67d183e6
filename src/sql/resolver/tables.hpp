// The contents of a Resolution: the trees it created, its results, and the maps from nodes to results.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sql/resolver.hpp"
#include "sql/resolver/node_map.hpp"

namespace trustsql {

struct Resolution::Tables {
  ResolvedQuery* query = nullptr;
  bool collates_by_single_item = true;
  bool empty_in_is_truth = true;
  int version = latest_grammar;  // ResolveOptions::version
  bool is_utf16 = false;         // Catalog::is_utf16()
  bool has_doubtful_names = false;

  // Deques, since the results point to each other.
  std::deque<ResolvedQuery> queries;
  std::deque<ResolvedSelect> selects;
  std::deque<Relation> relations;
  std::vector<const Relation*> relation_list;
  std::deque<ResolvedWindow> windows;
  std::deque<ast::Expr> exprs;    // columns of * and USING
  std::deque<ast::Query> trees;   // definitions of views and common tables, subqueries for IN
  std::deque<std::string> texts;  // names that are not in any tree

  resolver::NodeMap<ResolvedQuery*> query_of;    // by ast::Query
  resolver::NodeMap<ResolvedSelect*> select_of;  // by ast::Select
  resolver::NodeMap<ResolvedQuery*> set_of;      // by ast::In
  resolver::NodeMap<ColumnBinding> bindings;     // by ast::ColumnRef
  resolver::NodeMap<CallBinding> calls;          // by ast::Call
  resolver::NodeMap<ExprType> types;             // by ast::Expr

  std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
  const ColumnBinding* binding(const ast::Expr& expr) const {
    const auto* ref = expr.as<ast::ColumnRef>();
    return ref == nullptr ? nullptr : bindings.find(ref);
  }
};

}  // namespace trustsql
