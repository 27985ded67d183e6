// NameResolver: function calls: which function is called, whether it is allowed there, and whose rows it aggregates.

#include <algorithm>
#include <limits>
#include <set>

#include "base/text.hpp"
#include "db/catalog/catalog.hpp"
#include "sql/ast_walk.hpp"
#include "sql/resolver/name_resolver.hpp"

namespace trustsql::resolver {

namespace {

using FunctionKind = SqlFunction::Kind;

bool takes_over(const SqlFunction& function) {
  return function.kind == FunctionKind::window_aggregate || function.kind == FunctionKind::window;
}

// Whether SQLite knows that the column is never NULL (sqlite3ExprCanBeNull).
bool is_never_null(const ColumnBinding& binding) {
  if (binding.kind != ColumnBinding::Kind::column) return false;
  const auto& relation = *binding.column.relation;
  if (relation.table == nullptr || relation.query != nullptr || relation.null_extended) return false;
  if (binding.column.column == ColumnId::rowid) return true;
  return relation.table->columns[static_cast<std::size_t>(binding.column.column)].counts_as_not_null();
}

// The names in `node` that are only tested for NULL, of columns that are never NULL. SQLite puts the result in the
// place of the test as it resolves it, so these names refer to nothing.
template <class Node>
std::set<const ast::ColumnRef*> names_without_use(const Node& node, const ResolverContext& context) {
  std::set<const ast::ColumnRef*> names;
  ast::walk(node, [&](const ast::IsNull& test) {
    const ast::Expr* operand = test.operand.get();
    while (const auto* sign = operand->as<ast::Unary>()) {
      if (sign->op != ast::UnaryOp::plus && sign->op != ast::UnaryOp::minus) return;
      operand = sign->operand.get();
    }
    const auto* ref = operand->as<ast::ColumnRef>();
    const auto* binding = ref != nullptr ? context.tables.bindings.find(ref) : nullptr;
    if (binding != nullptr && is_never_null(*binding)) names.insert(ref);
  });
  return names;
}

// Calls `visit` on every SELECT to whose columns a name in `node` refers.
template <class Node, class Visit>
void each_select_named(const Node& node, const ResolverContext& context, const Visit& visit) {
  const auto without_use = names_without_use(node, context);
  ast::walk(node, [&](const ast::ColumnRef& ref) {
    const auto* binding = context.tables.bindings.find(&ref);
    if (binding == nullptr || binding->select == nullptr || without_use.contains(&ref)) return;
    if (binding->kind != ColumnBinding::Kind::alias) return visit(binding->select);
    const SelectWork* work = *context.select_work_of.find(binding->select);
    each_select_named(*work->items[static_cast<std::size_t>(binding->item)].expr, context, visit);
  });
}

// Whether the frame is valid: it does not end before it starts.
bool is_frame(const ast::Frame& frame) {
  using Bound = ast::FrameBound::Kind;
  const bool ends_before = frame.end.kind == Bound::preceding;
  if (frame.start.kind == Bound::current_row) return !ends_before;
  return frame.start.kind != Bound::following || !(ends_before || frame.end.kind == Bound::current_row);
}

constexpr std::size_t any_window = std::numeric_limits<std::size_t>::max();

std::size_t index_of(const SelectWork& work, const ast::NamedWindow& window) {
  return static_cast<std::size_t>(&window - work.select->node->windows.data());
}

}  // namespace

bool NameResolver::call(Scope& scope, const ast::Call& call, ast::Span span) {
  if (tables_.calls.find(&call) != nullptr) return true;  // it is in a named window that is used twice
  const int count = static_cast<int>(call.arguments.size());
  CallBinding binding;
  binding.function = context_.functions.find(call.name.text, count);
  bool is_aggregate = binding.function != nullptr && binding.function->is_aggregate();
  check_call(scope, call, binding.function, is_aggregate, span);

  // The arguments of an aggregate cannot contain other aggregates, but those of a window function can.
  const bool aggregates = scope.aggregates;
  const bool windows = scope.windows;
  if (is_aggregate) {
    scope.windows = false;
    if (!call.over) scope.aggregates = false;
  }
  all(scope, call.arguments);
  if (is_aggregate) {
    if (call.over) {
      if (!context_.failed()) window(scope, call, binding, span);
    } else {
      aggregate(scope, call, binding);
    }
  }
  scope.aggregates = aggregates;
  scope.windows = windows;
  tables_.calls[&call] = binding;
  return !context_.limit_exceeded;
}

// Reports errors in the call. Clears `is_aggregate` if the aggregate is misused.
void NameResolver::check_call(Scope& scope, const ast::Call& call, const SqlFunction* function, bool& is_aggregate,
                              ast::Span span) {
  const auto& name = call.name.text;
  check_is_sqlites(name, span);
  const auto misuse = [&](const std::string& message) {
    context_.fail({Diagnosis::Kind::misuse, message, span, name});
  };
  if (function != nullptr && function->name == "likelihood") {
    const auto* literal = call.arguments[1].as<ast::Literal>();
    const Value value = literal != nullptr ? literal->value() : Value();
    const auto* probability = std::get_if<double>(&value);
    if (literal == nullptr || literal->kind != ast::Literal::Kind::real || probability == nullptr ||
        *probability > 1.0) {
      misuse("second argument to " + name + "() must be a constant between 0.0 and 1.0");
    }
  }
  if (call.within_group) {  // SQLite's parser finds these, before anything else
    if (!context_.functions.has_ordered_set(name)) return misuse(name + "() is not an ordered-set aggregate");
    if (call.distinct) return misuse("DISTINCT not allowed on ordered-set aggregate " + name + "()");
  }
  const bool is_window_call = static_cast<bool>(call.over);
  if (is_window_call && call.distinct) misuse("DISTINCT is not supported for window functions");
  const bool needs_over = function != nullptr && function->kind == FunctionKind::window;
  if (function != nullptr && is_window_call && !takes_over(*function)) {
    misuse(name + "() may not be used as a window function");
  } else if (is_aggregate &&
             (!scope.aggregates || (needs_over && !is_window_call) || (is_window_call && !scope.windows))) {
    misuse(std::string("misuse of ") + (needs_over || is_window_call ? "window" : "aggregate") + " function " + name +
           "()");
    is_aggregate = false;
  } else if (function == nullptr && !context_.functions.has(name)) {
    context_.fail({Diagnosis::Kind::missing_function, "no such function: " + name, span, name});
  } else if (function == nullptr) {
    context_.fail(
        {Diagnosis::Kind::function_arguments, "wrong number of arguments to function " + name + "()", span, name});
  } else if (!is_aggregate && (is_window_call || call.filter)) {
    misuse("FILTER may not be used with non-aggregate " + name + "()");
  }
}

void NameResolver::aggregate(Scope& scope, const ast::Call& call, CallBinding& binding) {
  if (call.filter) expr(scope, *call.filter);
  for (const auto& term : call.order_by) expr(scope, term.expr);
  binding.kind = CallBinding::Kind::aggregate;
  Scope& owner = *owner_of(scope, call, binding.depth);
  owner.has_aggregate = true;
  owner.work->select->aggregates.push_back(&call);
  binding.select = owner.work->select;
}

// An aggregate belongs to the innermost SELECT whose columns its arguments use; if they use none, to the SELECT that
// contains it.
Scope* NameResolver::owner_of(Scope& scope, const ast::Call& call, int& depth) {
  Scope* owner = nullptr;
  int owner_depth = 0;
  const auto consider = [&](const ResolvedSelect* select) {
    int steps = 0;
    for (Scope* candidate = &scope; candidate != nullptr && candidate != owner; candidate = candidate->outer, ++steps) {
      if (candidate->from == nullptr || candidate->work->select != select) continue;
      owner = candidate;
      owner_depth = steps;
      return;
    }
  };
  for (const auto& argument : call.arguments) each_select_named(argument, context_, consider);
  if (call.filter) each_select_named(*call.filter, context_, consider);
  depth = owner_depth;
  return owner != nullptr ? owner : &scope;
}

void NameResolver::window(Scope& scope, const ast::Call& call, CallBinding& binding, ast::Span span) {
  binding.kind = CallBinding::Kind::window;
  binding.select = scope.work->select;
  ResolvedWindow& merged = tables_.windows.emplace_back();
  binding.window = &merged;
  const auto* inline_window = std::get_if<ast::Window>(call.over.get());
  const auto* named = inline_window != nullptr
                          ? nullptr
                          : named_window(*scope.work, std::get<ast::Name>(*call.over).text, any_window, span);
  if (inline_window == nullptr && named == nullptr) return;
  const bool merged_well = inline_window != nullptr
                               ? merge_window(*scope.work, *inline_window, any_window, span, merged)
                               : merge_window(*scope.work, named->window, index_of(*scope.work, *named), span, merged);
  if (!merged_well) return;

  if (merged.frame != nullptr && merged.frame->unit == ast::FrameUnit::range &&
      (merged.frame->start.offset || merged.frame->end.offset) && merged.order_by.size() != 1) {
    context_.fail(Diagnosis::Kind::misuse, "RANGE with offset PRECEDING/FOLLOWING requires one ORDER BY expression",
                  span);
  } else if (binding.function->kind == FunctionKind::window && call.filter) {
    context_.fail(Diagnosis::Kind::misuse, "FILTER clause may only be used with aggregate window functions", span);
  }
  bool ok = true;
  for (const auto* partition : merged.partition_by) ok = ok && expr(scope, *partition);
  ok = true;
  for (const auto* term : merged.order_by) ok = ok && expr(scope, term->expr);
  if (call.filter) expr(scope, *call.filter);
  scope.has_window = true;
  scope.work->select->windows.push_back(&call);
}

// The last of the named windows before `end` that has this name.
const ast::NamedWindow* NameResolver::named_window(const SelectWork& work, std::string_view name, std::size_t end,
                                                   ast::Span span) {
  if (const auto* select = work.select->node) {
    for (std::size_t i = std::min(end, select->windows.size()); i-- > 0;) {
      if (equals_ignore_case(select->windows[i].name.text, name)) return &select->windows[i];
    }
  }
  context_.fail({Diagnosis::Kind::misuse, "no such window: " + std::string(name), span, std::string(name)});
  return nullptr;
}

// Merges a window with the one that it is based on: the frame is never inherited, ORDER BY only if the window has none.
// Named windows can be based on those before them; SQLite ignores the base that the first one names.
bool NameResolver::merge_window(const SelectWork& work, const ast::Window& window, std::size_t index, ast::Span span,
                                ResolvedWindow& merged) {
  const DepthGuard depth(context_, bytes_of_expression_level);
  if (!depth.ok()) return false;
  if (window.base && index > 0) {
    const auto* base = named_window(work, window.base->text, index, span);
    if (base == nullptr || !merge_window(work, base->window, index_of(work, *base), span, merged)) return false;
    const char* clause = !window.partition_by.empty()                           ? "PARTITION clause"
                         : !merged.order_by.empty() && !window.order_by.empty() ? "ORDER BY clause"
                         : merged.frame != nullptr                              ? "frame specification"
                                                                                : nullptr;
    if (clause != nullptr) {
      return context_.fail(Diagnosis::Kind::misuse,
                           "cannot override " + std::string(clause) + " of window: " + window.base->text, span);
    }
  }
  if (window.frame && !is_frame(*window.frame))
    return context_.fail(Diagnosis::Kind::misuse, "unsupported frame specification", span);
  for (const auto& partition : window.partition_by) merged.partition_by.push_back(&partition);
  for (const auto& term : window.order_by) merged.order_by.push_back(&term);
  merged.frame = window.frame ? &*window.frame : nullptr;
  return true;
}

// The bases of named windows are checked even if nothing uses the windows.
void NameResolver::check_windows(const SelectWork& work) {
  const auto& windows = work.select->node->windows;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    ResolvedWindow merged;
    merge_window(work, windows[i].window, i, work.select->node->span, merged);
  }
}

// Reports a function in whose place the connection has one of its own.
void NameResolver::check_is_sqlites(std::string_view name, ast::Span span) {
  const auto is_named = [name](const std::string& replaced) { return equals_ignore_case(replaced, name); };
  if (std::ranges::none_of(context_.options.replaced_functions, is_named)) return;
  context_.fail({Diagnosis::Kind::other,
                 "the connection has a function " + std::string(name) + "() of its own in place of SQLite's", span,
                 std::string(name)});
}

// x LIKE y is like(y, x).
bool NameResolver::like(Scope& scope, const ast::Like& like, ast::Span span) {
  static constexpr std::string_view names[] = {"LIKE", "GLOB", "REGEXP", "MATCH"};
  const auto name = names[static_cast<std::size_t>(like.op)];
  const int count = like.escape ? 3 : 2;
  check_is_sqlites(name, span);
  if (context_.functions.find(name, count) == nullptr) {
    const bool exists = context_.functions.has(name);
    context_.fail({exists ? Diagnosis::Kind::function_arguments : Diagnosis::Kind::missing_function,
                   exists ? "wrong number of arguments to function " + std::string(name) + "()"
                          : "no such function: " + std::string(name),
                   span, std::string(name)});
  }
  if (expr(scope, *like.pattern) && expr(scope, *like.operand) && like.escape) expr(scope, *like.escape);
  return !context_.limit_exceeded;
}

}  // namespace trustsql::resolver
