// The first step: resolves the FROM clauses of a query and of everything below it, and expands *.
//
// In expressions it only visits the subqueries. For a common table it creates one relation per use, with a copy of the
// definition for every use except the first; for a view it also creates one per use, whose definition is parsed from
// the catalog.
#pragma once

#include "sql/resolver/context.hpp"

namespace trustsql::resolver {

class NameResolver;

class FromExpander {
 public:
  // `names` resolves views as soon as they are expanded.
  FromExpander(ResolverContext& context, NameResolver& names)
      : context_(context), tables_(context.tables), names_(names) {}

  // Expands `query`, which sees the names of `outer` (nullptr: none). Returns nullptr after an error; an error after
  // which the work can continue for a while is only recorded in the context.
  QueryWork* query(const ast::Query& query, const ResolvedSelect* outer);

 private:
  // A WITH clause while its query is expanded.
  struct CommonTableState {
    const ast::CommonTable* definition = nullptr;
    const char* refusal = nullptr;  // set while the definition is being expanded: the error message for references to
                                    // it, to which its name is added
    bool used = false;
  };
  struct With {
    With* outer = nullptr;
    std::vector<CommonTableState> tables;
    bool view = false;  // the barrier of a view: outer names are not visible
  };
  struct Definition {
    With* with = nullptr;
    CommonTableState* table = nullptr;
  };

  // queries.cpp
  void push_with(const ast::Query& query);
  QueryWork& make_query(const ast::Query& query, const ResolvedSelect* outer);
  bool arms(QueryWork& work, std::size_t begin);
  bool arm(QueryWork& work, std::size_t index);
  bool subqueries(const QueryWork& query, std::size_t index);
  template <class Node>
  bool subqueries_in(const Node& node, SelectWork& work);
  bool set_of(const ast::In& in, SelectWork& work);
  bool select_items(SelectWork& work);

  // relations.cpp
  void flatten(FromList& list, const std::vector<ast::FromItem>& items);
  bool from(FromList& list, SelectWork& work);
  bool source(FromEntry& entry, SelectWork& work);
  bool named_source(FromEntry& entry, const ast::TableName& name, const ast::TableFunction* function, SelectWork& work);
  bool catalog_source(FromEntry& entry, const ast::TableName& name, const ast::TableFunction* function,
                      SelectWork& work);
  bool subquery_source(FromEntry& entry, const ast::Query& query, SelectWork& work);
  Relation* make_relation(FromEntry& entry, Relation::Kind kind, SelectWork& work);
  void query_columns(Relation& relation, const QueryWork& query, const std::vector<std::string_view>& names,
                     bool resolved);

  // common_tables.cpp
  Definition find_common_table(const ast::TableName& name);
  bool common_table(FromEntry& entry, Definition definition, bool as_function, SelectWork& work);
  bool common_table_arms(QueryWork& query, CommonTableState& state, Relation& relation);
  bool may_copy(std::size_t bytes);
  bool recursive_arms(QueryWork& query, const ast::CommonTable& table, std::size_t& first);
  bool view(FromEntry& entry, const Table& table, SelectWork& work);

  // joins.cpp
  bool joins(FromList& list);
  bool conditions_fold(const FromList& list, const ast::Expr* where) const;
  bool join_pair(FromList& list, std::size_t right, std::string_view name);
  std::optional<ColumnPlace> find_column(const FromList& list, std::size_t begin, std::size_t end,
                                         std::string_view name, bool skip_hidden);

  // stars.cpp
  void star(const FromList& list, const ast::Star& star, SelectWork& work);
  void group_columns(FromList& group);
  const ast::Expr* make_column(std::string_view schema, std::string_view table, std::string_view column);

  ResolverContext& context_;
  Resolution::Tables& tables_;
  NameResolver& names_;
  std::deque<With> with_clauses_;
  With* with_ = nullptr;             // the innermost visible one
  std::string_view view_schema_{};   // inside a view: the schema in which its tables are looked up; empty: all schemas
  std::vector<const Table*> views_;  // those being expanded
  int generated_names_ = 0;
  std::size_t copied_bytes_ = 0;
};

}  // namespace trustsql::resolver
