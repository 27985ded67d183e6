#include <algorithm>

#include "plan/to_sql/writer.hpp"

namespace trustsql::plan {

using Stage = SelectBlock::Stage;

std::vector<AggregateCall> SqlWriter::anchor_calls(SelectBlock& block, const Aggregate& node) {
  const auto inside = output_set(*node.input);
  auto calls = node.calls;
  std::vector<Expr*> strays;
  for (auto& call : calls) {
    auto used = references(call.arguments);
    if (call.filter) used |= references(*call.filter);
    for (const auto& key : call.order_by) used |= references(key.expr);
    if (used.empty() || used.intersects(inside)) continue;
    for (auto& argument : call.arguments) strays.push_back(&argument);
    if (call.filter) strays.push_back(&*call.filter);
    for (auto& key : call.order_by) strays.push_back(&key.expr);
  }
  if (strays.empty()) return calls;
  const auto ids = add_columns(block, *node.input, {strays.begin(), strays.end()});
  for (std::size_t i = 0; i < strays.size(); ++i) *strays[i] = column(ids[i]);
  return calls;
}

ExprType SqlWriter::emit_arguments(ast::Call& call, const std::vector<Expr>& arguments, std::string_view collation) {
  ExprType type;
  for (const auto& argument : arguments) {
    auto emitted = emit(argument);
    if (&argument == &arguments.front() && !collation.empty()) emitted = with_collation(std::move(emitted), collation);
    if (emitted.type.collation.strength == Collation::Strength::collate) type.collation = emitted.type.collation;
    call.arguments.push_back(std::move(emitted.expr));
  }
  return type;
}

SelectBlock SqlWriter::convert_node(const Aggregate& node, const Rel& rel) {
  auto block = convert(*node.input);
  if (block.fixed || block.stage > Stage::where || !can_write_operator(rel))
    block = wrap(std::move(block), *node.input);
  const auto inside = output_set(*node.input);
  const auto node_calls = anchor_calls(block, node);
  std::vector<Expr> key_exprs;
  for (const auto& key : node.keys) key_exprs.push_back(key.expr);
  key_exprs = make_local(block, *node.input, std::move(key_exprs));
  std::vector<SqlExpr> keys;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    keys.push_back(emit(key_exprs[i]));
    const bool fixed = is_fixed(node.keys[i].expr, inside);
    block.select.group_by.push_back(fixed || is_sql_integer(keys.back().expr)
                                        ? sql_literal({})
                                        : with_collation(keys.back(), node.keys[i].collation).expr);
  }
  if (node.grouped && node.keys.empty()) block.select.group_by.push_back(sql_literal({}));
  std::vector<SqlExpr> calls;
  std::vector<bool> outside;
  for (const auto& call : node_calls) {
    bool call_refers_outside = call.filter && refers_outside(*call.filter, inside);
    for (const auto& argument : call.arguments)
      call_refers_outside = call_refers_outside || refers_outside(argument, inside);
    for (const auto& key : call.order_by) call_refers_outside = call_refers_outside || refers_outside(key.expr, inside);
    outside.push_back(call_refers_outside);
    if (call.is_bare()) {
      calls.push_back(emit(call.arguments.front()));
      continue;
    }
    ast::Call sql;
    sql.name = sql_name(call.name);
    sql.distinct = call.distinct;
    sql.star = call.arguments.empty();
    const bool compares = call.distinct || call.name == "min" || call.name == "max";
    const auto type = emit_arguments(sql, call.arguments, compares ? call.collation : std::string_view());
    for (const auto& key : call.order_by) sql.order_by.push_back(order_term(key));
    if (call.filter) sql.filter = emit_ast(*call.filter);
    calls.push_back({ast::Expr{std::move(sql), {}}, type});
  }
  for (std::size_t i = 0; i < node.keys.size(); ++i) set_cell(node.keys[i].id, std::move(keys[i]), Cell::Kind::group);
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    auto& cell = cells_[node.keys[i].id];
    cell.is_fixed = is_fixed(node.keys[i].expr, inside);
    cell.refers_outside =
        cell.is_fixed && refers_outside(node.keys[i].expr, inside);  // the other keys have been made columns
  }
  for (std::size_t i = 0; i < node_calls.size(); ++i) {
    const auto& call = node_calls[i];
    set_cell(call.id, std::move(calls[i]), Cell::Kind::group);
    cells_[call.id].has_aggregate = !call.is_bare();
    cells_[call.id].refers_outside = outside[i];
  }
  block.stage = Stage::group;
  block.one_group = !node.grouped;
  const auto picks = [](const AggregateCall& call) { return call.name == "min" || call.name == "max"; };
  if (node.has_bare_columns() && std::count_if(node.calls.begin(), node.calls.end(), picks) == 1) {
    block.pick = std::find_if(node.calls.begin(), node.calls.end(), picks)->id;
    cells_[*block.pick].picks_row = true;
  }
  return block;
}

SelectBlock SqlWriter::convert_node(const Window& node, const Rel& rel) {
  auto block = convert(*node.input);
  if (block.fixed || block.stage > Stage::having || !can_write_operator(rel))
    block = wrap(std::move(block), *node.input);
  std::vector<SqlExpr> calls;
  for (const auto& call : node.calls) {
    ast::Call sql;
    sql.name = sql_name(call.name);
    sql.star = call.star;
    const bool compares = call.name == "min" || call.name == "max";
    const auto type = emit_arguments(sql, call.arguments, compares ? call.collation : std::string_view());
    if (call.filter) sql.filter = emit_ast(*call.filter);
    ast::Window window;
    for (const auto& key : call.partition_by)
      window.partition_by.push_back(with_collation(emit(key.expr), key.collation).expr);
    for (const auto& key : call.order_by) window.order_by.push_back(order_term(key));
    if (call.frame) {
      const auto bound = [&](const FrameBound& from) {
        ast::FrameBound to{from.kind, {}};
        if (from.offset) to.offset = emit_ast(*from.offset);
        return to;
      };
      window.frame =
          ast::Frame{call.frame->unit, bound(call.frame->start), bound(call.frame->end), call.frame->exclude};
    }
    sql.over = std::variant<ast::Name, ast::Window>(std::move(window));
    calls.push_back({ast::Expr{std::move(sql), {}}, type});
  }
  const auto inside = output_set(*node.input);
  for (std::size_t i = 0; i < node.calls.size(); ++i) {
    set_cell(node.calls[i].id, std::move(calls[i]), Cell::Kind::computed);
    bool outside = false;
    for_each_child(node.calls[i], [&](const auto& child) {
      if constexpr (std::is_same_v<decltype(child), const Expr&>) outside = outside || refers_outside(child, inside);
      if constexpr (requires { child.expr; }) outside = outside || refers_outside(child.expr, inside);
    });
    cells_[node.calls[i].id].refers_outside = outside;
  }
  block.stage = Stage::window;
  return block;
}

}  // namespace trustsql::plan
