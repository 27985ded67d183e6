#include "nl2sql/prompts/demonstrations.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"
#include "link/vector_math.hpp"

namespace trustsql::nl2sql {

namespace {

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<std::size_t>(random.below(i))]);
}

// `count` random items, in their original order.
std::vector<std::size_t> draw(std::vector<std::size_t> items, std::size_t count, Random& random) {
  shuffle(items, random);
  items.resize(std::min(count, items.size()));
  std::sort(items.begin(), items.end());
  return items;
}

// The `count` items with the greatest scores, greatest first; ties in their original order.
std::vector<std::size_t> nearest(std::vector<std::size_t> items, const std::vector<float>& scores, std::size_t count) {
  const auto kept = std::min(count, items.size());
  std::partial_sort(
      items.begin(), items.begin() + static_cast<std::ptrdiff_t>(kept), items.end(),
      [&](std::size_t a, std::size_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
  items.resize(kept);
  return items;
}

Result<std::vector<float>> similarities(const ExamplePool& pool, const std::string& question, bool masked,
                                        link::Embedder& embedder, const llm::RequestContext& call) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto vectors, pool.vectors(masked, embedder, call));
  TRUSTSQL_ASSIGN_OR_RETURN(auto embedded, embedder.embed(std::span(&question, 1), call));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto asked,
                            link::with_dimensions(std::move(embedded), vectors->front().size(), embedder.name()));
  std::vector<float> scores;
  scores.reserve(vectors->size());
  for (const auto& vector : *vectors) scores.push_back(link::dot(vector, asked.front()));
  return scores;
}

std::vector<const Example*> examples_at(const ExamplePool& pool, const std::vector<std::size_t>& indexes) {
  std::vector<const Example*> examples;
  for (const auto index : indexes) examples.push_back(&pool.examples()[index]);
  return examples;
}

Result<std::vector<const Example*>> retrieve(const ExamplePool& pool, const std::string& question,
                                             const DemonstrationCounts& counts, link::Embedder& embedder,
                                             const llm::RequestContext& call) {
  std::vector<std::size_t> feasible;
  std::vector<std::size_t> infeasible;
  std::vector<std::size_t> infeasible_elsewhere;
  for (std::size_t i = 0; i < pool.examples().size(); ++i) {
    if (pool.is_own(i)) {
      (pool.examples()[i].feasible() ? feasible : infeasible).push_back(i);
    } else if (!pool.examples()[i].feasible()) {
      infeasible_elsewhere.push_back(i);
    }
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const auto scores, similarities(pool, question, false, embedder, call));
  auto chosen = nearest(std::move(feasible), scores, counts.feasible);
  auto unanswerable = nearest(std::move(infeasible), scores, counts.infeasible);
  const auto more = nearest(std::move(infeasible_elsewhere), scores, counts.infeasible - unanswerable.size());
  unanswerable.insert(unanswerable.end(), more.begin(), more.end());
  if (unanswerable.empty()) {
    std::reverse(chosen.begin(), chosen.end());
  } else {
    chosen.insert(chosen.end(), unanswerable.begin(), unanswerable.end());
    Random random(counts.seed);
    shuffle(chosen, random);
  }
  return examples_at(pool, chosen);
}

std::vector<Demonstrations::Database> draw_databases(const ExamplePool& pool, const DemonstrationCounts& counts) {
  // Databases with enough examples of both kinds come first, to keep the balance if possible.
  std::vector<std::string> names;
  std::vector<std::string> lacking;
  for (const auto& [name, indexes] : pool.others()) {
    const auto feasible = static_cast<std::size_t>(
        std::count_if(indexes.begin(), indexes.end(), [&](std::size_t i) { return pool.examples()[i].feasible(); }));
    const bool enough = feasible >= counts.feasible_each && indexes.size() - feasible >= counts.infeasible_each;
    if (feasible > 0 || counts.infeasible_each > 0) (enough ? names : lacking).push_back(name);
  }
  Random random(counts.seed);
  shuffle(names, random);
  shuffle(lacking, random);
  names.insert(names.end(), lacking.begin(), lacking.end());
  names.resize(std::min(names.size(), counts.databases));

  std::vector<Demonstrations::Database> drawn;
  for (const auto& name : names) {
    std::vector<std::size_t> feasible;
    std::vector<std::size_t> infeasible;
    for (const auto index : pool.others().at(name))
      (pool.examples()[index].feasible() ? feasible : infeasible).push_back(index);
    auto chosen = draw(std::move(feasible), counts.feasible_each, random);
    const auto unanswerable = draw(std::move(infeasible), counts.infeasible_each, random);
    chosen.insert(chosen.end(), unanswerable.begin(), unanswerable.end());
    if (!unanswerable.empty()) shuffle(chosen, random);
    drawn.push_back({.name = name, .examples = examples_at(pool, chosen)});
  }
  return drawn;
}

}  // namespace

DemonstrationCounts sqlprompt_counts(bool infeasible_too) {
  DemonstrationCounts counts{
      .feasible = 8, .infeasible = 0, .databases = 5, .feasible_each = 8, .infeasible_each = 0, .seed = 0};
  if (infeasible_too) counts.infeasible = counts.infeasible_each = 8;
  return counts;
}

DemonstrationCounts triage_counts() {
  return {.feasible = 16, .infeasible = 16, .databases = 8, .feasible_each = 2, .infeasible_each = 2, .seed = 0};
}

Result<Demonstrations> choose_demonstrations(const ExamplePool& pool, const std::string& question,
                                             const DemonstrationCounts& counts, link::Embedder& embedder,
                                             const llm::RequestContext& call) {
  Demonstrations chosen;
  bool in_one_domain = false;
  for (std::size_t i = 0; i < pool.examples().size() && !in_one_domain; ++i) in_one_domain = pool.is_own(i);
  if (in_one_domain) {
    TRUSTSQL_ASSIGN_OR_RETURN(chosen.own, retrieve(pool, question, counts, embedder, call));
  } else {
    chosen.others = draw_databases(pool, counts);
  }
  return chosen;
}

Result<std::vector<const Example*>> choose_dail_examples(const ExamplePool& pool, const std::string& question,
                                                         const std::string& preliminary_sql, std::size_t count,
                                                         link::Embedder& embedder, const llm::RequestContext& call,
                                                         double threshold) {
  std::vector<std::size_t> feasible;
  for (std::size_t i = 0; i < pool.examples().size(); ++i)
    if (pool.examples()[i].feasible()) feasible.push_back(i);
  if (feasible.empty() || count == 0) return std::vector<const Example*>();

  const auto sql = preliminary_sql.empty() ? std::nullopt : std::optional<std::string_view>(preliminary_sql);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto scores, similarities(pool, mask_question(question, sql), true, embedder, call));
  if (!sql) return examples_at(pool, nearest(std::move(feasible), scores, count));

  const auto asked = word_bag(query_words(*sql));
  const auto& words = pool.words();
  const auto alike = std::stable_partition(
      feasible.begin(), feasible.end(), [&](std::size_t i) { return word_similarity(words[i], asked) >= threshold; });
  auto chosen = nearest({feasible.begin(), alike}, scores, count);
  const auto others = nearest({alike, feasible.end()}, scores, count - chosen.size());
  chosen.insert(chosen.end(), others.begin(), others.end());
  return examples_at(pool, chosen);
}

Status add_demonstrations(PromptValues& values, const Demonstrations& demonstrations, const ExamplePool& pool,
                          SchemaStyle style, bool with_values, std::string_view feasible_answer,
                          std::string_view infeasible_answer, const llm::RequestContext& call) {
  const auto items = [&](const std::vector<const Example*>& examples) {
    std::vector<PromptValues> list;
    for (const auto* example : examples) {
      const std::string answer(!example->feasible()      ? infeasible_answer
                               : feasible_answer.empty() ? std::string_view(*example->sql)
                                                         : feasible_answer);
      list.push_back({.texts = {{"question", example->question}, {"answer", answer}}, .lists = {}});
    }
    return list;
  };
  auto& databases = values.lists["databases"];
  for (const auto& other : demonstrations.others) {
    TRUSTSQL_ASSIGN_OR_RETURN(auto schema, pool.schema(other.name, style, with_values, call));
    databases.push_back({.texts = {{"schema", std::move(schema)}}, .lists = {{"examples", items(other.examples)}}});
  }
  values.lists["examples"] = items(demonstrations.own);
  return ok_status();
}

}  // namespace trustsql::nl2sql
