#include "plan/graph.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/to_sql/pieces.hpp"
#include "plan/walk.hpp"
#include "sql/printer.hpp"

namespace trustsql::plan {

namespace {

using NodeKind = PlanGraph::NodeKind;
using EdgeKind = PlanGraph::EdgeKind;

class GraphBuilder {
 public:
  explicit GraphBuilder(const Plan& plan)
      : plan_(plan), origins_(plan.attributes.size()), values_(plan.attributes.size()) {}

  PlanGraph build() {
    add_rels(plan_.root, -1);
    return std::move(graph_);
  }

 private:
  int add(int parent, NodeKind kind, std::string value) {
    const int index = static_cast<int>(graph_.nodes.size());
    graph_.nodes.push_back({kind, std::move(value)});
    if (parent >= 0) graph_.edges.push_back({EdgeKind::tree, parent, index});
    return index;
  }
  int computing(int parent, std::string_view value) { return add(parent, NodeKind::computing, std::string(value)); }
  int content(int parent, std::string value) { return add(parent, NodeKind::content, std::move(value)); }

  int add_rels(const Rel& root, int parent) {
    const int rels = computing(parent, "Rels");
    const int top = add_operator(root, rels);
    if (!has_projection(root)) {
      const int own = computing(rels, "Project");
      for (const auto id : outputs(root)) use(own, id);
      graph_.edges.push_back({EdgeKind::logic, top, own});
    }
    return rels;
  }

  // Whether a Project or Values node at the top already lists the columns.
  static bool has_projection(const Rel& rel) {
    if (const auto* n = rel.as<Sort>()) return has_projection(*n->input);
    if (const auto* n = rel.as<Limit>()) return has_projection(*n->input);
    if (const auto* n = rel.as<Distinct>()) return has_projection(*n->input);
    if (const auto* n = rel.as<SetOp>()) return std::all_of(n->inputs.begin(), n->inputs.end(), has_projection);
    return rel.is<Project>() || rel.is<Values>();
  }

  // Adds the operators of a tree, inputs first; returns the node of the topmost.
  int add_operator(const Rel& rel, int rels) {
    std::vector<int> inputs;
    for_each_rel(rel, [&](const Rel& input) { inputs.push_back(add_operator(input, rels)); });
    const int own = std::visit([&](const auto& node) { return describe(node, rels); }, rel.node);
    for (const int input : inputs) graph_.edges.push_back({EdgeKind::logic, input, own});
    return own;
  }

  // --- where the values of attributes come from

  // `node` computes the attribute.
  void begin(AttributeId id, int node, std::string_view value) {
    origins_[id] = {node};
    values_[id] = value;
  }
  // The values of `id` are those of the attributes `from`.
  void take_over(AttributeId id, const std::vector<AttributeId>& from) {
    std::vector<int> origins;
    for (const auto other : from) origins.insert(origins.end(), origins_[other].begin(), origins_[other].end());
    origins_[id] = std::move(origins);
    if (values_[id].empty() && !from.empty()) values_[id] = value_of(from.front());
  }
  std::string value_of(AttributeId id) const {
    const auto& attribute = plan_.attributes[id];
    if (!values_[id].empty()) return values_[id];
    if (attribute.table == nullptr) return "column";
    return to_lower_ascii(attribute.table->name) + "." +
           (attribute.position < 0 ? "rowid" : to_lower_ascii(attribute.name));
  }
  int use(int parent, AttributeId id) {
    const int node = content(parent, value_of(id));
    graph_.nodes.back().is_column = true;
    for (const int origin : origins_[id]) graph_.edges.push_back({EdgeKind::data, origin, node});
    origins_[id] = {node};
    return node;
  }

  // --- operators

  int describe(const Scan& n, int rels) {
    const int own = computing(rels, "Scan");
    content(own, to_lower_ascii(n.name));
    return own;
  }
  int describe(const TableFunction& n, int rels) {
    const int own = computing(rels, "TableFunction");
    content(own, to_lower_ascii(n.name));
    add_all(own, n.arguments);
    for (const auto& column : n.columns)
      values_[column.id] = to_lower_ascii(n.name) + "." + to_lower_ascii(plan_.attributes[column.id].name);
    return own;
  }
  int describe(const Values& n, int rels) {
    const int own = computing(rels, "Values");
    for (const auto& row : n.rows) {
      if (row.empty()) continue;
      const int node = computing(own, "Row");
      for (std::size_t i = 0; i < row.size(); ++i) {
        const int value = add_expr(node, row[i]);
        origins_[n.ids[i]].push_back(value);
      }
    }
    return own;
  }
  int describe(const Filter& n, int rels) {
    const int own = computing(rels, "Filter");
    add_all(own, n.conjuncts);
    return own;
  }
  int describe(const Project& n, int rels) {
    const int own = computing(rels, "Project");
    for (const auto& item : n.items) {
      const int node = add_expr(own, item.expr);
      if (const auto* from = column_id(item.expr)) {
        values_[item.id] = value_of(*from);
        origins_[item.id] = {node};
      } else {
        begin(item.id, node, graph_.nodes[static_cast<std::size_t>(node)].value);
      }
    }
    return own;
  }
  int describe(const Join& n, int rels) {
    static constexpr std::string_view names[] = {"InnerJoin", "LeftJoin", "RightJoin",
                                                 "FullJoin",  "SemiJoin", "AntiJoin"};
    const int own = computing(rels, names[static_cast<int>(n.type)]);
    add_all(own, n.on);
    return own;
  }
  int describe(const Apply& n, int rels) {
    static constexpr std::string_view names[] = {"ScalarApply", "SemiApply", "AntiApply", "LateralApply",
                                                 "LateralLeftApply"};
    const int own = computing(rels, names[static_cast<int>(n.type)]);
    add_all(own, n.on);
    return own;
  }
  int describe(const Aggregate& n, int rels) {
    const int own = computing(rels, "Aggregate");
    for (const auto& key : n.keys) {
      const int node = computing(own, collated("Key", key.collation));
      const int value = add_expr(node, key.expr);
      begin(key.id, value, graph_.nodes[static_cast<std::size_t>(value)].value);
    }
    if (n.grouped && n.keys.empty()) computing(own, "Key");
    for (const auto& call : n.calls) {
      const int node =
          computing(own, collated(call.is_bare() ? "any" : std::string(call.name) + (call.distinct ? " distinct" : ""),
                                  call.collation));
      add_all(node, call.arguments);
      if (call.filter) add_expr(computing(node, "FilterClause"), *call.filter);
      add_keys(node, call.order_by);
      if (call.is_bare()) {
        // The normaliser may have put an expression in place of the column.
        const auto* column = column_id(call.arguments.front());
        const std::string value = column != nullptr ? value_of(*column) : "any";
        begin(call.id, node, value);
      } else {
        begin(call.id, node, call.name);
      }
    }
    return own;
  }
  int describe(const Window& n, int rels) {
    const int own = computing(rels, "Window");
    for (const auto& call : n.calls) {
      const int node = computing(own, collated(std::string(call.name), call.collation));
      add_all(node, call.arguments);
      if (call.filter) add_expr(computing(node, "FilterClause"), *call.filter);
      for (const auto& key : call.partition_by)
        add_expr(computing(node, collated("Partition", key.collation)), key.expr);
      add_keys(node, call.order_by);
      if (call.frame) add_frame(node, *call.frame);
      begin(call.id, node, call.name);
    }
    return own;
  }
  void add_frame(int parent, const Frame& frame) {
    static constexpr std::string_view units[] = {"Rows", "Range", "Groups"};
    static constexpr std::string_view bounds[] = {"UnboundedPreceding", "Preceding", "CurrentRow", "Following",
                                                  "UnboundedFollowing"};
    static constexpr std::string_view excluded[] = {"", "ExcludeCurrentRow", "ExcludeGroup", "ExcludeTies"};
    const int own = computing(parent, units[static_cast<int>(frame.unit)]);
    for (const auto* bound : {&frame.start, &frame.end}) {
      const int node = computing(own, bounds[static_cast<int>(bound->kind)]);
      if (bound->offset) add_expr(node, *bound->offset);
    }
    if (frame.exclude != ast::FrameExclude::no_others) computing(own, excluded[static_cast<int>(frame.exclude)]);
  }
  int describe(const Distinct&, int rels) { return computing(rels, "Distinct"); }
  int describe(const Sort& n, int rels) {
    const int own = computing(rels, "Sort");
    add_keys(own, n.keys);
    return own;
  }
  int describe(const Limit& n, int rels) {
    const int own = computing(rels, "Limit");
    add_expr(own, *n.count);
    if (n.offset) add_expr(computing(own, "Offset"), *n.offset);
    return own;
  }
  int describe(const SetOp& n, int rels) {
    std::string_view name = "Union";
    if (n.op == ast::SetOp::union_all) name = "UnionAll";
    if (n.op == ast::SetOp::intersect) name = "Intersect";
    if (n.op == ast::SetOp::except) name = "Except";
    std::vector<const Rel*> inputs;
    for (const auto& input : n.inputs) inputs.push_back(&input);
    connect_columns(n.ids, inputs);
    return computing(rels, name);
  }
  int describe(const Derived& n, int rels) {
    static constexpr std::string_view names[] = {"Subquery", "View", "CommonTable"};
    return computing(rels, names[static_cast<int>(n.kind)]);
  }
  int describe(const Recursive& n, int rels) {
    std::vector<const Rel*> inputs = {&*n.seed};
    for (const auto& step : n.steps) inputs.push_back(&step);
    connect_columns(n.ids, inputs);
    const int own = computing(rels, n.distinct ? "RecursiveUnion" : "RecursiveUnionAll");
    add_keys(own, n.order_by);
    if (n.count) add_expr(computing(own, "Limit"), *n.count);
    if (n.offset) add_expr(computing(own, "Offset"), *n.offset);
    return own;
  }
  int describe(const RecursiveRef&, int rels) { return computing(rels, "RecursiveRef"); }

  void connect_columns(const std::vector<AttributeId>& ids, const std::vector<const Rel*>& inputs) {
    std::vector<std::vector<AttributeId>> columns;
    for (const auto* input : inputs) columns.push_back(outputs(*input));
    for (std::size_t c = 0; c < ids.size(); ++c) {
      std::vector<AttributeId> from;
      for (const auto& input : columns) from.push_back(input[c]);
      take_over(ids[c], from);
    }
  }
  void add_keys(int parent, const std::vector<SortKey>& keys) {
    for (const auto& key : keys) {
      std::string value = key.descending ? "Desc" : "Asc";
      if (key.nulls_first == key.descending) value += key.nulls_first ? " NullsFirst" : " NullsLast";
      add_expr(computing(parent, collated(std::move(value), key.collation)), key.expr);
    }
  }

  // --- expressions

  static std::string collated(std::string value, std::string_view collation) {
    if (collation != binary_collation) value.append(" ").append(collation);
    return value;
  }
  void add_all(int parent, const std::vector<Expr>& exprs) {
    for (const auto& expr : exprs) add_expr(parent, expr);
  }
  int add_expr(int parent, const Expr& expr) {
    if (const auto* id = column_id(expr)) return use(parent, *id);
    if (const auto* value = literal_value(expr)) return content(parent, print_expression(sql_literal(*value)));
    if (const auto* parameter = expr.as<Parameter>()) return content(parent, std::string(parameter->text));
    const int own = computing(parent, name_of(expr));
    for_each_expr(expr, [&](const Expr& operand) { add_expr(own, operand); });
    for_each_rel(expr, [&](const Rel& rel) { add_rels(rel, own); });
    return own;
  }

  static std::string_view symbol(ast::BinaryOp op) {
    using Op = ast::BinaryOp;
    switch (op) {
      case Op::equal: return "=";
      case Op::not_equal: return "<>";
      case Op::is: return "IS";
      case Op::is_not: return "IS NOT";
      case Op::less: return "<";
      case Op::less_equal: return "<=";
      case Op::greater: return ">";
      case Op::greater_equal: return ">=";
      case Op::bit_and: return "&";
      case Op::bit_or: return "|";
      case Op::shift_left: return "<<";
      case Op::shift_right: return ">>";
      case Op::add: return "+";
      case Op::subtract: return "-";
      case Op::multiply: return "*";
      case Op::divide: return "/";
      case Op::remainder: return "%";
      case Op::concat: return "||";
      case Op::arrow: return "->";
      case Op::double_arrow: return "->>";
      default: return "AND";
    }
  }
  static std::string negated(bool is_negated, std::string name) { return is_negated ? "NOT " + name : name; }
  static std::string name_of(const Expr& expr) {
    static constexpr std::string_view likes[] = {"LIKE", "GLOB", "REGEXP", "MATCH"};
    return std::visit(
        Overloaded{
            [](const Unary& n) -> std::string { return n.op == ast::UnaryOp::bit_not ? "~" : "minus"; },
            [](const Binary& n) { return std::string(symbol(n.op)); },
            [](const Compare& n) { return collated(std::string(symbol(sql_operator(n.op))), n.how.collation); },
            [](const RowCompare& n) { return "row " + std::string(symbol(sql_operator(n.op))); },
            [](const And&) -> std::string { return "AND"; },
            [](const Or&) -> std::string { return "OR"; },
            [](const Not&) -> std::string { return "NOT"; },
            [](const IsNull& n) -> std::string { return n.negated ? "IS NOT NULL" : "IS NULL"; },
            [](const IsTruth& n) { return std::string(n.negated ? "IS NOT " : "IS ") + (n.truth ? "TRUE" : "FALSE"); },
            [](const Between& n) { return negated(n.negated, "BETWEEN"); },
            [](const InList& n) { return collated(negated(n.negated, "IN"), n.how.collation); },
            [](const Like& n) { return negated(n.negated, std::string(likes[static_cast<int>(n.op)])); },
            [](const Case&) -> std::string { return "CASE"; },
            [](const Cast& n) { return "CAST " + to_lower_ascii(n.type); },
            [](const Function& n) { return collated(std::string(n.name), n.collation); },
            [](const Row&) -> std::string { return "Row"; },
            [](const ScalarSubquery&) -> std::string { return "ScalarSubquery"; },
            [](const Exists& n) { return negated(n.negated, "EXISTS"); },
            [](const InSubquery& n) { return negated(n.negated, "IN"); },
            [](const auto&) -> std::string { return {}; },  // leaves
        },
        expr.node);
  }

  const Plan& plan_;
  PlanGraph graph_;
  std::vector<std::vector<int>>
      origins_;                      // by attribute: the nodes that the data edges of its next occurrence come from
  std::vector<std::string> values_;  // by attribute: its name, unless it is a column of a table
};

}  // namespace

PlanGraph graph_of(const Plan& plan) { return GraphBuilder(plan).build(); }

std::vector<std::optional<std::size_t>> parents(const PlanGraph& graph) {
  std::vector<std::optional<std::size_t>> of_nodes(graph.nodes.size());
  for (const auto& edge : graph.edges) {
    if (edge.kind == PlanGraph::EdgeKind::tree)
      of_nodes[static_cast<std::size_t>(edge.to)] = static_cast<std::size_t>(edge.from);
  }
  return of_nodes;
}

bool is_rels(const PlanGraph::Node& node) { return node.kind == NodeKind::computing && node.value == "Rels"; }

std::string graph_json(const PlanGraph& graph) {
  static constexpr std::string_view edge_kinds[] = {"tree", "logic", "data"};
  JsonWriter json;
  json.begin_object().key("nodes").begin_array();
  for (const auto& node : graph.nodes) {
    json.begin_object().key("kind").value(node.kind == NodeKind::computing ? "computing" : "content");
    json.key("value").value(node.value).end_object();
  }
  json.end_array().key("edges").begin_array();
  for (const auto& edge : graph.edges) {
    json.begin_object().key("kind").value(edge_kinds[static_cast<int>(edge.kind)]);
    json.key("from").value(edge.from).key("to").value(edge.to).end_object();
  }
  return std::move(json.end_array().end_object()).text();
}

}  // namespace trustsql::plan
