#include "equiv/refuter/directed_instances.hpp"

#include <algorithm>
#include <set>

#include "equiv/refuter/random_instance.hpp"

namespace trustsql::equiv {

namespace {

constexpr std::size_t most_conditions = 40;
constexpr std::size_t most_groups = 6;
constexpr std::size_t most_cuts = 4;
constexpr std::int64_t most_copies = 160;

// Adds the rows that `witness` gives the sketch, of the parts that are in `parts`; not the row `skipped`, and of the others
// none that is there already, unless `repeat` says so.
void add_rows(Instance& instance, const DataModel& model, const Sketch& sketch, const std::vector<bool>& parts, const Witness& witness,
              int skipped = -1, bool repeat = false) {
  for (std::size_t r = 0; r < sketch.rows.size(); ++r) {
    const auto& row = sketch.rows[r];
    if (static_cast<int>(r) == skipped || !parts[static_cast<std::size_t>(row.part)]) continue;
    const auto first = witness.begin() + row.first_variable;
    DataRow values(first, first + static_cast<std::ptrdiff_t>(model.tables[row.table].columns.size()));
    auto& rows = instance.tables[row.table];
    if (!repeat && std::ranges::find(rows, values) != rows.end()) continue;
    rows.push_back(std::move(values));
  }
}

}  // namespace

DirectedInstances::DirectedInstances(const DataModel& model, const ValuePools& pools, const std::vector<Sketch>& sketches, Random& random)
    : model_(model), pools_(pools), random_(random) {
  std::set<std::int64_t> counts;
  for (const auto& sketch : sketches) {
    makers_.emplace_back(sketch, model, pools);
    counts.insert(sketch.counts.begin(), sketch.counts.end());
  }
  counts_.assign(counts.begin(), counts.end());
}

Instance DirectedInstances::completed(Instance instance, bool with_parents) const {
  instance.tables.resize(model_.tables.size());
  for (std::size_t t = 0; t < model_.tables.size(); ++t) {
    const auto& table = model_.tables[t];
    if (!table.used || !instance.tables[t].empty()) continue;
    DataRow row;
    for (std::size_t c = 0; c < table.columns.size(); ++c) row.push_back(filler(model_, pools_, t, c, random_.below(3)));
    for (const auto& link : table.parents) {
      const auto& parents = instance.tables[static_cast<std::size_t>(link.parent)];
      if (parents.empty()) continue;
      const auto& parent = parents[static_cast<std::size_t>(random_.below(parents.size()))];
      for (std::size_t i = 0; i < link.columns.size(); ++i) {
        const auto at = static_cast<std::size_t>(link.columns[i]);
        row[at] = fitted(parent[static_cast<std::size_t>(link.parent_columns[i])], table.columns[at].kind);
      }
    }
    instance.tables[t].push_back(std::move(row));
  }
  if (with_parents) add_missing_parents(model_, pools_, instance);
  return instance;
}

Result<bool> DirectedInstances::of_conditions(const WitnessMaker& maker, Offer offer) const {
  const auto parts = maker.usual_parts();
  const auto& sketch = maker.sketch();
  const auto empty = [&] {
    Instance instance;
    instance.tables.resize(model_.tables.size());
    return instance;
  };
  const auto base = maker.make({});
  if (base) {
    Instance one = empty();
    add_rows(one, model_, sketch, parts, *base);
    TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(one)));
    if (!more) return false;
    if (const auto other = maker.make({.freshness = 1})) {
      add_rows(one, model_, sketch, parts, *other);
      TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(one)));
      if (!more) return false;
    }
  }
  if (const auto alike = maker.make({.alike = true})) {
    Instance one = empty();
    add_rows(one, model_, sketch, parts, *alike);
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(completed(one)));
    if (!more) return false;
  }
  const std::size_t equalities = std::min(sketch.equalities.size(), most_conditions);
  const std::size_t atoms = std::min(sketch.atoms.size(), most_conditions);
  for (std::size_t i = 0; i < equalities + atoms; ++i) {
    WitnessRequest request{.freshness = 1};
    (i < equalities ? request.broken_equality : request.broken_atom) = static_cast<int>(i < equalities ? i : i - equalities);
    const auto broken = maker.make(request);
    if (!broken) continue;
    Instance alone = empty();
    add_rows(alone, model_, sketch, parts, *broken);
    TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(alone)));
    if (!more) return false;
    if (!base) continue;
    add_rows(alone, model_, sketch, parts, *base);
    TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(alone)));
    if (!more) return false;
  }
  return true;
}

Result<bool> DirectedInstances::of_parts(const WitnessMaker& maker, Offer offer) const {
  const auto usual = maker.usual_parts();
  const auto& sketch = maker.sketch();
  const auto base = maker.make({});
  for (std::size_t p = 1; p < sketch.parts.size(); ++p) {
    auto parts = usual;
    parts[p] = !parts[p];
    for (std::size_t q = p + 1; q < parts.size(); ++q) {
      // What stands in it goes and comes with it.
      const auto parent = static_cast<std::size_t>(sketch.parts[q].parent);
      parts[q] = parts[parent] && (usual[q] || (parent == p && sketch.parts[q].kind != Sketch::Part::Kind::unwanted));
    }
    const auto other = maker.make({.freshness = 1, .parts = parts});
    if (!other) continue;
    Instance instance;
    instance.tables.resize(model_.tables.size());
    add_rows(instance, model_, sketch, parts, *other);
    TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(instance)));
    if (!more) return false;
    if (!base) continue;
    add_rows(instance, model_, sketch, usual, *base);
    TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(instance)));
    if (!more) return false;
  }
  return true;
}

// One row of the sketch stays, the others come once more: several children of one parent, several parents that share a
// value. Then each row alone is missing from a second set, and each row is there twice.
Result<bool> DirectedInstances::of_repetitions(const WitnessMaker& maker, Offer offer) const {
  const auto parts = maker.usual_parts();
  const auto& sketch = maker.sketch();
  const auto base = maker.make({});
  if (!base) return true;
  const auto fresh = maker.make({.freshness = 1});
  for (std::size_t r = 0; r < sketch.rows.size(); ++r) {
    const auto& row = sketch.rows[r];
    if (!parts[static_cast<std::size_t>(row.part)]) continue;
    const auto& table = model_.tables[row.table];
    Instance start;
    start.tables.resize(model_.tables.size());
    add_rows(start, model_, sketch, parts, *base);

    std::vector<bool> kept(sketch.variables.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) kept[static_cast<std::size_t>(row.first_variable) + c] = true;
    maker.close(kept);
    Instance several = start;
    for (const std::size_t freshness : {1, 2}) {
      const auto other = maker.make({.freshness = freshness, .base = &*base, .kept = kept});
      if (other) add_rows(several, model_, sketch, parts, *other);
    }
    TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(several)));
    if (!more) return false;

    // A row like it, but for its keys.
    std::vector<bool> all_but_keys(sketch.variables.size(), true);
    for (const auto& key : table.keys) {
      for (const int place : key) all_but_keys[static_cast<std::size_t>(row.first_variable + place)] = false;
    }
    Instance twice = start;
    DataRow copy;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto v = static_cast<std::size_t>(row.first_variable) + c;
      copy.push_back(all_but_keys[v] ? (*base)[v] : filler(model_, pools_, row.table, c, 40 + r));
    }
    twice.tables[row.table].push_back(std::move(copy));
    TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(twice)));
    if (!more) return false;

    if (fresh && sketch.rows.size() > 1) {
      Instance missing = start;
      add_rows(missing, model_, sketch, parts, *fresh, static_cast<int>(r));
      TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(missing)));
      if (!more) return false;
    }
  }
  // Everything twice but for one class of values at a time is what groups and ties are about.
  return true;
}

// Groups of k - 1, k and k + 1 rows for every count that is asked for, and of 1, 2, 2 and 3.
Result<bool> DirectedInstances::of_groups(const WitnessMaker& maker, Offer offer) const {
  const auto parts = maker.usual_parts();
  const auto& sketch = maker.sketch();
  std::vector<std::vector<bool>> kept_sets;
  const auto add_kept = [&](const std::vector<int>& keys) {
    std::vector<bool> kept(sketch.variables.size());
    for (const int v : keys) kept[static_cast<std::size_t>(v)] = true;
    maker.close(kept);
    if (kept_sets.size() < most_groups && std::ranges::find(kept_sets, kept) == kept_sets.end()) kept_sets.push_back(std::move(kept));
  };
  for (const auto& group : sketch.groups) add_kept(group.keys);
  if (!counts_.empty()) add_kept({});
  std::vector<std::int64_t> sizes = {1, 2, 2, 3};
  std::set<std::int64_t> asked;
  for (const auto count : counts_) {
    for (const auto size : {count - 1, count, count + 1}) {
      if (size > 3 && size <= most_copies) asked.insert(size);
    }
  }
  sizes.insert(sizes.end(), asked.begin(), asked.end());
  for (const auto& kept : kept_sets) {
    Instance all;
    all.tables.resize(model_.tables.size());
    std::size_t freshness = 0;
    for (const auto size : sizes) {
      Instance group;
      group.tables.resize(model_.tables.size());
      const auto base = maker.make({.freshness = freshness++});
      if (!base) continue;
      add_rows(group, model_, sketch, parts, *base);
      for (std::int64_t i = 1; i < size; ++i) {
        const auto other = maker.make({.freshness = freshness++, .base = &*base, .kept = kept});
        if (other) add_rows(group, model_, sketch, parts, *other);
      }
      for (std::size_t t = 0; t < all.tables.size(); ++t) all.tables[t].insert(all.tables[t].end(), group.tables[t].begin(), group.tables[t].end());
      if (size <= 3) continue;
      // Large groups alone as well: aggregates without GROUP BY see all rows.
      TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(completed(std::move(group))));
      if (!more) return false;
    }
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(completed(std::move(all))));
    if (!more) return false;
  }
  return true;
}

// As many rows as a LIMIT lets through, one less and one more; and as many that agree in what they are sorted by.
Result<bool> DirectedInstances::of_cuts(const WitnessMaker& maker, Offer offer) const {
  const auto parts = maker.usual_parts();
  const auto& sketch = maker.sketch();
  for (std::size_t c = 0; c < std::min(sketch.cuts.size(), most_cuts); ++c) {
    const auto& cut = sketch.cuts[c];
    std::vector<bool> tied(sketch.variables.size());
    for (const int v : cut.keys) tied[static_cast<std::size_t>(v)] = true;
    const std::vector<bool> nothing(sketch.variables.size());
    for (const bool ties : {false, true}) {
      if (ties && cut.keys.empty()) continue;
      Instance instance;
      instance.tables.resize(model_.tables.size());
      const auto base = maker.make({});
      if (!base) continue;
      add_rows(instance, model_, sketch, parts, *base);
      auto kept = tied;
      maker.close(kept);
      for (std::int64_t i = 1; i <= std::min(cut.count + 1, most_copies); ++i) {
        const auto other = maker.make({.freshness = static_cast<std::size_t>(i), .base = &*base, .kept = ties ? kept : nothing});
        if (other) add_rows(instance, model_, sketch, parts, *other);
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
  for (const Kind kind : {&DirectedInstances::of_conditions, &DirectedInstances::of_repetitions, &DirectedInstances::of_parts,
                          &DirectedInstances::of_groups, &DirectedInstances::of_cuts}) {
    for (const auto& maker : makers_) {
      TRUSTSQL_ASSIGN_OR_RETURN(const bool more, (this->*kind)(maker, offer));
      if (!more) return false;
    }
  }
  return true;
}

Result<bool> DirectedInstances::with_null(Offer offer) const {
  for (const auto& maker : makers_) {
    const auto parts = maker.usual_parts();
    const auto& sketch = maker.sketch();
    const auto base = maker.make({});
    const auto fresh = maker.make({.freshness = 1});
    if (!base || !fresh) continue;
    for (std::size_t v = 0; v < sketch.variables.size(); ++v) {
      const auto& variable = sketch.variables[v];
      const auto& column = model_.tables[variable.table].columns[variable.column];
      if (!column.used || !column.nullable || !parts[static_cast<std::size_t>(sketch.rows[static_cast<std::size_t>(variable.row)].part)]) continue;
      auto with_null = *fresh;
      with_null[v] = {};
      Instance instance;
      instance.tables.resize(model_.tables.size());
      add_rows(instance, model_, sketch, parts, with_null);
      TRUSTSQL_ASSIGN_OR_RETURN(bool more, offer(completed(instance)));
      if (!more) return false;
      add_rows(instance, model_, sketch, parts, *base);
      TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(instance)));
      if (!more) return false;
      // Two rows of the same, NULL in both.
      Instance twice;
      twice.tables.resize(model_.tables.size());
      add_rows(twice, model_, sketch, parts, with_null);
      with_null = *base;
      with_null[v] = {};
      add_rows(twice, model_, sketch, parts, with_null);
      TRUSTSQL_ASSIGN_OR_RETURN(more, offer(completed(twice)));
      if (!more) return false;
    }
  }
  return true;
}

Result<bool> DirectedInstances::with_orphans(Offer offer) const {
  for (const auto& maker : makers_) {
    const auto parts = maker.usual_parts();
    const auto& sketch = maker.sketch();
    const auto base = maker.make({});
    const auto fresh = maker.make({.freshness = 1});
    if (!base || !fresh) continue;
    for (std::size_t r = 0; r < sketch.rows.size(); ++r) {
      if (!parts[static_cast<std::size_t>(sketch.rows[r].part)]) continue;
      Instance instance;
      instance.tables.resize(model_.tables.size());
      add_rows(instance, model_, sketch, parts, *base, static_cast<int>(r));
      add_rows(instance, model_, sketch, parts, *fresh);
      TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(completed(instance, false)));
      if (!more) return false;
    }
    // What the query asks for, and nothing that other tables would have to hold for it.
    Instance instance;
    instance.tables.resize(model_.tables.size());
    add_rows(instance, model_, sketch, parts, *base);
    TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(completed(instance, false)));
    if (!more) return false;
  }
  return true;
}

Result<bool> DirectedInstances::with_empty_tables(Offer offer) const {
  for (std::size_t t = 0; t < model_.tables.size(); ++t) {
    if (!model_.tables[t].used) continue;
    for (const auto& maker : makers_) {
      const auto base = maker.make({});
      if (!base) continue;
      Instance instance;
      instance.tables.resize(model_.tables.size());
      add_rows(instance, model_, maker.sketch(), maker.usual_parts(), *base);
      instance = completed(std::move(instance));
      instance.tables[t].clear();
      // Children without parents are another matter.
      for (std::size_t child = 0; child < model_.tables.size(); ++child) {
        for (const auto& link : model_.tables[child].parents) {
          std::erase_if(instance.tables[child], [&](const DataRow& row) { return !has_parent(model_, instance, link, row); });
        }
      }
      TRUSTSQL_ASSIGN_OR_RETURN(const bool more, offer(instance));
      if (!more) return false;
    }
  }
  Instance nothing;
  nothing.tables.resize(model_.tables.size());
  return offer(nothing);
}

}  // namespace trustsql::equiv
