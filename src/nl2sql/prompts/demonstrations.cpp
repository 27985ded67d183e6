#include "nl2sql/prompts/demonstrations.hpp"

#include <algorithm>
#include <map>
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
  if (kept == 0) return {};
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

// Whether the feasible examples, or all where none is feasible, are about the database in question. Infeasible ones say
// nothing: they may come from elsewhere, as TrustSQL's do.
bool is_one_domain(const ExamplePool& pool) {
  bool has_own = false;
  bool has_other_feasible = false;
  for (std::size_t i = 0; i < pool.examples().size(); ++i) {
    if (pool.is_own(i) && pool.examples()[i].feasible()) return true;
    has_own = has_own || pool.is_own(i);
    has_other_feasible = has_other_feasible || pool.examples()[i].feasible();
  }
  return has_own && !has_other_feasible;
}

// Indexes in ExamplePool::examples().
struct ExamplesByKind {
  std::vector<std::size_t> feasible;
  std::vector<std::size_t> infeasible;
};

// The pool as the choice across domains sees it.
struct Domains {
  // The databases to draw from: those with feasible examples, or all if none has any.
  std::map<std::string, ExamplesByKind> databases;
  // Infeasible examples that belong to none of them, such as TriageSQL's questions, which come without a database.
  std::vector<std::size_t> unattached;
};

Domains domains_of(const ExamplePool& pool) {
  Domains domains;
  for (const auto& [name, indexes] : pool.others()) {
    ExamplesByKind examples;
    for (const auto index : indexes)
      (pool.examples()[index].feasible() ? examples.feasible : examples.infeasible).push_back(index);
    domains.databases.emplace(name, std::move(examples));
  }
  const auto has_feasible = [](const auto& entry) { return !entry.second.feasible.empty(); };
  for (std::size_t i = 0; i < pool.examples().size(); ++i)
    if (pool.is_own(i)) domains.unattached.push_back(i);
  if (std::none_of(domains.databases.begin(), domains.databases.end(), has_feasible)) return domains;
  std::erase_if(domains.databases, [&](const auto& entry) {
    if (has_feasible(entry)) return false;
    domains.unattached.insert(domains.unattached.end(), entry.second.infeasible.begin(), entry.second.infeasible.end());
    return true;
  });
  return domains;
}

// The names of the databases that are drawn, at most counts.databases. Those with enough examples of both kinds come
// first, to keep the balance if possible; infeasible ones may also be among the unattached.
std::vector<std::string> draw_names(const Domains& domains, const DemonstrationCounts& counts, Random& random) {
  const bool any_lack_is_filled = domains.unattached.size() >= counts.databases * counts.infeasible_each;
  std::vector<std::string> names;
  std::vector<std::string> lacking;
  for (const auto& [name, examples] : domains.databases) {
    const bool enough = examples.feasible.size() >= counts.feasible_each &&
                        (any_lack_is_filled || examples.infeasible.size() >= counts.infeasible_each);
    if (!examples.feasible.empty() || counts.infeasible_each > 0) (enough ? names : lacking).push_back(name);
  }
  shuffle(names, random);
  shuffle(lacking, random);
  names.insert(names.end(), lacking.begin(), lacking.end());
  names.resize(std::min(names.size(), counts.databases));
  return names;
}

Result<std::vector<Demonstrations::Database>> choose_across_domains(const ExamplePool& pool,
                                                                    const std::string& question,
                                                                    const DemonstrationCounts& counts,
                                                                    link::Embedder& embedder,
                                                                    const llm::RequestContext& call) {
  const auto domains = domains_of(pool);
  Random random(counts.seed);
  const auto names = draw_names(domains, counts, random);

  const bool any_infeasible =
      !domains.unattached.empty() || std::any_of(names.begin(), names.end(), [&](const auto& name) {
        return !domains.databases.at(name).infeasible.empty();
      });
  std::vector<float> scores;
  if (counts.infeasible_each > 0 && any_infeasible) {
    TRUSTSQL_ASSIGN_OR_RETURN(scores, similarities(pool, question, false, embedder, call));
  }
  std::vector<std::vector<std::size_t>> infeasible;
  std::size_t missing = 0;
  for (const auto& name : names) {
    infeasible.push_back(nearest(domains.databases.at(name).infeasible, scores, counts.infeasible_each));
    missing += counts.infeasible_each - infeasible.back().size();
  }
  const auto unattached = nearest(domains.unattached, scores, missing);

  std::vector<Demonstrations::Database> databases;
  auto next = unattached.begin();
  for (std::size_t d = 0; d < names.size(); ++d) {
    auto chosen = draw(domains.databases.at(names[d]).feasible, counts.feasible_each, random);
    auto& unanswerable = infeasible[d];
    while (unanswerable.size() < counts.infeasible_each && next != unattached.end()) unanswerable.push_back(*next++);
    chosen.insert(chosen.end(), unanswerable.begin(), unanswerable.end());
    if (!unanswerable.empty()) shuffle(chosen, random);
    databases.push_back({.name = names[d], .examples = examples_at(pool, chosen)});
  }
  return databases;
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
  if (is_one_domain(pool)) {
    TRUSTSQL_ASSIGN_OR_RETURN(chosen.own, retrieve(pool, question, counts, embedder, call));
  } else {
    TRUSTSQL_ASSIGN_OR_RETURN(chosen.others, choose_across_domains(pool, question, counts, embedder, call));
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
