#include "semparse/training/training.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "base/text.hpp"
#include "semparse/candidates/candidates.hpp"
#include "semparse/candidates/form_fit.hpp"
#include "semparse/candidates/ranking.hpp"

namespace trustsql::semparse {

namespace {

std::string stripped(std::string_view pattern) {
  while (pattern.starts_with('%')) pattern.remove_prefix(1);
  while (pattern.ends_with('%')) pattern.remove_suffix(1);
  return value_words(pattern);
}

bool same_value(const Value& wanted, const Literal& literal, std::size_t position) {
  if (literal.number != nullptr) {
    const auto& value = position == 0 ? literal.number->value : *literal.number->second;
    if (equal(view(value), view(wanted))) return true;
    const auto* whole = std::get_if<std::int64_t>(&value);
    if (literal.number->scale != 1 && whole != nullptr) {
      const auto scaled = number_value(static_cast<double>(*whole) / literal.number->scale);
      if (equal(view(scaled), view(wanted))) return true;
    }
    const auto* text = std::get_if<std::string>(&wanted);
    return text != nullptr && stripped(*text) == value_words(format_value(view(value)));
  }
  const auto* text = std::get_if<std::string>(&wanted);
  if (text == nullptr) return false;
  const auto words = stripped(*text);
  if (words == value_words(literal.value->text)) return true;
  return std::any_of(literal.value->cells.begin(), literal.value->cells.end(),
                     [&words](const auto& cell) { return value_words(cell.text) == words; });
}

LiteralOperator operator_of(const Condition& condition) {
  const auto* text = condition.values.empty() ? nullptr : std::get_if<std::string>(&condition.values.front());
  switch (condition.comparison) {
    case Comparison::not_equal: return LiteralOperator::not_equal;
    case Comparison::less: return LiteralOperator::less;
    case Comparison::less_equal: return LiteralOperator::less_equal;
    case Comparison::greater: return LiteralOperator::greater;
    case Comparison::greater_equal: return LiteralOperator::greater_equal;
    case Comparison::between: return LiteralOperator::between;
    case Comparison::not_like: return LiteralOperator::lacks;
    case Comparison::like:
      if (text != nullptr && !text->starts_with('%')) return LiteralOperator::starts_with;
      if (text != nullptr && !text->ends_with('%')) return LiteralOperator::ends_with;
      return LiteralOperator::contains;
    default: return LiteralOperator::equal;
  }
}

class Deriver {
 public:
  Deriver(const QuestionView& view, const Filling& filling, const Tree& tree)
      : view_(view), filling_(filling), tree_(tree) {}

  std::optional<Derivation> derive() {
    const auto skeleton = skeleton_of(tree_);
    if (!skeleton) return std::nullopt;
    derivation_.skeleton = *skeleton;
    derivation_.complete = true;
    const auto& block = tree_.block;
    matched_.assign(view_.literals().size(), nullptr);
    uses_.assign(view_.literals().size(), LiteralUse::unused);
    for (const auto& condition : block.where) {
      if (!condition.values.empty()) match(condition, LiteralUse::where);
      if (!condition.subquery.empty())
        for (const auto& inner : condition.subquery.front().where) match(inner, LiteralUse::subquery);
    }
    for (const auto& condition : block.having) match(condition, LiteralUse::having);
    if (!tree_.other.empty())
      for (const auto& condition : tree_.other.front().where) match(condition, LiteralUse::other);
    if (skeleton->limit == LimitKind::number) match_limit(*block.limit);
    auto draft = filling_.start(derivation_.skeleton);
    for (const auto& step : filling_.literal_steps()) take(step, static_cast<int>(uses_[step.index]), draft);
    for (const auto& step : filling_.later_steps(draft))
      if (!take_later(step, draft)) return std::nullopt;
    return std::move(derivation_);
  }

 private:
  void match(const Condition& condition, LiteralUse use) {
    const auto& literals = view_.literals();
    for (const bool in_column : {true, false}) {
      for (std::size_t i = 0; i < literals.size(); ++i) {
        if (matched_[i] != nullptr || uses_[i] != LiteralUse::unused) continue;
        const bool range = literals[i].number != nullptr && literals[i].number->second;
        if (range != (condition.values.size() == 2) || !same_value(condition.values.front(), literals[i], 0)) continue;
        if (range && !same_value(condition.values.back(), literals[i], 1)) continue;
        const auto* value = literals[i].value;
        const bool here =
            value == nullptr || std::any_of(value->cells.begin(), value->cells.end(),
                                            [&](const auto& cell) { return cell.column == condition.term.column; });
        if (in_column && !here) continue;
        matched_[i] = &condition;
        uses_[i] = use;
        return;
      }
    }
    derivation_.complete = false;
  }

  void match_limit(std::int64_t limit) {
    const auto& literals = view_.literals();
    for (std::size_t i = 0; i < literals.size(); ++i) {
      if (matched_[i] != nullptr || uses_[i] != LiteralUse::unused || !same_value(limit, literals[i], 0)) continue;
      uses_[i] = LiteralUse::limit;
      return;
    }
    derivation_.complete = false;
  }

  void take(const Step& step, int choice, Draft& draft) { take(step, Option{choice, {}, 0}, draft); }
  void take(const Step& step, Option option, Draft& draft) {
    filling_.take(step, option, draft);
    derivation_.steps.emplace_back(step, std::move(option));
  }

  const Condition* subquery_condition() const {
    for (const auto& condition : tree_.block.where)
      if (!condition.subquery.empty()) return &condition;
    return nullptr;
  }

  // The columns of the part of the select list with this number.
  std::vector<Term> terms_of_part(std::size_t part) const {
    std::vector<Term> terms;
    std::size_t at = 0;
    const Term* before = nullptr;
    for (const auto& term : tree_.block.select) {
      const bool same_run = before != nullptr && before->aggregate == Aggregate::none &&
                            term.aggregate == Aggregate::none &&
                            (before->column == nothing) == (term.column == nothing);
      if (before != nullptr && !same_run) ++at;
      before = &term;
      if (at == part) terms.push_back(term);
    }
    return terms;
  }

  bool take_later(const Step& step, Draft& draft) {
    const auto& block = tree_.block;
    switch (step.kind) {
      case StepKind::literal_operator:
        take(step, static_cast<int>(operator_of(*matched_[step.index])), draft);
        return true;
      case StepKind::literal_column: take(step, matched_[step.index]->term.column, draft); return true;
      case StepKind::select_columns: {
        Option option;
        for (const auto& term : terms_of_part(step.index)) option.columns.push_back(term.column);
        take(step, std::move(option), draft);
        return true;
      }
      case StepKind::select_column: take(step, terms_of_part(step.index).front().column, draft); return true;
      case StepKind::select_rows: take(step, terms_of_part(step.index).front().table, draft); return true;
      case StepKind::group: take(step, block.group.front(), draft); return true;
      case StepKind::having_column: take(step, block.having.front().term.column, draft); return true;
      case StepKind::having_rows: take(step, block.having.front().term.table, draft); return true;
      case StepKind::order_column: take(step, block.order.front().term.column, draft); return true;
      case StepKind::order_rows: take(step, block.order.front().term.table, draft); return true;
      case StepKind::null_column: {
        for (const auto& condition : block.where)
          if (condition.comparison == Comparison::is_null || condition.comparison == Comparison::is_not_null)
            take(step, condition.term.column, draft);
        return true;
      }
      case StepKind::subquery_column: {
        const auto* condition = subquery_condition();
        if (condition->subquery.front().select.front().column != condition->term.column) return false;
        take(step, condition->term.column, draft);
        return true;
      }
      case StepKind::subquery_edge: {
        const auto* condition = subquery_condition();
        const auto inner = condition->subquery.front().select.front().column;
        const auto& edges = view_.domain().edges();
        for (std::size_t i = 0; i < edges.size(); ++i) {
          if (edges[i].child != inner || edges[i].parent != condition->term.column) continue;
          take(step, static_cast<int>(i), draft);
          return true;
        }
        return false;
      }
      case StepKind::further_table:
        take(step, block.tables.empty() ? nothing : block.tables.front(), draft);
        return true;
      case StepKind::other_table: {
        const auto& other = tree_.other.front();
        take(step, other.tables.empty() ? nothing : other.tables.front(), draft);
        return true;
      }
      case StepKind::literal_use: return false;
    }
    return false;
  }

  const QuestionView& view_;
  const Filling& filling_;
  const Tree& tree_;
  Derivation derivation_{};
  std::vector<const Condition*> matched_{};
  std::vector<LiteralUse> uses_{};
};

class Trainer {
 public:
  Trainer(const std::vector<Example>& examples, const TrainingOptions& options)
      : examples_(examples), options_(options) {
    choose_vocabulary();
    derive();
    measure_idle_words();
    choose_skeletons();
  }

  ParserModel run() {
    FeatureCounts counts(model_.weights);
    count_features(counts);
    Learner learner(model_.weights, options_.rate, &counts, options_.min_feature_databases);
    std::vector<std::size_t> order(examples_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(options_.seed);
    for (int epoch = 0; epoch < options_.epochs; ++epoch) {
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
      for (const auto i : order) {
        if (!derivations_[i]) continue;
        learn_skeleton(i, learner);
        learn_steps(i, learner);
      }
    }
    learn_form_fits();
    return std::move(model_);
  }

 private:
  void learn_form_fits() {
    std::vector<FormExample> forms;
    for (std::size_t i = 0; i < examples_.size(); ++i)
      if (derivations_[i])
        forms.push_back({examples_[i].domain, &views_[i]->question_features(), &derivations_[i]->skeleton});
    model_.forms = learn_forms(std::move(forms), model_.skeletons, options_.min_feature_databases, options_.seed);
  }

  // Of skeletons, a feature counts where it speaks for the right one; of steps, wherever it occurs.
  void count_features(FeatureCounts& counts) {
    std::map<const Domain*, std::vector<std::size_t>> by_domain;
    std::vector<const Domain*>
        domains;  // in the order of the examples, so that the result does not depend on addresses
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      auto& list = by_domain[examples_[i].domain];
      if (list.empty()) domains.push_back(examples_[i].domain);
      list.push_back(i);
    }
    std::uint16_t group = 0;
    for (const auto* domain : domains) {
      ++group;
      for (const auto i : by_domain[domain]) {
        if (!derivations_[i]) continue;
        for (const auto fragment : fragments_of(derivations_[i]->skeleton)) {
          counts.count(fragment, group);
          for (const auto key : views_[i]->question_features()) counts.count(feature_key(key, fragment), group);
        }
        const auto& filling = *fillings_[i];
        auto draft = filling.start(derivations_[i]->skeleton);
        for (const auto& [step, option] : derivations_[i]->steps) {
          for (const auto choice : filling.choices(step, draft))
            for (const auto& feature : filling.features(step, draft, choice)) counts.count(feature.key, group);
          filling.take(step, option, draft);
        }
      }
    }
  }

  void choose_vocabulary() {
    std::map<std::string, std::set<const Domain*>> databases;
    for (const auto& example : examples_)
      for (const auto& word : example.question.words) databases[word.lower].insert(example.domain);
    for (const auto& [word, where] : databases)
      if (where.size() >= options_.min_databases) model_.vocabulary.insert(word);
  }

  void derive() {
    for (const auto& example : examples_) {
      views_.push_back(
          std::make_unique<QuestionView>(*example.domain, example.question, example.linking, model_.vocabulary));
      fillings_.push_back(std::make_unique<Filling>(*views_.back(), model_.weights));
      derivations_.push_back(derivation_of(*views_.back(), *fillings_.back(), example.tree));
    }
  }

  // Which words of the vocabulary the right queries leave unexplained.
  void measure_idle_words() {
    struct Count {
      float idle = 0;
      float all = 0;
    };
    std::map<std::string, Count> counts;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      if (!derivations_[i] || !derivations_[i]->complete) continue;
      const auto& view = *views_[i];
      const auto& filling = *fillings_[i];
      Candidate gold;
      gold.draft = filling.start(derivations_[i]->skeleton);
      for (const auto& [step, option] : derivations_[i]->steps) filling.take(step, option, gold.draft);
      gold.tree = filling.tree_of(gold.draft);
      const auto explanation = explain(view, gold);
      for (std::size_t w = 0; w < view.question().words.size(); ++w) {
        const auto& word = view.question().words[w].lower;
        if (!model_.vocabulary.contains(word)) continue;
        auto& count = counts[word];
        ++count.all;
        if (!explanation.explained[w]) ++count.idle;
      }
    }
    for (const auto& [word, count] : counts) model_.vocabulary.insert(word, (count.idle + 0.5F) / (count.all + 1));
  }

  void choose_skeletons() {
    std::map<Skeleton, std::size_t> counts;
    for (const auto& derivation : derivations_)
      if (derivation) ++counts[derivation->skeleton];
    for (const auto& [skeleton, count] : counts) {
      if (count < options_.min_skeletons) continue;
      numbers_[skeleton] = model_.skeletons.size();
      model_.skeletons.push_back({skeleton, fragments_of(skeleton)});
    }
  }

  void learn_skeleton(std::size_t example, Learner& learner) {
    const auto gold = numbers_.find(derivations_[example]->skeleton);
    if (gold == numbers_.end()) return;
    const auto& view = *views_[example];
    const auto scores = score_skeletons(model_, view);
    std::map<std::uint64_t, float> gradients;  // by fragment
    constexpr float negligible = 1e-3F;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const float gradient = (i == gold->second ? 1.0F : 0.0F) - std::exp(scores[i]);
      if (std::fabs(gradient) < negligible) continue;
      for (const auto fragment : model_.skeletons[i].fragments) gradients[fragment] += gradient;
    }
    for (const auto& [fragment, gradient] : gradients) {
      if (std::fabs(gradient) < negligible) continue;
      learner.update(fragment, gradient);
      for (const auto key : view.question_features()) learner.update(feature_key(key, fragment), gradient);
    }
  }

  void learn_steps(std::size_t example, Learner& learner) {
    const auto& filling = *fillings_[example];
    auto draft = filling.start(derivations_[example]->skeleton);
    for (const auto& [step, option] : derivations_[example]->steps) {
      if (step.kind == StepKind::select_columns)
        learn_set(filling, step, option, draft, learner);
      else
        learn_choice(filling, step, option.choice, draft, learner);
      filling.take(step, option, draft);
    }
  }

  void learn_set(const Filling& filling, const Step& step, const Option& option, const Draft& draft, Learner& learner) {
    for (const auto choice : filling.choices(step, draft)) {
      const bool in = std::find(option.columns.begin(), option.columns.end(), choice) != option.columns.end();
      const auto features = filling.features(step, draft, choice);
      learner.update(features, (in ? 1.0F : 0.0F) - logistic(model_.weights.score(features)));
    }
  }

  void learn_choice(const Filling& filling, const Step& step, int gold, const Draft& draft, Learner& learner) {
    const auto choices = filling.choices(step, draft);
    if (choices.size() < 2 || std::find(choices.begin(), choices.end(), gold) == choices.end()) return;
    std::vector<Features> features;
    std::vector<float> scores;
    for (const auto choice : choices) {
      features.push_back(filling.features(step, draft, choice));
      scores.push_back(model_.weights.score(features.back()));
    }
    log_softmax(scores);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const float gradient = (choices[i] == gold ? 1.0F : 0.0F) - std::exp(scores[i]);
      if (std::fabs(gradient) > 1e-3F) learner.update(features[i], gradient);
    }
  }

  const std::vector<Example>& examples_;
  TrainingOptions options_;
  ParserModel model_{};
  std::vector<std::unique_ptr<QuestionView>> views_{};
  std::vector<std::unique_ptr<Filling>> fillings_{};
  std::vector<std::optional<Derivation>> derivations_{};
  std::map<Skeleton, std::size_t> numbers_{};
};

}  // namespace

std::optional<Derivation> derivation_of(const QuestionView& view, const Filling& filling, const Tree& tree) {
  return Deriver(view, filling, tree).derive();
}

ParserModel train(const std::vector<Example>& examples, const TrainingOptions& options) {
  return Trainer(examples, options).run();
}

}  // namespace trustsql::semparse
