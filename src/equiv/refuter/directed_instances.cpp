#include "equiv/refuter/directed_instances.hpp"

#include <algorithm>
#include <set>

#include "equiv/refuter/random_instance.hpp"

namespace trustsql::equiv {

namespace {

constexpr std::size_t max_conditions = 40;
constexpr std::size_t max_groups = 6;
constexpr std::size_t max_cuts = 4;
constexpr std::int64_t max_copies = 251;
constexpr std::size_t max_database_values = 50'000;  // of a database with many copies
constexpr std::int64_t ample_copies = 12;            // of the rows of a group, if a count is compared
constexpr std::size_t copies_freshness = 100;        // the first freshness of copies

// Adds the rows of `parts` of the sketch with the values of `witness`, except the row `skipped`. Rows whose key
// variables are in `kept` are identical to existing rows and are not added again.
void add_rows(Instance& instance, const DataModel& model, const Sketch& sketch, const std::vector<bool>& parts,
              const Witness& witness, const std::vector<bool>& kept = {}, int skipped = -1) {
  for (std::size_t r = 0; r < sketch.rows.size(); ++r) {
    const auto& row = sketch.rows[r];
    if (static_cast<int>(r) == skipped || !parts[static_cast<std::size_t>(row.part)]) continue;
    const auto& table = model.tables[row.table];
    const bool is_known = !kept.empty() && std::ranges::any_of(table.keys, [&](const std::vector<int>& key) {
      return std::ranges::all_of(key,
                                 [&](int place) { return kept[static_cast<std::size_t>(row.first_variable + place)]; });
    });
    if (is_known) continue;
    const auto first = witness.begin() + row.first_variable;
    instance.tables[row.table].emplace_back(first, first + static_cast<std::ptrdiff_t>(table.columns.size()));
  }
}

void append(Instance& instance, const Instance& more) {
  for (std::size_t t = 0; t < instance.tables.size(); ++t)
    instance.tables[t].insert(instance.tables[t].end(), more.tables[t].begin(), more.tables[t].end());
}

}  // namespace

DirectedInstances::DirectedInstances(const DataModel& model, const ValuePools& pools,
                                     const std::vector<Sketch>& sketches, Random& random)
    : model_(model), pools_(pools), random_(random) {
  std::set<std::int64_t> counts;
  for (const auto& sketch : sketches) {
    makers_.emplace_back(sketch, model, pools);
    counts.insert(sketch.counts.begin(), sketch.counts.end());
  }
  counts_.assign(counts.begin(), counts.end());
}

Instance DirectedInstances::nothing() const {
  Instance instance;
  instance.tables.resize(model_.tables.size());
  return instance;
}

std::vector<bool> DirectedInstances::kept_by(const WitnessMaker& maker, const std::vector<int>& keys) {
  std::vector<bool> kept(maker.sketch().variables.size());
  for (const int v : keys) kept[static_cast<std::size_t>(v)] = true;
  maker.close(kept);
  return kept;
}

bool DirectedInstances::add(Instance& instance, const WitnessMaker& maker, const RowSet& set) const {
  const auto& sketch = maker.sketch();
  const auto parts = set.request.parts.empty() ? maker.usual_parts() : set.request.parts;
  const auto put = [&](Witness witness, const std::vector<bool>& kept) {
    for (const int variable : {set.null_variable, set.null_variable_2}) {
      if (variable >= 0) witness[static_cast<std::size_t>(variable)] = {};
    }
    add_rows(instance, model_, sketch, parts, witness, kept, set.skipped_row);
  };
  const auto first = maker.make(set.request);
  if (!first) return false;
  put(*first, set.request.kept);
  if (sketch.counts.empty()) return true;
  auto request = set.request;
  request.base = &*first;
  request.kept = kept_by(maker, sketch.groups.empty() ? std::vector<int>() : sketch.groups.front().keys);
  const auto copies = std::min(*std::ranges::max_element(sketch.counts), ample_copies);
  for (std::int64_t i = 0; i < copies; ++i) {
    request.freshness = copies_freshness * (set.request.freshness + 1) + static_cast<std::size_t>(i);
    if (auto other = maker.make(request)) put(*std::move(other), request.kept);
  }
  return true;
}

Instance DirectedInstances::completed(Instance instance, bool with_parents) const {
  for (std::size_t t = 0; t < model_.tables.size(); ++t) {
    const auto& table = model_.tables[t];
    if (!table.used || !instance.tables[t].empty()) continue;
    DataRow row = filler_row(model_, pools_, t, random_.below(3));
    for (const auto& link : table.parents) {
      const auto& parents = instance.tables[static_cast<std::size_t>(link.parent)];
      if (parents.empty()) continue;
      const auto& parent = parents[static_cast<std::size_t>(random_.below(parents.size()))];
      for (std::size_t i = 0; i < link.columns.size(); ++i) {
        const auto column = static_cast<std::size_t>(link.columns[i]);
        row[column] = fitted(parent[static_cast<std::size_t>(link.parent_columns[i])], table.columns[column].kind);
      }
    }
    instance.tables[t].push_back(std::move(row));
  }
  if (with_parents) add_missing_parents(model_, pools_, instance);
  return instance;
}

Result<bool> DirectedInstances::of_conditions(const WitnessMaker& maker, Offer offer) const {
  const auto& sketch = maker.sketch();
  Instance base = nothing();
  const bool has_base = add(base, maker, {});
  if (has_base) {
    TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(base)));
    if (!more) return false;
    Instance two = base;
    if (add(two, maker, {.request = {.freshness = 1}})) {
      TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(std::move(two))));
      if (!more) return false;
    }
  }
  Instance alike = nothing();
  if (add(alike, maker, {.request = {.alike = true}})) {
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(completed(std::move(alike))));
    if (!more) return false;
  }
  Instance every = nothing();
  for (std::size_t i = 0; i < sketch.choices.size(); ++i) {
    Instance instance = nothing();
    if (!add(instance, maker, {.request = {.freshness = i, .choice = static_cast<int>(i)}})) continue;
    append(every, instance);
    TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(std::move(instance))));
    if (!more) return false;
    if (i + 1 < sketch.choices.size()) continue;
    TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(every)));
    if (!more) return false;
  }
  const std::size_t equalities = std::min(sketch.equalities.size(), max_conditions);
  const std::size_t atoms = std::min(sketch.atoms.size(), max_conditions);
  for (std::size_t i = 0; i < equalities + atoms; ++i) {
    RowSet broken{.request = {.freshness = 1}};
    (i < equalities ? broken.request.broken_equality : broken.request.broken_atom) =
        static_cast<int>(i < equalities ? i : i - equalities);
    Instance alone = nothing();
    if (!add(alone, maker, broken)) continue;
    TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(alone)));
    if (!more) return false;
    if (!has_base) continue;
    append(alone, base);
    TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(std::move(alone))));
    if (!more) return false;
  }
  return true;
}

Result<bool> DirectedInstances::of_parts(const WitnessMaker& maker, Offer offer) const {
  const auto usual = maker.usual_parts();
  const auto& sketch = maker.sketch();
  Instance base = nothing();
  const bool has_base = add(base, maker, {});
  for (std::size_t p = 1; p < sketch.parts.size(); ++p) {
    Instance other = nothing();
    if (!add(other, maker, {.request = {.freshness = 1, .parts = maker.parts_with(p, !usual[p])}})) continue;
    TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(other)));
    if (!more) return false;
    if (!has_base) continue;
    append(other, base);
    TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(std::move(other))));
    if (!more) return false;
  }
  return true;
}

// One row of the sketch stays and the others are repeated: several children of one parent, several parents that share
// a value. Then a second, similar row is added, and a second set of rows without it.
Result<bool> DirectedInstances::of_repetitions(const WitnessMaker& maker, Offer offer) const {
  const auto parts = maker.usual_parts();
  const auto& sketch = maker.sketch();
  const auto witness = maker.make({});
  Instance base = nothing();
  if (!witness || !add(base, maker, {})) return true;
  for (std::size_t r = 0; r < sketch.rows.size(); ++r) {
    const auto& row = sketch.rows[r];
    if (!parts[static_cast<std::size_t>(row.part)]) continue;
    const auto& table = model_.tables[row.table];

    std::vector<int> own(table.columns.size());
    for (std::size_t c = 0; c < own.size(); ++c) own[c] = row.first_variable + static_cast<int>(c);
    Instance several = base;
    for (const std::size_t freshness : {1U, 2U})
      add(several, maker,
          {.request = {.freshness = freshness, .base = &*witness, .kept = kept_by(maker, own)},
           .skipped_row = static_cast<int>(r)});
    TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(std::move(several))));
    if (!more) return false;

    const auto is_in_key = [&](int place) {
      return std::ranges::any_of(
          table.keys, [&](const std::vector<int>& key) { return std::ranges::find(key, place) != key.end(); });
    };
    Instance twice = base;
    DataRow copy;
    for (std::size_t c = 0; c < own.size(); ++c)
      copy.push_back(is_in_key(static_cast<int>(c)) ? filler(model_, pools_, row.table, c, 40 + r)
                                                    : (*witness)[static_cast<std::size_t>(own[c])]);
    twice.tables[row.table].push_back(std::move(copy));
    TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(twice)));
    if (!more) return false;
    // Together with other rows, so that the number of duplicates of a value matters.
    if (add(twice, maker, {.request = {.freshness = 1}})) {
      TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(std::move(twice))));
      if (!more) return false;
    }

    if (sketch.rows.size() < 2) continue;
    Instance missing = base;
    if (!add(missing, maker, {.request = {.freshness = 1}, .skipped_row = static_cast<int>(r)})) continue;
    TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(std::move(missing))));
    if (!more) return false;
  }
  return true;
}

// Groups of k - 1, k and k + 1 rows for every count that is compared, and of 1, 2, 2 and 3 rows.
Result<bool> DirectedInstances::of_groups(const WitnessMaker& maker, Offer offer) const {
  const auto parts = maker.usual_parts();
  const auto& sketch = maker.sketch();
  std::vector<std::vector<bool>> kept_sets;
  const auto add_kept = [&](const std::vector<int>& keys) {
    auto kept = kept_by(maker, keys);
    if (kept_sets.size() < max_groups && std::ranges::find(kept_sets, kept) == kept_sets.end())
      kept_sets.push_back(std::move(kept));
  };
  for (const auto& group : sketch.groups) add_kept(group.keys);
  if (!counts_.empty()) add_kept({});
  std::set<std::int64_t> tested_sizes;
  for (const auto count : counts_) {
    for (const auto size : {count - 1, count, count + 1}) {
      if (size > 3 && size <= max_copies &&
          static_cast<std::size_t>(size) * sketch.variables.size() <= max_database_values)
        tested_sizes.insert(size);
    }
  }
  std::vector<std::int64_t> sizes = {1, 2, 2, 3};
  sizes.insert(sizes.end(), tested_sizes.begin(), tested_sizes.end());
  for (const auto& kept : kept_sets) {
    Instance all_groups = nothing();
    std::size_t freshness = 0;
    for (const auto size : sizes) {
      Instance group = nothing();
      const auto first = maker.make({.freshness = freshness++});
      if (!first) continue;
      add_rows(group, model_, sketch, parts, *first);
      for (std::int64_t i = 1; i < size; ++i) {
        if (const auto other = maker.make({.freshness = freshness++, .base = &*first, .kept = kept}))
          add_rows(group, model_, sketch, parts, *other, kept);
      }
      append(all_groups, group);
      if (size <= 3) continue;
      // Also offer large groups alone: aggregates without GROUP BY see all rows.
      TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(completed(std::move(group))));
      if (!more) return false;
    }
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(completed(std::move(all_groups))));
    if (!more) return false;
  }
  return true;
}

// As many rows as a LIMIT returns, one fewer and one more; and as many rows that tie in the sort keys.
Result<bool> DirectedInstances::of_cuts(const WitnessMaker& maker, Offer offer) const {
  const auto parts = maker.usual_parts();
  const auto& sketch = maker.sketch();
  const auto first = maker.make({});
  if (!first) return true;
  for (std::size_t c = 0; c < std::min(sketch.cuts.size(), max_cuts); ++c) {
    const auto& cut = sketch.cuts[c];
    if (static_cast<std::size_t>(cut.count) * sketch.variables.size() > max_database_values) continue;
    for (const bool ties : {false, true}) {
      if (ties && cut.keys.empty()) continue;
      Instance instance = nothing();
      add_rows(instance, model_, sketch, parts, *first);
      const auto kept = kept_by(maker, ties ? cut.keys : std::vector<int>());
      for (std::int64_t i = 1; i <= std::min(cut.count + 1, max_copies); ++i) {
        const auto other = maker.make({.freshness = static_cast<std::size_t>(i), .base = &*first, .kept = kept});
        if (other) add_rows(instance, model_, sketch, parts, *other, kept);
        if (i + 2 < cut.count) continue;
        TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(completed(instance)));
        if (!more) return false;
      }
    }
  }
  return true;
}

Result<bool> DirectedInstances::without_deviation(Offer offer) const {
  using Kind = Result<bool> (DirectedInstances::*)(const WitnessMaker&, Offer) const;
  for (const Kind kind : {&DirectedInstances::of_conditions, &DirectedInstances::of_repetitions,
                          &DirectedInstances::of_parts, &DirectedInstances::of_groups, &DirectedInstances::of_cuts}) {
    for (const auto& maker : makers_) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool more, (this->*kind)(maker, offer));
      if (!more) return false;
    }
  }
  return true;
}

// NULL on both sides of an equality, which is not true then; EXCEPT and INTERSECT take the two for the same.
Result<bool> DirectedInstances::of_null_pairs(const WitnessMaker& maker, Offer offer) const {
  const auto& sketch = maker.sketch();
  const auto may_be_null = [&](int v) {
    const auto& variable = sketch.variables[static_cast<std::size_t>(v)];
    const auto& column = model_.tables[variable.table].columns[variable.column];
    return column.used && column.nullable;
  };
  for (std::size_t i = 0; i < std::min(sketch.equalities.size(), max_conditions); ++i) {
    const auto& equality = sketch.equalities[i];
    if (!may_be_null(equality.left) || !may_be_null(equality.right)) continue;
    Instance instance = nothing();
    const auto parts = maker.parts_with(static_cast<std::size_t>(equality.part), true);
    if (!add(instance, maker,
             {.request = {.freshness = 1, .parts = parts},
              .null_variable = equality.left,
              .null_variable_2 = equality.right}))
      continue;
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(completed(std::move(instance))));
    if (!more) return false;
  }
  return true;
}

Result<bool> DirectedInstances::with_null(Offer offer) const {
  for (const auto& maker : makers_) {
    const auto usual = maker.usual_parts();
    const auto& sketch = maker.sketch();
    for (std::size_t v = 0; v < sketch.variables.size(); ++v) {
      const auto& variable = sketch.variables[v];
      const auto& column = model_.tables[variable.table].columns[variable.column];
      if (!column.used || !column.nullable) continue;
      const auto part = static_cast<std::size_t>(sketch.rows[static_cast<std::size_t>(variable.row)].part);
      RowSet set{.request = {.freshness = 1, .parts = maker.parts_with(part, true)},
                 .null_variable = static_cast<int>(v)};
      Instance alone = nothing();
      if (!add(alone, maker, set)) continue;
      TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(alone)));
      if (!more) return false;
      Instance twice = alone;
      add(alone, maker, {});
      TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(std::move(alone))));
      if (!more) return false;
      set.request.freshness = 2;
      add(twice, maker, set);
      TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(std::move(twice))));
      if (!more) return false;
    }
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, of_null_pairs(maker, offer));
    if (!more) return false;
  }
  return true;
}

Result<bool> DirectedInstances::with_orphans(Offer offer) const {
  for (const auto& maker : makers_) {
    const auto parts = maker.usual_parts();
    const auto& sketch = maker.sketch();
    // What the query requires, but not the rows that other tables would have to hold for it.
    Instance base = nothing();
    if (!add(base, maker, {})) continue;
    TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(base, false)));
    if (!more) return false;
    for (std::size_t r = 0; r < sketch.rows.size(); ++r) {
      if (!parts[static_cast<std::size_t>(sketch.rows[r].part)]) continue;
      Instance instance = base;
      if (!add(instance, maker, {.request = {.freshness = 1}, .skipped_row = static_cast<int>(r)})) continue;
      TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(std::move(instance), false)));
      if (!more) return false;
    }
  }
  return true;
}

Result<bool> DirectedInstances::with_empty_tables(Offer offer) const {
  for (std::size_t t = 0; t < model_.tables.size(); ++t) {
    if (!model_.tables[t].used) continue;
    for (const auto& maker : makers_) {
      Instance instance = nothing();
      if (!add(instance, maker, {})) continue;
      instance = completed(std::move(instance));
      instance.tables[t].clear();
      // Children without parents are a different deviation.
      for (std::size_t child = 0; child < model_.tables.size(); ++child) {
        for (const auto& link : model_.tables[child].parents) {
          std::erase_if(instance.tables[child],
                        [&](const DataRow& row) { return !has_parent(model_, instance, link, row); });
        }
      }
      TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(instance));
      if (!more) return false;
    }
  }
  return offer(nothing());
}

}  // namespace trustsql::equiv
