#include "plan/verify.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

// In the order of Rel::Node and Expr::Node.
constexpr std::array<std::string_view, std::variant_size_v<Rel::Node>> operator_names{
    "Scan",   "TableFunction", "Values", "Filter", "Project", "Join",    "Apply",     "Aggregate",
    "Window", "Distinct",      "Sort",   "Limit",  "SetOp",   "Derived", "Recursive", "RecursiveRef"};
constexpr std::array<std::string_view, std::variant_size_v<Expr::Node>> expression_names{
    "Literal", "Column",   "Parameter", "Unary",          "Binary",  "Compare",   "RowCompare", "And",
    "Or",      "Not",      "IsNull",    "IsTruth",        "Between", "InList",    "Like",       "Case",
    "Cast",    "Function", "Row",       "ScalarSubquery", "Exists",  "InSubquery"};

bool is_canonical(std::string_view collation) {
  for (const std::string_view built_in : {"BINARY", "NOCASE", "RTRIM"}) {
    if (equals_ignore_case(collation, built_in)) return collation == built_in;
  }
  return !collation.empty() && to_lower_ascii(collation) == collation;
}

bool is_lower_case(std::string_view name) { return !name.empty() && to_lower_ascii(name) == name; }

// How many values an expression gives.
std::size_t width(const Expr& expr) {
  if (const auto* row = expr.as<Row>()) return row->elements.size();
  if (const auto* subquery = expr.as<ScalarSubquery>(); subquery != nullptr && subquery->rel)
    return outputs(*subquery->rel).size();
  return 1;
}

class Verifier {
 public:
  Verifier(const Plan& plan, bool flat) : plan_(plan), flat_(flat) {}

  std::optional<std::string> violation() {
    check(plan_.root, {});
    if (!violation_) {
      operator_ = "Plan";
      require(plan_.names.size() == outputs(plan_.root).size(), "it has not as many names as outputs");
    }
    return violation_;
  }

 private:
  void fail(const std::string& invariant) {
    if (violation_) return;
    violation_ = std::string(operator_) + ": ";
    if (!expression_.empty()) *violation_ += std::string(expression_) + ": ";
    *violation_ += invariant;
  }
  void require(bool holds, const char* invariant) {
    if (!holds) fail(invariant);
  }

  bool is_known(AttributeId id) const { return id < plan_.attributes.size(); }
  std::string name_of(AttributeId id) const {
    const std::string number = "the attribute " + std::to_string(id);
    return is_known(id) ? number + " (" + std::string(plan_.attributes[id].name) + ")" : number;
  }

  // --- operators

  // `outer`: the attributes that the operators around `rel` offer to it.
  void check(const Rel& rel, const AttributeSet& outer) {
    if (violation_) return;
    operator_ = operator_names[rel.node.index()];
    expression_ = {};
    if (!has_inputs(rel)) return fail("it lacks an input, or has one too many");
    if (const auto* aggregate = rel.as<Aggregate>()) {
      for (const auto& call : aggregate->calls)
        if (call.is_bare() && call.arguments.size() != 1) return fail("a bare column is not one value");
    }
    produce_all(rel);
    auto visible = outer;
    const auto* apply = rel.as<Apply>();
    const auto* recursive = rel.as<Recursive>();
    for_each_rel(rel, [&](const Rel& input) {
      if (violation_) return;
      const bool is_step = recursive != nullptr && &input != recursive->seed.get();
      if (is_step) open_recursions_.push_back(recursive);
      check(input, apply != nullptr && &input == apply->right.get() ? outer | output_set(*apply->left) : outer);
      if (is_step) open_recursions_.pop_back();
      if (!violation_ && !rel.is<SetOp>() && recursive == nullptr) visible |= output_set(input);
    });
    if (violation_) return;
    if (recursive != nullptr) visible |= AttributeSet::of(recursive->ids);
    operator_ = operator_names[rel.node.index()];
    expression_ = {};
    std::visit([&](const auto& n) { check_node(n); }, rel.node);
    for_each_expr(rel, [&](const Expr& expr) { check(expr, visible, false); });
  }

  static bool has_inputs(const Rel& rel) {
    std::size_t count = 0;
    for_each_rel(rel, [&](const Rel&) { ++count; });
    if (rel.is<Scan>() || rel.is<TableFunction>() || rel.is<Values>() || rel.is<RecursiveRef>()) return count == 0;
    if (rel.is<Join>() || rel.is<Apply>()) return count == 2;
    if (const auto* set = rel.as<SetOp>()) return set->op == ast::SetOp::except ? count == 2 : count >= 2;
    if (const auto* recursive = rel.as<Recursive>()) return recursive->seed && !recursive->steps.empty();
    return count == 1;
  }

  void produce_all(const Rel& rel) {
    if (const auto* values = rel.as<Values>(); values != nullptr && values->rows.empty()) {
      AttributeSet::of(values->ids).for_each([&](AttributeId id) { produce(id); });
      return;
    }
    const auto* project = rel.as<Project>();
    if (project == nullptr) return for_each_produced(rel, [&](AttributeId id) { produce(id); });
    // An attribute may occur twice, with the same value.
    for (auto item = project->items.begin(); item != project->items.end(); ++item) {
      const auto same =
          std::find_if(project->items.begin(), item, [&](const ProjectItem& i) { return i.id == item->id; });
      if (same != item) {
        require(same->expr == item->expr, "an attribute occurs twice with different values");
      } else if (!item->is_pass_through()) {
        produce(item->id);
      }
    }
  }

  void produce(AttributeId id) {
    if (!is_known(id)) return fail(name_of(id) + " is not one of the plan");
    if (produced_.contains(id)) fail(name_of(id) + " is produced twice");
    produced_.add(id);
  }

  void check_node(const Scan& n) {
    if (n.table == nullptr) return fail("it has no table");
    require(n.table->name == n.name, "its name is not that of its table");
    require(is_known(n.row) && plan_.attributes[n.row].table == nullptr, "its row is a column");
    check_columns(n.columns, *n.table);
    for (const auto& column : n.columns) {
      const auto& attribute = plan_.attributes[column.id];
      require(attribute.table == nullptr || (attribute.table == n.table && attribute.position == column.position),
              "an attribute is another column of a table than the one that it is read from");
    }
  }
  void check_node(const TableFunction& n) {
    if (n.table == nullptr) return fail("it has no table");
    check_columns(n.columns, *n.table);
  }
  void check_columns(const std::vector<TableColumn>& columns, const Table& table) {
    const auto count = static_cast<int>(table.columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      require(columns[i].position >= -1 && columns[i].position < count, "a column is not one of the table");
      for (std::size_t j = 0; j < i; ++j)
        require(columns[i].position != columns[j].position, "it reads a column twice");
    }
  }
  void check_node(const Values& n) {
    for (const auto& row : n.rows) require(row.size() == n.ids.size(), "a row has not as many values as columns");
  }
  void check_node(const Filter& n) { require(!n.conjuncts.empty(), "it has no condition"); }
  void check_node(const Project&) {}
  void check_node(const Join&) {}
  void check_node(const Apply& n) {
    require(n.type != ApplyType::scalar || n.on.empty(), "a scalar Apply has a condition");
    const bool lateral = n.type == ApplyType::lateral || n.type == ApplyType::lateral_left;
    require(!lateral || n.right->is<TableFunction>(), "the right side of a lateral one is no TableFunction");
  }
  void check_node(const Aggregate& n) {
    require(n.grouped || n.keys.empty(), "it has keys, but no GROUP BY");
    for (const auto& key : n.keys) require(is_canonical(key.collation), "the name of a collation is not canonical");
    for (const auto& call : n.calls) check_call(call);
  }
  void check_call(const AggregateCall& call) {
    require(is_canonical(call.collation), "the name of a collation is not canonical");
    check_sort_keys(call.order_by);
    if (call.is_bare()) {
      require(!call.distinct && !call.filter && call.order_by.empty(),
              "a bare column has DISTINCT, FILTER or ORDER BY");
      return;
    }
    require(is_lower_case(call.name), "the name of a function is not in lower case");
    require(!call.arguments.empty() || call.name == "count" || call.info == nullptr || call.info->min_arguments == 0,
            "a call has no arguments");
    require(!call.distinct || call.arguments.size() == 1, "a call with DISTINCT has not one argument");
    if (call.info == nullptr) return;
    require(call.info->name == call.name, "a call has the description of another function");
    require(call.info->is_aggregate() && call.info->kind != SqlFunction::Kind::window,
            "a call is not of an aggregate function");
  }
  void check_node(const Window& n) {
    require(!n.calls.empty(), "it has no call");
    for (const auto& call : n.calls) check_call(call);
  }
  void check_call(const WindowCall& call) {
    require(is_lower_case(call.name), "the name of a function is not in lower case");
    require(is_canonical(call.collation), "the name of a collation is not canonical");
    require(!call.star || (call.name == "count" && call.arguments.empty()), "a call with * is not COUNT(*)");
    for (const auto& key : call.partition_by)
      require(is_canonical(key.collation), "the name of a collation is not canonical");
    check_sort_keys(call.order_by);
    if (call.info != nullptr) {
      require(call.info->name == call.name, "a call has the description of another function");
      require(call.info->kind == SqlFunction::Kind::window || call.info->kind == SqlFunction::Kind::window_aggregate,
              "a call is not of a function that accepts OVER");
    }
    if (!call.frame) return;
    using Kind = ast::FrameBound::Kind;
    for (const auto* bound : {&call.frame->start, &call.frame->end}) {
      const bool counts = bound->kind == Kind::preceding || bound->kind == Kind::following;
      require(static_cast<bool>(bound->offset) == counts, "a bound of a frame lacks its offset, or has one");
      require(!counts || call.frame->unit != ast::FrameUnit::range || call.order_by.size() == 1,
              "a RANGE with an offset has not one sort key");
    }
    require(call.frame->start.kind != Kind::unbounded_following && call.frame->end.kind != Kind::unbounded_preceding,
            "a frame ends before it starts");
  }
  void check_node(const Distinct& n) { check_collations(n.collations, outputs(*n.input).size()); }
  void check_node(const Sort& n) {
    require(!n.keys.empty(), "it has no key");
    check_sort_keys(n.keys);
  }
  void check_node(const Limit& n) {
    if (!n.count) return fail("it has no count");
    require(references(*n.count).empty() && (!n.offset || references(*n.offset).empty()),
            "its count or offset depends on a row");
  }
  void check_node(const SetOp& n) {
    for (const auto& input : n.inputs)
      require(outputs(input).size() == n.ids.size(), "an input has not as many columns as the result");
    check_collations(n.collations, n.ids.size());
    require(n.op != ast::SetOp::union_all || n.collations.empty(), "UNION ALL compares nothing");
  }
  void check_node(const Derived& n) {
    require((n.definition >= 0) == (n.kind == Derived::Kind::common_table),
            "a common table has no definition, or something else has one");
  }
  void check_node(const Recursive& n) {
    require(n.number >= 0 && n.number < plan_.recursions, "its number is not one of the plan");
    for (const auto other : numbers_) require(other != n.number, "its number is not unique");
    numbers_.push_back(n.number);
    require(outputs(*n.seed).size() == n.ids.size(), "its seed has not as many columns as the result");
    for (const auto& step : n.steps)
      require(outputs(step).size() == n.ids.size(), "a step has not as many columns as the result");
    check_collations(n.collations, n.ids.size());
    require(n.distinct || n.collations.empty(), "UNION ALL compares nothing");
    check_sort_keys(n.order_by);
    require((!n.count || references(*n.count).empty()) && (!n.offset || references(*n.offset).empty()),
            "its count or offset depends on a row");
  }
  void check_node(const RecursiveRef& n) {
    const auto it = std::find_if(open_recursions_.begin(), open_recursions_.end(),
                                 [&](const Recursive* recursive) { return recursive->number == n.number; });
    if (it == open_recursions_.end()) return fail("it is not in a step of its recursion");
    require((*it)->ids.size() == n.ids.size(), "it has not as many columns as the recursion");
  }
  void check_sort_keys(const std::vector<SortKey>& keys) {
    for (const auto& key : keys) require(is_canonical(key.collation), "the name of a collation is not canonical");
  }
  void check_collations(const std::vector<std::string_view>& collations, std::size_t columns) {
    require(collations.empty() || collations.size() == columns, "it has not as many collations as columns");
    for (const auto name : collations) require(is_canonical(name), "the name of a collation is not canonical");
  }

  // --- expressions

  // `several`: whether it may be a row of several values.
  void check(const Expr& expr, const AttributeSet& visible, bool several) {
    if (violation_) return;
    const auto enclosing = expression_;
    expression_ = expression_names[expr.node.index()];
    require(has_operands(expr), "it lacks an operand");
    if (violation_) return;
    require(several || width(expr) == 1, "it is a row where one value is due");
    if (const auto* id = column_id(expr); id != nullptr && !visible.contains(*id))
      fail(name_of(*id) + " is not visible");
    std::visit([&](const auto& n) { check_node(n); }, expr.node);
    for_each_expr(expr, [&](const Expr& operand) { check(operand, visible, takes_rows(expr, operand)); });
    if (violation_) return;
    const auto enclosing_operator = operator_;
    for_each_rel(expr, [&](const Rel& rel) { check(rel, visible); });
    operator_ = enclosing_operator;
    expression_ = enclosing;
  }

  // Whether the operand may be a row: where values are compared one by one.
  static bool takes_rows(const Expr& expr, const Expr& operand) {
    if (const auto* in = expr.as<InSubquery>()) return in->operands.size() == 1;
    if (const auto* choice = expr.as<Case>()) {
      if (!choice->operand) return false;
      return &operand == choice->operand.get() ||
             std::any_of(choice->branches.begin(), choice->branches.end(),
                         [&](const Branch& branch) { return branch.condition.get() == &operand; });
    }
    return expr.is<RowCompare>();
  }

  // Whether all operands are there that must be.
  static bool has_operands(const Expr& expr) {
    std::size_t count = 0;
    for_each_expr(expr, [&](const Expr&) { ++count; });
    const auto exactly = [&](std::size_t wanted) { return count == wanted; };
    return std::visit(Overloaded{
                          [](const auto&) { return true; },
                          [&](const Unary&) { return exactly(1); },
                          [&](const Binary&) { return exactly(2); },
                          [&](const Compare&) { return exactly(2); },
                          [&](const RowCompare&) { return exactly(2); },
                          [&](const Not&) { return exactly(1); },
                          [&](const IsNull&) { return exactly(1); },
                          [&](const IsTruth&) { return exactly(1); },
                          [&](const Between&) { return exactly(3); },
                          [&](const InList& n) { return static_cast<bool>(n.operand); },
                          [&](const Like& n) { return n.operand && n.pattern; },
                          [&](const Case& n) {
                            return !n.branches.empty() &&
                                   std::all_of(n.branches.begin(), n.branches.end(),
                                               [](const Branch& branch) { return branch.condition && branch.result; });
                          },
                          [&](const Cast&) { return exactly(1); },
                          [](const ScalarSubquery& n) { return static_cast<bool>(n.rel); },
                          [](const Exists& n) { return static_cast<bool>(n.rel); },
                          [](const InSubquery& n) { return n.rel && !n.operands.empty(); },
                      },
                      expr.node);
  }

  void check_how(const Comparison& how) {
    require(how.affinity == Affinity::none || how.affinity == Affinity::text || how.affinity == Affinity::numeric,
            "the affinity of a comparison is not none, text or numeric");
    require(is_canonical(how.collation), "the name of a collation is not canonical");
  }
  template <class Junction>
  void check_junction(const Junction& n) {
    require(n.terms.size() >= 2, "it has fewer than two terms");
    for (const auto& term : n.terms) require(!flat_ || !term.template is<Junction>(), "a term is of the same kind");
  }

  void check_node(const Literal&) {}
  void check_node(const Column&) {}
  void check_node(const Parameter& n) { require(n.text.size() >= 2, "it has no number or name"); }
  void check_node(const Unary& n) {
    require(n.op == ast::UnaryOp::minus || n.op == ast::UnaryOp::bit_not, "its operator has a node of its own");
  }
  void check_node(const Binary& n) { require(n.op >= ast::BinaryOp::bit_and, "its operator has a node of its own"); }
  void check_node(const Compare& n) { check_how(n.how); }
  void check_node(const RowCompare& n) {
    for (const auto* side : {n.left.get(), n.right.get()}) {
      require(side->is<Row>() || side->is<ScalarSubquery>(), "a side is neither a row nor a subquery");
      require(width(*side) >= 2 && width(*side) == n.how.size(), "a side has not as many values as are compared");
    }
    for (const auto& how : n.how) check_how(how);
  }
  void check_node(const And& n) { check_junction(n); }
  void check_node(const Or& n) { check_junction(n); }
  void check_node(const Not&) {}
  void check_node(const IsNull&) {}
  void check_node(const IsTruth&) {}
  void check_node(const Between& n) {
    check_how(n.low_how);
    check_how(n.high_how);
  }
  void check_node(const InList& n) { check_how(n.how); }
  void check_node(const Like&) {}
  void check_node(const Case& n) {
    for (const auto& branch : n.branches) {
      check_how(branch.how);
      require(n.operand || branch.how == Comparison{}, "a branch of a CASE without an operand compares something");
    }
  }
  void check_node(const Cast& n) { require(n.affinity != Affinity::none, "its affinity is none"); }
  void check_node(const Function& n) {
    require(is_lower_case(n.name), "the name of a function is not in lower case");
    require(is_canonical(n.collation), "the name of a collation is not canonical");
    if (n.info == nullptr) return;
    require(n.info->name == n.name, "it has the description of another function");
    require(!n.info->is_aggregate(), "it is not a scalar function");
  }
  void check_node(const Row& n) { require(n.elements.size() >= 2, "it has fewer than two elements"); }
  void check_node(const ScalarSubquery& n) { require(!outputs(*n.rel).empty(), "its relation has no column"); }
  void check_node(const Exists&) {}
  void check_node(const InSubquery& n) {
    const auto columns = outputs(*n.rel).size();
    require(n.how.size() == columns, "it has not as many comparisons as columns");
    for (const auto& how : n.how) check_how(how);
    const bool all_by_one = n.operands.size() == 1 && width(n.operands.front()) == columns;
    require(n.operands.size() == columns || all_by_one, "it has not as many operands as columns");
  }

  const Plan& plan_;
  const bool flat_;
  std::string_view operator_;    // the operator that is being checked
  std::string_view expression_;  // the expression in it; empty for the operator itself
  AttributeSet produced_;
  std::vector<int> numbers_;  // of the recursions so far
  std::vector<const Recursive*> open_recursions_;
  std::optional<std::string> violation_;
};

}  // namespace

Status verify(const Plan& plan, bool flat) {
  if (auto violation = Verifier(plan, flat).violation()) return internal_error(*std::move(violation));
  return ok_status();
}

void verify_or_throw(const Plan& plan, std::string_view step, bool flat) {
  if (auto verified = verify(plan, flat); !verified.ok())
    throw std::logic_error("after " + std::string(step) + ": " + verified.error().message);
}

}  // namespace trustsql::plan
