#include "equiv/refuter/shrinking.hpp"

#include <algorithm>

#include "equiv/refuter/random_instance.hpp"

namespace trustsql::equiv {

namespace {

class Shrinker {
 public:
  Shrinker(const DataModel& model, const ValuePools& pools, Instance& instance, int max_questions,
           FunctionRef<Result<bool>(const Instance&)> holds)
      : model_(model), pools_(pools), instance_(instance), questions_left_(max_questions), holds_(holds) {}

  Status run() {
    TRUSTSQL_RETURN_IF_ERROR(fill_empty_tables());
    for (int round = 0; round < 3; ++round) {
      const auto before = instance_.row_count();
      // Children first: only then can their parents be dropped.
      for (std::size_t t = model_.tables.size(); t-- > 0;) TRUSTSQL_RETURN_IF_ERROR(drop_rows(t));
      if (instance_.row_count() == before) break;
    }
    for (std::size_t t = 0; t < model_.tables.size(); ++t) TRUSTSQL_RETURN_IF_ERROR(simplify_values(t));
    return ok_status();
  }

 private:
  // Replaces the instance by `changed` if the property still holds.
  Result<bool> offer(Instance changed) {
    if (questions_left_-- <= 0) return false;
    TRUSTSQL_ASSIGN_OR_RETURN(const bool good, holds_(changed));
    if (good) instance_ = std::move(changed);
    return good;
  }

  // An empty table is a deviation that may be irrelevant.
  Status fill_empty_tables() {
    for (std::size_t t = 0; t < model_.tables.size(); ++t) {
      if (!model_.tables[t].used || !instance_.tables[t].empty()) continue;
      // Some rows would be exactly those that other rows lack.
      for (const std::size_t number : {0U, 1U, 2U, 9U}) {
        Instance changed = instance_;
        changed.tables[t].push_back(filler_row(model_, pools_, t, number));
        TRUSTSQL_ASSIGN_OR_RETURN(const bool good, offer(std::move(changed)));
        if (good) break;
      }
    }
    return ok_status();
  }

  Status drop_rows(std::size_t t) {
    for (std::size_t size = std::max<std::size_t>(1, instance_.tables[t].size() / 2);; size /= 2) {
      for (std::size_t end = instance_.tables[t].size(); end > 0;) {
        const std::size_t begin = end > size ? end - size : 0;
        Instance changed = instance_;
        auto& rows = changed.tables[t];
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(begin), rows.begin() + static_cast<std::ptrdiff_t>(end));
        TRUSTSQL_RETURN_IF_ERROR(offer(std::move(changed)));
        end = begin;
      }
      if (size <= 1) return ok_status();
    }
  }

  Status simplify_values(std::size_t t) {
    // A table with many rows needs that many; their values matter less.
    if (instance_.tables[t].size() > 12) return ok_status();
    for (std::size_t r = 0; r < instance_.tables[t].size(); ++r) {
      for (std::size_t c = 0; c < model_.tables[t].columns.size(); ++c) {
        const auto& common = pools_.of(t, c).common;
        if (common.empty()) continue;
        if (std::ranges::find(common, instance_.tables[t][r][c]) != common.end()) continue;
        for (const auto& simple : common) {
          Instance changed = instance_;
          changed.tables[t][r][c] = simple;
          TRUSTSQL_ASSIGN_OR_RETURN(const bool good, offer(std::move(changed)));
          if (good) break;
        }
      }
    }
    return ok_status();
  }

  const DataModel& model_;
  const ValuePools& pools_;
  Instance& instance_;
  int questions_left_;
  FunctionRef<Result<bool>(const Instance&)> holds_;
};

}  // namespace

Status shrink(const DataModel& model, const ValuePools& pools, Instance& instance, int max_questions,
              FunctionRef<Result<bool>(const Instance&)> holds) {
  return Shrinker(model, pools, instance, max_questions, holds).run();
}

}  // namespace trustsql::equiv
