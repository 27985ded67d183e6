#include "semparse/synthesis/phrasing.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include "base/text.hpp"
#include "link/schema_words.hpp"
#include "link/word_split.hpp"
#include "semparse/tree/description.hpp"

namespace trustsql::semparse {

namespace {

class Phraser {
 public:
  Phraser(const Domain& domain, const SampledQuery& query, Random& random)
      : domain_(domain), query_(query), block_(query.tree.block), random_(random) {}

  std::string phrase() {
    const auto noun = noun_of(domain_, query_.table);
    const auto nouns = plural_of(noun);
    switch (query_.form) {
      case QueryForm::list: return request("the " + shown() + " of " + all(nouns) + conditions());
      case QueryForm::count:
        switch (random_.below(3)) {
          case 0: return "Count the " + nouns + conditions() + ".";
          case 1: return "What is the number of " + nouns + conditions() + "?";
          default: return "How many " + nouns + conditions() + " are there?";
        }
      case QueryForm::aggregate:
        return single_request("the " + aggregate_words() + " " + column_words(block_.select.front().column) + " of " +
                              all(nouns) + conditions());
      case QueryForm::extreme:
        return single_request("the " + one_shown() + " of the " + noun + " with the " + extreme() + " " +
                              column_words(block_.order.front().term.column));
      case QueryForm::top:
        return request("the " + shown() + " of the " + std::to_string(*block_.limit) + " " + nouns + " with the " +
                       extreme() + " " + column_words(block_.order.front().term.column));
      case QueryForm::sorted: return sorted(nouns);
      case QueryForm::group_count:
        return random_.below(2) == 0
                   ? "How many " + nouns + " are there for each " + one_shown() + "?"
                   : "Show each " + one_shown() + " and the number of " + nouns + " with that " + one_shown() + ".";
      case QueryForm::group_average: {
        const auto average = column_words(block_.select.back().column);
        return random_.below(2) == 0
                   ? "What is the average " + average + " of the " + nouns + " for each " + one_shown() + "?"
                   : "For each " + one_shown() + ", show the " + one_shown() + " and the average " + average +
                         " of the " + nouns + ".";
      }
      case QueryForm::popular:
        return request("the " + shown() + " that more than " +
                       format_value(view(block_.having.front().values.front())) + " " + nouns + " have");
      case QueryForm::most_related:
        return single_request("the " + one_shown() + " of the " + noun + " with the most " +
                              plural_of(noun_of(domain_, query_.related)));
      case QueryForm::unrelated: {
        const auto others = plural_of(noun_of(domain_, query_.related));
        return request("the " + shown() + " of the " + nouns +
                       (random_.below(2) == 0 ? " that have no " + others : " without any " + others));
      }
      case QueryForm::above_average: {
        const auto& condition = block_.where.front();
        const auto column = column_words(condition.term.column);
        const std::string comparison = condition.comparison == Comparison::greater
                                           ? choose("above", "more than", "greater than")
                                           : choose("below", "less than", "smaller than");
        return request("the " + shown() + " of the " + nouns + " whose " + column + " is " + comparison +
                       " the average " + column);
      }
      case QueryForm::count_values:
        return "How many " + choose("different ", "distinct ", "different ") + shown() +
               (random_.below(2) == 0 ? " do the " + nouns + " have?" : " are there among the " + nouns + "?");
    }
    return {};
  }

 private:
  std::string choose(const char* a, const char* b, const char* c) {
    const std::array<const char*, 3> choices = {a, b, c};
    return choices[random_.below(choices.size())];
  }

  std::string all(const std::string& nouns) { return choose("the ", "all ", "the ") + nouns; }

  // Asks for several things, or for one.
  std::string request(const std::string& what) { return request(what, "What are "); }
  std::string single_request(const std::string& what) { return request(what, "What is "); }
  std::string request(const std::string& what, const std::string& question) {
    constexpr std::array<const char*, 5> commands = {"Show ", "List ", "Find ", "Give ", "Return "};
    if (random_.below(2) == 0) return question + what + "?";
    return commands[random_.below(commands.size())] + what + ".";
  }

  // A column of another table is named with it.
  std::string column_words(ColumnId id) const {
    const auto& column = domain_.column(id);
    const auto words = spoken_name(column);
    return column.table == query_.table ? words : noun_of(domain_, column.table) + " " + words;
  }
  std::string one_shown() const { return column_words(block_.select.front().column); }
  std::string shown() const {
    std::string text;
    for (const auto& term : block_.select) text += (text.empty() ? "" : " and ") + plural_of(column_words(term.column));
    return text;
  }

  std::string aggregate_words() {
    switch (block_.select.front().aggregate) {
      case Aggregate::avg: return choose("average", "mean", "average");
      case Aggregate::max: return choose("maximum", "highest", "largest");
      case Aggregate::min: return choose("minimum", "lowest", "smallest");
      default: return "total";
    }
  }
  std::string extreme() {
    return block_.order.front().descending ? choose("highest", "largest", "greatest")
                                           : choose("lowest", "smallest", "lowest");
  }

  std::string sorted(const std::string& nouns) {
    const auto by = column_words(block_.order.front().term.column);
    const std::string direction = block_.order.front().descending ? "descending" : "ascending";
    const auto what = "the " + shown() + " of all " + nouns;
    return request(what + (random_.below(2) == 0 ? " in " + direction + " order of " + by
                                                 : " sorted by " + by + " in " + direction + " order"));
  }

  std::string value_words(const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    const auto* real = std::get_if<double>(&value);
    if (real != nullptr && std::floor(*real) == *real && std::fabs(*real) < 1e15)
      return std::to_string(static_cast<std::int64_t>(*real));
    if (text == nullptr) return format_value(view(value));
    const bool plain =
        text->find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz ") == std::string::npos &&
        text->front() >= 'A' && text->front() <= 'Z';
    return plain && random_.below(2) == 0 ? *text : "'" + *text + "'";
  }

  std::string conditions() {
    std::string text;
    for (const auto& condition : block_.where) {
      const auto column = column_words(condition.term.column);
      const auto first = value_words(condition.values.front());
      text += text.empty() ? " " : " and ";
      text += "whose " + column + " is ";
      switch (condition.comparison) {
        case Comparison::not_equal: text += "not " + first; break;
        case Comparison::greater: text += choose("more than ", "greater than ", "above ") + first; break;
        case Comparison::less: text += choose("less than ", "smaller than ", "below ") + first; break;
        case Comparison::greater_equal: text += "at least " + first; break;
        case Comparison::less_equal: text += "at most " + first; break;
        case Comparison::between: text += "between " + first + " and " + value_words(condition.values.back()); break;
        default: text += first; break;
      }
    }
    return text;
  }

  const Domain& domain_;
  const SampledQuery& query_;
  const Block& block_;
  Random& random_;
};

}  // namespace

std::string spoken_name(const DomainColumn& column) {
  std::vector<std::string> words;
  for (const auto& word : link::split_words(column.name)) {
    const auto expanded = link::expansion(word);
    for (const auto part : split(expanded.empty() ? std::string_view(word) : expanded, ' ')) words.emplace_back(part);
  }
  if (words.size() != column.all_words.size()) return join(column.words, " ");
  words.erase(words.begin(), words.end() - static_cast<std::ptrdiff_t>(column.words.size()));
  return join(words, " ");
}

std::string phrase(const Domain& domain, const SampledQuery& query, Random& random) {
  return Phraser(domain, query, random).phrase();
}

}  // namespace trustsql::semparse
