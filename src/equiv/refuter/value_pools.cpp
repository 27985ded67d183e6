#include "equiv/refuter/value_pools.hpp"

#include <algorithm>

#include "base/json_tree.hpp"
#include "base/sql_token.hpp"
#include "base/text.hpp"
#include "plan/evaluate.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

constexpr std::size_t max_constants = 16;
constexpr int max_patterns = 100;
constexpr std::size_t max_documents = 24;

}  // namespace

ValuePools::ValuePools(const DataModel& model) : model_(model) {
  int next = 0;
  for (const auto& table : model.tables) {
    first_.push_back(next);
    next += static_cast<int>(table.columns.size());
  }
  parents_.assign(static_cast<std::size_t>(next), -1);
  hints_.resize(static_cast<std::size_t>(next));
  for (std::size_t t = 0; t < model.tables.size(); ++t) {
    for (const auto& link : model.tables[t].parents) {
      for (std::size_t i = 0; i < link.columns.size(); ++i)
        join(id(t, static_cast<std::size_t>(link.columns[i])),
             id(static_cast<std::size_t>(link.parent), static_cast<std::size_t>(link.parent_columns[i])));
    }
  }
}

int ValuePools::root(int id) const {
  while (parents_[static_cast<std::size_t>(id)] >= 0) id = parents_[static_cast<std::size_t>(id)];
  return id;
}

void ValuePools::join(int a, int b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  parents_[static_cast<std::size_t>(a)] = b;
  auto moved = std::exchange(hints_[static_cast<std::size_t>(a)], {});
  for (const auto& value : moved.constants) add_constant(b, value);
  for (const auto& pattern : moved.patterns) add_pattern(b, pattern);
  add_use(b, moved.use);
  if (moved.documents) documents(b).add(*moved.documents);
}

void ValuePools::add_constant(int id, const Value& value) {
  auto& list = hints_[static_cast<std::size_t>(root(id))].constants;
  if (view(value).is_null() || list.size() >= max_constants || std::ranges::find(list, value) != list.end()) return;
  list.push_back(value);
}

void ValuePools::add_pattern(int id, const std::string& pattern) {
  auto& list = hints_[static_cast<std::size_t>(root(id))].patterns;
  if (list.size() < max_constants && std::ranges::find(list, pattern) == list.end()) list.push_back(pattern);
}

void ValuePools::add_use(int id, const ColumnUse& use) { hints_[static_cast<std::size_t>(root(id))].use.add(use); }

JsonShape& ValuePools::documents(int id) {
  auto& shape = hints_[static_cast<std::size_t>(root(id))].documents;
  return shape ? *shape : shape.emplace();
}

void ValuePools::learn(std::string_view sql) {
  for (std::size_t t = 0; t < model_.tables.size(); ++t) {
    for (std::size_t u = 0; u < t; ++u) {
      for (std::size_t i = 0; i < model_.tables[t].columns.size(); ++i) {
        const auto& name =
            model_.tables[t].table->columns[static_cast<std::size_t>(model_.tables[t].columns[i].position)].name;
        const auto other = model_.tables[u].table->find_column(name);
        const int place = other ? model_.tables[u].place_of(static_cast<int>(*other)) : -1;
        if (place >= 0) join(id(t, i), id(u, static_cast<std::size_t>(place)));
      }
    }
  }
  for (const Token token : significant_tokens(sql)) {
    Value value;
    if (token.is(TokenKind::string)) {
      value = token.name(sql);
    } else if (token.is(TokenKind::integer) || token.is(TokenKind::real)) {
      value = apply_affinity(std::string(token.text(sql)), Affinity::numeric).value_or(Value());
    }
    if (view(value).is_null()) continue;
    for (std::size_t t = 0; t < model_.tables.size(); ++t) {
      for (std::size_t i = 0; i < model_.tables[t].columns.size(); ++i) {
        const auto& column = model_.tables[t].columns[i];
        if (column.used && is_of_kind(fitted(value, column.kind), column.kind)) add_constant(id(t, i), value);
      }
    }
  }
}

namespace {

// Whether texts of JSON are what the column is declared to hold.
bool may_hold_json(ColumnKind kind, const trustsql::Column& column) {
  return (kind == ColumnKind::text || kind == ColumnKind::any) && column.enforced_type != ValueType::blob;
}

ColumnValues documents_of(const JsonShape& shape, const std::vector<Value>& constants) {
  ColumnValues values;
  values.are_documents = true;
  const auto add = [](std::vector<Value>& list, std::string text) {
    if (std::ranges::find(list, Value(text)) == list.end()) list.emplace_back(std::move(text));
  };
  for (const auto& constant : constants) {
    const auto* text = std::get_if<std::string>(&constant);
    if (text != nullptr && parse_json(*text, deepest_document)) add(values.hinted, *text);
  }
  auto documents = shape.documents(max_documents);
  for (std::size_t i = 0; i < documents.size(); ++i)
    add(i % 4 < 3 ? values.hinted : values.common, std::move(documents[i]));
  for (const char* text : {"{}", "[]"}) add(values.common, text);
  if (auto text = shape.other_case(); !text.empty()) values.variants.emplace_back(std::move(text));
  return values;
}

}  // namespace

void ValuePools::finish() {
  values_.clear();
  std::vector<bool> numbered(hints_.size());
  for (std::size_t t = 0; t < model_.tables.size(); ++t) {
    for (std::size_t i = 0; i < model_.tables[t].columns.size(); ++i) {
      const auto kind = model_.tables[t].columns[i].kind;
      if (kind == ColumnKind::integer || kind == ColumnKind::real || kind == ColumnKind::number)
        numbered[static_cast<std::size_t>(root(id(t, i)))] = true;
    }
  }
  for (std::size_t t = 0; t < model_.tables.size(); ++t) {
    const auto& table = model_.tables[t];
    values_.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto& hints = hints_[static_cast<std::size_t>(root(id(t, i)))];
      const auto& column = table.table->columns[static_cast<std::size_t>(table.columns[i].position)];
      ColumnValuesMaker maker(table.columns[i].kind, equals_ignore_case(column.collation, "RTRIM"),
                              table.columns[i].reading);
      for (const auto& constant : hints.constants) maker.add(constant);
      for (const auto& pattern : hints.patterns) maker.add_pattern(pattern);
      auto use = hints.use;
      use.with_numbers = numbered[static_cast<std::size_t>(root(id(t, i)))];
      const bool are_documents = hints.documents && may_hold_json(table.columns[i].kind, column);
      values_.back().push_back(are_documents ? documents_of(*hints.documents, hints.constants) : maker.finish(use));
      if (column.enforced_type) values_.back().back().odd.clear();
      keep_allowed(values_.back().back(), t, i);
    }
  }
}

void ValuePools::keep_allowed(ColumnValues& values, std::size_t table, std::size_t column) const {
  const auto is_forbidden = [&](const Value& value) { return !checks_.allow(table, column, value); };
  const Value usual = values.common.front();
  for (auto* list : {&values.hinted, &values.common, &values.variants, &values.odd, &values.misread})
    std::erase_if(*list, is_forbidden);
  if (values.common.empty()) values.common = values.hinted;
  if (values.common.empty()) values.common.push_back(usual);
}

Value ValuePools::fresh(std::size_t table, std::size_t column, std::size_t i) const {
  Value value = any_fresh(table, column, i);
  const auto& common_values = of(table, column).common;
  return checks_.allow(table, column, value) ? value : common_values[i % common_values.size()];
}

Value ValuePools::any_fresh(std::size_t table, std::size_t column, std::size_t i) const {
  const auto& common_values = of(table, column).common;
  if (i < common_values.size()) return common_values[i];
  const auto number = static_cast<std::int64_t>(i + 1);
  if (of(table, column).are_documents) return std::to_string(number);  // which is JSON
  const auto* first = std::get_if<std::string>(&common_values.front());
  if (first != nullptr && looks_like_date(*first)) {
    const auto two_digits = [](std::size_t n) { return std::string(n < 10 ? "0" : "") + std::to_string(n); };
    return std::to_string(2000 + i / 336) + "-" + two_digits(1 + i / 28 % 12) + "-" + two_digits(1 + i % 28) +
           first->substr(10);
  }
  switch (model_.tables[table].columns[column].kind) {
    case ColumnKind::text:
    case ColumnKind::date:
    case ColumnKind::datetime:
    case ColumnKind::time:
      if (first != nullptr && !first->empty() && first->front() >= '0' && first->front() <= '9')
        // For texts that are read as numbers, beyond the common values.
        return std::to_string(model_.tables[table].columns[column].reading == Reading::as_text ? number : number + 10);
      return std::string(1, static_cast<char>('a' + i % 26)) + (i < 26 ? std::string() : std::to_string(i / 26));
    case ColumnKind::real:
    case ColumnKind::number: return static_cast<double>(number) + 0.5;
    case ColumnKind::any:
      if (std::holds_alternative<std::string>(common_values.front())) return "v" + std::to_string(number);
      break;
    case ColumnKind::boolean: return static_cast<std::int64_t>(i % 2);
    case ColumnKind::integer: break;
  }
  return number;
}

QueryTexts query_texts(const DataModel& model, std::string_view a, std::string_view b) {
  QueryTexts texts;
  int patterns = 0;
  const auto is_name = [&](const std::string& name) {
    return std::ranges::any_of(model.tables, [&](const TableModel& table) {
      return equals_ignore_case(table.table->name, name) || table.table->find_column(name).has_value();
    });
  };
  for (const auto sql : {a, b}) {
    bool pattern = false;
    for (const Token token : significant_tokens(sql)) {
      const bool text = token.is(TokenKind::string) ||
                        (token.is(TokenKind::quoted) && token.text(sql).starts_with('"') && !is_name(token.name(sql)));
      if (text && pattern) {
        std::string longest;
        std::string piece;
        for (const char c : token.name(sql) + "%") {
          if (c != '%' && c != '_' && c != '*' && c != '?') {
            piece += c;
            continue;
          }
          if (piece.size() > longest.size()) longest = piece;
          piece.clear();
        }
        if (!longest.empty() && ++patterns <= max_patterns) texts.add_pattern_piece(std::move(longest));
      } else if (text) {
        texts.add_constant(token.name(sql));
      }
      pattern = token.is(Keyword::Like) || token.is(Keyword::Glob);
    }
  }
  return texts;
}

}  // namespace trustsql::equiv
