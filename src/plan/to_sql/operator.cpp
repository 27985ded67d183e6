#include <algorithm>

#include "base/text.hpp"
#include "db/catalog.hpp"
#include "plan/to_sql/writer.hpp"

namespace trustsql::plan {

using Stage = Block::Stage;

namespace {

ast::Expr null_literal() { return {ast::Literal{}, {}}; }

ast::Expr integer_literal(std::int64_t value) { return {ast::Literal{ast::Literal::Kind::integer, std::to_string(value)}, {}}; }

}  // namespace

Block SqlWriter::convert(const Rel& rel) {
  return std::visit([&](const auto& node) { return convert_node(node, rel); }, rel.node);
}

Block SqlWriter::convert_node(const Scan& node, const Rel&) {
  ast::Table table;
  if (!node.schema.empty()) table.name.schema = sql_name(node.schema);
  table.name.name = sql_name(node.name);
  std::vector<AttributeId> ids;
  std::vector<std::string> names;
  std::vector<ExprType> types;
  for (const auto& column : node.columns) {
    const auto& attribute = plan_.attributes[column.id];
    ids.push_back(column.id);
    types.push_back({attribute.affinity, {attribute.collation, Collation::Strength::column}, attribute.types});
    if (column.position >= 0) {
      names.push_back(node.table->columns[static_cast<std::size_t>(column.position)].name);
      continue;
    }
    std::string name = "rowid";
    for (const char* other : {"_rowid_", "oid"}) {
      if (node.table->find_column(name)) name = other;
    }
    names.push_back(name);
  }
  auto block = read(std::move(table), ids, names, types);
  for (const auto& column : node.columns) {
    // The rowid has no collation of its own.
    if (column.position < 0) cells_[column.id].sql.type.collation.strength = Collation::Strength::none;
  }
  return block;
}

ast::FromItem SqlWriter::table_function_item(const TableFunction& node) {
  ast::TableFunction function;
  if (!node.schema.empty()) function.name.schema = sql_name(node.schema);
  function.name.name = sql_name(node.name);
  function.arguments = emit_all(node.arguments);
  std::vector<AttributeId> ids;
  std::vector<std::string> names;
  std::vector<ExprType> types;
  for (const auto& column : node.columns) {
    const auto& attribute = plan_.attributes[column.id];
    ids.push_back(column.id);
    names.push_back(column.position >= 0 ? node.table->columns[static_cast<std::size_t>(column.position)].name : "rowid");
    types.push_back({attribute.affinity, {attribute.collation, Collation::Strength::column}, attribute.types});
  }
  return std::move(read(std::move(function), ids, names, types).select.from.front());
}

Block SqlWriter::convert_node(const TableFunction& node, const Rel&) {
  Block block;
  block.select.from.push_back(table_function_item(node));
  return block;
}

Block SqlWriter::convert_node(const Values& node, const Rel& rel) {
  Block block;
  if (node.rows.size() == 1) {
    for (std::size_t i = 0; i < node.ids.size(); ++i) {
      const auto& expr = node.rows.front()[i];
      set_cell(node.ids[i], emit(expr), Cell::Kind::computed);
      cells_[node.ids[i]].refers_outside = !references(expr).empty();
    }
    return block;
  }
  if (node.rows.empty()) {
    for (const auto id : node.ids) set_cell(id, {null_literal(), {}}, Cell::Kind::computed);
    block.select.where = integer_literal(0);
    block.stage = Stage::where;
    return wrap(std::move(block), rel);
  }
  // A SELECT for each row: its columns can be given names.
  std::vector<ExprType> types;
  for (std::size_t r = 0; r < node.rows.size(); ++r) {
    ast::Select select;
    for (const auto& expr : node.rows[r]) {
      auto sql = emit(expr);
      if (r == 0) {
        block.fixed_collations.push_back(canonical_collation(sql.type.collation.name));
        types.push_back(sql.type);
      }
      ast::SelectItem item;
      item.value = std::move(sql.expr);
      select.items.push_back(std::move(item));
    }
    if (select.items.empty()) select.items.push_back({integer_literal(1), {}, {}});
    block.arms.push_back({ast::SetOp::union_all, std::move(select)});
  }
  block.fixed = node.ids;
  block.fixed_types = std::move(types);
  return wrap(std::move(block), rel);
}

Block SqlWriter::convert_node(const Filter& node, const Rel&) {
  auto block = convert(*node.input);
  const bool as_having = block.stage == Stage::group && !block.select.group_by.empty();
  if (block.fixed || (block.stage > Stage::where && !as_having) || !can_write(node.conjuncts)) block = wrap(std::move(block), *node.input);
  if (block.stage <= Stage::where) {
    add_where(block, node.conjuncts);
  } else {
    block.select.having = emit_conjunction(node.conjuncts);
    block.stage = Stage::having;
  }
  return block;
}

std::optional<Block> SqlWriter::distinct_ordered_behind(const Project& node) {
  const auto* sort = node.input->as<Sort>();
  const auto* aggregate = sort != nullptr ? sort->input->as<Aggregate>() : nullptr;
  if (aggregate == nullptr || !aggregate->of_distinct || !aggregate->grouped) return std::nullopt;
  std::vector<AttributeId> ids;
  std::vector<std::string_view> collations;
  for (const auto& item : node.items) {
    const auto key = std::find_if(aggregate->keys.begin(), aggregate->keys.end(), [&](const GroupKey& k) { return k.id == item.id; });
    if (!item.is_pass_through() || key == aggregate->keys.end()) return std::nullopt;
    ids.push_back(item.id);
    collations.push_back(key->collation);
  }
  const auto of_input = output_set(*aggregate->input);
  const auto is_plain = [&](AttributeId id, const Expr& expr) {
    return column_id(expr) != nullptr && *column_id(expr) == id && of_input.contains(id);
  };
  bool fits = AttributeSet::of(ids).size() == aggregate->keys.size();
  for (const auto& key : aggregate->keys) fits = fits && is_plain(key.id, key.expr);
  for (const auto& call : aggregate->calls) fits = fits && call.is_bare() && is_plain(call.id, call.arguments.front());
  for (const auto& key : sort->keys) fits = fits && column_id(key.expr) != nullptr;
  if (!fits) return std::nullopt;

  auto block = convert(*aggregate->input);
  if (block.fixed || block.stage >= Stage::distinct) block = wrap(std::move(block), *aggregate->input);
  for (const auto& key : sort->keys) {
    const auto& cell = cells_[*column_id(key.expr)];
    if (cell.has_subquery || cell.is_volatile || cell.refers_outside) return std::nullopt;
  }
  fix_columns(block, ids, collations);
  block.select.distinct = true;
  for (const auto& key : sort->keys) {
    const auto found = std::find(ids.begin(), ids.end(), *column_id(key.expr));
    const auto position = static_cast<std::size_t>(found - ids.begin()) + 1;
    block.order_by.push_back(found == ids.end() ? order_term(key) : order_by_position(key, position, block.fixed_collations));
  }
  block.stage = Stage::order;
  return block;
}

Block SqlWriter::convert_node(const Project& node, const Rel&) {
  if (auto distinct = distinct_ordered_behind(node)) return std::move(*distinct);
  auto block = convert(*node.input);
  std::vector<const Expr*> computed;
  for (const auto& item : node.items) {
    if (!item.is_pass_through()) computed.push_back(&item.expr);
  }
  if (computed.empty()) return block;
  // Window functions' values count as computed, but their SELECT may go on computing with them.
  const auto after_window = [&] {
    return block.stage == Stage::window && std::none_of(computed.begin(), computed.end(), [](const Expr* expr) { return has_subquery(*expr); });
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

std::vector<AggregateCall> SqlWriter::anchor_calls(Block& block, const Aggregate& node) {
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

Block SqlWriter::convert_node(const Aggregate& node, const Rel& rel) {
  auto block = convert(*node.input);
  if (block.fixed || block.stage > Stage::where || !can_write_operator(rel)) block = wrap(std::move(block), *node.input);
  const auto inside = output_set(*node.input);
  const auto node_calls = anchor_calls(block, node);
  std::vector<Expr> key_exprs;
  for (const auto& key : node.keys) key_exprs.push_back(key.expr);
  key_exprs = make_local(block, *node.input, std::move(key_exprs));
  std::vector<SqlExpr> keys;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    keys.push_back(emit(key_exprs[i]));
    const bool fixed = is_fixed(node.keys[i].expr, inside);
    block.select.group_by.push_back(fixed ? null_literal() : with_collation(keys.back(), node.keys[i].collation).expr);
  }
  if (node.grouped && node.keys.empty()) block.select.group_by.push_back(null_literal());
  std::vector<SqlExpr> calls;
  std::vector<bool> outside;
  for (const auto& call : node_calls) {
    bool found = call.filter && refers_outside(*call.filter, inside);
    for (const auto& argument : call.arguments) found = found || refers_outside(argument, inside);
    for (const auto& key : call.order_by) found = found || refers_outside(key.expr, inside);
    outside.push_back(found);
    if (call.is_bare()) {
      calls.push_back(emit(call.arguments.front()));
      continue;
    }
    ast::Call sql;
    sql.name = sql_name(call.name);
    sql.distinct = call.distinct;
    sql.star = call.arguments.empty();
    ExprType type;
    for (const auto& argument : call.arguments) {
      auto emitted = emit(argument);
      if (&argument == &call.arguments.front() && (call.distinct || call.name == "min" || call.name == "max")) {
        emitted = with_collation(std::move(emitted), call.collation);
      }
      if (emitted.type.collation.strength == Collation::Strength::explicit_) type.collation = emitted.type.collation;
      sql.arguments.push_back(std::move(emitted.expr));
    }
    for (const auto& key : call.order_by) sql.order_by.push_back(order_term(key));
    if (call.filter) sql.filter = emit_ast(*call.filter);
    calls.push_back({ast::Expr{std::move(sql), {}}, type});
  }
  for (std::size_t i = 0; i < node.keys.size(); ++i) set_cell(node.keys[i].id, std::move(keys[i]), Cell::Kind::group);
  for (std::size_t i = 0; i < node.keys.size(); ++i) cells_[node.keys[i].id].is_fixed = is_fixed(node.keys[i].expr, inside);
  for (std::size_t i = 0; i < node_calls.size(); ++i) {
    const auto& call = node_calls[i];
    set_cell(call.id, std::move(calls[i]), Cell::Kind::group);
    cells_[call.id].has_aggregate = !call.is_bare();
    cells_[call.id].refers_outside = outside[i];
  }
  block.stage = Stage::group;
  block.one_group = !node.grouped;
  return block;
}

ast::OrderTerm SqlWriter::order_term(const SortKey& key) {
  ast::OrderTerm term;
  auto sql = emit(key.expr);
  // An integer would be the number of a column.
  term.expr = sql.expr.as<ast::Literal>() != nullptr ? null_literal() : with_collation(std::move(sql), key.collation).expr;
  term.descending = key.descending;
  if (key.nulls_first == key.descending) term.nulls = key.nulls_first ? ast::NullsOrder::first : ast::NullsOrder::last;
  return term;
}

Block SqlWriter::convert_node(const Window& node, const Rel& rel) {
  auto block = convert(*node.input);
  if (block.fixed || block.stage > Stage::having || !can_write_operator(rel)) block = wrap(std::move(block), *node.input);
  std::vector<SqlExpr> calls;
  for (const auto& call : node.calls) {
    ast::Call sql;
    sql.name = sql_name(call.name);
    sql.star = call.star;
    ExprType type;
    for (const auto& argument : call.arguments) {
      auto emitted = emit(argument);
      if (&argument == &call.arguments.front() && (call.name == "min" || call.name == "max"))
        emitted = with_collation(std::move(emitted), call.collation);
      if (emitted.type.collation.strength == Collation::Strength::explicit_) type.collation = emitted.type.collation;
      sql.arguments.push_back(std::move(emitted.expr));
    }
    if (call.filter) sql.filter = emit_ast(*call.filter);
    ast::Window window;
    for (const auto& key : call.partition_by) window.partition_by.push_back(with_collation(emit(key.expr), key.collation).expr);
    for (const auto& key : call.order_by) window.order_by.push_back(order_term(key));
    if (call.frame) {
      const auto bound = [&](const FrameBound& from) {
        ast::FrameBound to{from.kind, {}};
        if (from.offset) to.offset = emit_ast(*from.offset);
        return to;
      };
      window.frame = ast::Frame{call.frame->unit, bound(call.frame->start), bound(call.frame->end), call.frame->exclude};
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

Block SqlWriter::convert_node(const Distinct& node, const Rel&) {
  auto block = convert(*node.input);
  if (block.fixed || block.stage >= Stage::distinct) block = wrap(std::move(block), *node.input);
  fix_columns(block, outputs(*node.input), node.collations);
  block.select.distinct = true;
  block.stage = Stage::distinct;
  return block;
}

Block SqlWriter::convert_node(const Sort& node, const Rel&) {
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
      fits = fits && position(key.expr) > 0;
    } else if (const auto* id = column_id(key.expr)) {
      // A computed column is written once more, if that gives the same value.
      fits = fits && (cells_[*id].kind != Cell::Kind::computed || !(cells_[*id].has_subquery || cells_[*id].is_volatile));
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
    block.order_by.push_back(block.fixed ? order_by_position(key, position(key.expr), block.fixed_collations) : order_term(key));
  }
  block.stage = Stage::order;
  return block;
}

ast::OrderTerm SqlWriter::order_by_position(const SortKey& key, std::size_t position, const std::vector<std::string_view>& collations) {
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

Block SqlWriter::convert_node(const Limit& node, const Rel&) {
  auto block = convert(*node.input);
  if (block.stage == Stage::limit) block = wrap(std::move(block), *node.input);
  block.limit = emit_ast(*node.count);
  if (node.offset) block.offset = emit_ast(*node.offset);
  block.stage = Stage::limit;
  return block;
}

Block SqlWriter::convert_node(const SetOp& node, const Rel&) {
  Block block;
  std::vector<std::vector<ExprType>> types(node.inputs.size());
  const bool compares = node.op != ast::SetOp::union_all;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const auto& input = node.inputs[i];
    auto arm = convert(input);
    const auto ids = outputs(input);
    bool fits = arm.stage < Stage::order && (arm.arms.empty() || i == 0);
    if (i == 0 && arm.fixed && compares) {
      // What it compares by already must do for this operator as well.
      for (std::size_t c = 0; c < ids.size(); ++c)
        fits = fits && arm.fixed_collations[c] == (node.collations.empty() ? binary_collation : node.collations[c]);
    }
    if (!fits) arm = wrap(std::move(arm), ids);
    if (i == 0 && !arm.fixed && compares) fix_columns(arm, ids, node.collations);  // the collations come from the first arm
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
    // Asked for, a collation is that of the column as well; it was none of its own before.
    if (compares && wanted != natural_collation(types, c)) block.fixed_types[c].collation = {wanted, Collation::Strength::explicit_};
  }
  block.stage = Stage::distinct;
  return block;
}

Block SqlWriter::convert_node(const Derived& node, const Rel& rel) {
  auto block = convert(*node.input);
  // SQLite evaluates a common table that is used more than once only once; that matters if it is random.
  if (node.definition < 0 || !is_volatile(*node.input) || !free_attributes(*node.input).empty()) return wrap(std::move(block), rel);
  const auto ids = outputs(rel);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ids.size(); ++i) names.push_back("c" + std::to_string(i + 1));
  std::vector<ExprType> types;
  auto query = finish(std::move(block), ids, nullptr, &types);
  const auto [found, is_new] = shared_by_definition_.try_emplace(node.definition, shared_.size());
  if (is_new) {
    ast::CommonTable table;
    table.name = sql_name("w" + std::to_string(shared_.size() + 1));
    for (const auto& name : names) table.columns.push_back(sql_name(name));
    table.query = std::move(query);
    shared_.push_back(std::move(table));
  }
  ast::Table use;
  use.name.name = shared_[found->second].name;
  return read(std::move(use), ids, names, types);
}

Block SqlWriter::convert_node(const Recursive& node, const Rel&) {
  const auto name = "r" + std::to_string(node.number + 1);
  recursions_[node.number] = name;
  std::vector<ExprType> types;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < node.ids.size(); ++i) names.push_back("c" + std::to_string(i + 1));

  const auto seed_ids = outputs(*node.seed);
  auto seed = convert(*node.seed);
  if (seed.stage >= Stage::order) seed = wrap(std::move(seed), seed_ids);
  if (node.distinct) {
    if (seed.fixed) seed = wrap(std::move(seed), seed_ids);
    fix_columns(seed, seed_ids, node.collations);
  }
  std::vector<std::vector<ExprType>> arm_types(1 + node.steps.size());
  auto query = finish(std::move(seed), seed_ids, nullptr, &types);
  arm_types.front() = types;
  for (std::size_t i = 0; i < node.steps.size(); ++i) {
    const auto ids = outputs(node.steps[i]);
    auto arm = convert(node.steps[i]);
    // Only a plain SELECT can be recursive.
    auto step = finish(std::move(arm), ids, nullptr, &arm_types[i + 1]);
    query.arms.push_back(as_arm(std::move(step), node.distinct ? ast::SetOp::union_distinct : ast::SetOp::union_all));
  }
  if (node.distinct) give_collations(query.arms, arm_types, node.collations);
  std::vector<std::string_view> collations;
  for (std::size_t c = 0; c < node.ids.size(); ++c) {
    collations.push_back(node.collations.empty() ? node.distinct ? binary_collation : natural_collation(arm_types, c) : node.collations[c]);
  }
  for (const auto& key : node.order_by) {
    const auto* id = column_id(key.expr);
    const auto found = id == nullptr ? node.ids.end() : std::find(node.ids.begin(), node.ids.end(), *id);
    if (found == node.ids.end()) continue;
    const auto position = static_cast<std::size_t>(found - node.ids.begin());
    query.order_by.push_back(order_by_position(key, position + 1, collations));
  }
  if (node.count) query.limit = emit_ast(*node.count);
  if (node.offset) query.offset = emit_ast(*node.offset);

  ast::CommonTable table;
  table.name = sql_name(name);
  for (const auto& column : names) table.columns.push_back(sql_name(column));
  table.query = std::move(query);
  ast::Query outer;
  outer.with = ast::With{true, {}};
  outer.with->tables.push_back(std::move(table));
  ast::Table source;
  source.name.name = sql_name(name);
  auto inner = read(std::move(source), node.ids, names, types);
  auto selected = finish(std::move(inner), node.ids, &names);
  outer.arms = std::move(selected.arms);
  return read(ast::DerivedTable{std::move(outer)}, node.ids, names, types);
}

Block SqlWriter::convert_node(const RecursiveRef& node, const Rel&) {
  ast::Table source;
  source.name.name = sql_name(recursions_.at(node.number));
  std::vector<std::string> names;
  std::vector<ExprType> types;
  for (std::size_t i = 0; i < node.ids.size(); ++i) {
    names.push_back("c" + std::to_string(i + 1));
    const auto& attribute = plan_.attributes[node.ids[i]];
    types.push_back({attribute.affinity, {attribute.collation, Collation::Strength::column}, attribute.types});
  }
  return read(std::move(source), node.ids, names, types);
}

}  // namespace trustsql::plan
