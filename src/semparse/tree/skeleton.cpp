#include "semparse/tree/skeleton.hpp"

#include "semparse/learning/linear_model.hpp"

namespace trustsql::semparse {

namespace {

SelectPart part_of(const Term& term) { return {term.aggregate, term.distinct, term.column == nothing}; }

std::string part_text(const SelectPart& part) {
  if (part.aggregate == Aggregate::none) return part.rows ? "*" : "P";
  std::string text(aggregate_name(part.aggregate));
  return text + (part.rows ? "(*)" : part.distinct ? "(d)" : "()");
}

std::string select_text(const Skeleton& skeleton) {
  std::string text;
  for (const auto& part : skeleton.select) text += (text.empty() ? "" : ",") + part_text(part);
  return skeleton.distinct ? "distinct " + text : text;
}

std::string subquery_text(const Skeleton& skeleton) {
  std::string text;
  switch (skeleton.subquery) {
    case SubqueryKind::none: return text;
    case SubqueryKind::missing: text = " missing"; break;
    case SubqueryKind::existing: text = " existing"; break;
    case SubqueryKind::aggregate:
      text = " than " + part_text(skeleton.subquery_select) +
             std::to_string(static_cast<int>(skeleton.subquery_comparison));
      break;
  }
  return text + (skeleton.subquery_literals ? "v" : "");
}

std::string where_text(const Skeleton& skeleton) {
  std::string text;
  if (skeleton.literals) text += skeleton.any ? " or" : " v";
  if (skeleton.null_test != NullTest::none) text += skeleton.null_test == NullTest::is_null ? " null" : " not null";
  return text + subquery_text(skeleton);
}

std::string group_text(const Skeleton& skeleton) {
  std::string text = skeleton.group ? " g" : "";
  if (skeleton.having) text += " h:" + part_text(*skeleton.having);
  return text;
}

std::string order_text(const Skeleton& skeleton) {
  std::string text;
  if (skeleton.order) text += " o:" + part_text(*skeleton.order) + (skeleton.descending ? "-" : "+");
  if (skeleton.limit != LimitKind::none) text += skeleton.limit == LimitKind::one ? " 1" : " n";
  return text;
}

std::string operation_text(const Skeleton& skeleton) {
  if (skeleton.operation == SetOperation::none) return "";
  std::string text = skeleton.operation == SetOperation::intersect ? " intersect"
                     : skeleton.operation == SetOperation::union_  ? " union"
                                                                   : " except";
  return text + (skeleton.other_literals ? " v" : "");
}

// Reads the conditions of WHERE; false if no skeleton describes them.
bool add_conditions(const std::vector<Condition>& where, Skeleton& skeleton) {
  for (const auto& condition : where) {
    if (condition.term.aggregate != Aggregate::none) return false;
    if (condition.comparison == Comparison::is_null || condition.comparison == Comparison::is_not_null) {
      if (skeleton.null_test != NullTest::none) return false;
      skeleton.null_test = condition.comparison == Comparison::is_null ? NullTest::is_null : NullTest::is_not_null;
      continue;
    }
    if (condition.subquery.empty()) {
      skeleton.literals = true;
      continue;
    }
    const auto& block = condition.subquery.front();
    const bool simple = block.group.empty() && block.having.empty() && block.order.empty() && !block.limit;
    if (skeleton.subquery != SubqueryKind::none || !simple) return false;
    for (const auto& inner : block.where) {
      if (!inner.subquery.empty() || inner.values.empty()) return false;
      skeleton.subquery_literals = true;
    }
    const auto part = part_of(block.select.front());
    if (condition.comparison == Comparison::not_in || condition.comparison == Comparison::in) {
      if (part.aggregate != Aggregate::none) return false;
      skeleton.subquery = condition.comparison == Comparison::in ? SubqueryKind::existing : SubqueryKind::missing;
      continue;
    }
    if (part.aggregate == Aggregate::none || part.rows) return false;
    skeleton.subquery = SubqueryKind::aggregate;
    skeleton.subquery_select = part;
    skeleton.subquery_comparison = condition.comparison;
  }
  return true;
}

}  // namespace

std::optional<Skeleton> skeleton_of(const Tree& tree) {
  const auto& block = tree.block;
  Skeleton skeleton;
  for (const auto& term : block.select) {
    const auto part = part_of(term);
    if (part.aggregate == Aggregate::none && !skeleton.select.empty() && skeleton.select.back() == part) continue;
    skeleton.select.push_back(part);
  }
  skeleton.distinct = block.distinct;
  if (!add_conditions(block.where, skeleton)) return std::nullopt;
  skeleton.any = block.any && skeleton.literals;
  if (block.any && skeleton.subquery != SubqueryKind::none) return std::nullopt;
  skeleton.group = !block.group.empty();
  if (block.having.size() > 1 || block.order.size() > 1) return std::nullopt;
  if (!block.having.empty()) {
    if (!block.having.front().subquery.empty() || block.having.front().term.aggregate == Aggregate::none)
      return std::nullopt;
    skeleton.having = part_of(block.having.front().term);
  }
  if (!block.order.empty()) {
    skeleton.order = part_of(block.order.front().term);
    skeleton.descending = block.order.front().descending;
  }
  if (block.limit) skeleton.limit = *block.limit == 1 ? LimitKind::one : LimitKind::number;
  skeleton.operation = tree.operation;
  if (tree.operation == SetOperation::none) return skeleton;
  const auto& other = tree.other.front();
  if (!other.group.empty() || other.select.size() != block.select.size()) return std::nullopt;
  Skeleton second;
  if (!add_conditions(other.where, second) || second.subquery != SubqueryKind::none ||
      second.null_test != NullTest::none)
    return std::nullopt;
  skeleton.other_literals = second.literals;
  return skeleton;
}

std::string text_of(const Skeleton& skeleton) {
  return select_text(skeleton) + where_text(skeleton) + group_text(skeleton) + order_text(skeleton) +
         operation_text(skeleton);
}

std::vector<std::uint64_t> fragments_of(const Skeleton& skeleton) {
  const auto key = [](int kind, const std::string& text) { return feature_key(kind, hash_bytes(text, 1)); };
  const auto select = select_text(skeleton);
  const auto where = where_text(skeleton);
  const auto group = group_text(skeleton);
  const auto order = order_text(skeleton);
  const auto operation = operation_text(skeleton);
  std::vector<std::uint64_t> fragments = {key(0, text_of(skeleton)),
                                          key(1, select),
                                          key(2, where),
                                          key(3, group),
                                          key(4, order),
                                          key(5, operation),
                                          key(6, select + group),
                                          key(7, group + order),
                                          key(8, select + order),
                                          key(9, where + operation),
                                          key(10, where + group)};
  for (const auto& part : skeleton.select) fragments.push_back(key(11, part_text(part)));
  fragments.push_back(key(12, std::to_string(skeleton.select.size())));
  fragments.push_back(key(13, skeleton.literals || skeleton.other_literals || skeleton.subquery_literals ? "v" : ""));
  fragments.push_back(key(14, std::to_string(static_cast<int>(skeleton.subquery))));
  fragments.push_back(key(15, skeleton.order ? skeleton.descending ? "-" : "+" : ""));
  fragments.push_back(key(17, skeleton.distinct ? "distinct" : ""));
  fragments.push_back(key(16, std::to_string(static_cast<int>(skeleton.limit))));
  return fragments;
}

}  // namespace trustsql::semparse
