#include <algorithm>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/to_sql/writer.hpp"
#include "sql/printer.hpp"

namespace trustsql::plan {

ast::Query to_ast(const Plan& plan) { return SqlWriter(plan).write(); }

std::string to_sql(const Plan& plan) { return print_query(to_ast(plan)); }

ast::Query SqlWriter::write() {
  const auto ids = outputs(plan_.root);
  std::vector<std::string> names(plan_.names.begin(), plan_.names.end());
  auto query = finish(convert(plan_.root), ids, &names);
  if (!shared_.empty()) query.with = ast::With{false, std::move(shared_)};
  return query;
}

namespace {

// Gives the item this name as an alias, unless it already has it.
void name_item(ast::SelectItem& item, const std::string& name) {
  const auto* expr = item.expr();
  const auto* column = expr != nullptr ? expr->as<ast::ColumnRef>() : nullptr;
  if (column == nullptr || column->column.text != name) item.alias = sql_name(name);
}

ast::SelectItem make_item(ast::Expr expr) {
  ast::SelectItem item;
  item.value = std::move(expr);
  return item;
}

}  // namespace

namespace {

ast::Expr count_of_rows() {
  ast::Call count;
  count.name = sql_name("count");
  count.star = true;
  return {std::move(count), {}};
}

}  // namespace

void SqlWriter::keep_aggregate(SelectBlock& block, const std::vector<AttributeId>& ids) {
  const auto none_has = [&](bool Cell::*trait) {
    return std::none_of(ids.begin(), ids.end(), [&](AttributeId id) { return cells_[id].*trait; });
  };
  if (block.pick && none_has(&Cell::picks_row) && (!ids.empty() || block.select.having)) {
    if (!block.order_by.empty() && !block.one_group && !cells_[*block.pick].refers_outside) {
      block.order_by.push_back(order_term({.expr = column(*block.pick)}));  // a subquery would lose the order
    } else {
      auto all = ids;
      all.push_back(*block.pick);
      block = wrap(std::move(block), all);
    }
    block.pick.reset();
    return;
  }
  if (!block.one_group || ids.empty() || !none_has(&Cell::has_aggregate)) return;
  // Nothing in the select list would tell SQLite that this SELECT returns one row, so add a count(*) and wrap it in a
  // subquery.
  const auto extra = static_cast<AttributeId>(cells_.size());
  cells_.push_back({{count_of_rows(), {}}, Cell::Kind::group});
  cells_.back().has_aggregate = true;
  auto all = ids;
  all.push_back(extra);
  block = wrap(std::move(block), all);
}

ast::Query SqlWriter::finish(SelectBlock block, const std::vector<AttributeId>& ids,
                             const std::vector<std::string>* names, std::vector<ExprType>* types) {
  if (block.fixed && *block.fixed != ids) {
    const auto all = *block.fixed;
    block = wrap(std::move(block), all);
  }
  if (!block.fixed) {
    keep_aggregate(block, ids);
    for (const auto id : ids) {
      const auto& sql = cells_[id].sql;
      if (types != nullptr) types->push_back(sql.type);
      block.select.items.push_back(make_item(sql.expr));
    }
    if (ids.empty())
      block.select.items.push_back(make_item(block.one_group ? count_of_rows() : sql_literal(std::int64_t{1})));
  } else if (types != nullptr) {
    *types = block.fixed_types;
  }
  ast::Query query;
  if (block.arms.empty()) {
    query.arms.push_back({ast::SetOp::union_all, std::move(block.select)});
  } else {
    query.arms = std::move(block.arms);
  }
  query.order_by = std::move(block.order_by);
  query.limit = std::move(block.limit);
  query.offset = std::move(block.offset);
  if (names != nullptr) {
    auto& items = query.arms.front().select()->items;
    for (std::size_t i = 0; i < ids.size(); ++i) name_item(items[i], (*names)[i]);
  }
  return query;
}

std::vector<std::string> SqlWriter::column_names(const std::vector<AttributeId>& ids) const {
  std::vector<std::string> names;
  for (const auto id : ids) {
    std::string name = "c" + std::to_string(id);
    if (id < plan_.attributes.size() && plan_.attributes[id].table != nullptr && plan_.attributes[id].position >= 0)
      name = plan_.attributes[id].name;
    for (const auto& other : names) {
      if (equals_ignore_case(other, name)) {
        name = "c" + std::to_string(id);
        break;
      }
    }
    // A table column may have this name.
    while (std::any_of(names.begin(), names.end(),
                       [&](const std::string& other) { return equals_ignore_case(other, name); }))
      name += "_";
    names.push_back(std::move(name));
  }
  return names;
}

SelectBlock SqlWriter::wrap(SelectBlock block, const Rel& rel) { return wrap(std::move(block), outputs(rel)); }

SelectBlock SqlWriter::wrap(SelectBlock block, const std::vector<AttributeId>& all_ids) {
  // One column for each attribute, even if the block has it twice.
  std::vector<AttributeId> ids;
  for (const auto id : all_ids) {
    if (block.fixed || std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  const auto names = column_names(ids);
  std::vector<ExprType> types;
  auto query = finish(std::move(block), ids, &names, &types);
  return read(ast::DerivedTable{std::move(query)}, ids, names, types);
}

SelectBlock SqlWriter::read(ast::FromItem::Source source, const std::vector<AttributeId>& ids,
                            const std::vector<std::string>& names, const std::vector<ExprType>& types) {
  const auto alias = new_alias();
  SelectBlock block;
  ast::FromItem item;
  item.source = std::move(source);
  item.alias = sql_name(alias);
  block.select.from.push_back(std::move(item));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    SqlExpr sql;
    sql.expr = ast::Expr{ast::ColumnRef{{}, sql_name(alias), sql_name(names[i])}, {}};
    sql.type = types[i];
    sql.type.collation.strength = Collation::Strength::column;  // whatever it was inside
    set_cell(ids[i], std::move(sql), Cell::Kind::column);
  }
  return block;
}

ast::Arm SqlWriter::as_arm(ast::Query query, ast::SetOp op) {
  if (query.order_by.empty() && !query.limit && query.arms.size() == 1) {
    query.arms.front().op = op;
    return std::move(query.arms.front());
  }
  ast::Select select;
  ast::SelectItem all;
  all.value = ast::Star{};
  select.items.push_back(std::move(all));
  ast::FromItem item;
  item.source = ast::DerivedTable{std::move(query)};
  item.alias = sql_name(new_alias());
  select.from.push_back(std::move(item));
  return {op, std::move(select)};
}

void SqlWriter::fix_columns(SelectBlock& block, const std::vector<AttributeId>& ids,
                            const std::vector<std::string_view>& collations) {
  keep_aggregate(block, ids);
  block.fixed = ids;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    auto sql = with_collation(cells_[ids[i]].sql, collations.empty() ? binary_collation : collations[i]);
    block.fixed_collations.push_back(canonical_collation(sql.type.collation.name));
    block.fixed_types.push_back(sql.type);
    block.select.items.push_back(make_item(std::move(sql.expr)));
  }
  if (ids.empty())
    block.select.items.push_back(make_item(block.one_group ? count_of_rows() : sql_literal(std::int64_t{1})));
  block.one_group = false;
  block.pick.reset();
}

void SqlWriter::give_collations(std::vector<ast::Arm>& arms, const std::vector<std::vector<ExprType>>& types,
                                const std::vector<std::string_view>& collations) {
  for (std::size_t i = 0; i < types.front().size(); ++i) {
    const auto natural = natural_collation(types, i);
    const auto wanted = collations.empty() ? binary_collation : collations[i];
    if (natural == wanted) continue;
    auto& item = arms.front().select()->items[i];
    auto expr = std::move(*item.expr());
    item.value = ast::Expr{ast::Collate{std::move(expr), sql_name(wanted)}, {}};
  }
}

std::string_view natural_collation(const std::vector<std::vector<ExprType>>& arms, std::size_t column) {
  for (const auto& arm : arms) {
    if (arm[column].collation.strength != Collation::Strength::none)
      return canonical_collation(arm[column].collation.name);
  }
  return binary_collation;
}

void SqlWriter::add_where(SelectBlock& block, const std::vector<Expr>& conjuncts) {
  if (conjuncts.empty()) return;
  auto& where = block.select.where;
  auto added = emit_conjunction(conjuncts);
  where = where ? ast::Expr{ast::Binary{ast::BinaryOp::logical_and, std::move(*where), std::move(added)}, {}}
                : std::move(added);
  block.stage = std::max(block.stage, SelectBlock::Stage::where);
}

bool SqlWriter::can_write(const std::vector<const Expr*>& exprs) const {
  const auto check = [&](const auto& self, const Expr& expr) -> bool {
    if (const auto* id = column_id(expr)) return cells_[*id].kind != Cell::Kind::computed;
    bool fine = true;
    for_each_expr(expr, [&](const Expr& operand) { fine = fine && self(self, operand); });
    for_each_rel(expr, [&](const Rel& rel) {
      // It must not be taken for an aggregate of the subquery, nor be evaluated there.
      free_attributes(rel).for_each([&](AttributeId id) { fine = fine && cells_[id].kind == Cell::Kind::column; });
    });
    return fine;
  };
  return std::all_of(exprs.begin(), exprs.end(), [&](const Expr* expr) { return check(check, *expr); });
}

bool SqlWriter::can_write(const std::vector<Expr>& exprs) const {
  std::vector<const Expr*> pointers;
  for (const auto& expr : exprs) pointers.push_back(&expr);
  return can_write(pointers);
}

bool SqlWriter::can_write_operator(const Rel& rel) const {
  std::vector<const Expr*> pointers;
  for_each_expr(rel, [&](const Expr& expr) { pointers.push_back(&expr); });
  return can_write(pointers);
}

bool SqlWriter::refers_outside(const Expr& expr, const AttributeSet& inside) const {
  bool found = false;
  references(expr).for_each(
      [&](AttributeId id) { found = found || !inside.contains(id) || cells_[id].refers_outside; });
  return found;
}

std::vector<AttributeId> SqlWriter::add_columns(SelectBlock& block, const Rel& input,
                                                const std::vector<const Expr*>& exprs) {
  auto ids = outputs(input);
  auto all_added = block.added;
  ids.insert(ids.end(), all_added.begin(), all_added.end());
  if (block.fixed || !can_write(exprs)) block = wrap(std::move(block), ids);
  std::vector<AttributeId> added;
  for (const auto* expr : exprs) {
    auto sql = emit(*expr);
    added.push_back(static_cast<AttributeId>(cells_.size()));
    cells_.push_back({std::move(sql), Cell::Kind::computed});
  }
  ids.insert(ids.end(), added.begin(), added.end());
  block = wrap(std::move(block), ids);
  all_added.insert(all_added.end(), added.begin(), added.end());
  block.added = std::move(all_added);
  return added;
}

std::vector<Expr> SqlWriter::make_local(SelectBlock& block, const Rel& input, std::vector<Expr> exprs) {
  const auto inside = output_set(input);
  std::vector<const Expr*> outside;
  for (const auto& expr : exprs) {
    if (!is_fixed(expr, inside) && refers_outside(expr, inside)) outside.push_back(&expr);
  }
  if (outside.empty()) return exprs;
  const auto ids = add_columns(block, input, outside);
  std::size_t next = 0;
  for (auto& expr : exprs) {
    if (next < outside.size() && outside[next] == &expr) expr = column(ids[next++]);
  }
  return exprs;
}

bool is_fixed(const Expr& expr, const AttributeSet& inside) {
  return is_constant(expr) || (!is_volatile(expr) && !has_subquery(expr) && !references(expr).intersects(inside));
}

bool SqlWriter::picks_row(const AttributeSet& ids) const {
  bool found = false;
  ids.for_each([&](AttributeId id) { found = found || cells_[id].picks_row; });
  return found;
}

bool SqlWriter::all_columns(const std::vector<AttributeId>& ids) const {
  return std::all_of(ids.begin(), ids.end(), [&](AttributeId id) { return cells_[id].kind == Cell::Kind::column; });
}

}  // namespace trustsql::plan
