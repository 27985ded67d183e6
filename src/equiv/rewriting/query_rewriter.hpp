// QueryRewriter: makes variants of a query by changing one part of its syntax tree at a time.
//
// A rewrite looks at the tree and at what its names mean, and calls with() for each variant: the part is replaced, the
// whole query is handed to the receiver, and the part is put back. So the resolution, which is keyed by the addresses
// of the nodes, stays valid from one variant to the next, and a variant costs no copy of the query.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.hpp"
#include "sql/ast_walk.hpp"
#include "sql/resolver.hpp"

namespace trustsql::equiv::rewriting {

// What a relation is called in a rewritten query.
using RelationNames = std::map<const Relation*, std::string>;

// As ast::walk(), also for a list of nodes.
template <class T, class Visit>
void walk_part(T& part, Visit visit) {
  if constexpr (ast::Node<std::remove_const_t<T>>) {
    ast::walk(part, visit);
  } else {
    for (auto& node : part) ast::walk(node, visit);
  }
}

class QueryRewriter {
 public:
  // Receives a variant, which is only valid during the call; false: no more are wanted.
  using Receiver = FunctionRef<bool(const ast::Query&)>;

  // `names`: the resolution of `query`, whose tree is the same again after each call of with(). All must outlive this.
  // `stop`, if given, is called by what takes long for one variant; true ends it.
  QueryRewriter(ast::Query& query, const Resolution& names, const Catalog& catalog, Receiver receive,
                std::function<bool()> stop = {});
  QueryRewriter(const QueryRewriter&) = delete;
  QueryRewriter& operator=(const QueryRewriter&) = delete;

  ast::Query& query() { return query_; }
  const Resolution& names() const { return names_; }
  // What the names of a SELECT with a FROM clause, or at the top, mean; nullptr for one that SQLite ignores.
  const ResolvedSelect* find_select(const ast::Select& select) const;
  const Catalog& catalog() const { return catalog_; }
  // Whether no more variants are wanted.
  bool done() const { return done_; }
  const std::function<bool()>& stop() const { return stop_; }

  // Hands over the query with `part`, a node or a list of the tree, replaced.
  template <class T>
  void with(T& part, T replacement) {
    if (done_) return;
    std::swap(part, replacement);
    hand_over();
    std::swap(part, replacement);
  }
  // Hands over another query altogether.
  void whole(const ast::Query& replacement) {
    if (!done_) done_ = !receive_(replacement);
  }

  // Calls visit(expr) for each expression; visit(select, resolved) for each SELECT that SQLite does not ignore.
  template <class Visit>
  void each_expr(Visit visit) {
    ast::walk(query_, [&](ast::Expr& expr) {
      if (!done_) visit(expr);
      return !done_;
    });
  }
  template <class Visit>
  void each_select(Visit visit) {
    ast::walk(query_, [&](ast::Select& select) {
      const auto* resolved = find_select(select);
      if (!done_ && resolved != nullptr) visit(select, *resolved);
      return !done_;
    });
  }

  // The relation and the column that a name means; an empty one if it means anything else.
  ColumnId column_of(const ast::ColumnRef& reference) const;
  ColumnId column_of(const ast::Expr& expr) const;
  // The relations whose columns occur in `part`, at any depth.
  template <class T>
  std::set<const Relation*> relations_in(const T& part) const {
    std::set<const Relation*> relations;
    walk_part(part, [&](const ast::ColumnRef& reference) {
      if (const auto* relation = column_of(reference).relation) relations.insert(relation);
    });
    return relations;
  }
  template <class T>
  bool uses(const T& part, const Relation* relation) const {
    return relations_in(part).contains(relation);
  }

  // Whether only the conditions of `select`, one with ON and WHERE, use `relation`: neither its result nor its groups
  // do, nor what the query is ordered by.
  bool only_conditions_use(const ast::Select& select, const Relation* relation) const;

  // A copy of `part`, a piece of the query's own tree, in which every column is qualified by the name of its relation,
  // or by the name that `renamed` gives it.
  template <class T>
  T qualified(const T& part, const RelationNames& renamed = {}) const {
    std::vector<std::string> qualifiers;
    walk_part(part, [&](const ast::ColumnRef& node) { qualifiers.push_back(qualifier_of(node, renamed)); });
    T copy = part;
    std::size_t next = 0;
    walk_part(copy, [&](ast::ColumnRef& node) { qualify(node, qualifiers[next++]); });
    return copy;
  }
  // conjuncts_of(qualified(condition)); `condition` may be empty.
  std::vector<ast::Expr> qualified_conjuncts(const ast::Box<ast::Expr>& condition) const;

  // The name of column `id`.
  static std::string_view column_name(const ColumnId& id);

  // A name for a relation that no relation of the query has, made from `wanted`.
  std::string fresh_name(std::string_view wanted) const;

 private:
  void hand_over();
  std::string qualifier_of(const ast::ColumnRef& reference, const RelationNames& renamed) const;
  static void qualify(ast::ColumnRef& reference, const std::string& qualifier);

  ast::Query& query_;
  const Resolution& names_;
  const Catalog& catalog_;
  std::map<const ast::Select*, const ResolvedSelect*> selects_;
  Receiver receive_;
  std::function<bool()> stop_;
  bool done_ = false;
};

// A join of `select` with others that may stand anywhere in its FROM clause: relations joined by commas, JOIN ... ON
// and CROSS JOIN, without NATURAL, USING and outer joins, at least `least` of them.
bool is_flat_join(const ast::Select& select, const ResolvedSelect& resolved, std::size_t least);

// Whether the rows of `select` become its result one by one: no grouping, aggregates, windows.
bool is_row_wise(const ast::Select& select, const ResolvedSelect& resolved);

// The position of the first column of `table` that is its whole primary key; if there is none, the first one that is
// NOT NULL; nullopt if there is none either.
std::optional<std::size_t> identifying_column(const ::trustsql::Table& table);

}  // namespace trustsql::equiv::rewriting
