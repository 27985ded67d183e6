#include "equiv/refuter/random_instance.hpp"

#include <algorithm>

namespace trustsql::equiv {

namespace {

constexpr double hint_share = 0.6;       // of the values, taken from the queries' constants if there are any
constexpr double variation_share = 0.4;  // of the rows, copied from another row except for one or two columns
constexpr double odd_share = 0.15;       // of the values, taken from other types where they may occur
constexpr double variant_share = 0.3;    // of the texts, written in a different letter case
constexpr double orphan_share = 0.4;     // of the rows that need no parent
constexpr double empty_share = 0.3;      // of the tables, left without rows
constexpr int max_tries = 4;             // for a row that agrees with another in a key, or violates a CHECK
constexpr int max_rounds = 6;            // of adding parents
constexpr std::size_t max_parents = 8;   // that are considered where one is missing

bool agree(const DataRow& a, const DataRow& b, const std::vector<int>& places) {
  return std::ranges::all_of(places, [&](int place) {
    const auto column = static_cast<std::size_t>(place);
    return !view(a[column]).is_null() && equal(view(a[column]), view(b[column]));
  });
}

bool is_unique(const TableModel& table, const std::vector<DataRow>& rows, const DataRow& row) {
  return std::ranges::none_of(table.keys, [&](const std::vector<int>& key) {
    return std::ranges::any_of(rows, [&](const DataRow& other) { return agree(row, other, key); });
  });
}

// Whether the CHECKs allow the row, if need be with NULLs, which pass most of them. For tables that would stay empty.
bool pass_with_nulls(const TableModel& table, const RowChecks& checks, std::size_t t, DataRow& row) {
  for (std::size_t c = 0; c < row.size() && !checks.allow(t, row); ++c) {
    if (table.columns[c].nullable && !table.columns[c].primary) row[c] = {};
  }
  return checks.allow(t, row);
}

class Filler {
 public:
  Filler(const DataModel& model, const ValuePools& pools, const RandomInstanceOptions& options, Random& random)
      : model_(model), pools_(pools), options_(options), random_(random) {
    instance_.tables.resize(model.tables.size());
  }

  Instance fill() {
    for (std::size_t t = 0; t < model_.tables.size(); ++t) fill(t);
    if (!may(Deviation::foreign_key)) add_missing_parents(model_, pools_, instance_);
    return std::move(instance_);
  }

 private:
  bool may(Deviation deviation) const { return options_.deviations.has(deviation); }
  bool chance(double share) { return random_.uniform() < share; }
  std::size_t pick(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }
  const Value& one_of(const std::vector<Value>& values) { return values[pick(values.size())]; }

  void fill(std::size_t t) {
    const auto& table = model_.tables[t];
    auto& rows = instance_.tables[t];
    if (may(Deviation::empty) && table.used && chance(empty_share)) return;
    const std::size_t wanted = 1 + pick(table.used ? options_.max_rows : std::min<std::size_t>(options_.max_rows, 2));
    for (std::size_t i = 0; i < wanted; ++i) {
      DataRow row;
      if (!rows.empty() && chance(variation_share)) {
        row = rows[pick(rows.size())];
        if (row.empty()) {
          rows.push_back(row);
          continue;
        }
        const std::size_t changes = 1 + pick(2);
        for (std::size_t c = 0; c < changes; ++c) {
          const std::size_t column = pick(row.size());
          row[column] = cell(t, column);
        }
        // If columns of foreign keys changed, they need a parent again.
        if (chance(0.5)) choose_parents(t, row);
      } else {
        for (std::size_t c = 0; c < table.columns.size(); ++c) row.push_back(cell(t, c));
        choose_parents(t, row);
      }
      if (make_unique(t, row) && make_allowed(t, row)) rows.push_back(std::move(row));
    }
  }

  Value cell(std::size_t t, std::size_t c) {
    const auto& column = model_.tables[t].columns[c];
    const auto& values = pools_.of(t, c);
    if (column.used) {
      if (column.nullable && may(Deviation::null) && (options_.null_keys || !column.primary) &&
          chance(options_.null_share))
        return {};
      if (may(Deviation::type) && !values.odd.empty() && chance(odd_share)) return one_of(values.odd);
      if (may(Deviation::affinity) && !values.misread.empty() && chance(odd_share)) return one_of(values.misread);
      if (may(Deviation::letter_case) && !values.variants.empty() && chance(variant_share))
        return one_of(values.variants);
    }
    if (!values.hinted.empty() && chance(hint_share)) return one_of(values.hinted);
    return one_of(values.common);
  }

  void choose_parents(std::size_t t, DataRow& row) {
    for (const auto& link : model_.tables[t].parents) {
      if (may(Deviation::foreign_key) && chance(orphan_share)) continue;
      const auto& parents = instance_.tables[static_cast<std::size_t>(link.parent)];
      const bool is_own = static_cast<std::size_t>(link.parent) == t;  // a row may be its own parent
      if (parents.empty() && !is_own) continue;
      const DataRow parent = parents.empty() || (is_own && chance(0.3)) ? row : parents[pick(parents.size())];
      for (std::size_t i = 0; i < link.columns.size(); ++i) {
        const auto column = static_cast<std::size_t>(link.columns[i]);
        if (view(row[column]).is_null()) continue;
        row[column] =
            fitted(parent[static_cast<std::size_t>(link.parent_columns[i])], model_.tables[t].columns[column].kind);
      }
    }
  }

  bool is_unique(std::size_t t, const DataRow& row) const {
    return equiv::is_unique(model_.tables[t], instance_.tables[t], row);
  }

  // Other values for a row that a CHECK forbids: at first random ones, then such that no two columns agree, which may
  // need new parents.
  bool make_allowed(std::size_t t, DataRow& row) {
    for (int tries = 0; tries < max_tries; ++tries) {
      if (pools_.checks().allow(t, row)) return true;
      const bool distinct = tries >= max_tries / 2;
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] = distinct
                     ? filler(model_, pools_, t, c, instance_.tables[t].size() + static_cast<std::size_t>(tries) + c)
                     : cell(t, c);
      if (!distinct) choose_parents(t, row);
      if (!make_unique(t, row)) return false;
    }
    return pass_with_nulls(model_.tables[t], pools_.checks(), t, row);
  }

  bool make_unique(std::size_t t, DataRow& row) {
    const auto& table = model_.tables[t];
    for (int tries = 0; tries < max_tries; ++tries) {
      if (is_unique(t, row)) return true;
      bool has_own_part = false;
      for (const auto& key : table.keys) {
        for (const int place : key) {
          const bool is_linked = std::ranges::any_of(table.parents, [&](const ParentLink& link) {
            return std::ranges::find(link.columns, place) != link.columns.end();
          });
          if (is_linked) continue;
          has_own_part = true;
          const auto column = static_cast<std::size_t>(place);
          row[column] = tries < 2
                            ? cell(t, column)
                            : pools_.fresh(t, column, instance_.tables[t].size() + static_cast<std::size_t>(tries));
        }
      }
      if (!has_own_part) choose_parents(t, row);
    }
    return is_unique(t, row);
  }

  const DataModel& model_;
  const ValuePools& pools_;
  const RandomInstanceOptions& options_;
  Random& random_;
  Instance instance_;
};

}  // namespace

Instance random_instance(const DataModel& model, const ValuePools& pools, const RandomInstanceOptions& options,
                         Random& random) {
  return Filler(model, pools, options, random).fill();
}

Value filler(const DataModel& model, const ValuePools& pools, std::size_t table, std::size_t column,
             std::size_t number) {
  return fitted(pools.fresh(table, column, number), model.tables[table].columns[column].kind);
}

DataRow filler_row(const DataModel& model, const ValuePools& pools, std::size_t table, std::size_t number) {
  DataRow row;
  // At first the same number for all columns, then others for those that a CHECK wants to differ.
  for (std::size_t step = 0; step < max_tries; ++step) {
    row.clear();
    for (std::size_t c = 0; c < model.tables[table].columns.size(); ++c)
      row.push_back(filler(model, pools, table, c, number + step * c));
    if (pools.checks().allow(table, row)) return row;
  }
  pass_with_nulls(model.tables[table], pools.checks(), table, row);
  return row;
}

void add_missing_parents(const DataModel& model, const ValuePools& pools, Instance& instance) {
  const auto link_to = [&](const TableModel& table, DataRow& row, const ParentLink& link, const DataRow& parent) {
    for (std::size_t i = 0; i < link.columns.size(); ++i) {
      const auto column = static_cast<std::size_t>(link.columns[i]);
      if (!view(row[column]).is_null())
        row[column] = fitted(parent[static_cast<std::size_t>(link.parent_columns[i])], table.columns[column].kind);
    }
  };
  for (int round = 0; round < max_rounds; ++round) {
    bool changed = false;
    // Children come after their parents.
    for (std::size_t t = model.tables.size(); t-- > 0;) {
      for (const auto& link : model.tables[t].parents) {
        const auto p = static_cast<std::size_t>(link.parent);
        const auto& parent = model.tables[p];
        const std::size_t rows = instance.tables[t].size();
        for (std::size_t r = 0; r < rows; ++r) {
          if (has_parent(model, instance, link, instance.tables[t][r])) continue;
          DataRow added;
          for (std::size_t tries = 0; tries < max_parents; ++tries) {
            added = filler_row(model, pools, p, instance.tables[p].size() + tries);
            for (std::size_t i = 0; i < link.columns.size(); ++i) {
              const auto parent_place = static_cast<std::size_t>(link.parent_columns[i]);
              const auto child_place = static_cast<std::size_t>(link.columns[i]);
              Value& child_value = instance.tables[t][r][child_place];
              Value value = fitted(child_value, parent.columns[parent_place].kind);
              // A value that does not suit the parent's column: use another one in both.
              if (!is_of_kind(value, parent.columns[parent_place].kind) ||
                  !pools.checks().allow(p, parent_place, value)) {
                value = added[parent_place];
                child_value = fitted(value, model.tables[t].columns[child_place].kind);
              }
              added[parent_place] = std::move(value);
            }
            if (is_unique(parent, instance.tables[p], added) && pools.checks().allow(p, added)) break;
          }
          // Existing rows may serve as its own parents, including itself.
          for (const auto& further : parent.parents) {
            const auto& candidates = instance.tables[static_cast<std::size_t>(further.parent)];
            const bool shares_columns = std::ranges::any_of(further.columns, [&](int place) {
              return std::ranges::find(link.parent_columns, place) != link.parent_columns.end();
            });
            if (shares_columns) continue;
            if (static_cast<std::size_t>(further.parent) == p) {
              link_to(parent, added, further, DataRow(added));
            } else if (!candidates.empty()) {
              link_to(parent, added, further, candidates.front());
            }
          }
          instance.tables[p].push_back(std::move(added));
          changed = true;
        }
      }
    }
    if (!changed) return;
  }
}

}  // namespace trustsql::equiv
