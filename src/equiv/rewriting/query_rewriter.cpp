#include "equiv/rewriting/query_rewriter.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "equiv/rewriting/tree_edit.hpp"

namespace trustsql::equiv::rewriting {

using namespace ast;

QueryRewriter::QueryRewriter(ast::Query& query, const Resolution& names, const Catalog& catalog, Receiver receive,
                             std::function<bool()> stop)
    : query_(query), names_(names), catalog_(catalog), receive_(receive), stop_(std::move(stop)) {
  const auto add = [&](const ResolvedSelect* select) {
    if (select != nullptr && select->node != nullptr) selects_[select->node] = select;
  };
  for (const auto* arm : names.query().arms) add(arm);
  for (const auto* relation : names.relations()) add(relation->select);
}

const ResolvedSelect* QueryRewriter::find_select(const Select& select) const {
  const auto found = selects_.find(&select);
  return found == selects_.end() ? nullptr : found->second;
}

void QueryRewriter::hand_over() { done_ = !receive_(query_); }

ColumnId QueryRewriter::column_of(const ColumnRef& reference) const {
  const auto* binding = names_.find_binding(reference);
  if (binding == nullptr || binding->kind != ColumnBinding::Kind::column) return {};
  return binding->column;
}

ColumnId QueryRewriter::column_of(const Expr& expr) const {
  const auto* reference = expr.as<ColumnRef>();
  return reference == nullptr ? ColumnId() : column_of(*reference);
}

bool QueryRewriter::only_conditions_use(const Select& select, const Relation* relation) const {
  if (uses(select.group_by, relation) || uses(query_.order_by, relation)) return false;
  if (select.having && uses(*select.having, relation)) return false;
  return std::ranges::none_of(select.items, [&](const SelectItem& element) {
    return element.expr() == nullptr || uses(*element.expr(), relation);
  });
}

std::vector<Expr> QueryRewriter::qualified_conjuncts(const Box<Expr>& condition) const {
  return condition ? operands_of(qualified(*condition)) : std::vector<Expr>();
}

std::string_view QueryRewriter::column_name(const ColumnId& id) {
  return id.column == ColumnId::rowid ? std::string_view("rowid")
                                      : id.relation->columns[static_cast<std::size_t>(id.column)].name;
}

std::string QueryRewriter::fresh_name(std::string_view wanted) const {
  std::string name(wanted);
  const auto is_taken = [&] {
    return std::ranges::any_of(names_.relations(),
                               [&](const Relation* relation) { return equals_ignore_case(relation->name, name); });
  };
  for (int number = 2; is_taken(); ++number) name = std::string(wanted) + "_" + std::to_string(number);
  return name;
}

std::string QueryRewriter::qualifier_of(const ColumnRef& reference, const RelationNames& renamed) const {
  const auto* relation = column_of(reference).relation;
  if (relation == nullptr) return {};
  const auto found = renamed.find(relation);
  return found == renamed.end() ? std::string(relation->name) : found->second;
}

void QueryRewriter::qualify(ColumnRef& reference, const std::string& qualifier) {
  if (qualifier.empty()) return;
  reference.schema = {};
  reference.table = unquoted(qualifier);
  reference.column.quote = Quote::none;
}

bool is_flat_join(const Select& select, const ResolvedSelect& resolved, std::size_t least) {
  if (select.from.size() < least || select.from.size() != resolved.from.size()) return false;
  for (std::size_t i = 0; i < select.from.size(); ++i) {
    const auto& item = select.from[i];
    if (resolved.from[i].relation == nullptr || resolved.from[i].item != &item || resolved.from[i].relation->correlated)
      return false;
    if (i == 0) continue;
    if (item.natural || !item.using_columns.empty()) return false;
    if (item.join != JoinType::comma && item.join != JoinType::inner && item.join != JoinType::cross) return false;
  }
  return true;
}

bool is_row_wise(const Select& select, const ResolvedSelect& resolved) {
  return !resolved.is_aggregate && select.group_by.empty() && !select.having && resolved.windows.empty();
}

std::optional<std::size_t> identifying_column(const ::trustsql::Table& table) {
  if (const auto* key = table.primary_key(); key != nullptr && key->parts.size() == 1 && key->parts[0].column >= 0)
    return static_cast<std::size_t>(key->parts[0].column);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].not_null && !table.columns[i].hidden) return i;
  }
  return std::nullopt;
}

}  // namespace trustsql::equiv::rewriting
