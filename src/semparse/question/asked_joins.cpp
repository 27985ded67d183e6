#include "semparse/question/asked_joins.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

enum class Direction : std::uint8_t { none, start, end };

// Words of columns, and of questions in base forms.
constexpr std::string_view start_names[] = {"origin", "source", "start", "departure", "depart", "from", "sender"};
constexpr std::string_view end_names[] = {"destination", "dest", "end",    "arrival",
                                          "arrive",      "to",   "target", "receiver"};
constexpr std::string_view start_verbs[] = {"depart", "departure", "leave", "start", "originate", "begin"};
constexpr std::string_view end_verbs[] = {"arrive", "arrival", "land", "reach", "end"};

template <class List>
bool lists_form(const List& list, const Word& word) {
  return std::any_of(word.lemmas.begin(), word.lemmas.end(),
                     [&list](const std::string& lemma) { return is_listed(list, lemma); });
}

Direction direction_of_column(const DomainColumn& column) {
  const auto has = [&column](const auto& list) {
    return std::any_of(column.all_words.begin(), column.all_words.end(),
                       [&list](const std::string& word) { return is_listed(list, word); });
  };
  const bool starts = has(start_names);
  const bool ends = has(end_names);
  return starts == ends ? Direction::none : starts ? Direction::start : Direction::end;
}

Direction direction_of_word(const Word& word, bool verb) {
  if (word.quoted) return Direction::none;
  if (!verb && word.lower == "from") return Direction::start;
  if (!verb && (word.lower == "to" || word.lower == "into")) return Direction::end;
  if (lists_form(start_verbs, word)) return Direction::start;
  return lists_form(end_verbs, word) ? Direction::end : Direction::none;
}

// The only edge whose column has the direction.
std::optional<std::size_t> edge_with(const Domain& domain, const std::vector<std::size_t>& edges, Direction asked) {
  std::optional<std::size_t> found;
  for (const auto edge : edges) {
    if (asked == Direction::none || direction_of_column(domain.column(domain.edges()[edge].child)) != asked) continue;
    if (found) return std::nullopt;
    found = edge;
  }
  return found;
}

class JoinChooser {
 public:
  explicit JoinChooser(const QuestionView& view) : view_(view), domain_(view.domain()) {}

  std::vector<std::size_t> choose() const {
    std::vector<std::size_t> chosen;
    for (std::size_t first = 0; first < domain_.edges().size(); ++first) {
      const auto parallel = parallel_edges(domain_, first);
      if (parallel.size() < 2 || parallel.front() != first) continue;
      auto edge = named_edge(parallel);
      if (!edge) edge = directed_edge(parallel);
      if (edge) chosen.push_back(*edge);
    }
    for (std::size_t edge = 0; edge < domain_.edges().size(); ++edge)
      if (is_named_role(edge)) chosen.push_back(edge);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

 private:
  TableId parent_table(std::size_t edge) const { return domain_.column(domain_.edges()[edge].parent).table; }

  // "The head of the department", of department.head_id where employee.department_id joins the two tables as well.
  bool is_named_role(std::size_t edge) const {
    const auto child = domain_.column(domain_.edges()[edge].child).table;
    const auto role = domain_.role_words(edge);
    const auto between = domain_.edges_between(child, parent_table(edge));
    const bool both_ways = std::any_of(between.begin(), between.end(), [&](std::size_t other) {
      return domain_.column(domain_.edges()[other].child).table != child;
    });
    if (!both_ways || parallel_edges(domain_, edge).size() > 1 || role == domain_.table(parent_table(edge)).words)
      return false;
    return std::any_of(view_.question().words.begin(), view_.question().words.end(), [&](const Word& word) {
      return std::any_of(role.begin(), role.end(),
                         [&word](const std::string& part) { return is_listed(word.lemmas, part); });
    });
  }

  // The only one whose column the question names, or names better than the others.
  std::optional<std::size_t> named_edge(const std::vector<std::size_t>& edges) const {
    std::optional<std::size_t> best;
    float most = 0;
    for (const auto edge : edges) {
      const auto* mention = view_.column_mention(domain_.edges()[edge].child);
      // Who performs need not be the headliner.
      const float coverage = mention == nullptr || mention->weakest < WordMatch::synonym ? 0 : mention->coverage;
      if (coverage > most)
        best = edge;
      else if (coverage == most)
        best.reset();
      most = std::max(most, coverage);
    }
    return best;
  }

  std::optional<std::size_t> directed_edge(const std::vector<std::size_t>& edges) const {
    return edge_with(domain_, edges, asked_direction(parent_table(edges.front())));
  }

  // What the words before the table's values say; before its name, if there is no value; or the verbs alone. None if
  // they disagree.
  Direction asked_direction(TableId table) const {
    std::vector<std::size_t> places;
    for (const auto& value : view_.linking().values) {
      const auto is_here = [&](const ValueIndex::Cell& cell) { return domain_.column(cell.column).table == table; };
      if (!value.is_name && std::any_of(value.cells.begin(), value.cells.end(), is_here))
        places.push_back(value.span.first);
    }
    const bool by_value = !places.empty();
    if (const auto* mention = view_.table_mention(table); !by_value && mention != nullptr)
      places.push_back(mention->span.first);
    bool starts = false;
    bool ends = false;
    for (const auto place : places) {
      const auto direction = direction_before(place);
      starts |= direction == Direction::start;
      ends |= direction == Direction::end;
    }
    if (!by_value && !starts && !ends)
      for (const auto& word : view_.question().words) {
        const auto direction = direction_of_word(word, true);
        starts |= direction == Direction::start;
        ends |= direction == Direction::end;
      }
    return starts == ends ? Direction::none : starts ? Direction::start : Direction::end;
  }

  Direction direction_before(std::size_t place) const {
    constexpr std::size_t reach = 4;
    for (auto at = place; at > 0 && place - at < reach; --at)
      if (const auto direction = direction_of_word(view_.question().words[at - 1], false); direction != Direction::none)
        return direction;
    return Direction::none;
  }

  const QuestionView& view_;
  const Domain& domain_;
};

}  // namespace

std::vector<std::size_t> parallel_edges(const Domain& domain, std::size_t edge) {
  const auto child = domain.column(domain.edges()[edge].child).table;
  const auto parent = domain.column(domain.edges()[edge].parent).table;
  std::vector<std::size_t> same;
  for (const auto other : domain.edges_of(child))
    if (domain.column(domain.edges()[other].child).table == child &&
        domain.column(domain.edges()[other].parent).table == parent)
      same.push_back(other);
  return same;
}

std::optional<std::size_t> edge_of_direction(const QuestionView& view, const std::vector<std::size_t>& edges,
                                             std::size_t position) {
  return edge_with(view.domain(), edges, direction_of_word(view.question().words[position], false));
}

bool says_direction(const Word& word) { return direction_of_word(word, true) != Direction::none; }

std::vector<std::size_t> asked_joins(const QuestionView& view) { return JoinChooser(view).choose(); }

}  // namespace trustsql::semparse
