#include "semparse/synthesis/synthesis.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.hpp"
#include "semparse/synthesis/phrasing.hpp"
#include "semparse/synthesis/synthesis_lexicon.hpp"
#include "semparse/synthesis/tree_sampler.hpp"
#include "semparse/training/infeasible.hpp"
#include "semparse/tree/description.hpp"
#include "semparse/tree/tree_sql.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::size_t tries_per_question = 40;
constexpr std::array<Feasibility, 5> infeasible_types = {Feasibility::column_surface, Feasibility::column_related,
                                                         Feasibility::column_unrelated, Feasibility::non_sql,
                                                         Feasibility::ext_know};

std::vector<std::string> words_of_phrase(std::string_view phrase) {
  std::vector<std::string> words;
  while (!phrase.empty()) {
    const auto end = std::min(phrase.find(' '), phrase.size());
    words.emplace_back(phrase.substr(0, end));
    phrase.remove_prefix(std::min(end + 1, phrase.size()));
  }
  return words;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// A query with the question that asks for it.
struct Worded {
  SampledQuery query{};
  std::string question{};
  std::string sql{};
};

class Synthesizer {
 public:
  Synthesizer(const Knowledge& knowledge, Sandbox& sandbox, const SynthesisOptions& options)
      : domain_(knowledge.domain),
        sandbox_(sandbox),
        options_(options),
        random_(options.seed, 29),
        sampler_(domain_, sandbox, random_),
        linker_(domain_, knowledge.values) {}

  Result<std::vector<SyntheticQuestion>> run() {
    if (options_.count == 0) return std::move(questions_);
    TRUSTSQL_ASSIGN_OR_RETURN(const bool usable, sampler_.prepare());
    if (!usable) return invalid_argument("the database has no table with rows that questions could be about");
    const auto wanted_infeasible =
        static_cast<std::size_t>(options_.infeasible * static_cast<double>(options_.count) + 0.5);
    const auto wanted_feasible = options_.count - wanted_infeasible;
    std::size_t feasible = 0;
    for (std::size_t i = 0; i < tries_per_question * wanted_feasible && feasible < wanted_feasible; ++i) {
      TRUSTSQL_ASSIGN_OR_RETURN(auto worded, word_a_query());
      if (!worded || !add(worded->question, worded->sql, Feasibility::feasible)) continue;
      ++feasible;
      bases_.push_back(std::move(*worded));
    }
    std::size_t infeasible = 0;
    for (std::size_t i = 0; i < tries_per_question * wanted_infeasible && infeasible < wanted_infeasible; ++i) {
      const auto type = infeasible_types[infeasible % infeasible_types.size()];
      // A type that this database has no questions of is left out after some tries.
      const bool in_turn = failures_[infeasible % infeasible_types.size()] < tries_per_question;
      const auto drawn = in_turn ? type : infeasible_types[random_.below(infeasible_types.size())];
      TRUSTSQL_ASSIGN_OR_RETURN(const auto question, infeasible_question(drawn));
      if (question && add(*question, std::nullopt, drawn))
        ++infeasible;
      else if (in_turn)
        ++failures_[infeasible % infeasible_types.size()];
    }
    for (std::size_t i = questions_.size(); i > 1; --i) std::swap(questions_[i - 1], questions_[random_.below(i)]);
    return std::move(questions_);
  }

 private:
  // False if the question is there already.
  bool add(const std::string& question, std::optional<std::string> sql, Feasibility type) {
    if (!asked_.insert(to_lower_ascii(question)).second) return false;
    questions_.push_back({question, std::move(sql), type});
    return true;
  }

  // The outcome of a tree's query; none if it fails.
  Result<std::optional<Outcome>> outcome_of_tree(const Tree& tree) {
    std::optional<Outcome> outcome;
    const auto sql = sql_of(domain_, tree);
    if (!sql) return outcome;
    const auto rows = sandbox_.run(*sql);
    if (rows.ok()) {
      outcome = outcome_of(*rows);
      is_zero_ = rows->row_count() == 1 && rows->column_count() == 1 && rows->at(0, 0).type == ValueType::integer &&
                 rows->at(0, 0).integer == 0;
    } else if (ends_the_call(rows.error().code)) {
      return rows.error();
    }
    return outcome;
  }

  // Whether the query returns what a question about it takes for granted.
  Result<bool> is_true(const SampledQuery& query) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto outcome, outcome_of_tree(query.tree));
    if (!outcome || outcome->rows == 0 || outcome->nulls || is_zero_) return false;
    if (query.form == QueryForm::group_count || query.form == QueryForm::group_average)
      if (outcome->rows < 2) return false;
    const auto& block = query.tree.block;
    for (std::size_t i = 0; i < block.where.size() + block.having.size(); ++i) {
      auto without = query.tree;
      auto& conditions = i < block.where.size() ? without.block.where : without.block.having;
      conditions.erase(conditions.begin() +
                       static_cast<std::ptrdiff_t>(i < block.where.size() ? i : i - block.where.size()));
      TRUSTSQL_ASSIGN_OR_RETURN(const auto more, outcome_of_tree(without));
      if (!more || more->fingerprint == outcome->fingerprint) return false;
    }
    if (block.order.empty()) return true;
    return has_no_ties(query.tree);
  }

  // Whether the order of the rows, and which come first, is determined.
  Result<bool> has_no_ties(Tree tree) {
    auto& block = tree.block;
    block.select.push_back(block.order.front().term);
    if (block.limit) ++*block.limit;
    const auto sql = sql_of(domain_, tree);
    if (!sql) return false;
    const auto rows = sandbox_.run(*sql);
    if (!rows.ok()) {
      if (ends_the_call(rows.error().code)) return rows.error();
      return false;
    }
    if (block.limit && static_cast<std::int64_t>(rows->row_count()) < *block.limit)
      return false;  // there is nothing to choose
    const auto by = rows->column_count() - 1;
    for (std::size_t i = 0; i < rows->row_count(); ++i) {
      if (rows->at(i, by).is_null()) return false;
      if (i > 0 && compare(rows->at(i, by), rows->at(i - 1, by)) == 0) return false;
    }
    return true;
  }

  // Whether the question's words are linked, in full, to every column that the query names.
  bool names_all(const std::string& question, const Tree& tree) {
    const auto linking = linker_.link(read_question(question));
    const auto named = [&](const Term& term) {
      if (term.column == nothing) return true;
      const auto& mentions = linking.columns[static_cast<std::size_t>(term.column)];
      return !mentions.empty() && mentions.front().whole();
    };
    const auto& block = tree.block;
    return std::all_of(block.select.begin(), block.select.end(), named) &&
           std::all_of(block.where.begin(), block.where.end(),
                       [&](const Condition& condition) {
                         return condition.comparison == Comparison::not_in || named(condition.term);
                       }) &&
           std::all_of(block.order.begin(), block.order.end(), [&](const Order& order) { return named(order.term); });
  }

  Result<std::optional<Worded>> word_a_query() {
    std::optional<Worded> none;
    TRUSTSQL_ASSIGN_OR_RETURN(auto query, sampler_.sample());
    if (!query) return none;
    auto sql = sql_of(domain_, query->tree);
    if (!sql) return none;
    TRUSTSQL_ASSIGN_OR_RETURN(const bool holds, is_true(*query));
    if (!holds) return none;
    auto question = phrase(domain_, *query, random_);
    if (!names_all(question, query->tree)) return none;
    return std::optional(Worded{std::move(*query), std::move(question), std::move(*sql)});
  }

  // A worded query to change: one of those that were made, if there are some.
  Result<std::optional<Worded>> base() {
    if (!bases_.empty()) return std::optional(bases_[random_.below(bases_.size())]);
    return word_a_query();
  }

  Result<std::optional<std::string>> infeasible_question(Feasibility type) {
    std::optional<std::string> none;
    if (type == Feasibility::non_sql) return std::optional(fill(task_requests()));
    if (type == Feasibility::ext_know) return std::optional(fill(knowledge_requests()));
    TRUSTSQL_ASSIGN_OR_RETURN(const auto worded, base());
    if (!worded) return none;
    const auto& tree = worded->query.tree;
    if (type == Feasibility::column_surface) return surface_question(domain_, linker_, worded->question, tree, random_);
    const bool related = type == Feasibility::column_related;
    return question_with_column(domain_, linker_, worded->question, tree, random_, [&](ColumnId column) {
      const auto table = domain_.column(column).table;
      const auto* kind = related ? kind_of(table) : other_kind(table);
      if (kind == nullptr) return std::optional<std::vector<std::string>>();
      const auto& attributes = domain_.column(column).kind == DataKind::number ? kind->numbers : kind->texts;
      return std::optional(words_of_phrase(attributes[random_.below(attributes.size())]));
    });
  }

  // The kind of thing that a table holds, by the last noun of its name; null if it is not known.
  const EntityKind* kind_of(TableId table) const {
    const auto& words = domain_.table(table).words;
    for (auto word = words.rbegin(); word != words.rend(); ++word)
      for (const auto& kind : entity_kinds())
        if (std::find(kind.nouns.begin(), kind.nouns.end(), *word) != kind.nouns.end()) return &kind;
    return nullptr;
  }
  const EntityKind* other_kind(TableId table) {
    const auto kinds = entity_kinds();
    const auto* drawn = &kinds[random_.below(kinds.size())];
    return drawn == kind_of(table) ? nullptr : drawn;
  }

  std::string fill(std::span<const std::string_view> requests) {
    const auto column = sampler_.any_column();
    const auto noun = noun_of(domain_, domain_.column(column).table);
    std::string text(requests[random_.below(requests.size())]);
    replace_all(text, "{nouns}", plural_of(noun));
    replace_all(text, "{noun}", noun);
    replace_all(text, "{column}", spoken_name(domain_.column(column)));
    return text;
  }

  const Domain& domain_;
  Sandbox& sandbox_;
  const SynthesisOptions& options_;
  Random random_;
  TreeSampler sampler_;
  QuestionLinker linker_;
  bool is_zero_ = false;  // whether the last query returned a single 0
  std::vector<Worded> bases_{};
  std::array<std::size_t, infeasible_types.size()> failures_{};
  std::set<std::string> asked_{};
  std::vector<SyntheticQuestion> questions_{};
};

}  // namespace

Result<std::vector<SyntheticQuestion>> synthesize(const Knowledge& knowledge, Sandbox& sandbox,
                                                  const SynthesisOptions& options) {
  return Synthesizer(knowledge, sandbox, options).run();
}

}  // namespace trustsql::semparse
