// The third step: derives the type of every expression of a resolved query (expr_type.hpp).
#pragma once

#include "sql/resolver/tables.hpp"

namespace trustsql::resolver {

class Typer {
 public:
  explicit Typer(Resolution::Tables& tables) : tables_(tables) {}

  // Types the query and everything in it, including the definitions of its views and common tables.
  void query(ResolvedQuery& query);

 private:
  struct Typed {
    ExprType type{};
    bool collates = false;  // it contains a COLLATE operator, not counting the expressions that aliases in it stand for
  };

  void select(ResolvedSelect& select);
  void from(const std::vector<ResolvedFromItem>& items);
  void conditions(const std::vector<ResolvedFromItem>& items);
  void relation(Relation& relation);
  void columns(ResolvedQuery& query, std::size_t arm);

  // compound_types.cpp
  void settle_affinities(ResolvedQuery& query, const std::vector<Relation*>& recursive);
  void settle_recursive_affinities(ResolvedQuery& query);
  Affinity affinity(const ast::Expr& expr) const;
  TypeSet data_types(const ast::Expr& expr) const;
  static TypeSet data_types(Affinity affinity);
  static std::vector<const ast::Expr*> terms_of_column(const ResolvedQuery& query, std::size_t column);

  void order_by(ResolvedQuery& query);
  ExprType term(const ResolvedTerm& term, const std::vector<OutputColumn>& columns);

  Typed expr(const ast::Expr& expr);
  static Typed combine(const std::vector<Typed>& parts);
  Typed of_column(const ast::ColumnRef& ref);
  Typed of_unary(const ast::Unary& node);
  Typed of_binary(const ast::Binary& node);
  Typed of_in(const ast::In& node);
  Typed of_case(const ast::Case& node);
  Typed of_cast(const ast::Cast& node);
  Typed of_call(const ast::Call& node);
  Typed of_subquery(const ast::Subquery& node);
  ExprType column(ColumnId id) const;
  TypeSet call_types(const CallBinding& binding, const ast::Call& call, const std::vector<Typed>& arguments) const;

  Resolution::Tables& tables_;
  NodeMap<bool> typed_;  // by ResolvedQuery
  // The SELECTs with aggregates and without GROUP BY whose expressions outside the aggregates are being typed: they
  // have one row even if their FROM has none, and then plain columns are NULL.
  std::vector<const ResolvedSelect*> single_rows_;
};

// The type of a table column, without the effect of joins.
ExprType column_type(const Table& table, std::size_t column);

// "BINARY" (also if `name` is empty), "NOCASE" or "RTRIM" if `name` is one of them in any letter case, otherwise
// `name`.
std::string_view collation_name(std::string_view name);

}  // namespace trustsql::resolver
