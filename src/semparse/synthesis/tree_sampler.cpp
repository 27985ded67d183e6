#include "semparse/synthesis/tree_sampler.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t max_sampled_values = 500;
constexpr std::size_t max_value_length = 40;

// How often each form is drawn, about as often as people ask for it (in the order of QueryForm).
constexpr std::array<unsigned, query_forms> form_weights = {24, 16, 14, 10, 4, 5, 8, 5, 4, 6, 6, 5, 4};

// Numbers that nobody adds up, or takes the mean of.
constexpr std::string_view not_summed[] = {
    "age",  "average", "day",     "grade",   "height",      "high",    "highest", "latitude",   "level", "longitude",
    "low",  "lowest",  "maximum", "minimum", "month",       "order",   "percent", "percentage", "rank",  "ranking",
    "rate", "rating",  "score",   "season",  "temperature", "version", "width",   "year"};
constexpr std::string_view not_averaged[] = {"day",  "latitude", "longitude", "month",   "order",
                                             "rank", "ranking",  "season",    "version", "year"};

Term plain(ColumnId column) { return {.column = column}; }
Term aggregate_of(Aggregate aggregate, ColumnId column) { return {.aggregate = aggregate, .column = column}; }
Term row_count(TableId table) { return {.aggregate = Aggregate::count, .table = table}; }
Condition condition_of(const Term& term, Comparison comparison) {
  Condition condition;
  condition.term = term;
  condition.comparison = comparison;
  return condition;
}

// A text that can stand in a question.
bool is_speakable(const std::string& text) {
  return !text.empty() && text.size() <= max_value_length && trim(text) == text &&
         std::none_of(text.begin(), text.end(), [](char c) {
           return c == '\'' || c == '"' || c == '\n' || c == '\r' || c == '%' || static_cast<unsigned char>(c) < 0x20;
         });
}

}  // namespace

Result<bool> TreeSampler::prepare() {
  for (TableId id = 0; id < static_cast<TableId>(domain_.tables().size()); ++id) {
    const auto& table = domain_.table(id);
    Block block{.select = {row_count(id)}};
    const auto sql = sql_of(domain_, {.block = std::move(block)});
    if (!sql || table.words.empty()) continue;
    const auto rows = sandbox_.run(*sql);
    if (!rows.ok()) {
      if (ends_the_call(rows.error().code)) return rows.error();
      continue;
    }
    const auto count = rows->at(0, 0);
    if (count.type != ValueType::integer || count.integer < 2) continue;
    Usable usable{.table = id, .rows = static_cast<std::size_t>(count.integer)};
    for (auto column = table.first_column; column < table.last_column; ++column) {
      const auto& described = domain_.column(column);
      if (described.is_id || described.words.empty()) continue;
      usable.shown.push_back(column);
      if (described.kind == DataKind::text) usable.texts.push_back(column);
      if (described.kind == DataKind::number) usable.numbers.push_back(column);
    }
    if (!usable.shown.empty()) usable_.push_back(std::move(usable));
  }
  return !usable_.empty();
}

const TreeSampler::Usable* TreeSampler::usable(TableId table) const {
  const auto found =
      std::find_if(usable_.begin(), usable_.end(), [table](const Usable& each) { return each.table == table; });
  return found == usable_.end() ? nullptr : &*found;
}

ColumnId TreeSampler::any_column() { return pick(usable_[random_.below(usable_.size())].shown); }

ColumnId TreeSampler::shown_first(const Usable& usable) {
  const auto display = domain_.table(usable.table).display;
  const bool shown = std::find(usable.shown.begin(), usable.shown.end(), display) != usable.shown.end();
  return shown ? display : pick(usable.shown);
}

const JoinEdge* TreeSampler::edge_to(TableId table) {
  std::vector<const JoinEdge*> edges;
  for (const auto& edge : domain_.edges())
    if (domain_.column(edge.parent).table == table && domain_.column(edge.child).table != table &&
        usable(domain_.column(edge.child).table) != nullptr)
      edges.push_back(&edge);
  return edges.empty() ? nullptr : edges[random_.below(edges.size())];
}

Result<const std::vector<Value>*> TreeSampler::values_of(ColumnId column) {
  const auto [entry, is_new] = values_.try_emplace(column);
  auto& values = entry->second;
  if (!is_new) return &values;
  Block block{.select = {plain(column)}, .distinct = true, .limit = max_sampled_values};
  const auto sql = sql_of(domain_, {.block = std::move(block)});
  if (!sql) return &values;
  const auto rows = sandbox_.run(*sql);
  if (!rows.ok()) {
    if (ends_the_call(rows.error().code)) return rows.error();
    return &values;
  }
  const bool numeric = domain_.column(column).kind == DataKind::number;
  for (std::size_t row = 0; row < rows->row_count(); ++row) {
    auto value = to_value(rows->at(row, 0));
    const auto* text = std::get_if<std::string>(&value);
    const bool number = std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
    if (numeric ? number : text != nullptr && is_speakable(*text)) values.push_back(std::move(value));
  }
  std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) { return compare(view(a), view(b)) < 0; });
  return &values;
}

Result<bool> TreeSampler::makes_groups(const Usable& usable, ColumnId column) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto* values, values_of(column));
  return values->size() > 1 && values->size() * 4 <= usable.rows * 3;
}

bool TreeSampler::has_word(ColumnId column, std::span<const std::string_view> words) const {
  const auto& name = domain_.column(column).all_words;
  return std::any_of(name.begin(), name.end(), [words](const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

Result<std::optional<Condition>> TreeSampler::condition_on(ColumnId column) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto* values, values_of(column));
  std::optional<Condition> condition;
  if (values->size() < 2) return condition;
  Condition made = condition_of(plain(column), Comparison::equal);
  if (domain_.column(column).kind == DataKind::text) {
    made.comparison = random_.below(8) == 0 ? Comparison::not_equal : Comparison::equal;
    made.values = {(*values)[random_.below(values->size())]};
    return std::optional(std::move(made));
  }
  if (domain_.column(column).kind != DataKind::number || values->size() < 4) return condition;
  // A value from the middle, so that there are rows on either side.
  const auto from_middle = [&] { return values->size() / 5 + random_.below(values->size() * 3 / 5); };
  constexpr std::array<Comparison, 5> comparisons = {Comparison::greater, Comparison::less, Comparison::greater_equal,
                                                     Comparison::less_equal, Comparison::between};
  made.comparison = comparisons[random_.below(comparisons.size())];
  const auto first = from_middle();
  made.values = {(*values)[first]};
  if (made.comparison == Comparison::between) {
    const auto second = std::min(first + 1 + random_.below(values->size() / 3 + 1), values->size() - 1);
    if (second == first) return condition;
    made.values.push_back((*values)[second]);
  }
  return std::optional(std::move(made));
}

Status TreeSampler::add_conditions(const Usable& usable_table, std::size_t most, Block& block) {
  const auto count = random_.below(most + 1);
  for (std::size_t i = 0; i < count; ++i) {
    auto columns = usable_table.texts;
    columns.insert(columns.end(), usable_table.numbers.begin(), usable_table.numbers.end());
    // A third of the conditions are on a table that this one refers to.
    if (random_.below(3) == 0) {
      for (const auto& edge : domain_.edges()) {
        const auto parent = domain_.column(edge.parent).table;
        const auto* there = usable(parent);
        if (domain_.column(edge.child).table != usable_table.table || parent == usable_table.table || there == nullptr)
          continue;
        columns = there->texts;
        if (random_.below(2) == 0) break;
      }
    }
    if (columns.empty()) continue;
    const auto column = pick(columns);
    const bool used = std::any_of(block.where.begin(), block.where.end(),
                                  [column](const Condition& each) { return each.term.column == column; });
    if (used) continue;
    TRUSTSQL_ASSIGN_OR_RETURN(auto condition, condition_on(column));
    if (condition) block.where.push_back(std::move(*condition));
  }
  return ok_status();
}

Result<std::optional<SampledQuery>> TreeSampler::sample() {
  const std::optional<SampledQuery> none;
  unsigned total = 0;
  for (const auto weight : form_weights) total += weight;
  auto drawn = random_.below(total);
  std::size_t form = 0;
  while (drawn >= form_weights[form]) drawn -= form_weights[form++];
  const auto& table = usable_[random_.below(usable_.size())];
  SampledQuery query{.form = static_cast<QueryForm>(form), .table = table.table};
  auto& block = query.tree.block;
  const auto shown = shown_first(table);
  const bool down = random_.below(2) == 0;
  switch (query.form) {
    case QueryForm::list: {
      block.select = {plain(random_.below(2) == 0 ? shown : pick(table.shown))};
      if (const auto more = pick(table.shown); random_.below(3) == 0 && more != block.select.front().column)
        block.select.push_back(plain(more));
      TRUSTSQL_RETURN_IF_ERROR(add_conditions(table, 2, block));
      // Nobody asks for a value that the question gives.
      for (const auto& condition : block.where)
        for (const auto& term : block.select)
          if (condition.term.column == term.column) return none;
      break;
    }
    case QueryForm::count: {
      block.select = {row_count(table.table)};
      TRUSTSQL_RETURN_IF_ERROR(add_conditions(table, 2, block));
      break;
    }
    case QueryForm::aggregate: {
      if (table.numbers.empty()) return none;
      constexpr std::array<Aggregate, 4> aggregates = {Aggregate::avg, Aggregate::max, Aggregate::min, Aggregate::sum};
      auto aggregate = aggregates[random_.below(aggregates.size())];
      const auto of = pick(table.numbers);
      if (aggregate == Aggregate::sum && has_word(of, not_summed)) aggregate = Aggregate::max;
      if (aggregate == Aggregate::avg && has_word(of, not_averaged)) aggregate = Aggregate::min;
      block.select = {aggregate_of(aggregate, of)};
      TRUSTSQL_RETURN_IF_ERROR(add_conditions(table, 1, block));
      break;
    }
    case QueryForm::extreme:
    case QueryForm::top:
    case QueryForm::sorted: {
      if (table.numbers.empty()) return none;
      const auto by = pick(table.numbers);
      if (by == shown) return none;
      block.select = {plain(shown)};
      block.order = {{plain(by), down}};
      if (query.form == QueryForm::extreme) block.limit = 1;
      if (query.form == QueryForm::top) block.limit = static_cast<std::int64_t>(2 + random_.below(4));
      break;
    }
    case QueryForm::group_count:
    case QueryForm::popular: {
      if (table.texts.empty()) return none;
      const auto by = pick(table.texts);
      TRUSTSQL_ASSIGN_OR_RETURN(const bool repeats, makes_groups(table, by));
      if (!repeats) return none;
      block.select = {plain(by)};
      block.group = {by};
      if (query.form == QueryForm::group_count) {
        block.select.push_back(row_count(table.table));
      } else {
        block.having = {condition_of(row_count(table.table), Comparison::greater)};
        block.having.front().values = {static_cast<std::int64_t>(1 + random_.below(4))};
      }
      break;
    }
    case QueryForm::group_average: {
      if (table.texts.empty() || table.numbers.empty()) return none;
      const auto by = pick(table.texts);
      const auto of = pick(table.numbers);
      TRUSTSQL_ASSIGN_OR_RETURN(const bool repeats, makes_groups(table, by));
      if (!repeats || has_word(of, not_averaged)) return none;
      block.select = {plain(by), aggregate_of(Aggregate::avg, of)};
      block.group = {by};
      break;
    }
    case QueryForm::most_related:
    case QueryForm::unrelated: {
      const auto* edge = edge_to(table.table);
      if (edge == nullptr) return none;
      query.related = domain_.column(edge->child).table;
      block.select = {plain(shown)};
      if (query.form == QueryForm::most_related) {
        block.group = {edge->parent};
        block.order = {{row_count(query.related), true}};
        block.limit = 1;
      } else {
        auto missing = condition_of(plain(edge->parent), Comparison::not_in);
        missing.subquery = {Block{.select = {plain(edge->child)}}};
        block.where = {std::move(missing)};
      }
      break;
    }
    case QueryForm::above_average: {
      if (table.numbers.empty()) return none;
      const auto by = pick(table.numbers);
      if (by == shown || has_word(by, not_averaged)) return none;
      block.select = {plain(shown)};
      auto above = condition_of(plain(by), down ? Comparison::greater : Comparison::less);
      above.subquery = {Block{.select = {aggregate_of(Aggregate::avg, by)}}};
      block.where = {std::move(above)};
      break;
    }
    case QueryForm::count_values: {
      if (table.texts.empty()) return none;
      block.select = {{.aggregate = Aggregate::count, .distinct = true, .column = pick(table.texts)}};
      break;
    }
  }
  return std::optional(std::move(query));
}

}  // namespace trustsql::semparse
