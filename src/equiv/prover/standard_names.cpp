#include "equiv/prover/standard_names.hpp"

#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "base/text.hpp"
#include "base/type_traits.hpp"
#include "db/catalog/catalog.hpp"

namespace trustsql::equiv {

namespace {

// The names of one statement. Each rename() changes `copy`, a copy of `original`, whose nodes the resolution knows.
class StandardNames {
 public:
  explicit StandardNames(const Resolution& resolution) : resolution_(resolution) {}

  std::optional<ast::Query> of(const ast::Query& query) {
    auto copy = query;
    rename(query, copy);
    if (!followed_) return std::nullopt;
    return copy;
  }

 private:
  using Item = ast::FromItem;

  // --- names

  template <class Node>
  std::string name_in(const std::map<const Node*, int>& numbers, const Node* node, const char* prefix) {
    const auto found = numbers.find(node);
    if (found == numbers.end()) followed_ = false;
    return prefix + std::to_string(found == numbers.end() ? 0 : found->second);
  }

  std::string relation_name(const Relation* relation) { return name_in(relations_, relation, "r"); }

  static bool has_fixed_names(const Relation& relation) {
    return relation.kind == Relation::Kind::table || relation.kind == Relation::Kind::view ||
           relation.kind == Relation::Kind::table_function;
  }

  static std::string position_of(const ColumnId& column) { return "c" + std::to_string(column.column); }

  std::string column_of(const ColumnId& column) { return relation_name(column.relation) + "." + position_of(column); }

  ast::Expr name_of(const ast::ColumnRef& column) {
    const auto* binding = resolution_.find_binding(column);
    if (binding == nullptr) {
      followed_ = false;
      return {};
    }
    const auto named = [](std::string table, std::string name) {
      ast::ColumnRef result;
      result.table = ast::Name{std::move(table)};
      result.column = ast::Name{std::move(name)};
      return ast::Expr(std::move(result));
    };
    switch (binding->kind) {
      case ColumnBinding::Kind::column: {
        const auto& id = binding->column;
        return named(relation_name(id.relation), has_fixed_names(*id.relation) ? column.column.text : position_of(id));
      }
      case ColumnBinding::Kind::coalesce: {
        auto columns = column_of(binding->column);
        for (const auto& more : binding->more) columns += " " + column_of(more);
        return named("merged", std::move(columns));
      }
      case ColumnBinding::Kind::alias:
        return named(name_in(selects_, binding->select, "result"), std::to_string(binding->item));
      case ColumnBinding::Kind::string: return ast::Expr(ast::Parameter{"\"" + column.column.text});
      case ColumnBinding::Kind::boolean: return ast::Expr(ast::Parameter{to_lower_ascii(column.column.text)});
    }
    return {};
  }

  ast::TableName name_of(const Relation& relation, const ast::TableName& written) {
    ast::TableName name = written;
    if (relation.common_table != nullptr) {
      name.schema = {};
      name.name = ast::Name{name_in(common_tables_, relation.common_table, "common")};
    } else if (relation.table != nullptr && !relation.schema_name.empty()) {
      name.schema = ast::Name{std::string(relation.schema_name)};
      name.name = ast::Name{relation.table->name};
    }
    return name;
  }

  // --- queries

  void rename(const ast::Query& original, ast::Query& copy) {
    const auto& resolved = resolution_.query(original);
    if (copy.with) {
      for (std::size_t i = 0; i < copy.with->tables.size() && followed_; ++i)
        rename(original.with->tables[i], copy.with->tables[i]);
    }
    rename_part(original.arms, copy.arms);
    const bool is_compound = original.arms.size() > 1 || original.arms.front().select() == nullptr;
    for (std::size_t i = 0; i < copy.order_by.size() && followed_; ++i)
      rename_term(original.order_by[i].expr, resolved.order_by[i], is_compound, copy.order_by[i].expr);
    rename_part(original.limit, copy.limit);
    rename_part(original.offset, copy.offset);
  }

  void rename(const ast::CommonTable& original, ast::CommonTable& copy) {
    const ResolvedQuery* definition = nullptr;
    for (const auto* relation : resolution_.relations()) {
      if (relation->kind == Relation::Kind::common_table && relation->common_table == &original)
        definition = relation->query;
      if (definition != nullptr) break;
    }
    if (definition == nullptr) {
      followed_ = false;
      return;
    }
    const int number = static_cast<int>(common_tables_.size()) + 1;
    common_tables_.emplace(&original, number);
    copy.name = ast::Name{"common" + std::to_string(number)};
    copy.columns.clear();
    *copy.query = *definition->node;
    rename(*definition->node, *copy.query);
  }

  // A term of the ORDER BY of a compound query is resolved only as a whole.
  void rename_term(const ast::Expr& original, const ResolvedTerm& term, bool is_compound, ast::Expr& copy) {
    if (term.column < 0 || (original.is<ast::Collate>() && !is_compound)) return rename(original, copy);
    ast::Expr* named = &copy;
    while (auto* collate = named->as<ast::Collate>()) named = collate->operand.get();
    *named = ast::Expr(ast::Literal{ast::Literal::Kind::integer, std::to_string(term.column + 1)});
  }

  void rename(const ast::Select& original, ast::Select& copy) {
    const auto& resolved = resolution_.select(original);
    if (!original.windows.empty() || resolved.where != original.where.get()) {
      followed_ = false;
      return;
    }
    selects_.emplace(&resolved, static_cast<int>(selects_.size()) + 1);
    note(resolved.from);
    for (auto& item : copy.items) item.alias.reset();
    for (std::size_t i = 0; i < copy.items.size() && followed_; ++i) {
      if (const auto* star = std::get_if<ast::Star>(&original.items[i].value))
        rename(*star, resolved.from, std::get<ast::Star>(copy.items[i].value));
      else
        rename(*original.items[i].expr(), *copy.items[i].expr());
    }
    rename_part(original.from, copy.from);
    rename_part(original.where, copy.where);
    for (std::size_t i = 0; i < copy.group_by.size() && followed_; ++i)
      rename_term(original.group_by[i], resolved.group_by[i], false, copy.group_by[i]);
    rename_part(original.having, copy.having);
  }

  // --- FROM

  // The relations of a FROM clause get their numbers.
  void note(const std::vector<ResolvedFromItem>& from) {
    for (const auto& item : from) {
      items_.emplace(item.item, &item);
      if (item.group_is_empty) followed_ = false;
      if (item.relation == nullptr) {
        note(item.group);
      } else {
        relations_.emplace(item.relation, static_cast<int>(relations_.size()) + 1);
        if (item.relation->item != nullptr) of_items_.emplace(item.relation->item, item.relation);
      }
    }
  }

  // t.* stands for the columns of each t.
  void rename(const ast::Star& original, const std::vector<ResolvedFromItem>& from, ast::Star& copy) {
    if (!original.table) return;
    std::string tables;
    add_tables(original.table->text, from, tables);
    copy.table = ast::Name{std::move(tables)};
  }
  void add_tables(std::string_view name, const std::vector<ResolvedFromItem>& from, std::string& tables) {
    for (const auto& item : from) {
      if (item.relation == nullptr)
        add_tables(name, item.group, tables);
      else if (equals_ignore_case(item.relation->name, name))
        tables += " " + relation_name(item.relation);
    }
  }

  void rename(const Item& original, Item& copy) {
    const auto resolved = items_.find(&original);
    if (resolved != items_.end() && resolved->second->on != original.on.get()) followed_ = false;
    if (!original.using_columns.empty() || original.natural) rename_using(original, copy);
    rename_part(original.on, copy.on);
    if (const auto* group = std::get_if<ast::JoinGroup>(&original.source)) {
      if (original.alias) followed_ = false;
      return rename_part(group->items, std::get<ast::JoinGroup>(copy.source).items);
    }
    const auto relation = of_items_.find(&original);
    if (relation == of_items_.end()) {
      followed_ = false;
      return;
    }
    copy.alias = ast::Name{relation_name(relation->second)};
    if (auto* table = std::get_if<ast::Table>(&copy.source)) {
      table->name = name_of(*relation->second, table->name);
    } else {
      rename_part(original.source, copy.source);
    }
  }

  void rename_using(const Item& original, Item& copy) {
    const auto resolved = items_.find(&original);
    if (resolved == items_.end()) {
      followed_ = false;
      return;
    }
    copy.using_columns.clear();
    for (const auto& pair : resolved->second->using_columns) {
      for (const auto* side : {pair.left, pair.right}) {
        const auto* column = side->as<ast::ColumnRef>();
        const auto name = column != nullptr ? name_of(*column) : ast::Expr();
        const auto* named = name.as<ast::ColumnRef>();
        if (named == nullptr || !named->table) {
          followed_ = false;
          return;
        }
        copy.using_columns.push_back({named->table->text + "." + named->column.text});
      }
    }
  }

  // --- expressions

  void rename(const ast::Expr& original, ast::Expr& copy) {
    if (!followed_) return;
    if (resolution_.is_dropped(original)) {
      followed_ = false;
    } else if (const auto* column = original.as<ast::ColumnRef>()) {
      copy = name_of(*column);
    } else {
      rename_part(original.node, copy.node);
    }
  }

  // Tables in x IN t are not followed.
  void rename(const ast::TableName&, ast::TableName&) { followed_ = false; }
  void rename(const ast::TableFunction& original, ast::TableFunction& copy) {
    rename_part(original.arguments, copy.arguments);
  }
  void rename(const ast::In& original, ast::In& copy) {
    if (std::holds_alternative<ast::TableFunction>(original.set)) followed_ = false;
    rename_part(original.operand, copy.operand);
    rename_part(original.set, copy.set);
  }

  // --- all others

  template <ast::Node T>
  void rename(const T& original, T& copy) {
    T::with_fields([&](const auto&... field) { (rename_part(original.*field.part, copy.*field.part), ...); });
  }

  template <class T>
  void rename_part(const T& original, T& copy) {
    if (!followed_) return;
    if constexpr (ast::Node<T>) {
      rename(original, copy);
    } else if constexpr (is_instance_of<T, std::variant>) {
      std::visit([&](const auto& held) { rename_part(held, std::get<std::decay_t<decltype(held)>>(copy)); }, original);
    } else if constexpr (is_instance_of<T, std::vector>) {
      for (std::size_t i = 0; i < original.size(); ++i) rename_part(original[i], copy[i]);
    } else if constexpr (Nullable<T>) {
      if (original) rename_part(*original, *copy);
    }
  }

  const Resolution& resolution_;
  std::map<const Relation*, int> relations_;
  std::map<const ResolvedSelect*, int> selects_;
  std::map<const ast::CommonTable*, int> common_tables_;
  std::map<const Item*, const ResolvedFromItem*> items_;
  std::map<const Item*, const Relation*> of_items_;
  bool followed_ = true;
};

}  // namespace

std::optional<ast::Query> with_standard_names(const ast::Query& query, const Resolution& resolution) {
  return StandardNames(resolution).of(query);
}

}  // namespace trustsql::equiv
