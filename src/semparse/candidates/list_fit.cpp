#include "semparse/candidates/list_fit.hpp"

#include <algorithm>

namespace trustsql::semparse {

namespace {

// Whether columns of several tables are taken for a list that one table has all columns of: one that the question
// names, or any where it names none of the others.
bool mixes_tables(const QuestionView& view, const AnswerList& list, const std::vector<ColumnId>& columns) {
  const auto& domain = view.domain();
  const auto is_named = [&view](TableId table) {
    const auto* mention = view.table_mention(table);
    return mention != nullptr && mention->coverage > 0.4F;
  };
  const auto another = std::find_if(columns.begin(), columns.end(), [&](ColumnId column) {
    return domain.column(column).table != domain.column(columns.front()).table;
  });
  if (another == columns.end()) return false;
  const bool others_are_named = std::any_of(columns.begin(), columns.end(),
                                            [&](ColumnId column) { return is_named(domain.column(column).table); });
  for (TableId table = 0; table < static_cast<TableId>(domain.tables().size()); ++table)
    if ((is_named(table) || !others_are_named) &&
        std::all_of(list.items.begin(), list.items.end(), [&](const AnswerItem& item) {
          return item.aggregate != Aggregate::none ||
                 std::any_of(item.columns.begin(), item.columns.end(),
                             [&](ColumnId column) { return domain.column(column).table == table; });
        }))
      return true;
  return false;
}

}  // namespace

ListFit list_fit(const QuestionView& view, const AnswerList& list, const Draft& draft) {
  ListFit fit;
  std::vector<ColumnId> plain;
  struct Amount {
    Aggregate aggregate;
    ColumnId column;  // `nothing` where rows are counted
  };
  std::vector<Amount> amounts;
  for (std::size_t part = 0; part < draft.select.size(); ++part) {
    const auto aggregate = draft.skeleton->select[part].aggregate;
    if (aggregate != Aggregate::none)
      amounts.push_back({aggregate, draft.select[part].empty() ? nothing : draft.select[part].front()});
    else if (draft.skeleton->select[part].rows)
      ++fit.others;
    else
      plain.insert(plain.end(), draft.select[part].begin(), draft.select[part].end());
  }
  std::vector<bool> listed(plain.size(), false);
  std::size_t any = 0;  // items that may be any column
  for (const auto& item : list.items) {
    std::size_t i = 0;
    while (i < plain.size() && (listed[i] || !is_listed_column(item, plain[i]))) ++i;
    const auto amount = std::find_if(amounts.begin(), amounts.end(), [&item](const Amount& each) {
      return each.aggregate == item.aggregate && (item.columns.empty() || is_listed_column(item, each.column));
    });
    if (item.aggregate == Aggregate::none && item.columns.empty()) {
      ++any;
    } else if (i < plain.size()) {
      listed[i] = true;
      ++fit.returned;
    } else if (item.aggregate != Aggregate::none && amount != amounts.end()) {
      amounts.erase(amount);
      ++fit.returned;
    }
  }
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const bool completes = std::any_of(plain.begin(), plain.end(), [&](ColumnId column) {
      return column != plain[i] && view.domain().full_names({column, plain[i]}) > 0;
    });
    if (listed[i] || (completes && any == 0)) continue;
    if (any > 0) {
      --any;
      ++fit.returned;
    } else {
      ++fit.others;
    }
  }
  fit.others += amounts.size();
  std::vector<ColumnId> columns;
  for (std::size_t i = 0; i < plain.size(); ++i)
    if (listed[i]) columns.push_back(plain[i]);
  fit.mixes_tables = mixes_tables(view, list, columns);
  return fit;
}

}  // namespace trustsql::semparse
