#include "score/set_match/exact_set_match.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "score/set_match/preparation.hpp"
#include "score/set_match/reader.hpp"

namespace trustsql {

namespace {

using set_match::Conditions;
using set_match::Query;
using set_match::Schema;

// The number of elements that the two bags share. Quadratic, but the reader limits the length of queries.
template <class T>
std::size_t shared(const std::vector<T>& a, std::vector<T> b) {
  std::size_t count = 0;
  for (const auto& element : a) {
    const auto equal = std::find(b.begin(), b.end(), element);
    if (equal == b.end()) continue;
    b.erase(equal);
    ++count;
  }
  return count;
}
template <class T>
ComponentMatch match_bags(const std::vector<T>& gold, const std::vector<T>& pred) {
  return {gold.size(), pred.size(), shared(pred, gold)};
}

template <class List, class Part>
auto parts(const List& list, Part part) {
  std::vector<std::decay_t<decltype(list.front().*part)>> result;
  for (const auto& element : list) result.push_back(element.*part);
  return result;
}

std::vector<std::string_view> group_columns(const Query& query, const Schema& schema) {
  std::vector<std::string_view> names;
  for (const auto& unit : query.group_by)
    names.push_back(unit.column == set_match::all_columns ? "*" : schema.column_name(unit.column));
  return names;
}

ComponentMatch match_group_by(const Query& gold, const Query& pred) {
  using set_match::ColumnUnit;
  const bool equal = !gold.group_by.empty() &&
                     parts(gold.group_by, &ColumnUnit::column) == parts(pred.group_by, &ColumnUnit::column) &&
                     gold.having == pred.having;
  return {gold.group_by.empty() ? 0U : 1U, pred.group_by.empty() ? 0U : 1U, equal ? 1U : 0U};
}

ComponentMatch match_order_by(const Query& gold, const Query& pred) {
  const bool equal = gold.order_by && gold.order_by == pred.order_by && gold.limit == pred.limit;
  return {gold.order_by ? 1U : 0U, pred.order_by ? 1U : 0U, equal ? 1U : 0U};
}

ComponentMatch match_connectives(const Query& gold, const Query& pred) {
  const std::set gold_set(gold.where.connectives.begin(), gold.where.connectives.end());
  const std::set pred_set(pred.where.connectives.begin(), pred.where.connectives.end());
  if (gold_set == pred_set) return {1, 1, 1};
  return {gold_set.size(), pred_set.size(), 0};
}

std::set<std::string_view> keywords(const Query& query) {
  std::set<std::string_view> words;
  const auto add_if = [&](bool used, std::string_view word) {
    if (used) words.insert(word);
  };
  add_if(!query.where.empty(), "where");
  add_if(!query.group_by.empty(), "group");
  add_if(!query.having.empty(), "having");
  if (query.order_by) {
    words.insert("order");
    words.insert(query.order_by->descending ? "desc" : "asc");
  }
  add_if(query.limit, "limit");
  if (query.operation) {
    using enum set_match::SetOperator;
    const auto op = query.operation->op;
    words.insert(op == intersect_rows ? "intersect" : op == union_rows ? "union" : "except");
  }
  for (const auto* conditions : {&query.joins, &query.where, &query.having}) {
    for (const auto connective : conditions->connectives) add_if(connective == set_match::Connective::logical_or, "or");
    for (const auto& condition : conditions->all) {
      add_if(condition.negated, "not");
      add_if(condition.op == set_match::Operator::in, "in");
      add_if(condition.op == set_match::Operator::like, "like");
    }
  }
  return words;
}

ComponentMatch match_keywords(const Query& gold, const Query& pred) {
  const auto gold_words = keywords(gold), pred_words = keywords(pred);
  const auto in_both =
      std::count_if(pred_words.begin(), pred_words.end(), [&](auto word) { return gold_words.contains(word); });
  return {gold_words.size(), pred_words.size(), static_cast<std::size_t>(in_both)};
}

SetMatch match(const Query& gold, const Query& pred, const Schema& schema);

ComponentMatch match_set_operations(const Query& gold, const Query& pred, const Schema& schema) {
  const bool same_operator = gold.operation && pred.operation && gold.operation->op == pred.operation->op;
  const bool equal = same_operator && match(*gold.operation->right, *pred.operation->right, schema).exact;
  return {gold.operation ? 1U : 0U, pred.operation ? 1U : 0U, equal ? 1U : 0U};
}

bool same_tables(const Query& gold, const Query& pred) {
  return gold.tables.empty() ||
         (gold.tables.size() == pred.tables.size() && shared(pred.tables, gold.tables) == gold.tables.size());
}

SetMatch match(const Query& gold, const Query& pred, const Schema& schema) {
  using set_match::Condition;
  using set_match::SelectItem;
  SetMatch result;
  result.components = {
      match_bags(gold.items, pred.items),
      match_bags(parts(gold.items, &SelectItem::unit), parts(pred.items, &SelectItem::unit)),
      match_bags(gold.where.all, pred.where.all),
      match_bags(parts(gold.where.all, &Condition::unit), parts(pred.where.all, &Condition::unit)),
      match_bags(group_columns(gold, schema), group_columns(pred, schema)),
      match_group_by(gold, pred),
      match_order_by(gold, pred),
      match_connectives(gold, pred),
      match_set_operations(gold, pred, schema),
      match_keywords(gold, pred),
  };
  result.exact =
      std::all_of(result.components.begin(), result.components.end(), [](const auto& c) { return c.score(); }) &&
      same_tables(gold, pred);
  return result;
}

}  // namespace

Result<SetMatch> exact_set_match(std::string_view gold, std::string_view prediction, const Schema& schema) {
  auto gold_query = set_match::read(gold, schema);
  if (!gold_query.ok())
    return std::move(gold_query).error().with_prefix("Spider's evaluator cannot read the gold query");
  auto read = set_match::read(prediction, schema);
  Query pred = read.ok() ? std::move(*read) : Query{};
  set_match::prepare(*gold_query, schema);
  set_match::prepare(pred, schema);
  SetMatch result = match(*gold_query, pred, schema);
  if (!read.ok()) result.unreadable = std::move(read).error().message;
  return result;
}

}  // namespace trustsql
