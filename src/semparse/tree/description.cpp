#include "semparse/tree/description.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? std::string(last) : ", ";
    text += parts[i];
  }
  return text;
}

std::string words_of(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

std::string plural_of(std::string noun) {
  const auto ends = [&noun](std::string_view end) { return noun.ends_with(end); };
  // Of these the plural is as the singular, or there is none.
  for (const std::string_view same : {"people", "staff", "personnel", "children", "series", "species", "equipment",
                                      "information", "data", "media", "news", "aircraft", "sheep", "fish"})
    if (noun.empty() || ends(same)) return noun;
  if (ends("person")) return noun.replace(noun.size() - 6, 6, "people");
  if (ends("child")) return noun + "ren";
  if (ends("man") && !ends("human") && !ends("german")) return noun.replace(noun.size() - 3, 3, "men");
  const bool vowel_before_y =
      noun.size() > 1 && std::string_view("aeiou").find(noun[noun.size() - 2]) != std::string::npos;
  if (ends("y") && !vowel_before_y) return noun.replace(noun.size() - 1, 1, "ies");
  if (ends("s") || ends("x") || ends("ch") || ends("sh")) return noun + "es";
  return noun + "s";
}

bool has_noun(const Domain& domain, TableId table) {
  if (domain.stored_table(table) == table) return true;
  const auto& child = domain.column(domain.edges()[domain.edges_of(table).front()].child);
  return child.all_words.back() != "to" && child.all_words.back() != "by";
}

std::string noun_of(const Domain& domain, TableId table) {
  if (!has_noun(domain, table)) {
    const auto& child = domain.column(domain.edges()[domain.edges_of(table).front()].child);
    return quote_string(child.name) + " " + noun_of(domain, domain.stored_table(table));
  }
  const auto text = words_of(domain.table(table).words);
  return text.empty() ? domain.table(table).name : text;
}

namespace {

std::string value_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return quote_string(*text);
  return format_value(view(value));
}

class Describer {
 public:
  explicit Describer(const Domain& domain) : domain_(domain) {}

  std::string describe(const Block& block) {
    main_ = main_table(block);
    std::string text = block.counts_groups ? "the number of " + groups(block.group.front()) : selection(block);
    std::vector<std::string> conditions;
    for (const auto& condition : block.where) conditions.push_back(this->condition(condition));
    for (const auto table : block.tables)
      if (table != main_) text += " with " + plural_of(noun(table));
    if (!conditions.empty()) text += " " + joined(conditions, block.any ? " or " : " and ");
    if (!block.counts_groups)
      for (const auto column : block.group)
        text += ", for each " + (is_key(column) ? noun(table_of(column)) : name(column));
    for (const auto& having : block.having)
      text += (block.counts_groups ? " that have " : " that has ") + comparison(having, amount(having.term)) +
              (counts_rows(having.term) ? " " + plural_of(noun(having.term.table)) : "");
    if (!block.order.empty()) text += order(block);
    return text;
  }

 private:
  TableId table_of(ColumnId column) const { return domain_.column(column).table; }
  bool is_key(ColumnId column) const { return domain_.table(table_of(column)).key == column; }
  static bool counts_rows(const Term& term) { return term.aggregate == Aggregate::count && term.column == nothing; }

  std::string noun(TableId table) const { return noun_of(domain_, table); }

  // A column of another table is named with it.
  std::string name(ColumnId column) const {
    const auto& described = domain_.column(column);
    if (described.part_of.date != nothing) return words_of(described.words) + " of the " + name(described.part_of.date);
    auto text = words_of(described.words);
    if (text.empty()) text = described.name;
    return described.table == main_ ? text : noun(described.table) + " " + text;
  }

  // Whether the column's name is a plural, as that of a quantity is: "seats".
  bool is_quantity(ColumnId column) const {
    const auto& described = domain_.column(column);
    if (described.kind != DataKind::number || described.words.empty()) return false;
    const auto& last = described.words.back();
    const auto plural = plural_of(last);
    return plural != last && to_lower_ascii(described.name).ends_with(plural);
  }

  std::string amount_name(ColumnId column) const {
    return is_quantity(column) ? plural_of(name(column)) : name(column);
  }

  // What the question is about: the table of the first selected column, or whose rows are counted.
  TableId main_table(const Block& block) const {
    for (const auto& term : block.select)
      if (term.column != nothing && term.aggregate == Aggregate::none) return holder_of(table_of(term.column));
    for (const auto& term : block.select) return holder_of(term.column != nothing ? table_of(term.column) : term.table);
    return nothing;
  }

  // "The origin city of the flights", and not the city of the origins.
  TableId holder_of(TableId table) const {
    if (domain_.stored_table(table) == table) return table;
    const auto child = table_of(domain_.edges()[domain_.edges_of(table).front()].child);
    return child == domain_.stored_table(table) ? table : child;
  }

  std::string item(const Term& term) const {
    if (term.aggregate == Aggregate::none && term.column == nothing) return "all columns";
    if (term.column == nothing) return "number";
    const std::string distinct = term.distinct ? "different " : "";
    switch (term.aggregate) {
      case Aggregate::none: return name(term.column);
      case Aggregate::count: return "number of " + distinct + plural_of(name(term.column));
      case Aggregate::sum: return "total " + amount_name(term.column);
      case Aggregate::avg: return "average " + amount_name(term.column);
      case Aggregate::min: return "least " + name(term.column);
      case Aggregate::max: return "greatest " + name(term.column);
    }
    return {};
  }

  std::string selection(const Block& block) const {
    std::vector<std::string> items;
    bool repeated = false;  // one for each row
    for (const auto& term : block.select) {
      const bool other = counts_rows(term) && term.table != main_;
      const bool whole = term.column == nothing && term.aggregate == Aggregate::none;
      items.push_back((whole ? "" : "the ") + item(term) + (other ? " of " + plural_of(noun(term.table)) : ""));
      repeated |= term.aggregate == Aggregate::none;
    }
    const bool one = block.limit && *block.limit == 1;
    std::string text = joined(items, " and ");
    if (block.distinct) text.insert(0, "the different values of ");
    const std::string whose = noun(main_);
    return text + (repeated && (one || !block.group.empty()) ? " of the " + whose : " of the " + plural_of(whose));
  }

  std::string groups(ColumnId column) const {
    if (is_key(column)) return plural_of(noun(table_of(column)));
    for (const auto& edge : domain_.edges())
      if (edge.child == column) return plural_of(noun(table_of(edge.parent)));
    return plural_of(name(column));
  }

  std::string amount(const Term& term) const {
    if (counts_rows(term)) return "";
    return "a " + item(term);
  }

  // "more than 3"; with the name of what is compared in front of it where it is no count.
  static std::string comparison(const Condition& condition, const std::string& subject) {
    const auto value = [&](std::size_t i) {
      return i < condition.values.size() ? value_text(condition.values[i]) : "";
    };
    std::string text = subject.empty() ? "" : subject + " of ";
    switch (condition.comparison) {
      case Comparison::less: return text + "less than " + value(0);
      case Comparison::less_equal: return text + "at most " + value(0);
      case Comparison::greater: return text + "more than " + value(0);
      case Comparison::greater_equal: return text + "at least " + value(0);
      case Comparison::between: return text + "between " + value(0) + " and " + value(1);
      case Comparison::not_equal: return text + "not " + value(0);
      default: break;
    }
    std::vector<std::string> values;
    for (std::size_t i = 0; i < condition.values.size(); ++i) values.push_back(value(i));
    return text + joined(values, " or ");
  }

  // "After the due date", "more than the budget".
  std::string column_comparison(const Condition& condition) const {
    const bool dates = domain_.column(condition.other).kind == DataKind::date;
    auto other = "the " + name(condition.other);
    switch (condition.comparison) {
      case Comparison::greater: return (dates ? "after " : "more than ") + other;
      case Comparison::less: return (dates ? "before " : "less than ") + other;
      case Comparison::not_equal: return "not " + other;
      default: return other;
    }
  }

  // "2026-03" of LIKE '2026-03%'.
  static std::string time_text(const Condition& condition) {
    const auto& pattern = std::get<std::string>(condition.values.front());
    return pattern.substr(0, pattern.size() - 1);
  }

  std::string condition(const Condition& condition) const {
    const auto subject =
        "whose " + (condition.term.aggregate == Aggregate::none ? name(condition.term.column) : item(condition.term));
    if (!condition.subquery.empty()) return subquery_condition(condition, subject);
    if (condition.other != nothing) return subject + " is " + column_comparison(condition);
    if (is_of_year(condition))
      return subject + (condition.comparison == Comparison::like ? " is in " : " is not in ") + time_text(condition);
    switch (condition.comparison) {
      case Comparison::is_null: return subject + " is missing";
      case Comparison::is_not_null: return subject + " is known";
      case Comparison::like: return subject + " is like " + value_text(condition.values.front());
      case Comparison::not_like: return subject + " is not like " + value_text(condition.values.front());
      default: return subject + " is " + comparison(condition, "");
    }
  }

  std::string subquery_condition(const Condition& condition, const std::string& subject) const {
    const auto& inner = condition.subquery.front();
    const auto& selected = inner.select.front();
    std::vector<std::string> conditions;
    Describer within(domain_);
    within.main_ = selected.column != nothing ? table_of(selected.column) : selected.table;
    for (const auto& each : inner.where) conditions.push_back(within.condition(each));
    const auto where = conditions.empty() ? std::string() : " " + joined(conditions, " and ");
    if (condition.comparison == Comparison::in || condition.comparison == Comparison::not_in)
      return (condition.comparison == Comparison::in ? "that have " : "that have no ") + plural_of(noun(within.main_)) +
             where;
    Condition compared = condition;
    compared.values.clear();
    auto text = subject + " is " + comparison(compared, "");
    const auto of_row = selected.aggregate == Aggregate::none ? " of the " + noun(within.main_) : std::string();
    if (condition.of_others)
      return text + " the " + within.item(selected) + " of another " + noun(within.main_) + where;
    return text + (text.ends_with(' ') ? "" : " ") + "the " + within.item(selected) + of_row + where;
  }

  std::string order(const Block& block) const {
    const auto& order = block.order.front();
    const bool count = counts_rows(order.term);
    const auto what = count ? plural_of(noun(order.term.table)) : item(order.term);
    if (!block.limit)
      return ", sorted by the " + (count ? "number of " + what : what) +
             (order.descending ? ", the greatest first" : "");
    const bool plain = order.term.aggregate == Aggregate::none && order.term.column != nothing;
    const bool quantity = plain && is_quantity(order.term.column);
    const std::string most = count || quantity ? (order.descending ? "the most " : "the fewest ")
                                               : (order.descending ? "the highest " : "the lowest ");
    const std::string with = block.where.empty() && block.group.empty() ? " with " : ", with ";
    const std::string first = *block.limit == 1 ? with : ", the " + std::to_string(*block.limit) + " with ";
    return first + most + (quantity ? plural_of(what) : what);
  }

  const Domain& domain_;
  TableId main_ = nothing;
};

}  // namespace

std::string describe(const Domain& domain, const Tree& tree) {
  if (tree.block.select.empty()) return {};
  auto text = Describer(domain).describe(tree.block);
  if (tree.operation == SetOperation::none || tree.other.empty()) return text;
  const std::string link = tree.operation == SetOperation::intersect ? "; of these only those that are also "
                           : tree.operation == SetOperation::union_  ? "; and also "
                                                                     : "; but not ";
  return text + link + Describer(domain).describe(tree.other.front());
}

}  // namespace trustsql::semparse
