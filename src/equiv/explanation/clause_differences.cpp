#include "equiv/explanation/clause_differences.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/text.hpp"
#include "equiv/explanation/compound_arms.hpp"
#include "sql/ast_walk.hpp"
#include "sql/printer.hpp"

namespace trustsql::equiv::explanation {

namespace {

constexpr std::size_t longest_fragment = 120;  // bytes of SQL that are quoted
constexpr std::size_t most_phrases = 3;

std::string shortened(std::string text) {
  if (text.size() <= longest_fragment) return text;
  std::size_t end = 0;
  while (end < longest_fragment - 4) end += utf8_step(std::string_view(text).substr(end)).length;
  return text.substr(0, end) + " ...";
}

std::string listed(const std::vector<std::string>& texts) {
  if (texts.size() < 2) return texts.empty() ? std::string() : texts.front();
  return join(std::vector(texts.begin(), texts.end() - 1), ", ") + " and " + texts.back();
}

// The elements of `list` that `other` does not have, each as often as it has fewer of them.
template <class T>
std::vector<T> missing_from(const std::vector<T>& other, const std::vector<T>& list) {
  std::vector<T> rest = other;
  std::vector<T> missing;
  for (const auto& element : list) {
    const auto found = std::find(rest.begin(), rest.end(), element);
    if (found == rest.end()) {
      missing.push_back(element);
    } else {
      rest.erase(found);
    }
  }
  return missing;
}

class ClauseComparison {
 public:
  ClauseComparison(const QueryClauses& a, const QueryClauses& b, const std::string& first)
      : a_(a), b_(b), first_(first) {
    std::set<std::string> tables;
    add_tables(a, tables);
    add_tables(b, tables);
    qualified_ = tables.size() > 1;
  }

  std::vector<std::string> run() {
    if (never_true(a_) != never_true(b_)) {
      say(never_true(b_) ? "finds no rows, since its conditions contradict each other"
                         : "finds rows, while the conditions of " + first_ + " contradict each other");
      return std::move(phrases_);
    }
    if (a_.set_operation || b_.set_operation) {
      compare_set_operations();
    } else {
      compare_sources();
      compare_lists(conditions_a_, conditions_b_, "requires", "does not require", "also requires");
      compare_lists(a_.group_conditions, b_.group_conditions, "keeps groups with", "does not require of a group that",
                    "keeps only groups with");
      compare_keys();
      compare_columns();
      compare_distinct();
    }
    compare_order();
    compare_limit();
    if (phrases_.size() > most_phrases) phrases_.resize(most_phrases);
    return std::move(phrases_);
  }

 private:
  static void add_tables(const QueryClauses& clauses, std::set<std::string>& tables) {
    const auto query = query_of(clauses);
    ast::walk(query, [&](const ast::TableName& node) { tables.insert(to_lower_ascii(node.name.text)); });
    for (const auto& arm : clauses.arms) add_tables(arm, tables);
  }

  static bool never_true(const QueryClauses& clauses) {
    const ast::Expr no(ast::Literal{ast::Literal::Kind::integer, "0"});
    return std::find(clauses.conditions.begin(), clauses.conditions.end(), no) != clauses.conditions.end();
  }

  void say(std::string phrase) { phrases_.push_back(std::move(phrase)); }

  // An expression as the reader of a query on these tables would write it.
  std::string text(ast::Expr expr) const {
    if (!qualified_) ast::walk(expr, [](ast::ColumnRef& node) { node.table = std::nullopt; });
    return shortened(print_expression(expr));
  }
  std::vector<std::string> texts(const std::vector<ast::Expr>& exprs) const {
    std::vector<std::string> all;
    all.reserve(exprs.size());
    for (const auto& expr : exprs) all.push_back(text(expr));
    return all;
  }
  static std::string source_text(const ClauseSource& source) {
    if (source.subquery) return "(" + shortened(print_query(*source.subquery)) + ")";
    return equals_ignore_case(source.table, source.name) ? source.table : source.name + " again (" + source.table + ")";
  }

  void compare_set_operations() {
    if (a_.set_operation != b_.set_operation) {
      const auto name = [](const QueryClauses& clauses) {
        return clauses.set_operation ? std::string(operator_text(*clauses.set_operation)) : std::string();
      };
      if (!a_.set_operation) return say("combines queries by " + name(b_));
      if (!b_.set_operation) return say("does not combine queries by " + name(a_));
      say("combines its parts by " + name(b_) + " instead of " + name(a_));
    }
    compare_arms();
  }

  std::size_t difference_of(const QueryClauses& arm_a, const QueryClauses& arm_b) const {
    return clause_differences(arm_a, arm_b, first_).size();
  }

  // The arms of EXCEPT are compared in their order. Those of other operators may stand in any: first those go together
  // that say the same, then those that differ least.
  void compare_arms() {
    constexpr std::size_t most_arms = 12;  // that are compared with each other
    const auto arms_a = named_apart(a_.arms);
    const auto arms_b = named_apart(b_.arms);
    std::vector<std::size_t> rest_a(arms_a.size());
    std::vector<std::size_t> rest_b(arms_b.size());
    std::iota(rest_a.begin(), rest_a.end(), std::size_t{0});
    std::iota(rest_b.begin(), rest_b.end(), std::size_t{0});
    const bool in_order = a_.set_operation != b_.set_operation || a_.set_operation == ast::SetOp::except ||
                          rest_a.size() > most_arms || rest_b.size() > most_arms;
    for (std::size_t most = 0; !in_order && most <= most_phrases; ++most)
      for (std::size_t i = 0; i < rest_a.size();) {
        const auto& arm = arms_a[rest_a[i]];
        const auto other =
            std::ranges::find_if(rest_b, [&](std::size_t each) { return difference_of(arm, arms_b[each]) <= most; });
        if (other == rest_b.end()) {
          ++i;
          continue;
        }
        say_of_arms(arms_a, rest_a[i], arms_b[*other]);
        rest_b.erase(other);
        rest_a.erase(rest_a.begin() + static_cast<std::ptrdiff_t>(i));
      }
    while (!rest_a.empty() && !rest_b.empty()) {
      say_of_arms(arms_a, rest_a.front(), arms_b[rest_b.front()]);
      rest_a.erase(rest_a.begin());
      rest_b.erase(rest_b.begin());
    }
    for (const auto i : rest_a) say("does without the part " + shortened(print_query(query_of(arms_a[i]))));
    for (const auto i : rest_b) say("also has the part " + shortened(print_query(query_of(arms_b[i]))));
  }

  // How `other` differs from arm `i` of a.
  void say_of_arms(const std::vector<QueryClauses>& arms, std::size_t i, const QueryClauses& other) {
    const auto reads = [](const QueryClauses& arm, const std::string& table) {
      return std::ranges::any_of(arm.sources,
                                 [&](const ClauseSource& source) { return equals_ignore_case(source.table, table); });
    };
    const auto& arm = arms[i];
    std::string where = " in one part";
    if (!arm.sources.empty() && !arm.sources.front().subquery) {
      const auto& table = arm.sources.front().table;
      const auto only = std::ranges::count_if(arms, [&](const QueryClauses& each) { return reads(each, table); });
      if (only == 1) where = " in the part that reads " + table;
    }
    for (const auto& phrase : clause_differences(arm, other, first_)) say(phrase + where);
  }

  void compare_sources() {
    conditions_a_ = missing_from(b_.conditions, a_.conditions);
    conditions_b_ = missing_from(a_.conditions, b_.conditions);
    std::vector<const ClauseSource*> only_a;
    std::vector<const ClauseSource*> only_b;
    const auto same = [](const ClauseSource& x, const ClauseSource& y) {
      return equals_ignore_case(x.table, y.table) && x.subquery == y.subquery;
    };
    const auto find = [&](const QueryClauses& in, const ClauseSource& source) {
      return std::ranges::find_if(in.sources, [&](const ClauseSource& other) { return same(other, source); });
    };
    for (const auto& source : a_.sources) {
      const auto other = find(b_, source);
      if (other == b_.sources.end()) {
        only_a.push_back(&source);
      } else if (source.optional && !other->optional) {
        drop_join_conditions(source.conditions, conditions_b_);
        say("drops the rows that have no match in " + source_text(source));
      } else if (!source.optional && other->optional) {
        drop_join_conditions(other->conditions, conditions_a_);
        say("also keeps the rows that have no match in " + source_text(source));
      } else if (source.optional) {
        compare_lists(source.conditions, other->conditions, "joins on", "does not join on", "also joins on");
      }
    }
    for (const auto& source : b_.sources) {
      if (find(a_, source) == a_.sources.end()) only_b.push_back(&source);
    }
    if (only_a.size() == 1 && only_b.size() == 1) {
      say("reads " + source_text(*only_b[0]) + " instead of " + source_text(*only_a[0]));
      return;
    }
    for (const auto* source : only_a) say(without_table(*source));
    for (const auto* source : only_b) say(with_table(*source));
  }

  // The conditions of a LEFT JOIN that the other query has as an inner one.
  static void drop_join_conditions(const std::vector<ast::Expr>& join, std::vector<ast::Expr>& conditions) {
    std::erase_if(conditions, [&](const ast::Expr& condition) {
      return std::find(join.begin(), join.end(), condition) != join.end();
    });
  }

  // Takes the conditions about a table from a list.
  static std::vector<ast::Expr> take_about(const ClauseSource& source, std::vector<ast::Expr>& conditions) {
    std::vector<ast::Expr> taken;
    std::erase_if(conditions, [&](const ast::Expr& condition) {
      bool about = false;
      ast::walk(condition, [&](const ast::ColumnRef& node) {
        about = about || (node.table && !source.table.empty() && equals_ignore_case(node.table->text, source.table));
      });
      if (about) taken.push_back(condition);
      return about;
    });
    return taken;
  }

  // Whether a condition asks whether there is a row in that table: x IN (SELECT ... FROM table).
  static bool asks_for_match(const ast::Expr& condition, const std::string& table) {
    bool found = false;
    const auto look = [&](const ast::Query& query) {
      const auto* select = query.single_select();
      for (const auto& item : select == nullptr ? std::vector<ast::FromItem>() : select->from) {
        const auto* source = std::get_if<ast::Table>(&item.source);
        // A second instance of a table has a number behind its name.
        found = found || (source != nullptr && (equals_ignore_case(source->name.name.text, table) ||
                                                source->name.name.text.starts_with(table + "_")));
      }
    };
    if (const auto* in = condition.as<ast::In>()) {
      if (const auto* query = std::get_if<ast::Box<ast::Query>>(&in->set); query != nullptr && !in->negated)
        look(**query);
    } else if (const auto* exists = condition.as<ast::Exists>()) {
      look(*exists->query);
    }
    return found;
  }

  std::string with_table(const ClauseSource& source) {
    if (source.optional) return "also joins " + source_text(source) + ", keeping the rows that have no match in it";
    const auto linking = take_about(source, conditions_b_);
    const auto question = std::ranges::find_if(
        conditions_a_, [&](const ast::Expr& condition) { return asks_for_match(condition, source.table); });
    if (question != conditions_a_.end()) {
      conditions_a_.erase(question);
      return "joins " + source_text(source) + ", with a row for each match, where " + first_ +
             " only asks whether there is one";
    }
    return "also joins " + source_text(source) +
           (linking.empty() ? std::string() : " on " + join(texts(linking), " AND "));
  }
  std::string without_table(const ClauseSource& source) {
    const auto linking = take_about(source, conditions_a_);
    const auto question = std::ranges::find_if(
        conditions_b_, [&](const ast::Expr& condition) { return asks_for_match(condition, source.table); });
    if (question != conditions_b_.end()) {
      conditions_b_.erase(question);
      return "only asks whether there is a match in " + source_text(source) + ", where " + first_ +
             " has a row for each";
    }
    return "does not join " + source_text(source) +
           (linking.empty() ? std::string() : " on " + join(texts(linking), " AND "));
  }

  // Compares lists whose order does not matter.
  void compare_lists(const std::vector<ast::Expr>& a, const std::vector<ast::Expr>& b, const std::string& instead,
                     const std::string& fewer, const std::string& more, std::string_view separator = " AND ") {
    auto only_a = missing_from(b, a);
    auto only_b = missing_from(a, b);
    // First those about the same thing: age > 30 and age > 20.
    const auto subject = [](const ast::Expr& expr) -> const ast::Expr* {
      if (const auto* node = expr.as<ast::Binary>()) return node->left.get();
      if (const auto* node = expr.as<ast::In>()) return node->operand.get();
      if (const auto* node = expr.as<ast::Like>()) return node->operand.get();
      if (const auto* node = expr.as<ast::IsNull>()) return node->operand.get();
      return nullptr;
    };
    std::vector<ast::Expr> changed_a;
    std::vector<ast::Expr> changed_b;
    for (auto left = only_a.begin(); left != only_a.end();) {
      const auto* own = subject(*left);
      const auto right = std::ranges::find_if(only_b, [&](const ast::Expr& other) {
        const auto* its = subject(other);
        return own != nullptr && its != nullptr && *own == *its;
      });
      if (right == only_b.end()) {
        ++left;
        continue;
      }
      changed_a.push_back(*left);
      changed_b.push_back(*right);
      only_b.erase(right);
      left = only_a.erase(left);
    }
    if (changed_a.empty() && !only_a.empty() && !only_b.empty()) {
      changed_a.swap(only_a);
      changed_b.swap(only_b);
    }
    if (!changed_a.empty())
      say(instead + " " + join(texts(changed_b), separator) + " instead of " + join(texts(changed_a), separator));
    if (!only_a.empty()) say(fewer + " " + join(texts(only_a), separator));
    if (!only_b.empty()) say(more + " " + join(texts(only_b), separator));
  }

  void compare_keys() {
    if (a_.aggregate && !b_.aggregate && !a_.keys.empty()) return say("does not group by " + listed(texts(a_.keys)));
    if (!a_.aggregate && b_.aggregate && !b_.keys.empty()) return say("groups by " + listed(texts(b_.keys)));
    if (!a_.aggregate || !b_.aggregate) return;
    if (a_.keys.empty() && !b_.keys.empty())
      return say("has a row for each group of " + listed(texts(b_.keys)) + " instead of one for all rows");
    if (!a_.keys.empty() && b_.keys.empty()) return say("has one row for all groups of " + listed(texts(a_.keys)));
    compare_lists(a_.keys, b_.keys, "groups by", "does not group by", "also groups by", " and ");
  }

  void compare_columns() {
    if (a_.columns == b_.columns) return;
    const auto only_a = missing_from(b_.columns, a_.columns);
    const auto only_b = missing_from(a_.columns, b_.columns);
    if (only_a.empty() && only_b.empty()) {
      return say("returns its columns in another order (" + join(texts(b_.columns), ", ") + " instead of " +
                 join(texts(a_.columns), ", ") + ")");
    }
    if (!only_a.empty() && !only_b.empty())
      return say("returns " + listed(texts(only_b)) + " instead of " + listed(texts(only_a)));
    if (!only_a.empty()) return say("does not return " + listed(texts(only_a)));
    say("also returns " + listed(texts(only_b)));
  }

  void compare_distinct() {
    if (a_.distinct == b_.distinct || a_.aggregate != b_.aggregate) return;
    say(b_.distinct ? "removes duplicate rows" : "does not remove duplicate rows");
  }

  std::vector<std::string> order_texts(const QueryClauses& clauses) const {
    std::vector<std::string> all;
    for (const auto& term : clauses.order)
      all.push_back(text(term.expr) + (term.descending ? " in descending order" : ""));
    return all;
  }
  void compare_order() {
    if (a_.order == b_.order) return;
    if (b_.order.empty()) return say("does not sort by " + listed(order_texts(a_)));
    if (a_.order.empty()) return say("sorts by " + listed(order_texts(b_)));
    // The same terms in other directions.
    if (a_.order.size() == 1 && b_.order.size() == 1 && a_.order[0].expr == b_.order[0].expr) {
      return say("sorts by " + text(b_.order[0].expr) + (b_.order[0].descending ? " in descending" : " in ascending") +
                 " instead of " + (a_.order[0].descending ? "descending" : "ascending") + " order");
    }
    say("sorts by " + listed(order_texts(b_)) + " instead of " + listed(order_texts(a_)));
  }

  void compare_limit() {
    if (a_.limit == b_.limit && a_.offset == b_.offset) return;
    const auto rows = [&](const ast::Box<ast::Expr>& limit) {
      const auto number = text(*limit);
      return number == "1" ? std::string("the first row") : "the first " + number + " rows";
    };
    if (!b_.limit) return say("returns all rows and not only " + rows(a_.limit));
    if (!a_.limit) return say("returns only " + rows(b_.limit));
    if (a_.limit != b_.limit) return say("returns " + rows(b_.limit) + " instead of " + text(*a_.limit));
    say(b_.offset ? "skips " + text(*b_.offset) + " rows" + (a_.offset ? " instead of " + text(*a_.offset) : "")
                  : "does not skip " + text(*a_.offset) + " rows");
  }

  const QueryClauses& a_;
  const QueryClauses& b_;
  const std::string& first_;
  bool qualified_ = true;
  std::vector<ast::Expr> conditions_a_;
  std::vector<ast::Expr> conditions_b_;
  std::vector<std::string> phrases_;
};

}  // namespace

std::vector<std::string> clause_differences(const QueryClauses& a, const QueryClauses& b, const std::string& first) {
  return ClauseComparison(a, b, first).run();
}

}  // namespace trustsql::equiv::explanation
