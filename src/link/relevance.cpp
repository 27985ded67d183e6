#include "link/relevance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "link/relevance_weights.hpp"

namespace trustsql::link {

namespace {

// How fast the share of a probe falls with an element's distance from the best one: by cosines in the corpus, by
// cosines of names; and the weight of a database with its coverage's distance from the best database's.
constexpr float share_sharpness = 12;
constexpr float name_sharpness = 10;
constexpr float database_sharpness = 30;
// Added before logarithms are taken.
constexpr float least_share = 1e-3F;
constexpr float least_probability = 0.02F;
constexpr float max_probability = 0.99F;
constexpr std::size_t max_small_table = 2;  // columns that are no keys: a table that names things

float damped_log(float x) { return std::log(x + least_probability); }

// The mean over the probes of the largest cosine of a group's elements.
template <class GroupOf>
std::vector<float> coverage(const RelevanceInput& input, std::size_t groups, GroupOf&& group_of) {
  const std::size_t probes = input.probe_count;
  std::vector<float> best(groups * probes, -1.0F);
  for (std::size_t i = 0; i < input.elements.size(); ++i) {
    const auto row = input.cosines.subspan(i * (probes + 1), probes);
    float* group_best = best.data() + group_of(i) * probes;
    for (std::size_t p = 0; p < probes; ++p) group_best[p] = std::max(group_best[p], row[p]);
  }
  std::vector<float> covered(groups, 0.0F);
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t p = 0; p < probes; ++p) covered[g] += best[g * probes + p];
    covered[g] /= static_cast<float>(probes);
  }
  return covered;
}

// What falls to each element if each of `count` probes is divided among all elements, in proportion to weight *
// exp(sharpness * cosine).
template <class CosineOf>
std::vector<float> shares(std::span<const float> weights, std::size_t count, float sharpness, CosineOf&& cosine) {
  std::vector<float> sums(weights.size(), 0.0F);
  std::vector<float> parts(weights.size());
  for (std::size_t p = 0; p < count; ++p) {
    float total = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      parts[i] = weights[i] < least_share ? 0 : weights[i] * std::exp(sharpness * (cosine(i, p) - 1));
      total += parts[i];
    }
    for (std::size_t i = 0; total > 0 && i < weights.size(); ++i) sums[i] += parts[i] / total;
  }
  return sums;
}

// For each element the sum of `amounts` over the elements of its group (NameIndex) with larger `ranks`.
std::vector<float> sums_of_larger(const NameIndex& names, std::span<const float> ranks,
                                  std::span<const float> amounts) {
  std::vector<float> sums(ranks.size(), 0.0F);
  for (std::size_t number = 0; number < names.group_count(); ++number) {
    auto order = names.group(number);
    if (order.size() < 2) continue;
    std::ranges::sort(order, [&](auto a, auto b) { return ranks[a] > ranks[b]; });
    float sum = 0;  // of those before `begin`
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      float tied = 0;
      for (; end < order.size() && ranks[order[end]] == ranks[order[begin]]; ++end) {
        sums[order[end]] = sum;
        tied += amounts[order[end]];
      }
      sum += tied;
    }
  }
  return sums;
}

template <std::size_t n>
float weighted(const std::array<float, n>& features, const float* weights) {
  return std::inner_product(features.begin(), features.end(), weights, 0.0F);
}

}  // namespace

std::vector<ColumnFeatures> column_features_of(const RelevanceInput& input) {
  // No structured binding: clang 14 does not let lambdas capture one.
  const auto& elements = input.elements;
  const auto& names = input.names;
  const auto cosines = input.cosines;
  const auto probes = input.probe_count;
  const auto columns = input.columns;
  const std::size_t count = elements.size();
  const auto table_of = [&](std::size_t i) { return elements.table_of(i); };
  const auto database_of = [&](std::size_t i) { return elements.database_of_table(elements.table_of(i)); };
  const auto of_tables = coverage(input, elements.table_count(), table_of);
  const auto of_databases = coverage(input, elements.database_count(), database_of);
  const float best_database = *std::ranges::max_element(of_databases);
  std::vector<float> best_table(elements.database_count(), -1.0F);
  std::vector<std::size_t> table_sizes(elements.table_count(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    best_table[database_of(i)] = std::max(best_table[database_of(i)], of_tables[table_of(i)]);
    ++table_sizes[table_of(i)];
  }
  std::vector<float> weights(count);
  for (std::size_t i = 0; i < count; ++i)
    weights[i] = std::exp(database_sharpness * (of_databases[database_of(i)] - best_database));
  const auto by_text = shares(weights, probes, share_sharpness,
                              [&](std::size_t i, std::size_t p) { return cosines[i * (probes + 1) + p]; });
  const auto name_cosines = names.cosines(columns);
  const auto name_cosine = [&](std::size_t i, std::size_t p) {
    return name_cosines[names.name_of(i) * columns.size() + p];
  };
  const auto by_name = shares(weights, columns.size(), name_sharpness, name_cosine);
  const auto shared_words = names.shared_words(columns);
  std::vector<float> of_table(elements.table_count(), 0.0F);  // the share of the probes that falls to the table
  for (std::size_t i = 0; i < count; ++i) of_table[table_of(i)] += by_text[i];

  std::vector<float> table_shares(count);
  for (std::size_t i = 0; i < count; ++i) table_shares[i] = of_table[table_of(i)];
  // The number of columns with the same name in tables to which more falls.
  const auto better_tables = sums_of_larger(names, table_shares, std::vector<float>(count, 1.0F));

  std::vector<ColumnFeatures> features(count);
  std::vector<char> has_column(elements.table_count(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t table = table_of(i);
    const std::size_t database = database_of(i);
    const auto row = cosines.subspan(i * (probes + 1), probes);
    float nearest_name = -1;
    for (std::size_t p = 0; p < columns.size(); ++p) nearest_name = std::max(nearest_name, name_cosine(i, p));
    const auto& links = elements.linked(i);
    float joined = 0;  // the smaller share of the two tables that a key joins
    for (const auto other : links) joined = std::max(joined, std::min(of_table[table], of_table[table_of(other)]));
    features[i] = {
        1,
        *std::ranges::max_element(row),
        std::accumulate(row.begin(), row.end(), 0.0F) / static_cast<float>(probes),
        cosines[i * (probes + 1) + probes],
        std::log(by_text[i] + least_share),
        of_databases[database] - best_database,
        of_tables[table] - best_table[database],
        damped_log(of_table[table]),
        nearest_name,
        shared_words[names.name_of(i)],
        links.empty() ? 0.0F : 1.0F,
        std::log1p(static_cast<float>(links.size())),
        links.empty() ? 0.0F : damped_log(joined),
        has_column[table] == 0 ? 1.0F : 0.0F,  // a table's first column
        std::log(static_cast<float>(table_sizes[table])),
        std::log(by_name[i] + least_share),
        std::log1p(better_tables[i]),
    };
    has_column[table] = 1;
  }
  return features;
}

std::vector<GraphFeatures> graph_features_of(const ElementSet& elements, const NameIndex& names,
                                             std::span<const float> scores) {
  const std::size_t count = elements.size();
  const std::size_t tables = elements.table_count();
  std::vector<float> probability(count);
  std::vector<float> none(tables, 1.0F);              // that none of a table's columns that are no keys is used
  std::vector<std::size_t> plain_columns(tables, 0);  // how many of these there are
  std::vector<float> reached(tables, 0.0F);           // the best key that joins the table with others
  for (std::size_t i = 0; i < count; ++i) {
    probability[i] = 1 / (1 + std::exp(-scores[i]));
    const std::size_t table = elements.table_of(i);
    if (!elements.linked(i).empty()) continue;
    none[table] *= 1 - std::min(probability[i], max_probability);
    ++plain_columns[table];
  }
  // How likely a table is to be needed for such columns, and to lie between two that are.
  std::vector<float> needed(tables);
  for (std::size_t t = 0; t < tables; ++t) needed[t] = 1 - none[t];
  struct Neighbours {
    std::size_t best = 0;
    float first = 0;
    float second = 0;
  };
  std::vector<Neighbours> neighbours(tables);
  for (std::size_t i = 0; i < count; ++i) {
    for (const auto other : elements.linked(i)) {
      const std::size_t table = elements.table_of(other);
      reached[table] = std::max(reached[table], probability[i]);
      auto& [best, first, second] = neighbours[elements.table_of(i)];
      if (needed[table] > first) {
        if (best != table) second = first;
        best = table;
        first = needed[table];
      } else if (best != table) {
        second = std::max(second, needed[table]);
      }
    }
  }
  std::vector<float> between(tables);
  for (std::size_t t = 0; t < tables; ++t) between[t] = neighbours[t].first * neighbours[t].second;
  std::vector<float> all_needed(elements.database_count(), 0.0F);
  for (std::size_t t = 0; t < tables; ++t) all_needed[elements.database_of_table(t)] += needed[t];

  // The probabilities of columns with the same name that are more likely.
  const auto same_name = sums_of_larger(names, scores, probability);

  std::vector<GraphFeatures> features(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t table = elements.table_of(i);
    float both = 0;
    float over_bridge = 0;
    float partner = 0;
    float other_table = 0;
    for (const auto other : elements.linked(i)) {
      const std::size_t joined = elements.table_of(other);
      if (joined == table) continue;
      both = std::max(both, needed[table] * needed[joined]);
      over_bridge = std::max({over_bridge, between[table] * needed[joined], needed[table] * between[joined]});
      partner = std::max(partner, probability[other]);
      other_table = std::max(other_table, needed[joined]);
    }
    const float key = elements.linked(i).empty() ? 0 : 1;
    const float small = plain_columns[table] <= max_small_table ? 1 : 0;
    const float other_tables = all_needed[elements.database_of_table(table)] - needed[table];
    features[i] = {
        scores[i],
        key * damped_log(needed[table]),
        (1 - key) * damped_log(needed[table]),
        key * damped_log(both),
        key * damped_log(over_bridge),
        key * damped_log(partner),
        key * damped_log(other_table),
        (1 - key) * damped_log(reached[table]),
        (1 - key) * small * damped_log(reached[table]),
        (1 - key) * small,
        same_name[i],
        key * same_name[i],
        key * damped_log(std::max(other_tables, 0.0F)),
        damped_log(between[table]),
    };
  }
  return features;
}

std::vector<float> relevance(const RelevanceInput& input) {
  const auto columns = column_features_of(input);
  std::vector<float> scores(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) scores[i] = weighted(columns[i], first_weights.data());
  const auto graph = graph_features_of(input.elements, input.names, scores);
  for (std::size_t i = 0; i < columns.size(); ++i)
    scores[i] =
        weighted(columns[i], second_weights.data()) + weighted(graph[i], second_weights.data() + column_features);
  return scores;
}

}  // namespace trustsql::link
