#include "gmn/batch_pass.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/parallel_for.hpp"
#include "gmn/losses.hpp"
#include "gmn/random_walks.hpp"

namespace trustsql::gmn {

BatchPass::BatchPass(const Network& network, const Texts& texts, std::size_t threads, std::size_t max_numbers)
    : network_(network), texts_of_set_(texts), threads_(threads), max_numbers_(max_numbers), slots_(slot_count) {}

namespace {

// The numbers that the tapes keep, with their gradients, for a text and for a pair of graphs; about.
std::size_t numbers_of_text(const Hyperparameters& h) {
  constexpr std::size_t values_of_position = 192;  // of all layers
  return values_of_position * static_cast<std::size_t>(h.string_length) * static_cast<std::size_t>(h.string_channels);
}

std::size_t numbers_of_pair(const BatchPass::Item& item, const Hyperparameters& h) {
  constexpr std::size_t states_of_node = 24;
  const auto first = item.first->texts.size();
  const auto second = item.second->texts.size();
  const auto sizes = static_cast<std::size_t>(h.node_state) + static_cast<std::size_t>(h.message) +
                     static_cast<std::size_t>(h.position_state);
  return static_cast<std::size_t>(h.steps) * (states_of_node * sizes * (first + second) + 4 * first * second) +
         8 * static_cast<std::size_t>(h.graph_vector) * (first + second);
}

}  // namespace

void BatchPass::set_stop(const std::function<bool()>& stop) {
  stop_ = stop;
  caller_ = std::this_thread::get_id();
  stopped_ = false;
}

bool BatchPass::must_stop() {
  if (!stopped_.load(std::memory_order_relaxed) && stop_ && std::this_thread::get_id() == caller_ && stop_())
    stopped_ = true;
  return stopped_.load(std::memory_order_relaxed);
}

void BatchPass::for_each_slot(const std::function<void(std::size_t)>& work) {
  if (!must_stop()) parallel_for(slot_count, threads_, work, slot_stop_);
}

std::vector<std::size_t> BatchPass::ends_of_parts(std::span<const Item> items) const {
  const auto& h = network_.hyperparameters();
  std::vector<std::size_t> ends;
  std::unordered_set<Index> texts;
  std::size_t of_pairs = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    of_pairs += numbers_of_pair(items[i], h);
    for (const auto* graph : {items[i].first, items[i].second})
      for (const Index text : graph->texts)
        if (text >= 0) texts.insert(text);
    if (of_pairs + texts.size() * numbers_of_text(h) <= max_numbers_ || i == 0 || (!ends.empty() && ends.back() == i))
      continue;
    ends.push_back(i);
    texts.clear();
    of_pairs = 0;
    --i;  // it begins the next part
  }
  ends.push_back(items.size());
  return ends;
}

void BatchPass::for_each_part(std::span<const Item> items, FunctionRef<void(std::span<const Item>, float)> use) const {
  std::size_t begin = 0;
  for (const auto end : ends_of_parts(items)) {
    if (stopped()) return;
    use(items.subspan(begin, end - begin), static_cast<float>(end - begin) / static_cast<float>(items.size()));
    begin = end;
  }
}

void BatchPass::collect_texts(std::span<const Item> items) {
  for (const Index text : texts_) rows_of_texts_[static_cast<std::size_t>(text)] = -1;
  texts_.clear();
  rows_of_texts_.resize(texts_of_set_.size(), -1);
  for (const auto& item : items) {
    for (const auto* graph : {item.first, item.second}) {
      for (const Index text : graph->texts) {
        if (text < 0 || rows_of_texts_[static_cast<std::size_t>(text)] >= 0) continue;
        rows_of_texts_[static_cast<std::size_t>(text)] = static_cast<Index>(texts_.size());
        texts_.push_back(text);
      }
    }
  }
}

void BatchPass::encode_texts(std::size_t number) {
  auto& slot = slots_[number];
  const auto [begin, end] = range(texts_.size(), number);
  if (begin == end) return;
  slot.codes.clear();
  for (auto i = begin; i < end; ++i)
    network_.strings().append_codes(texts_of_set_.texts()[static_cast<std::size_t>(texts_[i])], slot.codes);
  slot.string_vectors = network_.strings().apply(*slot.strings, network_.parameters(), slot.codes);
  string_vectors_.middleRows(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(end - begin)) =
      slot.strings->value(slot.string_vectors);
}

void BatchPass::run_graphs(std::size_t number, std::span<const Item> items) {
  auto& slot = slots_[number];
  const auto& h = network_.hyperparameters();
  const auto [begin, end] = range(items.size(), number);
  slot.batch.clear();
  slot.pairs.clear();
  if (begin == end) return;
  for (auto i = begin; i < end; ++i) {
    Matrix positions;
    if (h.positions != Positions::none)
      positions = walk_positions(*items[i].first, *items[i].second, h.positions, h.walk_steps);
    slot.batch.add(*items[i].first, *items[i].second, rows_of_texts_, positions);
    slot.pairs.push_back(items[i].pair);
  }
  slot.batch.finish();
  slot.text_gradient.assign(slot.graphs->records() ? static_cast<std::size_t>(string_vectors_.size()) : 0, 0.0F);
  const Value strings =
      slot.graphs->input(string_vectors_.data(), slot.graphs->records() ? slot.text_gradient.data() : nullptr,
                         string_vectors_.rows(), string_vectors_.cols());
  slot.graph_vectors = network_.graph_vectors(*slot.graphs, slot.batch, strings);
}

void BatchPass::forward(std::span<const Item> items, bool with_gradients) {
  collect_texts(items);
  string_vectors_.resize(static_cast<Eigen::Index>(texts_.size()), network_.hyperparameters().node_state);
  for (auto& slot : slots_) {
    slot.gradient.assign(with_gradients ? network_.parameters().values().size() : 0, 0.0F);
    for (auto* tape : {&slot.strings, &slot.graphs}) {
      if (*tape == nullptr || (*tape)->records() != with_gradients) {
        *tape = std::make_unique<Tape>(std::span<float>(slot.gradient), &slot_stop_);
      } else {
        (*tape)->reset();
      }
    }
  }
  for_each_slot([&](std::size_t slot) { encode_texts(slot); });
  for_each_slot([&](std::size_t slot) { run_graphs(slot, items); });
}

double BatchPass::add_gradient(std::span<const Item> items, const RecordLoss& loss, std::span<float> gradient) {
  double sum = 0;
  for_each_part(items, [&](std::span<const Item> part, float share) {
    sum += add_gradient_of_part(part, loss, share, gradient);
  });
  return sum;
}

double BatchPass::add_gradient_of_part(std::span<const Item> items, const RecordLoss& loss, float part,
                                       std::span<float> gradient) {
  forward(items, true);
  for_each_slot([&](std::size_t number) {
    auto& slot = slots_[number];
    slot.loss = 0;
    if (slot.pairs.empty()) return;
    const float share = part * static_cast<float>(slot.pairs.size()) / static_cast<float>(items.size());
    const Value weighted = scale(*slot.graphs, loss(*slot.graphs, slot.graph_vectors, slot.pairs), share);
    slot.loss = static_cast<double>(slot.graphs->value(weighted)(0, 0));
    slot.graphs->backward(weighted);
  });
  finish(gradient);
  double sum = 0;
  for (const auto& slot : slots_) sum += slot.loss;
  return sum;
}

double BatchPass::add_gradient_of_all(std::span<const Item> items, const RecordLoss& loss, std::span<float> gradient) {
  double sum = 0;
  for_each_part(items, [&](std::span<const Item> part, float share) {
    sum += add_gradient_of_whole_part(part, loss, share, gradient);
  });
  return sum;
}

double BatchPass::add_gradient_of_whole_part(std::span<const Item> items, const RecordLoss& loss, float part,
                                             std::span<float> gradient) {
  forward(items, true);
  if (stopped()) return 0;
  Matrix vectors(static_cast<Eigen::Index>(2 * items.size()), network_.hyperparameters().graph_vector);
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < slot_count; ++i) {
    const auto& slot = slots_[i];
    if (slot.pairs.empty()) continue;
    vectors.middleRows(static_cast<Eigen::Index>(2 * pairs.size()), static_cast<Eigen::Index>(2 * slot.pairs.size())) =
        slot.graphs->value(slot.graph_vectors);
    pairs.insert(pairs.end(), slot.pairs.begin(), slot.pairs.end());
  }
  Matrix vector_gradient = Matrix::Zero(vectors.rows(), vectors.cols());
  std::vector<float> none(1, 0.0F);  // the loss itself has no parameters
  Tape tape(none);
  const Value result =
      scale(tape, loss(tape, tape.input(vectors.data(), vector_gradient.data(), vectors.rows(), vectors.cols()), pairs),
            part);
  const auto value = static_cast<double>(tape.value(result)(0, 0));
  tape.backward(result);
  for_each_slot([&](std::size_t number) {
    auto& slot = slots_[number];
    if (slot.pairs.empty()) return;
    const auto begin = 2 * range(items.size(), number).begin;
    slot.graphs->backward(slot.graph_vectors,
                          {vector_gradient.data() + static_cast<Eigen::Index>(begin) * vector_gradient.cols(),
                           static_cast<Eigen::Index>(2 * slot.pairs.size()), vector_gradient.cols()});
  });
  finish(gradient);
  return value;
}

void BatchPass::finish(std::span<float> gradient) {
  if (stopped()) return;
  Matrix text_gradient = Matrix::Zero(string_vectors_.rows(), string_vectors_.cols());
  for (const auto& slot : slots_) {
    if (!slot.pairs.empty())
      text_gradient += ConstMatrixView(slot.text_gradient.data(), text_gradient.rows(), text_gradient.cols());
  }
  for_each_slot([&](std::size_t number) {
    const auto [begin, end] = range(texts_.size(), number);
    if (begin == end) return;
    slots_[number].strings->backward(slots_[number].string_vectors,
                                     {text_gradient.data() + static_cast<Eigen::Index>(begin) * text_gradient.cols(),
                                      static_cast<Eigen::Index>(end - begin), text_gradient.cols()});
  });
  for (const auto& slot : slots_) {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += slot.gradient[i];
  }
}

std::vector<float> BatchPass::distances(std::span<const Item> items) {
  constexpr std::size_t at_once = 64;
  std::vector<float> result;
  for (std::size_t begin = 0; begin < items.size(); begin += at_once) {
    for_each_part(items.subspan(begin, std::min(at_once, items.size() - begin)),
                  [&](std::span<const Item> part, float) {
                    forward(part, false);
                    for (auto& slot : slots_) {
                      if (slot.pairs.empty() || stopped()) continue;
                      const auto d = slot.graphs->value(pair_distances(*slot.graphs, slot.graph_vectors));
                      result.insert(result.end(), d.data(), d.data() + d.size());
                    }
                  });
  }
  result.resize(items.size());  // if it was stopped
  return result;
}

}  // namespace trustsql::gmn
