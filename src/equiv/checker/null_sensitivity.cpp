// How NULLs affect expressions (knowledge.hpp).
#include "equiv/checker/evaluator.hpp"
#include "equiv/checker/knowledge.hpp"
#include "plan/walk.hpp"

namespace trustsql::equiv::checker {

using namespace plan;

AttributeSet null_sensitive(const Expr& expr, bool value, const Given& given) {
  const auto strict = [&](const Expr& part) { return null_sensitive(part, true, given); };
  return std::visit(Overloaded{
                        [](const auto&) { return AttributeSet(); },
                        [](const plan::Column& n) { return AttributeSet{n.id}; },
                        [&](const Unary& n) { return strict(*n.operand); },
                        [&](const Cast& n) { return strict(*n.operand); },
                        [&](const Not& n) { return strict(*n.operand); },
                        [&](const Binary& n) {
                          const bool json = n.op == ast::BinaryOp::arrow || n.op == ast::BinaryOp::double_arrow;
                          return json ? AttributeSet() : strict(*n.left) | strict(*n.right);
                        },
                        [&](const Compare& n) {
                          if (n.op != CompareOp::is && n.op != CompareOp::is_not)
                            return strict(*n.left) | strict(*n.right);
                          if (n.op == CompareOp::is_not || value) return AttributeSet();
                          AttributeSet result;
                          if (!given.may_be_null(*n.right, {})) result |= strict(*n.left);
                          if (!given.may_be_null(*n.left, {})) result |= strict(*n.right);
                          return result;
                        },
                        [&](const And& n) {
                          AttributeSet result;
                          if (value) return result;
                          for (const auto& term : n.terms) result |= null_sensitive(term, false, given);
                          return result;
                        },
                        [&](const Or& n) {
                          if (value) return AttributeSet();
                          auto result = null_sensitive(n.terms.front(), false, given);
                          for (std::size_t i = 1; i < n.terms.size(); ++i)
                            result &= null_sensitive(n.terms[i], false, given);
                          return result;
                        },
                        [&](const IsNull& n) { return !value && n.negated ? strict(*n.operand) : AttributeSet(); },
                        [&](const IsTruth& n) {
                          if (value || n.negated) return AttributeSet();
                          return n.truth ? null_sensitive(*n.operand, false, given) : strict(*n.operand);
                        },
                        [&](const Between& n) {
                          if (value || n.negated) return strict(*n.operand);
                          return strict(*n.operand) | strict(*n.low) | strict(*n.high);
                        },
                        [&](const InList& n) { return n.items.empty() ? AttributeSet() : strict(*n.operand); },
                        [&](const InSubquery& n) {
                          return !value && !n.negated && n.operands.size() == 1 ? strict(n.operands.front())
                                                                                : AttributeSet();
                        },
                        [&](const Like& n) {
                          // For a blob LIKE may be 0, which is not true either; negated it is 1.
                          if (n.op != ast::LikeOp::like && n.op != ast::LikeOp::glob) return AttributeSet();
                          const auto never_blob = [&](const Expr& part) {
                            return !possible_types(part, given.attributes, {}).contains(ValueType::blob);
                          };
                          const bool either = !value && !n.negated;
                          AttributeSet result;
                          if (either || never_blob(*n.pattern)) result |= strict(*n.operand);
                          if (either || never_blob(*n.operand)) result |= strict(*n.pattern);
                          return result;
                        },
                        [&](const Function& n) {
                          AttributeSet result;
                          for (std::size_t i = 0; n.info != nullptr && i < n.arguments.size(); ++i) {
                            if (n.info->is_strict_in(i)) result |= strict(n.arguments[i]);
                          }
                          return result;
                        },
                    },
                    expr.node);
}

bool rejects_nulls(const Expr& condition, const AttributeSet& nulls, const Given& given) {
  return null_sensitive(condition, false, given).intersects(nulls);
}

}  // namespace trustsql::equiv::checker
