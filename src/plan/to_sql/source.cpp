#include <algorithm>

#include "db/catalog/catalog.hpp"
#include "plan/to_sql/writer.hpp"

namespace trustsql::plan {

using Stage = SelectBlock::Stage;

namespace {

ExprType column_type(const Attribute& attribute) {
  return {attribute.affinity, {attribute.collation, Collation::Strength::column}, attribute.types};
}

}  // namespace

SelectBlock SqlWriter::convert_node(const Scan& node, const Rel&) {
  ast::Table table;
  if (!node.schema.empty()) table.name.schema = sql_name(node.schema);
  table.name.name = sql_name(node.name);
  std::vector<AttributeId> ids;
  std::vector<std::string> names;
  std::vector<ExprType> types;
  for (const auto& column : node.columns) {
    ids.push_back(column.id);
    types.push_back(column_type(plan_.attributes[column.id]));
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
    ids.push_back(column.id);
    names.push_back(column.position >= 0 ? node.table->columns[static_cast<std::size_t>(column.position)].name
                                         : "rowid");
    types.push_back(column_type(plan_.attributes[column.id]));
  }
  return std::move(read(std::move(function), ids, names, types).select.from.front());
}

SelectBlock SqlWriter::convert_node(const TableFunction& node, const Rel&) {
  SelectBlock block;
  block.select.from.push_back(table_function_item(node));
  return block;
}

SelectBlock SqlWriter::convert_node(const Values& node, const Rel& rel) {
  SelectBlock block;
  if (node.rows.size() == 1) {
    for (std::size_t i = 0; i < node.ids.size(); ++i) {
      const auto& expr = node.rows.front()[i];
      set_cell(node.ids[i], emit(expr), Cell::Kind::computed);
      cells_[node.ids[i]].refers_outside = !references(expr).empty();
    }
    return block;
  }
  if (node.rows.empty()) {
    for (const auto id : node.ids) set_cell(id, {sql_literal({}), {}}, Cell::Kind::computed);
    block.select.where = sql_literal(std::int64_t{0});
    block.stage = Stage::where;
    return wrap(std::move(block), rel);
  }
  // One SELECT for each row, so that the columns can be named.
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
    if (select.items.empty()) select.items.push_back({sql_literal(std::int64_t{1}), {}, {}});
    block.arms.push_back({ast::SetOp::union_all, std::move(select)});
  }
  block.fixed = node.ids;
  block.fixed_types = std::move(types);
  return wrap(std::move(block), rel);
}

SelectBlock SqlWriter::convert_node(const Derived& node, const Rel& rel) {
  auto block = convert(*node.input);
  // SQLite evaluates a common table only once even if it is used several times; that matters if it is volatile.
  if (node.definition < 0 || !is_volatile(*node.input) || !free_attributes(*node.input).empty())
    return wrap(std::move(block), rel);
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

SelectBlock SqlWriter::convert_node(const Recursive& node, const Rel&) {
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
    collations.push_back(node.collations.empty() ? node.distinct ? binary_collation : natural_collation(arm_types, c)
                                                 : node.collations[c]);
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

SelectBlock SqlWriter::convert_node(const RecursiveRef& node, const Rel&) {
  ast::Table source;
  source.name.name = sql_name(recursions_.at(node.number));
  std::vector<std::string> names;
  std::vector<ExprType> types;
  for (std::size_t i = 0; i < node.ids.size(); ++i) {
    names.push_back("c" + std::to_string(i + 1));
    types.push_back(column_type(plan_.attributes[node.ids[i]]));
  }
  return read(std::move(source), node.ids, names, types);
}

}  // namespace trustsql::plan
