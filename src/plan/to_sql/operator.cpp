#include <algorithm>

#include "plan/sqlite_bugs.hpp"
#include "plan/to_sql/writer.hpp"

namespace trustsql::plan {

using Stage = SelectBlock::Stage;

SelectBlock SqlWriter::convert(const Rel& rel) {
  return std::visit([&](const auto& node) { return convert_node(node, rel); }, rel.node);
}

SelectBlock SqlWriter::convert_node(const Filter& node, const Rel&) {
  auto block = convert(*node.input);
  const bool as_having = block.stage == Stage::group && !block.select.group_by.empty();
  if (block.fixed || (block.stage > Stage::where && !as_having) || !can_write(node.conjuncts))
    block = wrap(std::move(block), *node.input);
  if (block.stage <= Stage::where) {
    add_where(block, node.conjuncts);
  } else {
    block.select.having = emit_conjunction(node.conjuncts);
    if (picks_row(references(node.conjuncts))) block.pick.reset();
    block.stage = Stage::having;
  }
  return block;
}

std::optional<SelectBlock> SqlWriter::distinct_ordered_behind(const Project& node) {
  const auto* sort = node.input->as<Sort>();
  const auto* aggregate = sort != nullptr ? sort->input->as<Aggregate>() : nullptr;
  if (aggregate == nullptr || !aggregate->of_distinct || !aggregate->grouped) return std::nullopt;
  std::vector<AttributeId> ids;
  std::vector<std::string_view> collations;
  for (const auto& item : node.items) {
    const auto key = std::find_if(aggregate->keys.begin(), aggregate->keys.end(),
                                  [&](const GroupKey& k) { return k.id == item.id; });
    if (!item.is_pass_through() || key == aggregate->keys.end()) return std::nullopt;
    ids.push_back(item.id);
    collations.push_back(key->collation);
  }
  const auto input_columns = output_set(*aggregate->input);
  const auto is_plain = [&](AttributeId id, const Expr& expr) {
    return column_id(expr) != nullptr && *column_id(expr) == id && input_columns.contains(id);
  };
  bool fits = AttributeSet::of(ids).size() == aggregate->keys.size();
  for (const auto& key : aggregate->keys) fits = fits && is_plain(key.id, key.expr);
  for (const auto& call : aggregate->calls) fits = fits && call.is_bare() && is_plain(call.id, call.arguments.front());
  for (const auto& key : sort->keys) fits = fits && column_id(key.expr) != nullptr;
  if (!fits) return std::nullopt;

  auto block = convert(*aggregate->input);
  for (const auto& key : sort->keys) {
    if (picks_row(references(key.expr))) block.pick.reset();
  }
  // fix_columns() would wrap the block without the columns that it is ordered by.
  const bool would_be_wrapped = block.pick || block.one_group;
  if (block.fixed || block.stage >= Stage::distinct || would_be_wrapped)
    block = wrap(std::move(block), *aggregate->input);
  for (const auto& key : sort->keys) {
    const auto& cell = cells_[*column_id(key.expr)];
    if (cell.has_subquery || cell.is_volatile || cell.refers_outside) return std::nullopt;
  }
  fix_columns(block, ids, collations);
  block.select.distinct = true;
  for (const auto& key : sort->keys) {
    const auto found = std::find(ids.begin(), ids.end(), *column_id(key.expr));
    const auto position = static_cast<std::size_t>(found - ids.begin()) + 1;
    block.order_by.push_back(found == ids.end() ? order_term(key)
                                                : order_by_position(key, position, block.fixed_collations));
  }
  block.stage = Stage::order;
  return block;
}

SelectBlock SqlWriter::convert_node(const Project& node, const Rel&) {
  if (auto distinct = distinct_ordered_behind(node)) return std::move(*distinct);
  auto block = convert(*node.input);
  std::vector<const Expr*> computed;
  for (const auto& item : node.items) {
    if (!item.is_pass_through()) computed.push_back(&item.expr);
  }
  if (computed.empty()) return block;
  // The values of window functions count as computed, but their own SELECT may use them in expressions.
  const auto after_window = [&] {
    return block.stage == Stage::window &&
           std::none_of(computed.begin(), computed.end(), [](const Expr* expr) { return has_subquery(*expr); });
  };
  if (block.fixed || (!can_write(computed) && !after_window())) block = wrap(std::move(block), *node.input);
  std::vector<SqlExpr> emitted;
  for (const auto* expr : computed) emitted.push_back(emit(*expr));
  const auto inside = output_set(*node.input);
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const auto& expr = *computed[i];
    Cell cell{std::move(emitted[i]), Cell::Kind::computed};
    cell.refers_outside = refers_outside(expr, inside);
    cell.is_fixed = is_fixed(expr, inside);
    cell.has_subquery = has_subquery(expr);
    cell.is_volatile = is_volatile(expr);
    cell.picks_row = picks_row(references(expr));
    references(expr).for_each([&](AttributeId id) {
      cell.has_aggregate = cell.has_aggregate || cells_[id].has_aggregate;
      cell.has_subquery = cell.has_subquery || (cells_[id].kind == Cell::Kind::computed && cells_[id].has_subquery);
      cell.is_volatile = cell.is_volatile || (cells_[id].kind == Cell::Kind::computed && cells_[id].is_volatile);
    });
    cells.push_back(std::move(cell));
  }
  std::size_t next = 0;
  for (const auto& item : node.items) {
    if (item.is_pass_through()) continue;
    cells_[item.id] = std::move(cells[next++]);
  }
  return block;
}

ast::OrderTerm SqlWriter::order_term(const SortKey& key) {
  ast::OrderTerm term;
  auto sql = emit(key.expr);
  term.expr = is_sql_integer(sql.expr) ? sql_literal({}) : with_collation(std::move(sql), key.collation).expr;
  term.descending = key.descending;
  if (key.nulls_first == key.descending) term.nulls = key.nulls_first ? ast::NullsOrder::first : ast::NullsOrder::last;
  return term;
}

SelectBlock SqlWriter::convert_node(const Distinct& node, const Rel&) {
  auto block = convert(*node.input);
  if (block.fixed || block.stage >= Stage::distinct) block = wrap(std::move(block), *node.input);
  fix_columns(block, outputs(*node.input), node.collations);
  block.select.distinct = true;
  block.stage = Stage::distinct;
  return block;
}

SelectBlock SqlWriter::convert_node(const Sort& node, const Rel&) {
  auto block = convert(*node.input);
  const auto inside = output_set(*node.input);
  std::vector<SortKey> keys;
  for (const auto& key : node.keys) {
    const auto* id = column_id(key.expr);
    if (!is_fixed(key.expr, inside) && (id == nullptr || block.fixed || !cells_[*id].is_fixed)) keys.push_back(key);
  }
  const auto position = [&](const Expr& expr) {
    const auto* id = column_id(expr);
    if (!block.fixed || id == nullptr) return std::size_t{0};
    const auto found = std::find(block.fixed->begin(), block.fixed->end(), *id);
    return found == block.fixed->end() ? 0 : static_cast<std::size_t>(found - block.fixed->begin()) + 1;
  };
  bool fits = block.stage < Stage::order;
  for (const auto& key : keys) {
    if (block.fixed) {
      const auto column = position(key.expr);
      fits = fits && column > 0;
      // If sorting a compound query needs a COLLATE, SQLite applies the last arm's GROUP BY and HAVING to the whole
      // query.
      fits = fits && (block.arms.empty() || block.fixed_collations[column - 1] == key.collation);
    } else if (const auto* id = column_id(key.expr)) {
      // A computed column is repeated here if that gives the same value.
      fits =
          fits && (cells_[*id].kind != Cell::Kind::computed || !(cells_[*id].has_subquery || cells_[*id].is_volatile));
    } else {
      fits = fits && can_write({&key.expr});
    }
    fits = fits && !is_volatile(key.expr);
  }
  if (!fits) block = wrap(std::move(block), *node.input);
  if (!block.fixed) {
    std::vector<Expr> exprs;
    for (const auto& key : keys) exprs.push_back(key.expr);
    exprs = make_local(block, *node.input, std::move(exprs));
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i].expr = std::move(exprs[i]);
  }
  for (const auto& key : keys) {
    if (picks_row(references(key.expr))) block.pick.reset();
    block.order_by.push_back(block.fixed ? order_by_position(key, position(key.expr), block.fixed_collations)
                                         : order_term(key));
  }
  block.stage = Stage::order;
  return block;
}

ast::OrderTerm SqlWriter::order_by_position(const SortKey& key, std::size_t position,
                                            const std::vector<std::string_view>& collations) {
  SortKey by_position = key;
  by_position.expr = literal(static_cast<std::int64_t>(position));
  by_position.collation = binary_collation;
  auto term = order_term(by_position);
  term.expr = emit_ast(by_position.expr);
  if (collations[position - 1] != key.collation) {
    term.expr = ast::Expr{ast::Collate{std::move(term.expr), sql_name(key.collation)}, {}};
  }
  return term;
}

SelectBlock SqlWriter::convert_node(const Limit& node, const Rel&) {
  auto block = convert(*node.input);
  if (block.stage == Stage::limit) block = wrap(std::move(block), *node.input);
  block.limit = emit_ast(*node.count);
  if (node.offset) block.offset = emit_ast(*node.offset);
  block.stage = Stage::limit;
  return block;
}

SelectBlock SqlWriter::convert_node(const SetOp& node, const Rel&) {
  SelectBlock block;
  std::vector<std::vector<ExprType>> types(node.inputs.size());
  const bool compares = node.op != ast::SetOp::union_all;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const auto& input = node.inputs[i];
    auto arm = convert(input);
    const auto ids = outputs(input);
    bool fits = arm.stage < Stage::order && (arm.arms.empty() || i == 0);
    if (i == 0 && arm.fixed && compares) {
      // The collations it already compares with must be right for this operator as well.
      for (std::size_t c = 0; c < ids.size(); ++c)
        fits = fits && arm.fixed_collations[c] == (node.collations.empty() ? binary_collation : node.collations[c]);
    }
    if (!fits || (!compares && selects_from_right_join(input))) arm = wrap(std::move(arm), ids);
    if (i == 0 && !arm.fixed && compares)
      fix_columns(arm, ids, node.collations);  // the collations come from the first arm
    auto query = finish(std::move(arm), ids, nullptr, &types[i]);
    if (i == 0 && query.arms.size() > 1) {
      block.arms = std::move(query.arms);
    } else {
      block.arms.push_back(as_arm(std::move(query), node.op));
    }
  }
  if (compares) give_collations(block.arms, types, node.collations);
  block.fixed = node.ids;
  block.fixed_types = types.front();
  for (std::size_t c = 0; c < node.ids.size(); ++c) {
    const auto wanted = node.collations.empty() ? binary_collation : node.collations[c];
    block.fixed_collations.push_back(compares ? wanted : natural_collation(types, c));
    // An explicit COLLATE also becomes the collation of the column.
    if (compares && wanted != natural_collation(types, c))
      block.fixed_types[c].collation = {wanted, Collation::Strength::collate};
  }
  block.stage = Stage::distinct;
  return block;
}

}  // namespace trustsql::plan
