#include <algorithm>

#include "plan/sqlite_bugs.hpp"
#include "plan/to_sql/writer.hpp"

namespace trustsql::plan {

using Stage = SelectBlock::Stage;

SelectBlock SqlWriter::join_side(const Rel& rel, bool allow_where, bool single_item) {
  auto block = convert(rel);
  bool fits = !block.fixed && block.stage <= (allow_where ? Stage::where : Stage::from) && !block.select.from.empty();
  if (single_item) fits = fits && block.select.from.size() == 1;
  if (!fits || !all_columns(outputs(rel))) block = wrap(std::move(block), rel);
  return block;
}

// A side of an outer join that is filled with NULLs where there is no match.
SelectBlock SqlWriter::nullable_side(const Rel& rel) {
  if (!computes_subquery_once(rel, plan_)) return join_side(rel, false, true);
  auto block = convert(rel);
  if (block.stage != Stage::limit) {  // a subquery with a LIMIT is not merged into the query around it
    block.limit = emit_ast(literal(std::int64_t{-1}));
    block.stage = Stage::limit;
  }
  return wrap(std::move(block), rel);
}

SelectBlock SqlWriter::convert_node(const Join& node, const Rel&) {
  if (node.type == JoinType::semi || node.type == JoinType::anti) {
    return existence_join(*node.left, *node.right, node.on, node.type == JoinType::anti);
  }
  const bool inner = node.type == JoinType::inner;
  const bool right_or_full = node.type == JoinType::right || node.type == JoinType::full;
  auto block = right_or_full && computes_subquery_once(*node.left, plan_)
                   ? nullable_side(*node.left)
                   : join_side(*node.left, inner || node.type == JoinType::left, false);
  if (right_or_full && block.select.from.size() > 1 && has_condition_without_columns(*node.left))
    block = wrap(std::move(block), *node.left);
  const bool fills_right = node.type == JoinType::left || node.type == JoinType::full;
  auto right = fills_right ? nullable_side(*node.right) : join_side(*node.right, inner, !inner);
  auto& items = right.select.from;
  // The left side of a RIGHT or FULL JOIN is everything before it.
  const auto is_right_or_full = [](const ast::FromItem& item) {
    return item.join == ast::JoinType::right || item.join == ast::JoinType::full;
  };
  if (std::any_of(items.begin() + 1, items.end(), is_right_or_full)) right = wrap(std::move(right), *node.right);

  switch (node.type) {
    case JoinType::left: items.front().join = ast::JoinType::left; break;
    case JoinType::right: items.front().join = ast::JoinType::right; break;
    case JoinType::full: items.front().join = ast::JoinType::full; break;
    default: items.front().join = node.on.empty() ? ast::JoinType::comma : ast::JoinType::inner; break;
  }
  const bool single = items.size() == 1;
  if (!node.on.empty() && single) items.front().on = emit_conjunction(node.on);
  for (auto& item : items) block.select.from.push_back(std::move(item));
  if (right.select.where) {
    auto& where = block.select.where;
    where =
        where
            ? ast::Expr{ast::Binary{ast::BinaryOp::logical_and, std::move(*where), std::move(*right.select.where)}, {}}
            : std::move(*right.select.where);
    block.stage = Stage::where;
  }
  if (!node.on.empty() && !single) add_where(block, node.on);
  return block;
}

SelectBlock SqlWriter::existence_join(const Rel& left, const Rel& right, const std::vector<Expr>& on, bool anti) {
  auto block = convert(left);
  if (block.fixed || block.stage > Stage::where || !all_columns(outputs(left))) block = wrap(std::move(block), left);
  auto other = convert(right);
  if (!on.empty() && (other.fixed || other.stage > Stage::where || !can_write(on)))
    other = wrap(std::move(other), right);
  add_where(other, on);
  const auto ids = other.fixed.value_or(std::vector<AttributeId>());
  ast::Expr exists{ast::Exists{finish(std::move(other), ids)}, {}};
  if (anti) exists = ast::Expr{ast::Unary{ast::UnaryOp::logical_not, std::move(exists)}, {}};
  auto& where = block.select.where;
  where = where ? ast::Expr{ast::Binary{ast::BinaryOp::logical_and, std::move(*where), std::move(exists)}, {}}
                : std::move(exists);
  block.stage = Stage::where;
  return block;
}

SelectBlock SqlWriter::convert_node(const Apply& node, const Rel&) {
  switch (node.type) {
    case ApplyType::semi:
    case ApplyType::anti: return existence_join(*node.left, *node.right, node.on, node.type == ApplyType::anti);
    case ApplyType::scalar: {
      auto block = convert(*node.left);
      if (block.fixed || block.stage > Stage::where || !all_columns(outputs(*node.left)))
        block = wrap(std::move(block), *node.left);
      const auto ids = outputs(*node.right);
      std::vector<ExprType> types;
      auto query = subquery(*node.right, &types);
      SqlExpr sql;
      sql.expr = ast::Expr{ast::Subquery{std::move(query)}, {}};
      sql.type.affinity = types.front().affinity;
      set_cell(ids.front(), std::move(sql), Cell::Kind::computed);
      auto& cell = cells_[ids.front()];
      cell.has_subquery = true;
      cell.is_volatile = is_volatile(*node.right);
      cell.refers_outside = !free_attributes(*node.right).is_subset_of(output_set(*node.left));
      return block;
    }
    case ApplyType::lateral:
    case ApplyType::lateral_left: break;
  }
  auto block = join_side(*node.left, true, false);
  auto item = table_function_item(*node.right->as<TableFunction>());
  const bool left = node.type == ApplyType::lateral_left;
  item.join = left ? ast::JoinType::left : node.on.empty() ? ast::JoinType::comma : ast::JoinType::inner;
  if (!node.on.empty()) item.on = emit_conjunction(node.on);
  block.select.from.push_back(std::move(item));
  return block;
}

}  // namespace trustsql::plan
