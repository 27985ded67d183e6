// BatchPass: a batch goes through the network on several threads, and its gradient comes back.
//
// The texts of the batch are encoded first, each once; then the pairs go through the network; then the gradients of the
// string vectors go back through the encoder. Texts and pairs are dealt to a fixed number of slots, each with a tape
// and gradients of its own, and the slots' gradients are added up in order: the result is the same for any number of
// threads. A batch of large graphs, whose tapes would take too much memory, goes through in parts.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "base/function_ref.hpp"
#include "gmn/network.hpp"
#include "gmn/training_set.hpp"

namespace trustsql::gmn {

// Records a loss on the tape: 1 x 1. `vectors`: two rows for each pair of the slot; `pairs`: their numbers.
using RecordLoss = std::function<Value(Tape& tape, Value vectors, std::span<const std::size_t> pairs)>;

class BatchPass {
 public:
  // The graphs of a batch by pointers: they may be those of a set or augmented ones.
  struct Item {
    const GraphInput* first;
    const GraphInput* second;
    std::size_t pair = 0;  // a number for the loss
  };

  static constexpr std::size_t default_max_numbers = std::size_t{192} << 20;  // 0.75 GB

  // `network` and `texts` (of all graphs that will be given) must outlive the pass. `max_numbers`: how many the tapes
  // of a part may keep, as far as the graphs of a single pair allow.
  BatchPass(const Network& network, const Texts& texts, std::size_t threads,
            std::size_t max_numbers = default_max_numbers);

  // Has `stop` called now and then, in the thread that calls this object. Once it returns true, what is being computed
  // ends early and its numbers are of no use. It must outlive the calls that follow.
  void set_stop(const std::function<bool()>& stop);
  bool stopped() const { return stopped_.load(); }

  // Adds the gradient of the mean of the slots' losses, weighted by their pairs, to `gradient` (layout of
  // Parameters::values()); returns that mean.
  double add_gradient(std::span<const Item> items, const RecordLoss& loss, std::span<float> gradient);
  // The same for a loss that needs the vectors of all pairs of a part at once: it runs on one thread after them. Its
  // gradient goes back through the slots.
  double add_gradient_of_all(std::span<const Item> items, const RecordLoss& loss, std::span<float> gradient);

  // The distance of each pair.
  std::vector<float> distances(std::span<const Item> items);

 private:
  static constexpr std::size_t slot_count = 8;

  struct Slot {
    std::vector<float> gradient;       // of the parameters
    std::vector<float> text_gradient;  // of the string vectors
    std::unique_ptr<Tape> strings;
    std::unique_ptr<Tape> graphs;
    std::vector<Index> codes;
    Value string_vectors;
    Value graph_vectors;
    Batch batch;
    std::vector<std::size_t> pairs;
    double loss = 0;
  };

  struct Range {
    std::size_t begin;
    std::size_t end;
  };
  static Range range(std::size_t count, std::size_t slot) {
    return {count * slot / slot_count, count * (slot + 1) / slot_count};
  }

  // Where the parts of the items end.
  std::vector<std::size_t> ends_of_parts(std::span<const Item> items) const;
  // Calls use(part, share) for each part; `share`: of the items.
  void for_each_part(std::span<const Item> items, FunctionRef<void(std::span<const Item>, float)> use) const;
  double add_gradient_of_part(std::span<const Item> items, const RecordLoss& loss, float part,
                              std::span<float> gradient);
  double add_gradient_of_whole_part(std::span<const Item> items, const RecordLoss& loss, float part,
                                    std::span<float> gradient);
  bool must_stop();
  void for_each_slot(const std::function<void(std::size_t)>& work);
  // Fills texts_ and string_vectors_ and the slots' batches, and runs the network.
  void forward(std::span<const Item> items, bool with_gradients);
  void collect_texts(std::span<const Item> items);
  void encode_texts(std::size_t slot);
  void run_graphs(std::size_t slot, std::span<const Item> items);
  // From the gradients of the slots' string vectors to those of the parameters, and all of them to `gradient`.
  void finish(std::span<float> gradient);

  const Network& network_;
  const Texts& texts_of_set_;
  std::size_t threads_;
  std::size_t max_numbers_;
  std::function<bool()> stop_;
  std::thread::id caller_;
  std::atomic<bool> stopped_ = false;
  std::function<bool()> slot_stop_ = [this] { return must_stop(); };
  std::vector<Slot> slots_;
  std::vector<Index> texts_;          // of the batch, by number
  std::vector<Index> rows_of_texts_;  // by number: the row among the texts of the batch, or -1
  Matrix string_vectors_;
};

}  // namespace trustsql::gmn
