#include "unit/equiv/mutants.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "plan/walk.hpp"

namespace trustsql::testing_support {

using namespace plan;

namespace {

class Mutator {
 public:
  Mutator(const Plan& original, std::uint64_t seed) : original_(original), random_(seed) { collect_columns(original.root); }

  std::vector<Mutant> all() {
    std::vector<Mutant> result;
    for (int place = 0; place < 400; ++place) {
      Plan plan = original_;
      left_ = place;
      what_.clear();
      root_ = &plan.root;
      visit(plan.root);
      if (what_.empty() && left_ == 0) add_distinct(plan);
      if (what_.empty()) break;
      result.push_back({what_, std::move(plan)});
    }
    return result;
  }

 private:
  // Whether this is the place to break.
  bool here(const char* what) {
    if (!what_.empty() || left_-- > 0) return false;
    what_ = what;
    return true;
  }

  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[random_.below(list.size())];
  }

  void collect_columns(const Rel& rel) {
    walk(rel, [&](const Scan& scan) {
      std::vector<AttributeId> ids;
      for (const auto& column : scan.columns) ids.push_back(column.id);
      scans_.push_back(std::move(ids));
    });
  }

  void visit(Rel& rel) {
    for_each_rel(rel, [&](Rel& input) { visit(input); });
    for_each_expr(rel, [&](Expr& expr) {
      if (!hands_on(rel, expr)) visit(expr);
    });
    if (auto* project = rel.as<Project>(); project != nullptr && &rel == root_) {
      for (auto& item : project->items) {
        if (!item.is_pass_through()) continue;
        visit(item.expr);
        item.id = *column_id(item.expr);
      }
    }
    if (!what_.empty()) return;
    std::visit(Overloaded{
                   [](auto&) {},
                   [&](Filter& n) {
                     for (std::size_t i = 0; i < n.conjuncts.size(); ++i) {
                       if (here("a condition dropped")) {
                         if (n.conjuncts.size() == 1) {
                           n.conjuncts.front() = literal(Value(std::int64_t{1}));
                         } else {
                           n.conjuncts.erase(n.conjuncts.begin() + static_cast<std::ptrdiff_t>(i));
                         }
                         return;
                       }
                     }
                   },
                   [&](Join& n) {
                     if (n.type == JoinType::inner && here("inner to left join")) {
                       n.type = JoinType::left;
                     } else if (n.type == JoinType::left && here("left to inner join")) {
                       n.type = JoinType::inner;
                     }
                     if (what_.empty() && !n.on.empty() && here("a join condition dropped")) n.on.pop_back();
                   },
                   [&](Aggregate& n) {
                     for (auto& call : n.calls) visit(call);
                   },
                   [&](Sort& n) {
                     for (auto& key : n.keys) {
                       if (here("a sort turned")) key.descending = !key.descending;
                     }
                   },
                   [&](Limit& n) {
                     auto* value = n.count->as<Literal>();
                     if (value != nullptr && here("a limit moved")) value->value = std::int64_t{2};
                   },
                   [&](SetOp& n) {
                     if (here("another set operation")) {
                       using Op = ast::SetOp;
                       const std::vector<Op> ops = {Op::union_all, Op::union_distinct, Op::intersect, Op::except};
                       const auto before = n.op;
                       while (n.op == before) n.op = one_of(ops);
                     }
                   },
               },
               rel.node);
    if (what_.empty() && rel.is<Distinct>() && here("DISTINCT dropped")) replace_by_descendant(rel, *rel.as<Distinct>()->input);
  }

  // Whether the expression is a column that keeps its number, by which others know it.
  static bool hands_on(const Rel& rel, const Expr& expr) {
    const auto* id = column_id(expr);
    if (id == nullptr) return false;
    if (const auto* project = rel.as<Project>()) {
      return std::any_of(project->items.begin(), project->items.end(), [&](const ProjectItem& i) { return &i.expr == &expr && i.id == *id; });
    }
    if (const auto* aggregate = rel.as<Aggregate>()) {
      return std::any_of(aggregate->keys.begin(), aggregate->keys.end(), [&](const GroupKey& k) { return &k.expr == &expr && k.id == *id; }) ||
             std::any_of(aggregate->calls.begin(), aggregate->calls.end(), [&](const AggregateCall& c) { return c.is_bare() && c.id == *id; });
    }
    return false;
  }

  void visit(AggregateCall& call) {
    if (call.is_bare() || call.arguments.empty()) return;
    if (here("another aggregate")) {
      call.name = call.name == "min" ? "max" : call.name == "max" ? "min" : call.name == "sum" ? "avg" : call.name == "avg" ? "sum" : "max";
      call.info = FunctionTable::latest().find(call.name, 1);
    } else if (here("DISTINCT in an aggregate")) {
      call.distinct = !call.distinct;
    }
  }

  void visit(Expr& expr) {
    for_each_expr(expr, [&](Expr& operand) { visit(operand); });
    for_each_rel(expr, [&](Rel& rel) { visit(rel); });
    if (!what_.empty()) return;
    if (auto* n = expr.as<Compare>()) {
      if (here("a comparison")) {
        const std::vector<CompareOp> ops = {CompareOp::equal,   CompareOp::not_equal,     CompareOp::less, CompareOp::less_equal,
                                            CompareOp::greater, CompareOp::greater_equal, CompareOp::is};
        const auto before = n->op;
        while (n->op == before) n->op = one_of(ops);
      }
    } else if (auto* value = expr.as<Literal>()) {
      if (value->value.index() != 0 && here("a constant")) {
        if (auto* integer = std::get_if<std::int64_t>(&value->value)) {
          *integer += random_.below(2) == 0 ? 1 : -1;
        } else if (auto* real = std::get_if<double>(&value->value)) {
          *real += 0.5;
        } else if (auto* text = std::get_if<std::string>(&value->value)) {
          *text += "x";
        }
      }
    } else if (const auto* id = column_id(expr)) {
      for (const auto& columns : scans_) {
        if (std::find(columns.begin(), columns.end(), *id) == columns.end() || columns.size() < 2) continue;
        if (here("a column")) {
          auto other = *id;
          while (other == *id) other = one_of(columns);
          expr = column(other);
        }
        return;
      }
    } else if (auto* both = expr.as<And>()) {
      if (here("AND to OR")) {
        auto terms = std::move(both->terms);
        expr = disjunction(std::move(terms));
      }
    } else if (auto* either = expr.as<Or>()) {
      if (here("OR to AND")) {
        auto terms = std::move(either->terms);
        expr = conjunction(std::move(terms));
      }
    } else if (auto* null = expr.as<IsNull>()) {
      if (here("IS NULL")) null->negated = !null->negated;
    } else if (auto* list = expr.as<InList>()) {
      if (list->items.size() > 1 && here("an item of IN")) list->items.pop_back();
    } else if (auto* in = expr.as<InSubquery>()) {
      if (here("NOT IN")) in->negated = !in->negated;
    } else if (auto* like = expr.as<Like>()) {
      if (here("NOT LIKE")) like->negated = !like->negated;
    }
  }

  void add_distinct(Plan& plan) {
    what_ = "DISTINCT added";
    plan.root = Rel{Distinct{std::move(plan.root), {}}};
  }

  const Plan& original_;
  Random random_;
  std::vector<std::vector<AttributeId>> scans_;
  const Rel* root_ = nullptr;
  int left_ = 0;
  std::string what_;
};

}  // namespace

std::vector<Mutant> mutants(const Plan& plan, std::uint64_t seed) { return Mutator(plan, seed).all(); }

}  // namespace trustsql::testing_support
