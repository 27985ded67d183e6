// The select lists that a draft may have: which columns are taken together.

#include <algorithm>
#include <cmath>
#include <functional>

#include "semparse/candidates/filling.hpp"
#include "semparse/question/asked_rows.hpp"

namespace trustsql::semparse {

// Whether the columns can be named by different words of the question: those that are named at all get mentions that do
// not overlap. "The names of singers" selects one name, whatever other columns are called names as well; "the name of
// the sender and the receiver" is one column of two roles.
bool Filling::named_apart(const std::vector<ColumnId>& columns) const {
  struct Taken {
    WordSpan span;
    ColumnId stored;
  };
  std::vector<Taken> taken;
  for (const auto column : columns) {
    const auto stored = view_.domain().stored_column(column);
    const auto& mentions = view_.linking().columns[static_cast<std::size_t>(column)];
    if (mentions.empty()) continue;
    const auto free = std::find_if(mentions.begin(), mentions.end(), [&](const Mention& mention) {
      return mention.coverage > mentions.front().coverage - 0.2F &&
             std::none_of(taken.begin(), taken.end(), [&](const Taken& other) {
               return other.stored != stored && other.span.overlaps(mention.span);
             });
    });
    if (free == mentions.end()) return false;
    taken.push_back({free->span, stored});
  }
  return true;
}

// People are named by first and last name, where both are columns: a set with one of them that the question does not
// ask for by itself gets the other one as well.
void Filling::complete_names(std::vector<Option>& sets) const {
  const auto& domain = view_.domain();
  const auto asked_alone = [this](ColumnId column) {
    const auto* mention = view_.column_mention(column);
    for (auto i = mention == nullptr ? 0 : mention->span.first; mention != nullptr && i < mention->span.last; ++i)
      if (const auto& word = view_.question().words[i]; word.lemma() != "name" && !is_function_word(word)) return true;
    return false;
  };
  std::vector<Option> completed;
  for (auto& set : sets) {
    for (std::size_t at = 0; at < set.columns.size(); ++at) {
      const auto& table = domain.table(domain.column(set.columns[at]).table);
      const bool is_first = set.columns[at] == table.display;
      if (table.surname == nothing || (!is_first && set.columns[at] != table.surname) || asked_alone(set.columns[at]))
        continue;
      const auto other = is_first ? table.surname : table.display;
      if (std::find(set.columns.begin(), set.columns.end(), other) != set.columns.end()) continue;
      set.columns.insert(set.columns.begin() + static_cast<std::ptrdiff_t>(is_first ? at + 1 : at), other);
      break;
    }
    const auto known = std::find_if(completed.begin(), completed.end(),
                                    [&set](const Option& other) { return other.columns == set.columns; });
    if (known == completed.end())
      completed.push_back(std::move(set));
    else
      known->score = std::max(known->score, set.score);
  }
  sets = std::move(completed);
}

// "The name of the sender and of the receiver", "of each category and its parent": a set with a column of one of them
// is followed by one with that column of the other one as well, unless a value speaks of that one.
void Filling::complete_roles(std::vector<Option>& sets) const {
  constexpr float half = 0.69F;
  const auto& domain = view_.domain();
  const auto is_given = [this](TableId table) {
    return std::any_of(view_.literals().begin(), view_.literals().end(),
                       [table](const Literal& literal) { return literal.owner() == table; });
  };
  for (auto role = static_cast<TableId>(domain.tables().size()) - 1; domain.table(role).role_of != nothing; --role) {
    if (is_given(role)) continue;
    for (std::size_t i = 0, count = sets.size(); i < count; ++i) {
      auto completed = sets[i];
      completed.score -= half;
      const auto table_of = [&domain](ColumnId column) { return domain.column(column).table; };
      if (std::any_of(completed.columns.begin(), completed.columns.end(),
                      [&](ColumnId column) { return table_of(column) == role; }))
        continue;
      for (const auto column : sets[i].columns)
        if (domain.stored_table(table_of(column)) == domain.table(role).role_of)
          completed.columns.push_back(domain.table(role).first_column + column -
                                      domain.table(table_of(column)).first_column);
      if (completed.columns.size() > sets[i].columns.size()) sets.push_back(std::move(completed));
    }
  }
}

// Of each item that the question lists, and that is a column, the likeliest of `columns`, all of one table where one
// has them all; none where an item has none.
std::vector<ColumnId> Filling::listed_columns(const std::vector<int>& columns, const std::vector<float>& scores) const {
  if (!list_ || list_->items.size() < 2) return {};
  const auto listed_in = [&](TableId table) {
    std::pair<std::vector<ColumnId>, float> listed;
    for (const auto& item : list_->items) {
      if (item.columns.empty() && item.aggregate != Aggregate::none) continue;
      ColumnId best = nothing;
      float best_score = 0;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool fits = (table == nothing || view_.domain().column(columns[i]).table == table) &&
                          is_listed_column(item, columns[i]) &&
                          std::find(listed.first.begin(), listed.first.end(), columns[i]) == listed.first.end();
        if (!fits || (best != nothing && scores[i] <= best_score)) continue;
        best = columns[i];
        best_score = scores[i];
      }
      if (best == nothing) return decltype(listed)();
      listed.first.push_back(best);
      listed.second += best_score;
    }
    return listed;
  };
  std::pair<std::vector<ColumnId>, float> best;
  for (TableId table = 0; table < static_cast<TableId>(view_.domain().tables().size()); ++table)
    if (auto listed = listed_in(table); !listed.first.empty() && (best.first.empty() || listed.second > best.second))
      best = std::move(listed);
  return best.first.empty() ? listed_in(nothing).first : best.first;
}

// Whether the columns are the listed ones: each item that is a column has one of its own, and no other is there.
bool Filling::is_list(const std::vector<ColumnId>& columns) const {
  std::vector<bool> taken(columns.size(), false);
  std::size_t count = 0;
  for (const auto& item : list_->items) {
    std::size_t i = 0;
    while (i < columns.size() && (taken[i] || !is_listed_column(item, columns[i]))) ++i;
    if (i == columns.size() && item.aggregate != Aggregate::none) continue;
    if (i == columns.size()) return false;
    taken[i] = true;
    ++count;
  }
  return count == columns.size();
}

ColumnId Filling::name_of_asked_rows() const {
  const auto asked = asked_table(view_);
  if (asked == nothing || !asks_for_rows(view_, asked)) return nothing;
  const auto& table = view_.domain().table(asked);
  return table.display != nothing ? table.display : table.key;
}

// A run of plain columns is a set: each column is in it or not, by itself.
std::vector<Option> Filling::select_sets(const Step& step, const Draft& draft, std::size_t limit) {
  struct Scored {
    ColumnId column;
    float in;   // log p
    float out;  // log (1 - p)
  };
  constexpr std::size_t max_candidates = 8;
  constexpr std::size_t max_columns = 6;
  const auto all = choices(step, draft);
  if (all.empty()) return {};
  const auto scores = this->scores(step, draft, all);
  // Only those that may be among the best: within rounding of the last of them.
  auto sorted = scores;
  const auto last = std::min(max_candidates, sorted.size() - 1);
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(last), sorted.end(), std::greater<>());
  const float least = sorted[last] - 1e-3F * (1 + std::fabs(sorted[last]));
  std::vector<Scored> scored;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const float s = scores[i]; s >= least)
      scored.push_back({all[i], -std::log1p(std::exp(-s)), -std::log1p(std::exp(s))});
  std::stable_sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) { return a.in > b.in; });
  if (scored.size() > max_candidates) scored.resize(max_candidates);
  std::vector<Option> sets = {Option{}};
  for (const auto& each : scored) {
    const auto count = sets.size();
    for (std::size_t i = 0; i < count; ++i) {
      auto columns = sets[i].columns;
      columns.push_back(each.column);
      if (columns.size() <= max_columns && named_apart(columns))
        sets.push_back({0, std::move(columns), sets[i].score + each.in});
      sets[i].score += each.out;
    }
    std::stable_sort(sets.begin(), sets.end(), [](const Option& a, const Option& b) { return a.score > b.score; });
    if (sets.size() > 4 * limit) sets.resize(4 * limit);
  }
  std::erase_if(sets, [](const Option& option) { return option.columns.empty(); });
  if (sets.size() > limit) sets.resize(limit);
  if (const auto listed = listed_columns(all, scores); !listed.empty()) {
    if (list_->complete) std::erase_if(sets, [this](const Option& set) { return !is_list(set.columns); });
    const auto same = [&listed](const Option& set) {
      return std::is_permutation(set.columns.begin(), set.columns.end(), listed.begin(), listed.end());
    };
    if (std::none_of(sets.begin(), sets.end(), same)) {
      Option set{0, listed, 0};
      for (std::size_t i = 0; i < all.size(); ++i)
        if (std::find(listed.begin(), listed.end(), all[i]) != listed.end())
          set.score -= std::log1p(std::exp(-scores[i]));
      for (const auto& each : scored)
        if (std::find(listed.begin(), listed.end(), each.column) == listed.end()) set.score += each.out;
      sets.push_back(std::move(set));
    }
  }
  const auto is_asked_name = [this](const Option& set) { return set.columns == std::vector{asked_name_}; };
  if (const auto at = std::find(all.begin(), all.end(), asked_name_);
      asked_name_ != nothing && at != all.end() && std::none_of(sets.begin(), sets.end(), is_asked_name)) {
    const float s = scores[static_cast<std::size_t>(at - all.begin())];
    Option set{0, {asked_name_}, -std::log1p(std::exp(-s))};
    for (const auto& each : scored)
      if (each.column != asked_name_) set.score += each.out;
    sets.push_back(std::move(set));
  }
  for (auto& set : sets) {
    const auto place = [](const Mention* mention) {
      return mention == nullptr || mention->coverage < 0.5F ? std::size_t{1000} : mention->span.first;
    };
    const auto order = [&](ColumnId column) {
      const auto table = view_.domain().column(column).table;
      const bool role = view_.domain().stored_table(table) != table;
      return std::pair(place(view_.column_mention(column)), role ? place(view_.table_mention(table)) : 0);
    };
    std::stable_sort(set.columns.begin(), set.columns.end(),
                     [&](ColumnId a, ColumnId b) { return order(a) < order(b); });
  }
  complete_names(sets);
  complete_roles(sets);
  return sets;
}

}  // namespace trustsql::semparse
