#include "gmn/trainer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <list>
#include <numbers>
#include <numeric>
#include <set>

#include "base/ranking_metrics.hpp"
#include "base/value.hpp"
#include "gmn/losses.hpp"

namespace trustsql::gmn {

namespace {

constexpr double dropped_nodes = 0.1;
constexpr double masked_attributes = 0.1;
constexpr double warm_up_steps = 100;

// Streams of random numbers that have nothing to do with each other.
enum class Stream : std::uint64_t { held_out = 1, order = 1'000, views = 1'000'000, names = 1'000'000'000 };

std::uint64_t stream(Stream of, std::uint64_t number) { return static_cast<std::uint64_t>(of) + number; }

std::uint64_t fingerprint_of(const TrainingSet& set, const std::vector<std::size_t>& groups, const Hyperparameters& h,
                             const TrainingOptions& o) {
  std::uint64_t hash = 0;
  const auto take = [&hash](std::uint64_t number) { hash = mix64(hash ^ number); };
  const auto take_real = [&take](double number) { take(std::bit_cast<std::uint64_t>(number)); };
  for (const auto& graph : set.graphs) {
    for (const auto subtree : graph.subtrees) take(subtree);
  }
  for (const auto& pair : set.pairs) take((pair.first * 2 + (pair.same ? 1 : 0)) ^ mix64(pair.second));
  for (const auto group : groups) take(group);
  for (const auto& spec : hyperparameter_specs) take(static_cast<std::uint64_t>(h.*spec.member));
  take(static_cast<std::uint64_t>(h.representation) * 16 + static_cast<std::uint64_t>(h.positions) * 2 +
       (h.flows ? 1 : 0));
  for (const int number : {o.epochs, o.pretraining_epochs, o.batch, o.pretraining_batch, o.patience})
    take(static_cast<std::uint64_t>(number));
  for (const double number :
       {o.rate, o.pretraining_rate, o.margin, o.regulariser, o.clip, o.temperature, o.renamed, o.held_out})
    take_real(number);
  take(o.seed);
  return hash;
}

// The groups whose pairs are held out: a share of them, at least one if there are two.
std::set<std::size_t> held_out_groups(const std::vector<std::size_t>& groups, const TrainingOptions& options) {
  std::set<std::size_t> distinct(groups.begin(), groups.end());
  std::vector<std::size_t> drawn(distinct.begin(), distinct.end());
  if (drawn.size() < 2 || options.held_out <= 0) return {};
  Random random(options.seed, stream(Stream::held_out, 0));
  for (std::size_t i = drawn.size(); i-- > 1;) std::swap(drawn[i], drawn[random.below(i + 1)]);
  const auto wanted = std::llround(options.held_out * static_cast<double>(drawn.size()));
  const auto count = std::clamp<std::int64_t>(wanted, 1, static_cast<std::int64_t>(drawn.size()) - 1);
  return {drawn.begin(), drawn.begin() + count};
}

}  // namespace

Result<std::unique_ptr<Trainer>> Trainer::create(const LabelledGraphs& labelled, const std::vector<std::size_t>& groups,
                                                 const Hyperparameters& hyperparameters, const TrainingOptions& options,
                                                 std::size_t threads) {
  Network network(hyperparameters, vocabulary_of(labelled.graphs));
  network.initialise(options.seed);
  auto set = encode(labelled, network.vocabulary(), hyperparameters.flows);
  const auto fingerprint = fingerprint_of(set, groups, hyperparameters, options);
  std::unique_ptr<Trainer> trainer(new Trainer(std::move(network), std::move(set), options, threads));
  trainer->fingerprint_ = fingerprint;
  const auto apart = held_out_groups(groups, options);
  std::size_t same = 0;
  for (std::size_t i = 0; i < labelled.pairs.size(); ++i) {
    (apart.count(groups[i]) > 0 ? trainer->held_out_ : trainer->training_).push_back(i);
    if (labelled.pairs[i].same) ++same;
  }
  if (labelled.pairs.empty()) return invalid_argument("there are no pairs to train on");
  if (same == 0 || same == labelled.pairs.size())
    return invalid_argument("training needs pairs with the label 1 and pairs with the label 0; all " +
                            std::to_string(labelled.pairs.size()) + " have the label " + (same == 0 ? "0" : "1"));
  if (options.pretraining_epochs == 0) trainer->begin_training();
  return trainer;
}

Trainer::Trainer(Network network, TrainingSet set, const TrainingOptions& options, std::size_t threads)
    : network_(std::move(network)),
      set_(std::move(set)),
      renamer_(set_.texts),
      options_(options),
      adam_(network_.parameters().values().size()),
      pass_(network_, set_.texts, threads) {
  state_.best_values.assign(network_.parameters().values().begin(), network_.parameters().values().end());
}

// The moments of pre-training say nothing about the other loss.
void Trainer::begin_training() {
  state_.pretraining = false;
  state_.epoch = 0;
  state_.batch = 0;
  state_.loss = 0;
  adam_ = Adam(network_.parameters().values().size());
}

std::size_t Trainer::batch_count() const {
  const auto all = state_.pretraining ? set_.graphs.size() : training_.size();
  return (all + batch_size() - 1) / batch_size();
}

double Trainer::rate() const {
  const auto step = static_cast<double>(adam_.steps());
  const double all = static_cast<double>(batch_count()) * epoch_count();
  const double highest = state_.pretraining ? options_.pretraining_rate : options_.rate;
  return highest * std::min(1.0, (step + 1) / warm_up_steps) * (1 + std::cos(std::numbers::pi * step / all)) / 2;
}

std::vector<std::size_t> Trainer::order_of_epoch() const {
  std::vector<std::size_t> order = training_;
  if (state_.pretraining) {
    order.resize(set_.graphs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
  }
  const auto number = static_cast<std::uint64_t>(state_.epoch) * 2 + (state_.pretraining ? 1 : 0);
  Random random(options_.seed, stream(Stream::order, number));
  for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

double Trainer::run_batch(std::span<const std::size_t> chosen, std::span<float> gradient) {
  std::vector<BatchPass::Item> items;
  std::list<std::pair<GraphInput, GraphInput>> renamed;
  Random random(options_.seed, stream(Stream::names, static_cast<std::uint64_t>(adam_.steps())));
  for (const auto i : chosen) {
    const auto* first = &set_.graphs[set_.pairs[i].first];
    const auto* second = &set_.graphs[set_.pairs[i].second];
    if (random.uniform() < options_.renamed) {
      const auto& pair = renamed.emplace_back(renamer_.rename(*first, *second, random));
      first = &pair.first;
      second = &pair.second;
    }
    items.push_back({first, second, i});
  }
  return pass_.add_gradient(
      items,
      [this](Tape& tape, Value vectors, std::span<const std::size_t> pairs) {
        float* labels_of_slot = tape.arena().allocate(pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) labels_of_slot[i] = set_.pairs[pairs[i]].same ? 1.0F : -1.0F;
        const Value loss = margin_loss(tape, pair_distances(tape, vectors), {labels_of_slot, pairs.size()},
                                       static_cast<float>(options_.margin));
        return add(tape, loss, scale(tape, mean_square(tape, vectors), static_cast<float>(options_.regulariser)));
      },
      gradient);
}

double Trainer::run_pretraining_batch(std::span<const std::size_t> chosen, std::span<float> gradient) {
  if (chosen.size() < 2) return 0;  // nothing to tell apart
  std::vector<GraphInput> views;
  views.reserve(2 * chosen.size());
  const auto number = static_cast<std::uint64_t>(adam_.steps());
  Random random(options_.seed, stream(Stream::views, number));
  std::vector<BatchPass::Item> items;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto& graph = set_.graphs[chosen[i]];
    views.push_back(drop_nodes(graph, dropped_nodes, random));
    views.push_back(mask_attributes(graph, masked_attributes, random));
    items.push_back({&views[2 * i], &views[2 * i + 1], i});
  }
  const auto temperature = static_cast<float>(options_.temperature);
  return pass_.add_gradient_of_all(
      items,
      [temperature](Tape& tape, Value vectors, std::span<const std::size_t>) {
        return nt_xent(tape, vectors, temperature);
      },
      gradient);
}

Result<std::optional<EpochReport>> Trainer::next(const std::function<bool()>& stop) {
  if (!state_.pretraining &&
      (state_.epoch >= options_.epochs || (options_.patience > 0 && state_.epochs_since_best >= options_.patience)))
    return std::optional<EpochReport>();
  pass_.set_stop(stop);
  std::vector<float> gradient(network_.parameters().values().size());
  order_ = order_of_epoch();
  while (state_.batch < batch_count()) {
    if (stop()) return Error{ErrorCode::interrupted, "interrupted"};
    const auto begin = state_.batch * batch_size();
    const std::span<const std::size_t> chosen(order_.data() + begin, std::min(batch_size(), order_.size() - begin));
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    const double loss = state_.pretraining ? run_pretraining_batch(chosen, gradient) : run_batch(chosen, gradient);
    if (pass_.stopped()) return Error{ErrorCode::interrupted, "interrupted"};
    state_.loss += loss;
    adam_.step(network_.parameters().values(), gradient, rate(), options_.clip);
    ++state_.batch;
  }
  const auto auc = state_.pretraining ? std::nullopt : held_out_auc();
  if (pass_.stopped()) return Error{ErrorCode::interrupted, "interrupted"};
  return std::optional(end_epoch(auc));
}

EpochReport Trainer::end_epoch(std::optional<double> auc) {
  EpochReport report{.pretraining = state_.pretraining,
                     .epoch = ++state_.epoch,
                     .loss = state_.loss / static_cast<double>(std::max<std::size_t>(1, batch_count()))};
  state_.batch = 0;
  state_.loss = 0;
  if (state_.pretraining) {
    if (state_.epoch >= options_.pretraining_epochs) begin_training();
    return report;
  }
  report.auc = auc;
  report.is_best = !report.auc || *report.auc > state_.best_auc;
  if (report.is_best) {
    state_.best_auc = report.auc.value_or(-1);
    state_.best_values.assign(network_.parameters().values().begin(), network_.parameters().values().end());
    state_.epochs_since_best = 0;
  } else {
    ++state_.epochs_since_best;
  }
  return report;
}

std::optional<double> Trainer::held_out_auc() {
  std::vector<BatchPass::Item> items;
  for (const auto i : held_out_)
    items.push_back({&set_.graphs[set_.pairs[i].first], &set_.graphs[set_.pairs[i].second], i});
  const auto distances = pass_.distances(items);
  std::vector<LabelledScore> rows;
  for (std::size_t i = 0; i < items.size(); ++i)
    rows.push_back({-static_cast<double>(distances[i]), set_.pairs[items[i].pair].same});
  return roc_auc(rows);
}

Network Trainer::best() const {
  Network network = network_;
  std::copy(state_.best_values.begin(), state_.best_values.end(), network.parameters().values().begin());
  return network;
}

TrainingState Trainer::state() const {
  TrainingState state = state_;
  const auto values = network_.parameters().values();
  state.values.assign(values.begin(), values.end());
  state.first_moments = adam_.first_moments();
  state.second_moments = adam_.second_moments();
  state.adam_steps = adam_.steps();
  return state;
}

void Trainer::restore(TrainingState state) {
  std::copy(state.values.begin(), state.values.end(), network_.parameters().values().begin());
  adam_.first_moments() = std::move(state.first_moments);
  adam_.second_moments() = std::move(state.second_moments);
  adam_.set_steps(state.adam_steps);
  state.values.clear();
  state_ = std::move(state);
}

}  // namespace trustsql::gmn
