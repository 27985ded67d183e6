#include <algorithm>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/builder/builder.hpp"

namespace trustsql::plan {

namespace {

bool is_inner(ast::JoinType join) {
  return join == ast::JoinType::comma || join == ast::JoinType::inner || join == ast::JoinType::cross;
}

// Whether the column of texts may hold the integer 1 or 0: before 3.44, SQLite did not convert TRUE and FALSE as the
// default of a column that ALTER TABLE adds to rows.
bool may_have_boolean_default(const trustsql::Column& column, int version) {
  constexpr int converted_from = 3'044'000;
  return version < converted_from && column.affinity == Affinity::text && column.default_value &&
         (contains_ignore_case(*column.default_value, "true") || contains_ignore_case(*column.default_value, "false"));
}

// Whether an outer join may fill the column with NULLs, or one that it merges, although it is declared NOT NULL.
bool is_filled_although_not_null(const ColumnBinding& binding) {
  const auto is_filled = [](const trustsql::ColumnId& id) {
    if (id.relation == nullptr || !id.relation->null_extended || id.relation->table == nullptr ||
        id.relation->query != nullptr)
      return false;
    if (id.column == trustsql::ColumnId::rowid) return true;
    return id.relation->table->columns[static_cast<std::size_t>(id.column)].counts_as_not_null();
  };
  return is_filled(binding.column) || std::any_of(binding.more.begin(), binding.more.end(), is_filled);
}

}  // namespace

Rel Builder::build_from(const std::vector<ResolvedFromItem>& items) {
  if (items.empty()) {
    Values one_row;
    one_row.rows.emplace_back();
    return {std::move(one_row)};
  }
  // If all joins are inner joins, a table-valued function may come before the table that it takes its arguments from.
  std::vector<const ResolvedFromItem*> order;
  order.reserve(items.size());
  for (const auto& item : items) order.push_back(&item);
  if (std::all_of(items.begin() + 1, items.end(), [](const ResolvedFromItem& item) { return is_inner(item.join); })) {
    std::stable_partition(order.begin(), order.end(), [](const ResolvedFromItem* item) {
      return item->relation == nullptr || item->relation->kind != Relation::Kind::table_function ||
             !item->relation->correlated;
    });
  }
  // Build all items before any condition: a condition may refer to tables that come later.
  std::vector<Rel> rels;
  rels.reserve(order.size());
  for (const auto* item : order) rels.push_back(build_from_item(*item));
  AttributeSet joined;
  std::vector<Expr> pending;
  Rel rel = std::move(rels.front());
  add_visible(*order.front(), joined);
  for (std::size_t i = 1; i < order.size(); ++i)
    rel = join_item(std::move(rel), std::move(rels[i]), *order[i], items, joined, pending);
  if (!pending.empty()) rel = Rel{Filter{std::move(rel), std::move(pending)}};
  return rel;
}

Rel Builder::build_from_item(const ResolvedFromItem& item) {
  if (item.relation != nullptr) return build_relation(*item.relation);
  Rel group = build_from(item.group);
  if (item.group_is_empty) group = Rel{Filter{std::move(group), {literal(std::int64_t{0})}}};
  return group;
}

Rel Builder::join_item(Rel left, Rel right, const ResolvedFromItem& item, const std::vector<ResolvedFromItem>& all,
                       AttributeSet& joined, std::vector<Expr>& pending) {
  std::vector<Expr> on;
  if (item.on != nullptr) on = build_conjuncts(*item.on);
  for (const auto& pair : item.using_columns) {
    if (const auto* left = pair.left->as<ast::ColumnRef>())
      plan_.joins_filled_column_by_using =
          plan_.joins_filled_column_by_using || is_filled_although_not_null(resolution_.binding(*left));
    on.push_back(compare(CompareOp::equal, build_expr(*pair.left), build_expr(*pair.right),
                         comparison(type(*pair.left), type(*pair.right))));
  }
  JoinType type = JoinType::inner;
  if (item.join == ast::JoinType::left) type = JoinType::left;
  if (item.join == ast::JoinType::right) type = JoinType::right;
  if (item.join == ast::JoinType::full) type = JoinType::full;

  bool lateral = false;
  if (const auto* function = right.as<TableFunction>(); function != nullptr && item.relation != nullptr) {
    AttributeSet on_the_left;  // computed here, since the arguments may be the first to use a column
    for (const auto& other : all) {
      if (&other != &item) add_visible(other, on_the_left);
    }
    lateral = references(function->arguments).intersects(on_the_left);
    if (lateral && (type == JoinType::right || type == JoinType::full)) {
      fail("a table-valued function cannot take its arguments from the other side of a RIGHT or FULL JOIN");
    }
  }
  if (type == JoinType::inner) {
    // Such a condition may refer to tables that come later: SQLite treats it as a part of WHERE.
    AttributeSet known;
    AttributeSet later;
    bool seen = false;
    for (const auto& other : all) {
      add_visible(other, seen ? later : known);
      seen = seen || &other == &item;
    }
    known |= joined;
    later -= known;
    const auto here = std::stable_partition(
        on.begin(), on.end(), [&](const Expr& conjunct) { return !references(conjunct).intersects(later); });
    pending.insert(pending.end(), std::make_move_iterator(here), std::make_move_iterator(on.end()));
    on.erase(here, on.end());
  }
  add_visible(item, joined);
  if (lateral) {
    const auto apply_type = type == JoinType::left ? ApplyType::lateral_left : ApplyType::lateral;
    return {Apply{apply_type, std::move(left), std::move(right), std::move(on)}};
  }
  return {Join{type, std::move(left), std::move(right), std::move(on)}};
}

Rel Builder::build_relation(const Relation& relation) {
  const auto index = columns_.size();
  columns_of_relation_[static_cast<std::size_t>(relation.id)] = index;
  columns_.emplace_back(relation.columns.size() + 1, none);
  switch (relation.kind) {
    case Relation::Kind::table: {
      Scan scan;
      scan.schema = relation.schema_name;
      scan.name = relation.table->name;
      scan.table = relation.table;
      scan.alias = plan_.texts.keep(relation.name);
      Attribute row;
      row.name = "row";
      row.types = types::integer;
      scan.row = plan_.add_attribute(row);
      columns_of_row_[scan.row] = index;
      return {std::move(scan)};
    }
    case Relation::Kind::table_function: {
      TableFunction function;
      function.schema = relation.schema_name;
      function.name = relation.table->name;
      function.table = relation.table;
      function.alias = plan_.texts.keep(relation.name);
      if (const auto* source = std::get_if<ast::TableFunction>(&relation.item->source))
        function.arguments = build_exprs(source->arguments);
      // All columns except the rowid at once, since complete_scans() finds the function by the first of them.
      for (std::size_t c = 0; c < relation.columns.size(); ++c) {
        const auto id = attribute_of({&relation, static_cast<int>(c)});
        function.columns.push_back({id, static_cast<int>(c)});
      }
      columns_of_row_[function.columns.front().id] = index;
      return {std::move(function)};
    }
    case Relation::Kind::recursive_table: {
      RecursiveRef ref;
      ref.number = recursions_.at(relation.query);
      for (std::size_t c = 0; c < relation.columns.size(); ++c)
        ref.ids.push_back(attribute_of({&relation, static_cast<int>(c)}));
      return {std::move(ref)};
    }
    case Relation::Kind::view:
    case Relation::Kind::subquery:
    case Relation::Kind::common_table: break;
  }
  Derived derived;
  derived.name = plan_.texts.keep(relation.name);
  derived.kind = relation.kind == Relation::Kind::view       ? Derived::Kind::view
                 : relation.kind == Relation::Kind::subquery ? Derived::Kind::subquery
                                                             : Derived::Kind::common_table;
  if (relation.common_table != nullptr) {
    derived.definition =
        definitions_.try_emplace(relation.common_table, static_cast<int>(definitions_.size())).first->second;
  }
  Rel input = build_query(*relation.query);
  const auto ids = outputs(input);
  for (std::size_t c = 0; c < ids.size(); ++c) {
    columns_[index][c + 1] = ids[c];
    auto& attribute = plan_.attributes[ids[c]];
    if (c >= relation.columns.size()) continue;
    if (attribute.table == nullptr) attribute.name = plan_.texts.keep(relation.columns[c].name);
    attribute.is_open = attribute.is_open || relation.columns[c].is_open;
  }
  derived.input = std::move(input);
  return {std::move(derived)};
}

AttributeId Builder::attribute_of(const trustsql::ColumnId& column_ref) {
  const auto& relation = *column_ref.relation;
  if (columns_of_relation_[static_cast<std::size_t>(relation.id)] == unbuilt) {
    fail("a table-valued function cannot take its arguments from a table that is joined to it later");
    return 0;
  }
  const int slot = column_ref.column + 1;  // the first is the rowid's
  auto& id = columns_of(relation)[static_cast<std::size_t>(slot)];
  if (id != none) return id;
  Attribute attribute;
  attribute.position = column_ref.column;
  if (column_ref.column == trustsql::ColumnId::rowid) {
    attribute.name = "rowid";
    attribute.types = types::integer;
    attribute.affinity = Affinity::integer;
    attribute.storage = Affinity::integer;
    attribute.table = relation.table;
  } else {
    const auto& column = relation.columns[static_cast<std::size_t>(column_ref.column)];
    attribute.name = plan_.texts.keep(column.name);
    attribute.types = column.type.types;
    attribute.affinity = column.type.affinity;
    attribute.collation = collation_name(column.type.collation);
    if (relation.kind == Relation::Kind::table) {
      const auto& declared = relation.table->columns[static_cast<std::size_t>(column_ref.column)];
      attribute.table = relation.table;
      // The relation's types include the NULLs of outer joins; an attribute's do not.
      if (declared.not_null) attribute.types = attribute.types.without_null();
      if (relation.table->kind == Table::Kind::table) attribute.storage = declared.affinity;
      if (may_have_boolean_default(declared, resolution_.version())) {
        attribute.types = attribute.types | types::integer;
        attribute.storage = Affinity::none;
      }
    }
  }
  id = plan_.add_attribute(attribute);
  return id;
}

void Builder::add_visible(const ResolvedFromItem& item, AttributeSet& attributes) const {
  add_visible(item.group, attributes);
  if (item.relation == nullptr) return;
  for (const auto id : columns_of(*item.relation)) {
    if (id != none) attributes.add(id);
  }
}

void Builder::add_visible(const std::vector<ResolvedFromItem>& items, AttributeSet& attributes) const {
  for (const auto& item : items) add_visible(item, attributes);
}

void Builder::complete_scans(Rel& root) {
  walk(root, [&](Scan& scan) {
    const auto& columns = columns_[columns_of_row_.at(scan.row)];
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c] != none) scan.columns.push_back({columns[c], static_cast<int>(c) - 1});
    }
  });
  walk(root, [&](TableFunction& function) {
    const auto rowid = columns_[columns_of_row_.at(function.columns.front().id)].front();
    if (rowid != none) function.columns.push_back({rowid, trustsql::ColumnId::rowid});
  });
}

}  // namespace trustsql::plan
