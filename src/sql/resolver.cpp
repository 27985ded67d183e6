#include "sql/resolver.hpp"

#include <cassert>

#include "sql/folding.hpp"
#include "sql/resolver/checker.hpp"
#include "sql/resolver/from_expander.hpp"
#include "sql/resolver/name_resolver.hpp"
#include "sql/resolver/typer.hpp"

namespace trustsql {

Resolution::Resolution(std::unique_ptr<Tables> tables) : tables_(std::move(tables)) {}
Resolution::Resolution(Resolution&&) noexcept = default;
Resolution& Resolution::operator=(Resolution&&) noexcept = default;
Resolution::~Resolution() = default;

namespace {

template <class Map>
const auto& at(const Map& map, const void* node) {
  const auto* value = map.find(node);
  assert(value != nullptr);
  return *value;
}

}  // namespace

const ResolvedQuery& Resolution::query() const { return *tables_->query; }
const ResolvedQuery& Resolution::query(const ast::Query& node) const { return *at(tables_->query_of, &node); }
const ResolvedSelect& Resolution::select(const ast::Select& node) const { return *at(tables_->select_of, &node); }
const ResolvedQuery& Resolution::set(const ast::In& node) const {
  const auto* subquery = std::get_if<ast::Box<ast::Query>>(&node.set);
  return subquery != nullptr ? query(**subquery) : *at(tables_->set_of, &node);
}
const ColumnBinding& Resolution::binding(const ast::ColumnRef& node) const { return at(tables_->bindings, &node); }
const ColumnBinding* Resolution::find_binding(const ast::ColumnRef& node) const {
  return tables_->bindings.find(&node);
}
bool Resolution::is_dropped(const ast::Expr& node) const { return trustsql::is_dropped(node, tables_->version); }
bool Resolution::collates_by_single_item() const { return tables_->collates_by_single_item; }
bool Resolution::empty_in_is_truth() const { return tables_->empty_in_is_truth; }
int Resolution::version() const { return tables_->version; }
bool Resolution::is_utf16() const { return tables_->is_utf16; }
bool Resolution::has_doubtful_names() const { return tables_->has_doubtful_names; }
const CallBinding& Resolution::call(const ast::Call& node) const { return at(tables_->calls, &node); }
const ExprType& Resolution::type(const ast::Expr& node) const { return at(tables_->types, &node); }
const std::vector<const Relation*>& Resolution::relations() const { return tables_->relation_list; }

Result<Resolution> resolve(const ast::Query& query, const Catalog& catalog, const ResolveOptions& options,
                           Diagnosis* diagnosis) {
  auto tables = std::make_unique<Resolution::Tables>();
  tables->collates_by_single_item = options.collates_by_single_item;
  tables->empty_in_is_truth = options.empty_in_is_truth;
  tables->version = options.version;
  tables->is_utf16 = catalog.is_utf16();
  resolver::ResolverContext context(catalog, options, *tables);
  resolver::NameResolver names(context);
  resolver::FromExpander from(context, names);

  resolver::QueryWork* work = from.query(query, nullptr);
  bool ok = work != nullptr && !context.failed() && names.query(*work, nullptr) && !context.failed();
  if (ok) {
    tables->query = work->query;
    resolver::Typer(*tables).query(*work->query);
    ok = resolver::Checker(context).query(*work->query);
  }
  if (ok) return Resolution(std::move(tables));

  Diagnosis cause = std::move(context.error).value_or(Diagnosis{});
  Error error{context.limit_exceeded ? ErrorCode::limit_exceeded : ErrorCode::query_failed, cause.message};
  if (diagnosis != nullptr) *diagnosis = std::move(cause);
  return error;
}

}  // namespace trustsql
